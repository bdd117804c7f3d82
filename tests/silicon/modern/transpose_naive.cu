// SPDX-License-Identifier: Apache-2.0
// Transpose without a tile: rows are read, columns are written.
#include "modern.cuh"

__global__ void transpose_naive(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
