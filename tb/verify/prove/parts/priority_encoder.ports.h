/* SPDX-License-Identifier: Apache-2.0 */
MODULE("index of the lowest request")
PARAM(WIDTH, 48, 1, 64, "requests")
IN(req_i, P(WIDTH), "requests")
OUT(any_o, 1, "there is a request")
OUT(index_o, IDX_W(P(WIDTH)), "the lowest; 0 if there is none")
