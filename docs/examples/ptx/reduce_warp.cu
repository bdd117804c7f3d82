// SPDX-License-Identifier: Apache-2.0
// Sum and maximum of a vector: shuffles within a warp, shared memory between warps, one atomic a block.
#include "cuda_min.cuh"

static __device__ float warp_sum(float v) {
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(FULL_MASK, v, d);
  return v;
}

static __device__ int warp_max(int v) {
  for (int d = warpSize / 2; d > 0; d /= 2) v = max(v, __shfl_xor_sync(FULL_MASK, v, d));
  return v;
}

__global__ void reduce_warp(const float *in, float *sum, int *most, int n) {
  __shared__ float sums[32];
  __shared__ int mosts[32];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  float s = 0;
  int m = -2147483647 - 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    s += in[i];
    m = max(m, (int)in[i]);
  }
  s = warp_sum(s);
  m = warp_max(m);
  if (lane == 0) {
    sums[warp] = s;
    mosts[warp] = m;
  }
  __syncthreads();
  if (warp == 0) {
    int warps = blockDim.x / warpSize;
    s = warp_sum(lane < warps ? sums[lane] : 0);
    m = warp_max(lane < warps ? mosts[lane] : m);
    if (lane == 0) {
      atomicAdd(sum, s);
      atomicMax(most, m);
    }
  }
}
