// SPDX-License-Identifier: Apache-2.0
// Properties of one_hot_encoder, for every input; more than one request gives the OR of the indices.
integer           f_i;
reg               f_any;
reg [INDEX_W-1:0] f_or;
integer           f_requests;
always @* begin
  f_any      = 1'b0;
  f_or       = 0;
  f_requests = 0;
  for (f_i = 0; f_i < WIDTH; f_i = f_i + 1)
    if (one_hot_i[f_i]) begin
      f_any      = 1'b1;
      f_or       = f_or | f_i;
      f_requests = f_requests + 1;
    end
  any_iff_request: assert (any_o == f_any);
  index_is_or: assert (index_o == f_or);
  index_names_the_one: assert (f_requests != 1 || one_hot_i == {{(WIDTH - 1) {1'b0}}, 1'b1} << index_o);
end
