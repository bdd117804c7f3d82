// SPDX-License-Identifier: Apache-2.0
// What a store does to a line of the L1 (docs/micro/rates.md): each kernel loads, stores, loads again, and times the last
// load. Needs a GPU:
//   nvcc -O3 -arch=sm_90 -Xptxas -dlcm=ca -o stores tests/silicon/stores.cu && ./stores
#include <cstdio>
#include <cstdint>
#include <cuda_runtime.h>
__device__ __forceinline__ unsigned ld(const unsigned *p) { unsigned v; asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ void st(unsigned *p, unsigned v) { asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ __forceinline__ void atom(unsigned *p) { unsigned o; asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(o) : "l"(p) : "memory"); }
__device__ __forceinline__ void red(unsigned *p) { asm volatile("red.global.add.u32 [%0], 1;" ::"l"(p) : "memory"); }
__device__ __forceinline__ unsigned zero(const unsigned long long *out) { return (unsigned)((const volatile unsigned long long *)out)[4]; } // 0
__device__ __forceinline__ void timed(const unsigned *p, unsigned long long *out) {
  unsigned long long a, b; unsigned v;
  const unsigned long long from = clock64();
  while (clock64() - from < 3000); // the store has arrived long since
  p += zero(out); // ptxas knows neither that it is the same address nor what was loaded there
  __syncwarp();
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(a)::"memory");
  v = ld(p);
  asm volatile("{.reg .pred q; setp.eq.u32 q, %1, 0x7fffffff; @q trap; mov.u64 %0, %%clock64;}" : "=l"(b) : "r"(v) : "memory");
  if (threadIdx.x % 32 == 0) out[0] = b - a, out[1] = v;
}
__device__ __forceinline__ void keep(unsigned v, unsigned long long *out) { if (v == 0x7ffffffe) out[5] = v; }
#define K(name) extern "C" __global__ void name(unsigned *p, unsigned long long *out, volatile unsigned *flag)
#define L (p + threadIdx.x % 32)
K(a_cold) { timed(L, out); }
K(b_loaded) { keep(ld(L), out); timed(L, out); }
K(c_own_line) { unsigned v = ld(L); st(L, v + 1); timed(L, out); }                       // whole line stored
K(d_one_word) { unsigned v = ld(L); if (threadIdx.x == 3) st(p + 3, v + 1); timed(L, out); }
K(e_word_other_sector_read) { keep(ld(L), out); if (threadIdx.x == 3) st(p + 3, 9); timed(p + 16 + threadIdx.x % 8, out); }
K(f_other_warp) { if (threadIdx.x < 32) keep(ld(L), out); __syncthreads(); if (threadIdx.x >= 32) st(L, 77); __syncthreads(); if (threadIdx.x < 32) timed(L, out); }
K(g_store_first_line) { st(L, 5); timed(L, out); }
K(h_store_first_word) { if (threadIdx.x == 3) st(p + 3, 5); timed(p + threadIdx.x % 8, out); }
K(i_store_first_word_itself) { if (threadIdx.x == 3) { st(p + 3, 5); timed(p + 3, out - 0); out[0] = out[0]; } }
K(j_sector_loaded_other_stored) { keep(ld(p + threadIdx.x % 8), out); st(p + 16 + threadIdx.x % 8, 5); timed(p + 16 + threadIdx.x % 8, out); }
K(k_atom) { keep(ld(L), out); if (threadIdx.x == 3) atom(p + 3); timed(L, out); }
K(l_red) { keep(ld(L), out); if (threadIdx.x == 3) red(p + 3); timed(L, out); }
K(m_atom_other_sector) { keep(ld(L), out); if (threadIdx.x == 3) atom(p + 3); timed(p + 16 + threadIdx.x % 8, out); }
K(n_byte) { keep(ld(L), out); if (threadIdx.x == 3) asm volatile("st.global.u8 [%0], %1;" ::"l"(p + 3), "r"(7) : "memory"); timed(L, out); }
K(o_other_sm) { // block 1 stores what block 0 has loaded
  if (blockIdx.x == 0) { keep(ld(L), out); __threadfence(); if (threadIdx.x == 0) flag[0] = 1; while (flag[1] == 0); timed(L, out); }
  else { while (flag[0] == 0); st(L, 88); __threadfence(); __syncwarp(); if (threadIdx.x == 0) flag[1] = 1; }
}
K(p_fence) { keep(ld(L), out); __threadfence(); timed(L, out); }
K(q_barrier) { keep(ld(L), out); __syncthreads(); timed(L, out); }
K(r_store_wt) { keep(ld(L), out); asm volatile("st.global.wt.u32 [%0], %1;" ::"l"(L), "r"(7) : "memory"); timed(L, out); }
K(s_store_cg) { keep(ld(L), out); asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(L), "r"(7) : "memory"); timed(L, out); }
K(t_local) { volatile unsigned a[64]; for (int i = 0; i < 64; i++) a[i] = i + threadIdx.x; unsigned s = 0; for (int i = 0; i < 64; i++) s += a[(i * 7 + threadIdx.x) % 64]; out[1] = s; } // local: stores, then loads
struct row { const char *n; void (*f)(unsigned *, unsigned long long *, volatile unsigned *); int grid, block; };
int main() {
  static const row rows[] = {{"cold", a_cold, 1, 32}, {"loaded", b_loaded, 1, 32}, {"own_line", c_own_line, 1, 32}, {"one_word", d_one_word, 1, 32}, {"word_other_sector_read", e_word_other_sector_read, 1, 32},
    {"other_warp", f_other_warp, 1, 64}, {"store_first_line", g_store_first_line, 1, 32}, {"store_first_word", h_store_first_word, 1, 32}, {"store_first_word_itself", i_store_first_word_itself, 1, 32},
    {"sector_loaded_other_stored", j_sector_loaded_other_stored, 1, 32}, {"atom", k_atom, 1, 32}, {"red", l_red, 1, 32}, {"atom_other_sector", m_atom_other_sector, 1, 32}, {"byte", n_byte, 1, 32}, {"other_sm", o_other_sm, 2, 32},
    {"fence", p_fence, 1, 32}, {"barrier", q_barrier, 1, 32}, {"store_wt", r_store_wt, 1, 32}, {"store_cg", s_store_cg, 1, 32}, {"local", t_local, 1, 32}};
  unsigned *p; unsigned long long *out, got[2]; unsigned *flag;
  cudaMalloc(&p, 1 << 20); cudaMalloc(&out, 64); cudaMalloc(&flag, 64);
  for (int k = 0; k < 3; k++)
    for (const row &r : rows) {
      cudaMemset(p, 0, 1 << 20); cudaMemset(out, 0, 64); cudaMemset(flag, 0, 64);
      r.f<<<r.grid, r.block>>>(p, out, flag);
      cudaError_t e = cudaDeviceSynchronize();
      cudaMemcpy(got, out, 16, cudaMemcpyDeviceToHost);
      printf("%s,%llu,%llu,%s\n", r.n, got[0], got[1], cudaGetErrorString(e));
    }
}
