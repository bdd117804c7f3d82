/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a GPU in windows of SM cycles, SMs on many threads: docs/threads.md. */
#include "base/seconds.h"
#include "base/team.h"
#include "gpu/gpu_state.h"
#include "gpu/sms.h"
#include "gpu/windows/ways.h"
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
  ROUNDS = 8
};

/* Cycles, and their edges: from w->edge[edge] on, up to w->edge[end]. */
typedef struct {
  uint64_t from, to;
  unsigned edge, end;
} span_t;

struct gpu_windows {
  gpu_t *gpu;
  flits_t *flits;
  team_t *team;
  window_port_t *port[SET_MEMBERS];
  gpu_memory_t *own[SET_MEMBERS]; /* the same */
  sms_apart_t apart[SET_MEMBERS];
  const touched_t *touched[SET_MEMBERS];
  touched_lines_t written;

  uint32_t edge[EDGES]; /* that come next: sets of stages */
  unsigned n_edges;
  uint64_t again_at; /* the cycle from which on windows are tried */

  ways_t ways;
  way_t way;
  share_t share;
  double began, own_ended, for_sms; /* the calling thread: its first round; what it then waited */

  /* The window, and the next one, whose replies stage runs beside this one's SMs, or has run; `to` 0:
   * there is none. For each edge the slices that accept a request; for each cycle of the window the
   * edges of the interconnect up to the SMs' part of it; where the requests stage is. */
  span_t now, next;
  bool ahead; /* there is a next one, in whose replies stage another thread may be */
  uint32_t accept[EDGES];
  uint32_t icnt_edges[WINDOW_CYCLES];
  bool lost; /* a request, for lack of memory */
  unsigned request_edge;
  uint64_t request_cycle;
  bool request_half; /* the memory's part of that edge has run */
  bool more;
  unsigned n_ready;
  unsigned ready[SET_MEMBERS]; /* SMs that go on in this round */
  unsigned expected;           /* ROUNDS times the mean of first rounds */
};

static bool has(uint32_t edge, unsigned stage) {
  return edge >> stage & 1;
}

static uint32_t memory_stages(uint32_t edge) {
  return edge >> GPU_STAGE_INJECT & ((1u << MEMORY_STAGES) - 1);
}

/* ---- edges --------------------------------------------------------------------- */

/* Knows edges enough for so many cycles, if there is room. Returns the number of whole cycles that are
 * known. */
static unsigned look_ahead(gpu_windows_t *w, unsigned most) {
  unsigned cycles = 0;
  uint32_t icnt = 0;
  for (unsigned i = 0; i < EDGES && cycles < most; i++) {
    if (i == w->n_edges) w->edge[w->n_edges++] = gpu_next_edge(w->gpu);
    icnt += has(w->edge[i], GPU_STAGE_ICNT);
    if (!has(w->edge[i], GPU_STAGE_SM)) continue;
    if (cycles < WINDOW_CYCLES) w->icnt_edges[cycles] = icnt;
    cycles++;
  }
  return cycles;
}

static void drop_edges(gpu_windows_t *w, unsigned n) {
  w->n_edges -= n;
  memmove(w->edge, w->edge + n, w->n_edges * sizeof *w->edge);
  memmove(w->accept, w->accept + n, w->n_edges * sizeof *w->accept);
}

void gpu_windows_restart(gpu_windows_t *w) {
  if (w->gpu->cfg->clocks == CONFIG_CLOCKS_REFERENCE) w->n_edges = 0;
}

/* One cycle without a window. */
static void run_cycle(gpu_windows_t *w) {
  gpu_t *gpu = w->gpu;
  const sim_fn_t *stage = gpu->memory->cls->stage;
  for (uint32_t edge = 0; !has(edge, GPU_STAGE_SM);) {
    edge = w->n_edges ? w->edge[0] : gpu_next_edge(gpu);
    if (w->n_edges) drop_edges(w, 1);
    if (has(edge, GPU_STAGE_RECEIVE)) gpu_receive(gpu);
    for (unsigned i = 0; i < MEMORY_STAGES; i++)
      if (has(edge, GPU_STAGE_INJECT + i)) stage[i](NULL, gpu->memory);
    if (has(edge, GPU_STAGE_SM)) gpu_run_cores(gpu);
  }
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

/* Up to cycle s->to; or less far, and s->to becomes less. */
static void run_replies(gpu_windows_t *w, span_t *s) {
  uint64_t now = s->from;
  for (s->end = s->edge; now < s->to; s->end++) {
    const uint32_t edge = w->edge[s->end];
    if (has(edge, GPU_STAGE_RECEIVE)) deliver(w, now);
    flits_replies(w->flits, memory_stages(edge), now, &w->accept[s->end]);
    if (has(edge, GPU_STAGE_SM) && ++now < s->to && !all_can_take(w)) s->to = now;
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

/* Up to the SMs' part of cycle `at`, or, if that is the end of the window, up to there. */
static void run_requests(gpu_windows_t *w, uint64_t at) {
  while (w->request_cycle < w->now.to) {
    const uint32_t edge = w->edge[w->request_edge];
    if (!w->request_half)
      w->lost |= !flits_requests(w->flits, memory_stages(edge), w->request_cycle,
                                 w->accept[w->request_edge]);
    w->request_half = true;
    if (has(edge, GPU_STAGE_SM)) {
      if (w->request_cycle == at) return;
      for (unsigned i = 0; i < w->gpu->sms; i++) send(w, i, w->request_cycle);
      w->request_cycle++;
    }
    w->request_edge++;
    w->request_half = false;
  }
}

/* ---- SMs ----------------------------------------------------------------------- */

static const sms_sight_t sight = {window_port_go, window_port_knows, window_port_next};

static void run_sm(gpu_windows_t *w, unsigned i) {
  sms_run_apart(w->gpu->cores, i, &w->apart[i], &sight, w->now.to, w->more);
}

/* An SM is run by the same thread in most windows, in whose cache it is. */
static void run_part(void *ctx, unsigned thread) {
  gpu_windows_t *w = ctx;
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (share_of(&w->share, i) == thread) run_sm(w, i);
  if (thread == 0) w->own_ended = seconds_now();
}

static void run_rest(void *ctx, unsigned thread) {
  gpu_windows_t *w = ctx;
  if (thread == 1) run_replies(w, &w->next);
}

static void run_together(gpu_windows_t *w) {
  w->began = seconds_now();
  team_run(w->team, run_part, w->ahead ? run_rest : NULL, w);
  w->for_sms = seconds_now() - w->own_ended;
}

/* For another thread to have ended its replies stage. */
static void await_replies(gpu_windows_t *w) {
  const double from = seconds_now();
  team_wait(w->team);
  const double now = seconds_now();
  if (w->ahead) share_window(&w->share, now - w->began, w->for_sms, now - from);
}

/* All SMs up to the end of the window or to their stops. They are run by all threads, unless little is to
 * be done. */
static void run_first_round(gpu_windows_t *w) {
  uint64_t run = 0;
  const bool little = w->way == WAY_ALONE || w->expected < ROUNDS * WORTH;
  for (unsigned i = 0; i < w->gpu->sms; i++) w->apart[i].run = 0;
  if (little && !w->ahead && !w->gpu->setup.all_threads)
    for (unsigned i = 0; i < w->gpu->sms; i++) run_sm(w, i);
  else
    run_together(w);
  for (unsigned i = 0; i < w->gpu->sms; i++) run += w->apart[i].run;
  w->expected += (unsigned)run - w->expected / ROUNDS;
}

/* The SMs that can go on: few, so it would take longer to tell other threads. */
static void run_round(gpu_windows_t *w) {
  for (unsigned n = 0; n < w->n_ready; n++) run_sm(w, w->ready[n]);
}

static bool any_failed(const gpu_windows_t *w) {
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (w->apart[i].why == SMS_FAILED || w->port[i]->broken) return true;
  return w->lost;
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

/* SM `i` has stopped in cycle `at`, to which the interconnect has come. */
static void know(gpu_windows_t *w, unsigned i, uint64_t at) {
  sm_t *sm = gpu_sm(w->gpu, i);
  sm_later_send(sm, at, w->gpu->memory);
  sm_later_end(sm);
  window_port_renew(w->port[i]);
}

/* The interconnect comes to cycle `at`, in which some of the ready SMs have stopped: they know their room
 * now. What it has taken of others may be enough for these to go on. */
static void find_room(gpu_windows_t *w, uint64_t at) {
  bool any = false;
  for (unsigned n = 0; n < w->n_ready; n++) any |= sms_stop_for_room(w->apart[w->ready[n]].why);
  if (!any) return;
  run_requests(w, at);
  for (unsigned n = 0; n < w->n_ready; n++)
    if (sms_stop_for_room(w->apart[w->ready[n]].why)) know(w, w->ready[n], at);
  for (unsigned i = 0; i < w->gpu->sms; i++) {
    sm_t *sm = gpu_sm(w->gpu, i);
    const bool later = w->apart[i].at > at && w->apart[i].why == SMS_SEND && sm_sends_later(sm);
    if (later && sm_can_send_later(sm)) w->ready[w->n_ready++] = i;
  }
}

/* The SMs that have stopped first can go on once everything has come to their cycle. */
static void next_round(gpu_windows_t *w) {
  uint64_t at = w->now.to;
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (w->apart[i].at < at) at = w->apart[i].at;
  w->n_ready = 0;
  for (unsigned i = 0; i < w->gpu->sms; i++)
    if (w->apart[i].at == at && at < w->now.to) w->ready[w->n_ready++] = i;
  place_blocks(w, at);
  find_room(w, at);
}

/* Up to cycle w->now.to; false if the run cannot go on in this way. */
static bool run_sms(gpu_windows_t *w) {
  run_first_round(w);
  for (;;) {
    if (any_failed(w)) return false;
    next_round(w);
    if (w->n_ready == 0 || w->gpu->ended) return true;
    run_round(w);
  }
}

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
  for (unsigned i = 0; i < gpu->sms; i++) {
    sm_later_end(gpu_sm(gpu, i));
    window_port_end(w->port[i]);
    sms_join(gpu->cores, i, &w->apart[i]);
  }
  drop_edges(w, w->request_edge);
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
  const uint64_t known = least(look_ahead(w, WINDOW_CYCLES), gpu->cfg->l2_rop_latency);
  w->now = (span_t){gpu->now, least(gpu->now + known, to), 0, 0};
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
  const uint64_t known = least(look_ahead(w, this + WINDOW_CYCLES), gpu->cfg->l2_rop_latency);
  const uint64_t until = least(to, goes_on_until(w, w->now.from));
  w->next = (span_t){w->now.to, least(w->now.from + known, until), w->now.end, 0};
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
    (void)look_ahead(w, WINDOW_CYCLES);
    begin(w, false);
    return true;
  }
  if (!may_open(w, to, first)) return false;
  for (unsigned i = 0; i < w->gpu->sms; i++) window_port_expect(w->port[i], gpu_sm(w->gpu, i));
  if (!*first) run_replies(w, &w->now);
  begin(w, *first);
  return true;
}

/* What follows the SMs; in another thread the replies of the next window may still run. */
static void end_window(gpu_windows_t *w, bool sms_first) {
  if (sms_first) {
    end_with_launch(w);
    run_replies(w, &w->now);
  }
  run_requests(w, w->now.to);
  await_replies(w);
  flits_join(w->flits);
  end(w);
}

static bool run_window(gpu_windows_t *w, uint64_t to) {
  bool sms_first;
  if (!open_window(w, to, &sms_first)) return false;
  w->ahead = !sms_first && may_look_ahead(w, to);
  const bool ran = run_sms(w);
  const bool kept = can_keep(w) && ran;
  if (kept && !w->gpu->ended)
    end_window(w, sms_first);
  else
    await_replies(w);
  if (!kept || w->lost) gpu_stop(w->gpu, GPU_AGAIN);
  return true;
}

/* ---- the run -------------------------------------------------------------------- */

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
