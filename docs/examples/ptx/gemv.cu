// SPDX-License-Identifier: Apache-2.0
// y = A x: a warp a row, four columns a lane at a time (vector loads).
#include "cuda_min.cuh"

struct alignas(16) float4 {
  float x, y, z, w;
};

__global__ void gemv(const float4 *a, const float4 *x, float *y, int rows, int quads) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  float sum = 0;
  for (int k = lane; k < quads; k += warpSize) {
    float4 u = a[row * quads + k], v = x[k];
    sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
  }
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_down_sync(FULL_MASK, sum, d);
  if (lane == 0) y[row] = sum;
}
