// SPDX-License-Identifier: Apache-2.0
// sram_code - the check bits of a word, and what they say of a word that comes back.
// Used by: sram_1r1w, sram_1rw. Page: docs/modules/sram.md. Both halves are combinational.
// CODE 1: one bit, even parity. CODE 2: an extended Hamming code whose columns all have an odd number
// of ones (Hsiao's form), so that no two flipped bits look like one.
`default_nettype none
module sram_code #(
  // bits of a word
  parameter integer WIDTH = 64,
  // 1 parity, 2 SECDED
  parameter integer CODE  = 2
) (
  // a word to be written
  input  wire [WIDTH-1:0] data_i,
  // its check bits
  output wire [((CODE != 2) ? 1 : $clog2(WIDTH + $clog2(WIDTH + 1) + 1) + 1)-1:0] code_o,
  // a word that was read
  input  wire [WIDTH-1:0] rdata_i,
  // those read with it
  input  wire [((CODE != 2) ? 1 : $clog2(WIDTH + $clog2(WIDTH + 1) + 1) + 1)-1:0] rcode_i,
  // the word, with one flipped bit put right if CODE is 2
  output wire [WIDTH-1:0] rdata_o,
  // the word does not fit its check bits, and rdata_o is not put right
  output wire             error_o,
  // one bit, of the word or of its check bits, was flipped
  output wire             corrected_o
);
  localparam CODE_W = (CODE != 2) ? 1 : $clog2(WIDTH + $clog2(WIDTH + 1) + 1) + 1;
  localparam [CODE_W-1:0] CODE_0 = 1;

  generate
    if (WIDTH < 1 || WIDTH > 64) begin : gen_bad_width
      ERROR_sram_code_WIDTH_must_be_1_to_64 u_error ();
    end
    if (CODE < 1 || CODE > 2) begin : gen_bad_code
      ERROR_sram_code_CODE_must_be_1_to_2 u_error ();
    end
  endgenerate

  // The column of a data bit says which check bits it is in. Those of a Hamming code are the numbers
  // that are no power of two, 3 5 6 7 9 ...; one more bit makes the number of ones odd. The powers of
  // two are the columns of the check bits.
  function [CODE_W-1:0] column(input integer data_bit);
    integer r;
    integer place;
    integer ones;
    begin
      place = data_bit + 3;
      for (r = 2; r < 8; r = r + 1) if ((1 << r) - 1 - r <= data_bit) place = data_bit + r + 2;
      ones   = 0;
      column = 0;
      for (r = 0; r < 8; r = r + 1) ones = ones + ((place >> r) % 2);
      for (r = 0; r < CODE_W; r = r + 1)
        column[r] = (CODE == 1) ? 1'b1 : (r == CODE_W - 1) ? (ones % 2 == 0) : ((place >> r) % 2 == 1);
    end
  endfunction

  // The row of a check bit: the data bits whose parity it is.
  function [WIDTH-1:0] row(input integer check_bit);
    integer k;
    integer r;
    reg [CODE_W-1:0] of_bit;
    begin
      row = 0;
      for (k = 0; k < WIDTH; k = k + 1) begin
        of_bit = column(k);
        for (r = 0; r < CODE_W; r = r + 1) if (r == check_bit) row[k] = of_bit[r];
      end
    end
  endfunction

  wire [CODE_W-1:0] syndrome; // what the word says of its check bits, against what was read
  genvar g;
  generate
    for (g = 0; g < CODE_W; g = g + 1) begin : gen_check
      localparam [WIDTH-1:0] ROW = row(g);
      assign code_o[g]   = ^(data_i & ROW);
      assign syndrome[g] = ^(rdata_i & ROW) ^ rcode_i[g];
    end
    if (CODE == 2) begin : gen_correct
      wire [WIDTH-1:0]  data_flip;
      wire [CODE_W-1:0] code_flip;
      for (g = 0; g < WIDTH; g = g + 1) begin : gen_data
        localparam [CODE_W-1:0] COLUMN = column(g);
        assign data_flip[g] = (syndrome == COLUMN);
      end
      for (g = 0; g < CODE_W; g = g + 1) begin : gen_code
        assign code_flip[g] = (syndrome == CODE_0 << g);
      end
      assign rdata_o     = rdata_i ^ data_flip;
      assign corrected_o = |data_flip || |code_flip;
      assign error_o     = |syndrome && !corrected_o;
    end else begin : gen_detect
      assign rdata_o     = rdata_i;
      assign corrected_o = 1'b0;
      assign error_o     = |syndrome;
    end
  endgenerate
endmodule
`default_nettype wire
