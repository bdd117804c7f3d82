// SPDX-License-Identifier: Apache-2.0
// Join of two tables on a key: the small one is put into a hash table with open addressing (compare and swap), the large one looks up.
#include "cuda_min.cuh"

static __device__ uint hash(uint key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  key ^= key >> 13;
  key *= 0xc2b2ae35u;
  return key ^ key >> 16;
}

// Slots are a power of two; a key of 0 is an empty slot.
__global__ void hash_build(const uint *keys, const int *values, uint *slot_key, int *slot_value, uint slots, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint at = hash(keys[i]) & (slots - 1);
  while (atomicCAS(&slot_key[at], 0u, keys[i]) != 0) at = (at + 1) & (slots - 1);
  slot_value[at] = values[i];
}

__global__ void hash_probe(const uint *keys, const uint *slot_key, const int *slot_value, uint slots, int *out, int *matches, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint at = hash(keys[i]) & (slots - 1);
  int found = -1;
  while (slot_key[at] != 0 && found < 0) {
    if (slot_key[at] == keys[i]) found = slot_value[at];
    at = (at + 1) & (slots - 1);
  }
  out[i] = found;
  if (found >= 0) atomicAdd(matches, 1);
}
