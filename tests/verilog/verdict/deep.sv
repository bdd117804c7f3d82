// SPDX-License-Identifier: Apache-2.0
// A queue of four bytes whose ports are structs, a union and arrays within each other.
package deep_types;
  typedef struct packed { logic [2:0] hi; logic [0:0] mid; logic [3:0] lo; } half_t;
  typedef union packed { logic [7:0] raw; half_t half; } data_t;
  typedef struct packed { logic [1:0] valid; data_t data; } push_t;
endpackage
module deep (input logic clk, input logic rst_n, input deep_types::push_t [1:0] push,
             input logic [1:0][1:0] pop_ready, output logic push_ready, output deep_types::push_t pop);
  logic [7:0] mem [4]; logic [1:0] h, t; logic [2:0] n;
  wire in = push[1].valid[0];
  assign push_ready = n != 4; assign pop.valid = {1'b0, n != 0}; assign pop.data.raw = mem[h];
  always_ff @(posedge clk) if (!rst_n) begin h <= 0; t <= 0; n <= 0; end else begin
    if (in && push_ready) begin mem[t] <= push[0].data.raw; t <= t + 1; end
    if (pop.valid[0] && pop_ready[1][0]) h <= h + 1;
    n <= n + 3'(in && push_ready) - 3'(pop.valid[0] && pop_ready[1][0]);
  end
endmodule
