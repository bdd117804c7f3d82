/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cores/stacks.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

typedef uint64_t one_t[STACKS_PARTS];

struct stacks {
  uint64_t every;
  unsigned cores;
  one_t **row; /* by interval: [cores] */
  size_t n, room;
  one_t *before; /* by core: what stacks_total got last */
  bool failed;   /* memory ran out */
};

#define PIPELINE(part, name, total, unit, meaning) [part] = {name, total, unit, meaning},
#define IN_ORDER(...)
static const stacks_about_t of_pipeline[STACKS_PIPELINE_PARTS] = {
#include "gpu/cores/stacks.def"
};
#define PIPELINE(...)
#define IN_ORDER(part, name, total, unit, meaning) [part] = {name, total, unit, meaning},
static const stacks_about_t of_in_order[STACK_PARTS] = {
#include "gpu/cores/stacks.def"
};

unsigned stacks_parts(bool in_order) {
  return in_order ? STACK_PARTS : STACKS_PIPELINE_PARTS;
}

const stacks_about_t *stacks_about(bool in_order, unsigned part) {
  return in_order ? &of_in_order[part] : &of_pipeline[part];
}

int stacks_create(stacks_t **out, uint64_t every, unsigned cores, mrpb_err_t *err) {
  stacks_t *s = calloc(1, sizeof *s);
  *out = NULL;
  if (s) *s = (stacks_t){.every = every, .cores = cores, .before = calloc(cores, sizeof(one_t))};
  if (!s || !s->before) {
    free(s);
    return mrpb_fail(err, "intervals: out of memory");
  }
  *out = s;
  return 0;
}

void stacks_destroy(stacks_t *s) {
  if (!s) return;
  for (size_t i = 0; i < s->n; i++) free(s->row[i]);
  free(s->row);
  free(s->before);
  free(s);
}

/* The interval's stacks, which are made if they are missing; NULL if out of memory. */
static one_t *row_of(stacks_t *s, size_t interval) {
  while (s->n <= interval) {
    one_t **rows = grow(s->row, s->n + 1, &s->room, sizeof *rows);
    if (rows) s->row = rows;
    if (!rows || !(rows[s->n] = calloc(s->cores, sizeof **rows))) {
      s->failed = true;
      return NULL;
    }
    s->n++;
  }
  return s->row[interval];
}

void stacks_add(stacks_t *s, unsigned core, unsigned part, uint64_t from, uint64_t to) {
  while (from < to) {
    const uint64_t interval = from / s->every, end = (interval + 1) * s->every;
    const uint64_t until = end < to ? end : to;
    one_t *row = row_of(s, interval);
    if (!row) return;
    row[core][part] += until - from;
    from = until;
  }
}

void stacks_total(stacks_t *s, unsigned core, const uint64_t total[STACKS_PARTS], uint64_t at) {
  one_t *row = row_of(s, at / s->every);
  if (!row) return;
  for (unsigned i = 0; i < STACKS_PARTS; i++) {
    row[core][i] += total[i] - s->before[core][i];
    s->before[core][i] = total[i];
  }
}

static void fold(one_t *to, one_t *from, unsigned cores) {
  for (unsigned c = 0; c < cores; c++) gpu_add(to[c], from[c], STACKS_PARTS);
}

int stacks_end(stacks_t *s, size_t intervals, mrpb_err_t *err) {
  if (intervals > 0) (void)row_of(s, intervals - 1);
  if (s->failed) return mrpb_fail(err, "intervals: out of memory");
  for (; s->n > intervals; s->n--) {
    if (intervals > 0) fold(s->row[intervals - 1], s->row[s->n - 1], s->cores);
    free(s->row[s->n - 1]);
  }
  return 0;
}

const uint64_t *stacks_at(const stacks_t *s, size_t interval, unsigned core) {
  return s->row[interval][core];
}

unsigned stacks_cores(const stacks_t *s) {
  return s->cores;
}
