/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that simulations call besides comb and edge (module_fast_t) are compared with them:
 * the same outputs, and the same memory in every byte of the model. docs/verify/one_model.md */
#include "verify/prove/llvm/fast.h"

#include <stdarg.h>
#include <string.h>

enum { MAX_WORDS = MODULE_MAX_WORDS, NAME = 96 };

__attribute__((format(printf, 3, 4))) static void claim(sides_t *s, lit_t bad, const char *format,
                                                        ...) {
  char what[NAME];
  va_list ap;
  va_start(ap, format);
  vsnprintf(what, sizeof what, format, ap);
  va_end(ap);
  sides_refuse(s, bad, what);
}

static lit_t bytes_differ(aig_t *g, const lit_t *p, const lit_t *q) {
  lit_t bad = AIG_FALSE;
  for (unsigned k = 0; k < 8 && p != q; k++) bad = aig_or(g, bad, aig_xor(g, p[k], q[k]));
  return bad;
}

/* True if some byte of the model differs in `b`. */
static lit_t models_differ(const sides_t *s, const mem_t *a, const mem_t *b) {
  const model_t *m = &s->model;
  lit_t bad = AIG_FALSE;
  for (uint32_t id = m->first; id < m->end; id++)
    for (uint32_t at = 0; at < mem_size(m->made, id); at++)
      bad = aig_or(s->g, bad, bytes_differ(s->g, mem_byte(a, id, at), mem_byte(b, id, at)));
  return bad;
}

/* Checks that output `i`, in `mem` at `at`, is that of comb. */
static void compare_output(sides_t *s, const mem_t *mem, uint64_t at, unsigned i,
                           const char *function) {
  const module_port_t *p = &s->model.out[i];
  lit_t bad = AIG_FALSE;
  for (uint32_t k = 0; k < s->out_c[i].n; k += 8)
    bad = aig_or(
        s->g, bad,
        bytes_differ(s->g, mem_byte(mem, mem_object(at), p->word * 8 + k / 8), s->out_c[i].b + k));
  claim(s, aig_and(s->g, s->holds, bad), "%s: %s is not that of comb", function, p->name);
}

/* A call: the memory before and after it, and the location of the outputs. */
typedef struct {
  mem_t *before, *after;
  uint64_t out;
} called_t;

/* Calls the wrapper in the model's own file, such as "fast_step" of "mrpb_step". */
static int call(sides_t *s, const module_fast_t *fast, mem_t *state, called_t *c, mrpb_err_t *err) {
  model_t *m = &s->model;
  char name[NAME];
  snprintf(name, sizeof name, "fast_%s", fast->name + strlen(m->cls->stem) + 1);
  c->before = mem_share(state);
  val_t args[3] = {m->self, model_inputs(m, &c->before, s->in)};
  c->out = exec_object(m->exec, &c->before, m->cls->out_words * 8, MEM_UNKNOWN);
  args[2] = exec_const(m->exec, c->out);
  c->after = mem_share(c->before);
  if (exec_only_calls(m->exec, name, fast->name))
    return exec_call(m->exec, name, args, 3, AIG_TRUE, &c->after, NULL, err) == 0 ? MODEL_OK
                                                                                  : MODEL_UNKNOWN;
  mrpb_fail(err,
            "cmodel/%s.c has no %s that calls %s once and does nothing else: simulations call %s "
            "itself",
            m->cls->stem, name, fast->name, fast->name);
  return MODEL_BAD_INPUT;
}

static void hang_up(called_t *c) {
  mem_close(c->before);
  mem_close(c->after);
}

static int check_step(sides_t *s, const module_fast_t *fast, mem_t *state, const mem_t *after,
                      mrpb_err_t *err) {
  called_t c;
  int rc = call(s, fast, state, &c, err);
  for (unsigned i = 0; rc == MODEL_OK && i < s->model.n_out; i++)
    compare_output(s, c.after, c.out, i, fast->name);
  if (rc == MODEL_OK)
    claim(s, aig_and(s->g, s->holds, models_differ(s, c.after, after)),
          "%s leaves another state than edge", fast->name);
  hang_up(&c);
  return rc;
}

/* True if bytes other than the named outputs were written. */
static lit_t scribbles(const sides_t *s, const called_t *c, const uint64_t *words) {
  lit_t bad = AIG_FALSE;
  const uint32_t id = mem_object(c->out);
  for (uint32_t at = 0; at < s->model.cls->out_words * 8; at++)
    if (!(words[at / 512] >> at / 8 % 64 & 1))
      bad = aig_or(s->g, bad,
                   bytes_differ(s->g, mem_byte(c->before, id, at), mem_byte(c->after, id, at)));
  return bad;
}

static int check_view(sides_t *s, const module_fast_t *fast, mem_t *state, mrpb_err_t *err) {
  const model_t *m = &s->model;
  uint64_t words[MAX_WORDS / 64];
  called_t c;
  if (module_view_words(m->cls, s->cfg, fast, words, err) != 0) return MODEL_BAD_INPUT;
  int rc = call(s, fast, state, &c, err);
  for (unsigned i = 0; rc == MODEL_OK && i < m->n_out; i++)
    if (words[m->out[i].word / 64] >> m->out[i].word % 64 & 1)
      compare_output(s, c.after, c.out, i, fast->name);
  if (rc == MODEL_OK) {
    claim(s, aig_and(s->g, s->holds, models_differ(s, c.after, state)), "%s changes the model",
          fast->name);
    claim(s, aig_and(s->g, s->holds, scribbles(s, &c, words)),
          "%s writes outputs that are not its own", fast->name);
  }
  hang_up(&c);
  return rc;
}

int fast_check(sides_t *s, mem_t *state, const mem_t *after, mrpb_err_t *err) {
  const module_class_t *cls = s->model.cls;
  int rc = MODEL_OK;
  for (unsigned i = 0; i < cls->n_fast && rc == MODEL_OK; i++)
    rc = cls->fast[i].step ? check_step(s, &cls->fast[i], state, after, err)
                           : check_view(s, &cls->fast[i], state, err);
  return rc;
}

int fast_check_made(sides_t *s, mrpb_err_t *err) {
  model_t *m = &s->model;
  bv_t in[MODULE_MAX_PORTS];
  for (unsigned i = 0; i < m->n_in; i++)
    in[i] = strcmp(m->in[i].name, "srst_ni") == 0 ? bv_const(exec_bv(m->exec), 1, 0) : s->in[i];
  mem_t *after = mem_share(m->made);
  int rc = model_edge(m, &after, in, err);
  if (rc == MODEL_OK)
    claim(s, models_differ(s, after, m->made), "%s_create makes another state than a reset",
          m->cls->stem);
  mem_close(after);
  return rc;
}
