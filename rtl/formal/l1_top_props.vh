// SPDX-License-Identifier: Apache-2.0
// Properties of l1_top: what it offers to the core and to memory holds until it is taken. What a
// read returns and what a write writes is not proved here: `mrpb conform --path` checks it.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

// What was offered in the cycle before and not taken. A reset takes an offer back.
reg                      f_out_stalled, f_ar_stalled, f_aw_stalled, f_w_stalled;
reg [5:0]                f_was_warp;
reg [TAG_W-1:0]          f_was_tag;
reg                      f_was_last, f_was_w_last;
reg [LANES-1:0]          f_was_mask;
reg [LANES*32-1:0]       f_was_data;
reg [ID_W-1:0]           f_was_ar_id;
reg [ADDR_W+$clog2(4*WORDS)-1:0] f_was_ar_addr, f_was_aw_addr;
reg [7:0]                f_was_ar_len, f_was_aw_len;
always @(posedge clk_i) begin
  f_out_stalled <= srst_ni && out_valid_o && !out_ready_i;
  f_ar_stalled  <= srst_ni && ar_valid_o && !ar_ready_i;
  f_aw_stalled  <= srst_ni && aw_valid_o && !aw_ready_i;
  f_w_stalled   <= srst_ni && w_valid_o && !w_ready_i;
  {f_was_warp, f_was_tag, f_was_last, f_was_mask, f_was_data} <=
      {out_warp_o, out_tag_o, out_last_o, out_mask_o, out_data_o};
  {f_was_ar_id, f_was_ar_addr, f_was_ar_len} <= {ar_id_o, ar_addr_o, ar_len_o};
  {f_was_aw_addr, f_was_aw_len} <= {aw_addr_o, aw_len_o};
  f_was_w_last <= w_last_o;
end

always @* if (f_live) begin
  holds_out_valid_o: assert (!f_out_stalled || out_valid_o);
  holds_out_warp_o: assert (!f_out_stalled || out_warp_o == f_was_warp);
  holds_out_tag_o: assert (!f_out_stalled || out_tag_o == f_was_tag);
  holds_out_last_o: assert (!f_out_stalled || out_last_o == f_was_last);
  holds_out_mask_o: assert (!f_out_stalled || out_mask_o == f_was_mask);
  holds_out_data_o: assert (!f_out_stalled || out_data_o == f_was_data);
  holds_ar_valid_o: assert (!f_ar_stalled || ar_valid_o);
  holds_ar_id_o: assert (!f_ar_stalled || ar_id_o == f_was_ar_id);
  holds_ar_addr_o: assert (!f_ar_stalled || ar_addr_o == f_was_ar_addr);
  holds_ar_len_o: assert (!f_ar_stalled || ar_len_o == f_was_ar_len);
  holds_aw_valid_o: assert (!f_aw_stalled || aw_valid_o);
  writes_have_one_id: assert (aw_id_o == 0);
  holds_aw_addr_o: assert (!f_aw_stalled || aw_addr_o == f_was_aw_addr);
  holds_aw_len_o: assert (!f_aw_stalled || aw_len_o == f_was_aw_len);
  holds_w_valid_o: assert (!f_w_stalled || w_valid_o);
  holds_w_last_o: assert (!f_w_stalled || w_last_o == f_was_w_last);
  w_data_o_is_what_the_buffer_shows: assert (w_data_o == (w_valid_o ? beat_data : 0));
  w_strb_o_is_what_the_buffer_shows: assert (w_strb_o == (w_valid_o ? beat_strobe : 0));
  nothing_enters_a_flush: assert (!flush_i || !in_ready_o);
  answers_say_nothing_while_none: assert (out_valid_o || {out_warp_o, out_tag_o, out_last_o, out_mask_o, out_data_o} == 0);
  barrier_waits_for_coalescer: assert (!barrier_ready_o || !coal_valid);
  one_store_at_a_time: assert (!(in_valid_i && in_ready_o && in_write_i && in_mask_i != 0) || !store_open_q || store_ends);
end
