// SPDX-License-Identifier: Apache-2.0
// Words to places all over memory.
#include "modern.cuh"

__global__ void scatter_words(const uint *__restrict__ in, const int *__restrict__ place, uint *__restrict__ out, int n) {
  int i = THREAD;
  if (i < n) out[place[i]] = in[i];
}
