// SPDX-License-Identifier: Apache-2.0
// The registers of fifo_bank as plain wires, for properties here and above.
localparam F_LEN_W = $clog2(DEPTH + 1);
wire [QUEUES*F_LEN_W-1:0]      f_len;  // follows from the others
wire [QUEUES*PTR_W-1:0]        f_head;
wire [QUEUES*PTR_W-1:0]        f_tail;
(* hierconn *) wire [QUEUES*DEPTH*DATA_W-1:0] \u_mem.f_mem ;
wire [QUEUES*DEPTH*DATA_W-1:0] f_mem = \u_mem.f_mem ;
genvar f_g;
generate
  for (f_g = 0; f_g < QUEUES; f_g = f_g + 1) begin : gen_f_queue
    wire [F_LEN_W:0] head = {{(F_LEN_W + 1 - PTR_W) {1'b0}}, head_q[f_g]};
    wire [F_LEN_W:0] tail = {{(F_LEN_W + 1 - PTR_W) {1'b0}}, tail_q[f_g]};
    wire [F_LEN_W:0] len  = full_q[f_g] ? DEPTH : (tail < head) ? tail + DEPTH - head : tail - head;
    assign f_len[f_g*F_LEN_W+:F_LEN_W] = len[F_LEN_W-1:0];
    assign f_head[f_g*PTR_W+:PTR_W] = head_q[f_g];
    assign f_tail[f_g*PTR_W+:PTR_W] = tail_q[f_g];
  end
endgenerate
