/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels and functions outside of the subset: reading continues behind them, and the error is kept
 * and reported if they are launched or called. */
#include "workload/ptx/parse.h"

#include <string.h>

ptx_place_t ptx_place(const parser_t *p) {
  return (ptx_place_t){p->at, p->line, p->tok};
}

void ptx_go_back(parser_t *p, const ptx_place_t *to) {
  p->at = to->at;
  p->line = to->line;
  p->tok = to->tok;
}

/* Skips to '{', 0; or to the end of a declaration, 1; -1 if neither is found. */
static int skip_head(parser_t *p) {
  unsigned depth = 0;
  bool text = false; /* text of a .pragma, which ends with ';' */
  for (;; ptx_next(p)) {
    if (p->tok.kind == TOKEN_BAD) return -1;
    if (ptx_token_is(&p->tok, '(')) depth++;
    if (ptx_token_is(&p->tok, ')') && depth) depth--;
    if (depth == 0 && ptx_token_is(&p->tok, '{')) return 0;
    if (depth == 0 && ptx_declaration_ends(p)) return 1;
    if (p->tok.kind == TOKEN_END) return -1;
    if (depth == 0 && !text && ptx_token_is(&p->tok, ';')) return 1;
    text = p->tok.kind == TOKEN_STRING;
  }
}

/* Skips to the matching '}'. */
static int skip_body(parser_t *p) {
  unsigned depth = 0;
  for (;; ptx_next(p)) {
    if (p->tok.kind == TOKEN_BAD || p->tok.kind == TOKEN_END) return -1;
    if (ptx_token_is(&p->tok, '{')) depth++;
    if (ptx_token_is(&p->tok, '}') && --depth == 0) return 0;
  }
}

const char *ptx_keep_error(parser_t *p) {
  if (p->exhausted) return NULL;
  const char *text = ptx_copy_name(p, p->err->text, strlen(p->err->text));
  if (text) p->err->text[0] = '\0';
  return text;
}

int ptx_refuse_unit(parser_t *p, const ptx_place_t *from, unit_t *u) {
  if (p->tok.kind == TOKEN_BAD) return -1;
  ptx_go_back(p, from);
  const int rc = skip_head(p);
  if (rc < 0 || (rc == 0 && skip_body(p))) return -1;
  u->k.refused = ptx_keep_error(p);
  u->k.insts = NULL;
  u->k.n_insts = 0;
  if (!u->k.refused) return -1;
  if (rc == 0 || ptx_token_is(&p->tok, ';')) ptx_next(p); /* may find a new error */
  return rc;
}
