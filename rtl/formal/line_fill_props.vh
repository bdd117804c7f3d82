// SPDX-License-Identifier: Apache-2.0
// Properties of line_fill, told for any one id f_id. Shadows (f_*) follow from the ports alone;
// labels with inv_ speak of the registers.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

(* anyconst *) wire [ID_W-1:0] f_id;
wire               f_bypass = f_id[ID_W-1];
wire [ENTRY_W-1:0] f_e      = f_id[ENTRY_W-1:0];
wire               f_exists = f_bypass ? f_e < BYPASSES : f_e < MSHRS;
wire f_start = start_valid_i && start_id_i == f_id;
wire f_mine  = r_valid_i && r_id_i == f_id;
wire f_beat  = f_mine && !r_err_o;

// The fetch of the id: whether it waits, its place, its next beat; whether it was started since the reset.
reg               f_waits, f_started;
reg [PLACE_W-1:0] f_place;
reg [BEAT_W-1:0]  f_number;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_waits   <= 1'b0;
    f_started <= 1'b0;
  end else begin
    f_waits   <= f_exists && (f_start || (f_waits && !(f_beat && r_last_i)));
    f_started <= f_exists && (f_started || f_start);
    if (f_start) f_place <= f_bypass ? LINES + f_e : start_place_i;
    if (f_start) f_number <= start_beat_i;
    else if (f_beat) f_number <= f_number + 1'b1;
  end
end

// The cycle before: whether it had a beat that was taken, and whether that was one of the id.
reg                    f_any, f_had, f_last, f_any_last;
reg [PLACE_W-1:0]      f_was_place;
reg [BEAT_W-1:0]       f_was_number;
reg [BUS_WORDS*32-1:0] f_was_data;
always @(posedge clk_i) begin
  f_any        <= srst_ni && r_valid_i && !r_err_o;
  f_any_last   <= srst_ni && r_valid_i && !r_err_o && r_last_i;
  f_had        <= srst_ni && f_beat;
  f_last       <= srst_ni && f_beat && r_last_i;
  f_was_place  <= f_place;
  f_was_number <= f_number;
  f_was_data   <= r_data_i;
end

// Fetches of the other table have gone before, and so have two beats of the id.
reg f_twice, f_turned;
always @(posedge clk_i) begin
  f_twice  <= srst_ni && (f_twice || (f_had && f_beat));
  f_turned <= srst_ni && (f_turned || (f_bypass ? fill_valid_o : bypass_fill_valid_o));
end

always @* if (f_live) begin
  holds_r_ready_o: assert (r_ready_o);
  no_beat_no_error: assert (r_valid_i || !r_err_o);
  writes_iff_taken: assert (write_valid_o == f_any);
  tells_iff_last: assert ((fill_valid_o || bypass_fill_valid_o) == f_any_last && !(fill_valid_o && bypass_fill_valid_o));
  zero_without_beat: assert (write_valid_o || (write_place_o == 0 && write_beat_o == 0 && write_data_o == 0));
  zero_without_last: assert (fill_valid_o || bypass_fill_valid_o || fill_entry_o == 0);
  no_such_entry: assert (drain_entry_i < MSHRS || drain_place_o == 0);
end
always @* if (f_live && !f_exists) begin
  no_such_id: assert (!f_mine || r_err_o);
end
always @* if (f_live && f_exists) begin
  inv_waits: assert (f_waits == (f_bypass ? bypass_wait_q[f_e] : wait_q[f_e]));
  inv_place: assert (f_bypass ? !f_started || f_place == LINES + f_e
                              : f_started == live_q[f_e] && (!f_started || f_place == place_q[f_e]));
  inv_number: assert (!f_waits || f_number == (f_bypass ? bypass_beat_q[f_e] : beat_q[f_e]));
  inv_started: assert (!f_waits || f_started);
  takes_iff_waits: assert (!f_mine || r_err_o == !f_waits);
  writes_its_place: assert (!f_had || (write_valid_o && write_place_o == f_was_place));
  writes_its_beat: assert (!f_had || (write_beat_o == f_was_number && write_data_o == f_was_data));
  tells_its_table: assert (!f_last || (f_bypass ? bypass_fill_valid_o : fill_valid_o));
  tells_its_entry: assert (!f_last || fill_entry_o == f_e);
  drains_its_place: assert (f_bypass || drain_entry_i != f_e || drain_place_o == (f_started ? f_place : 0));
  reached_turnover: cover (f_twice && f_turned && f_last && f_start);
end
