/* SPDX-License-Identifier: Apache-2.0 */
/* Reads libraries of cells, and makes the copy of them that the tools read. */
#include "estimate/liberty.h"

#include "base/files.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/memory_file.h"
#include "base/output.h"
#include "estimate/liberty_cell.h"
#include "estimate/liberty_known.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

/* One group of the library level that the copy has: "lu_table_template", "delay_7x7". */
typedef struct {
  char kind[LIBERTY_NAME], name[LIBERTY_NAME];
} group_t;

typedef struct {
  liberty_t *lib;
  const liberty_dont_use_t *dont_use;
  liberty_text_t text;
  FILE *to;
  unsigned file; /* number of the file that is read */
  size_t cell_room, group_room;
  group_t *group;
  size_t n_groups;
  char wanted[LIBERTY_NAME]; /* default_operating_conditions */
  bool corner_found;
  char corner[LIBERTY_NAME];
  double process, voltage, temperature, load_ff; /* of this file */
  char time_unit[sizeof((liberty_t){.n_files = 0}.time_unit)];
  int nand2, inverter, buffer, flop, flop_reset;
  mrpb_err_t *err;
} reader_t;

static void copy(char *to, const char *from) {
  snprintf(to, LIBERTY_NAME, "%.*s", LIBERTY_NAME - 1, from);
}

/* ---- cells ---- */

/* An inverter or buffer of a clock tree has other transistors, for equal edges. */
static bool is_clock_cell(const char *name) {
  for (; *name; name++)
    if (tolower((unsigned char)name[0]) == 'c' && tolower((unsigned char)name[1]) == 'l' &&
        tolower((unsigned char)name[2]) == 'k')
      return true;
  return false;
}

/* Keeps the smallest cell, but no clock cell if there is another. */
static bool candidate(const liberty_t *lib, int *best) {
  const liberty_cell_t *new = &lib->cell[lib->n_cells - 1];
  const liberty_cell_t *old = *best < 0 ? NULL : &lib->cell[*best];
  const bool clock = is_clock_cell(new->name), had = old && is_clock_cell(old->name);
  if (old && (had == clock ? new->area >= old->area : clock)) return false;
  *best = (int)lib->n_cells - 1;
  return true;
}

static void take_cell(reader_t *r, const liberty_reading_t *reading) {
  liberty_t *lib = r->lib;
  double cap = 0;
  switch (liberty_cell_sort(reading, &lib->cell[lib->n_cells - 1], &cap)) {
  case LIBERTY_NAND2:
    if (candidate(lib, &r->nand2)) lib->nand2_cap_ff = cap;
    break;
  case LIBERTY_INVERTER:
    candidate(lib, &r->inverter);
    break;
  case LIBERTY_BUFFER:
    candidate(lib, &r->buffer);
    break;
  case LIBERTY_FLOP:
    candidate(lib, &r->flop);
    break;
  case LIBERTY_FLOP_RESET:
    candidate(lib, &r->flop_reset);
    break;
  case LIBERTY_OTHER:
    break;
  }
}

static bool is_unused(const reader_t *r, const char *name) {
  for (unsigned i = 0; r->dont_use && i < r->dont_use->n; i++)
    if (fnmatch(r->dont_use->glob[i], name, 0) == 0) return true;
  return liberty_known_unused(r->lib->name, name);
}

static int open_cell(reader_t *r, const char *name) {
  liberty_t *lib = r->lib;
  if (r->file && liberty_cell(lib, name))
    return mrpb_fail(r->err, "%s: cell %.60s is in another file of the library, too; legal: once",
                     r->text.path, name);
  liberty_cell_t *more = grow(lib->cell, lib->n_cells + 1, &r->cell_room, sizeof *more);
  if (!more) return mrpb_fail(r->err, "out of memory");
  lib->cell = more;
  liberty_cell_t *c = &lib->cell[lib->n_cells++];
  *c = (liberty_cell_t){.area = -1, .unused = is_unused(r, name)};
  copy(c->name, name);
  return 0;
}

static int read_cell(reader_t *r, const liberty_statement_t *begin) {
  liberty_place_t place[MAX_DEPTH] = {LIBERTY_IN_CELL};
  liberty_reading_t reading = {.n_pins = 0};
  liberty_statement_t s;
  unsigned depth = 0;
  if (open_cell(r, begin->first) != 0) return -1;
  liberty_cell_t *cell = &r->lib->cell[r->lib->n_cells - 1];
  for (;;) {
    const int got = liberty_text_next(&r->text, &s);
    if (got < 0) return -1;
    if (got == 0 && depth-- == 0) break;
    if (got == 0) continue;
    if (s.kind == LIBERTY_ATTRIBUTE) liberty_cell_value(&reading, cell, place[depth], &s);
    if (s.kind != LIBERTY_GROUP) continue;
    if (depth + 1 == MAX_DEPTH)
      return liberty_text_broken(&r->text, "too many groups inside each other");
    place[depth + 1] = depth ? LIBERTY_IN_OTHER : liberty_cell_group(&reading, cell, &s);
    depth++;
  }
  take_cell(r, &reading);
  r->lib->n_unused += cell->unused;
  return 0;
}

/* ---- the library level ---- */

static void conditions_value(reader_t *r, const liberty_statement_t *s) {
  if (strcmp(s->name, "process") == 0) r->process = strtod(s->first, NULL);
  if (strcmp(s->name, "voltage") == 0) r->voltage = strtod(s->first, NULL);
  if (strcmp(s->name, "temperature") == 0) r->temperature = strtod(s->first, NULL);
}

static void library_value(reader_t *r, const liberty_statement_t *s) {
  const char *name = s->name, *v = s->first;
  if (strcmp(name, "time_unit") == 0) snprintf(r->time_unit, sizeof r->time_unit, "%.15s", v);
  if (strcmp(name, "default_operating_conditions") == 0) copy(r->wanted, v);
  if (strcmp(name, "capacitive_load_unit") == 0)
    r->load_ff = strtod(v, NULL) * (tolower((unsigned char)s->second[0]) == 'p' ? 1000 : 1);
  if (strncmp(name, "nom_", 4) != 0 || r->corner_found) return;
  liberty_statement_t nominal = *s;
  snprintf(nominal.name, sizeof nominal.name, "%s", name + 4);
  conditions_value(r, &nominal);
}

/* Reads a group that is no cell: of operating conditions, the first, or the default. */
static int read_group(reader_t *r, const liberty_statement_t *begin) {
  liberty_statement_t s;
  unsigned depth = 0;
  const bool wanted = strcmp(begin->name, "operating_conditions") == 0 && !r->corner_found &&
                      (!r->wanted[0] || strcmp(r->wanted, begin->first) == 0);
  if (wanted) {
    copy(r->corner, begin->first);
    r->corner_found = true;
  }
  for (;;) {
    const int got = liberty_text_next(&r->text, &s);
    if (got < 0) return -1;
    if (got == 0 && depth-- == 0) return 0;
    if (got == 0) continue;
    if (wanted && depth == 0 && s.kind == LIBERTY_ATTRIBUTE) conditions_value(r, &s);
    if (s.kind == LIBERTY_GROUP && ++depth == MAX_DEPTH)
      return liberty_text_broken(&r->text, "too many groups inside each other");
  }
}

/* Whether the copy has this group already; from now on it has. 1, 0, or -1 and a message. */
static int had_group(reader_t *r, const liberty_statement_t *s) {
  for (size_t i = 0; i < r->n_groups; i++)
    if (strncmp(r->group[i].kind, s->name, LIBERTY_NAME - 1) == 0 &&
        strncmp(r->group[i].name, s->first, LIBERTY_NAME - 1) == 0)
      return 1;
  group_t *more = grow(r->group, r->n_groups + 1, &r->group_room, sizeof *more);
  if (!more) return mrpb_fail(r->err, "out of memory");
  r->group = more;
  copy(r->group[r->n_groups].kind, s->name);
  copy(r->group[r->n_groups++].name, s->first);
  return 0;
}

/* Decides what of the library level is in the copy: all of the first file except wire loads and
 * unused cells; of the others the cells, and what these need and no earlier file had. */
static int keep_or_drop(reader_t *r, const liberty_statement_t *s) {
  const bool group = s->kind == LIBERTY_GROUP;
  bool drop = false;
  if (strncmp(s->name, "wire_load", 9) == 0 || strncmp(s->name, "default_wire_load", 17) == 0) {
    drop = true;
    r->lib->wire_load = true;
  } else if (group && strcmp(s->name, "cell") == 0) {
    drop = r->lib->cell[r->lib->n_cells - 1].unused;
  } else if (group || strcmp(s->name, "define") == 0) {
    const int had = had_group(r, s);
    if (had < 0) return -1;
    drop = had && r->file;
  } else {
    drop = r->file > 0;
  }
  if (drop)
    liberty_text_drop(&r->text, s->from);
  else
    liberty_text_keep(&r->text);
  return 0;
}

static int read_library(reader_t *r) {
  char name[LIBERTY_WORD];
  liberty_statement_t s;
  if (liberty_text_library(&r->text, name) != 0) return -1;
  if (r->file == 0) {
    copy(r->lib->name, name);
    liberty_text_keep(&r->text);
  } else {
    liberty_text_drop(&r->text, r->text.text);
  }
  for (;;) {
    const int got = liberty_text_next(&r->text, &s);
    if (got < 0) return -1;
    if (got == 0) break;
    int rc = 0;
    if (s.kind == LIBERTY_GROUP)
      rc = strcmp(s.name, "cell") == 0 ? read_cell(r, &s) : read_group(r, &s);
    else
      library_value(r, &s);
    if (rc != 0 || keep_or_drop(r, &s) != 0) return -1;
  }
  /* The last } is written once for all files. */
  liberty_text_drop(&r->text, r->text.at - 1);
  return 0;
}

/* ---- files ---- */

/* The file's units and corner become the library's, or must be the same. */
static int take_corner(reader_t *r) {
  liberty_t *lib = r->lib;
  if (r->load_ff <= 0) return mrpb_fail(r->err, "%s: no capacitive_load_unit", r->text.path);
  if (!r->time_unit[0]) return mrpb_fail(r->err, "%s: no time_unit", r->text.path);
  if (r->file == 0) {
    lib->process = r->process;
    lib->voltage = r->voltage;
    lib->temperature = r->temperature;
    lib->load_ff = r->load_ff;
    snprintf(lib->time_unit, sizeof lib->time_unit, "%s", r->time_unit);
    copy(lib->corner, r->corner[0] ? r->corner : "nominal");
    return 0;
  }
  if (lib->process != r->process || lib->voltage != r->voltage ||
      lib->temperature != r->temperature)
    return mrpb_fail(r->err,
                     "%s: process %g, %g V, %g C; legal: process %g, %g V, %g C, as in the "
                     "library's first file",
                     r->text.path, r->process, r->voltage, r->temperature, lib->process,
                     lib->voltage, lib->temperature);
  if (lib->load_ff != r->load_ff || strcmp(lib->time_unit, r->time_unit) != 0)
    return mrpb_fail(r->err, "%s: other units than in the library's first file", r->text.path);
  return 0;
}

static int one_file(reader_t *r, const char *path) {
  size_t n = 0;
  char *text = liberty_text_load(path, &n, r->err);
  if (!text) return -1;
  r->wanted[0] = r->corner[0] = r->time_unit[0] = '\0';
  r->corner_found = false;
  r->process = r->voltage = r->temperature = r->load_ff = 0;
  liberty_text_open(&r->text, path, text, r->to, r->err);
  int rc = strlen(text) == n ? read_library(r) : liberty_text_broken(&r->text, "a zero byte in it");
  if (rc == 0) rc = take_corner(r);
  liberty_text_close(&r->text);
  free(text);
  r->file++;
  return rc;
}

static int each_file(void *ctx, const char *path, mrpb_err_t *err) {
  reader_t *r = ctx;
  (void)err;
  if (r->file == 0) snprintf(r->lib->path, sizeof r->lib->path, "%s", path);
  return one_file(r, path);
}

static int all_files(reader_t *r, const char *files) {
  if (liberty_text_files(files, each_file, r, r->err) != 0) return -1;
  fputs("}\n", r->to);
  r->lib->n_files = r->file;
  return 0;
}

/* ---- the whole ---- */

static int require(reader_t *r, int index, const char *what, const liberty_cell_t **cell) {
  liberty_t *lib = r->lib;
  if (index < 0)
    return mrpb_fail(r->err, "%s: no %s among its %u cells; legal: a library that has one",
                     lib->path, what, lib->n_cells);
  *cell = &lib->cell[index];
  return 0;
}

static int finish(reader_t *r) {
  liberty_t *lib = r->lib;
  if (require(r, r->nand2, "2-input NAND", &lib->nand2) != 0 ||
      require(r, r->inverter, "inverter", &lib->inverter) != 0 ||
      require(r, r->buffer, "buffer", &lib->buffer) != 0 ||
      require(r, r->flop >= 0 ? r->flop : r->flop_reset, "rising-edge D flip-flop", &lib->flop) !=
          0)
    return -1;
  lib->nand2_cap_ff *= lib->load_ff;
  lib->node_nm = liberty_known_node(lib->name);
  return 0;
}

int liberty_open(liberty_t *lib, const char *files, const liberty_dont_use_t *dont_use,
                 mrpb_err_t *err) {
  *lib = (liberty_t){.hash = HASH_START};
  reader_t r = {.lib = lib, .dont_use = dont_use, .err = err};
  r.nand2 = r.inverter = r.buffer = r.flop = r.flop_reset = -1;
  FILE *to = memory_file(&lib->copy, &lib->copy_size);
  if (!to) return mrpb_fail(err, "out of memory");
  r.to = to;
  int rc = all_files(&r, files);
  const bool bad = ferror(to) | fclose(to);
  if (rc == 0 && bad) rc = mrpb_fail(err, "out of memory");
  if (rc == 0) rc = finish(&r);
  free(r.group);
  if (rc == 0)
    lib->hash = hash_bytes(lib->hash, lib->copy, lib->copy_size);
  else
    liberty_close(lib);
  return rc;
}

void liberty_close(liberty_t *lib) {
  free(lib->cell);
  free(lib->copy);
  *lib = (liberty_t){.n_cells = 0};
}

int liberty_write(liberty_t *lib, const char *folder, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  if (!files_path(lib->written, "%s/cells.%016" PRIx64 ".lib", folder, lib->hash))
    return mrpb_fail(err, "%.80s...: the path is too long", folder);
  if (files_exists(lib->written)) return 0;
  FILE *f = output_open(lib->written, temp, err);
  if (!f) return -1;
  const bool bad = fwrite(lib->copy, 1, lib->copy_size, f) != lib->copy_size;
  return output_close(f, bad, lib->written, temp, err);
}

const liberty_cell_t *liberty_cell(const liberty_t *lib, const char *name) {
  for (unsigned i = 0; i < lib->n_cells; i++)
    if (strcmp(lib->cell[i].name, name) == 0) return &lib->cell[i];
  return NULL;
}
