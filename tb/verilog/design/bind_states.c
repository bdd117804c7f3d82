/* SPDX-License-Identifier: Apache-2.0 */
/* Binds the states of a map, and tells what is used of both sides. */
#include "verilog/design/bind_names.h"

#include <string.h>

bool bind_contract(const bind_t *b) {
  return b->cls->comb == NULL;
}

const bind_state_t *bind_state(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->n_states; i++)
    if (strcmp(b->state[i].said->to->name, name) == 0) return &b->state[i];
  return NULL;
}

/* Adds `state NAME` or `state NAME[HIGH:0]`; neither side may have that name. */
static int add_state(bind_t *b, const map_statement_t *s, unsigned *at, mrpb_err_t *err) {
  const scope_t constants = {.ctx = b, .constant = bind_constant};
  const step_t *part = s->to->next;
  uint64_t high = 0, low = 0;
  if (part && (part->kind != STEP_RANGE || part->next))
    return mrpb_fail(err, "'%s': legal: a name, or NAME[HIGH:0]", s->to->name);
  if (part && (expr_constant(part->high, &constants, &high, err) != 0 ||
               expr_constant(part->low, &constants, &low, err) != 0))
    return -1;
  if (bind_our_port(b, s->to->name) || module_param_index(b->cls, s->to->name) >= 0 ||
      describe_find(b->design, b->top, s->to->name) || bind_state(b, s->to->name))
    return mrpb_fail(err, "'%s' is a name already", s->to->name);
  if (low != 0 || high >= BIND_STATE_BITS - *at || b->n_states == BIND_STATES)
    return mrpb_fail(err, "'%s': legal: %d states, in all %d bits, the lowest 0", s->to->name,
                     (int)BIND_STATES, (int)BIND_STATE_BITS);
  b->state[b->n_states++] = (bind_state_t){.said = s, .lsb = *at, .width = (unsigned)high + 1};
  *at += (unsigned)high + 1;
  return 0;
}

int bind_states(bind_t *b, mrpb_err_t *err) {
  unsigned at = 0;
  for (unsigned i = 0; i < b->map->n && bind_contract(b); i++) {
    const map_statement_t *s = &b->map->statement[i];
    mrpb_err_t why = {""};
    if (s->kind == MAP_STATE && add_state(b, s, &at, &why) != 0)
      return map_fail(b->map, s, err, "%s", why.text);
  }
  return 0;
}

bool bind_uses(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->n_ports; i++)
    if (b->port[i].role == BIND_RESET && strcmp(name, "srst_ni") == 0) return true;
  for (unsigned i = 0; i < b->n_parts; i++) {
    const bind_part_t *p = &b->part[i];
    if (p->from ? expr_names(p->from, name) : strcmp(b->in[p->same].name, name) == 0) return true;
  }
  for (unsigned i = 0; i < b->n_states; i++)
    if (expr_names(b->state[i].said->from, name)) return true;
  return false;
}

/* A map that leaves out every output says nothing about the design. */
int bind_compared(const bind_t *b, mrpb_err_t *err) {
  if (bind_contract(b)) return 0;
  for (unsigned i = 0; i < b->cls->n_out; i++)
    if (b->output[i].there) return 0;
  return mrpb_fail(err,
                   "%s: nothing is compared: the map leaves out all %u outputs of %s; legal: at "
                   "least one line out OURS = EXPR",
                   b->map->file, b->cls->n_out, b->cls->stem);
}
