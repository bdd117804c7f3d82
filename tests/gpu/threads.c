/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs in separate threads, two of one kind and one of another, against the same GPUs run one after
 * the other: every count must be equal. Built with the thread sanitizer, which ends the program at
 * a data race (tests/gpu/threads.sh). The argument "race" causes one, to check that it is found. */
#include "gpu/library/mrpb_gpu.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS = 3, TEXT = 1 << 16 };

/* A count that all threads change without a lock. Each waits for the others before and after, so
 * that all of them are alive: the sanitizer may miss a race with a thread that has ended. */
struct race {
  pthread_barrier_t all_here, all_done;
  unsigned shared;
};

typedef struct {
  const char *config, *program;
  bool checked;
  struct race *race; /* NULL: no race */
  size_t n;
  char counts[TEXT];
  mrpb_err_t err;
} job_t;

static void note(void *ctx, const mrpb_gpu_value_t *v) {
  job_t *j = ctx;
  j->n += (size_t)snprintf(j->counts + j->n, TEXT - j->n, "%s %" PRIu64 " %.17g %s\n", v->name,
                           v->count, v->real, v->text ? v->text : "");
}

static void race(struct race *r) {
  (void)pthread_barrier_wait(&r->all_here);
  ++r->shared;
  (void)pthread_barrier_wait(&r->all_done);
}

static void *run(void *ctx) {
  job_t *j = ctx;
  const mrpb_gpu_program_t o = {.cut = 1};
  mrpb_gpu_t *gpu;
  j->n = 0;
  if (j->race) race(j->race);
  if (mrpb_gpu_create(&gpu, j->config, &j->err) != 0) return NULL;
  bool good = mrpb_gpu_set(gpu, "SMS=2", &j->err) == 0 &&
              mrpb_gpu_program(gpu, j->program, &o, &j->err) == 0;
  if (good && j->checked) good = mrpb_gpu_checked(gpu, &j->err) == 0;
  while (good && mrpb_gpu_step(gpu, 1000, &j->err) == MRPB_GPU_RUNNING) continue;
  if (good && mrpb_gpu_verify(gpu, &j->err) == 0) (void)mrpb_gpu_values(gpu, note, j, &j->err);
  mrpb_gpu_destroy(gpu);
  return NULL;
}

static bool equal(const job_t *a, const job_t *b) {
  if (a->n == 0 || a->n >= TEXT || a->n != b->n) return false;
  return memcmp(a->counts, b->counts, a->n) == 0;
}

int main(int argc, char **argv) {
  static job_t alone[GPUS] = {
      {.config = "configs/base-s-mrpb.conf", .program = "mvt"},
      {.config = "configs/base-s-mrpb.conf", .program = "mvt"},
      {.config = "configs/base-l.conf", .program = "atax", .checked = true}};
  static job_t together[GPUS];
  pthread_t thread[GPUS];
  struct race shared = {.shared = 0};
  int bad = 0;
  (void)argv;
  if (pthread_barrier_init(&shared.all_here, NULL, GPUS) != 0 ||
      pthread_barrier_init(&shared.all_done, NULL, GPUS) != 0)
    return 2;
  for (unsigned i = 0; i < GPUS; i++) {
    (void)run(&alone[i]);
    together[i] = alone[i];
    if (argc > 1) together[i].race = &shared;
  }
  for (unsigned i = 0; i < GPUS; i++)
    if (pthread_create(&thread[i], NULL, run, &together[i]) != 0) return 2;
  for (unsigned i = 0; i < GPUS; i++) {
    (void)pthread_join(thread[i], NULL);
    if (equal(&alone[i], &together[i])) continue;
    printf("threads: %s is not as alone; %s %s\n", alone[i].program, alone[i].err.text,
           together[i].err.text);
    bad = 1;
  }
  if (!bad) printf("%d GPUs in threads, all counts as alone\n", GPUS);
  return bad;
}
