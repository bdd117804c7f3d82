/* SPDX-License-Identifier: Apache-2.0 */
/* Your own memory behind the L1s, in place of interconnect, L2 and DRAM. This one answers after a
 * fixed number of SM cycles and takes one request per cycle; a request that an SM cannot send waits
 * in its miss queue.
 * cc memory.c $(pkg-config --cflags --libs mrpb-gpu) -o memory && ./memory */
#include <libmrpb-gpu.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 1024 };

typedef struct {
  mrpb_gpu_t *gpu;
  uint64_t latency, now, busy_until, reads, writes, refused;
  struct {
    uint64_t id, at;
  } ring[PLACES];
  unsigned first, n;
} memory_t;

static bool accept(void *ctx, const mrpb_gpu_request_t *request) {
  memory_t *m = ctx;
  if (m->n == PLACES || m->busy_until > m->now) {
    m->refused++;
    return false;
  }
  const unsigned at = (m->first + m->n++) % PLACES;
  m->ring[at].id = request->id;
  m->ring[at].at = m->now + m->latency;
  m->busy_until = m->now + 1;
  if (request->is_write)
    m->writes++;
  else
    m->reads++;
  return true;
}

static void tick(void *ctx, uint64_t cycle) {
  memory_t *m = ctx;
  m->now = cycle;
  for (; m->n > 0 && m->ring[m->first].at <= cycle; m->n--) {
    (void)mrpb_gpu_reply(m->gpu, m->ring[m->first].id, NULL);
    m->first = (m->first + 1) % PLACES;
  }
}

static int run(uint64_t latency) {
  mrpb_err_t err = {""};
  memory_t m = {.latency = latency};
  const mrpb_gpu_memory_t functions = {&m, accept, tick};
  const mrpb_gpu_program_t options = {.cut = 8};
  double latency_seen = 0;
  int rc = mrpb_gpu_create(&m.gpu, "base-s-mrpb", &err);
  if (rc == 0) rc = mrpb_gpu_program(m.gpu, "atax", &options, &err);
  if (rc == 0) rc = mrpb_gpu_connect_memory(m.gpu, &functions, &err);
  if (rc == 0 && mrpb_gpu_run(m.gpu, &err) != MRPB_GPU_DONE) rc = -1;
  if (rc == 0) rc = mrpb_gpu_verify(m.gpu, &err);
  if (rc == 0) rc = mrpb_gpu_value(m.gpu, "sm.read_latency", &latency_seen, &err);
  if (rc == 0)
    printf("%3" PRIu64 " cycles: %" PRIu64 " cycles in all, %" PRIu64 " reads, %" PRIu64
           " writes; the L1s saw %.1f\n",
           latency, mrpb_gpu_cycles(m.gpu), m.reads, m.writes, latency_seen);
  else
    fprintf(stderr, "%s\n", err.text);
  mrpb_gpu_destroy(m.gpu);
  return rc;
}

int main(void) {
  return run(1) == 0 && run(100) == 0 && run(400) == 0 ? 0 : 2;
}
