// SPDX-License-Identifier: Apache-2.0
// Every place where a word stands in a text: a thread a place, the word in shared memory; found places are listed by an atomic.
#include "cuda_min.cuh"

__global__ void string_match(const char *text, int n, const char *word, int length, uchar *found, int *places, int *count) {
  __shared__ char own[64];
  if (threadIdx.x < length) own[threadIdx.x] = word[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i > n - length) return;
  while (k < length && text[i + k] == own[k]) k++;
  found[i] = k == length;
  if (k == length) places[atomicAdd(count, 1)] = i;
}
