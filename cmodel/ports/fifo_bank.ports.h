/* SPDX-License-Identifier: Apache-2.0 */
MODULE("QUEUES circular FIFOs of DEPTH entries in one SRAM, split-cycle: a dequeue and an enqueue "
       "a cycle (section 6)")
PARAM(QUEUES, 48, 1, 64, "queues in the bank")
PARAM(DEPTH, 8, 1, 64, "entries of each queue")
PARAM(DATA_W, 64, 1, 64, "bits of an entry")
PARAM(PARITY, 0, 0, 1, "1 with a parity bit for every register and word, and error_o; 0 without")
IN(srst_ni, 1, "synchronous reset, active low")
IN(enq_valid_i, 1,
   "store enq_data_i at the tail of enq_queue_i; it need not hold until enq_ready_o")
IN(enq_queue_i, IDX_W(P(QUEUES)), "queue to enqueue to")
IN(enq_data_i, P(DATA_W), "entry to store")
IN(deq_valid_i, 1,
   "remove the head of deq_queue_i; deq_data_o shows it from the next cycle on; it need not hold "
   "until deq_ready_o")
IN(deq_queue_i, IDX_W(P(QUEUES)), "queue to dequeue from")
IN(deq_same_i, 1, "dequeue from enq_queue_i instead (a flush); deq_queue_i is ignored")
OUT(enq_ready_o, 1, "enq_queue_i exists and was not full at the start of the cycle")
OUT(deq_ready_o, 1, "the queue to dequeue from exists and was not empty at the start of the cycle")
OUT(deq_data_o, P(DATA_W), "the entry dequeued last (the SRAM's output); it holds until the next")
OUT(full_o, P(QUEUES), "bit q: queue q held DEPTH entries at the start of the cycle")
OUT(empty_o, P(QUEUES), "bit q: queue q held no entry at the start of the cycle")
OUT(error_o, 1,
    "a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0")
REGS(8, head_q, IDX_W(P(DEPTH)), P(QUEUES), 64, "oldest entry of each queue")
REGS(8, tail_q, IDX_W(P(DEPTH)), P(QUEUES), 64, "next free entry of each queue")
REG(64, full_q, P(QUEUES), "bit q: queue q holds DEPTH entries")
REG(64, empty_q, P(QUEUES), "bit q: queue q holds none")
SRAM(u_mem, 64, P(DATA_W), P(QUEUES) * P(DEPTH), 64 * 64,
     "SRAM, entry p of queue q at q * DEPTH + p", "SRAM, output register: the entry dequeued last")
