/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads for tests: a PTX text of a few lines as a workload of one launch, and programs by
 * name. */
#ifndef PROGRAM_HELP_H
#define PROGRAM_HELP_H

#include "workload/programs/program.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define PTX_HEAD ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 a)\n"

typedef struct {
  ptx_module_t *module;
  uint64_t addr;
  uint32_t threads;
  bool done;
} text_host_t;

static bool text_next(void *host, simt_launch_t *l) {
  text_host_t *t = host;
  if (t->done) return false;
  t->done = true;
  *l = (simt_launch_t){.kernel = ptx_find(t->module, "k", NULL),
                       .grid = {1, 1, 1},
                       .block = {t->threads, 1, 1},
                       .regs = 16};
  simt_param(l, 0, t->addr);
  return true;
}

static double text_progress(const void *host) {
  return ((const text_host_t *)host)->done;
}

/* One block of kernel `k` of the text. Its parameter is the address of `bytes` zero bytes. */
static inline workload_t *open_text(const char *text, uint32_t threads, uint64_t bytes) {
  mrpb_err_t err = {{0}};
  workload_t *w = NULL;
  memory_t *m = NULL;
  text_host_t *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->threads = threads;
  ck_assert_msg(ptx_read(&t->module, text, strlen(text), "test", &err) == 0, "%s", err.text);
  ck_assert_msg(memory_create(&m, &err) == 0, "%s", err.text);
  t->addr = memory_alloc(m, bytes, &err);
  ck_assert_uint_eq(t->addr, MEMORY_BASE);
  simt_setup_t s = {.module = t->module,
                    .memory = m,
                    .host = t,
                    .next = text_next,
                    .progress = text_progress,
                    .destroy = free};
  ck_assert_msg(simt_create(&w, &s, &err) == 0, "%s", err.text);
  return w;
}

static inline workload_t *open_program(const char *name, program_options_t o) {
  mrpb_err_t err = {{0}};
  workload_t *w;
  ck_assert_msg(program_open(&w, name, &o, &err) == 0, "%s", err.text);
  return w;
}

#endif
