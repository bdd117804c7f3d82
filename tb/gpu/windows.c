/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a GPU in windows of SM cycles, SMs on many threads: docs/threads.md. */
#include "gpu/windows_state.h"

#include <stdlib.h>
#include <string.h>

enum {
  SHORT = 6,   /* cycles: shorter windows do not pay */
  PAUSE = 2048 /* cycles without windows, for a warp that asks for them */
};

/* ---- a window ------------------------------------------------------------------ */

/* `sms_first`: the slices have nothing to do, so they take each request. */
static void begin(gpu_windows_t *w, bool sms_first) {
  const gpu_t *gpu = w->gpu;
  if (sms_first) memset(w->accept, -1, w->n_edges * sizeof *w->accept);
  for (unsigned i = 0; i < gpu->sms; i++) {
    window_port_begin(w->port[i], w->now.from, w->icnt_edges);
    sms_part(gpu->cores, i, w->now.from, &w->apart[i]);
  }
  w->request_edge = 0;
  w->request_cycle = w->now.from;
  w->request_half = false;
  (void)workload_apart(gpu->setup.workload, true);
}

/* False if what the SMs have done cannot be kept. */
static bool can_keep(gpu_windows_t *w) {
  const apart_t happened = workload_apart(w->gpu->setup.workload, false);
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (window_port_next(w->own[i]) < w->now.to) return false; /* a reply was not taken */
  if (happened == APART_BROKEN || touched_meet(&w->written, w->touched, w->gpu->sms)) return false;
  if (happened == APART_ASKS) w->again_at = w->now.to + PAUSE;
  return true;
}

/* The window ends with the launch if no SM has a block any more and nothing has been sent. */
static void end_with_launch(gpu_windows_t *w) {
  const gpu_t *gpu = w->gpu;
  uint64_t last = w->now.from;
  if (gpu->next_block < gpu->launch->blocks) return;
  for (unsigned i = 0; i < gpu->sms; i++) {
    if (sm_blocks(gpu_sm(gpu, i)) > 0 || w->port[i]->n_out > 0) return;
    if (w->apart[i].left_at > last) last = w->apart[i].left_at;
  }
  w->now.to = last;
}

static void end(gpu_windows_t *w) {
  gpu_t *gpu = w->gpu;
  windows_run_requests(w, w->now.to);
  for (unsigned i = 0; i < gpu->sms; i++) {
    sm_later_end(gpu_sm(gpu, i));
    window_port_end(w->port[i]);
    sms_join(gpu->cores, i, &w->apart[i]);
  }
  windows_drop_edges(w, w->request_edge);
  gpu->now = w->now.to;
  gpu_after_cycle(gpu, w->more);
}

/* ---- which windows ------------------------------------------------------------- */

static bool all_have_room(const gpu_t *gpu) {
  bool waits;
  for (unsigned i = 0; i < gpu->sms; i++)
    if (sm_reply_room(gpu_sm(gpu, i), &waits) == 0) return false;
  return true;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* A cycle before which the launch cannot end, whatever happens from cycle `from` on: a request is on its
 * way, or blocks are left, of which each SM takes one in a cycle. */
static uint64_t goes_on_until(const gpu_windows_t *w, uint64_t from) {
  const gpu_t *gpu = w->gpu;
  const uint64_t left = gpu->launch->blocks - gpu->next_block;
  const uint64_t request = flits_busy_until(w->flits, from), blocks = from + left / (gpu->sms + 1);
  return request > blocks ? request : blocks;
}

/* Whether a window may open now; sets its cycles. *first: the SMs run before the replies. */
static bool may_open(gpu_windows_t *w, uint64_t to, bool *first) {
  const gpu_t *gpu = w->gpu;
  if (gpu->now < w->again_at || !gpu->launch || !gpu->launch->apart) return false;
  w->more = gpu->next_block < gpu->launch->blocks;
  if (w->more && !set_empty(gpu->cores->cls->with_room(gpu->cores))) return false;
  if (!all_have_room(gpu)) return false;
  const uint64_t known = least(windows_look_ahead(w, WINDOW_CYCLES), gpu->cfg->l2_rop_latency);
  w->now = (windows_span_t){gpu->now, least(gpu->now + known, to), 0, 0};
  *first = !gpu->memory->cls->busy(gpu->memory);
  if (!*first) w->now.to = least(w->now.to, goes_on_until(w, gpu->now));
  return w->now.to >= w->now.from + SHORT;
}

/* Whether the replies stage of the next window may run beside the SMs of this one, that of which has
 * run: as what it reads of them is known. */
static bool may_look_ahead(gpu_windows_t *w, uint64_t to) {
  const gpu_t *gpu = w->gpu;
  if (w->way != WAY_TOGETHER || team_threads(w->team) < 2) return false;
  const unsigned this = (unsigned)(w->now.to - w->now.from);
  const uint64_t known =
      least(windows_look_ahead(w, this + WINDOW_CYCLES), gpu->cfg->l2_rop_latency);
  const uint64_t until = least(to, goes_on_until(w, w->now.from));
  w->next = (windows_span_t){w->now.to, least(w->now.from + known, until), w->now.end, 0};
  bool may = w->next.to >= w->next.from + SHORT;
  for (unsigned i = 0; i < gpu->sms && may; i++) may = window_port_looks_ahead(w->port[i]);
  if (!may) w->next.to = 0;
  return may;
}

static bool open_window(gpu_windows_t *w, uint64_t to, bool *first) {
  *first = false;
  if (w->next.to) { /* its replies stage has run */
    w->now = w->next;
    w->now.end -= w->now.edge;
    w->now.edge = 0;
    w->next.to = 0;
    w->more = w->gpu->next_block < w->gpu->launch->blocks;
    (void)windows_look_ahead(w, WINDOW_CYCLES);
    begin(w, false);
    return true;
  }
  if (!may_open(w, to, first)) return false;
  for (unsigned i = 0; i < w->gpu->sms; i++) window_port_expect(w->port[i], gpu_sm(w->gpu, i));
  if (!*first) windows_run_replies(w, &w->now);
  begin(w, *first);
  return true;
}

static bool run_window(gpu_windows_t *w, uint64_t to) {
  bool sms_first;
  if (!open_window(w, to, &sms_first)) return false;
  w->replies_due = !sms_first && may_look_ahead(w, to);
  const bool ran = windows_run_sms(w);
  if (!can_keep(w) || !ran) gpu_stop(w->gpu, GPU_AGAIN);
  if (w->gpu->ended) return true;
  if (sms_first) {
    end_with_launch(w);
    windows_run_replies(w, &w->now);
  }
  end(w);
  return true;
}

/* ---- the run -------------------------------------------------------------------- */

/* A cycle without a window, with the edges that windows have asked for, as long as there are some. */
static void run_cycle(gpu_windows_t *w) {
  gpu_t *gpu = w->gpu;
  gpu_memory_t *m = gpu->memory;
  if (!w->n_edges) {
    gpu_run_cycle(gpu);
    return;
  }
  for (uint32_t edge = 0; !windows_has(edge, GPU_STAGE_SM);) {
    edge = w->n_edges ? w->edge[0] : gpu_next_edge(gpu);
    const uint8_t own = (uint8_t)(edge & ((1u << MEMORY_STAGES) - 1));
    if (w->n_edges) windows_drop_edges(w, 1);
    if (windows_has(edge, GPU_STAGE_SM)) gpu_receive(gpu);
    (void)m->cls->edges(m, &own, 1, &gpu->now, gpu->now);
    if (windows_has(edge, GPU_STAGE_SM)) gpu_run_cores(gpu);
  }
}

/* A window whose replies stage has run is run in any case. */
void gpu_windows_run(gpu_windows_t *w, uint64_t to) {
  gpu_t *gpu = w->gpu;
  while (!gpu->ended && !gpu->paused && gpu->now < to) {
    w->way = gpu->setup.all_threads ? WAY_TOGETHER : ways_choose(&w->ways, gpu->now);
    const bool window = w->way != WAY_CYCLES || w->next.to;
    if (!window || !run_window(w, to)) run_cycle(w);
  }
}

/* ---- creation ------------------------------------------------------------------ */

bool gpu_windows_failed(const gpu_windows_t *w) {
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (packet_pool_failed(w->own[i]->pool)) return true;
  return false;
}

gpu_memory_t *const *gpu_windows_memories(const gpu_windows_t *w) {
  return w->own;
}

/* Windows are for SMs of the paper before flits, where nothing looks at each cycle. */
static bool can_have(const gpu_t *gpu) {
  const gpu_setup_t *s = &gpu->setup;
  if (!s->workload || !s->workload->ops->apart) return false;
  const bool looks = s->check || s->vcd || s->requests || s->timeline || s->no_sleep || s->hazards;
  const bool plain =
      !s->choice || (!unit_verilog(s->choice) && !s->choice->watch && !s->choice->l1_path);
  if (s->threads < 2 || looks || !plain || s->dram || s->memory || s->cores) return false;
  return !config_in_order(s->cfg) && !config_with_ports(s->cfg) && !s->cfg->jitter;
}

int gpu_windows_create(gpu_windows_t **out, gpu_t *gpu, mrpb_err_t *err) {
  *out = NULL;
  if (!can_have(gpu)) return 0;
  gpu_windows_t *w = calloc(1, sizeof *w);
  if (!w) return mrpb_fail(err, "gpu: out of memory");
  w->gpu = gpu;
  w->flits = flits_of(gpu->memory);
  w->share = share_begin(gpu->sms, gpu->setup.threads);
  int rc = team_create(&w->team, gpu->setup.threads, err);
  for (unsigned i = 0; i < gpu->sms && rc == 0; i++) {
    rc = window_port_create(&w->port[i], gpu->memory, i, err);
    if (rc != 0) break;
    w->own[i] = &w->port[i]->base;
    w->touched[i] = &w->port[i]->touched;
  }
  *out = w;
  if (rc == 0) return 0;
  gpu_windows_destroy(w);
  *out = NULL;
  return -1;
}

void gpu_windows_destroy(gpu_windows_t *w) {
  if (!w) return;
  for (unsigned i = 0; i < w->gpu->sms; i++) window_port_destroy(w->port[i]);
  touched_forget(&w->written);
  team_destroy(w->team);
  free(w);
}
