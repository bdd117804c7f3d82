// SPDX-License-Identifier: Apache-2.0
// The memory of sram_1r1w as a plain wire, for properties above.
wire [WORDS*WIDTH-1:0] f_mem;
genvar f_g;
generate
  for (f_g = 0; f_g < WORDS; f_g = f_g + 1) begin : gen_f_mem
    assign f_mem[f_g*WIDTH+:WIDTH] = mem_q[f_g];
  end
endgenerate
