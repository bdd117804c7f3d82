/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "verilog/cells.h"

#include "base/files.h"
#include "base/output.h"
#include "base/process.h"
#include "bits.h"
#include "verilog/build.h"
#include "verilog/liberty_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MACROS = 16, SECONDS = 600 };

/* ---- the macros' behaviour ---- */

static bool same_macro(const macro_t *a, const macro_t *b) {
  return a->words == b->words && a->bits == b->bits && a->part == b->part && a->sync == b->sync;
}

/* Reads the word at `at`, which may be followed by others. */
bool cells_macro(const char *at, macro_t *m) {
  int n = 0, more = 0;
  if (sscanf(at, "sram_%ux%u%n", &m->words, &m->bits, &n) != 2 || n == 0) return false;
  m->part = m->bits;
  if (sscanf(at + n, "w%u%n", &m->part, &more) == 1) n += more;
  m->sync = strncmp(at + n, "_sync", 5) == 0;
  const char end = at[n + (m->sync ? 5 : 0)];
  return m->words >= 2 && m->words <= 1 << 20 && m->bits >= 1 && m->bits <= 4096 && m->part >= 1 &&
         m->part <= m->bits && !isalnum((unsigned char)end) && end != '_';
}

unsigned cells_macro_enables(const macro_t *m) {
  return (m->bits + m->part - 1) / m->part;
}

static unsigned find_macros(const char *text, macro_t found[MACROS]) {
  unsigned n = 0;
  for (const char *at = text; (at = strstr(at, "sram_")) && n < MACROS; at += 5) {
    const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
    unsigned i = 0;
    if (!begins || !cells_macro(at, &found[n])) continue;
    while (i < n && !same_macro(&found[i], &found[n])) i++;
    n += i == n;
  }
  return n;
}

static void put_bus(FILE *f, const char *pin, unsigned bits) {
  for (unsigned i = bits; i-- > 0;) fprintf(f, "%s_%u%s", pin, i, i ? ", " : "");
}

/* Writes `text` for the only enable, or for enable `i` of several. */
static void put_enable(FILE *f, const char *text, const macro_t *m, unsigned i) {
  const bool one = cells_macro_enables(m) == 1;
  fprintf(f, one ? "%swe" : "%swe_%u", text, i);
}

/* A read in the cycle of a write to the same word gives the old word. */
static void put_memory(FILE *f, const macro_t *m) {
  const unsigned address = bits_index_w(m->words);
  fprintf(f, "  reg [%u:0] mem [0:%u];\n  wire [%u:0] waddr = {", m->bits - 1, m->words - 1,
          address - 1);
  put_bus(f, "waddr", address);
  fputs("}, raddr = {", f);
  put_bus(f, "raddr", address);
  fprintf(f, "};\n  %s [%u:0] rdata;\n  assign {", m->sync ? "reg" : "wire", m->bits - 1);
  put_bus(f, "rdata", m->bits);
  fputs("} = rdata;\n", f);
  fputs(m->sync ? "  always @(posedge clk) if (re) rdata <= mem[raddr];\n"
                : "  assign rdata = mem[raddr];\n",
        f);
  fprintf(f, "  wire [%u:0] wdata = {", m->bits - 1);
  put_bus(f, "wdata", m->bits);
  fputs("};\n", f);
  for (unsigned i = 0, low = 0; low < m->bits; i++, low += m->part) {
    const unsigned high = low + m->part < m->bits ? low + m->part - 1 : m->bits - 1;
    put_enable(f, "  always @(posedge clk) if (", m, i);
    fprintf(f, ") mem[waddr][%u:%u] <= wdata[%u:%u];\n", high, low, high, low);
  }
}

static void put_macro(FILE *f, const macro_t *m, bool cut) {
  const unsigned address = bits_index_w(m->words);
  if (cut) fputs("(* blackbox *) ", f);
  fprintf(f, "module sram_%ux%u", m->words, m->bits);
  if (cells_macro_enables(m) > 1) fprintf(f, "w%u", m->part);
  fprintf(f, "%s (input clk", m->sync ? "_sync" : "");
  for (unsigned i = 0; i < cells_macro_enables(m); i++) put_enable(f, ", ", m, i);
  fputs(m->sync ? ", re, input " : ", input ", f);
  put_bus(f, "waddr", address);
  fputs(", ", f);
  put_bus(f, "raddr", address);
  fputs(", ", f);
  put_bus(f, "wdata", m->bits);
  fputs(", output ", f);
  put_bus(f, "rdata", m->bits);
  fputs(");\n", f);
  if (!cut) put_memory(f, m);
  fputs("endmodule\n", f);
}

static int write_macros(const cells_t *c, const char *temp, unsigned *n, mrpb_err_t *err) {
  macro_t found[MACROS];
  char *text = files_read(c->netlist, NULL);
  if (!text) return mrpb_fail(err, "%s: cannot be read: %s", c->netlist, strerror(errno));
  *n = find_macros(text, found);
  free(text);
  FILE *f = output_into(temp, "macros.v", err);
  for (unsigned i = 0; f && i < *n; i++) put_macro(f, &found[i], c->cut);
  return f ? output_into_end(f, false, temp, "macros.v", err) : -1;
}

/* ---- Yosys ---- */

/* Tools read a link, whose name has no blank. */
static int link_to(const char *temp, const char *name, const char *target, mrpb_err_t *err) {
  char path[FILES_PATH], *whole = realpath(target, NULL);
  const bool made = whole && files_path(path, "%s/%s", temp, name) && symlink(whole, path) == 0;
  if (!made) mrpb_fail(err, "%s: %s", target, strerror(errno));
  free(whole);
  return made ? 0 : -1;
}

/* What becomes of the Liberty files: a plain copy of each, as Yosys reads it. */
typedef struct {
  const char *temp;
  unsigned n;
} copies_t;

static int copy_text(const char *path, const char *text, FILE *f, mrpb_err_t *err) {
  liberty_text_t t;
  liberty_statement_t s;
  char library[LIBERTY_WORD];
  liberty_text_open(&t, path, text, f, err);
  int rc = liberty_text_library(&t, library);
  for (unsigned depth = 1; rc == 0 && depth > 0; liberty_text_keep(&t)) {
    const int next = liberty_text_next(&t, &s);
    if (next < 0) rc = -1;
    if (next == 0) depth--;
    if (next > 0) depth += s.kind == LIBERTY_GROUP;
  }
  liberty_text_close(&t);
  return rc;
}

static int copy_liberty(void *ctx, const char *path, mrpb_err_t *err) {
  copies_t *c = ctx;
  char name[32];
  size_t size;
  char *text = liberty_text_load(path, &size, err);
  if (!text) return -1;
  snprintf(name, sizeof name, "cells%u.lib", c->n++);
  FILE *f = output_into(c->temp, name, err);
  const int rc = f ? copy_text(path, text, f, err) : -1;
  free(text);
  return f ? output_into_end(f, rc != 0, c->temp, name, err) | rc : -1;
}

static int write_script(const cells_t *c, const char *top, const char *temp, const char *write,
                        mrpb_err_t *err) {
  copies_t copies = {.temp = temp};
  unsigned macros = 0;
  if (link_to(temp, "net.v", c->netlist, err) != 0 || write_macros(c, temp, &macros, err) != 0)
    return -1;
  for (unsigned i = 0; i < c->n_liberties; i++)
    if (liberty_text_files(c->liberty[i], copy_liberty, &copies, err) != 0) return -1;
  FILE *f = output_into(temp, "gates.ys", err);
  for (unsigned i = 0; f && i < copies.n; i++)
    fprintf(f,
            "read_liberty -ignore_miss_func -ignore_miss_dir -ignore_miss_data_latch cells%u.lib\n",
            i);
  /* The stub of a macro in a Liberty file has no function, or a wrong one. */
  if (f && macros) fputs("read_verilog -overwrite macros.v\n", f);
  if (f)
    fprintf(f,
            "read_verilog net.v\nhierarchy -check -top %s\nproc\nmemory_collect\nmemory_map\n"
            "flatten\nopt_expr\ntechmap\nopt_expr\nopt_clean\n%s\n",
            top, write);
  return f ? output_into_end(f, false, temp, "gates.ys", err) : -1;
}

int cells_gates(const cells_t *c, const char *top, const char *temp, const char *write,
                mrpb_err_t *err) {
  static const char *const argv[] = {"yosys", "-q", "-s", "gates.ys", NULL};
  char log[FILES_PATH];
  if (write_script(c, top, temp, write, err) != 0) return RTL_BAD_INPUT;
  if (!files_path(log, "%s/gates.log", temp))
    return mrpb_fail(err, "%s: the path is too long", temp), RTL_BAD_INPUT;
  const process_t p = {.argv = argv, .folder = temp, .log = log, .seconds = SECONDS};
  const int rc = process_status(&p);
  if (rc == 0) return RTL_OK;
  if (rc == PROCESS_NOT_FOUND)
    return mrpb_fail(err, "yosys is missing: it is in the package of that name"), RTL_BAD_TOOL;
  if (!rtl_yosys_error(log, temp, c->netlist, err))
    mrpb_fail(err, "%s: Yosys failed (exit %d)", c->netlist, rc);
  return RTL_BAD_INPUT;
}
