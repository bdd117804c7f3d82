/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory without a name: see bound.h. */
#define _GNU_SOURCE /* memfd_create */
#include "base/bound.h"

#include "base/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bound_t *map(int fd) {
  void *at = mmap(NULL, sizeof(bound_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return at == MAP_FAILED ? NULL : at;
}

bound_t *bound_open(int *fd, mrpb_err_t *err) {
  *fd = memfd_create("mrpb bound", MFD_CLOEXEC);
  bound_t *b = *fd >= 0 && ftruncate(*fd, sizeof *b) == 0 ? map(*fd) : NULL;
  if (b) {
    b->cycles = UINT64_MAX;
    return b;
  }
  (void)mrpb_fail(err, "no memory for a run's bound: %s", strerror(errno));
  if (*fd >= 0) close(*fd);
  *fd = -1;
  return NULL;
}

void bound_close(bound_t *b) {
  if (b) munmap(b, sizeof *b);
}

/* The descriptor need not be one: the variable may come from anywhere. */
static bound_t *own(void) {
  uint64_t fd = 0;
  const char *text = getenv(BOUND_VARIABLE);
  if (!text || !number_decimal(text, 1024, &fd)) return NULL;
  return lseek((int)fd, 0, SEEK_END) >= (off_t)sizeof(bound_t) ? map((int)fd) : NULL;
}

bool bound_passed(uint64_t cycles) {
  bound_t *b = own();
  const bool passed = b && cycles > b->cycles;
  if (passed) b->ended = cycles;
  bound_close(b);
  return passed;
}
