// SPDX-License-Identifier: Apache-2.0
// Weighted embedding bags of BAG rows of 512 bytes: a warp a bag, 16 bytes a lane.
#include "modern.cuh"

enum { BAG = 16 };

__global__ void embedding_weighted(const float4 *__restrict__ table, const int *__restrict__ index, const float *__restrict__ weight,
                                   float4 *__restrict__ out, int bags) {
  int bag = WARP, lane = LANE;
  if (bag >= bags) return;
  float4 sum = float4{0, 0, 0, 0};
#pragma unroll 4
  for (int k = 0; k < BAG; k++) {
    float4 row = table[index[bag * BAG + k] * 32 + lane];
    float w = weight[bag * BAG + k];
    sum = float4{sum.x + w * row.x, sum.y + w * row.y, sum.z + w * row.z, sum.w + w * row.w};
  }
  out[bag * 32 + lane] = sum;
}
