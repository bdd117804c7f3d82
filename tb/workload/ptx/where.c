/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/ptx/where.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at;
  size_t n;
} line_t;

/* The line that `at` is in, without blanks around it. */
static line_t line_at(const char *text, const char *at) {
  const char *from = at, *to = at + strcspn(at, "\n");
  while (from > text && from[-1] != '\n') from--;
  while (from < to && strchr(" \t", *from)) from++;
  while (to > from && strchr(" \t\r", to[-1])) to--;
  return (line_t){from, (size_t)(to - from)};
}

static const char *find_line(const char *text, uint32_t line) {
  while (line > 1 && (text = strchr(text, '\n'))) text++, line--;
  return text;
}

static bool begins(line_t l, const char *word) {
  const size_t n = strlen(word);
  return l.n > n && memcmp(l.at, word, n) == 0;
}

static bool has(line_t l, const char *word) {
  for (size_t n = strlen(word); l.n >= n; l.at++, l.n--)
    if (memcmp(l.at, word, n) == 0) return true;
  return false;
}

/* .file N "name": its name. */
static line_t file_name(const char *text, unsigned long number) {
  for (const char *at = strstr(text, ".file"); at; at = strstr(at + 1, ".file")) {
    char *end;
    if (strtoul(at + strlen(".file"), &end, 10) != number) continue;
    const char *from = end + strspn(end, " \t");
    if (*from == '"') return (line_t){from + 1, strcspn(from + 1, "\"\n")};
  }
  return (line_t){NULL, 0};
}

/* The .loc of the line that begins at `at`: the last one above it in its function. */
static void find_loc(const ptx_text_t *t, const char *at, ptx_where_t *where) {
  while (at > t->text) {
    const line_t l = line_at(t->text, at);
    if (begins(l, ".loc")) {
      char *end;
      const unsigned long file = strtoul(l.at + strlen(".loc"), &end, 10);
      const line_t name = file_name(t->text, file);
      where->source_line = (uint32_t)strtoul(end, NULL, 10);
      where->source = name.at;
      where->source_bytes = name.n;
      return;
    }
    if (has(l, ".entry") || has(l, ".func")) return;
    while (at > t->text && at[-1] != '\n') at--;
    if (at > t->text) at--;
  }
}

static const ptx_inst_t *inst_of(const ptx_kernel_t *k, uint32_t pc) {
  const uint32_t at = pc - k->first_pc;
  return pc >= k->first_pc && at / WARP_PC_STEP < k->n_insts ? &k->insts[at / WARP_PC_STEP] : NULL;
}

bool ptx_where(const ptx_module_t *m, uint32_t pc, ptx_where_t *where) {
  ptx_text_t t;
  for (unsigned i = 0; ptx_text(m, i, &t); i++)
    for (unsigned k = 0; k < t.n_kernels; k++) {
      const ptx_kernel_t *kernel = ptx_kernel(m, t.first_kernel + k);
      const ptx_inst_t *inst = inst_of(kernel, pc);
      if (!inst) continue;
      *where = (ptx_where_t){.kernel = kernel->name, .name = t.name, .line = inst->line};
      const char *at = find_line(t.text, inst->line);
      if (!at) return true;
      const line_t l = line_at(t.text, at);
      where->text = l.at;
      where->bytes = l.n;
      find_loc(&t, at, where);
      return true;
    }
  return false;
}
