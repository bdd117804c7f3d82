/* SPDX-License-Identifier: Apache-2.0 */
/* Directives between the head of a kernel or function and its body: limits that a launch must
 * respect. */
#include "workload/ptx/parse.h"

bool ptx_declaration_ends(const parser_t *p) {
  static const char *const outside[] = {"version", "target", "address_size", "visible", "weak",
                                        "extern",  "common", "entry",        "func",    "global",
                                        "const",   "shared", "tex",          "file",    "loc",
                                        "section", "alias",  "hidden"};
  if (!p->body->function) return false;
  for (unsigned i = 0; p->tok.kind == TOKEN_DOT && i < sizeof outside / sizeof *outside; i++)
    if (lexer_spells(&p->tok, outside[i])) return true;
  return p->tok.kind == TOKEN_END;
}

/* Reads `128, 1, 1`; missing numbers are 1. */
static int extents(parser_t *p, uint32_t to[3]) {
  char shown[PTX_SHOWN];
  to[0] = to[1] = to[2] = 1;
  for (unsigned d = 0; d < 3; d++) {
    if (p->tok.kind != TOKEN_INT || p->tok.bits < 1 || p->tok.bits > INT32_MAX)
      return ptx_fail(p, p->tok.line, "%s is not a number of threads; legal: 1 to 2147483647",
                      ptx_show(&p->tok, shown));
    to[d] = (uint32_t)p->tok.bits;
    ptx_next(p);
    if (!ptx_accept(p, ',')) break;
  }
  return 0;
}

static int most_threads(parser_t *p) {
  uint32_t n[3];
  if (extents(p, n)) return -1;
  const uint64_t plane = (uint64_t)n[0] * n[1];
  const uint64_t all = plane > UINT32_MAX ? UINT32_MAX : plane * n[2];
  p->body->k.most = all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
  return 0;
}

/* Clusters of one block are plain blocks and therefore legal. */
static int cluster(parser_t *p) {
  uint32_t n[3], line = p->tok.line;
  if (extents(p, n)) return -1;
  if (n[0] == 1 && n[1] == 1 && n[2] == 1) return 0;
  return ptx_fail(p, line,
                  "clusters are not supported; legal: .reqnctapercluster 1; compile without "
                  "__cluster_dims__");
}

/* Directives without effect here: a number, or strings with a ';'. */
static int number(parser_t *p) {
  uint32_t any[3];
  return extents(p, any);
}
static int texts(parser_t *p) {
  while (p->tok.kind == TOKEN_STRING || ptx_token_is(&p->tok, ',') || ptx_token_is(&p->tok, ';'))
    ptx_next(p);
  return 0;
}

static int block(parser_t *p) {
  return extents(p, p->body->k.block);
}

int ptx_limits(parser_t *p) {
  static const struct {
    const char *word;
    int (*read)(parser_t *p);
  } legal[] = {{"maxntid", most_threads},  {"reqntid", block},
               {"minnctapersm", number},   {"maxnctapersm", number},
               {"maxnreg", number},        {"noreturn", NULL},
               {"pragma", texts},          {"reqnctapercluster", cluster},
               {"maxclusterrank", number}, {"explicitcluster", NULL}};
  enum { LEGAL = sizeof legal / sizeof *legal };
  while (p->tok.kind == TOKEN_DOT && !ptx_declaration_ends(p)) {
    char shown[PTX_SHOWN];
    unsigned i = 0;
    while (i < LEGAL && !lexer_spells(&p->tok, legal[i].word)) i++;
    if (i == LEGAL)
      return ptx_fail(p, p->tok.line,
                      "%s is not supported before the body; legal: .maxntid .reqntid .minnctapersm "
                      ".maxnctapersm .maxnreg .noreturn .pragma .reqnctapercluster",
                      ptx_show(&p->tok, shown));
    ptx_next(p);
    if (legal[i].read && legal[i].read(p)) return -1;
  }
  return 0;
}
