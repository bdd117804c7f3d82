// SPDX-License-Identifier: Apache-2.0
// What the L1 keeps between the decision on a load and its answer, told for any one byte: word f_word
// of line f_line, one bit of it, and for any one request, that with the name f_name = {number, entry}.
// Whatever the requests are that the MRPB presents, with one rule: no two loads of one name at once.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* assume (srst_ni == f_live);

localparam integer F_SLOTS   = 1 << SLOT_W;
localparam integer F_IDS     = 1 << ID_W;
localparam integer F_SHIFT   = (1 << $clog2(SETS)) == SETS ? $clog2(SETS) : 0;
localparam integer F_TAG_W   = (ADDR_W > F_SHIFT) ? ADDR_W - F_SHIFT : 1;
localparam integer F_LEN_W   = $clog2(MERGES + 1);
localparam integer F_PTR_W   = (MERGES > 1) ? $clog2(MERGES) : 1;
localparam integer F_READ_W  = REQ_W + PLACE_W;
localparam integer F_BYTE_W  = $clog2(WORDS * 4);
localparam integer F_ASK_W   = ID_W + ADDR_W + 2 * BEAT_W;
localparam integer F_SECTOR_W = (SECTORS > 1) ? $clog2(SECTORS) : 1;

(* anyconst *) wire [ADDR_W-1:0] f_line;
(* anyconst *) wire [WORD_W-1:0] f_word;
(* anyconst *) wire [REQ_W-1:0]  f_name;
wire [31:0] f_word32 = f_word;
wire [31:0] f_beat   = f_word32 / BUS_WORDS;
wire [31:0] f_inside = f_word32 % BUS_WORDS;
wire [31:0] f_sector = (f_word32 * SECTORS) / WORDS;
always @* assume (f_word32 < WORDS);

// ---- the parts' registers and shadows --------------------------------------------------------
(* hierconn *) wire [LINES-1:0]         \u_tags.e_valid ;
(* hierconn *) wire [LINES-1:0]         \u_tags.e_reserved ;
(* hierconn *) wire [LINES*F_TAG_W-1:0] \u_tags.e_tag ;
(* hierconn *) wire [1:0]               \u_tags.f_state ;
(* hierconn *) wire [LINE_W-1:0]        \u_tags.f_place ;
(* hierconn *) wire [SECTORS-1:0]       \u_tags.f_has ;
(* hierconn *) wire [ADDR_W-1:0]        \u_tags.f_addr ;
(* hierconn *) wire                     \u_tags.a_valid_q ;
(* hierconn *) wire                     \u_tags.d_valid_q ;
(* hierconn *) wire [ADDR_W-1:0]        \u_tags.a_line_q ;
(* hierconn *) wire [ADDR_W-1:0]        \u_tags.d_line_q ;
wire [LINES-1:0]         t_valid    = \u_tags.e_valid ;
wire [LINES-1:0]         t_reserved = \u_tags.e_reserved ;
wire [LINES*F_TAG_W-1:0] t_tag      = \u_tags.e_tag ;
wire [1:0]               t_state    = \u_tags.f_state ;   // of f_line: 0 not here, 1 reserved, 2 valid
wire [LINE_W-1:0]        t_place    = \u_tags.f_place ;
wire [SECTORS-1:0]       t_has      = \u_tags.f_has ;

(* hierconn *) wire [MSHRS-1:0]              \u_mshr.valid_q ;
(* hierconn *) wire [MSHRS-1:0]              \u_mshr.ready_q ;
(* hierconn *) wire [MSHRS*ADDR_W-1:0]       \u_mshr.e_addr ;
(* hierconn *) wire [MSHRS*F_LEN_W-1:0]      \u_mshr.e_len ;
(* hierconn *) wire [MSHRS*F_PTR_W-1:0]      \u_mshr.e_head ;
(* hierconn *) wire [MSHRS*MERGES*REQ_W-1:0] \u_mshr.e_data ;
(* hierconn *) wire                          \u_mshr.f_has ;
(* hierconn *) wire [MSHR_W-1:0]             \u_mshr.f_entry ;
(* hierconn *) wire [ADDR_W-1:0]             \u_mshr.f_addr ;
wire [MSHRS-1:0]              n_valid = \u_mshr.valid_q ;
wire [MSHRS-1:0]              n_ready = \u_mshr.ready_q ;
wire [MSHRS*ADDR_W-1:0]       n_addr  = \u_mshr.e_addr ;
wire [MSHRS*F_LEN_W-1:0]      n_len   = \u_mshr.e_len ;
wire [MSHRS*F_PTR_W-1:0]      n_head  = \u_mshr.e_head ;
wire [MSHRS*MERGES*REQ_W-1:0] n_data  = \u_mshr.e_data ;
wire                          n_has   = \u_mshr.f_has ;
wire [MSHR_W-1:0]             n_entry = \u_mshr.f_entry ;

(* hierconn *) wire [BYPASSES-1:0]        \u_bypass.valid_q ;
(* hierconn *) wire [BYPASSES-1:0]        \u_bypass.ready_q ;
(* hierconn *) wire [BYPASSES*ADDR_W-1:0] \u_bypass.e_addr ;
(* hierconn *) wire [BYPASSES*REQ_W-1:0]  \u_bypass.e_data ;
(* hierconn *) wire                       \u_bypass.f_has ;
(* hierconn *) wire [ADDR_W-1:0]          \u_bypass.f_addr ;
wire [BYPASSES-1:0]        b_valid = \u_bypass.valid_q ;
wire [BYPASSES-1:0]        b_ready = \u_bypass.ready_q ;
wire [BYPASSES*ADDR_W-1:0] b_addr  = \u_bypass.e_addr ;
wire [BYPASSES*REQ_W-1:0]  b_data  = \u_bypass.e_data ;
wire                       b_has   = \u_bypass.f_has ;
always @* assume (\u_tags.f_addr == f_line && \u_mshr.f_addr == f_line && \u_bypass.f_addr == f_line);

(* hierconn *) wire [MSHRS-1:0]           \u_fill.wait_q ;
(* hierconn *) wire [BYPASSES-1:0]        \u_fill.bypass_wait_q ;
(* hierconn *) wire [MSHRS-1:0]           \u_fill.live_q ;
(* hierconn *) wire [MSHRS*PLACE_W-1:0]   \u_fill.e_place ;
(* hierconn *) wire [MSHRS*BEAT_W-1:0]    \u_fill.e_beat ;
(* hierconn *) wire [BYPASSES*BEAT_W-1:0] \u_fill.e_bypass_beat ;
wire [MSHRS-1:0]           l_wait   = \u_fill.wait_q ;
wire [BYPASSES-1:0]        l_bwait  = \u_fill.bypass_wait_q ;
wire [MSHRS-1:0]           l_live   = \u_fill.live_q ;
wire [MSHRS*PLACE_W-1:0]   l_place  = \u_fill.e_place ;
wire [MSHRS*BEAT_W-1:0]    l_beat   = \u_fill.e_beat ;
wire [BYPASSES*BEAT_W-1:0] l_bbeat  = \u_fill.e_bypass_beat ;

(* hierconn *) wire [READS-1:0]           \u_read.held_q ;
(* hierconn *) wire [READS*F_READ_W-1:0]  \u_read.e_data ;
(* hierconn *) wire [MISSES-1:0]          \u_miss.held_q ;
(* hierconn *) wire [MISSES*MISS_W-1:0]   \u_miss.e_data ;
(* hierconn *) wire                       \u_axi.read_valid_q ;
(* hierconn *) wire [F_ASK_W-1:0]         \u_axi.read_q ;
(* hierconn *) wire                       \u_reply.valid_q ;
(* hierconn *) wire                       \u_reply.started_q ;
(* hierconn *) wire [ENTRY_W-1:0]         \u_reply.entry_q ;
(* hierconn *) wire [NUMBER_W-1:0]        \u_reply.number_q ;
(* hierconn *) wire [PLACES*WORDS*32-1:0] \u_data.e_mem ;
(* hierconn *) wire                       \u_control.a_valid_q ;
(* hierconn *) wire                       \u_control.a_write_q ;
(* hierconn *) wire [ADDR_W-1:0]          \u_control.a_line_q ;
(* hierconn *) wire [SECTORS-1:0]         \u_control.a_sectors_q ;
(* hierconn *) wire                       \u_control.d_valid_q ;
(* hierconn *) wire [ADDR_W-1:0]          \u_control.d_line_q ;
wire [READS-1:0]           q_held  = \u_read.held_q ;
wire [READS*F_READ_W-1:0]  q_data  = \u_read.e_data ;
wire [MISSES-1:0]          m_held  = \u_miss.held_q ;
wire [MISSES*MISS_W-1:0]   m_data  = \u_miss.e_data ;
wire                       x_valid = \u_axi.read_valid_q ;
wire [F_ASK_W-1:0]         x_ask   = \u_axi.read_q ;
wire                       r_valid = \u_reply.valid_q ;
wire                       r_started = \u_reply.started_q ;
wire [REQ_W-1:0]           r_name  = {\u_reply.number_q , \u_reply.entry_q };
wire [PLACES*WORDS*32-1:0] d_mem   = \u_data.e_mem ;
wire [ADDR_W-1:0]          a_line  = \u_control.a_line_q ;
wire [SECTORS-1:0]         a_sectors = \u_control.a_sectors_q ;

// ---- memory ------------------------------------------------------------------------------------
// The byte changes only while a store of its line is in flight (f_fly), which begins with a decision.
(* anyseq *) wire f_ends, f_changes;
reg  f_fly, f_mem;
wire f_store = event_o[4] && a_line == f_line;
always @(posedge clk_i) begin
  f_fly <= srst_ni && (f_store || (f_fly && !f_ends));
  if (srst_ni && f_fly && f_changes) f_mem <= !f_mem;
end
always @* assume (find_line != f_line || find == f_fly);

reg [F_IDS-1:0]  f_rd, f_rd_here;
reg [BEAT_W-1:0] f_rd_beat [0:F_IDS-1];
reg [BEAT_W-1:0] f_rd_last [0:F_IDS-1];
wire [ADDR_W-1:0] f_ar_line  = ar_addr_o / (4 * WORDS);
wire [31:0]       f_ar_first = (ar_addr_o % (4 * WORDS)) / (4 * BUS_WORDS);
wire f_ar = ar_valid_o && ar_ready_i;
always @* if (r_valid_i) begin
  assume (f_rd[r_id_i]);
  assume (r_last_i == (f_rd_beat[r_id_i] == f_rd_last[r_id_i]));
  if (f_rd_here[r_id_i] && f_rd_beat[r_id_i] == f_beat) assume (r_data_i[f_inside*32] == f_mem);
end
always @(posedge clk_i) begin
  if (!srst_ni) f_rd <= 0;
  else begin
    if (r_valid_i) begin
      f_rd_beat[r_id_i] <= f_rd_beat[r_id_i] + 1'b1;
      if (r_last_i) f_rd[r_id_i] <= 1'b0;
    end
    if (f_ar) begin
      f_rd[ar_id_o]      <= 1'b1;
      f_rd_here[ar_id_o] <= f_ar_line == f_line;
      f_rd_beat[ar_id_o] <= f_ar_first[BEAT_W-1:0];
      f_rd_last[ar_id_o] <= f_ar_first[BEAT_W-1:0] + ar_len_o[BEAT_W-1:0];
    end
  end
end

// ---- the request -------------------------------------------------------------------------------
// f_in: it has been decided and its answer has not started; f_here: it reads the byte, which was
// f_want when it was decided. f_late: the same of the request whose answer has started.
wire f_decided = ((event_o[0] || event_o[1] || event_o[2]) && mshr_data == f_name)
              || (event_o[3] && bypass_data == f_name);
wire f_begins  = start && {reply_number, reply_entry} == f_name;
reg  f_in, f_here, f_want, f_late, f_late_want;
wire [SECTORS-1:0] f_asks = event_o[3] ? req_sectors : a_sectors;
wire [ADDR_W-1:0]  f_asks_line = event_o[3] ? req_line : a_line;
`ifdef F_FRONT
always @* if (f_live) begin decided_once: assert (!f_decided || !f_in); end
`else
always @* assume (!f_decided || !f_in);
`endif
always @(posedge clk_i) begin
  f_in <= srst_ni && (f_decided || (f_in && !f_begins));
  if (f_decided) begin
    f_here <= f_asks_line == f_line && f_asks[f_sector];
    f_want <= f_mem;
  end
  if (f_begins) f_late_want <= f_want;
  f_late <= srst_ni && !line_done && ((f_begins && f_here) || f_late);
end

// ---- what is kept ------------------------------------------------------------------------------
function [31:0] f_home(input [36:0] x);
  reg [36:0] v;
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

integer i, j;
reg f_reserved_is_mshr, f_mshr_is_reserved, f_waits_to_fill, f_no_table, f_reads_unreserved;
reg f_token, f_token_line, f_mem_line, f_mshr_beats, f_write_place, f_names_here, f_values;
reg [7:0] f_names;
reg [31:0] v_set, v_way, v_place;
reg [36:0] v_x;
reg        v_any;
reg [7:0]  v_n;
reg [ID_W-1:0]    v_id;
reg [MISS_W-1:0]  v_miss;
reg [F_ASK_W-1:0] v_ask;
reg [ADDR_W-1:0]  v_line;
reg [BEAT_W-1:0]  v_beat, v_first, v_last, v_end;
reg               v_wait;
reg [F_READ_W-1:0] v_read;
reg [31:0]         v_slot;
reg                v_good, v_comes;
reg [REQ_W-1:0]    v_name;
// The byte in a place, or what is on the way into it in this cycle.
function f_at(input [31:0] place);
  f_at = (write_valid && write_place == place && write_beat == f_beat) ? write_data[f_inside*32]
       : d_mem[(place*WORDS+f_word)*32];
endfunction
reg [LINES-1:0] v_taken;
always @* begin
  f_reserved_is_mshr = 1'b1;
  f_mshr_is_reserved = 1'b1;
  f_waits_to_fill    = 1'b1;
  f_reads_unreserved = 1'b1;
  f_token            = 1'b1;
  f_token_line       = 1'b1;
  f_mem_line         = 1'b1;
  f_write_place      = !write_valid || write_place < PLACES;
  f_names_here       = 1'b1;
  f_values           = 1'b1;
  f_names            = 0;
  v_taken            = 0;
  // 1. Every MSHR entry has a place that is reserved for its line, and every reserved place an entry.
  for (i = 0; i < MSHRS; i = i + 1) if (n_valid[i]) begin
    v_line  = n_addr[i*ADDR_W+:ADDR_W];
    v_x     = v_line;
    v_place = l_place[i*PLACE_W+:PLACE_W];
    v_set   = f_home(v_x);
    if (!l_live[i] || v_place / WAYS != v_set || !t_reserved[v_place]
        || t_tag[v_place*F_TAG_W+:F_TAG_W] != v_x[F_SHIFT+:F_TAG_W]) f_mshr_is_reserved = 1'b0;
    if (v_place < LINES) v_taken[v_place] = 1'b1;
  end
  if (v_taken != t_reserved) f_reserved_is_mshr = 1'b0;
  // 2. An entry waits for its line until the fill stage tells it.
  for (i = 0; i < MSHRS; i = i + 1)
    if ({l_wait[i], fill_valid && fill_entry == i} == 3
        || (l_wait[i] || (fill_valid && fill_entry == i)) != (n_valid[i] && !n_ready[i])) f_waits_to_fill = 1'b0;
  for (i = 0; i < BYPASSES; i = i + 1)
    if ({l_bwait[i], bypass_fill_valid && fill_entry == i} == 3
        || (l_bwait[i] || (bypass_fill_valid && fill_entry == i)) != (b_valid[i] && !b_ready[i]))
      f_waits_to_fill = 1'b0;
  // 3. A fetch that waits is in one place: the miss queue, the register of the AXI port, or memory.
  for (i = 0; i < F_IDS; i = i + 1) begin
    v_n    = f_rd[i];
    v_beat = 0;
    v_last = 0;
    v_line = 0;
    v_wait = 1'b0;
    if (i < F_SLOTS) begin
      if (i < MSHRS) begin
        v_wait = l_wait[i];
        v_line = n_addr[i*ADDR_W+:ADDR_W];
        v_beat = l_beat[i*BEAT_W+:BEAT_W];
      end
    end else if (i - F_SLOTS < BYPASSES) begin
      v_wait = l_bwait[i-F_SLOTS];
      v_line = b_addr[(i-F_SLOTS)*ADDR_W+:ADDR_W];
      v_beat = l_bbeat[(i-F_SLOTS)*BEAT_W+:BEAT_W];
    end
    v_end = f_rd_last[i];
    if (f_rd[i]) begin
      if (f_rd_here[i] != (v_line == f_line) || f_rd_beat[i] != v_beat || v_beat > f_rd_last[i]
          || f_rd_last[i] >= BEATS) f_mem_line = 1'b0;
    end
    for (j = 0; j < MISSES + 1; j = j + 1) begin
      v_miss = (j < MISSES) ? m_data[j*MISS_W+:MISS_W] : {1'b0, x_ask};
      if ((j < MISSES ? m_held[j] : x_valid) && !v_miss[MISS_W-1] && v_miss[2*BEAT_W+ADDR_W+:ID_W] == i) begin
        v_n = v_n + 1'b1;
        v_end = v_miss[BEAT_W-1:0];
        if (v_miss[2*BEAT_W+:ADDR_W] != v_line || v_miss[BEAT_W+:BEAT_W] != v_beat
            || v_beat > v_end || v_end >= BEATS) f_token_line = 1'b0;
      end
    end
    if (v_n != v_wait) f_token = 1'b0;
    // The byte of a line that is fetched: here already, or still to come.
    v_comes = v_wait && v_beat <= f_beat && f_beat <= v_end;
    if (i < F_SLOTS && i < MSHRS) begin
      if (n_valid[i] && v_line == f_line && t_has[f_sector] && !v_comes && f_at(t_place) != f_mem) f_values = 1'b0;
    end
    if (i >= F_SLOTS && i - F_SLOTS < BYPASSES) begin
      if (b_valid[i-F_SLOTS] && v_line == f_line && b_data[(i-F_SLOTS)*REQ_W+:REQ_W] == f_name && f_in && f_here
          && !v_comes && f_at(LINES + i - F_SLOTS) != f_mem) f_values = 1'b0;
    end
  end
  // 4. What waits to be read is not reserved, and is a place of the cache.
  for (i = 0; i < READS; i = i + 1) if (q_held[i]) begin
    v_read  = q_data[i*F_READ_W+:F_READ_W];
    v_place = v_read[PLACE_W-1:0];
    if (v_place >= LINES || t_reserved[v_place]) f_reads_unreserved = 1'b0;
    if (v_read[F_READ_W-1:PLACE_W] == f_name) begin
      f_names = f_names + 1'b1;
      if (f_here && f_at(v_place) != f_want) f_names_here = 1'b0;
    end
  end
  // 5. A beat that is written goes into a reserved place, or into that of a bypass that is not ready.
  if (write_valid) begin
    if (write_place < LINES) begin
      if (!t_reserved[write_place]) f_write_place = 1'b0;
      v_any = 1'b0;
      for (i = 0; i < MSHRS; i = i + 1)
        if (n_valid[i] && !n_ready[i] && l_place[i*PLACE_W+:PLACE_W] == write_place) v_any = 1'b1;
      if (!v_any) f_write_place = 1'b0;
    end else begin
      v_any = 1'b0;
      for (i = 0; i < BYPASSES; i = i + 1)
        if (b_valid[i] && !b_ready[i] && LINES + i == write_place) v_any = 1'b1;
      if (!v_any) f_write_place = 1'b0;
    end
  end
  // 6. The request is in one place, if it is anywhere.
  for (i = 0; i < MSHRS; i = i + 1)
    for (j = 0; j < MERGES; j = j + 1) begin
      v_slot = n_head[i*F_PTR_W+:F_PTR_W] + j;
      if (v_slot >= MERGES) v_slot = v_slot - MERGES;
      v_name = n_data[(i*MERGES+v_slot)*REQ_W+:REQ_W];
      if (n_valid[i] && j < n_len[i*F_LEN_W+:F_LEN_W] && v_name == f_name) begin
        f_names = f_names + 1'b1;
        if (f_here && (n_addr[i*ADDR_W+:ADDR_W] != f_line || !t_has[f_sector] || f_want != f_mem))
          f_names_here = 1'b0;
      end
    end
  for (i = 0; i < BYPASSES; i = i + 1)
    if (b_valid[i] && b_data[i*REQ_W+:REQ_W] == f_name) begin
      f_names = f_names + 1'b1;
      if (f_here && (b_addr[i*ADDR_W+:ADDR_W] != f_line || f_want != f_mem)) f_names_here = 1'b0;
    end
  if (r_valid && !r_started && r_name == f_name) begin
    f_names = f_names + 1'b1;
    if (f_here && line[f_word*32] != f_want) f_names_here = 1'b0;
  end
end

always @* if (f_live) begin
  // The rules of the page.
  r1_mshr_is_reserved: assert (f_mshr_is_reserved);
  r1_reserved_is_mshr: assert (f_reserved_is_mshr);
  r1_line: assert (n_has == (t_state == 1));
  r2_writes_reserved: assert (f_write_place);
  r3_store_alone: assert (!f_fly || (t_state == 0 && !n_has && !b_has));
  r4_read_is_not_reserved: assert (f_reads_unreserved);
  // What else they need.
  stages: assert (\u_tags.a_valid_q == \u_control.a_valid_q || !\u_control.a_valid_q );
  stages_a: assert (!\u_control.a_valid_q || (\u_tags.a_valid_q && \u_tags.a_line_q == a_line));
  stages_d: assert (!\u_control.d_valid_q || (\u_tags.d_valid_q && \u_tags.d_line_q == \u_control.d_line_q ));
  waits_until_filled: assert (f_waits_to_fill);
  fetched_once: assert (f_token);
  fetched_as_asked: assert (f_token_line);
  memory_as_asked: assert (f_mem_line);
  // Data.
  valid_has_the_byte: assert (t_state != 2 || !t_has[f_sector] || f_at(t_place) == f_mem);
  fetched_has_the_byte: assert (f_values);
  one_place: assert (f_names == f_in);
  request_has_the_byte: assert (!f_in || f_names_here);
  late_has_the_byte: assert (!f_late || (r_valid && r_started && line[f_word*32] == f_late_want));
  // What the others may rely on.
  once: assert (!f_begins || f_in);
  value: assert (!f_begins || !f_here || line[f_word*32] == f_want);
end
