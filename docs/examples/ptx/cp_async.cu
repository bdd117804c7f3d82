// SPDX-License-Identifier: Apache-2.0
// C = A B with two buffers in shared memory: while one tile is multiplied the next one is on its way (cp.async).
#include "cuda_min.cuh"

enum { TILE = 16 };

static __device__ void copy16(float *to, const float *from) {
  uint at = (uint)(unsigned long)(__attribute__((address_space(3))) float *)to;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
}

__global__ void cp_async(const float *a, const float *b, float *c, int n) {
  alignas(16) __shared__ float as[2][TILE][TILE], bs[2][TILE][TILE];
  int t = threadIdx.y * TILE + threadIdx.x, row = t / 4 % TILE, col = t % 4 * 4;
  int y = blockIdx.y * TILE, x = blockIdx.x * TILE, tiles = n / TILE;
  float sum = 0;
  if (t < 64) copy16(&as[0][row][col], &a[(y + row) * n + col]);
  if (t >= 64 && t < 128) copy16(&bs[0][row][col], &b[row * n + x + col]);
  asm volatile("cp.async.commit_group;" ::: "memory");
  for (int k = 0; k < tiles; k++) {
    int now = k % 2, next = 1 - now;
    if (k + 1 < tiles) {
      if (t < 64) copy16(&as[next][row][col], &a[(y + row) * n + (k + 1) * TILE + col]);
      if (t >= 64 && t < 128) copy16(&bs[next][row][col], &b[((k + 1) * TILE + row) * n + x + col]);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += as[now][threadIdx.y][i] * bs[now][i][threadIdx.x];
    __syncthreads();
  }
  c[(y + threadIdx.y) * n + x + threadIdx.x] = sum;
}
