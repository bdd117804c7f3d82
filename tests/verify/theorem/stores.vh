// SPDX-License-Identifier: Apache-2.0
// The way of a store, from its instruction to memory, told for any one byte: word f_word of line
// f_line, one bit of it. It proves what the other parts take for granted of stores: an entry of the
// store buffer is of one request, the byte changes only while a store of its line is in the flight
// queue, and without one memory has what the stores that were taken have stored.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* assume (srst_ni == f_live);
localparam integer F_ITEM_W = DATA_W + 13;
localparam integer F_HELD   = 2 + 1 + QUEUES * DEPTH;
localparam integer F_STORES = 1 << STORE_W;
localparam integer F_ASK_W  = ID_W + ADDR_W + 2 * BEAT_W;
localparam integer F_HEAD_W = (WRITES > 1) ? $clog2(WRITES) : 1;
localparam integer F_COUNT_W = $clog2(WRITES + 1);
localparam integer M_HEAD_W = (MISSES > 1) ? $clog2(MISSES) : 1;
localparam integer M_COUNT_W = $clog2(MISSES + 1);
localparam integer F_HALF   = (LANES + 1) / 2;
(* anyconst *) wire [ADDR_W-1:0] f_line;
(* anyconst *) wire [WORD_W-1:0] f_word;
wire [31:0] f_word32 = f_word;
wire [31:0] f_beat   = f_word32 / BUS_WORDS;
wire [31:0] f_inside = f_word32 % BUS_WORDS;
wire [31:0] f_sector = (f_word32 * SECTORS) / WORDS;
always @* assume (f_word32 < WORDS);

(* hierconn *) wire [LANES-1:0]        \u_coalescer.left_q ;
(* hierconn *) wire [INFO_W-1:0]       \u_coalescer.info_q ;
(* hierconn *) wire [LANES*ADDR_W-1:0] \u_coalescer.e_line ;
(* hierconn *) wire [LANES*WORD_W-1:0] \u_coalescer.e_word ;
wire [LANES-1:0]        c_left = \u_coalescer.left_q ;
wire [INFO_W-1:0]       c_info = \u_coalescer.info_q ;
wire [LANES*ADDR_W-1:0] c_line = \u_coalescer.e_line ;
wire [LANES*WORD_W-1:0] c_word = \u_coalescer.e_word ;
wire                    c_write = c_info[INFO_W-1];
(* hierconn *) wire [1:0]                 \u_mrpb.due_q ;
(* hierconn *) wire [F_HELD-1:0]          \u_mrpb.e_valid ;
(* hierconn *) wire [F_HELD*F_ITEM_W-1:0] \u_mrpb.e_item ;
wire [1:0]                 h_due   = \u_mrpb.due_q ;
wire [F_HELD-1:0]          h_valid = \u_mrpb.e_valid ;
wire [F_HELD*F_ITEM_W-1:0] h_item  = \u_mrpb.e_item ;
(* hierconn *) wire                \u_control.a_valid_q ;
(* hierconn *) wire                \u_control.d_valid_q ;
(* hierconn *) wire                \u_control.a_write_q ;
(* hierconn *) wire                \u_control.d_write_q ;
(* hierconn *) wire [ADDR_W-1:0]   \u_control.a_line_q ;
(* hierconn *) wire [ADDR_W-1:0]   \u_control.d_line_q ;
(* hierconn *) wire [ENTRY_W-1:0]  \u_control.a_entry_q ;
(* hierconn *) wire [ENTRY_W-1:0]  \u_control.d_entry_q ;
(* hierconn *) wire [NUMBER_W-1:0] \u_control.a_number_q ;
(* hierconn *) wire [NUMBER_W-1:0] \u_control.d_number_q ;
(* hierconn *) wire [SECTORS-1:0]  \u_control.a_sectors_q ;
(* hierconn *) wire [SECTORS-1:0]  \u_control.d_sectors_q ;
wire [DATA_W:0] f_a = {\u_control.a_write_q , \u_control.a_sectors_q , \u_control.a_number_q , \u_control.a_entry_q , \u_control.a_line_q };
wire [DATA_W:0] f_d = {\u_control.d_write_q , \u_control.d_sectors_q , \u_control.d_number_q , \u_control.d_entry_q , \u_control.d_line_q };
wire [ENTRY_W-1:0] f_a_entry = \u_control.a_entry_q ;
wire [STORE_W-1:0] f_taken   = f_a_entry[STORE_W-1:0];
wire [ADDR_W-1:0]  a_line    = \u_control.a_line_q ;
(* hierconn *) wire [STORES-1:0]          \u_store_buffer.used_q ;
(* hierconn *) wire                       \u_store_buffer.kept_q ;
(* hierconn *) wire                       \u_store_buffer.pass_q ;
(* hierconn *) wire [STORE_W-1:0]         \u_store_buffer.pass_entry_q ;
(* hierconn *) wire [F_HALF-1:0]          \u_store_buffer.pass_lanes_q ;
(* hierconn *) wire [STORES*WORDS*32-1:0] \u_store_buffer.e_data ;
(* hierconn *) wire [STORES*WORDS*4-1:0]  \u_store_buffer.e_strobe ;
(* hierconn *) wire [LANES*WORD_W-1:0]    \u_store_buffer.e_word ;
(* hierconn *) wire [LANES*32-1:0]        \u_store_buffer.e_lane ;
(* hierconn *) wire [LANES*4-1:0]         \u_store_buffer.e_bytes ;
wire [STORES-1:0]          s_used   = \u_store_buffer.used_q ;
wire [STORES*WORDS*32-1:0] s_data   = \u_store_buffer.e_data ;
wire [STORES*WORDS*4-1:0]  s_strobe = \u_store_buffer.e_strobe ;
wire [LANES*WORD_W-1:0]    s_word   = \u_store_buffer.e_word ;
wire [LANES*32-1:0]        s_lane   = \u_store_buffer.e_lane ;
wire [LANES*4-1:0]         s_bytes  = \u_store_buffer.e_bytes ;
wire [F_HALF-1:0]          s_late   = \u_store_buffer.pass_lanes_q ;
wire                       s_pass   = \u_store_buffer.pass_q ;
wire [STORE_W-1:0]         s_pass_entry = \u_store_buffer.pass_entry_q ;
(* hierconn *) wire [F_HEAD_W-1:0]            \u_flight.head_q ;
(* hierconn *) wire [F_COUNT_W-1:0]           \u_flight.count_q ;
(* hierconn *) wire [WRITES*(ADDR_W+6)-1:0]   \u_flight.e_data ;
(* hierconn *) wire [M_HEAD_W-1:0]            \u_miss.head_q ;
(* hierconn *) wire [M_COUNT_W-1:0]           \u_miss.count_q ;
(* hierconn *) wire [MISSES*MISS_W-1:0]       \u_miss.e_data ;
wire [31:0] g_head  = \u_flight.head_q ;
wire [31:0] g_count = \u_flight.count_q ;
wire [WRITES*(ADDR_W+6)-1:0] g_data = \u_flight.e_data ;
wire [31:0] q_head  = \u_miss.head_q ;
wire [31:0] q_count = \u_miss.count_q ;
wire [MISSES*MISS_W-1:0] q_data = \u_miss.e_data ;
(* hierconn *) wire               \u_axi.aw_valid_q ;
(* hierconn *) wire               \u_axi.w_valid_q ;
(* hierconn *) wire [F_ASK_W-1:0] \u_axi.write_q ;
(* hierconn *) wire [BEAT_W-1:0]  \u_axi.beat_q ;
wire               x_aw   = \u_axi.aw_valid_q ;
wire               x_w    = \u_axi.w_valid_q ;
wire [F_ASK_W-1:0] x_ask  = \u_axi.write_q ;
wire [BEAT_W-1:0]  x_beat = \u_axi.beat_q ;
wire [BEAT_W-1:0]  x_first = x_ask[BEAT_W+:BEAT_W];
wire [BEAT_W-1:0]  x_last  = x_ask[0+:BEAT_W];
wire [ADDR_W-1:0]  x_line  = x_ask[2*BEAT_W+:ADDR_W];
wire [STORE_W-1:0] x_entry = x_ask[2*BEAT_W+ADDR_W+:STORE_W];
wire               x_busy  = x_aw || x_w;

// What the stores are: of the instruction that is kept, of each entry, of each store in flight.
reg [LANES-1:0] f_stores_it;
reg             f_new;
integer x;
always @* begin
  f_stores_it = 0;
  f_new       = 1'b0;
  for (x = 0; x < LANES; x = x + 1)
    if (in_mask_i[x] && in_line_i[x*ADDR_W+:ADDR_W] == f_line && in_word_i[x*WORD_W+:WORD_W] == f_word
        && in_bytes_i[x*4]) begin
      f_stores_it[x] = 1'b1;
      f_new = in_data_i[x*32];
    end
end
always @* assume (!store_enters || (f_stores_it & (f_stores_it - 1'b1)) == 0);
reg [LANES-1:0]    f_s_lanes;
reg                f_s_val;
reg [F_STORES-1:0] f_has, f_value;
reg [WRITES-1:0]   g_has, g_value;     // place by place of the flight queue
reg                f_dec;
wire f_send = event_o[4];
wire [31:0] g_sum  = g_head + g_count;
wire [31:0] g_tail = g_sum >= WRITES ? g_sum - WRITES : g_sum;
always @(posedge clk_i) begin
  if (!srst_ni) f_dec <= f_mem;
  else if (f_send && f_has[f_taken]) f_dec <= f_value[f_taken];
  if (store_enters) begin
    f_s_lanes <= f_stores_it;
    f_s_val   <= f_new;
  end
  if (sent && coal_write) begin
    f_has[put_entry]   <= (coal_lanes & f_s_lanes) != 0;
    f_value[put_entry] <= f_s_val;
  end
  if (f_send) begin
    g_has[g_tail]   <= f_has[f_taken];
    g_value[g_tail] <= f_value[f_taken];
  end
end

// Memory: it takes an address and its beats in any order, performs writes in their order, at any time
// after it has them, and answers them then.
(* anyseq *) wire f_now;
reg                f_mem;
reg [WRITES-1:0]   m_has, m_value;
reg [31:0]         m_head, m_count, m_done;   // a ring: the oldest, how many, how many performed
reg                m_aw, m_w;                 // of the write that comes: address, all beats
reg [ADDR_W-1:0]   m_line;
reg [BEAT_W-1:0]   m_first, m_n;
reg [BEATS-1:0]    m_strobe, m_data;
wire f_aw = aw_valid_o && aw_ready_i;
wire f_w  = w_valid_o && w_ready_i;
wire [ADDR_W-1:0] f_aw_line  = aw_addr_o / (4 * WORDS);
wire [31:0]       f_aw_first = (aw_addr_o % (4 * WORDS)) / (4 * BUS_WORDS);
wire f_whole = (m_aw || f_aw) && (m_w || (f_w && w_last_o));
wire [ADDR_W-1:0] f_its_line  = m_aw ? m_line : f_aw_line;
wire [31:0]       f_its_first = m_aw ? m_first : f_aw_first;
wire [BEATS-1:0]  f_one = 1;
wire [BEATS-1:0]  f_strobe = f_w ? (m_strobe & ~(f_one << m_n)) | (w_strb_o[f_inside*4] ? f_one << m_n : {BEATS{1'b0}}) : m_strobe;
wire [BEATS-1:0]  f_datas  = f_w ? (m_data & ~(f_one << m_n)) | (w_data_o[f_inside*32] ? f_one << m_n : {BEATS{1'b0}}) : m_data;
wire [31:0]       f_nth = f_beat - f_its_first;
wire [31:0]       f_until = f_w ? m_n + 1 : m_n;
wire [31:0] m_sum  = m_head + m_count;
wire [31:0] m_tail = m_sum >= WRITES ? m_sum - WRITES : m_sum;
wire [31:0] m_next = (m_head + m_done >= WRITES) ? m_head + m_done - WRITES : m_head + m_done;
wire f_performs = f_now && m_done < m_count;
always @* assume (!b_valid_i || m_done != 0);
always @(posedge clk_i) begin
  if (!srst_ni) begin
    m_head  <= 0;
    m_count <= 0;
    m_done  <= 0;
    m_aw    <= 1'b0;
    m_w     <= 1'b0;
    m_n     <= 0;
  end else begin
    m_aw <= !f_whole && (m_aw || f_aw);
    m_w  <= !f_whole && (m_w || (f_w && w_last_o));
    if (f_aw) begin
      m_line  <= f_aw_line;
      m_first <= f_aw_first[BEAT_W-1:0];
    end
    m_n <= f_whole ? 0 : f_until[BEAT_W-1:0];
    m_strobe <= f_strobe;
    m_data   <= f_datas;
    m_count <= m_count + f_whole - b_valid_i;
    m_done  <= m_done + f_performs - b_valid_i;
    if (b_valid_i) m_head <= (m_head + 1 == WRITES) ? 0 : m_head + 1;
    if (f_whole) begin
      m_has[m_tail]   <= f_its_line == f_line && f_beat >= f_its_first && f_nth < f_until_all && f_strobe[f_nth];
      m_value[m_tail] <= f_datas[f_nth];
    end
    if (f_performs && m_has[m_next]) f_mem <= m_value[m_next];
  end
end
// The beats of the write that is whole: those that have come, in 32 bits as m_n may have wrapped.
wire [31:0] f_until_all = m_w ? m_all : f_until;
reg  [31:0] m_all;
always @(posedge clk_i) if (f_w && w_last_o) m_all <= m_n + 1;

// ---- what is kept ------------------------------------------------------------------------------
integer y, z;
reg f_used, f_content, f_lines, f_pairs, f_memory, f_kept, f_v, f_fly, f_free, f_late_ok;
reg [7:0]           v_n;
reg [F_ITEM_W-1:0]  v_item;
reg [MISS_W-1:0]    v_miss;
reg [31:0]          v_at, v_place, v_index;
reg [ADDR_W-1:0]    v_line;
reg                 v_strobe, v_data, v_hit;
wire f_out_stores  = coal_valid && coal_write;
wire f_left_stores = c_left != 0 && c_write;
always @* begin
  f_used    = 1'b1;
  f_content = 1'b1;
  f_lines   = 1'b1;
  f_pairs   = 1'b1;
  f_memory  = 1'b1;
  f_kept    = 1'b1;
  f_free    = 1'b1;
  f_late_ok = 1'b1;
  f_fly     = 1'b0;
  // 1. An entry in use is that of one store: in the MRPB, in the miss queue, or the one that is sent.
  for (y = 0; y < F_STORES; y = y + 1) begin
    v_n    = 0;
    v_line = 0;
    for (z = 0; z < F_HELD; z = z + 1) begin
      v_item = h_item[z*F_ITEM_W+:F_ITEM_W];
      if (h_valid[z] && v_item[F_ITEM_W-1] && v_item[ADDR_W+:STORE_W] == y) begin
        v_n    = v_n + 1'b1;
        v_line = v_item[0+:ADDR_W];
        if (f_has[y] && (v_item[0+:ADDR_W] != f_line || !v_item[ADDR_W+REQ_W+f_sector])) f_lines = 1'b0;
        if (sent && coal_write && put_entry == y) f_free = 1'b0;
        if (s_pass && s_pass_entry == y && z < 2) f_late_ok = 1'b0;
      end
    end
    for (z = 0; z < MISSES; z = z + 1) begin
      v_at   = (q_head + z >= MISSES) ? q_head + z - MISSES : q_head + z;
      v_miss = q_data >> (v_at * MISS_W);
      if (z < q_count && v_miss[MISS_W-1] && v_miss[2*BEAT_W+ADDR_W+:STORE_W] == y) begin
        v_n    = v_n + 1'b1;
        v_line = v_miss[2*BEAT_W+:ADDR_W];
        if (s_pass && s_pass_entry == y) f_late_ok = 1'b0;
      end
    end
    if (x_w && x_entry == y) begin
      v_n    = v_n + 1'b1;
      v_line = x_line;
      if (s_pass && s_pass_entry == y) f_late_ok = 1'b0;
    end
    if (v_n != (y < STORES && s_used[y])) f_used = 1'b0;
    // 2. It has the byte, or will have it with its second pass.
    if (y < STORES && s_used[y]) begin
      v_strobe = s_strobe[(y*WORDS+f_word)*4];
      v_data   = s_data[(y*WORDS+f_word)*32];
      for (z = F_HALF; z < LANES; z = z + 1)
        if (s_pass && s_pass_entry == y && s_late[z-F_HALF] && s_word[z*WORD_W+:WORD_W] == f_word && s_bytes[z*4]) begin
          v_strobe = 1'b1;
          v_data   = s_lane[z*32];
        end
      if (v_line == f_line ? v_strobe != f_has[y] || (f_has[y] && v_data != f_value[y]) : f_has[y]) f_content = 1'b0;
    end
  end
  if (s_pass && (!\u_store_buffer.kept_q || s_pass_entry >= STORES || !s_used[s_pass_entry])) f_late_ok = 1'b0;
  // 3. The stores in flight, oldest first: those that memory has, the one that is sent, the miss queue.
  v_index = m_count + x_busy;
  for (z = 0; z < MISSES; z = z + 1) begin
    v_at    = (q_head + z >= MISSES) ? q_head + z - MISSES : q_head + z;
    v_miss  = q_data >> (v_at * MISS_W);
    v_place = (g_head + v_index >= WRITES) ? g_head + v_index - WRITES : g_head + v_index;
    if (z < q_count && v_miss[MISS_W-1]) begin
      if (v_miss[2*BEAT_W+:ADDR_W] != g_data[v_place*(ADDR_W+6)+:ADDR_W]
          || f_has[v_miss[2*BEAT_W+ADDR_W+:STORE_W]] != g_has[v_place]
          || (g_has[v_place] && f_value[v_miss[2*BEAT_W+ADDR_W+:STORE_W]] != g_value[v_place])) f_pairs = 1'b0;
      if (v_miss[BEAT_W+:BEAT_W] > v_miss[0+:BEAT_W] || v_miss[0+:BEAT_W] >= BEATS) f_pairs = 1'b0;
      if (g_has[v_place] && (f_beat < v_miss[BEAT_W+:BEAT_W] || f_beat > v_miss[0+:BEAT_W])) f_pairs = 1'b0;
      v_index = v_index + 1;
    end
  end
  if (v_index != g_count || m_count > WRITES || m_done > m_count || m_head != g_head || g_head >= WRITES) f_pairs = 1'b0;
  v_place = (g_head + m_count >= WRITES) ? g_head + m_count - WRITES : g_head + m_count;
  if (x_busy) begin
    if (x_line != g_data[v_place*(ADDR_W+6)+:ADDR_W] || x_first > x_last || x_last >= BEATS
        || m_aw == x_aw || m_w == x_w) f_pairs = 1'b0;
    if (x_w && (x_beat < x_first || x_beat > x_last || m_n != x_beat - x_first
                || f_has[x_entry] != g_has[v_place] || (g_has[v_place] && f_value[x_entry] != g_value[v_place]))) f_pairs = 1'b0;
    if (!x_w && m_all != x_last - x_first + 1) f_pairs = 1'b0;
    if (m_aw && (m_line != x_line || m_first != x_first)) f_pairs = 1'b0;
    if (g_has[v_place] && (f_beat < x_first || f_beat > x_last)) f_pairs = 1'b0;
    if (x_line == f_line && f_beat >= x_first && f_beat <= x_last && (!x_w || x_beat > f_beat)
        && (m_strobe[f_beat-x_first] != g_has[v_place]
            || (g_has[v_place] && m_data[f_beat-x_first] != g_value[v_place]))) f_memory = 1'b0;
  end else if (m_aw || m_w || m_n != 0) f_pairs = 1'b0;
  // 4. What memory is to perform makes the byte what the stores that were taken have stored.
  f_v = f_mem;
  for (z = 0; z < WRITES; z = z + 1) begin
    v_place = (g_head + z >= WRITES) ? g_head + z - WRITES : g_head + z;
    if (z < m_count && (m_has[v_place] != g_has[v_place] || (g_has[v_place] && m_value[v_place] != g_value[v_place])))
      f_memory = 1'b0;
    if (z < g_count) begin
      if (g_data[v_place*(ADDR_W+6)+:ADDR_W] == f_line) f_fly = 1'b1;
      else if (g_has[v_place]) f_lines = 1'b0;
      if (z >= m_done && g_has[v_place]) f_v = g_value[v_place];
    end
  end
  // 5. The instruction that is kept, and its lanes in the coalescer.
  for (y = 0; y < LANES; y = y + 1) begin
    v_hit = s_word[y*WORD_W+:WORD_W] == f_word && s_bytes[y*4];
    if (f_out_stores && coal_lanes[y]) begin
      if (coal_line == f_line ? f_s_lanes[y] != v_hit || (v_hit && s_lane[y*32] != f_s_val) : f_s_lanes[y]) f_kept = 1'b0;
      if (f_s_lanes[y] && !coal_sectors[f_sector]) f_kept = 1'b0;
    end
    if (f_left_stores && c_left[y]) begin
      if (c_word[y*WORD_W+:WORD_W] != s_word[y*WORD_W+:WORD_W]) f_kept = 1'b0;
      if (c_line[y*ADDR_W+:ADDR_W] == f_line ? f_s_lanes[y] != v_hit || (v_hit && s_lane[y*32] != f_s_val) : f_s_lanes[y])
        f_kept = 1'b0;
    end
  end
  if ((f_out_stores || f_left_stores) && !\u_store_buffer.kept_q ) f_kept = 1'b0;
end
wire [F_ITEM_W-1:0] h_0 = h_item[0+:F_ITEM_W];
wire [F_ITEM_W-1:0] h_1 = h_item[F_ITEM_W+:F_ITEM_W];
wire [F_ITEM_W-1:0] h_d = h_due[0] ? h_1 : h_0;
// The cycle before, for what the other parts take for granted.
reg f_was_fly, f_was_mem, f_was_send, f_was_live;
always @(posedge clk_i) begin
  f_was_live <= f_live;
  f_was_fly  <= f_fly;
  f_was_mem  <= f_mem;
  f_was_send <= f_send && a_line == f_line;
end
always @* if (f_live) begin
  stage_a: assert (\u_control.a_valid_q == h_due[0] && (!h_due[0] || f_a == {h_0[F_ITEM_W-1], h_0[DATA_W-1:0]}));
  stage_d: assert (\u_control.d_valid_q == h_due[1] && (!h_due[1] || f_d == {h_d[F_ITEM_W-1], h_d[DATA_W-1:0]}));
  one_store_enters: assert (store_open_q == (f_out_stores || f_left_stores));
  store_is_whole: assert (!f_out_stores || coal_last == !f_left_stores);
  entry_of_one_store: assert (f_used);
  entry_has_the_byte: assert (f_content);
  second_pass_in_time: assert (f_late_ok);
  line_of_the_store: assert (f_lines);
  stores_in_order: assert (f_pairs);
  memory_gets_the_byte: assert (f_memory);
  instruction_is_kept: assert (f_kept);
  nothing_is_lost: assert (f_v == f_dec);
  // What the other parts take for granted.
  entry_is_free: assert (f_free);
  finds_what_flies: assert (find_line != f_line || find == f_fly);
  flies_from_its_decision: assert (!f_was_live || !f_fly || f_was_fly || f_was_send);
  changes_only_in_flight: assert (!f_was_live || f_mem == f_was_mem || f_was_fly);
  rests_as_stored: assert (f_fly || f_mem == f_dec);
end
