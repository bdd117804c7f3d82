/* SPDX-License-Identifier: Apache-2.0 */
/* Links a module: the code of each kernel is followed by that of the functions that it reaches,
 * each once. Registers, labels and variables get their numbers and addresses. */
#include "workload/ptx/parse.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SHARED = 1 << 20 };

/* A kernel being linked. */
typedef struct {
  parser_t *p;
  unit_t *entry;
  uint32_t *first, *first_reg; /* per unit of the module; `first`: UINT32_MAX if not reached */
  uint32_t *order;             /* units in the order of their code */
  uint8_t *open;               /* units whose calls are being followed */
  uint8_t *recursive;          /* units that may be called again before they return */
  uint32_t n, n_insts, n_regs;
  ptx_inst_t *inst;
  ptx_span_t *spans;
} link_t;

static const variable_t *area_of(const link_t *l, const unit_t *u) {
  return &l->p->m->variables[u->area];
}

/* ---- reached functions ---------------------------------------------------------------------- */

static int reach(link_t *l, uint32_t unit, unsigned depth);

static int reach_call(link_t *l, const called_t *c, unsigned depth) {
  if (!c->indirect && ptx_call_kind(c->name) == PTX_CALL_FUNCTION &&
      ptx_unit_named(l->p->m, c->name) == UINT32_MAX)
    return ptx_fail(
        l->p, c->line, "function '%.80s' has no body in this text%s", c->name,
        strncmp(c->name, "__nv_", 5) == 0
            ? "; have the compiler link libdevice, or use an approximation (__sinf, ex2)"
            : "; put its body into the same file, not only its declaration");
  for (uint32_t to = ptx_callee(l->p->m, c, 0); to != UINT32_MAX;
       to = ptx_callee(l->p->m, c, to + 1))
    if (l->first[to] == UINT32_MAX && reach(l, to, depth + 1)) return -1;
  return 0;
}

static int reach(link_t *l, uint32_t unit, unsigned depth) {
  const unit_t *u = &l->p->m->units[unit];
  if (u->k.refused && u == l->entry) return mrpb_fail(l->p->err, "%s", u->k.refused);
  if (u->k.refused)
    return mrpb_fail(l->p->err, "%.380s (in function '%.80s', which it calls)", u->k.refused,
                     u->k.name);
  if (depth > PTX_CALL_DEPTH)
    return ptx_fail(l->p, u->line, "calls nested more than %d deep", PTX_CALL_DEPTH);
  l->first[unit] = l->n_insts;
  l->first_reg[unit] = l->n_regs;
  l->order[l->n++] = unit;
  l->n_insts += u->k.n_insts;
  l->n_regs += u->k.n_regs - 1;
  l->open[unit] = 1;
  for (uint32_t i = 0; i < u->k.n_insts; i++)
    if (u->k.insts[i].op == PTX_OP_CALL &&
        reach_call(l, &l->p->m->called[u->k.insts[i].target], depth))
      return -1;
  l->open[unit] = 0;
  return 0;
}

/* ---- recursion ------------------------------------------------------------------------------------ */

/* The frame of a recursive function is saved when the function is called again. An address into the
 * frame would then refer to that of another call, so it is refused. */
static int check_frame(const link_t *l, uint32_t unit) {
  const unit_t *u = &l->p->m->units[unit];
  for (uint32_t i = 0; i < u->k.n_insts; i++)
    for (unsigned s = 0; s < 5; s++) {
      const ptx_operand_t *o = &u->k.insts[i].src[s];
      if (o->kind == PTX_OPERAND_SYMBOL && o->reg == u->area && u->k.insts[i].space != PTX_ARGUMENT)
        return ptx_fail(l->p, u->k.insts[i].line,
                        "the address of a parameter of function '%.80s', which calls itself, "
                        "directly or through others; legal: ld.param, st.param at constant places",
                        u->k.name);
    }
  return 0;
}

static int find_recursion(link_t *l) {
  for (uint32_t n = 0; n < l->n; n++) {
    const uint32_t unit = l->order[n];
    memset(l->open, 0, l->p->m->n_units);
    l->recursive[unit] = ptx_leads_to(l->p->m, unit, unit, l->open);
    if (l->recursive[unit] && check_frame(l, unit)) return -1;
  }
  return 0;
}

/* ---- variables --------------------------------------------------------------------------------- */

static int place(const link_t *l, variable_t *v, uint32_t *bytes) {
  uint64_t at = (*bytes + v->v.align - 1) / v->v.align * v->v.align;
  if (at + v->v.bytes > MAX_SHARED)
    return ptx_fail(l->p, v->line, "kernel '%.60s': more than %d bytes of .%s variables",
                    l->entry->k.name, MAX_SHARED, ptx_space_name(v->v.space));
  v->v.address = at;
  *bytes = (uint32_t)(at + v->v.bytes);
  return 0;
}

/* Whether the variable belongs to a linked unit, or the linked code names it. */
static bool is_here(const link_t *l, const variable_t *v) {
  if (v->kernel == PTX_NO_KERNEL) return v->used_by == l->entry->index;
  return l->first[v->kernel] != UINT32_MAX;
}

static void mark_used(const link_t *l) {
  for (uint32_t i = 0; i < l->n_insts; i++)
    for (unsigned s = 0; s < 5; s++) {
      const ptx_operand_t *o = &l->inst[i].src[s];
      if (o->kind == PTX_OPERAND_SYMBOL) l->p->m->variables[o->reg].used_by = l->entry->index;
    }
}

/* Lays out the shared and local variables of the kernel's units, and the shared variables of the
 * module that they name. All .extern variables begin behind the others, at the same address. */
static int lay_out(const link_t *l) {
  ptx_kernel_t *k = &l->entry->k;
  uint32_t end = 0;
  mark_used(l);
  for (unsigned external = 0; external < 2; external++) {
    for (size_t i = 0; i < l->p->m->n_variables; i++) {
      variable_t *v = &l->p->m->variables[i];
      if (v->external != (external == 1) || v->in_stack || !is_here(l, v)) continue;
      if (v->v.space != PTX_SHARED && v->v.space != PTX_LOCAL) continue;
      uint32_t *bytes = v->v.space == PTX_LOCAL ? &k->local_bytes : &k->shared_bytes;
      const uint32_t shared_end = k->shared_bytes;
      if (place(l, v, bytes)) return -1;
      if (external && v->v.space == PTX_SHARED) {
        if (*bytes > end) end = *bytes;
        k->shared_bytes = shared_end;
      }
    }
  }
  if (end > k->shared_bytes) k->shared_bytes = end;
  return 0;
}

/* Addresses of shared and local variables become constants; the others wait for ptx_bind. */
static int bind_operands(parser_t *p, ptx_inst_t *i) {
  ptx_module_t *m = p->m;
  for (unsigned s = 0; s < 5; s++) {
    ptx_operand_t *o = &i->src[s];
    if (o->kind != PTX_OPERAND_SYMBOL) continue;
    const ptx_variable_t *v = &m->variables[o->reg].v;
    if (v->space == PTX_SHARED || v->space == PTX_LOCAL) {
      *o = (ptx_operand_t){.kind = PTX_OPERAND_IMM, .imm = o->imm + v->address};
      continue;
    }
    if (PTX_GROW(p, m, fixups, n_fixups)) return -1;
    m->fixups[m->n_fixups++] = (fixup_t){i, o->imm, (uint16_t)o->reg, (uint8_t)s};
  }
  return 0;
}

/* ---- code -------------------------------------------------------------------------------------- */

static void renumber(ptx_inst_t *i, uint32_t by, uint32_t first) {
  for (unsigned n = 0; n < 5; n++) {
    if (n < 4 && i->dst[n].kind == PTX_OPERAND_REG) i->dst[n].reg += by;
    if (i->src[n].kind == PTX_OPERAND_REG) i->src[n].reg += by;
  }
  if (i->guard) i->guard += by;
  if (i->op != PTX_OP_CALL && i->target != PTX_NO_TARGET) i->target += first;
  if (i->reconverge != PTX_NO_TARGET) i->reconverge += first;
}

static int shift_targets(const link_t *l, ptx_inst_t *i, uint32_t first) {
  if (i->op != PTX_OP_BRX || first == 0) return 0;
  uint32_t *to = ptx_alloc(l->p, (i->n_targets + 1) * sizeof *to);
  if (!to) return -1;
  for (uint32_t t = 0; t < i->n_targets; t++) to[t] = i->targets[t] + first;
  i->targets = to;
  return 0;
}

static int check_passed(const link_t *l, const called_t *c, const char *what, const slot_t *a,
                        unsigned n, const slot_t *b, unsigned m) {
  if (n != m)
    return ptx_fail(l->p, c->line, "the call has %u %s, function '%.80s' %u", n, what, c->name, m);
  for (unsigned i = 0; i < n; i++)
    if (a[i].bytes != b[i].bytes)
      return ptx_fail(l->p, c->line, "%s %u of the call: %u bytes; function '%.80s' has %u", what,
                      i, a[i].bytes, c->name, b[i].bytes);
  return 0;
}

static ptx_copy_t *copies(const link_t *l, const slot_t *from, uint64_t from_at, const slot_t *to,
                          uint64_t to_at, unsigned n) {
  ptx_copy_t *c = ptx_alloc(l->p, (n + 1) * sizeof *c);
  for (unsigned i = 0; c && i < n; i++)
    c[i] = (ptx_copy_t){(uint32_t)(from ? from_at + from[i].offset : 0),
                        (uint32_t)(to ? to_at + to[i].offset : 0), (from ? from : to)[i].bytes};
  return c;
}

/* The call `c` of unit `u`, as a call of unit `to`; *target is where that unit begins. */
static ptx_call_t *call_of(const link_t *l, const unit_t *u, const called_t *c, uint32_t to,
                           uint32_t *target) {
  const unit_t *f = &l->p->m->units[to];
  const uint64_t here = u->area == PTX_NO_AREA ? 0 : area_of(l, u)->v.address;
  const uint64_t there = f->area == PTX_NO_AREA ? 0 : area_of(l, f)->v.address;
  ptx_call_t *call = ptx_alloc(l->p, sizeof *call);
  if (!call) return NULL;
  *call = (ptx_call_t){.kind = PTX_CALL_FUNCTION, .n_in = c->n_in, .n_out = c->n_out};
  *target = l->first[to];
  while (l->order[call->span] != to) call->span++;
  call->in = copies(l, c->in, here, f->in, there, c->n_in);
  call->out = copies(l, f->out, there, c->out, here, c->n_out);
  return call->in && call->out ? call : NULL;
}

/* A call of a function of this library: it reads its parameters and writes its result in place. */
static ptx_call_t *call_builtin(const link_t *l, const unit_t *u, const called_t *c) {
  const uint64_t here = u->area == PTX_NO_AREA ? 0 : area_of(l, u)->v.address;
  const unsigned want = ptx_call_kind(c->name) == PTX_CALL_PRINTF ? 2 : 5;
  ptx_call_t *call = ptx_alloc(l->p, sizeof *call);
  if (!call) return NULL;
  *call = (ptx_call_t){.kind = ptx_call_kind(c->name), .n_in = c->n_in, .n_out = c->n_out};
  if (c->n_in != want) {
    (void)ptx_fail(l->p, c->line, "the call has %u parameters, function '%.80s' %u", c->n_in,
                   c->name, want);
    return NULL;
  }
  call->in = copies(l, c->in, here, NULL, 0, c->n_in);
  call->out = copies(l, NULL, 0, c->out, here, c->n_out);
  return call->in && call->out ? call : NULL;
}

/* A call through a register: lists every function that it may reach. */
static ptx_call_t *call_register(const link_t *l, const unit_t *u, const called_t *c) {
  ptx_call_t *call = ptx_alloc(l->p, sizeof *call);
  ptx_callee_t *list = ptx_alloc(l->p, (l->p->m->n_functions + 1) * sizeof *list);
  if (!call || !list) return NULL;
  *call = (ptx_call_t){.kind = PTX_CALL_REGISTER, .callee = list};
  for (uint32_t to = ptx_callee(l->p->m, c, 0); to != UINT32_MAX;
       to = ptx_callee(l->p->m, c, to + 1)) {
    size_t from = 0;
    for (uint64_t at; (at = ptx_taken_address(l->p->m, to, &from));) {
      ptx_callee_t *e = &list[call->n_callees++];
      e->address = at;
      if (!(e->call = call_of(l, u, c, to, &e->target))) return NULL;
    }
  }
  return call;
}

/* Determines what the call of unit `u` copies and where it goes. */
static int resolve_call(const link_t *l, const unit_t *u, ptx_inst_t *i) {
  const called_t *c = &l->p->m->called[i->target];
  i->target = PTX_NO_TARGET;
  if (c->indirect) {
    i->call = call_register(l, u, c);
  } else if (ptx_call_kind(c->name) != PTX_CALL_FUNCTION) {
    i->call = call_builtin(l, u, c);
  } else {
    const uint32_t to = ptx_unit_named(l->p->m, c->name);
    const unit_t *f = &l->p->m->units[to];
    if (check_passed(l, c, "parameters", c->in, c->n_in, f->in, f->n_in) ||
        check_passed(l, c, "results", c->out, c->n_out, f->out, f->n_out))
      return -1;
    i->call = call_of(l, u, c, to, &i->target);
  }
  return i->call ? 0 : -1;
}

/* Copies the code of all units, one after another. */
static int join(link_t *l) {
  ptx_kernel_t *k = &l->entry->k;
  ptx_reg_t *regs = ptx_alloc(l->p, l->n_regs * sizeof *regs);
  ptx_span_t *spans = ptx_alloc(l->p, l->n * sizeof *spans);
  l->inst = ptx_alloc(l->p, l->n_insts * sizeof *l->inst);
  if (!regs || !spans || !l->inst) return -1;
  regs[0] = l->entry->k.regs[0];
  for (uint32_t n = 0; n < l->n; n++) {
    const uint32_t id = l->order[n], first = l->first[id], by = l->first_reg[id] - 1;
    const unit_t *u = &l->p->m->units[id];
    spans[n] = (ptx_span_t){.first = first,
                            .n_insts = u->k.n_insts,
                            .first_reg = l->first_reg[id],
                            .n_regs = u->k.n_regs - 1,
                            .recursive = l->recursive[id]};
    memcpy(regs + l->first_reg[id], u->k.regs + 1, (u->k.n_regs - 1) * sizeof *regs);
    memcpy(l->inst + first, u->k.insts, u->k.n_insts * sizeof *l->inst);
    for (uint32_t i = 0; i < u->k.n_insts; i++) {
      renumber(&l->inst[first + i], by, first);
      ptx_time(&l->inst[first + i], regs);
      if (shift_targets(l, &l->inst[first + i], first)) return -1;
    }
  }
  k->regs = regs;
  k->n_regs = l->n_regs;
  k->spans = l->spans = spans;
  k->n_spans = l->n;
  return 0;
}

/* Records where the parameters of each function lie, and the stack of a function that calls
 * itself. */
static void place_areas(const link_t *l) {
  for (uint32_t n = 0; n < l->n; n++) {
    const unit_t *u = &l->p->m->units[l->order[n]];
    if (u->stack) l->spans[n].stack = (uint32_t)l->p->m->variables[u->stack].v.address;
    l->spans[n].stacked = u->stack != 0;
    if (u->area == PTX_NO_AREA) continue;
    l->spans[n].area = (uint32_t)area_of(l, u)->v.address;
    l->spans[n].area_bytes = (uint32_t)area_of(l, u)->v.bytes;
  }
}

static int finish(link_t *l) {
  ptx_module_t *m = l->p->m;
  ptx_kernel_t *k = &l->entry->k;
  if (join(l) || lay_out(l)) return -1;
  place_areas(l);
  for (uint32_t n = 0; n < l->n; n++) {
    const unit_t *u = &m->units[l->order[n]];
    ptx_inst_t *at = l->inst + l->first[l->order[n]];
    for (uint32_t i = 0; i < u->k.n_insts; i++)
      if (at[i].op == PTX_OP_CALL && resolve_call(l, u, &at[i])) return -1;
  }
  k->first_pc = m->next_pc;
  for (uint32_t i = 0; i < l->n_insts; i++) {
    if (bind_operands(l->p, &l->inst[i])) return -1;
    l->inst[i].warp.pc = m->next_pc;
    m->next_pc += WARP_PC_STEP;
  }
  k->insts = l->inst;
  k->narrow = m->narrow;
  k->n_insts = l->n_insts;
  if (PTX_GROW(l->p, m, kernels, n_kernels)) return -1;
  m->kernels[m->n_kernels++] = *k;
  return 0;
}

static int link_kernel(parser_t *p, uint32_t unit) {
  const size_t n = p->m->n_units;
  link_t l = {.p = p, .entry = &p->m->units[unit], .n_regs = 1};
  l.first = malloc(n * sizeof *l.first);
  l.first_reg = malloc(n * sizeof *l.first_reg);
  l.order = malloc(n * sizeof *l.order);
  l.open = calloc(n, 1);
  l.recursive = calloc(n, 1);
  int rc =
      l.first && l.first_reg && l.order && l.open && l.recursive ? 0 : ptx_no_memory(p, p->line);
  if (rc == 0) {
    memset(l.first, 0xFF, n * sizeof *l.first);
    rc = reach(&l, unit, 0);
  }
  if (rc == 0) rc = find_recursion(&l);
  if (rc == 0) rc = finish(&l);
  free(l.first);
  free(l.first_reg);
  free(l.order);
  free(l.open);
  free(l.recursive);
  return rc;
}

/* Keeps a kernel that cannot be linked, without code. */
static int refuse_kernel(parser_t *p, const unit_t *entry) {
  ptx_module_t *m = p->m;
  ptx_kernel_t k = entry->k;
  k.insts = NULL;
  k.n_insts = k.n_spans = 0;
  k.first_pc = m->next_pc;
  if (!(k.refused = ptx_keep_error(p)) || PTX_GROW(p, m, kernels, n_kernels)) return -1;
  m->kernels[m->n_kernels++] = k;
  return 0;
}

int ptx_link(parser_t *p) {
  if (ptx_give_depots(p)) return -1;
  for (uint32_t i = 0; i < p->m->n_units; i++)
    if (!p->m->units[i].function && link_kernel(p, i) && refuse_kernel(p, &p->m->units[i]))
      return -1;
  return 0;
}
