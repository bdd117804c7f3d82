// SPDX-License-Identifier: Apache-2.0
// flush_control - what happens to the request or barrier that is offered: it waits, is stored,
// passes, or has a queue flushed first.
// C twin: cmodel/flush_control.c   Page: docs/modules/flush_control.md   MRPB paper, section 3.3.
// Timing: combinational; slot_i reaches in_ready_o and pass_o only, and only for a write.
// Cost: QUEUES=48: 1.390 ns, 6887 um2, 0 flip-flops (OSU018)
`default_nettype none
module flush_control #(
  // queues of the buffer
  parameter integer QUEUES = 48,
  // 1 the flush option, 0 writes are stored like reads
  parameter integer FLUSH  = 1
) (
  // a request or barrier is offered; it need not hold until in_ready_o
  input  wire                                          in_valid_i,
  // 0 read, 1 write, 2 and 3 barrier
  input  wire [1:0]                                    in_kind_i,
  // queue of the request's signature
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] in_queue_i,
  // bit q: queue q is full
  input  wire [QUEUES-1:0]                             full_i,
  // bit q: queue q holds nothing
  input  wire [QUEUES-1:0]                             empty_i,
  // a request of the barrier's block is still held anywhere in the buffer
  input  wire                                          block_busy_i,
  // the outbound buffer can take a request in this cycle
  input  wire                                          slot_i,
  // the request or barrier is accepted in this cycle
  output wire                                          in_ready_o,
  // it is a request that is stored once its queue has room
  output wire                                          storable_o,
  // it is stored in its queue, in this cycle
  output wire                                          store_o,
  // it goes straight to the outbound buffer (a write, flush option)
  output wire                                          pass_o,
  // force_queue_o must be drained first; may fall before, with the inputs
  output wire                                          force_valid_o,
  // in_queue_i while force_valid_o, else 0; may change with the inputs
  output wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] force_queue_o,
  // the cause of the flush: a read for a full queue
  output wire                                          flush_full_o,
  // the cause of the flush: a write whose queue is not empty
  output wire                                          flush_write_o
);
  localparam QUEUE_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;

  localparam [QUEUE_W:0] QUEUE_COUNT = QUEUES[QUEUE_W:0];

  generate
    if (QUEUES < 1 || QUEUES > 64) begin : gen_bad_queues
      ERROR_flush_control_QUEUES_must_be_1_to_64 u_error ();
    end
    if (FLUSH < 0 || FLUSH > 1) begin : gen_bad_flush
      ERROR_flush_control_FLUSH_must_be_0_to_1 u_error ();
    end
  endgenerate

  // A queue that does not exist is full and not empty: its requests wait for ever.
  wire exists = ({1'b0, in_queue_i} < QUEUE_COUNT);
  wire full   = !exists || full_i[in_queue_i];
  wire empty  = exists && empty_i[in_queue_i];

  wire barrier   = in_valid_i && in_kind_i[1];
  wire request   = in_valid_i && !in_kind_i[1];
  wire flushing  = (FLUSH != 0);
  wire passing   = request && in_kind_i[0] && flushing;

  assign storable_o    = request && !(in_kind_i[0] && flushing);
  assign store_o       = storable_o && !full;
  assign flush_full_o  = storable_o && full && flushing;
  assign flush_write_o = passing && !empty;
  assign pass_o        = passing && empty && slot_i;
  assign in_ready_o    = store_o || pass_o || (barrier && !block_busy_i);
  assign force_valid_o = flush_full_o || flush_write_o;
  assign force_queue_o = force_valid_o ? in_queue_i : {QUEUE_W{1'b0}};
endmodule
`default_nettype wire
