// SPDX-License-Identifier: Apache-2.0
// l1_top behind the ports of the contract of a path: a lane's byte address is a line and a word, and
// a request's tag is {tag, warp}. Blocks are four warps; of instructions that are split, the number
// of parts follows from the tag. A barrier is offered when the core is silent.
`default_nettype none
module l1_top_path #(
  parameter LANES = 4, LINE = 32, BUS = 8, ADDR_W = 10, TAG_W = 6, ID_W = 4, THREADS = 4,
  parameter SECTORS = 2, SETS = 2, WAYS = 2, REPLACEMENT = 0, HASH = 0, MSHRS = 3, MERGES = 2, BYPASSES = 2,
  parameter ENTRIES = 5, RELEASE = 0, STORES = 3, WRITES = 4, MISSES = 3, READS = 2, ANSWERS = 2, QUEUES = 3, DEPTH = 2,
  parameter BLOCKS = 2, SIGNATURE = 1, POLICY = 0, FLUSH = 1, LATENCY = 3, BYPASS = 2, FETCH = 0,
  parameter ORDER = 0, PASSES = 1
) (
  input  wire                    clk_i,
  input  wire                    srst_ni,
  input  wire [LANES-1:0]        req_valid_i,
  input  wire [LANES-1:0]        req_write_i,
  input  wire [LANES*ADDR_W-1:0] req_addr_i,
  input  wire [LANES*4-1:0]      req_mask_i,
  input  wire [LANES*32-1:0]     req_data_i,
  input  wire [LANES*TAG_W-1:0]  req_tag_i,
  output wire [LANES-1:0]        req_ready_o,
  output wire [LANES-1:0]        rsp_valid_o,
  output wire [LANES*TAG_W-1:0]  rsp_tag_o,
  output wire [LANES*32-1:0]     rsp_data_o,
  input  wire                    rsp_ready_i,
  input  wire                    flush_i,
  output wire                    flush_done_o,
  output wire                    ar_valid_o,
  output wire [ADDR_W-1:0]       ar_addr_o,
  output wire [ID_W-1:0]         ar_id_o,
  output wire [7:0]              ar_len_o,
  input  wire                    ar_ready_i,
  input  wire                    r_valid_i,
  input  wire [ID_W-1:0]         r_id_i,
  input  wire [BUS*8-1:0]        r_data_i,
  input  wire                    r_last_i,
  output wire                    r_ready_o,
  output wire                    aw_valid_o,
  output wire [ADDR_W-1:0]       aw_addr_o,
  output wire [ID_W-1:0]         aw_id_o,
  output wire [7:0]              aw_len_o,
  input  wire                    aw_ready_i,
  output wire                    w_valid_o,
  output wire [BUS*8-1:0]        w_data_o,
  output wire [BUS-1:0]          w_strb_o,
  output wire                    w_last_o,
  input  wire                    w_ready_i,
  input  wire                    b_valid_i,
  input  wire [ID_W-1:0]         b_id_i,
  output wire                    b_ready_o
);
  localparam OFFSET_W = $clog2(LINE);
  localparam LINE_W   = ADDR_W - OFFSET_W;
  localparam WORD_W   = OFFSET_W - 2;
  localparam OWN_ID   = 1 + $clog2(((MSHRS - 1) | (BYPASSES - 1) | (STORES - 1) | 1) + 1);

  wire                     ready, valid, barrier_ready;
  wire [5:0]               warp, rsp_warp;
  wire [TAG_W-1:0]         rsp_tag;
  wire [LANES-1:0]         mask;
  wire [LANES*LINE_W-1:0]  line;
  wire [LANES*WORD_W-1:0]  word;
  wire [OWN_ID-1:0]        ar_id, aw_id;
  // The lanes of an instruction have one tag: that of the highest of them.
  reg  [TAG_W-1:0]         tag;
  integer n;
  always @* begin
    tag = {TAG_W{1'b0}};
    for (n = 0; n < LANES; n = n + 1) if (req_valid_i[n]) tag = req_tag_i[n*TAG_W+:TAG_W];
  end
  genvar l;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : gen_lane
      assign word[l*WORD_W+:WORD_W] = req_addr_i[l*ADDR_W+2+:WORD_W];
      assign line[l*LINE_W+:LINE_W] = req_addr_i[l*ADDR_W+OFFSET_W+:LINE_W];
    end
    if (THREADS > 1) begin : gen_warp
      assign warp = {{(6 - $clog2(THREADS)) {1'b0}}, tag[$clog2(THREADS)-1:0]};
    end else begin : gen_one
      assign warp = 6'd0;
    end
  endgenerate
  assign req_ready_o = {LANES{ready}};
  assign rsp_valid_o = {LANES{valid}} & mask;
  assign rsp_tag_o   = {LANES{rsp_tag}};
  assign ar_id_o     = {{(ID_W - OWN_ID) {1'b0}}, ar_id};
  assign aw_id_o     = {{(ID_W - OWN_ID) {1'b0}}, aw_id};

  l1_top #(
    .LANES(LANES), .WORDS(LINE / 4), .SECTORS(SECTORS), .BUS_WORDS(BUS / 4), .ADDR_W(LINE_W), .SETS(SETS), .WAYS(WAYS),
    .REPLACEMENT(REPLACEMENT), .HASH(HASH), .MSHRS(MSHRS), .MERGES(MERGES), .BYPASSES(BYPASSES), .ENTRIES(ENTRIES),
    .RELEASE(RELEASE), .STORES(STORES), .WRITES(WRITES), .MISSES(MISSES), .READS(READS), .ANSWERS(ANSWERS), .QUEUES(QUEUES),
    .DEPTH(DEPTH), .BLOCKS(BLOCKS), .SIGNATURE(SIGNATURE), .POLICY(POLICY), .FLUSH(FLUSH), .LATENCY(LATENCY),
    .BYPASS(BYPASS), .FETCH(FETCH), .ORDER(ORDER), .PASSES(PASSES), .TAG_W(TAG_W)
  ) u_l1 (
    .clk_i(clk_i), .srst_ni(srst_ni),
    .in_valid_i(|req_valid_i), .in_write_i(|(req_valid_i & req_write_i)), .in_warp_i(warp), .in_block_i(warp >> 2),
    .in_block_warp_i(warp & 6'd3), .in_tag_i(tag), .in_mask_i(req_valid_i), .in_split_i(tag[TAG_W-1:TAG_W-2]),
    .in_line_i(line), .in_word_i(word), .in_data_i(req_data_i), .in_bytes_i(req_mask_i),
    .barrier_valid_i(~|req_valid_i), .barrier_block_i(warp >> 2), .out_ready_i(rsp_ready_i), .flush_i(flush_i),
    .ar_ready_i(ar_ready_i), .r_valid_i(r_valid_i), .r_id_i(r_id_i[OWN_ID-1:0]), .r_data_i(r_data_i), .r_last_i(r_last_i),
    .aw_ready_i(aw_ready_i), .w_ready_i(w_ready_i), .b_valid_i(b_valid_i), .b_id_i(b_id_i[OWN_ID-1:0]),
    .in_ready_o(ready), .barrier_ready_o(barrier_ready), .out_valid_o(valid), .out_warp_o(rsp_warp), .out_tag_o(rsp_tag),
    .out_last_o(), .out_mask_o(mask), .out_data_o(rsp_data_o), .stored_valid_o(), .stored_warp_o(),
    .flush_done_o(flush_done_o),
    .ar_valid_o(ar_valid_o), .ar_id_o(ar_id), .ar_addr_o(ar_addr_o), .ar_len_o(ar_len_o), .r_ready_o(r_ready_o),
    .aw_valid_o(aw_valid_o), .aw_id_o(aw_id), .aw_addr_o(aw_addr_o), .aw_len_o(aw_len_o), .w_valid_o(w_valid_o),
    .w_data_o(w_data_o), .w_strb_o(w_strb_o), .w_last_o(w_last_o), .b_ready_o(b_ready_o),
    .event_o(), .hits_o(), .misses_o(), .merges_o(), .bypasses_o(), .stores_o(), .assoc_o(), .refused_o(), .evicts_o(),
    .error_o()
  );
endmodule
`default_nettype wire
