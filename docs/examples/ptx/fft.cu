// SPDX-License-Identifier: Apache-2.0
// Fast Fourier transform of a power of two of complex numbers in shared memory: the order of reversed bits, then radix 2 in place.
#include "cuda_min.cuh"

struct float2 {
  float x, y;
};

extern __shared__ float2 data[];

__global__ void fft(const float2 *in, float2 *out, int log) {
  int n = 1 << log, t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) data[__builtin_bitreverse32(i) >> (32 - log)] = in[blockIdx.x * n + i];
  for (int half = 1; half < n; half *= 2) {
    __syncthreads();
    for (int i = t; i < n / 2; i += blockDim.x) {
      int k = i % half, at = i / half * 2 * half + k;
      float angle = -3.14159265f * k / half, c = __cosf(angle), s = __sinf(angle);
      float2 a = data[at], b = data[at + half], r = {b.x * c - b.y * s, b.x * s + b.y * c};
      data[at] = float2{a.x + r.x, a.y + r.y};
      data[at + half] = float2{a.x - r.x, a.y - r.y};
    }
  }
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x) out[blockIdx.x * n + i] = data[i];
}
