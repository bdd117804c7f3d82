// SPDX-License-Identifier: Apache-2.0
// The contract's clauses (docs/conform/README.md) as monitors: the abstract model of tb/verify/conform/model.c, event by event
// in its order, for at most F_SLOTS open entries and tags that differ in their low F_TAGS_W bits alone, from a base that is any.
// Constants F_... and ASK_... come before it: what the map shows, and which clauses are asked.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (f_cycle < 6'd2) assume (!srst_ni);

localparam F_CW   = F_TAGS_W + 1;
(* anyconst *) wire [TAG_W-1:0] f_base;

// Reads by the low bits of their tags: outstanding, their slot, how many of it are older; outstanding before the reset.
reg [F_TAGS-1:0]           f_out, n_out, f_old, n_old;
reg [F_TAGS*F_SLOTS_W-1:0] f_of, n_of;
reg [F_TAGS*F_CW-1:0]      f_ahead, n_ahead;
// Entries, in slots: f_elder[i*F_SLOTS+j]: i is older than j.
reg [F_SLOTS-1:0]          f_open, n_open, f_asked, n_asked, f_filled, n_filled;
reg [F_SLOTS*ADDR_W-1:0]   f_line, n_line;
reg [F_SLOTS*TICKET_W-1:0] f_ticket, n_ticket;
reg [F_SLOTS*F_CW-1:0]     f_reads, n_reads;
// Undecided reads: as many of the slot's oldest may have merged into the line's slot before it (F_TELLS).
reg [F_SLOTS*F_CW-1:0]     f_maybe, n_maybe;
reg [F_SLOTS*F_SLOTS-1:0]  f_elder, n_elder;
reg [F_CW-1:0]             f_all, n_all;
reg [6:0]                  f_quiet, f_since_answer;
reg [2:0]                  f_since_reset;
reg                        f_fresh;  // nothing was open since the reset
// The cycle before.
reg                        f_was_fill, f_was_answer, f_was_line, f_was_refused, f_was_alive;
reg [ADDR_W-1:0]           f_last_fill, f_last_read, f_last_line;
reg [TAG_W-1:0]            f_last_tag;
reg [TICKET_W-1:0]         f_last_ticket;
reg [WAYS-1:0]             f_last_valid;
reg [WAYS*TAG_W-1:0]       f_last_tags;

// ---- what the environment promises ----
integer e_i, e_j;
reg [F_SLOTS-1:0]  e_fits, e_fill;
reg                e_blocked, e_blocked_last, e_used, e_still;
reg [TICKET_W-1:0] e_ticket;
always @* begin
  e_fits = 0;
  e_fill = 0;
  e_ticket = 0;
  e_blocked = 1'b0;
  e_blocked_last = 1'b0;
  e_used = 1'b0;
  e_still = 1'b0;
  for (e_i = 0; e_i < F_SLOTS; e_i = e_i + 1)
    e_fits[e_i] = f_open[e_i] && f_asked[e_i] && !f_filled[e_i] && f_maybe[e_i*F_CW +: F_CW] == 0 && f_line[e_i*ADDR_W +: ADDR_W] == fill_addr_i;
  for (e_i = 0; e_i < F_SLOTS; e_i = e_i + 1) begin  // the oldest
    e_fill[e_i] = e_fits[e_i];
    for (e_j = 0; e_j < F_SLOTS; e_j = e_j + 1)
      if (e_j != e_i && e_fits[e_j] && f_elder[e_j*F_SLOTS+e_i]) e_fill[e_i] = 1'b0;
    if (e_fill[e_i]) e_ticket = f_ticket[e_i*TICKET_W +: TICKET_W];
  end
  for (e_i = 0; e_i < F_SLOTS; e_i = e_i + 1)
    if (f_open[e_i] && f_asked[e_i] && !f_filled[e_i] && f_line[e_i*ADDR_W +: ADDR_W] == f_last_fill) e_still = 1'b1;
  for (e_i = 0; e_i < F_SLOTS; e_i = e_i + 1)
    if (f_open[e_i] && (f_filled[e_i] || (fill_valid_i && e_fill[e_i]))) begin
      if (f_line[e_i*ADDR_W +: ADDR_W] == read_addr_i) e_blocked = 1'b1;
      if (f_line[e_i*ADDR_W +: ADDR_W] == f_last_read) e_blocked_last = 1'b1;
    end
  for (e_i = 0; e_i < F_TAGS; e_i = e_i + 1)
    if (f_out[e_i] && read_tag_i[F_TAGS_W-1:0] == e_i) e_used = 1'b1;
end
wire e_far    = ((read_tag_i ^ f_base) >> F_TAGS_W) != 0;
wire e_again  = f_was_fill && f_was_alive && srst_ni && e_still;
wire e_held   = F_HOLD && f_was_refused && f_was_alive && srst_ni;
always @* begin
  if (!srst_ni) assume (!read_valid_i && !fill_valid_i);
  if (!F_ANSWER_READY) assume (answer_ready_i);
  if (!F_LINE_READY) assume (line_ready_i);
  if (fill_valid_i) assume (e_fill != 0 && fill_ticket_i == e_ticket);
  if (e_again) assume (fill_valid_i && fill_addr_i == f_last_fill);
  if (read_valid_i) assume (!e_far && !e_used && read_tag_i[F_TAGS_W-1:0] < F_TAGS && (F_MERGE || F_TELLS || !e_blocked));
  if (e_held && (F_MERGE || F_TELLS || !e_blocked_last))
    assume (read_valid_i && read_addr_i == f_last_read && read_tag_i == f_last_tag);
  if (e_held && !F_MERGE && !F_TELLS && !e_again && fill_valid_i) assume (fill_addr_i != f_last_read);
end

// ---- the events of a cycle, in their order ----
integer i, j, t, w;
reg [TAG_W-1:0]    m_tag;
reg [F_SLOTS_W-1:0] m_slot, m_read;
reg [F_CW-1:0]     m_place, m_had, m_now;
reg                m_is, m_before, m_here, m_opens, m_free, m_full, m_room, m_lists, m_joins, m_stale, m_asks, m_done, m_wins;
reg                m_awaited, m_empty, m_self, m_perhaps, m_doubt;
reg [F_CW-1:0]     m_back;
reg [F_SLOTS-1:0]  m_after, m_void, m_late, m_kept;
reg [WAYS-1:0]     m_mine;
reg [ADDR_W-1:0]   m_line, m_self_line;
reg [TICKET_W-1:0] m_ticket;
reg [F_SLOTS-1:0]  m_asked;  // before this cycle's request
reg [F_SLOTS_W+1:0] m_used, m_left;
reg bad_once, bad_after_fill, bad_address, bad_order, bad_one_entry, bad_merges, bad_entries, bad_refusal, bad_leak;
reg bad_requested, bad_held, bad_reset;
wire m_take   = fill_valid_i && (!F_FILL_READY || fill_ready_o);
wire m_accept = read_valid_i && read_ready_o;
`ifdef TELLS
// The oldest m_back reads of slot m_slot had merged into the slot before it.
task give_back;
  begin
    for (i = 0; i < F_SLOTS; i = i + 1)
      for (j = 0; j < F_SLOTS; j = j + 1)
        if (m_back != 0 && m_slot == j && i != j && f_open[i] && f_elder[i*F_SLOTS+j]
            && f_line[i*ADDR_W +: ADDR_W] == f_line[j*ADDR_W +: ADDR_W]) begin
          for (t = 0; t < F_TAGS; t = t + 1)
            if (n_of[t*F_SLOTS_W +: F_SLOTS_W] == j) begin
              if (n_ahead[t*F_CW +: F_CW] < m_back) begin
                n_of[t*F_SLOTS_W +: F_SLOTS_W] = i;
                n_ahead[t*F_CW +: F_CW] = n_ahead[t*F_CW +: F_CW] + n_reads[i*F_CW +: F_CW];
              end else n_ahead[t*F_CW +: F_CW] = n_ahead[t*F_CW +: F_CW] - m_back;
            end
          n_reads[i*F_CW +: F_CW] = n_reads[i*F_CW +: F_CW] + m_back;
          n_reads[j*F_CW +: F_CW] = n_reads[j*F_CW +: F_CW] - m_back;
          n_maybe[j*F_CW +: F_CW] = n_maybe[j*F_CW +: F_CW] - m_back;
          if (n_reads[i*F_CW +: F_CW] > MERGES) bad_merges = 1'b1;
          if (n_reads[j*F_CW +: F_CW] == 0) m_void[j] = 1'b1;
        end
  end
endtask
`endif
`ifdef TELLS
// m_kept: slots without reads that stay, since one that came later may have a read of theirs.
task keep;
  begin
    m_kept = 0;
    for (i = 0; i < F_SLOTS; i = i + 1)
      for (j = 0; j < F_SLOTS; j = j + 1)
        if (i != j && n_open[i] && n_open[j] && !m_void[j] && n_elder[i*F_SLOTS+j]
            && n_maybe[j*F_CW +: F_CW] != 0 && n_line[i*ADDR_W +: ADDR_W] == n_line[j*ADDR_W +: ADDR_W])
          m_kept[i] = 1'b1;
  end
endtask
`endif
// The answer m_tag of line m_line leaves.
task leave;
  begin
    m_is = 1'b0;
    m_before = 1'b0;
    m_slot = 0;
    m_place = 0;
    m_back = 0;
    for (i = 0; i < F_TAGS; i = i + 1)
      if (((m_tag ^ f_base) >> F_TAGS_W) == 0 && m_tag[F_TAGS_W-1:0] == i) begin
        m_is = n_out[i];
        m_before = n_old[i];
        m_slot = n_of[i*F_SLOTS_W +: F_SLOTS_W];
        m_place = n_ahead[i*F_CW +: F_CW];
      end
`ifdef TELLS
    for (j = 0; j < F_SLOTS; j = j + 1)
      if (F_TELLS && m_is && m_slot == j && n_maybe[j*F_CW +: F_CW] > m_place) m_back = m_place + 1'b1;
    give_back;
`endif
    for (i = 0; i < F_TAGS; i = i + 1)
      if (((m_tag ^ f_base) >> F_TAGS_W) == 0 && m_tag[F_TAGS_W-1:0] == i) begin
        m_slot = n_of[i*F_SLOTS_W +: F_SLOTS_W];
        m_place = n_ahead[i*F_CW +: F_CW];
        n_out[i] = 1'b0;
      end
    if (!m_is && m_before) bad_reset = 1'b1;
    if (!m_is && !m_before) bad_once = 1'b1;
    if (m_is) begin
      n_all = n_all - 1'b1;
      if (m_place != 0) bad_order = 1'b1;
      for (j = 0; j < F_SLOTS; j = j + 1)
        if (m_slot == j) begin
          m_late[j] = 1'b1;
          if (!n_filled[j]) bad_after_fill = 1'b1;
          if (F_ANSWER_ADDR && m_line != n_line[j*ADDR_W +: ADDR_W]) bad_address = 1'b1;
          n_reads[j*F_CW +: F_CW] = n_reads[j*F_CW +: F_CW] - 1'b1;
        end
      for (i = 0; i < F_TAGS; i = i + 1)
        if (n_out[i] && n_of[i*F_SLOTS_W +: F_SLOTS_W] == m_slot && n_ahead[i*F_CW +: F_CW] > m_place)
          n_ahead[i*F_CW +: F_CW] = n_ahead[i*F_CW +: F_CW] - 1'b1;
    end
  end
endtask

always @* begin
  n_maybe = f_maybe;
  m_self = 1'b0;
  m_after = 0;
  m_void = 0;
  m_kept = 0;
  m_mine = 0;
  m_self_line = 0;
  n_out = f_out;
  n_old = f_old;
  n_of = f_of;
  n_ahead = f_ahead;
  n_open = f_open;
  n_asked = f_asked;
  n_filled = f_filled;
  n_line = f_line;
  n_ticket = f_ticket;
  n_reads = f_reads;
  n_elder = f_elder;
  n_all = f_all;
  bad_once = 1'b0;
  bad_after_fill = 1'b0;
  bad_address = 1'b0;
  bad_order = 1'b0;
  bad_one_entry = 1'b0;
  bad_merges = 1'b0;
  bad_entries = 1'b0;
  bad_refusal = 1'b0;
  bad_leak = 1'b0;
  bad_requested = 1'b0;
  bad_held = 1'b0;
  bad_reset = 1'b0;
  m_tag = 0;
  m_slot = 0;
  m_place = 0;
  m_is = 1'b0;
  m_before = 1'b0;
  m_empty = f_open == 0;

  // Busy, of what was open before the cycle.
  if (F_BUSY && !m_empty && !busy_o) bad_leak = 1'b1;
  if (F_BUSY && m_empty && busy_o && f_quiet + 1 > SLACK + 2) begin
    if (f_fresh) bad_reset = 1'b1;
    else bad_leak = 1'b1;
  end

  // The fill.
  if (m_take) n_filled = n_filled | e_fill;

  // The answers.
  for (w = 0; w < WAYS; w = w + 1) begin
    if (f_was_answer && f_last_valid[w]
        && (!answer_valid_o[w] || answer_tag_o[w*TAG_W +: TAG_W] != f_last_tags[w*TAG_W +: TAG_W])) bad_held = 1'b1;
    m_tag = answer_tag_o[w*TAG_W +: TAG_W];
    m_line = answer_addr_o[w*ADDR_W +: ADDR_W];
    m_late = 0;
    // The answer of the read of this cycle comes last.
    m_mine[w] = read_valid_i && answer_valid_o[w] && m_tag == read_tag_i;
    if (answer_ready_i && m_mine[w] && read_ready_o && !m_self) begin
      m_self = 1'b1;
      m_self_line = m_line;
    end else if (answer_ready_i && answer_valid_o[w]) begin
      leave;
      if (m_self) m_after = m_after | m_late;
    end
  end

  // The read: its line's newest entry (m_here, m_read), how many are in use of its set, and the slot of a new one.
  m_here = 1'b0;
  m_read = 0;
  m_had = 0;
  m_now = 0;
  m_used = 0;
  m_left = 0;
  m_free = 1'b0;
  m_awaited = 1'b0;
  m_perhaps = 1'b0;
  m_doubt = 1'b0;
  m_ticket = 0;
  for (i = 0; i < F_SLOTS; i = i + 1) begin
    m_wins = f_open[i] && !m_void[i] && n_line[i*ADDR_W +: ADDR_W] == read_addr_i;
    for (j = 0; j < F_SLOTS; j = j + 1)
      if (j != i && f_open[j] && !m_void[j] && n_line[j*ADDR_W +: ADDR_W] == read_addr_i && f_elder[i*F_SLOTS+j]) m_wins = 1'b0;
    if (m_wins) begin
      m_here = 1'b1;
      m_read = i;
      m_had = f_reads[i*F_CW +: F_CW];
      m_now = n_reads[i*F_CW +: F_CW];
      m_awaited = !n_filled[i];
      m_perhaps = n_maybe[i*F_CW +: F_CW] != 0 && n_maybe[i*F_CW +: F_CW] == n_reads[i*F_CW +: F_CW];
      m_doubt = n_maybe[i*F_CW +: F_CW] != 0;
      m_ticket = n_ticket[i*TICKET_W +: TICKET_W];
    end
    if (f_open[i] && n_line[i*ADDR_W +: ADDR_W] % SETS == read_addr_i % SETS) begin
      m_used = m_used + 1'b1;
      if (n_reads[i*F_CW +: F_CW] != n_maybe[i*F_CW +: F_CW]) m_left = m_left + 1'b1;
    end
  end
  if (m_self && m_here && m_after[m_read]) bad_order = 1'b1;
  m_joins = m_here && m_now != 0 && m_awaited && !m_perhaps && F_ONE_ENTRY;
  m_full  = m_used >= ENTRIES / SETS && !m_joins;
  m_lists = m_doubt || (m_here && (m_now >= MERGES || m_had >= MERGES)) || (READS != 0 && (n_all >= READS || f_all >= READS));
  m_stale = SLACK != 0 && (f_since_answer <= SLACK || (answer_valid_o != 0 && answer_ready_i));
  if (F_REFUSE && read_valid_i && !read_ready_o
      && (read_refuse_o == 0 || (read_refuse_o == 1 && !m_full && !m_stale) || (read_refuse_o == 2 && !m_lists && !m_stale))) begin
    if (f_since_reset < 4 && m_empty) bad_reset = 1'b1;
    else bad_refusal = 1'b1;
  end
  m_opens = 1'b0;
  m_place = 0;
  m_slot = m_read;
  if (m_accept) begin
    m_opens = F_MERGE ? !read_merge_o : !m_here;
    m_doubt = 1'b0;
`ifdef TELLS
    if (F_TELLS && m_here && (!m_awaited || m_perhaps)) begin
      // Undecided, unless the entry's number tells.
      m_doubt = !F_TICKET || (m_ticket == read_ticket_o && (m_perhaps || m_now == 0));
      m_opens = !m_perhaps && (!F_TICKET || m_ticket != read_ticket_o || m_now == 0);
      if (F_TICKET && m_perhaps && m_ticket != read_ticket_o) begin
        m_back = m_now;
        give_back;
        m_opens = 1'b1;
      end
    end
`endif
    if (F_MERGE && m_opens && m_here && m_awaited) bad_one_entry = 1'b1;
    if (F_MERGE && !m_opens && !m_here) bad_one_entry = 1'b1;
    if (!m_self && READS != 0 && n_all >= READS) bad_merges = 1'b1;
    if (!m_self && !m_opens && m_here && !m_doubt && m_now >= MERGES) bad_merges = 1'b1;
    if (!m_opens && m_here && F_TICKET && m_ticket != read_ticket_o) bad_one_entry = 1'b1;
    if (!m_self && m_opens && !m_doubt && m_left >= ENTRIES / SETS) bad_entries = 1'b1;
    m_place = m_now;
    if (m_opens) begin
      m_place = 0;
`ifdef TELLS
      keep;
`endif
      for (i = F_SLOTS - 1; i >= 0; i = i - 1) begin
        if (f_open[i] && !m_void[i] && (n_reads[i*F_CW +: F_CW] != 0 || m_kept[i] || (m_doubt && m_read == i))) begin
          if (F_TICKET && n_reads[i*F_CW +: F_CW] != 0 && n_ticket[i*TICKET_W +: TICKET_W] == read_ticket_o) bad_entries = 1'b1;
        end else begin
          m_free = 1'b1;
          m_slot = i;
        end
      end
      if (!m_free && !m_self) bad_entries = 1'b1;
    end
    n_all = n_all + 1'b1;
    for (i = 0; i < F_TAGS; i = i + 1)
      if (read_tag_i[F_TAGS_W-1:0] == i) begin
        n_out[i] = 1'b1;
        n_old[i] = 1'b0;
        n_of[i*F_SLOTS_W +: F_SLOTS_W] = m_slot;
        n_ahead[i*F_CW +: F_CW] = m_place;
      end
    for (i = 0; i < F_SLOTS; i = i + 1)
      if (m_slot == i) begin
        n_reads[i*F_CW +: F_CW] = m_place + 1'b1;
        if (m_doubt && !m_opens) n_maybe[i*F_CW +: F_CW] = n_maybe[i*F_CW +: F_CW] + 1'b1;
        if (m_opens) begin
          n_maybe[i*F_CW +: F_CW] = m_doubt;
          m_void[i] = 1'b0;
          n_open[i] = 1'b1;
          n_filled[i] = 1'b0;
          n_asked[i] = !F_LINE;
          n_line[i*ADDR_W +: ADDR_W] = read_addr_i;
          n_ticket[i*TICKET_W +: TICKET_W] = F_TICKET ? read_ticket_o : 0;
          for (j = 0; j < F_SLOTS; j = j + 1) begin
            n_elder[i*F_SLOTS+j] = 1'b0;
            n_elder[j*F_SLOTS+i] = j != i;
          end
        end
      end
  end

  // The request.
  m_asks = 1'b0;
  m_done = 1'b0;
  m_asked = n_asked;
  if (F_LINE && f_was_line && (!line_valid_o || (F_LINE_ADDR && line_addr_o != f_last_line)
                               || (F_LINE_TICKET && line_ticket_o != f_last_ticket))) bad_held = 1'b1;
  if (F_LINE && line_valid_o) begin
    for (i = 0; i < F_SLOTS; i = i + 1) begin
      m_wins = n_open[i] && !m_asked[i] && (!F_LINE_ADDR || n_line[i*ADDR_W +: ADDR_W] == line_addr_o)
               && (!F_LINE_TICKET || !F_TICKET || n_ticket[i*TICKET_W +: TICKET_W] == line_ticket_o);
      for (j = 0; j < F_SLOTS; j = j + 1)
        if (j != i && n_open[j] && !m_asked[j]
            && (!F_LINE_ADDR || n_line[j*ADDR_W +: ADDR_W] == line_addr_o)
            && (!F_LINE_TICKET || !F_TICKET || n_ticket[j*TICKET_W +: TICKET_W] == line_ticket_o)
            && n_elder[j*F_SLOTS+i]) m_wins = 1'b0;
      if (m_wins && !m_done) begin
        m_asks = 1'b1;
        m_done = 1'b1;
        // The newest read has opened the entry.
        if (n_maybe[i*F_CW +: F_CW] == n_reads[i*F_CW +: F_CW] && n_maybe[i*F_CW +: F_CW] != 0)
          n_maybe[i*F_CW +: F_CW] = n_maybe[i*F_CW +: F_CW] - 1'b1;
        if (line_ready_i) n_asked[i] = 1'b1;
        if (line_ready_i && F_LINE_TICKET && !F_TICKET) n_ticket[i*TICKET_W +: TICKET_W] = line_ticket_o;
      end
    end
    if (!m_asks && f_since_reset < 2 && n_open == 0) bad_reset = 1'b1;
    else if (!m_asks) bad_requested = 1'b1;
  end

  // The answer of the read of this cycle: the youngest of its slot, so that no other moves up.
`ifdef TELLS
  if (m_self) begin
    m_tag = read_tag_i;
    m_line = m_self_line;
    leave;
  end
`else
  if (m_self) begin
    if (m_place != 0) bad_order = 1'b1;
    n_all = n_all - 1'b1;
    for (i = 0; i < F_TAGS; i = i + 1)
      if (read_tag_i[F_TAGS_W-1:0] == i) n_out[i] = 1'b0;
    for (j = 0; j < F_SLOTS; j = j + 1)
      if (m_slot == j) begin
        if (!n_filled[j]) bad_after_fill = 1'b1;
        if (F_ANSWER_ADDR && m_self_line != n_line[j*ADDR_W +: ADDR_W]) bad_address = 1'b1;
        n_reads[j*F_CW +: F_CW] = m_place;
      end
  end
`endif

`ifdef TELLS
  keep;
`endif
  for (i = 0; i < F_SLOTS; i = i + 1)
    n_open[i] = n_open[i] && !m_void[i] && (n_reads[i*F_CW +: F_CW] != 0 || m_kept[i]);
end

always @(posedge clk_i) begin
  f_was_alive <= srst_ni;
  f_was_refused <= read_valid_i && !read_ready_o;
  f_last_fill <= fill_addr_i;
  f_last_read <= read_addr_i;
  f_last_tag <= read_tag_i;
  f_last_line <= line_addr_o;
  f_last_ticket <= line_ticket_o;
  f_last_valid <= read_ready_o ? answer_valid_o : answer_valid_o & ~m_mine;
  f_last_tags <= answer_tag_o;
  if (!srst_ni) begin
    f_old <= f_cycle < 6'd2 ? {F_TAGS{1'b0}} : f_old | f_out;
    f_out <= 0;
    f_open <= 0;
    f_asked <= 0;
    f_filled <= 0;
    f_reads <= 0;
    f_maybe <= 0;
    f_all <= 0;
    f_quiet <= 0;
    f_since_answer <= 7'd127;
    f_since_reset <= 0;
    f_fresh <= 1'b1;
    f_was_fill <= 1'b0;
    f_was_answer <= 1'b0;
    f_was_line <= 1'b0;
  end else begin
    f_out <= n_out;
    f_old <= n_old;
    f_of <= n_of;
    f_ahead <= n_ahead;
    f_open <= n_open;
    f_asked <= n_asked;
    f_filled <= n_filled;
    f_line <= n_line;
    f_ticket <= n_ticket;
    f_reads <= n_reads;
    f_maybe <= n_maybe;
    f_elder <= n_elder;
    f_all <= n_all;
    f_quiet <= !m_empty ? 7'd0 : f_quiet == 7'd127 ? 7'd127 : f_quiet + 7'd1;
    f_since_answer <= answer_valid_o != 0 && answer_ready_i ? 7'd1 : f_since_answer == 7'd127 ? 7'd127 : f_since_answer + 7'd1;
    if (f_since_reset != 3'd7) f_since_reset <= f_since_reset + 3'd1;
    if (!m_empty) f_fresh <= 1'b0;
    f_was_fill <= fill_valid_i && !m_take;
    f_was_answer <= (read_ready_o ? answer_valid_o : answer_valid_o & ~m_mine) != 0 && !answer_ready_i;
    f_was_line <= F_LINE && line_valid_o && !line_ready_i;
  end
end

// What was seen on the way, for the covers.
reg f_merged, f_two;
always @(posedge clk_i)
  if (f_cycle < 6'd2) begin
    f_merged <= 1'b0;
    f_two <= 1'b0;
  end else if (srst_ni) begin
    if (m_accept && !m_opens) f_merged <= 1'b1;
    if (m_take && f_all > 1) f_two <= 1'b1;
  end

always @* if (f_live && srst_ni) begin
`ifdef ASK_ONCE
  once: assert (!bad_once);
`endif
`ifdef ASK_AFTER_FILL
  after_fill: assert (!bad_after_fill);
`endif
`ifdef ASK_ADDRESS
  address: assert (!bad_address);
`endif
`ifdef ASK_ORDER
  order: assert (!bad_order);
`endif
`ifdef ASK_ONE_ENTRY
  one_entry: assert (!bad_one_entry);
`endif
`ifdef ASK_MERGES
  merges: assert (!bad_merges);
`endif
`ifdef ASK_ENTRIES
  entries: assert (!bad_entries);
`endif
`ifdef ASK_REFUSAL
  refusal: assert (!bad_refusal);
`endif
`ifdef ASK_LEAK
  leak: assert (!bad_leak);
`endif
`ifdef ASK_REQUESTED
  requested: assert (!bad_requested);
`endif
`ifdef ASK_HELD
  held: assert (!bad_held);
`endif
`ifdef ASK_RESET
  reset: assert (!bad_reset);
`endif
  accepts: cover (m_accept);
  merging: cover (MERGES == 1 || (m_accept && !m_opens));
  fills: cover (m_take);
  answers: cover (answer_ready_i && answer_valid_o[0]);
  full: cover (n_open == {F_SLOTS{1'b1}} || m_used == ENTRIES / SETS);
  emptied: cover (f_two && (MERGES == 1 || READS == 1 || f_merged) && n_all == 0 && f_all != 0);
  resets: cover (f_old != 0);
end
