// SPDX-License-Identifier: Apache-2.0
// The residual is added, the sum is kept and normalised by its root mean square: a block a row of 4 x 4 numbers a thread.
#include "modern.cuh"

enum { EACH = 4 };

__global__ void rmsnorm_residual(const float4 *__restrict__ in, float4 *__restrict__ residual, const float4 *__restrict__ gain, float4 *__restrict__ out) {
  int quads = blockDim.x * EACH;
  float4 h[EACH];
  float square = 0;
#pragma unroll
  for (int e = 0; e < EACH; e++) {
    int at = blockIdx.x * quads + e * blockDim.x + threadIdx.x;
    float4 a = in[at], b = residual[at];
    h[e] = float4{a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    residual[at] = h[e];
    square += h[e].x * h[e].x + h[e].y * h[e].y + h[e].z * h[e].z + h[e].w * h[e].w;
  }
  float f = rsqrtf(block_sum(square) / (4 * quads) + 1e-6f);
#pragma unroll
  for (int e = 0; e < EACH; e++) {
    float4 g = gain[e * blockDim.x + threadIdx.x];
    out[blockIdx.x * quads + e * blockDim.x + threadIdx.x] = float4{h[e].x * f * g.x, h[e].y * f * g.y, h[e].z * f * g.z, h[e].w * f * g.w};
  }
}
