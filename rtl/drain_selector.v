// drain_selector - counts the drainable entries of each queue and selects the queue to drain.
// C twin: cmodel/drain_selector.c   Page: docs/modules/drain_selector.md   MRPB paper, 3.3 and 6.
// Timing: the selection follows from the registers and force_*; add_* and take_i act at the edge.
`default_nettype none
module drain_selector #(
  parameter integer QUEUES = 48,
  parameter integer DEPTH  = 8,
  parameter integer POLICY = 0
) (
  input  wire                                          clk_i,
  input  wire                                          rst_ni,
  input  wire                                          add_valid_i,
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] add_queue_i,
  input  wire                                          force_valid_i,
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] force_queue_i,
  input  wire                                          take_i,
  output wire                                          sel_valid_o,
  output wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] sel_queue_o,
  output wire                                          forced_o,
  output wire [QUEUES-1:0]                             nonempty_o,
  output wire                                          add_drop_o
);
  localparam QUEUE_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;
  localparam COUNT_W = $clog2(DEPTH + 1);

  localparam [QUEUE_W:0]   QUEUE_COUNT = QUEUES[QUEUE_W:0];
  localparam integer       LAST        = QUEUES - 1;
  localparam [QUEUE_W-1:0] QUEUE_LAST  = LAST[QUEUE_W-1:0];
  localparam [COUNT_W-1:0] COUNT_FULL  = DEPTH[COUNT_W-1:0];
  localparam [COUNT_W-1:0] COUNT_ONE   = 1;

  // Greedy forms are odd; policies 0 and 4 are the two that never look at last_q.
  localparam GREEDY    = (POLICY % 2 != 0);
  localparam KEEP_LAST = (POLICY == 0 || POLICY == 4);

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
  endgenerate

  (* mem2reg *) reg [COUNT_W-1:0] count_q [0:QUEUES-1];
  reg [QUEUE_W-1:0] last_q;
  reg               hold_q;

  // The base policy's choice; 0 where there is none.
  wire [QUEUE_W-1:0] base_queue;
  wire [QUEUES-1:0]  single;
  genvar g;
  generate
    for (g = 0; g < QUEUES; g = g + 1) begin : gen_queue
      assign nonempty_o[g] = (count_q[g] != {COUNT_W{1'b0}});
      assign single[g]     = (count_q[g] == COUNT_ONE);
    end
    if (POLICY == 2 || POLICY == 3) begin : gen_round_robin
      round_robin #(.WIDTH(QUEUES)) u_round_robin (
        .req_i  (nonempty_o),
        .last_i (last_q),
        .any_o  (sel_valid_o),
        .index_o(base_queue)
      );
    end else if (POLICY == 4 || POLICY == 5) begin : gen_longest_first
      wire [QUEUES*COUNT_W-1:0] counts;
      for (g = 0; g < QUEUES; g = g + 1) begin : gen_count
        assign counts[g*COUNT_W+:COUNT_W] = count_q[g];
      end
      longest_first #(.QUEUES(QUEUES), .COUNT_W(COUNT_W)) u_longest_first (
        .counts_i(counts),
        .index_o (base_queue)
      );
      assign sel_valid_o = |nonempty_o;
    end else begin : gen_fixed_order
      priority_encoder #(.WIDTH(QUEUES)) u_priority_encoder (
        .req_i  (nonempty_o),
        .any_o  (sel_valid_o),
        .index_o(base_queue)
      );
    end
  endgenerate

  // A forced or a held queue has an entry by definition: sel_queue_o needs no gate by sel_valid_o.
  wire force_exists = ({1'b0, force_queue_i} < QUEUE_COUNT);
  assign forced_o    = force_valid_i && force_exists && nonempty_o[force_queue_i];
  assign sel_queue_o = forced_o ? force_queue_i : (GREEDY && hold_q) ? last_q : base_queue;

  wire add_exists = ({1'b0, add_queue_i} < QUEUE_COUNT);
  wire add_full   = add_exists && (count_q[add_queue_i] == COUNT_FULL);
  assign add_drop_o = add_valid_i && (!add_exists || add_full);

  wire add  = add_valid_i && !add_drop_o;
  wire take = take_i && sel_valid_o;

  // Something is left in the selected queue after this cycle (asked by the greedy forms alone).
  wire sel_exists = ({1'b0, sel_queue_o} < QUEUE_COUNT);
  wire sel_more   = GREEDY && ((sel_exists && !single[sel_queue_o]) ||
                               (add && (add_queue_i == sel_queue_o)));

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q <= QUEUE_LAST;
      hold_q <= 1'b0;
    end else if (take) begin
      if (!forced_o && !KEEP_LAST) last_q <= sel_queue_o;
      // A forced drain can empty the held queue; it does not change the policy's place otherwise.
      if (!forced_o) hold_q <= sel_more;
      else if (sel_queue_o == last_q && !sel_more) hold_q <= 1'b0;
    end
  end

  // Every counter steps by itself, under its own bit of a decoded queue: the way from a selection
  // to the counters is a decoder, not a read, an adder and a write.
  localparam [QUEUES-1:0] BIT_ONE = 1;
  wire [QUEUES-1:0] up   = add ? BIT_ONE << add_queue_i : {QUEUES{1'b0}};
  wire [QUEUES-1:0] down = take ? BIT_ONE << sel_queue_o : {QUEUES{1'b0}};

  integer i;
  always @(posedge clk_i) begin
    for (i = 0; i < QUEUES; i = i + 1) begin
      count_q[i] <= !rst_ni            ? {COUNT_W{1'b0}}
                  : (up[i] == down[i]) ? count_q[i]
                  : up[i]              ? count_q[i] + COUNT_ONE
                  :                      count_q[i] - COUNT_ONE;
    end
  end
endmodule
`default_nettype wire
