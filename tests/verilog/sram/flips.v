// SPDX-License-Identifier: Apache-2.0
// One and two flipped bits of a stored word, data or check bits, in the memory itself: the word that
// is shown, error_o and corrected_o. A word beside it stays as it is. Icarus only.
`default_nettype none
module flips;
  parameter CODE = 2;
  localparam WIDTH = 8;
  localparam CODE_W = (CODE == 1) ? 1 : 5;
  localparam ALL    = WIDTH + CODE_W;
  reg              clk = 1'b0, write = 1'b0, read = 1'b0;
  reg  [1:0]       waddr, raddr;
  reg  [WIDTH-1:0] wdata;
  wire [WIDTH-1:0] rdata;
  wire             error, corrected;
  reg  [ALL-1:0]   flip;
  integer          i, k, n = 0, wrong = 0;

  sram_1r1w #(.WORDS(3), .WIDTH(WIDTH), .CODE(CODE)) u_mem (
    .clk_i(clk), .write_i(write), .waddr_i(waddr), .wdata_i(wdata), .read_i(read), .raddr_i(raddr),
    .rdata_o(rdata), .error_o(error), .corrected_o(corrected));

  task step;
    begin
      #1 clk = 1'b1;
      #1 clk = 1'b0;
    end
  endtask
  task store(input [1:0] at, input [WIDTH-1:0] what);
    begin
      write = 1'b1; waddr = at; wdata = what; step; write = 1'b0;
    end
  endtask
  task expect_word(input [1:0] at, input [WIDTH-1:0] what, input any, input bad, input mended);
    begin
      read = 1'b1; raddr = at; step; read = 1'b0;
      n = n + 1;
      if ((!any && rdata !== what) || error !== bad || corrected !== mended) wrong = wrong + 1;
    end
  endtask

  initial begin
    for (i = 0; i < ALL; i = i + 1)
      for (k = i; k < ALL; k = k + 1) begin
        store(0, 8'h5a ^ i); store(1, 8'hc3 ^ k); store(2, 8'hff);
        expect_word(1, 8'hc3 ^ k, 0, 0, 0);
        flip = 0;
        flip[i] = 1'b1;
        flip[k] = 1'b1;
        u_mem.mem_q[1]  = u_mem.mem_q[1] ^ flip[WIDTH-1:0];
        u_mem.code_q[1] = u_mem.code_q[1] ^ flip[ALL-1:WIDTH];
        if (i == k) expect_word(1, 8'hc3 ^ k, CODE == 1, CODE == 1, CODE == 2);
        else if (CODE == 2) expect_word(1, 0, 1, 1, 0);
        expect_word(0, 8'h5a ^ i, 0, 0, 0);
        expect_word(2, 8'hff, 0, 0, 0);
      end
    if (wrong == 0) $display("%0d words as expected", n);
    else $display("%0d of %0d words not as expected", wrong, n);
  end
endmodule
`default_nettype wire
