// SPDX-License-Identifier: Apache-2.0
// Power of a matrix of integers modulo a prime by repeated squaring: a product a launch.
#include "cuda_min.cuh"

__global__ void multiply(const uint *a, const uint *b, uint *c, int n, uint prime) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  ulonglong sum = 0;
  for (int k = 0; k < n; k++) sum = (sum + (ulonglong)a[row * n + k] * b[k * n + col]) % prime;
  c[row * n + col] = (uint)sum;
}
