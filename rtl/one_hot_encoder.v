// SPDX-License-Identifier: Apache-2.0
// one_hot_encoder - index of the one request there is (what a CAM finds), as a tree of ORs.
// Used by: mshr (Lashgar et al., section 2.1), tags.
// Timing: combinational; shallower than a priority encoder, since no request hides another.
// With more than one request index_o is the OR of their indices; 0 while there is none.
`default_nettype none
module one_hot_encoder #(
  // requests
  parameter integer WIDTH = 32
) (
  // requests
  input  wire [WIDTH-1:0]                            one_hot_i,
  // there is a request
  output wire                                        any_o,
  // its index; the OR of all indices if there are several
  output wire [((WIDTH > 1) ? $clog2(WIDTH) : 1)-1:0] index_o
);
  localparam INDEX_W = (WIDTH > 1) ? $clog2(WIDTH) : 1;

  // The requests whose index has bit index_bit set.
  function [WIDTH-1:0] index_mask(input integer index_bit);
    integer k;
    begin
      index_mask = 0;
      for (k = 0; k < WIDTH; k = k + 1) index_mask[k] = ((k >> index_bit) % 2 == 1);
    end
  endfunction

  assign any_o = |one_hot_i;

  genvar b;
  generate
    for (b = 0; b < INDEX_W; b = b + 1) begin : gen_bit
      localparam [WIDTH-1:0] MASK = index_mask(b);
      assign index_o[b] = |(one_hot_i & MASK);
    end
  endgenerate
endmodule
`default_nettype wire
