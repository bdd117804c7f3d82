// SPDX-License-Identifier: Apache-2.0
// Binary searches in a sorted array: a thread a search.
#include "modern.cuh"

__global__ void lower_bound(const uint *__restrict__ sorted, int n, const uint *__restrict__ asked, int *__restrict__ out, int searches) {
  int i = THREAD;
  if (i >= searches) return;
  uint key = asked[i];
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}
