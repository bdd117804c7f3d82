// SPDX-License-Identifier: Apache-2.0
// The same table in the part of SystemVerilog that Yosys and Icarus read, too: names and packing of its own, an active-high
// asynchronous reset, answers a cycle later, the queue of filled lines as a ring.
module plain_table #(
    parameter LINES = 16,
    parameter READS = 4,
    parameter ADDR_W = 32,
    parameter TAG_W = 16,
    parameter LW = (LINES > 1) ? $clog2(LINES) : 1,
    parameter RW = (READS > 1) ? $clog2(READS) : 1,
    parameter NW = $clog2(READS + 1),
    parameter UW = $clog2(LINES + 1)
) (
    input  logic                        clk,
    input  logic                        arst,
    // valid, address, tag
    input  logic [ADDR_W+TAG_W:0]       read,
    input  logic                        fill,
    input  logic [LW-1:0]               fill_line,
    input  logic                        wake_stall,
    // accept, merge, refusal, line, bad fill
    output logic [LW+4:0]               answer,
    // valid, tag, line, last
    output logic [TAG_W+LW+1:0]         wake,
    output logic [UW-1:0]               used
);
  wire              read_valid = read[ADDR_W+TAG_W];
  wire [ADDR_W-1:0] read_addr = read[ADDR_W+TAG_W-1:TAG_W];
  wire [TAG_W-1:0]  read_tag = read[TAG_W-1:0];

  logic [LINES-1:0]  busy, filled;
  logic [ADDR_W-1:0] addr[0:LINES-1];
  logic [RW-1:0]     first[0:LINES-1];
  logic [NW-1:0]     reads[0:LINES-1];
  logic [TAG_W-1:0]  tags[0:LINES*READS-1];
  logic [LW-1:0]     turn[0:LINES-1];
  logic [LW-1:0]     turn_first;
  logic [UW-1:0]     turn_n;
  // what the next new line takes, unless all are in use
  logic [LW-1:0]     next;

  function automatic [LW-1:0] next_line(input [LW-1:0] at, input [UW-1:0] by);
    logic [UW:0] sum;
    begin
      sum = at + by;
      next_line = sum >= LINES ? sum - LINES : sum;
    end
  endfunction
  function automatic [RW-1:0] next_read(input [RW-1:0] at, input [NW-1:0] by);
    logic [NW:0] sum;
    begin
      sum = at + by;
      next_read = sum >= READS ? sum - READS : sum;
    end
  endfunction

  wire [LW-1:0] leaver = turn[turn_first];
  wire          leaves = turn_n != 0 && !wake_stall;
  wire          gone = leaves && reads[leaver] == 1;
  wire          known = fill_line < LINES && busy[fill_line] && !filled[fill_line];

  logic          hit, others;
  logic [LW-1:0] at_hit, other;
  integer        i;
  always_comb begin
    hit = 1'b0;
    others = 1'b0;
    at_hit = 0;
    other = 0;
    for (i = LINES - 1; i >= 0; i = i - 1) begin
      if (!busy[i] && next != i) begin
        others = 1'b1;
        other = i;
      end
      if (busy[i] && !(gone && leaver == i) && addr[i] == read_addr) begin
        hit = 1'b1;
        at_hit = i;
      end
    end
  end
  wire          full = used == LINES;
  wire          room = !full || gone;
  wire [LW-1:0] at_room = full ? leaver : next;
  wire [NW-1:0] n_hit = reads[at_hit] - (leaves && leaver == at_hit);
  wire [RW-1:0] first_hit = leaves && leaver == at_hit ? next_read(first[at_hit], 1) : first[at_hit];
  wire [LW-1:0] next_turn = next_line(turn_first, turn_n);
  wire [RW-1:0] next_tag = next_read(first_hit, n_hit);
  wire          accept = hit ? n_hit != READS : room;
  wire          takes = read_valid && accept;

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      busy <= 0;
      filled <= 0;
      turn_first <= 0;
      turn_n <= 0;
      used <= 0;
      next <= 0;
    end else begin
      if (full || (takes && !hit)) next <= others ? other : turn_n != 0 ? leaver : 0;
      if (gone) begin
        busy[leaver] <= 1'b0;
        filled[leaver] <= 1'b0;
        turn_first <= next_line(turn_first, 1);
      end
      if (fill && known) filled[fill_line] <= 1'b1;
      turn_n <= turn_n + (fill && known) - gone;
      if (takes && !hit) begin
        busy[at_room] <= 1'b1;
        filled[at_room] <= 1'b0;
      end
      used <= used + (takes && !hit) - gone;
    end
  end

  always_ff @(posedge clk) if (!arst) begin
    if (leaves) begin
      first[leaver] <= next_read(first[leaver], 1);
      reads[leaver] <= reads[leaver] - 1'b1;
    end
    if (fill && known) turn[next_turn] <= fill_line;
    if (takes && hit) begin
      tags[at_hit * READS + next_tag] <= read_tag;
      reads[at_hit] <= n_hit + 1'b1;
    end else if (takes) begin
      addr[at_room] <= read_addr;
      first[at_room] <= 0;
      reads[at_room] <= 1;
      tags[at_room * READS] <= read_tag;
    end
  end

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      answer <= 0;
      wake <= 0;
    end else begin
      answer <= {accept, hit, !accept && hit, !accept && !hit, hit ? at_hit : at_room, fill && !known};
      wake <= {turn_n != 0, tags[leaver * READS + first[leaver]], leaver, reads[leaver] == 1};
    end
  end
endmodule
