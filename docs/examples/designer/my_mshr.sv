// SPDX-License-Identifier: Apache-2.0
// A table of outstanding misses, as a designer might have it: LINES cache lines, and up to SLOTS
// loads that wait for each. LINES and SLOTS are powers of two, 2 or more.
// The tutorial about it is docs/tutorials/designer.md.
module my_mshr #(
    parameter LINES = 8,
    parameter SLOTS = 4,
    parameter ADDR  = 25,
    parameter TAG   = 16,
    parameter ID    = $clog2(LINES)
) (
    input  logic                clk,
    input  logic                rst,
    // a load that missed: {address of its line, its tag}
    input  logic                miss_valid,
    input  logic [ADDR+TAG-1:0] miss,
    output logic                miss_ready,
    output logic                miss_hit,      // the line is outstanding already
    output logic [ID-1:0]       miss_id,       // travels to the next level and returns as refill_id
    // a line that returns
    input  logic                refill_valid,
    input  logic [ID-1:0]       refill_id,
    output logic                refill_bad,    // no load waits for it
    // a load that wakes: {its tag, its entry, it is the last one of the entry}
    output logic                wake_valid,
    output logic [TAG+ID:0]     wake,
    input  logic                wake_ready,
    output logic [ID:0]         used
);
  localparam PTR = $clog2(SLOTS);

  logic [LINES-1:0] busy;                      // the entry is in use
  logic [LINES-1:0] filled;                    // its line has returned
  logic [ADDR-1:0]  addr[0:LINES-1];
  logic [PTR:0]     loads[0:LINES-1];          // how many wait
  logic [PTR-1:0]   oldest[0:LINES-1];         // the slot of the oldest
  logic [TAG-1:0]   tags[0:LINES*SLOTS-1];     // SLOTS for each entry
  logic [ID-1:0]    queue[0:LINES-1];          // filled entries, the first one wakes its loads
  logic [ID-1:0]    queue_head;
  logic [ID:0]      queue_size;
  logic [ID-1:0]    spare;                     // a free entry, unless all are busy

  wire [ADDR-1:0] miss_addr = miss[ADDR+TAG-1:TAG];

  // The oldest load of the first filled entry wakes. The last one frees the entry, in this cycle.
  wire [ID-1:0]    front = queue[queue_head];
  wire [PTR-1:0]   start = oldest[front];
  wire             last  = loads[front] == 1;
  wire             wakes = wake_valid && wake_ready;
  wire             frees = wakes && last;
  wire [LINES-1:0] one   = 1;
  wire [LINES-1:0] live  = frees ? busy & ~(one << front) : busy;
  assign wake_valid = queue_size != 0;
  assign wake = {tags[{front, start}], front, last};

  // A line returns to an entry that waits for one.
  wire          refills = refill_valid && busy[refill_id] && !filled[refill_id];
  wire [ID-1:0] back    = queue_head + queue_size[ID-1:0];
  assign refill_bad = refill_valid && !refills;

  // A miss joins the entry of its line, or takes the spare one. Of the other free entries, the lowest
  // is then the spare one.
  logic          hit, others;
  logic [ID-1:0] hit_id, other;
  integer        i;
  always_comb begin
    hit = 1'b0;
    hit_id = 0;
    others = 1'b0;
    other = 0;
    for (i = LINES - 1; i >= 0; i = i - 1) begin
      if (live[i] && addr[i] == miss_addr) begin
        hit = 1'b1;
        hit_id = i[ID-1:0];
      end
      if (!busy[i] && i[ID-1:0] != spare) begin
        others = 1'b1;
        other = i[ID-1:0];
      end
    end
  end
  wire           full     = used[ID];
  wire [ID-1:0]  new_id   = full ? front : spare;
  wire           same     = wakes && hit_id == front;
  wire [PTR:0]   listed   = loads[hit_id];
  wire [PTR:0]   waiting  = same ? listed - 1'b1 : listed;
  wire [PTR-1:0] slot     = hit ? oldest[hit_id] + listed[PTR-1:0] : 0;
  wire           accepted = miss_valid && miss_ready;
  wire           takes    = accepted && !hit;
  assign miss_hit   = hit;
  assign miss_ready = hit ? waiting != SLOTS : !full || frees;
  assign miss_id    = hit ? hit_id : new_id;

  always_ff @(posedge clk) begin
    if (rst) begin
      busy <= 0;
      filled <= 0;
      queue_head <= 0;
      queue_size <= 0;
      used <= 0;
      spare <= 0;
    end else begin
      busy <= live;
      filled <= filled & live;
      if (wakes) begin
        oldest[front] <= oldest[front] + 1'b1;
        loads[front] <= loads[front] - 1'b1;
      end
      if (frees) queue_head <= queue_head + 1'b1;
      if (refills) begin
        filled[refill_id] <= 1'b1;
        queue[back] <= refill_id;
      end
      if (accepted) tags[{miss_id, slot}] <= miss[TAG-1:0];
      if (accepted && hit) loads[hit_id] <= waiting + 1'b1;
      if (takes) begin
        busy[new_id] <= 1'b1;
        addr[new_id] <= miss_addr;
        oldest[new_id] <= 0;
        loads[new_id] <= 1;
      end
      if (full || takes) spare <= others ? other : wake_valid ? front : 0;
      queue_size <= queue_size + {{ID{1'b0}}, refills} - {{ID{1'b0}}, frees};
      used <= used + {{ID{1'b0}}, takes} - {{ID{1'b0}}, frees};
    end
  end
endmodule
