// SPDX-License-Identifier: Apache-2.0
// priority_encoder - index of the lowest request, as a balanced tree.
// Used by: drain_selector, round_robin (MRPB paper, section 6), mshr, prt (lowest free entry).
// Timing: combinational; ceil(log2(WIDTH)) levels of OR beside as many levels of AND-OR.
// index_o is 0 while no request is there.
`default_nettype none
module priority_encoder #(
  // requests
  parameter integer WIDTH = 48
) (
  // requests
  input  wire [WIDTH-1:0]                            req_i,
  // there is a request
  output wire                                        any_o,
  // the lowest; 0 if there is none
  output wire [((WIDTH > 1) ? $clog2(WIDTH) : 1)-1:0] index_o
);
  localparam INDEX_W = (WIDTH > 1) ? $clog2(WIDTH) : 1;
  localparam SPAN    = 1 << INDEX_W;

  wire [SPAN-1:0] req;
  assign req[WIDTH-1:0] = req_i;
  assign any_o = |req_i;

  // One index bit. After level l, bit k * 2^(l+1) of `some` says whether the block of 2^(l+1)
  // requests from there has one, and the same bit of `high` is the index bit of the lowest of them.
  // The other bits mean nothing and nothing depends on them: synthesis leaves a plain tree, and a
  // simulator works on whole words. The trees of all bits share `some`.
  function lowest_bit(input [SPAN-1:0] requests, input integer index_bit);
    reg [SPAN-1:0] some;
    reg [SPAN-1:0] high;
    integer        level;
    begin
      some = requests;
      high = {SPAN{1'b0}};
      for (level = 0; level < INDEX_W; level = level + 1) begin
        if (level == index_bit) high = (some >> (1 << level)) & ~some;
        else high = high | ((high >> (1 << level)) & ~some);
        some = some | (some >> (1 << level));
      end
      lowest_bit = high[0];
    end
  endfunction

  genvar b;
  generate
    if (SPAN > WIDTH) begin : gen_pad
      assign req[SPAN-1:WIDTH] = {(SPAN - WIDTH) {1'b0}};
    end
    for (b = 0; b < INDEX_W; b = b + 1) begin : gen_bit
      assign index_o[b] = lowest_bit(req, b);
    end
  endgenerate
endmodule
`default_nettype wire
