// SPDX-License-Identifier: Apache-2.0
// Properties of line_align, told for any one lane f_l. The shadow follows from the ports alone; labels
// with inv_ speak of the registers. Nothing is taken for granted of inputs.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

localparam LANE_W = (LANES > 1) ? $clog2(LANES) : 1;
(* anyconst *) wire [LANE_W-1:0] f_l;
wire f_take  = in_valid_i && in_ready_o;
wire f_leave = out_valid_o && out_ready_i;

// Which half a lane is in, by counting: the lower half is the larger one.
integer f_i;
reg     f_low, f_high, f_mine_high;
always @* begin
  f_low       = 1'b0;
  f_high      = 1'b0;
  f_mine_high = 1'b0;
  for (f_i = 0; f_i < LANES; f_i = f_i + 1) begin
    if (2 * f_i < LANES && in_mask_i[f_i]) f_low = 1'b1;
    if (2 * f_i >= LANES && in_mask_i[f_i]) f_high = 1'b1;
    if (f_i == f_l) f_mine_high = 2 * f_i >= LANES;
  end
end
wire f_two = PASSES == 2 && f_low && f_high;

// The request that is under way: its mask, information, the lane's word, and what the lane has got.
reg              f_busy, f_second;
reg [LANES-1:0]  f_mask;
reg [INFO_W-1:0] f_info;
reg [WORD_W-1:0] f_word;
reg [31:0]       f_data;
wire [WORD_W-1:0] f_asks   = in_word_i[f_l*WORD_W+:WORD_W];
wire [WORD_W-1:0] f_number = f_second ? f_word : f_asks;
reg [31:0]        f_value;
always @* begin
  f_value = 0;
  for (f_i = 0; f_i < WORDS; f_i = f_i + 1) if (f_number == f_i) f_value = in_line_i[f_i*32+:32];
end
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_busy   <= 1'b0;
    f_second <= 1'b0;
  end else if (f_second) begin
    f_second <= 1'b0;
    if (f_mine_high) f_data <= f_mask[f_l] ? f_value : 0;
  end else if (f_take) begin
    f_busy   <= 1'b1;
    f_second <= f_two;
    f_mask   <= in_mask_i;
    f_info   <= in_info_i;
    f_word   <= f_asks;
    f_data   <= in_mask_i[f_l] && !(f_two && f_mine_high) ? f_value : 0;
  end else if (f_leave) f_busy <= 1'b0;
end

// What was offered in the cycle before and not taken.
reg                f_stalled;
reg [LANES*32-1:0] f_was_data;
reg [LANES-1:0]    f_was_mask;
reg [INFO_W-1:0]   f_was_info;
always @(posedge clk_i) begin
  f_stalled  <= srst_ni && out_valid_o && !out_ready_i;
  f_was_data <= out_data_o;
  f_was_mask <= out_mask_o;
  f_was_info <= out_info_o;
end

wire [KEPT*WORD_W-1:0] f_kept = word_q >> ((f_l - HALF) * WORD_W);
always @* if (f_live && f_l < LANES) begin
  inv_data: assert (!f_busy || (data_q[f_l*32+:32] == f_data && (f_mask[f_l] || f_data == 0)));
  inv_word: assert (!f_second || !f_mine_high || f_kept[WORD_W-1:0] == f_word);
  lane_gets_its_word: assert (!out_valid_o || out_data_o[f_l*32+:32] == f_data);
  other_lanes_get_0: assert (out_mask_o[f_l] || out_data_o[f_l*32+:32] == 0);
end
always @* if (f_live) begin
  inv_state: assert (more_q == f_second && out_valid_q == (f_busy && !f_second) && (f_busy || !f_second));
  inv_request: assert (!f_busy || (mask_q == f_mask && info_q == f_info));
  offers_in_the_next_cycle: assert (out_valid_o == (f_busy && !f_second));
  answers_the_request: assert (!out_valid_o || (out_mask_o == f_mask && out_info_o == f_info));
  takes_iff_free: assert (in_ready_o == (!f_busy || f_leave));
  done_in_the_last_pass: assert (line_done_o == (f_second || (f_take && !f_two)));
  holds_out_valid_o: assert (!f_stalled || out_valid_o);
  holds_out_data_o: assert (!f_stalled || out_data_o == f_was_data);
  holds_out_mask_o: assert (!f_stalled || out_mask_o == f_was_mask);
  holds_out_info_o: assert (!f_stalled || out_info_o == f_was_info);
  reached_both: cover (out_valid_o && (&out_mask_o) && f_take);
end
