// SPDX-License-Identifier: Apache-2.0
// MRPB, MSHR table, PRT and a memory: composition.c in Verilog-2005, signal for signal.
//
//   generator -> PRT (allocate, issue)
//       |         ^ reply
//       v         |
//      MRPB ---> MSHR ---> memory of LATENCY cycles
//                 ^------------'
module composition #(
  parameter integer LATENCY = 20
) (
  input  wire        clk_i,
  input  wire        srst_ni,
  output wire [15:0] done_o
);
  localparam integer LANES = 16;

  // ---- registers: the generator's, the memory's, results ----
  reg [31:0]          lfsr_q;
  reg                 busy_q;   // an instruction sends its requests
  reg                 half_q;   // the second one: the upper lanes
  reg [2:0]           warp_q;
  reg [6:0]           line_q;
  reg [3:0]           entry_q;  // of the PRT
  reg [LATENCY-1:0]   mem_valid_q;
  reg [3*LATENCY-1:0] mem_entry_q;
  reg [15:0]          done_q;
  reg [15:0]          sum_q;    // of the tags of what is done

  // ---- wires ----
  wire         in_ready, out_valid, req_ready, req_merge, drained, alloc_ready, last;
  wire [24:0]  out_data;
  wire [2:0]   req_entry;
  wire [4:0]   drained_data;
  wire [3:0]   alloc_entry;
  wire [5:0]   reply_tag;
  wire [LANES-1:0] reply_mask = drained_data[0] ? 16'hff00 : 16'h00ff;
  wire [6:0]   line = line_q + {6'b0, half_q};
  wire         fetch = out_valid & req_ready & ~req_merge;
  wire [31:0]  lfsr_next = {1'b0, lfsr_q[31:1]} ^ (lfsr_q[0] ? 32'ha3000000 : 32'h0);

  assign done_o = done_q;

  // The L1's answer: taken if the MSHR table takes it, else it is to come again.
  mrpb #(.QUEUES(8), .DEPTH(4), .DATA_W(25), .BLOCKS(4), .POLICY(3), .BYPASS(0)) u_mrpb (
    .clk_i(clk_i), .srst_ni(srst_ni),
    .in_valid_i(busy_q), .in_kind_i(2'd0), .in_warp_i({3'd0, warp_q}),
    .in_block_i({4'd0, warp_q[2:1]}), .in_block_warp_i({5'd0, warp_q[0]}),
    .in_data_i({13'd0, entry_q, half_q, line}),
    .l1_answer_i(!out_valid ? 2'd3 : req_ready ? 2'd0 : 2'd2), .byp_ready_i(1'b0),
    .in_ready_o(in_ready), .out_valid_o(out_valid), .out_write_o(), .out_warp_o(), .out_block_o(),
    .out_data_o(out_data), .byp_valid_o(), .flush_full_o(), .flush_write_o(), .held_o(), .order_err_o());

  mshr #(.ENTRIES(8), .MERGES(4), .ADDR_W(7), .DATA_W(5)) u_mshr (
    .clk_i(clk_i), .srst_ni(srst_ni),
    .req_valid_i(out_valid), .req_addr_i(out_data[6:0]), .req_data_i({out_data[11:8], out_data[7]}),
    .fill_valid_i(mem_valid_q[0]), .fill_entry_i(mem_entry_q[2:0]), .out_ready_i(1'b1),
    .store_valid_i(1'b0), .store_addr_i(7'd0),
    .req_ready_o(req_ready), .req_merge_o(req_merge), .req_refuse_o(), .req_entry_o(req_entry),
    .fill_err_o(), .out_valid_o(drained), .out_data_o(drained_data), .out_entry_o(), .out_last_o(),
    .count_o(), .fill_written_o(), .store_hit_o(), .store_entry_o(), .error_o());

  prt #(.ENTRIES(16), .LANES(LANES), .OFFSET_W(7), .TAG_W(6)) u_prt (
    .clk_i(clk_i), .srst_ni(srst_ni),
    .alloc_valid_i(~busy_q), .alloc_tag_i({3'd0, lfsr_q[2:0]}), .alloc_mask_i({LANES{1'b1}}),
    .alloc_offset_i({LANES{lfsr_q[17:11]}}),
    .issue_valid_i(busy_q & in_ready), .issue_entry_i(entry_q),
    .issue_mask_i(half_q ? 16'hff00 : 16'h00ff),
    .reply_valid_i(drained), .reply_entry_i(drained_data[4:1]), .reply_mask_i(reply_mask),
    .alloc_ready_o(alloc_ready), .alloc_entry_o(alloc_entry), .issue_ok_o(), .reply_ok_o(),
    .reply_tag_o(reply_tag), .reply_offset_o(), .last_o(last), .release_o(), .count_o(), .error_o());

  always @(posedge clk_i) begin
    if (!srst_ni) begin
      lfsr_q      <= 32'h2545f491;
      busy_q      <= 1'b0;
      half_q      <= 1'b0;
      warp_q      <= 3'd0;
      line_q      <= 7'd0;
      entry_q     <= 4'd0;
      mem_valid_q <= {LATENCY{1'b0}};
      mem_entry_q <= {3*LATENCY{1'b0}};
      done_q      <= 16'd0;
      sum_q       <= 16'd0;
    end else begin
      lfsr_q <= lfsr_next;
      if (!busy_q && alloc_ready) begin
        busy_q  <= 1'b1;
        half_q  <= 1'b0;
        warp_q  <= lfsr_q[2:0];
        line_q  <= lfsr_q[9:3];
        entry_q <= alloc_entry;
      end else if (busy_q && in_ready) begin
        busy_q <= ~half_q;
        half_q <= 1'b1;
      end
      mem_valid_q <= {fetch, mem_valid_q[LATENCY-1:1]};
      mem_entry_q <= {fetch ? req_entry : 3'd0, mem_entry_q[3*LATENCY-1:3]};
      if (last) begin
        done_q <= done_q + 16'd1;
        sum_q  <= sum_q + {10'd0, reply_tag};
      end
    end
  end
endmodule
