// SPDX-License-Identifier: Apache-2.0
// Inclusive sums along rows: a block a row, a chunk of four numbers a thread at a time, the sum so far carried on.
#include "modern.cuh"

static __device__ inline uint warp_scan(uint v) {
  for (int d = 1; d < warpSize; d *= 2) {
    uint before = (uint)__shfl_up_sync(FULL_MASK, (int)v, d);
    if (LANE >= d) v += before;
  }
  return v;
}

__global__ void scan_rows(const uint4 *__restrict__ in, uint4 *__restrict__ out, int quads) {
  __shared__ uint total[32];
  int warp = threadIdx.x / warpSize, warps = blockDim.x / warpSize;
  uint carried = 0;
  for (int k = threadIdx.x; k < quads; k += blockDim.x) {
    uint4 v = in[(long)blockIdx.x * quads + k];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    uint own = warp_scan(v.w);
    if (LANE == 31) total[warp] = own;
    __syncthreads();
    uint sums = warp_scan(LANE < warps ? total[LANE] : 0);
    uint before = carried + own - v.w;
    if (warp > 0) before += (uint)__shfl_sync(FULL_MASK, (int)sums, warp - 1);
    carried += (uint)__shfl_sync(FULL_MASK, (int)sums, warps - 1);
    out[(long)blockIdx.x * quads + k] = uint4{v.x + before, v.y + before, v.z + before, v.w + before};
    __syncthreads();
  }
}
