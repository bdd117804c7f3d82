/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/net_run.h"

#include "verify/prove/llvm/net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is compared ---- */

static bool varies(const lit_t *byte) {
  for (unsigned k = 0; byte && k < 8; k++)
    if (!aig_is_const(byte[k])) return true;
  return false;
}

static void list_bytes(net_t *n) {
  const sides_t *s = n->s;
  const model_t *m = &s->model;
  for (uint32_t id = m->first; id < m->end && s->before; id++)
    for (uint32_t at = 0; at < mem_size(m->made, id); at++) {
      const lit_t *before = mem_byte(s->before, id, at);
      const lit_t *after = s->after ? mem_byte(s->after, id, at) : NULL;
      if (!varies(before) && !varies(after)) continue;
      n->byte = prove_room(n->byte, n->n_bytes + 1, &n->room, sizeof *n->byte);
      n->byte[n->n_bytes++] = (net_byte_t){id - m->first, at, before, after};
    }
}

static void want(lit_t **all, size_t *n, size_t *room, const lit_t *b, uint32_t bits) {
  *all = prove_room(*all, *n + bits, room, sizeof **all);
  if (bits) memcpy(*all + *n, b, bits * sizeof *b);
  *n += bits;
}

static plan_t *make_plan(const net_t *n) {
  const sides_t *s = n->s;
  lit_t *all = NULL;
  size_t count = 0, room = 0;
  want(&all, &count, &room, &s->inv, 1);
  for (size_t i = 0; i < n->n_bytes; i++) {
    want(&all, &count, &room, n->byte[i].before, 8);
    if (n->byte[i].after) want(&all, &count, &room, n->byte[i].after, 8);
  }
  for (unsigned k = 0; k < (s->cycle ? s->n_cycles : 1); k++)
    for (unsigned i = 0; i < s->model.n_out; i++) {
      const bv_t v = s->cycle ? s->cycle[k].out[i] : s->out_c[i];
      want(&all, &count, &room, v.b, v.n);
    }
  plan_t *p = plan_net_open(s->g, all, count);
  free(all);
  return p;
}

/* ---- differences ---- */

/* Up to 64 bits of one case in the graph. */
static uint64_t value_of(const net_t *n, const lit_t *b, unsigned bits, unsigned lane) {
  uint64_t v = 0;
  for (unsigned k = 0; k < bits && k < 64; k++) v |= (plan_value(n->plan, b[k]) >> lane & 1) << k;
  return v;
}

static bool differs(net_t *n, const char *what, uint64_t proof, uint64_t program) {
  snprintf(n->said->what, sizeof n->said->what, "%s: proof 0x%" PRIx64 ", program 0x%" PRIx64, what,
           proof, program);
  return false;
}

/* Compares the outputs that a function gave in the cases of `which` with `out` of the graph; only
 * the words `named` (NULL: all). */
static bool same_outputs(net_t *n, uint64_t (*words)[NET_WORDS], const bv_t *out, uint64_t which,
                         const uint64_t *named, const char *function) {
  const model_t *m = &n->s->model;
  lanes_row_t row;
  uint64_t bit[8];
  char what[160];
  for (unsigned i = 0; i < LANES; i++) row[i] = (unsigned char *)words[i];
  for (unsigned i = 0; i < m->n_out; i++) {
    const unsigned word = m->out[i].word;
    if (named && !(named[word / 64] >> word % 64 & 1)) continue;
    for (uint32_t k = 0; k < out[i].n; k++) {
      if (k % 8 == 0) lanes_gather(row, word * 8 + k / 8, bit);
      const uint64_t bad = (bit[k % 8] ^ plan_value(n->plan, out[i].b[k])) & which;
      if (!bad) continue;
      n->said->lane = (unsigned)__builtin_ctzll(bad);
      snprintf(what, sizeof what, "%s gives %s", function, m->out[i].name);
      return differs(n, what, value_of(n, out[i].b + k / 64 * 64, 64, n->said->lane),
                     words[n->said->lane][word + k / 64]);
    }
  }
  return true;
}

static void name_byte(const net_t *n, const net_byte_t *b, const char *when, char *text,
                      size_t size) {
  const model_t *m = &n->s->model;
  const model_reg_t *r = model_register(m, m->first + b->object, b->offset);
  if (r)
    snprintf(text, size, "%s[%u] %s, byte %u", r->name, (b->offset - r->offset) / r->elem_bytes,
             when, (b->offset - r->offset) % r->elem_bytes);
  else
    snprintf(text, size, "byte %u of object %u of the C model %s", b->offset, b->object, when);
}

/* Compares the memory of the cases in `which` with the graph's, before or after an edge. */
static bool same_memory(net_t *n, const lanes_t *lane, bool after, uint64_t which,
                        const char *when) {
  uint64_t bit[8];
  char what[160];
  for (size_t i = 0; i < n->n_bytes; i++) {
    const net_byte_t *b = &n->byte[i];
    const lit_t *graph = after ? b->after : b->before;
    if (!graph) continue;
    lanes_gather(lane->at[b->object], b->offset, bit);
    for (unsigned k = 0; k < 8; k++) {
      const uint64_t bad = (bit[k] ^ plan_value(n->plan, graph[k])) & which;
      if (!bad) continue;
      const unsigned at = n->said->lane = (unsigned)__builtin_ctzll(bad);
      name_byte(n, b, when, what, sizeof what);
      return differs(n, what, value_of(n, graph, 8, at), lane->at[b->object][at][b->offset]);
    }
  }
  return true;
}

/* ---- the variables of the graph ---- */

static void set_bit(net_t *n, lit_t a, uint64_t value) {
  n->said->in[aig_input_number(n->s->g, a)] = value;
}

/* Changes the variables of unknown values now and then: nothing may depend on them. */
static void set_others(net_t *n, unsigned step) {
  for (uint32_t i = 0; step % 64 == 0 && i < aig_inputs(n->s->g); i++)
    n->said->in[i] = prng_next(&n->prng);
}

static void set_inputs(net_t *n, const bv_t *in) {
  const model_t *m = &n->s->model;
  lanes_row_t row;
  uint64_t bit[8];
  for (unsigned i = 0; i < LANES; i++) row[i] = (unsigned char *)n->in[i];
  for (unsigned i = 0; i < m->n_in; i++)
    for (uint32_t k = 0; k < in[i].n; k++) {
      if (k % 8 == 0) lanes_gather(row, m->in[i].word * 8 + k / 8, bit);
      if (!aig_is_const(in[i].b[k])) set_bit(n, in[i].b[k], bit[k % 8]);
    }
}

/* Sets the state's variables to the program's state. */
static void set_state(net_t *n) {
  lit_t a, b;
  uint64_t bit[8];
  for (size_t i = 0; i < n->n_bytes; i++) {
    lanes_gather(n->lane.at[n->byte[i].object], n->byte[i].offset, bit);
    for (unsigned k = 0; k < 8; k++) {
      const lit_t v = n->byte[i].before[k];
      if (!aig_is_const(v) && !aig_fanins(n->s->g, v >> 1, &a, &b))
        set_bit(n, v, v & 1 ? ~bit[k] : bit[k]);
    }
  }
}

/* Changes some elements of some registers, different ones in each case. */
static void disturb(net_t *n) {
  const sides_t *s = n->s;
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned times = 1 + prng_below(&n->prng, 3); times > 0; times--) {
      const unsigned r = prng_below(&n->prng, s->model.n_regs);
      const bv_t v = s->state[s->first[r] + prng_below(&n->prng, s->model.reg[r].words)];
      const uint64_t value = draw_value(&n->prng, v.n < 64 ? v.n : 64);
      for (uint32_t k = 0; k < v.n && k < 64; k++) {
        if (aig_is_const(v.b[k])) continue; /* a register bit that a netlist need not have */
        uint64_t *w = &n->said->in[aig_input_number(s->g, v.b[k])];
        *w = (*w & ~(UINT64_C(1) << lane)) | (value >> k & 1) << lane;
      }
    }
}

/* Brings the program into the states of the graph. */
static void poke(net_t *n, uint64_t which) {
  uint64_t bit[8];
  for (size_t i = 0; i < n->n_bytes; i++) {
    for (unsigned k = 0; k < 8; k++) bit[k] = plan_value(n->plan, n->byte[i].before[k]);
    lanes_scatter(n->lane.at[n->byte[i].object], n->byte[i].offset, bit, which);
  }
}

/* ---- the program ---- */

static void now(net_t *n, unsigned lane, const char *function) {
  n->said->lane = lane;
  snprintf(n->said->doing, sizeof n->said->doing, "%s", function);
}

static bool call_comb(net_t *n, unsigned way, uint64_t which) {
  char name[96];
  snprintf(name, sizeof name, "%s_comb", n->cls->stem);
  for (uint64_t w = which; w; w &= w - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(w);
    now(n, i, name);
    n->object.comb[way](n->lane.self[i], n->in[i], n->out[i]);
  }
  return same_outputs(n, n->out, n->s->out_c, which, NULL, name);
}

static bool call_view(net_t *n, const module_fast_t *fast, uint64_t which) {
  enum { OTHERS = 0xa5 };
  uint64_t named[NET_WORDS / 64];
  mrpb_err_t err = {""};
  if (module_view_words(n->object.cls, n->s->cfg, fast, named, &err) != 0) return false;
  memset(n->other, OTHERS, sizeof n->other);
  for (uint64_t w = which; w; w &= w - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(w);
    now(n, i, fast->name);
    fast->view(n->lane.self[i], n->in[i], n->other[i]);
    for (unsigned k = 0; k < n->cls->out_words; k++)
      if (!(named[k / 64] >> k % 64 & 1) && n->other[i][k] != OTHERS * (UINT64_MAX / 255)) {
        snprintf(n->said->what, sizeof n->said->what, "%s writes outputs that are not its own",
                 fast->name);
        return false;
      }
  }
  return same_outputs(n, n->other, n->s->out_c, which, named, fast->name);
}

static bool call_step(net_t *n, const module_fast_t *fast, uint64_t which) {
  char when[128];
  for (uint64_t w = which; w; w &= w - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(w);
    now(n, i, fast->name);
    n->object.cls->copy(n->copy.self[i], n->lane.self[i]);
    fast->step(n->copy.self[i], n->in[i], n->other[i]);
  }
  snprintf(when, sizeof when, "after %s", fast->name);
  return same_outputs(n, n->other, n->s->out_c, which, NULL, fast->name) &&
         same_memory(n, &n->copy, true, which, when);
}

static bool call_edge(net_t *n, unsigned way, uint64_t which) {
  char name[96];
  if (n->cls->n_regs == 0) return true;
  snprintf(name, sizeof name, "%s_edge", n->cls->stem);
  for (uint64_t w = which; w; w &= w - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(w);
    now(n, i, name);
    n->object.edge[way](n->lane.self[i], n->in[i]);
  }
  return same_memory(n, &n->lane, true, which, "after the edge");
}

/* Runs a cycle of the cases in `which`. */
static bool cycle(net_t *n, unsigned way, uint64_t which) {
  const module_class_t *c = n->object.cls;
  bool same = call_comb(n, way, which);
  for (unsigned i = 0; same && i < c->n_fast; i++)
    same = c->fast[i].step ? call_step(n, &c->fast[i], which) : call_view(n, &c->fast[i], which);
  same = same && call_edge(n, way, which);
  n->said->states += (unsigned)__builtin_popcountll(which);
  return same;
}

static void draw(net_t *n) {
  for (unsigned i = 0; i < LANES; i++)
    draw_inputs(&n->draw[i], n->s->model.in, n->s->model.n_in, n->in[i]);
}

/* Continues the run with copies. */
static void change_to_copies(net_t *n) {
  const lanes_t lane = n->lane;
  for (unsigned i = 0; i < LANES; i++) n->object.cls->copy(n->copy.self[i], lane.self[i]);
  n->lane = n->copy;
  n->copy = lane;
}

static bool may_change(const void *ctx, uint32_t object, uint32_t offset) {
  const net_t *n = ctx;
  const sides_t *s = n->s;
  const uint32_t id = s->model.first + object;
  return varies(mem_byte(s->before, id, offset)) ||
         (s->after && varies(mem_byte(s->after, id, offset)));
}

/* Constants of the model must be constant in the program; at first, everything must be as create
 * makes it. */
static bool same_constants(net_t *n, bool first) {
  uint32_t object, offset;
  for (unsigned i = 0; i < LANES; i++) {
    if (!lanes_changed(&n->lane, &n->s->model, i, first ? NULL : may_change, n, &object, &offset))
      continue;
    n->said->lane = i;
    snprintf(n->said->what, sizeof n->said->what,
             "byte %u of object %u of the C model is not what %s_create makes in the proof", offset,
             object, n->cls->stem);
    return false;
  }
  return true;
}

/* States that a run reaches must satisfy the invariant. */
static bool reachable(net_t *n, uint64_t holds) {
  if (holds == UINT64_MAX) return true;
  n->said->lane = (unsigned)__builtin_ctzll(~holds);
  snprintf(n->said->what, sizeof n->said->what, "a run reaches this state: no invariant");
  return false;
}

/* Steps of a run from a reset, each followed by a step from other states that satisfy the
 * invariant. */
bool net_states(net_t *n) {
  enum { COPY = 50 };
  bool same = same_constants(n, true);
  for (unsigned step = 0; same && n->said->states < NET_STATES; step++) {
    const bool beside = step % 2 == 1 && n->s->model.n_regs > 0;
    draw(n);
    set_others(n, step);
    set_inputs(n, n->s->in);
    set_state(n);
    if (beside) disturb(n);
    plan_run(n->plan, n->said->in);
    const uint64_t holds = plan_value(n->plan, n->s->inv), which = beside ? holds : UINT64_MAX;
    if (beside) poke(n, which);
    same = (beside || reachable(n, holds)) &&
           same_memory(n, &n->lane, false, which, "before the edge") &&
           cycle(n, step / 2 % 2, which);
    if (step % COPY == 0 && n->s->model.n_regs > 0) change_to_copies(n);
  }
  return same && same_constants(n, false);
}

/* ---- a simulation's own constants ---- */

static bool same_twins(net_t *n, unsigned i) {
  module_reg_t a[MODULE_MAX_REGS], b[MODULE_MAX_REGS];
  char what[160];
  const module_class_t *c = n->twin_object.cls;
  for (unsigned k = 0; k < c->out_words; k++)
    if (n->out[i][k] != n->other[i][k])
      return differs(n, "an output of the program with a simulation's constants", n->out[i][k],
                     n->other[i][k]);
  n->object.cls->regs(n->lane.self[i], a);
  c->regs(n->twin.self[i], b);
  for (unsigned r = 0; r < c->n_regs; r++)
    for (unsigned k = 0; k < b[r].words; k++) {
      const uint64_t x = module_reg_value(&a[r], k), y = module_reg_value(&b[r], k);
      snprintf(what, sizeof what, "%.63s[%u] of the program with a simulation's constants",
               b[r].name, k);
      if (x != y) return differs(n, what, x, y);
    }
  return true;
}

bool net_twin(net_t *n) {
  if (!n->has_twin) return true;
  lanes_close(&n->lane);
  if (lanes_open(&n->lane, &n->object, NULL, n->s->cfg, &n->said->err) != 0) return false;
  for (unsigned states = 0; states < NET_STATES; states += LANES) {
    draw(n);
    set_inputs(n, n->s->in);
    for (unsigned i = 0; i < LANES; i++) {
      now(n, i, "the program with a simulation's constants");
      n->object.comb[0](n->lane.self[i], n->in[i], n->out[i]);
      n->twin_object.comb[0](n->twin.self[i], n->in[i], n->other[i]);
      n->object.edge[0](n->lane.self[i], n->in[i]);
      n->twin_object.edge[0](n->twin.self[i], n->in[i]);
      if (!same_twins(n, i)) return false;
    }
  }
  return true;
}

/* ---- from a reset, again and again ---- */

static void draw_cycle(net_t *n, unsigned k) {
  const model_t *m = &n->s->model;
  draw(n);
  for (unsigned i = 0; i < m->n_in && k == 0; i++)
    for (unsigned lane = 0; strcmp(m->in[i].name, "srst_ni") == 0 && lane < LANES; lane++)
      n->in[lane][m->in[i].word] = 0;
  set_inputs(n, n->s->cycle[k].in);
}

bool net_cycles(net_t *n) {
  const unsigned cycles = n->s->n_cycles;
  uint64_t(*in)[LANES][NET_WORDS] = prove_alloc(cycles * sizeof *in);
  bool same = true;
  for (unsigned step = 0; same && n->said->states < NET_STATES; step++) {
    set_others(n, step);
    for (unsigned k = 0; k < cycles; k++) {
      draw_cycle(n, k);
      memcpy(in[k], n->in, sizeof n->in);
    }
    plan_run(n->plan, n->said->in);
    for (unsigned i = 0; i < LANES; i++) n->object.cls->copy(n->lane.self[i], n->copy.self[i]);
    for (unsigned k = 0; same && k < cycles; k++) {
      for (unsigned i = 0; i < LANES; i++) {
        now(n, i, n->cls->stem);
        n->object.comb[k % 2](n->lane.self[i], in[k][i], n->out[i]);
        if (n->cls->n_regs > 0) n->object.edge[k % 2](n->lane.self[i], in[k][i]);
      }
      same = same_outputs(n, n->out, n->s->cycle[k].out, UINT64_MAX, NULL, n->cls->stem);
      n->said->states += LANES;
    }
  }
  free(in);
  return same;
}

/* ---- */

int net_open(net_t *n, mrpb_err_t *err) {
  const sides_t *s = n->s;
  const bool own = n->loaded && !n->has_twin;
  if (object_open(&n->object, own ? NULL : n->file, n->cls, err) != 0) return -1;
  if (n->has_twin &&
      object_open(&n->twin_object, n->loaded ? NULL : n->twin_file, n->cls, err) != 0)
    return -1;
  list_bytes(n);
  n->plan = make_plan(n);
  n->prng = prng_seed(1, 0);
  for (unsigned i = 0; i < LANES; i++) n->draw[i] = (draw_t){.prng = prng_seed(2, i)};
  const model_t *m = s->cycle ? NULL : &s->model;
  if (lanes_open(&n->lane, &n->object, m, s->cfg, err) != 0 ||
      lanes_open(&n->copy, &n->object, m, s->cfg, err) != 0)
    return -1;
  return n->has_twin ? lanes_open(&n->twin, &n->twin_object, NULL, s->cfg, err) : 0;
}

void net_close(net_t *n) {
  lanes_close(&n->lane);
  lanes_close(&n->copy);
  lanes_close(&n->twin);
  plan_net_close(n->plan);
  free(n->byte);
  object_close(&n->object);
  object_close(&n->twin_object);
}
