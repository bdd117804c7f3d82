/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the statements of a launch file: see launch_state.h. */
#include "workload/launch/launch_state.h"

#include "base/names.h"

#include <stdlib.h>
#include <string.h>

typedef int (*read_fn)(launch_reader_t *r, launch_statement_t *s);

static int need_word(launch_reader_t *r, const char *word) {
  char wanted[24];
  snprintf(wanted, sizeof wanted, "`%s`", word);
  return launch_take_word(r, word) ? 0 : launch_expected(r, wanted);
}

static int need_expr(launch_reader_t *r, uint32_t *node) {
  *node = launch_expr(r);
  return *node ? 0 : -1;
}

/* ---- PTX texts, variables of the host ------------------------------------------------------------ */

static int read_ptx(launch_reader_t *r, launch_statement_t *s) {
  (void)s;
  if (r->token.kind != LAUNCH_STRING) return launch_expected(r, "the name of a PTX text in quotes");
  const char *path = launch_path(r->p, r->token.text, true, r->err);
  if (!path || !launch_take_text(r->p, path, r->err)) return -1;
  launch_next(r);
  return 0;
}

static int need_text(launch_reader_t *r) {
  return r->p->module ? 0 : mrpb_fail(r->err, "no PTX text yet; legal: ptx \"FILE\" before");
}

/* The value that the command line gives to this name; NULL if none. */
static const char *told(const launch_options_t *o, const char *name) {
  const size_t n = strlen(name);
  for (unsigned i = 0; o && i < o->n; i++)
    if (strncmp(o->text[i], name, n) == 0 && o->text[i][n] == '=') return o->text[i] + n + 1;
  return NULL;
}

/* Called at the first `let` of a name: reads the command line's value, a number. */
static int read_told(launch_reader_t *r, launch_symbol_t *s) {
  const char *text = told(r->options, s->name);
  if (!text) return 0;
  launch_reader_t own = {.p = r->p, .at = text, .line = r->line, .err = r->err};
  launch_next(&own);
  const bool minus = launch_take_sign(&own, '-');
  s->value = own.token.value;
  if (own.token.kind != LAUNCH_NUMBER)
    return mrpb_fail(r->err, "--let %.60s=%.60s: legal: a number", s->name, text);
  launch_next(&own);
  if (own.token.kind != LAUNCH_LINE_END)
    return mrpb_fail(r->err, "--let %.60s=%.60s: legal: a number", s->name, text);
  if (minus) s->value.d = -s->value.d;
  if (minus) s->value.i = -s->value.i;
  s->fixed = true;
  return 0;
}

static int read_let(launch_reader_t *r, launch_statement_t *s) {
  const uint32_t known = r->token.kind == LAUNCH_IDENTIFIER ? launch_find(r->p, r->token.text) : 0;
  char name[LAUNCH_WORD];
  if (known && r->p->symbols[known].kind == LAUNCH_VALUE) {
    s->symbol = known;
    launch_next(r);
    return launch_need_sign(r, '=', "'='") != 0 ? -1 : need_expr(r, &s->expr[0]);
  }
  if (!(s->symbol = launch_name_new(r, LAUNCH_HIDDEN))) return -1;
  memcpy(name, r->p->symbols[s->symbol].name, sizeof name);
  if (launch_need_sign(r, '=', "'='") != 0 || need_expr(r, &s->expr[0]) != 0) return -1;
  r->p->symbols[s->symbol].kind = LAUNCH_VALUE;
  return read_told(r, &r->p->symbols[s->symbol]);
}

/* ---- symbols with elements ----------------------------------------------------------------------- */

static int read_type(launch_reader_t *r, launch_type_t *t) {
  char all[160] = "a type: ";
  *t = r->token.kind == LAUNCH_IDENTIFIER ? launch_type_of(r->token.text) : LAUNCH_TYPES;
  if (*t < LAUNCH_TYPES) return launch_next(r), 0;
  for (unsigned i = 0; i < LAUNCH_TYPES; i++) {
    const size_t n = strlen(all);
    snprintf(all + n, sizeof all - n, "%s%s", i ? " " : "", launch_type_name((launch_type_t)i));
  }
  return launch_expected(r, all);
}

/* NAME TYPE[COUNT] [= VALUES] */
static int read_elements(launch_reader_t *r, launch_statement_t *s, launch_kind_t kind) {
  launch_type_t type;
  if (r->n_open) return mrpb_fail(r->err, "in a repeat; legal: before it");
  if (!(s->symbol = launch_name_new(r, LAUNCH_HIDDEN)) || read_type(r, &type) != 0) return -1;
  if (launch_need_sign(r, '[', "'['") != 0) return -1;
  if (!launch_is_sign(r, ']') && need_expr(r, &s->expr[0]) != 0) return -1;
  if (launch_need_sign(r, ']', "']'") != 0) return -1;
  r->p->symbols[s->symbol].type = type;
  r->p->symbols[s->symbol].kind = kind; /* its values may refer to earlier elements */
  if (launch_take_sign(r, '=') && launch_read_values(r, &s->values) != 0) return -1;
  if (s->expr[0] || s->values.by == LAUNCH_BY_LIST || s->values.by == LAUNCH_BY_FILE) return 0;
  return mrpb_fail(r->err, "%s: no number of elements; legal only with a list or a file of values",
                   r->p->symbols[s->symbol].name);
}

static int read_buffer(launch_reader_t *r, launch_statement_t *s) {
  return read_elements(r, s, LAUNCH_ON_GPU);
}

static int read_array(launch_reader_t *r, launch_statement_t *s) {
  return read_elements(r, s, LAUNCH_ON_HOST);
}

/* The variable or texture of this name in the texts; -1 and a message with the nearest name. */
static int in_text(launch_reader_t *r, bool texture) {
  const char *name = r->token.text;
  names_near_t near = names_near(name);
  bool any = false;
  int found = -1;
  for (unsigned i = 0; r->token.kind == LAUNCH_IDENTIFIER && i < ptx_variables(r->p->module); i++) {
    const ptx_variable_t *v = ptx_variable(r->p->module, i);
    if (v->texture != texture ||
        (!texture && ((v->space != PTX_GLOBAL && v->space != PTX_CONST) || v->bytes == 0)))
      continue;
    if (strcmp(v->name, name) == 0 && found >= 0)
      return mrpb_fail(r->err, "%.60s: in two PTX texts; legal: a name of one", name);
    if (strcmp(v->name, name) == 0) found = (int)i;
    names_offer(&near, v->name);
    any = true;
  }
  if (found >= 0) return found;
  if (r->token.kind != LAUNCH_IDENTIFIER) return launch_expected(r, "a name of the PTX text");
  return mrpb_fail(r->err, "%.60s: not a %s of the PTX text%s", name,
                   texture ? "texture" : ".global or .const variable",
                   any ? near.text : "; it has none");
}

static int read_variable(launch_reader_t *r, launch_statement_t *s) {
  launch_type_t type;
  if (need_text(r) != 0) return -1;
  const int i = in_text(r, false);
  if (i < 0 || !(s->symbol = launch_name_new(r, LAUNCH_HIDDEN)) || read_type(r, &type) != 0)
    return -1;
  const uint64_t bytes = ptx_variable(r->p->module, (unsigned)i)->bytes;
  if (bytes % launch_type_bytes(type))
    return mrpb_fail(r->err, "%s has %llu bytes; legal: a type that divides them",
                     r->p->symbols[s->symbol].name, (unsigned long long)bytes);
  s->other = (uint32_t)i;
  r->p->symbols[s->symbol].type = type;
  r->p->symbols[s->symbol].kind = LAUNCH_ON_GPU;
  r->launched = true;
  return 0;
}

/* A symbol with elements on the GPU. */
static uint32_t name_buffer(launch_reader_t *r) {
  const uint32_t s = launch_name_elements(r);
  if (s && r->p->symbols[s].kind == LAUNCH_ON_GPU) return s;
  if (s) mrpb_fail(r->err, "%s: an array of the host; legal: a buffer", r->p->symbols[s].name);
  return 0;
}

static int read_texture(launch_reader_t *r, launch_statement_t *s) {
  if (need_text(r) != 0) return -1;
  if (r->launched || r->n_open)
    return mrpb_fail(r->err, "texture: legal: before launches, variables and repeats");
  const int i = in_text(r, true);
  if (i < 0) return -1;
  launch_next(r);
  s->other = (uint32_t)i;
  if (launch_need_sign(r, '=', "'='") != 0 || !(s->symbol = name_buffer(r))) return -1;
  r->p->symbols[s->symbol].texture = true;
  return 0;
}

static int read_loose(launch_reader_t *r, launch_statement_t *s) {
  do {
    if (!(s->symbol = name_buffer(r))) return -1;
    r->p->symbols[s->symbol].loose = true;
  } while (launch_take_sign(r, ','));
  return 0;
}

/* ---- contents ------------------------------------------------------------------------------------ */

static int read_fill(launch_reader_t *r, launch_statement_t *s) {
  if (!(s->symbol = launch_name_elements(r)) || launch_need_sign(r, '=', "'='") != 0) return -1;
  return launch_read_values(r, &s->values);
}

/* NAME[[AT]] */
static int read_place(launch_reader_t *r, uint32_t *symbol, uint32_t *at) {
  if (!(*symbol = launch_name_elements(r))) return -1;
  if (!launch_take_sign(r, '[')) return 0;
  return need_expr(r, at) != 0 ? -1 : launch_need_sign(r, ']', "']'");
}

static int read_copy(launch_reader_t *r, launch_statement_t *s) {
  if (read_place(r, &s->symbol, &s->expr[0]) != 0 || need_word(r, "to") != 0 ||
      read_place(r, &s->other, &s->expr[1]) != 0)
    return -1;
  const launch_symbol_t *from = &r->p->symbols[s->symbol], *to = &r->p->symbols[s->other];
  if (from->type != to->type)
    return mrpb_fail(r->err, "copy from %s to %s; legal: between elements of one type",
                     launch_type_name(from->type), launch_type_name(to->type));
  return launch_take_word(r, "count") ? need_expr(r, &s->expr[2]) : 0;
}

static int read_compare(launch_reader_t *r, launch_statement_t *s) {
  static const char *const words[] = {"abs", "rel", "ulp"};
  if (!(s->symbol = launch_name_elements(r)) || need_word(r, "with") != 0 ||
      launch_read_values(r, &s->values) != 0)
    return -1;
  for (unsigned i = 0; i < 3;) { /* in any order, each at most once */
    const bool given = !s->expr[i] && launch_take_word(r, words[i]);
    if (given && need_expr(r, &s->expr[i]) != 0) return -1;
    i = given ? 0 : i + 1;
  }
  return 0;
}

static int read_write(launch_reader_t *r, launch_statement_t *s) {
  if (!(s->symbol = launch_name_elements(r)) || need_word(r, "to") != 0) return -1;
  if (r->n_open)
    return mrpb_fail(r->err, "write: in a repeat; legal: after it, since a file is written once");
  if (r->token.kind != LAUNCH_STRING) return launch_expected(r, "the name of a file in quotes");
  if (!(s->file = launch_path(r->p, r->token.text, false, r->err))) return -1;
  launch_file_t *f = LAUNCH_PUSH(r->p, files, r->err);
  if (!f) return -1;
  const size_t n = strlen(s->file);
  f->path = s->file;
  f->text = n > 4 && strcmp(s->file + n - 4, ".txt") == 0;
  f->type = r->p->symbols[s->symbol].type;
  s->other = (uint32_t)(r->p->n_files - 1);
  launch_next(r);
  return 0;
}

/* ---- launches ------------------------------------------------------------------------------------ */

static int read_shape(launch_reader_t *r, const char *word, uint32_t node[3]) {
  if (need_word(r, word) != 0) return -1;
  for (unsigned i = 0; i < 3; i++) {
    if (need_expr(r, &node[i]) != 0) return -1;
    if (!launch_take_sign(r, ',')) return 0;
  }
  return launch_expected(r, "the end of three dimensions");
}

static int read_launch(launch_reader_t *r, launch_statement_t *s) {
  mrpb_err_t why = {{0}};
  if (need_text(r) != 0) return -1;
  if (r->token.kind != LAUNCH_IDENTIFIER) return launch_expected(r, "the name of a kernel");
  s->kernel = ptx_find(r->p->module, r->token.text, &why);
  if (!s->kernel) return mrpb_fail(r->err, "%s", why.text);
  launch_next(r);
  if (launch_read_arguments(r, s) != 0 || read_shape(r, "grid", &s->expr[0]) != 0 ||
      read_shape(r, "block", &s->expr[3]) != 0)
    return -1;
  if (launch_take_word(r, "shared") && need_expr(r, &s->expr[6]) != 0) return -1;
  if (launch_take_word(r, "regs") && need_expr(r, &s->expr[7]) != 0) return -1;
  r->launched = true;
  return 0;
}

/* ---- repeats ------------------------------------------------------------------------------------- */

static int read_repeat(launch_reader_t *r, launch_statement_t *s) {
  if (r->n_open == LAUNCH_LOOPS)
    return mrpb_fail(r->err, "repeats nested too deep; legal: %d", (int)LAUNCH_LOOPS);
  if (need_expr(r, &s->expr[0]) != 0) return -1;
  if (launch_take_word(r, "as") && !(s->symbol = launch_name_new(r, LAUNCH_VALUE))) return -1;
  r->open[r->n_open++] = (uint32_t)r->p->n_statements - 1;
  return 0;
}

static int read_stop(launch_reader_t *r, launch_statement_t *s) {
  if (!r->n_open) return mrpb_fail(r->err, "stop: legal: in a repeat");
  s->jump = r->open[r->n_open - 1];
  return need_word(r, "if") != 0 ? -1 : need_expr(r, &s->expr[0]);
}

static int read_end(launch_reader_t *r, launch_statement_t *s) {
  if (!r->n_open) return mrpb_fail(r->err, "end: no repeat is open");
  s->jump = r->open[--r->n_open];
  launch_statement_t *begin = &r->p->statements[s->jump];
  begin->jump = (uint32_t)r->p->n_statements - 1;
  if (begin->symbol) r->p->symbols[begin->symbol].kind = LAUNCH_HIDDEN;
  return 0;
}

/* ---- a line -------------------------------------------------------------------------------------- */

static const struct {
  const char *word;
  read_fn read;
} statements[LAUNCH_OPS] = {
    {NULL, NULL},
#define STATEMENT(word, rest, doc) {#word, read_##word},
#include "workload/launch/launch.def"
};

static launch_op_t find(const launch_reader_t *r) {
  unsigned op = 1;
  while (op < LAUNCH_OPS && !launch_is_word(r, statements[op].word)) op++;
  return op < LAUNCH_OPS ? (launch_op_t)op : LAUNCH_OP_NONE;
}

static int unknown(launch_reader_t *r) {
  char legal[160] = "";
  for (unsigned op = 1; op < LAUNCH_OPS; op++) {
    const size_t n = strlen(legal);
    snprintf(legal + n, sizeof legal - n, " %s", statements[op].word);
  }
  if (r->token.kind == LAUNCH_BAD) return -1;
  return mrpb_fail(r->err, "'%.60s' is not a statement; legal:%s", r->token.text, legal);
}

int launch_read_line(launch_reader_t *r, const char *line) {
  r->at = line;
  r->token.kind = LAUNCH_LINE_END;
  launch_next(r);
  if (r->token.kind == LAUNCH_LINE_END) return 0;
  launch_statement_t s = {.op = find(r), .line = r->line};
  if (s.op == LAUNCH_OP_NONE) return unknown(r);
  if (r->p->n_statements == LAUNCH_STATEMENTS)
    return mrpb_fail(r->err, "too many statements; legal: %d", (int)LAUNCH_STATEMENTS);
  if (!LAUNCH_PUSH(r->p, statements, r->err)) return -1;
  const size_t at = r->p->n_statements - 1;
  launch_next(r);
  if (statements[s.op].read(r, &s) != 0) return -1;
  if (r->token.kind != LAUNCH_LINE_END) return launch_expected(r, "the end of the line");
  r->p->statements[at] = s;
  return 0;
}
