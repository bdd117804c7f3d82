// SPDX-License-Identifier: Apache-2.0
// tags - tag array of the L1: SETS sets of WAYS lines in SECTORS parts, three ways of replacement.
// C twin: cmodel/tags.c   Page: docs/modules/tags.md
// Timing: a look-up a cycle, answered two cycles later; the decision on it comes with the answer. An
// answer depends on registers only. The tags are read at the edge; the two decisions that the
// reading has not seen are compared beside them.
`default_nettype none
module tags #(
  // sets
  parameter integer SETS        = 32,
  // lines of a set
  parameter integer WAYS        = 4,
  // parts of a line that are fetched alone
  parameter integer SECTORS     = 4,
  // bits of a line address
  parameter integer ADDR_W      = 25,
  // 0 least recently used, 1 first in first out, 2 every second victim is way 1 (Fermi)
  parameter integer REPLACEMENT = 0,
  // 0 line address modulo SETS, 1 upper bits are XORed in, as in the reference
  parameter integer HASH        = 0,
  // 1 with parity bits for every register and word, and error_o; 0 without
  parameter integer PARITY      = 0
) (
  // clock
  input  wire                                                  clk_i,
  // synchronous reset, active low
  input  wire                                                  srst_ni,
  // look up look_line_i; the answer comes two cycles later
  input  wire                                                  look_valid_i,
  // its line address
  input  wire [ADDR_W-1:0]                                     look_line_i,
  // decision on the answer of this cycle: a read of the line found was accepted
  input  wire                                                  touch_i,
  // decision: place_o is reserved for the line; ignored if it is pending or full
  input  wire                                                  reserve_i,
  // the sectors that the line then has or awaits
  input  wire [SECTORS-1:0]                                    reserve_sectors_i,
  // decision: the line found becomes invalid
  input  wire                                                  evict_i,
  // the line of place fill_place_i becomes valid; ignored if it is not reserved
  input  wire                                                  fill_valid_i,
  // that place: set * WAYS + way
  input  wire [((SETS*WAYS > 1) ? $clog2(SETS*WAYS) : 1)-1:0] fill_place_i,
  // every line becomes invalid
  input  wire                                                  clear_i,
  // the line looked up two cycles ago is here and valid
  output wire                                                  hit_o,
  // it is here and reserved
  output wire                                                  pending_o,
  // the sectors of it that are here or on their way; 0 if it is not here
  output wire [SECTORS-1:0]                                    have_o,
  // it is not here, and every way of its set is reserved
  output wire                                                  full_o,
  // its place, or the place that a miss takes; 0 if full_o
  output wire [((SETS*WAYS > 1) ? $clog2(SETS*WAYS) : 1)-1:0] place_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                                  error_o
);
  localparam PLACE_W = (SETS * WAYS > 1) ? $clog2(SETS * WAYS) : 1;
  localparam SET_W   = (SETS > 1) ? $clog2(SETS) : 1;
  localparam NUM_W   = (WAYS > 1) ? $clog2(WAYS) : 1;
  localparam ORDER_W = (WAYS > 1) ? WAYS * (WAYS - 1) / 2 : 1;
  // With a power of two of sets the low bits of an address follow from set and tag.
  localparam SHIFT   = (1 << $clog2(SETS)) == SETS ? $clog2(SETS) : 0;
  localparam TAG_W   = (ADDR_W > SHIFT) ? ADDR_W - SHIFT : 1;
  localparam WAY_W   = SECTORS + TAG_W;
  localparam LINE_W  = 37;  // of every address, and of the bits that are XORed
  // A remainder costs as many bits as it has: of an address, or of what is XORed.
  localparam MOD_W   = (HASH != 0 || ADDR_W < 7) ? 7 : ADDR_W;
  localparam FILL_W  = PLACE_W + 1;
  localparam LINES   = SETS * WAYS;

  localparam [LINE_W-1:0] SETS_WIDE  = {30'd0, SETS[6:0]};
  localparam [MOD_W-1:0]  SET_COUNT  = SETS_WIDE[MOD_W-1:0];
  localparam [FILL_W-1:0] WAY_COUNT  = WAYS[FILL_W-1:0];
  localparam [FILL_W-1:0] LINE_COUNT = LINES[FILL_W-1:0];
  localparam [NUM_W-1:0]  LAST_WAY  = WAYS[NUM_W-1:0] - 1'b1;
  localparam [NUM_W-1:0]  WAY_ONE   = 1;
  localparam [WAYS-1:0]   BIT_ONE   = 1;
  localparam [WAYS-1:0]   NO_WAYS   = 0;

  localparam integer LRU   = 0;
  localparam integer FIFO  = 1;
  localparam integer FERMI = 2;

  generate
    if (SETS < 1 || SETS > 64) begin : gen_bad_sets
      ERROR_tags_SETS_must_be_1_to_64 u_error (); end
    if (WAYS < 1 || WAYS > 8) begin : gen_bad_ways
      ERROR_tags_WAYS_must_be_1_to_8 u_error (); end
    if (SECTORS < 1 || SECTORS > 32) begin : gen_bad_sectors
      ERROR_tags_SECTORS_must_be_1_to_32 u_error (); end
    if (ADDR_W < 1 || ADDR_W > 36) begin : gen_bad_addr_w
      ERROR_tags_ADDR_W_must_be_1_to_36 u_error (); end
    if (REPLACEMENT < 0 || REPLACEMENT > 2) begin : gen_bad_replacement
      ERROR_tags_REPLACEMENT_must_be_0_to_2 u_error (); end
    if (HASH < 0 || HASH > 1) begin : gen_bad_hash
      ERROR_tags_HASH_must_be_0_to_1 u_error (); end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_tags_PARITY_must_be_0_to_1 u_error (); end
  endgenerate

  (* mem2reg *) reg [WAYS-1:0]    valid_q [0:SETS-1];
  (* mem2reg *) reg [WAYS-1:0]    reserved_q [0:SETS-1];
  (* mem2reg *) reg [ORDER_W-1:0] order_q [0:SETS-1];
  (* mem2reg *) reg [0:0]         turn_q [0:SETS-1];
  (* mem2reg *) reg [NUM_W-1:0]   other_q [0:SETS-1];
  reg                  d_valid_q, a_valid_q, last_valid_q;
  reg [ADDR_W-1:0]     d_line_q, a_line_q, last_line_q;
  reg [WAYS-1:0]       a_match_q;
  reg [SECTORS-1:0]    a_have_q, last_sectors_q;
  reg [NUM_W-1:0]      last_way_q;
  reg [WAYS*WAY_W-1:0] read_q;
  reg [WAYS*WAY_W-1:0] tag_q [0:SETS-1];

  // Addresses as wide as the widest, so that every size has the bits that are XORed.
  wire [LINE_W-1:0] look_x = {{(LINE_W - ADDR_W) {1'b0}}, look_line_i};
  wire [LINE_W-1:0] d_x    = {{(LINE_W - ADDR_W) {1'b0}}, d_line_q};
  wire [LINE_W-1:0] a_x    = {{(LINE_W - ADDR_W) {1'b0}}, a_line_q};
  wire [LINE_W-1:0] last_x = {{(LINE_W - ADDR_W) {1'b0}}, last_line_q};

  function [MOD_W-1:0] set_of(input [MOD_W-1:0] low, input [4:0] upper);
    set_of = ((HASH == 0) ? low
              : {{(MOD_W - 6) {1'b0}}, (SETS > 32) && low[5], low[4:0] ^ upper}) % SET_COUNT;
  endfunction

  // Below SETS, so that the upper bits are 0. Of the wide addresses, not every size uses all bits.
  wire [MOD_W-1:0] look_s   = set_of(look_x[MOD_W-1:0], {look_x[12], look_x[10], look_x[8:6]});
  wire [MOD_W-1:0] d_s      = set_of(d_x[MOD_W-1:0], {d_x[12], d_x[10], d_x[8:6]});
  wire [MOD_W-1:0] a_s      = set_of(a_x[MOD_W-1:0], {a_x[12], a_x[10], a_x[8:6]});
  wire [MOD_W-1:0] last_s   = set_of(last_x[MOD_W-1:0], {last_x[12], last_x[10], last_x[8:6]});
  wire [SET_W-1:0] look_set = look_s[SET_W-1:0];
  wire [SET_W-1:0] d_set    = d_s[SET_W-1:0];
  wire [SET_W-1:0] a_set    = a_s[SET_W-1:0];
  wire [SET_W-1:0] last_set = last_s[SET_W-1:0];
  wire             unused_set_bits = &{1'b0, look_s[MOD_W-1:SET_W], d_s[MOD_W-1:SET_W],
                                       a_s[MOD_W-1:SET_W], last_s[MOD_W-1:SET_W],
                                       look_x, d_x, a_x, last_x};
  wire [TAG_W-1:0] d_tag    = d_x[SHIFT +: TAG_W];
  wire [TAG_W-1:0] a_tag    = a_x[SHIFT +: TAG_W];

  // Stage A: the line, or a victim. One bit names a way.
  wire [WAYS-1:0]    valid    = valid_q[a_set];
  wire [WAYS-1:0]    reserved = reserved_q[a_set];
  wire [ORDER_W-1:0] order    = order_q[a_set];
  wire               turn     = turn_q[a_set];
  wire [NUM_W-1:0]   other    = other_q[a_set];
  wire [WAYS-1:0]    hits     = a_match_q & valid;
  wire [WAYS-1:0]    pending  = a_match_q & reserved;
  wire [WAYS-1:0]    found    = hits | pending;
  wire [WAYS-1:0]    invalid  = ~(valid | reserved);
  wire [WAYS-1:0]    top;     // the highest invalid way
  wire [WAYS-1:0]    chosen;  // the valid way that the policy chooses
  wire [WAYS-1:0]    victim   = (invalid != NO_WAYS) ? top : chosen;
  wire [WAYS-1:0]    way      = (found != NO_WAYS) ? found : victim;
  wire [NUM_W-1:0]   number;
  wire               any_way;
  one_hot_encoder #(.WIDTH(WAYS)) u_way (
    .one_hot_i(way), .any_o(any_way), .index_o(number)
  );
  wire [31:0] place = a_set * WAYS + {{(32 - NUM_W) {1'b0}}, number};
  wire        unused_place_bits = &{1'b0, place[31:PLACE_W]};

  assign hit_o     = a_valid_q && hits != NO_WAYS;
  assign pending_o = a_valid_q && pending != NO_WAYS;
  assign have_o    = (hit_o || pending_o) ? a_have_q : {SECTORS{1'b0}};
  assign full_o    = a_valid_q && !any_way;
  assign place_o   = (a_valid_q && any_way) ? place[PLACE_W-1:0] : {PLACE_W{1'b0}};

  // Order and turn: what they choose, and what they are once `way` is the newest, or replaced.
  wire [ORDER_W-1:0] order_new;
  wire               turn_new;
  wire [NUM_W-1:0]   other_new;
  genvar g, h;
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_top
      if (g == WAYS - 1) begin : gen_last
        assign top[g] = invalid[g];
      end else begin : gen_below
        assign top[g] = invalid[g] && invalid[WAYS-1:g+1] == 0;
      end
    end
    if (REPLACEMENT == FERMI) begin : gen_fermi
      wire [WAYS-1:0] special = BIT_ONE << 1;  // no way at all, if there is only one
      wire [WAYS-1:0] others  = valid & ~special;
      wire [WAYS-1:0] above   = others & ({WAYS{1'b1}} << other);
      wire [WAYS-1:0] from    = (above != NO_WAYS) ? above : others;
      wire            first   = (valid & special) != NO_WAYS && !turn;
      assign chosen = (first || others == NO_WAYS) ? valid & special : from & (~from + BIT_ONE);
      assign turn_new  = !turn;
      assign other_new = ((way & special) != NO_WAYS) ? other
                       : (number == LAST_WAY) ? {NUM_W{1'b0}} : number + WAY_ONE;
      assign order_new = {ORDER_W{1'b0}};
      wire unused_order = &{1'b0, order};
    end else begin : gen_order
      for (g = 0; g < WAYS; g = g + 1) begin : gen_oldest
        wire [WAYS-1:0] newer;  // ways that are newer than this one
        for (h = 0; h < WAYS; h = h + 1) begin : gen_newer
          if (h < g) begin : gen_lower
            assign newer[h] = order[g*(g-1)/2+h];
          end else if (h > g) begin : gen_higher
            assign newer[h] = !order[h*(h-1)/2+g];
          end else begin : gen_same
            assign newer[h] = 1'b1;
          end
        end
        assign chosen[g] = valid[g] && (valid & ~newer) == NO_WAYS;
      end
      if (WAYS == 1) begin : gen_one
        assign order_new = order;
      end
      for (h = 1; h < WAYS; h = h + 1) begin : gen_row
        for (g = 0; g < h; g = g + 1) begin : gen_pair
          assign order_new[h*(h-1)/2+g] = way[g] || (order[h*(h-1)/2+g] && !way[h]);
        end
      end
      assign turn_new  = 1'b0;
      assign other_new = {NUM_W{1'b0}};
      wire unused_turn = &{1'b0, turn, other, LAST_WAY, WAY_ONE, BIT_ONE};
    end
  endgenerate

  // The decision.
  wire touch    = touch_i && hit_o;
  wire evict    = evict_i && hit_o;
  wire reserve  = reserve_i && a_valid_q && !pending_o && any_way;
  wire newest   = (REPLACEMENT == LRU) ? touch || reserve
                : (REPLACEMENT == FIFO) ? reserve && !hit_o : 1'b0;
  wire replaced = (REPLACEMENT == FERMI) && reserve && !hit_o && (way & valid) != NO_WAYS;

  // A fill names its place. Sets and ways are parts of the number, or quotient and remainder.
  wire [FILL_W-1:0] fill_at   = {1'b0, fill_place_i};
  wire [FILL_W-1:0] fill_s    = fill_at / WAY_COUNT;
  wire [FILL_W-1:0] fill_w    = fill_at % WAY_COUNT;
  wire              fill_is   = fill_at < LINE_COUNT;
  wire [SET_W-1:0]  fill_set  = fill_is ? fill_s[SET_W-1:0] : {SET_W{1'b0}};
  wire [WAYS-1:0]   fill_bit  = BIT_ONE << fill_w[NUM_W-1:0];
  wire              unused_fill_bits = &{1'b0, fill_s, fill_w};
  wire              fill      = fill_valid_i && fill_is
                             && (reserved_q[fill_set] & fill_bit) != NO_WAYS;
  wire              fill_same = fill_set == a_set;

  // The words of the set in stage A, and of the set of the fill, which may be the same.
  wire [WAYS-1:0] valid_a    = (evict || reserve) ? valid & ~way : valid;
  wire [WAYS-1:0] reserved_a = reserve ? reserved | way : reserved;
  wire [WAYS-1:0] valid_f    = (fill_same ? valid_a : valid_q[fill_set]) | fill_bit;
  wire [WAYS-1:0] reserved_f = (fill_same ? reserved_a : reserved_q[fill_set]) & ~fill_bit;

  // Later assignments win: a fill of the same set builds on the decision, a clear has no exception.
  integer s;
  always @(posedge clk_i) begin
    if (srst_ni) begin
      if (evict || reserve) begin
        valid_q[a_set]    <= valid_a;
        reserved_q[a_set] <= reserved_a;
      end
      if (fill) begin
        valid_q[fill_set]    <= valid_f;
        reserved_q[fill_set] <= reserved_f;
      end
      if (newest) order_q[a_set] <= order_new;
      if (replaced) begin
        turn_q[a_set]  <= turn_new;
        other_q[a_set] <= other_new;
      end
    end
    for (s = 0; s < SETS; s = s + 1) begin
      if (!srst_ni || clear_i) begin
        valid_q[s]    <= NO_WAYS;
        reserved_q[s] <= NO_WAYS;
      end
      if (!srst_ni) begin
        order_q[s] <= {ORDER_W{1'b0}};
        turn_q[s]  <= 1'b0;
        other_q[s] <= {NUM_W{1'b0}};
      end
    end
  end

  // Stage D: every way is compared with the tag that was read, and beside it with the decisions that
  // the reading has not seen. The one of this cycle is late: it selects at the end.
  wire [WAYS-1:0] d_used     = valid_q[d_set] | reserved_q[d_set];
  wire            last_here  = last_valid_q && last_set == d_set;
  wire            last_same  = last_line_q == d_line_q;
  wire            now_here   = a_set == d_set;
  wire            now_same   = a_line_q == d_line_q;
  wire [WAYS-1:0] match, last_is;   // last_is: the way was written when it was read
  wire [SECTORS-1:0] have_d;
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      wire [TAG_W-1:0]   tag     = read_q[g*WAY_W +: TAG_W];
      wire [SECTORS-1:0] sectors = read_q[g*WAY_W+TAG_W +: SECTORS];
      wire               now     = reserve && now_here && way[g];
      wire               old     = d_used[g] && (last_is[g] ? last_same : tag == d_tag);
      wire [SECTORS-1:0] old_has = last_is[g] ? last_sectors_q : sectors;
      wire [SECTORS-1:0] own     = (now ? reserve_sectors_i : old_has) & {SECTORS{match[g]}};
      wire [SECTORS-1:0] have;   // of this way and those below it
      assign last_is[g] = last_here && last_way_q == g;
      assign match[g]   = now ? now_same : old;
      if (g == 0) begin : gen_first
        assign have = own;
      end else begin : gen_next
        assign have = gen_way[g-1].have | own;
      end
      if (g == WAYS - 1) begin : gen_all
        assign have_d = have;
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    if (!srst_ni) begin
      d_valid_q    <= 1'b0;
      a_valid_q    <= 1'b0;
      last_valid_q <= 1'b0;
    end else begin
      d_valid_q    <= look_valid_i;
      a_valid_q    <= d_valid_q;
      last_valid_q <= reserve;
      if (look_valid_i) d_line_q <= look_line_i;
      if (d_valid_q) begin
        a_line_q  <= d_line_q;
        a_match_q <= match;
        a_have_q  <= have_d;
      end
      if (reserve) begin
        last_line_q    <= a_line_q;
        last_way_q     <= number;
        last_sectors_q <= reserve_sectors_i;
      end
    end
  end

  // The memory: a row is read at the edge, one way of a row is written. A row that is written at the
  // same edge is read as it was.
  integer w;
  always @(posedge clk_i) begin
    if (srst_ni && look_valid_i) read_q <= tag_q[look_set];
    for (w = 0; w < WAYS; w = w + 1)
      if (srst_ni && reserve && way[w])
        tag_q[a_set][w*WAY_W +: WAY_W] <= {reserve_sectors_i, a_tag};
  end

  // Parity: a bit for the registers of each set and of each stage, and one for each way of a row.
  // What this cycle relies on must fit its bit.
  generate
    if (PARITY != 0) begin : gen_parity
      reg             flow_par_q, d_par_q, a_par_q, last_par_q;
      reg [SETS-1:0]  set_par_q;
      reg [WAYS-1:0]  read_par_q;
      reg [WAYS-1:0]  tag_par_q [0:SETS-1];
      wire [SETS-1:0] set_now, turns_now;
      wire [WAYS-1:0] read_now;
      wire            written = (^reserve_sectors_i) ^ (^a_tag);
      // Of the set in stage A, and of the set of the fill: what no fill changes.
      wire            turns_a = (^(newest ? order_new : order)) ^ (replaced ? turn_new : turn)
                              ^ (^(replaced ? other_new : other));
      wire            turns_f = fill_same ? turns_a : turns_now[fill_set];
      for (g = 0; g < SETS; g = g + 1) begin : gen_set_now
        assign turns_now[g] = (^order_q[g]) ^ turn_q[g] ^ (^other_q[g]);
        assign set_now[g]   = (^valid_q[g]) ^ (^reserved_q[g]) ^ turns_now[g];
      end
      for (g = 0; g < WAYS; g = g + 1) begin : gen_read_now
        assign read_now[g] = ^read_q[g*WAY_W +: WAY_W];
      end

      always @(posedge clk_i) begin
        if (!srst_ni) begin
          flow_par_q <= 1'b0;
          set_par_q  <= {SETS{1'b0}};
        end else begin
          flow_par_q <= look_valid_i ^ d_valid_q ^ reserve;
          if (clear_i) set_par_q <= turns_now;
          if (newest || replaced || evict || reserve)
            set_par_q[a_set] <= turns_a ^ (!clear_i && ((^valid_a) ^ (^reserved_a)));
          if (fill && !clear_i) set_par_q[fill_set] <= turns_f ^ (^valid_f) ^ (^reserved_f);
        end
        if (srst_ni && look_valid_i) begin
          d_par_q    <= ^look_line_i;
          read_par_q <= tag_par_q[look_set];
        end
        if (srst_ni && d_valid_q) a_par_q <= (^d_line_q) ^ (^match) ^ (^have_d);
        if (srst_ni && reserve) last_par_q <= (^a_line_q) ^ (^number) ^ (^reserve_sectors_i);
      end
      integer k;
      always @(posedge clk_i)
        for (k = 0; k < WAYS; k = k + 1)
          if (srst_ni && reserve && way[k]) tag_par_q[a_set][k] <= written;

      wire bad_read = ((read_now ^ read_par_q) & d_used & ~last_is) != NO_WAYS;
      assign error_o = set_now != set_par_q
                    || flow_par_q != (d_valid_q ^ a_valid_q ^ last_valid_q)
                    || (d_valid_q && (bad_read || d_par_q != ^d_line_q))
                    || (a_valid_q && a_par_q != ((^a_line_q) ^ (^a_match_q) ^ (^a_have_q)))
                    || (last_valid_q
                        && last_par_q != ((^last_line_q) ^ (^last_way_q) ^ (^last_sectors_q)));
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these, and hardware powers up with anything in them: 0 here, as in the C
  // model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer i;
    for (i = 0; i < SETS; i = i + 1) tag_q[i] = {(WAYS * WAY_W) {1'b0}};
    read_q         = {(WAYS * WAY_W) {1'b0}};
    d_line_q       = {ADDR_W{1'b0}};
    a_line_q       = {ADDR_W{1'b0}};
    a_match_q      = NO_WAYS;
    a_have_q       = {SECTORS{1'b0}};
    last_line_q    = {ADDR_W{1'b0}};
    last_way_q     = {NUM_W{1'b0}};
    last_sectors_q = {SECTORS{1'b0}};
  end
`endif
endmodule
`default_nettype wire
