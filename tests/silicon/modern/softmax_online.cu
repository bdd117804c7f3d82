// SPDX-License-Identifier: Apache-2.0
// Softmax of rows: a warp a row; largest number and sum in one pass, the quotients in a second.
#include "modern.cuh"

__global__ void softmax_online(const float *__restrict__ in, float *__restrict__ out, int rows, int columns) {
  int row = WARP, lane = LANE;
  if (row >= rows) return;
  float most = -1e30f, sum = 0;
  for (int c = lane; c < columns; c += warpSize) {
    float v = in[row * columns + c], next = fmaxf(most, v);
    sum = sum * __expf(most - next) + __expf(v - next);
    most = next;
  }
  float all = warp_max(most);
  sum = warp_sum(sum * __expf(most - all));
  for (int c = lane; c < columns; c += warpSize) out[row * columns + c] = __expf(in[row * columns + c] - all) / sum;
}
