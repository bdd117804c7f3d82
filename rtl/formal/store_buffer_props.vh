// SPDX-License-Identifier: Apache-2.0
// Properties of store_buffer, told for any one entry f_e, any one word f_w of it and any one byte f_b of
// that word. Shadows follow from the ports alone; labels with inv_ speak of the registers.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

(* anyconst *) wire [ENTRY_W-1:0] f_any_e;
(* anyconst *) wire [WORD_W-1:0]  f_any_w;
(* anyconst *) wire [1:0]         f_b;
wire [ENTRY_W-1:0] f_e = (f_any_e < STORES) ? f_any_e : 0;
wire [WORD_W-1:0]  f_w = (f_any_w < WORDS) ? f_any_w : 0;
wire f_put  = put_valid_i && put_ready_o;
wire f_mine = f_put && put_entry_o == f_e;
wire f_done = free_valid_i && free_entry_i == f_e;

// The instruction that is kept, and the lanes of the last request that took the entry.
reg                     f_has;
reg [LANES*WORD_W-1:0]  f_word;
reg [LANES*32-1:0]      f_data;
reg [LANES*4-1:0]       f_bytes;
always @(posedge clk_i) begin
  if (!srst_ni) f_has <= 1'b0;
  else if (lanes_valid_i && lanes_ready_o) begin
    f_has   <= 1'b1;
    f_word  <= lanes_word_i;
    f_data  <= lanes_data_i;
    f_bytes <= lanes_bytes_i;
  end
end

// Whether some lane of the set stores the byte, and what the highest of them stores.
reg [LANES-1:0] f_hits;
reg [7:0]       f_value;
reg             f_any;
integer         f_i;
always @* begin
  f_any   = 1'b0;
  f_value = 8'd0;
  for (f_i = 0; f_i < LANES; f_i = f_i + 1) begin
    f_hits[f_i] = f_has && put_lanes_i[f_i] && f_word[f_i*WORD_W +: WORD_W] == f_w
               && f_bytes[f_i*4+f_b];
    if (f_hits[f_i]) {f_any, f_value} = {1'b1, f_data[f_i*32+f_b*8 +: 8]};
  end
end

// The entry: in use, and of its byte what the page says. It is complete one cycle
// after its put, or two after a put with lanes in both halves.
reg              f_used, f_second;
reg              f_stores;
reg [7:0]        f_byte;
reg [COUNT_W-1:0] f_n;
wire f_any_lower = |(put_lanes_i & ~({LANES{1'b1}} << HALF));
wire f_any_upper = |(put_lanes_i & ({LANES{1'b1}} << HALF));
wire f_long = f_put && PASSES > 1 && f_any_lower && f_any_upper;
reg  f_pass;  // a second pass, of any entry
wire f_frees = free_valid_i && ((BIT_ONE << free_entry_i) & used_q) != 0;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_used   <= 1'b0;
    f_second <= 1'b0;
    f_pass   <= 1'b0;
    f_n      <= 0;
  end else begin
    f_used   <= f_mine || (f_used && !f_done);
    f_second <= f_mine && f_long;
    f_pass   <= f_long;
    f_n      <= f_n + f_put - f_frees;
    if (f_mine) {f_stores, f_byte} <= {f_any, f_value};
  end
end

// What a lane of the upper half, whose pass is still to come, makes of the byte.
reg       f_late;
reg [7:0] f_late_value;
always @* begin
  f_late       = 1'b0;
  f_late_value = 8'd0;
  for (f_i = HALF; f_i < LANES; f_i = f_i + 1)
    if (f_has && pass_lanes_q[f_i-HALF] && f_word[f_i*WORD_W +: WORD_W] == f_w && f_bytes[f_i*4+f_b])
      {f_late, f_late_value} = {1'b1, f_data[f_i*32+f_b*8 +: 8]};
end
wire       f_has_now  = strobe_q[f_e*WORDS+f_w][f_b];
wire [7:0] f_byte_now = data_q[f_e*WORDS+f_w][f_b*8 +: 8];

// The registers.
integer           f_j;
reg [COUNT_W-1:0] f_valids;
reg               f_kept;
always @* begin
  f_valids = 0;
  f_kept   = 1'b1;
  for (f_j = 0; f_j < STORES; f_j = f_j + 1) f_valids = f_valids + used_q[f_j];
  for (f_j = 0; f_j < LANES; f_j = f_j + 1)
    if (word_q[f_j] != f_word[f_j*WORD_W +: WORD_W] || lane_q[f_j] != f_data[f_j*32 +: 32]
        || bytes_q[f_j] != f_bytes[f_j*4 +: 4]) f_kept = 1'b0;
end

// The byte's place in the beat that is shown.
wire [31:0] f_from    = beat_number_i * BUS_WORDS;
wire [31:0] f_at      = f_w - f_from;
wire        f_in_beat = f_w >= f_from && f_at < BUS_WORDS;
wire        f_shown   = beat_entry_i == f_e && f_in_beat;

// The entry that a put would get, in the cycle before; whether one got free.
reg               f_offered, f_freed;
reg [ENTRY_W-1:0] f_was_entry;
always @(posedge clk_i) begin
  f_offered   <= srst_ni && put_ready_o && !put_valid_i;
  f_freed     <= f_frees;
  f_was_entry <= put_entry_o;
end

always @* if (f_live) begin
  inv_entry: assert (f_used == used_q[f_e]);
  inv_kept: assert (kept_q == f_has && (!f_has || f_kept));
  inv_count: assert (count_q == f_n && f_n == f_valids);
  inv_pass: assert (pass_q == f_pass && (f_second == (pass_q && pass_entry_q == f_e)) && (!f_second || f_used)
                    && (!pass_q || (pass_entry_q < STORES && used_q[pass_entry_q])));
  inv_upper: assert ((pass_lanes_q >> (LANES - HALF)) == 0
                     && (PASSES > 1 && LANES > 1 || (pass_q == 0 && pass_lanes_q == 0)));
  inv_byte: assert (!f_used || (f_second && f_late ? f_stores && f_byte == f_late_value
                                : f_stores == f_has_now && (f_stores ? f_byte : 8'd0) == f_byte_now));
  inv_zero: assert (!f_used || f_has_now || f_byte_now == 0);

  lanes_kept_unless_needed: assert (lanes_ready_o == !f_long);
  put_ready_iff_free: assert (put_ready_o == (f_n < STORES && !f_pass));
  puts_only_unused: assert (!(put_ready_o && put_entry_o == f_e) || !f_used);
  puts_the_lowest: assert (!(put_ready_o && f_e < put_entry_o) || f_used);
  put_entry_o_changes_by_a_free: assert (!f_offered || put_entry_o == f_was_entry
                                         || (f_freed && put_entry_o < f_was_entry));
  holds_put_ready_o: assert (!f_offered || put_ready_o);
  shows_what_was_stored: assert (!(f_shown && f_used && !f_second)
                                 || (beat_strobe_o[f_at*4+f_b] == f_stores
                                     && beat_data_o[f_at*32+f_b*8 +: 8] == (f_stores ? f_byte : 8'd0)));
  shows_nothing_unused: assert (!(beat_entry_i == f_e && !f_used) || (beat_data_o == 0 && beat_strobe_o == 0));
  shows_nothing_beyond: assert (f_from < WORDS || (beat_data_o == 0 && beat_strobe_o == 0));
  counts: assert (count_o == f_n && empty_o == (f_n == 0));
  reached_full: cover (f_n == STORES && f_stores && f_byte != 0);
  reached_second: cover (PASSES == 1 || LANES == 1 || (f_second && f_late && f_has_now));
end
