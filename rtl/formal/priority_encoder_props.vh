// SPDX-License-Identifier: Apache-2.0
// Properties of priority_encoder: the lowest request, found by a loop. Page: docs/verify/properties.md.
integer           f_i;
reg               f_any;
reg [INDEX_W-1:0] f_lowest;
always @* begin
  f_any    = 1'b0;
  f_lowest = 0;
  for (f_i = WIDTH - 1; f_i >= 0; f_i = f_i - 1)
    if (req_i[f_i]) begin
      f_any    = 1'b1;
      f_lowest = f_i;
    end
  any_iff_request: assert (any_o == f_any);
  index_is_lowest: assert (index_o == f_lowest);
end
