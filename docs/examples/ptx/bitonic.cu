// SPDX-License-Identifier: Apache-2.0
// Bitonic sort: one launch for each step of the network, of a power of two of elements.
#include "cuda_min.cuh"

__global__ void bitonic_step(int *a, int distance, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ distance;
  if (partner <= i) return;
  bool up = (i & size) == 0;
  if ((a[i] > a[partner]) == up) {
    int t = a[i];
    a[i] = a[partner];
    a[partner] = t;
  }
}
