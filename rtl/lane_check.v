// SPDX-License-Identifier: Apache-2.0
// lane_check - checks a PRT's surroundings: each lane is issued once and answered once.
// C twin: cmodel/lane_check.c   Page: docs/modules/lane_check.md
// Timing: combinational answers; a reply, an allocation and an issue a cycle, in this order.
`default_nettype none
module lane_check #(
  // entries of the table
  parameter integer ENTRIES = 44,
  // lanes of a warp
  parameter integer LANES   = 32
) (
  // clock
  input  wire                                            clk_i,
  // synchronous reset, active low
  input  wire                                            srst_ni,
  // an entry is allocated in this cycle
  input  wire                                            alloc_valid_i,
  // that entry
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] alloc_entry_i,
  // its lanes
  input  wire [LANES-1:0]                                alloc_mask_i,
  // a request of entry issue_entry_i is sent
  input  wire                                            issue_valid_i,
  // its entry; may be the one allocated in this cycle
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] issue_entry_i,
  // the lanes that it serves
  input  wire [LANES-1:0]                                issue_mask_i,
  // the reply to one request has arrived
  input  wire                                            reply_valid_i,
  // its entry
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] reply_entry_i,
  // the lanes that it serves
  input  wire [LANES-1:0]                                reply_mask_i,
  // issue_valid_i names lanes of a live entry that were not issued before
  output wire                                            issue_ok_o,
  // reply_valid_i names lanes of a live entry that await data
  output wire                                            reply_ok_o
);
  localparam ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam PEND_W  = $clog2(LANES + 1);

  localparam [ENTRY_W:0]  ENTRY_COUNT = ENTRIES[ENTRY_W:0];
  localparam [PEND_W-1:0] PEND_ONE    = 1;
  localparam [LANES-1:0]  NO_LANES    = 0;

  generate
    if (ENTRIES < 1 || ENTRIES > 512) begin : gen_bad_entries
      ERROR_lane_check_ENTRIES_must_be_1_to_512 u_error ();
    end
    if (LANES < 1 || LANES > 32) begin : gen_bad_lanes
      ERROR_lane_check_LANES_must_be_1_to_32 u_error ();
    end
  endgenerate

  reg [ENTRIES-1:0] live_q;
  (* mem2reg *) reg [LANES-1:0]  todo_q [0:ENTRIES-1];
  (* mem2reg *) reg [LANES-1:0]  wait_q [0:ENTRIES-1];
  (* mem2reg *) reg [PEND_W-1:0] pend_q [0:ENTRIES-1];

  // Reply.
  wire              reply_exists = ({1'b0, reply_entry_i} < ENTRY_COUNT);
  wire              reply_live   = reply_exists && live_q[reply_entry_i];
  wire [LANES-1:0]  reply_wait   = reply_live ? wait_q[reply_entry_i] : NO_LANES;
  wire [PEND_W-1:0] reply_pend   = reply_live ? pend_q[reply_entry_i] : {PEND_W{1'b0}};
  assign reply_ok_o = reply_valid_i && (reply_mask_i != NO_LANES)
                   && ((reply_mask_i & ~reply_wait) == NO_LANES)
                   && ((reply_pend == PEND_ONE) == (reply_mask_i == reply_wait));

  // Allocate.
  wire alloc = alloc_valid_i && ({1'b0, alloc_entry_i} < ENTRY_COUNT);

  // Issue, of what the reply and the allocation leave.
  wire              issue_exists = ({1'b0, issue_entry_i} < ENTRY_COUNT);
  wire              issue_new    = alloc_valid_i && (issue_entry_i == alloc_entry_i);
  wire              issue_reply  = reply_ok_o && (issue_entry_i == reply_entry_i);
  wire              issue_live   = issue_exists && live_q[issue_entry_i];
  wire [LANES-1:0]  old_todo     = issue_live ? todo_q[issue_entry_i] : NO_LANES;
  wire [LANES-1:0]  old_wait     = issue_live ? wait_q[issue_entry_i] : NO_LANES;
  wire [PEND_W-1:0] old_pend     = issue_live ? pend_q[issue_entry_i] : {PEND_W{1'b0}};
  wire [LANES-1:0]  issue_todo   = issue_new ? alloc_mask_i : old_todo;
  wire [LANES-1:0]  issue_wait   = issue_new ? NO_LANES
                                 : issue_reply ? old_wait & ~reply_mask_i : old_wait;
  wire [PEND_W-1:0] issue_pend   = issue_new ? {PEND_W{1'b0}}
                                 : issue_reply ? old_pend - PEND_ONE : old_pend;
  assign issue_ok_o = issue_valid_i && issue_exists && (issue_mask_i != NO_LANES)
                   && ((issue_mask_i & ~issue_todo) == NO_LANES);

  always @(posedge clk_i) begin
    if (!srst_ni)    live_q <= {ENTRIES{1'b0}};
    else if (alloc) live_q[alloc_entry_i] <= 1'b1;
  end

  // Later assignments win: an issue builds on what the reply and the allocation leave.
  always @(posedge clk_i) begin
    if (srst_ni) begin
      if (reply_ok_o) begin
        wait_q[reply_entry_i] <= reply_wait & ~reply_mask_i;
        pend_q[reply_entry_i] <= reply_pend - PEND_ONE;
      end
      if (alloc) begin
        todo_q[alloc_entry_i] <= alloc_mask_i;
        wait_q[alloc_entry_i] <= NO_LANES;
        pend_q[alloc_entry_i] <= {PEND_W{1'b0}};
      end
      if (issue_ok_o) begin
        todo_q[issue_entry_i] <= issue_todo & ~issue_mask_i;
        wait_q[issue_entry_i] <= issue_wait | issue_mask_i;
        pend_q[issue_entry_i] <= issue_pend + PEND_ONE;
      end
    end
  end

`ifndef SYNTHESIS
  // Reset does not clear these memories, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    for (w = 0; w < ENTRIES; w = w + 1) begin
      todo_q[w] = NO_LANES;
      wait_q[w] = NO_LANES;
      pend_q[w] = {PEND_W{1'b0}};
    end
  end
`endif
endmodule
`default_nettype wire
