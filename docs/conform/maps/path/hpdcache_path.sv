// SPDX-License-Identifier: Apache-2.0
// HPDcache's own wrapper behind the ports of the contract. The tag, the abort and the attributes of a
// request come one cycle after it. A flush is three requests: fence, flush and invalidate all, fence.
// The cache's sizes are the macros CONF_HPDCACHE_*: PA_WIDTH is ADDR_W, REQ_TRANS_ID_WIDTH TAG_W + 1.
module hpdcache_path #(
    parameter LINE = 16, ADDR_W = 10, TAG_W = 4, ID_W = 4, BUS = 8, ACKS = 0, BACK = 0, WAW = 1,
    localparam OFF = $clog2(LINE * `CONF_HPDCACHE_SETS), HI = ADDR_W - OFF, S = `CONF_HPDCACHE_REQ_SRC_ID_WIDTH
) (
    input  logic              clk_i, srst_ni,
    input  logic              req_valid_i, req_write_i,
    input  logic [ADDR_W-1:0] req_addr_i,
    input  logic [3:0]        req_mask_i,
    input  logic [31:0]       req_data_i,
    input  logic [TAG_W-1:0]  req_tag_i,
    output logic              req_ready_o, rsp_valid_o,
    output logic [TAG_W-1:0]  rsp_tag_o,
    output logic [31:0]       rsp_data_o,
    input  logic              flush_i,
    output logic              flush_done_o,
    output logic              ar_valid_o, r_ready_o, aw_valid_o, w_valid_o, w_last_o, b_ready_o,
    output logic [ADDR_W-1:0] ar_addr_o, aw_addr_o,
    output logic [ID_W-1:0]   ar_id_o, aw_id_o,
    output logic [7:0]        ar_len_o, aw_len_o,
    output logic [2:0]        ar_size_o, aw_size_o,
    output logic [BUS*8-1:0]  w_data_o,
    output logic [BUS-1:0]    w_strb_o,
    input  logic              ar_ready_i, r_valid_i, r_last_i, aw_ready_i, w_ready_i, b_valid_i,
    input  logic [ID_W-1:0]   r_id_i, b_id_i,
    input  logic [BUS*8-1:0]  r_data_i
);
  import hpdcache_pkg::*;
  localparam hpdcache_pma_t PMA = '{uncacheable: 1'b0, io: 1'b0,
      wr_policy_hint: BACK ? HPDCACHE_WR_POLICY_WB : HPDCACHE_WR_POLICY_WT};
  logic [HI-1:0] late_q;
  logic ready, valid, asked_q, walks, need;
  logic [1:0] step_q, bad;
  logic [4:0] op;
  logic [S-1:0] sid;
  logic [TAG_W:0] tid, rtid;
  logic [63:0] ar, aw;  // the cache's memory addresses have CONF_HPDCACHE_MEM_ADDR_WIDTH bits

  assign valid = flush_i ? !asked_q : req_valid_i;
  assign op = flush_i ? (step_q == 1 ? 5'h17 : 5'h10) : {4'd0, req_write_i};
  assign need = flush_i || !req_write_i || ACKS;
  assign tid = {flush_i, req_tag_i};
  assign req_ready_o = ready && !flush_i;
  assign rsp_valid_o = walks && !rtid[TAG_W];
  assign rsp_tag_o = rtid[TAG_W-1:0];
  assign flush_done_o = flush_i && walks && rtid[TAG_W] && step_q == 2;
  assign ar_addr_o = ar[ADDR_W-1:0];
  assign aw_addr_o = aw[ADDR_W-1:0];
  always_ff @(posedge clk_i) begin
    late_q <= req_addr_i[ADDR_W-1:OFF];
    asked_q <= srst_ni && flush_i && (walks && rtid[TAG_W] ? 1'b0 : asked_q || ready);
    step_q <= !srst_ni || !flush_i ? 2'd0 : step_q + 2'(walks && rtid[TAG_W]);
  end

  hpdcache_wrapper i_cache (
      .clk_i, .rst_ni(srst_ni), .wbuf_flush_i(1'b0),
      .core_req_valid_i(valid), .core_req_ready_o(ready),
      .core_req_i({req_addr_i[OFF-1:0], req_data_i, op, flush_i ? 4'hf : req_mask_i, 3'd2, S'(0), tid, need,
                   1'b0, HI'(0), PMA}),
      .core_req_abort_i(1'b0), .core_req_tag_i(late_q), .core_req_pma_i(PMA),
      .core_rsp_valid_o(walks), .core_rsp_o({rsp_data_o, sid, rtid, bad}),
      .mem_req_read_ready_i(ar_ready_i), .mem_req_read_valid_o(ar_valid_o), .mem_req_read_addr_o(ar),
      .mem_req_read_len_o(ar_len_o), .mem_req_read_size_o(ar_size_o), .mem_req_read_id_o(ar_id_o),
      .mem_resp_read_ready_o(r_ready_o), .mem_resp_read_valid_i(r_valid_i), .mem_resp_read_error_i(HPDCACHE_MEM_RESP_OK),
      .mem_resp_read_id_i(r_id_i), .mem_resp_read_data_i(r_data_i), .mem_resp_read_last_i(r_last_i),
      .mem_req_write_ready_i(aw_ready_i), .mem_req_write_valid_o(aw_valid_o), .mem_req_write_addr_o(aw),
      .mem_req_write_len_o(aw_len_o), .mem_req_write_size_o(aw_size_o), .mem_req_write_id_o(aw_id_o),
      .mem_req_write_data_ready_i(w_ready_i), .mem_req_write_data_valid_o(w_valid_o),
      .mem_req_write_data_o(w_data_o), .mem_req_write_be_o(w_strb_o), .mem_req_write_last_o(w_last_o),
      .mem_resp_write_ready_o(b_ready_o), .mem_resp_write_valid_i(b_valid_i), .mem_resp_write_is_atomic_i(1'b0),
      .mem_resp_write_error_i(HPDCACHE_MEM_RESP_OK), .mem_resp_write_id_i(b_id_i),
      .cfg_enable_i(1'b1), .cfg_wbuf_threshold_i(3'd1), .cfg_wbuf_reset_timecnt_on_write_i(1'b1),
      .cfg_wbuf_sequential_waw_i(1'(WAW)), .cfg_wbuf_inhibit_write_coalescing_i(1'b0), .cfg_prefetch_updt_plru_i(1'b0),
      .cfg_error_on_cacheable_amo_i(1'b0), .cfg_rtab_single_entry_i(1'b0), .cfg_default_wb_i(1'b0),
      .cfg_scrub_enable_i(1'b0), .cfg_scrub_period_i(6'd0), .cfg_scrub_restart_i(1'b0));
endmodule
