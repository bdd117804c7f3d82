// SPDX-License-Identifier: Apache-2.0
// prt - pending request table: an entry for each warp memory instruction with requests outstanding.
// C twin: cmodel/prt.c   Page: docs/modules/prt.md   Lashgar et al., section 2.2.
// Timing: a reply, a release, an allocation and an issue a cycle, in this order within the cycle: the
// entry that is released can be allocated, and an issue can name the entry that is allocated.
`default_nettype none
module prt #(
  parameter integer ENTRIES  = 44,
  parameter integer LANES    = 32,
  parameter integer OFFSET_W = 7,
  parameter integer TAG_W    = 16,
  parameter integer ORDER    = 0
) (
  input  wire                                            clk_i,
  input  wire                                            rst_ni,
  input  wire                                            alloc_valid_i,
  input  wire [TAG_W-1:0]                                alloc_tag_i,
  input  wire [LANES-1:0]                                alloc_mask_i,
  input  wire [LANES*OFFSET_W-1:0]                       alloc_offset_i,
  input  wire                                            issue_valid_i,
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] issue_entry_i,
  input  wire [LANES-1:0]                                issue_mask_i,
  input  wire                                            reply_valid_i,
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] reply_entry_i,
  input  wire [LANES-1:0]                                reply_mask_i,
  output wire                                            alloc_ready_o,
  output wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] alloc_entry_o,
  output wire                                            issue_ok_o,
  output wire                                            reply_ok_o,
  output wire [TAG_W-1:0]                                reply_tag_o,
  output wire [LANES*OFFSET_W-1:0]                       reply_offset_o,
  output wire                                            last_o,
  output wire                                            release_o,
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
  reg [LANES-1:0]          todo_q [0:ENTRIES-1];
  reg [LANES-1:0]          wait_q [0:ENTRIES-1];
  reg [PEND_W-1:0]         pend_q [0:ENTRIES-1];
  reg [COUNT_W-1:0]        count_q;
  reg [ENTRY_W-1:0]        head_q;

  assign count_o = count_q;

  // 1. Reply and release. The last request on its way brings all that is awaited, an earlier one
  // never does.
  wire              reply_exists = ({1'b0, reply_entry_i} < ENTRY_COUNT);
  wire              reply_live   = reply_exists && valid_q[reply_entry_i];
  wire [LANES-1:0]  reply_todo   = reply_exists ? todo_q[reply_entry_i] : NO_LANES;
  wire [LANES-1:0]  reply_wait   = reply_exists ? wait_q[reply_entry_i] : NO_LANES;
  wire [PEND_W-1:0] reply_pend   = reply_exists ? pend_q[reply_entry_i] : {PEND_W{1'b0}};
  wire              reply_last   = (reply_pend == PEND_ONE);

  assign reply_ok_o = reply_valid_i && reply_live
                   && (reply_mask_i != NO_LANES) && ((reply_mask_i & ~reply_wait) == NO_LANES)
                   && (reply_pend != {PEND_W{1'b0}})
                   && (reply_last == (reply_mask_i == reply_wait));

  assign reply_tag_o = reply_ok_o ? tag_q[reply_entry_i] : {TAG_W{1'b0}};

  wire [LANES*OFFSET_W-1:0] offset_mask;
  genvar g;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_lane
      assign offset_mask[g*OFFSET_W+:OFFSET_W] = {OFFSET_W{reply_mask_i[g]}};
    end
  endgenerate
  assign reply_offset_o = reply_ok_o ? offset_q[reply_entry_i] & offset_mask
                                     : {(LANES * OFFSET_W) {1'b0}};

  assign last_o = reply_ok_o && reply_last && (reply_todo == NO_LANES);

  // The entry that is released, and the one to be allocated after that: the oldest and the one behind
  // the youngest, or that of the last reply and the lowest that is free.
  wire               space;
  wire [ENTRY_W-1:0] free_entry;
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
      assign free_entry = tail[ENTRY_W-1:0];
      assign space      = (count_q != COUNT_FULL) || release_o;
    end else begin : gen_lowest
      assign release_entry = reply_entry_i;
      assign release_o     = last_o;
      assign head_d        = head_q;

      // The search sees the entries of the start of the cycle; the one released, which is known late,
      // is compared with what it finds.
      wire               old_free;
      wire [ENTRY_W-1:0] old_entry;
      priority_encoder #(.WIDTH(ENTRIES)) u_free (
        .req_i  (~valid_q),
        .any_o  (old_free),
        .index_o(old_entry)
      );
      wire lower = !old_free || (reply_entry_i < old_entry);
      assign free_entry = (release_o && lower) ? reply_entry_i : old_entry;
      assign space      = old_free || release_o;
    end
  endgenerate
  wire [ENTRIES-1:0] released = release_o ? BIT_ONE << release_entry : {ENTRIES{1'b0}};

  // 2. Allocate.
  assign alloc_ready_o = space && (alloc_mask_i != NO_LANES);
  assign alloc_entry_o = alloc_ready_o ? free_entry : {ENTRY_W{1'b0}};
  wire allocate = alloc_valid_i && alloc_ready_o;

  // 3. Issue, for an entry that was there or for the one just allocated.
  wire              issue_exists = ({1'b0, issue_entry_i} < ENTRY_COUNT);
  wire              issue_new    = allocate && (issue_entry_i == free_entry);
  wire              issue_same   = (issue_entry_i == reply_entry_i);
  wire              issue_reply  = reply_ok_o && issue_same;
  wire              issue_old    = issue_exists && valid_q[issue_entry_i]
                                && !(release_o && (issue_entry_i == release_entry));
  wire [LANES-1:0]  issue_todo   = issue_new ? alloc_mask_i
                                 : issue_old ? todo_q[issue_entry_i] : NO_LANES;
  wire [LANES-1:0]  issue_wait   = issue_new ? NO_LANES
                                 : !issue_old ? NO_LANES
                                 : wait_q[issue_entry_i] & ~(issue_reply ? reply_mask_i : NO_LANES);
  wire [PEND_W-1:0] issue_pend   = issue_new || !issue_old ? {PEND_W{1'b0}} : pend_q[issue_entry_i];

  // What is not live has no lanes to issue, so the mask test is enough.
  assign issue_ok_o = issue_valid_i && (issue_mask_i != NO_LANES)
                   && ((issue_mask_i & ~issue_todo) == NO_LANES);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= {ENTRIES{1'b0}};
      count_q <= {COUNT_W{1'b0}};
      head_q  <= {ENTRY_W{1'b0}};
    end else begin
      valid_q <= (valid_q & ~released) | (allocate ? BIT_ONE << free_entry : {ENTRIES{1'b0}});
      if (allocate && !release_o) count_q <= count_q + COUNT_ONE;
      if (!allocate && release_o) count_q <= count_q - COUNT_ONE;
      head_q <= head_d;
    end
  end

  // Later assignments win: an issue builds on what the reply or the allocation makes of its entry.
  always @(posedge clk_i) begin
    if (rst_ni) begin
      if (reply_ok_o) begin
        wait_q[reply_entry_i] <= reply_wait & ~reply_mask_i;
        pend_q[reply_entry_i] <= reply_pend - PEND_ONE;
      end
      if (allocate) begin
        tag_q[free_entry]    <= alloc_tag_i;
        offset_q[free_entry] <= alloc_offset_i;
        todo_q[free_entry]   <= alloc_mask_i;
        wait_q[free_entry]   <= NO_LANES;
        pend_q[free_entry]   <= {PEND_W{1'b0}};
      end
      if (issue_ok_o) begin
        todo_q[issue_entry_i] <= issue_todo & ~issue_mask_i;
        wait_q[issue_entry_i] <= issue_wait | issue_mask_i;
        pend_q[issue_entry_i] <= (issue_reply && !issue_new) ? issue_pend : issue_pend + PEND_ONE;
      end
    end
  end

`ifndef SYNTHESIS
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
