/* SPDX-License-Identifier: Apache-2.0 */
MODULE("index of the only request")
PARAM(WIDTH, 32, 1, 64, "requests")
IN(one_hot_i, P(WIDTH), "requests")
OUT(any_o, 1, "there is a request")
OUT(index_o, IDX_W(P(WIDTH)), "its index; the OR of all indices if there are several")
