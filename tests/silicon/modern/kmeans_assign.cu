// SPDX-License-Identifier: Apache-2.0
// The nearest of 16 centres for points of 16 coordinates, which lie coordinate by coordinate; the centres are in shared memory.
#include "modern.cuh"

enum { AXES = 16, CENTRES = 16 };

__global__ void kmeans_assign(const float *__restrict__ point, const float *__restrict__ centre, int *__restrict__ nearest, int n) {
  __shared__ float c[CENTRES * AXES];
  for (int k = threadIdx.x; k < CENTRES * AXES; k += blockDim.x) c[k] = centre[k];
  __syncthreads();
  int i = THREAD;
  if (i >= n) return;
  float p[AXES], least = 1e30f;
#pragma unroll
  for (int a = 0; a < AXES; a++) p[a] = point[a * n + i];
  int best = 0;
  for (int k = 0; k < CENTRES; k++) {
    float d = 0;
#pragma unroll
    for (int a = 0; a < AXES; a++) d += (p[a] - c[k * AXES + a]) * (p[a] - c[k * AXES + a]);
    if (d < least) {
      least = d;
      best = k;
    }
  }
  nearest[i] = best;
}
