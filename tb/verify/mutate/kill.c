/* SPDX-License-Identifier: Apache-2.0 */
/* Runs mutants against the recorded run of the C model. */
#include "verify/mutate/kill.h"

#include "bits.h"
#include "cosim/lockstep/lockstep.h"
#include "cosim/stim/stim.h"
#include "base/hang.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const stim_class_t *stim;
  void *model, *state;
} source_t;

static int open_source(source_t *s, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
                       mrpb_err_t *err) {
  *s = (source_t){.stim = stim_class(cls->stem)};
  if (!s->stim) return mrpb_fail(err, "%s: no stimulus for this module", cls->stem);
  if (cls->create(&s->model, cfg, err) != 0) return -1;
  s->state = malloc(s->stim->size);
  if (!s->state) {
    cls->destroy(s->model);
    return mrpb_fail(err, "%s: out of memory", cls->stem);
  }
  s->stim->start(s->state, cfg, seed);
  return 0;
}

static void mask_inputs(const module_class_t *cls, const module_port_t *ports, uint64_t *in) {
  for (unsigned i = 0; i < cls->n_in; i++)
    for (unsigned done = 0; done < ports[i].width; done += 64)
      in[ports[i].word + done / 64] &=
          bits_mask(ports[i].width - done < 64 ? ports[i].width - done : 64);
}

int kill_record(kill_trace_t *t, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
                uint64_t cycles, mrpb_err_t *err) {
  module_port_t inputs[MODULE_MAX_PORTS];
  source_t s;
  *t = (kill_trace_t){.cls = cls, .cycles = cycles};
  memcpy(t->cfg, cfg, cls->n_params * sizeof *cfg);
  cls->ports(cfg, inputs, t->port);
  t->in = calloc(cycles * cls->in_words, sizeof *t->in);
  t->out = calloc(cycles * cls->out_words, sizeof *t->out);
  if (!t->in || !t->out || open_source(&s, cls, cfg, seed, err) != 0) {
    if (!t->in || !t->out) mrpb_fail(err, "%s: out of memory", cls->stem);
    kill_free(t);
    return -1;
  }
  uint64_t c = 0;
  hang_t hang = {.doing = NULL};
  hang_watch(&hang, cls->stem, &c, HANG_SECONDS);
  for (; c < cycles; c++) {
    uint64_t *in = t->in + c * cls->in_words, *out = t->out + c * cls->out_words;
    if (c >= LOCKSTEP_RESET_CYCLES) {
      memcpy(in, in - cls->in_words, cls->in_words * sizeof *in);
      s.stim->next(s.state, s.model, in);
      mask_inputs(cls, inputs, in);
    }
    hang_enter(&hang, "the C model");
    cls->comb(s.model, in, out);
    if (c >= LOCKSTEP_RESET_CYCLES) (void)s.stim->sample(s.state, s.model, in, out);
    cls->edge(s.model, in);
  }
  hang_end(&hang);
  cls->destroy(s.model);
  free(s.state);
  return 0;
}

void kill_free(kill_trace_t *t) {
  free(t->in);
  free(t->out);
  t->in = t->out = NULL;
}

static bool agree(const kill_trace_t *t, const uint64_t *c, const uint64_t *rtl) {
  if (memcmp(c, rtl, t->cls->out_words * sizeof *c) == 0) return true;
  for (unsigned i = 0; i < t->cls->n_out; i++) {
    const module_port_t *p = &t->port[i];
    if (memcmp(c + p->word, rtl + p->word, (p->width + 63) / 64 * sizeof *c) != 0) return false;
  }
  return true;
}

int64_t kill_run(const kill_trace_t *t, const kill_subject_t *s) {
  module_reg_t regs[MODULE_MAX_REGS];
  mrpb_err_t err;
  void *good;
  uint64_t *out = calloc(2 * (size_t)t->cls->out_words, sizeof *out), c = 0;
  if (!out || t->cls->create(&good, t->cfg, &err) != 0) {
    free(out);
    return -1;
  }
  t->cls->regs(good, regs);
  hang_t hang = {.doing = NULL};
  hang_watch(&hang, t->cls->stem, &c, HANG_SECONDS);
  for (; c < t->cycles; c++) {
    const uint64_t *in = t->in + c * t->cls->in_words, *good_out = t->out + c * t->cls->out_words;
    hang_enter(&hang, "a mutant");
    s->comb(s->self, in, out);
    if (s->want) {
      s->want(s->self, in, good_out, out, out + t->cls->out_words);
      good_out = out + t->cls->out_words;
    }
    /* before the first edge the registers are not reset yet */
    bool compared = c > 0 || t->cls->n_regs == 0;
    if (compared && !agree(t, good_out, out)) break;
    s->edge(s->self, in);
    t->cls->edge(good, in);
    if (!s->same(s->self, regs)) break;
  }
  hang_end(&hang);
  t->cls->destroy(good);
  free(out);
  return (int64_t)c;
}
