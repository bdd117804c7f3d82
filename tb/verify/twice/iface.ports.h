/* SPDX-License-Identifier: Apache-2.0 */
MODULE("any module: its inputs side by side, its outputs side by side")
PARAM(TWICE_IN_BITS, 1, 1, 4096, "bits of all inputs that are random")
PARAM(TWICE_OUT_BITS, 1, 1, 4096, "bits of all outputs")
IN(srst_ni, 1, "reset, active low")
INW(in_i, P(TWICE_IN_BITS), 4096, "the inputs, the first one lowest")
OUTW(out_o, P(TWICE_OUT_BITS), 4096, "the outputs, the first one highest")
REG(64, map_state_q, 64, "the bits that a map's `state` statements keep")
