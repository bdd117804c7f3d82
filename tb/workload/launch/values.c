/* SPDX-License-Identifier: Apache-2.0 */
/* VALUES, one element after another, for filling or comparing: see launch_state.h. */
#include "workload/launch/launch_state.h"

#include "base/grow.h"
#include "base/input.h"
#include "prng.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int fail(const launch_from_t *f, mrpb_err_t *err, const char *what) {
  return mrpb_fail(err, "%s:%" PRIu32 ": %s", f->p->name, f->line, what);
}

static bool is_text(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".txt") == 0;
}

/* ---- files --------------------------------------------------------------------------------------- */

/* Reads the number at `at`, as an integer if it is written as one. */
static bool number(const char *at, const char *end, launch_value_t *v) {
  char *behind = NULL;
  const char *digits = at + (*at == '-' || *at == '+');
  const bool hex = digits[0] == '0' && (digits[1] | 0x20) == 'x';
  const size_t n = (size_t)(end - at);
  errno = 0;
  *v = launch_integer(strtoll(at, &behind, hex ? 16 : 10));
  if (behind == end && errno == 0) return true;
  errno = 0;
  if (behind == end && *at != '-') {
    *v = launch_integer((int64_t)strtoull(at, &behind, hex ? 16 : 10));
    if (behind == end && errno == 0) return true;
  }
  *v = launch_real(strtod(at, &behind));
  return n > 0 && behind == end;
}

static const char *skip(const char *at, unsigned long *line) {
  for (;; at++) {
    if (*at == '#') at += strcspn(at, "\n");
    if (*at == '\n') ++*line;
    if (!strchr(" \t\r\n,", *at) || *at == '\0') return at;
  }
}

/* Reads the numbers of a text file, separated by blanks, commas or line ends. */
static int text_values(launch_from_t *f, const char *text, uint64_t *count, mrpb_err_t *err) {
  const unsigned bytes = launch_type_bytes(f->type);
  unsigned long line = 1;
  size_t n = 0, room = 0;
  char legal[64];
  for (const char *at = skip(text, &line); *at; at = skip(at, &line), n++) {
    const char *end = at + strcspn(at, " \t\r\n,#");
    launch_value_t v;
    uint8_t *to = grow(f->bytes, n + 1, &room, bytes);
    if (!to) return fail(f, err, "out of memory");
    f->bytes = to;
    if (!number(at, end, &v) || !launch_store(f->type, to + n * bytes, v, false)) {
      launch_type_legal(f->type, false, legal, sizeof legal);
      return mrpb_fail(err, "%s:%lu: '%.*s': legal: %s", f->v->file, line,
                       (int)(end - at < 60 ? end - at : 60), at, legal);
    }
    at = end;
  }
  *count = n;
  return 0;
}

static int file_values(launch_from_t *f, uint64_t *count, mrpb_err_t *err) {
  size_t size = 0;
  char *text = input_text(f->v->file, LAUNCH_MOST_BYTES, &size, err);
  if (!text) return -1;
  const unsigned bytes = launch_type_bytes(f->type);
  if (is_text(f->v->file)) {
    const int rc = strlen(text) == size ? text_values(f, text, count, err)
                                        : mrpb_fail(err, "%s: a byte 0; legal: text", f->v->file);
    free(text);
    return rc;
  }
  f->bytes = (uint8_t *)text;
  *count = size / bytes;
  if (size % bytes == 0) return 0;
  return mrpb_fail(err, "%s: %zu bytes; legal: a multiple of %u, for %s", f->v->file, size, bytes,
                   launch_type_name(f->type));
}

/* ---- lists and random numbers -------------------------------------------------------------------- */

static int outside(const launch_from_t *f, uint64_t i, launch_value_t v, mrpb_err_t *err) {
  char legal[64], shown[40];
  launch_type_legal(f->type, false, legal, sizeof legal);
  launch_print(LAUNCH_TYPE_f64, v, shown, sizeof shown);
  return mrpb_fail(err, "%s:%" PRIu32 ": %s[%" PRIu64 "] = %s: legal: %s", f->p->name, f->line,
                   f->name, i, shown, legal);
}

static int list_values(launch_from_t *f, uint64_t *count, mrpb_err_t *err) {
  const unsigned bytes = launch_type_bytes(f->type);
  f->bytes = calloc(f->v->n + 1, bytes);
  if (!f->bytes) return fail(f, err, "out of memory");
  *count = f->v->n;
  for (uint32_t i = 0; i < f->v->n; i++) {
    launch_value_t v;
    if (launch_eval(f->p, f->p->lists[f->v->first + i], &v, err) != 0) return -1;
    if (!launch_store(f->type, f->bytes + (size_t)i * bytes, v, false))
      return outside(f, i, v, err);
  }
  return 0;
}

static int random_values(launch_from_t *f, mrpb_err_t *err) {
  int64_t seed = 1;
  if (launch_eval(f->p, f->v->expr[0], &f->low, err) != 0 ||
      launch_eval(f->p, f->v->expr[1], &f->high, err) != 0 ||
      launch_eval_integer(f->p, f->v->expr[2], "seed", 0, INT64_MAX, &seed, err) != 0)
    return -1;
  if (launch_type_real(f->type)) {
    f->low = launch_real(launch_as_real(f->low));
    f->high = launch_real(launch_as_real(f->high));
  }
  if (launch_as_real(f->low) > launch_as_real(f->high))
    return fail(f, err, "random(LOW, HIGH): LOW is above HIGH");
  if (f->low.real != launch_type_real(f->type) || f->high.real != f->low.real)
    return fail(f, err, "random(LOW, HIGH): legal for integers: two integers");
  const prng_t rng = prng_seed((uint64_t)seed, 0);
  memcpy(f->random, rng.s, sizeof f->random);
  return 0;
}

/* A number from LOW up to HIGH, which is included for integers; 24 random bits for 32-bit
 * floats. */
static launch_value_t random_value(launch_from_t *f) {
  prng_t rng;
  memcpy(rng.s, f->random, sizeof rng.s);
  const uint64_t bits = prng_next(&rng);
  memcpy(f->random, rng.s, sizeof f->random);
  if (f->low.real) {
    const double u = f->type == LAUNCH_TYPE_f64 ? (double)(bits >> 11) * 0x1p-53
                                                : (double)(bits >> 40) * 0x1p-24;
    return launch_real(f->low.d + (f->high.d - f->low.d) * u);
  }
  const uint64_t n = (uint64_t)f->high.i - (uint64_t)f->low.i + 1;
  return launch_integer((int64_t)((uint64_t)f->low.i + (n ? bits % n : bits)));
}

void launch_fill_random(void *to, uint64_t n, uint64_t seed) {
  prng_t rng = prng_seed(seed, 0);
  float *f = to;
  for (uint64_t i = 0; i < n; i++) f[i] = (float)(prng_next(&rng) >> 40) * 0x1p-24f;
}

/* ---- all kinds of values ------------------------------------------------------------------------- */

int launch_from_open(launch_from_t *f, launch_program_t *p, const launch_values_t *v,
                     const char *name, launch_type_t type, uint64_t count, uint32_t line,
                     mrpb_err_t *err) {
  uint64_t has = count;
  int rc = 0;
  *f = (launch_from_t){.p = p, .v = v, .name = name, .type = type, .count = count, .line = line};
  if (v->by == LAUNCH_BY_FILE) rc = file_values(f, &has, err);
  if (v->by == LAUNCH_BY_LIST) rc = list_values(f, &has, err);
  if (v->by == LAUNCH_BY_RANDOM) rc = random_values(f, err);
  f->count = has;
  if (rc != 0 || count == UINT64_MAX || has == count) return rc;
  return mrpb_fail(err, "%s:%" PRIu32 ": %" PRIu64 " values for %s; legal: its %" PRIu64, p->name,
                   line, has, name, count);
}

int launch_from_next(launch_from_t *f, uint64_t i, launch_value_t *v, mrpb_err_t *err) {
  *v = launch_integer(0);
  if (launch_step(f->p, f->line, err) != 0) return -1;
  if (f->bytes) {
    *v = launch_load(f->type, f->bytes + i * launch_type_bytes(f->type));
    return 0;
  }
  if (f->v->by == LAUNCH_BY_RANDOM) return *v = random_value(f), 0;
  if (f->v->by == LAUNCH_BY_NOTHING) return 0;
  f->p->symbols[0].value = launch_integer((int64_t)i);
  return launch_eval(f->p, f->v->expr[0], v, err);
}

void launch_from_close(launch_from_t *f) {
  free(f->bytes);
  f->bytes = NULL;
}

int launch_fill(launch_program_t *p, const launch_values_t *v, const launch_symbol_t *to,
                uint32_t line, mrpb_err_t *err) {
  launch_from_t f;
  const unsigned bytes = launch_type_bytes(to->type);
  int rc = launch_from_open(&f, p, v, to->name, to->type, to->count, line, err);
  for (uint64_t i = 0; rc == 0 && i < to->count; i++) {
    launch_value_t value;
    rc = launch_from_next(&f, i, &value, err);
    if (rc == 0 && !launch_store(to->type, to->at + i * bytes, value, false))
      rc = outside(&f, i, value, err);
  }
  launch_from_close(&f);
  return rc;
}
