// SPDX-License-Identifier: Apache-2.0
// What a coalescer joins, what the L2 gives and keeps, lines of the DRAM at a distance (docs/micro/rates.md). Needs a GPU
// of 132 SMs and Nsight Compute:
//   nvcc -O2 -arch=sm_90 -o l2 tests/silicon/l2.cu
//   ncu --clock-control none --cache-control all --csv --page raw --metrics sm__cycles_elapsed.max,lts__t_sectors_srcunit_tex.sum,... ./l2
#include <cstdint>
typedef unsigned long long u64;
#define T (blockIdx.x * blockDim.x + threadIdx.x)
__device__ uint4 ld4(const void *p) { uint4 v; asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p)); return v; }
__device__ unsigned ld1(const void *p) { unsigned v; asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p)); return v; }
__device__ unsigned add4(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

// One warp an SM; `n` lines, 8 at once. what 0: all SMs the same sector; 1: SM s sector s % 4; 2: whole lines; 3: even SMs
// whole lines, odd ones sector 3; 4: SM s line s (nothing shared), whole lines.
extern "C" __global__ void join_lines(const char *a, unsigned *out, unsigned n, unsigned what) {
  const unsigned s = blockIdx.x, l = threadIdx.x;
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i += 8) {
    unsigned v[8];
#pragma unroll
    for (unsigned k = 0; k < 8; k++) {
      const char *line = a + (u64)(i + k) * 128 + (what == 4 ? (u64)s * n * 128 : 0);
      unsigned at = what == 0 ? l % 8 * 4 : what == 1 ? s % 4 * 32 + l % 8 * 4 : what == 3 && s % 2 ? 96 + l % 8 * 4 : l * 4;
      v[k] = ld1(line + at);
    }
#pragma unroll
    for (unsigned k = 0; k < 8; k++) sum ^= v[k];
  }
  if (sum == 12345) out[T] = sum;
}

// 1024 threads an SM. Rounds of 64 KB. own 0: block b begins at 64 KB * b of `bytes` and goes round; own 1: its piece only.
extern "C" __global__ void __launch_bounds__(1024) stream(const char *a, unsigned *out, unsigned rounds, unsigned bytes, unsigned own) {
  unsigned sum = 0, off = blockIdx.x * 65536u;
  for (unsigned r = 0; r < rounds; r++) {
    const unsigned from = own ? (blockIdx.x * own + r % own) * 65536u : (off + r * 65536u) & (bytes - 1);
    uint4 v[4];
#pragma unroll
    for (unsigned k = 0; k < 4; k++) v[k] = ld4(a + from + k * 16384 + threadIdx.x * 16);
#pragma unroll
    for (unsigned k = 0; k < 4; k++) sum ^= add4(v[k]);
  }
  if (sum == 12345) out[T] = sum;
}

// All threads write `n` quads; then each reads what the block `shift` further wrote.
extern "C" __global__ void writes(uint4 *a, unsigned *out, unsigned n, unsigned passes) {
  for (unsigned p = 0; p < passes; p++)
    for (unsigned i = T; i < n; i += gridDim.x * blockDim.x) a[i] = make_uint4(i, p, i, p);
}
extern "C" __global__ void write_read(uint4 *a, unsigned *out, unsigned n, unsigned shift) {
  for (unsigned i = T; i < n; i += gridDim.x * blockDim.x) a[i] = make_uint4(i, i, i, i);
  __syncthreads();
  unsigned sum = 0, at = (blockIdx.x + shift) % gridDim.x * blockDim.x + threadIdx.x;
  for (u64 t = clock64(); clock64() - t < 200000;) continue;
  for (unsigned i = at; i < n; i += gridDim.x * blockDim.x) sum ^= add4(ld4(a + i));
  if (sum == 12345) out[T] = sum;
}

// `lanes` * 16 bytes of each of n places `stride` bytes apart, four loads at once.
extern "C" __global__ void strides(const char *a, unsigned *out, unsigned n, unsigned stride, unsigned lanes) {
  unsigned sum = 0;
  const unsigned all = gridDim.x * blockDim.x / lanes, me = T / lanes, l = T % lanes;
  for (unsigned i = me; i < n; i += 4 * all) {
    uint4 v[4];
#pragma unroll
    for (unsigned k = 0; k < 4; k++) v[k] = ld4(a + (u64)(i + k * all) % n * stride + l * 16);
#pragma unroll
    for (unsigned k = 0; k < 4; k++) sum ^= add4(v[k]);
  }
  if (sum == 12345) out[T] = sum;
}

#define MB (1u << 20)
int main() {
  char *a; unsigned *out;
  if (cudaMalloc(&a, 2048ull * MB) || cudaMalloc(&out, 4 * MB)) return 1;
  cudaMemset(a, 0, 2048ull * MB);
  const unsigned s = 132;
  for (unsigned w = 0; w < 5; w++) join_lines<<<s, 32>>>(a, out, 1024, w);
  for (unsigned r = 16; r <= 144; r += 128) {
    stream<<<s, 1024>>>(a, out, r, 8 * MB, 0);
    stream<<<s, 1024>>>(a, out, r, 16 * MB, 0);
    stream<<<s, 1024>>>(a, out, r, 32 * MB, 0);
    stream<<<s, 1024>>>(a, out, r, 0, 2);
    stream<<<s, 1024>>>(a, out, r, 0, 4);
  }
  for (unsigned m = 8; m <= 48; m += 8) writes<<<264, 1024>>>((uint4 *)a, out, m * (MB / 16), 1);
  writes<<<264, 1024>>>((uint4 *)a, out, 20 * (MB / 16), 4);
  for (unsigned k = 0; k < 3; k++) write_read<<<264, 1024>>>((uint4 *)a, out, 8 * (MB / 16), k * 33);
  for (unsigned st = 128; st <= 16384; st *= 2) strides<<<264, 1024>>>(a, out, 131072, st, 8);
  for (unsigned st = 64; st <= 16384; st *= 2) strides<<<264, 1024>>>(a, out, 131072, st, 2);
  return cudaDeviceSynchronize() != cudaSuccess;
}
