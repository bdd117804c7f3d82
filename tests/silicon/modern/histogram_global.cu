// SPDX-License-Identifier: Apache-2.0
// A histogram with too many bins for shared memory: atomics at the L2.
#include "modern.cuh"

__global__ void histogram_global(const uint *__restrict__ in, uint *__restrict__ bin, uint bins, int n) {
  int i = THREAD;
  if (i < n) atomicAdd(&bin[in[i] & (bins - 1)], 1u);
}
