// SPDX-License-Identifier: Apache-2.0
// prt - pending request table: an entry for each warp memory instruction with requests outstanding.
// C twin: cmodel/prt.c   Page: docs/modules/prt.md   Lashgar et al., section 2.2.
// Timing: a reply, a release, an allocation and an issue a cycle, in this order within the cycle: the
// entry that is released can be allocated, and an issue can name the entry that is allocated.
// Cost: ENTRIES=16 LANES=32: 3.891 ns, 525488 um2, 1141 flip-flops (OSU018)
`default_nettype none
module prt #(
  // warp memory instructions that may be outstanding
  parameter integer ENTRIES  = 44,
  // lanes of a warp
  parameter integer LANES    = 32,
  // bits of a lane's offset within its memory block
  parameter integer OFFSET_W = 7,
  // bits stored for the instruction (warp, register)
  parameter integer TAG_W    = 16,
  // 0 an entry is free once its last reply has arrived (Kepler), 1 entries are released in the
  // order of their allocation (Hopper)
  parameter integer ORDER    = 0
) (
  // clock
  input  wire                                            clk_i,
  // synchronous reset, active low
  input  wire                                            rst_ni,
  // reserve an entry for a warp memory instruction
  input  wire                                            alloc_valid_i,
  // tag to store for it
  input  wire [TAG_W-1:0]                                alloc_tag_i,
  // its lanes; must not be 0
  input  wire [LANES-1:0]                                alloc_mask_i,
  // offset of each lane, lane 0 lowest
  input  wire [LANES*OFFSET_W-1:0]                       alloc_offset_i,
  // one coalesced request of entry issue_entry_i is sent
  input  wire                                            issue_valid_i,
  // its entry; may be the one allocated in this cycle
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] issue_entry_i,
  // the lanes that it serves
  input  wire [LANES-1:0]                                issue_mask_i,
  // the reply to one request has arrived
  input  wire                                            reply_valid_i,
  // entry number that travelled with it
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] reply_entry_i,
  // lane mask that travelled with it
  input  wire [LANES-1:0]                                reply_mask_i,
  // an allocation with alloc_mask_i would be accepted in this cycle
  output wire                                            alloc_ready_o,
  // ORDER 0: the lowest free entry, 1: the next of the ring; 0 while alloc_ready_o is 0
  output wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] alloc_entry_o,
  // issue_valid_i names lanes of a live entry that were not issued before
  output wire                                            issue_ok_o,
  // reply_valid_i names lanes of a live entry that await data
  output wire                                            reply_ok_o,
  // the instruction's tag; 0 while reply_ok_o is 0
  output wire [TAG_W-1:0]                                reply_tag_o,
  // offsets of the lanes in reply_mask_i; 0 elsewhere and while reply_ok_o is 0
  output wire [LANES*OFFSET_W-1:0]                       reply_offset_o,
  // this reply is the instruction's last
  output wire                                            last_o,
  // an entry is released: with ORDER 0 that of last_o, with ORDER 1 the oldest
  output wire                                            release_o,
  // entries in use at the start of the cycle, including those that only wait for release
  output wire [$clog2(ENTRIES+1)-1:0]                    count_o
);
  localparam ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam COUNT_W = $clog2(ENTRIES + 1);
  localparam PEND_W  = $clog2(LANES + 1);

  localparam [ENTRY_W:0]   ENTRY_COUNT = ENTRIES[ENTRY_W:0];
  localparam [COUNT_W-1:0] COUNT_ONE   = 1;
  localparam [PEND_W-1:0]  PEND_ONE    = 1;
  localparam [LANES-1:0]   NO_LANES    = 0;
  localparam [ENTRIES-1:0] BIT_ONE     = 1;

  generate
    if (ENTRIES < 1 || ENTRIES > 512) begin : gen_bad_entries
      ERROR_prt_ENTRIES_must_be_1_to_512 u_error ();
    end
    if (LANES < 1 || LANES > 32) begin : gen_bad_lanes
      ERROR_prt_LANES_must_be_1_to_32 u_error ();
    end
    if (OFFSET_W < 1 || OFFSET_W > 8) begin : gen_bad_offset_w
      ERROR_prt_OFFSET_W_must_be_1_to_8 u_error ();
    end
    if (TAG_W < 1 || TAG_W > 64) begin : gen_bad_tag_w
      ERROR_prt_TAG_W_must_be_1_to_64 u_error ();
    end
    if (ORDER < 0 || ORDER > 1) begin : gen_bad_order
      ERROR_prt_ORDER_must_be_0_to_1 u_error ();
    end
  endgenerate

  reg [ENTRIES-1:0]        valid_q;
  reg [TAG_W-1:0]          tag_q [0:ENTRIES-1];
  reg [LANES*OFFSET_W-1:0] offset_q [0:ENTRIES-1];
  (* mem2reg *) reg [LANES-1:0]  todo_q [0:ENTRIES-1];
  (* mem2reg *) reg [LANES-1:0]  wait_q [0:ENTRIES-1];
  (* mem2reg *) reg [PEND_W-1:0] pend_q [0:ENTRIES-1];
  reg [COUNT_W-1:0]        count_q;
  reg [ENTRY_W-1:0]        head_q;

  assign count_o = count_q;

  // 1. Reply and release. The last request on its way brings all that is awaited, an earlier one
  // never does.
  wire              reply_any    = reply_valid_i && (reply_mask_i != NO_LANES);
  wire              reply_exists = ({1'b0, reply_entry_i} < ENTRY_COUNT);
  wire [LANES-1:0]  reply_todo   = reply_exists ? todo_q[reply_entry_i] : NO_LANES;
  wire [LANES-1:0]  reply_awaits = reply_exists ? wait_q[reply_entry_i] : NO_LANES;
  wire [PEND_W-1:0] reply_pends  = reply_exists ? pend_q[reply_entry_i] : {PEND_W{1'b0}};
  wire              reply_single = (reply_pends == PEND_ONE);
  assign reply_ok_o = reply_any && reply_exists && valid_q[reply_entry_i]
                   && ((reply_mask_i & ~reply_awaits) == NO_LANES)
                   && (reply_pends != {PEND_W{1'b0}})
                   && (reply_single == (reply_mask_i == reply_awaits));
  assign last_o     = reply_ok_o && reply_single && (reply_todo == NO_LANES);

  wire [LANES*OFFSET_W-1:0] offset_mask;
  genvar g;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_lane
      assign offset_mask[g*OFFSET_W+:OFFSET_W] = {OFFSET_W{reply_mask_i[g]}};
    end
  endgenerate
  assign reply_tag_o    = reply_ok_o ? tag_q[reply_entry_i] : {TAG_W{1'b0}};
  assign reply_offset_o = reply_ok_o ? offset_q[reply_entry_i] & offset_mask
                                     : {(LANES * OFFSET_W) {1'b0}};

  // The entry that is released, and the one to be allocated after that: the oldest and the one
  // behind the youngest, or that of the last reply and the lowest that is free. Both candidates are
  // known early; late comes only which one it is (`again`: the one that is released).
  wire               old_space;      // there is an entry for an allocation without the release
  wire               again;
  wire [ENTRY_W-1:0] old_entry;
  wire [ENTRY_W-1:0] release_entry;
  wire [ENTRY_W-1:0] head_d;
  generate
    if (ORDER != 0) begin : gen_ring
      localparam integer       LAST       = ENTRIES - 1;
      localparam [ENTRY_W-1:0] ENTRY_LAST = LAST[ENTRY_W-1:0];
      localparam [ENTRY_W-1:0] ENTRY_ONE  = 1;
      localparam [COUNT_W-1:0] COUNT_FULL = ENTRIES[COUNT_W-1:0];
      localparam [COUNT_W:0]   RING       = ENTRIES[COUNT_W:0];

      wire head_done = valid_q[head_q] && (todo_q[head_q] == NO_LANES)
                    && (pend_q[head_q] == {PEND_W{1'b0}});
      assign release_entry = head_q;
      assign release_o     = head_done || (last_o && (reply_entry_i == head_q));
      assign head_d        = !release_o ? head_q
                           : (head_q == ENTRY_LAST) ? {ENTRY_W{1'b0}} : head_q + ENTRY_ONE;

      wire [COUNT_W:0] sum  = {1'b0, count_q} + {{(COUNT_W + 1 - ENTRY_W) {1'b0}}, head_q};
      wire [COUNT_W:0] tail = (sum >= RING) ? sum - RING : sum;
      wire unused_tail = &{1'b0, tail};
      assign old_entry = tail[ENTRY_W-1:0];
      assign old_space = (count_q != COUNT_FULL);
      assign again     = !old_space && release_o;
    end else begin : gen_lowest
      assign release_entry = reply_entry_i;
      assign release_o     = last_o;
      assign head_d        = head_q;
      priority_encoder #(.WIDTH(ENTRIES)) u_free (
        .req_i  (~valid_q),
        .any_o  (old_space),
        .index_o(old_entry)
      );
      wire lower = !old_space || (reply_entry_i < old_entry);
      assign again = last_o && lower;
    end
  endgenerate
  wire               space      = old_space || release_o;
  wire [ENTRY_W-1:0] free_entry = again ? release_entry : old_entry;
  wire [ENTRIES-1:0] released   = release_o ? BIT_ONE << release_entry : {ENTRIES{1'b0}};

  // 2. Allocate.
  wire lanes = (alloc_mask_i != NO_LANES);
  assign alloc_ready_o = space && lanes;
  assign alloc_entry_o = alloc_ready_o ? free_entry : {ENTRY_W{1'b0}};
  wire allocate    = alloc_valid_i && alloc_ready_o;
  wire alloc_old   = alloc_valid_i && lanes && old_space && !again;
  wire alloc_again = alloc_valid_i && lanes && again;

  // 3. Issue, for an entry that was there or for the one just allocated. An entry that is released
  // has no lanes to issue, so that the release need not be known.
  wire              issue_exists = ({1'b0, issue_entry_i} < ENTRY_COUNT);
  wire [LANES-1:0]  issue_todo   = issue_exists ? todo_q[issue_entry_i] : NO_LANES;
  wire [LANES-1:0]  issue_wait   = issue_exists ? wait_q[issue_entry_i] : NO_LANES;
  wire [PEND_W-1:0] issue_pend   = issue_exists ? pend_q[issue_entry_i] : {PEND_W{1'b0}};
  wire              issue_any    = issue_valid_i && (issue_mask_i != NO_LANES);
  wire              issue_old    = issue_any && issue_exists && valid_q[issue_entry_i]
                                && ((issue_mask_i & ~issue_todo) == NO_LANES);
  wire              may_new      = issue_any && ((issue_mask_i & ~alloc_mask_i) == NO_LANES);
  wire              into_old     = may_new && (issue_entry_i == old_entry);
  wire              into_again   = may_new && (issue_entry_i == release_entry);
  assign issue_ok_o = issue_old || (alloc_old && into_old) || (alloc_again && into_again);

  // What the reply makes of its entry, and whether that is the one issued for.
  wire [LANES-1:0]  reply_wait  = reply_awaits & ~reply_mask_i;
  wire [PEND_W-1:0] reply_pend  = reply_pends - PEND_ONE;
  wire              issue_reply = reply_ok_o && (issue_entry_i == reply_entry_i);
  wire [LANES-1:0]  issue_open  = issue_reply ? issue_wait & ~reply_mask_i : issue_wait;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= {ENTRIES{1'b0}};
      count_q <= {COUNT_W{1'b0}};
      head_q  <= {ENTRY_W{1'b0}};
    end else begin
      valid_q <= (valid_q & ~released) | (alloc_old ? BIT_ONE << old_entry : {ENTRIES{1'b0}})
                                       | (alloc_again ? BIT_ONE << release_entry : {ENTRIES{1'b0}});
      if (allocate && !release_o) count_q <= count_q + COUNT_ONE;
      if (!allocate && release_o) count_q <= count_q - COUNT_ONE;
      head_q <= head_d;
    end
  end

  // Later assignments win: an issue builds on what the reply makes of its entry, and what is
  // allocated was not in use, or is the entry that has just had its last reply.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      if (reply_ok_o) begin
        wait_q[reply_entry_i] <= reply_wait;
        pend_q[reply_entry_i] <= reply_pend;
      end
      if (issue_old) begin
        todo_q[issue_entry_i] <= issue_todo & ~issue_mask_i;
        wait_q[issue_entry_i] <= issue_open | issue_mask_i;
        pend_q[issue_entry_i] <= issue_reply ? issue_pend : issue_pend + PEND_ONE;
      end
      if (alloc_old) begin
        todo_q[old_entry] <= into_old ? alloc_mask_i & ~issue_mask_i : alloc_mask_i;
        wait_q[old_entry] <= into_old ? issue_mask_i : NO_LANES;
        pend_q[old_entry] <= into_old ? PEND_ONE : {PEND_W{1'b0}};
      end
      if (alloc_again) begin
        todo_q[release_entry] <= into_again ? alloc_mask_i & ~issue_mask_i : alloc_mask_i;
        wait_q[release_entry] <= into_again ? issue_mask_i : NO_LANES;
        pend_q[release_entry] <= into_again ? PEND_ONE : {PEND_W{1'b0}};
      end
      if (allocate) begin
        tag_q[free_entry]    <= alloc_tag_i;
        offset_q[free_entry] <= alloc_offset_i;
      end
    end
  end

`ifndef SYNTHESIS
  // Reset does not clear these memories, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    for (w = 0; w < ENTRIES; w = w + 1) begin
      tag_q[w]    = {TAG_W{1'b0}};
      offset_q[w] = {(LANES * OFFSET_W) {1'b0}};
      todo_q[w]   = NO_LANES;
      wait_q[w]   = NO_LANES;
      pend_q[w]   = {PEND_W{1'b0}};
    end
  end
`endif
endmodule
`default_nettype wire
