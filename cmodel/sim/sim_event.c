/* SPDX-License-Identifier: Apache-2.0 */
/* Events: each has at most one pending notification. Timed ones are in a heap ordered by time, then
 * by the order of the calls. The heap holds events, not notifications, so it never grows during a
 * run. */
#include "sim/sim_priv.h"

static bool before(const simk_t *k, uint32_t a, uint32_t b) {
  const simk_event_t *x = &k->event[a], *y = &k->event[b];
  return x->time != y->time ? x->time < y->time : x->seq < y->seq;
}

static void place(simk_t *k, uint32_t pos, uint32_t event) {
  k->heap[pos] = event;
  k->event[event].heap_pos = pos;
}

static void sift_up(simk_t *k, uint32_t pos) {
  uint32_t event = k->heap[pos];
  for (uint32_t up; pos && before(k, event, k->heap[up = (pos - 1) / 2]); pos = up)
    place(k, pos, k->heap[up]);
  place(k, pos, event);
}

static void sift_down(simk_t *k, uint32_t pos) {
  uint32_t event = k->heap[pos];
  for (uint32_t down; (down = 2 * pos + 1) < k->n_heap; pos = down) {
    if (down + 1 < k->n_heap && before(k, k->heap[down + 1], k->heap[down])) down++;
    if (!before(k, k->heap[down], event)) break;
    place(k, pos, k->heap[down]);
  }
  place(k, pos, event);
}

static void forget(simk_t *k, uint32_t event) {
  simk_event_t *e = &k->event[event];
  if (e->pending == SIMK_TIMED) {
    uint32_t pos = e->heap_pos, last = k->heap[--k->n_heap];
    if (last != event) {
      place(k, pos, last);
      sift_up(k, pos);
      sift_down(k, k->event[last].heap_pos);
    }
  }
  e->pending = SIMK_IDLE; /* an entry of the delta list stays there and is skipped later */
}

static void trigger(simk_t *k, const simk_event_t *e) {
  for (uint32_t i = e->first_sub; i < e->first_sub + e->n_subs; i++)
    simk_queue_proc(k, k->sub[i].proc);
}

/* The event behind a handle; NULL if a notification can have no effect. */
static simk_event_t *heard(simk_t *k, sim_event_t event) {
  if (event.id >= k->n_events || k->event[event.id].n_subs == 0) return NULL;
  return &k->event[event.id];
}

void sim_notify(sim_t *sim, sim_event_t event) {
  simk_t *k = simk(sim);
  simk_event_t *e = heard(k, event);
  if (!e) return;
  forget(k, event.id);
  for (uint32_t i = e->first_sub; i < e->first_sub + e->n_subs; i++)
    if (k->sub[i].proc != k->current) /* a process does not wake itself in its own evaluation */
      simk_queue_proc(k, k->sub[i].proc);
}

void sim_notify_delta(sim_t *sim, sim_event_t event) {
  simk_t *k = simk(sim);
  simk_event_t *e = heard(k, event);
  if (!e || e->pending == SIMK_DELTA) return;
  forget(k, event.id);
  e->pending = SIMK_DELTA;
  if (e->in_delta_list) return;
  e->in_delta_list = true;
  k->delta_list[k->n_delta_list++] = event.id;
}

void sim_notify_after(sim_t *sim, sim_event_t event, sim_time_t delay) {
  simk_t *k = simk(sim);
  simk_event_t *e = heard(k, event);
  if (delay == 0) {
    sim_notify_delta(sim, event);
    return;
  }
  sim_time_t time = delay > SIM_NEVER - k->now ? SIM_NEVER : k->now + delay;
  if (!e || e->pending == SIMK_DELTA || (e->pending == SIMK_TIMED && e->time <= time)) return;
  forget(k, event.id);
  e->pending = SIMK_TIMED;
  e->time = time;
  e->seq = k->seq++;
  place(k, k->n_heap, event.id);
  sift_up(k, k->n_heap++);
}

void sim_cancel(sim_t *sim, sim_event_t event) {
  if (heard(simk(sim), event)) forget(simk(sim), event.id);
}

void simk_event_expire(simk_t *k) {
  while (k->n_heap && k->event[k->heap[0]].time == k->now) {
    const simk_event_t *e = &k->event[k->heap[0]];
    forget(k, k->heap[0]);
    trigger(k, e);
  }
}

void simk_event_deltas(simk_t *k) {
  uint32_t n = k->n_delta_list;
  k->n_delta_list = 0; /* no process runs in this loop, so nothing is added */
  for (uint32_t i = 0; i < n; i++) {
    simk_event_t *e = &k->event[k->delta_list[i]];
    e->in_delta_list = false;
    if (e->pending != SIMK_DELTA) continue;
    e->pending = SIMK_IDLE;
    trigger(k, e);
  }
}
