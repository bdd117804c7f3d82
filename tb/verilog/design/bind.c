/* SPDX-License-Identifier: Apache-2.0 */
/* Binds ports: every bit of the design's inputs gets exactly one source, and every port of ours is
 * either connected or declared unused. */
#include "verilog/design/bind.h"

#include "base/names.h"
#include "verilog/design/bind_names.h"
#include "verilog/design/bind_regs.h"
#include "verilog/design/bind_shows.h"
#include "verilog/design/resolve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- names in expressions ---- */

bool bind_constant(void *ctx, const char *name, uint64_t *value) {
  const bind_t *b = ctx;
  int i = module_param_index(b->cls, name);
  if (i >= 0) *value = b->cfg[i];
  return i >= 0;
}

const module_port_t *bind_our_port(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->cls->n_in; i++)
    if (strcmp(b->in[i].name, name) == 0) return &b->in[i];
  for (unsigned i = 0; i < b->cls->n_out; i++)
    if (strcmp(b->out[i].name, name) == 0) return &b->out[i];
  return NULL;
}

static void offer_ports(names_near_t *near, const module_port_t *port, unsigned n) {
  for (unsigned i = 0; i < n; i++) names_offer(near, port[i].name);
}

static int no_port_of_ours(const bind_t *b, const char *name, bool in, bool out, mrpb_err_t *err) {
  names_near_t near = names_near(name);
  if (in) offer_ports(&near, b->in, b->cls->n_in);
  if (out) offer_ports(&near, b->out, b->cls->n_out);
  return mrpb_fail(err, "'%s' is no %s of %s%s", name,
                   in && out ? "port"
                   : in      ? "input"
                             : "output",
                   b->cls->stem, near.text);
}

/* Bits of one of our ports: all, one, or a part. */
static int our_bits(const bind_t *b, const module_port_t *p, const step_t *rest, signal_t *s,
                    mrpb_err_t *err) {
  const scope_t constants = {.ctx = (void *)(uintptr_t)b, .constant = bind_constant};
  uint64_t high = p->width - 1, low = 0;
  snprintf(s->name, sizeof s->name, "%s", p->name);
  s->whole = p->width;
  if (rest && (rest->kind == STEP_NAME || rest->next))
    return mrpb_fail(err, "'%s' has no fields; legal: a bit or a part of it", p->name);
  if (rest && expr_constant(rest->high, &constants, &high, err) != 0) return -1;
  if (rest) low = high;
  if (rest && rest->low && expr_constant(rest->low, &constants, &low, err) != 0) return -1;
  if (high >= p->width || low > high)
    return mrpb_fail(err, "'%s[%" PRIu64 ":%" PRIu64 "]': legal: %u to 0, the higher bit first",
                     p->name, high, low, p->width - 1);
  s->lsb = (unsigned)low;
  s->width = (unsigned)(high - low + 1);
  return 0;
}

static int state_bits(const bind_t *b, const bind_state_t *state, const step_t *rest, signal_t *s,
                      mrpb_err_t *err) {
  const module_port_t p = {.name = state->said->to->name, .width = state->width};
  if (our_bits(b, &p, rest, s, err) != 0) return -1;
  snprintf(s->name, sizeof s->name, "s_%.100s", p.name);
  return 0;
}

static int our_signal(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err) {
  const bind_t *b = ctx;
  const module_port_t *p = bind_our_port(b, path->name);
  const bind_state_t *state = bind_state(b, path->name);
  if (state) return state_bits(b, state, path->next, s, err);
  if (!p) return no_port_of_ours(b, path->name, true, true, err);
  return our_bits(b, p, path->next, s, err);
}

/* The right side of `in`: our model's outputs may not reach inputs of the design. In the contract,
 * the outputs are the design's own. */
static int our_input(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err) {
  const bind_t *b = ctx;
  const module_port_t *p = bind_our_port(b, path->name);
  const bind_state_t *state = bind_state(b, path->name);
  if (state) return state_bits(b, state, path->next, s, err);
  if (!p || (p >= b->out && !bind_contract(b))) {
    const bool inside = p >= b->in && p < b->in + b->cls->n_in;
    if (!inside) return no_port_of_ours(b, path->name, true, false, err);
  }
  return our_bits(b, p, path->next, s, err);
}

static int their_bits(const bind_t *b, const step_t *path, decl_kind_t kind, resolved_t *r,
                      mrpb_err_t *err) {
  char what[2 * MAP_NAME];
  const scope_t constants = {.ctx = (void *)(uintptr_t)b, .constant = bind_constant};
  snprintf(what, sizeof what, "%s of %s", kind == DECL_INPUT ? "input" : "output", b->top);
  if (resolve(b->design, b->top, path, &constants, what, r, err) != 0) return -1;
  if (r->item->kind != kind) return mrpb_fail(err, "'%s' is no %s", r->item->name, what);
  if (r->array)
    return mrpb_fail(err, "'%s' is an array of unpacked elements; legal: one of them", r->name);
  return 0;
}

static int their_signal(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err) {
  const bind_t *b = ctx;
  const decl_t *port = describe_find(b->design, b->top, path->name);
  const module_port_t *ours = bind_our_port(b, path->name);
  resolved_t r;
  const bool theirs = port && port->kind == DECL_OUTPUT;
  const bind_state_t *state = bind_state(b, path->name);
  if (state) return state_bits(b, state, path->next, s, err);
  if (!theirs && ours >= b->out && ours < b->out + b->cls->n_out && bind_contract(b))
    return our_bits(b, ours, path->next, s, err);
  if (!theirs && ours >= b->in && ours < b->in + b->cls->n_in)
    return our_bits(b, ours, path->next, s, err);
  if (their_bits(b, path, DECL_OUTPUT, &r, err) != 0) return -1;
  if (snprintf(s->name, sizeof s->name, "d_%s", r.name) >= (int)sizeof s->name)
    return mrpb_fail(err, "'%.40s...': too long a name", r.name);
  s->lsb = r.lsb;
  s->width = r.width;
  s->whole = r.whole;
  return 0;
}

scope_t bind_ours(const bind_t *b) {
  return (scope_t){.ctx = (void *)(uintptr_t)b, .constant = bind_constant, .signal = our_signal};
}
scope_t bind_in(const bind_t *b) {
  return bind_contract(b) ? bind_theirs(b) : bind_ours(b);
}
scope_t bind_theirs(const bind_t *b) {
  return (scope_t){.ctx = (void *)(uintptr_t)b, .constant = bind_constant, .signal = their_signal};
}

/* ---- the design's ports ---- */

static int find_ports(bind_t *b, mrpb_err_t *err) {
  const decl_t *item;
  for (unsigned i = 0; (item = describe_item(b->design, b->top, i)); i++) {
    if (item->kind == DECL_INOUT)
      return mrpb_fail(err, "%s: port %s is an inout; legal: inputs and outputs", b->top,
                       item->name);
    if (item->kind != DECL_INPUT && item->kind != DECL_OUTPUT) continue;
    if (b->n_ports == BIND_PORTS)
      return mrpb_fail(err, "%s: more than %d ports", b->top, (int)BIND_PORTS);
    bind_port_t *p = &b->port[b->n_ports++];
    const type_t *t = describe_type(b->design, item->type);
    *p = (bind_port_t){.port = item, .width = describe_width(b->design, item->type)};
    if (p->width == 0 || !t || t->kind == TYPE_UNPACKED)
      return mrpb_fail(err, "%s: port %s is no vector of bits; legal: packed types", b->top,
                       item->name);
  }
  return b->n_ports > 0 ? 0 : mrpb_fail(err, "%s: has no ports", b->top);
}

static bind_port_t *their_port(bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->n_ports; i++)
    if (strcmp(b->port[i].port->name, name) == 0) return &b->port[i];
  return NULL;
}

static int no_port_of_theirs(const bind_t *b, const char *name, decl_kind_t kind, mrpb_err_t *err) {
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < b->n_ports; i++)
    if (b->port[i].port->kind == kind) names_offer(&near, b->port[i].port->name);
  return mrpb_fail(err, "'%s' is no %s of %s%s", name, kind == DECL_INPUT ? "input" : "output",
                   b->top, near.text);
}

static int take_role(bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  bind_port_t *p = their_port(b, s->name);
  if (!p || p->port->kind != DECL_INPUT) return no_port_of_theirs(b, s->name, DECL_INPUT, err);
  if (p->width != 1)
    return mrpb_fail(err, "'%s' has %u bits; legal for a clock or a reset: 1", s->name, p->width);
  if (p->role != BIND_UNUSED) return mrpb_fail(err, "'%s' a second time", s->name);
  p->role = s->kind == MAP_CLOCK ? BIND_CLOCK : BIND_RESET;
  if (s->kind == MAP_RESET) b->reset_high = s->high, b->reset_async = s->async;
  return 0;
}

/* Reports that `from` has `width` bits, more than the `room` of port `name`. */
static int too_wide(const char *name, unsigned room, const expr_t *from, const scope_t *scope,
                    unsigned width, mrpb_err_t *err) {
  uint64_t v;
  mrpb_err_t unheard = {""};
  if (expr_constant(from, scope, &v, &unheard) != 0 || expr_bits(v) <= room)
    return mrpb_fail(
        err, "'%s' has %u bits, too few for %u; legal: a part of what comes, or a wider port", name,
        room, width);
  if (v > INT64_MAX && from->kind != EXPR_NUMBER)
    return mrpb_fail(err, "'%s' has %u bits, too few for %" PRId64 "; legal: 0 to %" PRIu64, name,
                     room, (int64_t)v, (UINT64_C(1) << room) - 1);
  return mrpb_fail(err, "'%s' has %u bits, too few for %" PRIu64 "; legal: 0 to %" PRIu64, name,
                   room, v, (UINT64_C(1) << room) - 1);
}

static int take_in(bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  resolved_t r;
  scope_t ours = bind_in(b);
  unsigned width;
  if (!bind_contract(b)) ours.signal = our_input;
  if (their_bits(b, s->to, DECL_INPUT, &r, err) != 0 ||
      expr_width(s->from, &ours, &width, err) != 0)
    return -1;
  bind_port_t *p = their_port(b, r.item->name);
  if (!p) return no_port_of_theirs(b, r.item->name, DECL_INPUT, err);
  if (p->role == BIND_CLOCK || p->role == BIND_RESET)
    return mrpb_fail(err, "'%s' is the clock or the reset already", s->to->name);
  if (width > r.width) return too_wide(r.name, r.width, s->from, &ours, width, err);
  if (b->n_parts == BIND_PARTS) return mrpb_fail(err, "more than %d parts", (int)BIND_PARTS);
  p->role = BIND_INPUT;
  b->part[b->n_parts++] = (bind_part_t){.port = (unsigned)(p - b->port),
                                        .lsb = r.lsb,
                                        .width = r.width,
                                        .from = s->from,
                                        .bits = width,
                                        .line = s->line};
  return 0;
}

/* ---- our ports ---- */

static bind_output_t *our_output(bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->cls->n_out; i++)
    if (strcmp(b->out[i].name, name) == 0) return &b->output[i];
  return NULL;
}

static int take_out(bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  const scope_t theirs = bind_theirs(b);
  uint64_t value;
  unsigned width;
  bind_output_t *o = our_output(b, s->to->name);
  if (!o || s->to->next) return no_port_of_ours(b, s->to->name, false, true, err);
  if (o->there) return mrpb_fail(err, "'%s' a second time, after line %u", s->to->name, o->line);
  if (expr_width(s->from, &theirs, &width, err) != 0) return -1;
  const unsigned need = b->out[o - b->output].width;
  const bool number = s->from->kind == EXPR_NUMBER || s->from->kind == EXPR_CHOICE ||
                      expr_unsized(s->from, &theirs, &value);
  if (width > need && number) return too_wide(s->to->name, need, s->from, &theirs, width, err);
  if (width > need || (width < need && !number && !bind_contract(b)))
    return mrpb_fail(err, "'%s' has %u bits, what comes has %u; legal: as many", s->to->name, need,
                     width);
  o->there = true;
  o->from = s->from;
  o->bits = width;
  o->said = s->said;
  o->line = s->line;
  return 0;
}

static int check_condition(const map_statement_t *s, const scope_t *scope, mrpb_err_t *err) {
  unsigned width;
  if (expr_width(s->from, scope, &width, err) != 0) return -1;
  return width <= 64 ? 0 : mrpb_fail(err, "a condition of %u bits; legal: at most 64", width);
}

static int take_when(bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  const scope_t ours = bind_ours(b);
  bind_output_t *o = our_output(b, s->name);
  if (!o) return no_port_of_ours(b, s->name, false, true, err);
  const expr_t **to = s->kind == MAP_WHEN ? &o->when : &o->after;
  if (*to) return mrpb_fail(err, "'%s' has a condition already", s->name);
  *to = s->from;
  return check_condition(s, &ours, err);
}

static int take_assume(const bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  scope_t inputs = bind_ours(b);
  inputs.signal = our_input;
  if (b->cls->n_regs == 0)
    return mrpb_fail(err, "%s has no clock; legal: assume of a module with registers",
                     b->cls->stem);
  return check_condition(s, &inputs, err);
}

static int take_late(bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  bind_output_t *o = our_output(b, s->name);
  if (!o) return no_port_of_ours(b, s->name, false, true, err);
  if (o->late) return mrpb_fail(err, "'%s' is late already", s->name);
  o->late = s->late;
  return 0;
}

static int take_none(bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  bind_output_t *o = our_output(b, s->name);
  if (o && o->there) return mrpb_fail(err, "'%s' comes from line %u", s->name, o->line);
  if (o) return o->line = s->line, 0;
  for (unsigned i = 0; i < b->cls->n_in; i++)
    if (strcmp(b->in[i].name, s->name) == 0) return b->in_unused[i] = true, 0;
  return bind_no_register(b, s->name, err);
}

static int take_state(const bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  const scope_t theirs = bind_theirs(b);
  const bind_state_t *to = bind_state(b, s->to->name);
  unsigned width;
  if (expr_width(s->from, &theirs, &width, err) != 0) return -1;
  if (!to || width <= to->width) return 0;
  return mrpb_fail(err, "'%s' has %u bits, too few for %u; legal: state %s[HIGH:0] = EXPR",
                   s->to->name, to->width, width, s->to->name);
}

/* Checks which statements a map of the contract may have, and which a map of a module may have. */
static int check_kind(const bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  const bool of_contract =
      s->kind == MAP_SIZE || s->kind == MAP_STATE || s->kind == MAP_HOLD || s->kind == MAP_OFF;
  const bool of_module = s->kind == MAP_LATE || s->kind == MAP_WHEN || s->kind == MAP_REG ||
                         s->kind == MAP_SHOW || s->kind == MAP_ASSUME || s->kind == MAP_AFTER;
  if (of_contract && !bind_contract(b))
    return mrpb_fail(err, "size, state, hold, off: legal: in a map for `mrpb conform`; this is %s",
                     b->cls->stem);
  if (of_module && bind_contract(b))
    return mrpb_fail(err,
                     "late, when, after, reg, show, assume: legal: in a map of a module; this is "
                     "the contract");
  return 0;
}

static int take_ports(bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  if (check_kind(b, s, err) != 0) return -1;
  switch ((int)s->kind) {
  case MAP_CLOCK:
  case MAP_RESET:
    return take_role(b, s, err);
  case MAP_IN:
    return take_in(b, s, err);
  case MAP_OUT:
    return take_out(b, s, err);
  case MAP_LATE:
    return take_late(b, s, err);
  case MAP_WHEN:
  case MAP_AFTER:
    return take_when(b, s, err);
  case MAP_ASSUME:
    return take_assume(b, s, err);
  case MAP_NONE:
    return take_none(b, s, err);
  case MAP_STATE:
    return take_state(b, s, err);
  default:
    return 0;
  }
}

/* ---- what no line says ---- */

static int same_input(bind_t *b, bind_port_t *p, mrpb_err_t *err) {
  const char *name = p->port->name;
  if (strcmp(name, "clk_i") == 0 && p->width == 1) return p->role = BIND_CLOCK, 0;
  for (unsigned i = 0; i < b->cls->n_in; i++) {
    if (strcmp(b->in[i].name, name) != 0) continue;
    if (b->in[i].width != p->width)
      return mrpb_fail(err,
                       "%s: input %s has %u bits, ours of that name %u; legal: as many, with a "
                       "size or a parameter that is another, or in %s = EXPR",
                       b->top, name, p->width, b->in[i].width, name);
    if (b->n_parts == BIND_PARTS) return mrpb_fail(err, "more than %d parts", (int)BIND_PARTS);
    p->role = BIND_INPUT;
    b->part[b->n_parts++] =
        (bind_part_t){.port = (unsigned)(p - b->port), .width = p->width, .same = i};
    return 0;
  }
  names_near_t near = names_near(name);
  offer_ports(&near, b->in, b->cls->n_in);
  return mrpb_fail(err, "%s: input %s of %u bits gets nothing%s%s; legal: in %s = EXPR", b->top,
                   name, p->width, near.text, near.text[0] ? " of ours" : "", name);
}

static int same_ports(bind_t *b, mrpb_err_t *err) {
  for (unsigned i = 0; i < b->n_ports; i++) {
    bind_port_t *p = &b->port[i];
    bind_output_t *o = our_output(b, p->port->name);
    if (p->port->kind == DECL_INPUT && p->role == BIND_UNUSED && same_input(b, p, err) != 0)
      return -1;
    if (p->port->kind != DECL_OUTPUT) continue;
    p->role = BIND_OUTPUT;
    if (o && !o->there && !o->line && b->out[o - b->output].width == p->width)
      *o = (bind_output_t){.there = true,
                           .same = i,
                           .said = p->port->name,
                           .late = o->late,
                           .when = o->when,
                           .after = o->after};
  }
  return 0;
}

/* Every bit of the design's inputs must have a source, exactly once. */
static int check_inputs(const bind_t *b, mrpb_err_t *err) {
  for (unsigned i = 0; i < b->n_ports; i++) {
    unsigned at = 0;
    if (b->port[i].role != BIND_INPUT) continue;
    for (bool found = true; found && at < b->port[i].width;) {
      found = false;
      for (unsigned k = 0; k < b->n_parts && !found; k++) {
        const bind_part_t *p = &b->part[k];
        if (p->port != i || p->lsb != at) continue;
        at += p->width;
        found = true;
      }
    }
    if (at < b->port[i].width)
      return mrpb_fail(
          err, "%s: %s[%u] of input %s gets nothing; legal: in %s... = EXPR for each bit", b->top,
          b->port[i].port->name, at, b->port[i].port->name, b->port[i].port->name);
    for (unsigned k = 0; k < b->n_parts; k++)
      for (unsigned j = 0; j < k; j++) {
        const bind_part_t *p = &b->part[k], *q = &b->part[j];
        if (p->port == i && q->port == i && p->lsb < q->lsb + q->width &&
            q->lsb < p->lsb + p->width)
          return mrpb_fail(err, "%s:%u: %s[%u] gets something a second time, after line %u",
                           b->map->file, p->line, b->port[i].port->name,
                           p->lsb > q->lsb ? p->lsb : q->lsb, q->line);
      }
  }
  return 0;
}

static int check_outputs(const bind_t *b, mrpb_err_t *err) {
  bool clocked = b->cls->n_regs == 0;
  for (unsigned i = 0; i < b->n_ports; i++) clocked = clocked || b->port[i].role == BIND_CLOCK;
  if (!clocked)
    return mrpb_fail(err, "%s: no clock; legal: a line clock THEIRS, or a port clk_i", b->top);
  for (unsigned i = 0; i < b->cls->n_out; i++) {
    const bind_output_t *o = &b->output[i];
    const char *name = b->out[i].name;
    names_near_t near = names_near(name);
    if (o->there || o->line || bind_off(b->cls, b->cfg, name)) continue;
    for (unsigned k = 0; k < b->n_ports; k++)
      if (b->port[k].role == BIND_OUTPUT && strcmp(b->port[k].port->name, name) == 0)
        return mrpb_fail(err,
                         "%s: output %s has %u bits, ours of that name %u; legal: as many, with a "
                         "size or a parameter that is another, or out %s = EXPR",
                         b->top, name, b->port[k].width, b->out[i].width, name);
    for (unsigned k = 0; k < b->n_ports; k++)
      if (b->port[k].role == BIND_OUTPUT) names_offer(&near, b->port[k].port->name);
    return mrpb_fail(
        err, "%s: nothing gives our output %s of %u bits%s; legal: out %s = EXPR, or none %s",
        b->top, name, b->out[i].width, near.text, name, name);
  }
  return 0;
}

/* Each of our inputs must reach something or be declared unused. For the contract there is no such
 * check: its inputs are what the design has. */
static int check_ours(bind_t *b, mrpb_err_t *err) {
  for (unsigned i = 0; i < b->cls->n_in && !bind_contract(b); i++) {
    const char *name = b->in[i].name;
    const bool used = bind_uses(b, name);
    if (!used && bind_off(b->cls, b->cfg, name)) b->in_unused[i] = true;
    if (!used && !b->in_unused[i])
      return mrpb_fail(err,
                       "%s: nothing takes our input %s of %u bits; legal: in THEIRS = an "
                       "expression of it, or none %s",
                       b->top, name, b->in[i].width, name);
    if (used && b->in_unused[i])
      return mrpb_fail(err, "%s: 'none %s', but the design takes it; legal: one of the two", b->top,
                       name);
  }
  return 0;
}

int bind_open(bind_t *b, const map_t *map, const describe_t *design, const char *top,
              const module_class_t *cls, const uint32_t *cfg, bool regs, mrpb_err_t *err) {
  *b = (bind_t){.map = map, .design = design, .cls = cls, .cfg = cfg};
  snprintf(b->top, sizeof b->top, "%s", top);
  snprintf(b->called, sizeof b->called, "%s", top);
  cls->ports(cfg, b->in, b->out);
  if (find_ports(b, err) != 0 || bind_states(b, err) != 0) return -1;
  for (unsigned i = 0; i < map->n; i++) {
    mrpb_err_t why = {""};
    const map_statement_t *s = &map->statement[i];
    int rc = take_ports(b, s, &why);
    if (rc == 0 && s->kind == MAP_REG && regs) rc = bind_reg(b, s, &why);
    if (rc == 0 && s->kind == MAP_SHOW && regs) rc = bind_show(b, s, &why);
    if (rc != 0) return map_fail(map, s, err, "%s", why.text);
  }
  if (same_ports(b, err) != 0 || check_inputs(b, err) != 0 || check_outputs(b, err) != 0 ||
      check_ours(b, err) != 0 || bind_compared(b, err) != 0)
    return -1;
  return regs ? bind_same_regs(b, err) : 0;
}

void bind_close(bind_t *b) {
  free(b->reg);
  free(b->show);
  free(b->param);
  b->reg = NULL;
  b->show = NULL;
  b->param = NULL;
}
