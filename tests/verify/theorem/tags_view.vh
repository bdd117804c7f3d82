// SPDX-License-Identifier: Apache-2.0
// Registers of tags as plain wires, place by place.
wire [SETS*WAYS-1:0]         e_valid, e_reserved;
wire [SETS*WAYS*TAG_W-1:0]   e_tag;
wire [SETS*WAYS*SECTORS-1:0] e_has;
genvar e_s, e_w;
generate
  for (e_s = 0; e_s < SETS; e_s = e_s + 1) begin : gen_e_set
    wire [WAYS*WAY_W-1:0] row = tag_q[e_s];
    for (e_w = 0; e_w < WAYS; e_w = e_w + 1) begin : gen_e_way
      assign e_valid[e_s*WAYS+e_w]    = valid_q[e_s][e_w];
      assign e_reserved[e_s*WAYS+e_w] = reserved_q[e_s][e_w];
      assign e_tag[(e_s*WAYS+e_w)*TAG_W+:TAG_W]      = row[e_w*WAY_W+:TAG_W];
      assign e_has[(e_s*WAYS+e_w)*SECTORS+:SECTORS] = row[e_w*WAY_W+TAG_W+:SECTORS];
    end
  end
endgenerate
