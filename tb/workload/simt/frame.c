/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of functions that call themselves, directly or through others. Registers and parameters of
 * such a function have one place in a warp. So a call saves what is there, and each lane gets it
 * back when it returns. All lanes of a level were called at the same time. */
#include "workload/simt/exec.h"

#include <stdlib.h>
#include <string.h>

enum { PREDICATE = 16 }; /* bytes of a predicate in a frame, so that the next item stays aligned */

/* ---- what is saved
 * ------------------------------------------------------------------------------- */

static bool has_place(const simt_saved_t *s, simt_place_t place) {
  for (uint32_t i = 0; i < s->n; i++)
    if (s->place[i] == place) return true;
  return false;
}

static size_t bytes_at(unsigned lane_bytes) {
  return lane_bytes ? (size_t)lane_bytes * WARP_LANES : PREDICATE;
}

static int list_places(const simt_kernel_t *k, const ptx_span_t *span, simt_saved_t *s) {
  s->place = malloc((span->n_regs + 1) * sizeof *s->place);
  s->bytes = malloc(span->n_regs + 1);
  if (!s->place || !s->bytes) return -1;
  for (uint32_t r = span->first_reg; r < span->first_reg + span->n_regs; r++) {
    const unsigned type = k->kernel->regs[r].type;
    const simt_place_t at = k->reg[r];
    if (at == 0 || (at & AREA_MASK) != AREA_REGS || has_place(s, at)) continue;
    s->place[s->n] = at;
    s->bytes[s->n] = 4;
    if (type == PTX_PRED) s->bytes[s->n] = 0;
    if (type != PTX_PRED && ptx_type_bytes((ptx_type_t)type) == 8) s->bytes[s->n] = 8;
    s->all += bytes_at(s->bytes[s->n++]);
  }
  s->area = span->area_bytes;
  s->all += ((size_t)WARP_LANES + 1) * s->area;
  return 0;
}

int simt_prepare_frames(simt_kernel_t *k) {
  const ptx_kernel_t *p = k->kernel;
  bool any = false;
  for (unsigned i = 0; i < p->n_spans; i++) any |= p->spans[i].recursive;
  if (!any) return 0;
  k->saved = calloc(p->n_spans, sizeof *k->saved);
  if (!k->saved) return -1;
  for (unsigned i = 0; i < p->n_spans; i++)
    if (p->spans[i].recursive && list_places(k, &p->spans[i], &k->saved[i]) != 0) return -1;
  return 0;
}

void simt_unprepare_frames(simt_kernel_t *k) {
  for (unsigned i = 0; k->saved && i < k->kernel->n_spans; i++) {
    free(k->saved[i].place);
    free(k->saved[i].bytes);
  }
  free(k->saved);
}

/* ---- calls and returns ------------------------------------------------------------------------------- */

static simt_frame_t *take_frame(simt_t *t) {
  simt_frame_t *f = t->free_frames;
  if (f) {
    t->free_frames = f->next_free;
    return f;
  }
  f = malloc(sizeof *f + t->frame_bytes);
  if (!f) return NULL;
  f->next = t->frames;
  t->frames = f;
  return f;
}

void simt_frames_free(warp_stream_t *w) {
  for (unsigned i = 0; i < w->sim->levels; i++) {
    simt_frame_t *f = w->frame[i];
    if (!f) continue;
    f->next_free = w->sim->free_frames;
    w->sim->free_frames = f;
    w->frame[i] = NULL;
  }
}

static uint8_t *local_of(const warp_stream_t *w, unsigned lane) {
  return w->local + (size_t)lane * simt_local_stride(w->kernel->kernel);
}

void simt_empty_stacks(warp_stream_t *w) {
  const ptx_kernel_t *k = w->kernel->kernel;
  for (unsigned i = 0; i < k->n_spans; i++)
    for (unsigned l = 0; k->spans[i].stacked && l < WARP_LANES; l++)
      memset(local_of(w, l) + k->spans[i].stack, 0, sizeof(uint64_t));
}

/* The function's parameters come from the caller, which may be the function itself. */
static void pass(uint8_t *local, const uint8_t *aside, const ptx_span_t *span,
                 const ptx_call_t *c) {
  for (unsigned i = 0; i < c->n_in; i++) {
    const uint32_t in = c->in[i].from - span->area;
    memcpy(local + c->in[i].to, in < span->area_bytes ? aside + in : local + c->in[i].from,
           c->in[i].bytes);
  }
}

bool simt_frame_enter(warp_stream_t *w, const ptx_call_t *c, uint32_t lanes) {
  const ptx_span_t *span = &w->kernel->kernel->spans[c->span];
  const simt_saved_t *s = &w->kernel->saved[c->span];
  simt_frame_t **f = &w->frame[w->depth];
  if (!*f) *f = take_frame(w->sim);
  if (!*f) return false;
  uint8_t *to = (*f)->data;
  for (uint32_t i = 0; i < s->n; i++) {
    memcpy(to, simt_vector(w, s->place[i]), s->bytes[i] ? bytes_at(s->bytes[i]) : 4);
    to += bytes_at(s->bytes[i]);
  }
  for (uint32_t left = lanes; left; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(left);
    uint8_t *local = local_of(w, lane), *aside = to + (size_t)lane * s->area;
    memcpy(aside, local + span->area, s->area);
    pass(local, aside, span, c);
  }
  return true;
}

void simt_frame_leave(warp_stream_t *w, const ptx_call_t *c, uint32_t lanes) {
  const ptx_span_t *span = &w->kernel->kernel->spans[c->span];
  const simt_saved_t *s = &w->kernel->saved[c->span];
  uint8_t *from = w->frame[w->depth - 1]->data;
  for (uint32_t i = 0; i < s->n; i++) {
    void *to = simt_vector(w, s->place[i]);
    if (s->bytes[i])
      exec_blend(to, from, lanes, s->bytes[i]);
    else
      *(lane32_t *)to = (*(lane32_t *)to & ~lanes) | (*(lane32_t *)(void *)from & lanes);
    from += bytes_at(s->bytes[i]);
  }
  uint8_t *results = from + (size_t)WARP_LANES * s->area;
  for (uint32_t left = lanes; left; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(left);
    uint8_t *local = local_of(w, lane);
    memcpy(results, local + span->area, s->area);
    memcpy(local + span->area, from + (size_t)lane * s->area, s->area);
    for (unsigned i = 0; i < c->n_out; i++)
      memcpy(local + c->out[i].to, results + (c->out[i].from - span->area), c->out[i].bytes);
  }
}
