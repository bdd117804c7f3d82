/* SPDX-License-Identifier: Apache-2.0 */
/* Reads Liberty files: groups `name (arguments) { ... }` and attributes `name : value;` inside
 * them. All but a few are skipped. */
#include "estimate/liberty.h"

#include "base/grow.h"
#include "base/files.h"
#include "base/hash.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD = 256, MAX_DEPTH = 64, PINS = 5 };

/* A pin of the cell that is being read. */
typedef struct {
  char name[LIBERTY_NAME], function[WORD];
  bool output, clock, internal;
  double cap;
} pin_t;

/* The cell that is being read. `n_pins` can exceed PINS; such a cell is not one of those looked
 * for. */
typedef struct {
  pin_t pin[PINS];
  unsigned n_pins, n_outputs;
  bool dont_use, odd; /* odd: latch, three-state, statetable, set or reset */
  char state[LIBERTY_NAME], next[WORD], clock[WORD];
} cell_t;

typedef struct {
  liberty_t *lib;
  const char *text, *at;
  size_t room;
  cell_t cell;
  char wanted[LIBERTY_NAME]; /* default_operating_conditions */
  bool corner_found;
  int nand2, inverter, buffer, flop;
  mrpb_err_t *err;
} reader_t;

typedef enum { IN_LIBRARY, IN_CONDITIONS, IN_CELL, IN_PIN, IN_FF, IN_OTHER } place_t;

static int broken(reader_t *r, const char *what) {
  unsigned line = 1;
  for (const char *p = r->text; p < r->at; p++) line += *p == '\n';
  return mrpb_fail(r->err, "%s:%u: %s; legal: a Liberty file", r->lib->path, line, what);
}

static void skip(reader_t *r) {
  for (;;) {
    if (isspace((unsigned char)*r->at) || *r->at == '\\') {
      r->at++;
    } else if (r->at[0] == '/' && r->at[1] == '*') {
      const char *end = strstr(r->at + 2, "*/");
      r->at = end ? end + 2 : r->at + strlen(r->at);
    } else if (r->at[0] == '/' && r->at[1] == '/') {
      r->at += strcspn(r->at, "\n");
    } else {
      return;
    }
  }
}

/* Reads a name or a value: a word, or a quoted text; cut to WORD - 1 characters. */
static void take_word(reader_t *r, const char *ends, char word[WORD]) {
  skip(r);
  bool quoted = *r->at == '"';
  if (quoted) r->at++;
  size_t n = quoted ? strcspn(r->at, "\"") : strcspn(r->at, ends);
  const char *from = r->at;
  r->at += n;
  if (quoted && *r->at) r->at++;
  while (n && isspace((unsigned char)from[n - 1])) n--;
  if (n >= WORD) n = WORD - 1;
  memcpy(word, from, n);
  word[n] = '\0';
}

/* Reads the first argument of a group or of a complex attribute; the others go into `more`. */
static int take_arguments(reader_t *r, char first[WORD], char more[WORD]) {
  first[0] = more[0] = '\0';
  r->at++;
  for (unsigned i = 0;; i++) {
    char word[WORD];
    take_word(r, ",() \t\r\n", word);
    if (i == 0) memcpy(first, word, WORD);
    if (i == 1) memcpy(more, word, WORD);
    skip(r);
    if (*r->at == ',') {
      r->at++;
    } else if (*r->at == ')') {
      r->at++;
      return 0;
    } else if (*r->at == '\0' || *r->at == ';' || *r->at == '{' || *r->at == '(') {
      return broken(r, "arguments without an end");
    }
  }
}

static void copy(char *to, const char *from) {
  snprintf(to, LIBERTY_NAME, "%.*s", LIBERTY_NAME - 1, from);
}

static void library_value(reader_t *r, const char *name, const char *v) {
  liberty_t *lib = r->lib;
  if (strcmp(name, "time_unit") == 0) snprintf(lib->time_unit, sizeof lib->time_unit, "%.15s", v);
  if (strcmp(name, "default_operating_conditions") == 0) copy(r->wanted, v);
  if (r->corner_found) return;
  if (strcmp(name, "nom_process") == 0) lib->process = strtod(v, NULL);
  if (strcmp(name, "nom_voltage") == 0) lib->voltage = strtod(v, NULL);
  if (strcmp(name, "nom_temperature") == 0) lib->temperature = strtod(v, NULL);
}

static void pin_value(cell_t *c, pin_t *p, const char *name, const char *v) {
  if (strcmp(name, "direction") == 0) {
    p->output = strcmp(v, "output") == 0;
    p->internal = strcmp(v, "internal") == 0;
    c->odd |= strcmp(v, "inout") == 0;
  }
  if (strcmp(name, "function") == 0) snprintf(p->function, WORD, "%s", v);
  if (strcmp(name, "clock") == 0) p->clock = strcmp(v, "true") == 0;
  if (strcmp(name, "capacitance") == 0) p->cap = strtod(v, NULL);
  c->odd |= strcmp(name, "three_state") == 0;
}

static void value(reader_t *r, place_t place, const char *name, const char *v) {
  cell_t *c = &r->cell;
  liberty_t *lib = r->lib;
  if (place == IN_LIBRARY) library_value(r, name, v);
  if (place == IN_CONDITIONS && r->corner_found) {
    if (strcmp(name, "process") == 0) lib->process = strtod(v, NULL);
    if (strcmp(name, "voltage") == 0) lib->voltage = strtod(v, NULL);
    if (strcmp(name, "temperature") == 0) lib->temperature = strtod(v, NULL);
  }
  if (place == IN_CELL) {
    if (strcmp(name, "area") == 0) lib->cell[lib->n_cells - 1].area = strtod(v, NULL);
    if (strncmp(name, "dont_", 5) == 0) c->dont_use |= strcmp(v, "true") == 0;
  }
  if (place == IN_FF) {
    if (strcmp(name, "next_state") == 0) snprintf(c->next, WORD, "%s", v);
    if (strcmp(name, "clocked_on") == 0) snprintf(c->clock, WORD, "%s", v);
    c->odd |= strcmp(name, "clear") == 0 || strcmp(name, "preset") == 0;
  }
  if (place == IN_PIN && c->n_pins <= PINS) pin_value(c, &c->pin[c->n_pins - 1], name, v);
}

static int open_cell(reader_t *r, const char *name) {
  liberty_t *lib = r->lib;
  liberty_cell_t *more = grow(lib->cell, lib->n_cells + 1, &r->room, sizeof *more);
  if (!more) return mrpb_fail(r->err, "out of memory");
  lib->cell = more;
  liberty_cell_t *c = &lib->cell[lib->n_cells++];
  *c = (liberty_cell_t){.area = -1};
  copy(c->name, name);
  r->cell = (cell_t){.n_pins = 0};
  return 0;
}

/* Finds what a word followed by arguments and `{` opens. */
static int open_group(reader_t *r, place_t in, const char *name, const char *first,
                      place_t *inner) {
  cell_t *c = &r->cell;
  *inner = IN_OTHER;
  if (in == IN_LIBRARY && strcmp(name, "cell") == 0) {
    *inner = IN_CELL;
    return open_cell(r, first);
  }
  if (in == IN_LIBRARY && strcmp(name, "operating_conditions") == 0) {
    *inner = IN_CONDITIONS;
    if (!r->corner_found && (!r->wanted[0] || strcmp(r->wanted, first) == 0)) {
      copy(r->lib->corner, first);
      r->corner_found = true;
    }
  }
  if (in != IN_CELL) return 0;
  if (strcmp(name, "ff") == 0) {
    *inner = IN_FF;
    copy(c->state, first);
    r->lib->cell[r->lib->n_cells - 1].flop = true;
  } else if (strcmp(name, "pin") == 0) {
    *inner = IN_PIN;
    if (++c->n_pins <= PINS) copy(c->pin[c->n_pins - 1].name, first);
  } else {
    c->odd |= strcmp(name, "latch") == 0 || strcmp(name, "statetable") == 0 ||
              strcmp(name, "ff_bank") == 0 || strcmp(name, "latch_bank") == 0 ||
              strcmp(name, "bus") == 0 || strcmp(name, "bundle") == 0;
  }
  return 0;
}

/* Keeps the smallest cell. */
static void candidate(const reader_t *r, int *best) {
  const liberty_t *lib = r->lib;
  if (*best < 0 || lib->cell[lib->n_cells - 1].area < lib->cell[*best].area)
    *best = (int)lib->n_cells - 1;
}

/* A flip-flop with one input besides its clock, clocked by a rising edge, that outputs its state;
 * an inverted output is allowed. The clock need not be marked as one. */
static void close_flop(reader_t *r, const char *const *in, unsigned n) {
  const cell_t *c = &r->cell;
  liberty_cell_t *cell = &r->lib->cell[r->lib->n_cells - 1];
  const pin_t *out = NULL;
  const char *d = NULL, *clock = NULL;
  for (unsigned i = 0; i < c->n_pins; i++)
    if (c->pin[i].output && strcmp(c->pin[i].function, c->state) == 0) out = &c->pin[i];
  for (unsigned i = 0; i < n; i++) {
    if (strcmp(c->next, in[i]) == 0) d = in[i];
    if (strcmp(c->clock, in[i]) == 0) clock = in[i];
  }
  if (out) copy(cell->out, out->name);
  if (d) copy(cell->in, d);
  if (n == 2 && out && d && clock) candidate(r, &r->flop);
}

/* The cell is complete: checks whether it is one of those looked for. */
static void close_cell(reader_t *r) {
  const cell_t *c = &r->cell;
  liberty_cell_t *cell = &r->lib->cell[r->lib->n_cells - 1];
  const char *in[PINS] = {""};
  const pin_t *out = NULL;
  unsigned n = 0, outs = 0;
  double cap = 0;
  bool clocked = false;
  for (unsigned i = 0; i < c->n_pins && i < PINS; i++) {
    const pin_t *p = &c->pin[i];
    clocked |= p->clock;
    if (p->output) {
      out = p;
      outs++;
    } else if (!p->internal) {
      cap = p->cap;
      in[n++] = p->name;
    }
  }
  if (out) copy(cell->out, out->name);
  copy(cell->in, in[0]);
  if (c->n_pins > PINS || c->odd || c->dont_use || cell->area <= 0) return;
  if (cell->flop) close_flop(r, in, n);
  if (cell->flop || clocked || outs != 1) return;
  int64_t table = liberty_function(out->function, in, n);
  if (n == 2 && table == 7) {
    int before = r->nand2;
    candidate(r, &r->nand2);
    if (r->nand2 != before) r->lib->nand2_cap_ff = cap;
  }
  if (n == 1 && table == 1) candidate(r, &r->inverter);
  if (n == 1 && table == 2) candidate(r, &r->buffer);
}

static int statement(reader_t *r, place_t in, unsigned depth, const char *name, bool *group,
                     place_t *inner) {
  char first[WORD], more[WORD];
  *group = false;
  if (*r->at == ':') {
    r->at++;
    take_word(r, ";}\n", first);
    value(r, in, name, first);
  } else if (*r->at == '(') {
    if (take_arguments(r, first, more) != 0) return -1;
    skip(r);
    if (*r->at == '{') {
      r->at++;
      *group = true;
      if (depth + 1 == MAX_DEPTH) return broken(r, "too many groups inside each other");
      return open_group(r, in, name, first, inner);
    }
    if (in == IN_LIBRARY && strcmp(name, "capacitive_load_unit") == 0)
      r->lib->load_ff = strtod(first, NULL) * (tolower((unsigned char)more[0]) == 'p' ? 1000 : 1);
  } else {
    return broken(r, "neither an attribute nor a group");
  }
  skip(r);
  if (*r->at == ';') r->at++;
  return 0;
}

static int read_groups(reader_t *r) {
  place_t place[MAX_DEPTH];
  unsigned depth = 0;
  char name[WORD], first[WORD], more[WORD];
  take_word(r, "( \t\r\n", name);
  skip(r);
  if (strcmp(name, "library") != 0 || *r->at != '(') return broken(r, "no `library (`");
  if (take_arguments(r, first, more) != 0) return -1;
  skip(r);
  if (*r->at++ != '{') return r->at--, broken(r, "no `{` after `library (...)`");
  copy(r->lib->name, first);
  place[0] = IN_LIBRARY;
  for (;;) {
    bool group = false;
    place_t inner = IN_OTHER;
    skip(r);
    if (*r->at == '\0') return broken(r, "the file ends inside a group");
    if (*r->at == ';') {
      r->at++;
      continue;
    }
    if (*r->at == '}') {
      r->at++;
      if (place[depth] == IN_CELL) close_cell(r);
      if (depth-- == 0) return 0;
      skip(r);
      continue;
    }
    take_word(r, ":(){};, \t\r\n", name);
    skip(r);
    if (statement(r, place[depth], depth, name, &group, &inner) != 0) return -1;
    if (group) place[++depth] = inner;
  }
}

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
      require(r, r->flop, "rising-edge D flip-flop without set and reset", &lib->flop) != 0)
    return -1;
  if (lib->load_ff <= 0) return mrpb_fail(r->err, "%s: no capacitive_load_unit", lib->path);
  if (!lib->time_unit[0]) return mrpb_fail(r->err, "%s: no time_unit", lib->path);
  lib->nand2_cap_ff *= lib->load_ff;
  if (!lib->corner[0]) copy(lib->corner, "nominal");
  return 0;
}

int liberty_open(liberty_t *lib, const char *path, mrpb_err_t *err) {
  *lib = (liberty_t){.hash = HASH_START};
  char here[LIBERTY_PATH] = "";
  if (path[0] != '/' && !getcwd(here, sizeof here))
    return mrpb_fail(err, "%s: cannot read: %s; legal: a Liberty file", path, strerror(errno));
  int length = snprintf(lib->path, LIBERTY_PATH, "%s%s%s", here, here[0] ? "/" : "", path);
  if (length < 0 || length >= LIBERTY_PATH)
    return mrpb_fail(err, "%.80s...: the path is too long; legal: a Liberty file", path);
  size_t n = 0;
  errno = 0;
  char *text = files_read(lib->path, &n);
  if (!text)
    return mrpb_fail(err, "%s: cannot read: %s; legal: a Liberty file", path,
                     strerror(errno ? errno : EIO));
  lib->hash = hash_bytes(lib->hash, text, n);
  reader_t r = {.lib = lib, .text = text, .at = text, .err = err};
  r.nand2 = r.inverter = r.buffer = r.flop = -1;
  int rc = strlen(text) == n ? read_groups(&r) : broken(&r, "a zero byte in it");
  if (rc == 0) rc = finish(&r);
  free(text);
  if (rc != 0) liberty_close(lib);
  return rc;
}

void liberty_close(liberty_t *lib) {
  free(lib->cell);
  *lib = (liberty_t){.n_cells = 0};
}

const liberty_cell_t *liberty_cell(const liberty_t *lib, const char *name) {
  for (unsigned i = 0; i < lib->n_cells; i++)
    if (strcmp(lib->cell[i].name, name) == 0) return &lib->cell[i];
  return NULL;
}
