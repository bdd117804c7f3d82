/* Tags of a read-only cache: see lines.h. */
#include "sm/lines.h"

#include <stdlib.h>

typedef struct {
  uint64_t line, used;
  bool valid;
} line_t;

struct lines {
  uint32_t sets, ways;
  bool two; /* sets is a power of two */
  unsigned log2;
  line_t line[];
};

int lines_create(lines_t **out, uint32_t sets, uint32_t ways, unsigned log2, mrpb_err_t *err) {
  lines_t *l = calloc(1, sizeof *l + (size_t)sets * ways * sizeof l->line[0]);
  *out = l;
  if (!l) return mrpb_fail(err, "cache: out of memory for %u x %u lines", sets, ways);
  l->sets = sets;
  l->ways = ways;
  l->two = (sets & (sets - 1)) == 0;
  l->log2 = log2;
  return 0;
}

void lines_destroy(lines_t *l) {
  free(l);
}

static line_t *set_of(lines_t *l, uint64_t line) {
  uint64_t set = l->two ? line & (l->sets - 1) : line % l->sets;
  return &l->line[(size_t)set * l->ways];
}

bool lines_find(lines_t *l, uint64_t addr, uint64_t now) {
  uint64_t line = addr >> l->log2;
  line_t *way = set_of(l, line);
  for (uint32_t i = 0; i < l->ways; i++)
    if (way[i].valid && way[i].line == line) {
      way[i].used = now;
      return true;
    }
  return false;
}

void lines_put(lines_t *l, uint64_t addr, uint64_t now) {
  uint64_t line = addr >> l->log2;
  line_t *way = set_of(l, line), *victim = way;
  for (uint32_t i = 1; i < l->ways; i++)
    if (!way[i].valid || (victim->valid && way[i].used < victim->used)) victim = &way[i];
  *victim = (line_t){line, now, true};
}
