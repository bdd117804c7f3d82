// SPDX-License-Identifier: Apache-2.0
// Prices of options (Black, Scholes): a structure as a parameter, a function that is called.
#include "cuda_min.cuh"

struct market {
  float rate, volatility;
  int n;
};

static __device__ __attribute__((noinline)) float normal(float d) { // cumulative, a polynomial of the fifth degree
  float k = 1 / (1 + 0.2316419f * fabsf(d));
  float tail = 0.39894228f * __expf(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - tail : tail;
}

__global__ void black_scholes(market m, const float *price, const float *strike, const float *years, float *call, float *put) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m.n) return;
  float root = sqrtf(years[i]), ln = __nvvm_lg2_approx_f(price[i] / strike[i]) * 0.69314718f;
  float d1 = (ln + (m.rate + 0.5f * m.volatility * m.volatility) * years[i]) / (m.volatility * root), d2 = d1 - m.volatility * root;
  float discount = __expf(-m.rate * years[i]);
  call[i] = price[i] * normal(d1) - strike[i] * discount * normal(d2);
  put[i] = strike[i] * discount * normal(-d2) - price[i] * normal(-d1);
}
