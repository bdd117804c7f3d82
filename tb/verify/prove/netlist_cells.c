/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/netlist_cells.h"

#include "verify/prove/netlist_priv.h"
#include "verilog/build.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* $_DFF_P_, $_DFF_PN0_, $_DFFSR_PNN_: the edge, then polarities: of the reset and its value, or of
 * set and reset. */
void netlist_cells_flop(cell_t *made, const char *type) {
  const size_t n = strlen(type);
  const bool plain = strncmp(type, "$_DFF_", 6) == 0 && (n == 8 || n == 10);
  const bool both = strncmp(type, "$_DFFSR_", 8) == 0 && n == 12;
  if (!plain && !both) return;
  made->type = G_DFF;
  made->falling = type[both ? 8 : 6] == 'N';
  made->has_reset = n > 8;
  made->has_set = both;
  made->set_low = both && type[9] == 'N';
  made->reset_low = both ? type[10] == 'N' : n > 8 && type[7] == 'N';
}

void netlist_cells_driven(netlist_t *n, int64_t wire, const char *cell) {
  if (wire == -1 || wire == -2)
    mrpb_fail(&n->trouble, "a cell (%s) drives a net that is tied to %u", cell,
              wire == -2 ? 1u : 0u);
  else if (wire >= 0 && n->driver[wire] != UNSET)
    mrpb_fail(&n->trouble, "two cells drive net %s", netlist_name_of(n, wire));
}

void netlist_cells_read(netlist_t *n) {
  unsigned width;
  bool input;
  for (unsigned i = 0; i < netlist_ports(n); i++) {
    const char *name = netlist_port(n, i, &width, &input);
    const json_t *port = json_object_get(json_object_get(n->top, "ports"), name);
    for (unsigned k = 0; input && k < width; k++) {
      const int64_t w = netlist_wire(json_array_get(json_object_get(port, "bits"), k));
      if (w < 0 || n->driver[w] != UNSET) mrpb_fail(&n->trouble, "something drives input %s", name);
    }
  }
  n->flop = prove_alloc((n->n_cells + 1) * sizeof *n->flop);
  for (uint32_t c = 0; c < n->n_cells; c++)
    if (netlist_is_flip_flop(&n->cell[c])) n->flop[n->n_flops++] = c;
}

int netlist_cells_open(netlist_t **out, const cells_t *cells, const char *top, const char *temp,
                       mrpb_err_t *err) {
  char path[FILES_PATH];
  *out = NULL;
  const int rc = cells_gates(cells, top, temp, "write_json gates.json", err);
  if (rc != RTL_OK) return rc;
  if (!files_path(path, "%s/gates.json", temp))
    return mrpb_fail(err, "%s: the path is too long", temp), NETLIST_BAD_INPUT;
  return netlist_read(out, path, true, err);
}

netlist_t *netlist_cells_again(const netlist_t *n) {
  netlist_t *again = netlist_copy(n);
  again->other = NULL;
  return again;
}

/* ---- flip-flops ---- */

/* The wire from which inverters and buffers lead to `wire`. */
static int64_t root_of(const netlist_t *n, int64_t wire, bool *inverted) {
  *inverted = false;
  for (uint32_t steps = 0; wire >= 0 && n->driver[wire] != UNSET && steps <= n->n_cells; steps++) {
    const cell_t *c = &n->cell[n->driver[wire]];
    if (c->type != G_NOT && c->type != G_BUF) break;
    *inverted ^= c->type == G_NOT;
    wire = c->a;
  }
  return wire;
}

/* A pin that never does anything: its value is a constant. */
static bool idle(netlist_t *n, bv_ctx_t *x, int64_t wire, bool low) {
  return netlist_evaluate(n, x, wire) == (low ? AIG_TRUE : AIG_FALSE);
}

static bool clocked(const netlist_t *n, int64_t clock, bool falling) {
  bool inverted;
  return n->clock >= 0 && root_of(n, clock, &inverted) == n->clock && inverted == falling;
}

void netlist_cells_clock(netlist_t *n, int64_t clock, bool falling, const char *name) {
  if (!clocked(n, clock, falling))
    mrpb_fail(&n->trouble, "macro %s is not clocked by the rising edge of clk_i", name);
}

void netlist_cells_check(netlist_t *n, bv_ctx_t *x, const cell_t *c) {
  if (!clocked(n, c->s, c->falling))
    mrpb_fail(&n->trouble, "flip-flop %s is not clocked by the rising edge of clk_i",
              netlist_name_of(n, c->q));
  if ((c->has_reset && !idle(n, x, c->b, c->reset_low)) ||
      (c->has_set && !idle(n, x, c->set, c->set_low)))
    mrpb_fail(&n->trouble, "the set or reset of flip-flop %s is not tied idle",
              netlist_name_of(n, c->q));
}

uint32_t netlist_flops(const netlist_t *n) {
  return n->n_flops;
}

void netlist_flop_set(netlist_t *n, uint32_t flop, lit_t value) {
  const int64_t w = n->cell[n->flop[flop]].q;
  if (w >= 0) n->state[w] = value;
}

lit_t netlist_flop_next(netlist_t *n, bv_ctx_t *x, uint32_t flop) {
  return netlist_next_of(n, x, &n->cell[n->flop[flop]]);
}

const char *netlist_flop_name(const netlist_t *n, uint32_t flop) {
  return netlist_name_of(n, n->cell[n->flop[flop]].q);
}

/* The number of each flip-flop by its output wire, UNSET elsewhere. */
static uint32_t *flops_by_wire(const netlist_t *n) {
  uint32_t *at = prove_alloc((size_t)n->n_wires * sizeof *at);
  for (int64_t w = 0; w < n->n_wires; w++) at[w] = UNSET;
  for (uint32_t f = 0; f < n->n_flops; f++) {
    const int64_t w = n->cell[n->flop[f]].q;
    if (w >= 0) at[w] = f;
  }
  return at;
}

/* Of the register at the output of a macro that is cut. */
static void macro_names(const netlist_t *n, const uint32_t *at, netlist_found_t *found, void *ctx) {
  char text[NETLIST_NAME];
  for (uint32_t i = 0; i < n->n_memories; i++) {
    const memory_t *m = &n->memory[i];
    for (uint32_t k = 0; m->after && k < m->bits; k++) {
      snprintf(text, sizeof text, m->bits > 1 ? "%s.rdata[%u]" : "%s.rdata", m->name, k);
      if (m->after[k] >= 0) found(ctx, text, at[m->after[k]], false);
    }
  }
}

void netlist_flop_names(const netlist_t *n, netlist_found_t *found, void *ctx) {
  const char *name;
  char text[NETLIST_NAME];
  json_t *net, *bit;
  size_t i;
  uint32_t *at = flops_by_wire(n);
  json_object_foreach(json_object_get(n->top, "netnames"), name, net) {
    const json_t *bits = json_object_get(net, "bits");
    json_array_foreach(bits, i, bit) {
      bool inverted;
      const int64_t w = root_of(n, netlist_wire(bit), &inverted);
      if (name[0] == '$' || w < 0 || at[w] == UNSET) continue;
      if (json_array_size(bits) == 1)
        snprintf(text, sizeof text, "%s", name);
      else
        snprintf(text, sizeof text, "%s[%zu]", name, i);
      found(ctx, text, at[w], inverted);
    }
  }
  macro_names(n, at, found, ctx);
  free(at);
}
