/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "verify/contract/apart.h"

#include "base/jobs.h"
#include "verilog/load/lib.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

/* Both processes have it. */
typedef struct {
  contract_watch_t watch;
  mrpb_err_t err;
  bool done; /* the work has returned */
} shared_t;

typedef struct {
  contract_apart_t *work;
  void *ctx;
  const char *what;
  unsigned seconds;
  shared_t *shared;
  mrpb_err_t *err;
  int code;
} apart_t;

static int in_child(void *ctx, size_t job, FILE *out) {
  const apart_t *a = ctx;
  shared_t *s = a->shared;
  int code = RTL_BAD_TOOL;
  (void)job;
  (void)out;
  if (contract_watch(&s->watch, a->what, a->seconds))
    code = a->work(a->ctx, &s->watch, &s->err);
  else
    mrpb_fail(&s->err, "out of memory");
  contract_watch_end(&s->watch);
  fflush(NULL);
  s->done = true;
  return code;
}

static void ended_early(const apart_t *a, const jobs_end_t *end) {
  const contract_watch_t *w = &a->shared->watch;
  mrpb_fail(a->err, "%.200s, cycle %" PRIu64 ": %s has ended the program (%s %d)", a->what,
            w->cycle, w->hang.doing ? w->hang.doing : "mrpb",
            end->exited ? "exit status" : "signal", end->code);
}

static jobs_then_t hear(void *ctx, const jobs_end_t *end) {
  apart_t *a = ctx;
  const bool done = a->shared->done, hung = end->exited && end->code == HANG_EXIT;
  a->code = done || hung ? end->code : RTL_BAD_INPUT; /* what hangs has been named */
  if (end->why)
    mrpb_fail(a->err, "%s", end->why);
  else if (done && a->shared->err.text[0])
    mrpb_fail(a->err, "%s", a->shared->err.text);
  else if (!done && !hung)
    ended_early(a, end);
  return JOBS_GO_ON;
}

int contract_apart(contract_apart_t *work, void *ctx, const char *what, unsigned seconds,
                   mrpb_err_t *err) {
  apart_t a = {.work = work, .ctx = ctx, .what = what, .seconds = seconds, .err = err};
  const jobs_t pool = {.n = 1, .silent = true, .ctx = &a, .work = in_child, .end = hear};
  void *shared =
      mmap(NULL, sizeof *a.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return mrpb_fail(err, "out of memory"), RTL_BAD_TOOL;
  a.shared = shared;
  if (jobs_run(&pool, err) < 0) a.code = RTL_BAD_TOOL;
  munmap(shared, sizeof *a.shared);
  return a.code;
}
