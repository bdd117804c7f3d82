// SPDX-License-Identifier: Apache-2.0
// Pi by random points: a generator of its own a thread (xorshift), hits counted by votes in a warp, one atomic a warp.
#include "cuda_min.cuh"

__global__ void monte_carlo(uint seed, int points, ulonglong *hits) {
  uint x = (blockIdx.x * blockDim.x + threadIdx.x + 1) * 2654435761u ^ seed;
  int count = 0;
  for (int i = 0; i < points; i++) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    float a = (x >> 8) * 5.9604645e-8f;
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    float b = (x >> 8) * 5.9604645e-8f;
    uint inside = __ballot_sync(FULL_MASK, a * a + b * b <= 1);
    count += __popc(inside);
  }
  if (threadIdx.x % warpSize == 0) atomicAdd(hits, (ulonglong)count);
}
