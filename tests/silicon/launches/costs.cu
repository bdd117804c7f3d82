// SPDX-License-Identifier: Apache-2.0
// One cost each: what `tests/silicon/launches/costs.launch` launches. docs/silicon.md, section Costs.
// Each loop has 8 instructions of its kind, so that the loop itself costs little.
#include "../../../docs/examples/ptx/cuda_min.cuh"

#define EIGHT(x) { x x x x x x x x }
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * blockDim.x)

struct uint4 {
  uint x, y, z, w;
};

__global__ void empty(uint *out, uint n) {
  if (n == 1) out[THREAD] = n;
}

// ---- units: 8 n instructions in a chain, or two chains that do not wait for each other ----

__global__ void fma_chain(float *out, uint n) {
  float a = threadIdx.x, b = n;
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(a) : "f"(b));)
  if (a == 1) out[THREAD] = a;
}

__global__ void fma_pair(float *out, uint n) {
  float a = threadIdx.x, c = threadIdx.x + 1, b = n;
  for (uint i = 0; i < n; i++) {
    EIGHT(asm volatile("fma.rn.f32 %0, %0, %2, %2;\n\tfma.rn.f32 %1, %1, %2, %2;" : "+f"(a), "+f"(c) : "f"(b));)
  }
  if (a + c == 1) out[THREAD] = a;
}

__global__ void mad_chain(uint *out, uint n) {
  uint a = threadIdx.x, b = n;
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(a) : "r"(b));)
  if (a == 1) out[THREAD] = a;
}

__global__ void add_chain(uint *out, uint n) {
  uint a = threadIdx.x, b = n;
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("add.u32 %0, %0, %1;\n\txor.b32 %0, %0, %1;" : "+r"(a) : "r"(b));)
  if (a == 1) out[THREAD] = a;
}

__global__ void ex2_chain(float *out, uint n) {
  float a = threadIdx.x;
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(a));)
  if (a == 1) out[THREAD] = a;
}

__global__ void double_chain(float *out, uint n) {
  double a = threadIdx.x, b = n;
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(a) : "d"(b));)
  if (a == 1) out[THREAD] = 1;
}

__global__ void shuffle_chain(int *out, uint n) {
  int a = threadIdx.x;
  for (uint i = 0; i < n; i++) EIGHT(a = __shfl_xor_sync(FULL_MASK, a, 1);)
  if (a == -1) out[THREAD] = a;
}

__global__ void barriers(uint *out, uint n) {
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("bar.sync 0;" ::: "memory");)
  if (n == 1) out[THREAD] = n;
}

// ---- shared memory: lane l accesses word l * stride ----

static __device__ inline uint shared_at(const uint *p) {
  ulonglong at;
  asm volatile("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
  return (uint)at;
}

__global__ void shared_load(uint *out, uint n, uint stride) {
  static __shared__ uint s[8192];
  uint at = shared_at(s + (threadIdx.x & 31) * stride), v, sum = 0;
  s[threadIdx.x] = n;
  __syncthreads();
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(at)); sum += v;)
  if (sum == 1) out[THREAD] = s[n & 1];
}

__global__ void shared_load4(uint *out, uint n) {
  static __shared__ uint s[8192];
  uint at = shared_at(s + threadIdx.x % 256 * 4), x, y, z, w, sum = 0;
  s[threadIdx.x] = n;
  __syncthreads();
  for (uint i = 0; i < n; i++)
    EIGHT(asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at)); sum += x + w;)
  if (sum == 1) out[THREAD] = s[n & 1];
}

__global__ void shared_store(uint *out, uint n, uint stride) {
  static __shared__ uint s[8192];
  uint at = shared_at(s + (threadIdx.x & 31) * stride);
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(n) : "memory");)
  __syncthreads();
  if (n == 1) out[THREAD] = s[threadIdx.x];
}

__global__ void shared_add(uint *out, uint n, uint stride) {
  static __shared__ uint s[8192];
  uint at = shared_at(s + (threadIdx.x & 31) * stride);
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(n) : "memory");)
  __syncthreads();
  if (n == 1) out[THREAD] = s[threadIdx.x];
}

__global__ void shared_wait(uint *out, uint n) {
  static __shared__ uint s[1024];
  uint at = shared_at(s + threadIdx.x % 32);
  s[threadIdx.x] = shared_at(s + threadIdx.x % 32);
  __syncthreads();
  for (uint i = 0; i < n; i++) EIGHT(asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));)
  if (at == 1) out[THREAD] = s[n & 1];
}

// ---- L1: lane l reads the word at l * stride bytes, in eight places 4 KB apart ----

#define PLACES(x) { x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) }
#define HIT1(k) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(at + k * 4096));
#define HIT4(k) asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k]), "=r"(y[k]), "=r"(z[k]), "=r"(w[k]) : "l"(at + k * 4096));

__global__ void l1_load(const uint *in, uint *out, uint n, uint stride) {
  uint v[8], sum = 0;
  for (uint i = 0; i < n; i++) {
    const char *at = (const char *)in + (threadIdx.x & 31) * stride + (i & 1) * 64;
    PLACES(HIT1)
    for (uint k = 0; k < 8; k++) sum += v[k];
  }
  if (sum == 1) out[THREAD] = sum;
}

__global__ void l1_load4(const uint *in, uint *out, uint n) {
  uint v[8], y[8], z[8], w[8], sum = 0;
  for (uint i = 0; i < n; i++) {
    const char *at = (const char *)in + (threadIdx.x & 31) * 16 + (i & 1) * 512;
    PLACES(HIT4)
    for (uint k = 0; k < 8; k++) sum += v[k] + w[k];
  }
  if (sum == 1) out[THREAD] = sum;
}

// ---- L2 and DRAM: `n` elements from `in` on, `passes` times; thread t takes t, t + threads, ... ----
// Four loads are on their way together: n is a multiple of four times the threads.

#define FOUR(x) x(0) x(1) x(2) x(3)
#define LOAD4(k) asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x[k]), "=r"(y[k]), "=r"(z[k]), "=r"(w[k]) : "l"(in + i + k * THREADS));
#define STORE4(k) asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to + i + k * THREADS), "r"(x[k]), "r"(y[k]), "r"(z[k]), "r"(w[k]) : "memory");
#define LOAD1(k) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(AT(i + k * THREADS)));

__global__ void read4(const uint4 *in, uint *out, uint n, uint passes) {
  uint x[4], y[4], z[4], w[4], sum = 0;
  for (uint p = 0; p < passes; p++)
    for (uint i = THREAD; i < n; i += 4 * THREADS) {
      FOUR(LOAD4)
      for (uint k = 0; k < 4; k++) sum += x[k] + w[k];
    }
  if (sum == 1) out[THREAD] = sum;
}

#define AT(i) (in + (i))
__global__ void read1(const uint *in, uint *out, uint n, uint passes) {
  uint v[4], sum = 0;
  for (uint p = 0; p < passes; p++)
    for (uint i = THREAD; i < n; i += 4 * THREADS) {
      FOUR(LOAD1)
      for (uint k = 0; k < 4; k++) sum += v[k];
    }
  if (sum == 1) out[THREAD] = sum;
}
#undef AT

// A word of each of `n` places `stride` bytes apart.
#define AT(i) ((const char *)in + (ulonglong)(i)*stride)
__global__ void read_stride(const uint *in, uint *out, uint n, uint stride) {
  uint v[4], sum = 0;
  for (uint i = THREAD; i < n; i += 4 * THREADS) {
    FOUR(LOAD1)
    for (uint k = 0; k < 4; k++) sum += v[k];
  }
  if (sum == 1) out[THREAD] = sum;
}
#undef AT

static __device__ inline uint mixed(uint x) {
  x = (x ^ x >> 15) * 0x2c1b3c6du;
  x = (x ^ x >> 12) * 0x297a2d39u;
  return x ^ x >> 15;
}

// A word of one of `sectors` sectors, a power of two, at random, `n` times; `lanes` neighbouring lanes
// read from one sector.
#define AT(i) (in + (mixed((i) / lanes) & (sectors - 1)) * 8 + (i) % lanes)
__global__ void read_random(const uint *in, uint *out, uint n, uint sectors, uint lanes) {
  uint v[4], sum = 0;
  for (uint i = THREAD; i < n; i += 4 * THREADS) {
    FOUR(LOAD1)
    for (uint k = 0; k < 4; k++) sum += v[k];
  }
  if (sum == 1) out[THREAD] = sum;
}
#undef AT

__global__ void write4(uint4 *to, uint n, uint passes) {
  for (uint p = 0; p < passes; p++)
    for (uint i = THREAD; i < n; i += THREADS) asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(to + i), "r"(p) : "memory");
}

__global__ void write1(uint *to, uint n, uint passes) {
  for (uint p = 0; p < passes; p++)
    for (uint i = THREAD; i < n; i += THREADS) asm volatile("st.global.u32 [%0], %1;" ::"l"(to + i), "r"(p) : "memory");
}

// A word in one of `sectors` sectors at random; with 8 lanes the whole sector.
__global__ void write_random(uint *to, uint n, uint sectors, uint lanes) {
  for (uint i = THREAD; i < n; i += THREADS) {
    uint *at = to + (mixed(i / lanes) & (sectors - 1)) * 8 + i % lanes;
    asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(i) : "memory");
  }
}

__global__ void copy4(const uint4 *in, uint4 *to, uint n) {
  uint x[4], y[4], z[4], w[4];
  for (uint i = THREAD; i < n; i += 4 * THREADS) {
    FOUR(LOAD4)
    FOUR(STORE4)
  }
}

__global__ void add_same(uint *to, uint n) {
  for (uint i = 0; i < n; i++) asm volatile("red.global.add.u32 [%0], 1;" ::"l"(to) : "memory");
}

__global__ void add_own(uint *to, uint n, uint passes) {
  for (uint p = 0; p < passes; p++)
    for (uint i = THREAD; i < n; i += THREADS) asm volatile("red.global.add.u32 [%0], 1;" ::"l"(to + i) : "memory");
}

// The SM that runs each block; blocks stay until all are placed.
__global__ void placed(uint *out, uint n) {
  uint sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  for (uint i = 0; i < n; i++) asm volatile("bar.sync 0;" ::: "memory");
  if (threadIdx.x == 0) out[blockIdx.x] = sm;
}
