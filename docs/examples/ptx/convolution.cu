// SPDX-License-Identifier: Apache-2.0
// Convolution of an image with a mask in constant memory; tiles with their halo in shared memory.
#include "cuda_min.cuh"

enum { RADIUS = 2, SIDE = 2 * RADIUS + 1, TILE = 16, ALL = TILE + 2 * RADIUS };

__constant__ float mask[SIDE * SIDE];

__global__ void convolution(const float *in, float *out, int width, int height) {
  __shared__ float tile[ALL][ALL];
  int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;
  for (int y = threadIdx.y; y < ALL; y += TILE)
    for (int x = threadIdx.x; x < ALL; x += TILE) {
      int gx = x0 + x - RADIUS, gy = y0 + y - RADIUS;
      tile[y][x] = gx >= 0 && gx < width && gy >= 0 && gy < height ? in[gy * width + gx] : 0;
    }
  __syncthreads();
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) sum += mask[j * SIDE + i] * tile[threadIdx.y + j][threadIdx.x + i];
  out[y * width + x] = sum;
}
