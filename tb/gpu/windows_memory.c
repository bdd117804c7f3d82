/* SPDX-License-Identifier: Apache-2.0 */
/* The memory's two stages of a window, and the edges of its clocks: docs/threads.md. */
#include "gpu/windows_state.h"

#include <string.h>

/* ---- edges --------------------------------------------------------------------- */

unsigned windows_look_ahead(gpu_windows_t *w, unsigned most) {
  unsigned cycles = 0;
  uint32_t icnt = 0;
  for (unsigned i = 0; i < WINDOWS_EDGES && cycles < most; i++) {
    if (i == w->n_edges) w->edge[w->n_edges++] = gpu_next_edge(w->gpu);
    icnt += windows_has(w->edge[i], MEMORY_STAGE_TRANSFER);
    if (!windows_has(w->edge[i], GPU_STAGE_SM)) continue;
    if (cycles < WINDOW_CYCLES) w->icnt_edges[cycles] = icnt;
    cycles++;
  }
  return cycles;
}

void windows_drop_edges(gpu_windows_t *w, unsigned n) {
  w->n_edges -= n;
  memmove(w->edge, w->edge + n, w->n_edges * sizeof *w->edge);
  memmove(w->accept, w->accept + n, w->n_edges * sizeof *w->accept);
}

void gpu_windows_restart(gpu_windows_t *w) {
  if (w->gpu->cfg->clocks == CONFIG_CLOCKS_REFERENCE) w->n_edges = 0;
}

/* ---- replies ------------------------------------------------------------------- */

static bool all_can_take(const gpu_windows_t *w) {
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (!window_port_can_take(w->port[i])) return false;
  return true;
}

static void deliver(gpu_windows_t *w, uint64_t now) {
  gpu_memory_t *m = w->gpu->memory;
  const set_t waiting = m->cls->waiting(m);
  const unsigned words = set_words(w->gpu->sms);
  SET_EACH(i, word, words, waiting.word[word]) {
    window_port_reply(w->port[i], m->cls->pop(m, i), now);
  }
}

void windows_run_replies(gpu_windows_t *w, windows_span_t *s) {
  uint64_t now = s->from;
  for (s->end = s->edge; now < s->to; s->end++) {
    const uint32_t edge = w->edge[s->end];
    if (windows_has(edge, GPU_STAGE_SM)) deliver(w, now);
    flits_replies(w->flits, edge, now, &w->accept[s->end]);
    if (windows_has(edge, GPU_STAGE_SM) && ++now < s->to && !all_can_take(w)) s->to = now;
  }
}

/* ---- requests ------------------------------------------------------------------ */

/* What SM `i` has sent in cycle `at`, or would have sent. */
static void send(gpu_windows_t *w, unsigned i, uint64_t at) {
  sm_t *sm = gpu_sm(w->gpu, i);
  if (sm_sends_later(sm)) {
    sm_later_send(sm, at, w->gpu->memory);
    sm_later_look(sm, at);
  }
  window_port_send(w->port[i], at);
}

void windows_run_requests(gpu_windows_t *w, uint64_t at) {
  while (w->request_cycle < w->now.to) {
    const uint32_t edge = w->edge[w->request_edge];
    if (!w->request_half)
      flits_requests(w->flits, edge, w->request_cycle, w->accept[w->request_edge]);
    w->request_half = true;
    if (windows_has(edge, GPU_STAGE_SM)) {
      if (w->request_cycle == at) return;
      for (unsigned i = 0; i < w->gpu->sms; i++) send(w, i, w->request_cycle);
      w->request_cycle++;
    }
    w->request_edge++;
    w->request_half = false;
  }
}
