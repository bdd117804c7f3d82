// SPDX-License-Identifier: Apache-2.0
// sram_split - sram_1r1w made of a memory with one port, which is used twice in a cycle of the core.
// Page: docs/modules/sram.md. MRPB paper, section 6 (the split-cycle operation).
// Timing: clk_i has two edges in each cycle of the core; the edge at the end of the second half is the
// core's. There a read is done at once and a write is kept; the kept write is done half a cycle later.
// At the core's edges all outputs are those of sram_1r1w.
`default_nettype none
module sram_split #(
  // words
  parameter integer WORDS = 384,
  // bits of a word, its check bits not counted
  parameter integer WIDTH = 64,
  // 0 no check bits, 1 parity, 2 SECDED
  parameter integer CODE  = 0
) (
  // the fast clock: two edges in each cycle of the core
  input  wire                                        clk_i,
  // 0 in the first half of the core's cycle, 1 in the second: the others count at its end
  input  wire                                        second_i,
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
  localparam ADDR_W = (WORDS > 1) ? $clog2(WORDS) : 1;

  generate
    if (WORDS < 1 || WORDS > 65536) begin : gen_bad_words
      ERROR_sram_split_WORDS_must_be_1_to_65536 u_error ();
    end
    if (WIDTH < 1 || WIDTH > 64) begin : gen_bad_width
      ERROR_sram_split_WIDTH_must_be_1_to_64 u_error ();
    end
    if (CODE < 0 || CODE > 2) begin : gen_bad_code
      ERROR_sram_split_CODE_must_be_0_to_2 u_error ();
    end
  endgenerate

  // The write of the core's last edge, for the middle of this cycle. After power-up write_q is
  // anything, and one word may be written: of a memory whose words are anything as well.
  reg              write_q;
  reg [ADDR_W-1:0] waddr_q;
  reg [WIDTH-1:0]  wdata_q;
  always @(posedge clk_i) begin
    if (second_i) begin
      write_q <= write_i;
      if (write_i) waddr_q <= waddr_i;
      if (write_i) wdata_q <= wdata_i;
    end
  end

  sram_1rw #(.WORDS(WORDS), .WIDTH(WIDTH), .CODE(CODE)) u_mem (
    .clk_i(clk_i), .enable_i(second_i ? read_i : write_q), .write_i(!second_i),
    .addr_i(second_i ? raddr_i : waddr_q), .wdata_i(wdata_q),
    .rdata_o(rdata_o), .error_o(error_o), .corrected_o(corrected_o));

`ifndef SYNTHESIS
  initial begin : power_up
    write_q = 1'b0;
    waddr_q = {ADDR_W{1'b0}};
    wdata_q = {WIDTH{1'b0}};
  end
`endif
endmodule
`default_nettype wire
