/* SPDX-License-Identifier: Apache-2.0 */
/* The first error of a program, with the thread that caused it. */
#include "workload/simt/simt_state.h"

#include <inttypes.h>
#include <stdarg.h>

void simt_fault(warp_stream_t *w, const simt_op_t *op, unsigned lane, const char *what, ...) {
  if (w->sim->apart) { /* which fault is the first one is not known */
    atomic_store(&w->sim->broken, true);
    return;
  }
  const uint32_t *dim = w->sim->now.block;
  uint32_t n = w->ordinal * WARP_LANES + lane;
  char text[256];
  va_list args;
  va_start(args, what);
  vsnprintf(text, sizeof text, what, args);
  va_end(args);
  mrpb_fail(&w->sim->fault,
            "%s:%" PRIu32 ": %s: lane %u of block (%" PRIu32 ",%" PRIu32 ",%" PRIu32
            ") thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "): %s",
            w->kernel->kernel->name, op->inst->line, ptx_op_name((ptx_op_t)op->inst->op), lane,
            w->block->ctaid[0][0], w->block->ctaid[1][0], w->block->ctaid[2][0], n % dim[0],
            n / dim[0] % dim[1], n / dim[0] / dim[1], text);
}
