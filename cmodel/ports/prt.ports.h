/* SPDX-License-Identifier: Apache-2.0 */
MODULE("pending request table: one entry for each warp memory instruction (Kepler; Lashgar et al., "
       "section 2.2)")
PARAM(ENTRIES, 44, 1, 512, "warp memory instructions that may be outstanding")
PARAM(LANES, 32, 1, 32, "lanes of a warp")
PARAM(OFFSET_W, 7, 1, 8, "bits of a lane's offset within its memory block")
PARAM(TAG_W, 16, 1, 64, "bits stored for the instruction (warp, register)")
PARAM(ORDER, 0, 0, 1,
      "0 an entry is free once its last reply has arrived (Kepler), 1 entries are released in the "
      "order of their allocation (Hopper)")
PARAM(CHECK, 0, 0, 1,
      "1 with lane_check inside: requests and replies that break the rules are ignored; 0 without: "
      "there are none")
PARAM(PARITY, 0, 0, 1, "1 with a parity bit for every register and word, and error_o; 0 without")
IN(srst_ni, 1, "synchronous reset, active low")
IN(alloc_valid_i, 1,
   "reserve an entry for a warp memory instruction; it need not hold until alloc_ready_o")
IN(alloc_tag_i, P(TAG_W), "tag to store for it")
IN(alloc_mask_i, P(LANES), "its lanes; must not be 0")
INW(alloc_offset_i, P(LANES) * P(OFFSET_W), 32 * 8, "offset of each lane, lane 0 lowest")
IN(issue_valid_i, 1, "one coalesced request of entry issue_entry_i is sent")
IN(issue_entry_i, IDX_W(P(ENTRIES)), "its entry; may be the one allocated in this cycle")
IN(issue_mask_i, P(LANES), "the lanes that it serves")
IN(reply_valid_i, 1, "the reply to one request has arrived")
IN(reply_entry_i, IDX_W(P(ENTRIES)), "entry number that travelled with it")
IN(reply_mask_i, P(LANES), "lane mask that travelled with it")
OUT(alloc_ready_o, 1,
    "an allocation with alloc_mask_i would be accepted in this cycle; it holds until alloc_valid_i")
OUT(alloc_entry_o, IDX_W(P(ENTRIES)), "the entry that it would get; has no meaning otherwise")
OUT(issue_ok_o, 1, "the request is counted; with CHECK only if it keeps the rules")
OUT(reply_ok_o, 1,
    "the reply is for an entry that is not complete; with CHECK only if it keeps the rules")
OUT(reply_tag_o, P(TAG_W), "the instruction's tag; 0 while reply_ok_o is 0")
OUTW(reply_offset_o, P(LANES) * P(OFFSET_W), 32 * 8,
     "offsets of the lanes in reply_mask_i; 0 elsewhere and while reply_ok_o is 0")
OUT(last_o, 1, "this reply is the instruction's last")
OUT(release_o, 1, "an entry is released: with ORDER 0 that of last_o, with ORDER 1 the oldest")
OUT(count_o, CNT_W(P(ENTRIES)),
    "entries in use at the start of the cycle, including those that only wait for release")
OUT(error_o, 1,
    "a stored bit has changed by itself, or a request names an entry that is not in use: the "
    "outputs "
    "of this cycle cannot be trusted; PARITY 0: 0")
REGW(valid_q, P(ENTRIES), 512, 1, 1, "bit e: entry e is in use")
REGW(last_q, P(ENTRIES), 512, 1, 1, "bit e: the next reply of entry e completes it")
REGW(done_q, P(ENTRIES), 512, 1, 1,
     "bit e, ORDER 1: entry e only waits for its release; ORDER 0: 0")
REG(16, count_q, CNT_W(P(ENTRIES)), "entries in use")
REG(8, full_q, 1, "all entries are in use")
REG(16, next_q, IDX_W(P(ENTRIES)), "the entry of the next allocation; has no meaning while full_q")
REG(16, head_q, IDX_W(P(ENTRIES)),
    "ORDER 1: the oldest entry, that of the next allocation while none is in use; ORDER 0: 0")
REGS(8, left_q, CNT_W(P(LANES)), P(ENTRIES), 512, "number of lanes not issued yet")
REGS(8, pend_q, CNT_W(P(LANES)), P(ENTRIES), 512, "requests in flight")
REGS(64, tag_q, P(TAG_W), P(ENTRIES), 512, "tag")
REGW(offset_q, P(LANES) * P(OFFSET_W), 32 * 8, P(ENTRIES), 512, "offset of each lane")
