/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and finds reasons: see reasons.h. */
#include "verify/mutate/reasons.h"

#include "base/lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE = 200, CHANGE = 12, WHY = 400 };

typedef struct {
  char source[SOURCE], from[CHANGE], to[CHANGE], why[WHY];
  unsigned long line;
  bool used;
} reason_t;

struct reasons {
  unsigned n;
  reason_t *list;
};

/* Reads "'from' 'to': why". */
static bool parse_change(const char *text, reason_t *r) {
  char *const field[] = {r->from, r->to};
  for (unsigned i = 0; i < 2; i++) {
    text += strspn(text, " ");
    size_t n = text[0] == '\'' ? strcspn(text + 1, "'") : CHANGE;
    if (n >= CHANGE || text[n + 1] != '\'') return false;
    snprintf(field[i], CHANGE, "%.*s", (int)n, text + 1);
    text += n + 2;
  }
  if (text[0] != ':' || text[1] != ' ') return false;
  return snprintf(r->why, WHY, "%s", text + 2) < WHY;
}

static int add(reasons_t *r, const char *source, const char *text, unsigned long line) {
  reason_t *list = realloc(r->list, (r->n + 1) * sizeof *list);
  if (!list) return -1;
  r->list = list;
  list[r->n] = (reason_t){.line = line};
  snprintf(list[r->n].source, SOURCE, "%s", source);
  return parse_change(text, &list[r->n]) ? (int)r->n++ : -1;
}

int reasons_read(reasons_t **out, const char *path, mrpb_err_t *err) {
  char source[SOURCE] = "";
  const char *line;
  lines_t *in;
  int more;
  *out = NULL;
  if (lines_open(&in, path, err) != 0) return -1;
  reasons_t *r = calloc(1, sizeof *r);
  if (!r) mrpb_fail(err, "%s: out of memory", path);
  while (r && !err->text[0] && (more = lines_next(in, &line, err)) > 0) {
    if (line[0] == '#' || line[0] == '\0') continue;
    if (line[0] != ' ')
      snprintf(source, SOURCE, "%s", line);
    else if (add(r, source, line, lines_number(in)) < 0)
      mrpb_fail(err, "%s:%lu: legal, indented: 'from' 'to': reason", path, lines_number(in));
  }
  lines_close(in);
  if (err->text[0]) return reasons_free(r), -1;
  *out = r;
  return 0;
}

void reasons_free(reasons_t *r) {
  if (r) free(r->list);
  free(r);
}

/* Writes "stem.c: the line" for a place in the text. */
static void source_of(const cmutants_t *m, size_t at, char source[SOURCE]) {
  const char *s = m->text + at;
  while (s > m->text && s[-1] != '\n') s--;
  while (isblank((unsigned char)*s)) s++;
  snprintf(source, SOURCE, "%s.c: %.*s", m->cls->stem, (int)strcspn(s, "\n"), s);
}

const char *reasons_find(reasons_t *r, const cmutants_t *m, unsigned i) {
  const cmutant_t *c = &m->list[i];
  char source[SOURCE];
  source_of(m, c->at, source);
  for (unsigned k = 0; k < r->n; k++) {
    reason_t *why = &r->list[k];
    if (strcmp(why->source, source) != 0 || strcmp(why->from, c->from) != 0 ||
        strcmp(why->to, c->to) != 0)
      continue;
    why->used = true;
    return why->why;
  }
  return NULL;
}

unsigned reasons_stale(const reasons_t *r, const cmutants_t *m, FILE *out) {
  char prefix[SOURCE];
  unsigned n = 0;
  snprintf(prefix, sizeof prefix, "%s.c: ", m->cls->stem);
  for (unsigned k = 0; k < r->n; k++) {
    const reason_t *why = &r->list[k];
    if (why->used || strncmp(why->source, prefix, strlen(prefix)) != 0) continue;
    fprintf(out, "  stale  reasons.txt:%lu: '%s' for '%s' is killed, or its line is gone\n",
            why->line, why->to, why->from);
    n++;
  }
  return n;
}
