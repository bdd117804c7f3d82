/* SPDX-License-Identifier: Apache-2.0 */
/* The gates of a module, as Yosys writes them. */
#include "verify/prove/netlist_memory.h"
#include "verify/prove/netlist_priv.h"

#include "base/process.h"
#include "base/files.h"
#include "verilog/build.h"
#include "verilog/load/lib.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Cache of gates. The number must change with the Yosys script (run_yosys, lint_yosys). */
#define KEPT "gates-1"
enum { MOST_KEPT = 1 << 25 }; /* bytes; those of the largest tables are not cached */

static const struct {
  const char *name;
  gate_t type;
} gates[] = {{"$_NOT_", G_NOT},     {"$_BUF_", G_BUF},   {"$_AND_", G_AND},
             {"$_NAND_", G_NAND},   {"$_OR_", G_OR},     {"$_NOR_", G_NOR},
             {"$_XOR_", G_XOR},     {"$_XNOR_", G_XNOR}, {"$_ANDNOT_", G_ANDNOT},
             {"$_ORNOT_", G_ORNOT}, {"$_MUX_", G_MUX},   {"$_DFF_P_", G_DFF}};

/* `cut` selects memories that are left as they are; "": none. Writes of the parts of one word are
 * one port of theirs. */
static int run_yosys(const lint_job_t *job, const lint_t *lint, bool synthesis, const char *cut,
                     const char *temp, mrpb_err_t *err) {
  char script[8 * FILES_PATH], log[FILES_PATH];
  size_t n = lint_yosys(job, lint, synthesis, temp, script, sizeof script);
  if (n < sizeof script)
    n += (size_t)snprintf(script + n, sizeof script - n,
                          "proc\nflatten\n%smemory_collect\nmemory_map%s\nopt_expr\ntechmap\n"
                          "opt_expr\nwrite_json %s/rtl.json\n",
                          cut[0] ? "memory_share\n" : "", cut, temp);
  if (n >= sizeof script || !files_path(log, "%s/yosys.log", temp))
    return mrpb_fail(err, "%s: the path is too long", job->dir), NETLIST_BAD_INPUT;
  if (lint_copy(job, lint, LINT_COPY_ALL, temp, err) != 0) return NETLIST_BAD_INPUT;
  const char *argv[] = {"yosys", "-q", "-p", script, NULL};
  int rc = process_log(argv, log);
  if (rc == 0) return NETLIST_OK;
  if (rc == PROCESS_NOT_FOUND)
    return mrpb_fail(err, "yosys is missing: it is in the package of that name"), NETLIST_BAD_TOOL;
  if (rtl_yosys_error(log, temp, job->dir, err)) return NETLIST_BAD_INPUT;
  mrpb_fail(err, "Yosys failed (exit %d) on %s", rc, job->dir);
  return NETLIST_BAD_INPUT;
}

int64_t netlist_wire(const json_t *bit) {
  if (json_is_integer(bit)) return json_integer_value(bit);
  const char *s = json_string_value(bit);
  return s && s[0] == '0' ? -1 : s && s[0] == '1' ? -2 : -3;
}

static int64_t pin(const json_t *pins, const char *name) {
  const json_t *bits = json_object_get(pins, name);
  return json_array_size(bits) == 1 ? netlist_wire(json_array_get(bits, 0)) : -3;
}

static void widest(int64_t *max, const json_t *bits) {
  for (size_t i = 0; i < json_array_size(bits); i++) {
    int64_t w = netlist_wire(json_array_get(bits, i));
    if (w > *max) *max = w;
  }
}

static void drive(netlist_t *n, const json_t *bits, uint32_t cell) {
  for (size_t i = 0; i < json_array_size(bits); i++) {
    int64_t w = netlist_wire(json_array_get(bits, i));
    if (n->cells) netlist_cells_driven(n, w, n->cell[cell].name);
    if (w >= 0) n->driver[w] = cell;
  }
}

bool netlist_is_flip_flop(const cell_t *c) {
  return c->type == G_DFF || c->type == G_DFF_RESET;
}

static void read_cell(netlist_t *n, uint32_t c, const char *name, json_t *cell) {
  if (netlist_memory_read(n, c, name, cell)) return;
  const char *type = json_string_value(json_object_get(cell, "type"));
  json_t *pins = json_object_get(cell, "connections");
  cell_t *made = &n->cell[c];
  *made = (cell_t){.type = G_OTHER, .name = type ? type : name};
  for (unsigned i = 0; type && i < sizeof gates / sizeof *gates; i++)
    if (strcmp(gates[i].name, type) == 0) made->type = gates[i].type;
  /* $_DFF_PN0_: at the rising edge; a reset, active low, to 0. */
  if (type && strlen(type) == 10 && strncmp(type, "$_DFF_P", 7) == 0) {
    made->type = G_DFF_RESET;
    made->reset_low = type[7] == 'N';
    made->value = type[8] == '1';
  }
  if (n->cells && type) netlist_cells_flop(made, type);
  bool ff = netlist_is_flip_flop(made);
  made->a = pin(pins, ff ? "D" : "A");
  made->b = pin(pins, ff ? "R" : "B");
  made->s = pin(pins, ff ? "C" : "S");
  made->q = pin(pins, "Q");
  if (made->has_reset || made->has_set) made->set = pin(pins, "S");
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
  uint32_t more = 0;
  if (!cells || !nets) return mrpb_fail(err, "Yosys left no netlist");
  json_object_foreach(nets, name, item) widest(&max, json_object_get(item, "bits"));
  json_object_foreach(cells, name, item) {
    const char *port;
    json_object_foreach(json_object_get(item, "connections"), port, bits) widest(&max, bits);
    more += netlist_memory_more(item);
  }
  n->spare = max + 1;
  n->n_wires = n->spare + more;
  n->driver = prove_alloc((size_t)n->n_wires * sizeof *n->driver);
  n->value = prove_alloc((size_t)n->n_wires * sizeof *n->value);
  n->state = prove_alloc((size_t)n->n_wires * sizeof *n->state);
  for (int64_t w = 0; w < n->n_wires; w++) n->driver[w] = n->value[w] = n->state[w] = UNSET;
  n->cell = prove_alloc((json_object_size(cells) + more + 1) * sizeof *n->cell);
  json_object_foreach(cells, name, item) read_cell(n, n->n_cells++, name, item);
  bits = json_object_get(json_object_get(json_object_get(n->top, "ports"), "clk_i"), "bits");
  n->clock = bits ? netlist_wire(json_array_get(bits, 0)) : -3;
  if (n->cells) netlist_cells_read(n);
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

int netlist_read(netlist_t **out, const char *path, bool cells, mrpb_err_t *err) {
  json_error_t why;
  netlist_t *n = prove_alloc(sizeof *n);
  memset(n, 0, sizeof *n);
  n->cells = cells;
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

/* Gates are cached only after they have been read, so that a truncated file is never kept. */
static void keep_gates(const char *made, const char *kept) {
  struct stat st;
  if (stat(made, &st) == 0 && st.st_size <= MOST_KEPT)
    (void)rename(made, kept); /* only a cache: without it Yosys runs again */
}

int netlist_open(netlist_t **out, const lint_job_t *job, const lint_t *lint, bool synthesis,
                 const char *temp, mrpb_err_t *err) {
  char kept[FILES_PATH], made[FILES_PATH];
  *out = NULL;
  int rc = lint_kept(job, lint, synthesis ? KEPT "-synthesis" : KEPT, kept, err);
  if (rc != RTL_OK) return rc;
  if (files_exists(kept)) return netlist_read(out, kept, false, err);
  rc = run_yosys(job, lint, synthesis, "", temp, err);
  if (rc != NETLIST_OK) return rc;
  if (!files_path(made, "%s/rtl.json", temp))
    return mrpb_fail(err, "%s: the path is too long", temp), NETLIST_BAD_INPUT;
  rc = netlist_read(out, made, false, err);
  if (rc == NETLIST_OK) keep_gates(made, kept);
  return rc;
}

int netlist_cut_open(netlist_t **out, const lint_job_t *job, const lint_t *lint, bool synthesis,
                     const netlist_t *macros, const char *temp, mrpb_err_t *err) {
  char cut[1024] = " t:$mem_v2", made[FILES_PATH];
  size_t n = strlen(cut);
  *out = NULL;
  for (uint32_t i = 0; i < macros->n_memories && n < sizeof cut; i++)
    n += (size_t)snprintf(cut + n, sizeof cut - n, " t:$mem_v2 r:SIZE=%u %%i r:WIDTH=%u %%i %%d",
                          macros->memory[i].words, macros->memory[i].bits);
  if (n >= sizeof cut || !files_path(made, "%s/rtl.json", temp))
    return mrpb_fail(err, "too many macros"), NETLIST_BAD_INPUT;
  const int rc = run_yosys(job, lint, synthesis, macros->n_memories ? cut : "", temp, err);
  return rc == NETLIST_OK ? netlist_read(out, made, false, err) : rc;
}

void netlist_close(netlist_t *n) {
  if (!n) return;
  if (!n->shared) {
    json_decref(n->json);
    free(n->driver);
    free(n->cell);
    free(n->flop);
    netlist_memory_close(n);
  }
  free(n->value);
  free(n->state);
  free(n->x);
  free(n);
}
