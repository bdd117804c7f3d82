// SPDX-License-Identifier: Apache-2.0
// Registers and shadows of prt as plain wires.
wire [ENTRIES*TAG_W-1:0] e_tag;
wire [LANES*LANES-1:0]   e_with;
genvar e_g;
generate
  for (e_g = 0; e_g < ENTRIES; e_g = e_g + 1) begin : gen_e_entry
    assign e_tag[e_g*TAG_W+:TAG_W] = tag_q[e_g];
  end
  for (e_g = 0; e_g < LANES; e_g = e_g + 1) begin : gen_e_lane
    assign e_with[e_g*LANES+:LANES] = f_with[e_g];
  end
endgenerate
always @* if (f_live) begin
  inv_none_ahead: assert (ORDER != 0 || f_ahead == 0);
end
