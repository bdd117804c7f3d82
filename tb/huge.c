/* Memory in large pages: see huge.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "huge.h"

#include <stdint.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

static size_t round_up(size_t bytes) {
  return (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
}

/* A mapping begins anywhere: what lies before and behind the large pages goes back. */
void *huge_alloc(size_t bytes) {
  size_t size = round_up(bytes), room = size + HUGE_PAGE;
  char *map = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return NULL;
  size_t before = round_up((uintptr_t)map) - (uintptr_t)map;
  if (before > 0) (void)munmap(map, before);
  if (before < HUGE_PAGE) (void)munmap(map + before + size, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
  (void)madvise(map + before, size, MADV_HUGEPAGE); /* a wish */
#endif
  return map + before;
}

void huge_free(void *p, size_t bytes) {
  if (p) (void)munmap(p, round_up(bytes));
}
