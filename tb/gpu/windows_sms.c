/* SPDX-License-Identifier: Apache-2.0 */
/* The SMs' stage of a window, on many threads: docs/threads.md. */
#include "base/seconds.h"
#include "gpu/windows_state.h"

enum {
  /* Cycles of an SM, some 0.2 us each, that must be expected of a window before other threads are asked
   * to help. The expectation is a mean over the last windows. */
  WORTH = 8,
  MEAN_OF = 8
};

static const sms_sight_t sight = {window_port_go, window_port_knows, window_port_next};

static void run_sm(gpu_windows_t *w, unsigned i) {
  sms_run_apart(w->gpu->cores, i, &w->apart[i], &sight, w->now.to, w->more);
}

/* A thread's part of a round: the ready SMs that are its own, in whose cache they are; in the first
 * round, of another thread, the next window's replies, too. */
static void run_part(void *ctx, unsigned thread) {
  gpu_windows_t *w = ctx;
  if (thread == 1 && w->replies_due) windows_run_replies(w, &w->next);
  for (unsigned n = 0; n < w->n_ready; n++)
    if (share_of(&w->share, w->ready[n]) == thread) run_sm(w, w->ready[n]);
  w->ended[thread] = seconds_now();
}

static void run_alone(gpu_windows_t *w) {
  for (unsigned n = 0; n < w->n_ready; n++) run_sm(w, w->ready[n]);
}

/* All SMs up to the end of the window or to their stops. They are run by all threads, unless little is to
 * be done. */
static void run_first_round(gpu_windows_t *w) {
  uint64_t run = 0;
  const bool little = w->way == WAY_ALONE || w->expected < MEAN_OF * WORTH;
  w->together = w->replies_due || !little || w->gpu->setup.all_threads;
  w->n_ready = w->gpu->sms;
  for (unsigned i = 0; i < w->gpu->sms; i++) w->ready[i] = i, w->apart[i].run = 0;
  w->began = seconds_now();
  if (w->together)
    team_run(w->team, UINT64_MAX, run_part, w);
  else
    run_alone(w);
  if (w->together) share_round(&w->share, w->began, w->ended);
  w->replies_due = false;
  for (unsigned i = 0; i < w->gpu->sms; i++) run += w->apart[i].run;
  w->expected += (unsigned)run - w->expected / MEAN_OF;
}

/* The SMs that can go on, by their own threads: an SM that another one ran would take its state along. */
static void run_round(gpu_windows_t *w) {
  uint64_t who = 0;
  for (unsigned n = 0; n < w->n_ready; n++) who |= UINT64_C(1) << share_of(&w->share, w->ready[n]);
  if (w->together)
    team_run(w->team, who, run_part, w);
  else
    run_alone(w);
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
  windows_run_requests(w, at);
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

bool windows_run_sms(gpu_windows_t *w) {
  run_first_round(w);
  for (;;) {
    if (any_failed(w)) return false;
    next_round(w);
    if (w->n_ready == 0 || w->gpu->ended) return true;
    run_round(w);
  }
}
