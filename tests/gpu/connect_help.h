/* SPDX-License-Identifier: Apache-2.0 */
/* For tests that connect something to the GPU: a DRAM of the tests' own, and GPUs with three
 * SMs. */
#ifndef CONNECT_HELP_H
#define CONNECT_HELP_H

#include "gpu/library/mrpb_gpu.h"
#include "workload/program_help.h"

enum { PLACES = 256 };

/* A DRAM that answers after `latency` ticks, in order, and holds `places` requests. */
typedef struct {
  void (*read_done)(void *arg, uint64_t address);
  void (*write_done)(void *arg, uint64_t address);
  void *arg;
  double tck;
  unsigned bytes, latency, places, refuse; /* refuse: refuses one of so many calls of `add` */
  uint64_t now, reads, writes, adds;
  struct {
    uint64_t address, at;
    bool is_write;
  } ring[PLACES];
  unsigned head, n;
  bool at_once;          /* finishes before `add` returns */
  bool twice, unaligned; /* twice: a fault, a read finishes twice; unaligned: what was seen */
} dram_t_;

static inline void set_callbacks(void *ctx, void (*read_done)(void *arg, uint64_t address),
                                 void (*write_done)(void *arg, uint64_t address), void *arg) {
  dram_t_ *d = ctx;
  d->read_done = read_done;
  d->write_done = write_done;
  d->arg = arg;
}

static inline double tck(void *ctx) {
  return ((dram_t_ *)ctx)->tck;
}

static inline unsigned transaction_bytes(void *ctx) {
  return ((dram_t_ *)ctx)->bytes;
}

static inline bool will_accept(void *ctx, uint64_t address, bool is_write) {
  dram_t_ *d = ctx;
  d->unaligned |= address % d->bytes != 0;
  (void)is_write;
  return d->n < d->places;
}

static inline bool add(void *ctx, uint64_t address, bool is_write) {
  dram_t_ *d = ctx;
  if (d->refuse && ++d->adds % d->refuse == 0) return false;
  if (d->at_once) {
    *(is_write ? &d->writes : &d->reads) += 1;
    (is_write ? d->write_done : d->read_done)(d->arg, address);
    return true;
  }
  const unsigned at = (d->head + d->n++) % PLACES;
  d->ring[at].address = address;
  d->ring[at].at = d->now + d->latency;
  d->ring[at].is_write = is_write;
  return true;
}

static inline void tick(void *ctx) {
  dram_t_ *d = ctx;
  for (; d->n > 0 && d->ring[d->head].at <= d->now; d->head = (d->head + 1) % PLACES, d->n--) {
    const uint64_t a = d->ring[d->head].address;
    if (d->ring[d->head].is_write) {
      d->writes++;
      d->write_done(d->arg, a);
      continue;
    }
    d->reads++;
    d->read_done(d->arg, a);
    if (d->twice && d->reads == 20) d->read_done(d->arg, a);
  }
  d->now++;
}

static const mrpb_gpu_dram_t functions = {.set_callbacks = set_callbacks,
                                          .tck = tck,
                                          .transaction_bytes = transaction_bytes,
                                          .will_accept = will_accept,
                                          .add = add,
                                          .tick = tick};

static inline dram_t_ dram(unsigned bytes, unsigned latency) {
  return (dram_t_){.tck = 1.25, .bytes = bytes, .latency = latency, .places = 64};
}

static inline mrpb_gpu_t *create(const char *program, uint32_t size) {
  mrpb_err_t err = {{0}};
  const mrpb_gpu_program_t o = {.size = size, .model = 'B'};
  mrpb_gpu_t *g;
  ck_assert_int_eq(mrpb_gpu_create(&g, NULL, &err), 0);
  ck_assert_int_eq(mrpb_gpu_set(g, "SMS=3", &err), 0);
  if (program) ck_assert_msg(!mrpb_gpu_program(g, program, &o, &err), "%s", err.text);
  return g;
}

static inline void run(mrpb_gpu_t *g) {
  mrpb_err_t err = {{0}};
  const mrpb_gpu_state_t state = mrpb_gpu_run(g, &err);
  ck_assert_msg(state == MRPB_GPU_DONE, "state %d: %s", (int)state, err.text);
  ck_assert_msg(mrpb_gpu_verify(g, &err) == 0, "%s", err.text);
}

static inline uint64_t count(mrpb_gpu_t *g, const char *name) {
  mrpb_err_t err = {{0}};
  double v = -1;
  ck_assert_msg(mrpb_gpu_value(g, name, &v, &err) == 0, "%s", err.text);
  return (uint64_t)v;
}

static inline void expect_failure(mrpb_gpu_t *g, const char *part) {
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(mrpb_gpu_run(g, &err), MRPB_GPU_FAILED);
  ck_assert_msg(strstr(err.text, part), "'%s' has no '%s'", err.text, part);
  mrpb_gpu_destroy(g);
}

#endif
