// SPDX-License-Identifier: Apache-2.0
// Registers of lane_table as plain wires.
wire [ENTRIES*LANES-1:0]          e_has;
wire [ENTRIES*LANES*NUMBER_W-1:0] e_number;
genvar e_g;
generate
  for (e_g = 0; e_g < ENTRIES; e_g = e_g + 1) begin : gen_e_entry
    assign e_has[e_g*LANES+:LANES] = has_q[e_g];
    assign e_number[e_g*LANES*NUMBER_W+:LANES*NUMBER_W] = number_q[e_g];
  end
endgenerate
