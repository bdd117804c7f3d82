// SPDX-License-Identifier: Apache-2.0
// A cache for the tests of the contract of a path: a replay table.
// Write-through, a store that misses takes no line; memory has one port. A request that cannot be
// served waits in the table, behind those of its line: they are a list, the oldest first. The first
// of a list asks for the line. When the line has come, the list is replayed, one request a cycle,
// and the way is held until the list is empty. Stores leave through a buffer, which joins those of
// one line; a line is not asked for while the buffer has it.
`default_nettype none
module replay_cache #(
  parameter integer WORD    = 4,
  parameter integer LANES   = 2,
  parameter integer LINE    = 16,
  parameter integer ADDR_W  = 10,
  parameter integer TAG_W   = 4,
  parameter integer ID_W    = 4,
  // sets: a power of two; ways; requests in the table; lines in the store buffer
  parameter integer SETS    = 2,
  parameter integer WAYS    = 2,
  parameter integer ENTRIES = 4,
  parameter integer STORES  = 2
) (
  input  wire                      clk_i,
  input  wire                      srst_ni,
  input  wire [LANES-1:0]          req_valid_i,
  input  wire [LANES-1:0]          req_write_i,
  input  wire [LANES-1:0]          req_bypass_i,
  input  wire [LANES*ADDR_W-1:0]   req_addr_i,
  input  wire [LANES*WORD-1:0]     req_mask_i,
  input  wire [LANES*WORD*8-1:0]   req_data_i,
  input  wire [LANES*TAG_W-1:0]    req_tag_i,
  output wire [LANES-1:0]          req_ready_o,
  output wire [LANES-1:0]          rsp_valid_o,
  output wire [LANES*TAG_W-1:0]    rsp_tag_o,
  output wire [LANES*WORD*8-1:0]   rsp_data_o,
  input  wire [LANES-1:0]          rsp_ready_i,
  input  wire                      flush_i,
  output wire                      flush_done_o,
  output wire                      mem_valid_o,
  output wire                      mem_write_o,
  output wire [ADDR_W-1:0]         mem_addr_o,
  output wire [ID_W-1:0]           mem_id_o,
  output wire [LINE-1:0]           mem_mask_o,
  output wire [8*LINE-1:0]         mem_data_o,
  input  wire                      mem_ready_i,
  input  wire                      mem_rsp_valid_i,
  input  wire [ID_W-1:0]           mem_rsp_id_i,
  input  wire [8*LINE-1:0]         mem_rsp_data_i,
  output wire                      mem_rsp_ready_o
);
  localparam OFF_W   = $clog2(LINE);
  localparam LN_W    = ADDR_W - OFF_W;
  localparam SLOTS   = SETS * WAYS;
  localparam SLOT_W  = $clog2(SLOTS + 1);
  localparam SET_W   = $clog2(SETS + 1);
  localparam ENTRY_W = $clog2(ENTRIES + 1);
  localparam ST_W    = $clog2(STORES + 1);

  // Tags and data; a slot is a way of a set. It is held from the request for its line until the
  // list of the line is empty.
  reg [SLOTS-1:0]  valid_q, held_q;
  reg [LN_W-1:0]   tag_q [0:SLOTS-1];
  reg [8*LINE-1:0] data_q [0:SLOTS-1];
  reg [SLOT_W-1:0] turn_q;

  // The table. The first of a list is to be replayed, or waits until it can ask for its line, or
  // for the line. One that is linked has a next one.
  reg [ENTRIES-1:0]     used_q, first_q, replay_q, ask_q, linked_q, write_q, bypass_q;
  reg [ENTRY_W-1:0]     next_q [0:ENTRIES-1];
  reg [LN_W-1:0]        line_q [0:ENTRIES-1];
  reg [SLOT_W-1:0]      slot_q [0:ENTRIES-1];
  reg [LANES-1:0]       lanes_q [0:ENTRIES-1];
  reg [LANES*OFF_W-1:0] offs_q [0:ENTRIES-1];
  reg [LANES*TAG_W-1:0] tags_q [0:ENTRIES-1];
  reg [LINE-1:0]        mask_q [0:ENTRIES-1];
  reg [8*LINE-1:0]      store_q [0:ENTRIES-1];
  reg [ENTRY_W-1:0]     replayed_q, asked_q;

  // The store buffer.
  reg [STORES-1:0] buf_used_q;
  reg [LN_W-1:0]   buf_line_q [0:STORES-1];
  reg [LINE-1:0]   buf_mask_q [0:STORES-1];
  reg [8*LINE-1:0] buf_data_q [0:STORES-1];
  reg [ST_W-1:0]   buf_in_q, buf_out_q, buf_last_q;

  // A request to memory.
  reg              mem_q, mem_write_q;
  reg [LN_W-1:0]   mem_line_q;
  reg [ID_W-1:0]   mem_id_q;
  reg [LINE-1:0]   mem_mask_q;
  reg [8*LINE-1:0] mem_data_q;

  // Answers.
  reg [LANES-1:0]        rsp_q;
  reg [LANES*TAG_W-1:0]  rsp_tag_q;
  reg [LANES*WORD*8-1:0] rsp_data_q;

  function [ST_W-1:0] next_store(input [ST_W-1:0] i);
    next_store = (i == STORES - 1) ? {ST_W{1'b0}} : i + 1'b1;
  endfunction

  // The request of this cycle.
  wire                   req, req_write, req_bypass;
  wire [LN_W-1:0]        req_line;
  wire [LANES-1:0]       req_lanes;
  wire [LANES*OFF_W-1:0] req_offs;
  wire [LINE-1:0]        req_mask;
  wire [8*LINE-1:0]      req_data;
  lane_join #(.WORD(WORD), .LANES(LANES), .LINE(LINE), .ADDR_W(ADDR_W)) u_join (
    .req_valid_i(req_valid_i), .req_write_i(req_write_i), .req_bypass_i(req_bypass_i),
    .req_addr_i(req_addr_i), .req_mask_i(req_mask_i), .req_data_i(req_data_i),
    .valid_o(req), .write_o(req_write), .bypass_o(req_bypass), .line_o(req_line),
    .lanes_o(req_lanes), .offs_o(req_offs), .mask_o(req_mask), .data_o(req_data));

  // Which line is asked for: its list is to ask, the store buffer does not have it, a way is free.
  reg               ask, starved, conflict, own_store, own_way;
  reg [ENTRY_W-1:0] ask_i, a;
  reg [SLOT_W-1:0]  ask_slot, own_slot, s;
  integer           k, v;
  always @* begin
    ask      = 1'b0;
    starved  = 1'b0;
    conflict = 1'b0;
    ask_i    = {ENTRY_W{1'b0}};
    ask_slot = {SLOT_W{1'b0}};
    a        = {ENTRY_W{1'b0}};
    s        = {SLOT_W{1'b0}};
    own_slot = {SLOT_W{1'b0}};
    own_store = 1'b0;
    own_way   = 1'b0;
    for (k = ENTRIES; k >= 1; k = k - 1) begin
      a = (asked_q + k) % ENTRIES;
      own_store = 1'b0;
      for (v = 0; v < STORES; v = v + 1)
        if (buf_used_q[v] && buf_line_q[v] == line_q[a]) own_store = 1'b1;
      own_way = 1'b0;
      for (v = 0; v < WAYS; v = v + 1) begin
        s = (line_q[a] & (SETS - 1)) * WAYS + (turn_q + v) % WAYS;
        if (!held_q[s]) begin
          own_way  = 1'b1;
          own_slot = s;
        end
      end
      if (used_q[a] && first_q[a] && ask_q[a]) begin
        if (own_store) conflict = 1'b1;
        if (!own_way && !bypass_q[a]) starved = 1'b1;
        if (!own_store && (own_way || bypass_q[a])) begin
          ask      = 1'b1;
          ask_i    = a;
          ask_slot = own_slot;
        end
      end
    end
  end

  // Memory's answer: a line for a way, or for a request around the cache, which it answers.
  wire [ENTRY_W-1:0] come        = mem_rsp_id_i;
  wire               come_bypass = bypass_q[come];
  wire               rsp_free    = (rsp_q & ~rsp_ready_i) == 0;
  wire               fill_says   = mem_rsp_valid_i && come_bypass;
  wire               fill        = mem_rsp_valid_i && (!fill_says || rsp_free);
  assign mem_rsp_ready_o         = !fill_says || rsp_free;
  wire               say_ok      = rsp_free && !fill_says;

  // The table: what is to be replayed, the last of the list that the request would join, a free
  // entry.
  wire               buf_ok  = !buf_used_q[buf_in_q];
  wire               free    = !(&used_q);
  reg                replay, listed;
  reg  [ENTRY_W-1:0] replay_i, tail_i, free_i, r;
  integer            e;
  always @* begin
    replay   = 1'b0;
    listed   = 1'b0;
    replay_i = {ENTRY_W{1'b0}};
    tail_i   = {ENTRY_W{1'b0}};
    free_i   = {ENTRY_W{1'b0}};
    r        = {ENTRY_W{1'b0}};
    for (e = ENTRIES; e >= 1; e = e - 1) begin
      r = (replayed_q + e) % ENTRIES;
      if (used_q[r] && first_q[r] && replay_q[r] && (write_q[r] ? buf_ok : say_ok)) begin
        replay   = 1'b1;
        replay_i = r;
      end
    end
    for (e = ENTRIES - 1; e >= 0; e = e - 1) begin
      if (used_q[e] && !linked_q[e] && line_q[e] == req_line) begin
        listed = 1'b1;
        tail_i = e;
      end
      if (!used_q[e]) free_i = e;
    end
  end

  // One request looks into the tags: a replayed one, else the new one, if no list is before it.
  wire                   fresh    = req && !listed && !flush_i && !replay;
  wire                   acc      = replay || fresh;
  wire                   write    = replay ? write_q[replay_i] : req_write;
  wire [LN_W-1:0]        line     = replay ? line_q[replay_i] : req_line;
  wire [LANES-1:0]       lanes    = replay ? lanes_q[replay_i] : req_lanes;
  wire [LANES*OFF_W-1:0] offs     = replay ? offs_q[replay_i] : req_offs;
  wire [LANES*TAG_W-1:0] tags     = replay ? tags_q[replay_i] : req_tag_i;
  wire [LINE-1:0]        mask     = replay ? mask_q[replay_i] : req_mask;
  wire [8*LINE-1:0]      data     = replay ? store_q[replay_i] : req_data;
  wire [SET_W-1:0]       set      = line & (SETS - 1);
  reg                    hit;
  reg  [SLOT_W-1:0]      hit_slot;
  reg  [8*LINE-1:0]      hit_line;
  integer                w, b;
  always @* begin
    hit      = 1'b0;
    hit_slot = {SLOT_W{1'b0}};
    for (w = 0; w < WAYS; w = w + 1)
      if (valid_q[set*WAYS+w] && tag_q[set*WAYS+w] == line) begin
        hit      = 1'b1;
        hit_slot = set * WAYS + w;
      end
    hit_line = data_q[hit_slot];
    for (b = 0; b < LINE; b = b + 1) if (mask[b]) hit_line[8*b +: 8] = data[8*b +: 8];
  end

  // What becomes of the request: it is served, joins a list, or begins one. While a list finds no
  // way, none grows and none begins.
  wire serve      = acc && (write ? buf_ok : hit && say_ok);
  wire say        = serve && !write;
  wire put        = serve && write;
  wire gone       = serve && replay;
  wire tail_goes  = gone && tail_i == replay_i || fill && come_bypass && tail_i == come;
  wire room       = free && !starved && !flush_i;
  wire join_fire  = req && listed && room && !tail_goes;
  wire begin_fire = fresh && !serve && room && (write || !hit);
  assign req_ready_o = req_lanes & {LANES{join_fire || begin_fire || serve && !replay}};

  // Memory is asked: stores first if their buffer is full, or a read waits for one of them.
  wire mem_free = !mem_q || mem_ready_i;
  wire buf_any  = buf_used_q[buf_out_q];
  wire mem_put  = mem_free && buf_any && (!buf_ok || conflict || !ask);
  wire mem_ask  = mem_free && ask && !mem_put;
  wire buf_join = put && buf_used_q[buf_last_q] && buf_line_q[buf_last_q] == line
    && !(mem_put && buf_last_q == buf_out_q);
  assign mem_valid_o = mem_q;
  assign mem_write_o = mem_write_q;
  assign mem_addr_o  = {mem_line_q, {OFF_W{1'b0}}};
  assign mem_id_o    = mem_id_q;
  assign mem_mask_o  = mem_mask_q;
  assign mem_data_o  = mem_data_q;

  always @(posedge clk_i)
    if (!srst_ni) begin
      mem_q      <= 1'b0;
      buf_used_q <= {STORES{1'b0}};
      buf_in_q   <= {ST_W{1'b0}};
      buf_out_q  <= {ST_W{1'b0}};
      buf_last_q <= {ST_W{1'b0}};
    end else begin
      if (mem_ready_i) mem_q <= 1'b0;
      if (mem_put) begin
        mem_q                 <= 1'b1;
        mem_write_q           <= 1'b1;
        mem_line_q            <= buf_line_q[buf_out_q];
        mem_id_q              <= {ID_W{1'b0}};
        mem_mask_q            <= buf_mask_q[buf_out_q];
        mem_data_q            <= buf_data_q[buf_out_q];
        buf_used_q[buf_out_q] <= 1'b0;
        buf_out_q             <= next_store(buf_out_q);
      end
      if (mem_ask) begin
        mem_q       <= 1'b1;
        mem_write_q <= 1'b0;
        mem_line_q  <= line_q[ask_i];
        mem_id_q    <= ask_i;
        mem_mask_q  <= {LINE{1'b1}};
      end
      if (buf_join) begin
        buf_mask_q[buf_last_q] <= buf_mask_q[buf_last_q] | mask;
        for (b = 0; b < LINE; b = b + 1)
          if (mask[b]) buf_data_q[buf_last_q][8*b +: 8] <= data[8*b +: 8];
      end else if (put) begin
        buf_used_q[buf_in_q] <= 1'b1;
        buf_line_q[buf_in_q] <= line;
        buf_mask_q[buf_in_q] <= mask;
        buf_data_q[buf_in_q] <= data;
        buf_last_q           <= buf_in_q;
        buf_in_q             <= next_store(buf_in_q);
      end
    end

  // Tags and data.
  wire idle           = used_q == 0 && buf_used_q == 0 && !mem_q;
  assign flush_done_o = flush_i && idle;

  always @(posedge clk_i)
    if (!srst_ni) begin
      valid_q <= {SLOTS{1'b0}};
      held_q  <= {SLOTS{1'b0}};
      turn_q  <= {SLOT_W{1'b0}};
    end else begin
      if (put && hit) data_q[hit_slot] <= hit_line;
      if (gone && hit && !linked_q[replay_i]) held_q[hit_slot] <= 1'b0;
      if (mem_ask && !bypass_q[ask_i]) begin
        valid_q[ask_slot] <= 1'b0;
        held_q[ask_slot]  <= 1'b1;
        turn_q            <= (turn_q + 1'b1) % WAYS;
      end
      if (fill && !come_bypass) begin
        valid_q[slot_q[come]] <= 1'b1;
        tag_q[slot_q[come]]   <= line_q[come];
        data_q[slot_q[come]]  <= mem_rsp_data_i;
      end
      if (flush_done_o) valid_q <= {SLOTS{1'b0}};
    end

  // The table.
  always @(posedge clk_i)
    if (!srst_ni) begin
      used_q     <= {ENTRIES{1'b0}};
      replayed_q <= {ENTRY_W{1'b0}};
      asked_q    <= {ENTRY_W{1'b0}};
    end else begin
      if (join_fire || begin_fire) begin
        used_q[free_i]   <= 1'b1;
        first_q[free_i]  <= begin_fire;
        replay_q[free_i] <= begin_fire && req_write;
        ask_q[free_i]    <= begin_fire && !req_write;
        linked_q[free_i] <= 1'b0;
        write_q[free_i]  <= req_write;
        bypass_q[free_i] <= req_bypass && !req_write;
        line_q[free_i]   <= req_line;
        lanes_q[free_i]  <= req_lanes;
        offs_q[free_i]   <= req_offs;
        tags_q[free_i]   <= req_tag_i;
        mask_q[free_i]   <= req_mask;
        store_q[free_i]  <= req_data;
      end
      if (join_fire) begin
        linked_q[tail_i] <= 1'b1;
        next_q[tail_i]   <= free_i;
      end
      if (mem_ask) begin
        ask_q[ask_i]  <= 1'b0;
        slot_q[ask_i] <= ask_slot;
        asked_q       <= ask_i;
      end
      if (fill && !come_bypass) replay_q[come] <= 1'b1;
      if (fill && come_bypass) begin
        used_q[come] <= 1'b0;
        if (linked_q[come]) begin
          first_q[next_q[come]]  <= 1'b1;
          replay_q[next_q[come]] <= 1'b1;
        end
      end
      if (replay) replayed_q <= replay_i;
      if (replay && !serve) begin
        replay_q[replay_i] <= 1'b0;
        ask_q[replay_i]    <= 1'b1;
      end
      if (gone) begin
        used_q[replay_i] <= 1'b0;
        if (linked_q[replay_i]) begin
          first_q[next_q[replay_i]]  <= 1'b1;
          replay_q[next_q[replay_i]] <= 1'b1;
        end
      end
    end

  // Answers.
  wire [LANES*WORD*8-1:0] words;
  lane_words #(.WORD(WORD), .LANES(LANES), .LINE(LINE)) u_words (
    .line_i(fill_says ? mem_rsp_data_i : data_q[hit_slot]),
    .offs_i(fill_says ? offs_q[come] : offs), .words_o(words));
  assign rsp_valid_o = rsp_q;
  assign rsp_tag_o   = rsp_tag_q;
  assign rsp_data_o  = rsp_data_q;

  always @(posedge clk_i)
    if (!srst_ni) rsp_q <= {LANES{1'b0}};
    else begin
      rsp_q <= rsp_q & ~rsp_ready_i;
      if (say || fill && come_bypass) begin
        rsp_q      <= fill_says ? lanes_q[come] : lanes;
        rsp_tag_q  <= fill_says ? tags_q[come] : tags;
        rsp_data_q <= words;
      end
    end
endmodule
`default_nettype wire
