// SPDX-License-Identifier: Apache-2.0
// Rows of 128 bytes out of a large table: 8 threads a row, 16 bytes each, of which clang 14 makes two halves.
#include "modern.cuh"

__global__ void gather_rows(const float4 *__restrict__ table, const int *__restrict__ index, float4 *__restrict__ out, int rows) {
  int i = THREAD;
  if (i < 8 * rows) out[i] = table[index[i / 8] * 8 + i % 8];
}
