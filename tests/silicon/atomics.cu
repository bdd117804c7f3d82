// SPDX-License-Identifier: Apache-2.0
// Atomics in global memory whose lanes the compiler cannot join (docs/micro/rates.md). Needs a GPU and Nsight Compute:
//   nvcc -O2 -arch=sm_90 -o atomics tests/silicon/atomics.cu
//   ncu --clock-control none --csv --page raw --metrics sm__cycles_elapsed.max,lts__t_requests_srcunit_tex.sum,... ./atomics
// Each launch prints what it is.
// lane l of warp w goes to byte  base + (w & wmask) * wstride + (l >> shift) * lstride
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#define CK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
#define AT char *at = base + (size_t)(((blockIdx.x * blockDim.x + threadIdx.x) / 32) & wmask) * wstride + ((threadIdx.x & 31) >> shift) * lstride
#define ARGS char *base, unsigned n, unsigned shift, unsigned lstride, unsigned wmask, unsigned wstride, unsigned *out
#define RED(name, text, constraint, type) \
__global__ void name(ARGS) { AT; type v = 1; \
  for (unsigned i = 0; i < n; i++) { asm volatile(text ::"l"(at), constraint(v) : "memory"); asm volatile(text ::"l"(at), constraint(v) : "memory"); \
  asm volatile(text ::"l"(at), constraint(v) : "memory"); asm volatile(text ::"l"(at), constraint(v) : "memory"); } }
RED(red_u32, "red.global.add.u32 [%0], %1;", "r", unsigned)
RED(red_u64, "red.global.add.u64 [%0], %1;", "l", unsigned long long)
RED(red_f32, "red.global.add.f32 [%0], %1;", "f", float)
RED(st_u32, "st.global.u32 [%0], %1;", "r", unsigned)
#define ATOM(name, text) \
__global__ void name(ARGS) { AT; unsigned v = 1, r, s = 0; \
  for (unsigned i = 0; i < n; i++) { \
  for (int k = 0; k < 4; k++) { asm volatile(text : "=r"(r) : "l"(at), "r"(v) : "memory"); s += r; } } \
  if (s == 12345) *out = s; }
ATOM(atom_add, "atom.global.add.u32 %0, [%1], %2;")
ATOM(atom_cas, "atom.global.cas.b32 %0, [%1], 0, %2;")
ATOM(atom_exch, "atom.global.exch.b32 %0, [%1], %2;")
ATOM(load_cg, "{ .reg .u32 t; mov.u32 t, %2; ld.global.cg.u32 %0, [%1]; }")
// one after the other: the address depends on the result (which is kept 0)
__global__ void chain(ARGS, int kind) { AT; unsigned r = 0; long long t0 = clock64();
  for (unsigned i = 0; i < n; i++) { char *a = at + r;
    if (kind == 0) asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(r) : "l"(a) : "memory");
    else if (kind == 1) asm volatile("atom.global.cas.b32 %0, [%1], 0, 0;" : "=r"(r) : "l"(a) : "memory");
    else asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r) : "l"(a) : "memory"); }
  long long t1 = clock64(); if (threadIdx.x == 0) { out[0] = (unsigned)(t1 - t0); out[1] = r; } }
static __device__ unsigned mixed(unsigned x) { x = (x ^ x >> 15) * 0x2c1b3c6du; x = (x ^ x >> 12) * 0x297a2d39u; return x ^ x >> 15; }
// 8 words at random: wmask = words - 1
__global__ void red_random(ARGS) { for (unsigned i = 0; i < n; i++) { unsigned x = mixed((blockIdx.x * blockDim.x + threadIdx.x) * n + i) & wmask;
  asm volatile("red.global.add.u32 [%0], 1;" ::"l"(base + (size_t)x * wstride) : "memory"); } }
__global__ void cas_random(ARGS) { unsigned s = 0, r; for (unsigned i = 0; i < n; i++) { unsigned x = mixed((blockIdx.x * blockDim.x + threadIdx.x) * n + i) & wmask;
  asm volatile("atom.global.cas.b32 %0, [%1], 0, 1;" : "=r"(r) : "l"(base + (size_t)x * wstride) : "memory"); s += r; } if (s == 12345) *out = s; }
__global__ void ld_random(ARGS) { unsigned s = 0, r; for (unsigned i = 0; i < n; i++) { unsigned x = mixed((blockIdx.x * blockDim.x + threadIdx.x) * n + i) & wmask;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r) : "l"(base + (size_t)x * wstride) : "memory"); s += r; } if (s == 12345) *out = s; }
typedef void (*kern)(ARGS);
static char *mem; static unsigned *out; static int id;
static void go(const char *what, kern k, int grid, int block, unsigned n, unsigned shift, unsigned ls, unsigned wm, unsigned ws) {
  k<<<grid, block>>>(mem, n, shift, ls, wm, ws, out); CK(cudaDeviceSynchronize());
  printf("launch %d %s grid %d block %d n %u (four each but random, chain) shift %u lstride %u wmask %u wstride %u\n", id++, what, grid, block, n, shift, ls, wm, ws); }
static void wait_for(const char *what, int kind, int block, unsigned shift, unsigned ls) {
  CK(cudaMemset(mem, 0, 1 << 20));
  chain<<<1, block>>>(mem, 100, shift, ls, 0, 0, out, kind); CK(cudaDeviceSynchronize()); unsigned h[2]; CK(cudaMemcpy(h, out, 8, cudaMemcpyDeviceToHost));
  printf("launch %d chain %s block %d shift %u lstride %u: %.1f cycles each\n", id++, what, block, shift, ls, h[0] / 100.0); }
int main() {
  CK(cudaMalloc(&mem, 256 << 20)); CK(cudaMalloc(&out, 4096)); CK(cudaMemset(mem, 0, 256 << 20));
  // latency: 1 lane, 32 lanes 32 words, 32 lanes 1 word, 8, 4 words
  for (int kind = 0; kind < 3; kind++) { const char *w[] = {"add", "cas", "ld.cg"};
    wait_for(w[kind], kind, 1, 0, 4); wait_for(w[kind], kind, 32, 0, 4); wait_for(w[kind], kind, 32, 5, 4);
    if (kind == 0) { wait_for(w[kind], kind, 32, 2, 4); wait_for(w[kind], kind, 32, 1, 4); wait_for(w[kind], kind, 32, 0, 128); wait_for(w[kind], kind, 32, 0, 32); } }
  // all warps of the GPU on one line: 1, 2, 4, 8, 16, 32 words; then words 32 bytes apart (4 sectors)
  for (int s = 5; s >= 0; s--) go("red_u32", red_u32, 256, 1024, 5, s, 4, 0, 0);
  go("red_u32 1 lane", red_u32, 8192, 1, 5, 0, 4, 0, 0);
  go("red_u32 8 words of 4 sectors", red_u32, 256, 1024, 5, 3, 32, 0, 0);
  // hot lines: 2, 8, 32, 128, 1024; all lanes of a warp on one word of it, then on 32 words
  unsigned lines[] = {1, 7, 31, 127, 1023, 8191};
  for (unsigned w : lines) go("red_u32 one word", red_u32, 256, 1024, 5, 5, 4, w, 128);
  for (unsigned w : lines) go("red_u32 whole line", red_u32, 256, 1024, 5, 0, 4, w, 128);
  go("st_u32 one line", st_u32, 256, 1024, 5, 0, 4, 0, 0);
  go("st_u32 one word", st_u32, 256, 1024, 5, 5, 4, 0, 0);
  go("st_u32 own lines", st_u32, 256, 1024, 5, 0, 4, 8191, 128);
  // other operations: one word; one line; own lines
  kern others[] = {atom_add, atom_cas, atom_exch, load_cg, red_f32, red_u64}; const char *names[] = {"atom_add", "atom_cas", "atom_exch", "load_cg", "red_f32", "red_u64"};
  for (int k = 0; k < 6; k++) { unsigned e = k == 5 ? 8 : 4;
    go(names[k], others[k], 256, 1024, 5, 5, e, 0, 0); go(names[k], others[k], 256, 1024, 5, 0, e, 0, 0); go(names[k], others[k], 256, 1024, 5, 0, e, 8191, 256); }
  // one SM
  for (int k = 0; k < 3; k++) { kern one[] = {red_u32, atom_add, st_u32}; const char *nm[] = {"red_u32", "atom_add", "st_u32"};
    go(nm[k], one[k], 1, 1024, 20, 5, 4, 31, 128); go(nm[k], one[k], 1, 1024, 20, 0, 4, 31, 128); go(nm[k], one[k], 1, 1024, 20, 0, 32, 31, 1024); }
  // at random: 8 MB and 256 MB of sectors
  go("red_random 8 MB", red_random, 256, 1024, 8, 0, 0, 262143, 32); go("cas_random 8 MB", cas_random, 256, 1024, 8, 0, 0, 262143, 32); go("ld_random 8 MB", ld_random, 256, 1024, 8, 0, 0, 262143, 32);
  go("red_random 256 MB", red_random, 256, 1024, 8, 0, 0, 8388607, 32); go("cas_random 256 MB", cas_random, 256, 1024, 8, 0, 0, 8388607, 32);
  go("red_random 256 words", red_random, 256, 1024, 8, 0, 0, 255, 4); go("red_random 1024 words", red_random, 256, 1024, 8, 0, 0, 1023, 4);
  return 0;
}
