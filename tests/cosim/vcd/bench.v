// SPDX-License-Identifier: Apache-2.0
// A designer's bench of an MSHR table: everything is x until the reset, inputs change with the clock's rising edge,
// address and entry are x while nobody asks. Icarus writes the dump.
`timescale 1ns / 100ps
module bench;
  reg clk, rst_n;
  reg ask, fill, req_valid, fill_valid, out_ready;
  reg [11:0] req_addr;
  reg [5:0] req_data;
  reg [2:0] fill_entry;
  wire out_valid, out_last;
  wire [2:0] out_entry;
  integer i;

  mshr #(.ENTRIES(5), .MERGES(3), .ADDR_W(12), .DATA_W(6)) dut (
    .clk_i(clk), .srst_ni(rst_n), .req_valid_i(req_valid), .req_addr_i(req_addr), .req_data_i(req_data),
    .fill_valid_i(fill_valid), .fill_entry_i(fill_entry), .out_ready_i(out_ready), .store_valid_i(1'b0), .store_addr_i(12'd0),
    .out_valid_o(out_valid),
    .out_entry_o(out_entry), .out_last_o(out_last));

  always #3.5 clk = ~clk;

  initial begin
    $dumpfile("icarus.vcd");
    $dumpvars(0, bench);
    #10 clk = 0;
    repeat (3) @(posedge clk);
    rst_n <= 0;
    repeat (2) @(posedge clk);
    {rst_n, req_valid, fill_valid, out_ready} <= 4'b1000;
    for (i = 0; i < 2000; i = i + 1) begin
      @(posedge clk);
      {ask, fill} = $random;
      req_valid <= ask;
      req_addr <= ask ? $random & 7 : 12'bx;
      req_data <= ask ? $random : 6'bx;
      fill_valid <= fill;
      fill_entry <= fill ? $random : 3'bx;
      out_ready <= $random;
    end
    $finish;
  end
endmodule
