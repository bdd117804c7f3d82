/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a PTX text: everything outside of kernels. */
#include "workload/ptx/parse.h"

#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels ------------------------------------------------------------------------- */

static void free_body(body_t *b) {
  free(b->params);
  free(b->insts);
  free(b->regs);
  free(b->decls);
  free(b->labels);
  free(b->branches);
  free(b->args);
  free(b->tables);
  free(b->entries);
  free(b->indexed);
  free(b->reg_params);
  free(b->returned);
}

/* check_name: the name must be unique among the units with a body. */
static int add_unit(parser_t *p, unit_t *u) {
  ptx_module_t *m = p->m;
  u->index = p->body->index;
  u->area = p->body->area;
  u->function = p->body->function;
  if (PTX_GROW(p, m, units, n_units)) return -1;
  m->units[m->n_units++] = *u;
  return 0;
}

static int check_name(parser_t *p, const char *name, uint32_t line) {
  for (size_t i = 0; i < p->m->n_units; i++)
    if (strcmp(p->m->units[i].k.name, name) == 0)
      return ptx_fail(p, line, "%s '%.80s' again", p->body->function ? "function" : "kernel", name);
  return 0;
}

/* Reads on behind the head, to the end of the body or of the declaration. `from` is where the rest
 * of the head begins, `rc` the result of reading it. */
static int read_unit(parser_t *p, unit_t *u, const ptx_place_t *from, int rc) {
  if (rc == 0) rc = ptx_limits(p);
  if (rc == 0 && (ptx_accept(p, ';') || ptx_declaration_ends(p))) return 0;
  if (rc == 0 && !ptx_token_is(&p->tok, '{'))
    return ptx_expect(p, '{', "before the body of the kernel");
  if (check_name(p, p->body->k.name, u->line)) return -1;
  if (rc == 0) rc = ptx_body(p);
  u->k = p->body->k;
  if (rc == 0)
    ptx_next(p);
  else if ((rc = ptx_refuse_unit(p, from, u)))
    return rc < 0 ? -1 : 0;
  return add_unit(p, u);
}

/* Registers declared outside of kernels: each kernel has its own copy. Functions do not see them,
 * as they would have to share those of their caller. */
static int outer_registers(parser_t *p) {
  const ptx_place_t here = ptx_place(p);
  int rc = 0;
  for (size_t i = 0; i < p->n_outer && rc == 0; i++) {
    ptx_go_back(p, &p->outer[i]);
    rc = ptx_reg_statement(p);
  }
  ptx_go_back(p, &here);
  return rc;
}

static int start_body(parser_t *p, body_t *b) {
  b->index = (uint32_t)p->m->n_units;
  b->area = PTX_NO_AREA;
  if (PTX_GROW(p, b, regs, n_regs)) return -1;
  b->regs[0] = (ptx_reg_t){.name = ""};
  b->n_regs = 1;
  return b->function ? 0 : outer_registers(p);
}

static int read_kernel(parser_t *p, const token_t *t) {
  body_t *b = p->body;
  unit_t u = {.line = t->line};
  const ptx_place_t from = ptx_place(p);
  if (!(b->k.name = ptx_copy_name(p, t->at, t->length)) || start_body(p, b)) return -1;
  return read_unit(p, &u, &from, ptx_params(p));
}

/* Reads a function. If it is only a declaration, its hidden variable is removed again. */
static int function(parser_t *p) {
  body_t body = {.function = true};
  unit_t u = {0};
  const size_t variables = p->m->n_variables, units = p->m->n_units;
  p->body = &body;
  const ptx_place_t from = ptx_place(p);
  int rc = start_body(p, &body);
  if (rc == 0) {
    rc = ptx_function_head(p, &u);
    body.k.name = u.k.name;
    rc = u.k.name ? read_unit(p, &u, &from, rc) : -1;
  }
  if (p->m->n_units == units) p->m->n_variables = variables;
  p->body = NULL;
  free_body(&body);
  return rc;
}

static int entry(parser_t *p, uint32_t line) {
  char shown[PTX_SHOWN];
  token_t t = p->tok;
  if (!p->saw_version || !p->saw_target)
    return ptx_fail(p, line, ".%s is missing before the first kernel",
                    p->saw_version ? "target" : "version");
  if (t.kind != TOKEN_NAME)
    return ptx_fail(p, t.line, "%s found where the name of a kernel is expected",
                    ptx_show(&t, shown));
  ptx_next(p);
  body_t body = {0};
  p->body = &body;
  int rc = read_kernel(p, &t);
  p->body = NULL;
  free_body(&body);
  return rc;
}

/* ---- other directives ------------------------------------------------------------------ */

/* Skips a `.section` or `.pragma`: to ';' or over the braces. */
static int skip_block(parser_t *p, const char *what, uint32_t line) {
  unsigned depth = 0;
  for (;; ptx_next(p)) {
    if (p->tok.kind == TOKEN_BAD) return -1;
    if (p->tok.kind == TOKEN_END)
      return ptx_fail(p, p->tok.line, "the text ends within the %s on line %u", what, line);
    if (ptx_token_is(&p->tok, '{')) depth++;
    if (ptx_token_is(&p->tok, ';') && depth == 0) break;
    if (ptx_token_is(&p->tok, '}') && (depth == 0 || --depth == 0)) break;
  }
  ptx_next(p);
  return 0;
}

static int target(parser_t *p) {
  p->saw_target = true;
  do {
    char shown[PTX_SHOWN];
    if (p->tok.kind != TOKEN_NAME)
      return ptx_fail(p, p->tok.line, "%s after .target; legal: sm_20 or the like",
                      ptx_show(&p->tok, shown));
    ptx_next(p);
  } while (ptx_accept(p, ','));
  return 0;
}

static int version(parser_t *p, bool address_size) {
  char shown[PTX_SHOWN];
  token_t t = p->tok;
  if (address_size ? t.kind != TOKEN_INT || (t.bits != 32 && t.bits != 64) : t.kind != TOKEN_FLOAT)
    return ptx_fail(p, t.line, "%s after .%s", ptx_show(&t, shown),
                    address_size ? "address_size; legal: 32 64"
                                 : "version; legal: 3.2 or the like");
  if (!address_size) p->saw_version = true;
  if (address_size) p->m->narrow = t.bits == 32;
  ptx_next(p);
  return 0;
}

/* A `.reg` outside of kernels is read where a kernel begins, and here to report its errors. */
static int outer_reg(parser_t *p) {
  body_t body = {.function = true};
  if (PTX_GROW(p, p, outer, n_outer)) return -1;
  p->outer[p->n_outer++] = ptx_place(p);
  p->body = &body;
  const int rc = ptx_reg_statement(p);
  p->body = NULL;
  free_body(&body);
  return rc;
}

static int other(parser_t *p, const token_t *t) {
  static const char *const spaces[] = {"global", "shared", "const", "local"};
  static const ptx_space_t space[] = {PTX_GLOBAL, PTX_SHARED, PTX_CONST, PTX_LOCAL};
  char shown[PTX_SHOWN];
  bool external = lexer_spells(t, "extern");
  token_t word = *t;
  while (lexer_spells(&word, "visible") || lexer_spells(&word, "weak") ||
         lexer_spells(&word, "extern") || lexer_spells(&word, "common") ||
         lexer_spells(&word, "hidden")) {
    word = p->tok;
    if (word.kind != TOKEN_DOT)
      return ptx_fail(p, word.line, "%s found where a directive is expected",
                      ptx_show(&word, shown));
    ptx_next(p);
  }
  if (lexer_spells(&word, "entry")) return entry(p, word.line);
  if (lexer_spells(&word, "func")) return function(p);
  if (lexer_spells(&word, "tex")) return ptx_texture_statement(p);
  if (lexer_spells(&word, "alias")) return ptx_alias_statement(p);
  if (lexer_spells(&word, "reg")) return outer_reg(p);
  for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (lexer_spells(&word, spaces[i])) return ptx_variable_statement(p, space[i], external);
  return ptx_fail(
      p, word.line,
      "directive %s is not supported; legal: .version .target .address_size .visible "
      ".weak .extern .common .entry .func .alias .global .const .shared .local .reg .tex "
      ".file .loc .section .pragma",
      ptx_show(&word, shown));
}

static int directive(parser_t *p) {
  char shown[PTX_SHOWN];
  token_t t = p->tok;
  if (t.kind == TOKEN_BAD) return -1;
  if (t.kind != TOKEN_DOT)
    return ptx_fail(p, t.line, "%s found where a directive is expected", ptx_show(&t, shown));
  if (lexer_spells(&t, "file") || lexer_spells(&t, "loc")) {
    ptx_skip_line(p);
    return 0;
  }
  ptx_next(p);
  if (lexer_spells(&t, "version")) return version(p, false);
  if (lexer_spells(&t, "address_size")) return version(p, true);
  if (lexer_spells(&t, "target")) return target(p);
  if (lexer_spells(&t, "section")) return skip_block(p, "section", t.line);
  if (lexer_spells(&t, "pragma")) return skip_block(p, "pragma", t.line);
  return other(p, &t);
}

int ptx_read_after(ptx_module_t **out, const ptx_module_t *before, const char *text, size_t size,
                   const char *name, mrpb_err_t *err) {
  mrpb_err_t own = {{0}};
  parser_t p = {.name = name, .at = text, .end = text + size, .line = 1, .err = &own};
  *out = NULL;
  if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) p.at += 3; /* UTF-8 byte order mark */
  p.m = calloc(1, sizeof *p.m);
  if (!p.m) return mrpb_fail(err, "%s: out of memory", name);
  p.m->narrow = true; /* unless .address_size 64 */
  p.m->next_pc = before ? before->next_pc : 0;
  p.m->functions_at =
      before ? before->functions_at + PTX_FUNCTION * before->n_functions : PTX_FUNCTIONS;
  ptx_next(&p);
  p.m->name = ptx_copy_name(&p, name, strlen(name));
  p.m->text = p.m->name ? ptx_copy_name(&p, text, size) : NULL;
  p.m->text_bytes = size;
  int rc = p.m->text ? 0 : -1;
  while (rc == 0 && p.tok.kind != TOKEN_END) rc = directive(&p);
  if (rc == 0) rc = ptx_link(&p);
  p.m->lines = p.line;
  free(p.outer);
  if (rc) {
    ptx_free(p.m);
    return mrpb_fail(err, "%s", own.text);
  }
  *out = p.m;
  return 0;
}
