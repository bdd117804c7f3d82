/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for the host code of the Rodinia programs. */
#include "workload/programs/rodinia/rodinia.h"

#include <inttypes.h>

void rodinia_random_i32(int32_t *to, uint64_t n, uint64_t seed, int32_t low, int32_t high) {
  enum { CHUNK = 256 };
  float values[CHUNK];
  for (uint64_t i = 0; i < n; i += CHUNK) {
    uint64_t m = n - i < CHUNK ? n - i : CHUNK;
    program_random_f32(values, m, (seed << 32) + i / CHUNK);
    for (uint64_t k = 0; k < m; k++)
      to[i + k] = low + (int32_t)(values[k] * (float)(high - low + 1));
  }
}

int rodinia_size(uint32_t *size, const program_host_t *h, uint32_t paper, uint32_t multiple,
                 mrpb_err_t *err) {
  *size = h->options.size ? h->options.size : paper;
  if (*size % multiple == 0) return 0;
  return mrpb_fail(err, "--size %" PRIu32 ": legal: multiples of %" PRIu32, *size, multiple);
}

int rodinia_steps(uint32_t *steps, const program_host_t *h, uint32_t paper, uint32_t most,
                  mrpb_err_t *err) {
  *steps = h->options.steps ? h->options.steps : paper;
  if (*steps <= most) return 0;
  return mrpb_fail(err, "--steps %" PRIu32 ": legal at this size: 1 to %" PRIu32, *steps, most);
}

void rodinia_launch(const program_host_t *h, simt_launch_t *l, const rodinia_launch_t *shape,
                    const uint64_t *params, unsigned n_params) {
  program_launch(h, l, shape->kernel, shape->gx, shape->gy, shape->bx, shape->by, shape->regs);
  for (unsigned i = 0; i < n_params; i++) simt_param(l, i, params[i]);
}
