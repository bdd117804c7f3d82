/* SPDX-License-Identifier: Apache-2.0 */
/* BP and BP/U: one training step of Rodinia's backprop with 65536 input and 16 hidden nodes. Launch
 * 1 multiplies and sums the weights tile by tile, and launch 2 adjusts them. Between them the host
 * restores the weights, as the original does. The errors of the hidden layer are random numbers,
 * because the true ones are all zero: the sums of so many inputs saturate. */
#include "workload/programs/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16, HID = TILE, PITCH = HID + 1, IN = 65536, REGS = 20 };

typedef struct {
  uint32_t in, launches;
  uint64_t a_input, a_w, a_partial, a_delta, a_oldw;
  float *input, *w, *delta, *oldw, *partial; /* the host's copies */
  bool checked;                              /* w and oldw have been adjusted */
  mrpb_err_t layer;                          /* first difference after launch 1 */
} state_t;

static float *random_array(uint64_t n, uint64_t seed) {
  float *a = malloc(n * sizeof *a);
  if (a) program_random_f32(a, n, seed);
  return a;
}

static void upload(const program_host_t *h, uint64_t addr, const float *from, uint64_t n) {
  memcpy(memory_at(h->memory, addr, n * sizeof *from), from, n * sizeof *from);
}

static uint64_t weights(const state_t *s) {
  return (uint64_t)(s->in + 1) * PITCH;
}

static int bp_open(void *state, const program_host_t *h, mrpb_err_t *err) {
  state_t *s = state;
  s->in = h->options.size ? h->options.size : IN;
  if (s->in % TILE)
    return mrpb_fail(err, "--size %u: legal are multiples of %d", (unsigned)s->in, TILE);
  s->input = random_array(s->in + 1, 1);
  s->w = random_array(weights(s), 2);
  s->delta = random_array(PITCH, 3);
  s->oldw = random_array(weights(s), 4);
  s->partial = malloc(s->in * sizeof *s->partial);
  if (!s->input || !s->w || !s->delta || !s->oldw || !s->partial)
    return mrpb_fail(err, "bp: out of memory");
  if (!(s->a_input = program_alloc(h, "input", s->in + 1, 4, err)) ||
      !program_alloc(h, "hidden", PITCH, 4, err) ||
      !(s->a_w = program_alloc(h, "w", weights(s), 4, err)) ||
      !(s->a_partial = program_alloc(h, "partial", s->in, 4, err)) ||
      !(s->a_delta = program_alloc(h, "delta", PITCH, 4, err)) ||
      !(s->a_oldw = program_alloc(h, "oldw", weights(s), 4, err)))
    return -1;
  for (uint32_t i = 0; i < PITCH; i++) s->delta[i] -= 0.5f;
  s->input[0] = 1;
  upload(h, s->a_input, s->input, s->in + 1);
  upload(h, s->a_w, s->w, weights(s));
  return 0;
}

static void layer_launch(const state_t *s, const program_host_t *h, const char *kernel,
                         simt_launch_t *l) {
  program_launch(h, l, kernel, 1, s->in / TILE, TILE, TILE, REGS);
  simt_param(l, 0, s->a_input);
  simt_param(l, 2, s->a_w);
  simt_param(l, 3, s->a_partial);
  simt_param(l, 4, s->in);
  simt_param(l, 5, HID);
}

static void adjust_launch(const state_t *s, const program_host_t *h, simt_launch_t *l) {
  program_launch(h, l, "bpnn_adjust_weights_cuda", 1, s->in / TILE, TILE, TILE, REGS);
  simt_param(l, 0, s->a_delta);
  simt_param(l, 1, HID);
  simt_param(l, 2, s->a_input);
  simt_param(l, 3, s->in);
  simt_param(l, 4, s->a_w);
  simt_param(l, 5, s->a_oldw);
}

/* The products of a tile, summed over its rows: pairs at distance 1, 2, 4, 8. */
static void layer_tile(float *w, const float *input, float *partial) {
  for (unsigned r = 0; r < TILE; r++)
    for (unsigned c = 0; c < HID; c++) w[r * PITCH + c] *= input[r];
  for (unsigned p = 2; p <= TILE; p *= 2)
    for (unsigned r = 0; r < TILE; r += p)
      for (unsigned c = 0; c < HID; c++) w[r * PITCH + c] += w[(r + p / 2) * PITCH + c];
  memcpy(partial, w, HID * sizeof *w);
}

/* Compares what launch 1 wrote with the host's own computation. */
static int check_layer(state_t *s, const program_host_t *h, mrpb_err_t *err) {
  float *w = malloc(weights(s) * sizeof *w);
  if (!w) return mrpb_fail(err, "bp: out of memory");
  memcpy(w, s->w, weights(s) * sizeof *w);
  for (uint32_t b = 0; b < s->in / TILE; b++)
    layer_tile(w + (b * TILE + 1) * PITCH + 1, s->input + b * TILE + 1, s->partial + b * HID);
  int rc = program_compare_f32(h, "w after launch 1", s->a_w, w, weights(s), err);
  free(w);
  return rc;
}

static bool next_of(state_t *s, const program_host_t *h, const char *kernel, simt_launch_t *l) {
  if (s->launches == 2) return false;
  if (s->launches++ == 0) {
    layer_launch(s, h, kernel, l);
    return true;
  }
  (void)check_layer(s, h, &s->layer);
  upload(h, s->a_w, s->w, weights(s));
  upload(h, s->a_delta, s->delta, PITCH);
  upload(h, s->a_oldw, s->oldw, weights(s));
  adjust_launch(s, h, l);
  return true;
}

static bool bp_next(void *state, const program_host_t *h, simt_launch_t *l) {
  return next_of(state, h, "bpnn_layerforward_CUDA", l);
}

static bool bp_u_next(void *state, const program_host_t *h, simt_launch_t *l) {
  return next_of(state, h, "bpnn_layerforward", l);
}

static double bp_progress(const void *state, const program_host_t *h) {
  (void)h;
  return ((const state_t *)state)->launches / 2.0;
}

/* The kernel's double-precision arithmetic; bias row 0 has no input. */
static void adjust(state_t *s) {
  const double eta = 0.3, momentum = 0.3;
  for (uint32_t r = 0; r <= s->in; r++)
    for (uint32_t c = 1; c < PITCH; c++) {
      float *w = &s->w[r * PITCH + c], *oldw = &s->oldw[r * PITCH + c];
      double d = (double)s->delta[c], m = (double)*oldw * momentum;
      double step = r ? fma(d * eta, (double)s->input[r], m) : fma(d, eta, m);
      *w = (float)(step + (double)*w);
      *oldw = (float)step;
    }
}

static int bp_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  state_t *s = state;
  if (s->launches < 2) return mrpb_fail(err, "bp: ended before its second launch");
  if (s->layer.text[0]) return mrpb_fail(err, "%s", s->layer.text);
  if (!s->checked) adjust(s);
  s->checked = true;
  if (program_compare_f32(h, "partial", s->a_partial, s->partial, s->in, err) < 0) return -1;
  if (program_compare_f32(h, "w", s->a_w, s->w, weights(s), err) < 0) return -1;
  return program_compare_f32(h, "oldw", s->a_oldw, s->oldw, weights(s), err);
}

static void bp_close(void *state) {
  state_t *s = state;
  free(s->input);
  free(s->w);
  free(s->delta);
  free(s->oldw);
  free(s->partial);
}

const program_t program_bp = {.name = "bp",
                              .suite = "rodinia",
                              .type = "",
                              .doc = "backprop, 65536 input nodes; --size: input nodes",
                              .ptx_a = "rodinia/bp.ptx",
                              .state_bytes = sizeof(state_t),
                              .open = bp_open,
                              .next = bp_next,
                              .progress = bp_progress,
                              .check = bp_check,
                              .close = bp_close,
                              .size_min = TILE,
                              .size_max = 524288};

const program_t program_bp_u = {.name = "bp-u",
                                .suite = "rodinia",
                                .type = "",
                                .doc = "backprop without shared memory; --size: input nodes",
                                .ptx_a = "rodinia/bp_u.ptx",
                                .state_bytes = sizeof(state_t),
                                .open = bp_open,
                                .next = bp_u_next,
                                .progress = bp_progress,
                                .check = bp_check,
                                .close = bp_close,
                                .size_min = TILE,
                                .size_max = 524288};
