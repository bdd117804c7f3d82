// SPDX-License-Identifier: Apache-2.0
// Queens on a board of n x n, n to 16: each thread counts the solutions that begin with its two first columns. Where its queens stand is an
// array with computed places, which no register can be (local memory).
#include "cuda_min.cuh"

__global__ void queens(int n, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, column[16], row = 1, solutions = 0;
  if (i >= n * n) return;
  column[0] = i / n;
  column[1] = i % n - 1;
  while (row > 0) {
    int c = column[row] + 1, end = row == 1 ? i % n + 1 : n;
    for (; c < end; c++) {
      bool free = true;
      for (int r = 0; r < row; r++) {
        int away = column[r] - c;
        free &= away != 0 && away != row - r && away != r - row;
      }
      if (free) break;
    }
    column[row] = c;
    if (c >= end)
      row--;
    else if (row == n - 1)
      solutions++;
    else
      column[++row] = -1;
  }
  atomicAdd(&count[i / n], solutions);
}
