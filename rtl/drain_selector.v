// SPDX-License-Identifier: Apache-2.0
// drain_selector - counts the drainable entries of each queue and selects the queue to drain.
// C twin: cmodel/drain_selector.c   Page: docs/modules/drain_selector.md   MRPB paper, 3.3 and 6.
// Timing: the policy's choice is in pick_q, found in the cycle before; only force_* is decided in
// the cycle itself. add_* and take_i act at the edge.
// Cost: QUEUES=48 DEPTH=8 POLICY=0: 2.414 ns, 85407 um2, 198 flip-flops (OSU018)
// Cost: QUEUES=48 DEPTH=8 POLICY=4: 6.231 ns, 117533 um2, 198 flip-flops (OSU018)
`default_nettype none
module drain_selector #(
  // queues of the buffer
  parameter integer QUEUES = 48,
  // entries of each queue
  parameter integer DEPTH  = 8,
  // 0 fixed order, 2 round robin, 4 longest first; 1, 3, 5 the greedy form of each
  parameter integer POLICY = 0,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY = 0
) (
  // clock
  input  wire                                          clk_i,
  // synchronous reset, active low
  input  wire                                          srst_ni,
  // one more entry of add_queue_i may be drained, from the next cycle on
  input  wire                                          add_valid_i,
  // queue of that entry
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] add_queue_i,
  // force_queue_i goes first if it has a drainable entry (flush); it need not hold until take_i
  input  wire                                          force_valid_i,
  // queue to flush
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] force_queue_i,
  // the selected entry is drained in this cycle; ignored while sel_valid_o is 0
  input  wire                                          take_i,
  // some queue has a drainable entry; it holds until take_i
  output wire                                          sel_valid_o,
  // the selected queue; may change before take_i; 0 while sel_valid_o is 0
  output wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] sel_queue_o,
  // the policy's choice, ignoring force_*; may change before take_i; 0 while sel_valid_o is 0
  output wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] pick_o,
  // the selection is the forced queue, not the policy's; may change before take_i
  output wire                                          forced_o,
  // bit q: queue q has a drainable entry at the start of the cycle
  output wire [QUEUES-1:0]                             nonempty_o,
  // add_valid_i was ignored: no such queue, or DEPTH entries counted already
  output wire                                          add_drop_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                          error_o
);
  localparam QUEUE_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;
  localparam MORE_W  = (DEPTH > 1) ? $clog2(DEPTH) : 1;

  localparam integer       LAST        = QUEUES - 1;
  localparam [QUEUE_W-1:0] QUEUE_LAST  = LAST[QUEUE_W-1:0];
  localparam integer       DEPTH_LAST  = DEPTH - 1;
  localparam [MORE_W-1:0]  MORE_LAST   = DEPTH_LAST[MORE_W-1:0];
  localparam [MORE_W-1:0]  MORE_ONE    = 1;
  localparam [QUEUES-1:0]  QUEUE_0     = 1;

  // Policies, as cmodel/ports/numbers.def has them.
  localparam integer POLICY_FIXED              = 0;
  localparam integer POLICY_ROUND_ROBIN        = 2;
  localparam integer POLICY_ROUND_ROBIN_GREEDY = 3;
  localparam integer POLICY_LONGEST            = 4;
  localparam integer POLICY_LONGEST_GREEDY     = 5;

  // Greedy forms are odd; two of the others never look at last_q.
  localparam GREEDY    = (POLICY % 2 != 0);
  localparam KEEP_LAST = (POLICY == POLICY_FIXED || POLICY == POLICY_LONGEST);

  generate
    if (QUEUES < 1 || QUEUES > 64) begin : gen_bad_queues
      ERROR_drain_selector_QUEUES_must_be_1_to_64 u_error ();
    end
    if (DEPTH < 1 || DEPTH > 64) begin : gen_bad_depth
      ERROR_drain_selector_DEPTH_must_be_1_to_64 u_error ();
    end
    if (POLICY < 0 || POLICY > 5) begin : gen_bad_policy
      ERROR_drain_selector_POLICY_must_be_0_to_5 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_drain_selector_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  (* mem2reg *) reg [MORE_W-1:0] more_q [0:QUEUES-1];
  reg [QUEUES-1:0]  nonempty_q;
  reg [QUEUE_W-1:0] pick_q;
  reg [QUEUE_W-1:0] last_q;
  reg               hold_q;

  // Selection. The policy's choice is in a register, so that only a flush is decided in the cycle.
  // A queue number that is too large is shifted out: it decodes to nothing.
  wire [QUEUES-1:0] add_bit   = QUEUE_0 << add_queue_i;
  wire [QUEUES-1:0] force_bit = QUEUE_0 << force_queue_i;
  wire [QUEUES-1:0] pick_bit  = QUEUE_0 << pick_q;

  assign nonempty_o  = nonempty_q;
  assign sel_valid_o = |nonempty_q;
  assign forced_o    = force_valid_i && (|(force_bit & nonempty_q));
  assign pick_o      = pick_q;
  assign sel_queue_o = forced_o ? force_queue_i : pick_q;

  // Every counter steps by itself, under its own bit.
  wire              take = take_i && sel_valid_o;
  wire              policy_take = take && !forced_o;
  wire [QUEUES-1:0] room;
  wire [QUEUES-1:0] single;
  wire [QUEUES-1:0] up   = add_valid_i ? add_bit & room : {QUEUES{1'b0}};
  wire [QUEUES-1:0] down = !take ? {QUEUES{1'b0}} : forced_o ? force_bit : pick_bit;
  assign add_drop_o = add_valid_i && !(|(add_bit & room));

  wire [QUEUES-1:0] nonempty_d = up | (nonempty_q & ~(down & single));
  genvar g;
  generate
    for (g = 0; g < QUEUES; g = g + 1) begin : gen_queue
      assign single[g] = (more_q[g] == {MORE_W{1'b0}});
      assign room[g]   = (more_q[g] != MORE_LAST) || !nonempty_q[g];
    end
  endgenerate

  // `rise` and `fall` are the bits that a step turns over: known early, and gated by what is late.
  // The first entry of a queue, when it comes and when it goes, is told by nonempty_q alone.
  function automatic [MORE_W-1:0] step(input [MORE_W-1:0] more, input first, input last,
                                       input grow, input shrink);
    reg [MORE_W-1:0] rise;
    reg [MORE_W-1:0] fall;
    begin
      rise = first ? {MORE_W{1'b0}} : more ^ (more + MORE_ONE);
      fall = last ? {MORE_W{1'b0}} : more ^ (more - MORE_ONE);
      step = more ^ (({MORE_W{grow && !shrink}} & rise) | ({MORE_W{shrink && !grow}} & fall));
    end
  endfunction

  // The policy's choice in the next cycle: found for every way in which this cycle can end, from
  // registers and add_* alone; the take and the force, which are late, pick one of the answers.
  wire [QUEUES-1:0] with_pick    = nonempty_q | up;
  wire [QUEUES-1:0] without_pick = with_pick & ~pick_bit;
  wire              add_pick     = add_valid_i && (add_queue_i == pick_q) && (DEPTH > 1);
  wire              last_entry   = (|(pick_bit & single)) && !add_pick;
  wire              force_pick   = (force_queue_i == pick_q);
  wire              pick_gone    = take && (!forced_o || force_pick) && last_entry;
  wire [QUEUE_W-1:0] base_d;
  generate
    if (POLICY == POLICY_ROUND_ROBIN || POLICY == POLICY_ROUND_ROBIN_GREEDY) begin : gen_round_robin
      wire               other_any;
      wire [1:0]         unused_any;
      wire [QUEUE_W-1:0] other;
      wire [QUEUE_W-1:0] keep;
      wire [QUEUE_W-1:0] gone;
      round_robin #(.WIDTH(QUEUES)) u_other (
        .req_i  (without_pick),
        .last_i (pick_q),
        .any_o  (other_any),
        .index_o(other)
      );
      round_robin #(.WIDTH(QUEUES)) u_keep (
        .req_i  (with_pick),
        .last_i (last_q),
        .any_o  (unused_any[0]),
        .index_o(keep)
      );
      round_robin #(.WIDTH(QUEUES)) u_gone (
        .req_i  (without_pick),
        .last_i (last_q),
        .any_o  (unused_any[1]),
        .index_o(gone)
      );
      wire [QUEUE_W-1:0] next = other_any ? other : last_entry ? {QUEUE_W{1'b0}} : pick_q;
      assign base_d = policy_take ? next : pick_gone ? gone : keep;
    end else if (POLICY == POLICY_LONGEST || POLICY == POLICY_LONGEST_GREEDY) begin : gen_longest_first
      localparam KEY_W = MORE_W + 1;  // in the order of the counts
      wire                    unused_sets = &{1'b0, with_pick, without_pick};
      wire [QUEUES*KEY_W-1:0] key_d;
      for (g = 0; g < QUEUES; g = g + 1) begin : gen_count
        assign key_d[g*KEY_W+:KEY_W] =
            {nonempty_d[g], step(more_q[g], !nonempty_q[g], single[g], up[g], down[g])};
      end
      longest_first #(.QUEUES(QUEUES), .COUNT_W(KEY_W)) u_longest_first (
        .counts_i(key_d),
        .index_o (base_d)
      );
    end else begin : gen_fixed_order
      wire [1:0]         unused_any;
      wire [QUEUE_W-1:0] keep;
      wire [QUEUE_W-1:0] gone;
      priority_encoder #(.WIDTH(QUEUES)) u_keep (
        .req_i  (with_pick),
        .any_o  (unused_any[0]),
        .index_o(keep)
      );
      priority_encoder #(.WIDTH(QUEUES)) u_gone (
        .req_i  (without_pick),
        .any_o  (unused_any[1]),
        .index_o(gone)
      );
      assign base_d = pick_gone ? gone : keep;
    end
  endgenerate

  // A greedy form stays with a queue that is not empty yet; while hold_q, pick_q is last_q.
  wire               stay   = GREEDY && (hold_q || policy_take) && !pick_gone;
  wire [QUEUE_W-1:0] pick_d = stay ? pick_q : base_d;
  wire [QUEUE_W-1:0] last_d = (policy_take && !KEEP_LAST) ? pick_q : last_q;

  integer i;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      for (i = 0; i < QUEUES; i = i + 1) more_q[i] <= {MORE_W{1'b0}};
      nonempty_q <= {QUEUES{1'b0}};
      pick_q     <= {QUEUE_W{1'b0}};
      last_q     <= QUEUE_LAST;
      hold_q     <= 1'b0;
    end else begin
      for (i = 0; i < QUEUES; i = i + 1)
        more_q[i] <= step(more_q[i], !nonempty_q[i], single[i], up[i], down[i]);
      nonempty_q <= nonempty_d;
      pick_q     <= pick_d;
      last_q     <= last_d;
      hold_q     <= stay;
    end
  end

  // Parity: a bit for each register, written with it. All of them are checked in every cycle.
  generate
    if (PARITY != 0) begin : gen_parity
      reg  [3:0]        state_par_q;
      reg  [QUEUES-1:0] more_par_q;
      wire [QUEUES-1:0] more_now;
      for (g = 0; g < QUEUES; g = g + 1) begin : gen_now
        assign more_now[g] = ^more_q[g];
      end
      integer k;
      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? {stay, ^last_d, ^pick_d, ^nonempty_d} : {1'b0, ^QUEUE_LAST, 2'b00};
        for (k = 0; k < QUEUES; k = k + 1)
          more_par_q[k] <=
              srst_ni && (^step(more_q[k], !nonempty_q[k], single[k], up[k], down[k]));
      end
      assign error_o = (state_par_q != {hold_q, ^last_q, ^pick_q, ^nonempty_q})
                    || (more_par_q != more_now);
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate
endmodule
`default_nettype wire
