// SPDX-License-Identifier: Apache-2.0
// Bitonic sort, one merge: a pass over a distance larger than a block, and the passes of a tile in shared memory.
#include "modern.cuh"

enum { TILE = 1024 };

__global__ void bitonic_far(uint *data, uint distance) {
  uint i = THREAD, low = (i & ~(distance - 1)) * 2 + (i & (distance - 1));
  uint a = data[low], b = data[low + distance];
  if (a > b) {
    data[low] = b;
    data[low + distance] = a;
  }
}

__global__ void bitonic_tile(uint *data) {
  __shared__ uint tile[TILE];
  uint base = blockIdx.x * TILE, t = threadIdx.x;
  tile[t] = data[base + t];
  tile[t + TILE / 2] = data[base + t + TILE / 2];
  for (uint d = TILE / 2; d > 0; d /= 2) {
    __syncthreads();
    uint low = (t & ~(d - 1)) * 2 + (t & (d - 1)), a = tile[low], b = tile[low + d];
    tile[low] = a < b ? a : b;
    tile[low + d] = a < b ? b : a;
  }
  __syncthreads();
  data[base + t] = tile[t];
  data[base + t + TILE / 2] = tile[t + TILE / 2];
}
