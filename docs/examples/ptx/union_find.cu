// SPDX-License-Identifier: Apache-2.0
// Connected components: each edge unites two trees by compare and swap, the larger root under the smaller one; then every node goes up to
// its root.
#include "cuda_min.cuh"

static __device__ int root(const int *parent, int v) {
  while (parent[v] != v) v = parent[v];
  return v;
}

__global__ void unite(const int *from, const int *to, int *parent, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  volatile int *now = parent;
  int a = from[e], b = to[e];
  for (;;) {
    while (now[a] != a) a = now[a];
    while (now[b] != b) b = now[b];
    if (a == b) return;
    if (a < b) {
      int t = a;
      a = b;
      b = t;
    }
    if (atomicCAS(&parent[a], a, b) == a) return;
  }
}

__global__ void flatten(const int *parent, int *component, int nodes) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes) component[v] = root(parent, v);
}
