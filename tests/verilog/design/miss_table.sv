// SPDX-License-Identifier: Apache-2.0
// A table of outstanding misses as another designer writes it: docs/modules/mshr.md in SystemVerilog, with structs, one
// entry in one struct, an active-high asynchronous reset, and every answer registered, so one cycle later.
package miss_pkg;
  typedef enum logic [1:0] {
    TAKEN,
    NO_LINE,
    NO_READ
  } refusal_e;

  typedef struct packed {
    logic        valid;
    logic [31:0] addr;
    logic [15:0] tag;
  } read_t;

  typedef struct packed {
    logic       valid;
    logic [7:0] line;
  } fill_t;

  typedef struct packed {
    logic       accept;
    logic       merge;
    refusal_e   refusal;
    logic [7:0] line;
    logic       bad_fill;
  } answer_t;

  typedef struct packed {
    logic        valid;
    logic [15:0] tag;
    logic [7:0]  line;
    logic        last;
  } wake_t;
endpackage

module miss_table #(
    parameter int unsigned LINES = 16,
    parameter int unsigned READS = 4
) (
    input  logic              clk,
    input  logic              arst,
    input  miss_pkg::read_t   read,
    input  miss_pkg::fill_t   fill,
    input  logic              wake_stall,
    output miss_pkg::answer_t answer,
    output miss_pkg::wake_t   wake,
    output logic [7:0]        used
);
  import miss_pkg::*;
  localparam int unsigned LW = $clog2(LINES);
  localparam int unsigned RW = $clog2(READS);
  typedef logic [LW-1:0] line_t;

  typedef struct packed {
    logic        busy;
    logic        filled;
    logic [31:0] addr;
    logic [RW-1:0] first;
    logic [RW:0]   n;
  } entry_t;

  entry_t      ent[LINES];
  logic [15:0] tags[LINES][READS];
  // Lines in the order of their fills.
  line_t       turn[LINES];
  line_t       turn_first;
  // What the next new line takes, unless all are in use.
  line_t       next;
  logic [LW:0] turn_n;

  function automatic line_t next_line(line_t at, logic [LW:0] by);
    logic [LW+1:0] sum = {2'b0, at} + {1'b0, by};
    return sum >= LINES ? line_t'(sum - LINES) : line_t'(sum);
  endfunction
  function automatic logic [RW-1:0] next_read(logic [RW-1:0] at, logic [RW:0] by);
    logic [RW+1:0] sum = {2'b0, at} + {1'b0, by};
    return sum >= READS ? RW'(sum - READS) : RW'(sum);
  endfunction

  // A read leaves.
  wire line_t leaver = turn[turn_first];
  wire        leaves = turn_n != 0 && !wake_stall;
  wire        gone   = leaves && ent[leaver].n == 1;

  // A line arrives.
  wire line_t arrived = fill.line[LW-1:0];
  wire        known   = fill.line < LINES && ent[arrived].busy && !ent[arrived].filled;

  // A read is looked up, after the one that leaves.
  logic  hit, others;
  line_t at_hit, other;
  always_comb begin
    hit = 1'b0;
    others = 1'b0;
    at_hit = '0;
    other = '0;
    for (int i = LINES - 1; i >= 0; i--) begin
      if (!ent[i].busy && next != line_t'(i)) begin
        others = 1'b1;
        other = line_t'(i);
      end
      if (ent[i].busy && !(gone && leaver == line_t'(i)) && ent[i].addr == read.addr) begin
        hit = 1'b1;
        at_hit = line_t'(i);
      end
    end
  end
  wire        full    = used == LINES;
  wire        room    = !full || gone;
  wire line_t at_room = full ? leaver : next;
  wire [RW:0]   n_hit = ent[at_hit].n - (leaves && leaver == at_hit ? 1'b1 : 1'b0);
  wire [RW-1:0] first_hit = leaves && leaver == at_hit ? next_read(ent[at_hit].first, 1) : ent[at_hit].first;
  wire [RW-1:0] next_tag = next_read(first_hit, n_hit);
  wire line_t   next_turn = next_line(turn_first, turn_n);
  wire full_list = hit && n_hit == READS;
  wire accept = hit ? !full_list : room;

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      for (int i = 0; i < LINES; i++) begin
        ent[i].busy   <= 1'b0;
        ent[i].filled <= 1'b0;
      end
      turn_first <= '0;
      turn_n     <= '0;
      used       <= '0;
      next       <= '0;
    end else begin
      if (full || (read.valid && accept && !hit)) next <= others ? other : turn_n != 0 ? leaver : '0;
      if (leaves) begin
        ent[leaver].first <= next_read(ent[leaver].first, 1);
        // One write to a field in a cycle: of two, the -O3 of Verilator 5.032 loses one.
        if (!(read.valid && accept && hit && at_hit == leaver)) ent[leaver].n     <= ent[leaver].n - 1'b1;
      end
      if (gone) begin
        ent[leaver].busy   <= 1'b0;
        ent[leaver].filled <= 1'b0;
        turn_first <= next_line(turn_first, 1);
      end
      if (fill.valid && known) begin
        ent[arrived].filled <= 1'b1;
        turn[next_turn] <= arrived;
      end
      turn_n <= turn_n + (fill.valid && known ? 1'b1 : 1'b0) - (gone ? 1'b1 : 1'b0);
      if (read.valid && accept && hit) begin
        tags[at_hit][next_tag] <= read.tag;
        ent[at_hit].n <= n_hit + 1'b1;
      end else if (read.valid && accept) begin
        ent[at_room] <= '{busy: 1'b1, filled: 1'b0, addr: read.addr, first: '0, n: 1};
        tags[at_room][0] <= read.tag;
      end
      used <= used + (read.valid && accept && !hit ? 8'd1 : 8'd0) - (gone ? 8'd1 : 8'd0);
    end
  end

  // The answers, a cycle later.
  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      answer <= '0;
      wake   <= '0;
    end else begin
      answer.accept   <= accept;
      answer.merge    <= hit;
      answer.refusal  <= accept ? TAKEN : hit ? NO_READ : NO_LINE;
      answer.line     <= 8'(hit ? at_hit : at_room);
      answer.bad_fill <= fill.valid && !known;
      wake.valid      <= turn_n != 0;
      wake.tag        <= tags[leaver][ent[leaver].first];
      wake.line       <= 8'(leaver);
      wake.last       <= ent[leaver].n == 1;
    end
  end
endmodule
