/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/place/netlist.h"

#include <stdlib.h>
#include <string.h>

/* ---- what Yosys' JSON says ---- */

static bool is_macro(const json_t *cell) {
  const char *type = json_string_value(json_object_get(cell, "type"));
  return type && strncmp(type, "sram_", 5) == 0;
}

/* The number of a net; a constant is net 0 or net 1, an undefined bit is 0. */
static int net_of(const json_t *bit) {
  if (json_is_integer(bit)) return (int)json_integer_value(bit);
  const char *text = json_string_value(bit);
  return text && text[0] == '1';
}

static bool is_output(const json_t *cell, const char *pin) {
  const json_t *way = json_object_get(json_object_get(cell, "port_directions"), pin);
  const char *text = json_string_value(way);
  return text && strcmp(text, "output") == 0;
}

/* Names of cells and macros: the type and a number that counts within the type, from 1. */
typedef struct {
  json_t *count;
} names_t;

static int next_name(names_t *n, const char *type, char name[PLACE_NAME]) {
  const json_int_t k = json_integer_value(json_object_get(n->count, type)) + 1;
  snprintf(name, PLACE_NAME, "%.60s_%d", type, (int)k);
  return json_object_set_new(n->count, type, json_integer(k));
}

static void note_ports(place_netlist_t *n) {
  const char *name;
  json_t *port, *bit;
  size_t i;
  json_object_foreach(n->gates.ports, name, port) {
    const char *way = json_string_value(json_object_get(port, "direction"));
    const bool in = way && strcmp(way, "input") == 0;
    json_array_foreach(json_object_get(port, "bits"), i, bit) {
      place_netlist_net_t *net = &n->net[net_of(bit)];
      if (json_is_string(bit)) continue;
      net->used = true;
      if (in)
        net->in = true;
      else
        net->out = true;
      if (strcmp(name, "clk_i") == 0) n->clock = net_of(bit);
    }
  }
}

/* A pin of a placed cell, or one of a macro, whose name is then given. */
static void note_pin(place_netlist_t *n, int number, bool output, const char *macro,
                     const char *pin) {
  place_netlist_net_t *net = &n->net[number];
  net->used = true;
  if (!macro) {
    net->driven = net->driven || output;
    net->sinks += !output;
    return;
  }
  n->macro_pins++;
  net->from = net->from || output;
  net->to = net->to || !output;
  if (!net->macro[0]) snprintf(net->macro, PLACE_NAME, "%.64s:%.24s", macro, pin);
}

/* `macro` is the name of a macro; NULL: a placed cell. */
static void note_cell(place_netlist_t *n, const json_t *cell, const char *macro) {
  const char *pin;
  json_t *bits, *bit;
  size_t i;
  n->macros += macro != NULL;
  n->cells += !macro;
  json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
    json_array_foreach(bits, i, bit) note_pin(n, net_of(bit), is_output(cell, pin), macro, pin);
  }
}

static int note_all(place_netlist_t *n, mrpb_err_t *err) {
  names_t names = {json_object()};
  const char *key;
  json_t *cell;
  int rc = names.count ? 0 : -1;
  note_ports(n);
  json_object_foreach(n->gates.cells, key, cell) {
    char name[PLACE_NAME];
    const char *type = json_string_value(json_object_get(cell, "type"));
    if (rc == 0) rc = next_name(&names, type ? type : "", name);
    if (rc == 0) note_cell(n, cell, is_macro(cell) ? name : NULL);
  }
  json_decref(names.count);
  for (int i = 0; i < n->n_nets; i++) n->pins += place_netlist_is_pin(&n->net[i]);
  return rc == 0 ? 0 : mrpb_fail(err, "out of memory");
}

int place_netlist_open(place_netlist_t *n, const char *path, const char *top, mrpb_err_t *err) {
  *n = (place_netlist_t){.clock = -1};
  snprintf(n->top, sizeof n->top, "%s", top);
  if (gates_open(&n->gates, path, top, err) != 0) return -1;
  n->n_nets = n->gates.n_bits > 2 ? n->gates.n_bits : 2;
  n->net = calloc((size_t)n->n_nets, sizeof *n->net);
  if (!n->net) {
    place_netlist_close(n);
    return mrpb_fail(err, "out of memory");
  }
  if (note_all(n, err) == 0) return 0;
  place_netlist_close(n);
  return -1;
}

void place_netlist_close(place_netlist_t *n) {
  gates_close(&n->gates);
  free(n->net);
  n->net = NULL;
}

bool place_netlist_is_pin(const place_netlist_net_t *net) {
  if (net->driven) return net->out || net->to;
  return net->sinks > 0;
}

/* ---- files ---- */

/* " n2 n3 ...": the nets of one direction at the outline. */
static void put_pins(const place_netlist_t *n, FILE *f, bool driven) {
  for (int i = 0; i < n->n_nets; i++)
    if (place_netlist_is_pin(&n->net[i]) && n->net[i].driven == driven) fprintf(f, " n%d", i);
  fputc('\n', f);
}

static void blif_cell(FILE *f, const json_t *cell, const char *type) {
  const char *pin;
  json_t *bits;
  fprintf(f, ".gate %s", type);
  json_object_foreach(json_object_get(cell, "connections"), pin, bits)
      fprintf(f, " %s=n%d", pin, net_of(json_array_get(bits, 0)));
  fputc('\n', f);
}

int place_netlist_blif(const place_netlist_t *n, FILE *f, mrpb_err_t *err) {
  const char *key;
  json_t *cell;
  if (n->cells == 0) return mrpb_fail(err, "%s: no cells, so there is nothing to place", n->top);
  fprintf(f, ".model %s\n.inputs", n->top);
  put_pins(n, f, false);
  fputs(".outputs", f);
  put_pins(n, f, true);
  json_object_foreach(n->gates.cells, key, cell) {
    if (!is_macro(cell)) blif_cell(f, cell, json_string_value(json_object_get(cell, "type")));
  }
  fputs(".end\n", f);
  return 0;
}

static void verilog_cell(FILE *f, const json_t *cell, const char *type, const char *name) {
  const char *pin, *comma = "";
  json_t *bits;
  fprintf(f, "  %s %s (", type, name);
  json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
    const int net = net_of(json_array_get(bits, 0));
    if (net < 2)
      fprintf(f, "%s.%s(1'b%d)", comma, pin, net);
    else
      fprintf(f, "%s.%s(n%d)", comma, pin, net);
    comma = ", ";
  }
  fputs(");\n", f);
}

int place_netlist_verilog(const place_netlist_t *n, FILE *f, mrpb_err_t *err) {
  names_t names = {json_object()};
  const char *key, *comma = "";
  json_t *cell;
  int rc = names.count ? 0 : -1;
  fprintf(f, "module %s (", n->top);
  for (int i = 2; i < n->n_nets; i++) {
    if (!n->net[i].in && !n->net[i].out) continue;
    fprintf(f, "%sn%d", comma, i);
    comma = ", ";
  }
  fputs(");\n", f);
  for (int i = 2; i < n->n_nets; i++)
    if (n->net[i].used)
      fprintf(f, "  %s n%d;\n", n->net[i].in ? "input" : n->net[i].out ? "output" : "wire", i);
  json_object_foreach(n->gates.cells, key, cell) {
    char name[PLACE_NAME];
    const char *type = json_string_value(json_object_get(cell, "type"));
    if (rc == 0) rc = next_name(&names, type ? type : "", name);
    if (rc == 0) verilog_cell(f, cell, type, name);
  }
  fputs("endmodule\n", f);
  json_decref(names.count);
  return rc == 0 ? 0 : mrpb_fail(err, "out of memory");
}
