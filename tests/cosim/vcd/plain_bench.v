// SPDX-License-Identifier: Apache-2.0
// A designer's bench of tests/verilog/design/plain_table.sv, whose names and packing are its own: everything is x until the
// reset, a read that asks for nothing is x. Icarus writes the dump.
`timescale 1ns / 100ps
module bench;
  reg clk, arst;
  reg ask, bring;
  reg [18:0] read;
  reg fill, wake_stall;
  reg [2:0] fill_line;
  wire [7:0] answer;
  wire [10:0] wake;
  wire [2:0] used;
  integer i;

  plain_table #(.LINES(5), .READS(3), .ADDR_W(12), .TAG_W(6)) dut (
    .clk(clk), .arst(arst), .read(read), .fill(fill), .fill_line(fill_line), .wake_stall(wake_stall),
    .answer(answer), .wake(wake), .used(used));

  always #3.5 clk = ~clk;

  initial begin
    $dumpfile("icarus.vcd");
    $dumpvars(0, bench);
    #10 clk = 0;
    repeat (3) @(posedge clk);
    arst <= 1;
    repeat (2) @(posedge clk);
    {arst, read[18], fill, wake_stall} <= 4'b0;
    for (i = 0; i < 2000; i = i + 1) begin
      @(posedge clk);
      {ask, bring} = $random;
      read <= ask ? {1'b1, 9'd0, 3'b0, 6'd0} | ($random & 9'h1ff) : {1'b0, 18'bx};
      fill <= bring;
      fill_line <= bring ? $random : 3'bx;
      wake_stall <= $random;
    end
    $finish;
  end
endmodule
