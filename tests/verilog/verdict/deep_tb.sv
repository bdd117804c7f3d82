// SPDX-License-Identifier: Apache-2.0
module tb; logic clk = 0, rst_n = 0; deep_types::push_t [1:0] push; deep_types::push_t pop; logic push_ready; logic [1:0][1:0] pop_ready;
  deep dut(.*);
  always #5 clk = !clk;
  initial begin $dumpfile(`F); $dumpvars; push = 0; pop_ready = 0;
    repeat (3) @(negedge clk); rst_n = 1;
    for (int i = 0; i < 50; i++) begin @(negedge clk); push[1].valid[0] = 1'($urandom);
      push[0].data = 8'($urandom); pop_ready[1][0] = 1'($urandom); end
    $finish; end
endmodule
