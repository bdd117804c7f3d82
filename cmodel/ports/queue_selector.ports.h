/* SPDX-License-Identifier: Apache-2.0 */
MODULE("signature of a request -> queue number (MRPB paper, section 3.2)")
PARAM(QUEUES, 48, 1, 64, "queues of the buffer")
PARAM(SIGNATURE, 1, 0, 2, "0 block ID, 1 warp ID, 2 in-block warp ID")
IN(warp_i, 6, "warp ID of the request within its SM")
IN(block_i, 6, "block ID (slot) of the request within its SM")
IN(block_warp_i, 6, "ordinal position of the warp within its block")
OUT(queue_o, IDX_W(P(QUEUES)), "the signature modulo QUEUES")
