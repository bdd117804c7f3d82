// SPDX-License-Identifier: Apache-2.0
// The k-th largest of each row by radix selection: four passes over the row, each a histogram of eight bits in shared memory. A block
// a row. Also how many are larger. Volatile, because clang 14 moves a load of a shared variable over a barrier if nothing takes the
// variable's address.
#include "modern.cuh"

__global__ void topk_radix(const uint *__restrict__ in, uint *__restrict__ kth, int *__restrict__ larger, int columns, int k) {
  __shared__ int bin[256];
  volatile __shared__ uint prefix;
  volatile __shared__ int left;
  const uint *row = in + (long)blockIdx.x * columns;
  if (threadIdx.x == 0) {
    prefix = 0;
    left = k;
  }
  for (int shift = 24; shift >= 0; shift -= 8) {
    bin[threadIdx.x] = 0;
    __syncthreads();
    uint above = prefix;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
      uint v = row[c];
      if (shift == 24 || v >> (shift + 8) == above) atomicAdd(&bin[v >> shift & 255], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int digit = 255, rest = left;
      for (; bin[digit] < rest; digit--) rest -= bin[digit];
      prefix = above << 8 | digit;
      left = rest;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    kth[blockIdx.x] = prefix;
    larger[blockIdx.x] = k - left;
  }
}
