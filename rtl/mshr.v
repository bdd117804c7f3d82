// SPDX-License-Identifier: Apache-2.0
// mshr - miss status holding registers: ENTRIES lines of up to MERGES reads each, found by a CAM.
// C twin: cmodel/mshr.c   Page: docs/modules/mshr.md   Lashgar et al., section 2.1.
// Timing: a look-up, a fill and a drain a cycle; out_* depends on registers only. The drain comes
// first in a cycle: what it releases is free for the look-up, so out_ready_i reaches req_*.
`default_nettype none
module mshr #(
  parameter integer ENTRIES = 32,
  parameter integer MERGES  = 8,
  parameter integer ADDR_W  = 25,
  parameter integer DATA_W  = 16
) (
  input  wire                                            clk_i,
  input  wire                                            rst_ni,
  input  wire                                            req_valid_i,
  input  wire [ADDR_W-1:0]                               req_addr_i,
  input  wire [DATA_W-1:0]                               req_data_i,
  input  wire                                            fill_valid_i,
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] fill_entry_i,
  input  wire                                            out_ready_i,
  output wire                                            req_ready_o,
  output wire                                            req_merge_o,
  output wire [1:0]                                      req_refuse_o,
  output wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] req_entry_o,
  output wire                                            fill_err_o,
  output wire                                            out_valid_o,
  output wire [DATA_W-1:0]                               out_data_o,
  output wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] out_entry_o,
  output wire                                            out_last_o,
  output wire [$clog2(ENTRIES+1)-1:0]                    count_o
);
  localparam ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam COUNT_W = $clog2(ENTRIES + 1);
  localparam PTR_W   = (MERGES > 1) ? $clog2(MERGES) : 1;
  localparam LEN_W   = $clog2(MERGES + 1);

  localparam [ENTRY_W:0]   ENTRY_COUNT = ENTRIES[ENTRY_W:0];
  localparam integer       LAST_ENTRY  = ENTRIES - 1;
  localparam [ENTRY_W-1:0] ENTRY_LAST  = LAST_ENTRY[ENTRY_W-1:0];
  localparam [ENTRY_W-1:0] ENTRY_ONE   = 1;
  localparam [COUNT_W-1:0] COUNT_ONE   = 1;
  localparam integer       LAST_MERGE  = MERGES - 1;
  localparam [PTR_W-1:0]   PTR_LAST    = LAST_MERGE[PTR_W-1:0];
  localparam [PTR_W-1:0]   PTR_ONE     = 1;
  localparam [LEN_W-1:0]   LEN_FULL    = MERGES[LEN_W-1:0];
  localparam [LEN_W-1:0]   LEN_ONE     = 1;
  localparam [ENTRIES-1:0] BIT_ONE     = 1;

  generate
    if (ENTRIES < 1 || ENTRIES > 128) begin : gen_bad_entries
      ERROR_mshr_ENTRIES_must_be_1_to_128 u_error ();
    end
    if (MERGES < 1 || MERGES > 32) begin : gen_bad_merges
      ERROR_mshr_MERGES_must_be_1_to_32 u_error ();
    end
    if (ADDR_W < 1 || ADDR_W > 57) begin : gen_bad_addr_w
      ERROR_mshr_ADDR_W_must_be_1_to_57 u_error ();
    end
    if (DATA_W < 1 || DATA_W > 64) begin : gen_bad_data_w
      ERROR_mshr_DATA_W_must_be_1_to_64 u_error ();
    end
  endgenerate

  reg [ENTRIES-1:0] valid_q;
  reg [ENTRIES-1:0] ready_q;
  reg [ADDR_W-1:0]  addr_q [0:ENTRIES-1];
  reg [LEN_W-1:0]   len_q [0:ENTRIES-1];
  reg [PTR_W-1:0]   head_q [0:ENTRIES-1];
  reg [DATA_W-1:0]  data_q [0:ENTRIES*MERGES-1];
  reg [ENTRY_W-1:0] order_q [0:ENTRIES-1];
  reg [ENTRY_W-1:0] order_head_q;
  reg [COUNT_W-1:0] order_len_q;
  reg [COUNT_W-1:0] count_q;

  assign count_o = count_q;

  // 1. Drain: the entry that was filled first sends its oldest read.
  wire [ENTRY_W-1:0] drain_entry = order_q[order_head_q];
  wire [PTR_W-1:0]   drain_head  = head_q[drain_entry];
  wire [LEN_W-1:0]   drain_len   = len_q[drain_entry];

  assign out_valid_o = (order_len_q != {COUNT_W{1'b0}});
  assign out_entry_o = out_valid_o ? drain_entry : {ENTRY_W{1'b0}};
  assign out_last_o  = out_valid_o && (drain_len == LEN_ONE);
  assign out_data_o  = !out_valid_o ? {DATA_W{1'b0}}
                     : data_q[drain_entry * MERGES + {{(32 - PTR_W) {1'b0}}, drain_head}];

  wire               drain     = out_valid_o && out_ready_i;
  wire               release_e = drain && out_last_o;
  wire [ENTRIES-1:0] released  = release_e ? BIT_ONE << drain_entry : {ENTRIES{1'b0}};

  // 2. Fill: names its entry, so nothing is searched.
  wire fill_exists = ({1'b0, fill_entry_i} < ENTRY_COUNT);
  wire fill_good   = fill_exists && valid_q[fill_entry_i] && !ready_q[fill_entry_i];
  wire fill        = fill_valid_i && fill_good;
  assign fill_err_o = fill_valid_i && !fill_good;

  // 3. Look-up in what the drain has left. Both searches see the entries of the start of the cycle;
  // what a release changes in their results is put right behind them, because a release is known
  // late. At most one entry matches.
  wire [ENTRIES-1:0] match;
  genvar g;
  generate
    for (g = 0; g < ENTRIES; g = g + 1) begin : gen_cam
      assign match[g] = (addr_q[g] == req_addr_i);
    end
  endgenerate

  wire               found;
  wire [ENTRY_W-1:0] hit_entry;
  one_hot_encoder #(.WIDTH(ENTRIES)) u_hit (
    .one_hot_i(match & valid_q),
    .any_o    (found),
    .index_o  (hit_entry)
  );

  wire               old_free;
  wire [ENTRY_W-1:0] old_entry;
  priority_encoder #(.WIDTH(ENTRIES)) u_free (
    .req_i  (~valid_q),
    .any_o  (old_free),
    .index_o(old_entry)
  );

  // A drain of the entry found makes room for a merge; if it was the last read, there is no entry.
  wire               same      = (drain_entry == hit_entry);
  wire               drain_hit = drain && same;
  wire               hit       = found && !(release_e && same);
  wire               hit_full  = (len_q[hit_entry] == LEN_FULL) && !drain_hit;
  wire               space     = old_free || release_e;
  wire               lower     = !old_free || (drain_entry < old_entry);
  wire [ENTRY_W-1:0] free_entry = (release_e && lower) ? drain_entry : old_entry;

  assign req_ready_o  = hit ? !hit_full : space;
  assign req_merge_o  = hit;
  assign req_refuse_o = req_ready_o ? 2'd0 : hit ? 2'd2 : 2'd1;
  assign req_entry_o  = !req_ready_o ? {ENTRY_W{1'b0}} : hit ? hit_entry : free_entry;

  wire accept   = req_valid_i && req_ready_o;
  wire allocate = accept && !hit;

  // Where a merged read goes: head + len, the same sum before and after a drain of the entry.
  localparam [LEN_W:0] RING = MERGES[LEN_W:0];
  wire [LEN_W:0]   merge_sum = {1'b0, len_q[hit_entry]}
                             + {{(LEN_W + 1 - PTR_W) {1'b0}}, head_q[hit_entry]};
  wire [LEN_W:0]   merge_mod = (merge_sum >= RING) ? merge_sum - RING : merge_sum;
  wire [PTR_W-1:0] merge_ptr = allocate ? {PTR_W{1'b0}} : merge_mod[PTR_W-1:0];
  wire             unused_upper_bits = &{1'b0, merge_mod[LEN_W:PTR_W]};

  // Where a filled entry goes in the order ring, likewise.
  localparam [COUNT_W:0] ORDER_RING = ENTRIES[COUNT_W:0];
  wire [COUNT_W:0]   order_sum  = {1'b0, order_len_q}
                                + {{(COUNT_W + 1 - ENTRY_W) {1'b0}}, order_head_q};
  wire [COUNT_W:0]   order_mod  = (order_sum >= ORDER_RING) ? order_sum - ORDER_RING : order_sum;
  wire [ENTRY_W-1:0] order_tail = order_mod[ENTRY_W-1:0];
  wire               unused_order_bits = &{1'b0, order_mod[COUNT_W:ENTRY_W]};

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q      <= {ENTRIES{1'b0}};
      ready_q      <= {ENTRIES{1'b0}};
      order_head_q <= {ENTRY_W{1'b0}};
      order_len_q  <= {COUNT_W{1'b0}};
      count_q      <= {COUNT_W{1'b0}};
    end else begin
      // A free entry is not ready, so an allocation has nothing to clear in ready_q.
      valid_q <= (valid_q & ~released) | (allocate ? BIT_ONE << free_entry : {ENTRIES{1'b0}});
      ready_q <= (ready_q & ~released) | (fill ? BIT_ONE << fill_entry_i : {ENTRIES{1'b0}});
      if (release_e) begin
        order_head_q <= (order_head_q == ENTRY_LAST) ? {ENTRY_W{1'b0}} : order_head_q + ENTRY_ONE;
      end
      if (fill && !release_e) order_len_q <= order_len_q + COUNT_ONE;
      if (!fill && release_e) order_len_q <= order_len_q - COUNT_ONE;
      if (allocate && !release_e) count_q <= count_q + COUNT_ONE;
      if (!allocate && release_e) count_q <= count_q - COUNT_ONE;
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      if (fill) order_q[order_tail] <= fill_entry_i;
      if (drain) begin
        head_q[drain_entry] <= (drain_head == PTR_LAST) ? {PTR_W{1'b0}} : drain_head + PTR_ONE;
        len_q[drain_entry]  <= drain_len - LEN_ONE;
      end
      // Later assignments win: an allocation of the entry just released, a merge into the one that
      // drains.
      if (allocate) begin
        addr_q[free_entry] <= req_addr_i;
        head_q[free_entry] <= {PTR_W{1'b0}};
      end
      if (accept) begin
        len_q[req_entry_o] <= allocate ? LEN_ONE : drain_hit ? drain_len
                                                             : len_q[hit_entry] + LEN_ONE;
        data_q[req_entry_o * MERGES + {{(32 - PTR_W) {1'b0}}, merge_ptr}] <= req_data_i;
      end
    end
  end

`ifndef SYNTHESIS
  initial begin : power_up
    integer w;
    for (w = 0; w < ENTRIES; w = w + 1) begin
      addr_q[w]  = {ADDR_W{1'b0}};
      len_q[w]   = {LEN_W{1'b0}};
      head_q[w]  = {PTR_W{1'b0}};
      order_q[w] = {ENTRY_W{1'b0}};
    end
    for (w = 0; w < ENTRIES * MERGES; w = w + 1) data_q[w] = {DATA_W{1'b0}};
  end
`endif
endmodule
`default_nettype wire
