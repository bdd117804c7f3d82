// SPDX-License-Identifier: Apache-2.0
// What a code promises, as three lemmas that a SAT solver decides in seconds even for 64 bits:
//   linear   the check bits of a XOR b are those of a XOR those of b;
//   shown    what a read says depends only on how its check bits differ from those of its word;
//   zero     the promises for the word 0: none, any one and any two flipped bits.
// By `shown` and `linear` every word behaves as 0 does, with the same flips.
`default_nettype none
module linear #(parameter WIDTH = 8, CODE = 2, CODE_W = 5) (
  input wire [WIDTH-1:0] a, input wire [WIDTH-1:0] b, output wire ok);
  wire [CODE_W-1:0] code_a, code_b, code_ab;
  sram_code #(.WIDTH(WIDTH), .CODE(CODE)) u_a (.data_i(a), .code_o(code_a));
  sram_code #(.WIDTH(WIDTH), .CODE(CODE)) u_b (.data_i(b), .code_o(code_b));
  sram_code #(.WIDTH(WIDTH), .CODE(CODE)) u_ab (.data_i(a ^ b), .code_o(code_ab));
  assign ok = code_ab == (code_a ^ code_b);
endmodule

module shown #(parameter WIDTH = 8, CODE = 2, CODE_W = 5) (
  input wire [WIDTH-1:0] word, input wire [CODE_W-1:0] code, output wire ok);
  wire [CODE_W-1:0] right;
  wire [WIDTH-1:0]  shown_word, shown_0;
  wire              error_word, error_0, corrected_word, corrected_0;
  sram_code #(.WIDTH(WIDTH), .CODE(CODE)) u_word (
    .data_i(word), .code_o(right), .rdata_i(word), .rcode_i(code),
    .rdata_o(shown_word), .error_o(error_word), .corrected_o(corrected_word));
  sram_code #(.WIDTH(WIDTH), .CODE(CODE)) u_0 (
    .rdata_i({WIDTH{1'b0}}), .rcode_i(code ^ right),
    .rdata_o(shown_0), .error_o(error_0), .corrected_o(corrected_0));
  assign ok = shown_0 == (shown_word ^ word) && error_0 == error_word && corrected_0 == corrected_word;
endmodule

module zero #(parameter WIDTH = 8, CODE = 2, CODE_W = 5) (
  input wire [WIDTH-1:0] word, input wire [CODE_W-1:0] code, output wire ok);
  wire [WIDTH-1:0]        shown;
  wire [CODE_W-1:0]       right;
  wire                    error, corrected;
  wire [WIDTH+CODE_W-1:0] flips  = {code, word};
  wire [WIDTH+CODE_W-1:0] second = flips & (flips - 1'b1); // all but the lowest
  wire [WIDTH+CODE_W-1:0] third  = second & (second - 1'b1);
  sram_code #(.WIDTH(WIDTH), .CODE(CODE)) u_0 (
    .data_i({WIDTH{1'b0}}), .code_o(right), .rdata_i(word), .rcode_i(code),
    .rdata_o(shown), .error_o(error), .corrected_o(corrected));
  wire none = !error && !corrected && shown == 0;
  wire one  = (CODE == 1) ? error && !corrected : !error && corrected && shown == 0;
  wire two  = (CODE == 1) || (error && !corrected);
  assign ok = right == 0 && (flips == 0 ? none : second == 0 ? one : third == 0 ? two : 1'b1);
endmodule
`default_nettype wire
