// SPDX-License-Identifier: Apache-2.0
// Softmax of the rows of a matrix: a block a row; maximum, sum, quotient.
#include "cuda_min.cuh"

extern __shared__ float s[];

__global__ void softmax(const float *in, float *out, int columns) {
  const float *row = in + blockIdx.x * columns;
  int t = threadIdx.x;
  float most = -1e30f, sum = 0;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
  s[t] = most;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  most = s[0];
  __syncthreads();
  for (int i = t; i < columns; i += blockDim.x) sum += __expf(row[i] - most);
  s[t] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  sum = s[0];
  for (int i = t; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = __expf(row[i] - most) / sum;
}
