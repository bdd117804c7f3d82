// SPDX-License-Identifier: Apache-2.0
// Ventus' l1_dcache behind the ports of the contract. A request of it is of one line: of an
// instruction's lanes those of the first one's line are accepted. Stores are answered. A flush is its
// request to invalidate; the message to the L2 that it sends then is acknowledged here, after the writes
// before it have been taken. IDLE: a flush waits until all requests are answered. NUM_THREAD is LANES, NUM_WARP 2^TAG_W, DCACHE_BLOCKWORDS LINE / 4.
`include "define.v"
module ventus_path #(
    parameter LANES = 4, LINE = 16, ADDR_W = 10, TAG_W = 3, ID_W = 7, IDLE = 0,
    localparam OFF = $clog2(LINE), SETS = `DCACHE_SETIDXBITS
) (
    input  logic                    clk_i, srst_ni,
    input  logic [LANES-1:0]        req_valid_i, req_write_i,
    input  logic [LANES*ADDR_W-1:0] req_addr_i,
    input  logic [LANES*32-1:0]     req_data_i,
    input  logic [LANES*TAG_W-1:0]  req_tag_i,
    output logic [LANES-1:0]        req_ready_o, rsp_valid_o,
    output logic [LANES*TAG_W-1:0]  rsp_tag_o,
    output logic [LANES*32-1:0]     rsp_data_o,
    input  logic [LANES-1:0]        rsp_ready_i,
    input  logic                    flush_i,
    output logic                    flush_done_o,
    output logic                    mem_valid_o, mem_write_o, mem_rsp_ready_o,
    output logic [ADDR_W-1:0]       mem_addr_o,
    output logic [ID_W-1:0]         mem_id_o,
    output logic [LINE-1:0]         mem_mask_o,
    output logic [LINE*8-1:0]       mem_data_o,
    input  logic                    mem_ready_i, mem_rsp_valid_i, mem_rsp_write_i,
    input  logic [ID_W-1:0]         mem_rsp_id_i,
    input  logic [LINE*8-1:0]       mem_rsp_data_i
);
  logic [ADDR_W-1:0] first;
  logic [LANES-1:0] mask, rmask;
  logic [TAG_W-1:0] tag, rtag;
  logic [LANES*(OFF-2)-1:0] word;
  logic write, ready, go, asked_q, hint_q, hint, mvalid, mready, rvalid, rtake, rwrite;
  logic [2:0] op, param;
  logic [31:0] maddr;
  logic [7:0] open_q;  // unanswered requests of the cache

  always_comb begin
    {first, tag, write, mask, word} = '0;
    for (int l = LANES - 1; l >= 0; l--)
      if (req_valid_i[l]) {first, tag, write} = {req_addr_i[l*ADDR_W+:ADDR_W], req_tag_i[l*TAG_W+:TAG_W], req_write_i[l]};
    for (int l = 0; l < LANES; l++) begin
      mask[l] = req_valid_i[l] && !flush_i && first[ADDR_W-1:OFF] == req_addr_i[l*ADDR_W+OFF+:ADDR_W-OFF];
      word[l*(OFF-2)+:OFF-2] = req_addr_i[l*ADDR_W+2+:OFF-2];
    end
  end
  assign go = flush_i && !asked_q && (IDLE == 0 || open_q == 0);
  assign req_ready_o = {LANES{ready}} & mask;
  assign rsp_valid_o = {LANES{rvalid}} & rmask;
  assign rsp_tag_o = {LANES{rtag}};
  assign rtake = &(rsp_ready_i | ~rmask);
  assign flush_done_o = flush_i && rvalid && rmask == '0;
  assign hint = op == `TLAOP_FLUSH;
  assign mem_valid_o = mvalid && !hint;
  assign mem_write_o = op != `TLAOP_GET;
  assign mready = hint ? !hint_q : mem_ready_i;
  assign mem_addr_o = maddr[ADDR_W-1:0];
  always_ff @(posedge clk_i) begin
    asked_q <= srst_ni && flush_i && !flush_done_o && (asked_q || go && ready);
    open_q <= srst_ni ? open_q + 8'(|mask && ready) - 8'(rvalid && rtake && |rmask) : 8'd0;
    hint_q <= srst_ni && (mvalid && hint && mready || hint_q && (mem_rsp_valid_i || !mem_rsp_ready_o));
  end
  l1_dcache i_cache (
      .clk(clk_i), .rst_n(srst_ni), .core_req_valid_i(flush_i ? go : |mask), .core_req_ready_o(ready),
      .core_req_instrid_i(tag), .core_req_setidx_i(first[OFF+:SETS]),
      .core_req_tag_i(`DCACHE_TAGBITS'(first[ADDR_W-1:OFF+SETS])), .core_req_activemask_i(mask),
      .core_req_blockoffset_i(word), .core_req_wordoffset1h_i({LANES{4'hf}}),
      .core_req_data_i(req_data_i), .core_req_opcode_i(flush_i ? 3'd3 : {2'd0, write}), .core_req_param_i(4'd0),
      .core_rsp_valid_o(rvalid), .core_rsp_ready_i(rtake), .core_rsp_is_write_o(rwrite), .core_rsp_instrid_o(rtag),
      .core_rsp_data_o(rsp_data_o), .core_rsp_activemask_o(rmask),
      .mem_rsp_valid_i(mem_rsp_valid_i || hint_q), .mem_rsp_ready_o(mem_rsp_ready_o),
      .mem_rsp_d_opcode_i(mem_rsp_valid_i ? {2'd0, !mem_rsp_write_i} : 3'd2), .mem_rsp_d_source_i(mem_rsp_id_i),
      .mem_rsp_d_addr_i(32'd0), .mem_rsp_d_data_i(mem_rsp_data_i),
      .mem_req_valid_o(mvalid), .mem_req_ready_i(mready), .mem_req_a_opcode_o(op), .mem_req_a_param_o(param),
      .mem_req_a_source_o(mem_id_o), .mem_req_a_addr_o(maddr), .mem_req_a_data_o(mem_data_o), .mem_req_a_mask_o(mem_mask_o));
endmodule
