/* SPDX-License-Identifier: Apache-2.0 */
MODULE("keeps what stores write until it is sent to memory: lanes are gathered into lines")
PARAM(STORES, 4, 1, 32, "entries: requests of stores whose data are kept")
PARAM(LANES, 32, 1, 32, "lanes of a warp")
PARAM(WORDS, 32, 1, 32, "words of 4 bytes in a line")
PARAM(BUS_WORDS, 8, 1, 32, "words of a beat of the bus")
PARAM(PASSES, 1, 1, 2,
      "1 all lanes are gathered in one cycle, 2 the lower half of the lanes in one cycle and the "
      "upper half in the next")
PARAM(PARITY, 0, 0, 1, "1 with a parity bit for every register and word, and error_o; 0 without")
IN(srst_ni, 1, "synchronous reset, active low")
IN(lanes_valid_i, 1, "keep the lanes of a store instruction; it need not hold until lanes_ready_o")
INW(lanes_word_i, P(LANES) * IDX_W(P(WORDS)), 32 * 5,
    "word of each lane in its line, lane 0 lowest")
INW(lanes_data_i, P(LANES) * 32, 32 * 32, "what each lane stores")
INW(lanes_bytes_i, P(LANES) * 4, 32 * 4, "which bytes of the word it stores")
IN(put_valid_i, 1,
   "a request of the instruction that is kept takes entry put_entry_o; it need not hold until "
   "put_ready_o")
IN(put_lanes_i, P(LANES), "the lanes that it serves")
IN(beat_entry_i, IDX_W(P(STORES)), "the entry of beat_data_o")
IN(beat_number_i, IDX_W((P(WORDS) + P(BUS_WORDS) - 1) / P(BUS_WORDS)), "the beat of its line")
IN(free_valid_i, 1, "the last beat of entry free_entry_i has been sent")
IN(free_entry_i, IDX_W(P(STORES)), "that entry")
OUT(lanes_ready_o, 1, "the instruction on lanes_* would be kept: no request needs the lanes longer")
OUT(put_ready_o, 1, "an entry is free and no request is being gathered; it holds until put_valid_i")
OUT(put_entry_o, IDX_W(P(STORES)),
    "the free entry with the lowest number, which may change before put_valid_i; 0 without one")
OUTW(beat_data_o, P(BUS_WORDS) * 32, 32 * 32,
     "the beat's words, 0 where nothing is stored; 0 if the entry is not in use")
OUTW(beat_strobe_o, P(BUS_WORDS) * 4, 32 * 4, "its bytes that are stored")
OUT(empty_o, 1, "no entry is in use")
OUT(count_o, CNT_W(P(STORES)), "entries in use at the start of the cycle")
OUT(error_o, 1,
    "a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0")
REGS(8, word_q, IDX_W(P(WORDS)), P(LANES), 32, "the instruction that is kept: word of each lane")
REGS(32, lane_q, 32, P(LANES), 32, "what each lane stores")
REGS(8, bytes_q, 4, P(LANES), 32, "which bytes of the word it stores")
REG(32, used_q, P(STORES), "bit e: entry e is in use")
REG(8, count_q, CNT_W(P(STORES)), "entries in use")
REG(8, kept_q, 1, "an instruction has been kept since the reset")
REG(8, pass_q, 1, "the upper lanes are gathered in this cycle; PASSES 1: 0")
REG(8, pass_entry_q, IDX_W(P(STORES)), "the entry; PASSES 1: 0")
REG(32, pass_lanes_q, (P(LANES) + 1) / 2,
    "those of its lanes, the lowest of them first; PASSES 1: 0")
REGS(32, data_q, 32, P(STORES) * P(WORDS), 32 * 32, "word w of entry e at e * WORDS + w")
REGS(8, strobe_q, 4, P(STORES) * P(WORDS), 32 * 32, "its bytes that are stored")
