// SPDX-License-Identifier: Apache-2.0
// What the two caches of this folder do with lanes: they join the requests of a cycle that go to
// one line, and take the lanes' words from a line.
`default_nettype none
// The lowest lane that has a request leads; all lanes of its kind and its line go with it.
module lane_join #(
  parameter integer WORD   = 4,
  parameter integer LANES  = 1,
  parameter integer LINE   = 16,
  parameter integer ADDR_W = 10
) (
  input  wire [LANES-1:0]                req_valid_i,
  input  wire [LANES-1:0]                req_write_i,
  input  wire [LANES-1:0]                req_bypass_i,
  input  wire [LANES*ADDR_W-1:0]         req_addr_i,
  input  wire [LANES*WORD-1:0]           req_mask_i,
  input  wire [LANES*WORD*8-1:0]         req_data_i,
  // there is a request; what it is
  output reg                             valid_o,
  output reg                             write_o,
  output reg                             bypass_o,
  output reg  [ADDR_W-$clog2(LINE)-1:0]  line_o,
  // the lanes that go together; the place of each lane's word in the line
  output reg  [LANES-1:0]                lanes_o,
  output reg  [LANES*$clog2(LINE)-1:0]   offs_o,
  // the bytes of the line that they store
  output reg  [LINE-1:0]                 mask_o,
  output reg  [8*LINE-1:0]               data_o
);
  localparam OFF_W = $clog2(LINE);

  reg [OFF_W-1:0] off;
  integer l, b;

  always @* begin
    valid_o  = |req_valid_i;
    write_o  = 1'b0;
    bypass_o = 1'b0;
    line_o   = {(ADDR_W-OFF_W){1'b0}};
    for (l = LANES - 1; l >= 0; l = l - 1)
      if (req_valid_i[l]) begin
        write_o  = req_write_i[l];
        bypass_o = req_bypass_i[l];
        line_o   = req_addr_i[l*ADDR_W+OFF_W +: ADDR_W-OFF_W];
      end
    mask_o = {LINE{1'b0}};
    data_o = {8*LINE{1'b0}};
    off    = {OFF_W{1'b0}};
    for (l = 0; l < LANES; l = l + 1) begin
      off = req_addr_i[l*ADDR_W +: OFF_W];
      offs_o[l*OFF_W +: OFF_W] = off;
      lanes_o[l] = req_valid_i[l] && req_write_i[l] == write_o && req_bypass_i[l] == bypass_o
        && req_addr_i[l*ADDR_W+OFF_W +: ADDR_W-OFF_W] == line_o;
      for (b = 0; b < WORD; b = b + 1)
        if (lanes_o[l] && write_o && req_mask_i[l*WORD+b]) begin
          mask_o[off+b] = 1'b1;
          data_o[8*(off+b) +: 8] = req_data_i[8*(l*WORD+b) +: 8];
        end
    end
  end
endmodule

// Each lane's word of a line.
module lane_words #(
  parameter integer WORD  = 4,
  parameter integer LANES = 1,
  parameter integer LINE  = 16
) (
  input  wire [8*LINE-1:0]             line_i,
  input  wire [LANES*$clog2(LINE)-1:0] offs_i,
  output reg  [LANES*WORD*8-1:0]       words_o
);
  localparam OFF_W = $clog2(LINE);

  reg [OFF_W-1:0] off;
  integer l;

  always @* begin
    off = {OFF_W{1'b0}};
    for (l = 0; l < LANES; l = l + 1) begin
      off = offs_i[l*OFF_W +: OFF_W];
      words_o[l*WORD*8 +: WORD*8] = line_i[8*off +: 8*WORD];
    end
  end
endmodule
`default_nettype wire
