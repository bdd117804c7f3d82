/* SPDX-License-Identifier: Apache-2.0 */
/* The file in which Accel-Sim 2.0 stores a kernel (.tracez). Numbers are little-endian.
 *   the header's lines, and a 0 byte;
 *   u32 bytes of the dictionary, u32 instructions that the writer put into a part; the dictionary;
 *   for each warp of each block: u32 instructions, u32 parts, and for each part u32 bytes and a
 *   zstd frame with as many lines of text as the index says, without the newline at the end;
 *   the index: u32 blocks; for each block 11 u32: its position X Y Z in the grid, the position of
 *   its cluster and its position in the cluster, its rank there, its warps; for each warp u32
 *   instructions, u32 parts, u64 where its data begin, u32 instructions of each part;
 *   u64 where the index begins. */
#ifndef TRACEZ_H
#define TRACEZ_H

enum { TRACEZ_BLOCK_WORDS = 11, TRACEZ_PART = 2048 /* instructions per part, as in theirs */ };

#endif
