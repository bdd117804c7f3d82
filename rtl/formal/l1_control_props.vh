// SPDX-License-Identifier: Apache-2.0
// Properties of l1_control. Shadows (f_*) follow from the ports alone; labels with inv_ speak of
// the registers. f_s is any one sector.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

(* anyconst *) wire [4:0] f_s;

// The requests presented one and two cycles ago that were neither dropped nor bypassed.
wire f_bypass  = byp_valid_i && byp_ready_o;
wire f_refused = answer_o != 0;
localparam F_W = 1 + ADDR_W + ENTRY_W + NUMBER_W + SECTORS;
wire [F_W-1:0] f_t = {req_write_i, req_line_i, req_entry_i, req_number_i, req_sectors_i};
reg              f_has_d, f_has_a;
reg [F_W-1:0]    f_d, f_a;
always @(posedge clk_i) begin
  f_has_d <= srst_ni && req_valid_i && !f_bypass && !f_refused;
  f_has_a <= srst_ni && f_has_d && !f_refused;
  f_d     <= f_t;
  f_a     <= f_d;
end
wire                f_write   = f_a[F_W-1];
wire [ADDR_W-1:0]   f_line    = f_a[SECTORS+NUMBER_W+ENTRY_W +: ADDR_W];
wire [ENTRY_W-1:0]  f_entry   = f_a[SECTORS+NUMBER_W +: ENTRY_W];
wire [NUMBER_W-1:0] f_number  = f_a[SECTORS +: NUMBER_W];
wire [SECTORS-1:0]  f_sectors = f_a[SECTORS-1:0];
wire f_store = f_has_a && f_write;
wire f_load  = f_has_a && !f_write;
wire f_here  = (f_sectors & ~have_i) == 0;
wire [SECTORS-1:0] f_wants = FETCH ? {SECTORS{1'b1}} : f_sectors;

// The refusal of the cycle before; how many requests it dropped.
reg [1:0] f_dropped;
reg       f_was_refused;
always @(posedge clk_i) begin
  f_was_refused <= srst_ni && f_refused;
  f_dropped     <= f_has_d + req_valid_i;
end

// What the fields of the miss word say.
wire               f_miss_write = miss_data_o[2*BEAT_W+ADDR_W+SLOT_W+1];
wire [SLOT_W:0]    f_miss_id    = miss_data_o[2*BEAT_W+ADDR_W +: SLOT_W+1];
wire [ADDR_W-1:0]  f_miss_line  = miss_data_o[2*BEAT_W +: ADDR_W];
wire [BEAT_W-1:0]  f_miss_first = miss_data_o[BEAT_W +: BEAT_W];
wire [BEAT_W-1:0]  f_miss_last  = miss_data_o[BEAT_W-1:0];
// Sectors that the fetch or the store needs; a beat of sector f_s is any from f_low to f_high.
wire [SECTORS-1:0] f_need = bypass_valid_o ? req_sectors_i : f_write ? f_sectors : f_wants & ~have_i;
wire [31:0] f_low  = f_s * BEATS / SECTORS;
wire [31:0] f_high = ((f_s + 1) * BEATS + SECTORS - 1) / SECTORS - 1;

always @* if (f_live) begin
  inv_stages: assert (d_valid_q == f_has_d && a_valid_q == f_has_a);
  inv_d: assert (!f_has_d || {d_write_q, d_line_q, d_entry_q, d_number_q, d_sectors_q} == f_d);
  inv_a: assert (!f_has_a || {a_write_q, a_line_q, a_entry_q, a_number_q, a_sectors_q} == f_a);

  // One decision for a request, two cycles after it was presented, and none without one.
  decides_once: assert ($countones(event_o[6:0] & ~8) == f_has_a);
  answers_only_a_request: assert (f_has_a || answer_o == 0);
  answers_as_it_decides: assert (answer_o == {event_o[6], event_o[5]});
  after_refusal_nothing: assert (!f_was_refused || (!f_has_a && !f_has_d));
  says_whose_line: assert (!f_has_a || (mshr_line_o == f_line && find_line_o == f_line && mshr_data_o == {f_number, f_entry}));
  looks_up_presented: assert (look_valid_o == req_valid_i && look_line_o == req_line_i);

  // All that belongs to a decision happens, or nothing does.
  hit_is_whole: assert (event_o[0] == touch_o && touch_o == read_valid_o);
  miss_is_whole: assert (event_o[1] == reserve_o
                         && (!reserve_o || (mshr_valid_o && miss_valid_o && start_valid_o && !mshr_merge_i)));
  merge_is_whole: assert (event_o[2] == (mshr_valid_o && !reserve_o));
  bypass_is_whole: assert (event_o[3] == f_bypass && bypass_valid_o == f_bypass
                           && (!f_bypass || (miss_valid_o && start_valid_o && !f_has_a)));
  store_is_whole: assert (event_o[4] == send_valid_o && (!send_valid_o || (miss_valid_o && !start_valid_o)));
  evicts_iff_store_hits: assert (evict_o == (send_valid_o && hit_i) && event_o[7] == evict_o);
  refusal_changes_nothing: assert (!f_refused || !(touch_o || reserve_o || evict_o || mshr_valid_o || bypass_valid_o
                                                   || send_valid_o || read_valid_o || miss_valid_o || start_valid_o));
  tags_get_one_order: assert (touch_o + reserve_o + evict_o + clear_o < 2);
  miss_queue_has_one_reason: assert (miss_valid_o == (send_valid_o || reserve_o || bypass_valid_o));
  fetch_starts_with_its_word: assert (start_valid_o == (miss_valid_o && !send_valid_o));

  // Only into room, and only what the tags allow.
  puts_only_into_room: assert ((!read_valid_o || read_ready_i) && (!miss_valid_o || miss_ready_i) && (!send_valid_o || flight_ready_i)
                               && (!mshr_valid_o || mshr_ready_i) && (!bypass_valid_o || bypass_ready_i));
  hits_only_valid: assert (!touch_o || (f_load && hit_i && f_here));
  merges_only_reserved: assert (!event_o[2] || (f_load && pending_i && mshr_merge_i && f_here));
  reserves_only_free: assert (!reserve_o || (f_load && !pending_i && !full_i && !(hit_i && f_here)));
  ways_are_the_reason: assert ((answer_o == 1) == (f_load && full_i && !pending_i && !(hit_i && f_here)));

  // Of a line, never a store in flight with an MSHR entry or a bypass entry.
  store_without_fetch: assert (!send_valid_o || !(mshr_store_hit_i || bypass_store_hit_i));
  store_after_release: assert (!(send_valid_o && pending_i));
  fetch_without_store: assert (!(reserve_o || bypass_valid_o) || !find_i);
  reserves_nothing_to_be_read: assert (!(reserve_o && read_find_i));

  // A refusal has a reason that ends by itself.
  store_refused_for_reason: assert (!(f_store && f_refused) || pending_i || mshr_store_hit_i || bypass_store_hit_i
                                    || !flight_ready_i || !miss_ready_i);
  load_refused_for_reason: assert (!(f_load && f_refused) || pending_i || full_i || find_i || read_find_i || mshr_merge_i
                                   || !mshr_ready_i || !miss_ready_i || (hit_i && !read_ready_i));
  bypass_is_taken: assert (!(byp_valid_i && req_valid_i && !req_write_i && !f_has_a && bypass_ready_i && miss_ready_i && !find_i)
                           || f_bypass);

  // The words.
  reads_its_place: assert (!read_valid_o || read_data_o == (({f_number, f_entry} << PLACE_W) | place_i));
  reserves_its_sectors: assert (!reserve_o || reserve_sectors_o == (have_i | f_wants));
  sends_its_entry: assert (!send_valid_o || f_entry >= STORES || send_entry_o == f_entry);
  miss_of_store: assert (!send_valid_o || (f_miss_write && f_miss_id == send_entry_o && f_miss_line == f_line));
  miss_of_load: assert (!reserve_o || (!f_miss_write && f_miss_id == mshr_entry_i && f_miss_line == f_line
                                       && start_place_o == place_i));
  miss_of_bypass: assert (!bypass_valid_o || (!f_miss_write && f_miss_id == (1 << SLOT_W) + bypass_entry_i
                                              && f_miss_line == req_line_i && bypass_line_o == req_line_i
                                              && bypass_data_o == {req_number_i, req_entry_i}));
  place_of_bypass: assert (!(bypass_valid_o && bypass_entry_i < BYPASSES) || start_place_o == LINES + bypass_entry_i);
  start_is_the_miss: assert (!start_valid_o || (start_id_o == f_miss_id && start_beat_o == f_miss_first));
  beats_in_line: assert (f_miss_first < BEATS && f_miss_last < BEATS && f_miss_first <= f_miss_last);
  beats_cover_sector: assert (!(miss_valid_o && f_s < SECTORS && f_need[f_s]) || (f_miss_first <= f_low && f_high <= f_miss_last));
  beats_of_one_sector: assert (!(miss_valid_o && f_s < SECTORS && f_need == (1 << f_s))
                               || (f_miss_first == f_low && f_miss_last == f_high));

  flushes_when_empty: assert (flush_done_o == (flush_i && idle_i && !req_valid_i && !f_has_d && !f_has_a)
                              && clear_o == flush_done_o);
  reached_refusal_drops_two: cover (f_was_refused && f_dropped == 2 && f_bypass);
  reached_store_evicts: cover (evict_o && f_has_d && req_valid_i);
  reached_three_taken: cover (f_has_a && !f_refused && f_has_d && event_o[1] && req_valid_i);
  reached_flush: cover (flush_done_o && f_a != 0);
end
