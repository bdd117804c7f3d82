// SPDX-License-Identifier: Apache-2.0
// write_buffer: a write-back buffer of ENTRIES lines that leave in order. Page: write_buffer.md. C twin: write_buffer.c.
`default_nettype none
module write_buffer #(
  parameter integer ENTRIES = 4,  // lines
  parameter integer ADDR_W  = 6,  // bits of a line's address
  parameter integer BYTES   = 4   // bytes of a line
) (
  input  wire               clk_i,
  input  wire               srst_ni,
  input  wire               wr_valid_i,
  input  wire [ADDR_W-1:0]  wr_addr_i,
  input  wire [BYTES-1:0]   wr_mask_i,
  input  wire [8*BYTES-1:0] wr_data_i,
  input  wire               out_ready_i,
  input  wire [ADDR_W-1:0]  rd_addr_i,
  output wire               wr_ready_o,
  output wire               wr_merge_o,
  output wire               out_valid_o,
  output wire [ADDR_W-1:0]  out_addr_o,
  output wire [BYTES-1:0]   out_mask_o,
  output wire [8*BYTES-1:0] out_data_o,
  output wire [BYTES-1:0]   rd_mask_o,
  output wire [8*BYTES-1:0] rd_data_o
);
  localparam PTR_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam integer     LAST     = ENTRIES - 1;
  localparam [PTR_W-1:0] PTR_LAST = LAST[PTR_W-1:0];
  localparam [PTR_W-1:0] PTR_ONE  = 1;

  generate
    if (ENTRIES < 1 || ENTRIES > 16) begin : gen_bad_entries
      ERROR_write_buffer_ENTRIES_must_be_1_to_16 u_error ();
    end
    if (ADDR_W < 1 || ADDR_W > 48) begin : gen_bad_addr_w
      ERROR_write_buffer_ADDR_W_must_be_1_to_48 u_error ();
    end
    if (BYTES < 1 || BYTES > 8) begin : gen_bad_bytes
      ERROR_write_buffer_BYTES_must_be_1_to_8 u_error ();
    end
  endgenerate

  reg [PTR_W-1:0]   head_q;
  reg [PTR_W-1:0]   tail_q;
  reg [ENTRIES-1:0] valid_q;
  reg [ADDR_W-1:0]  addr_q [0:ENTRIES-1];
  reg [BYTES-1:0]   mask_q [0:ENTRIES-1];
  reg [8*BYTES-1:0] data_q [0:ENTRIES-1];

  // Each place compares both addresses; which of them is the oldest, or the next free one, is a bit of its own.
  wire [ENTRIES-1:0] at_head;
  wire [ENTRIES-1:0] at_tail;
  wire [ENTRIES-1:0] wr_same;
  wire [ENTRIES-1:0] rd_same;
  genvar g, b;
  generate
    for (g = 0; g < ENTRIES; g = g + 1) begin : gen_place
      localparam integer PLACE = g;
      assign at_head[g] = (head_q == PLACE[PTR_W-1:0]);
      assign at_tail[g] = (tail_q == PLACE[PTR_W-1:0]);
      assign wr_same[g] = valid_q[g] && (addr_q[g] == wr_addr_i);
      assign rd_same[g] = valid_q[g] && (addr_q[g] == rd_addr_i);
    end
  endgenerate
  wire [ENTRIES-1:0] wr_hit = wr_same & ~at_head;

  assign wr_merge_o  = |wr_hit;
  assign wr_ready_o  = wr_merge_o || !(&valid_q);
  assign out_valid_o = |valid_q;
  assign out_addr_o  = addr_q[head_q];
  assign out_mask_o  = mask_q[head_q];
  assign out_data_o  = data_q[head_q];

  // A byte of a read: of the place that waits before that of the oldest.
  generate
    for (b = 0; b < BYTES; b = b + 1) begin : gen_byte
      wire [ENTRIES-1:0] has;
      for (g = 0; g < ENTRIES; g = g + 1) begin : gen_has
        assign has[g] = mask_q[g][b];
      end
      wire [ENTRIES-1:0] wait_has = rd_same & has & ~at_head;
      wire [ENTRIES-1:0] from     = (|wait_has) ? wait_has : rd_same & has & at_head;
      assign rd_mask_o[b] = |from;
      for (g = 0; g < 8; g = g + 1) begin : gen_bit
        wire [ENTRIES-1:0] bits;
        genvar e;
        for (e = 0; e < ENTRIES; e = e + 1) begin : gen_of
          assign bits[e] = data_q[e][8*b+g];
        end
        assign rd_data_o[8*b+g] = |(from & bits);
      end
    end
  endgenerate

  wire write = wr_valid_i && wr_ready_o;
  wire leave = out_ready_i && out_valid_o;

  wire [8*BYTES-1:0] wr_bits;
  generate
    for (b = 0; b < BYTES; b = b + 1) begin : gen_spread
      assign wr_bits[8*b+:8] = {8{wr_mask_i[b]}};
    end
  endgenerate

  always @(posedge clk_i) begin
    if (!srst_ni) begin
      head_q  <= {PTR_W{1'b0}};
      tail_q  <= {PTR_W{1'b0}};
      valid_q <= {ENTRIES{1'b0}};
    end else begin
      if (write && !wr_merge_o) tail_q <= (tail_q == PTR_LAST) ? {PTR_W{1'b0}} : tail_q + PTR_ONE;
      if (leave) head_q <= (head_q == PTR_LAST) ? {PTR_W{1'b0}} : head_q + PTR_ONE;
      valid_q <= (valid_q | ((write && !wr_merge_o) ? at_tail : {ENTRIES{1'b0}}))
                 & ~(leave ? at_head : {ENTRIES{1'b0}});
    end
  end

  integer i;
  always @(posedge clk_i) begin
    for (i = 0; i < ENTRIES; i = i + 1) begin
      if (srst_ni && write && wr_merge_o && wr_hit[i]) begin
        mask_q[i] <= mask_q[i] | wr_mask_i;
        data_q[i] <= (data_q[i] & ~wr_bits) | (wr_data_i & wr_bits);
      end
      if (srst_ni && write && !wr_merge_o && at_tail[i]) begin
        addr_q[i] <= wr_addr_i;
        mask_q[i] <= wr_mask_i;
        data_q[i] <= wr_data_i & wr_bits;
      end
    end
  end

`ifndef SYNTHESIS
  // What a reset does not clear powers up as 0 on both sides, so that they can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    for (w = 0; w < ENTRIES; w = w + 1) begin
      addr_q[w] = {ADDR_W{1'b0}};
      mask_q[w] = {BYTES{1'b0}};
      data_q[w] = {(8 * BYTES) {1'b0}};
    end
  end
`endif
endmodule
`default_nettype wire
