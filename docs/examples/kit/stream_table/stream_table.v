// SPDX-License-Identifier: Apache-2.0
// stream_table: the table of a stream prefetcher. Page: stream_table.md. C twin: stream_table.c.
`default_nettype none
module stream_table #(
  parameter integer ENTRIES  = 4,  // streams
  parameter integer ADDR_W   = 8,  // bits of a line's address
  parameter integer TRUST    = 2,  // hits that a stream needs before it prefetches
  parameter integer DISTANCE = 2   // lines that a prefetch is ahead of the access
) (
  input  wire              clk_i,
  input  wire              srst_ni,
  input  wire              flush_i,
  input  wire              acc_valid_i,
  input  wire [ADDR_W-1:0] acc_line_i,
  input  wire              pf_ready_i,
  output wire              hit_o,
  output wire              repeat_o,
  output wire              drop_o,
  output wire              pf_valid_o,
  output wire [ADDR_W-1:0] pf_line_o
);
  localparam PTR_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam integer      LAST     = ENTRIES - 1;
  localparam [PTR_W-1:0]  PTR_LAST = LAST[PTR_W-1:0];
  localparam [PTR_W-1:0]  PTR_ONE  = 1;
  localparam [ADDR_W-1:0] ONE_LINE = 1;
  localparam [2:0]        TRUSTED  = TRUST[2:0];
  // In a word that every width fits into: the lowest ADDR_W bits of the distance.
  localparam [63:0]       AHEAD    = {32'd0, DISTANCE};

  generate
    if (ENTRIES < 1 || ENTRIES > 16) begin : gen_bad_entries
      ERROR_stream_table_ENTRIES_must_be_1_to_16 u_error ();
    end
    if (ADDR_W < 2 || ADDR_W > 48) begin : gen_bad_addr_w
      ERROR_stream_table_ADDR_W_must_be_2_to_48 u_error ();
    end
    if (TRUST < 1 || TRUST > 7) begin : gen_bad_trust
      ERROR_stream_table_TRUST_must_be_1_to_7 u_error ();
    end
    if (DISTANCE < 1 || DISTANCE > 8) begin : gen_bad_distance
      ERROR_stream_table_DISTANCE_must_be_1_to_8 u_error ();
    end
  endgenerate

  reg [PTR_W-1:0]   victim_q;
  reg [ENTRIES-1:0] valid_q;
  reg [ADDR_W-1:0]  line_q [0:ENTRIES-1];
  reg [2:0]         trust_q [0:ENTRIES-1];
  reg               pf_valid_q;
  reg [ADDR_W-1:0]  pf_line_q;

  wire [ENTRIES-1:0] expects;
  wire [ENTRIES-1:0] had;
  wire [ENTRIES-1:0] trusted;
  wire [ENTRIES-1:0] at_victim;
  genvar g;
  generate
    for (g = 0; g < ENTRIES; g = g + 1) begin : gen_stream
      localparam integer STREAM = g;
      wire [ADDR_W-1:0] expected = line_q[g] + ONE_LINE;
      assign expects[g]   = valid_q[g] && (expected == acc_line_i);
      assign had[g]       = valid_q[g] && (line_q[g] == acc_line_i);
      assign trusted[g]   = (trust_q[g] == TRUSTED);
      assign at_victim[g] = (victim_q == STREAM[PTR_W-1:0]);
    end
  endgenerate
  // The lowest of those that expect the line.
  wire [ENTRIES-1:0] none_below;
  assign none_below[0] = 1'b1;
  generate
    for (g = 1; g < ENTRIES; g = g + 1) begin : gen_below
      assign none_below[g] = ~|expects[g-1:0];
    end
  endgenerate
  wire [ENTRIES-1:0] chosen = expects & none_below;

  wire ask  = srst_ni && acc_valid_i && !flush_i && |(chosen & trusted);
  wire room = !pf_valid_q || pf_ready_i;
  assign hit_o      = |expects;
  assign repeat_o   = !hit_o && |had;
  assign drop_o     = ask && !room;
  assign pf_valid_o = pf_valid_q;
  assign pf_line_o  = pf_line_q;

  wire begins = acc_valid_i && !hit_o && !repeat_o;

  always @(posedge clk_i) begin
    if (!srst_ni) begin
      victim_q   <= {PTR_W{1'b0}};
      valid_q    <= {ENTRIES{1'b0}};
      pf_valid_q <= 1'b0;
    end else begin
      pf_valid_q <= ask || (pf_valid_q && !pf_ready_i);
      if (flush_i) begin
        victim_q <= {PTR_W{1'b0}};
        valid_q  <= {ENTRIES{1'b0}};
      end else if (begins) begin
        victim_q <= (victim_q == PTR_LAST) ? {PTR_W{1'b0}} : victim_q + PTR_ONE;
        valid_q  <= valid_q | at_victim;
      end
    end
  end

  integer i;
  always @(posedge clk_i) begin
    if (ask && room) pf_line_q <= acc_line_i + AHEAD[ADDR_W-1:0];
    for (i = 0; i < ENTRIES; i = i + 1) begin
      if (srst_ni && !flush_i && acc_valid_i && chosen[i]) begin
        line_q[i] <= acc_line_i;
        if (!trusted[i]) trust_q[i] <= trust_q[i] + 3'd1;
      end
      if (srst_ni && !flush_i && begins && at_victim[i]) begin
        line_q[i]  <= acc_line_i;
        trust_q[i] <= 3'd0;
      end
    end
  end

`ifndef SYNTHESIS
  // What a reset does not clear powers up as 0 on both sides, so that they can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    pf_line_q = {ADDR_W{1'b0}};
    for (w = 0; w < ENTRIES; w = w + 1) begin
      line_q[w]  = {ADDR_W{1'b0}};
      trust_q[w] = 3'd0;
    end
  end
`endif
endmodule
`default_nettype wire
