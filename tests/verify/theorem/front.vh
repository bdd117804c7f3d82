// SPDX-License-Identifier: Apache-2.0
// The way from an instruction to the decisions on its requests, and from their answers to its lanes,
// told for any one entry of the PRT (that of f_name), and for any one load, the witness: it has the tag
// f_tag of warp f_warp, which no other load has, and its lane f_lane.
localparam integer F_NUMBERS = 1 << NUMBER_W;
localparam integer F_LANE_W  = (LANES > 1) ? $clog2(LANES) : 1;
localparam integer F_ITEM_W  = DATA_W + 13;
localparam integer F_HELD    = 2 + 1 + QUEUES * DEPTH;
(* anyconst *) wire [F_LANE_W-1:0] f_lane;
(* anyconst *) wire [TAG_W-1:0]    f_tag;
(* anyconst *) wire [5:0]          f_warp;
wire [ENTRY_W-1:0]  f_e = f_name[ENTRY_W-1:0];
wire [NUMBER_W-1:0] f_n = f_name[ENTRY_W+:NUMBER_W];
wire [6+TAG_W-1:0]  f_who = {f_tag, f_warp};
always @* assume (f_e < ENTRIES && f_lane < LANES);

(* hierconn *) wire [PRT_W-1:0]              \u_prt.f_e ;
(* hierconn *) wire                          \u_prt.f_busy ;
(* hierconn *) wire [6+TAG_W-1:0]            \u_prt.f_tag ;
(* hierconn *) wire [LANES*WORD_W-1:0]       \u_prt.f_offset ;
(* hierconn *) wire [LANES-1:0]              \u_prt.f_todo ;
(* hierconn *) wire [LANES-1:0]              \u_prt.f_wait ;
(* hierconn *) wire [LANES*LANES-1:0]        \u_prt.e_with ;
(* hierconn *) wire [ENTRIES-1:0]            \u_prt.valid_q ;
(* hierconn *) wire [ENTRIES*(6+TAG_W)-1:0]  \u_prt.e_tag ;
wire                     p_busy   = \u_prt.f_busy ;
wire [6+TAG_W-1:0]       p_tag    = \u_prt.f_tag ;
wire [LANES*WORD_W-1:0]  p_offset = \u_prt.f_offset ;
wire [LANES-1:0]         p_todo   = p_busy ? \u_prt.f_todo : {LANES{1'b0}};
wire [LANES-1:0]         p_wait   = p_busy ? \u_prt.f_wait : {LANES{1'b0}};
wire [LANES*LANES-1:0]   p_with   = \u_prt.e_with ;
wire [ENTRIES-1:0]       p_valid  = \u_prt.valid_q ;
wire [ENTRIES*(6+TAG_W)-1:0] p_tags = \u_prt.e_tag ;
(* hierconn *) wire [ENTRIES-1:0]                 \u_lane_table.live_q ;
(* hierconn *) wire [ENTRIES*LANES-1:0]           \u_lane_table.e_has ;
(* hierconn *) wire [ENTRIES*LANES*NUMBER_W-1:0]  \u_lane_table.e_number ;
wire [ENTRIES-1:0]                k_live   = \u_lane_table.live_q ;
wire [ENTRIES*LANES-1:0]          k_has    = \u_lane_table.e_has ;
wire [ENTRIES*LANES*NUMBER_W-1:0] k_number = \u_lane_table.e_number ;
(* hierconn *) wire [LANES-1:0]        \u_coalescer.left_q ;
(* hierconn *) wire [INFO_W-1:0]       \u_coalescer.info_q ;
(* hierconn *) wire [NUMBER_W-1:0]     \u_coalescer.number_q ;
(* hierconn *) wire [LANES*ADDR_W-1:0] \u_coalescer.e_line ;
(* hierconn *) wire [LANES*WORD_W-1:0] \u_coalescer.e_word ;
wire [LANES-1:0]        c_left   = \u_coalescer.left_q ;
wire [INFO_W-1:0]       c_info   = \u_coalescer.info_q ;
wire [NUMBER_W-1:0]     c_number = \u_coalescer.number_q ;
wire [LANES*ADDR_W-1:0] c_line   = \u_coalescer.e_line ;
wire [LANES*WORD_W-1:0] c_word   = \u_coalescer.e_word ;
wire                    c_write  = c_info[INFO_W-1];
wire [PRT_W-1:0]        c_entry  = c_info[PRT_W-1:0];
(* hierconn *) wire [1:0]                   \u_mrpb.due_q ;
(* hierconn *) wire                         \u_mrpb.byp_q ;
(* hierconn *) wire [F_HELD-1:0]            \u_mrpb.e_valid ;
(* hierconn *) wire [F_HELD*F_ITEM_W-1:0]   \u_mrpb.e_item ;
wire [1:0]                 h_due   = \u_mrpb.due_q ;
wire [F_HELD-1:0]          h_valid = \u_mrpb.e_valid ;
wire [F_HELD*F_ITEM_W-1:0] h_item  = \u_mrpb.e_item ;
(* hierconn *) wire                \u_control.d_write_q ;
(* hierconn *) wire [ENTRY_W-1:0]  \u_control.a_entry_q ;
(* hierconn *) wire [ENTRY_W-1:0]  \u_control.d_entry_q ;
(* hierconn *) wire [NUMBER_W-1:0] \u_control.a_number_q ;
(* hierconn *) wire [NUMBER_W-1:0] \u_control.d_number_q ;
(* hierconn *) wire [SECTORS-1:0]  \u_control.d_sectors_q ;
wire [DATA_W:0] f_a = {\u_control.a_write_q , \u_control.a_sectors_q , \u_control.a_number_q , \u_control.a_entry_q , \u_control.a_line_q };
wire [DATA_W:0] f_d = {\u_control.d_write_q , \u_control.d_sectors_q , \u_control.d_number_q , \u_control.d_entry_q , \u_control.d_line_q };
(* hierconn *) wire [F_LANE_W-1:0]  \u_align.f_l ;
(* hierconn *) wire                 \u_align.f_busy ;
(* hierconn *) wire                 \u_align.f_second ;
(* hierconn *) wire                 \u_align.f_mine_high ;
(* hierconn *) wire [LANES-1:0]     \u_align.f_mask ;
(* hierconn *) wire [ALIGN_W-1:0]   \u_align.f_info ;
(* hierconn *) wire [WORD_W-1:0]    \u_align.f_word ;
(* hierconn *) wire [31:0]          \u_align.f_data ;
localparam integer F_HEAD_W  = (ANSWERS > 1) ? $clog2(ANSWERS) : 1;
localparam integer F_COUNT_W = $clog2(ANSWERS + 1);
(* hierconn *) wire [ANSWERS*ANSWER_W-1:0] \u_response.e_data ;
(* hierconn *) wire [F_HEAD_W-1:0]         \u_response.head_q ;
(* hierconn *) wire [F_COUNT_W-1:0]        \u_response.count_q ;
wire [ANSWERS*ANSWER_W-1:0] o_data  = \u_response.e_data ;
wire [31:0]                 o_head  = \u_response.head_q ;
wire [31:0]                 o_count = \u_response.count_q ;
always @* assume (\u_prt.f_e == f_e && \u_align.f_l == f_lane);

// The requests of the entry: sent and not yet answered, which lanes, how many were sent.
wire f_alloc = load_enters && alloc_entry == f_e;
wire f_sends = sent && !coal_write && coal_entry == f_e;
reg  [F_NUMBERS-1:0] f_open;
reg  [LANES-1:0]     f_lanes [0:F_NUMBERS-1];
reg  [NUMBER_W:0]    f_next;
integer f_i;
always @(posedge clk_i) begin
  if (!srst_ni) f_open <= 0;
  else for (f_i = 0; f_i < F_NUMBERS; f_i = f_i + 1)
    f_open[f_i] <= (f_sends && coal_number == f_i)
                || (f_open[f_i] && !(start && reply_entry == f_e && reply_number == f_i));
  if (f_sends) f_lanes[coal_number] <= coal_lanes;
  if (f_alloc) f_next <= 0;
  else if (f_sends) f_next <= f_next + 1'b1;
end

// The witness: whether it has come; whether its entry is f_e; the lanes not answered; whether its
// lane reads the byte, and the number of the request that has this lane.
wire w_waits;  // the request with its lane has the name f_name, and is not answered
wire f_comes = load_enters && {in_tag_i, in_warp_i} == f_who;
reg  w_had, w_mine, w_at, w_sent;
reg  [LANES-1:0]    w_left;
reg  [PRT_W-1:0]    w_entry;
reg                 w_got;     // what the byte was when that request was decided
reg  [NUMBER_W-1:0] w_number;
wire f_out = out_valid_o && out_ready_i && {out_tag_o, out_warp_o} == f_who;
always @* assume (!(f_comes && w_had));
always @(posedge clk_i) begin
  if (!srst_ni) begin
    w_had  <= 1'b0;
    w_left <= 0;
  end else begin
    w_had  <= w_had || f_comes;
    w_left <= f_comes ? in_mask_i : f_out ? w_left & ~out_mask_o : w_left;
  end
  if (f_comes) begin
    w_entry <= alloc_entry;
    w_mine  <= alloc_entry == f_e;
    w_at    <= in_mask_i[f_lane] && in_line_i[f_lane*ADDR_W+:ADDR_W] == f_line
            && in_word_i[f_lane*WORD_W+:WORD_W] == f_word;
    w_sent  <= 1'b0;
  end else if (f_sends && p_tag == f_who && coal_lanes[f_lane]) begin
    w_sent   <= 1'b1;
    w_number <= coal_number;
  end
  if (w_waits && f_decided) w_got <= f_mem;
end

// Answers on their way, oldest first: the response queue, then the aligner.
wire [ANSWERS:0]           o_held, o_last, o_served, o_good;
wire [(ANSWERS+1)*LANES-1:0] o_mask;
genvar f_g;
generate
  for (f_g = 0; f_g < ANSWERS; f_g = f_g + 1) begin : gen_f_answer
    wire [31:0]         sum  = o_head + f_g;
    wire [31:0]         at   = sum >= ANSWERS ? sum - ANSWERS : sum;
    wire [ANSWER_W-1:0] word = o_data >> (at * ANSWER_W);
    wire [LANES*32-1:0] data = word[LANES*32-1:0] >> (f_lane * 32);
    wire [LANES-1:0]    mask = word[LANES*32+:LANES];
    assign o_held[f_g]   = f_g < o_count && word[LANES*33+:6+TAG_W] == f_who;
    assign o_last[f_g]   = word[ANSWER_W-1];
    assign o_served[f_g] = mask[f_lane];
    assign o_good[f_g]   = data[0] == w_got;
    assign o_mask[f_g*LANES+:LANES] = mask;
  end
endgenerate
wire [ALIGN_W-1:0] f_info = \u_align.f_info ;
wire [LANES-1:0]   f_mask = \u_align.f_mask ;
wire [31:0]        f_aligned = \u_align.f_data ;
assign o_held[ANSWERS]   = \u_align.f_busy && f_info[6+TAG_W-1:0] == f_who;
assign o_last[ANSWERS]   = f_info[ALIGN_W-1];
assign o_served[ANSWERS] = f_mask[f_lane];
assign o_good[ANSWERS]   = (\u_align.f_second && \u_align.f_mine_high )
                         ? f_late && f_late_want == w_got && \u_align.f_word == f_word : f_aligned[0] == w_got;
assign o_mask[ANSWERS*LANES+:LANES] = f_mask;

// ---- what is kept ------------------------------------------------------------------------------
integer k, n;
reg f_counts, f_parts, f_table, f_numbers, f_tags, f_line_there, f_answers, f_last_there, f_bytes;
reg [7:0]           u_n;
reg [F_ITEM_W-1:0]  u_item;
reg [LANES-1:0]     u_lanes, u_sum;
reg [31:0]          u_rest, u_at;
reg                 u_last;
wire f_out_mine  = coal_valid && !coal_write && coal_entry == f_e;
wire f_left_mine = c_left != 0 && !c_write && c_entry == f_e;
wire f_in_prt    = p_busy && p_tag == f_who;
wire f_w         = w_had && w_mine;
assign w_waits = f_w && f_in_prt && w_sent && w_number == f_n && p_wait[f_lane];
wire [F_ITEM_W-1:0] h_0 = h_item[0+:F_ITEM_W];
wire [F_ITEM_W-1:0] h_1 = h_item[F_ITEM_W+:F_ITEM_W];
wire [F_ITEM_W-1:0] h_d = h_due[0] ? h_1 : h_0;
always @* begin
  f_counts     = 1'b1;
  f_parts      = 1'b1;
  f_table      = 1'b1;
  f_numbers    = 1'b1;
  f_tags       = 1'b1;
  f_line_there = 1'b1;
  f_answers    = 1'b1;
  f_bytes      = 1'b1;
  u_sum        = 0;
  u_rest       = 0;
  for (n = 0; n < F_NUMBERS; n = n + 1) begin
    // 1. An open request of the entry is in one place.
    u_n = 0;
    for (k = 0; k < F_HELD; k = k + 1) begin
      u_item = h_item[k*F_ITEM_W+:F_ITEM_W];
      if (h_valid[k] && !u_item[F_ITEM_W-1] && u_item[ADDR_W+:ENTRY_W] == f_e
          && u_item[ADDR_W+ENTRY_W+:NUMBER_W] == n) begin
        u_n = u_n + 1'b1;
        if (f_w && w_at && w_sent && f_in_prt && p_wait[f_lane] && w_number == n
            && (u_item[0+:ADDR_W] != f_line || !u_item[ADDR_W+REQ_W+f_sector])) f_line_there = 1'b0;
      end
    end
    for (k = 0; k < READS; k = k + 1)
      if (q_held[k] && q_data[k*F_READ_W+PLACE_W+:REQ_W] == {n[NUMBER_W-1:0], f_e}) u_n = u_n + 1'b1;
    for (k = 0; k < MSHRS * MERGES; k = k + 1) begin
      u_at = n_head[k/MERGES*F_PTR_W+:F_PTR_W] + k % MERGES;
      if (u_at >= MERGES) u_at = u_at - MERGES;
      if (n_valid[k/MERGES] && k % MERGES < n_len[k/MERGES*F_LEN_W+:F_LEN_W]
          && n_data[(k/MERGES*MERGES+u_at)*REQ_W+:REQ_W] == {n[NUMBER_W-1:0], f_e}) u_n = u_n + 1'b1;
    end
    for (k = 0; k < BYPASSES; k = k + 1)
      if (b_valid[k] && b_data[k*REQ_W+:REQ_W] == {n[NUMBER_W-1:0], f_e}) u_n = u_n + 1'b1;
    if (r_valid && !r_started && r_name == {n[NUMBER_W-1:0], f_e}) u_n = u_n + 1'b1;
    if (u_n != f_open[n]) f_counts = 1'b0;
    // 2. Its lanes are lanes that wait; no two requests share one; the lane table has them.
    u_lanes = 0;
    for (k = 0; k < LANES; k = k + 1)
      if (k_has[f_e*LANES+k] && k_number[(f_e*LANES+k)*NUMBER_W+:NUMBER_W] == n) u_lanes[k] = 1'b1;
    if (f_open[n]) begin
      if (!p_busy || f_lanes[n] == 0 || (u_sum & f_lanes[n]) != 0 || n >= f_next) f_parts = 1'b0;
      for (k = 0; k < LANES; k = k + 1)
        if (f_lanes[n][k] && p_with[k*LANES+:LANES] != f_lanes[n]) f_parts = 1'b0;
      u_sum = u_sum | f_lanes[n];
      if (!k_live[f_e] || u_lanes != f_lanes[n]) f_table = 1'b0;
      if (f_w && w_sent && f_in_prt && p_wait[f_lane] && f_lanes[n][f_lane] != (w_number == n)) f_parts = 1'b0;
    end
    if (p_busy && f_next != 0 && n >= f_next && u_lanes != 0) f_table = 1'b0;
  end
  if (u_sum != p_wait) f_parts = 1'b0;
  if (p_busy && f_next != 0 && !k_live[f_e]) f_table = 1'b0;
  // 3. Lanes without a request are in the coalescer.
  u_lanes = f_out_mine ? coal_lanes : {LANES{1'b0}};
  if (f_left_mine) begin
    if ((u_lanes & c_left) != 0) f_parts = 1'b0;
    u_lanes = u_lanes | c_left;
    if (c_number != f_next + f_out_mine) f_numbers = 1'b0;
  end
  if (f_out_mine && (coal_lanes == 0 || coal_number != f_next)) f_numbers = 1'b0;
  if (u_lanes != p_todo) f_parts = 1'b0;
  for (k = 0; k < LANES; k = k + 1) u_rest = u_rest + p_todo[k];
  if (p_busy && f_next + u_rest > LANES) f_numbers = 1'b0;
  // 4. The witness: its entry alone has its tag. What it waits for is in the PRT or behind it.
  for (k = 0; k < ENTRIES; k = k + 1)
    if (p_valid[k] && p_tags[k*(6+TAG_W)+:6+TAG_W] == f_who && !(w_had && w_entry == k)) f_tags = 1'b0;
  if (w_had && w_mine != (w_entry == f_e)) f_tags = 1'b0;
  u_sum  = f_in_prt ? p_todo | p_wait : {LANES{1'b0}};
  u_last = 1'b0;
  for (k = 0; k < ANSWERS + 1; k = k + 1)
    if (o_held[k]) begin
      if (!w_had || (w_mine && (u_last || o_mask[k*LANES+:LANES] == 0 || (u_sum & o_mask[k*LANES+:LANES]) != 0)))
        f_answers = 1'b0;
      u_sum = u_sum | o_mask[k*LANES+:LANES];
      if (o_last[k]) u_last = 1'b1;
      if (f_w && w_at && o_served[k] && (!w_sent || (w_number == f_n && !o_good[k]))) f_bytes = 1'b0;
    end
  if (f_w && u_sum != w_left) f_answers = 1'b0;
  f_last_there = !f_w || u_last == (w_left != 0 && !f_in_prt);
  // 5. The byte: its lane has its line and word on the whole way.
  if (f_w && w_at && f_in_prt) begin
    if (p_offset[f_lane*WORD_W+:WORD_W] != f_word) f_line_there = 1'b0;
    if (f_out_mine && coal_lanes[f_lane] && (coal_line != f_line || !coal_sectors[f_sector])) f_line_there = 1'b0;
    if (f_left_mine && c_left[f_lane] && (c_line[f_lane*ADDR_W+:ADDR_W] != f_line
                                          || c_word[f_lane*WORD_W+:WORD_W] != f_word)) f_line_there = 1'b0;
    if (p_wait[f_lane] != (w_sent && p_wait[f_lane])) f_line_there = 1'b0;
    if (w_sent && (p_todo[f_lane] || w_number >= f_next)) f_line_there = 1'b0;
    if (w_waits && f_in && (!f_here || f_want != w_got)) f_line_there = 1'b0;
  end
end

always @* if (f_live) begin
  stage_a: assert (\u_control.a_valid_q == h_due[0] && (!h_due[0] || f_a == {h_0[F_ITEM_W-1], h_0[DATA_W-1:0]}));
  stage_d: assert (\u_control.d_valid_q == h_due[1] && (!h_due[1] || f_d == {h_d[F_ITEM_W-1], h_d[DATA_W-1:0]}));
  open_in_one_place: assert (f_counts);
  lanes_in_one_request: assert (f_parts);
  lanes_in_table: assert (f_table);
  numbers_ascend: assert (f_numbers);
  reply_of_used_entry: assert (!(start && reply_entry == f_e) || p_busy);
`ifdef F_WITNESS
  // For each entry proved without the witness, and so taken for all of them here.
  assume (!start || (reply_entry < ENTRIES && p_valid[reply_entry]));
  tag_of_witness: assert (f_tags);
  line_of_witness: assert (f_line_there);
  answers_of_witness: assert (f_answers);
  last_of_witness: assert (f_last_there);
  bytes_of_witness: assert (f_bytes);
  // The theorem: each lane of a load is answered once, with the last answer told, with its byte.
  each_lane_once: assert (!(f_out && (!w_had || w_mine)) || (w_had && out_mask_o != 0 && (out_mask_o & ~w_left) == 0));
  last_is_last: assert (!(f_out && f_w) || out_last_o == ((w_left & ~out_mask_o) == 0));
  byte_of_its_decision: assert (!(f_out && f_w && w_at && w_number == f_n && out_mask_o[f_lane])
                                || out_data_o[f_lane*32] == w_got);
`endif
end
