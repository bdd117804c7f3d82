// SPDX-License-Identifier: Apache-2.0
// Properties of mrpb, told for any one queue f_q, any one request of it (the witness) and any one
// block counter f_b. Shadows follow from the ports alone; labels with inv_ speak of the registers.
// Requests of a warp have one queue (SIGNATURE 0 and 1), so the order of a queue is that of its warps.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

localparam F_LEN_W   = $clog2(DEPTH + 1);
localparam F_PTR_W   = (DEPTH > 1) ? $clog2(DEPTH) : 1;
localparam F_AGE_W   = $clog2(LATENCY + 2);
localparam F_WARP    = DATA_W + 6;  // lowest bits of the fields of an entry
localparam F_BLOCK   = DATA_W;
localparam F_BLOCK_W = (BLOCKS > 1) ? $clog2(BLOCKS) : 1;
(* hierconn *) wire [QUEUES*F_LEN_W-1:0]       \u_fifo_bank.f_len ;
(* hierconn *) wire [QUEUES*F_PTR_W-1:0]       \u_fifo_bank.f_head ;
(* hierconn *) wire [QUEUES*F_PTR_W-1:0]       \u_fifo_bank.f_tail ;
(* hierconn *) wire [QUEUES*DEPTH*ENTRY_W-1:0] \u_fifo_bank.f_mem ;
(* hierconn *) wire [QUEUES-1:0]               \u_fifo_bank.full_q ;
(* hierconn *) wire [QUEUES-1:0]               \u_fifo_bank.empty_q ;
(* hierconn *) wire [QUEUES*F_LEN_W-1:0]       \u_drain_selector.f_counts ;
(* hierconn *) wire [QUEUES-1:0]               \u_drain_selector.nonempty_q ;
(* hierconn *) wire [QUEUE_W-1:0]              \u_drain_selector.pick_q ;
(* hierconn *) wire [QUEUE_W-1:0]              \u_drain_selector.last_q ;
(* hierconn *) wire                            \u_drain_selector.hold_q ;
wire [QUEUES*F_LEN_W-1:0]       f_len    = \u_fifo_bank.f_len ;
wire [QUEUES*F_PTR_W-1:0]       f_head   = \u_fifo_bank.f_head ;
wire [QUEUES*F_PTR_W-1:0]       f_tail   = \u_fifo_bank.f_tail ;
wire [QUEUES*DEPTH*ENTRY_W-1:0] f_mem    = \u_fifo_bank.f_mem ;
wire [QUEUES-1:0]               f_full   = \u_fifo_bank.full_q ;
wire [QUEUES-1:0]               f_empty  = \u_fifo_bank.empty_q ;
wire [QUEUES*F_LEN_W-1:0]       f_counts = \u_drain_selector.f_counts ;
wire [QUEUES-1:0]               f_nonempty = \u_drain_selector.nonempty_q ;
wire [QUEUE_W-1:0]              f_policy = \u_drain_selector.pick_q ;
wire [QUEUE_W-1:0]              f_last   = \u_drain_selector.last_q ;
wire                            f_hold   = \u_drain_selector.hold_q ;

(* anyconst *) wire [QUEUE_W-1:0] f_q;
(* anyconst *) wire [F_BLOCK_W-1:0] f_b;
(* anyseq *)   wire               f_pick;

function [QUEUE_W-1:0] f_queue(input [5:0] warp, input [5:0] block);
  f_queue = ((SIGNATURE == 0) ? {1'b0, block} : {1'b0, warp}) % QUEUES;
endfunction
function f_counted(input [5:0] block);
  f_counted = (block == f_b) || (f_b == BLOCKS - 1 && block >= BLOCKS);
endfunction

// With ANSWER > 0 what leaves is not what is presented: it is the oldest of those that wait for an
// answer. f_due follows from the ports: bit i is an answer that comes in i cycles.
reg  [WORDS-1:0]   f_due;
reg                f_may_bypass, f_again;
reg  [ENTRY_W-1:0] f_refused_entry;
reg  [ENTRY_W-1:0] f_asked [0:WORDS-1];  // what was presented, as f_due
wire [ENTRY_W-1:0] f_out  = {out_write_o, out_warp_o, out_block_o, out_data_o};
wire [ENTRY_W-1:0] f_gone = LATER ? sent_q[0] : f_out;
wire f_bypasses = byp_valid_o && byp_ready_i;
wire f_refused  = LATER && f_due[0] && l1_answer_i != 2'd0;
wire f_reason   = (BYPASS != 0 && l1_answer_i == 2'd1) || (BYPASS == 1 && l1_answer_i == 2'd2);
integer f_w;
always @(posedge clk_i) begin
  f_due           <= !srst_ni || f_refused || !LATER ? 0
                     : (f_due >> 1) | ((out_valid_o && !f_bypasses) << (WORDS - 1));
  f_may_bypass    <= srst_ni && f_refused && f_reason && !f_gone[ENTRY_W-1];
  f_again         <= srst_ni && f_refused;
  f_refused_entry <= f_gone;
  for (f_w = 0; f_w < WORDS - 1; f_w = f_w + 1) f_asked[f_w] <= f_asked[f_w+1];
  f_asked[WORDS-1] <= f_out;
end
wire f_request = in_valid_i && !in_kind_i[1];
// ANSWER 0: what was presented in the cycle before, and did not leave; a reset takes it back. The offer to the bypass path.
reg               f_stalled, f_was_byp;
reg [1:0]         f_was_answer;
reg [ENTRY_W-1:0] f_was_out;
always @(posedge clk_i) begin
  f_stalled    <= srst_ni && !LATER && out_valid_o && l1_answer_i != 2'd0 && !f_bypasses;
  f_was_byp    <= byp_valid_o;
  f_was_answer <= l1_answer_i;
  f_was_out    <= f_out;
end
wire f_enter   = f_request && in_ready_o;
wire f_leave   = ((LATER ? f_due[0] : out_valid_o) && l1_answer_i == 2'd0) || f_bypasses;
wire f_in_q    = f_queue(in_warp_i, in_block_i) == f_q;
wire f_gone_q  = f_queue(f_gone[F_WARP+:6], f_gone[F_BLOCK+:6]) == f_q;
wire f_out_q   = f_queue(out_entry[F_WARP+:6], out_entry[F_BLOCK+:6]) == f_q;
wire f_enter_q = f_enter && f_in_q;
wire f_leave_q = f_leave && f_gone_q;
wire f_direct  = FLUSH != 0 && in_kind_i[0];  // a write that is not stored

// Held: in all, of the queue, of the block; cycles in a row in which something waits in vain.
reg [HELD_W-1:0]  f_held, f_held_q, f_held_b;
reg [F_AGE_W-1:0] f_idle;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_held   <= 0;
    f_held_q <= 0;
    f_held_b <= 0;
    f_idle   <= 0;
  end else begin
    f_held   <= f_held + f_enter - f_leave;
    f_held_q <= f_held_q + f_enter_q - f_leave_q;
    f_held_b <= f_held_b + (f_enter && f_counted(in_block_i)) - (f_leave && f_counted(f_gone[F_BLOCK+:6]));
    f_idle   <= (out_valid_o || |f_due || f_held == 0) ? 0 : f_idle + (f_idle <= LATENCY);
  end
end

// The witness: what was accepted, how many of its queue are before it, its age.
reg                f_waits, f_done, f_stored;
reg [HELD_W-1:0]   f_ahead;
reg [F_AGE_W-1:0]  f_age;
reg [ENTRY_W-1:0]  f_entry;
wire f_shown  = f_waits && (LATER ? sent_valid_q[0] : out_valid_o) && f_gone_q && f_ahead == 0;
wire f_leaves = f_shown && f_leave;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_waits <= 1'b0;
    f_done  <= 1'b0;
  end else begin
    if (f_enter_q && f_pick && !f_waits && !f_done) begin
      f_waits  <= 1'b1;
      f_stored <= !f_direct;
      f_ahead  <= f_held_q - f_leave_q;
      f_entry  <= {in_kind_i[0], in_warp_i, in_block_i, in_data_i};
      f_age    <= 1;
    end else begin
      if (f_leaves) begin
        f_waits <= 1'b0;
        f_done  <= 1'b1;
      end
      if (f_leave_q && f_ahead != 0) f_ahead <= f_ahead - 1'b1;
      if (f_age <= LATENCY) f_age <= f_age + 1'b1;
    end
  end
end

// The registers, queue by queue: ring, entries in their own queue, counted when out of the line.
integer              f_i, f_j;
reg [HELD_W-1:0]     f_sent, f_front;  // in the line of sent requests; there and in the outbound buffer, of f_q
reg [HELD_W-1:0]     f_dues;           // answers that are due
reg                  f_line, f_match;
reg                  f_shape, f_home, f_told, f_reads, f_drainable;
reg [HELD_W:0]       f_sum, f_sum_b;
reg [F_LEN_W:0]      f_n, f_late;
reg [F_PTR_W+1:0]    f_at;
reg [ENTRY_W-1:0]    f_item, f_found;
reg [F_AGE_W-1:0]    f_stage;      // of the witness in the latency line, STAGES: past it
reg [HELD_W-1:0]     f_position;   // of the witness in its queue
always @* begin
  f_shape     = 1'b1;
  f_home      = 1'b1;
  f_told      = 1'b1;
  f_reads     = 1'b1;
  f_drainable = 1'b0;
  f_sum_b     = out_valid_q && f_counted(out_entry[F_BLOCK+:6]);
  f_found     = out_entry;
  f_stage     = STAGES;
  f_sent      = 0;
  f_front     = 0;
  f_dues      = 0;
  f_line      = LATER || (due_q == 0 && sent_valid_q == 0 && !byp_q);
  f_match     = 1'b1;
  for (f_i = 0; f_i < WORDS; f_i = f_i + 1) begin
    if (sent_valid_q[f_i] ? f_sent != f_i : sent_q[f_i] != 0) f_line = 1'b0;
    if (sent_valid_q[f_i]) begin
      f_item = sent_q[f_i];
      f_sent = f_sent + 1'b1;
      if (f_counted(f_item[F_BLOCK+:6])) f_sum_b = f_sum_b + 1'b1;
      if (f_queue(f_item[F_WARP+:6], f_item[F_BLOCK+:6]) == f_q) begin
        if (f_front == f_ahead) f_found = f_item;
        f_front = f_front + 1'b1;
      end
    end
    if (due_q[f_i]) begin
      for (f_j = 0; f_j < WORDS; f_j = f_j + 1)
        if (f_j == f_dues && sent_q[f_j] != f_asked[f_i]) f_match = 1'b0;
      f_dues = f_dues + 1'b1;
    end
  end
  if (f_dues > f_sent || (byp_q && (f_dues != 0 || f_sent == 0 || sent_q[0][ENTRY_W-1]))) f_line = 1'b0;
  if (out_valid_q && f_out_q) f_front = f_front + 1'b1;
  f_position  = f_ahead - f_front;
  f_sum       = f_sent + out_valid_q;
  for (f_i = 0; f_i < QUEUES; f_i = f_i + 1) begin
    f_n    = f_len[f_i*F_LEN_W+:F_LEN_W];
    f_at   = f_head[f_i*F_PTR_W+:F_PTR_W];
    f_late = f_counts[f_i*F_LEN_W+:F_LEN_W];
    if (POLICY == 0 && f_late != 0 && !f_drainable && f_policy != f_i) f_told = 1'b0;  // the first
    if (f_late != 0) f_drainable = 1'b1;
    for (f_j = 0; f_j < STAGES; f_j = f_j + 1)
      if (line_valid_q[f_j] && line_queue_q[f_j] == f_i) begin
        if (f_i == f_q && f_ahead >= f_front && f_late == f_position) f_stage = f_j;
        f_late = f_late + 1'b1;
      end
    if (f_late != f_n) f_told = 1'b0;
    if (f_nonempty[f_i] != (f_counts[f_i*F_LEN_W+:F_LEN_W] != 0)) f_told = 1'b0;
    if (f_n > DEPTH || f_at >= DEPTH) f_shape = 1'b0;
    if (f_full[f_i] != (f_n == DEPTH) || f_empty[f_i] != (f_n == 0)) f_shape = 1'b0;
    f_sum = f_sum + f_n;
    for (f_j = 0; f_j < DEPTH; f_j = f_j + 1) begin
      f_item = f_mem[(f_i*DEPTH+f_at)*ENTRY_W+:ENTRY_W];
      if (f_j < f_n) begin
        if (f_queue(f_item[F_WARP+:6], f_item[F_BLOCK+:6]) != f_i) f_home = 1'b0;
        if (f_counted(f_item[F_BLOCK+:6])) f_sum_b = f_sum_b + 1'b1;
        if (FLUSH != 0 && f_item[ENTRY_W-1]) f_reads = 1'b0;
        if (f_i == f_q && f_ahead >= f_front && f_j == f_position) f_found = f_item;
      end
      if (f_j == f_n && f_tail[f_i*F_PTR_W+:F_PTR_W] != f_at) f_shape = 1'b0;
      f_at = (f_at + 1 == DEPTH) ? 0 : f_at + 1'b1;
    end
    if (f_n == DEPTH && f_tail[f_i*F_PTR_W+:F_PTR_W] != f_at) f_shape = 1'b0;
  end
  for (f_j = 0; f_j < STAGES; f_j = f_j + 1)
    if (line_valid_q[f_j] ? line_queue_q[f_j] >= QUEUES : line_queue_q[f_j] != 0) f_told = 1'b0;
  if (f_last >= QUEUES || f_policy >= QUEUES) f_told = 1'b0;
  for (f_i = 0; f_i < QUEUES; f_i = f_i + 1)
    if (f_hold && f_last == f_i && f_counts[f_i*F_LEN_W+:F_LEN_W] == 0) f_told = 1'b0;
end
// How far the nearest entry of the line is from being counted; STAGES: the line is empty.
reg [F_AGE_W-1:0] f_nearest;
always @* begin
  f_nearest = STAGES;
  for (f_i = STAGES - 1; f_i >= 0; f_i = f_i - 1) if (line_valid_q[f_i]) f_nearest = f_i;
end

always @* if (f_live) begin
  inv_shape: assert (f_shape);
  inv_counted: assert (f_told);
  inv_home: assert (f_home);
  inv_out: assert (out_valid_q ? (out_pass_q == 0) == out_stored_q : !out_stored_q && out_pass_q == 0);
  inv_sums: assert (f_sum == f_held && held_q == f_held && f_sum_b == f_held_b);
  inv_left: assert (left_valid_q || left_block_q == 0);
  inv_block: assert (f_b >= BLOCKS || block_held_q[f_b] == f_held_b + (left_valid_q && f_counted(left_block_q)));
  inv_queue: assert (f_q >= QUEUES || f_held_q == f_len[f_q*F_LEN_W+:F_LEN_W] + f_front);
  inv_line: assert (f_line && f_due == due_q && f_may_bypass == byp_q && f_match);
  inv_again: assert (!f_again || (due_q == 0 && sent_valid_q[0] && sent_q[0] == f_refused_entry));
  inv_witness: assert (!f_waits || (f_q < QUEUES && f_ahead < f_held_q && f_found == f_entry));
  inv_age: assert (!(f_waits && f_stored) || f_ahead < f_front ? 1'b1
                   : !(f_waits && f_stored) || (f_stage == STAGES ? f_age > STAGES : f_age == STAGES - f_stage));
  inv_age_out: assert (!(f_waits && f_stored && f_ahead < f_front) || f_age >= LATENCY);
  inv_idle: assert (f_held == 0 || out_valid_o || |due_q || f_drainable || f_idle + f_nearest < STAGES);
  inv_idle_end: assert (f_held == 0 || out_valid_o || |due_q || !f_drainable || f_idle <= STAGES);

  held_is_accepted_less_left: assert (held_o == f_held && f_held <= QUEUES * DEPTH + 1 + ANSWER);
  order_in_queue_and_content: assert (!f_shown || f_gone == f_entry);
  not_lost: assert (!f_waits || f_ahead < f_held_q);
  nothing_from_nothing: assert (!(out_valid_q && f_out_q) || f_held_q != 0);
  answer_is_for_what_was_presented: assert (!(LATER && f_due[0]) || f_asked[0] == f_gone);
  refused_is_presented_again: assert (!f_again || (out_valid_o && f_out == f_refused_entry));
  never_before_its_time: assert (!f_shown || f_age >= (f_stored ? LATENCY : 1));
  never_idle: assert (f_idle < LATENCY);
  barrier_waits_for_block: assert (f_b >= BLOCKS || !(in_valid_i && in_kind_i[1] && f_counted(in_block_i))
                                   || in_ready_o == (f_sum_b == 0));
  no_write_is_stored: assert (f_reads);
  full_queue_is_flushed: assert (!(flush_full_o || flush_write_o) || !drain || !f_in_q
                                 || f_q >= QUEUES || f_counts[f_q*F_LEN_W+:F_LEN_W] == 0 || unused_sel_queue == f_q);
  accepts_read_iff_room: assert (!(f_request && f_in_q && !f_direct) || f_q >= QUEUES
                                 || in_ready_o == (f_len[f_q*F_LEN_W+:F_LEN_W] != DEPTH));
  bypasses_reads_only: assert (byp_valid_o == (out_valid_o && !out_write_o && (LATER ? f_may_bypass : f_reason)));
  presented_until_it_leaves: assert (out_valid_o || {out_write_o, out_warp_o, out_block_o, out_data_o} == 0);
  holds_out_valid_o: assert (!f_stalled || out_valid_o);
  holds_out_write_o: assert (!f_stalled || out_write_o == f_was_out[ENTRY_W-1]);
  holds_out_warp_o: assert (!f_stalled || out_warp_o == f_was_out[F_WARP+:6]);
  holds_out_block_o: assert (!f_stalled || out_block_o == f_was_out[F_BLOCK+:6]);
  holds_out_data_o: assert (!f_stalled || out_data_o == f_was_out[DATA_W-1:0]);
  byp_valid_o_holds_with_the_answer: assert (!(f_stalled && f_was_byp && l1_answer_i == f_was_answer) || byp_valid_o);
  byp_valid_o_lasts_one_cycle: assert (!(LATER && f_was_byp) || !byp_valid_o);
  selector_drops_nothing: assert (!unused_add_drop);
  drain_finds_an_entry: assert (!drain || unused_deq_ready);
  store_finds_room: assert (!store || unused_enq_ready);
  reached_full: cover (held_o == QUEUES * DEPTH + 1 + ANSWER);
  reached_return: cover (f_done && held_o > 2);
end
