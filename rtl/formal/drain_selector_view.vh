// SPDX-License-Identifier: Apache-2.0
// The counters of drain_selector as one wire, for properties here and above.
wire [QUEUES*COUNT_W-1:0] f_counts;
genvar f_g;
generate
  for (f_g = 0; f_g < QUEUES; f_g = f_g + 1) begin : gen_f_count
    assign f_counts[f_g*COUNT_W+:COUNT_W] = count_q[f_g];
  end
endgenerate
