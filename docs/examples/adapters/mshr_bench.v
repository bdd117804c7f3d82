// SPDX-License-Identifier: Apache-2.0
// A test bench with the Verilog MSHR table (rtl/mshr.v) and the C model of it (mshr_model: mshr_vpi.v or mshr_dpi.sv) side
// by side: random inputs, every output compared in every cycle. Inputs change at the falling edge.
`default_nettype none
module mshr_bench;
  parameter ENTRIES = 5;
  parameter MERGES = 3;
  parameter ADDR_W = 6;
  parameter DATA_W = 16;
  parameter STORES = 1;
  parameter CYCLES = 20000;
  localparam ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam COUNT_W = $clog2(ENTRIES + 1);
  localparam OUT_W = 10 + 3 * ENTRY_W + DATA_W + COUNT_W;

  reg clk_i = 1'b0, srst_ni = 1'b0, req_valid_i = 1'b0, fill_valid_i = 1'b0, out_ready_i = 1'b0, store_valid_i = 1'b0;
  reg [ADDR_W-1:0] req_addr_i = 0, store_addr_i = 0;
  reg [DATA_W-1:0] req_data_i = 0;
  reg [ENTRY_W-1:0] fill_entry_i = 0;
  wire [OUT_W-1:0] verilog, model;
  wire accepted = verilog[OUT_W-1] & req_valid_i;
  integer cycle = 0, reads = 0, random;

  mshr #(.ENTRIES(ENTRIES), .MERGES(MERGES), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .STORES(STORES)) u_verilog (
    .clk_i(clk_i), .srst_ni(srst_ni), .req_valid_i(req_valid_i), .req_addr_i(req_addr_i), .req_data_i(req_data_i),
    .fill_valid_i(fill_valid_i), .fill_entry_i(fill_entry_i), .out_ready_i(out_ready_i),
    .store_valid_i(store_valid_i), .store_addr_i(store_addr_i),
    .req_ready_o(verilog[OUT_W-1]), .req_merge_o(verilog[OUT_W-2]), .req_refuse_o(verilog[OUT_W-3 -: 2]),
    .fill_err_o(verilog[OUT_W-5]), .out_valid_o(verilog[OUT_W-6]), .out_last_o(verilog[OUT_W-7]),
    .fill_written_o(verilog[OUT_W-8]), .store_hit_o(verilog[OUT_W-9]), .error_o(verilog[OUT_W-10]),
    .store_entry_o(verilog[COUNT_W+DATA_W+2*ENTRY_W +: ENTRY_W]),
    .req_entry_o(verilog[COUNT_W+DATA_W+ENTRY_W +: ENTRY_W]), .out_entry_o(verilog[COUNT_W+DATA_W +: ENTRY_W]),
    .out_data_o(verilog[COUNT_W +: DATA_W]), .count_o(verilog[COUNT_W-1:0]));
  mshr_model #(.ENTRIES(ENTRIES), .MERGES(MERGES), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .STORES(STORES)) u_model (
    .clk_i(clk_i), .srst_ni(srst_ni), .req_valid_i(req_valid_i), .req_addr_i(req_addr_i), .req_data_i(req_data_i),
    .fill_valid_i(fill_valid_i), .fill_entry_i(fill_entry_i), .out_ready_i(out_ready_i),
    .store_valid_i(store_valid_i), .store_addr_i(store_addr_i),
    .req_ready_o(model[OUT_W-1]), .req_merge_o(model[OUT_W-2]), .req_refuse_o(model[OUT_W-3 -: 2]),
    .fill_err_o(model[OUT_W-5]), .out_valid_o(model[OUT_W-6]), .out_last_o(model[OUT_W-7]),
    .fill_written_o(model[OUT_W-8]), .store_hit_o(model[OUT_W-9]), .error_o(model[OUT_W-10]),
    .store_entry_o(model[COUNT_W+DATA_W+2*ENTRY_W +: ENTRY_W]),
    .req_entry_o(model[COUNT_W+DATA_W+ENTRY_W +: ENTRY_W]), .out_entry_o(model[COUNT_W+DATA_W +: ENTRY_W]),
    .out_data_o(model[COUNT_W +: DATA_W]), .count_o(model[COUNT_W-1:0]));

  always #5 clk_i = ~clk_i;
  always @(negedge clk_i) begin
    srst_ni <= cycle > 1;
    random = $random;
    req_valid_i <= random[0];
    fill_valid_i <= random[1] & random[2];
    out_ready_i <= random[3];
    req_data_i <= random[31 -: DATA_W];
    random = $random;
    req_addr_i <= {{(ADDR_W-3){1'b0}}, random[2:0]};
    fill_entry_i <= random[16 +: ENTRY_W];
    store_valid_i <= &random[10:8];
    store_addr_i <= {{(ADDR_W-3){1'b0}}, random[6:4]};
  end
  // Just before the rising edge, when all has settled.
  always @(negedge clk_i) begin
    #4;
    if (cycle > 2 && verilog !== model) begin
      $display("cycle %0d: Verilog %h, C model %h", cycle, verilog, model);
      $finish;
    end
    if (accepted) reads = reads + 1;
    cycle = cycle + 1;
    if (cycle == CYCLES) begin
      $display("%0d cycles, %0d reads, no difference", cycle, reads);
      $finish;
    end
  end
endmodule
`default_nettype wire
