/* SPDX-License-Identifier: Apache-2.0 */
/* Reads Yosys' JSON netlists: names, counts and BLIF. */
#include "estimate/gates.h"

#include <stdlib.h>
#include <string.h>

static int bit_of(const json_t *v) {
  return json_is_integer(v) ? (int)json_integer_value(v) : -1;
}

static int by_bit(const void *a, const void *b) {
  const gates_alias_t *x = a, *y = b;
  return (x->bit > y->bit) - (x->bit < y->bit);
}

/* The number that the Verilog gives bit `i` of a net: `[7:4]` and `[0:3]` do not count from 0. */
static int said_index(const json_t *net, size_t i, unsigned width) {
  const int offset = (int)json_integer_value(json_object_get(net, "offset"));
  const bool upto = json_integer_value(json_object_get(net, "upto")) != 0;
  return offset + (upto ? (int)width - 1 - (int)i : (int)i);
}

static int collect_aliases(gates_t *g) {
  const char *name;
  json_t *net, *v;
  size_t i, n = 0;
  json_object_foreach(g->nets, name, net) n += json_array_size(json_object_get(net, "bits"));
  g->alias = calloc(n + 1, sizeof *g->alias);
  if (!g->alias) return -1;
  json_object_foreach(g->nets, name, net) {
    json_t *bits = json_object_get(net, "bits");
    const unsigned width = (unsigned)json_array_size(bits);
    bool hidden = json_integer_value(json_object_get(net, "hide_name")) != 0;
    json_array_foreach(bits, i, v) {
      int bit = bit_of(v);
      if (bit >= g->n_bits) g->n_bits = bit + 1;
      if (bit < 0 || hidden || name[0] == '$') continue;
      g->alias[g->n_aliases++] =
          (gates_alias_t){bit, (unsigned)i, width, said_index(net, i, width), name};
    }
  }
  qsort(g->alias, g->n_aliases, sizeof *g->alias, by_bit);
  return 0;
}

/* Counts bits that occur only at cells. */
static void count_bits(gates_t *g) {
  const char *name, *pin;
  json_t *cell, *bits, *v;
  size_t i;
  json_object_foreach(g->cells, name, cell) {
    json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
      json_array_foreach(bits, i, v) {
        if (bit_of(v) >= g->n_bits) g->n_bits = bit_of(v) + 1;
      }
    }
  }
}

int gates_open(gates_t *g, const char *path, const char *top, mrpb_err_t *err) {
  json_error_t why;
  *g = (gates_t){.root = json_load_file(path, 0, &why)};
  g->module = json_object_get(json_object_get(g->root, "modules"), top);
  g->cells = json_object_get(g->module, "cells");
  g->nets = json_object_get(g->module, "netnames");
  g->ports = json_object_get(g->module, "ports");
  int rc = 0;
  if (!g->root)
    rc = mrpb_fail(err, "%s: Yosys wrote no netlist that can be read: %s", path, why.text);
  else if (!g->cells || !g->nets || !g->ports)
    rc = mrpb_fail(err, "%s: no module %s in it: Yosys failed without saying so", path, top);
  else if (collect_aliases(g) != 0)
    rc = mrpb_fail(err, "out of memory");
  else
    count_bits(g);
  if (rc != 0) gates_close(g);
  return rc;
}

void gates_close(gates_t *g) {
  json_decref(g->root);
  free(g->alias);
  *g = (gates_t){.root = NULL};
}

int gates_pin(const gates_t *g, const char *cell, const char *pin) {
  json_t *c = json_object_get(json_object_get(g->cells, cell), "connections");
  return bit_of(json_array_get(json_object_get(c, pin), 0));
}

int gates_net(const gates_t *g, const char *net, unsigned index) {
  return bit_of(json_array_get(json_object_get(json_object_get(g->nets, net), "bits"), index));
}

int gates_net_said(const gates_t *g, const char *net, int said) {
  const json_t *n = json_object_get(g->nets, net), *bits = json_object_get(n, "bits");
  const size_t width = json_array_size(bits);
  for (size_t i = 0; i < width; i++)
    if (said_index(n, i, (unsigned)width) == said) return bit_of(json_array_get(bits, i));
  return -1;
}

const char *gates_type(const gates_t *g, const char *cell) {
  return json_string_value(json_object_get(json_object_get(g->cells, cell), "type"));
}

static bool gates_is_register(const gates_t *g, const char *name) {
  char array[GATES_NAME];
  size_t n = strcspn(name, "[");
  if (!g->registers) return n > 2 && strncmp(name + n - 2, "_q", 2) == 0;
  if (json_object_get(g->registers, name)) return true;
  const char *element = strrchr(name, '['); /* "mem[3]" */
  n = element ? (size_t)(element - name) : sizeof array;
  if (n >= sizeof array) return false;
  snprintf(array, sizeof array, "%.*s", (int)n, name);
  return json_object_get(g->registers, array) != NULL;
}

bool gates_is_input(const gates_t *g, const char *name) {
  size_t n = strcspn(name, "[");
  if (g->inputs) return json_object_get(g->inputs, name) != NULL;
  return (n > 2 && strncmp(name + n - 2, "_i", 2) == 0) ||
         (n > 3 && strncmp(name + n - 3, "_ni", 3) == 0);
}

static bool better(const gates_t *g, const gates_alias_t *a, const gates_alias_t *b) {
  if (!b) return true;
  const bool reg_a = gates_is_register(g, a->name), reg_b = gates_is_register(g, b->name);
  if (reg_a != reg_b) return reg_a;
  bool port_a = json_object_get(g->ports, a->name), port_b = json_object_get(g->ports, b->name);
  if (port_a != port_b) return port_a;
  if (strlen(a->name) != strlen(b->name)) return strlen(a->name) < strlen(b->name);
  return strcmp(a->name, b->name) < 0;
}

const gates_alias_t *gates_name(const gates_t *g, int bit) {
  const gates_alias_t key = {.bit = bit}, *best = NULL;
  const gates_alias_t *at =
      bit < 0 ? NULL : bsearch(&key, g->alias, g->n_aliases, sizeof key, by_bit);
  if (!at) return NULL;
  while (at > g->alias && at[-1].bit == bit) at--;
  for (; at < g->alias + g->n_aliases && at->bit == bit; at++)
    if (better(g, at, best)) best = at;
  return best;
}

void gates_print(const gates_alias_t *a, char text[GATES_NAME]) {
  if (a->width > 1)
    snprintf(text, GATES_NAME, "%.110s[%d]", a->name, a->said);
  else
    snprintf(text, GATES_NAME, "%.110s", a->name);
}

/* ---- BLIF ---- */

/* Writes a net's name in BLIF; constants are separate nets. */
static void put_net(FILE *f, const json_t *v) {
  const char *constant = json_string_value(v);
  if (constant)
    fprintf(f, " c%c", constant[0] == '1' ? '1' : '0');
  else
    fprintf(f, " n%d", bit_of(v));
}

static const json_t *pin_of(const json_t *cell, const char *pin) {
  return json_array_get(json_object_get(json_object_get(cell, "connections"), pin), 0);
}

typedef struct {
  const char *type, *pins, *table;
} gate_t;

static const gate_t gates[] = {
    {"$_NOT_", "AY", "0 1\n"},           {"$_BUF_", "AY", "1 1\n"},
    {"$_AND_", "ABY", "11 1\n"},         {"$_OR_", "ABY", "1- 1\n-1 1\n"},
    {"$_XOR_", "ABY", "10 1\n01 1\n"},   {"$_MUX_", "ABSY", "1-0 1\n-11 1\n"},
    {"$_NAND_", "ABY", "0- 1\n-0 1\n"},  {"$_NOR_", "ABY", "00 1\n"},
    {"$_XNOR_", "ABY", "11 1\n00 1\n"},  {"$_ANDNOT_", "ABY", "10 1\n"},
    {"$_ORNOT_", "ABY", "1- 1\n-0 1\n"},
};

static const gate_t *gate_of(const char *type) {
  for (unsigned i = 0; i < sizeof gates / sizeof *gates; i++)
    if (strcmp(gates[i].type, type) == 0) return &gates[i];
  return NULL;
}

/* A type of flip-flop before mapping: "$_DFF_P_", "$_DFF_N_", "$_DFF_PN0_", "$_DFFSR_PNN_". */
static bool gates_is_flop(const char *type) {
  return strncmp(type, "$_DFF_", 6) == 0 || strncmp(type, "$_DFFSR_", 8) == 0;
}
static bool is_macro(const char *type) {
  return strncmp(type, "sram_", 5) == 0;
}
static bool macro_output(const char *pin) {
  return strncmp(pin, "rdata_", 6) == 0;
}

/* Writes one line with everything that enters the gates (`inputs`) or leaves them. */
static void put_boundary(const gates_t *g, FILE *f, bool inputs) {
  const char *name, *pin;
  json_t *cell, *port, *bits, *v;
  size_t i;
  fputs(inputs ? ".inputs" : "\n.outputs", f);
  json_object_foreach(g->ports, name, port) {
    bool in = strcmp(json_string_value(json_object_get(port, "direction")), "input") == 0;
    json_array_foreach(json_object_get(port, "bits"), i, v) {
      if (in == inputs && json_is_integer(v)) put_net(f, v);
    }
  }
  json_object_foreach(g->cells, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    static const char *const enters[] = {"Q", NULL}, *const leaves[] = {"D", "R", "S", NULL};
    for (const char *const *p = inputs ? enters : leaves; gates_is_flop(type) && *p; p++)
      if (json_is_integer(pin_of(cell, *p))) put_net(f, pin_of(cell, *p));
    if (!is_macro(type)) continue;
    json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
      v = json_array_get(bits, 0);
      if (macro_output(pin) == inputs && json_is_integer(v)) put_net(f, v);
    }
  }
}

int gates_blif(const gates_t *g, FILE *f, mrpb_err_t *err) {
  const char *name;
  json_t *cell;
  fputs(".model gates\n", f);
  put_boundary(g, f, true);
  put_boundary(g, f, false);
  fputs("\n.names c0\n.names c1\n1\n", f);
  json_object_foreach(g->cells, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    const gate_t *gate = gate_of(type);
    if (gates_is_flop(type) || is_macro(type)) continue;
    if (!gate) return mrpb_fail(err, "%s: unexpected cell %s in the netlist", name, type);
    fputs(".names", f);
    for (const char *p = gate->pins; *p; p++) put_net(f, pin_of(cell, (char[]){*p, '\0'}));
    fprintf(f, "\n%s", gate->table);
  }
  fputs(".end\n", f);
  return 0;
}
