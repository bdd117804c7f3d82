/* SPDX-License-Identifier: Apache-2.0 */
/* Runs builds in separate processes; their outputs are in memory shared with this process. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, strsignal */
#include "verilog/twice/twice.h"

#include "base/hang.h"
#include "base/jobs.h"
#include "verilog/build.h"
#include "verilog/shim/shim.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

enum { NOT_LOADED = 3, SIDE_BY_SIDE = 2 };

typedef struct {
  const twice_job_t *job;
  const twice_stimulus_t *s;
  twice_replay_t *run;
  int code;
  mrpb_err_t *err;
} pool_t;

static size_t bytes(const twice_job_t *job, const twice_stimulus_t *s) {
  return (s->n * job->cls->out_words + 1) * sizeof(uint64_t);
}

static int work(void *ctx, size_t i, FILE *out) {
  const pool_t *p = ctx;
  const twice_replay_t *run = &p->run[i];
  const module_class_t *cls = p->job->cls;
  void *handle = dlopen(p->job->build[run->build].object, RTLD_NOW | RTLD_LOCAL);
  const shim_table_t *shim = handle ? dlsym(handle, SHIM_SYMBOL) : NULL;
  void *dut = shim ? shim->create(run->seed, (shim_power_t)run->power) : NULL;
  uint64_t t = 0;
  hang_t hang = {.doing = NULL};
  (void)out;
  if (!dut) return NOT_LOADED;
  hang_watch(&hang, cls->stem, &t, p->job->patience);
  for (; t < p->s->n; t++) {
    hang_enter(&hang, "the Verilog");
    shim->comb(dut, p->s->in + t * cls->in_words, run->out + t * cls->out_words);
    shim->edge(dut);
  }
  hang_end(&hang);
  return 0;
}

static jobs_then_t hear(void *ctx, const jobs_end_t *end) {
  pool_t *p = ctx;
  const char *by = p->job->build[p->run[end->job].build].by;
  if ((end->exited && end->code == 0) || p->code != RTL_OK) return JOBS_GO_ON;
  p->code = end->exited && end->code == HANG_EXIT ? HANG_EXIT : RTL_BAD_TOOL;
  if (!end->exited)
    mrpb_fail(p->err, "%s: what %s has made of it crashes (%s)", p->job->place, by,
              strsignal(end->code));
  else
    mrpb_fail(p->err, "%s: what %s has made of it %s", p->job->place, by,
              end->code == HANG_EXIT ? "does not return" : "cannot be loaded, or has no memory");
  return JOBS_GO_ON;
}

int twice_replay(const twice_job_t *job, const twice_stimulus_t *s, twice_replay_t *run, unsigned n,
                 mrpb_err_t *err) {
  pool_t p = {.job = job, .s = s, .run = run, .code = RTL_OK, .err = err};
  for (unsigned i = 0; i < n; i++) {
    void *memory =
        mmap(NULL, bytes(job, s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    run[i].out = memory == MAP_FAILED ? NULL : memory;
    if (!run[i].out) return mrpb_fail(err, "%s: out of memory", job->place), RTL_BAD_TOOL;
  }
  const jobs_t pool = {
      .n = n, .at_once = SIDE_BY_SIDE, .silent = true, .ctx = &p, .work = work, .end = hear};
  return jobs_run(&pool, err) < 0 ? RTL_BAD_TOOL : p.code;
}

void twice_replay_end(const twice_job_t *job, const twice_stimulus_t *s, twice_replay_t *run,
                      unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (run[i].out) munmap(run[i].out, bytes(job, s));
}
