// SPDX-License-Identifier: Apache-2.0
// A sum: 16 words a thread, shuffles in a warp, one atomic a warp, all on one word.
#include "modern.cuh"

enum { EACH = 4 };

__global__ void reduce_atomic(const uint4 *__restrict__ in, uint *__restrict__ sum) {
  uint s = 0;
#pragma unroll
  for (int e = 0; e < EACH; e++) {
    uint4 v = in[(blockIdx.x * EACH + e) * blockDim.x + threadIdx.x];
    s += v.x + v.y + v.z + v.w;
  }
  s = (uint)warp_sum((int)s);
  if (LANE == 0) atomicAdd(sum, s);
}
