// SPDX-License-Identifier: Apache-2.0
// Layer normalization: a warp a row; mean and variance by shuffles.
#include "cuda_min.cuh"

static __device__ float warp_sum(float v) {
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(FULL_MASK, v, d);
  return v;
}

__global__ void layernorm(const float *in, const float *gain, const float *bias, float *out, int rows, int columns, float epsilon) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  float sum = 0, squares = 0;
  for (int i = lane; i < columns; i += warpSize) sum += in[row * columns + i];
  float mean = warp_sum(sum) / columns;
  for (int i = lane; i < columns; i += warpSize) squares += (in[row * columns + i] - mean) * (in[row * columns + i] - mean);
  float scale = rsqrtf(warp_sum(squares) / columns + epsilon);
  for (int i = lane; i < columns; i += warpSize) out[row * columns + i] = (in[row * columns + i] - mean) * scale * gain[i] + bias[i];
}
