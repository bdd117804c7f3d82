/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that the driver compiles, their variables, and launches. See card.h. */
#include "workload/silicon/card_state.h"
#include "base/seconds.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- texts ----------------------------------------------------------------------- */

/* Reduces the log to its first line with an error, without the compiler's own prefix. */
static void first_line(char *log) {
  char *at = strstr(log, "error");
  if (at) memmove(log, at, strlen(at) + 1);
  log[strcspn(log, "\n")] = 0;
}

/* The text is linked on its own, so that its code can be inspected (card_code.c) before it is
 * loaded. */
static int compile(card_module_t *m, const char *name, mrpb_err_t *err) {
  char *log = m->log;
  int option[] = {DRIVER_JIT_ERROR_TEXT, DRIVER_JIT_ERROR_BYTES};
  void *value[] = {log, (void *)(uintptr_t)CARD_LOG};
  card_t *c = m->card;
  const driver_t *d = &c->driver;
  int result = d->link_create(2, option, value, &m->link);
  if (result == DRIVER_OK)
    result = d->link_add(m->link, DRIVER_LINK_PTX, m->text, m->n + 1, name, 0, NULL, NULL);
  if (result == DRIVER_OK) result = d->link_complete(m->link, &m->cubin, &m->cubin_bytes);
  if (result == DRIVER_OK) result = d->load(&m->module, m->cubin, 0, NULL, NULL);
  if (result == DRIVER_OK) return 0;
  log[CARD_LOG - 1] = 0;
  first_line(log);
  if (!log[0]) return card_check(c, result, name, err);
  return mrpb_fail(err, "GPU %u: %.80s: the driver's compiler: %.300s", c->info.number, name, log);
}

int card_load(card_module_t **out, card_t *c, const char *text, size_t n, const char *name,
              mrpb_err_t *err) {
  *out = NULL;
  if (card_alive(c, err) != 0) return -1;
  card_module_t *m = calloc(1, sizeof *m);
  char *copy = malloc(n + 1);
  if (!m || !copy) {
    free(m);
    free(copy);
    return mrpb_fail(err, "GPU: out of memory");
  }
  memcpy(copy, text, n);
  copy[n] = 0;
  *m = (card_module_t){.card = c, .text = copy, .n = n};
  if (compile(m, name, err) != 0) {
    card_unload(m);
    return -1;
  }
  *out = m;
  return 0;
}

void card_unload(card_module_t *m) {
  if (!m) return;
  const card_t *c = m->card;
  if (!c->broken.text[0]) {
    if (m->link) (void)c->driver.link_destroy(m->link);
    if (m->module) (void)c->driver.unload(m->module);
  }
  free(m->text);
  free(m);
}

uint64_t card_variable(card_module_t *m, const char *name, uint64_t bytes, mrpb_err_t *err) {
  card_t *c = m->card;
  uint64_t at = 0;
  size_t has = 0;
  if (card_check(c, c->driver.global(&at, &has, m->module, name), name, err) != 0) return 0;
  if (has >= bytes) return at;
  mrpb_fail(err, "GPU %u: variable %.80s has %zu bytes on the GPU; legal: %llu", c->info.number,
            name, has, (unsigned long long)bytes);
  return 0;
}

int card_texture(card_module_t *m, const char *name, uint64_t at, uint64_t bytes, bool is_float,
                 mrpb_err_t *err) {
  card_t *c = m->card;
  const driver_t *d = &c->driver;
  void *texture = NULL;
  size_t offset = 0;
  const int format = is_float ? DRIVER_FORMAT_F32 : DRIVER_FORMAT_S32;
  if (card_check(c, d->texture(&texture, m->module, name), name, err) != 0 ||
      card_check(c, d->texture_format(texture, format, 1), name, err) != 0 ||
      card_check(c, d->texture_flags(texture, is_float ? 0 : DRIVER_TEXTURE_AS_IS), name, err) !=
          0 ||
      card_check(c, d->texture_address(&offset, texture, at, bytes), name, err) != 0)
    return -1;
  if (offset == 0) return 0;
  return mrpb_fail(err, "GPU %u: texture %.80s: its buffer is at 0x%llx; legal: multiples of 512",
                   c->info.number, name, (unsigned long long)at);
}

/* ---- launches ---------------------------------------------------------------------- */

/* Polls without pause at first, because most launches take microseconds. */
static int wait(card_t *c, const char *kernel, double limit, mrpb_err_t *err) {
  const double from = seconds_now();
  int result;
  while ((result = c->driver.ready(c->event[1])) == DRIVER_NOT_READY) {
    const double passed = seconds_now() - from;
    if (c->stop && c->stop()) return mrpb_fail(&c->broken, "interrupted"), card_alive(c, err);
    if (passed > limit) {
      mrpb_fail(&c->broken, "GPU %u: %.80s: did not end within %g s; given up", c->info.number,
                kernel, limit);
      return card_alive(c, err);
    }
    if (passed > 1e-3) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
  return card_check(c, result, kernel, err);
}

/* If the L1D shares its memory with the blocks' shared memory, a hint says how much of it is for
 * the blocks; what a block requests is granted in any case. */
static int shape(card_t *c, void *f, const card_launch_t *l, mrpb_err_t *err) {
  enum { USUAL = 48 << 10, AS_THE_DRIVER_LIKES = -1 };
  const driver_t *d = &c->driver;
  const int hint = l->large_l1 ? 0 : AS_THE_DRIVER_LIKES;
  if (l->shared > USUAL && card_check(c, d->function_set(f, DRIVER_FUNCTION_SHARED, (int)l->shared),
                                      l->kernel, err) != 0)
    return -1;
  return card_check(c, d->function_set(f, DRIVER_FUNCTION_CARVEOUT, hint), l->kernel, err);
}

int card_launch(card_module_t *m, const card_launch_t *l, double limit, double *seconds,
                mrpb_err_t *err) {
  card_t *c = m->card;
  const driver_t *d = &c->driver;
  void *f = NULL;
  float ms = 0;
  size_t bytes = l->param_bytes;
  void *extra[] = {(void *)(uintptr_t)DRIVER_LAUNCH_BUFFER, (void *)(uintptr_t)l->params,
                   (void *)(uintptr_t)DRIVER_LAUNCH_BYTES, &bytes, NULL};
  if (card_alive(c, err) != 0) return -1;
  if (card_check(c, d->function(&f, m->module, l->kernel), l->kernel, err) != 0) return -1;
  if (shape(c, f, l, err) != 0) return -1;
  if (card_check(c, d->record(c->event[0], NULL), l->kernel, err) != 0) return -1;
  if (card_check(c,
                 d->launch(f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                           l->block[2], l->shared, NULL, NULL, bytes ? extra : NULL),
                 l->kernel, err) != 0)
    return -1;
  if (card_check(c, d->record(c->event[1], NULL), l->kernel, err) != 0) return -1;
  if (wait(c, l->kernel, limit, err) != 0) return -1;
  if (!seconds) return 0;
  if (card_check(c, d->elapsed(&ms, c->event[0], c->event[1]), l->kernel, err) != 0) return -1;
  *seconds = 1e-3 * (double)ms;
  return 0;
}
