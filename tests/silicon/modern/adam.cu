// SPDX-License-Identifier: Apache-2.0
// A step of the optimiser Adam: four vectors read, three of them written.
#include "modern.cuh"

__global__ void adam(float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ square, const float *__restrict__ gradient, float rate,
                     float keep_mean, float keep_square, int n) {
  int i = THREAD;
  if (i >= n) return;
  float g = gradient[i];
  float m = keep_mean * mean[i] + (1 - keep_mean) * g;
  float v = keep_square * square[i] + (1 - keep_square) * g * g;
  mean[i] = m;
  square[i] = v;
  weight[i] -= rate * m * rsqrtf(v + 1e-8f);
}
