// SPDX-License-Identifier: Apache-2.0
// STREAM's triad: as many blocks as fit, each thread walks through the vectors.
#include "modern.cuh"

__global__ void triad(float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c, float s, int n) {
  for (int i = THREAD; i < n; i += THREADS) a[i] = b[i] + s * c[i];
}
