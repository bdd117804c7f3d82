// SPDX-License-Identifier: Apache-2.0
// All pairs of bodies: tiles of positions in shared memory, softened gravity, a step of leapfrog.
#include "cuda_min.cuh"

struct alignas(16) float4 {
  float x, y, z, w; // w: mass
};

enum { TILE = 64 };

__global__ void nbody(const float4 *now, float4 *next, float4 *speed, float dt, float soft, int n) {
  __shared__ float4 tile[TILE];
  int i = blockIdx.x * TILE + threadIdx.x;
  float4 me = i < n ? now[i] : float4{0, 0, 0, 0};
  float ax = 0, ay = 0, az = 0;
  for (int t = 0; t < n; t += TILE) {
    tile[threadIdx.x] = t + threadIdx.x < n ? now[t + threadIdx.x] : float4{0, 0, 0, 0};
    __syncthreads();
    for (int j = 0; j < TILE; j++) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + soft), f = tile[j].w * inverse * inverse * inverse;
      ax += dx * f;
      ay += dy * f;
      az += dz * f;
    }
    __syncthreads();
  }
  if (i >= n) return;
  float4 v = speed[i];
  v.x += ax * dt;
  v.y += ay * dt;
  v.z += az * dt;
  speed[i] = v;
  next[i] = float4{me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w};
}
