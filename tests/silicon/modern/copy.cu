// SPDX-License-Identifier: Apache-2.0
// STREAM's copy, 16 bytes a thread, of which clang 14 makes two halves.
#include "modern.cuh"

__global__ void copy(const float4 *__restrict__ in, float4 *__restrict__ out, int quads) {
  int i = THREAD;
  if (i < quads) out[i] = in[i];
}
