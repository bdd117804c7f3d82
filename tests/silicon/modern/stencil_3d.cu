// SPDX-License-Identifier: Apache-2.0
// Seven points in space: a thread a column of cells, which keeps those above and below in registers.
#include "modern.cuh"

__global__ void stencil_3d(const float *__restrict__ in, float *__restrict__ out, int w, int h, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int plane = w * h, first = blockIdx.z * d + 1, at = first * plane + y * w + x;
  float below = in[at - plane], here = in[at];
  for (int z = 0; z < d; z++, at += plane) {
    float above = in[at + plane];
    out[at] = below + above + in[at - 1] + in[at + 1] + in[at - w] + in[at + w] - 6 * here;
    below = here;
    here = above;
  }
}
