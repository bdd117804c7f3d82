/* SPDX-License-Identifier: Apache-2.0 */
MODULE("sends the requests of the L1's miss queue to memory: bursts of AXI4")
PARAM(ADDR_W, 25, 1, 36, "bits of a line address")
PARAM(WORDS, 32, 1, 32, "words of 4 bytes in a line")
PARAM(BUS_WORDS, 8, 1, 32, "words of a beat of the bus")
PARAM(ID_W, 6, 1, 16, "bits of the id of a request")
PARAM(STORES, 4, 1, 128, "entries of the store buffer")
PARAM(PARITY, 0, 0, 1, "1 with a parity bit for every register and word, and error_o; 0 without")
IN(srst_ni, 1, "synchronous reset, active low")
IN(req_valid_i, 1, "a request is offered; it need not hold until req_ready_o")
IN(req_data_i, 1 + P(ID_W) + P(ADDR_W) + 2 * IDX_W((P(WORDS) + P(BUS_WORDS) - 1) / P(BUS_WORDS)),
   "the request: write, id, line address, first beat, last beat; the last beat is lowest")
IN(ar_ready_i, 1, "AXI4: the read on ar_* is taken in this cycle")
IN(aw_ready_i, 1, "AXI4: the write on aw_* is taken in this cycle")
IN(w_ready_i, 1, "AXI4: the beat on w_* is taken in this cycle")
INW(beat_data_i, P(BUS_WORDS) * 32, 32 * 32,
    "beat beat_number_o of the store buffer's entry beat_entry_o")
INW(beat_strobe_i, P(BUS_WORDS) * 4, 32 * 4, "its bytes that are stored")
OUT(req_ready_o, 1, "req_data_i would be taken in this cycle")
OUT(ar_valid_o, 1, "AXI4: a read; it holds until ar_ready_i")
OUT(ar_id_o, P(ID_W), "AXI4: its id; 0 while ar_valid_o is 0")
OUT(ar_addr_o, P(ADDR_W) + CNT_W(4 * P(WORDS) - 1),
    "AXI4: address of its first byte; 0 while ar_valid_o is 0")
OUT(ar_len_o, 8, "AXI4: its beats less one; 0 while ar_valid_o is 0")
OUT(aw_valid_o, 1, "AXI4: a write; it holds until aw_ready_i")
OUT(aw_addr_o, P(ADDR_W) + CNT_W(4 * P(WORDS) - 1),
    "AXI4: address of its first byte; 0 while aw_valid_o is 0")
OUT(aw_len_o, 8, "AXI4: its beats less one; 0 while aw_valid_o is 0")
OUT(w_valid_o, 1, "AXI4: a beat of the write; it holds until w_ready_i")
OUTW(w_data_o, P(BUS_WORDS) * 32, 32 * 32,
     "AXI4: beat_data_i, with which it may change before w_ready_i; 0 while w_valid_o is 0")
OUTW(w_strb_o, P(BUS_WORDS) * 4, 32 * 4,
     "AXI4: beat_strobe_i, with which it may change before w_ready_i; 0 while w_valid_o is 0")
OUT(w_last_o, 1, "AXI4: it is the last beat of the write; 0 while w_valid_o is 0")
OUT(beat_entry_o, IDX_W(P(STORES)),
    "entry of the store buffer whose beat is sent; 0 while w_valid_o is 0")
OUT(beat_number_o, IDX_W((P(WORDS) + P(BUS_WORDS) - 1) / P(BUS_WORDS)),
    "number of that beat; 0 while w_valid_o is 0")
OUT(free_valid_o, 1, "the last beat of free_entry_o is taken in this cycle")
OUT(free_entry_o, IDX_W(P(STORES)), "entry of the store buffer; 0 while free_valid_o is 0")
OUT(idle_o, 1, "no request waits in a register")
OUT(error_o, 1,
    "a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0")
REG(8, read_valid_q, 1, "a read waits in read_q")
REG(64, read_q, P(ID_W) + P(ADDR_W) + 2 * IDX_W((P(WORDS) + P(BUS_WORDS) - 1) / P(BUS_WORDS)),
    "a read that was offered and not taken: id, line, first beat, last beat")
REG(8, aw_valid_q, 1, "the address of the write in write_q has not been taken")
REG(8, w_valid_q, 1, "beats of the write in write_q have not been taken")
REG(64, write_q, P(ID_W) + P(ADDR_W) + 2 * IDX_W((P(WORDS) + P(BUS_WORDS) - 1) / P(BUS_WORDS)),
    "the write that is sent: id, line, first beat, last beat")
REG(8, beat_q, IDX_W((P(WORDS) + P(BUS_WORDS) - 1) / P(BUS_WORDS)),
    "the next beat of the write in write_q")
