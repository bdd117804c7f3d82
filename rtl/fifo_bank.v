// fifo_bank - QUEUES circular FIFOs of DEPTH entries in one SRAM.
// C twin: cmodel/fifo_bank.c   Page: docs/modules/fifo_bank.md   MRPB paper, section 6.
// Timing: one enqueue and one dequeue a cycle; split cycle: the dequeue sees what was just stored.
// The SRAM is read asynchronously; the write of the same cycle reaches the output by a bypass,
// needed only where the queue was empty.
`default_nettype none
module fifo_bank #(
  parameter integer QUEUES = 48,
  parameter integer DEPTH  = 8,
  parameter integer DATA_W = 64
) (
  input  wire                                          clk_i,
  input  wire                                          rst_ni,
  input  wire                                          enq_valid_i,
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] enq_queue_i,
  input  wire [DATA_W-1:0]                             enq_data_i,
  input  wire                                          deq_valid_i,
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] deq_queue_i,
  output wire                                          enq_ready_o,
  output wire                                          deq_ready_o,
  output wire [DATA_W-1:0]                             deq_data_o,
  output wire [QUEUES-1:0]                             full_o,
  output wire [QUEUES-1:0]                             empty_o
);
  localparam QUEUE_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;
  localparam PTR_W   = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam LEN_W   = $clog2(DEPTH + 1);

  localparam [QUEUE_W:0] QUEUE_COUNT = QUEUES[QUEUE_W:0];
  localparam [LEN_W-1:0] LEN_FULL    = DEPTH[LEN_W-1:0];
  localparam [LEN_W-1:0] LEN_ONE     = 1;
  localparam integer     DEPTH_LAST  = DEPTH - 1;
  localparam [PTR_W-1:0] PTR_LAST    = DEPTH_LAST[PTR_W-1:0];
  localparam [PTR_W-1:0] PTR_ONE     = 1;

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
  endgenerate

  reg [DATA_W-1:0] mem_q [0:QUEUES*DEPTH-1];
  (* mem2reg *) reg [PTR_W-1:0] head_q [0:QUEUES-1];
  (* mem2reg *) reg [PTR_W-1:0] tail_q [0:QUEUES-1];
  (* mem2reg *) reg [LEN_W-1:0] len_q [0:QUEUES-1];

  genvar g;
  generate
    for (g = 0; g < QUEUES; g = g + 1) begin : gen_queue
      assign full_o[g]  = (len_q[g] == LEN_FULL);
      assign empty_o[g] = (len_q[g] == {LEN_W{1'b0}});
    end
  endgenerate

  // The existence tests guard the selects that follow them and vanish for a power of two.
  wire enq_exists = ({1'b0, enq_queue_i} < QUEUE_COUNT);
  wire deq_exists = ({1'b0, deq_queue_i} < QUEUE_COUNT);

  assign enq_ready_o = enq_exists && !full_o[enq_queue_i];
  wire enqueue = enq_valid_i && enq_ready_o;

  // `same` ignores the dequeue's own readiness: it only keeps len_q, where both take place.
  wire same      = enqueue && (enq_queue_i == deq_queue_i);
  wire deq_empty = deq_exists && empty_o[deq_queue_i];
  assign deq_ready_o = deq_exists && (!deq_empty || same);
  wire dequeue = deq_valid_i && deq_ready_o;

  wire [PTR_W-1:0] deq_head = deq_exists ? head_q[deq_queue_i] : {PTR_W{1'b0}};
  wire [PTR_W-1:0] enq_tail = enq_exists ? tail_q[enq_queue_i] : {PTR_W{1'b0}};

  wire [PTR_W-1:0] next_head = (deq_head == PTR_LAST) ? {PTR_W{1'b0}} : deq_head + PTR_ONE;
  wire [PTR_W-1:0] next_tail = (enq_tail == PTR_LAST) ? {PTR_W{1'b0}} : enq_tail + PTR_ONE;

  assign deq_data_o = !deq_ready_o ? {DATA_W{1'b0}}
                    : deq_empty    ? enq_data_i
                    : mem_q[deq_queue_i * DEPTH + {{(32 - PTR_W) {1'b0}}, deq_head}];

  always @(posedge clk_i) begin
    if (rst_ni && enqueue) begin
      mem_q[enq_queue_i * DEPTH + {{(32 - PTR_W) {1'b0}}, enq_tail}] <= enq_data_i;
    end
  end

  integer i;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      for (i = 0; i < QUEUES; i = i + 1) begin
        head_q[i] <= {PTR_W{1'b0}};
        tail_q[i] <= {PTR_W{1'b0}};
        len_q[i]  <= {LEN_W{1'b0}};
      end
    end else begin
      if (enqueue) tail_q[enq_queue_i] <= next_tail;
      if (dequeue) head_q[deq_queue_i] <= next_head;
      if (enqueue && !(dequeue && same)) len_q[enq_queue_i] <= len_q[enq_queue_i] + LEN_ONE;
      if (dequeue && !same) len_q[deq_queue_i] <= len_q[deq_queue_i] - LEN_ONE;
    end
  end

`ifndef SYNTHESIS
  initial begin : power_up
    integer w;
    for (w = 0; w < QUEUES * DEPTH; w = w + 1) mem_q[w] = {DATA_W{1'b0}};
  end
`endif
endmodule
`default_nettype wire
