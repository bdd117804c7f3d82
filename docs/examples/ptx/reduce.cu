// SPDX-License-Identifier: Apache-2.0
// Sum of a vector: a tree in shared memory gives one sum a block; launched twice, it gives the sum of all.
#include "cuda_min.cuh"

extern __shared__ float partial[];

__global__ void reduce(const float *in, float *out, int n) {
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  float sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  partial[t] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) partial[t] += partial[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}
