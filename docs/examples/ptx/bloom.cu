// SPDX-License-Identifier: Apache-2.0
// Bloom filter: three bits a key are set (atomic or); a key of which one is not set was never put in.
#include "cuda_min.cuh"

static __device__ uint place(uint key, uint which, uint bits) {
  uint h = key * 2654435761u + which * 0x9e3779b9u;
  h ^= h >> 15;
  h *= 0x85ebca6bu;
  return (h ^ h >> 13) % bits;
}

__global__ void bloom_insert(const uint *keys, uint *filter, uint bits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (uint k = 0; k < 3; k++) {
    uint b = place(keys[i], k, bits);
    atomicOr(&filter[b / 32], 1u << b % 32);
  }
}

__global__ void bloom_query(const uint *keys, const uint *filter, uint bits, uchar *maybe, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool all = true;
  for (uint k = 0; k < 3; k++) {
    uint b = place(keys[i], k, bits);
    all = all && (filter[b / 32] >> b % 32 & 1);
  }
  maybe[i] = all;
}
