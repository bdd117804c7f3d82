// SPDX-License-Identifier: Apache-2.0
// The requests that mrpb holds, oldest first: those that were sent, the outbound one, then queue by
// queue. Behind the properties, whose wires it uses.
localparam E_SLOTS = WORDS + 1 + QUEUES * DEPTH;
wire [E_SLOTS-1:0]         e_valid;
wire [E_SLOTS*ENTRY_W-1:0] e_item;
genvar e_g, e_h;
generate
  for (e_g = 0; e_g < WORDS; e_g = e_g + 1) begin : gen_e_sent
    assign e_valid[e_g] = sent_valid_q[e_g];
    assign e_item[e_g*ENTRY_W+:ENTRY_W] = sent_q[e_g];
  end
  assign e_valid[WORDS] = out_valid_q;
  assign e_item[WORDS*ENTRY_W+:ENTRY_W] = out_entry;
  for (e_g = 0; e_g < QUEUES; e_g = e_g + 1) begin : gen_e_queue
    for (e_h = 0; e_h < DEPTH; e_h = e_h + 1) begin : gen_e_place
      wire [31:0] sum = f_head[e_g*F_PTR_W+:F_PTR_W] + e_h;
      wire [31:0] at  = sum >= DEPTH ? sum - DEPTH : sum;
      assign e_valid[WORDS+1+e_g*DEPTH+e_h] = e_h < f_len[e_g*F_LEN_W+:F_LEN_W];
      assign e_item[(WORDS+1+e_g*DEPTH+e_h)*ENTRY_W+:ENTRY_W] = f_mem[(e_g*DEPTH+at)*ENTRY_W+:ENTRY_W];
    end
  end
endgenerate
// The selector's choice is a queue that has a drainable entry, if there is one.
always @* if (f_live) begin
  inv_pick: assert (f_nonempty == 0 ? f_policy == 0 : f_policy < QUEUES && f_nonempty[f_policy]);
end
