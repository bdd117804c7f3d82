// SPDX-License-Identifier: Apache-2.0
// Attention of one new token (decoding), keys and values in pages of a cache: a block a head, a warp a key at a time; softmax with a
// running maximum, so that no row of scores is kept. In single precision, and with the cache in half precision.
#include "cuda_min.cuh"

enum { HEAD = 64, PAGE = 16, WARPS = 4 };

template <typename T>
static __device__ void attend(const float *query, const T *keys, const T *values, const int *pages, int tokens, float scale, float *out) {
  __shared__ float most[WARPS], total[WARPS], part[WARPS][HEAD];
  int head = blockIdx.x, heads = gridDim.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  float q0 = query[head * HEAD + lane], q1 = query[head * HEAD + lane + 32], m = -1e30f, l = 0, o0 = 0, o1 = 0;
  for (int t = warp; t < tokens; t += WARPS) {
    long at = ((long)(pages[t / PAGE] * PAGE + t % PAGE) * heads + head) * HEAD + lane;
    float s = q0 * (float)keys[at] + q1 * (float)keys[at + 32];
    for (int d = warpSize / 2; d > 0; d /= 2) s += __shfl_xor_sync(FULL_MASK, s, d);
    s *= scale;
    float next = fmaxf(m, s), keep = __expf(m - next), p = __expf(s - next);
    l = l * keep + p;
    o0 = o0 * keep + p * (float)values[at];
    o1 = o1 * keep + p * (float)values[at + 32];
    m = next;
  }
  if (lane == 0) {
    most[warp] = m;
    total[warp] = l;
  }
  part[warp][lane] = o0;
  part[warp][lane + 32] = o1;
  __syncthreads();
  if (threadIdx.x < HEAD) {
    float all = most[0], sum = 0, o = 0;
    for (int w = 1; w < WARPS; w++) all = fmaxf(all, most[w]);
    for (int w = 0; w < WARPS; w++) {
      float f = __expf(most[w] - all);
      sum += total[w] * f;
      o += part[w][threadIdx.x] * f;
    }
    out[head * HEAD + threadIdx.x] = o / sum;
  }
}

__global__ void attention_f32(const float *query, const float *keys, const float *values, const int *pages, int tokens, float scale, float *out) {
  attend(query, keys, values, pages, tokens, scale, out);
}

__global__ void attention_f16(const float *query, const half *keys, const half *values, const int *pages, int tokens, float scale, float *out) {
  attend(query, keys, values, pages, tokens, scale, out);
}
