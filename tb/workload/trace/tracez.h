/* SPDX-License-Identifier: Apache-2.0 */
/* The file in which Accel-Sim 2.0 keeps a kernel (.tracez), numbers little-endian:
 *   the header's lines, and a 0;
 *   u32 bytes of the dictionary, u32 instructions that the writer put into a part; the dictionary;
 *   of each warp of each block: u32 instructions, u32 parts, and of each part u32 bytes and a zstd
 *   frame with so many lines of text as the index says, without the newline at the end;
 *   the index: u32 blocks; of each block 11 u32: its place in the grid X Y Z, those of its cluster and
 *   in its cluster, its rank in it, its warps; of each warp u32 instructions, u32 parts, u64 where its
 *   data begin, u32 instructions of each part;
 *   u64 where the index begins. */
#ifndef TRACEZ_H
#define TRACEZ_H

enum { TRACEZ_BLOCK_WORDS = 11, TRACEZ_PART = 2048 /* instructions of a part, as theirs */ };

#endif
