/* SPDX-License-Identifier: Apache-2.0 */
MODULE(
    "memory request prioritization buffer: FIFO queues before the L1, drain policy, flush, bypass")
PARAM(QUEUES, 48, 1, 64, "queues")
PARAM(DEPTH, 8, 1, 64, "entries of each queue")
PARAM(DATA_W, 51, 1, 51, "bits of a request's payload (an entry adds 13: write, warp, block)")
PARAM(BLOCKS, 8, 1, 64, "blocks with their own counter; higher block IDs share the last one")
PARAM(SIGNATURE, 1, 0, 2, "0 block ID, 1 warp ID, 2 in-block warp ID")
PARAM(POLICY, 0, 0, 5,
      "0 fixed order, 2 round robin, 4 longest first; 1, 3, 5 the greedy form of each")
PARAM(FLUSH, 1, 0, 1, "1 the flush option, 0 writes are stored like reads")
PARAM(LATENCY, 5, 3, 18,
      "cycles from the acceptance of a stored request to its first presentation to the L1")
PARAM(BYPASS, 2, 0, 2, "0 off, 1 on every stall, 2 on associativity stalls")
PARAM(ANSWER, 0, 0, 4, "cycles from the presentation of a request to the L1's answer to it")
PARAM(PARITY, 0, 0, 1, "1 with a parity bit for every register and word, and error_o; 0 without")
IN(srst_ni, 1, "synchronous reset, active low")
IN(in_valid_i, 1, "a request or barrier is offered; it need not hold until in_ready_o")
IN(in_kind_i, 2, "0 read, 1 write, 2 and 3 barrier")
IN(in_warp_i, 6, "warp ID")
IN(in_block_i, 6, "block ID (slot)")
IN(in_block_warp_i, 6, "ordinal position of the warp within its block")
IN(in_data_i, P(DATA_W), "payload, returned unchanged")
IN(l1_answer_i, 2,
   "the L1's answer to the request presented ANSWER cycles ago: 0 accepted, 1 associativity stall, "
   "2 other stall, 3 not checked")
IN(byp_ready_i, 1, "the bypass path can take the presented request")
OUT(in_ready_o, 1, "the request or barrier is accepted in this cycle")
OUT(out_valid_o, 1,
    "a request is presented to the L1; it holds until it leaves, but with ANSWER > 0 out_* may "
    "change in every cycle")
OUT(out_write_o, 1, "it is a write; 0 while out_valid_o is 0")
OUT(out_warp_o, 6, "its warp; 0 while out_valid_o is 0")
OUT(out_block_o, 6, "its block; 0 while out_valid_o is 0")
OUT(out_data_o, P(DATA_W), "its payload; 0 while out_valid_o is 0")
OUT(byp_valid_o, 1,
    "the presented read is to bypass the L1: it leaves in this cycle if byp_ready_i; may fall "
    "before, since it follows l1_answer_i; ANSWER > 0: it lasts one cycle")
OUT(flush_full_o, 1, "a read for a full queue is flushing that queue")
OUT(flush_write_o, 1, "a write is emptying its queue")
OUT(held_o, CNT_W(P(QUEUES) * P(DEPTH) + 1 + P(ANSWER)),
    "requests held at the start of the cycle, outbound buffer and unanswered ones included")
OUT(order_err_o, 1, "order rule broken in this cycle (always 0 in a correct buffer)")
OUT(error_o, 1,
    "a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0")
REG(8, out_valid_q, 1, "outbound buffer: occupied")
REG(8, out_stored_q, 1, "outbound buffer: holds the entry drained last, still at the SRAM's output")
REG(64, out_pass_q, P(DATA_W) + 13,
    "outbound buffer: the write that passed, {write, warp, block, payload}; else 0")
REG(16, line_valid_q, P(LATENCY) - 2,
    "latency line: bit i is an entry that becomes drainable in i + 1 cycles")
REGS(8, line_queue_q, IDX_W(P(QUEUES)), P(LATENCY) - 2, 16, "latency line: its queue")
REG(16, held_q, CNT_W(P(QUEUES) * P(DEPTH) + 1 + P(ANSWER)), "requests held")
REG(8, left_valid_q, 1, "a request left in the previous cycle")
REG(8, left_block_q, 6, "its block, whose count is decremented in this cycle; else 0")
REGS(16, block_held_q, CNT_W(P(QUEUES) * P(DEPTH) + 1 + P(ANSWER)), P(BLOCKS), 64,
     "requests held of each block, and the one that left in the previous cycle")
REG(8, due_q, P(ANSWER) + (P(ANSWER) == 0),
    "ANSWER > 0: bit i is a presented request that the L1 answers in i cycles")
REG(8, sent_valid_q, P(ANSWER) + (P(ANSWER) == 0),
    "ANSWER > 0: bit i is a request in word i of sent_q")
REGS(64, sent_q, P(DATA_W) + 13, P(ANSWER) + (P(ANSWER) == 0), 4,
     "ANSWER > 0: requests that have been presented and not accepted, oldest first; else 0")
REG(8, byp_q, 1, "ANSWER > 0: the oldest of them is presented again and may bypass")
SUBMODULE(fifo_bank, u_fifo_bank)
SUBMODULE(drain_selector, u_drain_selector)
