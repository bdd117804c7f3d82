// SPDX-License-Identifier: Apache-2.0
// Rotary embedding of the keys of new tokens, stored into a paged cache: a block a token, slot[] says where.
#include "modern.cuh"

enum { HEAD = 128, HALF = HEAD / 2 };

__global__ void rope_cache(const float *__restrict__ keys, const float *__restrict__ cosine, const float *__restrict__ sine, const int *__restrict__ slot,
                           float *__restrict__ cache, int heads) {
  int token = blockIdx.x, place = slot[token];
  for (int i = threadIdx.x; i < heads * HALF; i += blockDim.x) {
    int head = i / HALF, d = i % HALF, from = (token * heads + head) * HEAD + d, to = (place * heads + head) * HEAD + d;
    float c = cosine[token * HALF + d], s = sine[token * HALF + d], a = keys[from], b = keys[from + HALF];
    cache[to] = a * c - b * s;
    cache[to + HALF] = b * c + a * s;
  }
}
