// SPDX-License-Identifier: Apache-2.0
// Embedding bags: the rows of a table that a bag names are summed, four columns a thread; and the gradient's way back, by atomics.
#include "cuda_min.cuh"

struct alignas(16) float4 {
  float x, y, z, w;
};

__global__ void embedding_bag(const float4 *table, const int *index, const int *start, float4 *out, int columns) {
  int bag = blockIdx.x, c = threadIdx.x;
  float4 sum = {0, 0, 0, 0};
  for (int k = start[bag]; k < start[bag + 1]; k++) {
    float4 v = table[index[k] * columns + c];
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
  }
  out[bag * columns + c] = sum;
}

__global__ void embedding_gradient(const float *gradient, const int *index, const int *start, float *table, int columns) {
  int bag = blockIdx.x, c = threadIdx.x;
  for (int k = start[bag]; k < start[bag + 1]; k++) atomicAdd(&table[index[k] * columns + c], gradient[bag * columns + c]);
}
