// SPDX-License-Identifier: Apache-2.0
// Histogram of bytes: every thread counts in global memory, or in shared memory first.
#include "cuda_min.cuh"

__global__ void histogram_global(const uchar *in, uint *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
}

__global__ void histogram_shared(const uchar *in, uint *bins, int n) {
  __shared__ uint own[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (own[b] > 0) atomicAdd(&bins[b], own[b]);
}
