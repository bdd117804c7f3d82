/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/design/bind_values.h"

#include "bits.h"

#include <string.h>

static const uint64_t *find(const module_port_t *port, unsigned n, const uint64_t *words,
                            const char *name) {
  for (unsigned i = 0; words && i < n; i++)
    if (strcmp(port[i].name, name) == 0) return words + port[i].word;
  return NULL;
}

static uint64_t value(void *ctx, const signal_t *s) {
  const bind_values_t *v = ctx;
  const bind_t *b = v->bind;
  const uint64_t *words = find(b->in, b->cls->n_in, v->in, s->name);
  if (!words) words = find(b->out, b->cls->n_out, v->out, s->name);
  return words ? words_get(words, s->lsb, s->width < 64 ? s->width : 64) : 0;
}

/* The scope's functions expect the bind as their context; values need more. */
static bool constant(void *ctx, const char *name, uint64_t *number) {
  const bind_values_t *v = ctx;
  const scope_t ours = bind_ours(v->bind);
  return ours.constant(ours.ctx, name, number);
}
static int signal_of(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err) {
  const bind_values_t *v = ctx;
  const scope_t ours = bind_ours(v->bind);
  return ours.signal(ours.ctx, path, s, err);
}

scope_t bind_values(const bind_values_t *v) {
  return (scope_t){
      .ctx = (void *)(uintptr_t)v, .constant = constant, .signal = signal_of, .value = value};
}

bool bind_assumed(const bind_t *b, const uint64_t *in) {
  const bind_values_t now = {.bind = b, .in = in};
  const scope_t scope = bind_values(&now);
  const uint64_t *reset = find(b->in, b->cls->n_in, in, "srst_ni");
  if (reset && !(*reset & 1)) return true;
  for (unsigned i = 0; i < b->map->n; i++)
    if (b->map->statement[i].kind == MAP_ASSUME &&
        expr_eval(b->map->statement[i].from, &scope) == 0)
      return false;
  return true;
}

int bind_no_after(const bind_t *b, mrpb_err_t *err) {
  const map_statement_t *s = b ? map_one(b->map, MAP_AFTER) : NULL;
  return s ? map_fail(b->map, s, err,
                      "after: legal: in a run (cosim, run), which begins with a reset")
           : 0;
}
