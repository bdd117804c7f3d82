/* SPDX-License-Identifier: Apache-2.0 */
MODULE("the first request after the last one served")
PARAM(WIDTH, 48, 1, 64, "requests")
IN(req_i, P(WIDTH), "requests")
IN(last_i, IDX_W(P(WIDTH)), "the last one served")
OUT(any_o, 1, "there is a request")
OUT(index_o, IDX_W(P(WIDTH)), "the next; 0 if there is none")
