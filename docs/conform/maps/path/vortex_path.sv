// SPDX-License-Identifier: Apache-2.0
// Vortex's VX_cache behind the ports of the contract: unpacked arrays become vectors of lanes. A flush is
// a request of lane 0 with attr[0], as the flush of a core makes it; its answer has a tag of its own.
// GAP: cycles after a reset in which nothing is accepted.
module vortex_path #(
    parameter WORD = 4, LINE = 16, LANES = 2, ADDR_W = 10, TAG_W = 4, ID_W = 4,
    parameter SIZE = 256, BANKS = 1, WAYS = 2, MSHR = 4, WB = 1, GAP = 0
) (
    input  logic                      clk_i, srst_ni,
    input  logic [LANES-1:0]          req_valid_i, req_write_i,
    input  logic [LANES*ADDR_W-1:0]   req_addr_i,
    input  logic [LANES*WORD-1:0]     req_mask_i,
    input  logic [LANES*WORD*8-1:0]   req_data_i,
    input  logic [LANES*TAG_W-1:0]    req_tag_i,
    output logic [LANES-1:0]          req_ready_o, rsp_valid_o,
    output logic [LANES*TAG_W-1:0]    rsp_tag_o,
    output logic [LANES*WORD*8-1:0]   rsp_data_o,
    input  logic [LANES-1:0]          rsp_ready_i,
    input  logic                      flush_i,
    output logic                      flush_done_o,
    output logic                      mem_valid_o, mem_write_o,
    output logic [ADDR_W-1:0]         mem_addr_o,
    output logic [ID_W-1:0]           mem_id_o,
    output logic [LINE-1:0]           mem_mask_o,
    output logic [LINE*8-1:0]         mem_data_o,
    input  logic                      mem_ready_i, mem_rsp_valid_i,
    input  logic [ID_W-1:0]           mem_rsp_id_i,
    input  logic [LINE*8-1:0]         mem_rsp_data_i,
    output logic                      mem_rsp_ready_o
);
  localparam TW = TAG_W + 2;  // uuid, the flush, the tag
  localparam MW = 1 + $clog2(MSHR) + $clog2(BANKS);
  localparam OFF = $clog2(LINE), WOFF = $clog2(WORD);
  logic valid[LANES], rw[LANES], ready[LANES], rvalid[LANES], rready[LANES];
  logic [WORD-1:0] byteen[LANES];
  logic [31-WOFF:0] addr[LANES];
  logic [VX_gpu_pkg::MEM_ATTR_WIDTH-1:0] attr[LANES];
  logic [8*WORD-1:0] data[LANES], rdata[LANES];
  logic [TW-1:0] tag[LANES], rtag[LANES];
  logic mv[1], mrw[1], mready[1], mrv[1], mrr[1];
  logic [LINE-1:0] mbe[1];
  logic [31-OFF:0] ma[1];
  logic [8*LINE-1:0] md[1], mrd[1];
  logic [MW-1:0] mt[1], mrt[1];
  logic asked_q;
  logic [7:0] gap_q;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    wire fl = flush_i && l == 0;
    assign valid[l] = fl ? !asked_q : req_valid_i[l] && !flush_i && gap_q == 0;
    assign rw[l] = !fl && req_write_i[l];
    assign byteen[l] = req_mask_i[l*WORD+:WORD];
    assign addr[l] = fl ? (32 - WOFF)'(1 << (ADDR_W - WOFF)) : (32 - WOFF)'(req_addr_i[l*ADDR_W+WOFF+:ADDR_W-WOFF]);
    assign attr[l] = VX_gpu_pkg::MEM_ATTR_WIDTH'(fl);
    assign data[l] = req_data_i[l*WORD*8+:WORD*8];
    assign tag[l] = {1'b0, fl, req_tag_i[l*TAG_W+:TAG_W]};
    assign req_ready_o[l] = ready[l] && !flush_i && gap_q == 0;
    assign rsp_valid_o[l] = rvalid[l] && !rtag[l][TAG_W];
    assign rsp_tag_o[l*TAG_W+:TAG_W] = rtag[l][TAG_W-1:0];
    assign rsp_data_o[l*WORD*8+:WORD*8] = rdata[l];
    assign rready[l] = rsp_ready_i[l] || rtag[l][TAG_W];
  end
  assign {mem_valid_o, mem_write_o, mem_mask_o, mem_data_o} = {mv[0], mrw[0], mrw[0] ? mbe[0] : {LINE{1'b1}}, md[0]};
  assign mem_addr_o = {ma[0][ADDR_W-OFF-1:0], {OFF{1'b0}}};
  assign mem_id_o = ID_W'(mt[0]);
  assign mready[0] = mem_ready_i;
  assign mrv[0] = mem_rsp_valid_i;
  assign mrd[0] = mem_rsp_data_i;
  assign mrt[0] = mem_rsp_id_i[MW-1:0];
  assign mem_rsp_ready_o = mrr[0];
  assign flush_done_o = flush_i && rvalid[0] && rtag[0][TAG_W];
  always_ff @(posedge clk_i) gap_q <= !srst_ni ? 8'(GAP) : gap_q - 8'(gap_q != 0);
  always_ff @(posedge clk_i)
    asked_q <= srst_ni && flush_i && !flush_done_o && (asked_q || ready[0]);

  VX_cache_top #(.NUM_REQS(LANES), .CACHE_SIZE(SIZE), .LINE_SIZE(LINE), .NUM_BANKS(BANKS), .NUM_WAYS(WAYS),
      .WORD_SIZE(WORD), .MSHR_SIZE(MSHR), .WRITEBACK(WB), .DIRTY_BYTES(WB), .TAG_WIDTH(TW)) i_cache (
      clk_i, !srst_ni, valid, rw, byteen, addr, attr, data, tag, ready, rvalid, rdata, rtag, rready,
      mv, mrw, mbe, ma, md, mt, mready, mrv, mrd, mrt, mrr);
endmodule
