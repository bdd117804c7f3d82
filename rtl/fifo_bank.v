// SPDX-License-Identifier: Apache-2.0
// fifo_bank - QUEUES circular FIFOs of DEPTH entries in one SRAM.
// C twin: cmodel/fifo_bank.c   Page: docs/modules/fifo_bank.md   MRPB paper, section 6.
// Timing: one enqueue and one dequeue a cycle. The SRAM is synchronous and split-cycle: it takes both
// addresses at the edge, shows the entry read in the next cycle, and holds it until the next dequeue.
// Cost: QUEUES=48 DEPTH=8: 1.778 ns, 139052 um2, 384 flip-flops (OSU018)
`default_nettype none
module fifo_bank #(
  // queues in the bank
  parameter integer QUEUES = 48,
  // entries of each queue
  parameter integer DEPTH  = 8,
  // bits of an entry
  parameter integer DATA_W = 64,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY = 0
) (
  // clock
  input  wire                                          clk_i,
  // synchronous reset, active low
  input  wire                                          srst_ni,
  // store enq_data_i at the tail of enq_queue_i; it need not hold until enq_ready_o
  input  wire                                          enq_valid_i,
  // queue to enqueue to
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] enq_queue_i,
  // entry to store
  input  wire [DATA_W-1:0]                             enq_data_i,
  // remove the head of deq_queue_i; deq_data_o shows it from the next cycle on; it need not hold
  // until deq_ready_o
  input  wire                                          deq_valid_i,
  // queue to dequeue from
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] deq_queue_i,
  // dequeue from enq_queue_i instead (a flush); deq_queue_i is ignored
  input  wire                                          deq_same_i,
  // enq_queue_i exists and was not full at the start of the cycle
  output wire                                          enq_ready_o,
  // the queue to dequeue from exists and was not empty at the start of the cycle
  output wire                                          deq_ready_o,
  // the entry dequeued last (the SRAM's output); it holds until the next
  output wire [DATA_W-1:0]                             deq_data_o,
  // bit q: queue q held DEPTH entries at the start of the cycle
  output wire [QUEUES-1:0]                             full_o,
  // bit q: queue q held no entry at the start of the cycle
  output wire [QUEUES-1:0]                             empty_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                          error_o
);
  localparam PTR_W   = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam ADDR_W  = (QUEUES * DEPTH > 1) ? $clog2(QUEUES * DEPTH) : 1;

  localparam integer     DEPTH_LAST = DEPTH - 1;
  localparam [PTR_W-1:0] PTR_LAST   = DEPTH_LAST[PTR_W-1:0];
  localparam [PTR_W-1:0] PTR_ONE    = 1;
  localparam [QUEUES-1:0] QUEUE_0   = 1;

  generate
    if (QUEUES < 1 || QUEUES > 64) begin : gen_bad_queues
      ERROR_fifo_bank_QUEUES_must_be_1_to_64 u_error ();
    end
    if (DEPTH < 1 || DEPTH > 64) begin : gen_bad_depth
      ERROR_fifo_bank_DEPTH_must_be_1_to_64 u_error ();
    end
    if (DATA_W < 1 || DATA_W > 64) begin : gen_bad_data_w
      ERROR_fifo_bank_DATA_W_must_be_1_to_64 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_fifo_bank_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  (* mem2reg *) reg [PTR_W-1:0] head_q [0:QUEUES-1];
  (* mem2reg *) reg [PTR_W-1:0] tail_q [0:QUEUES-1];
  reg [QUEUES-1:0] full_q;
  reg [QUEUES-1:0] empty_q;

  assign full_o  = full_q;
  assign empty_o = empty_q;

  // A queue number that is too large is shifted out: it decodes to nothing.
  wire [QUEUES-1:0] enq_bit  = QUEUE_0 << enq_queue_i;
  wire [QUEUES-1:0] deq_bit  = QUEUE_0 << deq_queue_i;
  wire [PTR_W-1:0]  enq_tail = tail_q[enq_queue_i];
  wire [PTR_W-1:0]  enq_head = head_q[enq_queue_i];
  wire [PTR_W-1:0]  deq_head = head_q[deq_queue_i];

  assign enq_ready_o = |(enq_bit & ~full_q);
  assign deq_ready_o = deq_same_i ? |(enq_bit & ~empty_q) : |(deq_bit & ~empty_q);

  // deq_same_i is the latest of the inputs (a flush): both addresses are there before it.
  wire enqueue = enq_valid_i && enq_ready_o;
  wire dequeue = deq_valid_i && deq_ready_o;
  wire [31:0] enq_word = enq_queue_i * DEPTH + {{(32 - PTR_W) {1'b0}}, enq_tail};
  wire [31:0] deq_word = deq_same_i ? enq_queue_i * DEPTH + {{(32 - PTR_W) {1'b0}}, enq_head}
                                    : deq_queue_i * DEPTH + {{(32 - PTR_W) {1'b0}}, deq_head};
  wire        word_error, unused_u_mem_corrected;
  wire [DATA_W-1:0] word, rdata;
  sram_1r1w #(.WORDS(QUEUES * DEPTH), .WIDTH(DATA_W), .CODE(PARITY)) u_mem (
    .clk_i(clk_i), .write_i(srst_ni && enqueue), .waddr_i(enq_word[ADDR_W-1:0]), .wdata_i(enq_data_i),
    .read_i(srst_ni && dequeue), .raddr_i(deq_word[ADDR_W-1:0]), .rdata_o(word),
    .error_o(word_error), .corrected_o(unused_u_mem_corrected));
  assign deq_data_o = rdata;
  wire unused_words = &{1'b0, enq_word[31:ADDR_W], deq_word[31:ADDR_W]};

  wire [QUEUES-1:0] up   = enq_valid_i ? enq_bit & ~full_q : {QUEUES{1'b0}};
  wire [QUEUES-1:0] down = deq_valid_i ? (deq_same_i ? enq_bit : deq_bit) & ~empty_q
                                       : {QUEUES{1'b0}};

  // One place further, `moving` is where `other` is: known early, and gated by what is late.
  function automatic meets(input [PTR_W-1:0] moving, input [PTR_W-1:0] other);
    meets = (moving == PTR_LAST) ? (other == {PTR_W{1'b0}}) : (moving + PTR_ONE == other);
  endfunction

  // Every queue steps by itself, under its own bit.
  integer i;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      for (i = 0; i < QUEUES; i = i + 1) begin
        head_q[i] <= {PTR_W{1'b0}};
        tail_q[i] <= {PTR_W{1'b0}};
      end
      full_q  <= {QUEUES{1'b0}};
      empty_q <= {QUEUES{1'b1}};
    end else begin
      for (i = 0; i < QUEUES; i = i + 1) begin
        if (up[i]) tail_q[i] <= (tail_q[i] == PTR_LAST) ? {PTR_W{1'b0}} : tail_q[i] + PTR_ONE;
        if (down[i]) head_q[i] <= (head_q[i] == PTR_LAST) ? {PTR_W{1'b0}} : head_q[i] + PTR_ONE;
        if (up[i] && !down[i]) begin
          full_q[i]  <= meets(tail_q[i], head_q[i]);
          empty_q[i] <= 1'b0;
        end else if (down[i] && !up[i]) begin
          full_q[i]  <= 1'b0;
          empty_q[i] <= meets(head_q[i], tail_q[i]);
        end
      end
    end
  end

  // Parity: a bit for each register, written with it; the SRAM has one for each word. Before the first
  // dequeue the SRAM shows what it powered up with: it is not checked, and deq_data_o is 0.
  genvar g;
  generate
    if (PARITY != 0) begin : gen_parity
      function automatic next_odd(input [PTR_W-1:0] place); // of the place behind it
        next_odd = (place != PTR_LAST) && (^(place + PTR_ONE));
      endfunction
      reg  [2:0]        state_par_q;
      reg  [QUEUES-1:0] head_par_q, tail_par_q;
      reg               shown_q;
      wire [QUEUES-1:0] head_now, tail_now, full_flips, empty_flips;
      wire              shown_d = shown_q || dequeue;
      for (g = 0; g < QUEUES; g = g + 1) begin : gen_now
        assign head_now[g] = ^head_q[g];
        assign tail_now[g] = ^tail_q[g];
        assign full_flips[g]  = (up[g] != down[g])
                             && (up[g] ? meets(tail_q[g], head_q[g]) : full_q[g]);
        assign empty_flips[g] = (up[g] != down[g])
                             && (down[g] ? meets(head_q[g], tail_q[g]) : empty_q[g]);
      end
      integer k;
      always @(posedge clk_i) begin
        shown_q     <= srst_ni && shown_d;
        state_par_q <= srst_ni ? {shown_d, ^(empty_q ^ empty_flips), ^(full_q ^ full_flips)}
                               : {1'b0, ^{QUEUES{1'b1}}, 1'b0};
        for (k = 0; k < QUEUES; k = k + 1) begin
          if (!srst_ni || up[k]) tail_par_q[k] <= srst_ni && next_odd(tail_q[k]);
          if (!srst_ni || down[k]) head_par_q[k] <= srst_ni && next_odd(head_q[k]);
        end
      end
      assign rdata   = word & {DATA_W{shown_q}};
      assign error_o = (state_par_q != {shown_q, ^empty_q, ^full_q})
                    || (head_par_q != head_now) || (tail_par_q != tail_now)
                    || (shown_q && word_error);
    end else begin : gen_no_parity
      wire unused_word_error = &{1'b0, word_error};
      assign rdata   = word;
      assign error_o = 1'b0;
    end
  endgenerate
endmodule
`default_nettype wire
