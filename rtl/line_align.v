// SPDX-License-Identifier: Apache-2.0
// line_align - aligns a line to the lanes of a warp: each lane gets its word.
// C twin: cmodel/line_align.c   Page: docs/modules/line_align.md
// Timing: a request a cycle, with PASSES 2 one with lanes in both halves every two cycles. The answer
// is a register. in_ready_o follows out_ready_i within the cycle.
`default_nettype none
module line_align #(
  // lanes of a warp
  parameter integer LANES  = 32,
  // words of 4 bytes in a line
  parameter integer WORDS  = 32,
  // bits that go with an answer
  parameter integer INFO_W = 23,
  // 1 all lanes at once, 2 half of the lanes in a cycle: half as many crossbars
  parameter integer PASSES = 2,
  // 1 with a parity bit for every register, and error_o; 0 without
  parameter integer PARITY = 0
) (
  // clock
  input  wire                                               clk_i,
  // synchronous reset, active low
  input  wire                                               srst_ni,
  // a request is to be aligned; it need not hold until in_ready_o
  input  wire                                               in_valid_i,
  // word of each lane in the line, lane 0 lowest
  input  wire [LANES*((WORDS > 1) ? $clog2(WORDS) : 1)-1:0] in_word_i,
  // its lanes
  input  wire [LANES-1:0]                                   in_mask_i,
  // what goes with it
  input  wire [INFO_W-1:0]                                  in_info_i,
  // the line, word 0 lowest, from the cycle in which the request is taken up to that of line_done_o
  input  wire [WORDS*32-1:0]                                in_line_i,
  // the answer on out_* is taken in this cycle
  input  wire                                               out_ready_i,
  // a request would be taken in this cycle, and its first pass done
  output wire                                               in_ready_o,
  // the last pass of a request is done in this cycle: in_line_i may change
  output wire                                               line_done_o,
  // an answer is offered; it holds until out_ready_i
  output wire                                               out_valid_o,
  // a word for each of its lanes, lane 0 lowest; 0 for other lanes and while out_valid_o is 0
  output wire [LANES*32-1:0]                                out_data_o,
  // its lanes; 0 while out_valid_o is 0
  output wire [LANES-1:0]                                   out_mask_o,
  // what goes with it; 0 while out_valid_o is 0
  output wire [INFO_W-1:0]                                  out_info_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                               error_o
);
  localparam WORD_W = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam UPPER  = LANES / 2;          // lanes of the upper half
  localparam HALF   = LANES - UPPER;
  localparam KEPT   = (UPPER > 0) ? UPPER : 1;

  generate
    if (LANES < 1 || LANES > 32) begin : gen_bad_lanes
      ERROR_line_align_LANES_must_be_1_to_32 u_error ();
    end
    if (WORDS < 1 || WORDS > 32) begin : gen_bad_words
      ERROR_line_align_WORDS_must_be_1_to_32 u_error ();
    end
    if (INFO_W < 1 || INFO_W > 64) begin : gen_bad_info_w
      ERROR_line_align_INFO_W_must_be_1_to_64 u_error ();
    end
    if (PASSES < 1 || PASSES > 2) begin : gen_bad_passes
      ERROR_line_align_PASSES_must_be_1_to_2 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_line_align_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  reg                   out_valid_q;
  reg                   more_q;
  reg [LANES-1:0]       mask_q;
  reg [INFO_W-1:0]      info_q;
  reg [KEPT*WORD_W-1:0] word_q;
  reg [LANES*32-1:0]    data_q;

  wire two;
  wire take = in_valid_i && in_ready_o;
  assign in_ready_o  = !more_q && (!out_valid_q || out_ready_i);
  assign line_done_o = more_q || (take && !two);
  assign out_valid_o = out_valid_q;
  assign out_data_o  = data_q & {(LANES * 32) {out_valid_q}};
  assign out_mask_o  = mask_q & {LANES{out_valid_q}};
  assign out_info_o  = info_q & {INFO_W{out_valid_q}};

  // A crossbar, and what it gives to a lane. A word behind the line is 0.
  localparam ROOM = 1 << WORD_W;
  wire [ROOM*32-1:0] line;
  generate
    if (ROOM > WORDS) begin : gen_room
      assign line = {{((ROOM - WORDS) * 32) {1'b0}}, in_line_i};
    end else begin : gen_exact
      assign line = in_line_i;
    end
  endgenerate

  wire [LANES*32-1:0] aligned;  // of the lanes that this pass may write
  wire [LANES-1:0]    lower_on, upper_on;  // each lane: it is written in this cycle
  wire [KEPT*WORD_W-1:0] word_d;
  genvar g;
  generate
    if (PASSES == 2 && UPPER > 0) begin : gen_two
      wire lower_any = |in_mask_i[HALF-1:0];
      wire upper_any = |in_mask_i[LANES-1:HALF];
      assign two = lower_any && upper_any;
      assign word_d   = in_word_i[HALF*WORD_W+:UPPER*WORD_W];
      assign lower_on = {{UPPER{1'b0}}, {HALF{take}}};
      assign upper_on = {{UPPER{take || more_q}}, {HALF{1'b0}}};
      // Crossbar g serves lane g and, unless LANES is odd and it is the last one, lane HALF + g. It
      // works for the upper half in a second pass, and in the only pass of a request without lanes
      // in the lower half.
      for (g = 0; g < HALF; g = g + 1) begin : gen_crossbar
        if (g < UPPER) begin : gen_both
          wire [WORD_W-1:0] word = more_q    ? word_q[g*WORD_W+:WORD_W]
                                 : lower_any ? in_word_i[g*WORD_W+:WORD_W]
                                             : in_word_i[(HALF+g)*WORD_W+:WORD_W];
          wire [31:0] value      = line[word*32+:32];
          wire        upper_mask = more_q ? mask_q[HALF+g] : in_mask_i[HALF+g] && !lower_any;
          assign aligned[g*32+:32]        = value & {32{in_mask_i[g]}};
          assign aligned[(HALF+g)*32+:32] = value & {32{upper_mask}};
        end else begin : gen_lower
          wire [WORD_W-1:0] word = in_word_i[g*WORD_W+:WORD_W];
          assign aligned[g*32+:32] = line[word*32+:32] & {32{in_mask_i[g]}};
        end
      end
    end else begin : gen_one
      wire   unused_word = &{1'b0, word_q};
      assign two      = 1'b0;
      assign word_d   = {(KEPT * WORD_W) {1'b0}};
      assign lower_on = {LANES{take}};
      assign upper_on = {LANES{1'b0}};
      for (g = 0; g < LANES; g = g + 1) begin : gen_crossbar
        wire [WORD_W-1:0] word = in_word_i[g*WORD_W+:WORD_W];
        assign aligned[g*32+:32] = line[word*32+:32] & {32{in_mask_i[g]}};
      end
    end
  endgenerate
  wire [LANES-1:0] lane_on = lower_on | upper_on;

  wire out_valid_d = more_q || (take && !two) || (out_valid_q && !out_ready_i);
  wire more_d      = take && two;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      out_valid_q <= 1'b0;
      more_q      <= 1'b0;
    end else begin
      out_valid_q <= out_valid_d;
      more_q      <= more_d;
    end
  end

  integer i;
  always @(posedge clk_i) begin
    if (srst_ni) begin
      if (take) begin
        mask_q <= in_mask_i;
        info_q <= in_info_i;
      end
      if (more_d) word_q <= word_d;
      for (i = 0; i < LANES; i = i + 1) if (lane_on[i]) data_q[i*32+:32] <= aligned[i*32+:32];
    end
  end

  // Parity: a bit for each register, and for each lane of data_q, written with it.
  generate
    if (PARITY != 0) begin : gen_parity
      reg  [1:0]       state_par_q;
      reg              mask_par_q, info_par_q, word_par_q;
      reg  [LANES-1:0] data_par_q;
      wire [LANES-1:0] data_now, data_d;
      for (g = 0; g < LANES; g = g + 1) begin : gen_lane
        assign data_now[g] = ^data_q[g*32+:32];
        assign data_d[g]   = ^aligned[g*32+:32];
      end
      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? {more_d, out_valid_d} : 2'd0;
        if (srst_ni) begin
          if (take) begin
            mask_par_q <= ^in_mask_i;
            info_par_q <= ^in_info_i;
          end
          if (more_d) word_par_q <= ^word_d;
          data_par_q <= (data_par_q & ~lane_on) | (data_d & lane_on);
        end
      end
      assign error_o = (state_par_q != {more_q, out_valid_q})
                    || ((out_valid_q || more_q) && (mask_par_q != ^mask_q))
                    || (out_valid_q && ((info_par_q != ^info_q) || (data_par_q != data_now)))
                    || (more_q && (word_par_q != ^word_q));
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these registers, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    mask_q = {LANES{1'b0}};
    info_q = {INFO_W{1'b0}};
    word_q = {(KEPT * WORD_W) {1'b0}};
    data_q = {(LANES * 32) {1'b0}};
  end
`endif
endmodule
`default_nettype wire
