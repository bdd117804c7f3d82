// SPDX-License-Identifier: Apache-2.0
// The lines as one wire.
wire [PLACES*WORDS*32-1:0] e_mem;
genvar e_g;
generate
  for (e_g = 0; e_g < PLACES; e_g = e_g + 1) begin : gen_e_place
    assign e_mem[e_g*WORDS*32+:WORDS*32] = mem_q[e_g];
  end
endgenerate
