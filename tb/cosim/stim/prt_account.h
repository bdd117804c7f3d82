/* SPDX-License-Identifier: Apache-2.0 */
/* prt: the stimulus's own account of the lanes of each entry, because the table has only counts. */
#ifndef COSIM_PRT_ACCOUNT_H
#define COSIM_PRT_ACCOUNT_H

#include "prt.h"

#include <string.h>

enum { PRT_ACCOUNT_ENTRIES = 512 };

typedef struct {
  uint32_t todo[PRT_ACCOUNT_ENTRIES], wait[PRT_ACCOUNT_ENTRIES]; /* not issued; await data */
  uint32_t before[PRT_ACCOUNT_ENTRIES];                          /* `todo` before the last reset */
  uint64_t open[PRT_ACCOUNT_ENTRIES / 64];                       /* bit e: todo[e] is not 0 */
  uint64_t flying[PRT_ACCOUNT_ENTRIES / 64];                     /* bit e: wait[e] is not 0 */
} prt_account_t;

static inline void prt_account_bit(uint64_t *map, uint64_t e, bool to) {
  map[e / 64] = (map[e / 64] & ~(UINT64_C(1) << e % 64)) | (uint64_t)to << e % 64;
}

static inline void prt_account_todo(prt_account_t *a, uint64_t e, uint32_t lanes) {
  a->todo[e] = lanes;
  prt_account_bit(a->open, e, lanes != 0);
}

static inline void prt_account_wait(prt_account_t *a, uint64_t e, uint32_t lanes) {
  a->wait[e] = lanes;
  prt_account_bit(a->flying, e, lanes != 0);
}

static inline void prt_account_reset(prt_account_t *a) {
  memcpy(a->before, a->todo, sizeof a->before);
  memset(a->todo, 0, sizeof a->todo);
  memset(a->open, 0, sizeof a->open);
  memset(a->flying, 0, sizeof a->flying);
  memset(a->wait, 0, sizeof a->wait);
}

/* After a cycle with these inputs and outputs. */
static inline void prt_account_cycle(prt_account_t *a, const prt_in_t *i, const prt_out_t *o) {
  const uint64_t from = i->reply_entry_i, to = i->issue_entry_i;
  if (o->reply_ok_o) prt_account_wait(a, from, a->wait[from] & ~(uint32_t)i->reply_mask_i);
  if (i->alloc_valid_i && o->alloc_ready_o) {
    prt_account_todo(a, o->alloc_entry_o, (uint32_t)i->alloc_mask_i);
    prt_account_wait(a, o->alloc_entry_o, 0);
  }
  if (!o->issue_ok_o) return;
  prt_account_todo(a, to, a->todo[to] & ~(uint32_t)i->issue_mask_i);
  prt_account_wait(a, to, a->wait[to] | (uint32_t)i->issue_mask_i);
}

#endif
