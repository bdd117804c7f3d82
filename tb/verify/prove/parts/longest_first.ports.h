/* SPDX-License-Identifier: Apache-2.0 */
MODULE("index of the largest count; the lowest of equals")
PARAM(QUEUES, 48, 1, 64, "counts")
PARAM(COUNT_W, 4, 1, 7, "bits of each")
INW(counts_i, P(QUEUES) * P(COUNT_W), 64 * 7, "the counts, the first one lowest")
OUT(index_o, IDX_W(P(QUEUES)), "index of the largest")
