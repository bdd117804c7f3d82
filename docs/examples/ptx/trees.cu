// SPDX-License-Identifier: Apache-2.0
// For each node of a forest the sum of all values below it, and its height, by functions that call themselves.
#include "cuda_min.cuh"

struct node {
  int value, left, right; // children, or -1
};

static __device__ __attribute__((noinline)) int sum(const node *tree, int i) {
  if (i < 0) return 0;
  int left = sum(tree, tree[i].left);
  return tree[i].value + left * 3 + sum(tree, tree[i].right);
}

static __device__ __attribute__((noinline)) int height(const node *tree, int i) {
  return i < 0 ? 0 : 1 + max(height(tree, tree[i].left), height(tree, tree[i].right));
}

__global__ void trees(const node *tree, int *sums, int *heights, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  sums[i] = sum(tree, i);
  heights[i] = height(tree, i);
}
