/* SPDX-License-Identifier: Apache-2.0 */
MODULE("which lanes of an instruction each of its requests serves")
PARAM(ENTRIES, 44, 1, 512, "instructions that may be outstanding: entries of the PRT")
PARAM(LANES, 32, 1, 32, "lanes of a warp")
PARAM(PARITY, 0, 0, 1, "1 with a parity bit for every register and word, and error_o; 0 without")
IN(srst_ni, 1, "synchronous reset, active low")
IN(write_valid_i, 1, "a request of entry write_entry_i is entered")
IN(write_entry_i, IDX_W(P(ENTRIES)), "its entry")
IN(write_number_i, IDX_W(P(LANES)), "its number within its instruction")
IN(write_lanes_i, P(LANES), "the lanes that it serves")
IN(write_first_i, 1, "it is the first of its instruction: all other lanes belong to no request")
IN(read_valid_i, 1, "the lanes of a request are read")
IN(read_entry_i, IDX_W(P(ENTRIES)), "its entry")
IN(read_number_i, IDX_W(P(LANES)), "its number")
OUT(read_lanes_o, P(LANES),
    "the lanes that it serves; 0 if there is no such request, and while read_valid_i is 0")
OUT(error_o, 1,
    "a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0")
REGW(live_q, P(ENTRIES), 512, 1, 1, "bit e: a request of entry e was entered since the reset")
REGW(has_q, P(LANES), 32, P(ENTRIES), 512, "the lanes that belong to a request")
REGW(number_q, P(LANES) * IDX_W(P(LANES)), 32 * 5, P(ENTRIES), 512,
     "the request of each lane, lane 0 lowest; 0 for a lane without")
