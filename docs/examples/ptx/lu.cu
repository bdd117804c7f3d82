// SPDX-License-Identifier: Apache-2.0
// LU decomposition without pivoting: for each column its quotients, then the rest of the matrix; and Cholesky's by one block in
// shared memory.
#include "cuda_min.cuh"

__global__ void lu_column(float *a, int n, int k) {
  int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) a[row * n + k] /= a[k * n + k];
}

__global__ void lu_rest(float *a, int n, int k) {
  int col = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n) a[row * n + col] -= a[row * n + k] * a[k * n + col];
}

enum { MOST = 48 };

__global__ void cholesky(float *a, int n) {
  __shared__ float s[MOST][MOST + 1];
  int t = threadIdx.x;
  for (int i = t; i < n * n; i += blockDim.x) s[i / n][i % n] = a[i];
  for (int k = 0; k < n; k++) {
    __syncthreads();
    if (t == 0) s[k][k] = sqrtf(s[k][k]);
    __syncthreads();
    if (t > k && t < n) s[t][k] /= s[k][k];
    __syncthreads();
    if (t > k && t < n)
      for (int j = k + 1; j <= t; j++) s[t][j] -= s[t][k] * s[j][k];
  }
  __syncthreads();
  for (int i = t; i < n * n; i += blockDim.x) a[i] = i % n <= i / n ? s[i / n][i % n] : 0;
}
