/* SPDX-License-Identifier: Apache-2.0 */
/* The shown SM: what it did in a cycle, for the wave of a run. */
#include "gpu/inorder/inorder_state.h"

void inorder_set_hook(cores_t *c, inorder_hook_t hook, void *ctx) {
  inorder_t *all = (inorder_t *)(void *)c;
  all->hook = hook;
  all->hook_ctx = ctx;
}

const unit_t *inorder_table(const cores_t *c, const uint64_t **in) {
  const inorder_t *all = (const inorder_t *)(const void *)c;
  const core_table_t *t = &all->core[all->shown]->table;
  *in = (const uint64_t *)(const void *)&t->in;
  return &t->unit;
}

static void count_warps(const core_t *c, inorder_probe_t *p) {
  p->live = c->live;
  for (unsigned w = 0; w < CORE_WARPS; w++) {
    const core_warp_t *warp = &c->warp[w];
    const uint64_t bit = UINT64_C(1) << w;
    p->loads += warp->loads;
    if (!(c->live & bit)) continue;
    if (warp->at_barrier)
      p->at_barrier |= bit;
    else if (warp->awaited)
      p->waits_data |= bit;
    else if (c->can_issue[w] <= c->all->now)
      p->issuable |= bit;
  }
}

/* Events that are due in this cycle, of a kind. The table takes one reply in a cycle. */
static void count_arrivals(const core_t *c, inorder_probe_t *p) {
  const uint64_t now = c->all->now;
  for (uint32_t i = 0; i < c->events.n; i++) {
    if (c->events.heap[i].at > now) continue;
    p->data += c->events.heap[i].kind == EVENT_DATA;
    p->filled += c->events.heap[i].kind == EVENT_LINE;
  }
  p->replies = events_next(&c->replies) <= now;
}

/* All requests to the memory so far, as the probe has them. */
static void count_requests(const inorder_t *all, uint64_t n[3]) {
  const ports_stats_t *m = all->ports ? ports_stats(all->ports) : NULL;
  n[0] = m ? m->l2_hits : all->sent[MEMORY_READ];
  n[1] = m ? m->dram : all->sent[MEMORY_ATOMIC];
  n[2] = m ? m->writes : all->sent[MEMORY_WRITE];
}

/* What the SM has added to the counts of all. */
static void count_work(const inorder_t *all, const inorder_stats_t *s, inorder_probe_t *p) {
  const inorder_stats_t *now = &all->stats;
  p->issued = (unsigned)(now->warp_insts - s->warp_insts);
  p->l1_hits = (unsigned)(now->l1_hits - s->l1_hits);
  p->l1_misses = (unsigned)(now->l1_misses - s->l1_misses);
  p->merges = (unsigned)(now->merges - s->merges);
  p->no_entry = (unsigned)(now->stall_table - s->stall_table);
  p->entry_full = (unsigned)(now->stall_merge - s->stall_merge);
  p->no_line = (unsigned)(now->stall_line - s->stall_line);
}

static void step(inorder_t *all, core_t *c, inorder_probe_t *p) {
  const inorder_stats_t stats = all->stats;
  uint64_t before[3], after[3];
  const uint64_t so_far = p->warp_insts;
  *p = (inorder_probe_t){0};
  count_arrivals(c, p);
  count_requests(all, before);
  core_step(c);
  count_requests(all, after);
  for (unsigned i = 0; i < 3; i++) p->requests[i] = (unsigned)(after[i] - before[i]);
  count_work(all, &stats, p);
  count_warps(c, p);
  p->warp_insts = so_far + p->issued;
  p->blocks = c->n_blocks;
  for (unsigned s = 0; s < CORE_SCHEDULERS; s++) p->front += c->lsu.sched[s].n;
  p->shared = c->lsu.shared.n;
  p->service = c->lsu.in_service;
  p->blocked = c->lsu.blocked;
  p->entries = c->table.count;
}

void shown_cycle(inorder_t *all) {
  bool ran = false;
  for (unsigned i = 0; i < all->top; i++) {
    if (all->due[i] <= all->now) {
      if ((int)i == all->shown)
        step(all, all->core[i], &all->probe);
      else
        core_step(all->core[i]);
      ran |= (int)i == all->shown;
      all->due[i] = all->core[i]->due;
    }
    if (all->due[i] < all->first) all->first = all->due[i];
  }
  all->hook(all->hook_ctx, false, ran ? &all->probe : NULL);
}
