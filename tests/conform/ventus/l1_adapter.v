// SPDX-License-Identifier: Apache-2.0
// l1_top in the place of Ventus' l1_dcache, whose name and ports this module has.
// A request of the LSU is of one line, so it is one request of l1_top with one answer, which has
// the lanes of the request. A store is answered when l1_top has taken it, as Ventus answers one
// that hits. Lines go to the MRPB's queues by their low bits: so requests of one line keep their
// order, on which the LSU relies. An invalidation flushes l1_top, then asks the L2 to write back,
// as l1_dcache does. LR, SC and AMO are left out: a program that uses them stops.
`include "define.v"
`default_nettype none
module l1_dcache (
  input  wire                                            clk, rst_n,
  input  wire                                            core_req_valid_i,
  output wire                                            core_req_ready_o,
  input  wire [`WIDBITS-1:0]                             core_req_instrid_i,
  input  wire [`DCACHE_SETIDXBITS-1:0]                   core_req_setidx_i,
  input  wire [`DCACHE_TAGBITS-1:0]                      core_req_tag_i,
  input  wire [`DCACHE_NLANES-1:0]                       core_req_activemask_i,
  input  wire [`DCACHE_NLANES*`DCACHE_BLOCKOFFSETBITS-1:0] core_req_blockoffset_i,
  input  wire [`DCACHE_NLANES*`BYTESOFWORD-1:0]          core_req_wordoffset1h_i,
  input  wire [`DCACHE_NLANES*`XLEN-1:0]                 core_req_data_i,
  input  wire [2:0]                                      core_req_opcode_i,
  input  wire [3:0]                                      core_req_param_i,
  output wire                                            core_rsp_valid_o,
  input  wire                                            core_rsp_ready_i,
  output wire                                            core_rsp_is_write_o,
  output wire [`WIDBITS-1:0]                             core_rsp_instrid_o,
  output wire [`DCACHE_NLANES*`XLEN-1:0]                 core_rsp_data_o,
  output wire [`DCACHE_NLANES-1:0]                       core_rsp_activemask_o,
  input  wire                                            mem_rsp_valid_i,
  output wire                                            mem_rsp_ready_o,
  input  wire [2:0]                                      mem_rsp_d_opcode_i,
  input  wire [`A_SOURCE-1:0]                            mem_rsp_d_source_i,
  input  wire [`XLEN-1:0]                                mem_rsp_d_addr_i,
  input  wire [`DCACHE_BLOCKWORDS*`XLEN-1:0]             mem_rsp_d_data_i,
  output wire                                            mem_req_valid_o,
  input  wire                                            mem_req_ready_i,
  output wire [2:0]                                      mem_req_a_opcode_o, mem_req_a_param_o,
  output wire [`A_SOURCE-1:0]                            mem_req_a_source_o,
  output wire [`XLEN-1:0]                                mem_req_a_addr_o,
  output wire [`DCACHE_BLOCKWORDS*`XLEN-1:0]             mem_req_a_data_o,
  output wire [`DCACHE_BLOCKWORDS*`BYTESOFWORD-1:0]      mem_req_a_mask_o
);
  localparam LANES = `DCACHE_NLANES, WORDS = `DCACHE_BLOCKWORDS, WORD_W = `DCACHE_BLOCKOFFSETBITS;
  localparam ADDR_W = `BABITS, TAG_W = `WIDBITS, SRC_W = `A_SOURCE, ZEROS = `XLEN - `BABITS;
  localparam MSHRS = 8, BYPASSES = 4, STORES = 4, GROUP_W = 3, SLOTS = 8;
  localparam ID_W = 1 + $clog2(((MSHRS - 1) | (BYPASSES - 1) | (STORES - 1) | 1) + 1);
  localparam [2:0] ACK = 0, ACK_DATA = 1, HINT_ACK = 2;

  // ---- the request that is offered to l1_top ----
  reg                     req_valid_q;
  reg  [2:0]              req_op_q;
  reg  [3:0]              req_param_q;
  reg  [TAG_W-1:0]        req_id_q;
  reg  [ADDR_W-1:0]       req_line_q;
  reg  [LANES-1:0]        req_mask_q;
  reg  [LANES*WORD_W-1:0] req_word_q;
  reg  [LANES*32-1:0]     req_data_q;
  reg  [LANES*4-1:0]      req_bytes_q;
  wire load       = req_valid_q && req_op_q == 0 && req_param_q == 0;
  wire store      = req_valid_q && req_op_q == 1 && req_param_q == 0;
  wire invalidate = req_valid_q && req_op_q == 3 && req_param_q == 0;
  wire l1_ready, ans_free, inv_ends;
  wire take = (load && l1_ready) || (store && l1_ready && ans_free) || inv_ends;
  assign core_req_ready_o = !req_valid_q || take;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) req_valid_q <= 0;
    else if (core_req_ready_o) begin
      req_valid_q <= core_req_valid_i;
      req_op_q    <= core_req_opcode_i;
      req_param_q <= core_req_param_i;
      req_id_q    <= core_req_instrid_i;
      req_line_q  <= {core_req_tag_i, core_req_setidx_i};
      req_mask_q  <= core_req_activemask_i;
      req_word_q  <= core_req_blockoffset_i;
      req_data_q  <= core_req_data_i;
      req_bytes_q <= core_req_wordoffset1h_i;
    end
  always @(posedge clk)
    if (rst_n && req_valid_q && !load && !store && !invalidate) begin
      $display("l1_adapter: opcode %0d with parameter %0d is left out", req_op_q, req_param_q);
      $stop;
    end

  // The LSU gives what is stored in the low bytes; l1_top takes it where it belongs.
  reg [LANES*32-1:0] data;
  integer l;
  always @(*)
    for (l = 0; l < LANES; l = l + 1) begin
      data[l*32+:32] = req_data_q[l*32+:32];
      if (!req_bytes_q[l*4]) begin
        if (req_bytes_q[l*4+1]) data[l*32+:32] = req_data_q[l*32+:32] << 8;
        else if (req_bytes_q[l*4+2]) data[l*32+:32] = req_data_q[l*32+:32] << 16;
        else data[l*32+:32] = req_data_q[l*32+:32] << 24;
      end
    end

  // ---- l1_top ----
  wire                out_valid, out_ready, ar_valid, aw_valid, w_valid, ar_ready, aw_ready;
  wire                b_valid, done;
  wire [TAG_W-1:0]    out_tag;
  wire [LANES-1:0]    out_mask;
  wire [LANES*32-1:0] out_data;
  wire [ID_W-1:0]     ar_id, aw_id, b_id;
  wire [31:0]         ar_addr, aw_addr, hits, misses, merges, bypasses, stores;
  wire [WORDS*32-1:0] w_data;
  wire [WORDS*4-1:0]  w_strb;
  reg  [2:0]          inv_q;
  wire [5:0]          group = {{(6 - GROUP_W) {1'b0}}, req_line_q[GROUP_W-1:0]};
  l1_top #(.LANES(LANES), .WORDS(WORDS), .SECTORS(1), .BUS_WORDS(WORDS), .ADDR_W(ADDR_W),
           .SETS(`DCACHE_NSETS), .WAYS(`DCACHE_NWAYS), .MSHRS(MSHRS), .MERGES(4),
           .BYPASSES(BYPASSES), .ENTRIES(32), .STORES(STORES), .QUEUES(1 << GROUP_W), .DEPTH(4),
           .BLOCKS(1), .PASSES(1), .TAG_W(TAG_W)) u_l1 (
    .clk_i(clk), .srst_ni(rst_n), .flush_i(inv_q == 1), .flush_done_o(done),
    .in_valid_i(load || (store && ans_free)), .in_write_i(store), .in_warp_i(group),
    .in_block_i(6'd0), .in_block_warp_i(6'd0), .in_tag_i(req_id_q), .in_mask_i(req_mask_q),
    .in_split_i(2'd0), .in_line_i({LANES{req_line_q}}), .in_word_i(req_word_q),
    .in_data_i(data), .in_bytes_i(req_bytes_q), .in_ready_o(l1_ready),
    .barrier_valid_i(1'b0), .barrier_block_i(6'd0), .barrier_ready_o(),
    .out_valid_o(out_valid), .out_ready_i(out_ready), .out_warp_o(), .out_tag_o(out_tag),
    .out_last_o(), .out_mask_o(out_mask), .out_data_o(out_data),
    .stored_valid_o(), .stored_warp_o(),
    .ar_valid_o(ar_valid), .ar_ready_i(ar_ready), .ar_id_o(ar_id), .ar_addr_o(ar_addr),
    .ar_len_o(), .r_valid_i(mem_rsp_valid_i && mem_rsp_d_opcode_i == ACK_DATA),
    .r_id_i(mem_rsp_d_source_i[ID_W-1:0]), .r_data_i(mem_rsp_d_data_i), .r_last_i(1'b1),
    .r_ready_o(),
    .aw_valid_o(aw_valid), .aw_ready_i(aw_ready), .aw_id_o(aw_id), .aw_addr_o(aw_addr),
    .aw_len_o(), .w_valid_o(w_valid), .w_ready_i(aw_ready), .w_data_o(w_data),
    .w_strb_o(w_strb), .w_last_o(), .b_valid_i(b_valid), .b_id_i(b_id), .b_ready_o(),
    .event_o(), .hits_o(hits), .misses_o(misses), .merges_o(merges), .bypasses_o(bypasses),
    .stores_o(stores), .assoc_o(), .refused_o(), .evicts_o(), .error_o()
  );

  // ---- answers: to a store or an invalidation from a register, before those of l1_top ----
  reg             ans_valid_q, ans_write_q;
  reg [TAG_W-1:0] ans_id_q;
  reg [LANES-1:0] ans_mask_q;
  assign ans_free  = !ans_valid_q || core_rsp_ready_i;
  assign out_ready = core_rsp_ready_i && !ans_valid_q;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) ans_valid_q <= 0;
    else if (ans_free) begin
      ans_valid_q <= take && !load;
      ans_write_q <= store;
      ans_id_q    <= req_id_q;
      ans_mask_q  <= req_mask_q;
    end
  assign core_rsp_valid_o      = ans_valid_q || out_valid;
  assign core_rsp_is_write_o   = ans_valid_q && ans_write_q;
  assign core_rsp_instrid_o    = ans_valid_q ? ans_id_q : out_tag;
  assign core_rsp_activemask_o = ans_valid_q ? ans_mask_q : out_mask;
  assign core_rsp_data_o       = ans_valid_q ? {LANES * 32{1'b0}} : out_data;

  // ---- memory: writes under way, in the order in which they left ----
  // AXI keeps the order of writes with one id, and the L2 may answer in any order. As with Ventus'
  // dcache_wshr, two writes of one line are never under way together.
  reg  [SLOTS-1:0]         busy_q, acked_q;
  reg  [ADDR_W-1:0]        line_q [0:SLOTS-1];
  reg  [ID_W-1:0]          id_q   [0:SLOTS-1];
  reg  [$clog2(SLOTS)-1:0] head_q, tail_q;
  reg                      same;
  integer s;
  always @(*) begin
    same = 0;
    for (s = 0; s < SLOTS; s = s + 1)
      same = same || (busy_q[s] && line_q[s] == aw_addr[31:ZEROS]);
  end
  reg  mem_valid_q;
  wire mem_free = !mem_valid_q || mem_req_ready_i;
  wire hint     = inv_q == 2;
  assign aw_ready = mem_free && !hint && aw_valid && w_valid && !busy_q[tail_q] && !same;
  assign ar_ready = mem_free && !hint && ar_valid && !aw_ready;
  assign b_valid  = busy_q[head_q] && acked_q[head_q];
  assign b_id     = id_q[head_q];
  wire acked = mem_rsp_valid_i && mem_rsp_d_opcode_i == ACK;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) {busy_q, acked_q, head_q, tail_q} <= 0;
    else begin
      if (acked) acked_q[mem_rsp_d_source_i[$clog2(SLOTS)-1:0]] <= 1;
      if (b_valid) begin
        {busy_q[head_q], acked_q[head_q]} <= 0;
        head_q <= head_q + 1'b1;
      end
      if (aw_ready) begin
        busy_q[tail_q] <= 1;
        line_q[tail_q] <= aw_addr[31:ZEROS];
        id_q[tail_q]   <= aw_id;
        tail_q         <= tail_q + 1'b1;
      end
    end
  assign mem_rsp_ready_o = 1;

  // ---- memory: the request that is sent ----
  reg [2:0]          mem_op_q;
  reg [SRC_W-1:0]    mem_source_q;
  reg [31:0]         mem_addr_q;
  reg [WORDS*32-1:0] mem_data_q;
  reg [WORDS*4-1:0]  mem_mask_q;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) mem_valid_q <= 0;
    else if (mem_free) begin
      mem_valid_q  <= aw_ready || ar_ready || hint;
      mem_op_q     <= hint ? `TLAOP_FLUSH : aw_ready ? `TLAOP_PUTPART : `TLAOP_GET;
      mem_source_q <= hint ? 0 : aw_ready ? {{(SRC_W - $clog2(SLOTS)) {1'b0}}, tail_q}
                    : {3'b001, {(SRC_W - 3 - ID_W) {1'b0}}, ar_id};
      mem_addr_q   <= hint ? 0 : aw_ready ? aw_addr : ar_addr;
      mem_data_q   <= aw_ready ? w_data : 0;
      mem_mask_q   <= aw_ready ? w_strb : ~0;
    end
  assign mem_req_valid_o    = mem_valid_q;
  assign mem_req_a_opcode_o = mem_op_q;
  assign mem_req_a_param_o  = mem_op_q == `TLAOP_FLUSH ? `TLAPARAM_INV : 3'd0;
  assign mem_req_a_source_o = mem_source_q;
  assign mem_req_a_addr_o   = mem_addr_q;
  assign mem_req_a_data_o   = mem_data_q;
  assign mem_req_a_mask_o   = mem_mask_q;

  // ---- invalidation: 1 l1_top flushes, 2 the L2 is asked, 3 it answers, 7 the answer leaves ----
  // The GPU offers an invalidation again and again while the host has not been told that the work
  // group is done, which the L2's answer causes. So nothing is taken for some cycles (4 to 6) then.
  assign inv_ends = inv_q == 7 && ans_free;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) inv_q <= 0;
    else case (inv_q)
      0: if (invalidate) inv_q <= 1;
      1: if (done) begin
        inv_q <= 2;
        $display("%m: %0d hits %0d misses %0d merges %0d bypasses %0d stores", hits, misses,
                 merges, bypasses, stores);
      end
      2: if (mem_free) inv_q <= 3;
      3: if (mem_rsp_valid_i && mem_rsp_d_opcode_i == HINT_ACK) inv_q <= 4;
      7: if (ans_free) inv_q <= 0;
      default: inv_q <= inv_q + 1'b1;
    endcase
endmodule
`default_nettype wire
