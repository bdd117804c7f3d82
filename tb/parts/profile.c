/* SPDX-License-Identifier: Apache-2.0 */
#include "parts/profile.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { AT_PC = 0, AT_BOTH = 1, FIRST_SLOTS = 256 };

/* A slot of the hash. */
typedef struct {
  uint32_t pc, row; /* number of the row plus 1; 0: free */
} slot_t;

/* Rows by pc: an open hash of numbers of rows, with one more than half of its slots free. */
typedef struct {
  profile_row_t *row;
  size_t n, room;
  slot_t *slot;
  size_t slots;
} table_t;

struct profile_core {
  const profile_t *of;
  table_t by_pc;
  table_t by_array;
  bool failed; /* memory ran out */
};

struct profile {
  unsigned cores;
  const arrays_t *arrays;
  profile_core_t *core; /* [cores], then one for their sum */
};

const profile_about_t *profile_about(profile_column_t column) {
  static const profile_about_t about[] = {
#define PROFILE(id, name, total, of, unit, meaning) {name, total, unit, meaning, of == AT_BOTH},
#include "parts/profile.def"
  };
  return &about[column];
}

/* ---- tables -------------------------------------------------------------------- */

static size_t slot_of(const table_t *t, uint32_t pc) {
  size_t at = (size_t)((pc * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (t->slots - 1);
  while (t->slot[at].row && t->slot[at].pc != pc) at = (at + 1) & (t->slots - 1);
  return at;
}

static bool rehash(table_t *t) {
  const size_t slots = t->slots ? 2 * t->slots : FIRST_SLOTS;
  slot_t *slot = calloc(slots, sizeof *slot);
  if (!slot) return false;
  free(t->slot);
  t->slot = slot;
  t->slots = slots;
  for (size_t i = 0; i < t->n; i++)
    slot[slot_of(t, t->row[i].pc)] = (slot_t){t->row[i].pc, (uint32_t)i + 1};
  return true;
}

/* The row of `pc`, which is made if it is missing; NULL if out of memory. */
static profile_row_t *row_of(table_t *t, uint32_t pc) {
  if (2 * t->n >= t->slots && !rehash(t)) return NULL;
  const size_t at = slot_of(t, pc);
  if (t->slot[at].row) return &t->row[t->slot[at].row - 1];
  profile_row_t *rows = grow(t->row, t->n + 1, &t->room, sizeof *rows);
  if (!rows) return NULL;
  t->row = rows;
  rows[t->n] = (profile_row_t){.pc = pc};
  t->slot[at] = (slot_t){pc, (uint32_t)++t->n};
  return &rows[t->n - 1];
}

static void free_table(table_t *t) {
  for (size_t i = 0; i < t->n; i++) free(t->row[i].latency);
  free(t->row);
  free(t->slot);
}

/* ---- creation ------------------------------------------------------------------ */

int profile_create(profile_t **out, unsigned cores, const arrays_t *arrays, mrpb_err_t *err) {
  static const arrays_t none;
  profile_t *p = calloc(1, sizeof *p);
  *out = NULL;
  if (p) *p = (profile_t){cores, arrays ? arrays : &none, calloc(cores + 1, sizeof *p->core)};
  if (!p || !p->core) {
    free(p);
    return mrpb_fail(err, "profile: out of memory");
  }
  for (unsigned i = 0; i <= cores; i++) p->core[i].of = p;
  *out = p;
  return 0;
}

void profile_destroy(profile_t *p) {
  if (!p) return;
  for (unsigned i = 0; i <= p->cores; i++) {
    free_table(&p->core[i].by_pc);
    free_table(&p->core[i].by_array);
  }
  free(p->core);
  free(p);
}

profile_core_t *profile_core(profile_t *p, unsigned core) {
  return &p->core[core];
}

/* ---- counting ------------------------------------------------------------------ */

/* NULL if out of memory. */
static profile_row_t *array_row(profile_core_t *c, uint64_t addr) {
  const size_t array = arrays_find(c->of->arrays, addr);
  return row_of(&c->by_array, array < c->of->arrays->n ? (uint32_t)array : PROFILE_NOWHERE);
}

static void add(profile_core_t *c, profile_row_t *row, profile_column_t column, uint64_t n) {
  if (row)
    row->count[column] += n;
  else
    c->failed = true;
}

void profile_add(profile_core_t *c, uint32_t pc, profile_column_t column, uint64_t n) {
  add(c, row_of(&c->by_pc, pc), column, n);
}

void profile_add_at(profile_core_t *c, uint32_t pc, uint64_t addr, profile_column_t column,
                    uint64_t n) {
  add(c, row_of(&c->by_pc, pc), column, n);
  add(c, array_row(c, addr), column, n);
}

/* ---- latencies ----------------------------------------------------------------- */

/* Below two steps of a power of two, each latency has a step of its own. */
static unsigned step_of(uint64_t cycles) {
  const unsigned log2 = 63 - (unsigned)__builtin_clzll(cycles | 1);
  if (log2 <= PROFILE_STEP_LOG2) return (unsigned)cycles;
  const unsigned shift = log2 - PROFILE_STEP_LOG2;
  const uint64_t at = ((uint64_t)shift << PROFILE_STEP_LOG2) + (cycles >> shift);
  return at < PROFILE_STEPS ? (unsigned)at : PROFILE_STEPS - 1;
}

/* The least latency of a step. */
static uint64_t least_of(unsigned step) {
  const unsigned whole = 2u << PROFILE_STEP_LOG2, high = step >> PROFILE_STEP_LOG2;
  if (step < whole) return step;
  return (uint64_t)(step - ((high - 1) << PROFILE_STEP_LOG2)) << (high - 1);
}

static bool has_latencies(profile_row_t *row) {
  return row->latency || (row->latency = calloc(PROFILE_STEPS, sizeof *row->latency));
}

static bool loaded(profile_row_t *row, uint64_t cycles) {
  if (!row || !has_latencies(row)) return false;
  row->count[PROFILE_LOADS]++;
  row->count[PROFILE_LATENCY] += cycles;
  row->latency[step_of(cycles)]++;
  return true;
}

void profile_loaded(profile_core_t *c, uint32_t pc, uint64_t addr, uint64_t cycles) {
  if (!loaded(row_of(&c->by_pc, pc), cycles) || !loaded(array_row(c, addr), cycles))
    c->failed = true;
}

uint64_t profile_quantile(const profile_row_t *row, double part) {
  const double most = part * (double)row->count[PROFILE_LOADS];
  uint64_t n = 0;
  if (!row->latency) return 0;
  for (unsigned step = 0; step < PROFILE_STEPS; step++) {
    n += row->latency[step];
    if (n > 0 && (double)n >= most) return least_of(step);
  }
  return 0;
}

/* ---- the sum ------------------------------------------------------------------- */

static bool add_row(table_t *to, const profile_row_t *from) {
  profile_row_t *row = row_of(to, from->pc);
  if (!row || (from->latency && !has_latencies(row))) return false;
  for (unsigned i = 0; i < PROFILE_COLUMNS; i++) row->count[i] += from->count[i];
  for (unsigned i = 0; from->latency && i < PROFILE_STEPS; i++) row->latency[i] += from->latency[i];
  return true;
}

static bool add_table(table_t *to, const table_t *from) {
  for (size_t i = 0; i < from->n; i++)
    if (!add_row(to, &from->row[i])) return false;
  return true;
}

static int by_pc(const void *a, const void *b) {
  const uint32_t x = ((const profile_row_t *)a)->pc, y = ((const profile_row_t *)b)->pc;
  return (x > y) - (x < y);
}

static void sort(table_t *t) {
  if (t->n > 0) qsort(t->row, t->n, sizeof *t->row, by_pc);
}

int profile_sum(profile_t *p, mrpb_err_t *err) {
  profile_core_t *sum = &p->core[p->cores];
  bool done = true;
  for (unsigned i = 0; done && i < p->cores; i++)
    done = !p->core[i].failed && add_table(&sum->by_pc, &p->core[i].by_pc) &&
           add_table(&sum->by_array, &p->core[i].by_array);
  if (!done) return mrpb_fail(err, "profile: out of memory");
  sort(&sum->by_pc);
  sort(&sum->by_array);
  return 0;
}

static const table_t *summed(const profile_t *p, bool by_array) {
  const profile_core_t *sum = &p->core[p->cores];
  return by_array ? &sum->by_array : &sum->by_pc;
}

size_t profile_rows(const profile_t *p, bool by_array) {
  return summed(p, by_array)->n;
}

const profile_row_t *profile_row(const profile_t *p, bool by_array, size_t i) {
  return &summed(p, by_array)->row[i];
}
