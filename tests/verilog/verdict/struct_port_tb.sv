// SPDX-License-Identifier: Apache-2.0
module tb; logic clk = 0, rst_n = 0; qp::push_t push, pop; logic push_ready, pop_ready;
  q dut(.*);
  always #5 clk = !clk;
  initial begin $dumpfile(`F); $dumpvars; push = 0; pop_ready = 0;
    repeat (3) @(negedge clk); rst_n = 1;
    for (int i = 0; i < 50; i++) begin @(negedge clk); push.valid = 1'($urandom); push.data = 8'($urandom); pop_ready = 1'($urandom); end
    $finish; end
endmodule
