// SPDX-License-Identifier: Apache-2.0
// Properties of prt without CHECK, told for any one entry f_e; its shadow follows from the ports
// alone. Labels with inv_ speak of the registers. With ORDER, f_ahead counts the entries allocated
// before it that are not released; without, it stays 0. What is taken for granted of inputs are the
// rules of the page, for this entry while it is used: a request names lanes that were not issued, a
// reply names a request that is in flight.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

(* anyconst *) wire [ENTRY_W-1:0] f_e;
wire f_reply = reply_valid_i && reply_entry_i == f_e;
wire f_back  = f_reply && reply_ok_o;
reg  [ENTRY_W-1:0] f_oldest;
wire [ENTRY_W-1:0] f_released = (ORDER != 0) ? f_oldest : reply_entry_i;
wire f_end   = release_o && f_released == f_e;
wire f_alloc = alloc_valid_i && alloc_ready_o && alloc_entry_o == f_e;
wire f_ask   = issue_valid_i && issue_entry_i == f_e;
wire f_issue = f_ask && issue_ok_o;

reg                      f_busy;
reg [TAG_W-1:0]          f_tag;
reg [LANES*OFFSET_W-1:0] f_offset;
reg [LANES-1:0]          f_todo, f_wait;          // lanes not issued, lanes that await data
reg [LANES-1:0]          f_with [0:LANES-1];      // the request that a waiting lane belongs to
reg [LANE_W-1:0]         f_pend;
reg [COUNT_W-1:0]        f_used, f_ahead;

integer f_i;
reg [LANES-1:0] f_request;  // the one that the reply's lowest lane belongs to
reg             f_whole;
always @* begin
  f_request = 0;
  for (f_i = LANES - 1; f_i >= 0; f_i = f_i - 1) if (reply_mask_i[f_i]) f_request = f_with[f_i];
  f_whole = f_busy && reply_mask_i != 0 && (reply_mask_i & ~f_wait) == 0 && reply_mask_i == f_request;
end

// What the entry still has to issue and awaits after the reply, and after the allocation.
wire             f_stays  = f_busy && !f_end;
wire [LANES-1:0] f_can    = f_alloc ? alloc_mask_i : f_stays ? f_todo : 0;
wire [LANES-1:0] f_open   = f_alloc || !f_stays ? 0 : f_wait & ~(f_back ? reply_mask_i : 0);
wire [LANE_W-1:0] f_flies = f_alloc || !f_stays ? 0 : f_pend - f_back;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_busy   <= 1'b0;
    f_used   <= 0;
    f_ahead  <= 0;
    f_oldest <= 0;
  end else begin
    f_busy   <= f_stays || f_alloc;
    f_used   <= f_used + (alloc_valid_i && alloc_ready_o) - release_o;
    if (ORDER != 0) begin
      f_ahead <= (f_alloc ? f_used : f_ahead) - (release_o && (f_alloc || !f_end));
      if (release_o) f_oldest <= (f_oldest + 1 == ENTRIES) ? 0 : f_oldest + 1;
    end
    if (f_alloc) begin
      f_tag    <= alloc_tag_i;
      f_offset <= alloc_offset_i;
    end
    f_todo <= f_can & ~(f_issue ? issue_mask_i : 0);
    f_wait <= f_open | (f_issue ? issue_mask_i : 0);
    f_pend <= f_flies + f_issue;
    for (f_i = 0; f_i < LANES; f_i = f_i + 1) if (f_issue && issue_mask_i[f_i]) f_with[f_i] <= issue_mask_i;
  end
end

// The entry that was offered in the cycle before, and not taken. A reset takes an offer back.
reg               f_stalled, f_was_full;
reg [ENTRY_W-1:0] f_was_entry;
always @(posedge clk_i) begin
  f_stalled   <= srst_ni && alloc_ready_o && !alloc_valid_i;
  f_was_full  <= f_used == ENTRIES;
  f_was_entry <= alloc_entry_o;
end

// The requests on their way are disjoint and make up f_wait; there are f_pend of them.
wire f_done  = f_busy && f_todo == 0 && f_wait == 0;
wire f_ended = f_todo == 0 && (f_wait & ~(f_back ? reply_mask_i : 0)) == 0;  // with this reply
integer            f_j;
reg                f_parts;
reg [LANE_W-1:0]   f_n, f_rest;
reg [COUNT_W-1:0]  f_valids;
reg                f_free, f_row;
reg [ENTRY_W-1:0]  f_next;
reg [LANES*OFFSET_W-1:0] f_shown;
always @* begin
  f_parts  = 1'b1;
  f_n      = 0;
  f_rest   = 0;
  f_valids = 0;
  f_free   = 1'b0;
  f_row    = 1'b1;
  f_next   = (f_oldest + f_used >= ENTRIES) ? f_oldest + f_used - ENTRIES : f_oldest + f_used;
  for (f_i = 0; f_i < LANES; f_i = f_i + 1) if (f_wait[f_i]) begin
    if (!f_with[f_i][f_i] || (f_with[f_i] & ~f_wait) != 0) f_parts = 1'b0;
    for (f_j = 0; f_j < LANES; f_j = f_j + 1)
      if (f_with[f_i][f_j] && f_with[f_j] != f_with[f_i]) f_parts = 1'b0;
    if ((f_with[f_i] & ((1 << f_i) - 1)) == 0) f_n = f_n + 1'b1;
  end
  for (f_i = ENTRIES - 1; f_i >= 0; f_i = f_i - 1) begin
    f_valids = f_valids + valid_q[f_i];
    if (valid_q[f_i] != ((f_i >= f_oldest ? f_i - f_oldest : f_i + ENTRIES - f_oldest) < f_used)) f_row = 1'b0;
    if (!valid_q[f_i] || (release_o && f_released == f_i)) begin
      f_free   = 1'b1;
    end
  end
  for (f_i = 0; f_i < LANES; f_i = f_i + 1) begin
    f_rest = f_rest + f_todo[f_i];
    f_shown[f_i*OFFSET_W+:OFFSET_W] = reply_mask_i[f_i] ? f_offset[f_i*OFFSET_W+:OFFSET_W] : 0;
  end
end

always @* if (f_live) begin
  assume (!(f_reply && f_busy && !f_done) || f_whole);
  assume (!(f_ask && (f_alloc || f_stays)) || (issue_mask_i != 0 && (issue_mask_i & ~f_can) == 0));
  inv_count: assert (f_used == f_valids && count_q == f_valids && full_q == (f_valids == ENTRIES));
  allocates_iff_free: assert (alloc_ready_o == (f_free && alloc_mask_i != 0));
  inv_ring: assert (head_q == f_oldest && f_oldest < ENTRIES && (ORDER == 0 || f_row));
  inv_done: assert (ORDER != 0 ? (done_q & ~valid_q) == 0 : done_q == 0);
  inv_next: assert (ORDER != 0 ? next_q == f_next : full_q || (next_q < ENTRIES && !valid_q[next_q]));
  allocates_next_of_ring: assert (ORDER == 0 || alloc_entry_o == f_next);
  any_order_releases_the_last: assert (ORDER != 0 || release_o == last_o);
  no_entry_lost: assert (count_o == f_used && f_used <= ENTRIES);
  silent_when_not_ok: assert (reply_ok_o || (reply_tag_o == 0 && reply_offset_o == 0 && !last_o));
  no_such_entry: assert (!(reply_entry_i >= ENTRIES && reply_ok_o) && !(issue_entry_i >= ENTRIES && issue_ok_o));
  holds_alloc_ready_o: assert (!f_stalled || alloc_mask_i == 0 || alloc_ready_o);
  holds_alloc_entry_o: assert (!f_stalled || alloc_entry_o == f_was_entry);
  reached_full: cover (f_used == ENTRIES && f_pend == LANES);
  reached_release_while_stalled: cover (f_stalled && f_was_full);
  reached_turnover: cover (f_end && f_alloc && f_issue);
  reached_wait: cover (ORDER == 0 || ENTRIES == 1 || (f_done && f_ahead == ENTRIES - 1));
end
always @* if (f_live && f_e < ENTRIES) begin
  inv_entry: assert (f_busy == valid_q[f_e] && done_q[f_e] == f_done && (!f_busy
                     || (tag_q[f_e] == f_tag && offset_q[f_e] == f_offset && left_q[f_e] == f_rest
                         && pend_q[f_e] == f_pend && last_q[f_e] == (f_rest == 0 && f_pend == 1))));
  inv_pending: assert (!f_busy || ((f_pend == 0) == (f_wait == 0) && (f_todo & f_wait) == 0
                                   && {1'b0, f_pend} + f_rest <= LANES));
  inv_requests: assert (!f_busy || (f_parts && f_n == f_pend));
  allocates_only_free: assert (!f_alloc || !f_busy || f_end);
  releases_only_used: assert (!f_end || f_busy);
  inv_ahead: assert (!f_busy || (ORDER == 0 ? f_ahead == 0 : f_ahead < f_used
                     && f_e == (f_oldest + f_ahead >= ENTRIES ? f_oldest + f_ahead - ENTRIES : f_oldest + f_ahead)));
  last_when_all_answered: assert (!f_back || last_o == f_ended);
  releases_when_all_answered: assert (!f_busy || f_end == (f_ended && f_ahead == 0));
  releases_in_order: assert (!f_end || f_ahead == 0);
  released_or_work_left: assert (ORDER != 0 || !f_done);
  reply_of_request_is_taken: assert (!(f_reply && f_busy && !f_done) || reply_ok_o);
  other_reply_is_ignored: assert (!(f_reply && (!f_busy || f_done)) || !reply_ok_o);
  reply_brings_its_own: assert (!f_back || (reply_tag_o == f_tag && reply_offset_o == f_shown));
  issues_are_taken: assert (!f_ask || issue_ok_o);
end
