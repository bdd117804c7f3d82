/* SPDX-License-Identifier: Apache-2.0 */
/* The page of mshr once more, with lists that shrink from the front and fills that carry their
 * time. */
#ifndef MSHR_NAIVE_H
#define MSHR_NAIVE_H

#include "mshr.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
  struct {
    bool used, written;
    uint64_t filled, addr; /* time of the fill, 0 while the line is awaited */
    unsigned n;
    uint64_t read[32];
  } entry[128];
  uint64_t now;
  unsigned entries, merges, next; /* next: the entry of the next allocation */
  bool stores;
} naive_t;

static inline int first_filled(const naive_t *n) {
  int found = -1;
  for (unsigned e = 0; e < n->entries; e++)
    if (n->entry[e].used && n->entry[e].filled &&
        (found < 0 || n->entry[e].filled < n->entry[found].filled))
      found = (int)e;
  return found;
}

static inline int lowest_other_free(const naive_t *n) {
  for (unsigned e = 0; e < n->entries; e++)
    if (!n->entry[e].used && e != n->next) return (int)e;
  return -1;
}

static inline void naive_accept(naive_t *n, const mshr_in_t *in, int at, bool merge) {
  if (!merge) {
    n->entry[at].used = true;
    n->entry[at].written = false;
    n->entry[at].filled = 0;
    n->entry[at].n = 0;
    n->entry[at].addr = in->req_addr_i;
  }
  n->entry[at].read[n->entry[at].n++] = in->req_data_i;
}

static inline int naive_entry(const naive_t *n, uint64_t addr) {
  int found = -1;
  for (unsigned e = n->entries; e-- > 0;)
    if (n->entry[e].used && n->entry[e].addr == addr) found = (int)e;
  return found;
}

/* Outputs and next state in one go, in the order of the page: drain, fill, look-up, store. */
static inline void naive_cycle(naive_t *n, const mshr_in_t *in, mshr_out_t *out) {
  memset(out, 0, sizeof *out);
  n->now++;
  for (unsigned e = 0; e < n->entries; e++) out->count_o += n->entry[e].used;
  bool was_free = in->fill_entry_i >= n->entries || !n->entry[in->fill_entry_i].used;
  const bool full = out->count_o == n->entries;
  int e = first_filled(n), other = lowest_other_free(n);
  if (e >= 0) {
    out->out_valid_o = 1;
    out->out_entry_o = (uint64_t)e;
    out->out_data_o = n->entry[e].read[0];
    out->out_last_o = n->entry[e].n == 1;
  }
  if (in->fill_valid_i) {
    bool bad = was_free || n->entry[in->fill_entry_i].filled;
    out->fill_err_o = bad;
    out->fill_written_o = !bad && n->entry[in->fill_entry_i].written;
    if (!bad) n->entry[in->fill_entry_i].filled = n->now;
  }
  if (e >= 0 && in->out_ready_i) {
    memmove(n->entry[e].read, n->entry[e].read + 1, 31 * sizeof(uint64_t));
    n->entry[e].n--;
    n->entry[e].used = n->entry[e].n > 0;
  }
  int hit = naive_entry(n, in->req_addr_i), hit_store = naive_entry(n, in->store_addr_i);
  int unused = !full ? (int)n->next : e >= 0 && !n->entry[e].used ? e : -1;
  int at = hit >= 0 ? hit : unused;
  bool merge = hit >= 0;
  out->req_merge_o = merge;
  if (merge && n->entry[hit].n == n->merges) out->req_refuse_o = 2;
  if (merge && n->entry[hit].written) out->req_refuse_o = 3;
  out->store_hit_o = n->stores && hit_store >= 0;
  out->store_entry_o = out->store_hit_o ? (uint64_t)hit_store : 0;
  if (!merge && unused < 0) out->req_refuse_o = 1;
  out->req_ready_o = out->req_refuse_o == 0;
  out->req_entry_o = out->req_ready_o ? (uint64_t)at : 0;
  const bool accepted = in->req_valid_i && out->req_ready_o;
  if (accepted) naive_accept(n, in, at, merge);
  const int last = naive_entry(n, in->store_addr_i);
  if (n->stores && in->store_valid_i && last >= 0) n->entry[last].written = true;
  if (full || (accepted && !merge)) n->next = (unsigned)(other >= 0 ? other : e >= 0 ? e : 0);
}

#endif
