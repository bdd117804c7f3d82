/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a GPU in windows of SM cycles, SMs on many threads: docs/threads.md. */
#include "base/seconds.h"
#include "base/team.h"
#include "gpu/gpu_state.h"
#include "gpu/sms.h"
#include "gpu/windows/window_port.h"

#include <stdlib.h>
#include <string.h>

enum {
  EDGES = 1024, /* that are known in advance */
  SHORT = 6,    /* cycles: shorter windows do not pay */
  PAUSE = 2048, /* cycles without windows, for a warp that asks for them */
  /* Cycles of an SM, some 0.2 us each, that must be expected of a round before other threads are asked
   * to help. The expectation is a mean over the last rounds. */
  WORTH = 8,
  ROUNDS = 8,
  /* Cycles in which a way to run is tried, and those for which the best one is kept: twice as many each
   * time that threads lose. */
  TRIAL = 1024,
  KEPT = 64 * TRIAL,
  LOSSES = 8
};

/* Ways to run. They differ in the host's time only. */
typedef enum { WAY_CYCLES, WAY_ALONE, WAY_TOGETHER, WAYS } way_t;

struct gpu_windows {
  gpu_t *gpu;
  flits_t *flits;
  team_t *team;
  window_port_t *port[SET_MEMBERS];
  gpu_memory_t *own[SET_MEMBERS]; /* the same */
  sms_apart_t apart[SET_MEMBERS];
  const touched_t *touched[SET_MEMBERS];
  touched_lines_t written;

  uint8_t edge[EDGES]; /* that come next: sets of stages */
  unsigned n_edges;
  uint64_t again_at; /* the cycle from which on windows are tried */

  /* The way that is taken until cycle way_until, since way_since; its trial, WAYS after all; what a
   * cycle costs in each way, in seconds. */
  way_t way, trial;
  uint64_t way_since, way_until;
  double way_began, cost[WAYS];
  unsigned lost; /* so often in a row by threads */

  /* The window: its cycles; for each edge the slices that accept a request; for each cycle the edges of
   * the interconnect up to the SMs' part of it; where the requests stage is. */
  uint64_t from, to;
  uint32_t accept[EDGES];
  uint32_t icnt_edges[WINDOW_CYCLES];
  unsigned request_edge;
  uint64_t request_cycle;
  bool request_half; /* the memory's part of that edge has run */
  bool more;
  unsigned n_ready;
  unsigned ready[SET_MEMBERS]; /* SMs that go on in this round */
  unsigned expected[2];        /* ROUNDS times the mean: of first rounds, and of others */
};

static bool has(uint32_t edge, unsigned stage) {
  return edge >> stage & 1;
}

/* ---- edges --------------------------------------------------------------------- */

/* Knows edges enough for a window, if there is room. Returns the number of whole cycles that are
 * known. */
static unsigned look_ahead(gpu_windows_t *w) {
  unsigned cycles = 0;
  uint32_t icnt = 0;
  for (unsigned i = 0; i < EDGES && cycles < WINDOW_CYCLES; i++) {
    if (i == w->n_edges) w->edge[w->n_edges++] = gpu_next_edge(w->gpu);
    icnt += has(w->edge[i], MEMORY_STAGE_TRANSFER);
    if (has(w->edge[i], GPU_STAGE_SM)) w->icnt_edges[cycles++] = icnt;
  }
  return cycles;
}

static void drop_edges(gpu_windows_t *w, unsigned n) {
  w->n_edges -= n;
  memmove(w->edge, w->edge + n, w->n_edges * sizeof *w->edge);
}

void gpu_windows_restart(gpu_windows_t *w) {
  if (w->gpu->cfg->clocks == CONFIG_CLOCKS_REFERENCE) w->n_edges = 0;
}

/* One cycle without a window. */
static void run_cycle(gpu_windows_t *w) {
  gpu_t *gpu = w->gpu;
  gpu_memory_t *m = gpu->memory;
  for (uint32_t edge = 0; !has(edge, GPU_STAGE_SM);) {
    edge = w->n_edges ? w->edge[0] : gpu_next_edge(gpu);
    const uint8_t own = (uint8_t)(edge & ((1u << MEMORY_STAGES) - 1));
    if (w->n_edges) drop_edges(w, 1);
    if (has(edge, GPU_STAGE_SM)) gpu_receive(gpu);
    (void)m->cls->edges(m, &own, 1, &gpu->now, gpu->now);
    if (has(edge, GPU_STAGE_SM)) gpu_run_cores(gpu);
  }
}

/* ---- replies ------------------------------------------------------------------- */

/* No SM's cluster FIFO can be full in the next cycle. */
static bool all_can_take(const gpu_windows_t *w) {
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (w->port[i]->n_in >= sms_reply_room(w->gpu->cores, i)) return false;
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

/* Up to cycle w->to; or less far, and w->to becomes less. */
static void run_replies(gpu_windows_t *w) {
  uint64_t now = w->from;
  for (unsigned i = 0; now < w->to; i++) {
    const uint32_t edge = w->edge[i];
    if (has(edge, GPU_STAGE_SM)) deliver(w, now);
    flits_replies(w->flits, edge, now, &w->accept[i]);
    if (has(edge, GPU_STAGE_SM) && ++now < w->to && !all_can_take(w)) w->to = now;
  }
}

/* ---- requests ------------------------------------------------------------------ */

/* Up to the SMs' part of cycle `at`, or, if that is the end of the window, up to there. */
static void run_requests(gpu_windows_t *w, uint64_t at) {
  while (w->request_cycle < w->to) {
    const uint32_t edge = w->edge[w->request_edge];
    if (!w->request_half)
      flits_requests(w->flits, edge, w->request_cycle, w->accept[w->request_edge]);
    w->request_half = true;
    if (has(edge, GPU_STAGE_SM)) {
      if (w->request_cycle == at) return;
      for (unsigned i = 0; i < w->gpu->sms; i++) window_port_send(w->port[i], w->request_cycle);
      w->request_cycle++;
    }
    w->request_edge++;
    w->request_half = false;
  }
}

/* ---- SMs ----------------------------------------------------------------------- */

static const sms_sight_t sight = {window_port_go, window_port_knows, window_port_next};

/* The ready SMs of one thread. An SM is always run by the same thread, in whose cache it is. */
static void run_share(gpu_windows_t *w, unsigned thread, unsigned threads) {
  for (unsigned n = 0; n < w->n_ready; n++) {
    const unsigned i = w->ready[n];
    if (i % threads == thread)
      sms_run_apart(w->gpu->cores, i, &w->apart[i], &sight, w->to, w->more);
  }
}

static void help(void *ctx, unsigned thread) {
  gpu_windows_t *w = ctx;
  run_share(w, thread, team_threads(w->team));
}

/* All threads, or, if there is little to do, this one. */
static void run_round(gpu_windows_t *w, bool first) {
  unsigned *expected = &w->expected[first];
  uint64_t run = 0;
  for (unsigned n = 0; n < w->n_ready; n++) w->apart[w->ready[n]].run = 0;
  const bool all = w->gpu->setup.all_threads;
  if (!all && (w->way == WAY_ALONE || *expected < ROUNDS * WORTH))
    run_share(w, 0, 1);
  else
    team_run(w->team, help, w);
  for (unsigned n = 0; n < w->n_ready; n++) run += w->apart[w->ready[n]].run;
  *expected += (unsigned)run - *expected / ROUNDS;
}

static bool any_failed(const gpu_windows_t *w) {
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (w->apart[i].why == SMS_FAILED || w->port[i]->broken) return true;
  return false;
}

/* Places blocks on those of the ready SMs that have stopped for them, all at cycle `at`. */
static void place_blocks(gpu_windows_t *w, uint64_t at) {
  gpu_t *gpu = w->gpu;
  bool any = false;
  for (unsigned n = 0; n < w->n_ready; n++) {
    const unsigned i = w->ready[n];
    if (w->apart[i].why != SMS_BLOCK) continue;
    sms_join(gpu->cores, i, &w->apart[i]);
    any = true;
  }
  if (!any) return;
  gpu->now = at;
  if (w->more) gpu_place_blocks(gpu);
  w->more = gpu->next_block < gpu->launch->blocks;
  for (unsigned n = 0; n < w->n_ready; n++)
    if (w->apart[w->ready[n]].why == SMS_BLOCK)
      sms_part(gpu->cores, w->ready[n], at, &w->apart[w->ready[n]]);
}

/* The SMs that have stopped first can go on once everything has come to their cycle. */
static void next_round(gpu_windows_t *w) {
  uint64_t at = w->to;
  bool for_room = false;
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (w->apart[i].at < at) at = w->apart[i].at;
  w->n_ready = 0;
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (w->apart[i].at == at && at < w->to) w->ready[w->n_ready++] = i;
  place_blocks(w, at);
  for (unsigned n = 0; n < w->n_ready; n++)
    for_room |= sms_stop_for_room(w->apart[w->ready[n]].why);
  if (for_room) run_requests(w, at);
  for (unsigned n = 0; n < w->n_ready && for_room; n++)
    if (sms_stop_for_room(w->apart[w->ready[n]].why)) window_port_renew(w->port[w->ready[n]]);
}

/* Up to cycle w->to; false if the run cannot go on in this way. */
static bool run_sms(gpu_windows_t *w) {
  bool first = true;
  w->n_ready = w->gpu->sms;
  for (unsigned i = 0; i < w->gpu->sms; i++) w->ready[i] = i;
  for (; w->n_ready > 0 && !w->gpu->ended; next_round(w)) {
    run_round(w, first);
    if (any_failed(w)) return false;
    first = false;
  }
  return true;
}

/* ---- a window ------------------------------------------------------------------ */

/* `sms_first`: the slices have nothing to do, so they take each request. */
static void begin(gpu_windows_t *w, bool sms_first) {
  const gpu_t *gpu = w->gpu;
  if (sms_first) memset(w->accept, -1, w->n_edges * sizeof *w->accept);
  for (unsigned i = 0; i < gpu->sms; i++) {
    window_port_begin(w->port[i], w->from, w->icnt_edges);
    sms_part(gpu->cores, i, w->from, &w->apart[i]);
  }
  w->request_edge = 0;
  w->request_cycle = w->from;
  w->request_half = false;
  (void)workload_apart(gpu->setup.workload, true);
}

/* False if what the SMs have done cannot be kept. */
static bool can_keep(gpu_windows_t *w) {
  const apart_t happened = workload_apart(w->gpu->setup.workload, false);
  if (happened == APART_BROKEN || touched_meet(&w->written, w->touched, w->gpu->sms)) return false;
  if (happened == APART_ASKS) w->again_at = w->to + PAUSE;
  return true;
}

/* The window ends with the launch if no SM has a block any more and nothing has been sent. */
static void end_with_launch(gpu_windows_t *w) {
  const gpu_t *gpu = w->gpu;
  uint64_t last = w->from;
  if (gpu->next_block < gpu->launch->blocks) return;
  for (unsigned i = 0; i < gpu->sms; i++) {
    if (sm_blocks(gpu_sm(gpu, i)) > 0 || w->port[i]->n_out > 0) return;
    if (w->apart[i].left_at > last) last = w->apart[i].left_at;
  }
  w->to = last;
}

static void end(gpu_windows_t *w) {
  gpu_t *gpu = w->gpu;
  run_requests(w, w->to);
  for (unsigned i = 0; i < gpu->sms; i++) {
    window_port_end(w->port[i]);
    sms_join(gpu->cores, i, &w->apart[i]);
  }
  drop_edges(w, w->request_edge);
  gpu->now = w->to;
  gpu_after_cycle(gpu, w->more);
}

/* Whether a window may open now; sets its cycles. *first: the SMs run before the replies. */
static bool may_open(gpu_windows_t *w, uint64_t to, bool *first) {
  const gpu_t *gpu = w->gpu;
  if (gpu->now < w->again_at || !gpu->launch || !gpu->launch->apart) return false;
  w->more = gpu->next_block < gpu->launch->blocks;
  if (w->more && !set_empty(gpu->cores->cls->with_room(gpu->cores))) return false;
  const unsigned known = look_ahead(w);
  const uint64_t rop = gpu->cfg->l2_rop_latency;
  w->from = gpu->now;
  w->to = w->from + (known < rop ? known : rop);
  if (w->to > to) w->to = to;
  if (w->to - w->from < SHORT) return false;
  const uint64_t left = gpu->launch->blocks - gpu->next_block;
  *first = !gpu->memory->cls->busy(gpu->memory);
  return *first || flits_busy_at(w->flits, w->to - 1) || left > (w->to - w->from) * gpu->sms;
}

static bool run_window(gpu_windows_t *w, uint64_t to) {
  bool sms_first;
  if (!may_open(w, to, &sms_first)) return false;
  begin(w, sms_first);
  if (!sms_first) run_replies(w);
  const bool ran = run_sms(w);
  if (!can_keep(w) || !ran) {
    gpu_stop(w->gpu, GPU_AGAIN);
    return true;
  }
  if (w->gpu->ended) return true;
  if (sms_first) {
    end_with_launch(w);
    run_replies(w);
  }
  end(w);
  return true;
}

/* ---- which way is the fastest ---------------------------------------------------- */

static way_t best_of(const gpu_windows_t *w, unsigned n) {
  way_t best = (way_t)0;
  for (unsigned i = 1; i < n; i++)
    if (w->cost[i] < w->cost[best]) best = (way_t)i;
  return best;
}

/* A trial of threads ends early if it takes far longer than another way: on a busy host each round may
 * take as long as the host's scheduler likes. */
static bool is_hopeless(const gpu_windows_t *w) {
  if (w->trial != WAY_TOGETHER || w->gpu->now == w->way_since) return false;
  return seconds_now() - w->way_began > 2 * TRIAL * w->cost[best_of(w, WAY_TOGETHER)];
}

static void begin_way(gpu_windows_t *w, way_t way, uint64_t cycles) {
  w->way = way;
  w->way_since = w->gpu->now;
  w->way_until = w->way_since + cycles;
  w->way_began = seconds_now();
}

/* Tries all ways one after another; then keeps the best one for a while. What else runs on the host, and
 * what the program does, may change. */
static void choose_way(gpu_windows_t *w) {
  const uint64_t now = w->gpu->now;
  if (w->gpu->setup.all_threads) return;
  if (now < w->way_until && !is_hopeless(w)) return;
  if (w->trial == WAYS)
    w->trial = (way_t)0;
  else if (now > w->way_since)
    w->cost[w->trial++] = (seconds_now() - w->way_began) / (double)(now - w->way_since);
  if (w->trial < WAYS) {
    begin_way(w, w->trial, TRIAL);
    return;
  }
  const way_t best = best_of(w, WAYS);
  w->lost = best == WAY_TOGETHER ? 0 : w->lost < LOSSES ? w->lost + 1 : LOSSES;
  begin_way(w, best, (uint64_t)KEPT << w->lost);
}

void gpu_windows_run(gpu_windows_t *w, uint64_t to) {
  gpu_t *gpu = w->gpu;
  while (!gpu->ended && !gpu->paused && gpu->now < to) {
    choose_way(w);
    if ((w->way == WAY_CYCLES && !gpu->setup.all_threads) || !run_window(w, to)) run_cycle(w);
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
  const bool looks = s->check || s->vcd || s->requests || s->no_sleep || s->hazards;
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
