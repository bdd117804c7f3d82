// SPDX-License-Identifier: Apache-2.0
// Merge sort: sorted runs are doubled by each launch; every element finds its place by a binary search in the other run.
#include "cuda_min.cuh"

// Elements of run[0 .. n - 1] before which `v` belongs; `after`: behind equal ones.
static __device__ int rank_in(const float *run, int n, float v, bool after) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (run[middle] < v || (after && run[middle] == v))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void merge_runs(const float *in, float *out, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int pair = i / (2 * width) * 2 * width, middle = min(pair + width, n), end = min(pair + 2 * width, n);
  bool left = i < middle;
  int other = left ? rank_in(in + middle, end - middle, in[i], false) : rank_in(in + pair, middle - pair, in[i], true);
  out[left ? i + other : i - middle + pair + other] = in[i];
}
