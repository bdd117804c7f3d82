/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of always, initial and function: which targets they assign, and how. */
#include "verilog/lint/rules.h"

#include <stdint.h>
#include <string.h>

typedef enum { CLOCKED, COMBINATIONAL, INITIAL, FUNCTION } kind_t;

enum { MAX_TRACKED = 64, MAX_NEST = 64 };

typedef struct {
  rules_t *r;
  kind_t kind;
  bool collect; /* first pass: only finds out what is assigned */
  unsigned nest;
  const token_t *local[RULES_NAMES]; /* declared in the block; also a function's inputs */
  unsigned n_locals;
  const token_t *tracked[MAX_TRACKED]; /* must be assigned before they are read */
  unsigned n_tracked;
} block_t;

static int index_of(const block_t *b, const token_t *t) {
  for (unsigned i = 0; i < b->n_tracked; i++)
    if (verilog_token_same(b->tracked[i], t)) return (int)i;
  return -1;
}

static size_t no(const block_t *b, size_t i, const char *what, const char *legal) {
  const token_t *t = b->r->t[i];
  verilog_fail(b->r->v, t, b->r->err, "%.*s%s; legal: %s", (int)t->n, t->text, what, legal);
  return 0;
}

static bool at(const block_t *b, size_t i, const char *text) {
  return i < b->r->n && verilog_token_is(b->r->t[i], text);
}

static int track(block_t *b, const token_t *t) {
  if (index_of(b, t) >= 0) return 0;
  if (b->n_tracked == MAX_TRACKED)
    return verilog_fail(b->r->v, t, b->r->err, "more than %d variables in one block", MAX_TRACKED);
  b->tracked[b->n_tracked++] = t;
  return 0;
}

/* Reads the tokens from `i` to `end`. */
static bool reads(const block_t *b, size_t i, size_t end, uint64_t assigned) {
  for (; i < end && !b->collect; i++) {
    const token_t *t = b->r->t[i];
    int k = t->kind == T_WORD ? index_of(b, t) : -1;
    if (t->kind != T_WORD) continue;
    if (k >= 0 && !(assigned >> k & 1))
      return no(b, i, " is read before it is assigned: the value of another time",
                "an assignment above, in every branch");
    if (b->kind == FUNCTION && k < 0 && !rules_has(b->local, b->n_locals, t) &&
        !rules_has(b->r->constant, b->r->n_constants, t))
      return no(b, i, " is no input of this function, whose users would not wait for it",
                "inputs, parameters, variables of the function");
  }
  return true;
}

/* Returns the token after the bracket that closes the one at `i`. */
static size_t closed(const block_t *b, size_t i) {
  unsigned depth = 0;
  for (; i < b->r->n; i++) {
    if (at(b, i, "(") || at(b, i, "[") || at(b, i, "{")) depth++;
    if ((at(b, i, ")") || at(b, i, "]") || at(b, i, "}")) && --depth == 0) return i + 1;
  }
  return b->r->n;
}

/* Returns the next of these two tokens outside brackets. */
static size_t next_of(const block_t *b, size_t i, const char *one, const char *other) {
  while (i < b->r->n && !at(b, i, one) && !at(b, i, other))
    i = at(b, i, "(") || at(b, i, "[") || at(b, i, "{") ? closed(b, i) : i + 1;
  return i;
}

/* One target of an assignment, whole or in part. */
static bool target(block_t *b, size_t i, bool blocking, bool counts, uint64_t *assigned) {
  const token_t *t = b->r->t[i];
  bool whole = !at(b, i + 1, "[") && !at(b, i + 1, "."),
       local = rules_has(b->local, b->n_locals, t);
  if (b->kind == CLOCKED && blocking && !local && !counts)
    return no(b, i, " = in a clocked block: others see it before or after the edge", "<=");
  if (b->kind != CLOCKED && !blocking) return no(b, i, " <= outside of a clocked block", "=");
  if (b->kind == FUNCTION && !local && index_of(b, t) < 0)
    return no(b, i, " is assigned in a function", "variables of the function");
  if (b->collect && b->kind == COMBINATIONAL) return track(b, t) == 0;
  int k = index_of(b, t);
  if (k >= 0 && whole) *assigned |= UINT64_C(1) << k;
  return true;
}

/* Reads `target = value` up to the token `end`. */
static bool assignment(block_t *b, size_t i, size_t end, bool counts, uint64_t *assigned) {
  size_t sign = next_of(b, i, "=", "<="), from = i;
  if (sign >= end)
    return no(b, i, " begins a statement that is not understood here",
              "assignments, if, case, casez, for, begin");
  if (!reads(b, sign + 1, end, *assigned)) return false;
  uint64_t after = *assigned;
  for (; from < sign; from++) {
    if (at(b, from, "[")) {
      size_t to = closed(b, from);
      if (!reads(b, from, to, *assigned)) return false;
      from = to - 1;
    } else if (b->r->t[from]->kind == T_WORD && !(from > i && at(b, from - 1, "."))) {
      if (!target(b, from, at(b, sign, "="), counts, &after)) return false;
    }
  }
  *assigned = after;
  return true;
}

static size_t statement(block_t *b, size_t i, uint64_t *assigned);

static size_t if_statement(block_t *b, size_t i, uint64_t *assigned) {
  size_t then = closed(b, i + 1);
  uint64_t yes = *assigned, otherwise = *assigned;
  if (!reads(b, i + 1, then, *assigned)) return 0;
  size_t end = statement(b, then, &yes);
  if (end && at(b, end, "else")) end = statement(b, end + 1, &otherwise);
  *assigned = yes & otherwise;
  return end;
}

static size_t case_statement(block_t *b, size_t i, uint64_t *assigned) {
  size_t at_item = closed(b, i + 1);
  uint64_t all = UINT64_MAX;
  bool complete = false;
  if (!reads(b, i + 1, at_item, *assigned)) return 0;
  while (at_item && at_item < b->r->n && !at(b, at_item, "endcase")) {
    uint64_t branch = *assigned;
    size_t colon = at_item + 1;
    if (at(b, at_item, "default")) {
      complete = true;
      colon -= !at(b, colon, ":");
    } else {
      colon = next_of(b, at_item, ":", ";");
      if (!reads(b, at_item, colon, *assigned)) return 0;
    }
    at_item = statement(b, colon + 1, &branch);
    all &= branch;
  }
  if (complete) *assigned = all;
  return at_item ? at_item + 1 : 0;
}

static int add_extent(rules_t *r, const token_t *name, size_t from, size_t to, bool counts) {
  if (r->n_loops == RULES_NAMES)
    return verilog_fail(r->v, name, r->err, "more than %d loops", RULES_NAMES);
  r->loop[r->n_loops++] = (extent_t){name, from, to, counts};
  return 0;
}

static size_t for_statement(block_t *b, size_t i, uint64_t *assigned) {
  size_t first = next_of(b, i + 2, ";", ";"), second = next_of(b, first + 1, ";", ";"),
         body = closed(b, i + 1);
  uint64_t inside;
  if (!assignment(b, i + 2, first, true, assigned)) return 0;
  inside = *assigned;
  int k = index_of(b, b->r->t[i + 2]);
  if (k >= 0) inside |= UINT64_C(1) << k;
  if (!reads(b, first + 1, second, inside)) return 0;
  size_t end = statement(b, body, &inside);
  if (!end || !assignment(b, second + 1, body - 1, true, &inside)) return 0;
  if (!verilog_token_same(b->r->t[second + 1], b->r->t[i + 2]))
    return no(b, second + 1, " is stepped in a loop of another variable",
              "the one that the loop sets first");
  if (!b->collect && !rules_has(b->local, b->n_locals, b->r->t[i + 2]) &&
      add_extent(b->r, b->r->t[i + 2], i, end, true) != 0)
    return 0;
  return end;
}

/* Reads `reg [3:0] a, b;` in a block or function; with `input`, the values come from outside. */
static size_t declaration(block_t *b, size_t i, bool input) {
  size_t end = next_of(b, i, ";", ")");
  for (size_t k = i + 1; k < end; k++) {
    const token_t *t = b->r->t[k];
    if (at(b, k, "["))
      k = closed(b, k) - 1;
    else if (at(b, k, "=")) {
      no(b, k, " in a declaration of a block sets it once", "an assignment");
      return 0;
    } else if (at(b, k, "input"))
      continue;
    else if (t->kind == T_WORD && !at(b, k, "signed") && !at(b, k, "reg") && !at(b, k, "integer") &&
             !at(b, k, "wire")) {
      if (rules_add(b->r, b->local, &b->n_locals, t) != 0) return 0;
      if (b->kind == FUNCTION && !input && track(b, t) != 0) return 0;
    }
  }
  return end + 1;
}

static size_t begin_statement(block_t *b, size_t i, uint64_t *assigned) {
  unsigned from = b->n_locals;
  size_t start = i++;
  if (at(b, i, ":")) i += 2;
  while (i && i < b->r->n && !at(b, i, "end"))
    i = at(b, i, "reg") || at(b, i, "integer") ? declaration(b, i, false)
                                               : statement(b, i, assigned);
  if (i == 0) return 0;
  for (; from < b->n_locals && !b->collect; from++)
    if (add_extent(b->r, b->local[from], start, i, false) != 0) return 0;
  return i + 1;
}

static size_t simple(block_t *b, size_t i, uint64_t *assigned) {
  size_t end = next_of(b, i, ";", "end");
  if (!at(b, end, ";"))
    return no(b, i, " begins a statement that is not understood here",
              "assignments, if, case, casez, for, begin");
  if (end == i) return end + 1;
  if (b->r->t[i]->kind == T_SYSTEM)
    return b->kind == FUNCTION || reads(b, i, end, *assigned) ? end + 1 : 0;
  return assignment(b, i, end, false, assigned) ? end + 1 : 0;
}

static size_t statement(block_t *b, size_t i, uint64_t *assigned) {
  size_t end;
  if (i >= b->r->n || ++b->nest > MAX_NEST)
    return no(b, i < b->r->n ? i : b->r->n - 1, ": no statement, or too deep a one", "less");
  if (at(b, i, "begin"))
    end = begin_statement(b, i, assigned);
  else if (at(b, i, "if"))
    end = if_statement(b, i, assigned);
  else if (at(b, i, "case") || at(b, i, "casez"))
    end = case_statement(b, i, assigned);
  else if (at(b, i, "for"))
    end = for_statement(b, i, assigned);
  else
    end = simple(b, i, assigned);
  b->nest--;
  return end;
}

size_t rules_initial(rules_t *r, size_t i) {
  block_t b = {.r = r, .kind = INITIAL};
  uint64_t assigned = 0;
  return statement(&b, i + 1, &assigned);
}

size_t rules_always(rules_t *r, size_t i) {
  block_t b = {.r = r, .kind = verilog_token_is(r->t[i + 3], "posedge") ? CLOCKED : COMBINATIONAL};
  uint64_t assigned = 0;
  size_t from = verilog_token_is(r->t[i + 2], "*") ? i + 3 : closed(&b, i + 2);
  if (b.kind == COMBINATIONAL) {
    b.collect = true;
    if (!statement(&b, from, &assigned)) return 0;
    b.collect = false;
    b.n_locals = 0;
  }
  return statement(&b, from, &assigned);
}

/* Reads `function [automatic] [signed] [range] NAME (inputs); ... endfunction`, or the form with
 * its inputs after the `;`. */
size_t rules_function(rules_t *r, size_t i) {
  block_t b = {.r = r, .kind = FUNCTION};
  uint64_t assigned = 0;
  size_t name = i + 1, next;
  while (name < r->n && !at(&b, name + 1, "(") && !at(&b, name + 1, ";"))
    name = at(&b, name, "[") ? closed(&b, name) : name + 1;
  if (track(&b, r->t[name]) != 0) return 0;
  next = name + 1;
  if (at(&b, next, "(")) {
    for (size_t k = next + 1, end = closed(&b, next) - 1; k < end; k++) {
      if (at(&b, k, "["))
        k = closed(&b, k) - 1;
      else if (r->t[k]->kind == T_WORD && !at(&b, k, "input") && !at(&b, k, "signed") &&
               !at(&b, k, "reg") && !at(&b, k, "integer") &&
               rules_add(r, b.local, &b.n_locals, r->t[k]) != 0)
        return 0;
    }
    next = closed(&b, next);
  }
  next++;
  while (next && next < r->n && !at(&b, next, "endfunction")) {
    bool input = at(&b, next, "input");
    next = input || at(&b, next, "reg") || at(&b, next, "integer") ? declaration(&b, next, input)
                                                                   : statement(&b, next, &assigned);
  }
  if (next == 0) return 0;
  if (!(assigned & 1))
    return no(&b, name, " is not assigned in every branch: the value of the last call",
              "an assignment first");
  for (unsigned k = 0; k < b.n_locals; k++)
    if (add_extent(r, b.local[k], i, next, false) != 0) return 0;
  return next + 1;
}
