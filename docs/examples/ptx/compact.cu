// SPDX-License-Identifier: Apache-2.0
// Keeps the elements above a threshold, in their order: flags, their prefix sums, then each to its place.
#include "cuda_min.cuh"

__global__ void flag(const float *in, int *keep, float above, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) keep[i] = in[i] > above;
}

// One step of Hillis and Steele's inclusive scan.
__global__ void scan_step(const int *in, int *out, int distance, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i >= distance ? in[i] + in[i - distance] : in[i];
}

__global__ void scatter(const float *in, const int *keep, const int *place, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keep[i]) out[place[i] - 1] = in[i];
}
