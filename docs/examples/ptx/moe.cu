// SPDX-License-Identifier: Apache-2.0
// Mixture of experts: each token's best expert, a list of tokens for each expert (places by atomics), the tokens' rows gathered in the
// order of the experts, and what came of them scattered back, times the gate's weight.
#include "cuda_min.cuh"

__global__ void moe_gate(const float *logits, int *expert, float *weight, int *count, int tokens, int experts) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tokens) return;
  int best = 0;
  float sum = 0;
  for (int e = 1; e < experts; e++)
    if (logits[t * experts + e] > logits[t * experts + best]) best = e;
  for (int e = 0; e < experts; e++) sum += __expf(logits[t * experts + e] - logits[t * experts + best]);
  expert[t] = best;
  weight[t] = 1 / sum;
  atomicAdd(&count[best], 1);
}

__global__ void moe_starts(const int *count, int *next, int experts) {
  int sum = 0;
  for (int e = 0; e < experts; e++) {
    next[e] = sum;
    sum += count[e];
  }
}

__global__ void moe_place(const int *expert, int *next, int *row_of, int tokens) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < tokens) row_of[t] = atomicAdd(&next[expert[t]], 1);
}

__global__ void moe_gather(const float *in, const int *row_of, float *rows, int width) {
  int t = blockIdx.x;
  for (int i = threadIdx.x; i < width; i += blockDim.x) rows[row_of[t] * width + i] = in[t * width + i];
}

__global__ void moe_scatter(const float *rows, const int *row_of, const float *weight, float *out, int width) {
  int t = blockIdx.x;
  for (int i = threadIdx.x; i < width; i += blockDim.x) out[t * width + i] = rows[row_of[t] * width + i] * weight[t];
}
