/* SPDX-License-Identifier: Apache-2.0 */
/* A VCD as the stimulus of a module. The values of a time are kept back until it is known whether
 * the clock rises at the next one. */
#include "cosim/vcd/vcd_stim.h"

#include "bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct vcd_stim {
  vcd_in_t *dump;
  vcd_bind_t bind;
  const module_class_t *cls;
  module_port_t in_port[MODULE_MAX_PORTS], out_port[MODULE_MAX_PORTS];
  uint64_t *in, *in_unknown, *out, *out_known; /* of the cycle that is given out */
  uint64_t *before;                            /* in and in_unknown given out last */
  uint64_t time, left_out, given, edges;
  bool clock_high, running; /* running: from the first reset on */
  unsigned n_out;
};

/* ---- opening ---------------------------------------------------------------- */

static int take_params(vcd_stim_t *s, uint32_t *cfg, const vcd_choice_t *choice, mrpb_err_t *err) {
  const char *path = vcd_in_path(s->dump);
  for (unsigned p = 0; p < s->cls->n_params; p++) {
    if (s->bind.param[p] < 0) continue;
    unsigned id = (unsigned)s->bind.param[p];
    uint64_t value = vcd_in_ones(s->dump, id)[0];
    if (vcd_in_unknown(s->dump, id)[0] != 0) continue; /* declared, but without a value */
    if (choice->given[p] && value != cfg[p])
      return mrpb_fail(err, "--set %s=%" PRIu32 ": %s has %s=%" PRIu64, s->cls->params[p].name,
                       cfg[p], path, s->cls->params[p].name, value);
    if (value > UINT32_MAX)
      return mrpb_fail(err, "%s: %s=%" PRIu64 " is out of range", path, s->cls->params[p].name,
                       value);
    cfg[p] = (uint32_t)value;
  }
  mrpb_err_t why = {""};
  return s->cls->check(cfg, &why) == 0 ? 0 : mrpb_fail(err, "%s: %s", path, why.text);
}

static int allocate(vcd_stim_t *s, mrpb_err_t *err) {
  const size_t in = s->cls->in_words, out = s->cls->out_words;
  s->in = calloc(4 * in + 2 * out, sizeof *s->in);
  if (!s->in) return mrpb_fail(err, "%s: out of memory", vcd_in_path(s->dump));
  s->in_unknown = s->in + in;
  s->before = s->in_unknown + in;
  s->out = s->before + 2 * in;
  s->out_known = s->out + out;
  return 0;
}

int vcd_stim_open(vcd_stim_t **out, const char *path, const module_class_t *cls, uint32_t *cfg,
                  const vcd_choice_t *choice, mrpb_err_t *err) {
  *out = NULL;
  vcd_stim_t *s = calloc(1, sizeof *s);
  if (!s) return mrpb_fail(err, "%s: out of memory", path);
  s->cls = cls;
  int rc = vcd_in_open(&s->dump, path, err);
  if (rc == 0) rc = vcd_bind_scope(&s->bind, s->dump, cls, choice, err);
  if (rc == 0) rc = allocate(s, err);
  /* Parameters have their values in the first step. */
  if (rc == 0 && vcd_in_step(s->dump, &s->time, err) < 0) rc = -1;
  if (rc == 0) rc = take_params(s, cfg, choice, err);
  if (rc == 0) rc = vcd_bind_ports(&s->bind, s->dump, cfg, err);
  if (rc != 0) {
    vcd_stim_close(s);
    return -1;
  }
  cls->ports(cfg, s->in_port, s->out_port);
  s->clock_high = s->bind.clocked && vcd_in_ones(s->dump, s->bind.clock)[0];
  s->running = s->bind.reset < 0;
  for (unsigned i = 0; i < cls->n_out; i++) s->n_out += s->bind.out[i].n > 0;
  *out = s;
  return 0;
}

void vcd_stim_close(vcd_stim_t *s) {
  if (!s) return;
  vcd_in_close(s->dump);
  free(s->in);
  free(s);
}

const char *vcd_stim_scope(const vcd_stim_t *s) {
  const char *path = vcd_in_scope(s->dump, s->bind.scope);
  return path[0] ? path : "(top)";
}
unsigned vcd_stim_outputs(const vcd_stim_t *s) {
  return s->n_out;
}
bool vcd_stim_has_output(const vcd_stim_t *s, unsigned i) {
  return s->bind.out[i].n > 0;
}
uint64_t vcd_stim_left_out(const vcd_stim_t *s) {
  return s->left_out;
}

/* ---- cycles ----------------------------------------------------------------- */

/* Puts the low `width` bits of `from` at bit `at` of `to`, whose bits there are 0. */
static void insert(uint64_t *to, unsigned at, const uint64_t *from, unsigned width) {
  for (unsigned b = 0; b < width; b += 64) {
    unsigned n = width - b < 64 ? width - b : 64, low = (at + b) % 64;
    uint64_t x = bits(from[b / 64], n);
    to[(at + b) / 64] |= x << low;
    if (low + n > 64) to[(at + b) / 64 + 1] |= x >> (64 - low);
  }
}

static void gather(const vcd_stim_t *s, const vcd_port_t *port, uint64_t *ones, uint64_t *unknown) {
  for (unsigned k = 0; k < port->n; k++) {
    const vcd_piece_t *p = &port->piece[k];
    insert(ones, p->at, vcd_in_ones(s->dump, p->id), p->width);
    insert(unknown, p->at, vcd_in_unknown(s->dump, p->id), p->width);
  }
}

/* All ports as they are at this time. */
static void sample(vcd_stim_t *s) {
  memset(s->in, 0, 2 * s->cls->in_words * sizeof *s->in);
  memset(s->out, 0, 2 * s->cls->out_words * sizeof *s->out);
  for (unsigned i = 0; i < s->cls->n_in; i++)
    gather(s, &s->bind.in[i], s->in + s->in_port[i].word, s->in_unknown + s->in_port[i].word);
  for (unsigned i = 0; i < s->cls->n_out; i++) {
    const module_port_t *p = &s->out_port[i];
    if (s->bind.out[i].n == 0) continue;
    gather(s, &s->bind.out[i], s->out + p->word, s->out_known + p->word);
    for (unsigned b = 0; b < p->width; b += 64)
      s->out_known[p->word + b / 64] ^= bits_mask(p->width - b < 64 ? p->width - b : 64);
  }
}

/* The clock rises with the values sampled before: is that a cycle? 1 or 0, -1 and a message. */
static int edge(vcd_stim_t *s, mrpb_err_t *err) {
  s->edges++;
  if (s->bind.reset < 0) return 1;
  unsigned word = s->in_port[s->bind.reset].word;
  bool unknown = s->in_unknown[word] & 1, reset = !unknown && !(s->in[word] & 1);
  if (s->running && unknown)
    return mrpb_fail(err, "%s: rst_ni is x or z at the clock edge of time %" PRIu64,
                     vcd_in_path(s->dump), s->time);
  s->running = s->running || reset;
  s->left_out += !s->running;
  return s->running;
}

static int next_clocked(vcd_stim_t *s, mrpb_err_t *err) {
  for (;;) {
    bool was_high = s->clock_high;
    if (!was_high) sample(s);
    int rc = vcd_in_step(s->dump, &s->time, err);
    if (rc <= 0) return rc;
    s->clock_high = vcd_in_ones(s->dump, s->bind.clock)[0] & 1;
    if (s->running && s->given > 0 && (vcd_in_unknown(s->dump, s->bind.clock)[0] & 1))
      return mrpb_fail(err, "%s: the clock is x or z at time %" PRIu64, vcd_in_path(s->dump),
                       s->time);
    if (was_high || !s->clock_high) continue;
    rc = edge(s, err);
    if (rc != 0) return rc;
  }
}

/* Without a clock: every time at which an input has changed. */
static int next_change(vcd_stim_t *s, mrpb_err_t *err) {
  const size_t size = 2 * s->cls->in_words * sizeof *s->in;
  for (bool first = s->given == 0;; first = false) {
    int rc = first ? 1 : vcd_in_step(s->dump, &s->time, err);
    if (rc <= 0) return rc;
    sample(s);
    if (first || memcmp(s->in, s->before, size) != 0) break;
  }
  memcpy(s->before, s->in, size);
  return 1;
}

int vcd_stim_next(vcd_stim_t *s, vcd_cycle_t *cycle, mrpb_err_t *err) {
  int rc = s->bind.clocked ? next_clocked(s, err) : next_change(s, err);
  if (rc < 0) return -1;
  if (rc == 0 && s->given == 0 && s->edges == 0)
    return mrpb_fail(err, "%s: the clock never rises", vcd_in_path(s->dump));
  if (rc == 0 && s->given == 0)
    return mrpb_fail(err,
                     "%s: rst_ni is 0 at none of the %" PRIu64 " clock edges: without a reset the "
                     "state is unknown",
                     vcd_in_path(s->dump), s->edges);
  if (rc == 0) return 0;
  s->given++;
  *cycle = (vcd_cycle_t){s->time, s->in, s->in_unknown, s->out, s->out_known};
  return 1;
}
