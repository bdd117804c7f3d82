/* SPDX-License-Identifier: Apache-2.0 */
/* Checks words and names, token by token, and the items of the module: see rules.h. */
#include "verilog/lint/rules.h"

#include <stdlib.h>
#include <string.h>

bool rules_has(const token_t *const *names, unsigned n, const token_t *t) {
  for (unsigned i = 0; i < n; i++)
    if (verilog_token_same(names[i], t)) return true;
  return false;
}

int rules_add(rules_t *r, const token_t **names, unsigned *n, const token_t *t) {
  if (rules_has(names, *n, t)) return 0;
  if (*n == RULES_NAMES) return verilog_fail(r->v, t, r->err, "more than %d names", RULES_NAMES);
  names[(*n)++] = t;
  return 0;
}

static bool in_list(const token_t *t, const char *const *list) {
  for (; *list; list++)
    if (verilog_token_is(t, *list)) return true;
  return false;
}

/* Words that have no hardware, or not the same hardware in every tool. */
static const char *const refused[] = {
    "force",    "release",  "deassign",    "defparam", "specify", "primitive", "table",
    "fork",     "wait",     "disable",     "event",    "time",    "real",      "realtime",
    "casex",    "tri",      "tri0",        "tri1",     "triand",  "trior",     "trireg",
    "wand",     "wor",      "supply0",     "supply1",  "inout",   "pullup",    "pulldown",
    "bufif0",   "bufif1",   "notif0",      "notif1",   "nmos",    "pmos",      "rnmos",
    "rpmos",    "cmos",     "rcmos",       "tran",     "rtran",   "tranif0",   "tranif1",
    "rtranif0", "rtranif1", "negedge",     "task",     "while",   "repeat",    "forever",
    "config",   "library",  "macromodule", "strong0",  "strong1", "pull0",     "pull1",
    "weak0",    "weak1",    "highz0",      "highz1",   "bind",    "import",    "export",
    "program",  "class",    "interface",   "package",  "chandle", "static",    "unique",
    "priority", "edge",     "uwire",       "small",    "medium",  "large",     NULL};

static int check_word(const rules_t *r, const token_t *t) {
  if (!in_list(t, refused)) return 0;
  return verilog_fail(
      r->v, t, r->err,
      "'%.*s' is no hardware that every tool reads alike; legal: wire reg integer assign "
      "always initial function if case casez for generate",
      (int)t->n, t->text);
}

static int check_system(const rules_t *r, size_t i, bool printing) {
  static const char *const values[] = {"$clog2", "$signed", "$unsigned", NULL};
  static const char *const printed[] = {"$time", "$stime", "$realtime", NULL};
  static const char *const tasks[] = {"$display", "$write", "$strobe", "$error",  "$warning",
                                      "$info",    "$fatal", "$stop",   "$finish", NULL};
  const token_t *t = r->t[i];
  if (in_list(t, values) || in_list(t, tasks) || (printing && in_list(t, printed))) return 0;
  return verilog_fail(
      r->v, t, r->err,
      "%.*s has no hardware; legal: $clog2 $signed $unsigned, and in a check $display $error "
      "$fatal $stop $finish",
      (int)t->n, t->text);
}

/* clk_i is the only clock, and is used only as a clock. */
static int check_clock(const rules_t *r, size_t i) {
  const token_t *const *t = r->t + i;
  bool after_input =
      i > 1 && (verilog_token_is(t[-1], "input") ||
                (verilog_token_is(t[-1], "wire") && verilog_token_is(t[-2], "input")));
  bool edge = i > 0 && verilog_token_is(t[-1], "posedge");
  bool port = i > 0 && verilog_token_is(t[-1], ".") && verilog_token_is(t[1], "(") &&
              verilog_token_is(t[2], "clk_i") && verilog_token_is(t[3], ")");
  bool given = i > 2 && verilog_token_is(t[-1], "(") && verilog_token_is(t[-2], "clk_i") &&
               verilog_token_is(t[-3], ".");
  if (after_input || edge || port || given) return 0;
  return verilog_fail(
      r->v, *t, r->err,
      "clk_i is used as a signal; legal: input wire clk_i, posedge clk_i, .clk_i(clk_i)");
}

static int check_event(const rules_t *r, size_t i) {
  const token_t *const *t = r->t + i;
  bool star =
      verilog_token_is(t[1], "*") ||
      (verilog_token_is(t[1], "(") && verilog_token_is(t[2], "*") && verilog_token_is(t[3], ")"));
  bool edge = verilog_token_is(t[1], "(") && verilog_token_is(t[2], "posedge") &&
              verilog_token_is(t[3], "clk_i") && verilog_token_is(t[4], ")");
  if (i > 0 && verilog_token_is(t[-1], "always") && (star || edge)) return 0;
  return verilog_fail(
      r->v, *t, r->err,
      "a list of signals may be incomplete, another edge is another clock; legal: always @*, "
      "always @(posedge clk_i)");
}

/* a.b may name a generate block of this module, but not another module. */
static int check_dot(const rules_t *r, size_t i) {
  size_t k = i;
  if (i == 0 || verilog_token_is(r->t[i - 1], "(") || verilog_token_is(r->t[i - 1], ",")) return 0;
  for (;;) {
    unsigned depth = 0;
    do {
      k--;
      depth += verilog_token_is(r->t[k], "]");
      depth -= depth > 0 && verilog_token_is(r->t[k], "[");
    } while (k > 0 && (depth > 0 || verilog_token_is(r->t[k], "[")));
    if (k < 2 || !verilog_token_is(r->t[k - 1], ".") || verilog_token_is(r->t[k - 2], "(") ||
        verilog_token_is(r->t[k - 2], ","))
      break;
    k--;
  }
  if (rules_has(r->label, r->n_labels, r->t[k])) return 0;
  return verilog_fail(r->v, r->t[k], r->err, "%.*s.%.*s reaches into another module; legal: ports",
                      (int)r->t[k]->n, r->t[k]->text, (int)r->t[i + 1]->n, r->t[i + 1]->text);
}

static int check_delay(const rules_t *r, size_t i) {
  const token_t *const *t = r->t + i;
  if (verilog_token_is(t[1], "(") &&
      (verilog_token_is(t[2], ".") || verilog_token_is(t[2], "parameter")))
    return 0;
  return verilog_fail(r->v, *t, r->err,
                      "a delay, or a parameter without its name; legal: #(.NAME(value))");
}

static int check_sign(const rules_t *r, size_t i) {
  const token_t *t = r->t[i];
  if (verilog_token_is(t, "@")) return check_event(r, i);
  if (verilog_token_is(t, "#")) return check_delay(r, i);
  if (verilog_token_is(t, ".")) return check_dot(r, i);
  return 0;
}

/* A digit `?` matches anything, where it is allowed. */
static int check_number(const rules_t *r, const token_t *t, bool casez) {
  if (casez || !memchr(t->text, '?', t->n)) return 0;
  return verilog_fail(r->v, t, r->err, "? in a number is a z; legal: in a casez");
}

static int check_tokens(const rules_t *r) {
  unsigned parens = 0, printing = 0, casez = 0, cases = 0;
  for (size_t i = 0; i < r->n; i++) {
    const token_t *t = r->t[i];
    int rc = 0;
    parens += verilog_token_is(t, "(");
    parens -= parens > 0 && verilog_token_is(t, ")");
    if (parens < printing || verilog_token_is(t, ";")) printing = 0;
    if (verilog_token_is(t, "case") || verilog_token_is(t, "casez")) cases++;
    if (verilog_token_is(t, "casez") && !casez) casez = cases;
    if (verilog_token_is(t, "endcase") && cases-- == casez) casez = 0;
    switch (t->kind) {
    case T_WORD:
      rc = verilog_token_is(t, "clk_i") ? check_clock(r, i) : check_word(r, t);
      if (verilog_token_is(t, "always") && !verilog_token_is(r->t[i + 1], "@"))
        rc = check_event(r, i + 1);
      break;
    case T_SYSTEM:
      rc = check_system(r, i, printing > 0);
      if (rc == 0 && verilog_token_is(r->t[i + 1], "(") && !verilog_token_is(t, "$clog2"))
        printing = parens + 1;
      break;
    case T_NUMBER:
      rc = check_number(r, t, casez > 0);
      break;
    case T_SIGN:
      rc = check_sign(r, i);
      break;
    case T_MACRO:
    case T_STRING:
      break;
    }
    if (rc != 0) return -1;
  }
  return 0;
}

/* ---- names ---- */

static int find_names(rules_t *r) {
  bool constants = false, genvars = false;
  for (size_t i = 0; i < r->n; i++) {
    const token_t *t = r->t[i];
    int rc = 0;
    if (verilog_token_is(t, "begin") && verilog_token_is(r->t[i + 1], ":"))
      rc = rules_add(r, r->label, &r->n_labels, r->t[i + 2]);
    if (verilog_token_is(t, ";")) constants = genvars = false;
    if (verilog_token_is(t, "parameter") || verilog_token_is(t, "localparam")) constants = true;
    if (verilog_token_is(t, "input") || verilog_token_is(t, "output")) constants = false;
    if (verilog_token_is(t, "genvar")) genvars = true;
    if (t->kind == T_WORD && ((constants && verilog_token_is(r->t[i + 1], "=")) ||
                              (genvars && !verilog_token_is(t, "genvar"))))
      rc = rules_add(r, r->constant, &r->n_constants, t);
    if (verilog_token_is(t, "function"))
      for (size_t k = i + 1; k < r->n && !verilog_token_is(r->t[k], ";"); k++)
        if (verilog_token_is(r->t[k + 1], "(") || verilog_token_is(r->t[k + 1], ";")) {
          rc = rc == 0 ? rules_add(r, r->constant, &r->n_constants, r->t[k]) : rc;
          break;
        }
    if (rc != 0) return -1;
  }
  return 0;
}

/* A variable that counts the iterations of a loop has no meaning outside it. */
static int check_loops(const rules_t *r) {
  bool declared = false;
  for (size_t i = 0; i < r->n; i++) {
    const token_t *t = r->t[i];
    bool counts = false, inside = false;
    if (verilog_token_is(t, "integer")) declared = true;
    if (verilog_token_is(t, ";")) declared = false;
    if (t->kind != T_WORD || declared || (i > 0 && verilog_token_is(r->t[i - 1], "."))) continue;
    for (unsigned k = 0; k < r->n_loops && !inside; k++) {
      if (!verilog_token_same(r->loop[k].name, t)) continue;
      counts = counts || r->loop[k].counts;
      inside = r->loop[k].from <= i && i < r->loop[k].to;
    }
    if (counts && !inside)
      return verilog_fail(
          r->v, t, r->err,
          "%.*s counts the rounds of a loop and is used outside of one; legal: another name",
          (int)t->n, t->text);
  }
  return 0;
}

static int check_items(rules_t *r) {
  for (size_t i = 0; i < r->n;) {
    size_t next = i + 1;
    if (verilog_token_is(r->t[i], "always"))
      next = rules_always(r, i);
    else if (verilog_token_is(r->t[i], "initial"))
      next = rules_initial(r, i);
    else if (verilog_token_is(r->t[i], "function"))
      next = rules_function(r, i);
    if (next == 0) return -1;
    i = next;
  }
  return check_loops(r);
}

static int check_module(const rules_t *r, const char *stem) {
  const token_t *first = r->t[0];
  if (r->n < 3 || !verilog_token_is(first, "module") || !verilog_token_is(r->t[1], stem))
    return verilog_fail(
        r->v, first, r->err,
        "module %s is missing here: '%.*s'; legal: file %s.v defines module %s and nothing else",
        stem, (int)r->t[r->n > 1]->n, r->t[r->n > 1]->text, stem, stem);
  for (size_t i = 1; i < r->n; i++)
    if (verilog_token_is(r->t[i], "module") ||
        (verilog_token_is(r->t[i], "endmodule") && i + 1 < r->n))
      return verilog_fail(r->v, r->t[i + 1 < r->n ? i + 1 : i], r->err,
                          "more than module %s; legal: one module in a file, of its name", stem);
  return 0;
}

int rules_check(const verilog_t *v, unsigned reading, const char *stem, mrpb_err_t *err) {
  static const token_t nothing = {.kind = T_SIGN, .text = ""};
  enum { AHEAD = 8 };
  rules_t *r = calloc(1, sizeof *r);
  if (r) r->t = calloc(v->n + AHEAD, sizeof *r->t);
  if (!r || !r->t) {
    free(r);
    return mrpb_fail(err, "out of memory");
  }
  r->v = v;
  r->err = err;
  for (size_t i = 0; i < v->n; i++)
    if (v->token[i].readings & reading) r->t[r->n++] = &v->token[i];
  for (size_t i = 0; i < AHEAD; i++) r->t[r->n + i] = r->n && i == 0 ? &nothing : &nothing;
  int rc = check_module(r, stem) != 0 || find_names(r) != 0 || check_tokens(r) != 0 ||
                   check_items(r) != 0
               ? -1
               : 0;
  free(r->t);
  free(r);
  return rc;
}
