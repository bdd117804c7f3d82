// SPDX-License-Identifier: Apache-2.0
// Sparse matrix (CSR) times vector: a thread a row, or a warp a row.
#include "cuda_min.cuh"

__global__ void spmv_scalar(int rows, const int *start, const int *column, const float *value, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void spmv_vector(int rows, const int *start, const int *column, const float *value, const float *x, float *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += warpSize) sum += value[k] * x[column[k]];
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_down_sync(FULL_MASK, sum, d);
  if (lane == 0) y[row] = sum;
}
