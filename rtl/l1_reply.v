// SPDX-License-Identifier: Apache-2.0
// l1_reply - the reply stage of the L1: takes a request from one of three sources, reads its line.
// C twin: cmodel/l1_reply.c   Page: docs/modules/l1_reply.md
// Timing: one request a cycle; the choice depends on the sources and last_q, the late out_ready_i
// and line_done_i only gate it.
`default_nettype none
module l1_reply #(
  // bits of an entry of the PRT
  parameter integer ENTRY_W  = 6,
  // bits of a request's number within its instruction
  parameter integer NUMBER_W = 5,
  // lines of the cache: the places below LINES
  parameter integer LINES    = 128,
  // entries of the bypass table: the places from LINES on
  parameter integer BYPASSES = 4,
  // 1 with a parity bit for every register, and error_o; 0 without
  parameter integer PARITY   = 0
) (
  // clock
  input  wire                                                     clk_i,
  // synchronous reset, active low
  input  wire                                                     srst_ni,
  // source 0: the read queue has a hit; it need not hold until read_ready_o
  input  wire                                                     read_valid_i,
  // its {number, entry, place}
  input  wire [NUMBER_W+ENTRY_W+$clog2(LINES+BYPASSES)-1:0]       read_data_i,
  // source 1: a read of the MSHR table can leave; it need not hold until mshr_ready_o
  input  wire                                                     mshr_valid_i,
  // its {number, entry}
  input  wire [NUMBER_W+ENTRY_W-1:0]                              mshr_data_i,
  // the place of its line
  input  wire [$clog2(LINES+BYPASSES)-1:0]                        mshr_place_i,
  // it is the last read of its MSHR entry
  input  wire                                                     mshr_last_i,
  // source 2: a read of the bypass table can leave; it need not hold until bypass_ready_o
  input  wire                                                     bypass_valid_i,
  // its {number, entry}
  input  wire [NUMBER_W+ENTRY_W-1:0]                              bypass_data_i,
  // its entry of the bypass table
  input  wire [((BYPASSES > 1) ? $clog2(BYPASSES) : 1)-1:0]       bypass_entry_i,
  // the aligner starts the request on out_valid_o
  input  wire                                                     out_ready_i,
  // the aligner needs the line no longer after this cycle
  input  wire                                                     line_done_i,
  // the hit is taken
  output wire                                                     read_ready_o,
  // the read of the MSHR table is taken
  output wire                                                     mshr_ready_o,
  // the read of the bypass table is taken
  output wire                                                     bypass_ready_o,
  // one of them is taken: the line at data_place_o is read at the edge
  output wire                                                     data_read_o,
  // place of the source whose turn it is; 0 without one
  output wire [$clog2(LINES+BYPASSES)-1:0]                        data_place_o,
  // the last read of an MSHR entry is taken: its line becomes valid
  output wire                                                     release_valid_o,
  // the low bits of mshr_place_i, in every cycle
  output wire [((LINES > 1) ? $clog2(LINES) : 1)-1:0]             release_place_o,
  // a request whose line has been read waits for the aligner; it holds until out_ready_i
  output wire                                                     out_valid_o,
  // its entry of the PRT; 0 while out_valid_o is 0
  output wire [ENTRY_W-1:0]                                       entry_o,
  // its number within the instruction; 0 while out_valid_o is 0
  output wire [NUMBER_W-1:0]                                      number_o,
  // no request is in the stage
  output wire                                                     idle_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                                     error_o
);
  // LINES + BYPASSES is 2 or more.
  localparam PLACE_W = $clog2(LINES + BYPASSES);
  localparam BYPASS_W = (BYPASSES > 1) ? $clog2(BYPASSES) : 1;
  localparam LINE_W  = (LINES > 1) ? $clog2(LINES) : 1;
  localparam REQ_W   = NUMBER_W + ENTRY_W;
  localparam [PLACE_W-1:0] FIRST_BYPASS = LINES[PLACE_W-1:0];

  generate
    if (ENTRY_W < 1 || ENTRY_W > 9) begin : gen_bad_entry_w
      ERROR_l1_reply_ENTRY_W_must_be_1_to_9 u_error ();
    end
    if (NUMBER_W < 1 || NUMBER_W > 5) begin : gen_bad_number_w
      ERROR_l1_reply_NUMBER_W_must_be_1_to_5 u_error ();
    end
    if (LINES < 1 || LINES > 1024) begin : gen_bad_lines
      ERROR_l1_reply_LINES_must_be_1_to_1024 u_error ();
    end
    if (BYPASSES < 1 || BYPASSES > 128) begin : gen_bad_bypasses
      ERROR_l1_reply_BYPASSES_must_be_1_to_128 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_l1_reply_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  reg                valid_q;
  reg                started_q;
  reg [1:0]          last_q;
  reg [ENTRY_W-1:0]  entry_q;
  reg [NUMBER_W-1:0] number_q;

  // 1. and 2. The request in the stage, and whether it leaves.
  assign out_valid_o = valid_q && !started_q;
  assign entry_o     = entry_q & {ENTRY_W{out_valid_o}};
  assign number_o    = number_q & {NUMBER_W{out_valid_o}};
  assign idle_o      = !valid_q;
  wire start = out_valid_o && out_ready_i;
  wire done  = line_done_i && (started_q || out_ready_i);
  wire free  = !valid_q || done;

  // 3. A source has its turn if no valid source comes before it.
  wire after_read   = (last_q == 2'd0);
  wire after_mshr   = (last_q == 2'd1);
  wire after_bypass = last_q[1];
  wire turn_read    = read_valid_i
                   && !(mshr_valid_i && after_read)
                   && !(bypass_valid_i && !after_bypass);
  wire turn_mshr    = mshr_valid_i
                   && !(bypass_valid_i && after_mshr)
                   && !(read_valid_i && !after_read);
  wire turn_bypass  = bypass_valid_i
                   && !(read_valid_i && after_bypass)
                   && !(mshr_valid_i && !after_mshr);

  wire [PLACE_W:0] bypass_sum = {1'b0, FIRST_BYPASS}
                              + {{(PLACE_W + 1 - BYPASS_W) {1'b0}}, bypass_entry_i};
  wire             unused_carry = &{1'b0, bypass_sum[PLACE_W]};
  assign data_place_o = ({PLACE_W{turn_read}} & read_data_i[PLACE_W-1:0])
                      | ({PLACE_W{turn_mshr}} & mshr_place_i)
                      | ({PLACE_W{turn_bypass}} & bypass_sum[PLACE_W-1:0]);
  wire [REQ_W-1:0] request = ({REQ_W{turn_read}} & read_data_i[PLACE_W +: REQ_W])
                           | ({REQ_W{turn_mshr}} & mshr_data_i)
                           | ({REQ_W{turn_bypass}} & bypass_data_i);

  // 4. and 5. Taken if the stage is free.
  assign read_ready_o    = free && turn_read;
  assign mshr_ready_o    = free && turn_mshr;
  assign bypass_ready_o  = free && turn_bypass;
  assign data_read_o     = free && (read_valid_i || mshr_valid_i || bypass_valid_i);
  assign release_valid_o = mshr_ready_o && mshr_last_i;
  assign release_place_o = mshr_place_i[LINE_W-1:0];

  wire                valid_d   = data_read_o || !free;
  wire                started_d = !free && (started_q || start);
  wire [1:0]          last_d    = data_read_o ? {turn_bypass, turn_mshr} : last_q;
  wire [ENTRY_W-1:0]  entry_d   = data_read_o ? request[ENTRY_W-1:0] : entry_q;
  wire [NUMBER_W-1:0] number_d  = data_read_o ? request[ENTRY_W +: NUMBER_W] : number_q;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      valid_q   <= 1'b0;
      started_q <= 1'b0;
      last_q    <= 2'd2;
      entry_q   <= {ENTRY_W{1'b0}};
      number_q  <= {NUMBER_W{1'b0}};
    end else begin
      valid_q   <= valid_d;
      started_q <= started_d;
      last_q    <= last_d;
      entry_q   <= entry_d;
      number_q  <= number_d;
    end
  end

  generate
    if (PARITY != 0) begin : gen_parity
      reg  state_par_q, request_par_q;
      wire state_now   = ^{last_q, started_q, valid_q};
      wire request_now = ^{number_q, entry_q};
      always @(posedge clk_i) begin
        state_par_q   <= !srst_ni || ^{last_d, started_d, valid_d};
        request_par_q <= srst_ni && ^{number_d, entry_d};
      end
      assign error_o = (state_par_q != state_now) || (request_par_q != request_now);
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate
endmodule
`default_nettype wire
