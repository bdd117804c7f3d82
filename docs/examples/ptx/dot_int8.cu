// SPDX-License-Identifier: Apache-2.0
// Quantised matrix times vector: four bytes a time (dp4a), a scale for each row and one for the vector.
#include "cuda_min.cuh"

static __device__ int dp4a(int a, int b, int c) {
  int d;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__global__ void dot_int8(const int *a, const int *x, const float *scale, float scale_x, float *y, int rows, int words) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize, sum = 0;
  if (row >= rows) return;
  for (int k = lane; k < words; k += warpSize) sum = dp4a(a[row * words + k], x[k], sum);
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_down_sync(FULL_MASK, sum, d);
  if (lane == 0) y[row] = sum * scale[row] * scale_x;
}
