/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and switch tables: which lanes go where, and what is passed. Parameters are in each
 * thread's local memory, at different places for the caller and the function. */
#include "workload/simt/simt_state.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *local_of(const warp_stream_t *w, unsigned lane) {
  return w->local + (size_t)lane * simt_local_stride(w->kernel->kernel);
}

static void copy(const warp_stream_t *w, const ptx_copy_t *c, unsigned n, uint32_t lanes) {
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint8_t *at = local_of(w, (unsigned)__builtin_ctz(left));
    for (unsigned i = 0; i < n; i++) memcpy(at + c[i].to, at + c[i].from, c[i].bytes);
  }
}

/* ---- functions of this library
 * ----------------------------------------------------------------- */

/* Reads a string of the program at a generic address, cut to `size`; empty if it is not in
 * memory. */
static void text_at(const warp_stream_t *w, uint64_t at, char *to, size_t size) {
  size_t n = 0;
  for (; n + 1 < size; n++) {
    const uint8_t *from = memory_at(w->sim->setup.memory, at + n, 1);
    if (!from || *from == 0) break;
    to[n] = (char)(isprint(*from) ? *from : '?');
  }
  to[n] = '\0';
}

static uint64_t parameter(const warp_stream_t *w, const ptx_call_t *c, unsigned i, unsigned lane) {
  uint64_t v = 0;
  memcpy(&v, local_of(w, lane) + c->in[i].from, c->in[i].bytes < 8 ? c->in[i].bytes : 8);
  return v;
}

/* __assertfail(message, file, line, function, size of a character) */
static void assertion(warp_stream_t *w, const simt_op_t *op, uint32_t lanes) {
  const ptx_call_t *c = op->inst->call;
  const unsigned lane = (unsigned)__builtin_ctz(lanes);
  char message[100], file[60], function[60];
  text_at(w, parameter(w, c, 0, lane), message, sizeof message);
  text_at(w, parameter(w, c, 1, lane), file, sizeof file);
  text_at(w, parameter(w, c, 3, lane), function, sizeof function);
  simt_fault(w, op, lane, "%s:%" PRIu32 ": %s: assertion `%s' failed", file,
             (uint32_t)parameter(w, c, 2, lane), function, message);
}

/* ---- steps --------------------------------------------------------------------------------------- */

static void enter(warp_stream_t *w, const simt_op_t *op, const ptx_call_t *c, uint32_t target,
                  uint32_t lanes) {
  const bool again = w->kernel->kernel->spans[c->span].recursive;
  const unsigned first = (unsigned)__builtin_ctz(lanes);
  const bool deep = w->depth == w->sim->levels;
  if (deep)
    simt_fault(w, op, first,
               "calls nested more than %u deep; legal: fewer, or a loop with its own stack",
               w->sim->levels);
  else if (again && !simt_frame_enter(w, c, lanes))
    simt_fault(w, op, first, "out of memory");
  if (w->sim->fault.text[0]) {
    simt_stack_next(w);
    return;
  }
  if (!again) copy(w, c->in, c->n_in, lanes);
  w->call[w->depth] = c;
  simt_stack_call(w, lanes, target);
}

/* Lanes whose registers name different functions are split, and execute this call again. */
static void call_register(warp_stream_t *w, const simt_op_t *op, uint32_t lanes) {
  const ptx_call_t *c = op->inst->call;
  const uint64_t *address = simt_vector(w, op->s[0]);
  const unsigned first = (unsigned)__builtin_ctz(lanes);
  for (uint32_t left = lanes; left; left &= left - 1) {
    if (address[__builtin_ctz(left)] == address[first]) continue;
    simt_stack_split(w, lanes, address);
    return;
  }
  for (unsigned i = 0; i < c->n_callees; i++) {
    if (c->callee[i].address != address[first]) continue;
    enter(w, op, c->callee[i].call, c->callee[i].target, lanes);
    return;
  }
  simt_fault(w, op, first, "0x%" PRIx64 " is not the address of a function with these parameters",
             address[first]);
  simt_stack_next(w);
}

void simt_call(warp_stream_t *w, const simt_op_t *op, uint32_t lanes) {
  const ptx_call_t *c = op->inst->call;
  if (lanes && c->kind == PTX_CALL_ASSERT) assertion(w, op, lanes);
  if (lanes && c->kind == PTX_CALL_PRINTF) simt_print(w, op, lanes);
  if (lanes && c->kind == PTX_CALL_REGISTER)
    call_register(w, op, lanes);
  else if (lanes && c->kind == PTX_CALL_FUNCTION)
    enter(w, op, c, op->target, lanes);
  else
    simt_stack_next(w);
}

/* Results are copied lane by lane, when the lanes return. */
void simt_return(warp_stream_t *w, uint32_t lanes) {
  const ptx_call_t *c = w->call[w->depth - 1];
  if (w->kernel->kernel->spans[c->span].recursive)
    simt_frame_leave(w, c, lanes);
  else
    copy(w, c->out, c->n_out, lanes);
  simt_stack_return(w, lanes);
}

void simt_indexed(warp_stream_t *w, const simt_op_t *op, uint32_t lanes) {
  const ptx_inst_t *i = op->inst;
  const uint32_t *index = simt_vector(w, op->s[0]);
  uint32_t target[WARP_LANES];
  for (uint32_t left = lanes; left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    if (index[l] >= i->n_targets)
      simt_fault(w, op, l, "index %" PRIu32 "; the table has %" PRIu32 " labels", index[l],
                 i->n_targets);
    target[l] = i->targets[index[l] < i->n_targets ? index[l] : 0];
  }
  simt_stack_switch(w, lanes, target, op->reconverge);
}
