// SPDX-License-Identifier: Apache-2.0
// The counts of drain_selector as one wire, for properties here and above.
localparam F_COUNT_W = $clog2(DEPTH + 1);
wire [QUEUES*F_COUNT_W-1:0] f_counts;
genvar f_g;
generate
  for (f_g = 0; f_g < QUEUES; f_g = f_g + 1) begin : gen_f_count
    assign f_counts[f_g*F_COUNT_W+:F_COUNT_W] = more_q[f_g] + nonempty_q[f_g];
  end
endgenerate
