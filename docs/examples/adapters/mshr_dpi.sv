// SPDX-License-Identifier: Apache-2.0
// The C model of the MSHR table as a Verilog module, through DPI-C: the parameters and ports of rtl/mshr.v.
// With Verilator: docs/adapters.md has the command. -fno-const-bit-op-tree: 5.006 computes wrong values without it.
module mshr_model #(
  parameter int ENTRIES = 32,
  parameter int MERGES = 8,
  parameter int ADDR_W = 25,
  parameter int DATA_W = 16,
  parameter int STORES = 0,
  parameter int READ_REG = 0,
  parameter int PARITY = 0
) (
  input  logic                         clk_i,
  input  logic                         srst_ni,
  input  logic                         req_valid_i,
  input  logic [ADDR_W-1:0]            req_addr_i,
  input  logic [DATA_W-1:0]            req_data_i,
  input  logic                         fill_valid_i,
  input  logic [(ENTRIES > 1 ? $clog2(ENTRIES) : 1)-1:0] fill_entry_i,
  input  logic                         out_ready_i,
  input  logic                         store_valid_i,
  input  logic [ADDR_W-1:0]            store_addr_i,
  output logic                         req_ready_o,
  output logic                         req_merge_o,
  output logic [1:0]                   req_refuse_o,
  output logic [(ENTRIES > 1 ? $clog2(ENTRIES) : 1)-1:0] req_entry_o,
  output logic                         fill_err_o,
  output logic                         out_valid_o,
  output logic [DATA_W-1:0]            out_data_o,
  output logic [(ENTRIES > 1 ? $clog2(ENTRIES) : 1)-1:0] out_entry_o,
  output logic                         out_last_o,
  output logic [$clog2(ENTRIES+1)-1:0] count_o,
  output logic                         fill_written_o,
  output logic                         store_hit_o,
  output logic [(ENTRIES > 1 ? $clog2(ENTRIES) : 1)-1:0] store_entry_o,
  output logic                         error_o
);
  // Inputs and outputs are words in the order of the ports (mshr_in_t and mshr_out_t of libmrpb.h).
  import "DPI-C" function chandle mshr_dpi_create(input int entries, input int merges, input int addr_w, input int data_w,
                                                 input int stores, input int read_reg, input int parity);
  import "DPI-C" function void mshr_dpi_comb(input chandle model, input longint unsigned in[9], output longint unsigned out[14]);
  import "DPI-C" function void mshr_dpi_edge(input chandle model, input longint unsigned in[9]);

  chandle model;
  longint unsigned in[9], out[14];
  logic turn = 1'b0; // changes with the registers, which are in C

  initial model = mshr_dpi_create(ENTRIES, MERGES, ADDR_W, DATA_W, STORES, READ_REG, PARITY);
  always_comb begin
    in[0] = 64'(srst_ni);
    in[1] = 64'(req_valid_i);
    in[2] = 64'(req_addr_i);
    in[3] = 64'(req_data_i);
    in[4] = 64'(fill_valid_i);
    in[5] = 64'(fill_entry_i);
    in[6] = 64'(out_ready_i);
    in[7] = 64'(store_valid_i);
    in[8] = 64'(store_addr_i);
  end
  always @(posedge clk_i) begin
    mshr_dpi_edge(model, in);
    turn <= ~turn;
  end
  always @(turn, in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8]) mshr_dpi_comb(model, in, out);
  assign req_ready_o = out[0][0];
  assign req_merge_o = out[1][0];
  assign req_refuse_o = out[2][1:0];
  assign req_entry_o = out[3][$bits(req_entry_o)-1:0];
  assign fill_err_o = out[4][0];
  assign out_valid_o = out[5][0];
  assign out_data_o = out[6][DATA_W-1:0];
  assign out_entry_o = out[7][$bits(out_entry_o)-1:0];
  assign out_last_o = out[8][0];
  assign count_o = out[9][$bits(count_o)-1:0];
  assign fill_written_o = out[10][0];
  assign store_hit_o = out[11][0];
  assign store_entry_o = out[12][$bits(store_entry_o)-1:0];
  assign error_o = out[13][0];
endmodule
