// SPDX-License-Identifier: Apache-2.0
// The same table once more, as a third designer has it: what a slot holds, the list of its readers and the queue of arrivals
// are modules of their own; a synchronous active-low reset; each answer goes through two registers, so two cycles later.
// A slot knows that it is free, not that it is used. Only what Yosys and Icarus read.

// Slots: free or not, arrived or not, and the line of each.
module slot_tags #(
    parameter ENTRIES = 16,
    parameter LINE_W = 32,
    parameter SW = 4
) (
    input  logic              clk,
    input  logic              resetn,
    input  logic              take,
    input  logic [SW-1:0]     take_slot,
    input  logic [LINE_W-1:0] line,
    input  logic              arrive,
    input  logic [SW-1:0]     arrive_slot,
    input  logic              leave,
    input  logic [SW-1:0]     leave_slot,
    output logic              hit,
    output logic [SW-1:0]     hit_slot,
    output logic              room,
    output logic [SW-1:0]     room_slot,
    output logic              known
);
  // {arrived, free} of each slot, beside each other
  logic [2*ENTRIES-1:0] state;
  logic [LINE_W-1:0]    lines[0:ENTRIES-1];
  // The slot of the next new line, unless none is free
  logic [SW-1:0]        next, other;
  logic                 others, none;
  integer               i;

  assign known = arrive_slot < ENTRIES && state[2*arrive_slot+:2] == 2'b00;

  always_comb begin
    hit = 1'b0;
    none = 1'b1;
    others = 1'b0;
    hit_slot = 0;
    other = 0;
    for (i = ENTRIES - 1; i >= 0; i = i - 1) begin
      if (state[2*i]) begin
        none = 1'b0;
        if (next != i) begin
          others = 1'b1;
          other = i;
        end
      end else if (!(leave && leave_slot == i) && lines[i] == line) begin
        hit = 1'b1;
        hit_slot = i;
      end
    end
  end
  assign room = !none || leave;
  assign room_slot = none ? leave_slot : next;

  always_ff @(posedge clk) begin
    if (!resetn) begin
      state <= {ENTRIES{2'b01}};
      next <= 0;
    end else begin
      if (none || take) next <= others ? other : leave_slot;
      if (leave) state[2*leave_slot+:2] <= 2'b01;
      if (arrive && known) state[2*arrive_slot+1] <= 1'b1;
      if (take) begin
        state[2*take_slot+:2] <= 2'b00;
        lines[take_slot] <= line;
      end
    end
  end
endmodule

// Who waits for a slot: rings in one memory; {oldest, how many} of a slot in one word.
module slot_readers #(
    parameter ENTRIES = 16,
    parameter DEPTH = 4,
    parameter DATA_W = 16,
    parameter SW = 4,
    parameter PW = (DEPTH > 1) ? $clog2(DEPTH) : 1,
    parameter NW = $clog2(DEPTH + 1)
) (
    input  logic              clk,
    input  logic              resetn,
    input  logic              first,
    input  logic              more,
    input  logic [SW-1:0]     slot,
    input  logic [DATA_W-1:0] who,
    input  logic              pop,
    input  logic [SW-1:0]     pop_slot,
    output logic              full,
    output logic [DATA_W-1:0] oldest,
    output logic              last
);
  logic [PW+NW-1:0]  ring[0:ENTRIES-1];
  logic [DATA_W-1:0] memory[0:ENTRIES*DEPTH-1];

  function automatic [PW-1:0] step(input [PW-1:0] at, input [NW-1:0] by);
    logic [NW:0] sum;
    begin
      sum = at + by;
      step = sum >= DEPTH ? sum - DEPTH : sum;
    end
  endfunction

  wire [PW-1:0] pop_at = ring[pop_slot][PW+NW-1:NW];
  wire [NW-1:0] pop_n = ring[pop_slot][NW-1:0];
  assign oldest = memory[pop_slot*DEPTH+pop_at];
  assign last = pop_n == 1;

  wire          same = pop && pop_slot == slot;
  wire [NW-1:0] n = ring[slot][NW-1:0] - same;
  wire [PW-1:0] at = same ? step(pop_at, 1) : ring[slot][PW+NW-1:NW];
  wire [PW-1:0] next = step(at, n);
  assign full = n == DEPTH;

  always_ff @(posedge clk) begin
    if (resetn) begin
      if (pop) ring[pop_slot] <= {step(pop_at, 1), pop_n - 1'b1};
      if (more) begin
        ring[slot] <= {at, n + 1'b1};
        memory[slot*DEPTH+next] <= who;
      end
      if (first) begin
        ring[slot] <= {{PW{1'b0}}, {{NW - 1{1'b0}}, 1'b1}};
        memory[slot*DEPTH] <= who;
      end
    end
  end
endmodule

// Slots in the order in which their lines arrived: the first of them stands in place 0, the others move up.
module slot_queue #(
    parameter ENTRIES = 16,
    parameter SW = 4,
    parameter NW = 5
) (
    input  logic          clk,
    input  logic          resetn,
    input  logic          push,
    input  logic [SW-1:0] push_slot,
    input  logic          pop,
    output logic          any,
    output logic [SW-1:0] head
);
  logic [SW-1:0] place[0:ENTRIES-1];
  logic [NW-1:0] n;
  integer        i;
  assign any = n != 0;
  assign head = place[0];
  always_ff @(posedge clk) begin
    if (!resetn) begin
      n <= 0;
    end else begin
      n <= n + push - pop;
      for (i = 0; i < ENTRIES; i = i + 1) begin
        if (pop && i + 1 < ENTRIES) place[i] <= place[i+1];
        if (push && i == n - pop) place[i] <= push_slot;
      end
    end
  end
endmodule

module slot_table #(
    parameter ENTRIES = 16,
    parameter DEPTH = 4,
    parameter LINE_W = 32,
    parameter DATA_W = 16,
    parameter SW = (ENTRIES > 1) ? $clog2(ENTRIES) : 1,
    parameter NW = $clog2(ENTRIES + 1)
) (
    input  logic                     clk,
    input  logic                     resetn,
    input  logic                     rd,
    input  logic [LINE_W+DATA_W-1:0] rd_who_line,
    input  logic                     mem,
    input  logic [7:0]               mem_slot,
    input  logic                     take,
    // full, no room, merges, slot
    output logic [SW+2:0]            said,
    output logic                     stray,
    output logic                     reply,
    output logic [DATA_W-1:0]        reply_who,
    output logic [SW:0]              reply_slot,
    output logic [NW-1:0]            free
);
  wire hit, room, known, any, full, last;
  wire [SW-1:0] hit_slot, room_slot, head;
  wire [DATA_W-1:0] oldest;
  wire pop = any && take;
  wire leave = pop && last;
  wire open = rd && !hit && room;
  wire join_ = rd && hit && !full;
  // Lines go in the low bits, whoever waits above.
  wire [LINE_W-1:0] line = rd_who_line[LINE_W-1:0];
  wire [DATA_W-1:0] who = rd_who_line[LINE_W+DATA_W-1:LINE_W];
  wire in_range = mem_slot < ENTRIES;

  slot_tags #(.ENTRIES(ENTRIES), .LINE_W(LINE_W), .SW(SW)) u_tags (
      .clk(clk), .resetn(resetn), .take(open), .take_slot(room_slot), .line(line),
      .arrive(mem && in_range), .arrive_slot(mem_slot[SW-1:0]), .leave(leave), .leave_slot(any ? head : {SW{1'b0}}), .hit(hit),
      .hit_slot(hit_slot), .room(room), .room_slot(room_slot), .known(known));
  slot_readers #(.ENTRIES(ENTRIES), .DEPTH(DEPTH), .DATA_W(DATA_W), .SW(SW)) u_readers (
      .clk(clk), .resetn(resetn), .first(open), .more(join_), .slot(hit ? hit_slot : room_slot), .who(who),
      .pop(pop), .pop_slot(head), .full(full), .oldest(oldest), .last(last));
  slot_queue #(.ENTRIES(ENTRIES), .SW(SW), .NW(NW)) u_queue (
      .clk(clk), .resetn(resetn), .push(mem && in_range && known), .push_slot(mem_slot[SW-1:0]), .pop(leave),
      .any(any), .head(head));

  always_ff @(posedge clk) begin
    if (!resetn) free <= ENTRIES;
    else free <= free - open + leave;
  end

  // Two cycles: what is said now, and what was.
  logic [SW+2:0]     said_1;
  logic              stray_1, reply_1;
  logic [DATA_W-1:0] reply_who_1;
  logic [SW:0]       reply_slot_1;
  always_ff @(posedge clk) begin
    said_1 <= {hit && full, !hit && !room, hit, hit ? hit_slot : room_slot};
    stray_1 <= mem && !(in_range && known);
    reply_1 <= any;
    reply_who_1 <= oldest;
    reply_slot_1 <= {head, last};
    said <= said_1;
    stray <= stray_1;
    reply <= reply_1;
    reply_who <= reply_who_1;
    reply_slot <= reply_slot_1;
  end
endmodule
