/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of one kind by all warps or by some, each followed by a reading of the clock: how many an
 * SM takes before it takes no more; the same behind a few of another kind, whether both wait for
 * the same thing. docs/micro/kinds.md */
#ifndef MICRO_KERNEL_KINDS_H
#define MICRO_KERNEL_KINDS_H

#include "studies/micro/kernels/accept.h"

typedef struct {
  card_access_t form;
  const char *name; /* of rows */
  const char *op;   /* of the text */
  uint32_t words;   /* of 4 bytes that each lane moves; of CARD_BULK, all of them */
  bench_place_t place;
  uint32_t isa; /* the oldest GPU that has it: 90, sm_90 */
} kind_t;

/* The i-th kind of kinds.def, the plain load first; NULL after the last. */
const kind_t *kinds_at(unsigned i);
/* Bytes that an access of a warp moves. */
uint32_t kinds_bytes(const kind_t *k);

/* Warps of a block whose number, and'ed with `idle`, is 0 do `lead` accesses of kind `k`, then plain
 * loads, `accesses` of both. */
typedef struct {
  const kind_t *k;
  uint32_t warps, accesses, lead, idle;
  bool same; /* the leading ones all of one line, word after word: what is the same a compiler
                loads once */
} kinds_t;

/* As many as the registers of a thread leave room for, of a block of so many warps. */
uint32_t kinds_most(const kind_t *k, uint32_t warps);

enum { KINDS_WARP = 96 /* accesses of a warp */ };

typedef struct {
  uint32_t taken;                         /* before the pause; all of them if there is none */
  uint32_t n;                             /* accesses in all */
  uint32_t leading;                       /* of those taken: of the kind asked about */
  uint32_t pause;                         /* the first: cycles; 0: none */
  uint32_t at[KINDS_WARP * ACCEPT_WARPS]; /* when each was issued, ascending, from the first on */
} kinds_seen_t;

typedef struct {
  bench_t bench;
  kinds_t what;
  uint64_t in, plain, out;
} kinds_bench_t;

/* BENCH_REFUSED: what it runs on does not read such a text, for the reason in `err`. */
int kinds_open(kinds_bench_t *b, const bench_gpu_t *gpu, const kinds_t *what, mrpb_err_t *err);
void kinds_close(kinds_bench_t *b);
/* The run that takes the median. */
int kinds_run(kinds_bench_t *b, kinds_seen_t *seen, mrpb_err_t *err);

#endif
