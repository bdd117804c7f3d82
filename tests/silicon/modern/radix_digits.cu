// SPDX-License-Identifier: Apache-2.0
// First step of a radix sort of eight bits: how often each block has each digit, by atomics in shared memory; digit by digit in memory.
#include "modern.cuh"

enum { EACH = 8, DIGITS = 256 };

__global__ void radix_digits(const uint4 *__restrict__ keys, uint *__restrict__ number, int shift) {
  __shared__ uint own[DIGITS];
  own[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int e = 0; e < EACH; e++) {
    uint4 v = keys[(blockIdx.x * EACH + e) * DIGITS + threadIdx.x];
    atomicAdd(&own[v.x >> shift & 255], 1u);
    atomicAdd(&own[v.y >> shift & 255], 1u);
    atomicAdd(&own[v.z >> shift & 255], 1u);
    atomicAdd(&own[v.w >> shift & 255], 1u);
  }
  __syncthreads();
  number[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}
