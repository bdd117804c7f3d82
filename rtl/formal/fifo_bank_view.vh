// SPDX-License-Identifier: Apache-2.0
// The registers of fifo_bank as plain wires, for properties here and above.
wire [QUEUES*LEN_W-1:0]        f_len;
wire [QUEUES*PTR_W-1:0]        f_head;
wire [QUEUES*PTR_W-1:0]        f_tail;
(* hierconn *) wire [QUEUES*DEPTH*DATA_W-1:0] \u_mem.f_mem ;
wire [QUEUES*DEPTH*DATA_W-1:0] f_mem = \u_mem.f_mem ;
genvar f_g;
generate
  for (f_g = 0; f_g < QUEUES; f_g = f_g + 1) begin : gen_f_queue
    assign f_len[f_g*LEN_W+:LEN_W]  = len_q[f_g];
    assign f_head[f_g*PTR_W+:PTR_W] = head_q[f_g];
    assign f_tail[f_g*PTR_W+:PTR_W] = tail_q[f_g];
  end
endgenerate
