// SPDX-License-Identifier: Apache-2.0
// A queue of four bytes; what Verilator 5.006 cannot read is guarded, as PULP and OpenHW texts guard it.
module guard (input logic clk, rst_n, 
  input logic push_v, input logic [7:0] push_d, input logic pop_r,
              output logic push_ready, pop_v, output logic [7:0] pop_d);
  logic [7:0] m [4]; logic [1:0] h, t; logic [2:0] n;
  assign push_ready = n != 4; assign pop_v = n != 0; assign pop_d = m[h];
  always_ff @(posedge clk) if (!rst_n) begin h <= 0; t <= 0; n <= 0; end else begin
    if (push_v && push_ready) begin m[t] <= push_d; t <= t + 1; end
    if (pop_v && pop_r) h <= h + 1;
    n <= n + 3'(push_v && push_ready) - 3'(pop_v && pop_r);
  end
`ifndef VERILATOR
  default disable iff (!rst_n);
  never_five: assert property (@(posedge clk) n <= 4);
`endif
endmodule
