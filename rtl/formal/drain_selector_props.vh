// SPDX-License-Identifier: Apache-2.0
// Properties of drain_selector: a second selector, of loops, beside it; it sees the ports alone.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

integer           f_i;
reg [F_COUNT_W-1:0] f_n [0:QUEUES-1];  // drainable entries
reg [QUEUE_W-1:0] f_last;            // drained last, by the policy
reg               f_stay;            // greedy: f_last goes on
localparam F_GREEDY = (POLICY == 1 || POLICY == 3 || POLICY == 5);

// The base policy, and what is selected.
reg               f_any;
reg [QUEUE_W-1:0] f_base, f_choice, f_sel;
reg [QUEUE_W:0]   f_at;
reg [F_COUNT_W-1:0] f_most;
reg               f_force;
always @* begin
  f_any   = 1'b0;
  f_base  = 0;
  f_most  = 0;
  f_force = 1'b0;
  f_at    = {1'b0, f_last};
  for (f_i = 0; f_i < QUEUES; f_i = f_i + 1) begin
    f_at = (POLICY != 2 && POLICY != 3) ? f_i : (f_at + 1 >= QUEUES) ? 0 : f_at + 1;
    if (f_n[f_at] != 0 && (!f_any || ((POLICY == 4 || POLICY == 5) && f_n[f_at] > f_most))) begin
      f_any  = 1'b1;
      f_base = f_at[QUEUE_W-1:0];
      f_most = f_n[f_at];
    end
    if (force_valid_i && force_queue_i == f_i && f_n[f_i] != 0) f_force = 1'b1;
  end
  f_choice = !f_any ? 0 : (F_GREEDY && f_stay) ? f_last : f_base;
  f_sel    = f_force ? force_queue_i : f_choice;
end

wire f_add  = add_valid_i && add_queue_i < QUEUES && f_n[add_queue_i] != DEPTH;
wire f_take = take_i && f_any;
reg  f_left;  // entries in f_last, or in the queue that takes its place, after this cycle
always @* begin
  f_left = 1'b0;
  for (f_i = 0; f_i < QUEUES; f_i = f_i + 1)
    if (f_i == ((f_take && !f_force) ? f_sel : f_last))
      f_left = (f_n[f_i] + (f_add && add_queue_i == f_i)) > (f_take && f_sel == f_i);
end
always @(posedge clk_i) begin
  if (!srst_ni) begin
    for (f_i = 0; f_i < QUEUES; f_i = f_i + 1) f_n[f_i] <= 0;
    f_last <= QUEUES - 1;
    f_stay <= 1'b0;
  end else begin
    for (f_i = 0; f_i < QUEUES; f_i = f_i + 1)
      f_n[f_i] <= f_n[f_i] + (f_add && add_queue_i == f_i) - (f_take && f_sel == f_i);
    if (f_take && !f_force && POLICY != 0 && POLICY != 4) f_last <= f_sel;
    f_stay <= F_GREEDY && f_left && ((f_take && !f_force) || f_stay);
  end
end

reg f_same, f_nonempty, f_bounded;
always @* begin
  f_same     = (last_q == f_last) && (hold_q == f_stay) && (pick_q == f_choice);
  f_nonempty = 1'b1;
  f_bounded  = (f_last < QUEUES);
  for (f_i = 0; f_i < QUEUES; f_i = f_i + 1) begin
    if (f_counts[f_i*F_COUNT_W+:F_COUNT_W] != f_n[f_i]) f_same = 1'b0;
    if (nonempty_o[f_i] != (f_n[f_i] != 0)) f_nonempty = 1'b0;
    if (f_n[f_i] > DEPTH) f_bounded = 1'b0;
    if (f_stay && f_last == f_i && f_n[f_i] == 0) f_bounded = 1'b0;
  end
end

// What was selected in the cycle before, and not taken. A reset takes it back.
reg               f_stalled, f_was_stay, f_was_add, f_was_force, f_was_forced;
reg [QUEUES-1:0]  f_untaken;
reg [QUEUE_W-1:0] f_was_force_queue, f_was_sel, f_was_pick;
wire [QUEUES-1:0] f_one = 1;
always @(posedge clk_i) begin
  f_stalled         <= srst_ni && sel_valid_o && !take_i;
  f_untaken         <= srst_ni ? nonempty_o & ~(take_i && sel_valid_o ? f_one << sel_queue_o : 0) : 0;
  f_was_stay        <= f_stay;
  f_was_add         <= f_add;
  f_was_force       <= force_valid_i;
  f_was_force_queue <= force_queue_i;
  f_was_forced      <= forced_o;
  f_was_sel         <= sel_queue_o;
  f_was_pick        <= pick_o;
end
wire f_still = f_stalled && force_valid_i == f_was_force && force_queue_i == f_was_force_queue;

// Round robin: any one queue f_w with entries waits for at most QUEUES - 1 other drains of the policy.
(* anyconst *) wire [QUEUE_W-1:0] f_w;
reg [QUEUE_W:0] f_others;
wire [QUEUE_W:0] f_turn = (f_w > f_last) ? f_w - f_last : f_w + QUEUES - f_last;  // 1 is next
always @(posedge clk_i) begin
  if (!srst_ni || f_n[f_w] == 0 || (f_take && f_sel == f_w)) f_others <= 0;
  else if (f_take && !f_force) f_others <= f_others + 1'b1;
end

always @* if (f_live) begin
  inv_same_state: assert (f_same);
  inv_bounded: assert (f_bounded);
  inv_turn: assert (POLICY != 2 || f_w >= QUEUES || f_others + f_turn <= QUEUES);
  nonempty_iff_entry: assert (f_nonempty);
  valid_iff_any: assert (sel_valid_o == f_any);
  selects_by_the_policy: assert (sel_queue_o == f_sel && pick_o == f_choice);
  forced_iff_entry: assert (forced_o == f_force);
  drops_iff_no_room: assert (add_drop_o == (add_valid_i && !f_add));
  round_robin_is_fair: assert (POLICY != 2 || f_w >= QUEUES || f_others < QUEUES);
  holds_sel_valid_o: assert (!f_stalled || sel_valid_o);
  holds_nonempty_o: assert ((f_untaken & ~nonempty_o) == 0);
  pick_o_changes_by_an_add: assert (!f_stalled || pick_o == f_was_pick || (f_was_add && !f_was_stay));
  sel_queue_o_changes_by_an_add_or_force: assert (!f_still || sel_queue_o == f_was_sel || (f_was_add && !f_was_forced));
  forced_o_changes_by_an_add_or_force: assert (!f_still || forced_o == f_was_forced || (f_was_add && !f_was_forced));
  reached_other_pick_while_stalled: cover ((F_GREEDY && POLICY != 1) || QUEUES == 1 || (f_stalled && pick_o != f_was_pick));
  reached_all_waiting: cover (&nonempty_o);
  reached_forced_drain: cover (forced_o && take_i && |(nonempty_o & (nonempty_o - 1'b1)));
end
