// SPDX-License-Identifier: Apache-2.0
// mrpb - memory request prioritization buffer: FIFO queues between the coalescer and the L1.
// C twin: cmodel/mrpb.c   Page: docs/modules/mrpb.md   MRPB paper, Figure 7 and section 3.
// Timing: one request a cycle in, one out. A stored request is presented LATENCY cycles after its
// acceptance at the earliest, a passing write one cycle after it. The L1 answers ANSWER cycles
// after the presentation; if it refuses, what was presented since is presented again.
// With SYNTHESIS defined the order checker is left out and order_err_o is 0.
// Cost: QUEUES=48 DEPTH=8 POLICY=0: 2.881 ns, 245711 um2, 757 flip-flops (OSU018)
`default_nettype none
module mrpb #(
  // queues
  parameter integer QUEUES    = 48,
  // entries of each queue
  parameter integer DEPTH     = 8,
  // bits of a request's payload (an entry adds 13: write, warp, block)
  parameter integer DATA_W    = 51,
  // blocks with their own counter; higher block IDs share the last one
  parameter integer BLOCKS    = 8,
  // 0 block ID, 1 warp ID, 2 in-block warp ID
  parameter integer SIGNATURE = 1,
  // 0 fixed order, 2 round robin, 4 longest first; 1, 3, 5 the greedy form of each
  parameter integer POLICY    = 0,
  // 1 the flush option, 0 writes are stored like reads
  parameter integer FLUSH     = 1,
  // cycles from the acceptance of a stored request to its first presentation to the L1
  parameter integer LATENCY   = 5,
  // 0 off, 1 on every stall, 2 on associativity stalls
  parameter integer BYPASS    = 2,
  // cycles from the presentation of a request to the L1's answer to it
  parameter integer ANSWER    = 0,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY    = 0
) (
  // clock
  input  wire                               clk_i,
  // synchronous reset, active low
  input  wire                               srst_ni,
  // a request or barrier is offered; it need not hold until in_ready_o
  input  wire                               in_valid_i,
  // 0 read, 1 write, 2 and 3 barrier
  input  wire [1:0]                         in_kind_i,
  // warp ID
  input  wire [5:0]                         in_warp_i,
  // block ID (slot)
  input  wire [5:0]                         in_block_i,
  // ordinal position of the warp within its block
  input  wire [5:0]                         in_block_warp_i,
  // payload, returned unchanged
  input  wire [DATA_W-1:0]                  in_data_i,
  // the L1's answer to the request presented ANSWER cycles ago: 0 accepted, 1 associativity stall,
  // 2 other stall, 3 not checked
  input  wire [1:0]                         l1_answer_i,
  // the bypass path can take the presented request
  input  wire                               byp_ready_i,
  // the request or barrier is accepted in this cycle
  output wire                               in_ready_o,
  // a request is presented to the L1; it holds until it leaves, but with ANSWER > 0 out_* may
  // change in every cycle
  output wire                               out_valid_o,
  // it is a write; 0 while out_valid_o is 0
  output wire                               out_write_o,
  // its warp; 0 while out_valid_o is 0
  output wire [5:0]                         out_warp_o,
  // its block; 0 while out_valid_o is 0
  output wire [5:0]                         out_block_o,
  // its payload; 0 while out_valid_o is 0
  output wire [DATA_W-1:0]                  out_data_o,
  // the presented read is to bypass the L1: it leaves in this cycle if byp_ready_i; may fall
  // before, since it follows l1_answer_i; ANSWER > 0: it lasts one cycle
  output wire                               byp_valid_o,
  // a read for a full queue is flushing that queue
  output wire                               flush_full_o,
  // a write is emptying its queue
  output wire                               flush_write_o,
  // requests held at the start of the cycle, outbound buffer and unanswered ones included
  output wire [$clog2(QUEUES*DEPTH+ANSWER+2)-1:0] held_o,
  // order rule broken in this cycle (always 0 in a correct buffer)
  output wire                               order_err_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                               error_o
);
  localparam QUEUE_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;
  localparam HELD_W  = $clog2(QUEUES * DEPTH + ANSWER + 2);
  localparam ENTRY_W = DATA_W + 13;
  localparam LATER   = (ANSWER > 0);
  localparam WORDS   = LATER ? ANSWER : 1;
  // At least 1, or an illegal LATENCY would meet an error about an index before its own.
  localparam STAGES  = (LATENCY > 3) ? LATENCY - 2 : 1;
  localparam [HELD_W-1:0]  HELD_ONE   = 1;
  localparam [WORDS-1:0]   WORD_0     = 1;
  // Answers of the L1 and options, as cmodel/ports/numbers.def has them.
  localparam [1:0]   L1_ACCEPTED    = 2'd0;
  localparam [1:0]   L1_ASSOC_STALL = 2'd1;
  localparam [1:0]   L1_OTHER_STALL = 2'd2;
  localparam integer BYPASS_OFF     = 0;
  localparam integer BYPASS_STALL   = 1;
  generate
    if (QUEUES < 1 || QUEUES > 64) begin : gen_bad_queues
      ERROR_mrpb_QUEUES_must_be_1_to_64 u_error (); end
    if (DEPTH < 1 || DEPTH > 64) begin : gen_bad_depth
      ERROR_mrpb_DEPTH_must_be_1_to_64 u_error (); end
    if (DATA_W < 1 || DATA_W > 51) begin : gen_bad_data_w
      ERROR_mrpb_DATA_W_must_be_1_to_51 u_error (); end
    if (BLOCKS < 1 || BLOCKS > 64) begin : gen_bad_blocks
      ERROR_mrpb_BLOCKS_must_be_1_to_64 u_error (); end
    if (SIGNATURE < 0 || SIGNATURE > 2) begin : gen_bad_signature
      ERROR_mrpb_SIGNATURE_must_be_0_to_2 u_error (); end
    if (POLICY < 0 || POLICY > 5) begin : gen_bad_policy
      ERROR_mrpb_POLICY_must_be_0_to_5 u_error (); end
    if (FLUSH < 0 || FLUSH > 1) begin : gen_bad_flush
      ERROR_mrpb_FLUSH_must_be_0_to_1 u_error (); end
    if (LATENCY < 3 || LATENCY > 18) begin : gen_bad_latency
      ERROR_mrpb_LATENCY_must_be_3_to_18 u_error (); end
    if (BYPASS < 0 || BYPASS > 2) begin : gen_bad_bypass
      ERROR_mrpb_BYPASS_must_be_0_to_2 u_error (); end
    if (ANSWER < 0 || ANSWER > 4) begin : gen_bad_answer
      ERROR_mrpb_ANSWER_must_be_0_to_4 u_error (); end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_mrpb_PARITY_must_be_0_to_1 u_error (); end
  endgenerate

  reg               out_valid_q, out_stored_q, left_valid_q;
  reg [ENTRY_W-1:0] out_pass_q;
  reg [STAGES-1:0]  line_valid_q;
  reg [HELD_W-1:0]  held_q;
  reg [5:0]         left_block_q;
  (* mem2reg *) reg [QUEUE_W-1:0] line_queue_q [0:STAGES-1];
  (* mem2reg *) reg [HELD_W-1:0]  block_held_q [0:BLOCKS-1];

  // The line of sent requests (ANSWER > 0; else these are all 0). Ones of `asked` are the words
  // whose answer is not known yet: as many as answers are due. The next word, if there is one, was
  // withdrawn and is presented again.
  reg [WORDS-1:0] due_q, sent_valid_q, asked;
  reg             byp_q;
  (* mem2reg *) reg [ENTRY_W-1:0] sent_q [0:WORDS-1];
  wire [WORDS*ENTRY_W-1:0] sent;
  reg  [ENTRY_W-1:0]       sent_entry;
  wire [WORDS-1:0]         show  = sent_valid_q & ~asked & ((asked << 1) | WORD_0);
  wire                     again = |show;
  integer n;
  always @* begin
    asked      = {WORDS{1'b0}};
    sent_entry = {ENTRY_W{1'b0}};
    for (n = 0; n < WORDS; n = n + 1) if (due_q[n]) asked = (asked << 1) | WORD_0;
    for (n = 0; n < WORDS; n = n + 1)
      sent_entry = sent_entry | (sent[n*ENTRY_W+:ENTRY_W] & {ENTRY_W{show[n]}});
  end

  // 1. Present: a request that was withdrawn, or what was drained last, as the SRAM gives it, or
  // the write that passed; 0 while there is none of them.
  wire [ENTRY_W-1:0] deq_entry;
  wire [ENTRY_W-1:0] out_entry =
      out_pass_q | (deq_entry & {out_stored_q && FLUSH == 0, {(ENTRY_W-1) {out_stored_q}}});
  assign out_valid_o = out_valid_q || again;
  assign {out_write_o, out_warp_o, out_block_o, out_data_o} =
      sent_entry | (again ? {ENTRY_W{1'b0}} : out_entry);
  assign held_o = held_q;

  // 2. Bypass: a read that the L1 would stall, or has refused, for one of the reasons that count.
  wire bypass_stall = ((BYPASS != BYPASS_OFF) && (l1_answer_i == L1_ASSOC_STALL))
                   || ((BYPASS == BYPASS_STALL) && (l1_answer_i == L1_OTHER_STALL));
  assign byp_valid_o = LATER ? byp_q : out_valid_q && !out_write_o && bypass_stall;

  // 3. Leave: what is presented, or with ANSWER > 0 the oldest word of the line.
  wire bypasses = (byp_valid_o && byp_ready_i);
  wire leave    = LATER ? (due_q[0] && (l1_answer_i == L1_ACCEPTED)) || bypasses
                        : out_valid_q && ((l1_answer_i == L1_ACCEPTED) || bypasses);
  wire refused  = LATER && due_q[0] && (l1_answer_i != L1_ACCEPTED);
  wire move     = LATER ? out_valid_q && !again && !refused : leave;
  wire slot     = !out_valid_q || move;
  wire [5:0] leave_block = LATER ? sent_q[0][DATA_W+:6] : out_block_o;

  // The words move towards word 0 as one leaves; the outbound entry comes to the first free one.
  wire [WORDS-1:0] sent_stay = {WORDS{LATER}} & (leave ? sent_valid_q >> 1 : sent_valid_q);
  wire [WORDS-1:0] sent_into = ((sent_stay << 1) | WORD_0) & ~sent_stay & {WORDS{LATER && move}};
  wire             asks      = LATER && out_valid_o && !bypasses && !refused;
  wire [WORDS*ENTRY_W-1:0] sent_d = {(WORDS*ENTRY_W) {LATER}} & (leave ? sent >> ENTRY_W : sent);
  genvar g;
  generate
    for (g = 0; g < WORDS; g = g + 1) begin : gen_word
      wire [ENTRY_W-1:0] word = sent_d[g*ENTRY_W+:ENTRY_W] | (out_entry & {ENTRY_W{sent_into[g]}});
      assign sent[g*ENTRY_W+:ENTRY_W] = sent_q[g];
      always @(posedge clk_i) sent_q[g] <= srst_ni ? word : {ENTRY_W{1'b0}};
    end
  endgenerate
  wire [WORDS-1:0] due_d        = (refused ? {WORDS{1'b0}} : due_q >> 1)
                                | (asks ? WORD_0 << (WORDS - 1) : {WORDS{1'b0}});
  wire [WORDS-1:0] sent_valid_d = sent_stay | sent_into;
  wire             byp_d        = refused && bypass_stall && !sent_q[0][ENTRY_W-1];
  always @(posedge clk_i) begin
    due_q        <= srst_ni ? due_d : {WORDS{1'b0}};
    sent_valid_q <= srst_ni ? sent_valid_d : {WORDS{1'b0}};
    byp_q        <= srst_ni && byp_d;
  end

  // 4. Input. Block IDs from BLOCKS - 1 upwards share the last counter.
  wire [BLOCKS-1:0]  in_block, left_block, block_held;
  genvar b;
  generate
    for (b = 0; b < BLOCKS; b = b + 1) begin : gen_block
      localparam integer BLOCK = b;
      if (b < BLOCKS - 1) begin : gen_own
        assign in_block[b]   = (in_block_i == BLOCK[5:0]);
        assign left_block[b] = left_valid_q && (left_block_q == BLOCK[5:0]);
      end else if (b > 0) begin : gen_shared
        assign in_block[b]   = (in_block_i >= BLOCK[5:0]);
        assign left_block[b] = left_valid_q && (left_block_q >= BLOCK[5:0]);
      end else begin : gen_only
        wire unused_id = &{1'b0, left_block_q};
        assign in_block[b]   = 1'b1;
        assign left_block[b] = left_valid_q;
      end
      assign block_held[b] = (block_held_q[b] != {HELD_W{1'b0}})
                          && !(left_block[b] && (block_held_q[b] == HELD_ONE));
    end
  endgenerate
  wire               block_busy  = |(in_block & block_held);
  wire [ENTRY_W-1:0] in_entry    = {in_kind_i[0], in_warp_i, in_block_i, in_data_i};

  wire [QUEUE_W-1:0] in_queue;
  queue_selector #(.QUEUES(QUEUES), .SIGNATURE(SIGNATURE)) u_queue_selector (
    .warp_i      (in_warp_i),
    .block_i     (in_block_i),
    .block_warp_i(in_block_warp_i),
    .queue_o     (in_queue)
  );

  wire [QUEUES-1:0]  full, empty;
  wire               storable, store, pass, force_valid;
  wire [QUEUE_W-1:0] unused_force_queue;
  flush_control #(.QUEUES(QUEUES), .FLUSH(FLUSH)) u_flush_control (
    .in_valid_i   (in_valid_i),
    .in_kind_i    (in_kind_i),
    .in_queue_i   (in_queue),
    .full_i       (full),
    .empty_i      (empty),
    .block_busy_i (block_busy),
    .slot_i       (slot),
    .in_ready_o   (in_ready_o),
    .storable_o   (storable),
    .store_o      (store),
    .pass_o       (pass),
    .force_valid_o(force_valid),
    .force_queue_o(unused_force_queue),
    .flush_full_o (flush_full_o),
    .flush_write_o(flush_write_o)
  );

  // 5. Drain. A passing write goes first. What the selector counts is in the bank, so the readiness
  // of the bank has nothing to add. The forced queue is in_queue whenever there is one: taken from
  // there, before the decision to force, it need not wait for that decision.
  wire [QUEUES-1:0]  unused_nonempty;
  wire               unused_add_drop, unused_enq_ready, unused_deq_ready, sel_valid, forced;
  wire               selector_error, bank_error;
  wire [QUEUE_W-1:0] unused_sel_queue, pick;
  wire               may_drain = slot && !pass;
  wire               drain     = may_drain && sel_valid;
  drain_selector #(.QUEUES(QUEUES), .DEPTH(DEPTH), .POLICY(POLICY), .PARITY(PARITY)) u_drain_selector (
    .clk_i        (clk_i),
    .srst_ni      (srst_ni),
    .add_valid_i  (line_valid_q[0]),
    .add_queue_i  (line_queue_q[0]),
    .force_valid_i(force_valid),
    .force_queue_i(in_queue),
    .take_i       (may_drain),
    .sel_valid_o  (sel_valid),
    .sel_queue_o  (unused_sel_queue),
    .pick_o       (pick),
    .forced_o     (forced),
    .nonempty_o   (unused_nonempty),
    .add_drop_o   (unused_add_drop),
    .error_o      (selector_error)
  );

  fifo_bank #(.QUEUES(QUEUES), .DEPTH(DEPTH), .DATA_W(ENTRY_W), .PARITY(PARITY)) u_fifo_bank (
    .clk_i      (clk_i),
    .srst_ni    (srst_ni),
    .enq_valid_i(storable),
    .enq_queue_i(in_queue),
    .enq_data_i (in_entry),
    .deq_valid_i(drain),
    .deq_queue_i(pick),
    .deq_same_i (forced),
    .enq_ready_o(unused_enq_ready),
    .deq_ready_o(unused_deq_ready),
    .deq_data_o (deq_entry),
    .full_o     (full),
    .empty_o    (empty),
    .error_o    (bank_error)
  );

  wire               out_valid_d  = slot ? pass || drain : out_valid_q;
  wire               out_stored_d = slot ? drain : out_stored_q;
  wire [ENTRY_W-1:0] out_pass_d   = !slot ? out_pass_q : pass ? in_entry : {ENTRY_W{1'b0}};
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      out_valid_q  <= 1'b0;
      out_stored_q <= 1'b0;
      out_pass_q   <= {ENTRY_W{1'b0}};
    end else begin
      out_valid_q  <= out_valid_d;
      out_stored_q <= out_stored_d;
      out_pass_q   <= out_pass_d;
    end
  end

  // The latency line moves in every cycle, towards stage 0; an empty stage holds queue 0.
  localparam [STAGES-1:0] STAGE_0 = 1;
  wire [STAGES-1:0]  line_end   = store ? STAGE_0 << (STAGES - 1) : {STAGES{1'b0}};
  wire [QUEUE_W-1:0] line_queue = store ? in_queue : {QUEUE_W{1'b0}};
  integer i, j;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      line_valid_q <= {STAGES{1'b0}};
      for (i = 0; i < STAGES; i = i + 1) line_queue_q[i] <= {QUEUE_W{1'b0}};
    end else begin
      line_valid_q <= (line_valid_q >> 1) | line_end;
      for (i = 0; i < STAGES - 1; i = i + 1) line_queue_q[i] <= line_queue_q[i+1];
      line_queue_q[STAGES-1] <= line_queue;
    end
  end

  // Requests held, in all and of each block (what a barrier waits for). Every counter steps by
  // itself, under its own bit. The block of what leaves comes from the SRAM, too late in the cycle
  // to be counted: it is kept, and counted in the next one.
  function [HELD_W-1:0] step(input [HELD_W-1:0] count, input up, input down);
    step = count ^ (((count ^ (count + HELD_ONE)) & {HELD_W{up}})
                  | ((count ^ (count - HELD_ONE)) & {HELD_W{down}}));
  endfunction
  wire              accept     = store || pass;
  wire [BLOCKS-1:0] block_up   = accept ? in_block : {BLOCKS{1'b0}};
  wire [HELD_W-1:0] held_d     = step(held_q, accept && !leave, leave && !accept);
  wire [5:0]        left_block_d = leave ? leave_block : 6'd0;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      held_q       <= {HELD_W{1'b0}};
      left_valid_q <= 1'b0;
      left_block_q <= 6'd0;
      for (j = 0; j < BLOCKS; j = j + 1) block_held_q[j] <= {HELD_W{1'b0}};
    end else begin
      held_q       <= held_d;
      left_valid_q <= leave;
      left_block_q <= left_block_d;
      for (j = 0; j < BLOCKS; j = j + 1) begin
        block_held_q[j] <= step(block_held_q[j], block_up[j] && !left_block[j],
                                left_block[j] && !block_up[j]);
      end
    end
  end

  // Parity: a bit for each register, written with it. All of them are checked in every cycle, and
  // those of the bank and the selector by themselves.
  generate
    if (PARITY != 0) begin : gen_parity
      reg  [4:0]        state_par_q;
      reg  [STAGES-1:0] line_par_q;
      reg  [BLOCKS-1:0] block_par_q;
      reg  [WORDS-1:0]  sent_par_q;
      wire [STAGES-1:0] line_now;
      wire [BLOCKS-1:0] block_now;
      wire [WORDS-1:0]  sent_now;
      wire [4:0] state_now = {^left_block_q, ^held_q, ^out_pass_q,
                              ^{sent_valid_q, due_q, line_valid_q},
                              ^{byp_q, left_valid_q, out_stored_q, out_valid_q}};
      wire [4:0] state_d   = {^left_block_d, ^held_d, ^out_pass_d,
                              ^{sent_valid_d, due_d, line_valid_q >> 1, line_end},
                              ^{byp_d, leave, out_stored_d, out_valid_d}};
      for (g = 0; g < STAGES; g = g + 1) begin : gen_line_now
        assign line_now[g] = ^line_queue_q[g];
      end
      for (g = 0; g < BLOCKS; g = g + 1) begin : gen_block_now
        assign block_now[g] = ^block_held_q[g];
      end
      for (g = 0; g < WORDS; g = g + 1) begin : gen_sent_now
        assign sent_now[g] = ^sent_q[g];
      end
      wire [STAGES-1:0] line_par = line_end & {STAGES{^line_queue}};
      wire [WORDS-1:0]  sent_par = {WORDS{LATER}} & (leave ? sent_par_q >> 1 : sent_par_q);
      integer k;
      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? state_d : 5'd0;
        line_par_q  <= srst_ni ? (line_par_q >> 1) | line_par : {STAGES{1'b0}};
        sent_par_q  <= srst_ni ? sent_par | (sent_into & {WORDS{^out_entry}}) : {WORDS{1'b0}};
        for (k = 0; k < BLOCKS; k = k + 1)
          block_par_q[k] <= srst_ni && (^step(block_held_q[k], block_up[k] && !left_block[k],
                                              left_block[k] && !block_up[k]));
      end
      assign error_o = (state_now != state_par_q) || (line_now != line_par_q)
                    || (block_now != block_par_q) || (sent_now != sent_par_q)
                    || selector_error || bank_error;
    end else begin : gen_no_parity
      wire unused_errors = &{1'b0, selector_error, bank_error};
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // 6. Order.
  wire [ENTRY_W-1:0] left_entry =
      LATER ? sent_q[0] : {out_write_o, out_warp_o, out_block_o, out_data_o};
  wire order_err, barrier_err, overflow_err;
  order_check #(.DEPTH(DEPTH + ANSWER), .BLOCKS(BLOCKS), .DATA_W(DATA_W)) u_order_check (
    .clk_i         (clk_i),
    .srst_ni       (srst_ni),
    .in_valid_i    (in_valid_i && in_ready_o),
    .in_kind_i     (in_kind_i),
    .in_warp_i     (in_warp_i),
    .in_block_i    (in_block_i),
    .in_data_i     (in_data_i),
    .out_valid_i   (leave),
    .out_write_i   (left_entry[ENTRY_W-1]),
    .out_warp_i    (left_entry[DATA_W+6+:6]),
    .out_block_i   (left_entry[DATA_W+:6]),
    .out_data_i    (left_entry[DATA_W-1:0]),
    .order_err_o   (order_err),
    .barrier_err_o (barrier_err),
    .overflow_err_o(overflow_err)
  );
  assign order_err_o = order_err || barrier_err || overflow_err;
`else
  assign order_err_o = 1'b0;
`endif
endmodule
`default_nettype wire
