// SPDX-License-Identifier: Apache-2.0
// Properties of coalescer, told for any two lanes f_a and f_b. The shadow follows from the ports
// alone: the instruction in the first stage, and the one before it while its last request is still
// offered. Labels with inv_ speak of the registers. Nothing is taken for granted of inputs.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

(* anyconst *) wire [NUMBER_W-1:0] f_a;
(* anyconst *) wire [NUMBER_W-1:0] f_b;

wire f_take  = in_valid_i && in_ready_o;
wire f_leave = out_valid_o && out_ready_i;

// f_pend: lanes of the instruction in no request before the one that is offered. f_old: the offered
// request is one of the instruction before.
reg  [LANES-1:0]        f_pend, f_old_pend;
reg  [LANES*ADDR_W-1:0] f_line, f_old_line;
reg  [LANES*WORD_W-1:0] f_word, f_old_word;
reg  [1:0]              f_split, f_old_split;
reg  [INFO_W-1:0]       f_info, f_old_info;
reg  [NUMBER_W-1:0]     f_count, f_old_count;
reg                     f_old;
wire                    f_show  = out_valid_o && !f_old;
wire [LANES-1:0]        f_rest  = f_show ? f_pend & ~out_lanes_o : f_pend;
wire                    f_waits = out_valid_o && !out_ready_i;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_pend <= 0;
    f_old  <= 1'b0;
  end else begin
    if (f_take) begin
      f_pend  <= in_mask_i;
      f_line  <= in_line_i;
      f_word  <= in_word_i;
      f_split <= in_split_i;
      f_info  <= in_info_i;
      f_count <= 0;
    end else if (f_show && out_ready_i) begin
      f_pend  <= f_rest;
      f_count <= f_count + 1'b1;
    end
    if (!f_take) f_old <= f_old && !out_ready_i;
    else if (!(f_old && f_waits)) begin
      f_old       <= f_rest != 0 || f_waits;
      f_old_pend  <= f_waits ? f_pend : f_rest;
      f_old_line  <= f_line;
      f_old_word  <= f_word;
      f_old_split <= f_split;
      f_old_info  <= f_info;
      f_old_count <= f_waits || !f_show ? f_count : f_count + 1'b1;
    end
  end
end

// The instruction of the offered request. It has no more requests than lanes, so f_nth cannot wrap.
wire [LANES-1:0]        f_mine  = f_old ? f_old_pend : f_pend;
wire [LANES*ADDR_W-1:0] f_lines = f_old ? f_old_line : f_line;
wire [LANES*WORD_W-1:0] f_words = f_old ? f_old_word : f_word;
wire [1:0]              f_apart = f_old ? f_old_split : f_split;
wire [INFO_W-1:0]       f_what  = f_old ? f_old_info : f_info;
wire [NUMBER_W-1:0]     f_nth   = f_old ? f_old_count : f_count;

// The part of the line is the word's number without its low bits: no bit, one or two are left.
function [PLACE_W-1:0] f_part(input [WORD_W-1:0] word, input [1:0] split);
  f_part = split == 0                ? 0
         : split == 1 || WORD_W == 1 ? word >> (WORD_W - 1)
                                     : word >> (WORD_W - PART_W);
endfunction
wire [ADDR_W-1:0] f_line_a = f_lines[f_a*ADDR_W+:ADDR_W], f_line_b = f_lines[f_b*ADDR_W+:ADDR_W];
wire [WORD_W-1:0] f_word_a = f_words[f_a*WORD_W+:WORD_W], f_word_b = f_words[f_b*WORD_W+:WORD_W];
wire [PLACE_W-1:0] f_part_a = f_part(f_word_a, f_apart), f_part_b = f_part(f_word_b, f_apart);
wire f_same  = f_line_a == f_line_b && f_part_a == f_part_b;
wire f_above = f_line_a > f_line_b || (f_line_a == f_line_b && f_part_a > f_part_b);

// The sectors of the request, lane by lane.
integer           f_i;
reg [SECTORS-1:0] f_touched;
reg               f_lowest;  // it serves the lowest lane that was left
always @* begin
  f_touched = 0;
  f_lowest  = 1'b0;
  for (f_i = LANES - 1; f_i >= 0; f_i = f_i - 1) begin
    if (out_lanes_o[f_i]) f_touched[(f_words[f_i*WORD_W+:WORD_W]*SECTORS)/(1<<WORD_W)] = 1'b1;
    if (f_mine[f_i]) f_lowest = out_lanes_o[f_i];
  end
end

// What was offered in the cycle before and not taken; what could have left the first stage.
reg                f_stalled, f_due, f_ripe;
reg [ADDR_W-1:0]   f_was_line;
reg [SECTORS-1:0]  f_was_sectors;
reg [LANES-1:0]    f_was_lanes;
reg [NUMBER_W-1:0] f_was_number;
reg                f_was_first, f_was_last;
reg [INFO_W-1:0]   f_was_info;
// ORDER 1: a cycle for the search, after an instruction was taken and after each request.
wire f_searched = ORDER == 0 || f_ripe;
always @(posedge clk_i) begin
  f_stalled     <= srst_ni && f_waits;
  f_due         <= srst_ni && f_rest != 0 && !f_waits && f_searched;
  f_ripe        <= srst_ni && f_rest != 0 && !(f_searched && !f_waits);
  f_was_line    <= out_line_o;
  f_was_sectors <= out_sectors_o;
  f_was_lanes   <= out_lanes_o;
  f_was_number  <= out_number_o;
  f_was_first   <= out_first_o;
  f_was_last    <= out_last_o;
  f_was_info    <= out_info_o;
end

// The registers and the shadow, lane by lane; the result of the search, quarter by quarter.
reg       f_lanes_fit, f_high_fits;
reg [3:0] f_some, f_found;  // the quarter has a lane left; its result is the place of one
always @* begin
  f_lanes_fit = 1'b1;
  f_high_fits = 1'b1;
  f_some      = 4'd0;
  f_found     = 4'd0;
  for (f_i = 0; f_i < LANES; f_i = f_i + 1) if (left_q[f_i]) begin
    if (line_q[f_i] != f_line[f_i*ADDR_W+:ADDR_W] || word_q[f_i] != f_word[f_i*WORD_W+:WORD_W])
      f_lanes_fit = 1'b0;
    if (place[f_i*PLACE_W+:PLACE_W] > best_q[f_i/QUARTER]) f_high_fits = 1'b0;
    f_some[f_i/QUARTER] = 1'b1;
    if (place[f_i*PLACE_W+:PLACE_W] == best_q[f_i/QUARTER]) f_found[f_i/QUARTER] = 1'b1;
  end
  for (f_i = 0; f_i < 4; f_i = f_i + 1) if (!f_some[f_i] && best_q[f_i] == 0) f_found[f_i] = 1'b1;
end
always @* if (f_live) begin
  inv_left: assert (left_q == f_rest && (!f_old || out_valid_q));
  inv_lanes: assert (f_lanes_fit);
  inv_first: assert (left_q == 0 || (split_q == f_split && info_q == f_info &&
                                     number_q == (f_show ? f_count + 1'b1 : f_count)));
  inv_found: assert (ORDER == 0 ? !found_q : found_q == f_ripe && (!found_q || left_q != 0));
  inv_best: assert (!found_q || ((&f_found) && f_high_fits));
end
always @* if (f_live && f_a < LANES && f_b < LANES) begin
  same_place_shares: assert (!out_valid_o || !f_mine[f_a] || !f_mine[f_b] || !f_same ||
                             out_lanes_o[f_a] == out_lanes_o[f_b]);
  shares_only_a_place: assert (!out_lanes_o[f_a] || !out_lanes_o[f_b] || f_same);
  line_of_its_lanes: assert (!out_lanes_o[f_a] || out_line_o == f_line_a);
  highest_place_first: assert (ORDER == 0 || !out_lanes_o[f_a] || !f_mine[f_b] ||
                               out_lanes_o[f_b] || f_above);
end
always @* if (f_live) begin
  serves_lanes_once: assert (!out_valid_o || (out_lanes_o != 0 && (out_lanes_o & ~f_mine) == 0));
  last_iff_all_served: assert (!out_valid_o || out_last_o == ((f_mine & ~out_lanes_o) == 0));
  nothing_is_lost: assert (!f_old || out_last_o);
  sectors_of_its_lanes: assert (!out_valid_o || out_sectors_o == f_touched);
  lowest_lane_first: assert (ORDER != 0 || !out_valid_o || f_lowest);
  counts_its_requests: assert (!out_valid_o || out_number_o == f_nth);
  first_iff_number_0: assert (out_first_o == (out_valid_o && out_number_o == 0));
  info_of_its_instruction: assert (!out_valid_o || out_info_o == f_what);
  zero_without_request: assert (out_valid_o || (out_line_o == 0 && out_sectors_o == 0 &&
                                                out_lanes_o == 0 && out_number_o == 0 &&
                                                !out_last_o && out_info_o == 0));
  offers_what_is_due: assert (!f_due || out_valid_o);
  takes_if_free: assert (f_rest != 0 || in_ready_o);
  waits_for_the_output: assert (f_rest == 0 || !f_waits || !in_ready_o);
  idle_iff_nothing: assert (idle_o == (f_rest == 0 && !out_valid_o));
  holds_out_valid_o: assert (!f_stalled || out_valid_o);
  holds_out_line_o: assert (!f_stalled || out_line_o == f_was_line);
  holds_out_sectors_o: assert (!f_stalled || out_sectors_o == f_was_sectors);
  holds_out_lanes_o: assert (!f_stalled || out_lanes_o == f_was_lanes);
  holds_out_number_o: assert (!f_stalled || out_number_o == f_was_number);
  holds_out_first_o: assert (!f_stalled || out_first_o == f_was_first);
  holds_out_last_o: assert (!f_stalled || out_last_o == f_was_last);
  holds_out_info_o: assert (!f_stalled || out_info_o == f_was_info);
  no_error: assert (!error_o);
  reached_last_of_some: cover (out_valid_o && out_last_o && (LANES == 1 || !out_first_o) && f_take);
end
