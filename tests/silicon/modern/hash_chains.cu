// SPDX-License-Identifier: Apache-2.0
// Probe of a hash join with chains: a bucket is a list of nodes, each somewhere else in memory.
#include "modern.cuh"

struct alignas(16) node {
  uint key;
  int value, next, pad;
};

__global__ void hash_chains(const uint *__restrict__ asked, const int *__restrict__ head, const node *__restrict__ nodes, int *__restrict__ out, uint mask,
                            int n) {
  int i = THREAD;
  if (i >= n) return;
  uint key = asked[i];
  int found = -1;
  for (int at = head[(key * 0x9e3779b1u & mask) >> 2]; at >= 0;) {
    node one = nodes[at];
    if (one.key == key) found = one.value;
    at = one.key == key ? -1 : one.next;
  }
  out[i] = found;
}
