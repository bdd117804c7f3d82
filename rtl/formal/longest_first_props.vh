// SPDX-License-Identifier: Apache-2.0
// Properties of longest_first: the first of the largest counts, found by a loop.
integer           f_i;
reg [COUNT_W-1:0] f_most;
reg [INDEX_W-1:0] f_first;
always @* begin
  f_most  = counts_i[0+:COUNT_W];
  f_first = 0;
  for (f_i = 1; f_i < QUEUES; f_i = f_i + 1)
    if (counts_i[f_i*COUNT_W+:COUNT_W] > f_most) begin
      f_most  = counts_i[f_i*COUNT_W+:COUNT_W];
      f_first = f_i;
    end
  index_is_first_of_longest: assert (index_o == f_first);
  none_is_longer: assert (counts_i[index_o*COUNT_W+:COUNT_W] == f_most);
end
