/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation of a netlist. */
#include "verify/prove/netlist_priv.h"

#include <stdlib.h>
#include <string.h>

unsigned netlist_ports(const netlist_t *n) {
  return (unsigned)json_object_size(json_object_get(n->top, "ports"));
}

const char *netlist_port(const netlist_t *n, unsigned i, unsigned *width, bool *input) {
  json_t *ports = json_object_get(n->top, "ports");
  void *at = json_object_iter(ports);
  for (; i > 0; i--) at = json_object_iter_next(ports, at);
  const json_t *port = json_object_iter_value(at);
  const char *way = json_string_value(json_object_get(port, "direction"));
  *width = (unsigned)json_array_size(json_object_get(port, "bits"));
  *input = way && strcmp(way, "output") != 0;
  return json_object_iter_key(at);
}

static const json_t *port_bits(const netlist_t *n, const char *name) {
  return json_object_get(json_object_get(json_object_get(n->top, "ports"), name), "bits");
}

/* An array of one word is "x[0]", a plain register is "x". */
static const json_t *register_bits(const netlist_t *n, const char *name, unsigned words,
                                   unsigned i) {
  char full[256];
  const json_t *nets = json_object_get(n->top, "netnames");
  const json_t *plain = json_object_get(json_object_get(nets, name), "bits");
  if (words == 1 && plain) return plain;
  snprintf(full, sizeof full, "%s[%u]", name, i);
  return json_object_get(json_object_get(nets, full), "bits");
}

/* The wire of a bit of one of our registers, which a map may have inverted; -3 if there is none. */
static int64_t register_wire(const netlist_t *n, const char *name, unsigned words, unsigned i,
                             unsigned bit, bool *inverted) {
  *inverted = false;
  if (!n->bind) return netlist_wire(json_array_get(register_bits(n, name, words, i), bit));
  char full[BIND_TEXT + 8];
  const bind_reg_t *r = bind_said_reg(n->bind, name, i, bit);
  if (!r) return -3;
  *inverted = r->inverted;
  snprintf(full, sizeof full, "u_dut.%s", r->net);
  const json_t *nets = json_object_get(n->top, "netnames");
  const json_t *bits = json_object_get(json_object_get(nets, full), "bits");
  return netlist_wire(json_array_get(bits, bit - r->lsb + r->net_lsb));
}

bool netlist_named(const netlist_t *n, const char *name, unsigned i, unsigned bit) {
  return !n->bind || bind_said_reg(n->bind, name, i, bit) != NULL;
}

unsigned netlist_register(const netlist_t *n, const char *name, unsigned words, unsigned i,
                          unsigned width) {
  bool inverted;
  const unsigned found =
      n->bind ? width : (unsigned)json_array_size(register_bits(n, name, words, i));
  for (unsigned k = 0; k < found; k++) {
    if (!netlist_named(n, name, i, k)) continue;
    int64_t w = register_wire(n, name, words, i, k, &inverted);
    if (w < 0 || n->driver[w] == UNSET || !netlist_is_flip_flop(&n->cell[n->driver[w]])) return 0;
    for (unsigned j = 0; j < k; j++)
      if (register_wire(n, name, words, i, j, &inverted) == w) return 0;
  }
  return found;
}

/* The attribute belongs to the whole net, most significant bit first. */
int netlist_init(const netlist_t *n, const char *name, unsigned words, unsigned i, unsigned bit) {
  char full[256];
  const json_t *nets = json_object_get(n->top, "netnames"), *net = json_object_get(nets, name);
  snprintf(full, sizeof full, "%s[%u]", name, i);
  if (words != 1 || !net) net = json_object_get(nets, full);
  const char *v = json_string_value(json_object_get(json_object_get(net, "attributes"), "init"));
  size_t length = v ? strlen(v) : 0;
  char c = bit < length ? v[length - 1 - bit] : 'x';
  return c == '0' ? 0 : c == '1' ? 1 : -1;
}

void netlist_set_port(netlist_t *n, const char *name, bv_t v) {
  const json_t *bits = port_bits(n, name);
  for (size_t k = 0; k < json_array_size(bits) && k < v.n; k++) {
    int64_t w = netlist_wire(json_array_get(bits, k));
    if (w >= 0) n->value[w] = v.b[k];
  }
}

void netlist_set_register(netlist_t *n, const char *name, unsigned words, unsigned i, bv_t v) {
  for (unsigned k = 0; k < v.n; k++) {
    bool inverted;
    int64_t w = register_wire(n, name, words, i, k, &inverted);
    if (w < 0) continue;
    const lit_t bit = inverted ? aig_not(v.b[k]) : v.b[k];
    if (n->state[w] != UNSET && n->state[w] != bit)
      mrpb_fail(&n->trouble, "two registers of the Verilog are one flip-flop");
    n->state[w] = bit;
  }
}

const char *netlist_name_of(const netlist_t *n, int64_t wire) {
  static const char theirs[] = "u_dut."; /* in a user's design */
  const char *name, *found = "";
  json_t *net, *bits;
  size_t i;
  json_object_foreach(json_object_get(n->top, "netnames"), name, net) {
    json_array_foreach(json_object_get(net, "bits"), i, bits) {
      if (netlist_wire(bits) != wire) continue;
      if (n->bind && strncmp(name, theirs, sizeof theirs - 1) == 0) return name + sizeof theirs - 1;
      if (found[0] == '\0' || found[0] == '$') found = name;
    }
  }
  return found;
}

/* Both readings of a Verilog text meet their x values in the same order, so they become the same
 * gates. */
static lit_t unknown(netlist_t *n, bv_ctx_t *x) {
  const netlist_t *o = n->other;
  lit_t v = o && n->n_x < o->n_x ? o->x[n->n_x] : aig_input(x->g);
  n->x = prove_room(n->x, n->n_x + 1, &n->room_x, sizeof *n->x);
  n->x[n->n_x++] = v;
  return v;
}

void netlist_share(netlist_t *n, const netlist_t *other) {
  n->other = other;
}

lit_t netlist_next_of(netlist_t *n, bv_ctx_t *x, const cell_t *c) {
  if (n->cells)
    netlist_cells_check(n, x, c);
  else if (c->s != n->clock)
    mrpb_fail(&n->trouble, "register %s is not clocked by clk_i", netlist_name_of(n, c->q));
  const lit_t d = netlist_evaluate(n, x, c->a);
  if (c->type == G_DFF) return d;
  const lit_t r = netlist_evaluate(n, x, c->b);
  return aig_mux(x->g, c->reset_low ? aig_not(r) : r, c->value ? AIG_TRUE : AIG_FALSE, d);
}

/* The value it holds, in cycles in which no reset overrides it. */
static lit_t held(netlist_t *n, bv_ctx_t *x, const cell_t *c, int64_t wire) {
  lit_t *v = &n->state[wire];
  if (*v != UNSET) return *v;
  if (n->before) return *v = netlist_next_of(n->before, x, c);
  if (!n->loose) {
    mrpb_fail(&n->trouble,
              n->cells ? "no register of the model corresponds to flip-flop %s"
                       : "the Verilog has a register %s that the ports table does not list",
              netlist_name_of(n, wire));
    return *v = AIG_FALSE;
  }
  if (n->n_free++ == 0) snprintf(n->free, sizeof n->free, "%s", netlist_name_of(n, wire));
  return *v = aig_input(x->g);
}

static lit_t flip_flop(netlist_t *n, bv_ctx_t *x, const cell_t *c, int64_t wire) {
  const lit_t v = held(n, x, c, wire);
  if (c->type == G_DFF) return v;
  const lit_t r = netlist_evaluate(n, x, c->b);
  return aig_mux(x->g, c->reset_low ? aig_not(r) : r, c->value ? AIG_TRUE : AIG_FALSE, v);
}

static lit_t gate(netlist_t *n, bv_ctx_t *x, const cell_t *c, int64_t wire) {
  aig_t *g = x->g;
  if (netlist_is_flip_flop(c)) return flip_flop(n, x, c, wire);
  if (c->type == G_MEMORY) return netlist_memory_value(n, c, wire);
  if (c->type == G_OTHER) {
    mrpb_fail(&n->trouble, "the Verilog has a cell of type %s, which is not understood", c->name);
    return AIG_FALSE;
  }
  lit_t a = netlist_evaluate(n, x, c->a);
  if (c->type == G_NOT) return aig_not(a);
  if (c->type == G_BUF) return a;
  lit_t b = netlist_evaluate(n, x, c->b);
  switch ((int)c->type) {
  case G_AND:
    return aig_and(g, a, b);
  case G_NAND:
    return aig_not(aig_and(g, a, b));
  case G_OR:
    return aig_or(g, a, b);
  case G_NOR:
    return aig_not(aig_or(g, a, b));
  case G_XOR:
    return aig_xor(g, a, b);
  case G_XNOR:
    return aig_not(aig_xor(g, a, b));
  case G_ANDNOT:
    return aig_and(g, a, aig_not(b));
  case G_ORNOT:
    return aig_or(g, a, aig_not(b));
  default:
    return aig_mux(g, netlist_evaluate(n, x, c->s), b, a);
  }
}

lit_t netlist_evaluate(netlist_t *n, bv_ctx_t *x, int64_t wire) {
  if (wire == -1) return AIG_FALSE;
  if (wire == -2) return AIG_TRUE;
  if (wire < 0) return unknown(n, x);
  lit_t *v = &n->value[wire];
  if (*v == RUNNING) {
    mrpb_fail(&n->trouble, "the Verilog has a loop of gates through %s", netlist_name_of(n, wire));
    return AIG_FALSE;
  }
  if (*v != UNSET) return *v;
  *v = RUNNING;
  lit_t made =
      n->driver[wire] == UNSET ? unknown(n, x) : gate(n, x, &n->cell[n->driver[wire]], wire);
  *v = made;
  return made;
}

bv_t netlist_output(netlist_t *n, bv_ctx_t *x, const char *name) {
  const json_t *bits = port_bits(n, name);
  bv_t v = bv_new(x, (uint32_t)json_array_size(bits));
  for (uint32_t i = 0; i < v.n; i++)
    v.b[i] = netlist_evaluate(n, x, netlist_wire(json_array_get(bits, i)));
  return v;
}

bv_t netlist_next(netlist_t *n, bv_ctx_t *x, const char *name, unsigned words, unsigned i,
                  unsigned width) {
  bv_t v = bv_new(x, width);
  for (uint32_t k = 0; k < v.n; k++) {
    bool inverted;
    const int64_t w = register_wire(n, name, words, i, k, &inverted);
    const lit_t bit = w < 0 ? AIG_FALSE : netlist_next_of(n, x, &n->cell[n->driver[w]]);
    v.b[k] = inverted ? aig_not(bit) : bit;
  }
  return v;
}

netlist_t *netlist_copy(const netlist_t *n) {
  netlist_t *l = prove_alloc(sizeof *l);
  *l = *n;
  l->shared = true;
  l->value = prove_alloc((size_t)n->n_wires * sizeof *l->value);
  l->state = prove_alloc((size_t)n->n_wires * sizeof *l->state);
  for (int64_t w = 0; w < n->n_wires; w++) l->value[w] = l->state[w] = UNSET;
  l->x = NULL;
  l->n_x = 0;
  l->room_x = 0;
  return l;
}

netlist_t *netlist_again(netlist_t *n) {
  netlist_t *again = netlist_copy(n);
  again->other = n;
  return again;
}

netlist_t *netlist_later(netlist_t *n) {
  netlist_t *later = netlist_copy(n);
  later->before = n;
  return later;
}

void netlist_map(netlist_t *n, const bind_t *bind) {
  n->bind = bind;
  n->loose = true;
}

void netlist_power_up(netlist_t *n) {
  const char *name;
  json_t *net;
  n->loose = true;
  json_object_foreach(json_object_get(n->top, "netnames"), name, net) {
    const json_t *bits = json_object_get(net, "bits");
    const char *v = json_string_value(json_object_get(json_object_get(net, "attributes"), "init"));
    const size_t length = v ? strlen(v) : 0;
    for (size_t k = 0; k < json_array_size(bits) && k < length; k++) {
      const int64_t w = netlist_wire(json_array_get(bits, k));
      const char c = v[length - 1 - k];
      if (w >= 0 && (c == '0' || c == '1')) n->state[w] = c == '1' ? AIG_TRUE : AIG_FALSE;
    }
  }
}

unsigned netlist_free(const netlist_t *n, const char **one) {
  *one = n->free;
  return n->n_free;
}

int netlist_check(const netlist_t *n, mrpb_err_t *err) {
  return n->trouble.text[0] ? mrpb_fail(err, "%s", n->trouble.text) : 0;
}
