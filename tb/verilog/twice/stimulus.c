/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/twice/stimulus.h"

#include "bits.h"
#include "prng.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { POOL = 4, LONGEST = 256, RESETS = 1500 /* cycles from one to the next, about */ };

/* How a field behaves at present. */
typedef struct {
  twice_field_t at;
  unsigned permille; /* how likely it changes */
  bool pulse;        /* of one bit: it is 1 for a single cycle */
  uint64_t pool[POOL];
} source_t;

int twice_stimulus_open(twice_stimulus_t *s, const module_class_t *cls, size_t n, mrpb_err_t *err) {
  *s = (twice_stimulus_t){.n = n};
  s->in = calloc(n * cls->in_words + 1, sizeof *s->in);
  s->counts = calloc(n * cls->out_words + 1, sizeof *s->counts);
  return s->in && s->counts ? 0 : mrpb_fail(err, "out of memory for %zu cycles of stimulus", n);
}

void twice_stimulus_close(twice_stimulus_t *s) {
  free(s->in);
  free(s->counts);
  *s = (twice_stimulus_t){.n = 0};
}

void twice_stimulus_count(uint64_t *counts, const module_port_t *port) {
  for (unsigned low = 0; low < port->width; low += 64)
    counts[port->word + low / 64] = bits_mask(port->width - low < 64 ? port->width - low : 64);
}

/* Puts up to 64 bits into words. */
static void put(uint64_t *words, unsigned lsb, unsigned width, uint64_t value) {
  const uint64_t mask = bits_mask(width);
  const unsigned at = lsb % 64;
  words += lsb / 64;
  words[0] = (words[0] & ~(mask << at)) | (value & mask) << at;
  if (at + width <= 64) return;
  words[1] = (words[1] & ~(mask >> (64 - at))) | (value & mask) >> (64 - at);
}

/* Draws a value for all bits of the field: random, a corner value, or one from the pool. */
static void draw(const source_t *s, prng_t *rng, uint64_t *in) {
  const unsigned kind = prng_below(rng, 8);
  const uint64_t again = s->pool[prng_below(rng, POOL)];
  for (unsigned low = 0; low < s->at.width; low += 64) {
    const unsigned width = s->at.width - low < 64 ? s->at.width - low : 64;
    const uint64_t value = kind == 0   ? 0
                           : kind == 1 ? UINT64_MAX
                           : kind < 5  ? again >> low % 7
                                       : prng_next(rng);
    put(in, s->at.lsb + low, width, value);
  }
}

static void next(source_t *s, prng_t *rng, uint64_t *in) {
  if (s->at.width == 1 && s->pulse)
    put(in, s->at.lsb, 1, prng_chance(rng, s->permille));
  else if (prng_chance(rng, s->permille))
    draw(s, rng, in);
}

static void new_phase(source_t *s, unsigned n, prng_t *rng) {
  static const unsigned densities[] = {0, 10, 100, 300, 500, 800, 1000};
  enum { N = sizeof densities / sizeof *densities };
  for (unsigned i = 0; i < n; i++) {
    s[i].permille = densities[prng_below(rng, N)];
    s[i].pulse = prng_chance(rng, 700);
    if (prng_chance(rng, 300))
      for (unsigned k = 0; k < POOL; k++) s[i].pool[k] = prng_next(rng);
  }
}

static bool has_reset(const module_class_t *cls, const module_port_t *in) {
  return cls->n_in > 0 && strcmp(in[0].name, "srst_ni") == 0;
}

void twice_stimulus_random(twice_stimulus_t *s, const module_class_t *cls, const uint32_t *cfg,
                           const twice_field_t *field, unsigned n, uint64_t seed) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  source_t source[TWICE_FIELDS] = {{.permille = 0}};
  prng_t rng = prng_seed(seed, 7);
  unsigned left = 0, resetting = TWICE_RESET;
  cls->ports(cfg, in, out);
  for (unsigned i = 0; i < n; i++) source[i].at = field[i];
  for (size_t t = 0; t < s->n; t++) {
    uint64_t *now = s->in + t * cls->in_words;
    if (t > 0) memcpy(now, now - cls->in_words, cls->in_words * sizeof *now);
    if (left-- == 0) {
      left = 16 + prng_below(&rng, LONGEST);
      new_phase(source, n, &rng);
    }
    for (unsigned i = 0; i < n && t >= TWICE_RESET; i++) next(&source[i], &rng, now);
    if (resetting == 0 && prng_below(&rng, RESETS) == 0) resetting = 1 + prng_below(&rng, 3);
    if (has_reset(cls, in)) now[in[0].word] = resetting == 0;
    resetting -= resetting > 0;
    for (unsigned i = 0; i < cls->n_out && t >= TWICE_RESET; i++)
      twice_stimulus_count(s->counts + t * cls->out_words, &out[i]);
  }
}

unsigned twice_stimulus_fields(const module_class_t *cls, const uint32_t *cfg,
                               twice_field_t field[TWICE_FIELDS]) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  unsigned n = 0;
  cls->ports(cfg, in, out);
  for (unsigned i = has_reset(cls, in); i < cls->n_in; i++)
    field[n++] = (twice_field_t){64 * in[i].word, in[i].width};
  return n;
}
