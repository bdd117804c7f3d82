// SPDX-License-Identifier: Apache-2.0
// Registers of store_buffer as plain wires.
wire [STORES*WORDS*32-1:0] e_data;
wire [STORES*WORDS*4-1:0]  e_strobe;
wire [LANES*WORD_W-1:0]    e_word;
wire [LANES*32-1:0]        e_lane;
wire [LANES*4-1:0]         e_bytes;
genvar e_g;
generate
  for (e_g = 0; e_g < STORES * WORDS; e_g = e_g + 1) begin : gen_e_word
    assign e_data[e_g*32+:32]  = data_q[e_g];
    assign e_strobe[e_g*4+:4] = strobe_q[e_g];
  end
  for (e_g = 0; e_g < LANES; e_g = e_g + 1) begin : gen_e_lane
    assign e_word[e_g*WORD_W+:WORD_W] = word_q[e_g];
    assign e_lane[e_g*32+:32] = lane_q[e_g];
    assign e_bytes[e_g*4+:4] = bytes_q[e_g];
  end
endgenerate
