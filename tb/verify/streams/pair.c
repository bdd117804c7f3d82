/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/pair.h"

#include "verify/streams/drive.h"

#include <string.h>

enum { RESET = 4, SHORTEST = 500, LONGEST = 4000, ASK_EVERY = 1 << 12, RECORD = 1000 };

static void play(pair_t *b, const side_cycle_t *c, bool *any) {
  static const char *const names[] = {"the reference", "the design"};
  for (unsigned s = 0; s < 2; s++) {
    hang_enter(b->hang, names[s]);
    side_drive(&b->side[s], &b->side[1 - s], c);
  }
  hang_leave(b->hang);
  *any = false;
  for (unsigned s = 0; s < 2; s++) *any |= side_look(&b->side[s], b->match, c);
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
    if (!table || c->resets || !table->stopped(b->side[s].self)) continue;
    b->stopped = table->stopped(b->side[s].self);
    b->stopper = s;
    return false;
  }
  for (unsigned i = 0; i < b->side[0].n; i++) {
    if (!b->side[0].spec[i].enters && !c->resets) items_wait(&b->match[i]);
    if (b->match[i].broken && b->broken < 0) b->broken = (int)i;
  }
  return b->broken < 0;
}

static bool one(pair_t *b, bool resets, bool drains, bool *any) {
  const side_cycle_t c = {b->seed, b->cycle, resets, drains};
  play(b, &c, any);
  b->cycle++;
  return judge(b, &c);
}

static void start_over(pair_t *b) {
  uint64_t next[STREAMS_MOST] = {0};
  for (unsigned i = 0; i < b->side[0].n; i++) {
    next[i] = b->side[0].stream[i].next;
    if (b->side[1].stream[i].next > next[i]) next[i] = b->side[1].stream[i].next;
    items_reset(&b->match[i]);
  }
  for (unsigned s = 0; s < 2; s++) side_reset(&b->side[s], next);
}

static bool reset(pair_t *b, unsigned cycles) {
  bool any;
  start_over(b);
  for (unsigned k = 0; k < cycles; k++) {
    if (!one(b, true, false, &any)) return false;
    if (b->cycle == RESET)
      for (unsigned s = 0; s < 2; s++)
        if (b->side[s].table) b->side[s].table->watch(b->side[s].self);
  }
  return true;
}

/* Until both sides have been silent for long. */
static bool drain(pair_t *b) {
  bool any;
  for (uint64_t silent = 0; silent < b->patience; silent = any ? 0 : silent + 1) {
    if (!one(b, false, true, &any)) return false;
    if (b->stop && b->cycle % ASK_EVERY == 0 && b->stop()) return false;
  }
  b->drained++;
  for (unsigned i = 0; i < b->side[0].n; i++) {
    if (!b->side[0].spec[i].enters) items_end(&b->match[i]);
    if (b->match[i].broken && b->broken < 0) b->broken = (int)i;
  }
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
    if (!one(b, false, false, &any)) return false;
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
    const side_cycle_t c = {b->seed, b->cycle + n, false, false};
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
  for (unsigned i = 0; i < b->side[0].n; i++) items_close(&b->match[i]);
  for (unsigned s = 0; s < 2; s++) side_close(&b->side[s]);
}

/* ---- the stimulus of the second build --------------------------------------------------------- */

/* The bits of outputs that a value is made of count. */
static void count(const streams_value_t *v, const streams_names_t *names, uint64_t *counts) {
  for (unsigned i = 0; i < v->n; i++) {
    const streams_leaf_t *l = &v->leaf[i];
    if (!l->expr && !l->input) streams_set_bits(counts, l->bit, l->width, UINT64_MAX);
    for (unsigned k = 0; l->expr && k < names->n_ports; k++) {
      const streams_port_t *p = &names->port[k];
      for (unsigned at = 0; !p->input && expr_names(l->expr, p->name) && at < p->width; at += 64)
        streams_set_bits(counts, p->bit + at, p->width - at < 64 ? p->width - at : 64, UINT64_MAX);
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
    const side_cycle_t c = {seed, t, resets, false};
    if (t % RECORD == 0) side_reset(side, start);
    side_drive(side, NULL, &c);
    memcpy(to->in + t * side->cls->in_words, side->in, side->cls->in_words * sizeof *side->in);
    if (!resets) count_all(side, to->counts + t * side->cls->out_words);
    (void)side_look(side, NULL, &c);
    side_edge(side);
  }
  return side->out_of_memory ? mrpb_fail(err, "out of memory") : 0;
}
