/* SPDX-License-Identifier: Apache-2.0 */
/* The L1 data cache as others see it: what it holds, and what it would accept. */
#include "gpu/pipeline/l1d_state.h"
#include "parts/unit_direct.h"

bool l1d_takes(l1d_t *d, uint64_t addr) {
  const uint64_t line = addr >> LINE_LOG2;
  uint32_t index;
  mshr_out_t out;
  if (d->cfg.allocate == CONFIG_ALLOCATE_FILL) return false; /* a fill may replace the line */
  const tag_array_status_t probe = tag_array_probe(d->tags, line, &index);
  if (probe != TAGS_MISS) return probe == TAGS_HIT;
  d->in.req_addr_i = line;
  unit_mshr_comb(&d->mshr, &d->in, &out);
  d->in.req_addr_i = 0;
  return out.req_ready_o && !out.req_merge_o;
}

static bool queued(const l1d_t *d, uint64_t addr, bool any) {
  for (const packet_t *p = d->queue.head; p; p = p->next)
    if ((any || p->kind == PACKET_WRITE) && p->addr >> LINE_LOG2 == addr >> LINE_LOG2) return true;
  return false;
}

bool l1d_store_queued(const l1d_t *d, uint64_t addr) {
  return queued(d, addr, false);
}

bool l1d_line_queued(const l1d_t *d, uint64_t addr) {
  return queued(d, addr, true);
}

bool l1d_drained(const l1d_t *d) {
  return d->filled == 0;
}

unsigned l1d_mshrs(const l1d_t *d) {
  return d->count - d->leaving;
}
unsigned l1d_miss_queue(const l1d_t *d) {
  return d->queue.count;
}
unsigned l1d_queued_by(const l1d_t *d, uint64_t now) {
  unsigned n = 0;
  for (const packet_t *p = d->queue.head; p && p->t_created <= now; p = p->next) n++;
  return n;
}
const l1d_stats_t *l1d_stats(const l1d_t *d) {
  return &d->stats;
}
const tag_array_t *l1d_tags(const l1d_t *d) {
  return d->tags;
}
const unit_t *l1d_mshr(const l1d_t *d) {
  return &d->mshr;
}
const mshr_in_t *l1d_mshr_in(const l1d_t *d) {
  return &d->in;
}

const char *l1d_reason_name(l1d_reason_t reason) {
  static const char *const names[L1D_REASONS] = {"-", "assoc", "missq", "mshr", "merge"};
  return names[reason];
}
