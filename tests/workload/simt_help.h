/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel text, its buffers and one launch, run without the SM. */
#ifndef SIMT_HELP_H
#define SIMT_HELP_H

#include "workload/ptx/ptx.h"
#include "workload/simt/simt.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  simt_prepared_t prepared;
  workload_t *w;
  memory_t *memory;
  mrpb_err_t err;
  bool portable, taken_first; /* rig_open keeps these */
} rig_t;

/* Opens the text and prepares one launch of its first kernel: `blocks` of `threads` threads. */
static inline int rig_open(rig_t *r, const char *text, uint32_t blocks, uint32_t threads) {
  ptx_module_t *m = NULL;
  *r = (rig_t){.portable = r->portable, .taken_first = r->taken_first};
  ck_assert_int_eq(memory_create(&r->memory, &r->err), 0);
  ck_assert_msg(ptx_read(&m, text, strlen(text), "test.ptx", &r->err) == 0, "%s", r->err.text);
  simt_setup_t s = {.module = m,
                    .memory = r->memory,
                    .host = &r->prepared,
                    .next = simt_prepared_next,
                    .taken_first = r->taken_first,
                    .portable = r->portable};
  r->prepared.launch = (simt_launch_t){
      .kernel = ptx_kernel(m, 0), .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .regs = 16};
  r->prepared.left = 1;
  if (simt_create(&r->w, &s, &r->err) == 0) return 0;
  ptx_free(m);
  memory_destroy(r->memory);
  return -1;
}

/* Passes a zeroed buffer as parameter `i`. */
static inline void *rig_buffer(rig_t *r, unsigned i, uint64_t bytes) {
  uint64_t a = memory_alloc(r->memory, bytes, &r->err);
  ck_assert_uint_ne(a, 0);
  simt_param(&r->prepared.launch, i, a);
  return memory_at(r->memory, a, bytes);
}

static inline int rig_run(rig_t *r) {
  return workload_run_within(r->w, 0, &r->err);
}

static inline void rig_close(rig_t *r) {
  workload_close(r->w);
}

#define PTX_HEAD ".version 3.0\n.target sm_20\n.address_size 64\n"

#endif
