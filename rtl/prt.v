// SPDX-License-Identifier: Apache-2.0
// prt - pending request table: an entry for each warp memory instruction with requests outstanding.
// C twin: cmodel/prt.c   Page: docs/modules/prt.md   Lashgar et al., section 2.2.
// Timing: a reply, a release, an allocation and an issue a cycle, in this order within the cycle: the
// entry that is released can be allocated, and an issue can name the entry that is allocated.
// Cost: ENTRIES=16 LANES=32: 3.772 ns, 113830 um2, 234 flip-flops (OSU018)
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
  parameter integer ORDER    = 0,
  // 1 with lane_check inside: requests and replies that break the rules are ignored; 0 without:
  // there are none
  parameter integer CHECK    = 0,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY   = 0
) (
  // clock
  input  wire                                            clk_i,
  // synchronous reset, active low
  input  wire                                            srst_ni,
  // reserve an entry for a warp memory instruction; it need not hold until alloc_ready_o
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
  // an allocation with alloc_mask_i would be accepted in this cycle; it holds until alloc_valid_i
  output wire                                            alloc_ready_o,
  // the entry that it would get; has no meaning otherwise
  output wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] alloc_entry_o,
  // the request is counted; with CHECK only if it keeps the rules
  output wire                                            issue_ok_o,
  // the reply is for an entry that is not complete; with CHECK only if it keeps the rules
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
  output wire [$clog2(ENTRIES+1)-1:0]                    count_o,
  // a stored bit has changed by itself, or a request names an entry that is not in use: the outputs
  // of this cycle cannot be trusted; PARITY 0: 0
  output wire                                            error_o
);
  localparam ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam COUNT_W = $clog2(ENTRIES + 1);
  localparam LANE_W  = $clog2(LANES + 1);

  localparam [ENTRY_W:0]   ENTRY_COUNT = ENTRIES[ENTRY_W:0];
  localparam [COUNT_W-1:0] COUNT_ONE   = 1;
  localparam [LANE_W-1:0]  LANE_ONE    = 1;
  localparam [LANE_W-1:0]  LANE_NONE   = 0;
  localparam [LANES-1:0]   NO_LANES    = 0;
  localparam [ENTRIES-1:0] NO_BITS     = 0;
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
    if (CHECK < 0 || CHECK > 1) begin : gen_bad_check
      ERROR_prt_CHECK_must_be_0_to_1 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_prt_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  reg [ENTRIES-1:0]        valid_q;
  reg [ENTRIES-1:0]        last_q;
  reg [ENTRIES-1:0]        done_q;
  reg [COUNT_W-1:0]        count_q;
  reg                      full_q;
  reg [ENTRY_W-1:0]        next_q;
  reg [ENTRY_W-1:0]        head_q;
  (* mem2reg *) reg [LANE_W-1:0] left_q [0:ENTRIES-1];
  (* mem2reg *) reg [LANE_W-1:0] pend_q [0:ENTRIES-1];
  reg [TAG_W-1:0]          tag_q [0:ENTRIES-1];
  reg [LANES*OFFSET_W-1:0] offset_q [0:ENTRIES-1];

  assign count_o = count_q;

  // The number of ones in a mask, as a tree of adders.
  function [LANE_W-1:0] lanes(input [LANES-1:0] mask);
    integer i;
    begin
      lanes = LANE_NONE;
      for (i = 0; i < LANES; i = i + 1) lanes = lanes + {{(LANE_W - 1) {1'b0}}, mask[i]};
    end
  endfunction

  // 1. Reply. Each entry decides by itself whether it is the one (bit e of a vector is entry e), so
  // that nothing has to be read before it is decided.
  wire               reply_allowed, issue_allowed;
  wire               reply_exists = ({1'b0, reply_entry_i} < ENTRY_COUNT);
  wire [LANE_W-1:0]  reply_left   = reply_exists ? left_q[reply_entry_i] : LANE_NONE;
  wire [LANE_W-1:0]  reply_pend   = reply_exists ? pend_q[reply_entry_i] : LANE_NONE;
  wire [ENTRIES-1:0] reply_at     = (BIT_ONE << reply_entry_i) & valid_q & ~done_q;
  wire               reply        = reply_valid_i && reply_allowed;
  wire [ENTRIES-1:0] ended        = reply ? reply_at & last_q : NO_BITS;
  assign reply_ok_o = reply && (|reply_at);
  assign last_o     = |ended;

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

  // 1. and 2. Release and allocate. Only last_o is late; what it selects is known early.
  wire               want    = alloc_valid_i && (alloc_mask_i != NO_LANES);
  wire [ENTRIES-1:0] next_at = BIT_ONE << next_q;
  wire [ENTRY_W-1:0] alloc_entry;
  wire [ENTRIES-1:0] alloc_at, released, done_d;
  wire [ENTRY_W-1:0] head_d, next_d;
  wire               issue_new;  // the issue is of the entry that may be allocated
  wire               one_free;   // no entry is free but next_q
  generate
    if (ORDER != 0) begin : gen_ring
      localparam integer       LAST       = ENTRIES - 1;
      localparam [ENTRY_W-1:0] ENTRY_LAST = LAST[ENTRY_W-1:0];
      localparam [ENTRY_W-1:0] ENTRY_ONE  = 1;
      localparam [COUNT_W-1:0] COUNT_LAST = LAST[COUNT_W-1:0];

      wire [ENTRY_W-1:0] head_inc = (head_q == ENTRY_LAST) ? {ENTRY_W{1'b0}} : head_q + ENTRY_ONE;
      wire [ENTRY_W-1:0] next_inc = (next_q == ENTRY_LAST) ? {ENTRY_W{1'b0}} : next_q + ENTRY_ONE;
      wire [ENTRIES-1:0] complete = done_q | ended;
      assign release_o   = done_q[head_q] || (last_o && (reply_entry_i == head_q));
      assign released    = complete & (BIT_ONE << head_q);
      assign alloc_entry = next_q;
      assign alloc_at    = !want ? NO_BITS : !full_q ? next_at : next_at & complete;
      assign issue_new   = (issue_entry_i == next_q);
      assign one_free    = (count_q == COUNT_LAST);
      assign head_d      = release_o ? head_inc : head_q;
      assign next_d      = (want && alloc_ready_o) ? next_inc : next_q;
      assign done_d      = complete & ~released;
    end else begin : gen_any
      // The lowest free entry but next_q, for when that one is taken.
      wire               other_free;
      wire [ENTRY_W-1:0] other;
      priority_encoder #(.WIDTH(ENTRIES)) u_other (
        .req_i  (~(valid_q | next_at)),
        .any_o  (other_free),
        .index_o(other)
      );
      assign release_o   = last_o;
      assign released    = ended;
      assign alloc_entry = full_q ? reply_entry_i : next_q;
      assign alloc_at    = !want ? NO_BITS : full_q ? ended : next_at;
      assign issue_new   = full_q ? (issue_entry_i == reply_entry_i) : (issue_entry_i == next_q);
      assign one_free    = !other_free;
      assign head_d      = head_q;
      assign next_d      = (!full_q && !want)     ? next_q
                         : (!full_q && other_free) ? other : reply_entry_i;
      assign done_d      = done_q;
    end
  endgenerate
  assign alloc_ready_o = (alloc_mask_i != NO_LANES) && (!full_q || release_o);
  assign alloc_entry_o = alloc_entry;
  wire allocate = alloc_valid_i && alloc_ready_o;

  // 3. Issue, of an entry that was there or of the one just allocated. All masks are counted before
  // it is known which count is stored.
  wire               issue_exists = ({1'b0, issue_entry_i} < ENTRY_COUNT);
  wire [LANE_W-1:0]  issue_left   = issue_exists ? left_q[issue_entry_i] : LANE_NONE;
  wire [LANE_W-1:0]  issue_pend   = issue_exists ? pend_q[issue_entry_i] : LANE_NONE;
  wire               issue_reply  = reply_ok_o && (issue_entry_i == reply_entry_i);
  wire [LANES-1:0]   others       = alloc_mask_i & ~issue_mask_i;
  wire [LANE_W-1:0]  lanes_all    = lanes(alloc_mask_i);
  wire [LANE_W-1:0]  lanes_others = lanes(others);
  wire [LANE_W-1:0]  lanes_issued = lanes(issue_mask_i);
  assign issue_ok_o = issue_valid_i && issue_exists && issue_allowed;

  generate
    if (CHECK != 0) begin : gen_check
      lane_check #(
        .ENTRIES(ENTRIES),
        .LANES  (LANES)
      ) u_lane_check (
        .clk_i        (clk_i),
        .srst_ni      (srst_ni),
        .alloc_valid_i(allocate),
        .alloc_entry_i(alloc_entry),
        .alloc_mask_i (alloc_mask_i),
        .issue_valid_i(issue_valid_i),
        .issue_entry_i(issue_entry_i),
        .issue_mask_i (issue_mask_i),
        .reply_valid_i(reply_valid_i),
        .reply_entry_i(reply_entry_i),
        .reply_mask_i (reply_mask_i),
        .issue_ok_o   (issue_allowed),
        .reply_ok_o   (reply_allowed)
      );
    end else begin : gen_trust
      assign issue_allowed = 1'b1;
      assign reply_allowed = 1'b1;
    end
  endgenerate

  // Which bits change is known before `up` and `down` are.
  function [COUNT_W-1:0] step(input [COUNT_W-1:0] count, input up, input down);
    step = count ^ (((count ^ (count + COUNT_ONE)) & {COUNT_W{up}})
                  | ((count ^ (count - COUNT_ONE)) & {COUNT_W{down}}));
  endfunction

  wire [ENTRIES-1:0] valid_d = (valid_q & ~released) | alloc_at;
  wire [COUNT_W-1:0] count_d = step(count_q, allocate && !release_o, release_o && !allocate);
  wire               full_d  = full_q ? allocate || !release_o
                                      : allocate && !release_o && one_free;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      valid_q <= NO_BITS;
      done_q  <= NO_BITS;
      count_q <= {COUNT_W{1'b0}};
      full_q  <= 1'b0;
      next_q  <= {ENTRY_W{1'b0}};
      head_q  <= {ENTRY_W{1'b0}};
    end else begin
      valid_q <= valid_d;
      done_q  <= done_d;
      count_q <= count_d;
      full_q  <= full_d;
      next_q  <= next_d;
      head_q  <= head_d;
    end
  end

  // What each of the three events makes of its entry. Later assignments win: an issue includes the
  // reply of the same cycle, and an allocation begins anew.
  wire              with_issue = issue_ok_o && issue_new;
  wire [LANE_W-1:0] alloc_left = with_issue ? lanes_others : lanes_all;
  wire [LANE_W-1:0] alloc_pend = with_issue ? LANE_ONE : LANE_NONE;
  wire              alloc_last = with_issue && (others == NO_LANES);
  wire [LANE_W-1:0] less_left  = issue_left - lanes_issued;
  wire [LANE_W-1:0] more_pend  = issue_reply ? issue_pend : issue_pend + LANE_ONE;
  wire              issue_last = (issue_left == lanes_issued)
                              && (issue_pend == (issue_reply ? LANE_ONE : LANE_NONE));
  wire [LANE_W-1:0] less_pend  = reply_pend - LANE_ONE;
  wire              reply_last = (reply_left == LANE_NONE) && (less_pend == LANE_ONE);
  always @(posedge clk_i) begin
    if (srst_ni) begin
      if (reply_ok_o) begin
        pend_q[reply_entry_i] <= less_pend;
        last_q[reply_entry_i] <= reply_last;
      end
      if (issue_ok_o) begin
        left_q[issue_entry_i] <= less_left;
        pend_q[issue_entry_i] <= more_pend;
        last_q[issue_entry_i] <= issue_last;
      end
      if (allocate) begin
        left_q[alloc_entry] <= alloc_left;
        pend_q[alloc_entry] <= alloc_pend;
        last_q[alloc_entry] <= alloc_last;
      end
      if (allocate) begin
        tag_q[alloc_entry]    <= alloc_tag_i;
        offset_q[alloc_entry] <= alloc_offset_i;
      end
    end
  end

  // Parity: a bit for each register and each word, written with it; last_q and pend_q are one word,
  // tag_q and offset_q another. What this cycle relies on must fit its bit: all registers, the words
  // of entries in use, and what a reply is given. A request of an entry that is not in use would
  // change words that are not checked.
  generate
    if (PARITY != 0) begin : gen_parity
      reg  [5:0]         state_par_q;
      reg  [ENTRIES-1:0] left_par_q, pend_par_q, tag_par_q;
      wire [ENTRIES-1:0] left_now, pend_now;
      wire [5:0] state_now = {^head_q, ^next_q, full_q, ^count_q, ^done_q, ^valid_q};
      wire [5:0] state_d   = {^head_d, ^next_d, full_d, ^count_d, ^done_d, ^valid_d};
      for (g = 0; g < ENTRIES; g = g + 1) begin : gen_now
        assign left_now[g] = ^left_q[g];
        assign pend_now[g] = ^pend_q[g] ^ last_q[g];
      end

      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? state_d : 6'd0;
        if (srst_ni) begin
          if (reply_ok_o) pend_par_q[reply_entry_i] <= ^{less_pend, reply_last};
          if (issue_ok_o) begin
            left_par_q[issue_entry_i] <= ^less_left;
            pend_par_q[issue_entry_i] <= ^{more_pend, issue_last};
          end
          if (allocate) begin
            left_par_q[alloc_entry] <= ^alloc_left;
            pend_par_q[alloc_entry] <= ^{alloc_pend, alloc_last};
            tag_par_q[alloc_entry]  <= ^{alloc_tag_i, alloc_offset_i};
          end
        end
      end

      wire [ENTRIES-1:0] issue_at = BIT_ONE << issue_entry_i;
      wire               unused_e = !(|(issue_at & valid_q)) && !(allocate && issue_new);
      wire               shown    = ^{tag_q[reply_entry_i], offset_q[reply_entry_i]};
      assign error_o = (state_now != state_par_q)
                    || |(valid_q & ((left_now ^ left_par_q) | (pend_now ^ pend_par_q)))
                    || (reply_ok_o && (shown ^ tag_par_q[reply_entry_i]))
                    || (issue_ok_o && unused_e);
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these memories, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    last_q = NO_BITS;
    for (w = 0; w < ENTRIES; w = w + 1) begin
      tag_q[w]    = {TAG_W{1'b0}};
      offset_q[w] = {(LANES * OFFSET_W) {1'b0}};
      left_q[w]   = LANE_NONE;
      pend_q[w]   = LANE_NONE;
    end
  end
`endif
endmodule
`default_nettype wire
