/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of one kind by all or some warps, each followed by a clock reading: how many an SM
 * accepts. With a few accesses of another kind in front, they show whether both kinds wait for the
 * same resource. docs/micro/kinds.md */
#ifndef MICRO_KERNEL_KINDS_H
#define MICRO_KERNEL_KINDS_H

#include "studies/micro/kernels/accept.h"

typedef struct {
  card_access_t form;
  const char *name; /* in rows */
  const char *op;   /* in the text */
  uint32_t words;   /* of 4 bytes that each lane moves; of CARD_BULK, all of them */
  bench_place_t place;
  uint32_t isa; /* the oldest GPU that has it; 90: sm_90 */
} kind_t;

/* The i-th kind of kinds.def, the plain load first; NULL after the last. */
const kind_t *kinds_at(unsigned i);
/* Bytes that one access of a warp moves. */
uint32_t kinds_bytes(const kind_t *k);

/* Warps whose number in the block, ANDed with `idle`, is 0 make `lead` accesses of kind `k` and
 * then plain loads, `accesses` in all. */
typedef struct {
  const kind_t *k;
  uint32_t warps, accesses, lead, idle;
  bool same; /* leading accesses read one line, word after word: a compiler would make identical
              * loads only once */
} kinds_t;

/* The most accesses that a thread's registers allow in a block of `warps` warps. */
uint32_t kinds_most(const kind_t *k, uint32_t warps);

enum { KINDS_WARP = 96 /* accesses of a warp */ };

typedef struct {
  uint32_t taken;                         /* before the pause; all of them if there is none */
  uint32_t n;                             /* accesses in all */
  uint32_t leading;                       /* accesses of the kind asked about, among those taken */
  uint32_t pause;                         /* cycles of the first pause; 0: none */
  uint32_t at[KINDS_WARP * ACCEPT_WARPS]; /* issue time of each access since the first, ascending */
} kinds_seen_t;

/* Makes as many launches as the GPU's noise requires and returns in *seen the one with the median
 * number of accepted accesses. If the GPU or model cannot read such a text, returns the reason. */
mrpb_err_t kinds_take(const bench_gpu_t *gpu, const kinds_t *what, kinds_seen_t *seen);

#endif
