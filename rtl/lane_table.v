// SPDX-License-Identifier: Apache-2.0
// lane_table - which lanes of an instruction each of its requests serves.
// C twin: cmodel/lane_table.c   Page: docs/modules/lane_table.md
// Timing: a write and a read a cycle. The read follows its inputs within the cycle, and gives what the
// cycles before have written.
`default_nettype none
module lane_table #(
  // instructions that may be outstanding: entries of the PRT
  parameter integer ENTRIES = 44,
  // lanes of a warp
  parameter integer LANES   = 32,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY  = 0
) (
  // clock
  input  wire                                            clk_i,
  // synchronous reset, active low
  input  wire                                            srst_ni,
  // a request of entry write_entry_i is entered
  input  wire                                            write_valid_i,
  // its entry
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] write_entry_i,
  // its number within its instruction
  input  wire [((LANES > 1) ? $clog2(LANES) : 1)-1:0]    write_number_i,
  // the lanes that it serves
  input  wire [LANES-1:0]                                write_lanes_i,
  // it is the first of its instruction: all other lanes belong to no request
  input  wire                                            write_first_i,
  // the lanes of a request are read
  input  wire                                            read_valid_i,
  // its entry
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] read_entry_i,
  // its number
  input  wire [((LANES > 1) ? $clog2(LANES) : 1)-1:0]    read_number_i,
  // the lanes that it serves; 0 if there is no such request, and while read_valid_i is 0
  output wire [LANES-1:0]                                read_lanes_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                            error_o
);
  localparam ENTRY_W  = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam NUMBER_W = (LANES > 1) ? $clog2(LANES) : 1;

  localparam [ENTRY_W:0]    ENTRY_COUNT = ENTRIES[ENTRY_W:0];
  localparam [NUMBER_W-1:0] NO_NUMBER   = 0;

  generate
    if (ENTRIES < 1 || ENTRIES > 512) begin : gen_bad_entries
      ERROR_lane_table_ENTRIES_must_be_1_to_512 u_error ();
    end
    if (LANES < 1 || LANES > 32) begin : gen_bad_lanes
      ERROR_lane_table_LANES_must_be_1_to_32 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_lane_table_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  reg [ENTRIES-1:0]        live_q;
  reg [LANES-1:0]          has_q [0:ENTRIES-1];
  reg [LANES*NUMBER_W-1:0] number_q [0:ENTRIES-1];

  // Read: one word, each lane compares its number.
  wire                      read_exists = ({1'b0, read_entry_i} < ENTRY_COUNT);
  wire                      read_live   = read_valid_i && read_exists && live_q[read_entry_i];
  wire [LANES-1:0]          read_has    = read_live ? has_q[read_entry_i] : {LANES{1'b0}};
  wire [LANES*NUMBER_W-1:0] read_number = read_live ? number_q[read_entry_i]
                                                    : {(LANES * NUMBER_W) {1'b0}};
  genvar g;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_lane
      assign read_lanes_o[g] = read_has[g]
                            && (read_number[g*NUMBER_W+:NUMBER_W] == read_number_i);
    end
  endgenerate

  // Write: the lanes that are named; with a first request the others too, which have none then.
  wire write  = srst_ni && write_valid_i && ({1'b0, write_entry_i} < ENTRY_COUNT);
  wire fresh  = !live_q[write_entry_i];
  wire begins = write_first_i || fresh;
  wire [LANES-1:0] touched = write_lanes_i | {LANES{begins}};

  always @(posedge clk_i) begin
    if (!srst_ni)    live_q <= {ENTRIES{1'b0}};
    else if (write) live_q[write_entry_i] <= 1'b1;
  end

  integer i;
  always @(posedge clk_i) begin
    for (i = 0; i < LANES; i = i + 1) begin
      if (write && touched[i]) begin
        has_q[write_entry_i][i] <= write_lanes_i[i];
        number_q[write_entry_i][i*NUMBER_W+:NUMBER_W] <= write_lanes_i[i] ? write_number_i : NO_NUMBER;
      end
    end
  end

  // Parity: a bit for live_q, and one for each lane of each word, written with it.
  generate
    if (PARITY != 0) begin : gen_parity
      reg              live_par_q;
      reg  [LANES-1:0] lane_par_q [0:ENTRIES-1];
      wire [LANES-1:0] lane_now;
      for (g = 0; g < LANES; g = g + 1) begin : gen_now
        assign lane_now[g] = read_has[g] ^ (^read_number[g*NUMBER_W+:NUMBER_W]);
      end
      integer k;
      always @(posedge clk_i) begin
        live_par_q <= srst_ni && (live_par_q ^ (write && fresh));
        for (k = 0; k < LANES; k = k + 1) begin
          if (write && touched[k])
            lane_par_q[write_entry_i][k] <= write_lanes_i[k] && !(^write_number_i);
        end
      end
      assign error_o = (live_par_q != ^live_q)
                    || (read_live && (lane_now != lane_par_q[read_entry_i]));
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these memories, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    for (w = 0; w < ENTRIES; w = w + 1) begin
      has_q[w]    = {LANES{1'b0}};
      number_q[w] = {(LANES * NUMBER_W) {1'b0}};
    end
  end
`endif
endmodule
`default_nettype wire
