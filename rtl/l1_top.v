// SPDX-License-Identifier: Apache-2.0
// l1_top - the whole path through an L1: instructions of warps in, AXI4 to memory, answers out.
// C twin: cmodel/l1_top.c   Page: docs/modules/l1_top.md
// Timing: a stored request is looked up LATENCY cycles after it entered the MRPB at the earliest and
// decided two cycles later; a hit is answered five cycles after that.
`default_nettype none
module l1_top #(
  // lanes of a warp
  parameter integer LANES       = 32,
  // words of 4 bytes in a line
  parameter integer WORDS       = 32,
  // sectors of a line
  parameter integer SECTORS     = 4,
  // words of an AXI beat
  parameter integer BUS_WORDS   = 8,
  // bits of a line address
  parameter integer ADDR_W      = 25,
  // sets
  parameter integer SETS        = 32,
  // lines of a set
  parameter integer WAYS        = 4,
  // 0 least recently used, 1 first in first out, 2 every second victim is way 1 (Fermi)
  parameter integer REPLACEMENT = 0,
  // 0 line address modulo SETS, 1 upper bits are XORed in, as in the reference
  parameter integer HASH        = 0,
  // entries of the MSHR table
  parameter integer MSHRS       = 32,
  // reads of one of its entries
  parameter integer MERGES      = 8,
  // bypassed reads that may be outstanding
  parameter integer BYPASSES    = 4,
  // entries of the PRT
  parameter integer ENTRIES     = 44,
  // ORDER of the PRT
  parameter integer RELEASE     = 0,
  // entries of the store buffer: stores whose data have not been sent
  parameter integer STORES      = 4,
  // stores in flight: taken by the control and not yet performed by memory
  parameter integer WRITES      = 16,
  // entries of the miss queue
  parameter integer MISSES      = 8,
  // entries of the read queue: hits whose line has not been read
  parameter integer READS       = 4,
  // entries of the response queue
  parameter integer ANSWERS     = 2,
  // MRPB: queues
  parameter integer QUEUES      = 48,
  // MRPB: entries of each queue
  parameter integer DEPTH       = 8,
  // MRPB: blocks with their own counter
  parameter integer BLOCKS      = 8,
  // MRPB: 0 block ID, 1 warp ID, 2 in-block warp ID
  parameter integer SIGNATURE   = 1,
  // MRPB: policy of the drain
  parameter integer POLICY      = 0,
  // MRPB: 1 the flush option
  parameter integer FLUSH       = 1,
  // MRPB: cycles from acceptance to presentation
  parameter integer LATENCY     = 5,
  // MRPB: 0 off, 1 on every stall, 2 on associativity stalls
  parameter integer BYPASS      = 2,
  // a miss fetches: 0 the sectors that the load needs, 1 all sectors of the line
  parameter integer FETCH       = 0,
  // coalescer: 0 lowest lane first, 1 descending addresses
  parameter integer ORDER       = 0,
  // cycles in which the lanes of a request are gathered and aligned
  parameter integer PASSES      = 2,
  // bits of a load's tag
  parameter integer TAG_W       = 10,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY      = 0
) (
  // clock
  input  wire clk_i,
  // synchronous reset, active low
  input  wire srst_ni,
  // a warp's memory instruction is offered; it need not hold until in_ready_o
  input  wire in_valid_i,
  // it is a store
  input  wire in_write_i,
  // warp ID
  input  wire [5:0] in_warp_i,
  // block ID (slot)
  input  wire [5:0] in_block_i,
  // ordinal position of the warp within its block
  input  wire [5:0] in_block_warp_i,
  // tag of a load, returned with its answers
  input  wire [TAG_W-1:0] in_tag_i,
  // its lanes; 0: the instruction is taken and has no answer
  input  wire [LANES-1:0] in_mask_i,
  // lanes share a request in the same line (0), half line (1), quarter (2, 3)
  input  wire [1:0] in_split_i,
  // line address of each lane, lane 0 lowest
  input  wire [LANES*ADDR_W-1:0] in_line_i,
  // word of each lane within its line
  input  wire [LANES*((WORDS > 1) ? $clog2(WORDS) : 1)-1:0] in_word_i,
  // what each lane stores
  input  wire [LANES*32-1:0] in_data_i,
  // which bytes of the word it stores
  input  wire [LANES*4-1:0] in_bytes_i,
  // a barrier is offered; it need not hold until barrier_ready_o
  input  wire barrier_valid_i,
  // its block
  input  wire [5:0] barrier_block_i,
  // the answer on out_* is taken in this cycle
  input  wire out_ready_i,
  // the cache is to be flushed; it stays 1 up to the cycle of flush_done_o
  input  wire flush_i,
  // AXI4: the read on ar_* is taken in this cycle
  input  wire ar_ready_i,
  // AXI4: a beat of a read; it need not hold until r_ready_o
  input  wire r_valid_i,
  // AXI4: its id
  input  wire [$clog2(((MSHRS-1)|(BYPASSES-1)|(STORES-1)|1)+1):0] r_id_i,
  // AXI4: its words
  input  wire [BUS_WORDS*32-1:0] r_data_i,
  // AXI4: it is the last beat of the read
  input  wire r_last_i,
  // AXI4: the write on aw_* is taken in this cycle
  input  wire aw_ready_i,
  // AXI4: the beat on w_* is taken in this cycle
  input  wire w_ready_i,
  // AXI4: a write has been performed; it need not hold until b_ready_o
  input  wire b_valid_i,
  // AXI4: its id, which is not looked at: the oldest write has been performed
  input  wire [$clog2(((MSHRS-1)|(BYPASSES-1)|(STORES-1)|1)+1):0] b_id_i,
  // the instruction would be taken in this cycle
  output wire in_ready_o,
  // the barrier is taken: no request of its block waits for the L1
  output wire barrier_ready_o,
  // an answer: the data of one request of a load; it holds until out_ready_i
  output wire out_valid_o,
  // its warp; 0 while out_valid_o is 0
  output wire [5:0] out_warp_o,
  // tag of the load; 0 while out_valid_o is 0
  output wire [TAG_W-1:0] out_tag_o,
  // it is the load's last answer; 0 while out_valid_o is 0
  output wire out_last_o,
  // its lanes; 0 while out_valid_o is 0
  output wire [LANES-1:0] out_mask_o,
  // a word for each of these lanes, lane 0 lowest; 0 for other lanes and while out_valid_o is 0
  output wire [LANES*32-1:0] out_data_o,
  // memory has performed one request of a store
  output wire stored_valid_o,
  // its warp; 0 while stored_valid_o is 0
  output wire [5:0] stored_warp_o,
  // the cache is flushed in this cycle
  output wire flush_done_o,
  // AXI4: a read; it holds until ar_ready_i
  output wire ar_valid_o,
  // AXI4: its id; 0 while ar_valid_o is 0
  output wire [$clog2(((MSHRS-1)|(BYPASSES-1)|(STORES-1)|1)+1):0] ar_id_o,
  // AXI4: address of its first byte; 0 while ar_valid_o is 0
  output wire [ADDR_W+$clog2(4*WORDS)-1:0] ar_addr_o,
  // AXI4: its beats less one; 0 while ar_valid_o is 0
  output wire [7:0] ar_len_o,
  // AXI4: 1
  output wire r_ready_o,
  // AXI4: a write; it holds until aw_ready_i
  output wire aw_valid_o,
  // AXI4: 0, the id of all writes
  output wire [$clog2(((MSHRS-1)|(BYPASSES-1)|(STORES-1)|1)+1):0] aw_id_o,
  // AXI4: address of its first byte; 0 while aw_valid_o is 0
  output wire [ADDR_W+$clog2(4*WORDS)-1:0] aw_addr_o,
  // AXI4: its beats less one; 0 while aw_valid_o is 0
  output wire [7:0] aw_len_o,
  // AXI4: a beat of a write; it holds until w_ready_i
  output wire w_valid_o,
  // AXI4: its words; they may change only if the entry of the store buffer is written, and it is
  // not while it is sent; 0 while w_valid_o is 0
  output wire [BUS_WORDS*32-1:0] w_data_o,
  // AXI4: its bytes that are stored, which may change likewise; 0 while w_valid_o is 0
  output wire [BUS_WORDS*4-1:0] w_strb_o,
  // AXI4: it is the last beat of the write; 0 while w_valid_o is 0
  output wire w_last_o,
  // AXI4: 1
  output wire b_ready_o,
  // what happens: bit 0 a hit, 1 a miss, 2 a merge, 3 a bypass, 4 a store, 5 a refusal because
  // every way is reserved, 6 another refusal, 7 an eviction by a store
  output wire [7:0] event_o,
  // cycles with bit 0 of event_o before this one, since the reset, modulo 2^32
  output wire [31:0] hits_o,
  // the same for bit 1
  output wire [31:0] misses_o,
  // the same for bit 2
  output wire [31:0] merges_o,
  // the same for bit 3
  output wire [31:0] bypasses_o,
  // the same for bit 4
  output wire [31:0] stores_o,
  // the same for bit 5
  output wire [31:0] assoc_o,
  // the same for bit 6
  output wire [31:0] refused_o,
  // the same for bit 7
  output wire [31:0] evicts_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire error_o
);
  localparam BEATS    = (BUS_WORDS > 0 && WORDS > BUS_WORDS) ? (WORDS - 1) / BUS_WORDS + 1 : 1;
  localparam LINES    = SETS * WAYS, PLACES = LINES + BYPASSES;
  localparam NUMBER_W = (LANES > 1) ? $clog2(LANES) : 1;
  localparam WORD_W   = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam BEAT_W   = (BEATS > 1) ? $clog2(BEATS) : 1;
  localparam LINE_W   = (LINES > 1) ? $clog2(LINES) : 1;
  localparam PLACE_W  = $clog2(PLACES);
  localparam MSHR_W   = (MSHRS > 1) ? $clog2(MSHRS) : 1;
  localparam BYPASS_W = (BYPASSES > 1) ? $clog2(BYPASSES) : 1;
  localparam PRT_W    = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam STORE_W  = (STORES > 1) ? $clog2(STORES) : 1;
  localparam ENTRY_W  = (PRT_W > STORE_W) ? PRT_W : STORE_W;
  localparam SLOT_W   = $clog2(((MSHRS - 1) | (BYPASSES - 1) | (STORES - 1) | 1) + 1);
  localparam ID_W     = 1 + SLOT_W, REQ_W = NUMBER_W + ENTRY_W;
  localparam DATA_W   = SECTORS + REQ_W + ADDR_W;
  localparam MISS_W   = 1 + ID_W + ADDR_W + 2 * BEAT_W;
  localparam INFO_W   = 1 + 6 + 6 + 6 + PRT_W;
  localparam ALIGN_W  = 1 + TAG_W + 6;
  localparam ANSWER_W = ALIGN_W + LANES + LANES * 32;
  // At least 1, or an illegal size would meet the errors of a part before its own.
  localparam SAFE_LANES = (LANES > 0) ? LANES : 1, SAFE_WORDS = (WORDS > 0) ? WORDS : 1;
  localparam SAFE_BUS_WORDS = (BUS_WORDS > 0) ? BUS_WORDS : 1, SAFE_ADDR_W = (ADDR_W > 0) ? ADDR_W : 1;
  localparam [LANES-1:0] NO_LANES = 0;
  localparam [STORE_W:0] STORE_COUNT = STORES[STORE_W:0];

  generate
    if (LANES < 1 || LANES > 32) begin : gen_bad_lanes
      ERROR_l1_top_LANES_must_be_1_to_32 u_error (); end
    if (WORDS < 1 || WORDS > 32) begin : gen_bad_words
      ERROR_l1_top_WORDS_must_be_1_to_32 u_error (); end
    if (SECTORS < 1 || SECTORS > 8) begin : gen_bad_sectors
      ERROR_l1_top_SECTORS_must_be_1_to_8 u_error (); end
    if (BUS_WORDS < 1 || BUS_WORDS > 32) begin : gen_bad_bus_words
      ERROR_l1_top_BUS_WORDS_must_be_1_to_32 u_error (); end
    if (ADDR_W < 1 || ADDR_W > 29) begin : gen_bad_addr_w
      ERROR_l1_top_ADDR_W_must_be_1_to_29 u_error (); end
    if (SETS < 1 || SETS > 64) begin : gen_bad_sets
      ERROR_l1_top_SETS_must_be_1_to_64 u_error (); end
    if (WAYS < 1 || WAYS > 8) begin : gen_bad_ways
      ERROR_l1_top_WAYS_must_be_1_to_8 u_error (); end
    if (REPLACEMENT < 0 || REPLACEMENT > 2) begin : gen_bad_replacement
      ERROR_l1_top_REPLACEMENT_must_be_0_to_2 u_error (); end
    if (HASH < 0 || HASH > 1) begin : gen_bad_hash
      ERROR_l1_top_HASH_must_be_0_to_1 u_error (); end
    if (MSHRS < 1 || MSHRS > 128) begin : gen_bad_mshrs
      ERROR_l1_top_MSHRS_must_be_1_to_128 u_error (); end
    if (MERGES < 1 || MERGES > 32) begin : gen_bad_merges
      ERROR_l1_top_MERGES_must_be_1_to_32 u_error (); end
    if (BYPASSES < 1 || BYPASSES > 32) begin : gen_bad_bypasses
      ERROR_l1_top_BYPASSES_must_be_1_to_32 u_error (); end
    if (ENTRIES < 1 || ENTRIES > 512) begin : gen_bad_entries
      ERROR_l1_top_ENTRIES_must_be_1_to_512 u_error (); end
    if (RELEASE < 0 || RELEASE > 1) begin : gen_bad_release
      ERROR_l1_top_RELEASE_must_be_0_to_1 u_error (); end
    if (STORES < 1 || STORES > 32) begin : gen_bad_stores
      ERROR_l1_top_STORES_must_be_1_to_32 u_error (); end
    if (WRITES < 1 || WRITES > 64) begin : gen_bad_writes
      ERROR_l1_top_WRITES_must_be_1_to_64 u_error (); end
    if (MISSES < 1 || MISSES > 64) begin : gen_bad_misses
      ERROR_l1_top_MISSES_must_be_1_to_64 u_error (); end
    if (READS < 1 || READS > 16) begin : gen_bad_reads
      ERROR_l1_top_READS_must_be_1_to_16 u_error (); end
    if (ANSWERS < 1 || ANSWERS > 16) begin : gen_bad_answers
      ERROR_l1_top_ANSWERS_must_be_1_to_16 u_error (); end
    if (QUEUES < 1 || QUEUES > 64) begin : gen_bad_queues
      ERROR_l1_top_QUEUES_must_be_1_to_64 u_error (); end
    if (DEPTH < 1 || DEPTH > 64) begin : gen_bad_depth
      ERROR_l1_top_DEPTH_must_be_1_to_64 u_error (); end
    if (BLOCKS < 1 || BLOCKS > 64) begin : gen_bad_blocks
      ERROR_l1_top_BLOCKS_must_be_1_to_64 u_error (); end
    if (SIGNATURE < 0 || SIGNATURE > 2) begin : gen_bad_signature
      ERROR_l1_top_SIGNATURE_must_be_0_to_2 u_error (); end
    if (POLICY < 0 || POLICY > 5) begin : gen_bad_policy
      ERROR_l1_top_POLICY_must_be_0_to_5 u_error (); end
    if (FLUSH < 0 || FLUSH > 1) begin : gen_bad_flush
      ERROR_l1_top_FLUSH_must_be_0_to_1 u_error (); end
    if (LATENCY < 3 || LATENCY > 18) begin : gen_bad_latency
      ERROR_l1_top_LATENCY_must_be_3_to_18 u_error (); end
    if (BYPASS < 0 || BYPASS > 2) begin : gen_bad_bypass
      ERROR_l1_top_BYPASS_must_be_0_to_2 u_error (); end
    if (FETCH < 0 || FETCH > 1) begin : gen_bad_fetch
      ERROR_l1_top_FETCH_must_be_0_to_1 u_error (); end
    if (ORDER < 0 || ORDER > 1) begin : gen_bad_order
      ERROR_l1_top_ORDER_must_be_0_to_1 u_error (); end
    if (PASSES < 1 || PASSES > 2) begin : gen_bad_passes
      ERROR_l1_top_PASSES_must_be_1_to_2 u_error (); end
    if (TAG_W < 1 || TAG_W > 16) begin : gen_bad_tag_w
      ERROR_l1_top_TAG_W_must_be_1_to_16 u_error (); end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_l1_top_PARITY_must_be_0_to_1 u_error (); end
  endgenerate

  // 1. An instruction is taken. A load takes an entry of the PRT, a store the lanes of the store
  // buffer, which must have all requests of the store before.
  wire                 coalescer_ready, coalescer_idle, coalescer_error;
  wire                 alloc_ready, lanes_ready, store_ends;
  wire [PRT_W-1:0]     alloc_entry;
  reg                  store_open_q;
  wire has_lanes = (in_mask_i != NO_LANES);
  wire may_enter = !flush_i && (!barrier_valid_i || coalescer_idle)
                && (!has_lanes || (in_write_i ? lanes_ready && (!store_open_q || store_ends)
                                              : alloc_ready));
  assign in_ready_o = coalescer_ready && may_enter;
  wire enters      = in_valid_i && in_ready_o && has_lanes;
  wire load_enters = enters && !in_write_i, store_enters = enters && in_write_i;

  wire                coal_valid, coal_first, coal_last, coal_ready;
  wire [ADDR_W-1:0]   coal_line;
  wire [SECTORS-1:0]  coal_sectors;
  wire [LANES-1:0]    coal_lanes;
  wire [NUMBER_W-1:0] coal_number;
  wire                coal_write;
  wire [5:0]          coal_warp, coal_block, coal_block_warp;
  wire [PRT_W-1:0]    coal_entry;
  coalescer #(.LANES(SAFE_LANES), .WORDS(SAFE_WORDS), .SECTORS(SECTORS), .ADDR_W(SAFE_ADDR_W), .INFO_W(INFO_W),
              .ORDER(ORDER), .PARITY(PARITY)) u_coalescer (
    .clk_i        (clk_i),
    .srst_ni      (srst_ni),
    .in_valid_i   (in_valid_i && may_enter),
    .in_mask_i    (in_mask_i),
    .in_line_i    (in_line_i),
    .in_word_i    (in_word_i),
    .in_split_i   (in_split_i),
    .in_info_i    ({in_write_i, in_warp_i, in_block_i, in_block_warp_i, alloc_entry}),
    .out_ready_i  (coal_ready),
    .in_ready_o   (coalescer_ready),
    .out_valid_o  (coal_valid),
    .out_line_o   (coal_line),
    .out_sectors_o(coal_sectors),
    .out_lanes_o  (coal_lanes),
    .out_number_o (coal_number),
    .out_first_o  (coal_first),
    .out_last_o   (coal_last),
    .out_info_o   ({coal_write, coal_warp, coal_block, coal_block_warp, coal_entry}),
    .idle_o       (coalescer_idle),
    .error_o      (coalescer_error)
  );

  // 2. Its requests enter the MRPB: that of a store with a free entry of the store buffer. A barrier
  // does while no request waits in the coalescer.
  wire                put_ready, mrpb_ready, mrpb_error, unused_order_err;
  wire [STORE_W-1:0]  put_entry;
  wire offer   = coal_valid && (!coal_write || put_ready);
  wire barrier = barrier_valid_i && coalescer_idle;
  wire sent    = offer && mrpb_ready;
  assign coal_ready      = sent;
  assign barrier_ready_o = barrier && mrpb_ready;
  assign store_ends      = sent && coal_write && coal_last;
  wire [ENTRY_W-1:0] load_entry  = {{(ENTRY_W - PRT_W) {1'b0}}, coal_entry};
  wire [ENTRY_W-1:0] store_entry = {{(ENTRY_W - STORE_W) {1'b0}}, put_entry};

  wire                req_valid, req_write, byp_valid, byp_ready;
  wire [SECTORS-1:0]  req_sectors;
  wire [NUMBER_W-1:0] req_number;
  wire [ENTRY_W-1:0]  req_entry;
  wire [ADDR_W-1:0]   req_line;
  wire [1:0]          answer;
  wire [5:0]          unused_warp, unused_block;
  wire                unused_flush_full, unused_flush_write;
  wire [$clog2(QUEUES*DEPTH+4)-1:0] held;
  mrpb #(.QUEUES(QUEUES), .DEPTH(DEPTH), .DATA_W(DATA_W), .BLOCKS(BLOCKS), .SIGNATURE(SIGNATURE), .POLICY(POLICY),
         .FLUSH(FLUSH), .LATENCY(LATENCY), .BYPASS(BYPASS), .ANSWER(2), .PARITY(PARITY)) u_mrpb (
    .clk_i          (clk_i),
    .srst_ni        (srst_ni),
    .in_valid_i     (offer || barrier),
    .in_kind_i      ({barrier, coal_write && !barrier}),
    .in_warp_i      (coal_warp),
    .in_block_i     (barrier ? barrier_block_i : coal_block),
    .in_block_warp_i(coal_block_warp),
    .in_data_i      ({coal_sectors, coal_number, coal_write ? store_entry : load_entry, coal_line}),
    .l1_answer_i    (answer),
    .byp_ready_i    (byp_ready),
    .in_ready_o     (mrpb_ready),
    .out_valid_o    (req_valid),
    .out_write_o    (req_write),
    .out_warp_o     (unused_warp),
    .out_block_o    (unused_block),
    .out_data_o     ({req_sectors, req_number, req_entry, req_line}),
    .byp_valid_o    (byp_valid),
    .flush_full_o   (unused_flush_full),
    .flush_write_o  (unused_flush_write),
    .held_o         (held),
    .order_err_o    (unused_order_err),
    .error_o        (mrpb_error)
  );

  // 3. The tables of what is outstanding: instructions, lanes of a request, bytes of stores.
  wire                    reply_valid, align_ready, start;
  wire [ENTRY_W-1:0]      reply_entry;
  wire [NUMBER_W-1:0]     reply_number;
  wire [LANES-1:0]        reply_lanes;
  wire [6+TAG_W-1:0]      reply_tag;
  wire [LANES*WORD_W-1:0] reply_word;
  wire                    reply_last, prt_error, lane_table_error;
  wire                    unused_issue_ok, unused_reply_ok, unused_release;
  wire [$clog2(ENTRIES+1)-1:0] prt_count;
  assign start = reply_valid && align_ready;
  prt #(.ENTRIES(ENTRIES), .LANES(SAFE_LANES), .OFFSET_W(WORD_W), .TAG_W(6 + TAG_W), .ORDER(RELEASE), .CHECK(0),
        .PARITY(PARITY)) u_prt (
    .clk_i         (clk_i),
    .srst_ni       (srst_ni),
    .alloc_valid_i (load_enters),
    .alloc_tag_i   ({in_tag_i, in_warp_i}),
    .alloc_mask_i  (in_mask_i),
    .alloc_offset_i(in_word_i),
    .issue_valid_i (sent && !coal_write),
    .issue_entry_i (coal_entry),
    .issue_mask_i  (coal_lanes),
    .reply_valid_i (start),
    .reply_entry_i (reply_entry[PRT_W-1:0]),
    .reply_mask_i  (reply_lanes),
    .alloc_ready_o (alloc_ready),
    .alloc_entry_o (alloc_entry),
    .issue_ok_o    (unused_issue_ok),
    .reply_ok_o    (unused_reply_ok),
    .reply_tag_o   (reply_tag),
    .reply_offset_o(reply_word),
    .last_o        (reply_last),
    .release_o     (unused_release),
    .count_o       (prt_count),
    .error_o       (prt_error)
  );

  lane_table #(.ENTRIES(ENTRIES), .LANES(SAFE_LANES), .PARITY(PARITY)) u_lane_table (
    .clk_i         (clk_i),
    .srst_ni       (srst_ni),
    .write_valid_i (sent && !coal_write),
    .write_entry_i (coal_entry),
    .write_number_i(coal_number),
    .write_lanes_i (coal_lanes),
    .write_first_i (coal_first),
    .read_valid_i  (start),
    .read_entry_i  (reply_entry[PRT_W-1:0]),
    .read_number_i (reply_number),
    .read_lanes_o  (reply_lanes),
    .error_o       (lane_table_error)
  );

  wire                    stores_empty, store_buffer_error, free_valid;
  wire [STORE_W-1:0]      beat_entry, free_entry;
  wire [BEAT_W-1:0]       beat_number;
  wire [BUS_WORDS*32-1:0] beat_data;
  wire [BUS_WORDS*4-1:0]  beat_strobe;
  wire [$clog2(STORES+1)-1:0] unused_stores;
  store_buffer #(.STORES(STORES), .LANES(SAFE_LANES), .WORDS(SAFE_WORDS), .BUS_WORDS(SAFE_BUS_WORDS),
                 .PASSES(PASSES), .PARITY(PARITY)) u_store_buffer (
    .clk_i        (clk_i),
    .srst_ni      (srst_ni),
    .lanes_valid_i(store_enters),
    .lanes_word_i (in_word_i),
    .lanes_data_i (in_data_i),
    .lanes_bytes_i(in_bytes_i),
    .put_valid_i  (sent && coal_write),
    .put_lanes_i  (coal_lanes),
    .beat_entry_i (beat_entry),
    .beat_number_i(beat_number),
    .free_valid_i (free_valid),
    .free_entry_i (free_entry),
    .lanes_ready_o(lanes_ready),
    .put_ready_o  (put_ready),
    .put_entry_o  (put_entry),
    .beat_data_o  (beat_data),
    .beat_strobe_o(beat_strobe),
    .empty_o      (stores_empty),
    .count_o      (unused_stores),
    .error_o      (store_buffer_error)
  );

  // 4. The L1: tags, the tables of misses and of bypassed reads, and the control that decides.
  wire                hit, pending, full, touch, reserve, evict, clear, release_valid, tags_error;
  wire                look_valid;
  wire [ADDR_W-1:0]   look_line;
  wire [SECTORS-1:0]  have, reserve_sectors;
  wire [LINE_W-1:0]   place, release_place;
  tags #(.SETS(SETS), .WAYS(WAYS), .SECTORS(SECTORS), .ADDR_W(SAFE_ADDR_W), .REPLACEMENT(REPLACEMENT), .HASH(HASH),
         .PARITY(PARITY)) u_tags (
    .clk_i            (clk_i),
    .srst_ni          (srst_ni),
    .look_valid_i     (look_valid),
    .look_line_i      (look_line),
    .touch_i          (touch),
    .reserve_i        (reserve),
    .reserve_sectors_i(reserve_sectors),
    .evict_i          (evict),
    .fill_valid_i     (release_valid),
    .fill_place_i     (release_place),
    .clear_i          (clear),
    .hit_o            (hit),
    .pending_o        (pending),
    .have_o           (have),
    .full_o           (full),
    .place_o          (place),
    .error_o          (tags_error)
  );

  wire                mshr_valid, mshr_ready, mshr_merge, mshr_store_hit, mshr_error;
  wire                bypass_valid, bypass_ready, bypass_store_hit, bypass_error;
  wire                fill_valid, bypass_fill_valid;
  wire [SLOT_W-1:0]   fill_entry;
  wire [ADDR_W-1:0]   mshr_line, bypass_line;
  wire [REQ_W-1:0]    mshr_data, bypass_data, drain_data, bypass_drain_data;
  wire [MSHR_W-1:0]   mshr_entry, drain_entry, unused_mshr_store;
  wire [BYPASS_W-1:0] bypass_entry, bypass_drain_entry, unused_bypass_store;
  wire                drain_valid, drain_last, drain_ready, bypass_drain_valid, bypass_drain_ready;
  wire [1:0]          unused_mshr_refuse, unused_bypass_refuse;
  wire                unused_mshr_fill, unused_mshr_written, unused_bypass_fill, unused_bypass_written;
  wire                unused_bypass_merge, unused_bypass_last;
  wire [$clog2(MSHRS+1)-1:0]    mshr_count;
  wire [$clog2(BYPASSES+1)-1:0] bypass_count;
  mshr #(.ENTRIES(MSHRS), .MERGES(MERGES), .ADDR_W(SAFE_ADDR_W), .DATA_W(REQ_W), .STORES(1), .READ_REG(0),
         .PARITY(PARITY)) u_mshr (
    .clk_i         (clk_i),
    .srst_ni       (srst_ni),
    .req_valid_i   (mshr_valid),
    .req_addr_i    (mshr_line),
    .req_data_i    (mshr_data),
    .fill_valid_i  (fill_valid),
    .fill_entry_i  (fill_entry[MSHR_W-1:0]),
    .out_ready_i   (drain_ready),
    .store_valid_i (1'b0),
    .store_addr_i  (mshr_line),
    .req_ready_o   (mshr_ready),
    .req_merge_o   (mshr_merge),
    .req_refuse_o  (unused_mshr_refuse),
    .req_entry_o   (mshr_entry),
    .fill_err_o    (unused_mshr_fill),
    .out_valid_o   (drain_valid),
    .out_data_o    (drain_data),
    .out_entry_o   (drain_entry),
    .out_last_o    (drain_last),
    .count_o       (mshr_count),
    .fill_written_o(unused_mshr_written),
    .store_hit_o   (mshr_store_hit),
    .store_entry_o (unused_mshr_store),
    .error_o       (mshr_error)
  );

  mshr #(.ENTRIES(BYPASSES), .MERGES(1), .ADDR_W(SAFE_ADDR_W), .DATA_W(REQ_W), .STORES(1), .READ_REG(0),
         .PARITY(PARITY)) u_bypass (
    .clk_i         (clk_i),
    .srst_ni       (srst_ni),
    .req_valid_i   (bypass_valid),
    .req_addr_i    (bypass_line),
    .req_data_i    (bypass_data),
    .fill_valid_i  (bypass_fill_valid),
    .fill_entry_i  (fill_entry[BYPASS_W-1:0]),
    .out_ready_i   (bypass_drain_ready),
    .store_valid_i (1'b0),
    .store_addr_i  (mshr_line),
    .req_ready_o   (bypass_ready),
    .req_merge_o   (unused_bypass_merge),
    .req_refuse_o  (unused_bypass_refuse),
    .req_entry_o   (bypass_entry),
    .fill_err_o    (unused_bypass_fill),
    .out_valid_o   (bypass_drain_valid),
    .out_data_o    (bypass_drain_data),
    .out_entry_o   (bypass_drain_entry),
    .out_last_o    (unused_bypass_last),
    .count_o       (bypass_count),
    .fill_written_o(unused_bypass_written),
    .store_hit_o   (bypass_store_hit),
    .store_entry_o (unused_bypass_store),
    .error_o       (bypass_error)
  );

  wire                     read_valid, read_ready, read_find, miss_valid, miss_ready, idle;
  wire                     start_valid, control_error, find, flight_ready, send_valid;
  wire [ADDR_W-1:0]        find_line;
  wire [STORE_W-1:0]       send_entry;
  wire [REQ_W+PLACE_W-1:0] read_data;
  wire [MISS_W-1:0]        miss_data;
  wire [ID_W-1:0]          start_id;
  wire [PLACE_W-1:0]       start_place;
  wire [BEAT_W-1:0]        start_beat;
  l1_control #(.ADDR_W(SAFE_ADDR_W), .SECTORS(SECTORS), .BEATS(BEATS), .LINES(LINES), .MSHRS(MSHRS), .BYPASSES(BYPASSES),
               .STORES(STORES), .ENTRY_W(ENTRY_W), .NUMBER_W(NUMBER_W), .FETCH(FETCH), .PARITY(PARITY)) u_control (
    .clk_i             (clk_i),
    .srst_ni           (srst_ni),
    .req_valid_i       (req_valid),
    .req_write_i       (req_write),
    .req_line_i        (req_line),
    .req_entry_i       (req_entry),
    .req_number_i      (req_number),
    .req_sectors_i     (req_sectors),
    .byp_valid_i       (byp_valid),
    .hit_i             (hit),
    .pending_i         (pending),
    .have_i            (have),
    .full_i            (full),
    .place_i           (place),
    .mshr_ready_i      (mshr_ready),
    .mshr_merge_i      (mshr_merge),
    .mshr_entry_i      (mshr_entry),
    .mshr_store_hit_i  (mshr_store_hit),
    .bypass_ready_i    (bypass_ready),
    .bypass_entry_i    (bypass_entry),
    .bypass_store_hit_i(bypass_store_hit),
    .find_i            (find),
    .flight_ready_i    (flight_ready),
    .read_ready_i      (read_ready),
    .read_find_i       (read_find),
    .miss_ready_i      (miss_ready),
    .flush_i           (flush_i),
    .idle_i            (idle),
    .answer_o          (answer),
    .byp_ready_o       (byp_ready),
    .look_valid_o      (look_valid),
    .look_line_o       (look_line),
    .touch_o           (touch),
    .reserve_o         (reserve),
    .reserve_sectors_o (reserve_sectors),
    .evict_o           (evict),
    .clear_o           (clear),
    .mshr_valid_o      (mshr_valid),
    .mshr_line_o       (mshr_line),
    .mshr_data_o       (mshr_data),
    .bypass_valid_o    (bypass_valid),
    .bypass_line_o     (bypass_line),
    .bypass_data_o     (bypass_data),
    .find_line_o       (find_line),
    .send_valid_o      (send_valid),
    .send_entry_o      (send_entry),
    .read_valid_o      (read_valid),
    .read_data_o       (read_data),
    .miss_valid_o      (miss_valid),
    .miss_data_o       (miss_data),
    .start_valid_o     (start_valid),
    .start_id_o        (start_id),
    .start_place_o     (start_place),
    .start_beat_o      (start_beat),
    .flush_done_o      (flush_done_o),
    .event_o           (event_o),
    .error_o           (control_error)
  );

  // 5. Behind it: hits whose line is to be read, and what goes to memory.
  wire                     hit_valid, hit_ready, head_valid, head_ready, axi_idle, axi_error;
  wire                     read_error, miss_error, unused_miss_find;
  wire [REQ_W+PLACE_W-1:0] hit_data;
  wire [MISS_W-1:0]        head_data;
  wire [$clog2(READS+1)-1:0]  unused_read_count;
  wire [$clog2(MISSES+1)-1:0] unused_miss_count;
  reg_fifo #(.DATA_W(REQ_W + PLACE_W), .DEPTH(READS), .FIND_W(PLACE_W), .PARITY(PARITY)) u_read (
    .clk_i      (clk_i),
    .srst_ni    (srst_ni),
    .in_valid_i (read_valid),
    .in_data_i  (read_data),
    .out_ready_i(hit_ready),
    .find_i     ({{(PLACE_W - LINE_W) {1'b0}}, place}),
    .in_ready_o (read_ready),
    .out_valid_o(hit_valid),
    .out_data_o (hit_data),
    .find_o     (read_find),
    .count_o    (unused_read_count),
    .error_o    (read_error)
  );

  reg_fifo #(.DATA_W(MISS_W), .DEPTH(MISSES), .FIND_W(0), .PARITY(PARITY)) u_miss (
    .clk_i      (clk_i),
    .srst_ni    (srst_ni),
    .in_valid_i (miss_valid),
    .in_data_i  (miss_data),
    .out_ready_i(head_ready),
    .find_i     (1'b0),
    .in_ready_o (miss_ready),
    .out_valid_o(head_valid),
    .out_data_o (head_data),
    .find_o     (unused_miss_find),
    .count_o    (unused_miss_count),
    .error_o    (miss_error)
  );

  // The stores in flight, in the order in which they are sent: {warp, line}.
  wire                        flight_valid, flight_error;
  wire [5:0]                  send_warp;
  wire [ADDR_W+5:0]           flight_data;
  wire [$clog2(WRITES+1)-1:0] unused_flight_count;
  reg_fifo #(.DATA_W(ADDR_W + 6), .DEPTH(WRITES), .FIND_W(ADDR_W), .PARITY(PARITY)) u_flight (
    .clk_i      (clk_i),
    .srst_ni    (srst_ni),
    .in_valid_i (send_valid),
    .in_data_i  ({send_warp, mshr_line}),
    .out_ready_i(b_valid_i),
    .find_i     (find_line),
    .in_ready_o (flight_ready),
    .out_valid_o(flight_valid),
    .out_data_o (flight_data),
    .find_o     (find),
    .count_o    (unused_flight_count),
    .error_o    (flight_error)
  );
  assign stored_valid_o = b_valid_i && flight_valid;
  assign stored_warp_o  = flight_data[ADDR_W +: 6] & {6{b_valid_i}};
  assign b_ready_o      = 1'b1;
  assign aw_id_o        = {ID_W{1'b0}};
  wire unused_b = &{1'b0, b_id_i, flight_data[ADDR_W-1:0]};

  axi_port #(.ADDR_W(SAFE_ADDR_W), .WORDS(SAFE_WORDS), .BUS_WORDS(SAFE_BUS_WORDS), .ID_W(ID_W), .STORES(STORES),
             .PARITY(PARITY)) u_axi (
    .clk_i        (clk_i),
    .srst_ni      (srst_ni),
    .req_valid_i  (head_valid),
    .req_data_i   (head_data),
    .ar_ready_i   (ar_ready_i),
    .aw_ready_i   (aw_ready_i),
    .w_ready_i    (w_ready_i),
    .beat_data_i  (beat_data),
    .beat_strobe_i(beat_strobe),
    .req_ready_o  (head_ready),
    .ar_valid_o   (ar_valid_o),
    .ar_id_o      (ar_id_o),
    .ar_addr_o    (ar_addr_o),
    .ar_len_o     (ar_len_o),
    .aw_valid_o   (aw_valid_o),
    .aw_addr_o    (aw_addr_o),
    .aw_len_o     (aw_len_o),
    .w_valid_o    (w_valid_o),
    .w_data_o     (w_data_o),
    .w_strb_o     (w_strb_o),
    .w_last_o     (w_last_o),
    .beat_entry_o (beat_entry),
    .beat_number_o(beat_number),
    .free_valid_o (free_valid),
    .free_entry_o (free_entry),
    .idle_o       (axi_idle),
    .error_o      (axi_error)
  );

  // 6. What comes from memory goes into the data array; from there to the lanes.
  wire                    write_valid, fill_error, data_error, data_read, unused_r_err;
  wire [PLACE_W-1:0]      write_place, data_place, drain_place;
  wire [BEAT_W-1:0]       write_beat;
  wire [BUS_WORDS*32-1:0] write_data;
  wire [WORDS*32-1:0]     line;
  line_fill #(.MSHRS(MSHRS), .BYPASSES(BYPASSES), .LINES(LINES), .BEATS(BEATS), .BUS_WORDS(SAFE_BUS_WORDS), .ID_W(ID_W),
              .PARITY(PARITY)) u_fill (
    .clk_i              (clk_i),
    .srst_ni            (srst_ni),
    .start_valid_i      (start_valid),
    .start_id_i         (start_id),
    .start_place_i      (start_place),
    .start_beat_i       (start_beat),
    .r_valid_i          (r_valid_i),
    .r_id_i             (r_id_i),
    .r_data_i           (r_data_i),
    .r_last_i           (r_last_i),
    .drain_entry_i      (drain_entry),
    .r_ready_o          (r_ready_o),
    .r_err_o            (unused_r_err),
    .write_valid_o      (write_valid),
    .write_place_o      (write_place),
    .write_beat_o       (write_beat),
    .write_data_o       (write_data),
    .fill_valid_o       (fill_valid),
    .bypass_fill_valid_o(bypass_fill_valid),
    .fill_entry_o       (fill_entry),
    .drain_place_o      (drain_place),
    .error_o            (fill_error)
  );

  line_data #(.PLACES(PLACES), .WORDS(SAFE_WORDS), .BUS_WORDS(SAFE_BUS_WORDS), .PARITY(PARITY)) u_data (
    .clk_i        (clk_i),
    .srst_ni      (srst_ni),
    .read_valid_i (data_read),
    .read_place_i (data_place),
    .write_valid_i(write_valid),
    .write_place_i(write_place),
    .write_beat_i (write_beat),
    .write_data_i (write_data),
    .data_o       (line),
    .error_o      (data_error)
  );

  wire reply_idle, reply_error, line_done;
  l1_reply #(.ENTRY_W(ENTRY_W), .NUMBER_W(NUMBER_W), .LINES(LINES), .BYPASSES(BYPASSES), .PARITY(PARITY)) u_reply (
    .clk_i          (clk_i),
    .srst_ni        (srst_ni),
    .read_valid_i   (hit_valid),
    .read_data_i    (hit_data),
    .mshr_valid_i   (drain_valid),
    .mshr_data_i    (drain_data),
    .mshr_place_i   (drain_place),
    .mshr_last_i    (drain_last),
    .bypass_valid_i (bypass_drain_valid),
    .bypass_data_i  (bypass_drain_data),
    .bypass_entry_i (bypass_drain_entry),
    .out_ready_i    (align_ready),
    .line_done_i    (line_done),
    .read_ready_o   (hit_ready),
    .mshr_ready_o   (drain_ready),
    .bypass_ready_o (bypass_drain_ready),
    .data_read_o    (data_read),
    .data_place_o   (data_place),
    .release_valid_o(release_valid),
    .release_place_o(release_place),
    .out_valid_o    (reply_valid),
    .entry_o        (reply_entry),
    .number_o       (reply_number),
    .idle_o         (reply_idle),
    .error_o        (reply_error)
  );

  wire                align_valid, response_ready, align_error, response_error, unused_response_find;
  wire [LANES*32-1:0] align_data;
  wire [LANES-1:0]    align_mask;
  wire [ALIGN_W-1:0]  align_info;
  wire [$clog2(ANSWERS+1)-1:0] unused_response_count;
  line_align #(.LANES(SAFE_LANES), .WORDS(SAFE_WORDS), .INFO_W(ALIGN_W), .PASSES(PASSES), .PARITY(PARITY)) u_align (
    .clk_i      (clk_i),
    .srst_ni    (srst_ni),
    .in_valid_i (reply_valid),
    .in_word_i  (reply_word),
    .in_mask_i  (reply_lanes),
    .in_info_i  ({reply_last, reply_tag}),
    .in_line_i  (line),
    .out_ready_i(response_ready),
    .in_ready_o (align_ready),
    .line_done_o(line_done),
    .out_valid_o(align_valid),
    .out_data_o (align_data),
    .out_mask_o (align_mask),
    .out_info_o (align_info),
    .error_o    (align_error)
  );

  reg_fifo #(.DATA_W(ANSWER_W), .DEPTH(ANSWERS), .FIND_W(0), .PARITY(PARITY)) u_response (
    .clk_i      (clk_i),
    .srst_ni    (srst_ni),
    .in_valid_i (align_valid),
    .in_data_i  ({align_info, align_mask, align_data}),
    .out_ready_i(out_ready_i),
    .find_i     (1'b0),
    .in_ready_o (response_ready),
    .out_valid_o(out_valid_o),
    .out_data_o ({out_last_o, out_tag_o, out_warp_o, out_mask_o, out_data_o}),
    .find_o     (unused_response_find),
    .count_o    (unused_response_count),
    .error_o    (response_error)
  );

  // Nothing is under way outside the control.
  assign idle = coalescer_idle && (held == {$clog2(QUEUES * DEPTH + 4) {1'b0}}) && stores_empty
             && (prt_count == {$clog2(ENTRIES + 1) {1'b0}})
             && (mshr_count == {$clog2(MSHRS + 1) {1'b0}})
             && (bypass_count == {$clog2(BYPASSES + 1) {1'b0}})
             && !hit_valid && !head_valid && !flight_valid && axi_idle && reply_idle && !align_valid && !out_valid_o;

  // The top's own registers.
  (* mem2reg *) reg [5:0] store_warp_q [0:STORES-1];
  (* mem2reg *) reg [31:0] event_q [0:7];
  wire store_open_d = store_enters || (store_open_q && !store_ends);
  wire is_entry = ({1'b0, send_entry} < STORE_COUNT);
  assign send_warp = is_entry ? store_warp_q[send_entry] : 6'd0;
  assign {evicts_o, refused_o, assoc_o, stores_o, bypasses_o, merges_o, misses_o, hits_o} =
      {event_q[7], event_q[6], event_q[5], event_q[4], event_q[3], event_q[2], event_q[1], event_q[0]};
  integer i, k;
  always @(posedge clk_i) begin
    store_open_q <= srst_ni && store_open_d;
    for (k = 0; k < 8; k = k + 1)
      event_q[k] <= srst_ni ? event_q[k] + {31'd0, event_o[k]} : 32'd0;
  end
  always @(posedge clk_i) begin
    if (!srst_ni) for (i = 0; i < STORES; i = i + 1) store_warp_q[i] <= 6'd0;
    else if (sent && coal_write) store_warp_q[put_entry] <= coal_warp;
  end

  // Parity of the top's own registers; the parts check theirs.
  wire part_error = coalescer_error || mrpb_error || prt_error || lane_table_error
                 || store_buffer_error || tags_error || mshr_error || bypass_error || control_error
                 || read_error || miss_error || flight_error || axi_error || fill_error || data_error || reply_error
                 || align_error || response_error;
  generate
    if (PARITY != 0) begin : gen_parity
      reg  [8:0]        state_par_q;
      reg  [STORES-1:0] warp_par_q;
      wire [8:0]        state_now, state_d;
      genvar g;
      for (g = 0; g < 8; g = g + 1) begin : gen_event
        wire [31:0] next = event_q[g] + {31'd0, event_o[g]};
        assign state_now[g] = ^event_q[g];
        assign state_d[g]   = ^next;
      end
      assign state_now[8] = store_open_q;
      assign state_d[8]   = store_open_d;
      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? state_d : 9'd0;
        if (!srst_ni) warp_par_q <= {STORES{1'b0}};
        else if (sent && coal_write) warp_par_q[put_entry] <= ^coal_warp;
      end
      wire warp_error = send_valid && is_entry
                     && ((^store_warp_q[send_entry]) != warp_par_q[send_entry]);
      assign error_o = (state_now != state_par_q) || warp_error || part_error;
    end else begin : gen_no_parity
      wire unused_error = &{1'b0, part_error};
      assign error_o = 1'b0;
    end
  endgenerate
endmodule
`default_nettype wire
