// SPDX-License-Identifier: Apache-2.0
// Properties of round_robin: a walk from last_i + 1 round the end. last_i must name a place of req_i.
integer           f_i;
reg               f_found;
reg [INDEX_W:0]   f_at;
reg [INDEX_W-1:0] f_next;
always @* begin
  f_found = 1'b0;
  f_next  = 0;
  f_at    = {1'b0, last_i};
  for (f_i = 0; f_i < WIDTH; f_i = f_i + 1) begin
    f_at = (f_at + 1 >= WIDTH) ? 0 : f_at + 1;
    if (!f_found && req_i[f_at]) begin
      f_found = 1'b1;
      f_next  = f_at[INDEX_W-1:0];
    end
  end
  any_iff_request: assert (any_o == f_found);
  index_is_next: assert (last_i >= WIDTH || index_o == f_next);
end
