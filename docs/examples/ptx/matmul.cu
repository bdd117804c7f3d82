// SPDX-License-Identifier: Apache-2.0
// C = A B, square tiles of both in shared memory.
#include "cuda_min.cuh"

enum { TILE = 16 };

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
    int ka = t * TILE + tx, kb = t * TILE + ty;
    as[ty][tx] = row < m && ka < k ? a[row * k + ka] : 0;
    bs[ty][tx] = kb < k && col < n ? b[kb * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}
