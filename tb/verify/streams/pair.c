/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/pair.h"

#include "bits.h"
#include "verify/streams/drive.h"

#include <string.h>

enum { RESET = 4, SHORTEST = 500, LONGEST = 4000, ASK_EVERY = 1 << 12, RECORD = 1000 };
enum { LOG_MOST = 1 << 22 }; /* cycles */

/* ---- a cycle ---------------------------------------------------------------------------------- */

static void log_cycle(pair_t *b, const script_cycle_t *now) {
  if (b->cycle < RESET) return; /* pair_play begins with them */
  if (b->log.script.n == LOG_MOST) b->log.lost = true;
  if (!b->log.lost && !script_add_cycle(&b->log.script, now)) b->log.lost = true;
}

static void log_start(pair_t *b, const uint64_t first[STREAMS_MOST]) {
  pair_log_t *l = &b->log;
  if (l->lost || l->n == PAIR_KEPT) { /* the oldest is forgotten, or all */
    const size_t gone = l->lost ? l->script.n : l->start[1].at;
    l->n = l->lost ? 0 : l->n - 1;
    memmove(l->start, l->start + 1, l->n * sizeof *l->start);
    for (unsigned i = 0; i < l->n; i++) l->start[i].at -= gone;
    l->script.n -= gone;
    memmove(l->script.cycle, l->script.cycle + gone, l->script.n * sizeof *l->script.cycle);
    l->lost = false;
  }
  l->start[l->n].at = l->script.n;
  memcpy(l->start[l->n++].first, first, sizeof l->start->first);
}

static side_cycle_t random_cycle(uint64_t seed, unsigned n, uint64_t cycle, bool resets,
                                 bool drains) {
  side_cycle_t c = {seed, cycle, {.resets = resets, .drains = drains}, NULL};
  for (unsigned i = 0; i < n; i++) {
    const bool offer = drains || drive_now(seed, DRIVE_OFFER, i, cycle);
    const bool ready = drains || drive_now(seed, DRIVE_READY, i, cycle);
    c.now.offer |= (uint16_t)(offer << i);
    c.now.ready |= (uint16_t)(ready << i);
  }
  return c;
}

static void play(pair_t *b, const side_cycle_t *c, bool *any) {
  static const char *const names[] = {"the reference", "the design"};
  for (unsigned s = 0; s < 2; s++) {
    hang_enter(b->hang, names[s]);
    side_drive(&b->side[s], &b->side[1 - s], c);
  }
  hang_leave(b->hang);
  *any = false;
  for (unsigned s = 0; s < 2; s++) *any |= side_look(&b->side[s], b->match, c);
  if (b->look) b->look(b->ctx, b);
  for (unsigned s = 0; s < 2; s++) {
    hang_enter(b->hang, names[s]);
    side_edge(&b->side[s]);
  }
  hang_leave(b->hang);
}

/* Whether the run goes on. */
static bool judge(pair_t *b, const side_cycle_t *c) {
  for (unsigned s = 0; s < 2; s++) {
    const shim_table_t *table = b->side[s].table;
    if (!table || c->now.resets || !table->stopped(b->side[s].self)) continue;
    b->stopped = table->stopped(b->side[s].self);
    b->stopper = s;
    return false;
  }
  for (unsigned i = 0; i < b->side[0].n; i++) {
    if (!b->side[0].spec[i].enters && !c->now.resets) items_wait(&b->match[i]);
    if (b->match[i].broken && b->broken < 0) b->broken = (int)i;
  }
  return b->broken < 0;
}

static bool one(pair_t *b, const side_cycle_t *c, bool *any) {
  play(b, c, any);
  b->cycle++;
  if (b->side[0].table && b->cycle == RESET) b->side[0].table->watch(b->side[0].self);
  if (b->side[1].table && b->cycle == RESET) b->side[1].table->watch(b->side[1].self);
  return judge(b, c);
}

static bool random_one(pair_t *b, bool resets, bool drains, bool *any) {
  const side_cycle_t c = random_cycle(b->seed, b->side[0].n, b->cycle, resets, drains);
  log_cycle(b, &c.now);
  return one(b, &c, any);
}

static void forget(pair_t *b, uint64_t next[STREAMS_MOST]) {
  for (unsigned i = 0; i < b->side[0].n; i++) {
    next[i] = b->side[0].stream[i].next;
    if (b->side[1].stream[i].next > next[i]) next[i] = b->side[1].stream[i].next;
    items_reset(&b->match[i]);
  }
  for (unsigned s = 0; s < 2; s++) side_reset(&b->side[s], next);
}

/* ---- the run ---------------------------------------------------------------------------------- */

static bool reset(pair_t *b, unsigned cycles) {
  uint64_t next[STREAMS_MOST] = {0};
  bool any;
  forget(b, next);
  log_start(b, next);
  for (unsigned k = 0; k < cycles; k++)
    if (!random_one(b, true, false, &any)) return false;
  return true;
}

static void judge_end(pair_t *b) {
  for (unsigned i = 0; i < b->side[0].n; i++) {
    if (!b->side[0].spec[i].enters) items_end(&b->match[i]);
    if (b->match[i].broken && b->broken < 0) b->broken = (int)i;
  }
}

/* Until both sides have been silent for long. */
static bool drain(pair_t *b) {
  bool any;
  for (uint64_t silent = 0; silent < b->patience; silent = any ? 0 : silent + 1) {
    if (!random_one(b, false, true, &any)) return false;
    if (b->stop && b->cycle % ASK_EVERY == 0 && b->stop()) return false;
  }
  b->drained++;
  judge_end(b);
  return b->broken < 0;
}

/* A run ends with an episode that is drained, beyond its cycles. */
static bool episode(pair_t *b) {
  const bool resets = b->side[1].reset >= 0;
  const uint64_t draw = drive_hash(b->seed, DRIVE_IDLE, STREAMS_MOST, b->episodes++);
  uint64_t end = b->cycle + SHORTEST + draw % (LONGEST - SHORTEST);
  bool any;
  if (!resets || end + LONGEST > b->cycles) end = b->cycles;
  while (b->cycle < end) {
    if (!random_one(b, false, false, &any)) return false;
    if (b->stop && b->cycle % ASK_EVERY == 0 && b->stop()) return false;
  }
  if ((end == b->cycles || draw >> 32 & 1) && !drain(b)) return false;
  return end == b->cycles || b->cycle >= b->cycles || reset(b, 1 + (unsigned)(draw >> 40) % 3);
}

/* What follows a mismatch tells what happened. */
static void look_on(pair_t *b) {
  items_t *m = &b->match[b->broken];
  bool any;
  for (uint64_t n = 0; n < b->patience && !items_known(m); n++) {
    const side_cycle_t c = random_cycle(b->seed, b->side[0].n, b->cycle + n, false, false);
    log_cycle(b, &c.now);
    play(b, &c, &any);
  }
  items_judge(m);
}

int pair_run(pair_t *b, mrpb_err_t *err) {
  bool good;
  b->broken = -1;
  for (unsigned i = 0; i < b->side[0].n; i++)
    items_open(&b->match[i], &b->side[0].spec[i], b->patience);
  good = reset(b, RESET);
  while (good && b->cycle < b->cycles) good = episode(b);
  if (b->broken >= 0) look_on(b);
  bool memory = b->side[0].out_of_memory || b->side[1].out_of_memory;
  for (unsigned i = 0; i < b->side[0].n; i++) memory |= b->match[i].out_of_memory;
  return memory ? mrpb_fail(err, "out of memory") : 0;
}

void pair_close(pair_t *b) {
  script_close(&b->log.script);
  for (unsigned i = 0; i < b->side[0].n; i++) items_close(&b->match[i]);
  for (unsigned s = 0; s < 2; s++) side_close(&b->side[s]);
}

/* ---- the run once more ------------------------------------------------------------------------ */

pair_verdict_t pair_verdict(const pair_t *b) {
  const pair_verdict_t stopped = {.stream = -1, .side = b->stopper, .stopped = true};
  const pair_verdict_t none = {.stream = -1};
  if (b->stopped) return stopped;
  if (b->broken < 0) return none;
  const items_t *m = &b->match[b->broken];
  return (pair_verdict_t){.stream = b->broken, .kind = m->kind, .side = m->side};
}

bool pair_verdict_same(pair_verdict_t a, pair_verdict_t b) {
  return a.stream == b.stream && a.kind == b.kind && a.side == b.side && a.stopped == b.stopped;
}

unsigned pair_kept(const pair_t *b) {
  return b->log.lost ? 0 : b->log.n;
}

int pair_script(const pair_t *b, script_t *to, unsigned episodes) {
  const pair_log_t *l = &b->log;
  const unsigned from = l->n - episodes;
  bool good = true;
  memcpy(to->first, l->start[from].first, sizeof to->first);
  for (size_t t = l->start[from].at; t < l->script.n && good; t++)
    good = script_add_cycle(to, &l->script.cycle[t]);
  for (unsigned i = 0; i < b->side[0].n; i++) {
    const side_t *s = &b->side[0];
    uint64_t last = s->stream[i].next;
    if (last < b->side[1].stream[i].next) last = b->side[1].stream[i].next;
    to->width[i] = s->spec[i].payload.width;
    for (uint64_t n = to->first[i]; n <= last && s->spec[i].enters && !s->spec[i].when; n++) {
      script_item_t item;
      drive_item(b->seed, i, &s->spec[i], n, side_by_tag(s, i), item);
      good = good && script_add_item(to, i, item);
    }
  }
  return good ? 0 : -1;
}

static int restart(pair_t *b, const script_t *script, mrpb_err_t *err) {
  b->cycle = 0;
  b->broken = -1;
  b->stopped = NULL;
  for (unsigned i = 0; i < b->side[0].n; i++) {
    items_close(&b->match[i]);
    items_open(&b->match[i], &b->side[0].spec[i], b->patience);
  }
  for (unsigned s = 0; s < 2; s++) {
    if (side_restart(&b->side[s], err) != 0) return -1;
    side_reset(&b->side[s], script->first);
  }
  return 0;
}

/* A cycle of a script. After a mismatch it only shows what follows. */
static void scripted(pair_t *b, const script_t *script, const script_cycle_t *now, bool *any) {
  const side_cycle_t c = {b->seed, b->cycle, *now, script};
  if (b->broken < 0)
    (void)one(b, &c, any);
  else
    play(b, &c, any), b->cycle++;
}

bool pair_broken(const pair_t *b) {
  bool broken = b->stopped;
  for (unsigned i = 0; i < b->side[0].n; i++) broken |= b->match[i].broken;
  return broken;
}

/* Whether the play can tell nothing more. */
static bool over(const pair_t *b) {
  return b->stopped || (b->broken >= 0 && items_known(&b->match[b->broken]));
}

int pair_play(pair_t *b, const script_t *script, mrpb_err_t *err) {
  static const script_cycle_t reset = {.resets = true};
  static const script_cycle_t all = {.offer = UINT16_MAX, .ready = UINT16_MAX};
  uint64_t next[STREAMS_MOST], silent = 0;
  bool any, resets = true, cut = false;
  if (restart(b, script, err) != 0) return -1;
  while (b->cycle < RESET) scripted(b, script, &reset, &any);
  for (size_t t = 0; t < script->n && !over(b) && !cut; t++) {
    const bool begins = script->cycle[t].resets && !resets;
    resets = script->cycle[t].resets;
    cut = begins && b->broken >= 0;
    if (begins && !cut) forget(b, next);
    if (!cut) scripted(b, script, &script->cycle[t], &any);
  }
  for (; silent < b->patience && !over(b) && !cut; silent = any ? 0 : silent + 1)
    scripted(b, script, &all, &any);
  if (!b->stopped && b->broken < 0) judge_end(b);
  if (b->broken >= 0) {
    b->match[b->broken].complete = silent == b->patience;
    items_judge(&b->match[b->broken]);
  }
  for (unsigned i = 0; i < b->side[0].n; i++)
    if (b->match[i].out_of_memory) return mrpb_fail(err, "out of memory");
  return 0;
}

/* ---- the stimulus of the second build --------------------------------------------------------- */

/* The bits of outputs that a value is made of count. */
static void count(const streams_value_t *v, const streams_names_t *names, uint64_t *counts) {
  for (unsigned i = 0; i < v->n; i++) {
    const streams_leaf_t *l = &v->leaf[i];
    if (!l->expr && !l->input) words_put(counts, l->bit, l->width, UINT64_MAX);
    for (unsigned k = 0; l->expr && k < names->n_ports; k++) {
      const streams_port_t *p = &names->port[k];
      for (unsigned at = 0; !p->input && expr_names(l->expr, p->name) && at < p->width; at += 64)
        words_put(counts, p->bit + at, p->width - at < 64 ? p->width - at : 64, UINT64_MAX);
    }
  }
}

static void count_all(const side_t *s, uint64_t *counts) {
  for (unsigned i = 0; i < s->n; i++) {
    const streams_spec_t *spec = &s->spec[i];
    if (spec->enters && s->stream[i].offered) count(&spec->ready, s->names, counts);
    if (spec->enters) continue;
    count(&spec->valid, s->names, counts);
    if (!streams_is(&spec->valid, s->names)) continue;
    count(&spec->tag, s->names, counts);
    count(&spec->payload, s->names, counts);
  }
}

int pair_record(side_t *side, uint64_t seed, twice_stimulus_t *to, mrpb_err_t *err) {
  const uint64_t start[STREAMS_MOST] = {0};
  side_reset(side, start);
  for (size_t t = 0; t < to->n; t++) {
    const bool resets = t % RECORD < RESET;
    const side_cycle_t c = random_cycle(seed, side->n, t, resets, false);
    if (t % RECORD == 0) side_reset(side, start);
    side_drive(side, NULL, &c);
    memcpy(to->in + t * side->cls->in_words, side->in, side->cls->in_words * sizeof *side->in);
    if (!resets) count_all(side, to->counts + t * side->cls->out_words);
    (void)side_look(side, NULL, &c);
    side_edge(side);
  }
  return side->out_of_memory ? mrpb_fail(err, "out of memory") : 0;
}
