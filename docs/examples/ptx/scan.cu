// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums: Blelloch's up and down sweep in a block, the blocks' sums scanned in turn and added.
#include "cuda_min.cuh"

extern __shared__ int tree[];

__global__ void scan_block(const int *in, int *out, int *sums, int n) {
  int t = threadIdx.x, base = 2 * blockDim.x * blockIdx.x, offset = 1, last = 2 * blockDim.x - 1;
  tree[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
  tree[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
  for (int d = blockDim.x; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) {
    sums[blockIdx.x] = tree[last];
    tree[last] = 0;
  }
  for (int d = 1; d <= blockDim.x; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      int left = tree[offset * (2 * t + 1) - 1];
      tree[offset * (2 * t + 1) - 1] = tree[offset * (2 * t + 2) - 1];
      tree[offset * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  if (base + 2 * t < n) out[base + 2 * t] = tree[2 * t];
  if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = tree[2 * t + 1];
}

__global__ void scan_add(int *out, const int *sums, int n) {
  int i = 2 * blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
  if (i + blockDim.x < n) out[i + blockDim.x] += sums[blockIdx.x];
}
