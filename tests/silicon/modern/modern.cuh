// SPDX-License-Identifier: Apache-2.0
// What several of these kernels need beside docs/examples/ptx/cuda_min.cuh.
#ifndef MODERN_CUH
#define MODERN_CUH

#include "../../../docs/examples/ptx/cuda_min.cuh"

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * blockDim.x)
#define WARP (THREAD / warpSize)
#define LANE (threadIdx.x % warpSize)

struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) uint4 {
  uint x, y, z, w;
};
struct alignas(8) half4 {
  half x, y, z, w;
};
struct alignas(4) half2 {
  half x, y;
};
struct alignas(4) char4 {
  signed char x, y, z, w;
};

template <typename T>
static __device__ inline T warp_sum(T v) {
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(FULL_MASK, v, d);
  return v;
}

static __device__ inline float warp_max(float v) {
  for (int d = warpSize / 2; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(FULL_MASK, v, d));
  return v;
}

// The sum of a block of at most 1024 threads; all get it, and all must call.
static __device__ inline float block_sum(float v) {
  __shared__ float part[32];
  v = warp_sum(v);
  if (LANE == 0) part[threadIdx.x / warpSize] = v;
  __syncthreads();
  return warp_sum(LANE < blockDim.x / warpSize ? part[LANE] : 0.0f);
}

#endif
