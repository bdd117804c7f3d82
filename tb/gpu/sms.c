/* SPDX-License-Identifier: Apache-2.0 */
/* All SMs of a GPU, and which of them are run in a cycle: see sms.h. */
#include "gpu/sms.h"

#include <stdlib.h>

typedef struct {
  cores_t base;
  sms_setup_t setup;
  unsigned n, words;
  sm_t *sm[SET_MEMBERS];
  set_t awake;                  /* their cycles are run */
  set_t for_room;               /* sleep until the interconnect has room */
  set_t receiving;              /* have replies in their cluster FIFO */
  set_t with_blocks, with_room; /* have blocks; can take another */
  set_t every_cycle;            /* have a unit in lockstep */
  void (*hook)(void *ctx, sm_t *sm);
  void *hook_ctx;
} sms_t;

static sms_t *sms_of(cores_t *c) {
  return (sms_t *)(void *)c;
}
static const sms_t *sms_read(const cores_t *c) {
  return (const sms_t *)(const void *)c;
}

sm_t *sms_sm(const cores_t *c, unsigned i) {
  return sms_read(c)->sm[i];
}

void sms_set_hook(cores_t *c, void (*hook)(void *ctx, sm_t *sm), void *ctx) {
  sms_t *s = sms_of(c);
  s->hook = hook;
  s->hook_ctx = ctx;
  sm_set_hook(s->sm[s->setup.shown], hook, ctx);
}

static void wake(sms_t *s, unsigned i, uint64_t now) {
  if (!set_has(&s->awake, i)) sm_wake(s->sm[i], now);
  set_add(&s->awake, i);
  set_remove(&s->for_room, i);
}

/* ---- launches ---------------------------------------------------------------- */

static int start(cores_t *c, const launch_t *launch, uint64_t now, mrpb_err_t *err) {
  sms_t *s = sms_of(c);
  const unsigned most = sm_max_blocks(s->setup.cfg, launch);
  for (unsigned i = 0; i < s->n; i++) {
    wake(s, i, now);
    sm_tell_profile(s->sm[i]);
    sm_start_kernel(s->sm[i], s->setup.workload, launch, most);
    if (sm_has_room(s->sm[i])) set_add(&s->with_room, i);
  }
  return most ? 0 : sm_refuse_block(s->setup.cfg, launch, err);
}

static const set_t *with_room(const cores_t *c) {
  return &sms_read(c)->with_room;
}

static int take_block(cores_t *c, unsigned i, uint32_t block, uint64_t now, mrpb_err_t *err) {
  sms_t *s = sms_of(c);
  wake(s, i, now);
  if (sm_take_block(s->sm[i], block, err) != 0) return -1;
  if (!sm_has_room(s->sm[i])) set_remove(&s->with_room, i);
  set_add(&s->with_blocks, i);
  return 0;
}

static bool busy(const cores_t *c) {
  return !set_empty(&sms_read(c)->with_blocks);
}

/* ---- a cycle ------------------------------------------------------------------ */

static void receive(cores_t *c, uint64_t now) {
  sms_t *s = sms_of(c);
  gpu_memory_t *memory = s->setup.memory;
  const set_t waiting = memory->cls->waiting(memory);
  SET_EACH(i, w, s->words, waiting.word[w] & ~s->awake.word[w]) wake(s, i, now);
  SET_EACH(i, w, s->words, (waiting.word[w] | s->receiving.word[w]) & s->awake.word[w]) {
    if (sm_receive(s->sm[i]))
      set_add(&s->receiving, i);
    else
      set_remove(&s->receiving, i);
  }
}

/* Runs SM `i`, and notes what it can do next. Apart from the loop over all SMs, so that the compiler
 * has room to inline the SM's parts. */
static __attribute__((noinline)) int run_one(sms_t *s, unsigned i, uint64_t now, mrpb_err_t *err) {
  sm_t *sm = s->sm[i];
  const int rc = sm_cycle(sm, now, err);
  if (sm_asleep(sm)) {
    set_remove(&s->awake, i);
    if (sm_waits_for_room(sm)) set_add(&s->for_room, i);
  }
  if (sm_has_room(sm)) set_add(&s->with_room, i);
  if (sm_blocks(sm) == 0) set_remove(&s->with_blocks, i);
  return rc;
}

/* An SM is run while it has blocks. All SMs are run while blocks are left to place. Sleeping SMs
 * are not run. */
static int cycle(cores_t *c, uint64_t now, bool more, mrpb_err_t *err) {
  sms_t *s = sms_of(c);
  set_t ran = {{0}};
  int rc = 0;
  SET_EACH(i, w, s->words, s->for_room.word[w]) if (sm_has_icnt_room(s->sm[i])) wake(s, i, now);
  SET_EACH(i, w, s->words, s->awake.word[w]) {
    if (!more && sm_blocks(s->sm[i]) == 0) {
      set_remove(&s->awake, i);
      continue;
    }
    set_add(&ran, i);
    if (run_one(s, i, now, err) != 0) rc = -1;
  }
  SET_EACH(i, w, s->words, s->every_cycle.word[w] & ~ran.word[w])
  if (sm_idle_cycle(s->sm[i], now, err) != 0) rc = -1;
  if (s->hook && !set_has(&ran, (unsigned)s->setup.shown))
    s->hook(s->hook_ctx, s->sm[s->setup.shown]);
  return rc;
}

static bool waits(const cores_t *c) {
  const sms_t *s = sms_read(c);
  uint64_t any = 0;
  for (unsigned w = 0; w < s->words; w++)
    any |= s->awake.word[w] | s->for_room.word[w] | s->every_cycle.word[w];
  return !any && !s->hook;
}

static void catch_up(cores_t *c, uint64_t now) {
  sms_t *s = sms_of(c);
  for (unsigned i = 0; i < s->n; i++) {
    wake(s, i, now);
    sm_tell_profile(s->sm[i]);
  }
}

static uint64_t progress(const cores_t *c) {
  const sms_t *s = sms_read(c);
  uint64_t sum = 0;
  for (unsigned i = 0; i < s->n; i++) sum += sm_progress(s->sm[i]);
  return sum;
}

/* ---- apart --------------------------------------------------------------------- */

void sms_part(const cores_t *c, unsigned i, uint64_t now, sms_apart_t *a) {
  const sms_t *s = sms_read(c);
  a->at = now;
  a->why = SMS_END;
  a->awake = set_has(&s->awake, i);
  a->for_room = set_has(&s->for_room, i);
  a->receiving = set_has(&s->receiving, i);
  a->left_at = now;
}

static void put(set_t *set, unsigned i, bool member) {
  if (member)
    set_add(set, i);
  else
    set_remove(set, i);
}

void sms_join(cores_t *c, unsigned i, const sms_apart_t *a) {
  sms_t *s = sms_of(c);
  put(&s->awake, i, a->awake);
  put(&s->for_room, i, a->for_room);
  put(&s->receiving, i, a->receiving);
  put(&s->with_room, i, sm_has_room(s->sm[i]));
  put(&s->with_blocks, i, sm_blocks(s->sm[i]) > 0);
}

static void wake_apart(sm_t *sm, sms_apart_t *a) {
  if (!a->awake) sm_wake(sm, a->at);
  a->awake = true;
  a->for_room = false;
}

/* What follows a cycle that was run, as in run_one. */
static void end_apart(sm_t *sm, sms_apart_t *a) {
  a->run++;
  if (sm_cycle_end(sm, a->at, &a->err) != 0) a->why = SMS_FAILED;
  if (sm_asleep(sm)) {
    a->awake = false;
    a->for_room = sm_waits_for_room(sm);
  }
  if (a->had_blocks && sm_blocks(sm) == 0) a->left_at = a->at + 1;
}

/* It is known what is sent in this cycle, or that can be found out later. */
static bool may_run(sm_t *sm, sms_apart_t *a, const sms_sight_t *sight, gpu_memory_t *own) {
  sm_sends_t sends[SM_SENDS];
  const bool later = sm_sends_later(sm);
  if (!later && sight->knows(own, sends, sm_may_send(sm, sends))) return true;
  if (!sm_can_send_later(sm)) return false;
  if (later) return true;
  if (a->for_room) wake_apart(sm, a);
  sm_send_later(sm, a->at);
  return true;
}

/* The last stage of a cycle, as in `cycle`. a->why is where it begins; false if it stops again. */
static bool cycle_apart(sm_t *sm, sms_apart_t *a, const sms_sight_t *sight, gpu_memory_t *own,
                        bool more) {
  const sm_sends_t fetch = {MEMORY_READ, 0};
  if (a->why != SMS_FETCH) {
    a->why = SMS_SEND;
    if ((a->awake || a->for_room) && !may_run(sm, a, sight, own)) return false;
    if (a->for_room && sm_has_icnt_room(sm)) wake_apart(sm, a);
    if (!more && sm_blocks(sm) == 0) a->awake = false;
    a->had_blocks = sm_blocks(sm) > 0;
    if (a->awake) sm_cycle_begin(sm, a->at);
  }
  a->why = SMS_FETCH;
  if (a->awake && sm_fetch_sends(sm) && (sm_sends_later(sm) || !sight->knows(own, &fetch, 1)))
    return false;
  a->why = SMS_END;
  if (a->awake) end_apart(sm, a);
  return true;
}

static void receive_apart(sm_t *sm, sms_apart_t *a, const sms_sight_t *sight, gpu_memory_t *own) {
  const bool reply = sight->go(own, a->at);
  if (reply && !a->awake) wake_apart(sm, a);
  if (a->awake && (reply || a->receiving)) a->receiving = sm_receive(sm);
}

void sms_run_apart(const cores_t *c, unsigned i, sms_apart_t *a, const sms_sight_t *sight,
                   uint64_t to, bool more) {
  const sms_t *s = sms_read(c);
  gpu_memory_t *own = s->setup.own[i];
  sm_t *sm = s->sm[i];
  bool received = sms_stop_for_room(a->why);
  while (a->at < to) {
    if (!received) {
      a->why = SMS_END;
      receive_apart(sm, a, sight, own);
    }
    received = false;
    if (!cycle_apart(sm, a, sight, own, more)) return;
    a->at++;
    if (a->why == SMS_FAILED) return;
    if (more && sm_has_room(sm)) {
      a->why = SMS_BLOCK;
      return;
    }
    if (a->awake || a->for_room) continue;
    const uint64_t next = sight->next(own);
    if (next > a->at) a->at = next < to ? next : to;
  }
  a->why = SMS_END;
}

/* ---- results ------------------------------------------------------------------ */

static void set_check(cores_t *c, check_t *check, uint32_t hazards) {
  sms_t *s = sms_of(c);
  for (unsigned i = 0; i < s->n; i++) {
    sm_set_hazards(s->sm[i], hazards);
    if (check) sm_set_check(s->sm[i], check_sm(check, i));
  }
}

static void add_occupancy(sm_occupancy_t *sum, const sm_occupancy_t *one) {
  gpu_add(sum->cycles, one->cycles, sizeof sum->cycles / sizeof *sum->cycles);
  if (one->max > sum->max) sum->max = one->max;
}

static void add_most(uint32_t *most, uint32_t one) {
  if (one > *most) *most = one;
}

static void count(const cores_t *c, gpu_counted_t *sum) {
  const sms_t *s = sms_read(c);
  for (unsigned i = 0; i < s->n; i++) {
    const sm_stats_t *one = sm_stats(s->sm[i]);
    gpu_add(&sum->sm.cycles, &one->cycles, offsetof(sm_stats_t, mshr) / sizeof(uint64_t));
    add_occupancy(&sum->sm.mshr, &one->mshr);
    add_occupancy(&sum->sm.miss_queue, &one->miss_queue);
    add_occupancy(&sum->sm.mrpb, &one->mrpb);
    add_occupancy(&sum->sm.prt, &one->prt);
    add_most(&sum->sm.mrpb_queue_max, one->mrpb_queue_max);
    add_most(&sum->sm.scheduler_warps_max, one->scheduler_warps_max);
    gpu_add(&sum->l1d.hits, &sm_l1d_stats(s->sm[i])->hits, sizeof sum->l1d / sizeof(uint64_t));
  }
}

static void dump(cores_t *c, FILE *out) {
  const sms_t *s = sms_read(c);
  for (unsigned i = 0; i < s->n; i++)
    if (sm_blocks(s->sm[i]) > 0 || sm_outstanding(s->sm[i]) > 0) sm_dump(s->sm[i], out);
}

/* ---- creation ----------------------------------------------------------------- */

static void destroy(cores_t *c) {
  sms_t *s = sms_of(c);
  for (unsigned i = 0; i < s->n; i++) sm_destroy(s->sm[i]);
  free(s);
}

static const cores_class_t sms_class = {.destroy = destroy,
                                        .start = start,
                                        .with_room = with_room,
                                        .take_block = take_block,
                                        .busy = busy,
                                        .receive = receive,
                                        .cycle = cycle,
                                        .waits = waits,
                                        .catch_up = catch_up,
                                        .progress = progress,
                                        .set_check = set_check,
                                        .count = count,
                                        .dump = dump};

static int create_sm(sms_t *s, unsigned i, mrpb_err_t *err) {
  const sms_setup_t *from = &s->setup;
  const sm_setup_t one = {
      from->cfg,
      i,
      from->choice,
      from->own ? from->own[i] : from->memory,
      from->no_sleep || from->shown == (int)i,
      from->requests && requests_wanted(from->requests, i) ? from->requests : NULL,
      from->profile ? profile_core(from->profile, i) : NULL,
      from->timeline && timeline_has(from->timeline, i) ? from->timeline : NULL};
  if (sm_create(&s->sm[i], &one, err) != 0) return -1;
  set_add(&s->awake, i);
  if (sm_every_cycle(s->sm[i])) set_add(&s->every_cycle, i);
  return 0;
}

int sms_create(cores_t **out, const sms_setup_t *setup, mrpb_err_t *err) {
  sms_t *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s) return mrpb_fail(err, "gpu: out of memory");
  s->base.cls = &sms_class;
  s->setup = *setup;
  s->n = setup->cfg->sms;
  s->words = set_words(s->n);
  for (unsigned i = 0; i < s->n; i++)
    if (create_sm(s, i, err) != 0) {
      destroy(&s->base);
      return -1;
    }
  *out = &s->base;
  return 0;
}
