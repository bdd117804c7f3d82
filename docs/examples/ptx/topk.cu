// SPDX-License-Identifier: Apache-2.0
// The K largest of each row: a warp a row takes the largest that is left, K times (shuffles find it, the lane that has it gives it up).
#include "cuda_min.cuh"

enum { MOST = 8 }; // elements of a lane

__global__ void topk(const float *in, float *value, int *index, int columns, int k) {
  const float *row = in + blockIdx.x * columns;
  float own[MOST];
  int lane = threadIdx.x;
#pragma unroll
  for (int j = 0; j < MOST; j++) own[j] = lane + 32 * j < columns ? row[lane + 32 * j] : -1e30f;
  for (int r = 0; r < k; r++) {
    float best = -1e30f;
    int at = 0x7fffffff;
#pragma unroll
    for (int j = 0; j < MOST; j++)
      if (own[j] > best) {
        best = own[j];
        at = lane + 32 * j;
      }
    for (int d = warpSize / 2; d > 0; d /= 2) {
      float other = __shfl_xor_sync(FULL_MASK, best, d);
      int from = __shfl_xor_sync(FULL_MASK, at, d);
      if (other > best || (other == best && from < at)) {
        best = other;
        at = from;
      }
    }
#pragma unroll
    for (int j = 0; j < MOST; j++)
      if (at == lane + 32 * j) own[j] = -1e30f;
    if (lane == 0) {
      value[blockIdx.x * k + r] = best;
      index[blockIdx.x * k + r] = at;
    }
  }
}
