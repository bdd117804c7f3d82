/* SPDX-License-Identifier: Apache-2.0 */
MODULE("counts the drainable entries of each queue and selects the queue to drain (sections 3.3 "
       "and 6)")
PARAM(QUEUES, 48, 1, 64, "queues of the buffer")
PARAM(DEPTH, 8, 1, 64, "entries of each queue")
PARAM(POLICY, 0, 0, 5,
      "0 fixed order, 2 round robin, 4 longest first; 1, 3, 5 the greedy form of each")
PARAM(PARITY, 0, 0, 1, "1 with a parity bit for every register and word, and error_o; 0 without")
IN(srst_ni, 1, "synchronous reset, active low")
IN(add_valid_i, 1, "one more entry of add_queue_i may be drained, from the next cycle on")
IN(add_queue_i, IDX_W(P(QUEUES)), "queue of that entry")
IN(force_valid_i, 1,
   "force_queue_i goes first if it has a drainable entry (flush); it need not hold until take_i")
IN(force_queue_i, IDX_W(P(QUEUES)), "queue to flush")
IN(take_i, 1, "the selected entry is drained in this cycle; ignored while sel_valid_o is 0")
OUT(sel_valid_o, 1, "some queue has a drainable entry; it holds until take_i")
OUT(sel_queue_o, IDX_W(P(QUEUES)),
    "the selected queue; may change before take_i; 0 while sel_valid_o is 0")
OUT(pick_o, IDX_W(P(QUEUES)),
    "the policy's choice, ignoring force_*; may change before take_i; 0 while sel_valid_o is 0")
OUT(forced_o, 1, "the selection is the forced queue, not the policy's; may change before take_i")
OUT(nonempty_o, P(QUEUES), "bit q: queue q has a drainable entry at the start of the cycle")
OUT(add_drop_o, 1, "add_valid_i was ignored: no such queue, or DEPTH entries counted already")
OUT(error_o, 1,
    "a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0")
REGS(8, more_q, IDX_W(P(DEPTH)), P(QUEUES), 64,
     "drainable entries of each queue beyond its first; 0 if it has none")
REG(64, nonempty_q, P(QUEUES), "bit q: queue q has a drainable entry")
REG(8, pick_q, IDX_W(P(QUEUES)), "the policy's choice; 0 if there is none")
REG(8, last_q, IDX_W(P(QUEUES)),
    "queue that the policy drained last (round robin and greedy forms)")
REG(8, hold_q, 1, "greedy forms: last_q is not empty yet and continues")
