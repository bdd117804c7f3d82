/* SPDX-License-Identifier: Apache-2.0 */
/* See hidden.h. */
#include "studies/micro/hidden.h"

#include "prng.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 8, TRIES = 1000, NOISY = 10 /* one seed in ten */, VALUE = 32 };

/* Whether a key is never drawn: it changes no latency that a study sees, or is a key of noise,
 * which is drawn separately. */
static bool is_left_out(const char *name) {
  return strcmp(name, "CLOCK_MHZ") == 0 || strncmp(name, "NOISE", 5) == 0;
}

/* Keys that no deducing study looks at; study `rates` only measures what they do. */
static bool is_studied(const char *name) {
  static const char *const none[] = {
      "LAUNCH_CYCLES",  "BLOCK_CYCLES",    "SFU_UNITS",     "DPU_UNITS",     "MAD_CYCLES",
      "BARRIER_CYCLES", "SHARED_ATOMIC",   "L2_PORTS",      "L2_SLICE_PORT", "L2_REQUEST",
      "L2_WRITE",       "L2_FETCH",        "L2_HALVES",     "L2_DIRTY",      "STORE_PORT",
      "STORE_PART",     "STORES",          "DRAM_CHANNELS", "DRAM_REQUEST",  "DRAM_WRITE",
      "DRAM_TURN",      "L2_ATOMIC",       "L2_ATOMIC_FAR", "L1D_STORE",     "ATOMIC_JOIN",
      "INST_BYTES",     "LAUNCH_PREFETCH", "TEX_L1D"};
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
    if (strcmp(name, none[i]) == 0) return false;
  return strncmp(name, "MRPB", 4) != 0 && strncmp(name, "BYPASS_", 7) != 0;
}

/* Draws a studied key of the GPU that does not choose its parts. */
static unsigned any_key(const config_t *cfg, prng_t *p) {
  unsigned key[KEYFILE_MAX_KEYS], n = 0;
  for (unsigned i = 0; i < config_count(); i++)
    if (config_has(cfg, i) && !config_chooses(i) && is_studied(config_key(i)->name)) key[n++] = i;
  return key[prng_below(p, n)];
}

/* Draws one word of "a|b|c". */
static void any_word(prng_t *p, const char *words, char *text, size_t size) {
  unsigned n = 1;
  for (const char *c = words; *c; c++) n += *c == '|';
  for (unsigned i = prng_below(p, n); i; i--) words = strchr(words, '|') + 1;
  snprintf(text, size, "%.*s", (int)strcspn(words, "|"), words);
}

/* Draws from a quarter of `now` to four times `now`, evenly in the logarithm. A 0 becomes something
 * small. */
static uint32_t near(prng_t *p, const keyfile_key_t *k, uint32_t now) {
  enum { SMALL = 16, STEPS = 4097 };
  double v = now ? now : SMALL;
  v *= exp2(4.0 * prng_below(p, STEPS) / (STEPS - 1) - 2);
  if (v < k->min) return k->min;
  return v > k->max ? k->max : (uint32_t)lround(v);
}

static int change(config_t *cfg, prng_t *p, char *sets, size_t size, mrpb_err_t *err) {
  const unsigned i = any_key(cfg, p);
  const keyfile_key_t key = keyfile_key(&config_table, config_values(cfg), i), *k = &key;
  config_t other = *cfg;
  char text[VALUE], assignment[2 * VALUE + 1];
  if (is_left_out(k->name)) return -1;
  if (k->words)
    any_word(p, k->words, text, sizeof text);
  else
    snprintf(text, sizeof text, "%" PRIu32, near(p, k, config_value(cfg, i)));
  snprintf(assignment, sizeof assignment, "%.*s=%s", VALUE, k->name, text);
  if (config_set(&other, assignment, err) != 0) return -1;
  if (config_check(&other, "hidden", err) != 0) return -1;
  size_t at = strlen(sets);
  snprintf(sets + at, size - at, " --set %s", assignment);
  *cfg = other;
  return 0;
}

static void add_noise(config_t *cfg, prng_t *p, uint64_t seed, char *sets, size_t size) {
  enum { MOST = 24, LATE = 500 };
  size_t at = strlen(sets);
  cfg->noise = 1 + prng_below(p, MOST);
  cfg->noise_late = prng_below(p, 2) * LATE;
  cfg->noise_seed = (uint32_t)(seed % 1000000000);
  snprintf(sets + at, size - at,
           " --set NOISE=%" PRIu32 " --set NOISE_LATE=%" PRIu32 " --set NOISE_SEED=%" PRIu32,
           cfg->noise, cfg->noise_late, cfg->noise_seed);
}

int hidden_change(config_t *cfg, uint64_t seed, char *sets, size_t size, mrpb_err_t *err) {
  prng_t p = prng_seed(seed, 0);
  unsigned wanted = 1 + prng_below(&p, MOST_KEYS), tries = 0;
  sets[0] = '\0';
  while (wanted && tries++ < TRIES) {
    mrpb_err_t why = {""};
    if (change(cfg, &p, sets, size, &why) == 0) wanted--;
  }
  if (wanted) return mrpb_fail(err, "hidden GPU %" PRIu64 ": no keys that can be built", seed);
  if (seed % NOISY == 0) add_noise(cfg, &p, seed, sets, size);
  return 0;
}

/* ---- afterwards -------------------------------------------------------------- */

static bool same(const micro_value_t *a, const micro_value_t *b) {
  char x[MICRO_TABLE_TEXT], y[MICRO_TABLE_TEXT];
  micro_value_text(a, x);
  micro_value_text(b, y);
  return a->kind == b->kind && strcmp(x, y) == 0;
}

int hidden_compare(micro_table_t *blind, const micro_table_t *seeing, hidden_count_t *count,
                   mrpb_err_t *err) {
  *count = (hidden_count_t){0};
  for (size_t i = 0; i < blind->n || i < seeing->n; i++) {
    micro_row_t *b = i < blind->n ? &blind->row[i] : NULL;
    const micro_row_t *s = i < seeing->n ? &seeing->row[i] : NULL;
    if (!b || !s || strcmp(b->what, s->what) != 0 || !same(&b->deduced, &s->deduced))
      return mrpb_fail(err, "row %s: differs from the run with the configuration in sight",
                       (b ? b : s)->what);
    b->configured = s->configured;
    b->origin = s->origin;
    b->rule = s->rule; /* the rule may depend on the configured value */
    b->within = s->within;
    micro_verdict_t v = micro_deduction(b);
    count->right += v == MICRO_EQUAL || v == MICRO_IS_WITHIN;
    count->open += v == MICRO_OPEN;
    count->wrong += v == MICRO_DIFFERS;
    count->wrong_exact += v == MICRO_DIFFERS && strcmp(micro_sure_word(b), "exact") == 0;
  }
  return 0;
}
