// SPDX-License-Identifier: Apache-2.0
// SwiGLU in half precision: gate / (1 + exp(-gate)) * up, four numbers a thread.
#include "modern.cuh"

static __device__ inline half gated(half gate, half up) {
  float g = (float)gate;
  return (half)(g / (1 + __expf(-g)) * (float)up);
}

__global__ void swiglu(const half4 *__restrict__ gate, const half4 *__restrict__ up, half4 *__restrict__ out, int quads) {
  int i = THREAD;
  if (i >= quads) return;
  half4 g = gate[i], u = up[i];
  out[i] = half4{gated(g.x, u.x), gated(g.y, u.y), gated(g.z, u.z), gated(g.w, u.w)};
}
