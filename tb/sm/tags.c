/* L1D tag array: see tags.h. */
#include "sm/tags.h"

#include <stdlib.h>

enum { LINE_INVALID, LINE_RESERVED, LINE_VALID };

typedef struct {
  uint64_t line;
  uint64_t used; /* time of the last access or allocation; a fill does not touch it */
  uint8_t state;
} tag_t;

struct tags {
  uint32_t sets, ways, reserved;
  uint32_t mask; /* sets - 1 where sets is a power of two, else 0 */
  tag_t tag[];
};

int tags_create(tags_t **out, uint32_t sets, uint32_t ways, mrpb_err_t *err) {
  tags_t *t = calloc(1, sizeof *t + (size_t)sets * ways * sizeof t->tag[0]);
  *out = t;
  if (!t) return mrpb_fail(err, "tags: out of memory for %u x %u lines", sets, ways);
  t->sets = sets;
  t->ways = ways;
  t->mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0;
  return 0;
}

void tags_destroy(tags_t *t) {
  free(t);
}

tags_status_t tags_probe(const tags_t *t, uint64_t line, uint32_t *index) {
  uint32_t set = t->mask || t->sets == 1 ? (uint32_t)line & t->mask : (uint32_t)(line % t->sets);
  uint32_t first = set * t->ways, invalid = UINT32_MAX, oldest = UINT32_MAX;
  uint64_t used = UINT64_MAX;
  for (uint32_t i = first; i < first + t->ways; i++) {
    const tag_t *tag = &t->tag[i];
    if (tag->state == LINE_INVALID) {
      invalid = i;
      continue;
    }
    if (tag->line == line) {
      *index = i;
      return tag->state == LINE_RESERVED ? TAGS_HIT_RESERVED : TAGS_HIT;
    }
    if (tag->state == LINE_VALID && tag->used < used) {
      used = tag->used;
      oldest = i;
    }
  }
  if (invalid == UINT32_MAX && oldest == UINT32_MAX) return TAGS_ALL_RESERVED;
  *index = invalid != UINT32_MAX ? invalid : oldest;
  return TAGS_MISS;
}

tags_status_t tags_access(tags_t *t, uint64_t line, uint64_t now, uint32_t *index) {
  tags_status_t status = tags_probe(t, line, index);
  if (status == TAGS_ALL_RESERVED) return status;
  if (status == TAGS_MISS) {
    t->tag[*index].line = line;
    t->tag[*index].state = LINE_RESERVED;
    t->reserved++;
  }
  t->tag[*index].used = now;
  return status;
}

void tags_fill(tags_t *t, uint32_t index) {
  if (t->tag[index].state == LINE_RESERVED) t->reserved--;
  t->tag[index].state = LINE_VALID;
}

void tags_evict(tags_t *t, uint32_t index) {
  if (t->tag[index].state == LINE_RESERVED) t->reserved--;
  t->tag[index].state = LINE_INVALID;
}

uint32_t tags_reserved(const tags_t *t) {
  return t->reserved;
}
