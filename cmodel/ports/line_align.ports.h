/* SPDX-License-Identifier: Apache-2.0 */
MODULE("aligns a line to the lanes of a warp: each lane gets its word")
PARAM(LANES, 32, 1, 32, "lanes of a warp")
PARAM(WORDS, 32, 1, 32, "words of 4 bytes in a line")
PARAM(INFO_W, 23, 1, 64, "bits that go with an answer")
PARAM(PASSES, 2, 1, 2,
      "1 all lanes at once, 2 half of the lanes in a cycle: half as many crossbars")
PARAM(PARITY, 0, 0, 1, "1 with a parity bit for every register, and error_o; 0 without")
IN(srst_ni, 1, "synchronous reset, active low")
IN(in_valid_i, 1, "a request is to be aligned; it need not hold until in_ready_o")
INW(in_word_i, P(LANES) * IDX_W(P(WORDS)), 32 * 5, "word of each lane in the line, lane 0 lowest")
IN(in_mask_i, P(LANES), "its lanes")
IN(in_info_i, P(INFO_W), "what goes with it")
INW(in_line_i, P(WORDS) * 32, 1024,
    "the line, word 0 lowest, from the cycle in which the request is taken up to that of "
    "line_done_o")
IN(out_ready_i, 1, "the answer on out_* is taken in this cycle")
OUT(in_ready_o, 1, "a request would be taken in this cycle, and its first pass done")
OUT(line_done_o, 1, "the last pass of a request is done in this cycle: in_line_i may change")
OUT(out_valid_o, 1, "an answer is offered; it holds until out_ready_i")
OUTW(out_data_o, P(LANES) * 32, 1024,
     "a word for each of its lanes, lane 0 lowest; 0 for other lanes and while out_valid_o is 0")
OUT(out_mask_o, P(LANES), "its lanes; 0 while out_valid_o is 0")
OUT(out_info_o, P(INFO_W), "what goes with it; 0 while out_valid_o is 0")
OUT(error_o, 1,
    "a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0")
REG(8, out_valid_q, 1, "an answer is offered")
REG(8, more_q, 1, "the upper half of a request is still to be aligned; PASSES 1: 0")
REG(32, mask_q, P(LANES), "lanes of the answer")
REG(64, info_q, P(INFO_W), "what goes with it")
REGW(word_q, (P(LANES) > 1 ? P(LANES) / 2 : 1) * IDX_W(P(WORDS)), 16 * 5, 1, 1,
     "words of the lanes in the upper half of a request; PASSES 1: 0")
REGW(data_q, P(LANES) * 32, 1024, 1, 1, "data of the answer")
