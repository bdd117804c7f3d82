/* Loop programs as a warp-instruction source. Branches are uniform over the warp; a partial last
 * warp of a block has its missing lanes off. Not modelled: divergence within a warp. */
#include "workload/program.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  workload_t base;
  unsigned n, at; /* launches, and how many have begun */
  program_kernel_t *kernels;
  program_op_t *ops;
} program_t;

struct warp_stream {
  const program_kernel_t *kernel;
  unsigned at; /* index of the next instruction; n_ops after the exit */
  uint32_t mask;
  uint64_t thread; /* of lane 0, counted through the grid */
  uint32_t iter[PROGRAM_LOOPS];
};

static const launch_t *program_next(workload_t *w) {
  program_t *p = (program_t *)w;
  return p->at < p->n ? &p->kernels[p->at++].launch : NULL;
}

static double program_progress(const workload_t *w) {
  const program_t *p = (const program_t *)w;
  return (double)p->at / p->n;
}

static warp_stream_t *program_open(workload_t *w, uint32_t block, uint32_t warp) {
  const program_t *p = (const program_t *)w;
  const program_kernel_t *k = &p->kernels[p->at - 1];
  warp_stream_t *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  uint32_t left = k->launch.threads - warp * WARP_LANES;
  s->kernel = k;
  s->thread = (uint64_t)block * k->launch.threads + (uint64_t)warp * WARP_LANES;
  s->mask = left >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
  return s;
}

static const warp_inst_t *program_peek(const warp_stream_t *s) {
  return s->at < s->kernel->n_ops ? &s->kernel->ops[s->at].inst : NULL;
}

static uint32_t program_mask(const warp_stream_t *s) {
  return s->mask;
}

static void program_addresses(const warp_stream_t *s, uint64_t addr[WARP_LANES]) {
  const program_address_t *a = &s->kernel->ops[s->at].address;
  uint64_t walk = s->iter[a->loop] * a->iter;
  if (a->wrap) walk %= a->wrap;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    uint64_t thread = a->threads ? (s->thread + lane) % a->threads : s->thread + lane;
    if (s->mask >> lane & 1) addr[lane] = a->base + thread * a->thread + walk;
  }
}

static void program_step(warp_stream_t *s) {
  const program_op_t *op = &s->kernel->ops[s->at];
  s->at++;
  if (op->inst.cls != WARP_BRANCH || op->target == PROGRAM_NO_TARGET) return;
  if (++s->iter[op->loop] < op->trips)
    s->at = (unsigned)op->target;
  else
    s->iter[op->loop] = 0;
}

static void program_close(warp_stream_t *s) {
  free(s);
}

static void program_destroy(workload_t *w) {
  program_t *p = (program_t *)w;
  free(p->kernels);
  free(p->ops);
  free(p);
}

static const workload_ops_t program_ops = {
    .next = program_next,
    .progress = program_progress,
    .open = program_open,
    .peek = program_peek,
    .mask = program_mask,
    .addresses = program_addresses,
    .step = program_step,
    .close = program_close,
    .destroy = program_destroy,
};

workload_t *program_create(const program_kernel_t *kernels, unsigned n) {
  unsigned total = 0;
  for (unsigned i = 0; i < n; i++) total += kernels[i].n_ops;
  program_t *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->base.ops = &program_ops;
  p->n = n;
  p->kernels = calloc(n, sizeof *p->kernels);
  p->ops = calloc(total, sizeof *p->ops);
  if (!p->kernels || !p->ops) {
    program_destroy(&p->base);
    return NULL;
  }
  program_op_t *at = p->ops;
  uint32_t pc = 0; /* kernels follow each other in one code space */
  for (unsigned i = 0; i < n; i++) {
    p->kernels[i] = kernels[i];
    p->kernels[i].ops = at;
    for (unsigned j = 0; j < kernels[i].n_ops; j++, at++, pc += WARP_PC_STEP) {
      *at = kernels[i].ops[j];
      at->inst.pc = pc;
      at->inst.dst_bank = at->inst.dst[0] & 63;
      for (unsigned s = 0; s < 4; s++) at->inst.src_bank[s] = at->inst.src[s] & 63;
    }
  }
  return &p->base;
}
