// SPDX-License-Identifier: Apache-2.0
// A queue of four bytes whose only right output is push_ready: the two others are constants.
module two_ports (input logic clk, rst_n, push_v, input logic [7:0] push_d, input logic pop_r,
              output logic push_ready, pop_v, output logic [7:0] pop_d);
  logic [2:0] n;
  assign push_ready = n != 4;
  assign pop_v = 1'b0;
  assign pop_d = 8'h5a;
  always_ff @(posedge clk)
    if (!rst_n) n <= 0;
    else n <= n + 3'(push_v && push_ready) - 3'(n != 0 && pop_r);
endmodule
