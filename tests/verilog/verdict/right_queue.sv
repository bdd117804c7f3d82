// SPDX-License-Identifier: Apache-2.0
// A right queue of DEPTH bytes' worth without a count output.
module right_queue #(parameter D = 3, W = 2) (input logic clk, rst_n, push_v, input logic [W-1:0] push_d, input logic pop_r,
                                              output logic push_ready, pop_v, output logic [W-1:0] pop_d);
  logic [W-1:0] m [D];
  logic [$clog2(D)-1:0] h, t;
  logic [$clog2(D+1)-1:0] n;
  assign push_ready = n != D;
  assign pop_v = n != 0;
  assign pop_d = m[h];
  always_ff @(posedge clk)
    if (!rst_n) begin h <= 0; t <= 0; n <= 0; end
    else begin
      if (push_v && push_ready) begin m[t] <= push_d; t <= t == D - 1 ? 0 : t + 1; end
      if (pop_v && pop_r) h <= h == D - 1 ? 0 : h + 1;
      n <= n + (push_v && push_ready) - (pop_v && pop_r);
    end
endmodule
