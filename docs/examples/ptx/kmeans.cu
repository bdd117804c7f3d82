// SPDX-License-Identifier: Apache-2.0
// k-means in the plane: each point to its nearest centre, sums and numbers by atomics in shared memory, then new centres.
#include "cuda_min.cuh"

enum { MOST = 16 };

__global__ void assign(const float *x, const float *y, const float *cx, const float *cy, int *cluster, float *sx, float *sy, int *count, int n, int k) {
  __shared__ float ox[MOST], oy[MOST];
  __shared__ int oc[MOST];
  if (threadIdx.x < k) {
    ox[threadIdx.x] = oy[threadIdx.x] = 0;
    oc[threadIdx.x] = 0;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
  if (i < n) {
    float least = 1e30f;
    for (int c = 0; c < k; c++) {
      float dx = x[i] - cx[c], dy = y[i] - cy[c], d = dx * dx + dy * dy;
      if (d < least) {
        least = d;
        best = c;
      }
    }
    cluster[i] = best;
    atomicAdd(&ox[best], x[i]);
    atomicAdd(&oy[best], y[i]);
    atomicAdd(&oc[best], 1);
  }
  __syncthreads();
  if (threadIdx.x < k && oc[threadIdx.x] > 0) {
    atomicAdd(&sx[threadIdx.x], ox[threadIdx.x]);
    atomicAdd(&sy[threadIdx.x], oy[threadIdx.x]);
    atomicAdd(&count[threadIdx.x], oc[threadIdx.x]);
  }
}

__global__ void centres(float *cx, float *cy, const float *sx, const float *sy, const int *count, int k) {
  int c = threadIdx.x;
  if (c < k && count[c] > 0) {
    cx[c] = sx[c] / count[c];
    cy[c] = sy[c] / count[c];
  }
}
