// SPDX-License-Identifier: Apache-2.0
// Registers of mshr as plain wires.
wire [ENTRIES*ADDR_W-1:0]        e_addr;
wire [ENTRIES*LEN_W-1:0]         e_len;
wire [ENTRIES*PTR_W-1:0]         e_head;
wire [ENTRIES*MERGES*DATA_W-1:0] e_data;
genvar e_g;
generate
  for (e_g = 0; e_g < ENTRIES; e_g = e_g + 1) begin : gen_e_entry
    assign e_addr[e_g*ADDR_W+:ADDR_W] = addr_q[e_g];
    assign e_len[e_g*LEN_W+:LEN_W]    = len_q[e_g];
    assign e_head[e_g*PTR_W+:PTR_W]   = head_q[e_g];
  end
  for (e_g = 0; e_g < ENTRIES * MERGES; e_g = e_g + 1) begin : gen_e_read
    assign e_data[e_g*DATA_W+:DATA_W] = data_q[e_g];
  end
endgenerate
