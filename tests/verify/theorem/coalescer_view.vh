// SPDX-License-Identifier: Apache-2.0
// Registers of coalescer as plain wires.
wire [LANES*ADDR_W-1:0] e_line;
wire [LANES*WORD_W-1:0] e_word;
genvar e_g;
generate
  for (e_g = 0; e_g < LANES; e_g = e_g + 1) begin : gen_e_lane
    assign e_line[e_g*ADDR_W+:ADDR_W] = line_q[e_g];
    assign e_word[e_g*WORD_W+:WORD_W] = word_q[e_g];
  end
endgenerate
