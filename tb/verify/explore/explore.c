/* SPDX-License-Identifier: Apache-2.0 */
/* The search. A state is identified by its registers, which are the same on both sides, or the
 * search has ended. A state stores the path to it, not its contents. It is reached again once,
 * along its path from power-up; for each input, both sides are then restored from a save. */
#include "verify/explore/explore.h"

#include "base/hash.h"
#include "bits.h"
#include "cosim/lockstep/lockstep.h"
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

enum { ASK_EVERY = 256, SEED = 1, FIRST_ROOM = 1 << 12 };

/* How a state was first reached. */
typedef struct {
  uint32_t from, input, depth;
} node_t;

typedef struct {
  const explore_job_t *job;
  lockstep_t *ls;
  lockstep_save_t *power_up, *here;
  uint64_t *inputs; /* result->inputs times in_words */
  size_t key_bytes;
  unsigned char *keys; /* of the states, key_bytes each, plus one for the current state */
  node_t *nodes;
  uint32_t *table; /* open addressing, twice as large as `room`: state + 1, 0 is free */
  uint64_t room;
  explore_t *r;
} search_t;

/* ---- inputs ------------------------------------------------------------------------------------
 */

static uint64_t port_count(const explore_job_t *job, const module_port_t *p, unsigned i) {
  if (job->port[i].n) return job->port[i].n;
  return p->width < 32 ? UINT64_C(1) << p->width : UINT64_C(1) << 32;
}

int64_t explore_count(const explore_job_t *job, mrpb_err_t *err) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  uint64_t n = 1;
  job->cls->ports(job->cfg, in, out);
  for (unsigned i = 0; i < job->cls->n_in; i++) {
    n *= port_count(job, &in[i], i);
    if (n > EXPLORE_INPUTS)
      return mrpb_fail(err,
                       "%s: more than %d inputs for each state; legal: smaller sizes, or fewer "
                       "values for an input such as %s (--values)",
                       job->cls->stem, EXPLORE_INPUTS, in[i].name);
  }
  return (int64_t)n;
}

static int find_port(const explore_job_t *job, const char *name, const module_port_t *in,
                     mrpb_err_t *err) {
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < job->cls->n_in; i++) {
    if (strcmp(in[i].name, name) == 0) return (int)i;
    names_offer(&near, in[i].name);
  }
  return mrpb_fail(err, "%s has no input '%s'%s", job->cls->stem, name, near.text);
}

int explore_values(explore_job_t *job, const char *text, mrpb_err_t *err) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  char name[64];
  const char *at = strchr(text, '=');
  if (!at || (size_t)(at - text) >= sizeof name)
    return mrpb_fail(err, "'%s': legal: INPUT=VALUE,VALUE...", text);
  snprintf(name, sizeof name, "%.*s", (int)(at - text), text);
  job->cls->ports(job->cfg, in, out);
  int i = find_port(job, name, in, err);
  if (i < 0) return -1;
  explore_port_t *p = &job->port[i];
  for (p->n = 0; p->n < EXPLORE_VALUES; p->n++) {
    char *end;
    const char *digits = ++at;
    uint64_t v = strtoull(digits, &end, 0);
    const bool fits = v <= bits_mask(in[i].width < 64 ? in[i].width : 64);
    if (*digits < '0' || *digits > '9' || (*end && *end != ',') || !fits)
      return mrpb_fail(err, "'%s': legal: values of %u bits, with commas between them", text,
                       in[i].width);
    p->value[p->n] = v;
    at = end;
    if (*end == '\0') {
      p->n++;
      return 0;
    }
  }
  return mrpb_fail(err, "'%.40s...': more than %d values", text, EXPLORE_VALUES);
}

static int make_inputs(search_t *s, mrpb_err_t *err) {
  const explore_job_t *job = s->job;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  int64_t count = explore_count(job, err);
  if (count < 0) return -1;
  s->r->inputs = (uint64_t)count;
  s->inputs = calloc(s->r->inputs, job->cls->in_words * sizeof *s->inputs);
  if (!s->inputs) return mrpb_fail(err, "out of memory");
  job->cls->ports(job->cfg, in, out);
  for (uint64_t k = 0; k < s->r->inputs; k++) {
    uint64_t rest = k;
    for (unsigned i = 0; i < job->cls->n_in; i++) {
      const uint64_t n = port_count(job, &in[i], i), digit = rest % n;
      s->inputs[k * job->cls->in_words + in[i].word] =
          job->port[i].n ? job->port[i].value[digit] : digit;
      rest /= n;
    }
  }
  return 0;
}

/* ---- states ------------------------------------------------------------------------------------
 */

static size_t elem_bytes(const module_reg_t *r) {
  return (r->width + 7) / 8;
}

static void make_key(const search_t *s, unsigned char *key) {
  const module_reg_t *regs = lockstep_regs_c(s->ls);
  for (unsigned i = 0; i < s->job->cls->n_regs; i++) {
    const unsigned char *data = regs[i].data;
    const size_t n = elem_bytes(&regs[i]);
    for (unsigned w = 0; w < regs[i].words; w++, key += n)
      for (size_t b = 0; b < n; b++) key[b] = data[(size_t)w * regs[i].elem_bytes + b];
  }
}

static int start_keys(search_t *s, mrpb_err_t *err) {
  const module_reg_t *regs = lockstep_regs_c(s->ls);
  for (unsigned i = 0; i < s->job->cls->n_regs; i++)
    s->key_bytes += regs[i].words * elem_bytes(&regs[i]);
  if (s->key_bytes == 0) s->key_bytes = 1; /* no registers: one state */
  s->room = FIRST_ROOM;
  s->keys = calloc(s->room + 1, s->key_bytes);
  s->nodes = calloc(s->room, sizeof *s->nodes);
  s->table = calloc(2 * s->room, sizeof *s->table);
  return s->keys && s->nodes && s->table ? 0 : mrpb_fail(err, "out of memory");
}

static unsigned char *key_of(const search_t *s, uint64_t i) {
  return s->keys + i * s->key_bytes;
}

/* The place of the key in the table, or the free place for it. */
static uint64_t place(const search_t *s, const unsigned char *key) {
  const uint64_t hash = hash_bytes(HASH_START, key, s->key_bytes), mask = 2 * s->room - 1;
  uint64_t at = (hash ^ hash >> 29) & mask;
  while (s->table[at] && memcmp(key_of(s, s->table[at] - 1), key, s->key_bytes) != 0)
    at = (at + 1) & mask;
  return at;
}

static int make_room(search_t *s, mrpb_err_t *err) {
  const uint64_t room = 2 * s->room;
  unsigned char *keys = realloc(s->keys, (room + 1) * s->key_bytes);
  if (keys) s->keys = keys;
  node_t *nodes = realloc(s->nodes, room * sizeof *nodes);
  if (nodes) s->nodes = nodes;
  uint32_t *table = calloc(2 * room, sizeof *table);
  if (!keys || !nodes || !table) {
    free(table);
    return mrpb_fail(err, "out of memory after %llu states", (unsigned long long)s->r->states);
  }
  free(s->table);
  s->table = table;
  s->room = room;
  for (uint64_t i = 0; i < s->r->states; i++) s->table[place(s, key_of(s, i))] = (uint32_t)i + 1;
  return 0;
}

/* Records the state that both sides are in, if it is new. */
static int take_down(search_t *s, uint32_t from, uint32_t input, mrpb_err_t *err) {
  unsigned char *key = key_of(s, s->r->states);
  make_key(s, key);
  uint64_t at = place(s, key);
  if (s->table[at]) return 0;
  if (s->r->states == s->job->most) {
    s->r->verdict = EXPLORE_CUT;
    return 0;
  }
  const uint32_t depth = s->r->states ? s->nodes[from].depth + 1 : 0;
  s->nodes[s->r->states] = (node_t){from, input, depth};
  s->r->depth = depth;
  s->table[at] = (uint32_t)++s->r->states;
  return s->r->states < s->room ? 0 : make_room(s, err);
}

/* ---- the search --------------------------------------------------------------------------------
 */

static const uint64_t *input(const search_t *s, uint32_t i) {
  return s->inputs + (size_t)i * s->job->cls->in_words;
}

static bool apply(search_t *s, uint32_t i) {
  return lockstep_comb(s->ls, input(s, i)) && lockstep_edge(s->ls);
}

/* The inputs on the path to a state, in order. */
static uint32_t *way_to(const search_t *s, uint32_t state) {
  const uint32_t n = s->nodes[state].depth;
  uint32_t *way = calloc(n ? n : 1, sizeof *way);
  for (uint32_t i = n; way && i-- > 0; state = s->nodes[state].from) way[i] = s->nodes[state].input;
  return way;
}

/* Makes the stimulus up to the input that shows a difference. */
static int make_path(search_t *s, uint32_t state, uint32_t last, mrpb_err_t *err) {
  uint32_t *way = way_to(s, state);
  uint64_t *zero = calloc(s->job->cls->in_words, sizeof *zero);
  vectors_t *v = &s->r->path;
  int rc = way && zero ? 0 : mrpb_fail(err, "out of memory");
  if (rc == 0) rc = vectors_init(v, s->job->cls, s->job->cfg, SEED, err);
  if (rc == 0) rc = vectors_add(v, zero, err);
  for (uint32_t i = 0; rc == 0 && i < s->nodes[state].depth; i++)
    rc = vectors_add(v, input(s, way[i]), err);
  if (rc == 0) rc = vectors_add(v, input(s, last), err);
  if (rc == 0) snprintf(v->origin, sizeof v->origin, "explore, the shortest of all");
  free(way);
  free(zero);
  return rc;
}

/* Brings both sides to `state`. Nothing can differ on the path: it was compared when the state was
 * found. */
static int go_to(search_t *s, uint32_t state, mrpb_err_t *err) {
  uint32_t *way = way_to(s, state);
  if (!way) return mrpb_fail(err, "out of memory");
  lockstep_load(s->ls, s->power_up);
  bool same = true;
  for (uint32_t i = 0; i < s->nodes[state].depth; i++) same = apply(s, way[i]) && same;
  free(way);
  unsigned char *key = key_of(s, s->r->states);
  make_key(s, key);
  if (!same || memcmp(key, key_of(s, state), s->key_bytes) != 0)
    return mrpb_fail(err, "%s: the same path led to two states", s->job->cls->stem);
  lockstep_save(s->ls, s->here);
  return 0;
}

static int expand(search_t *s, uint32_t state, mrpb_err_t *err) {
  if (go_to(s, state, err) != 0) return -1;
  for (uint32_t i = 0; i < s->r->inputs; i++) {
    if (i) lockstep_load(s->ls, s->here);
    if (!apply(s, i)) {
      s->r->verdict = EXPLORE_DIFFERENT;
      return make_path(s, state, i, err);
    }
    s->r->transitions++;
    if (take_down(s, state, i, err) != 0) return -1;
  }
  s->r->done++;
  return 0;
}

/* The first state is the one after a reset with all inputs 0. */
static int start(search_t *s, const rtl_lib_t *lib, mrpb_err_t *err) {
  uint64_t zero[MODULE_MAX_WORDS] = {0};
  if (make_inputs(s, err) != 0) return -1;
  if (lockstep_open_twin(&s->ls, s->job->cls, s->job->cfg, lib, SEED, err) != 0) return -1;
  if (start_keys(s, err) != 0) return -1;
  if (!lockstep_comb(s->ls, zero) || !lockstep_edge(s->ls)) {
    s->r->verdict = EXPLORE_DIFFERENT;
    if (vectors_init(&s->r->path, s->job->cls, s->job->cfg, SEED, err) != 0) return -1;
    return vectors_add(&s->r->path, zero, err);
  }
  s->power_up = lockstep_save_new(s->ls);
  s->here = lockstep_save_new(s->ls);
  if (!s->power_up || !s->here) return mrpb_fail(err, "out of memory");
  return take_down(s, 0, 0, err);
}

int explore(explore_t *result, const explore_job_t *job, const rtl_lib_t *lib, mrpb_err_t *err) {
  *result = (explore_t){.verdict = EXPLORE_EQUAL};
  search_t s = {.job = job, .r = result};
  int rc = start(&s, lib, err);
  for (uint32_t i = 0; rc == 0 && result->verdict != EXPLORE_DIFFERENT && i < result->states; i++) {
    if (i % ASK_EVERY == 0 && job->stop && job->stop()) {
      result->verdict = EXPLORE_CUT;
      break;
    }
    rc = expand(&s, i, err);
  }
  lockstep_save_free(s.power_up);
  lockstep_save_free(s.here);
  lockstep_close(s.ls);
  free(s.inputs);
  free(s.keys);
  free(s.nodes);
  free(s.table);
  return rc;
}
