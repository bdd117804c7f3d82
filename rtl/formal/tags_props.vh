// SPDX-License-Identifier: Apache-2.0
// Properties of tags, told for any one line f_addr, and for any two places f_p and f_q of one set.
// Shadows follow from the ports alone; labels with inv_ speak of the registers.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

// The page's number of a set, once more.
function [LINE_W-1:0] f_home(input [LINE_W-1:0] x);
  reg [LINE_W-1:0] v;
  begin
    v = x;
    if (HASH != 0) begin
      v    = 0;
      v[0] = x[0] ^ x[6];
      v[1] = x[1] ^ x[7];
      v[2] = x[2] ^ x[8];
      v[3] = x[3] ^ x[10];
      v[4] = x[4] ^ x[12];
      v[5] = SETS > 32 ? x[5] : 1'b0;
    end
    f_home = v % SETS;
  end
endfunction

// The requests under way.
reg              f_dv, f_av;
reg [ADDR_W-1:0] f_dl, f_al;
always @(posedge clk_i) begin
  f_dv <= srst_ni && look_valid_i;
  f_av <= srst_ni && f_dv;
  if (srst_ni && look_valid_i) f_dl <= look_line_i;
  if (srst_ni && f_dv) f_al <= f_dl;
end
wire f_miss    = f_av && !hit_o && !pending_o && !full_o;
wire f_evict   = evict_i && hit_o;
wire f_reserve = reserve_i && (f_miss || hit_o);
wire f_touch   = touch_i && hit_o;

// The line: 0 not here, 1 reserved, 2 valid; its place and its sectors.
(* anyconst *) wire [ADDR_W-1:0] f_addr;
wire f_mine = f_av && f_al == f_addr;
reg [1:0]         f_state;
reg [PLACE_W-1:0] f_place;
reg [SECTORS-1:0] f_has;
always @(posedge clk_i) begin
  if (!srst_ni || clear_i) f_state <= 0;
  else if (f_mine && f_reserve) f_state <= 1;
  else if (f_mine && f_evict) f_state <= 0;
  else if (f_reserve && f_state != 0 && place_o == f_place) f_state <= 0;
  else if (fill_valid_i && f_state == 1 && fill_place_i == f_place) f_state <= 2;
  if (srst_ni && f_mine && f_reserve) begin
    f_place <= place_o;
    f_has   <= reserve_sectors_i;
  end
end

// Two places of one set, by their ways: their states, and which was used (or reserved) last.
(* anyconst *) wire [SET_W-1:0] f_s;
(* anyconst *) wire [NUM_W-1:0] f_p;
(* anyconst *) wire [NUM_W-1:0] f_q;
wire f_legal = {1'b0, f_s} < SETS && {1'b0, f_p} < WAYS && {1'b0, f_q} < WAYS && f_p != f_q;
wire [31:0] f_p_at = f_s * WAYS + f_p;
wire [31:0] f_q_at = f_s * WAYS + f_q;
wire f_here  = f_av && f_home({{(LINE_W - ADDR_W) {1'b0}}, f_al}) == f_s;
wire f_used  = REPLACEMENT == LRU ? f_touch || f_reserve : f_reserve && !hit_o;
reg [1:0] f_p_state, f_q_state;
reg       f_p_newer;
always @(posedge clk_i) begin
  if (!srst_ni || clear_i) f_p_state <= 0;
  else if (f_reserve && place_o == f_p_at) f_p_state <= 1;
  else if (f_evict && place_o == f_p_at) f_p_state <= 0;
  else if (fill_valid_i && f_p_state == 1 && fill_place_i == f_p_at) f_p_state <= 2;
  if (!srst_ni || clear_i) f_q_state <= 0;
  else if (f_reserve && place_o == f_q_at) f_q_state <= 1;
  else if (f_evict && place_o == f_q_at) f_q_state <= 0;
  else if (fill_valid_i && f_q_state == 1 && fill_place_i == f_q_at) f_q_state <= 2;
  if (srst_ni && f_used && place_o == f_p_at) f_p_newer <= 1'b1;
  else if (srst_ni && f_used && place_o == f_q_at) f_p_newer <= 1'b0;
end

// REPLACEMENT 2: the turn of set f_s; the states of a victim are those of f_p or f_q.
reg             f_turn;
reg [NUM_W-1:0] f_other;
wire            f_p_goes = f_miss && f_here && place_o == f_p_at;
wire            f_q_goes = f_miss && f_here && place_o == f_q_at;
wire [NUM_W:0]  f_p_turn = f_p >= f_other ? f_p - f_other : f_p + WAYS - f_other;
wire [NUM_W:0]  f_q_turn = f_q >= f_other ? f_q - f_other : f_q + WAYS - f_other;
// A miss replaces a valid line of the set unless a way is invalid.
integer          f_i, f_j, f_k;
reg              f_replaces;
always @* begin
  f_replaces = f_reserve && !hit_o && f_here;
  for (f_i = 0; f_i < WAYS; f_i = f_i + 1) if (!valid_q[f_s][f_i] && !reserved_q[f_s][f_i]) f_replaces = 1'b0;
end
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_turn  <= 1'b0;
    f_other <= 0;
  end else if (REPLACEMENT == FERMI && f_replaces) begin
    f_turn <= !f_turn;
    if (place_o != f_s * WAYS + 1 || WAYS == 1) f_other <= (place_o + 1 == (f_s + 1) * WAYS) ? 0 : place_o + 1 - f_s * WAYS;
  end
end

// The registers: states, tags of a set, orders; what the stages hold fits the memory.
reg               f_states, f_unique, f_order, f_last, f_read, f_match, f_absent;
reg [TAG_W-1:0]   f_tag;
reg [SECTORS-1:0] f_sectors;
reg               f_in_last;
reg [ORDER_W-1:0] f_row;
reg               f_ij, f_jk, f_ik;
integer           f_set;
wire [31:0]       f_addr_set = f_home({{(LINE_W - ADDR_W) {1'b0}}, f_addr});
wire [LINE_W-1:0] f_addr_x   = {{(LINE_W - ADDR_W) {1'b0}}, f_addr};
wire [TAG_W-1:0]  f_addr_tag = f_addr_x[SHIFT +: TAG_W];
wire [TAG_W-1:0]  f_last_tag = last_x[SHIFT +: TAG_W];
always @* begin
  f_states = 1'b1;
  f_unique = 1'b1;
  f_order  = 1'b1;
  f_last   = !last_valid_q || last_way_q < WAYS;
  f_read   = 1'b1;
  f_match  = 1'b1;
  f_absent = 1'b1;
  for (f_set = 0; f_set < SETS; f_set = f_set + 1) begin
    if ((valid_q[f_set] & reserved_q[f_set]) != 0) f_states = 1'b0;
    f_row = order_q[f_set];
    if (REPLACEMENT == FERMI ? f_row != 0 || other_q[f_set] >= WAYS : turn_q[f_set] || other_q[f_set] != 0) f_order = 1'b0;
    for (f_i = 0; f_i < WAYS; f_i = f_i + 1) begin
      f_tag     = tag_q[f_set][f_i*WAY_W +: TAG_W];
      f_sectors = tag_q[f_set][f_i*WAY_W+TAG_W +: SECTORS];
      f_in_last = last_valid_q && last_set == f_set && last_way_q == f_i;
      if (f_in_last && (f_tag != f_last_tag || f_sectors != last_sectors_q)) f_last = 1'b0;
      if (d_valid_q && d_set == f_set && !f_in_last && read_q[f_i*WAY_W +: WAY_W] != {f_sectors, f_tag}) f_read = 1'b0;
      if (valid_q[f_set][f_i] || reserved_q[f_set][f_i]) begin
        if (f_set == f_addr_set && f_tag == f_addr_tag) f_absent = 1'b0;
        if (a_valid_q && a_set == f_set && (a_match_q[f_i] != (f_tag == a_tag) || (a_match_q[f_i] && a_have_q != f_sectors))) f_match = 1'b0;
        for (f_j = 0; f_j < f_i; f_j = f_j + 1)
          if ((valid_q[f_set][f_j] || reserved_q[f_set][f_j]) && tag_q[f_set][f_j*WAY_W +: TAG_W] == f_tag) f_unique = 1'b0;
      end
      for (f_j = 0; f_j < f_i; f_j = f_j + 1)
        for (f_k = 0; f_k < f_j; f_k = f_k + 1) begin  // three ways, f_k < f_j < f_i, are in a line
          f_ij = f_row[f_j*(f_j-1)/2+f_k];
          f_jk = f_row[f_i*(f_i-1)/2+f_j];
          f_ik = f_row[f_i*(f_i-1)/2+f_k];
          if ((f_ij && f_jk && !f_ik) || (!f_ij && !f_jk && f_ik)) f_order = 1'b0;
        end
    end
  end
end
wire [31:0]      f_way = f_place - f_addr_set * WAYS;
wire             f_pq_newer = f_p < f_q ? order_q[f_s][f_q*(f_q-1)/2+f_p] : !order_q[f_s][f_p*(f_p-1)/2+f_q];

always @* if (f_live) begin
  inv_stages: assert (d_valid_q == f_dv && a_valid_q == f_av && (!f_dv || d_line_q == f_dl) && (!f_av || a_line_q == f_al));
  inv_states: assert (f_states);
  inv_order: assert (f_order);
  inv_last: assert (f_last);
  inv_read: assert (f_read);
  inv_match: assert (f_match);
  one_place_per_line: assert (f_unique);
  inv_line: assert (f_state == 0 ? f_absent
                    : f_state < 3 && f_place >= f_addr_set * WAYS && f_way < WAYS
                      && tag_q[f_addr_set][f_way*WAY_W +: WAY_W] == {f_has, f_addr_tag}
                      && valid_q[f_addr_set][f_way] == (f_state == 2) && reserved_q[f_addr_set][f_way] == (f_state == 1));

  hits_iff_valid: assert (!f_mine || hit_o == (f_state == 2));
  pending_iff_reserved: assert (!f_mine || pending_o == (f_state == 1));
  finds_its_place: assert (!f_mine || f_state == 0 || (place_o == f_place && have_o == f_has));
  has_nothing_if_absent: assert (!f_mine || f_state != 0 || have_o == 0);
  one_answer: assert (hit_o + pending_o + full_o <= 1);
  silent_without_request: assert (f_av || (!hit_o && !pending_o && !full_o && place_o == 0 && have_o == 0));
  place_in_its_set: assert (!f_av || full_o || place_o / WAYS == f_home({{(LINE_W - ADDR_W) {1'b0}}, f_al}));
  full_has_no_place: assert (!full_o || place_o == 0);
  reserved_stays: assert (!(f_miss && f_state == 1) || place_o != f_place);
  reached_full: cover (full_o);
  reached_hit_in_way_0: cover (f_mine && hit_o && f_place % WAYS == 0);
  reached_victim: cover (WAYS == 1 || (f_legal && f_q_goes && f_p_state == 2 && f_q_state == 2));
  reached_pending_part: cover (SECTORS == 1 || (pending_o && have_o != {SECTORS{1'b1}}));
end
always @* if (f_live && f_legal) begin
  inv_places: assert (f_p_state < 3 && f_q_state < 3
                      && valid_q[f_s][f_p] == (f_p_state == 2) && reserved_q[f_s][f_p] == (f_p_state == 1)
                      && valid_q[f_s][f_q] == (f_q_state == 2) && reserved_q[f_s][f_q] == (f_q_state == 1));
  inv_newer: assert (REPLACEMENT == FERMI || f_p_state == 0 || f_q_state == 0 || f_pq_newer == f_p_newer);
  inv_turn: assert (REPLACEMENT != FERMI || (turn_q[f_s] == f_turn && other_q[f_s] == f_other));
  full_iff_all_reserved: assert (!(full_o && f_here) || f_p_state == 1);
  takes_no_reserved: assert (!f_p_goes || f_p_state != 1);
  takes_invalid_first: assert (!(f_p_goes && f_q_state == 0) || f_p_state == 0);
  takes_highest_invalid: assert (!(f_p_goes && f_q_state == 0) || f_p > f_q);
  takes_oldest: assert (REPLACEMENT == FERMI || !(f_p_goes && f_p_state == 2 && f_q_state == 2) || !f_p_newer);
  fermi_takes_way_1_in_turn: assert (REPLACEMENT != FERMI || !(f_p_goes && f_p_state == 2 && f_q_state == 2 && f_q == 1) || f_turn);
  fermi_takes_others_in_turn: assert (REPLACEMENT != FERMI || !(f_p_goes && f_p_state == 2 && f_q_state == 2 && f_p == 1) || !f_turn);
  fermi_others_ascend: assert (REPLACEMENT != FERMI || !(f_p_goes && f_p_state == 2 && f_q_state == 2 && f_p != 1 && f_q != 1)
                               || f_p_turn < f_q_turn);
end
