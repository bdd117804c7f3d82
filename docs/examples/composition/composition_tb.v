// SPDX-License-Identifier: Apache-2.0
// Runs the composition for +cycles=N clock cycles into composition_verilog.vcd.
`timescale 1ns / 1ps
module composition_tb;
  reg         clk, rst_n;
  wire [15:0] done;
  integer     cycles;

  composition u_composition (.clk_i(clk), .srst_ni(rst_n), .done_o(done));

  always #1 clk = ~clk;

  initial begin
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 2000;
    $dumpfile("composition_verilog.vcd");
    $dumpvars(0, u_composition);
    clk   = 1'b0;
    rst_n = 1'b0;
    repeat (3) @(posedge clk);
    rst_n <= 1'b1;
    repeat (cycles - 3) @(posedge clk);
    #1 $display("%0d cycles, %0d instructions done, sum of tags %0d", cycles, done, u_composition.sum_q);
    $finish;
  end
endmodule
