/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the statements of a map that are more than wiring. */
#include "verify/contract/assume.h"

#include <string.h>

/* The names that an expression uses, and whether it computes with them. */
typedef struct {
  const bind_t *b;
  bool computes; /* more than names, parts, inversions and concatenations */
  bool theirs, input, state;
  bool several; /* two or more different names */
  const char *name;
} made_t;

static bool is_parameter(const bind_t *b, const char *name) {
  return module_param_index(b->cls, name) >= 0;
}

static bool is_state(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->n_states; i++)
    if (strcmp(b->state[i].said->to->name, name) == 0) return true;
  return false;
}

static bool is_output(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->n_ports; i++)
    if (b->port[i].role == BIND_OUTPUT && strcmp(b->port[i].port->name, name) == 0) return true;
  return false;
}

static bool is_input(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->cls->n_in; i++)
    if (strcmp(b->in[i].name, name) == 0) return true;
  return false;
}

static void take_name(made_t *m, const char *name) {
  if (is_parameter(m->b, name)) return;
  const bool output = is_output(m->b, name);
  if (is_state(m->b, name))
    m->state = true;
  else if (!output && is_input(m->b, name))
    m->input = true;
  else
    m->theirs = true;
  m->several |= m->name && strcmp(m->name, name) != 0;
  m->name = name;
}

static bool constant(const bind_t *b, const expr_t *e) {
  if (!e) return true;
  if (e->kind == EXPR_PATH) return is_parameter(b, e->path->name);
  for (const expr_t *k = e->kind == EXPR_CONCAT ? e->a : NULL; k; k = k->next)
    if (!constant(b, k)) return false;
  return constant(b, e->a) && constant(b, e->b) && constant(b, e->c);
}

/* Whether the expression only passes on or inverts its operands. */
static bool passes(const bind_t *b, const expr_t *e) {
  return (e->kind == EXPR_UNARY && strchr("~!", e->op[0])) || e->kind == EXPR_CONCAT ||
         e->kind == EXPR_REPEAT || (e->kind == EXPR_CHOICE && constant(b, e->a));
}

static void look(made_t *m, const expr_t *e) {
  if (!e || constant(m->b, e)) return;
  if (e->kind == EXPR_PATH) {
    take_name(m, e->path->name);
    return;
  }
  m->computes |= !passes(m->b, e);
  for (const expr_t *k = e->kind == EXPR_CONCAT ? e->a->next : NULL; k; k = k->next) look(m, k);
  look(m, e->a);
  look(m, e->b);
  look(m, e->c);
}

static bool is_assumption(const bind_t *b, const map_statement_t *s) {
  made_t m = {.b = b};
  if (s->kind == MAP_STATE) return true;
  if (s->kind != MAP_IN && s->kind != MAP_OUT) return false;
  if (constant(b, s->from)) return true;
  look(&m, s->from);
  if (s->kind == MAP_IN) return m.computes || m.theirs || m.state;
  return m.input || m.state || (m.computes && m.several);
}

void contract_assume_print(FILE *out, const bind_t *b) {
  const scope_t ours = bind_ours(b);
  for (unsigned i = 0; i < b->map->n; i++) {
    const map_statement_t *s = &b->map->statement[i];
    char name[MAP_NAME];
    if (!is_assumption(b, s)) continue;
    expr_path_text(s->to, &ours, name, sizeof name);
    fprintf(out, "  %-12sline %u: %s %s %s%s%s%s\n", "assuming", s->line, name,
            s->kind == MAP_STATE   ? "becomes"
            : constant(b, s->from) ? "is always"
                                   : "is",
            s->said, s->words[0] ? " (" : "", s->words, s->words[0] ? ")" : "");
  }
}
