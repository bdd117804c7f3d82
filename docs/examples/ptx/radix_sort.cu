// SPDX-License-Identifier: Apache-2.0
// Radix sort, a bit a pass: each block orders its keys by the bit (a scan in shared memory), then the blocks' zeros and ones go to
// their places, stable.
#include "cuda_min.cuh"

enum { BLOCK = 256 };

__global__ void radix_count(const uint *keys, int *zeros, int bit, int n) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n && (keys[i] >> bit & 1) == 0) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) zeros[blockIdx.x] = count;
}

// One block: where each block's zeros and ones begin.
__global__ void radix_starts(const int *zeros, int *zero_at, int *one_at, int blocks, int n) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int b = 0; b < blocks; b++) {
    zero_at[b] = sum;
    sum += zeros[b];
  }
  for (int b = 0; b < blocks; b++) one_at[b] = sum + b * BLOCK - zero_at[b];
}

__global__ void radix_scatter(const uint *keys, uint *out, const int *zero_at, const int *one_at, int bit, int n) {
  __shared__ int before[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  int zero = i < n && (keys[i] >> bit & 1) == 0;
  before[t] = zero;
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    int v = t >= d ? before[t - d] : 0;
    __syncthreads();
    before[t] += v;
    __syncthreads();
  }
  int zeros = before[t] - zero; // in front of this key
  if (i < n) out[zero ? zero_at[blockIdx.x] + zeros : one_at[blockIdx.x] + t - zeros] = keys[i];
}
