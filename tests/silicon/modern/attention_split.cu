// SPDX-License-Identifier: Apache-2.0
// Decoding with grouped queries over paged keys in half precision: four query heads share one head of keys. A block takes SPLIT tokens
// of one sequence and one head; its warps take a token each in turn. A second kernel joins the splits of a query head.
#include "modern.cuh"

enum { HEAD = 128, GROUP = 4, PAGE = 16, SPLIT = 256, WARPS = 4 };

static __device__ inline float dot(float4 q, half4 k) {
  return warp_sum(q.x * (float)k.x + q.y * (float)k.y + q.z * (float)k.z + q.w * (float)k.w);
}

static __device__ inline float4 weighted(float4 o, float keep, float p, half4 v) {
  return float4{o.x * keep + p * (float)v.x, o.y * keep + p * (float)v.y, o.z * keep + p * (float)v.z, o.w * keep + p * (float)v.w};
}

// grid: splits, heads of keys, sequences
__global__ void attend_split(const float4 *__restrict__ query, const half4 *__restrict__ keys, const half4 *__restrict__ values,
                             const int *__restrict__ pages, int tokens, float scale, float4 *__restrict__ part, float *__restrict__ most,
                             float *__restrict__ total) {
  __shared__ float4 own[WARPS][GROUP][32];
  __shared__ float own_most[WARPS][GROUP], own_total[WARPS][GROUP];
  int lane = LANE, warp = threadIdx.x / warpSize, heads = gridDim.y, head = blockIdx.y, sequence = blockIdx.z;
  int group = (sequence * heads + head) * GROUP;
  float m[GROUP], l[GROUP];
  float4 q[GROUP], o[GROUP];
#pragma unroll
  for (int g = 0; g < GROUP; g++) {
    q[g] = query[(group + g) * 32 + lane];
    o[g] = float4{0, 0, 0, 0};
    m[g] = -1e30f;
    l[g] = 0;
  }
  for (int t = blockIdx.x * SPLIT + warp; t < (int)(blockIdx.x + 1) * SPLIT; t += WARPS) {
    int page = pages[sequence * (tokens / PAGE) + t / PAGE];
    long at = ((long)(page * PAGE + t % PAGE) * heads + head) * 32 + lane;
    half4 k = keys[at], v = values[at];
#pragma unroll
    for (int g = 0; g < GROUP; g++) {
      float s = scale * dot(q[g], k), next = fmaxf(m[g], s), keep = __expf(m[g] - next), p = __expf(s - next);
      l[g] = l[g] * keep + p;
      o[g] = weighted(o[g], keep, p, v);
      m[g] = next;
    }
  }
#pragma unroll
  for (int g = 0; g < GROUP; g++) {
    own[warp][g][lane] = o[g];
    own_most[warp][g] = m[g];
    own_total[warp][g] = l[g];
  }
  __syncthreads();
  // Warp g joins what the warps have of query head g.
  float all = -1e30f, sum = 0;
  float4 joined = float4{0, 0, 0, 0};
  for (int w = 0; w < WARPS; w++) all = fmaxf(all, own_most[w][warp]);
  for (int w = 0; w < WARPS; w++) {
    float f = __expf(own_most[w][warp] - all);
    float4 a = own[w][warp][lane];
    sum += own_total[w][warp] * f;
    joined = float4{joined.x + a.x * f, joined.y + a.y * f, joined.z + a.z * f, joined.w + a.w * f};
  }
  int place = (group + warp) * gridDim.x + blockIdx.x;
  part[place * 32 + lane] = joined;
  if (lane == 0) {
    most[place] = all;
    total[place] = sum;
  }
}

// A warp a query head.
__global__ void attend_join(const float4 *__restrict__ part, const float *__restrict__ most, const float *__restrict__ total, float4 *__restrict__ out,
                            int splits) {
  int row = WARP;
  float all = -1e30f, sum = 0;
  float4 o = float4{0, 0, 0, 0};
  for (int s = 0; s < splits; s++) all = fmaxf(all, most[row * splits + s]);
  for (int s = 0; s < splits; s++) {
    float f = __expf(most[row * splits + s] - all);
    float4 a = part[(row * splits + s) * 32 + LANE];
    sum += total[row * splits + s] * f;
    o = float4{o.x + a.x * f, o.y + a.y * f, o.z + a.z * f, o.w + a.w * f};
  }
  out[row * 32 + LANE] = float4{o.x / sum, o.y / sum, o.z / sum, o.w / sum};
}
