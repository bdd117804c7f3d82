/* SPDX-License-Identifier: Apache-2.0 */
/* Recording: a workload around another one. Registers are tracked from a load to the first
 * instruction that uses them. That instruction waits, and with it everything behind it in the
 * warp. */
#include "base/output.h"
#include "workload/trace/read.h"
#include "workload/trace/trace.h"
#include "workload/trace/write.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  workload_t base;
  workload_t *inner;
  trace_writer_t *to; /* NULL after it has ended or failed */
  mrpb_err_t err;     /* reason of the failure */
  char path[OUTPUT_NAME];
  struct warp_stream *spare;
} record_t;

struct warp_stream {
  record_t *record;
  struct warp_stream *next;
  warp_stream_t *inner;
  trace_from_t from;
  trace_record_t r;             /* gap and waits accumulate here */
  uint64_t reg_load[WARP_REGS]; /* 1 + the load that a register waits for, 0: none */
};

/* After the first failure nothing more is written, and the run ends (record_fault). */
static void failed(record_t *r) {
  if (r->to) r->to->close(r->to);
  r->to = NULL;
}

/* ---- records --------------------------------------------------------------- */

static void put(warp_stream_t *s) {
  record_t *r = s->record;
  trace_record_t *t = &s->r;
  if (r->to && r->to->record(r->to, &s->from, t, &r->err) != 0) failed(r);
  s->from.insts += (uint64_t)t->gap + 1;
  t->gap = 0;
  t->n_wait = 0;
}

static void put_record(warp_stream_t *s, trace_kind_t kind) {
  s->r.kind = kind;
  s->r.mask = 0;
  put(s);
}

/* Writes a load or store. The words of a local element lie apart, so each word is a separate
 * record. */
static void put_access(warp_stream_t *s, const warp_inst_t *i) {
  const workload_t *inner = s->record->inner;
  trace_record_t *t = &s->r;
  const bool load = i->cls == WARP_LOAD;
  t->kind = load ? TRACE_LOAD : TRACE_STORE;
  t->space = i->space;
  t->elem = (uint8_t)warp_inst_part_bytes(i);
  t->mask = warp_stream_mask(inner, s->inner);
  warp_stream_addresses(inner, s->inner, t->addr);
  for (unsigned part = 0; part < warp_inst_parts(i); part++) {
    s->from.loads += load && part > 0;
    put(s);
    for (uint32_t left = t->mask; left; left &= left - 1)
      t->addr[__builtin_ctz(left)] += WARP_LOCAL_STEP;
  }
}

/* The instruction uses a register: it waits for the pending load of that register, if there is
 * one. */
static void use(warp_stream_t *s, uint16_t reg) {
  if (reg == 0 || s->reg_load[reg] == 0) return;
  uint64_t load = s->reg_load[reg], distance = s->from.loads + 1 - load;
  for (unsigned i = 0; i < WARP_REGS; i++)
    if (s->reg_load[i] == load) s->reg_load[i] = 0;
  if (distance <= TRACE_MAX_WAITS && s->r.n_wait < TRACE_MAX_WAITS)
    s->r.wait[s->r.n_wait++] = (uint8_t)distance;
}

/* A trace has a single barrier, of all warps. */
static void record_barrier(warp_stream_t *s) {
  const warp_barrier_t b = warp_stream_barrier(s->record->inner, s->inner);
  if (b.comes) put_record(s, TRACE_BARRIER);
  if (!b.comes || (b.number == 0 && b.warps == 0 && b.waits)) return;
  mrpb_fail(&s->record->err,
            "%s: a trace cannot hold a barrier other than 0 of all threads; legal: bar.sync 0",
            s->record->path);
  failed(s->record);
}

static warp_barrier_t record_at_barrier(warp_stream_t *s) {
  return warp_stream_barrier(s->record->inner, s->inner);
}

static void record_step(warp_stream_t *s) {
  const workload_t *inner = s->record->inner;
  const warp_inst_t *i = warp_stream_peek(inner, s->inner);
  for (unsigned k = 0; k < WARP_OPERANDS; k++) use(s, i->regs[k]);
  if (i->cls == WARP_LOAD || i->cls == WARP_STORE) {
    put_access(s, i);
    for (unsigned k = 0; i->cls == WARP_LOAD && k < 4 && i->dst[k]; k++)
      s->reg_load[i->dst[k]] = s->from.loads + 1;
    s->from.loads += i->cls == WARP_LOAD;
  } else if (i->cls == WARP_BARRIER) {
    record_barrier(s);
  }
  bool other = i->cls == WARP_ALU || i->cls == WARP_BRANCH || i->cls == WARP_EXIT;
  warp_stream_step(inner, s->inner);
  if (!warp_stream_peek(inner, s->inner))
    put_record(s, TRACE_EXIT);
  else
    s->r.gap += other;
}

/* ---- the workload ---------------------------------------------------------- */

static const launch_t *record_next(workload_t *w) {
  record_t *r = (record_t *)w;
  const launch_t *l = workload_next(r->inner);
  if (l && r->to && r->to->launch(r->to, l, &r->err) != 0) failed(r);
  return l;
}

static double record_progress(const workload_t *w) {
  return workload_progress(((const record_t *)w)->inner);
}

static warp_stream_t *record_open(workload_t *w, uint32_t block, uint32_t warp) {
  record_t *r = (record_t *)w;
  warp_stream_t *s = r->spare;
  if (s)
    r->spare = s->next;
  else
    s = malloc(sizeof *s);
  if (!s) return NULL;
  memset(s, 0, sizeof *s);
  s->record = r;
  s->from.block = block;
  s->from.warp = warp;
  s->inner = warp_stream_open(r->inner, block, warp);
  if (s->inner) return s;
  free(s);
  return NULL;
}

static const warp_inst_t *record_peek(const warp_stream_t *s) {
  return warp_stream_peek(s->record->inner, s->inner);
}
static uint32_t record_mask(const warp_stream_t *s) {
  return warp_stream_mask(s->record->inner, s->inner);
}
static void record_addresses(const warp_stream_t *s, uint64_t addr[WARP_LANES]) {
  warp_stream_addresses(s->record->inner, s->inner, addr);
}
static void record_values(const warp_stream_t *s, uint8_t value[WARP_LANES][16]) {
  warp_stream_values(s->record->inner, s->inner, value);
}

static void record_close(warp_stream_t *s) {
  warp_stream_close(s->record->inner, s->inner);
  s->next = s->record->spare;
  s->record->spare = s;
}

static const mrpb_err_t *record_fault(const workload_t *w) {
  const record_t *r = (const record_t *)w;
  const mrpb_err_t *inner = workload_fault(r->inner);
  return inner || !r->err.text[0] ? inner : &r->err;
}

static bool record_hangs(const workload_t *w) {
  return workload_hangs(((const record_t *)w)->inner);
}

static void record_initial(const workload_t *w, uint64_t addr, void *to, size_t bytes) {
  const workload_t *inner = ((const record_t *)w)->inner;
  inner->ops->initial(inner, addr, to, bytes);
}

static void record_set_clock(workload_t *w, const uint64_t *clock) {
  workload_set_clock(((record_t *)w)->inner, clock);
}

static void record_on_sm(warp_stream_t *s, const warp_seat_t *seat) {
  warp_stream_on_sm(s->record->inner, s->inner, seat);
}

static int record_check(workload_t *w, mrpb_err_t *err) {
  record_t *r = (record_t *)w;
  int rc = workload_check(r->inner, err);
  const bool complete = r->to && r->to->end(r->to, &r->err) == 0;
  failed(r); /* or ended */
  if (complete || !r->err.text[0]) return rc;
  if (err) *err = r->err;
  return rc ? rc : WORKLOAD_FAILED;
}

static void record_destroy(workload_t *w) {
  record_t *r = (record_t *)w;
  failed(r); /* the run did not complete */
  for (warp_stream_t *s = r->spare; s;) {
    warp_stream_t *next = s->next;
    free(s);
    s = next;
  }
  workload_close(r->inner);
  free(r);
}

static const workload_ops_t record_ops = {
    .next = record_next,
    .progress = record_progress,
    .open = record_open,
    .peek = record_peek,
    .mask = record_mask,
    .addresses = record_addresses,
    .values = record_values,
    .step = record_step,
    .close = record_close,
    .fault = record_fault,
    .hangs = record_hangs,
    .check = record_check,
    .initial = record_initial,
    .set_clock = record_set_clock,
    .on_sm = record_on_sm,
    .barrier = record_at_barrier,
    .destroy = record_destroy,
};

static bool is_list(const char *path) {
  const size_t n = strlen(path);
  return n > 2 && strcmp(path + n - 2, ".g") == 0;
}

int trace_record(workload_t **out, workload_t *inner, const char *path, mrpb_err_t *err) {
  record_t *r = calloc(1, sizeof *r);
  *out = NULL;
  if (!r) return mrpb_fail(err, "%s: out of memory", path);
  r->base.ops = &record_ops;
  snprintf(r->path, sizeof r->path, "%s", path);
  const int rc = trace_is_tracez(path) || is_list(path) ? trace_write_tracez(&r->to, path, err)
                                                        : trace_write_text(&r->to, path, err);
  if (rc != 0) {
    free(r);
    return -1;
  }
  r->inner = inner;
  *out = &r->base;
  return 0;
}
