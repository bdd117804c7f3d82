/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/decide.h"
#include "base/seconds.h"

#include "base/abc.h"
#include "base/files.h"
#include "base/process.h"
#include "verify/prove/cnf.h"

#include <stdlib.h>
#include <string.h>

enum {
  LOG = 1 << 27, /* maximum bytes of an answer: a number for each variable */
  MANY = 64,     /* a check of more parts than this is decided part by part, */
  MOST = 1 << 14 /* if they are fewer than this */
};

/* The answer of one engine. */
typedef struct {
  decide_t verdict;
  bool wrong; /* its case is not a case */
  uint8_t *cex;
  mrpb_err_t why;
} answer_t;

/* A question as a file, and the graph's numbers of the file's variables. */
typedef struct {
  const question_t *q;
  lit_t any;
  char file[FILES_PATH], answer[FILES_PATH];
  uint32_t *inputs, n_inputs, ands;
} asked_t;

int decide_engine(engine_t *engine, const char *name, mrpb_err_t *err) {
  static const char *const names[] = {"abc", "cadical", "both"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return *engine = (engine_t)i, 0;
  return mrpb_fail(err, "engine %s: legal: abc cadical both", name);
}

const char *decide_name(engine_t engine) {
  static const char *const names[] = {"ABC", "cadical", "ABC and cadical"};
  return names[engine];
}

static bool write_graph(asked_t *a) {
  FILE *f = fopen(a->file, "wb");
  if (!f) return false;
  bool good = aig_write(a->q->g, &a->any, 1, f, a->inputs, &a->n_inputs, &a->ands);
  return fclose(f) == 0 && good;
}

/* Writes a part of the question for cadical: those of `bad` that are AND(given, rest), by their
 * rests. */
static bool write_clauses(asked_t *a, lit_t given, const lit_t *rest, uint32_t n) {
  uint32_t ands = 0;
  FILE *f = fopen(a->file, "w");
  if (!f) return false;
  bool good = cnf_write(a->q->g, given, rest, n, f, a->inputs, &a->n_inputs, &ands);
  if (ands > a->ands) a->ands = ands;
  return fclose(f) == 0 && good;
}

/* ABC: one character for each input of the file, in order. */
static bool read_digits(const asked_t *a, uint8_t *cex) {
  char *text = files_read(a->answer, NULL);
  uint32_t n = 0;
  for (const char *p = text; p && *p && *p != '\n' && n < a->n_inputs; p++)
    if (*p == '0' || *p == '1') cex[a->inputs[n++]] = (uint8_t)(*p - '0');
  free(text);
  return n == a->n_inputs;
}

/* cadical: lines "v 1 -2 3 0"; the inputs are the first variables. */
static bool read_values(const asked_t *a, const char *text, uint8_t *cex) {
  uint32_t n = 0;
  for (const char *at = strstr(text, "\nv "); at; at = strstr(at, "\nv ")) {
    char *next;
    for (at += 3;; at = next) {
      long v = strtol(at, &next, 10);
      unsigned long var = (unsigned long)labs(v);
      if (next == at || v == 0) break;
      if (var > a->n_inputs) continue;
      cex[a->inputs[var - 1]] = v > 0;
      n++;
    }
    at--; /* start of the next line */
  }
  return n == a->n_inputs;
}

/* Evaluates the graph to check that `cex` really makes `bad` true. */
static bool confirmed(const aig_t *g, lit_t bad, const uint8_t *cex) {
  uint64_t *in = prove_alloc(aig_inputs(g) * sizeof *in);
  uint64_t *node = prove_alloc(aig_nodes(g) * sizeof *node);
  for (uint32_t i = 0; i < aig_inputs(g); i++) in[i] = cex[i];
  aig_simulate(g, in, node);
  bool is = aig_value(node, bad) & 1;
  free(in);
  free(node);
  return is;
}

/* Runs an engine for the rest of its time limit. Returns its output, which the caller frees, if it
 * ended by itself in time, else NULL and the reason. */
static char *call(const char *const *argv, const char *name, unsigned seconds, unsigned limit,
                  answer_t *to, int *code) {
  const process_t p = {.argv = argv, .seconds = seconds, .most = LOG};
  process_result_t r;
  mrpb_err_t err = {""};
  to->verdict = DECIDE_UNKNOWN;
  if (process_run(&p, &r, &err) != 0) {
    to->verdict = DECIDE_NO_TOOL;
    mrpb_fail(&to->why, "%s is missing: configs/packages.txt has its package (%s)", argv[0],
              err.text);
    return NULL;
  }
  *code = r.code;
  if (r.end == PROCESS_EXITED) return r.text;
  char how[64];
  process_describe(&p, &r, how, sizeof how);
  free(r.text);
  if (r.end == PROCESS_LATE)
    mrpb_fail(&to->why, "no answer of %s within %u s", name, limit);
  else
    mrpb_fail(&to->why, "no answer of %s: %s", name, how);
  return NULL;
}

/* A case is believed only if the graph confirms it. */
static void judge(const asked_t *a, const char *name, bool never, bool sat, bool read, int code,
                  answer_t *to) {
  to->wrong = sat && !(read && confirmed(a->q->g, a->any, to->cex));
  if (never != sat && !to->wrong) {
    to->verdict = never ? DECIDE_NEVER : DECIDE_TRUE;
    return;
  }
  to->verdict = DECIDE_UNKNOWN;
  if (to->wrong)
    mrpb_fail(&to->why, "%s names an invalid case", name);
  else
    mrpb_fail(&to->why, "%s gave no answer that can be used (exit %d)", name, code);
}

/* One sweep. to->verdict is DECIDE_UNKNOWN without `wrong` if another sweep may be tried. */
static void sweep(const asked_t *a, const char *how, unsigned seconds, answer_t *to) {
  char script[3 * FILES_PATH];
  int code;
  remove(a->answer);
  *to = (answer_t){.cex = to->cex};
  snprintf(script, sizeof script, "read_aiger %s; strash; %s; iprove; print_status; write_cex %s",
           a->file, how, a->answer);
  const char *const argv[] = {abc_program(), "-c", script, NULL};
  char *text = call(argv, "ABC", seconds, seconds, to, &code);
  if (!text) return;
  bool never = code == 0 && strstr(text, "UNSATISFIABLE"), sat = false;
  if (code == 0 && !never) sat = strstr(text, "SATISFIABLE");
  judge(a, "ABC", never, sat, sat && read_digits(a, to->cex), code, to);
  free(text);
}

static void tell(const question_t *q, const char *what, unsigned seconds) {
  if (q->doing) q->doing(q->context, what, seconds);
}

static void ask_abc(asked_t *a, answer_t *to) {
  const unsigned seconds = a->q->seconds, first = seconds > 40 ? 20 : seconds / 2 + 1;
  files_path(a->file, "%s/miter.aig", a->q->temp);
  files_path(a->answer, "%s/cex.txt", a->q->temp);
  tell(a->q, "deciding: ABC", first);
  to->verdict = DECIDE_UNKNOWN;
  if (!write_graph(a)) {
    mrpb_fail(&to->why, "%s: cannot be written", a->file);
    return;
  }
  /* Either sweep decides in seconds what takes the other hours or more. */
  sweep(a, "ifraig -C 100000", first, to);
  if (to->verdict != DECIDE_UNKNOWN || to->wrong) return;
  tell(a->q, "deciding: ABC, second sweep", seconds);
  sweep(a, "&get; &fraig -x; &put", seconds, to);
}

/* One run of cadical: can `given` and one of `rest` be true? Ends at second `end`. */
static void ask_part(asked_t *a, lit_t given, const lit_t *rest, uint32_t n, long end,
                     answer_t *to) {
  int code;
  to->verdict = DECIDE_UNKNOWN;
  if (!write_clauses(a, given, rest, n)) {
    mrpb_fail(&to->why, "%s: cannot be written", a->file);
    return;
  }
  const char *const argv[] = {"cadical", "-q", a->file, NULL};
  const long left = end - (long)seconds_now();
  char *text = call(argv, "cadical", left > 1 ? (unsigned)left : 1, a->q->seconds, to, &code);
  if (!text) return;
  bool never = code == 20 && strncmp(text, "s UNSATISFIABLE\n", 16) == 0;
  bool sat = code == 10 && strncmp(text, "s SATISFIABLE\n", 14) == 0;
  judge(a, "cadical", never, sat, sat && read_values(a, text, to->cex), code, to);
  free(text);
}

/* Moves the literals of the form AND(given, rest) out of `left`; returns their number. */
static uint32_t take_part(const aig_t *g, lit_t given, lit_t *left, uint32_t *n, lit_t *rest) {
  uint32_t taken = 0, kept = 0;
  for (uint32_t i = 0; i < *n; i++) {
    lit_t x, y;
    bool both = !(left[i] & 1) && aig_fanins(g, left[i] >> 1, &x, &y);
    if (given == AIG_TRUE)
      rest[taken++] = left[i];
    else if (both && (x == given || y == given))
      rest[taken++] = x == given ? y : x;
    else
      left[kept++] = left[i];
  }
  *n = kept;
  return taken;
}

/* The condition that most of them share (the invariant, a reset), AIG_TRUE if there is none. */
static lit_t common(const aig_t *g, const lit_t *left, uint32_t n) {
  uint32_t *uses = prove_alloc(2 * (size_t)aig_nodes(g) * sizeof *uses);
  memset(uses, 0, 2 * (size_t)aig_nodes(g) * sizeof *uses);
  uses[AIG_TRUE] = 1; /* a condition must be shared by two at least */
  lit_t best = AIG_TRUE;
  for (uint32_t i = 0; i < n; i++) {
    lit_t in[2];
    if ((left[i] & 1) || !aig_fanins(g, left[i] >> 1, &in[0], &in[1])) continue;
    for (unsigned k = 0; k < 2; k++)
      if (++uses[in[k]] > uses[best]) best = in[k];
  }
  free(uses);
  return best;
}

/* A growing list of literals. */
typedef struct {
  lit_t *lit;
  uint32_t n;
  size_t room;
} lits_t;

static void push(lits_t *l, lit_t x) {
  l->lit = prove_room(l->lit, l->n + 1, &l->room, sizeof *l->lit);
  l->lit[l->n++] = x;
}

/* A check that fails if any of many conditions fails (such as an invariant of many parts) becomes
 * one check for each. */
static void split(const aig_t *g, lit_t x, lits_t *parts) {
  const uint32_t first = parts->n;
  push(parts, x);
  for (uint32_t i = first; i < parts->n && parts->n - first < MOST;) {
    lit_t in[2], at = parts->lit[i];
    if (!(at & 1) || !aig_fanins(g, at >> 1, &in[0], &in[1])) {
      i++;
      continue;
    }
    parts->lit[i] = aig_not(in[0]); /* !(x y) is !x or !y */
    push(parts, aig_not(in[1]));
  }
  if (parts->n - first > MANY && parts->n - first < MOST) return;
  parts->n = first;
  push(parts, x);
}

/* Checks that share a condition are decided together, with the condition as a fact: it is processed
 * once, not for each check. */
static void ask_cadical(asked_t *a, answer_t *to) {
  const question_t *q = a->q;
  uint32_t n = 0;
  lit_t *left = prove_alloc((q->n_bad + 1) * sizeof *left);
  lit_t *rest = prove_alloc((q->n_bad + 1) * sizeof *rest);
  for (uint32_t i = 0; i < q->n_bad; i++)
    if (q->bad[i] != AIG_FALSE) left[n++] = q->bad[i];
  files_path(a->file, "%s/miter.icnf", q->temp);
  tell(q, "deciding: cadical", q->seconds);
  to->verdict = DECIDE_NEVER;
  const long end = (long)seconds_now() + q->seconds;
  while (n > 0 && to->verdict == DECIDE_NEVER) {
    lit_t given = common(q->g, left, n);
    uint32_t taken = take_part(q->g, given, left, &n, rest);
    lits_t parts = {0};
    for (uint32_t i = 0; i < taken; i++) split(q->g, rest[i], &parts);
    ask_part(a, given, parts.lit, parts.n, end, to);
    free(parts.lit);
  }
  free(left);
  free(rest);
}

/* True if one engine says never and the other has a case, confirmed or not. */
static bool contradicts(const answer_t *never, const answer_t *other) {
  return never->verdict == DECIDE_NEVER && (other->verdict == DECIDE_TRUE || other->wrong);
}

static const char *in_words(const answer_t *a) {
  if (a->verdict == DECIDE_NEVER) return "nothing can fail";
  if (a->verdict == DECIDE_TRUE) return "something fails, and the graph confirms it";
  return a->why.text;
}

/* Combines both answers; the case goes to that of `a`. */
static decide_t join(answer_t *a, const answer_t *b, size_t n_cex, mrpb_err_t *err) {
  if (contradicts(a, b) || contradicts(b, a)) {
    mrpb_fail(err, "internal error: the engines disagree: ABC: %s; cadical: %s", in_words(a),
              in_words(b));
    return DECIDE_DISAGREE;
  }
  if (b->verdict == DECIDE_TRUE) memcpy(a->cex, b->cex, n_cex);
  if (a->verdict == DECIDE_TRUE || b->verdict == DECIDE_TRUE) return DECIDE_TRUE;
  if (a->verdict == DECIDE_NEVER && b->verdict == DECIDE_NEVER) return DECIDE_NEVER;
  const answer_t *worst = a->verdict == DECIDE_NEVER ? b : a;
  if (a->verdict == DECIDE_NO_TOOL || b->verdict == DECIDE_NO_TOOL) {
    mrpb_fail(err, "%s", a->verdict == DECIDE_NO_TOOL ? a->why.text : b->why.text);
    return DECIDE_NO_TOOL;
  }
  if (a->verdict == b->verdict)
    mrpb_fail(err, "%s; %s", a->why.text, b->why.text);
  else
    mrpb_fail(err, "%s, though the other engine proved it", worst->why.text);
  return DECIDE_UNKNOWN;
}

decide_t decide_question(const question_t *q, uint8_t *cex, uint32_t *ands, mrpb_err_t *err) {
  asked_t a = {.q = q, .any = AIG_FALSE};
  for (uint32_t i = 0; i < q->n_bad; i++) a.any = aig_or(q->g, a.any, q->bad[i]);
  const uint32_t n_inputs = aig_inputs(q->g);
  memset(cex, 0, n_inputs);
  *ands = 0;
  if (a.any == AIG_FALSE) return DECIDE_NEVER;
  a.inputs = prove_alloc(n_inputs * sizeof *a.inputs);
  answer_t abc = {.cex = cex}, cadical = {.cex = prove_alloc(n_inputs)};
  memset(cadical.cex, 0, n_inputs);
  decide_t verdict;
  if (q->engine != ENGINE_CADICAL) ask_abc(&a, &abc);
  if (q->engine != ENGINE_ABC && abc.verdict != DECIDE_NO_TOOL) ask_cadical(&a, &cadical);
  if (q->engine == ENGINE_BOTH) {
    verdict = join(&abc, &cadical, n_inputs, err);
  } else {
    const answer_t *one = q->engine == ENGINE_ABC ? &abc : &cadical;
    verdict = one->verdict;
    if (one->why.text[0]) mrpb_fail(err, "%s", one->why.text);
    if (one == &cadical) memcpy(cex, cadical.cex, n_inputs);
  }
  *ands = a.ands;
  free(cadical.cex);
  free(a.inputs);
  return verdict;
}
