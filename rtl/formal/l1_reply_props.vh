// SPDX-License-Identifier: Apache-2.0
// Properties of l1_reply. Shadows (f_*) follow from the ports alone; labels with inv_ speak of the
// registers.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

wire f_any   = read_valid_i || mshr_valid_i || bypass_valid_i;
wire f_take  = read_ready_o || mshr_ready_o || bypass_ready_o;
wire f_start = out_valid_o && out_ready_i;

// The stage: a request in it, whether it has started, and what it is.
reg                f_in, f_started;
reg [ENTRY_W-1:0]  f_entry;
reg [NUMBER_W-1:0] f_number;
reg [1:0]          f_last;  // the source of the last request that was taken
wire f_done = f_in && line_done_i && (f_started || f_start);
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_in      <= 1'b0;
    f_started <= 1'b0;
    f_last    <= 2;
  end else begin
    f_in      <= f_take || (f_in && !f_done);
    f_started <= !f_take && !f_done && (f_started || f_start);
    if (f_take) begin
      f_last <= read_ready_o ? 0 : mshr_ready_o ? 1 : 2;
      {f_number, f_entry} <= read_ready_o ? read_data_i >> PLACE_W : mshr_ready_o ? mshr_data_i : bypass_data_i;
    end
  end
end

// How many requests of others were taken while a source waited.
reg [1:0] f_waits_read, f_waits_mshr, f_waits_bypass;
always @(posedge clk_i) begin
  f_waits_read   <= (!srst_ni || !read_valid_i || read_ready_o) ? 0 : f_waits_read + f_take;
  f_waits_mshr   <= (!srst_ni || !mshr_valid_i || mshr_ready_o) ? 0 : f_waits_mshr + f_take;
  f_waits_bypass <= (!srst_ni || !bypass_valid_i || bypass_ready_o) ? 0 : f_waits_bypass + f_take;
end

// A request that was offered in the cycle before and not started. A reset takes an offer back.
reg                f_stalled;
reg [ENTRY_W-1:0]  f_was_entry;
reg [NUMBER_W-1:0] f_was_number;
always @(posedge clk_i) begin
  f_stalled    <= srst_ni && out_valid_o && !out_ready_i;
  f_was_entry  <= entry_o;
  f_was_number <= number_o;
end

always @* if (f_live) begin
  inv_stage: assert (valid_q == f_in && started_q == f_started && (valid_q || !started_q) && last_q == f_last);
  inv_request: assert (!f_in || (entry_q == f_entry && number_q == f_number));
  // With one request taken since, it was not the source's own, and the turn came nearer.
  inv_turns: assert (f_last < 3
                     && (f_waits_read == 0 || f_last != 0) && !(f_waits_read == 2 && f_last != 2) && f_waits_read < 3
                     && (f_waits_mshr == 0 || f_last != 1) && !(f_waits_mshr == 2 && f_last != 0) && f_waits_mshr < 3
                     && (f_waits_bypass == 0 || f_last != 2) && !(f_waits_bypass == 2 && f_last != 1) && f_waits_bypass < 3);

  takes_one_at_most: assert (read_ready_o + mshr_ready_o + bypass_ready_o < 2);
  takes_only_valid: assert ((!read_ready_o || read_valid_i) && (!mshr_ready_o || mshr_valid_i)
                            && (!bypass_ready_o || bypass_valid_i));
  takes_iff_room: assert (f_take == (f_any && (!f_in || f_done)));
  reads_iff_taken: assert (data_read_o == f_take);
  waits_for_two_at_most: assert (f_waits_read < 3 && f_waits_mshr < 3 && f_waits_bypass < 3);
  not_twice_while_another_waits: assert (!(f_take && (f_last == 0 ? read_ready_o && (mshr_valid_i || bypass_valid_i)
                                                    : f_last == 1 ? mshr_ready_o && (read_valid_i || bypass_valid_i)
                                                                  : bypass_ready_o && (read_valid_i || mshr_valid_i))));
  reads_place_of_hit: assert (!read_ready_o || data_place_o == read_data_i[PLACE_W-1:0]);
  reads_place_of_line: assert (!mshr_ready_o || data_place_o == mshr_place_i);
  reads_place_of_bypass: assert (!(bypass_ready_o && bypass_entry_i < BYPASSES)
                                 || (data_place_o == LINES + bypass_entry_i && data_place_o >= LINES));
  reads_nothing_without_source: assert (f_any || data_place_o == 0);
  releases_iff_last_taken: assert (release_valid_o == (mshr_ready_o && mshr_last_i));
  releases_its_place: assert (!(release_valid_o && mshr_place_i < LINES)
                              || (release_place_o == mshr_place_i && release_place_o == data_place_o));
  offers_what_was_taken: assert (out_valid_o == (f_in && !f_started)
                                 && (!out_valid_o || (entry_o == f_entry && number_o == f_number)));
  silent_when_not_valid: assert (out_valid_o || (entry_o == 0 && number_o == 0));
  idle_iff_empty: assert (idle_o == !f_in);
  holds_out_valid_o: assert (!f_stalled || out_valid_o);
  holds_entry_o: assert (!f_stalled || entry_o == f_was_entry);
  holds_number_o: assert (!f_stalled || number_o == f_was_number);
  reached_turn: cover (f_waits_read == 2 && read_ready_o);
  reached_back_to_back: cover (f_start && f_done && f_take);
  reached_several_passes: cover (f_started && f_done && f_take && f_entry != 0);
end
