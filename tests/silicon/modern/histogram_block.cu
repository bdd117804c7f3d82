// SPDX-License-Identifier: Apache-2.0
// A histogram of 4096 bins: each block has its own in shared memory and adds it to the others' at the end.
#include "modern.cuh"

enum { BINS = 4096 };

__global__ void histogram_block(const uint4 *__restrict__ in, uint *__restrict__ all, int quads) {
  __shared__ uint own[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = THREAD; i < quads; i += THREADS) {
    uint4 v = in[i];
    atomicAdd(&own[v.x % BINS], 1u);
    atomicAdd(&own[v.y % BINS], 1u);
    atomicAdd(&own[v.z % BINS], 1u);
    atomicAdd(&own[v.w % BINS], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    if (own[b]) atomicAdd(&all[b], own[b]);
}
