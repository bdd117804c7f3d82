// SPDX-License-Identifier: Apache-2.0
// Weights of eight bits times a vector of floats, a scale for each row: a warp a row, 16 weights a lane at a time.
#include "modern.cuh"

static __device__ inline float four(uint w, float4 x) {
  return (float)(signed char)w * x.x + (float)(signed char)(w >> 8) * x.y + (float)(signed char)(w >> 16) * x.z + (float)(signed char)(w >> 24) * x.w;
}

__global__ void gemv_int8(const uint4 *__restrict__ weights, const float *__restrict__ scale, const float4 *__restrict__ x, float *__restrict__ y, int rows,
                          int sixteens) {
  int row = WARP, lane = LANE;
  if (row >= rows) return;
  float s = 0;
  for (int k = lane; k < sixteens; k += warpSize) {
    uint4 w = weights[(long)row * sixteens + k];
    s += four(w.x, x[4 * k]) + four(w.y, x[4 * k + 1]) + four(w.z, x[4 * k + 2]) + four(w.w, x[4 * k + 3]);
  }
  s = warp_sum(s);
  if (lane == 0) y[row] = scale[row] * s;
}
