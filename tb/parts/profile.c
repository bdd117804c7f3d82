/* SPDX-License-Identifier: Apache-2.0 */
#include "parts/profile.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { AT_PC = 0, AT_BOTH = 1 };

enum { RECENT = 256 };

/* Rows, and which of them a pair of pc and array has. `recent` has the row that was used last of each
 * RECENT-th pair, which most often is the one that is looked for. */
typedef struct {
  profile_row_t *row;
  size_t n, room;
  keymap_t of;
  uint32_t recent[RECENT];
} table_t;

/* Each count lies in the row of its instruction and array, and in no other; a count without an address
 * in that of PROFILE_ALL. */
struct profile_core {
  const profile_t *of;
  table_t rows;
  size_t last; /* the array that was found last */
  bool failed; /* memory ran out */
};

struct profile {
  unsigned cores;
  const arrays_t *arrays;
  profile_core_t *core;
  table_t sum[PROFILE_KINDS];
};

const profile_about_t *profile_about(profile_column_t column) {
  static const profile_about_t about[] = {
#define PROFILE(id, name, total, of, unit, meaning) {name, total, unit, meaning, of == AT_BOTH},
#include "parts/profile.def"
  };
  return &about[column];
}

/* ---- tables -------------------------------------------------------------------- */

/* The number of the row of `pc` and `array`, which is made if it is missing; t->n if out of memory. */
static uint32_t find_row(table_t *t, uint32_t pc, uint32_t array) {
  const uint64_t key = (uint64_t)array << 32 | pc;
  const uint32_t at = keymap_get(&t->of, key), last = (uint32_t)t->n;
  if (at != KEYMAP_NONE) return at;
  profile_row_t *rows = grow(t->row, t->n + 1, &t->room, sizeof *rows);
  if (!rows) return last;
  t->row = rows;
  if (!keymap_put(&t->of, key, last)) return last;
  rows[t->n++] = (profile_row_t){.pc = pc, .array = array};
  return last;
}

/* NULL if out of memory. */
static profile_row_t *row_of(table_t *t, uint32_t pc, uint32_t array) {
  uint32_t *recent = &t->recent[(pc / 8 + array) % RECENT];
  const profile_row_t *row = &t->row[*recent];
  if (*recent >= t->n || row->pc != pc || row->array != array) *recent = find_row(t, pc, array);
  return *recent < t->n ? &t->row[*recent] : NULL;
}

static void free_table(table_t *t) {
  for (size_t i = 0; i < t->n; i++) {
    free(t->row[i].latency);
    keymap_free(&t->row[i].words);
  }
  free(t->row);
  keymap_free(&t->of);
}

/* ---- creation ------------------------------------------------------------------ */

int profile_create(profile_t **out, unsigned cores, const arrays_t *arrays, mrpb_err_t *err) {
  static const arrays_t none;
  profile_t *p = calloc(1, sizeof *p);
  *out = NULL;
  if (p)
    *p = (profile_t){
        .cores = cores, .arrays = arrays ? arrays : &none, .core = calloc(cores, sizeof *p->core)};
  if (!p || !p->core) {
    free(p);
    return mrpb_fail(err, "profile: out of memory");
  }
  for (unsigned i = 0; i < cores; i++) p->core[i].of = p;
  *out = p;
  return 0;
}

void profile_destroy(profile_t *p) {
  if (!p) return;
  for (unsigned i = 0; i < p->cores; i++) free_table(&p->core[i].rows);
  for (unsigned i = 0; i < PROFILE_KINDS; i++) free_table(&p->sum[i]);
  free(p->core);
  free(p);
}

profile_core_t *profile_core(profile_t *p, unsigned core) {
  return &p->core[core];
}

/* ---- counting ------------------------------------------------------------------ */

/* Most addresses lie in the array of the one before. */
static uint32_t array_of(profile_core_t *c, uint64_t addr) {
  const arrays_t *a = c->of->arrays;
  const named_array_t *last = c->last < a->n ? &a->at[c->last] : NULL;
  if (!last || addr - last->addr >= last->bytes) c->last = arrays_find(a, addr);
  return c->last < a->n ? (uint32_t)c->last : PROFILE_NOWHERE;
}

static void add(profile_core_t *c, uint32_t pc, uint32_t array, profile_column_t column,
                uint64_t n) {
  profile_row_t *row = row_of(&c->rows, pc, array);
  if (row)
    row->count[column] += n;
  else
    c->failed = true;
}

void profile_add(profile_core_t *c, uint32_t pc, profile_column_t column, uint64_t n) {
  add(c, pc, PROFILE_ALL, column, n);
}

void profile_add_at(profile_core_t *c, uint32_t pc, uint64_t addr, profile_column_t column,
                    uint64_t n) {
  add(c, pc, array_of(c, addr), column, n);
}

/* ---- words of atomics ---------------------------------------------------------- */

static bool change(profile_row_t *row, uint64_t addr, uint32_t lanes) {
  const uint32_t before = keymap_get(&row->words, addr);
  const uint64_t n = (before == KEYMAP_NONE ? 0 : (uint64_t)before) + lanes;
  return keymap_put(&row->words, addr, n < KEYMAP_NONE ? (uint32_t)n : KEYMAP_NONE - 1);
}

void profile_changes(profile_core_t *c, uint32_t pc, const uint64_t *addr, uint32_t mask) {
  profile_row_t *row = row_of(&c->rows, pc, PROFILE_ALL);
  if (!row) c->failed = true;
  for (; row && mask; mask &= mask - 1)
    if (!change(row, addr[__builtin_ctz(mask)], 1)) c->failed = true;
}

static bool before(const profile_word_t *a, const profile_word_t *b) {
  return a->lanes != b->lanes ? a->lanes > b->lanes : a->addr < b->addr;
}

unsigned profile_words(const profile_row_t *row, profile_word_t most[PROFILE_WORDS]) {
  unsigned n = 0;
  for (size_t i = 0; i < row->words.slots; i++) {
    const keymap_slot_t *slot = &row->words.slot[i];
    if (slot->value == KEYMAP_NONE) continue;
    const profile_word_t word = {slot->key, slot->value};
    unsigned at = n < PROFILE_WORDS ? n++ : PROFILE_WORDS;
    for (; at > 0 && before(&word, &most[at - 1]); at--)
      if (at < PROFILE_WORDS) most[at] = most[at - 1];
    if (at < PROFILE_WORDS) most[at] = word;
  }
  return n;
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

void profile_loaded(profile_core_t *c, uint32_t pc, uint64_t addr, uint64_t cycles) {
  profile_row_t *row = row_of(&c->rows, pc, array_of(c, addr));
  if (!row || !has_latencies(row)) {
    c->failed = true;
    return;
  }
  row->count[PROFILE_LOADS]++;
  row->count[PROFILE_LATENCY] += cycles;
  row->latency[step_of(cycles)]++;
}

uint64_t profile_in_step(const profile_row_t *row, unsigned step, uint64_t *least) {
  const unsigned fine = PROFILE_STEPS / PROFILE_COARSE;
  uint64_t n = 0;
  for (unsigned i = 0; row->latency && i < fine; i++) n += row->latency[step * fine + i];
  *least = least_of(step * fine);
  return n;
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

static bool add_row(table_t *to, uint32_t pc, uint32_t array, const profile_row_t *from) {
  profile_row_t *row = row_of(to, pc, array);
  if (!row || (from->latency && !has_latencies(row))) return false;
  for (unsigned i = 0; i < PROFILE_COLUMNS; i++) row->count[i] += from->count[i];
  for (unsigned i = 0; from->latency && i < PROFILE_STEPS; i++) row->latency[i] += from->latency[i];
  for (size_t i = 0; i < from->words.slots; i++) {
    const keymap_slot_t *word = &from->words.slot[i];
    if (word->value != KEYMAP_NONE && !change(row, word->key, word->value)) return false;
  }
  return true;
}

static bool add_core(profile_t *p, const profile_core_t *c) {
  for (size_t i = 0; i < c->rows.n; i++) {
    const profile_row_t *row = &c->rows.row[i];
    if (!add_row(&p->sum[PROFILE_BY_PC], row->pc, PROFILE_ALL, row)) return false;
    if (row->array == PROFILE_ALL) continue;
    if (!add_row(&p->sum[PROFILE_BY_ARRAY], PROFILE_ALL, row->array, row)) return false;
    if (!add_row(&p->sum[PROFILE_BY_BOTH], row->pc, row->array, row)) return false;
  }
  return !c->failed;
}

static int up(uint64_t x, uint64_t y) {
  return (x > y) - (x < y);
}

static int in_order(const void *a, const void *b) {
  const profile_row_t *x = a, *y = b;
  const bool both = x->pc != PROFILE_ALL && x->array != PROFILE_ALL;
  if (x->pc != y->pc) return up(x->pc, y->pc);
  const int more = both ? up(y->count[PROFILE_LINES], x->count[PROFILE_LINES]) : 0;
  return more ? more : up(x->array, y->array);
}

int profile_sum(profile_t *p, mrpb_err_t *err) {
  for (unsigned i = 0; i < p->cores; i++)
    if (!add_core(p, &p->core[i])) return mrpb_fail(err, "profile: out of memory");
  for (unsigned i = 0; i < PROFILE_KINDS; i++) {
    table_t *t = &p->sum[i];
    if (t->n > 0) qsort(t->row, t->n, sizeof *t->row, in_order);
  }
  return 0;
}

size_t profile_rows(const profile_t *p, profile_by_t by) {
  return p->sum[by].n;
}

const profile_row_t *profile_row(const profile_t *p, profile_by_t by, size_t i) {
  return &p->sum[by].row[i];
}

const profile_row_t *profile_arrays(const profile_t *p, uint32_t pc, size_t *n) {
  const table_t *t = &p->sum[PROFILE_BY_BOTH];
  size_t from = 0;
  *n = 0;
  while (from < t->n && t->row[from].pc < pc) from++;
  while (from + *n < t->n && t->row[from + *n].pc == pc) ++*n;
  return *n ? &t->row[from] : NULL;
}
