/* SPDX-License-Identifier: Apache-2.0 */
MODULE("miss status holding registers: ENTRIES lines of up to MERGES reads each (Fermi; Lashgar et "
       "al., section 2.1)")
PARAM(ENTRIES, 32, 1, 128, "lines that may be outstanding")
PARAM(MERGES, 8, 1, 32, "reads listed by one entry, including the first")
PARAM(ADDR_W, 25, 1, 57, "bits of a line address")
PARAM(DATA_W, 16, 1, 64, "bits stored for each read (its requester)")
PARAM(STORES, 0, 0, 1,
      "1 a store marks the entry of its line as out of date, 0 the store port is without effect")
PARAM(READ_REG, 0, 0, 1,
      "1 data_q is read at the edge, into read_q, so that it may be a synchronous SRAM; the "
      "outputs are the same")
PARAM(PARITY, 0, 0, 1, "1 with a parity bit for every register and word, and error_o; 0 without")
IN(srst_ni, 1, "synchronous reset, active low")
IN(req_valid_i, 1,
   "a read that missed: merge it or allocate an entry; it need not hold until req_ready_o")
IN(req_addr_i, P(ADDR_W), "its line address")
IN(req_data_i, P(DATA_W), "data to store for it")
IN(fill_valid_i, 1, "the line of entry fill_entry_i has arrived")
IN(fill_entry_i, IDX_W(P(ENTRIES)), "entry number that travelled with the request")
IN(out_ready_i, 1, "the read on out_* is taken in this cycle")
IN(store_valid_i, 1, "a store passes: mark the entry of its line; the read of the cycle is before")
IN(store_addr_i, P(ADDR_W), "its line address")
OUT(req_ready_o, 1, "a read of req_addr_i would be accepted in this cycle")
OUT(req_merge_o, 1, "an entry of req_addr_i exists, so it would merge")
OUT(req_refuse_o, 2,
    "why it is refused: 0 accepted, 1 no free entry, 2 the entry lists MERGES reads already, 3 the "
    "entry is marked by a store")
OUT(req_entry_o, IDX_W(P(ENTRIES)), "entry merged into or allocated; 0 while req_ready_o is 0")
OUT(fill_err_o, 1, "fill_valid_i for an entry that awaits no line; it is ignored")
OUT(out_valid_o, 1,
    "a read of the entry that was filled first is ready to leave; it holds until out_ready_i")
OUT(out_data_o, P(DATA_W), "its stored data; 0 while out_valid_o is 0")
OUT(out_entry_o, IDX_W(P(ENTRIES)), "its entry; 0 while out_valid_o is 0")
OUT(out_last_o, 1,
    "it is the only read that the entry lists; may fall before out_ready_i, if a read merges; 0 "
    "while out_valid_o is 0")
OUT(count_o, CNT_W(P(ENTRIES)), "entries in use at the start of the cycle")
OUT(fill_written_o, 1, "the line that arrives is out of date: its entry is marked by a store")
OUT(store_hit_o, 1, "an entry of store_addr_i exists")
OUT(store_entry_o, IDX_W(P(ENTRIES)), "the entry; 0 while store_hit_o is 0")
OUT(error_o, 1,
    "a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0")
REGW(valid_q, P(ENTRIES), 128, 1, 1, "bit e: entry e is in use")
REGW(ready_q, P(ENTRIES), 128, 1, 1, "bit e: its line has arrived")
REGW(drain_q, P(ENTRIES), 128, 1, 1,
     "bit e: entry e is draining; one bit, or none while order_len_q is 0")
REGW(written_q, P(ENTRIES), 128, 1, 1, "bit e: entry e is marked by a store; STORES 0: 0")
REG(64, read_q, P(DATA_W), "READ_REG 1: the word of data_q that out_data_o shows; READ_REG 0: 0")
REG(8, order_head_q, IDX_W(P(ENTRIES)), "the place in order_q of the entry that is draining")
REG(8, order_len_q, CNT_W(P(ENTRIES)), "entries filled and not yet drained")
REG(8, count_q, CNT_W(P(ENTRIES)), "entries in use")
REG(8, next_q, IDX_W(P(ENTRIES)), "the entry of the next allocation, unless the table is full")
REGS(8, len_q, CNT_W(P(MERGES)), P(ENTRIES), 128, "reads listed")
REGS(8, head_q, IDX_W(P(MERGES)), P(ENTRIES), 128, "oldest of them")
REGS(8, order_q, IDX_W(P(ENTRIES)), P(ENTRIES), 128, "entries in the order of their fills, a ring")
REGS(64, addr_q, P(ADDR_W), P(ENTRIES), 128, "line address (the CAM)")
REGS(64, data_q, P(DATA_W), P(ENTRIES) * P(MERGES), 128 * 32,
     "reads of entry e: a ring of MERGES from e * MERGES")
