// SPDX-License-Identifier: Apache-2.0
// Rows to eight bits, each with the scale of its largest magnitude: a warp a row.
#include "modern.cuh"

static __device__ inline float larger(float m, float4 v) {
  return fmaxf(fmaxf(m, fmaxf(fabsf(v.x), fabsf(v.y))), fmaxf(fabsf(v.z), fabsf(v.w)));
}

static __device__ inline signed char rounded(float v) { return (signed char)__nvvm_f2i_rn(v); }

__global__ void quantise_rows(const float4 *__restrict__ in, char4 *__restrict__ out, float *__restrict__ scale, int rows, int quads) {
  int row = WARP, lane = LANE;
  if (row >= rows) return;
  float most = 0;
  for (int k = lane; k < quads; k += warpSize) most = larger(most, in[row * quads + k]);
  most = warp_max(most);
  float f = 127.0f / most;
  for (int k = lane; k < quads; k += warpSize) {
    float4 v = in[row * quads + k];
    out[row * quads + k] = char4{rounded(v.x * f), rounded(v.y * f), rounded(v.z * f), rounded(v.w * f)};
  }
  if (lane == 0) scale[row] = most / 127.0f;
}
