/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the outputs of the builds and of Icarus, bit by bit. */
#include "verilog/twice/twice.h"

#include "bits.h"
#include "verilog/build.h"
#include "verilog/shim/shim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The first build runs from zeros, from ones and at random; then the other builds run from
 * zeros. */
enum { ZEROS, ONES, RANDOM, OTHERS, RUNS = OTHERS + TWICE_BUILDS - 1, SEED = 3 };

typedef struct {
  const twice_job_t *job;
  const twice_stimulus_t *s;
  twice_found_t *found;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  unsigned out_bits;
  size_t asked; /* cycles given to Icarus */
  char *said;   /* its outputs; NULL: it cannot read the design */
  twice_replay_t run[RUNS];
  unsigned n_runs;
  mrpb_err_t *err;
} look_t;

/* ---- names of an output's bits --------------------------------------------------------------- */

/* Finds the item of {a, b, c} that contains bit `bit`; the item's lowest bit is bit p->lsb. */
static const expr_t *item_of(const bind_t *b, const expr_t *concat, unsigned bits, unsigned bit,
                             twice_piece_t *p) {
  const scope_t theirs = bind_theirs(b);
  mrpb_err_t unheard = {""};
  unsigned high = bits, width = 0;
  for (const expr_t *e = concat->a; e; e = e->next, high -= width) {
    if (expr_width(e, &theirs, &width, &unheard) != 0 || width > high) return NULL;
    if (bit < high - width) continue;
    p->lsb = high - width;
    p->width = width;
    return e;
  }
  return NULL;
}

static void twice_piece(const twice_job_t *job, unsigned port, unsigned bit, twice_piece_t *p) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  job->cls->ports(job->cfg, in, out);
  const bind_output_t *o = job->bind ? &job->bind->output[port] : NULL;
  const char *said = o ? bind_said_output(job->bind, out[port].name) : NULL;
  *p = (twice_piece_t){.lsb = 0, .width = out[port].width};
  snprintf(p->name, sizeof p->name, "%s", said && *said ? said : out[port].name);
  if (o && o->from && o->from->kind == EXPR_CONCAT) {
    const scope_t theirs = bind_theirs(job->bind);
    const expr_t *item = item_of(job->bind, o->from, o->bits, bit, p);
    if (item && item->kind == EXPR_PATH)
      expr_path_text(item->path, &theirs, p->name, sizeof p->name);
  }
  if (p->width <= 64) return;
  const unsigned low = (bit - p->lsb) / 64 * 64;
  const unsigned width = p->width - low < 64 ? p->width - low : 64;
  const size_t n = strlen(p->name);
  snprintf(p->name + n, sizeof p->name - n, "[%u:%u]", low + width - 1, low);
  p->lsb += low;
  p->width = width;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t value_of(const look_t *k, const uint64_t *words, unsigned port, unsigned lsb,
                         unsigned width) {
  return words_get(words + k->out[port].word, lsb, width);
}

static const uint64_t *outputs(const look_t *k, unsigned run, size_t t) {
  return k->run[run].out + t * k->job->cls->out_words;
}

/* In Icarus' output, the lowest bit of a port is the last of its characters. */
static char said_bit(const look_t *k, size_t t, unsigned port, unsigned bit) {
  unsigned at = 0;
  for (unsigned i = 0; i <= port; i++) at += k->out[i].width;
  return k->said[t * k->out_bits + at - 1 - bit];
}

/* Writes it as a number, or with its x. */
static void said_text(const look_t *k, size_t t, unsigned port, const twice_piece_t *p,
                      char text[70]) {
  uint64_t v = 0;
  bool known = true;
  for (unsigned i = 0; i < p->width; i++) {
    const char c = said_bit(k, t, port, p->lsb + p->width - 1 - i);
    text[i] = c;
    known = known && (c == '0' || c == '1');
    v = v << 1 | (c == '1');
  }
  text[p->width] = '\0';
  if (known) snprintf(text, 70, "%" PRIx64, v);
}

static int differ(const look_t *k, size_t t, unsigned port, unsigned bit, unsigned run) {
  const twice_job_t *job = k->job;
  char there[70];
  twice_piece_t p;
  twice_piece(job, port, bit, &p);
  if (run < RUNS)
    snprintf(there, sizeof there, "%" PRIx64,
             value_of(k, outputs(k, run, t), port, p.lsb, p.width));
  else
    said_text(k, t, port, &p, there);
  mrpb_fail(k->err,
            "%s: output %s in cycle %zu is %" PRIx64
            " by %s and %s by %s: nothing that they say of this design is trusted; legal: another "
            "Verilator (VERILATOR=PATH)%s",
            job->place, p.name, t, value_of(k, outputs(k, ZEROS, t), port, p.lsb, p.width),
            job->build[0].by, there, run < RUNS ? job->build[k->run[run].build].by : job->icarus,
            run < RUNS ? "" : ", or a design without x (an index beyond its array reads one)");
  return RTL_BAD_TOOL;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* Returns the lowest bit of output `port` that differs between two arrays of words, among the bits
 * of `mask` (NULL: all); the port's width if none differs. */
static unsigned first_bit(const look_t *k, const uint64_t *a, const uint64_t *b,
                          const uint64_t *mask, unsigned port) {
  const module_port_t *o = &k->out[port];
  for (unsigned low = 0; low < o->width; low += 64) {
    const unsigned w = o->word + low / 64;
    const uint64_t x = (a[w] ^ b[w]) & (mask ? mask[w] : UINT64_MAX);
    if (x) return low + (unsigned)__builtin_ctzll(x);
  }
  return o->width;
}

/* Compares the other builds in all cycles; like the first one they run from zeros. */
static int compare_builds(const look_t *k) {
  const module_class_t *cls = k->job->cls;
  for (size_t t = 0; t < k->s->n; t++)
    for (unsigned r = OTHERS; r < k->n_runs; r++)
      for (unsigned i = 0; i < cls->n_out; i++) {
        const unsigned bit = first_bit(k, outputs(k, ZEROS, t), outputs(k, r, t), NULL, i);
        if (bit < k->out[i].width) return differ(k, t, i, bit, r);
      }
  return RTL_OK;
}

/* Compares Icarus where the output does not depend on the design's power-up state: first looks for
 * a difference, then for an x that counts, whose bit goes to *x. */
static unsigned compare_said(const look_t *k, size_t t, unsigned port, unsigned *x) {
  const uint64_t *zeros = outputs(k, ZEROS, t), *counts = k->s->counts + t * k->job->cls->out_words;
  const unsigned width = k->out[port].width;
  const bool powered = first_bit(k, zeros, outputs(k, ONES, t), NULL, port) < width ||
                       first_bit(k, zeros, outputs(k, RANDOM, t), NULL, port) < width;
  *x = width;
  for (unsigned bit = 0; bit < width; bit++) {
    const char c = said_bit(k, t, port, bit);
    if (c == '0' || c == '1') {
      if (!powered && value_of(k, zeros, port, bit, 1) != (uint64_t)(c - '0')) return bit;
    } else if (*x == width && value_of(k, counts, port, bit, 1)) {
      *x = bit;
    }
  }
  return width;
}

static int compare_icarus(const look_t *k) {
  for (size_t t = TWICE_RESET; t < k->asked; t++)
    for (unsigned i = 0; i < k->job->cls->n_out; i++) {
      unsigned x;
      const unsigned bit = compare_said(k, t, i, &x);
      if (bit < k->out[i].width) return differ(k, t, i, bit, RUNS);
      if (x == k->out[i].width || k->found->unknown[0]) continue;
      twice_piece_t p;
      char text[70];
      twice_piece(k->job, i, x, &p);
      said_text(k, t, i, &p, text);
      snprintf(k->found->unknown, TWICE_TEXT,
               "output %.100s is x in cycle %zu, in which it counts (%s, by %s)", p.name, t, text,
               k->job->icarus);
    }
  return RTL_OK;
}

/* Finds an output that depends on state that was never set. */
static void compare_powers(const look_t *k) {
  const module_class_t *cls = k->job->cls;
  for (size_t t = TWICE_RESET; t < k->s->n; t++)
    for (unsigned r = ONES; r <= RANDOM; r++)
      for (unsigned i = 0; i < cls->n_out; i++) {
        const unsigned bit = first_bit(k, outputs(k, ZEROS, t), outputs(k, r, t),
                                       k->s->counts + t * cls->out_words, i);
        if (bit == k->out[i].width) continue;
        twice_piece_t p;
        twice_piece(k->job, i, bit, &p);
        snprintf(
            k->found->unknown, TWICE_TEXT,
            "output %.100s in cycle %zu, in which it counts, hangs on what was never set: %" PRIx64
            " and %" PRIx64 " by %s, powered up with zeros and %s",
            p.name, t, value_of(k, outputs(k, ZEROS, t), i, p.lsb, p.width),
            value_of(k, outputs(k, r, t), i, p.lsb, p.width), k->job->build[0].by,
            r == ONES ? "with ones" : "at random");
        return;
      }
}

/* Where Icarus differs, state that was never set may be the reason: `if` takes an x for 0. */
static int compare_said_or_powers(look_t *k) {
  mrpb_err_t *err = k->err, own = {""};
  k->err = &own;
  const int rc = compare_icarus(k);
  k->err = err;
  if (rc == RTL_OK) return RTL_OK;
  k->found->unknown[0] = '\0';
  compare_powers(k);
  if (k->found->unknown[0]) return RTL_OK;
  mrpb_fail(err, "%s", own.text);
  return rc;
}

static void say_who(const look_t *k, const char *why) {
  const twice_job_t *job = k->job;
  char *to = k->found->looked;
  size_t n = (size_t)snprintf(to, TWICE_TEXT, "by %s", job->build[0].by);
  for (unsigned i = 1; i < job->n_builds; i++) {
    const char *flag = strrchr(job->build[i].by, ' ');
    const size_t same = flag ? (size_t)(flag - job->build[i].by) : 0;
    const bool again = same && strncmp(job->build[0].by, job->build[i].by, same + 1) == 0;
    n += (size_t)snprintf(to + n, TWICE_TEXT - n, " and %s", again ? flag + 1 : job->build[i].by);
  }
  n += (size_t)snprintf(to + n, TWICE_TEXT - n, " in %zu cycles", k->s->n);
  if (k->said)
    snprintf(to + n, TWICE_TEXT - n, ", %s in %zu", job->icarus, k->asked);
  else
    snprintf(to + n, TWICE_TEXT - n, "; x not looked for: %s", why);
}

static int compare(look_t *k) {
  char why[TWICE_TEXT];
  for (unsigned r = 0; r < k->n_runs; r++) {
    static const int power[OTHERS] = {SHIM_ZEROS, SHIM_ONES, SHIM_RANDOM};
    k->run[r] = r < OTHERS ? (twice_replay_t){.power = power[r], .seed = SEED}
                           : (twice_replay_t){.build = r - OTHERS + 1, .power = SHIM_ZEROS};
  }
  int rc = twice_replay(k->job, k->s, k->run, k->n_runs, k->err);
  if (rc == RTL_OK) rc = compare_builds(k);
  if (rc != RTL_OK) return rc;
  k->said = twice_icarus(k->job, k->s, k->asked, why);
  if (k->said)
    rc = compare_said_or_powers(k);
  else
    compare_powers(k);
  say_who(k, why);
  return rc;
}

int twice_run(const twice_job_t *job, const twice_stimulus_t *s, twice_found_t *found,
              mrpb_err_t *err) {
  look_t k = {.job = job,
              .s = s,
              .found = found,
              .asked = s->n < TWICE_ICARUS ? s->n : TWICE_ICARUS,
              .n_runs = OTHERS + job->n_builds - 1,
              .err = err};
  *found = (twice_found_t){.looked = ""};
  job->cls->ports(job->cfg, k.in, k.out);
  for (unsigned i = 0; i < job->cls->n_out; i++) k.out_bits += k.out[i].width;
  const int rc = compare(&k);
  twice_replay_end(job, s, k.run, k.n_runs);
  free(k.said);
  return rc;
}
