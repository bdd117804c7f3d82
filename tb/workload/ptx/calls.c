/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions a call may reach: by name, by an alias, or through a register. */
#include "workload/ptx/parse.h"

#include <string.h>

/* Functions that this library provides itself. */
static const struct {
  const char *name;
  ptx_call_kind_t kind;
} builtins[] = {{"__assertfail", PTX_CALL_ASSERT}, {"vprintf", PTX_CALL_PRINTF}};

ptx_call_kind_t ptx_call_kind(const char *name) {
  for (unsigned i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, name) == 0) return builtins[i].kind;
  return PTX_CALL_FUNCTION;
}

int ptx_alias_statement(parser_t *p) {
  ptx_module_t *m = p->m;
  char shown[PTX_SHOWN];
  const char *names[2] = {NULL, NULL};
  for (unsigned i = 0; i < 2; i++) {
    if (i && ptx_expect(p, ',', "between the names of .alias")) return -1;
    if (p->tok.kind != TOKEN_NAME)
      return ptx_fail(p, p->tok.line, "%s found where the name of a function is expected",
                      ptx_show(&p->tok, shown));
    if (!(names[i] = ptx_copy_name(p, p->tok.at, p->tok.length))) return -1;
    ptx_next(p);
  }
  if (PTX_GROW(p, m, aliases, n_aliases)) return -1;
  m->aliases[m->n_aliases++] = (alias_t){names[0], names[1]};
  return ptx_expect(p, ';', "at the end of .alias");
}

static const char *alias_of(const ptx_module_t *m, const char *name) {
  for (size_t i = 0; i < m->n_aliases; i++)
    if (strcmp(m->aliases[i].name, name) == 0) return m->aliases[i].of;
  return name;
}

uint32_t ptx_unit_named(const ptx_module_t *m, const char *name) {
  name = alias_of(m, name);
  for (uint32_t i = 0; i < m->n_units; i++)
    if (m->units[i].function && strcmp(m->units[i].k.name, name) == 0) return i;
  return UINT32_MAX;
}

uint64_t ptx_taken_address(const ptx_module_t *m, uint32_t u, size_t *from) {
  while (m->units[u].function && *from < m->n_functions) {
    const size_t at = (*from)++;
    if (m->functions[at].taken &&
        strcmp(alias_of(m, m->functions[at].name), m->units[u].k.name) == 0)
      return m->functions_at + PTX_FUNCTION * at;
  }
  return 0;
}

static bool is_taken(const ptx_module_t *m, uint32_t u) {
  size_t from = 0;
  return ptx_taken_address(m, u, &from) != 0;
}

static bool same_slots(const slot_t *a, unsigned n, const slot_t *b, unsigned m) {
  for (unsigned i = 0; n == m && i < n; i++)
    if (a[i].bytes != b[i].bytes) return false;
  return n == m;
}

uint32_t ptx_callee(const ptx_module_t *m, const called_t *c, uint32_t from) {
  if (!c->indirect) {
    const bool ours = ptx_call_kind(c->name) == PTX_CALL_FUNCTION;
    const uint32_t u = ours ? ptx_unit_named(m, c->name) : UINT32_MAX;
    return u >= from ? u : UINT32_MAX;
  }
  for (uint32_t u = from; u < m->n_units; u++)
    if (!m->units[u].k.refused && is_taken(m, u) &&
        same_slots(c->in, c->n_in, m->units[u].in, m->units[u].n_in) &&
        same_slots(c->out, c->n_out, m->units[u].out, m->units[u].n_out))
      return u;
  return UINT32_MAX;
}

bool ptx_leads_to(const ptx_module_t *m, uint32_t from, uint32_t to, uint8_t *open) {
  const unit_t *u = &m->units[from];
  open[from] = 1;
  for (uint32_t i = 0; i < u->k.n_insts; i++) {
    if (u->k.insts[i].op != PTX_OP_CALL) continue;
    const called_t *c = &m->called[u->k.insts[i].target];
    for (uint32_t next = ptx_callee(m, c, 0); next != UINT32_MAX; next = ptx_callee(m, c, next + 1))
      if (next == to || (!open[next] && ptx_leads_to(m, next, to, open))) return true;
  }
  return false;
}
