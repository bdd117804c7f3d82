/* SPDX-License-Identifier: Apache-2.0 */
/* Reads tokens, conditionals, macros and includes: see verilog.h. */
#include "verilog/lint/verilog.h"

#include "base/grow.h"
#include "base/files.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32, MAX_INCLUDES = 8 };

/* The reading position and its state. */
typedef struct {
  verilog_t *v;
  mrpb_err_t *err;
  const char *at;
  unsigned file, line, depth;
  bool header;
  struct {
    unsigned outer, taken,
        now; /* readings: around it; in which a branch was taken; of this branch */
    bool synthesis;
  } cond[MAX_DEPTH];
  unsigned n_cond;
  bool line_start; /* only blanks so far on this line */
} scan_t;

/* The first character decides nearly always, millions of times for a module with its parts. */
bool verilog_token_is(const token_t *t, const char *text) {
  return t->n > 0 && *text == *t->text && strncmp(text, t->text, t->n) == 0 && text[t->n] == '\0';
}

bool verilog_token_same(const token_t *a, const token_t *b) {
  return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static bool is_one_of(const token_t *t, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (verilog_token_is(t, words[i])) return true;
  return false;
}

void verilog_step(verilog_depth_t *d, const token_t *t) {
  static const char *const opens[] = {"begin", "case", "casez", "function", "generate"};
  static const char *const closes[] = {"end", "endcase", "endfunction", "endgenerate"};
  d->nest += is_one_of(t, opens, sizeof opens / sizeof *opens);
  d->nest -= d->nest > 0 && is_one_of(t, closes, sizeof closes / sizeof *closes);
  d->parens += verilog_token_is(t, "(") || verilog_token_is(t, "[") || verilog_token_is(t, "{");
  d->parens -= d->parens > 0 &&
               (verilog_token_is(t, ")") || verilog_token_is(t, "]") || verilog_token_is(t, "}"));
}

bool verilog_ends_item(const verilog_depth_t *d, const token_t *t) {
  static const char *const ends[] = {";", "end", "endcase", "endfunction", "endgenerate"};
  return d->parens == 0 && d->nest == 0 && is_one_of(t, ends, sizeof ends / sizeof *ends);
}

__attribute__((format(printf, 4, 0))) static int
fail_at(const char *path, unsigned line, mrpb_err_t *err, const char *format, va_list ap) {
  char text[400];
  vsnprintf(text, sizeof text, format, ap);
  return mrpb_fail(err, "%s:%u: %s", path, line, text);
}

int verilog_fail(const verilog_t *v, const token_t *t, mrpb_err_t *err, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  fail_at(v->file[t->file].path, t->line, err, format, ap);
  va_end(ap);
  return -1;
}

__attribute__((format(printf, 2, 3))) static int fail(const scan_t *s, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  fail_at(s->v->file[s->file].path, s->line, s->err, format, ap);
  va_end(ap);
  return -1;
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static unsigned readings(const scan_t *s) {
  return s->n_cond ? s->cond[s->n_cond - 1].now : READ_BOTH;
}

static int put(scan_t *s, token_kind_t kind, const char *text, size_t n) {
  verilog_t *v = s->v;
  if (readings(s) == 0) return 0;
  token_t *more = grow(v->token, v->n + 1, &v->room, sizeof *more);
  if (!more) return mrpb_fail(s->err, "out of memory");
  v->token = more;
  v->token[v->n++] = (token_t){kind, readings(s), s->line, s->file, text, (unsigned)n};
  return 0;
}

/* ---- comments and attributes: some tools take commands from them ---- */

/* Some tools, but not all, skip comments and strings while they skip text. */
static int check_directives(const scan_t *s, const char *text, size_t n) {
  static const char *const words[] = {"ifdef", "ifndef", "else",  "elsif",
                                      "endif", "define", "undef", "include"};
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; text[i] == '`' && k < sizeof words / sizeof *words; k++) {
      size_t m = strlen(words[k]);
      if (n - i > m && memcmp(text + i + 1, words[k], m) == 0)
        return fail(s, "`%s in a comment or string; legal: without the `", words[k]);
    }
  return 0;
}

static int check_comment(const scan_t *s, const char *text, size_t n) {
  if (check_directives(s, text, n) != 0) return -1;
  static const char *const orders[] = {
      "verilator", "synopsys", "synthesis", "pragma",  "yosys", "cadence", "ambit",
      "exemplar",  "altera",   "xilinx",    "verific", "vcs",   "leda",    "translate_off"};
  while (n > 0 && (isspace((unsigned char)*text) || *text == '*' || *text == '/')) text++, n--;
  for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++) {
    size_t m = strlen(orders[i]);
    if (n >= m && memcmp(text, orders[i], m) == 0 && (n == m || !is_word(text[m])))
      return fail(
          s, "a comment that begins with '%s' is an order to some tools; legal: any other comment",
          orders[i]);
  }
  return 0;
}

static int comment(scan_t *s) {
  const char *from = s->at + 2;
  if (s->at[1] == '/') {
    size_t n = strcspn(from, "\n");
    s->at = from + n;
    return check_comment(s, from, n);
  }
  const char *end = strstr(from, "*/");
  if (!end) return fail(s, "a comment that does not end");
  if (check_comment(s, from, (size_t)(end - from)) != 0) return -1;
  for (const char *c = from; c < end; c++) s->line += *c == '\n';
  s->at = end + 2;
  return 0;
}

/* Accepts an attribute `(* name = value *)` if it is one that changes nothing. */
static int attribute(scan_t *s) {
  static const char *const known[] = {"keep", "mem2reg", "nomem2reg", "ram_style", "rom_style"};
  const char *end = strstr(s->at, "*)");
  if (!end) return fail(s, "an attribute that does not end");
  for (const char *c = s->at + 2; c < end; c++)
    if (strchr("/`\\", *c)) return fail(s, "%c in an attribute; legal: NAME or NAME = VALUE", *c);
  for (const char *c = s->at + 2; c < end;) {
    size_t n = 0;
    while (c < end && !is_word(*c)) s->line += *c++ == '\n';
    while (c + n < end && is_word(c[n])) n++;
    bool good = n == 0;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
      good = good || (strlen(known[i]) == n && memcmp(known[i], c, n) == 0);
    if (!good)
      return fail(
          s,
          "attribute '%.*s' changes what some tools read; legal: keep mem2reg nomem2reg ram_style "
          "rom_style",
          (int)n, c);
    while (c < end && *c != ',') s->line += *c++ == '\n';
  }
  s->at = end + 2;
  return 0;
}

/* ---- conditionals, macros, includes ---- */

static const char *word(scan_t *s, size_t *n) {
  while (*s->at == ' ' || *s->at == '\t') s->at++;
  const char *from = s->at;
  while (is_word(*s->at)) s->at++;
  *n = (size_t)(s->at - from);
  return from;
}

static bool is(const char *text, size_t n, const char *what) {
  return strlen(what) == n && memcmp(text, what, n) == 0;
}

static int find_macro(const verilog_t *v, const char *name, size_t n) {
  for (unsigned i = 0; i < v->n_macros; i++)
    if (v->macro[i].n == n && memcmp(v->macro[i].name, name, n) == 0) return (int)i;
  return -1;
}

/* Names that some tool defines, or may define. */
static bool of_a_tool(const char *name, size_t n) {
  static const char *const names[] = {"SYNTHESIS", "FORMAL", "YOSYS", "VERILATOR", "ICARUS",
                                      "verilator", "SV_COV", "__",    "IVERILOG"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (n >= strlen(names[i]) && memcmp(name, names[i], strlen(names[i])) == 0) return true;
  return false;
}

/* A user's own flow defines it, to have its macros for memories (docs/modules/sram.md). */
#define BLACK_BOX "SRAM_BLACK_BOX"

static bool in_synthesis(const scan_t *s) {
  for (unsigned i = 0; i < s->n_cond; i++)
    if (s->cond[i].synthesis) return true;
  return false;
}

/* Whether a header's `ifndef NAME` is followed directly by `define NAME`, so that the header is
 * read once. */
static bool is_guard(const scan_t *s, const char *name, size_t n) {
  const char *next = s->at + strspn(s->at, " \t\r\n");
  if (!s->header || strncmp(next, "`define", 7) != 0) return false;
  next += 7 + strspn(next + 7, " \t");
  return strncmp(next, name, n) == 0 && !is_word(next[n]);
}

/* Finds in which readings NAME is defined. Returns -1 and a message if the tools do not agree on
 * it. */
static int test_macro(const scan_t *s, const char *name, size_t n, bool unless, unsigned *where) {
  *where = 0;
  if (is(name, n, "SYNTHESIS")) {
    *where = READ_SYNTHESIS;
    return 0;
  }
  if (find_macro(s->v, name, n) >= 0) {
    *where = READ_BOTH;
    return 0;
  }
  if (is(name, n, BLACK_BOX)) return 0; /* no tool defines it, and nothing here does */
  if (unless && !of_a_tool(name, n) && is_guard(s, name, n)) return 0;
  return fail(s,
              "a condition on %.*s, which not all tools define alike; legal: SYNTHESIS, or a macro "
              "that this "
              "source has defined above",
              (int)n, name);
}

static int condition(scan_t *s, const char *kind, size_t kind_n) {
  size_t n;
  bool first = is(kind, kind_n, "ifdef") || is(kind, kind_n, "ifndef");
  if (first && s->n_cond == MAX_DEPTH) return fail(s, "conditions more than %d deep", MAX_DEPTH);
  if (!first && s->n_cond == 0) return fail(s, "`%.*s without `ifdef", (int)kind_n, kind);
  if (first) {
    unsigned outer = readings(s);
    s->cond[s->n_cond++].outer = outer;
    s->cond[s->n_cond - 1].taken = s->cond[s->n_cond - 1].now = 0;
    s->cond[s->n_cond - 1].synthesis = false;
  }
  unsigned i = s->n_cond - 1, where = READ_BOTH;
  if (is(kind, kind_n, "endif")) return s->n_cond--, 0;
  if (!is(kind, kind_n, "else")) {
    const char *name = word(s, &n);
    bool unless = is(kind, kind_n, "ifndef");
    if (test_macro(s, name, n, unless, &where) != 0) return -1;
    s->cond[i].synthesis = s->cond[i].synthesis || is(name, n, "SYNTHESIS");
    if (unless) where = READ_BOTH & ~where;
  }
  s->cond[i].now = s->cond[i].outer & where & ~s->cond[i].taken;
  s->cond[i].taken |= s->cond[i].now;
  return 0;
}

/* A macro must be a constant, so that it does not matter how a tool expands it. */
static int define(scan_t *s) {
  size_t n;
  const char *name = word(s, &n);
  const char *body = s->at;
  size_t m = strcspn(body, "\n"), blank = strspn(body, " \t");
  const char *note = memchr(body, '/', m);
  if (note && note[1] == '/') m = (size_t)(note - body);
  s->at = body + m;
  if (readings(s) == 0) return 0;
  if (in_synthesis(s))
    return fail(s, "macro %.*s depends on SYNTHESIS; legal: one text in both readings", (int)n,
                name);
  if (n == 0 || of_a_tool(name, n))
    return fail(s, "macro '%.*s' is for tools to define; legal: another name", (int)n, name);
  while (m > blank && isspace((unsigned char)body[m - 1])) m--;
  for (size_t i = blank <= m ? blank : m; i < m; i++) {
    size_t inner = i + 1;
    while (body[i] == '`' && inner < m && is_word(body[inner])) inner++;
    if (body[i] == '`' && find_macro(s->v, body + i + 1, inner - i - 1) < 0)
      return fail(s, "`%.*s in a macro; legal: a macro that this source has defined above",
                  (int)(inner - i - 1), body + i + 1);
    bool letter =
        isalpha((unsigned char)body[i]) || body[i] == '_' || body[i] == '\\' || body[i] == '"';
    size_t from = i;
    while (from > 0 && is_word(body[from - 1])) from--;
    if (body[0] == '(' || strchr(";=#@{}[].", body[i]) ||
        (letter && !isdigit((unsigned char)body[from]) &&
         (from == 0 || !strchr("'`", body[from - 1]))))
      return fail(
          s,
          "macro %.*s; legal: a number, or an expression of numbers and macros, without arguments",
          (int)n, name);
  }
  int old = find_macro(s->v, name, n);
  if (old >= 0 && (s->v->macro[old].n_body != m || memcmp(s->v->macro[old].body, body, m) != 0))
    return fail(s, "macro %.*s has another text above; legal: one text", (int)n, name);
  if (old >= 0) return 0;
  if (s->v->n_macros == VERILOG_MACROS) return fail(s, "more than %d macros", VERILOG_MACROS);
  unsigned k = s->v->n_macros++;
  s->v->macro[k].name = name, s->v->macro[k].n = (unsigned)n;
  s->v->macro[k].body = body, s->v->macro[k].n_body = (unsigned)m;
  return 0;
}

static int read_text(scan_t *outer, verilog_t *v, const char *name, unsigned depth,
                     mrpb_err_t *err);

static int include(scan_t *s) {
  char name[128];
  s->at += strspn(s->at, " \t");
  size_t n = *s->at == '"' ? strcspn(s->at + 1, "\"\n") : 0;
  if (n < 4 || n >= sizeof name || s->at[n + 1] != '"' || memchr(s->at + 1, '/', n) ||
      memcmp(s->at + n - 2, ".vh", 3) != 0)
    return fail(s, "`include; legal: \"NAME.vh\", a header in the same folder");
  snprintf(name, sizeof name, "%.*s", (int)n, s->at + 1);
  s->at += n + 2;
  if (readings(s) == 0) return 0;
  if (in_synthesis(s))
    return fail(s, "`include depends on SYNTHESIS; legal: one text in both readings");
  return read_text(s, s->v, name, s->depth + 1, s->err);
}

static int net_type(scan_t *s) {
  size_t n;
  const char *type = word(s, &n);
  if (is(type, n, "none") || is(type, n, "wire")) return 0;
  return fail(s, "`default_nettype %.*s; legal: none, wire", (int)n, type);
}

static int directive(scan_t *s) {
  static const char *const conditions[] = {"ifdef", "ifndef", "elsif", "else", "endif"};
  size_t n;
  s->at++;
  const char *name = word(s, &n);
  for (unsigned i = 0; i < 5; i++)
    if (is(name, n, conditions[i])) return condition(s, name, n);
  if (is(name, n, "define")) return define(s);
  if (is(name, n, "include")) return include(s);
  if (is(name, n, "default_nettype")) return net_type(s);
  if (is(name, n, "timescale")) return s->at += strcspn(s->at, "\n"), 0;
  if (is(name, n, "resetall") || is(name, n, "celldefine") || is(name, n, "endcelldefine"))
    return 0;
  if (find_macro(s->v, name, n) >= 0) return put(s, T_MACRO, name, n);
  if (readings(s) == 0) return 0;
  return fail(s,
              "`%.*s is no macro of this source; legal: its macros, `define `include `ifdef "
              "`ifndef `elsif `else "
              "`endif `default_nettype `timescale",
              (int)n, name);
}

/* ---- tokens ---- */

static int number(scan_t *s) {
  const char *from = s->at;
  bool based = false;
  for (; is_word(*s->at) || *s->at == '\'' || (based && *s->at == '?'); s->at++) {
    if (*s->at == '\'') {
      based = true;
      if (tolower((unsigned char)s->at[1]) == 's') s->at++;
      if (s->at[1]) s->at++; /* the base */
      s->at += strspn(s->at + 1, " \t");
      continue;
    }
    char c = (char)tolower((unsigned char)*s->at);
    if (based && (c == 'x' || c == 'z') && readings(s))
      return fail(
          s,
          "%c in a number: every tool takes it for something else; legal: 0, 1, and ? in a casez",
          c);
  }
  if (!based && *s->at == '.' && isdigit((unsigned char)s->at[1]))
    return fail(s, "a real number; legal: whole numbers");
  return put(s, T_NUMBER, from, (size_t)(s->at - from));
}

static int sign(scan_t *s) {
  static const char *const two[] = {"<=", ">=", "==", "!=", "&&", "||", "<<", ">>",
                                    "->", "+:", "-:", "**", "~&", "~|", "~^", "^~"};
  size_t n = 1;
  for (unsigned i = 0; i < sizeof two / sizeof *two; i++)
    if (strncmp(s->at, two[i], 2) == 0) n = 2;
  if (strncmp(s->at, "===", 3) == 0 || strncmp(s->at, "!==", 3) == 0 ||
      strncmp(s->at, "->", 2) == 0)
    return readings(s)
               ? fail(s, "%.*s; legal: what hardware can compare: == !=", s->at[0] == '-' ? 2 : 3,
                      s->at)
               : (s->at += 2, 0);
  s->at += n;
  return put(s, T_SIGN, s->at - n, n);
}

static int string(scan_t *s) {
  const char *from = s->at++;
  while (*s->at && *s->at != '"' && *s->at != '\n') s->at += *s->at == '\\' && s->at[1] ? 2 : 1;
  if (*s->at != '"') return fail(s, "a string that does not end");
  s->at++;
  if (check_directives(s, from, (size_t)(s->at - from)) != 0) return -1;
  return put(s, T_STRING, from, (size_t)(s->at - from));
}

static int token(scan_t *s) {
  const char *c = s->at;
  if (c[0] == '/' && (c[1] == '/' || c[1] == '*')) return comment(s);
  if (c[0] == '(' && c[1] == '*' && c[2 + strspn(c + 2, " \t")] != ')') return attribute(s);
  if (*c == '`') return directive(s);
  if (*c == '"') return string(s);
  if (*c == '\\') return fail(s, "an escaped name; legal: letters, digits and _");
  if (isdigit((unsigned char)*c) || *c == '\'') return number(s);
  if ((unsigned char)*c >= 127) return fail(s, "a character that is not ASCII outside a comment");
  if (!is_word(*c)) return sign(s);
  while (is_word(*s->at)) s->at++;
  return put(s, *c == '$' ? T_SYSTEM : T_WORD, c, (size_t)(s->at - c));
}

/* `outer` is the including text, or NULL. */
static int read_text(scan_t *outer, verilog_t *v, const char *name, unsigned depth,
                     mrpb_err_t *err) {
  size_t size = 0;
  if (depth > MAX_INCLUDES || v->n_files == VERILOG_FILES)
    return mrpb_fail(err, "%s/%s: too many includes", v->dir, name);
  scan_t s = {
      .v = v, .err = err, .file = v->n_files++, .line = 1, .depth = depth, .header = outer != NULL};
  char *path = v->file[s.file].path;
  if (snprintf(path, VERILOG_PATH, "%s/%s", v->dir, name) >= VERILOG_PATH)
    return mrpb_fail(err, "%.60s...: the path is too long", v->dir);
  v->file[s.file].text = files_read(path, &size);
  if (!v->file[s.file].text) {
    v->n_files--;
    return outer ? fail(outer, "`include \"%s\": no such file; legal: one in this folder", name)
                 : mrpb_fail(err, "%s: cannot read", path);
  }
  if (strlen(v->file[s.file].text) != size)
    return mrpb_fail(err, "%s: a byte 0 in it; legal: text", path);
  for (s.at = v->file[s.file].text; *s.at;) {
    if (*s.at == '\n') s.line++;
    if (isspace((unsigned char)*s.at))
      s.at++;
    else if (token(&s) != 0)
      return -1;
  }
  return s.n_cond == 0 ? 0 : fail(&s, "`endif is missing");
}

int verilog_read(verilog_t *v, const char *dir, const char *name, mrpb_err_t *err) {
  memset(v, 0, sizeof *v);
  v->dir = dir;
  return read_text(NULL, v, name, 0, err);
}

void verilog_free(verilog_t *v) {
  for (unsigned i = 0; i < v->n_files; i++) free(v->file[i].text);
  free(v->token);
}
