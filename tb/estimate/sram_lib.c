/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/sram_lib.h"

#include "base/hash.h"
#include "verilog/liberty_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 32, WORD_BITS = 1024, ADDRESS_BITS = 24 };

typedef struct {
  sram_lib_t *lib;
  liberty_text_t text;
  double ns; /* of the file's time unit */
  sram_lib_macro_t macro;
  bool memory;
  uint64_t read, write;    /* hashes of the addresses' names; 0: none */
  char type[LIBERTY_WORD]; /* of the timing group that is read */
  double most;             /* of its tables */
  mrpb_err_t *err;
} reader_t;

/* The largest number in the quoted lists of a statement. */
static double largest(const char *from, const char *to) {
  double most = 0;
  while (from < to) {
    char *end;
    if (!isdigit((unsigned char)*from) && *from != '-' && *from != '.') {
      from++;
      continue;
    }
    const double v = strtod(from, &end);
    if (v > most) most = v;
    from = end > from ? end : from + 1;
  }
  return most;
}

static void memory_value(reader_t *r, const liberty_statement_t *s) {
  const unsigned long v = strtoul(s->first, NULL, 10);
  if (strcmp(s->name, "address_width") == 0 && v <= ADDRESS_BITS) r->macro.words = 1u << v;
  if (strcmp(s->name, "word_width") == 0 && v <= WORD_BITS) r->macro.bits = (uint32_t)v;
}

/* One statement inside a cell; `group` is the innermost group that it is in. */
static void cell_statement(reader_t *r, const char *group, const liberty_statement_t *s,
                           unsigned depth) {
  const bool attribute = s->kind == LIBERTY_ATTRIBUTE;
  if (attribute && depth == 0 && strcmp(s->name, "area") == 0)
    r->macro.area_um2 = strtod(s->first, NULL);
  if (attribute && strcmp(group, "memory") == 0) memory_value(r, s);
  if (attribute && strcmp(s->name, "address") == 0) {
    const uint64_t name = hash_text(HASH_START, s->first);
    /* A test port of its own does not count: the first is the port. */
    if (strcmp(group, "memory_read") == 0 && !r->read) r->read = name;
    if (strcmp(group, "memory_write") == 0 && !r->write) r->write = name;
  }
  if (attribute && strcmp(s->name, "timing_type") == 0)
    snprintf(r->type, sizeof r->type, "%s", s->first);
  const bool table = strcmp(group, "cell_rise") == 0 || strcmp(group, "cell_fall") == 0 ||
                     strcmp(group, "rise_constraint") == 0 || strcmp(group, "fall_constraint") == 0;
  if (table && s->kind == LIBERTY_COMPLEX && strcmp(s->name, "values") == 0) {
    const double most = largest(s->from, r->text.at);
    if (most > r->most) r->most = most;
  }
}

/* A timing group ends: its type says what its tables are. */
static void timing_end(reader_t *r) {
  const double ns = r->most * r->ns;
  const bool access = strcmp(r->type, "rising_edge") == 0;
  if (access && ns > r->macro.access_ns) r->macro.access_ns = ns;
  if (strcmp(r->type, "setup_rising") == 0 && ns > r->macro.setup_ns) r->macro.setup_ns = ns;
  r->type[0] = '\0';
  r->most = 0;
}

static int cell_end(reader_t *r) {
  sram_lib_macro_t *m = &r->macro;
  if (!r->memory) return 0;
  if (m->area_um2 <= 0 || m->access_ns <= 0 || m->words == 0 || m->bits == 0)
    return mrpb_fail(r->err,
                     "%s: memory %.60s: legal: with area, access time, address_width and "
                     "word_width",
                     r->text.path, m->name);
  if (r->lib->n == SRAM_LIB_MACROS)
    return mrpb_fail(r->err, "%s: more than %d memories", r->text.path, (int)SRAM_LIB_MACROS);
  m->one_port = r->read == r->write;
  r->lib->macro[r->lib->n++] = *m;
  return 0;
}

static int read_cell(reader_t *r, const char *name) {
  char group[DEPTH][LIBERTY_WORD] = {"cell"};
  liberty_statement_t s;
  unsigned depth = 0;
  r->macro = (sram_lib_macro_t){.words = 0};
  snprintf(r->macro.name, sizeof r->macro.name, "%.60s", name);
  r->memory = false;
  r->read = r->write = 0;
  for (;;) {
    const int got = liberty_text_next(&r->text, &s);
    if (got < 0) return -1;
    if (got == 0 && depth == 0) return cell_end(r);
    if (got == 0) {
      if (strcmp(group[depth--], "timing") == 0) timing_end(r);
      continue;
    }
    if (s.kind != LIBERTY_GROUP) {
      cell_statement(r, group[depth], &s, depth);
      continue;
    }
    if (depth + 1 == DEPTH)
      return liberty_text_broken(&r->text, "too many groups inside each other");
    snprintf(group[++depth], LIBERTY_WORD, "%s", s.name);
    r->memory |= depth == 1 && strcmp(s.name, "memory") == 0;
  }
}

/* Reads over a group of the library. */
static int pass_group(reader_t *r) {
  liberty_statement_t s;
  for (unsigned depth = 0;;) {
    const int got = liberty_text_next(&r->text, &s);
    if (got < 0) return -1;
    if (got == 0 && depth-- == 0) return 0;
    depth += got == 1 && s.kind == LIBERTY_GROUP;
  }
}

/* "1ns", "10ps". */
static double unit_ns(const char *unit) {
  char *end;
  const double n = strtod(unit, &end);
  return n * (*end == 'p' ? 1e-3 : *end == 'u' ? 1e3 : 1);
}

static int read_library(reader_t *r) {
  char name[LIBERTY_WORD];
  liberty_statement_t s;
  if (liberty_text_library(&r->text, name) != 0) return -1;
  r->ns = 1;
  for (;;) {
    const int got = liberty_text_next(&r->text, &s);
    if (got <= 0) return got;
    if (s.kind == LIBERTY_ATTRIBUTE && strcmp(s.name, "time_unit") == 0) r->ns = unit_ns(s.first);
    if (s.kind != LIBERTY_GROUP) continue;
    if ((strcmp(s.name, "cell") == 0 ? read_cell(r, s.first) : pass_group(r)) != 0) return -1;
  }
}

static int one_file(void *ctx, const char *path, mrpb_err_t *err) {
  reader_t *r = ctx;
  size_t n;
  char *text = liberty_text_load(path, &n, err);
  if (!text) return -1;
  const unsigned before = r->lib->n;
  liberty_text_open(&r->text, path, text, NULL, err);
  int rc = read_library(r);
  if (rc == 0 && r->lib->n == before)
    rc = mrpb_fail(err, "%s: no cell with a group `memory`; legal: a Liberty file of memories",
                   path);
  liberty_text_close(&r->text);
  free(text);
  return rc;
}

int sram_lib_open(sram_lib_t *lib, const char *files, mrpb_err_t *err) {
  reader_t r = {.lib = lib, .err = err};
  lib->n = 0;
  return liberty_text_files(files, one_file, &r, err);
}

bool sram_lib_take(const sram_lib_t *lib, sram_t *s) {
  const sram_lib_macro_t *best = NULL;
  uint32_t best_n = 0;
  for (unsigned i = 0; s->clocked && i < lib->n; i++) {
    const sram_lib_macro_t *m = &lib->macro[i];
    const uint32_t n = ((s->words + m->words - 1) / m->words) * ((s->bits + m->bits - 1) / m->bits);
    if (best && n * m->area_um2 >= best_n * best->area_um2) continue;
    best = m;
    best_n = n;
  }
  if (!best) return false;
  s->area_um2 = best_n * best->area_um2;
  s->access_ns = best->access_ns;
  s->setup_ns = best->setup_ns;
  snprintf(s->source, sizeof s->source, "%u x %.40s%s", best_n, best->name,
           best->one_port ? ", one port" : "");
  return true;
}
