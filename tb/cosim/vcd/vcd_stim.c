/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a VCD as the stimulus of a module. The values of a time are held back until it is known
 * whether the clock rises at the next time. */
#include "cosim/vcd/vcd_stim.h"

#include "bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct vcd_stim {
  vcd_in_t *dump;
  vcd_face_t face; /* our module's; for a user's design the map has the face */
  vcd_bind_t bind;
  vcd_map_t *map; /* NULL: the dump is of one of our modules */
  const module_class_t *cls;
  module_port_t in_port[MODULE_MAX_PORTS], out_port[MODULE_MAX_PORTS];
  uint64_t *in, *in_unknown, *out, *out_known; /* of the current cycle */
  uint64_t *before;                            /* in and in_unknown of the previous cycle */
  unsigned raw_in, raw_out;                    /* words that the face's ports take */
  uint64_t *raw;                               /* their values, each with unknown or known bits */
  uint64_t time, left_out, given, edges;
  bool clock_high, running; /* running: from the first reset on */
  int reset;                /* the input that is srst_ni, or -1 */
};

/* ---- opening ---------------------------------------------------------------- */

static int take_params(vcd_stim_t *s, uint32_t *cfg, const vcd_choice_t *choice, mrpb_err_t *err) {
  const char *path = vcd_in_path(s->dump);
  for (unsigned p = 0; p < s->bind.face->n_params; p++) {
    if (s->bind.param[p] < 0) continue;
    const char *name = s->bind.face->param[p];
    unsigned id = (unsigned)s->bind.param[p];
    uint64_t value = vcd_in_ones(s->dump, id)[0];
    if (vcd_in_unknown(s->dump, id)[0] != 0) continue; /* declared, but without a value */
    if (s->map && value != vcd_map_param(s->map, p))
      return mrpb_fail(err,
                       "%s has %s=%" PRIu64 "; the map makes it %" PRIu64 " (other sizes: --set)",
                       path, name, value, vcd_map_param(s->map, p));
    if (s->map) continue;
    if (choice->given[p] && value != cfg[p])
      return mrpb_fail(err, "--set %s=%" PRIu32 ": %s has %s=%" PRIu64, name, cfg[p], path, name,
                       value);
    if (value > UINT32_MAX)
      return mrpb_fail(err, "%s: %s=%" PRIu64 " is out of range", path, name, value);
    cfg[p] = (uint32_t)value;
  }
  mrpb_err_t why = {""};
  return s->cls->check(cfg, &why) == 0 ? 0 : mrpb_fail(err, "%s: %s", path, why.text);
}

static unsigned words_of(const module_port_t *port, unsigned n) {
  return n ? port[n - 1].word + (port[n - 1].width + 63) / 64 : 0;
}

static int allocate(vcd_stim_t *s, mrpb_err_t *err) {
  const size_t in = s->cls->in_words, out = s->cls->out_words;
  s->raw_in = s->map ? words_of(s->bind.face->in, s->bind.face->n_in) : 0;
  s->raw_out = s->map ? words_of(s->bind.face->out, s->bind.face->n_out) : 0;
  s->in = calloc(4 * in + 2 * (out + s->raw_in + s->raw_out), sizeof *s->in);
  if (!s->in) return mrpb_fail(err, "%s: out of memory", vcd_in_path(s->dump));
  s->in_unknown = s->in + in;
  s->before = s->in_unknown + in;
  s->out = s->before + 2 * in;
  s->out_known = s->out + out;
  s->raw = s->out_known + out;
  return 0;
}

/* Sets what to look for in the dump. */
static int set_face(vcd_stim_t *s, const uint32_t *cfg, const bind_t *design, mrpb_err_t *err) {
  const module_class_t *cls = s->cls;
  cls->ports(cfg, s->in_port, s->out_port);
  s->reset = -1;
  for (unsigned i = 0; i < cls->n_in && s->reset < 0; i++)
    if (strcmp(s->in_port[i].name, "srst_ni") == 0) s->reset = (int)i;
  s->face = (vcd_face_t){.name = cls->stem,
                         .clock = cls->n_regs > 0 ? "clk_i" : NULL,
                         .in = s->in_port,
                         .out = s->out_port,
                         .n_in = cls->n_in,
                         .n_out = cls->n_out,
                         .n_params = cls->n_params,
                         .cls = cls};
  for (unsigned p = 0; p < cls->n_params; p++) s->face.param[p] = cls->params[p].name;
  return design ? vcd_map_open(&s->map, design, vcd_in_path(s->dump), err) : 0;
}

int vcd_stim_open(vcd_stim_t **out, const char *path, const module_class_t *cls, uint32_t *cfg,
                  const vcd_choice_t *choice, const bind_t *design, mrpb_err_t *err) {
  *out = NULL;
  vcd_stim_t *s = calloc(1, sizeof *s);
  if (!s) return mrpb_fail(err, "%s: out of memory", path);
  s->cls = cls;
  int rc = vcd_in_open(&s->dump, path, err);
  if (rc == 0) rc = set_face(s, cfg, design, err);
  if (rc == 0)
    rc = vcd_bind_scope(&s->bind, s->dump, s->map ? vcd_map_face(s->map) : &s->face, choice, err);
  if (rc == 0) rc = allocate(s, err);
  /* The first step gives the parameters their values. */
  if (rc == 0 && vcd_in_step(s->dump, &s->time, err) < 0) rc = -1;
  if (rc == 0) rc = take_params(s, cfg, choice, err);
  if (rc == 0) cls->ports(cfg, s->in_port, s->out_port);
  if (rc == 0) rc = vcd_bind_ports(&s->bind, s->dump, cfg, err);
  if (rc != 0) {
    vcd_stim_close(s);
    return rc;
  }
  s->clock_high = s->bind.clocked && vcd_in_ones(s->dump, s->bind.clock)[0];
  s->running = s->reset < 0;
  *out = s;
  return 0;
}

void vcd_stim_close(vcd_stim_t *s) {
  if (!s) return;
  vcd_in_close(s->dump);
  vcd_bind_close(&s->bind);
  vcd_map_close(s->map);
  free(s->in);
  free(s);
}

const char *vcd_stim_scope(const vcd_stim_t *s) {
  const char *path = vcd_in_scope(s->dump, s->bind.scope);
  return path[0] ? path : "(top)";
}
bool vcd_stim_has_output(const vcd_stim_t *s, unsigned i) {
  return !s->map && s->bind.out[i].n > 0;
}
uint64_t vcd_stim_left_out(const vcd_stim_t *s) {
  return s->left_out;
}
void vcd_stim_said(const vcd_stim_t *s, unsigned port, char *text, size_t size) {
  if (s->map)
    vcd_map_said(s->map, port, text, size);
  else
    snprintf(text, size, "%s", s->in_port[port].name);
}
const vcd_map_t *vcd_stim_map(const vcd_stim_t *s) {
  return s->map;
}

/* ---- cycles ----------------------------------------------------------------- */

/* Puts the low `width` bits of `from` at bit `at` of `to`, whose bits there must be 0. */
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

/* An output bit is known if it is 0 or 1 in the dump. */
static void gather_known(const vcd_stim_t *s, unsigned i, const module_port_t *p, uint64_t *ones,
                         uint64_t *known) {
  if (s->bind.out[i].n == 0) return;
  gather(s, &s->bind.out[i], ones + p->word, known + p->word);
  for (unsigned b = 0; b < p->width; b += 64)
    known[p->word + b / 64] ^= bits_mask(p->width - b < 64 ? p->width - b : 64);
}

static vcd_theirs_t theirs(const vcd_stim_t *s) {
  const uint64_t *out = s->raw + 2 * s->raw_in;
  return (vcd_theirs_t){s->raw, s->raw + s->raw_in, out, out + s->raw_out};
}

/* Samples all ports at this time. */
static void sample(vcd_stim_t *s) {
  const vcd_face_t *face = s->bind.face;
  uint64_t *in = s->map ? s->raw : s->in, *out = s->map ? in + 2 * s->raw_in : s->out;
  const unsigned in_words = s->map ? s->raw_in : s->cls->in_words;
  const unsigned out_words = s->map ? s->raw_out : s->cls->out_words;
  memset(s->in, 0, 2 * s->cls->in_words * sizeof *s->in);
  memset(in, 0, 2 * in_words * sizeof *in);
  memset(out, 0, 2 * out_words * sizeof *out);
  for (unsigned i = 0; i < face->n_in; i++)
    gather(s, &s->bind.in[i], in + face->in[i].word, in + in_words + face->in[i].word);
  for (unsigned i = 0; i < face->n_out; i++)
    gather_known(s, i, &face->out[i], out, out + out_words);
  if (!s->map) return;
  const vcd_theirs_t t = theirs(s);
  vcd_map_inputs(s->map, &t, s->in, s->in_unknown);
}

/* The clock rises with the values sampled before. Returns 1 if that is a cycle, 0 if not, or -1 and
 * a message in err. */
static int edge(vcd_stim_t *s, mrpb_err_t *err) {
  char name[VCD_STIM_NAME];
  s->edges++;
  if (s->reset < 0) return 1;
  unsigned word = s->in_port[s->reset].word;
  bool unknown = s->in_unknown[word] & 1, reset = !unknown && !(s->in[word] & 1);
  vcd_stim_said(s, (unsigned)s->reset, name, sizeof name);
  if (s->running && unknown)
    return mrpb_fail(err, "%s: %s is x or z at the clock edge of time %" PRIu64,
                     vcd_in_path(s->dump), name, s->time);
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

/* Without a clock, a cycle is every time at which an input has changed. */
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

static int no_reset(const vcd_stim_t *s, mrpb_err_t *err) {
  char name[VCD_STIM_NAME] = "srst_ni";
  if (s->reset >= 0) vcd_stim_said(s, (unsigned)s->reset, name, sizeof name);
  return mrpb_fail(err,
                   "%s: %s is %s at none of the %" PRIu64 " clock edges: without a reset the "
                   "state is unknown",
                   vcd_in_path(s->dump), name, s->map ? "active" : "0", s->edges);
}

int vcd_stim_next(vcd_stim_t *s, vcd_cycle_t *cycle, mrpb_err_t *err) {
  int rc = s->bind.clocked ? next_clocked(s, err) : next_change(s, err);
  if (rc < 0) return -1;
  if (rc == 0 && s->given == 0 && s->edges == 0)
    return mrpb_fail(err, "%s: the clock never rises", vcd_in_path(s->dump));
  if (rc == 0 && s->given == 0) return no_reset(s, err);
  if (rc == 0) return 0;
  s->given++;
  if (s->map) {
    const vcd_theirs_t t = theirs(s);
    vcd_map_compare(s->map, &t, s->in, s->in_unknown, s->time);
  }
  *cycle = (vcd_cycle_t){s->time, s->in, s->in_unknown, s->out, s->out_known};
  return 1;
}
