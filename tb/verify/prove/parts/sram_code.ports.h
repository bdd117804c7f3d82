/* SPDX-License-Identifier: Apache-2.0 */
MODULE("check bits of a word: parity or SECDED")
PARAM(WIDTH, 64, 1, 64, "bits of a word")
PARAM(CODE, 2, 1, 2, "1 parity, 2 SECDED")
IN(data_i, P(WIDTH), "a word to be written")
IN(rdata_i, P(WIDTH), "a word that was read")
IN(rcode_i, P(CODE) != 2 ? 1 : IDX_W(P(WIDTH) + CNT_W(P(WIDTH)) + 1) + 1,
   "the check bits that were read with it")
OUT(code_o, P(CODE) != 2 ? 1 : IDX_W(P(WIDTH) + CNT_W(P(WIDTH)) + 1) + 1, "its check bits")
OUT(rdata_o, P(WIDTH), "the word, with one flipped bit put right if CODE is 2")
OUT(error_o, 1, "the word does not fit its check bits, and rdata_o is not put right")
OUT(corrected_o, 1, "one bit, of the word or of its check bits, was flipped")
