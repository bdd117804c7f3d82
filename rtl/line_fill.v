// SPDX-License-Identifier: Apache-2.0
// line_fill - writes the beats of fetched lines into the data array.
// C twin: cmodel/line_fill.c   Page: docs/modules/line_fill.md
// Timing: takes a beat each cycle, and writes it in the next one.
`default_nettype none
module line_fill #(
  // entries of the MSHR table
  parameter integer MSHRS     = 32,
  // entries of the bypass table
  parameter integer BYPASSES  = 4,
  // lines of the cache; entry b of the bypass table has place LINES + b
  parameter integer LINES     = 128,
  // beats of a line
  parameter integer BEATS     = 4,
  // words of 4 bytes of a beat
  parameter integer BUS_WORDS = 8,
  // bits of a fetch's id: {bypass, entry}
  parameter integer ID_W      = 6,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY    = 0
) (
  // clock
  input  wire                                                             clk_i,
  // synchronous reset, active low
  input  wire                                                             srst_ni,
  // a fetch begins; its first beat comes in the next cycle at the earliest
  input  wire                                                             start_valid_i,
  // its id; ignored if it does not exist
  input  wire [ID_W-1:0]                                                  start_id_i,
  // place of its line; ignored with the bypass bit
  input  wire [((LINES+BYPASSES > 1) ? $clog2(LINES+BYPASSES) : 1)-1:0]   start_place_i,
  // its first beat of the line
  input  wire [((BEATS > 1) ? $clog2(BEATS) : 1)-1:0]                     start_beat_i,
  // R channel: a beat; it need not hold until r_ready_o
  input  wire                                                             r_valid_i,
  // R channel: id of its fetch
  input  wire [ID_W-1:0]                                                  r_id_i,
  // R channel: its words
  input  wire [BUS_WORDS*32-1:0]                                          r_data_i,
  // R channel: the last beat of the fetch
  input  wire                                                             r_last_i,
  // the entry of the MSHR table whose place is asked for
  input  wire [((MSHRS > 1) ? $clog2(MSHRS) : 1)-1:0]                     drain_entry_i,
  // R channel: always 1
  output wire                                                             r_ready_o,
  // r_valid_i for an id without a fetch; it is ignored
  output wire                                                             r_err_o,
  // a beat is written into the data array
  output wire                                                             write_valid_o,
  // the place that it is written to
  output wire [((LINES+BYPASSES > 1) ? $clog2(LINES+BYPASSES) : 1)-1:0]   write_place_o,
  // which beat of the line it is
  output wire [((BEATS > 1) ? $clog2(BEATS) : 1)-1:0]                     write_beat_o,
  // its words
  output wire [BUS_WORDS*32-1:0]                                          write_data_o,
  // with the last beat: the line of entry fill_entry_o of the MSHR table is here
  output wire                                                             fill_valid_o,
  // the same for entry fill_entry_o of the bypass table
  output wire                                                             bypass_fill_valid_o,
  // that entry; 0 without a last beat
  output wire [ID_W-2:0]                                                  fill_entry_o,
  // place of entry drain_entry_i; 0 if no fetch of it was started since the reset
  output wire [((LINES+BYPASSES > 1) ? $clog2(LINES+BYPASSES) : 1)-1:0]   drain_place_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                                             error_o
);
  localparam PLACE_W = (LINES + BYPASSES > 1) ? $clog2(LINES + BYPASSES) : 1;
  localparam BEAT_W  = (BEATS > 1) ? $clog2(BEATS) : 1;
  localparam MSHR_W  = (MSHRS > 1) ? $clog2(MSHRS) : 1;
  localparam ENTRY_W = ID_W - 1;

  localparam [BEAT_W-1:0]   BEAT_ONE  = 1;
  localparam [MSHRS-1:0]    MSHR_0    = 1;
  localparam [MSHRS-1:0]    MSHR_NONE = 0;
  localparam [BYPASSES-1:0] BYPASS_0  = 1;
  localparam [BYPASSES-1:0] NO_BYPASS = 0;

  generate
    if (MSHRS < 1 || MSHRS > 128) begin : gen_bad_mshrs
      ERROR_line_fill_MSHRS_must_be_1_to_128 u_error ();
    end
    if (BYPASSES < 1 || BYPASSES > 128) begin : gen_bad_bypasses
      ERROR_line_fill_BYPASSES_must_be_1_to_128 u_error ();
    end
    if (LINES < 1 || LINES > 4096) begin : gen_bad_lines
      ERROR_line_fill_LINES_must_be_1_to_4096 u_error ();
    end
    if (BEATS < 1 || BEATS > 32) begin : gen_bad_beats
      ERROR_line_fill_BEATS_must_be_1_to_32 u_error ();
    end
    if (BUS_WORDS < 1 || BUS_WORDS > 32) begin : gen_bad_bus_words
      ERROR_line_fill_BUS_WORDS_must_be_1_to_32 u_error ();
    end
    if (ID_W < 2 || ID_W > 16) begin : gen_bad_id_w
      ERROR_line_fill_ID_W_must_be_2_to_16 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_line_fill_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  reg [MSHRS-1:0]        wait_q;
  reg [BYPASSES-1:0]     bypass_wait_q;
  reg [MSHRS-1:0]        live_q;
  (* mem2reg *) reg [PLACE_W-1:0] place_q [0:MSHRS-1];
  (* mem2reg *) reg [BEAT_W-1:0]  beat_q [0:MSHRS-1];
  (* mem2reg *) reg [BEAT_W-1:0]  bypass_beat_q [0:BYPASSES-1];
  reg                    write_valid_q;
  reg [PLACE_W-1:0]      write_place_q;
  reg [BEAT_W-1:0]       write_beat_q;
  reg                    fill_valid_q;
  reg                    bypass_fill_valid_q;
  reg [ENTRY_W-1:0]      fill_entry_q;
  reg [BUS_WORDS*32-1:0] data_q;

  assign write_valid_o       = write_valid_q;
  assign write_place_o       = write_place_q;
  assign write_beat_o        = write_beat_q;
  assign write_data_o        = data_q & {(BUS_WORDS * 32) {write_valid_q}};
  assign fill_valid_o        = fill_valid_q;
  assign bypass_fill_valid_o = bypass_fill_valid_q;
  assign fill_entry_o        = fill_entry_q;

  // The entries of the two ids, 32 bits wide as the sizes are. A number that is too large for its
  // table is shifted out: it decodes to no entry.
  wire [31:0] r_entry     = {{(32 - ENTRY_W) {1'b0}}, r_id_i[ENTRY_W-1:0]};
  wire [31:0] start_entry = {{(32 - ENTRY_W) {1'b0}}, start_id_i[ENTRY_W-1:0]};
  wire        r_bypass     = r_id_i[ID_W-1];
  wire        start_bypass = start_id_i[ID_W-1];
  wire [MSHRS-1:0]    r_at         = MSHR_0 << r_entry;
  wire [BYPASSES-1:0] r_bypass_at  = BYPASS_0 << r_entry;
  wire [MSHRS-1:0]    begins_at    = (start_valid_i && !start_bypass) ? MSHR_0 << start_entry
                                                                      : MSHR_NONE;
  wire [BYPASSES-1:0] bypass_begins_at = (start_valid_i && start_bypass) ? BYPASS_0 << start_entry
                                                                         : NO_BYPASS;

  // The beat of this cycle, its place and its number.
  wire mshr_good   = r_valid_i && !r_bypass && |(wait_q & r_at);
  wire bypass_good = r_valid_i && r_bypass && |(bypass_wait_q & r_bypass_at);
  wire good        = mshr_good || bypass_good;
  assign r_ready_o = 1'b1;
  assign r_err_o   = r_valid_i && !good;

  wire               r_exists     = (r_entry < MSHRS);
  wire               b_exists     = (r_entry < BYPASSES);
  wire [PLACE_W-1:0] mshr_place   = r_exists ? place_q[r_entry] : {PLACE_W{1'b0}};
  wire [BEAT_W-1:0]  mshr_beat    = r_exists ? beat_q[r_entry] : {BEAT_W{1'b0}};
  wire [BEAT_W-1:0]  bypass_beat  = b_exists ? bypass_beat_q[r_entry] : {BEAT_W{1'b0}};
  wire [31:0]        bypass_place = LINES + r_entry;
  wire [BEAT_W-1:0]  beat         = r_bypass ? bypass_beat : mshr_beat;
  wire [BEAT_W-1:0]  beat_next    = beat + BEAT_ONE;
  wire unused_place = &{1'b0, bypass_place[31:PLACE_W]};

  wire [PLACE_W-1:0] write_place_d = !good    ? {PLACE_W{1'b0}}
                                   : r_bypass ? bypass_place[PLACE_W-1:0] : mshr_place;
  wire [BEAT_W-1:0]  write_beat_d  = good ? beat : {BEAT_W{1'b0}};
  wire [ENTRY_W-1:0] fill_entry_d  = (good && r_last_i) ? r_id_i[ENTRY_W-1:0] : {ENTRY_W{1'b0}};
  wire               fill_valid_d        = mshr_good && r_last_i;
  wire               bypass_fill_valid_d = bypass_good && r_last_i;

  wire [MSHRS-1:0]    wait_d = (wait_q & ~(fill_valid_d ? r_at : MSHR_NONE)) | begins_at;
  wire [BYPASSES-1:0] bypass_wait_d = (bypass_wait_q
                                       & ~(bypass_fill_valid_d ? r_bypass_at : NO_BYPASS))
                                    | bypass_begins_at;
  wire [MSHRS-1:0]    live_d = live_q | begins_at;

  always @(posedge clk_i) begin
    if (!srst_ni) begin
      wait_q              <= MSHR_NONE;
      bypass_wait_q       <= NO_BYPASS;
      live_q              <= MSHR_NONE;
      write_valid_q       <= 1'b0;
      write_place_q       <= {PLACE_W{1'b0}};
      write_beat_q        <= {BEAT_W{1'b0}};
      fill_valid_q        <= 1'b0;
      bypass_fill_valid_q <= 1'b0;
      fill_entry_q        <= {ENTRY_W{1'b0}};
    end else begin
      wait_q              <= wait_d;
      bypass_wait_q       <= bypass_wait_d;
      live_q              <= live_d;
      write_valid_q       <= good;
      write_place_q       <= write_place_d;
      write_beat_q        <= write_beat_d;
      fill_valid_q        <= fill_valid_d;
      bypass_fill_valid_q <= bypass_fill_valid_d;
      fill_entry_q        <= fill_entry_d;
    end
  end

  // Later assignments win: a start overwrites what a beat counts. The words of a beat are kept
  // whether or not it is good: so many registers would have to wait for the answer.
  wire begins        = |begins_at;
  wire bypass_begins = |bypass_begins_at;
  always @(posedge clk_i) begin
    if (srst_ni) begin
      if (r_valid_i) data_q <= r_data_i;
      if (mshr_good) beat_q[r_entry] <= beat_next;
      if (bypass_good) bypass_beat_q[r_entry] <= beat_next;
      if (begins) begin
        place_q[start_entry] <= start_place_i;
        beat_q[start_entry]  <= start_beat_i;
      end
      if (bypass_begins) bypass_beat_q[start_entry] <= start_beat_i;
    end
  end

  // The drain's place.
  localparam [MSHR_W:0] MSHR_COUNT = MSHRS[MSHR_W:0];
  wire               drain_live  = ({1'b0, drain_entry_i} < MSHR_COUNT) && live_q[drain_entry_i];
  wire [PLACE_W-1:0] drain_place = drain_live ? place_q[drain_entry_i] : {PLACE_W{1'b0}};
  assign drain_place_o = drain_place;

  // Parity: a bit for each register and each word, written with it. A word of the tables is checked
  // when a beat or a drain uses it.
  generate
    if (PARITY != 0) begin : gen_parity
      reg  [5:0]          state_par_q;
      reg                 data_par_q;
      reg  [MSHRS-1:0]    place_par_q, beat_par_q;
      reg  [BYPASSES-1:0] bypass_beat_par_q;
      wire [5:0] state_now = {^fill_entry_q, ^{write_place_q, write_beat_q},
                              ^{write_valid_q, fill_valid_q, bypass_fill_valid_q}, ^live_q,
                              ^bypass_wait_q, ^wait_q};
      wire [5:0] state_d   = {^fill_entry_d, ^{write_place_d, write_beat_d},
                              ^{good, fill_valid_d, bypass_fill_valid_d}, ^live_d,
                              ^bypass_wait_d, ^wait_d};
      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? state_d : 6'd0;
        if (srst_ni) begin
          if (r_valid_i) data_par_q <= ^r_data_i;
          if (mshr_good) beat_par_q[r_entry] <= ^beat_next;
          if (bypass_good) bypass_beat_par_q[r_entry] <= ^beat_next;
          if (begins) begin
            place_par_q[start_entry] <= ^start_place_i;
            beat_par_q[start_entry]  <= ^start_beat_i;
          end
          if (bypass_begins) bypass_beat_par_q[start_entry] <= ^start_beat_i;
        end
      end
      wire bad_place  = mshr_good && (^mshr_place != |(place_par_q & r_at));
      wire bad_beat   = mshr_good && (^mshr_beat != |(beat_par_q & r_at));
      wire bad_bypass = bypass_good && (^bypass_beat != |(bypass_beat_par_q & r_bypass_at));
      wire bad_drain  = drain_live && (^drain_place != place_par_q[drain_entry_i]);
      assign error_o = (state_now != state_par_q) || bad_place || bad_beat || bad_bypass
                    || bad_drain || (write_valid_q && (^data_q != data_par_q));
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these memories, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    for (w = 0; w < MSHRS; w = w + 1) begin
      place_q[w] = {PLACE_W{1'b0}};
      beat_q[w]  = {BEAT_W{1'b0}};
    end
    for (w = 0; w < BYPASSES; w = w + 1) bypass_beat_q[w] = {BEAT_W{1'b0}};
    data_q = {(BUS_WORDS * 32) {1'b0}};
  end
`endif
endmodule
`default_nettype wire
