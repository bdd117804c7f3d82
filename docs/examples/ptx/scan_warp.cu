// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix sums of a block by shuffles: Kogge and Stone's scan in each warp, then over the warps.
#include "cuda_min.cuh"

static __device__ float warp_scan(float v, int lane) {
  for (int d = 1; d < warpSize; d *= 2) {
    float below = __shfl_up_sync(FULL_MASK, v, d);
    if (lane >= d) v += below;
  }
  return v;
}

__global__ void scan_warp(const float *in, float *out, int n) {
  __shared__ float sums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  float v = warp_scan(i < n ? in[i] : 0, lane);
  if (lane == warpSize - 1) sums[warp] = v;
  __syncthreads();
  if (warp == 0) sums[lane] = warp_scan(lane < blockDim.x / warpSize ? sums[lane] : 0, lane);
  __syncthreads();
  if (warp > 0) v += sums[warp - 1];
  if (i < n) out[i] = v;
}
