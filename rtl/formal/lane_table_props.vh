// SPDX-License-Identifier: Apache-2.0
// Properties of lane_table, told for any one entry f_e and any one lane f_l of it. The shadow follows
// from the ports alone; labels with inv_ speak of the registers. Nothing is taken for granted of
// inputs.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

localparam LANE_W = (LANES > 1) ? $clog2(LANES) : 1;
(* anyconst *) wire [ENTRY_W-1:0] f_e;
(* anyconst *) wire [LANE_W-1:0]  f_l;
wire f_write = write_valid_i && write_entry_i == f_e;
wire f_read  = read_valid_i && read_entry_i == f_e;

// The request that the lane belongs to, if any; how often the entry was written since its first
// request.
reg                f_begun, f_has, f_twice;
reg [NUMBER_W-1:0] f_number;
wire f_first = write_first_i || !f_begun;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_begun <= 1'b0;
    f_has   <= 1'b0;
    f_twice <= 1'b0;
  end else if (f_write) begin
    f_begun <= 1'b1;
    f_has   <= write_lanes_i[f_l] || (f_has && !f_first);
    f_twice <= !f_first;
    if (write_lanes_i[f_l]) f_number <= write_number_i;
  end
end

wire [LANES-1:0]          f_has_word    = has_q[f_e];
wire [LANES*NUMBER_W-1:0] f_number_word = number_q[f_e];
wire [NUMBER_W-1:0]       f_number_now  = f_number_word[f_l*NUMBER_W+:NUMBER_W];
always @* if (f_live && f_e < ENTRIES && f_l < LANES) begin
  inv_begun: assert (live_q[f_e] == f_begun);
  inv_lane: assert (!f_begun || (f_has_word[f_l] == f_has && f_number_now == (f_has ? f_number : 0)));
  reads_lane: assert (!f_read || read_lanes_o[f_l] == (f_begun && f_has && f_number == read_number_i));
  reached_last_number: cover (f_read && read_lanes_o[f_l] && read_number_i == LANES - 1 && f_twice);
end
always @* if (f_live) begin
  no_such_entry: assert (read_entry_i < ENTRIES || read_lanes_o == 0);
  reads_nothing: assert (read_valid_i || read_lanes_o == 0);
end
