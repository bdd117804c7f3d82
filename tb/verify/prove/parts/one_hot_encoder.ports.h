/* SPDX-License-Identifier: Apache-2.0 */
MODULE("index of the one request there is")
PARAM(WIDTH, 32, 1, 64, "requests")
IN(one_hot_i, P(WIDTH), "requests")
OUT(any_o, 1, "there is one")
OUT(index_o, IDX_W(P(WIDTH)), "its index; the OR of all where there are several")
