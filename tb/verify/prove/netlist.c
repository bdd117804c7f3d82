/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/netlist.h"

#include "base/process.h"
#include "base/files.h"
#include "verilog/build.h"
#include "verilog/load/lib.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Gates that are kept: another number for another script of Yosys (run_yosys, lint_yosys). */
#define KEPT "gates-1"
enum { MOST_KEPT = 1 << 25 }; /* bytes; those of the largest tables are made anew */

/* A wire of one bit. Yosys numbers them from 2. */
#define NO_CELL UINT32_MAX
#define UNSET UINT32_MAX
#define RUNNING (UINT32_MAX - 1)

typedef enum {
  G_NOT,
  G_BUF,
  G_AND,
  G_NAND,
  G_OR,
  G_NOR,
  G_XOR,
  G_XNOR,
  G_ANDNOT,
  G_ORNOT,
  G_MUX,
  G_DFF,
  G_OTHER
} gate_t;

typedef struct {
  gate_t type;
  int64_t a, b, s; /* wires; a is D of a flip-flop, s its clock */
  const char *name;
} cell_t;

struct netlist {
  json_t *json, *top;
  int64_t n_wires;
  uint32_t *driver; /* wire -> cell */
  lit_t *value;     /* wire -> literal, or UNSET */
  cell_t *cell;
  uint32_t n_cells;
  int64_t clock;
  const netlist_t *other; /* whose variables for an x are used here, too; NULL: none */
  lit_t *x;               /* a variable for each x, in the order in which they are met */
  uint32_t n_x;
  size_t room_x;
  mrpb_err_t trouble;
};

static const struct {
  const char *name;
  gate_t type;
} gates[] = {{"$_NOT_", G_NOT},     {"$_BUF_", G_BUF},   {"$_AND_", G_AND},
             {"$_NAND_", G_NAND},   {"$_OR_", G_OR},     {"$_NOR_", G_NOR},
             {"$_XOR_", G_XOR},     {"$_XNOR_", G_XNOR}, {"$_ANDNOT_", G_ANDNOT},
             {"$_ORNOT_", G_ORNOT}, {"$_MUX_", G_MUX},   {"$_DFF_P_", G_DFF}};

static int run_yosys(const lint_job_t *job, const lint_t *lint, bool synthesis, const char *temp,
                     mrpb_err_t *err) {
  char script[8 * FILES_PATH], log[FILES_PATH];
  size_t n = lint_yosys(job, lint, synthesis, temp, script, sizeof script);
  if (n < sizeof script)
    n += (size_t)snprintf(script + n, sizeof script - n,
                          "proc\nflatten\nmemory_collect\nmemory_map\nopt_expr\ntechmap\n"
                          "opt_expr\nwrite_json %s/rtl.json\n",
                          temp);
  if (n >= sizeof script || !files_path(log, "%s/yosys.log", temp))
    return mrpb_fail(err, "%s: the path is too long", job->dir), NETLIST_BAD_INPUT;
  if (lint_copy(job, lint, LINT_COPY_ALL, temp, err) != 0) return NETLIST_BAD_INPUT;
  const char *argv[] = {"yosys", "-q", "-p", script, NULL};
  int rc = process_log(argv, log);
  if (rc == 0) return NETLIST_OK;
  if (rc == PROCESS_NOT_FOUND)
    return mrpb_fail(err, "yosys is missing: it is in the package of that name"), NETLIST_BAD_TOOL;
  char *text = files_read(log, NULL), *at = text ? strstr(text, "ERROR") : NULL;
  while (at && at > text && at[-1] != '\n') at--;
  if (at) at[strcspn(at, "\n")] = '\0';
  if (at) rtl_say_dir(at, temp, job->dir, "Yosys", err);
  free(text);
  mrpb_fail(err, "Yosys failed (exit %d) on %s", rc, job->dir);
  return NETLIST_BAD_INPUT;
}

/* Wire number of a bit, or -1 for 0, -2 for 1, -3 for anything else. */
static int64_t wire_of(const json_t *bit) {
  if (json_is_integer(bit)) return json_integer_value(bit);
  const char *s = json_string_value(bit);
  return s && s[0] == '0' ? -1 : s && s[0] == '1' ? -2 : -3;
}

static int64_t pin(const json_t *pins, const char *name) {
  const json_t *bits = json_object_get(pins, name);
  return json_array_size(bits) == 1 ? wire_of(json_array_get(bits, 0)) : -3;
}

static void widest(int64_t *max, const json_t *bits) {
  for (size_t i = 0; i < json_array_size(bits); i++) {
    int64_t w = wire_of(json_array_get(bits, i));
    if (w > *max) *max = w;
  }
}

static void drive(netlist_t *n, const json_t *bits, uint32_t cell) {
  for (size_t i = 0; i < json_array_size(bits); i++) {
    int64_t w = wire_of(json_array_get(bits, i));
    if (w >= 0) n->driver[w] = cell;
  }
}

static void read_cell(netlist_t *n, uint32_t c, const char *name, json_t *cell) {
  const char *type = json_string_value(json_object_get(cell, "type"));
  json_t *pins = json_object_get(cell, "connections");
  cell_t *made = &n->cell[c];
  *made = (cell_t){.type = G_OTHER, .name = type ? type : name};
  for (unsigned i = 0; type && i < sizeof gates / sizeof *gates; i++)
    if (strcmp(gates[i].name, type) == 0) made->type = gates[i].type;
  bool ff = made->type == G_DFF;
  made->a = pin(pins, ff ? "D" : "A");
  made->b = pin(pins, "B");
  made->s = pin(pins, ff ? "C" : "S");
  if (made->type != G_OTHER) {
    drive(n, json_object_get(pins, ff ? "Q" : "Y"), c);
    return;
  }
  const json_t *way = json_object_get(cell, "port_directions");
  const char *port;
  json_t *bits;
  json_object_foreach(pins, port, bits) {
    const char *d = json_string_value(json_object_get(way, port));
    if (d && strcmp(d, "output") == 0) drive(n, bits, c);
  }
}

static int read_cells(netlist_t *n, mrpb_err_t *err) {
  json_t *cells = json_object_get(n->top, "cells"), *nets = json_object_get(n->top, "netnames");
  const char *name;
  json_t *item, *bits;
  int64_t max = 1;
  if (!cells || !nets) return mrpb_fail(err, "Yosys left no netlist");
  json_object_foreach(nets, name, item) widest(&max, json_object_get(item, "bits"));
  json_object_foreach(cells, name, item) {
    const char *port;
    json_object_foreach(json_object_get(item, "connections"), port, bits) widest(&max, bits);
  }
  n->n_wires = max + 1;
  n->driver = prove_alloc((size_t)n->n_wires * sizeof *n->driver);
  n->value = prove_alloc((size_t)n->n_wires * sizeof *n->value);
  for (int64_t w = 0; w < n->n_wires; w++) n->driver[w] = n->value[w] = UNSET;
  n->cell = prove_alloc((json_object_size(cells) + 1) * sizeof *n->cell);
  json_object_foreach(cells, name, item) read_cell(n, n->n_cells++, name, item);
  bits = json_object_get(json_object_get(json_object_get(n->top, "ports"), "clk_i"), "bits");
  n->clock = bits ? wire_of(json_array_get(bits, 0)) : -3;
  return 0;
}

/* With parameters that are not the defaults, Yosys gives the module another name. */
static json_t *top_module(json_t *modules) {
  const char *name;
  json_t *module;
  json_object_foreach(modules, name, module) {
    if (json_object_get(json_object_get(module, "attributes"), "top")) return module;
  }
  return NULL;
}

/* The gates as Yosys wrote them into `path`. */
static int read_gates(netlist_t **out, const char *path, mrpb_err_t *err) {
  json_error_t why;
  netlist_t *n = prove_alloc(sizeof *n);
  memset(n, 0, sizeof *n);
  n->json = json_load_file(path, 0, &why);
  n->top = top_module(json_object_get(n->json, "modules"));
  if (!n->json || !n->top || read_cells(n, err) != 0) {
    mrpb_fail(err, "%s: %s", path, n->json ? "the module is not in it" : why.text);
    netlist_close(n);
    return NETLIST_BAD_TOOL;
  }
  *out = n;
  return NETLIST_OK;
}

/* Gates are kept when they have been read: a file that was cut off is not there the next time. */
static void keep_gates(const char *made, const char *kept) {
  struct stat st;
  if (stat(made, &st) == 0 && st.st_size <= MOST_KEPT)
    (void)rename(made, kept); /* a cache only: without it Yosys runs again */
}

int netlist_open(netlist_t **out, const lint_job_t *job, const lint_t *lint, bool synthesis,
                 const char *temp, mrpb_err_t *err) {
  char kept[FILES_PATH], made[FILES_PATH];
  *out = NULL;
  int rc = lint_kept(job, lint, synthesis ? KEPT "-synthesis" : KEPT, kept, err);
  if (rc != RTL_OK) return rc;
  if (files_exists(kept)) return read_gates(out, kept, err);
  rc = run_yosys(job, lint, synthesis, temp, err);
  if (rc != NETLIST_OK) return rc;
  if (!files_path(made, "%s/rtl.json", temp))
    return mrpb_fail(err, "%s: the path is too long", temp), NETLIST_BAD_INPUT;
  rc = read_gates(out, made, err);
  if (rc == NETLIST_OK) keep_gates(made, kept);
  return rc;
}

void netlist_close(netlist_t *n) {
  if (!n) return;
  json_decref(n->json);
  free(n->driver);
  free(n->value);
  free(n->cell);
  free(n->x);
  free(n);
}

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

/* An array of one word is "x[0]", a plain register "x". */
static const json_t *register_bits(const netlist_t *n, const char *name, unsigned words,
                                   unsigned i) {
  char full[256];
  const json_t *nets = json_object_get(n->top, "netnames");
  const json_t *plain = json_object_get(json_object_get(nets, name), "bits");
  if (words == 1 && plain) return plain;
  snprintf(full, sizeof full, "%s[%u]", name, i);
  return json_object_get(json_object_get(nets, full), "bits");
}

unsigned netlist_register(const netlist_t *n, const char *name, unsigned words, unsigned i) {
  const json_t *bits = register_bits(n, name, words, i);
  for (size_t k = 0; k < json_array_size(bits); k++) {
    int64_t w = wire_of(json_array_get(bits, k));
    if (w < 0 || n->driver[w] == UNSET || n->cell[n->driver[w]].type != G_DFF) return 0;
    for (size_t j = 0; j < k; j++)
      if (wire_of(json_array_get(bits, j)) == w) return 0;
  }
  return (unsigned)json_array_size(bits);
}

/* The attribute is of the whole net, most significant bit first. */
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

static void set_bits(netlist_t *n, const json_t *bits, bv_t v) {
  for (size_t k = 0; k < json_array_size(bits) && k < v.n; k++) {
    int64_t w = wire_of(json_array_get(bits, k));
    if (w < 0) continue;
    if (n->value[w] != UNSET && n->value[w] != v.b[k])
      mrpb_fail(&n->trouble, "two registers of the Verilog are one flip-flop");
    n->value[w] = v.b[k];
  }
}

void netlist_set_port(netlist_t *n, const char *name, bv_t v) {
  set_bits(n, port_bits(n, name), v);
}

void netlist_set_register(netlist_t *n, const char *name, unsigned words, unsigned i, bv_t v) {
  set_bits(n, register_bits(n, name, words, i), v);
}

/* A public name of a wire, for messages. */
static const char *name_of(const netlist_t *n, int64_t wire) {
  const char *name, *found = "";
  json_t *net, *bits;
  size_t i;
  json_object_foreach(json_object_get(n->top, "netnames"), name, net) {
    json_array_foreach(json_object_get(net, "bits"), i, bits) {
      if (wire_of(bits) == wire && (found[0] == '\0' || found[0] == '$')) found = name;
    }
  }
  return found;
}

/* Both readings of a Verilog meet their x in the same order, and are then the same gates. */
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

static lit_t evaluate(netlist_t *n, bv_ctx_t *x, int64_t wire);

static lit_t gate(netlist_t *n, bv_ctx_t *x, const cell_t *c, int64_t wire) {
  aig_t *g = x->g;
  if (c->type == G_OTHER || c->type == G_DFF) {
    if (c->type == G_DFF)
      mrpb_fail(&n->trouble, "the Verilog has a register %s that the ports table does not list",
                name_of(n, wire));
    else
      mrpb_fail(&n->trouble, "the Verilog has a cell of type %s, which is not understood", c->name);
    return AIG_FALSE;
  }
  lit_t a = evaluate(n, x, c->a);
  if (c->type == G_NOT) return aig_not(a);
  if (c->type == G_BUF) return a;
  lit_t b = evaluate(n, x, c->b);
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
    return aig_mux(g, evaluate(n, x, c->s), b, a);
  }
}

static lit_t evaluate(netlist_t *n, bv_ctx_t *x, int64_t wire) {
  if (wire == -1) return AIG_FALSE;
  if (wire == -2) return AIG_TRUE;
  if (wire < 0) return unknown(n, x);
  lit_t *v = &n->value[wire];
  if (*v == RUNNING) {
    mrpb_fail(&n->trouble, "the Verilog has a loop of gates through %s", name_of(n, wire));
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
  for (uint32_t i = 0; i < v.n; i++) v.b[i] = evaluate(n, x, wire_of(json_array_get(bits, i)));
  return v;
}

bv_t netlist_next(netlist_t *n, bv_ctx_t *x, const char *name, unsigned words, unsigned i) {
  const json_t *bits = register_bits(n, name, words, i);
  bv_t v = bv_new(x, (uint32_t)json_array_size(bits));
  for (uint32_t k = 0; k < v.n; k++) {
    const cell_t *c = &n->cell[n->driver[wire_of(json_array_get(bits, k))]];
    if (c->s != n->clock) mrpb_fail(&n->trouble, "register %s is not clocked by clk_i", name);
    v.b[k] = evaluate(n, x, c->a);
  }
  return v;
}

int netlist_check(const netlist_t *n, mrpb_err_t *err) {
  return n->trouble.text[0] ? mrpb_fail(err, "%s", n->trouble.text) : 0;
}
