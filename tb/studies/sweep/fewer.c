/* SPDX-License-Identifier: Apache-2.0 */
/* Families, groups, proofs and bounds: see fewer.h. */
#include "studies/sweep/fewer.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static const char out_of_memory[] = "out of memory for the list of points";

/* ---- families and groups ----------------------------------------------------------------------- */

static bool is_best(const sweep_t *s, unsigned k) {
  for (unsigned i = 0; i < s->n_best; i++)
    if (strcmp(s->best[i], config_key(k)->name) == 0) return true;
  return false;
}

/* A hash of the program and of every key that does not vary within the family, or the group. */
static uint64_t hash_of(const sweep_t *s, const sweep_point_t *p, bool group) {
  uint64_t hash = hash_bytes(HASH_START, &s->list->program[p->program].hash, sizeof(uint64_t));
  if (group && s->n_best == 0) return p->group;
  for (unsigned k = 0; k < config_count(); k++) {
    const uint32_t v = config_has(&p->cfg, k) ? config_value(&p->cfg, k) : UINT32_MAX;
    const bool varies = is_best(s, k) || (!group && s->skip_equal && equal_is_key(k));
    if (!varies) hash = hash_bytes(hash, &v, sizeof v);
  }
  return hash | 1;
}

typedef struct {
  uint64_t hash;
  size_t point;
} hashed_t;

static int by_hash(const void *x, const void *y) {
  const hashed_t *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return a->point < b->point ? -1 : a->point > b->point;
}

/* Gathers points of the same hash. Returns their order; NULL if out of memory. */
static size_t *gather(fewer_t *f, bool group) {
  const size_t n = f->sweep->list->n;
  hashed_t *h = calloc(n + 1, sizeof *h);
  size_t *order = calloc(n + 1, sizeof *order);
  if (!h || !order) return free(h), free(order), NULL;
  for (size_t i = 0; i < n; i++)
    h[i] = (hashed_t){hash_of(f->sweep, &f->sweep->list->point[i], group), i};
  qsort(h, n, sizeof *h, by_hash);
  for (size_t i = 0, first = 0; i < n; i++) {
    order[i] = h[i].point;
    if (i + 1 < n && h[i + 1].hash == h[i].hash) continue;
    const fewer_set_t set = {order + first, h[i].hash ? i + 1 - first : 0};
    for (; first <= i; first++)
      *(group ? &f->point[order[first]].group : &f->point[order[first]].family) = set;
  }
  free(h);
  return order;
}

static bool is_asked(const sweep_t *s) {
  bool grouped = s->skip_equal || s->n_best;
  if (s->slurm) return false; /* its tasks are on their own */
  for (size_t i = 0; i < s->list->n && !grouped; i++) grouped = s->list->point[i].group;
  return grouped;
}

int fewer_open(fewer_t *f, const sweep_t *s, mrpb_err_t *err) {
  *f = (fewer_t){.sweep = s};
  if (!is_asked(s)) return 0;
  f->point = calloc(s->list->n + 1, sizeof *f->point);
  if (!f->point || !(f->families = gather(f, false)) || !(f->groups = gather(f, true)))
    return mrpb_fail(err, out_of_memory);
  for (size_t i = 0; i < s->list->n; i++) f->point[i].head = f->point[i].from = FEWER_NONE;
  return 0;
}

void fewer_close(fewer_t *f) {
  for (size_t i = 0; f->point && i < f->sweep->list->n; i++) free(f->point[i].expected);
  free(f->point);
  free(f->families);
  free(f->groups);
  *f = (fewer_t){0};
}

typedef struct {
  uint64_t size[EQUAL_RULES];
  size_t at, point;
} sized_t;

static int by_size(const void *x, const void *y) {
  const sized_t *a = x, *b = y;
  for (unsigned i = 0; i < EQUAL_RULES; i++)
    if (a->size[i] != b->size[i]) return a->size[i] > b->size[i] ? -1 : 1;
  return a->at < b->at ? -1 : a->at > b->at;
}

/* A limit that does not bind proves more than one that does, so larger sizes come first. */
static int order(const fewer_t *f, size_t *todo, size_t n, mrpb_err_t *err) {
  sized_t *s = calloc(n + 1, sizeof *s);
  if (!s) return mrpb_fail(err, out_of_memory);
  for (size_t i = 0; i < n; i++) s[i] = (sized_t){.at = i, .point = todo[i]};
  for (unsigned r = 0; r < EQUAL_RULES; r++) {
    const unsigned k = equal_key(r);
    for (size_t i = 0; i < n; i++) {
      const config_t *cfg = &f->sweep->list->point[todo[i]].cfg;
      s[i].size[r] = config_has(cfg, k) ? equal_size(cfg, k) : 0;
    }
  }
  qsort(s, n, sizeof *s, by_size);
  for (size_t i = 0; i < n; i++) todo[i] = s[i].point;
  free(s);
  return 0;
}

/* ---- what is known ----------------------------------------------------------------------------- */

static void learn(fewer_point_t *p, const char *json) {
  json_t *result = json_loads(json, 0, NULL);
  if (result) {
    equal_look(result, &p->peaks);
    p->known = true;
  }
  json_decref(result);
}

static int fetch(const fewer_t *f, size_t i, sweep_outcome_t *o, mrpb_err_t *err) {
  const sweep_list_t *l = f->sweep->list;
  const sweep_point_t *p = &l->point[i];
  bool there;
  return sweep_store_get(f->sweep->store, l->program[p->program].hash, p->hash, &there, o, err);
}

int fewer_stored(fewer_t *f, size_t point, sweep_state_t state, mrpb_err_t *err) {
  sweep_outcome_t o;
  if (!f->point || (state != SWEEP_DONE && state != SWEEP_ENDED)) return 0;
  if (fetch(f, point, &o, err) != 0) return -1;
  if (o.json) learn(&f->point[point], o.json);
  f->point[point].ended = o.ended;
  free(o.json);
  return 0;
}

uint64_t fewer_bound(const fewer_t *f, size_t point) {
  uint64_t least = UINT64_MAX;
  if (!fewer_bounded(f, point)) return least;
  const fewer_set_t *set = &f->point[point].group;
  for (size_t i = 0; i < set->n; i++) {
    const fewer_point_t *p = &f->point[set->at[i]];
    if (p->known && p->peaks.cycles < least) least = p->peaks.cycles;
  }
  return least;
}

/* A sample is run to its end, because its whole result is compared. */
bool fewer_bounded(const fewer_t *f, size_t point) {
  return f->point && f->point[point].group.n && !f->point[point].expected;
}

bool fewer_over(const fewer_t *f, size_t point) {
  return fewer_bounded(f, point) && f->point[point].ended > fewer_bound(f, point);
}

static void find_head(fewer_t *f, size_t point) {
  const fewer_set_t *set = &f->point[point].family;
  size_t head = point;
  for (size_t i = 0; i < set->n && head == point; i++)
    if (f->point[set->at[i]].waits) head = set->at[i];
  f->point[point].head = head;
  f->point[point].waits = head == point;
}

int fewer_order(fewer_t *f, size_t *todo, size_t n, mrpb_err_t *err) {
  if (!f->point) return 0;
  if (f->sweep->skip_equal && order(f, todo, n, err) != 0) return -1;
  for (size_t i = 0; i < n; i++) find_head(f, todo[i]);
  return 0;
}

bool fewer_may_begin(const fewer_t *f, size_t point) {
  if (!f->point) return true;
  const fewer_point_t *p = &f->point[point];
  return p->head == point || !f->point[p->head].waits;
}

/* ---- proofs ------------------------------------------------------------------------------------ */

static size_t proof(const fewer_t *f, size_t point) {
  const sweep_list_t *l = f->sweep->list;
  const fewer_set_t *set = &f->point[point].family;
  for (size_t k = 0; k < set->n; k++) {
    const size_t i = set->at[k];
    const fewer_point_t *p = &f->point[i];
    if (i != point && p->known && l->point[i].program == l->point[point].program &&
        equal_proven(&l->point[i].cfg, &p->peaks, &l->point[point].cfg))
      return i;
  }
  return FEWER_NONE;
}

int fewer_derive(fewer_t *f, size_t point, sweep_outcome_t *o, mrpb_err_t *err) {
  *o = (sweep_outcome_t){0};
  if (!f->point || !f->sweep->skip_equal || f->differs) return 0;
  const sweep_point_t *p = &f->sweep->list->point[point];
  const size_t from = proof(f, point);
  if (from == FEWER_NONE) return 0;
  sweep_outcome_t of;
  if (fetch(f, from, &of, err) != 0) return -1;
  if (!of.json) return 0;
  char *json = equal_with(of.json, &p->cfg, p->hash);
  free(of.json);
  if (!json) return mrpb_fail(err, out_of_memory);
  if (f->derived++ % FEWER_SAMPLE == 0) {
    f->point[point].expected = json;
    f->point[point].from = from;
    return 0;
  }
  *o = of;
  o->json = json;
  o->cpu_seconds = 0;
  o->memory_kb = 0;
  o->from = of.from ? of.from : f->sweep->list->point[from].hash;
  return 1;
}

/* What proved too much proves nothing: no derived result stays. */
static int refute(fewer_t *f, size_t point, mrpb_err_t *err) {
  const sweep_list_t *l = f->sweep->list;
  char own[SWEEP_HASH], other[SWEEP_HASH];
  const fewer_point_t *p = &f->point[point];
  sweep_hash_text(l->point[point].hash, own);
  sweep_hash_text(l->point[p->from].hash, other);
  f->differs = true;
  if (sweep_store_forget_derived(f->sweep->store, err) != 0) return -1;
  for (size_t i = 0; i < l->n; i++) f->point[i].known = false;
  (void)mrpb_fail(err,
                  "%.80s: configuration %s should equal %s and differs: a rule of --skip-equal is "
                  "wrong; the derived results are removed",
                  l->program[l->point[point].program].options, own, other);
  return 1;
}

int fewer_end(fewer_t *f, size_t point, const sweep_outcome_t *o, mrpb_err_t *err) {
  if (!f->point) return 0;
  fewer_point_t *p = &f->point[point];
  p->waits = false;
  if (!o->json) return 0;
  learn(p, o->json);
  const bool same = !p->expected || equal_results(p->expected, o->json);
  free(p->expected);
  p->expected = NULL;
  return same ? 0 : refute(f, point, err);
}
