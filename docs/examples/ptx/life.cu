// SPDX-License-Identifier: Apache-2.0
// Conway's game of life on a torus, bytes.
#include "cuda_min.cuh"

__global__ void life(const uchar *in, uchar *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, n = 0;
  if (x >= width || y >= height) return;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0) n += in[(y + dy + height) % height * width + (x + dx + width) % width];
  out[y * width + x] = n == 3 || (n == 2 && in[y * width + x]);
}
