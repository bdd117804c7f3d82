// SPDX-License-Identifier: Apache-2.0
package qp;
  typedef struct packed { logic valid; logic [7:0] data; } push_t;
endpackage
module q (input logic clk, input logic rst_n, input qp::push_t push, output logic push_ready, output qp::push_t pop, input logic pop_ready);
  logic [7:0] mem [4]; logic [1:0] h, t; logic [2:0] n;
  assign push_ready = n != 4; assign pop.valid = n != 0; assign pop.data = mem[h];
  always_ff @(posedge clk) if (!rst_n) begin h <= 0; t <= 0; n <= 0; end else begin
    if (push.valid && push_ready) begin mem[t] <= push.data; t <= t + 1; end
    if (pop.valid && pop_ready) h <= h + 1;
    n <= n + 3'(push.valid && push_ready) - 3'(pop.valid && pop_ready);
  end
endmodule
