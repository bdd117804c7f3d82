/* SPDX-License-Identifier: Apache-2.0 */
/* The second opinion on a design that is not ours: it is built in other ways and compared once, and
 * the answer is kept. docs/verify/simulators.md */
#ifndef VERILOG_SECOND_H
#define VERILOG_SECOND_H

#include "verilog/lint/lint.h"
#include "verilog/twice/twice.h"

#include <stdio.h>

/* Records a stimulus for the build `object` into `s`, which is already allocated. Returns 0, or -1
 * and a message in err. */
typedef int (*second_record_t)(void *ctx, twice_stimulus_t *s, mrpb_err_t *err);

typedef struct {
  const module_class_t *cls;
  const uint32_t *cfg;
  const bind_t *bind; /* NULL: it has our names */
  const lint_job_t *job;
  const lint_t *lint;
  const char *cache, *script, *runtime, *tools, *object, *place;
  uint64_t key;         /* of the object */
  const char *stimulus; /* its name; another stimulus needs another answer */
  second_record_t record;
  void *ctx;
  size_t cycles;
  unsigned patience;
  FILE *progress;
} second_t;

/* Returns RTL_OK and what was found, or RTL_BAD_INPUT or RTL_BAD_TOOL and a message in err. */
int second_opinion(const second_t *s, twice_found_t *found, mrpb_err_t *err);

#endif
