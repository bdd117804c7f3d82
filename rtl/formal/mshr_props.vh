// SPDX-License-Identifier: Apache-2.0
// Properties of mshr, told for any one line f_addr, any one read of it (the witness) and any one
// entry f_e. Shadows follow from the ports alone; labels with inv_ speak of the registers.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

(* anyconst *) wire [ADDR_W-1:0]  f_addr;
(* anyconst *) wire [ENTRY_W-1:0] f_e;
(* anyseq *)   wire               f_pick;
wire f_accept = req_valid_i && req_ready_o;
wire f_out    = out_valid_o && out_ready_i;
wire f_gone   = f_out && out_last_o;

// The line: outstanding in which entry, how many reads, filled, marked by a store, how many entries drain before it.
reg               f_has, f_filled, f_written;
reg [ENTRY_W-1:0] f_entry;
reg [LEN_W-1:0]   f_reads;
reg [COUNT_W-1:0] f_before;
// The table: entries in use, entries filled, the entry of the next allocation; and whether f_e is in use.
reg [COUNT_W-1:0] f_used, f_ready;
reg [ENTRY_W-1:0] f_next;
reg               f_busy;
wire f_mine   = req_addr_i == f_addr;
wire f_read   = f_accept && f_mine;                                // a read of the line comes
wire f_return = f_out && f_has && out_entry_o == f_entry;          // one leaves
wire f_end    = f_return && out_last_o;
wire f_still  = f_has && !f_end;
wire f_fill   = fill_valid_i && !fill_err_o;
wire f_here   = f_fill && f_has && fill_entry_i == f_entry;
wire f_store  = STORES != 0 && store_valid_i && store_addr_i == f_addr;  // a store to the line
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_has    <= 1'b0;
    f_filled <= 1'b0;
    f_written <= 1'b0;
    f_reads  <= 0;
    f_before <= 0;
    f_used   <= 0;
    f_ready  <= 0;
    f_next   <= 0;
    f_busy   <= 1'b0;
  end else begin
    f_has   <= f_still || f_read;
    f_reads <= (f_still ? f_reads - f_return : 0) + f_read;
    if (f_read && !f_still) f_entry <= req_entry_o;
    f_filled <= f_still && (f_filled || f_here);
    f_written <= f_store ? f_still || f_read : f_still && f_written;
    if (f_here) f_before <= f_ready - f_gone;
    else if (f_gone && !f_end && f_filled) f_before <= f_before - 1'b1;
    f_used  <= f_used + (f_accept && !req_merge_o) - f_gone;
    f_ready <= f_ready + f_fill - f_gone;
    if (f_used == ENTRIES || (f_accept && !req_merge_o)) f_next <= f_others ? f_other : out_entry_o;
    f_busy  <= (f_accept && !req_merge_o && req_entry_o == f_e) || (f_busy && !(f_gone && out_entry_o == f_e));
  end
end

// The witness: a read of the line, and how many reads of the line leave before it.
reg              f_waits, f_done;
reg [LEN_W-1:0]  f_ahead;
reg [DATA_W-1:0] f_data;
wire f_leaves = f_waits && f_return && f_ahead == 0;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_waits <= 1'b0;
    f_done  <= 1'b0;
    f_ahead <= 0;
  end else if (f_read && f_pick && !f_waits && !f_done) begin
    f_waits <= 1'b1;
    f_ahead <= f_still ? f_reads - f_return : 0;
    f_data  <= req_data_i;
  end else if (f_leaves) begin
    f_waits <= 1'b0;
    f_done  <= 1'b1;
  end else if (f_waits && f_return) f_ahead <= f_ahead - 1'b1;
end

// A read that was offered in the cycle before and not taken; whether a read merged into its entry. A reset takes an offer back.
reg               f_stalled, f_was_last, f_merged;
reg [DATA_W-1:0]  f_was_data;
reg [ENTRY_W-1:0] f_was_entry;
always @(posedge clk_i) begin
  f_stalled   <= srst_ni && out_valid_o && !out_ready_i;
  f_was_data  <= out_data_o;
  f_was_entry <= out_entry_o;
  f_was_last  <= out_last_o;
  f_merged    <= f_accept && req_merge_o && req_entry_o == out_entry_o;
end

// The registers: no line twice, list lengths, a list is turned only while it drains, the ring of filled entries is exactly ready_q.
integer           f_i, f_j;
reg               f_unique, f_shape, f_ring, f_absent;
reg [ENTRIES-1:0] f_seen;
reg [COUNT_W-1:0] f_valids;
reg [COUNT_W:0]   f_at;
reg [ENTRY_W-1:0] f_name, f_other;
reg               f_others;   // an entry beside f_next is free
reg [ENTRY_W-1:0] f_mine_at;  // in the ring, f_before behind the head
always @* begin
  f_unique  = 1'b1;
  f_shape   = (order_head_q < ENTRIES) && (order_len_q <= ENTRIES) && ((ready_q & ~valid_q) == 0)
            && ((written_q & ~valid_q) == 0) && (STORES != 0 || written_q == 0);
  f_ring    = 1'b1;
  f_absent  = 1'b1;
  f_seen    = 0;
  f_valids  = 0;
  f_other   = 0;
  f_others  = 1'b0;
  f_mine_at = 0;
  for (f_i = ENTRIES - 1; f_i >= 0; f_i = f_i - 1) begin
    f_valids = f_valids + valid_q[f_i];
    if (!valid_q[f_i] && f_i != f_next) {f_others, f_other} = {1'b1, f_i[ENTRY_W-1:0]};
    if (valid_q[f_i] && (len_q[f_i] == 0 || len_q[f_i] > MERGES || head_q[f_i] >= MERGES)) f_shape = 1'b0;
    if (valid_q[f_i] && head_q[f_i] != 0 && !drain_q[f_i]) f_shape = 1'b0;
    if (valid_q[f_i] && addr_q[f_i] == f_addr) f_absent = 1'b0;
    for (f_j = 0; f_j < f_i; f_j = f_j + 1)
      if (valid_q[f_i] && valid_q[f_j] && addr_q[f_i] == addr_q[f_j]) f_unique = 1'b0;
  end
  f_at = order_head_q;
  for (f_i = 0; f_i < ENTRIES; f_i = f_i + 1) begin
    f_name = order_q[f_at];
    if (f_i < order_len_q) begin
      if (f_name >= ENTRIES || f_seen[f_name]) f_ring = 1'b0;
      f_seen[f_name] = 1'b1;
      if (f_i == f_before) f_mine_at = f_name;
    end
    f_at = (f_at + 1 == ENTRIES) ? 0 : f_at + 1;
  end
  if (f_seen != ready_q) f_ring = 1'b0;
end
// The draining entry as a bit: the oldest of the ring.
wire [ENTRIES-1:0] f_one   = 1;
wire [ENTRIES-1:0] f_drain = (order_len_q == 0) ? {ENTRIES{1'b0}} : f_one << order_q[order_head_q];
wire [LEN_W+1:0] f_sum   = head_q[f_entry] + f_ahead;
wire [LEN_W+1:0] f_place = (f_sum >= MERGES) ? f_sum - MERGES : f_sum;

always @* if (f_live) begin
  one_entry_per_line: assert (f_unique);
  inv_shape: assert (f_shape);
  inv_ring: assert (f_ring);
  inv_drain: assert (drain_q == f_drain);
  inv_counts: assert (f_used == f_valids && count_q == f_valids && f_ready == order_len_q);
  inv_next: assert (next_q == f_next && (f_used == ENTRIES || (next_q < ENTRIES && !valid_q[next_q])));
  inv_busy: assert (f_e >= ENTRIES || f_busy == valid_q[f_e]);
  inv_line: assert (f_has ? f_entry < ENTRIES && valid_q[f_entry] && addr_q[f_entry] == f_addr
                            && len_q[f_entry] == f_reads && ready_q[f_entry] == f_filled
                            && written_q[f_entry] == f_written : f_absent);
  inv_turn: assert (!(f_has && f_filled) || (f_before < order_len_q && f_mine_at == f_entry));
  inv_place: assert (!f_waits || (f_has && f_ahead < f_reads && data_q[f_entry*MERGES+f_place] == f_data));

  inv_read: assert (READ_REG == 0 ? read_q == 0 : !out_valid_o
                    || read_q == data_q[order_q[order_head_q]*MERGES+head_q[order_q[order_head_q]]]);

  merges_iff_outstanding: assert (!f_mine || req_merge_o == f_still);
  merges_into_its_entry: assert (!(f_mine && f_still && req_ready_o) || req_entry_o == f_entry);
  merges_bounded: assert (f_reads <= MERGES);
  refuses_merge_iff_full: assert (!f_mine || (req_refuse_o == 2) == (f_still && !f_written && f_reads - f_return == MERGES));
  refuses_merge_iff_written: assert (!f_mine || (req_refuse_o == 3) == (f_still && f_written));
  fill_tells_written: assert (fill_written_o == 0 || (fill_valid_i && !fill_err_o));
  fill_of_line_tells_written: assert (!f_here || fill_written_o == f_written);
  store_hits_iff_outstanding: assert (store_addr_i != f_addr || store_hit_o == (STORES != 0 && f_still));
  store_hits_its_entry: assert (!(store_addr_i == f_addr && store_hit_o) || store_entry_o == f_entry);
  store_silent_without_hit: assert (store_hit_o || store_entry_o == 0);
  refuses_line_iff_no_entry: assert ((req_refuse_o == 1) == (!req_merge_o && f_used - f_gone == ENTRIES));
  accepts_iff_not_refused: assert (req_ready_o == (req_refuse_o == 0));
  allocates_next_free: assert (!(req_ready_o && !req_merge_o)
                               || req_entry_o == (f_used == ENTRIES ? out_entry_o : f_next));
  allocates_only_free: assert (!(f_accept && !req_merge_o && req_entry_o == f_e)
                               || !f_busy || (f_gone && out_entry_o == f_e));
  releases_only_used: assert (!(out_valid_o && out_entry_o == f_e) || f_busy);
  no_entry_lost: assert (count_o == f_used && f_used <= ENTRIES);
  fill_wanted_once: assert (!(fill_valid_i && f_has && fill_entry_i == f_entry) || fill_err_o == f_filled);
  fill_of_unused_refused: assert (!(fill_valid_i && fill_entry_i == f_e && !f_busy) || fill_err_o);
  returns_after_fill: assert (!(out_valid_o && f_has && out_entry_o == f_entry) || f_filled);
  returns_in_fill_order: assert (!(f_has && f_filled)
                                 || (out_valid_o && (out_entry_o == f_entry) == (f_before == 0)));
  returned_with_its_data: assert (!f_leaves || out_data_o == f_data);
  not_lost: assert (!f_waits || (f_has && f_ahead < f_reads));
  last_iff_only_read: assert (!(out_valid_o && f_has && out_entry_o == f_entry) || out_last_o == (f_reads == 1));
  silent_when_not_valid: assert (out_valid_o || (out_data_o == 0 && out_entry_o == 0 && !out_last_o));
  holds_out_valid_o: assert (!f_stalled || out_valid_o);
  holds_out_data_o: assert (!f_stalled || out_data_o == f_was_data);
  holds_out_entry_o: assert (!f_stalled || out_entry_o == f_was_entry);
  out_last_o_falls_by_a_merge: assert (!f_stalled || out_last_o == (f_was_last && !f_merged));
  reached_full: cover (f_used == ENTRIES && f_reads == MERGES && f_filled);
  reached_merge_while_stalled: cover (MERGES == 1 || (f_stalled && f_was_last && f_merged));
  reached_written: cover (STORES == 0 || (f_written && f_filled && f_reads == MERGES));
  reached_return: cover (f_done && (ENTRIES == 1 || f_before != 0));
end
