// SPDX-License-Identifier: Apache-2.0
// Breadth-first search of a graph (CSR), a level a launch; the host goes on while a node has been reached.
#include "cuda_min.cuh"

__global__ void bfs_level(const int *start, const int *edge, int *level, int *changed, int now, int nodes) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || level[v] != now) return;
  for (int k = start[v]; k < start[v + 1]; k++)
    if (level[edge[k]] < 0) {
      level[edge[k]] = now + 1;
      *changed = 1;
    }
}
