// SPDX-License-Identifier: Apache-2.0
// coalescer - lanes of a warp memory instruction that access the same line share a request.
// C twin: cmodel/coalescer.c   Page: docs/modules/coalescer.md
// Timing: a request a cycle, with ORDER 1 one in two cycles; requests are in a register. The
// longest path finds the leading place, compares every lane with it, and says whether lanes are
// left: so in_ready_o is late. It follows out_ready_i within the cycle.
`default_nettype none
module coalescer #(
  // lanes of a warp
  parameter integer LANES   = 32,
  // words of 4 bytes in a line
  parameter integer WORDS   = 32,
  // sectors of a line
  parameter integer SECTORS = 4,
  // bits of a line address
  parameter integer ADDR_W  = 25,
  // bits that go with an instruction
  parameter integer INFO_W  = 23,
  // 0 the request of the lowest lane first, 1 descending addresses: two cycles for a request
  parameter integer ORDER   = 0,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY  = 0
) (
  // clock
  input  wire                                               clk_i,
  // synchronous reset, active low
  input  wire                                               srst_ni,
  // an instruction is offered; it need not hold until in_ready_o
  input  wire                                               in_valid_i,
  // its lanes; 0: it is taken and makes no request
  input  wire [LANES-1:0]                                   in_mask_i,
  // line address of each lane, lane 0 lowest
  input  wire [LANES*ADDR_W-1:0]                            in_line_i,
  // word of each lane in its line, lane 0 lowest
  input  wire [LANES*((WORDS > 1) ? $clog2(WORDS) : 1)-1:0] in_word_i,
  // lanes share a request if they are in the same line (0), half (1), quarter (2, 3)
  input  wire [1:0]                                         in_split_i,
  // what goes with it
  input  wire [INFO_W-1:0]                                  in_info_i,
  // the request on out_* is taken in this cycle
  input  wire                                               out_ready_i,
  // an instruction would be taken in this cycle; it may fall while out_ready_i falls
  output wire                                               in_ready_o,
  // a request is offered; it holds until out_ready_i
  output wire                                               out_valid_o,
  // its line address; 0 while out_valid_o is 0
  output wire [ADDR_W-1:0]                                  out_line_o,
  // bit s: a lane of it is in sector s of the line; 0 while out_valid_o is 0
  output wire [SECTORS-1:0]                                 out_sectors_o,
  // the lanes that it serves; 0 while out_valid_o is 0
  output wire [LANES-1:0]                                   out_lanes_o,
  // its number among the requests of its instruction, from 0 on; 0 while out_valid_o is 0
  output wire [((LANES > 1) ? $clog2(LANES) : 1)-1:0]       out_number_o,
  // it is the first of its instruction; 0 while out_valid_o is 0
  output wire                                               out_first_o,
  // it is the last of its instruction; 0 while out_valid_o is 0
  output wire                                               out_last_o,
  // what goes with the instruction; 0 while out_valid_o is 0
  output wire [INFO_W-1:0]                                  out_info_o,
  // no instruction is under way, and no request is offered
  output wire                                               idle_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                               error_o
);
  localparam WORD_W   = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam NUMBER_W = (LANES > 1) ? $clog2(LANES) : 1;
  localparam PART_W   = (WORD_W > 1) ? 2 : 1;  // bits of a word's number in a place
  localparam PLACE_W  = ADDR_W + PART_W;
  localparam QUARTER  = (LANES + 3) / 4;       // lanes of a quarter
  localparam SCALED_W = WORD_W + 6;

  generate
    if (LANES < 1 || LANES > 32) begin : gen_bad_lanes
      ERROR_coalescer_LANES_must_be_1_to_32 u_error ();
    end
    if (WORDS < 1 || WORDS > 32) begin : gen_bad_words
      ERROR_coalescer_WORDS_must_be_1_to_32 u_error ();
    end
    if (SECTORS < 1 || SECTORS > 32) begin : gen_bad_sectors
      ERROR_coalescer_SECTORS_must_be_1_to_32 u_error ();
    end
    if (ADDR_W < 1 || ADDR_W > 36) begin : gen_bad_addr_w
      ERROR_coalescer_ADDR_W_must_be_1_to_36 u_error ();
    end
    if (INFO_W < 1 || INFO_W > 64) begin : gen_bad_info_w
      ERROR_coalescer_INFO_W_must_be_1_to_64 u_error ();
    end
    if (ORDER < 0 || ORDER > 1) begin : gen_bad_order
      ERROR_coalescer_ORDER_must_be_0_to_1 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_coalescer_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  // The first stage.
  reg [LANES-1:0]    left_q;
  reg [1:0]          split_q;
  reg [INFO_W-1:0]   info_q;
  reg [NUMBER_W-1:0] number_q;
  reg                found_q;
  (* mem2reg *) reg [ADDR_W-1:0]  line_q [0:LANES-1];
  (* mem2reg *) reg [WORD_W-1:0]  word_q [0:LANES-1];
  (* mem2reg *) reg [PLACE_W-1:0] best_q [0:3];

  // The output register.
  reg                out_valid_q;
  reg [ADDR_W-1:0]   out_line_q;
  reg [SECTORS-1:0]  out_sectors_q;
  reg [LANES-1:0]    out_lanes_q;
  reg [NUMBER_W-1:0] out_number_q;
  reg                out_last_q;
  reg [INFO_W-1:0]   out_info_q;

  assign out_valid_o   = out_valid_q;
  assign out_line_o    = out_line_q & {ADDR_W{out_valid_q}};
  assign out_sectors_o = out_sectors_q & {SECTORS{out_valid_q}};
  assign out_lanes_o   = out_lanes_q & {LANES{out_valid_q}};
  assign out_number_o  = out_number_q & {NUMBER_W{out_valid_q}};
  assign out_first_o   = out_valid_q && (out_number_q == {NUMBER_W{1'b0}});
  assign out_last_o    = out_valid_q && out_last_q;
  assign out_info_o    = out_info_q & {INFO_W{out_valid_q}};

  // Each lane: its place, and its sector in a bit of its own.
  wire [PART_W-1:0]        part_mask;
  wire [LANES*PLACE_W-1:0] place;
  wire [LANES*SECTORS-1:0] touches;  // of sector s: LANES bits from s * LANES on
  genvar g, s, l, n;
  generate
    if (PART_W == 2) begin : gen_quarters
      assign part_mask = {split_q != 2'd0, split_q[1]};
    end else begin : gen_halves
      assign part_mask = split_q != 2'd0;
    end
    for (g = 0; g < LANES; g = g + 1) begin : gen_lane
      wire [WORD_W-1:0]   word   = word_q[g];
      wire [SCALED_W-1:0] sector = ({6'd0, word} * SECTORS[SCALED_W-1:0]) >> WORD_W;
      assign place[g*PLACE_W+:PLACE_W] = {line_q[g], word[WORD_W-1-:PART_W] & part_mask};
      for (s = 0; s < SECTORS; s = s + 1) begin : gen_sector
        localparam integer SECTOR = s;
        assign touches[s*LANES+g] = sector == SECTOR[SCALED_W-1:0];
      end
    end
  endgenerate

  // The leading place.
  wire [PLACE_W-1:0] lead;
  wire [4*PLACE_W-1:0] best;  // of each quarter
  wire               found;
  localparam LEAVES         = (LANES > 0) ? LANES : 1;  // an illegal 0 is refused above
  localparam LEVELS         = (LANES > 1) ? $clog2(LANES) : 0;
  localparam QUARTER_LEVELS = (QUARTER > 1) ? $clog2(QUARTER) : 0;
  generate
    if (ORDER == 0) begin : gen_lowest
      // Level l has ceil(LANES / 2^l) nodes: the place of the lowest lane left below the node, if
      // there is one.
      for (l = 0; l <= LEVELS; l = l + 1) begin : gen_level
        localparam NODES = (LEAVES + (1 << l) - 1) >> l;
        localparam BELOW = (2 * LANES + (1 << l) - 1) >> l;
        for (n = 0; n < NODES; n = n + 1) begin : gen_node
          wire               some;
          wire [PLACE_W-1:0] first;
          if (l == 0) begin : gen_leaf
            assign some  = left_q[n];
            assign first = place[n*PLACE_W+:PLACE_W];
          end else if (2 * n + 1 < BELOW) begin : gen_pair
            assign some  = gen_level[l-1].gen_node[2*n].some || gen_level[l-1].gen_node[2*n+1].some;
            assign first = gen_level[l-1].gen_node[2*n].some ? gen_level[l-1].gen_node[2*n].first
                                                             : gen_level[l-1].gen_node[2*n+1].first;
          end else begin : gen_odd
            assign some  = gen_level[l-1].gen_node[2*n].some;
            assign first = gen_level[l-1].gen_node[2*n].first;
          end
        end
      end
      wire unused_best = &{1'b0, best_q[0], best_q[1], best_q[2], best_q[3]};
      assign lead  = gen_level[LEVELS].gen_node[0].first;
      assign best  = {(4 * PLACE_W) {1'b0}};
      assign found = gen_level[LEVELS].gen_node[0].some;
    end else begin : gen_highest
      // In each quarter a tree as above, of the highest place; that of a lane without request left
      // counts as 0.
      for (g = 0; g < 4; g = g + 1) begin : gen_quarter
        localparam FIRST = g * QUARTER;
        localparam AFTER = (FIRST < LANES) ? LANES - FIRST : 0;
        localparam COUNT = (AFTER < QUARTER) ? AFTER : QUARTER;
        if (COUNT == 0) begin : gen_none
          assign best[g*PLACE_W+:PLACE_W] = {PLACE_W{1'b0}};
        end else begin : gen_some
          for (l = 0; l <= QUARTER_LEVELS; l = l + 1) begin : gen_level
            localparam NODES = (COUNT + (1 << l) - 1) >> l;
            localparam BELOW = (2 * COUNT + (1 << l) - 1) >> l;
            for (n = 0; n < NODES; n = n + 1) begin : gen_node
              wire [PLACE_W-1:0] high;
              if (l == 0) begin : gen_leaf
                assign high = place[(FIRST+n)*PLACE_W+:PLACE_W] & {PLACE_W{left_q[FIRST+n]}};
              end else if (2 * n + 1 < BELOW) begin : gen_pair
                wire right = gen_level[l-1].gen_node[2*n+1].high
                           > gen_level[l-1].gen_node[2*n].high;
                assign high = right ? gen_level[l-1].gen_node[2*n+1].high
                                    : gen_level[l-1].gen_node[2*n].high;
              end else begin : gen_odd
                assign high = gen_level[l-1].gen_node[2*n].high;
              end
            end
          end
          assign best[g*PLACE_W+:PLACE_W] = gen_level[QUARTER_LEVELS].gen_node[0].high;
        end
      end
      wire [PLACE_W-1:0] lower = (best_q[1] > best_q[0]) ? best_q[1] : best_q[0];
      wire [PLACE_W-1:0] upper = (best_q[3] > best_q[2]) ? best_q[3] : best_q[2];
      assign lead  = (upper > lower) ? upper : lower;
      assign found = found_q && (left_q != {LANES{1'b0}});
    end
  endgenerate

  // The lanes that have the leading place.
  wire [LANES-1:0]   match;
  wire [SECTORS-1:0] sectors;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_match
      assign match[g] = place[g*PLACE_W+:PLACE_W] == lead;
    end
    for (s = 0; s < SECTORS; s = s + 1) begin : gen_sectors
      assign sectors[s] = |(left_q & touches[s*LANES+:LANES] & match);
    end
  endgenerate

  wire leaves = found && (!out_valid_q || out_ready_i);
  wire last   = (left_q & ~match) == {LANES{1'b0}};
  wire take   = in_valid_i && in_ready_o;
  wire search = ORDER != 0 && !found_q && (left_q != {LANES{1'b0}});
  assign in_ready_o = (left_q == {LANES{1'b0}}) || (leaves && last);
  assign idle_o     = (left_q == {LANES{1'b0}}) && !out_valid_q;

  wire [LANES-1:0]    left_d      = take ? in_mask_i : left_q & ~(match & {LANES{leaves}});
  wire [NUMBER_W-1:0] number_d    = number_q + 1'b1;
  wire                found_d     = search || (found_q && !leaves);
  wire                out_valid_d = leaves || (out_valid_q && !out_ready_i);
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      left_q      <= {LANES{1'b0}};
      found_q     <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      left_q      <= left_d;
      found_q     <= found_d;
      out_valid_q <= out_valid_d;
    end
  end

  integer i;
  always @(posedge clk_i) begin
    if (srst_ni) begin
      if (take) begin
        split_q  <= in_split_i;
        info_q   <= in_info_i;
        number_q <= {NUMBER_W{1'b0}};
        for (i = 0; i < LANES; i = i + 1) begin
          line_q[i] <= in_line_i[i*ADDR_W+:ADDR_W];
          word_q[i] <= in_word_i[i*WORD_W+:WORD_W];
        end
      end else if (leaves) number_q <= number_d;
      if (leaves) begin
        out_line_q    <= lead[PLACE_W-1:PART_W];
        out_sectors_q <= sectors;
        out_lanes_q   <= left_q & match;
        out_number_q  <= number_q;
        out_last_q    <= last;
        out_info_q    <= info_q;
      end
    end
  end

  // Without ORDER nothing is searched: best_q is always 0, so that it needs no flip-flop.
  integer b;
  always @(posedge clk_i)
    for (b = 0; b < 4; b = b + 1)
      if (ORDER == 0 || (srst_ni && search)) best_q[b] <= best[b*PLACE_W+:PLACE_W];

  // Parity: bits that are written with what they belong to.
  generate
    if (PARITY != 0) begin : gen_parity
      reg  [2:0]       state_par_q, first_par_q;
      reg  [LANES-1:0] lane_par_q;
      reg  [3:0]       best_par_q;
      reg  [4:0]       out_par_q;
      wire [LANES-1:0] lane_now, lane_d;
      wire [3:0]       best_now, best_d;
      for (g = 0; g < LANES; g = g + 1) begin : gen_lane
        assign lane_now[g] = ^{line_q[g], word_q[g]};
        assign lane_d[g]   = ^{in_line_i[g*ADDR_W+:ADDR_W], in_word_i[g*WORD_W+:WORD_W]};
      end
      for (g = 0; g < 4; g = g + 1) begin : gen_best
        assign best_now[g] = ^best_q[g];
        assign best_d[g]   = ^best[g*PLACE_W+:PLACE_W];
      end
      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? {out_valid_d, found_d, ^left_d} : 3'd0;
        if (srst_ni) begin
          if (take) begin
            first_par_q <= {1'b0, ^in_info_i, ^in_split_i};
            lane_par_q  <= lane_d;
          end else if (leaves) first_par_q[2] <= ^number_d;
          if (search) best_par_q <= best_d;
          if (leaves)
            out_par_q <= {^info_q, ^{number_q, last}, ^(left_q & match), ^sectors,
                          ^lead[PLACE_W-1:PART_W]};
        end
      end
      assign error_o = (state_par_q != {out_valid_q, found_q, ^left_q})
                    || ((left_q != {LANES{1'b0}})
                        && (first_par_q != {^number_q, ^info_q, ^split_q}))
                    || ((left_q & (lane_par_q ^ lane_now)) != {LANES{1'b0}})
                    || (found_q && (best_par_q != best_now))
                    || (out_valid_q && (out_par_q != {^out_info_q, ^{out_number_q, out_last_q},
                                                      ^out_lanes_q, ^out_sectors_q, ^out_line_q}));
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these registers, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    split_q  = 2'd0;
    info_q   = {INFO_W{1'b0}};
    number_q = {NUMBER_W{1'b0}};
    for (w = 0; w < LANES; w = w + 1) begin
      line_q[w] = {ADDR_W{1'b0}};
      word_q[w] = {WORD_W{1'b0}};
    end
    for (w = 0; w < 4; w = w + 1) best_q[w] = {PLACE_W{1'b0}};
    out_line_q    = {ADDR_W{1'b0}};
    out_sectors_q = {SECTORS{1'b0}};
    out_lanes_q   = {LANES{1'b0}};
    out_number_q  = {NUMBER_W{1'b0}};
    out_last_q    = 1'b0;
    out_info_q    = {INFO_W{1'b0}};
  end
`endif
endmodule
`default_nettype wire
