// SPDX-License-Identifier: Apache-2.0
// A scalar product: as many blocks as fit, each leaves one sum.
#include "modern.cuh"

__global__ void dot(const float4 *__restrict__ a, const float4 *__restrict__ b, float *__restrict__ part, int quads) {
  float s = 0;
  for (int i = THREAD; i < quads; i += THREADS) {
    float4 u = a[i], v = b[i];
    s += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
  }
  s = block_sum(s);
  if (threadIdx.x == 0) part[blockIdx.x] = s;
}
