// SPDX-License-Identifier: Apache-2.0
// line_data - the data of the lines of an L1: one read and one write of a beat in a cycle.
// C twin: cmodel/line_data.c   Page: docs/modules/line_data.md
// Timing: the memory takes both addresses at the edge. It shows the line read from then on, and holds
// it until the next read. A read and a write of one place at one edge: the read gives the old line.
`default_nettype none
module line_data #(
  // lines: those of the cache and one for each bypassed read
  parameter integer PLACES    = 132,
  // words of 4 bytes in a line
  parameter integer WORDS     = 32,
  // words of a beat
  parameter integer BUS_WORDS = 8,
  // 1 with a parity bit for every beat and register, and error_o; 0 without
  parameter integer PARITY    = 0
) (
  // clock
  input  wire                                          clk_i,
  // synchronous reset, active low
  input  wire                                          srst_ni,
  // show the line at read_place_i from the next cycle on
  input  wire                                          read_valid_i,
  // its place
  input  wire [((PLACES > 1) ? $clog2(PLACES) : 1)-1:0] read_place_i,
  // store a beat of the line at write_place_i
  input  wire                                          write_valid_i,
  // its place
  input  wire [((PLACES > 1) ? $clog2(PLACES) : 1)-1:0] write_place_i,
  // the beat: words from write_beat_i * BUS_WORDS on
  input  wire [((WORDS > BUS_WORDS) ? $clog2((WORDS + BUS_WORDS - 1) / ((BUS_WORDS > 0) ? BUS_WORDS : 1)) : 1)-1:0] write_beat_i,
  // its words, the first one lowest
  input  wire [BUS_WORDS*32-1:0]                       write_data_i,
  // the line read last, word 0 lowest; it holds until the next read
  output wire [WORDS*32-1:0]                           data_o,
  // a stored bit has changed by itself: data_o cannot be trusted; PARITY 0: 0
  output wire                                          error_o
);
  localparam PLACE_W = (PLACES > 1) ? $clog2(PLACES) : 1;
  localparam BUS     = (BUS_WORDS > 0) ? BUS_WORDS : 1; // an illegal 0 is refused below
  localparam BEATS   = (WORDS + BUS - 1) / BUS;
  localparam BEAT_W  = (BEATS > 1) ? $clog2(BEATS) : 1;

  localparam [PLACE_W:0] PLACE_COUNT = PLACES[PLACE_W:0];

  generate
    if (PLACES < 1 || PLACES > 1056) begin : gen_bad_places
      ERROR_line_data_PLACES_must_be_1_to_1056 u_error ();
    end
    if (WORDS < 1 || WORDS > 32) begin : gen_bad_words
      ERROR_line_data_WORDS_must_be_1_to_32 u_error ();
    end
    if (BUS_WORDS < 1 || BUS_WORDS > 32) begin : gen_bad_bus_words
      ERROR_line_data_BUS_WORDS_must_be_1_to_32 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_line_data_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  reg [WORDS*32-1:0] mem_q [0:PLACES-1];
  reg [WORDS*32-1:0] rdata_q;

  wire read  = srst_ni && read_valid_i && ({1'b0, read_place_i} < PLACE_COUNT);
  wire write = srst_ni && write_valid_i && ({1'b0, write_place_i} < PLACE_COUNT);

  // The words of the beat that is written have its enable; words behind the line are dropped.
  wire [31:0] beat = {{(32 - BEAT_W) {1'b0}}, write_beat_i};
  integer w;
  always @(posedge clk_i) begin
    if (read) rdata_q <= mem_q[read_place_i];
    for (w = 0; w < WORDS; w = w + 1) begin
      if (write && beat == w / BUS)
        mem_q[write_place_i][w*32+:32] <= write_data_i[(w%BUS)*32+:32];
    end
  end

  // Parity: a bit for each beat, in a memory beside the other. Which beats were written since the
  // reset is known: the others show 0, and are not checked.
  genvar g;
  generate
    if (PARITY != 0) begin : gen_parity
      reg  [PLACES-1:0] begun_q;
      reg               begun_par_q;
      reg  [BEATS-1:0]  code_q [0:PLACES-1];
      reg  [BEATS-1:0]  known_q [0:PLACES-1];
      reg  [BEATS-1:0]  twin_q [0:PLACES-1];
      reg  [BEATS-1:0]  rcode_q, rknown_q, rtwin_q;
      wire [BEATS-1:0] wcode, rcode_now;
      wire [BEATS-1:0] write_bit;
      for (g = 0; g < BEATS; g = g + 1) begin : gen_beat
        localparam FIRST = g * BUS_WORDS * 32;
        localparam BITS  = ((WORDS - g * BUS_WORDS < BUS_WORDS) ? WORDS - g * BUS_WORDS : BUS_WORDS) * 32;
        assign write_bit[g] = write && beat == g;
        assign wcode[g]     = ^write_data_i[BITS-1:0];
        assign rcode_now[g] = ^rdata_q[FIRST+:BITS];
        assign data_o[FIRST+:BITS] = rdata_q[FIRST+:BITS] & {BITS{rknown_q[g]}};
      end
      // A beat that begins its place writes the bits of the other beats too: they are not known then.
      wire             begins  = write && (|write_bit) && !begun_q[write_place_i];
      wire [BEATS-1:0] touched = write_bit | {BEATS{begins}};
      always @(posedge clk_i) begin
        if (!srst_ni) begin
          begun_q     <= {PLACES{1'b0}};
          begun_par_q <= 1'b0;
        end else if (begins) begin
          begun_q[write_place_i] <= 1'b1;
          begun_par_q            <= !begun_par_q;
        end
      end
      integer b;
      always @(posedge clk_i) begin
        for (b = 0; b < BEATS; b = b + 1) begin
          if (write_bit[b]) code_q[write_place_i][b] <= wcode[b];
          if (touched[b]) begin
            known_q[write_place_i][b] <= write_bit[b];
            twin_q[write_place_i][b]  <= write_bit[b];
          end
        end
      end
      always @(posedge clk_i) begin
        if (read) rcode_q <= code_q[read_place_i];
        if (!srst_ni) begin
          rknown_q <= {BEATS{1'b0}};
          rtwin_q  <= {BEATS{1'b0}};
        end else if (read) begin
          rknown_q <= known_q[read_place_i] & {BEATS{begun_q[read_place_i]}};
          rtwin_q  <= twin_q[read_place_i] & {BEATS{begun_q[read_place_i]}};
        end
      end
      assign error_o = (begun_par_q != ^begun_q) || (rknown_q != rtwin_q)
                    || |(rknown_q & (rcode_now ^ rcode_q));
    end else begin : gen_no_parity
      assign data_o  = rdata_q;
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these memories, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer i;
    for (i = 0; i < PLACES; i = i + 1) mem_q[i] = {(WORDS * 32) {1'b0}};
    rdata_q = {(WORDS * 32) {1'b0}};
  end
`endif
endmodule
`default_nettype wire
