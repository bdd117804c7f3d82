// SPDX-License-Identifier: Apache-2.0
// The C model of the MSHR table as a Verilog module, through VPI: the parameters and ports of rtl/mshr.v.
`default_nettype none
module mshr_model #(
  parameter ENTRIES = 32,
  parameter MERGES = 8,
  parameter ADDR_W = 25,
  parameter DATA_W = 16,
  parameter STORES = 0,
  parameter READ_REG = 0,
  parameter PARITY = 0,
  parameter ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1,
  parameter COUNT_W = $clog2(ENTRIES + 1)
) (
  input  wire               clk_i,
  input  wire               srst_ni,
  input  wire               req_valid_i,
  input  wire [ADDR_W-1:0]  req_addr_i,
  input  wire [DATA_W-1:0]  req_data_i,
  input  wire               fill_valid_i,
  input  wire [ENTRY_W-1:0] fill_entry_i,
  input  wire               out_ready_i,
  input  wire               store_valid_i,
  input  wire [ADDR_W-1:0]  store_addr_i,
  output reg                req_ready_o,
  output reg                req_merge_o,
  output reg  [1:0]         req_refuse_o,
  output reg  [ENTRY_W-1:0] req_entry_o,
  output reg                fill_err_o,
  output reg                out_valid_o,
  output reg  [DATA_W-1:0]  out_data_o,
  output reg  [ENTRY_W-1:0] out_entry_o,
  output reg                out_last_o,
  output reg  [COUNT_W-1:0] count_o,
  output reg                fill_written_o,
  output reg                store_hit_o,
  output reg  [ENTRY_W-1:0] store_entry_o,
  output reg                error_o
);
  initial $mrpb_model("mshr");
endmodule
`default_nettype wire
