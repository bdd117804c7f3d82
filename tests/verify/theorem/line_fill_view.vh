// SPDX-License-Identifier: Apache-2.0
// Registers of line_fill as plain wires.
wire [MSHRS*PLACE_W-1:0]   e_place;
wire [MSHRS*BEAT_W-1:0]    e_beat;
wire [BYPASSES*BEAT_W-1:0] e_bypass_beat;
genvar e_g;
generate
  for (e_g = 0; e_g < MSHRS; e_g = e_g + 1) begin : gen_e_fetch
    assign e_place[e_g*PLACE_W+:PLACE_W] = place_q[e_g];
    assign e_beat[e_g*BEAT_W+:BEAT_W]    = beat_q[e_g];
  end
  for (e_g = 0; e_g < BYPASSES; e_g = e_g + 1) begin : gen_e_bypass
    assign e_bypass_beat[e_g*BEAT_W+:BEAT_W] = bypass_beat_q[e_g];
  end
endgenerate
