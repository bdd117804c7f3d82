// SPDX-License-Identifier: Apache-2.0
// Entries of reg_fifo as one wire.
wire [DEPTH*DATA_W-1:0] e_data;
genvar e_g;
generate
  for (e_g = 0; e_g < DEPTH; e_g = e_g + 1) begin : gen_e_place
    assign e_data[e_g*DATA_W+:DATA_W] = data_q[e_g];
  end
endgenerate
