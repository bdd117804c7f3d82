// SPDX-License-Identifier: Apache-2.0
// Properties of fifo_bank, told for any one queue f_q and any one entry of it (the witness).
// Shadows (f_*) follow from the ports alone; labels that begin with inv_ speak of the registers.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

localparam QUEUE_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;
(* anyconst *) wire [QUEUE_W-1:0] f_q;
(* anyseq *)   wire               f_pick;
wire f_enq = enq_valid_i && enq_ready_o && enq_queue_i == f_q;
wire [QUEUE_W-1:0] f_from = deq_same_i ? enq_queue_i : deq_queue_i;
wire f_deq = deq_valid_i && deq_ready_o && f_from == f_q;

// How many entries the queue holds; the witness: its data, how many entries are before it.
reg [F_LEN_W-1:0]  f_n;
reg              f_waits, f_done;
reg [F_LEN_W-1:0]  f_ahead;
reg [DATA_W-1:0] f_data;
reg              f_shown;  // the witness left in the cycle before
wire f_leaves = f_waits && f_deq && f_ahead == 0;
wire f_chosen = f_enq && f_pick && !f_waits && !f_done;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_n     <= 0;
    f_shown <= 1'b0;
    f_waits <= 1'b0;
    f_done  <= 1'b0;
    f_ahead <= 0;
  end else begin
    f_n     <= f_n + f_enq - f_deq;
    f_shown <= f_leaves;
    if (f_chosen) begin
      f_waits <= 1'b1;
      f_ahead <= f_n - f_deq;
      f_data  <= enq_data_i;
    end else if (f_leaves) begin
      f_waits <= 1'b0;
      f_done  <= 1'b1;
    end else if (f_waits && f_deq) f_ahead <= f_ahead - 1'b1;
  end
end

// What the bank showed in the cycle before, and nobody took: its output, an entry of the queue, room in it. A reset takes back
// the entry, not the output.
reg              f_kept, f_had_entry, f_had_room;
reg [DATA_W-1:0] f_was_data;
always @(posedge clk_i) begin
  f_kept      <= !(srst_ni && deq_valid_i && deq_ready_o);
  f_had_entry <= srst_ni && f_n != 0 && !f_deq;
  f_had_room  <= srst_ni && f_n != DEPTH && !f_enq;
  f_was_data  <= deq_data_o;
end

// The same in the registers.
wire [F_LEN_W-1:0] f_q_len  = f_len[f_q*F_LEN_W+:F_LEN_W];
wire [PTR_W-1:0] f_q_head = f_head[f_q*PTR_W+:PTR_W];
wire [F_LEN_W+1:0] f_place  = (f_q_head + f_ahead >= DEPTH) ? f_q_head + f_ahead - DEPTH : f_q_head + f_ahead;

integer        f_i;
reg            f_shape;  // of every queue: a tail out of its ring would write into another queue
reg [F_LEN_W+1:0] f_end;
always @* begin
  f_shape = 1'b1;
  for (f_i = 0; f_i < QUEUES; f_i = f_i + 1) begin
    f_end = f_head[f_i*PTR_W+:PTR_W] + f_len[f_i*F_LEN_W+:F_LEN_W];
    if (f_end >= DEPTH) f_end = f_end - DEPTH;
    if (f_len[f_i*F_LEN_W+:F_LEN_W] > DEPTH || f_head[f_i*PTR_W+:PTR_W] >= DEPTH
        || f_tail[f_i*PTR_W+:PTR_W] != f_end
        || full_q[f_i] != (f_len[f_i*F_LEN_W+:F_LEN_W] == DEPTH)
        || empty_q[f_i] != (f_len[f_i*F_LEN_W+:F_LEN_W] == 0)) f_shape = 1'b0;
  end
end

always @* if (f_live && f_q < QUEUES) begin
  inv_shape: assert (f_shape);
  inv_length: assert (f_n == f_q_len);
  inv_place: assert (!f_waits || f_mem[(f_q*DEPTH+f_place)*DATA_W+:DATA_W] == f_data);
  held_at_most_depth: assert (f_n <= DEPTH);
  full_iff_depth: assert (full_o[f_q] == (f_n == DEPTH));
  empty_iff_none: assert (empty_o[f_q] == (f_n == 0));
  accepts_iff_room: assert (enq_queue_i != f_q || enq_ready_o == (f_n != DEPTH));
  gives_iff_entry: assert (f_from != f_q || deq_ready_o == (f_n != 0));
  nothing_lost: assert (!f_waits || f_ahead < f_n);
  in_order_with_its_data: assert (!f_shown || deq_data_o == f_data);
  holds_deq_data_o: assert (!f_kept || deq_data_o == f_was_data);
  holds_deq_ready_o: assert (!f_had_entry || f_from != f_q || deq_ready_o);
  holds_enq_ready_o: assert (!f_had_room || enq_queue_i != f_q || enq_ready_o);
end
always @* if (f_live) begin
  no_such_queue: assert ((enq_queue_i < QUEUES || !enq_ready_o) && (f_from < QUEUES || !deq_ready_o));
  reached_full: cover (full_o == {QUEUES{1'b1}});
  reached_return: cover (f_done && DEPTH > 1 ? f_n == DEPTH : f_done);
end
