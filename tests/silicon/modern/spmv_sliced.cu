// SPDX-License-Identifier: Apache-2.0
// Sparse matrix (SELL-32) times vector: 32 rows are a slice, as wide as its longest row and stored column by column; a thread a row.
#include "modern.cuh"

__global__ void spmv_sliced(int rows, const int *__restrict__ start, const int *__restrict__ column, const float *__restrict__ value,
                            const float *__restrict__ x, float *__restrict__ y) {
  int row = THREAD;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row / 32] + LANE; k < start[row / 32 + 1]; k += 32) sum += value[k] * x[column[k]];
  y[row] = sum;
}
