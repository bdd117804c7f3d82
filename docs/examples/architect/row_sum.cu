// SPDX-License-Identifier: Apache-2.0
// The sum of each row of a matrix of n columns: one thread for each row.
extern "C" __global__ void row_sum(const float *a, float *sum, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) s += a[row * n + k];
  sum[row] = s;
}
