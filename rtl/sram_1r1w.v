// SPDX-License-Identifier: Apache-2.0
// sram_1r1w - a memory with one read and one write port, and check bits around it.
// Used by: fifo_bank. Page: docs/modules/sram.md, which says how to put a macro in its place.
// Timing: both addresses are taken at the edge. The word read is shown from then on, and holds until
// the next read. A read and a write of one word at one edge: the read gives the old word.
`default_nettype none
module sram_1r1w #(
  // words
  parameter integer WORDS = 384,
  // bits of a word, its check bits not counted
  parameter integer WIDTH = 64,
  // 0 no check bits, 1 parity, 2 SECDED
  parameter integer CODE  = 0
) (
  // clock
  input  wire                                        clk_i,
  // store wdata_i at waddr_i
  input  wire                                        write_i,
  // the word to write, below WORDS
  input  wire [((WORDS > 1) ? $clog2(WORDS) : 1)-1:0] waddr_i,
  // what to store
  input  wire [WIDTH-1:0]                            wdata_i,
  // show the word at raddr_i from the next cycle on
  input  wire                                        read_i,
  // the word to read, below WORDS
  input  wire [((WORDS > 1) ? $clog2(WORDS) : 1)-1:0] raddr_i,
  // the word read last, corrected if CODE is 2
  output wire [WIDTH-1:0]                            rdata_o,
  // the word shown does not fit its check bits and is not corrected; 0 with CODE 0
  output wire                                        error_o,
  // one flipped bit of the word shown has been put right; only with CODE 2
  output wire                                        corrected_o
);
  // One bit at least, 0 with CODE 0: synthesis leaves it out.
  localparam CODE_W = (CODE != 2) ? 1 : $clog2(WIDTH + $clog2(WIDTH + 1) + 1) + 1;

  generate
    if (WORDS < 1 || WORDS > 65536) begin : gen_bad_words
      ERROR_sram_1r1w_WORDS_must_be_1_to_65536 u_error ();
    end
    if (WIDTH < 1 || WIDTH > 64) begin : gen_bad_width
      ERROR_sram_1r1w_WIDTH_must_be_1_to_64 u_error ();
    end
    if (CODE < 0 || CODE > 2) begin : gen_bad_code
      ERROR_sram_1r1w_CODE_must_be_0_to_2 u_error ();
    end
  endgenerate

  wire [CODE_W-1:0] wcode;
  wire [WIDTH-1:0]  rdata; // as it was read
  wire [CODE_W-1:0] rcode;

`ifdef SRAM_BLACK_BOX
  generate
    if (CODE == 0) begin : gen_plain
      sram_1r1w_macro #(.WORDS(WORDS), .WIDTH(WIDTH)) u_macro (
        .clk_i(clk_i), .write_i(write_i), .waddr_i(waddr_i), .wdata_i(wdata_i),
        .read_i(read_i), .raddr_i(raddr_i), .rdata_o(rdata));
      assign rcode = wcode;
    end else begin : gen_coded
      sram_1r1w_macro #(.WORDS(WORDS), .WIDTH(CODE_W + WIDTH)) u_macro (
        .clk_i(clk_i), .write_i(write_i), .waddr_i(waddr_i), .wdata_i({wcode, wdata_i}),
        .read_i(read_i), .raddr_i(raddr_i), .rdata_o({rcode, rdata}));
    end
  endgenerate
`else
  reg [WIDTH-1:0]  mem_q [0:WORDS-1];
  reg [CODE_W-1:0] code_q [0:WORDS-1];
  reg [WIDTH-1:0]  rdata_q;
  reg [CODE_W-1:0] rcode_q;

  always @(posedge clk_i) begin
    if (write_i) begin
      mem_q[waddr_i]  <= wdata_i;
      code_q[waddr_i] <= wcode;
    end
    if (read_i) begin
      rdata_q <= mem_q[raddr_i];
      rcode_q <= code_q[raddr_i];
    end
  end
  assign rdata = rdata_q;
  assign rcode = rcode_q;

`ifndef SYNTHESIS
  // Hardware powers up with anything in them: 0 here, as in the C models, so that both can be compared
  // from the first cycle on. 0 fits every code.
  initial begin : power_up
    integer w;
    for (w = 0; w < WORDS; w = w + 1) begin
      mem_q[w]  = {WIDTH{1'b0}};
      code_q[w] = {CODE_W{1'b0}};
    end
    rdata_q = {WIDTH{1'b0}};
    rcode_q = {CODE_W{1'b0}};
  end
`endif
`endif

  generate
    if (CODE == 0) begin : gen_no_code
      wire unused_rcode = &{1'b0, rcode};
      assign wcode       = {CODE_W{1'b0}};
      assign rdata_o     = rdata;
      assign error_o     = 1'b0;
      assign corrected_o = 1'b0;
    end else begin : gen_code
      sram_code #(.WIDTH(WIDTH), .CODE(CODE)) u_code (
        .data_i(wdata_i), .code_o(wcode), .rdata_i(rdata), .rcode_i(rcode),
        .rdata_o(rdata_o), .error_o(error_o), .corrected_o(corrected_o));
    end
  endgenerate
endmodule
`default_nettype wire
