// SPDX-License-Identifier: Apache-2.0
// CVA6's std_nbdcache. Loads go to port 1, their tags one cycle after the grant; stores to port 3, accepted
// when granted. As the load and the store unit do, a store waits while a load of its word is unanswered.
`include "axi/typedef.svh"
module cva6_path #(
    parameter ADDR_W = 11, TAG_W = 4, ID_W = 4, BYTES = 512, WAYS = 2
) (
    input  logic              clk_i, srst_ni,
    input  logic              req_valid_i, req_write_i, flush_i,
    input  logic [ADDR_W-1:0] req_addr_i,
    input  logic [7:0]        req_mask_i,
    input  logic [TAG_W-1:0]  req_tag_i,
    input  logic [63:0]       req_data_i, r_data_i,
    output logic              req_ready_o, rsp_valid_o, flush_done_o,
    output logic [TAG_W-1:0]  rsp_tag_o,  // of the one load that is unanswered
    output logic [63:0]       rsp_data_o,
    output logic              ar_valid_o, r_ready_o, aw_valid_o, w_valid_o, w_last_o, b_ready_o,
    output logic [ADDR_W-1:0] ar_addr_o, aw_addr_o,
    output logic [ID_W-1:0]   ar_id_o, aw_id_o,
    output logic [7:0]        ar_len_o, aw_len_o, w_strb_o,
    output logic [2:0]        ar_size_o, aw_size_o,
    output logic [1:0]        ar_burst_o, aw_burst_o,
    output logic [63:0]       w_data_o,
    input  logic              ar_ready_i, r_valid_i, r_last_i, aw_ready_i, w_ready_i, b_valid_i,
    input  logic [ID_W-1:0]   r_id_i, b_id_i
);
  function automatic config_pkg::cva6_user_cfg_t sized();
    sized = cva6_config_pkg::cva6_cfg;
    sized.DcacheByteSize = BYTES; sized.DcacheSetAssoc = WAYS;
    sized.DcacheInvalidateOnFlush = 1'b1;
  endfunction
  localparam config_pkg::cva6_cfg_t C = build_config_pkg::build_config(sized());
  `AXI_TYPEDEF_ALL(noc, logic [63:0], logic [3:0], logic [63:0], logic [7:0], logic [C.AxiUserWidth-1:0])
  typedef struct packed {  // as in core/cva6.sv
    logic [C.DCACHE_INDEX_WIDTH-1:0] address_index; logic [C.DCACHE_TAG_WIDTH-1:0] address_tag;
    logic [63:0] data_wdata; logic [C.DCACHE_USER_WIDTH-1:0] data_wuser; logic data_req, data_we;
    logic [7:0] data_be; logic [1:0] data_size; logic [C.DcacheIdWidth-1:0] data_id;
    logic kill_req, tag_valid; logic [7:0] cbo_op;
  } dcache_req_i_t;
  typedef struct packed {
    logic data_gnt, data_rvalid; logic [C.DcacheIdWidth-1:0] data_rid;
    logic [63:0] data_rdata; logic [C.DCACHE_USER_WIDTH-1:0] data_ruser;
  } dcache_req_o_t;
  dcache_req_i_t [3:0] req; dcache_req_o_t [3:0] rsp;
  noc_req_t axi, bypass; noc_resp_t back;
  logic [55:0] addr, late_q;
  logic tag_q, load_q, same;

  assign addr = 56'h8000_0000 | 56'(req_addr_i);  // a cached region
  assign same = load_q && !rsp_valid_o && late_q == addr;
  assign req_ready_o = req_write_i ? rsp[3].data_gnt : rsp[1].data_gnt;
  assign {rsp_valid_o, rsp_data_o} = {rsp[1].data_rvalid, rsp[1].data_rdata};
  always_comb begin
    req = '0;
    {req[1].address_tag, req[1].address_index} = {late_q[55:C.DCACHE_INDEX_WIDTH], addr[C.DCACHE_INDEX_WIDTH-1:0]};
    {req[3].address_tag, req[3].address_index} = addr;
    {req[1].data_req, req[1].tag_valid, req[1].data_be, req[1].data_size} = {req_valid_i && !req_write_i, tag_q, 8'hff, 2'd3};
    {req[3].data_req, req[3].data_we, req[3].data_be, req[3].data_size} = {req_valid_i && req_write_i && !same, 1'b1, req_mask_i, 2'd3};
    {req[3].tag_valid, req[3].data_wdata} = {req[3].data_req, req_data_i};
  end
  always_ff @(posedge clk_i) begin
    tag_q <= srst_ni && rsp[1].data_gnt;
    load_q <= srst_ni && (rsp[1].data_gnt || load_q && !rsp_valid_o);
    if (rsp[1].data_gnt) {late_q, rsp_tag_o} <= {addr, req_tag_i};
  end
  std_nbdcache #(.CVA6Cfg(C), .dcache_req_i_t(dcache_req_i_t), .dcache_req_o_t(dcache_req_o_t), .NumPorts(4),
      .axi_req_t(noc_req_t), .axi_rsp_t(noc_resp_t)) i_cache (.clk_i, .rst_ni(srst_ni), .enable_i(1'b1),
      .flush_i, .flush_ack_o(flush_done_o), .amo_req_i('0), .req_ports_i(req), .req_ports_o(rsp),
      .axi_data_o(axi), .axi_data_i(back), .axi_bypass_o(bypass), .axi_bypass_i('0));
  assign {ar_valid_o, ar_id_o, ar_addr_o, ar_len_o, ar_size_o, ar_burst_o, r_ready_o} =
      {axi.ar_valid, axi.ar.id, axi.ar.addr[ADDR_W-1:0], axi.ar.len, axi.ar.size, axi.ar.burst, axi.r_ready};
  assign {aw_valid_o, aw_id_o, aw_addr_o, aw_len_o, aw_size_o, aw_burst_o, b_ready_o} =
      {axi.aw_valid, axi.aw.id, axi.aw.addr[ADDR_W-1:0], axi.aw.len, axi.aw.size, axi.aw.burst, axi.b_ready};
  assign {w_valid_o, w_data_o, w_strb_o, w_last_o} = {axi.w_valid, axi.w.data, axi.w.strb, axi.w.last};
  always_comb begin
    back = '0;
    {back.ar_ready, back.aw_ready, back.w_ready, back.b_valid, back.r_valid} = {ar_ready_i, aw_ready_i, w_ready_i, b_valid_i, r_valid_i};
    {back.r.id, back.r.data, back.r.last, back.b.id} = {r_id_i, r_data_i, r_last_i, b_id_i};
  end
endmodule
