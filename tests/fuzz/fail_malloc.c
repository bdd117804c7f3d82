/* SPDX-License-Identifier: Apache-2.0 */
/* A preloaded library that fails allocation number FAIL_MALLOC of this process, once.
 * FAIL_MALLOC_COUNT names a file that gets the number of allocations at the end. Programs that the
 * process calls are not affected. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The C library's own, under the names that do not lead back here. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);
void *aligned_alloc(size_t align, size_t n);

static atomic_ulong asked, failing;
static char count_file[4096];
static pid_t owner;

__attribute__((constructor)) static void start(void) {
  const char *n = getenv("FAIL_MALLOC"), *file = getenv("FAIL_MALLOC_COUNT");
  if (file) snprintf(count_file, sizeof count_file, "%s", file);
  owner = getpid();
  unsetenv("LD_PRELOAD");
  asked = 0;
  failing = n ? strtoul(n, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void) {
  const unsigned long n = asked;
  if (!count_file[0] || getpid() != owner) return;
  FILE *f = fopen(count_file, "w");
  if (!f) return;
  fprintf(f, "%lu\n", n);
  fclose(f);
}

static bool fails(void) {
  if (atomic_fetch_add(&asked, 1) + 1 != failing) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t n) {
  return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size) {
  return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n) {
  return fails() ? NULL : __libc_realloc(p, n);
}

void *aligned_alloc(size_t align, size_t n) {
  return fails() ? NULL : __libc_memalign(align, n);
}
