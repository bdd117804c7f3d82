// SPDX-License-Identifier: Apache-2.0
// C = A B in half precision, sums in single; and with sums in half precision by fused multiply-adds.
#include "cuda_min.cuh"

enum { TILE = 16 };

__global__ void matmul_half(const half *a, const half *b, half *c, int n) {
  __shared__ half as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    as[ty][tx] = a[row * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += (float)as[ty][i] * (float)bs[i][tx];
    __syncthreads();
  }
  c[row * n + col] = (half)sum;
}

__global__ void matmul_half_sums(const half *a, const half *b, half *c, int n) {
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  half sum = 0;
  for (int i = 0; i < n; i++) sum = a[row * n + i] * b[i * n + col] + sum;
  c[row * n + col] = sum;
}
