// SPDX-License-Identifier: Apache-2.0
// Mixture of experts at decoding: each token times the weights of its two experts, which a gate has chosen; a warp an output.
#include "modern.cuh"

enum { CHOSEN = 2 };

// grid: rows / warps of a block, tokens
__global__ void moe_rows(const half4 *__restrict__ weights, const float4 *__restrict__ in, const int *__restrict__ expert, const float *__restrict__ gate,
                         float *__restrict__ out, int rows, int quads) {
  int row = WARP, lane = LANE, token = blockIdx.y;
  if (row >= rows) return;
  float sum = 0;
  for (int e = 0; e < CHOSEN; e++) {
    const half4 *w = weights + ((long)expert[token * CHOSEN + e] * rows + row) * quads;
    float s = 0;
    for (int k = lane; k < quads; k += warpSize) {
      half4 a = w[k];
      float4 x = in[token * quads + k];
      s += (float)a.x * x.x + (float)a.y * x.y + (float)a.z * x.z + (float)a.w * x.w;
    }
    sum += gate[token * CHOSEN + e] * s;
  }
  sum = warp_sum(sum);
  if (lane == 0) out[token * rows + row] = sum;
}
