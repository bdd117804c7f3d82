// SPDX-License-Identifier: Apache-2.0
// The memories of docs/modules/sram.md against a reference, at several sizes and with every code: the
// form with two ports, the split form, and the form with one port. Prints "equal" or what differs.
`default_nettype none
`timescale 1ns / 1ps
module equal;
  reg        clk    = 1'b0;
  reg        second = 1'b0; // the second half of the core's cycle
  reg [63:0] random = 64'h9e3779b97f4a7c15;
  integer    edges  = 0;
  wire [8:0] wrong;
  always #1 clk = !clk;

  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_code
      pair #(.WORDS(1), .WIDTH(1), .CODE(g)) u_1 (clk, second, random, wrong[3*g]);
      pair #(.WORDS(6), .WIDTH(5), .CODE(g)) u_6 (clk, second, random, wrong[3*g+1]);
      pair #(.WORDS(16), .WIDTH(64), .CODE(g)) u_16 (clk, second, random, wrong[3*g+2]);
    end
  endgenerate

  always @(posedge clk) begin
    second <= !second;
    if (second) random <= {random[62:0], random[63] ^ random[62] ^ random[60] ^ random[59]} * 5 + 1;
    edges <= edges + 1;
    if (|wrong) begin
      $display("differs after %0d edges: %b", edges, wrong);
      $finish;
    end else if (edges == 40000) begin
      $display("equal");
      $finish;
    end
  end
endmodule

// What the page says, and nothing else.
module reference #(parameter WORDS = 1, parameter WIDTH = 1) (
  input wire clk, input wire write, input wire [15:0] waddr, input wire [WIDTH-1:0] wdata,
  input wire read, input wire [15:0] raddr, output reg [WIDTH-1:0] rdata);
  reg [WIDTH-1:0] word [0:WORDS-1];
  integer i;
  initial begin
    rdata = 0;
    for (i = 0; i < WORDS; i = i + 1) word[i] = 0;
  end
  always @(posedge clk) begin
    if (read) rdata <= word[raddr];
    if (write) word[waddr] <= wdata;
  end
endmodule

module pair #(parameter WORDS = 1, parameter WIDTH = 1, parameter CODE = 0) (
  input wire clk, input wire second, input wire [63:0] random, output reg wrong);
  localparam ADDR_W = (WORDS > 1) ? $clog2(WORDS) : 1;
  // Both addresses are among the first words most of the time, so that they are often the same.
  wire [15:0]      waddr = (random[0] ? random[15:1] : {14'd0, random[1]}) % WORDS;
  wire [15:0]      raddr = (random[16] ? random[31:17] : {14'd0, random[17]}) % WORDS;
  wire [WIDTH-1:0] wdata = random[63:0] >> (64 - WIDTH);
  wire             write = |random[33:32];
  wire             read  = random[34];
  wire [WIDTH-1:0] r_two, d_two, d_split, r_one, d_one;
  wire [5:0]       flags;

  reference #(.WORDS(WORDS), .WIDTH(WIDTH)) u_two (
    .clk(clk), .write(second && write), .waddr(waddr), .wdata(wdata),
    .read(second && read), .raddr(raddr), .rdata(r_two));
  sram_1r1w #(.WORDS(WORDS), .WIDTH(WIDTH), .CODE(CODE)) u_1r1w (
    .clk_i(clk), .write_i(second && write), .waddr_i(waddr[ADDR_W-1:0]), .wdata_i(wdata),
    .read_i(second && read), .raddr_i(raddr[ADDR_W-1:0]), .rdata_o(d_two),
    .error_o(flags[0]), .corrected_o(flags[1]));
  // In the first half nothing counts: the others change there.
  sram_split #(.WORDS(WORDS), .WIDTH(WIDTH), .CODE(CODE)) u_split (
    .clk_i(clk), .second_i(second), .write_i(second ? write : !write),
    .waddr_i(second ? waddr[ADDR_W-1:0] : raddr[ADDR_W-1:0]), .wdata_i(second ? wdata : ~wdata),
    .read_i(second ? read : !read), .raddr_i(second ? raddr[ADDR_W-1:0] : waddr[ADDR_W-1:0]),
    .rdata_o(d_split), .error_o(flags[2]), .corrected_o(flags[3]));
  reference #(.WORDS(WORDS), .WIDTH(WIDTH)) u_one (
    .clk(clk), .write(read && write), .waddr(waddr), .wdata(wdata),
    .read(read && !write), .raddr(waddr), .rdata(r_one));
  sram_1rw #(.WORDS(WORDS), .WIDTH(WIDTH), .CODE(CODE)) u_1rw (
    .clk_i(clk), .enable_i(read), .write_i(write), .addr_i(waddr[ADDR_W-1:0]), .wdata_i(wdata),
    .rdata_o(d_one), .error_o(flags[4]), .corrected_o(flags[5]));

  initial wrong = 1'b0;
  always @(posedge clk)
    if (d_two !== r_two || d_split !== r_two || d_one !== r_one || flags !== 6'd0) wrong <= 1'b1;
endmodule
`default_nettype wire
