// SPDX-License-Identifier: Apache-2.0
// Local alignment (Smith, Waterman): one diagonal of the table a launch; three scores, the best of all by an atomic maximum.
#include "cuda_min.cuh"

enum { MATCH = 3, MISMATCH = -3, GAP = -2 };

// h has (m + 1) * (n + 1) cells; its first row and column are 0.
__global__ void diagonal(const char *a, const char *b, int *h, int *best, int d, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = d - i, w = n + 1;
  if (i > m || j < 1 || j > n) return;
  int s = h[(i - 1) * w + j - 1] + (a[i - 1] == b[j - 1] ? MATCH : MISMATCH);
  s = max(max(s, 0), max(h[(i - 1) * w + j], h[i * w + j - 1]) + GAP);
  h[i * w + j] = s;
  atomicMax(best, s);
}
