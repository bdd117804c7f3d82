// SPDX-License-Identifier: Apache-2.0
// What kernels need of CUDA's headers, by clang's own builtins: no CUDA installation. compile.sh says how.
#ifndef CUDA_MIN_CUH
#define CUDA_MIN_CUH

#define __global__ extern "C" __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __restrict__ __restrict

struct uint3 {
  unsigned x, y, z;
};
#define threadIdx (uint3{(unsigned)__nvvm_read_ptx_sreg_tid_x(), (unsigned)__nvvm_read_ptx_sreg_tid_y(), (unsigned)__nvvm_read_ptx_sreg_tid_z()})
#define blockIdx (uint3{(unsigned)__nvvm_read_ptx_sreg_ctaid_x(), (unsigned)__nvvm_read_ptx_sreg_ctaid_y(), (unsigned)__nvvm_read_ptx_sreg_ctaid_z()})
#define blockDim (uint3{(unsigned)__nvvm_read_ptx_sreg_ntid_x(), (unsigned)__nvvm_read_ptx_sreg_ntid_y(), (unsigned)__nvvm_read_ptx_sreg_ntid_z()})
#define gridDim (uint3{(unsigned)__nvvm_read_ptx_sreg_nctaid_x(), (unsigned)__nvvm_read_ptx_sreg_nctaid_y(), (unsigned)__nvvm_read_ptx_sreg_nctaid_z()})
enum { warpSize = 32 };
#define FULL_MASK 0xffffffffu

typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned long long ulonglong;
typedef __fp16 half; // compile.sh: -fnative-half-type

// Votes, shuffles, barriers of a warp.
static __device__ inline int __shfl_sync(uint m, int v, int lane) { return __nvvm_shfl_sync_idx_i32(m, v, lane, 31); }
static __device__ inline int __shfl_up_sync(uint m, int v, uint d) { return __nvvm_shfl_sync_up_i32(m, v, d, 0); }
static __device__ inline int __shfl_down_sync(uint m, int v, uint d) { return __nvvm_shfl_sync_down_i32(m, v, d, 31); }
static __device__ inline int __shfl_xor_sync(uint m, int v, int x) { return __nvvm_shfl_sync_bfly_i32(m, v, x, 31); }
static __device__ inline float __shfl_sync(uint m, float v, int lane) { return __nvvm_shfl_sync_idx_f32(m, v, lane, 31); }
static __device__ inline float __shfl_up_sync(uint m, float v, uint d) { return __nvvm_shfl_sync_up_f32(m, v, d, 0); }
static __device__ inline float __shfl_down_sync(uint m, float v, uint d) { return __nvvm_shfl_sync_down_f32(m, v, d, 31); }
static __device__ inline float __shfl_xor_sync(uint m, float v, int x) { return __nvvm_shfl_sync_bfly_f32(m, v, x, 31); }
static __device__ inline uint __ballot_sync(uint m, bool p) { return __nvvm_vote_ballot_sync(m, p); }
static __device__ inline bool __any_sync(uint m, bool p) { return __nvvm_vote_any_sync(m, p); }
static __device__ inline bool __all_sync(uint m, bool p) { return __nvvm_vote_all_sync(m, p); }
static __device__ inline void __syncwarp() { __nvvm_bar_warp_sync(FULL_MASK); }
static __device__ inline void __threadfence() { __nvvm_membar_gl(); }

// Atomics: what was there before.
static __device__ inline int atomicAdd(int *a, int v) { return __nvvm_atom_add_gen_i(a, v); }
static __device__ inline uint atomicAdd(uint *a, uint v) { return (uint)__nvvm_atom_add_gen_i((int *)a, (int)v); }
static __device__ inline float atomicAdd(float *a, float v) { return __nvvm_atom_add_gen_f(a, v); }
static __device__ inline ulonglong atomicAdd(ulonglong *a, ulonglong v) { return (ulonglong)__nvvm_atom_add_gen_ll((long long *)a, (long long)v); }
static __device__ inline int atomicMin(int *a, int v) { return __nvvm_atom_min_gen_i(a, v); }
static __device__ inline int atomicMax(int *a, int v) { return __nvvm_atom_max_gen_i(a, v); }
static __device__ inline uint atomicMin(uint *a, uint v) { return __nvvm_atom_min_gen_ui(a, v); }
static __device__ inline uint atomicMax(uint *a, uint v) { return __nvvm_atom_max_gen_ui(a, v); }
static __device__ inline uint atomicOr(uint *a, uint v) { return (uint)__nvvm_atom_or_gen_i((int *)a, (int)v); }
static __device__ inline int atomicExch(int *a, int v) { return __nvvm_atom_xchg_gen_i(a, v); }
static __device__ inline int atomicCAS(int *a, int want, int v) { return __nvvm_atom_cas_gen_i(a, want, v); }
static __device__ inline uint atomicCAS(uint *a, uint want, uint v) { return (uint)__nvvm_atom_cas_gen_i((int *)a, (int)want, (int)v); }

// Arithmetic.
static __device__ inline int __popc(uint v) { return __builtin_popcount(v); }
static __device__ inline int __ffs(int v) { return __builtin_ffs(v); }
static __device__ inline int min(int a, int b) { return a < b ? a : b; }
static __device__ inline int max(int a, int b) { return a > b ? a : b; }
static __device__ inline float fminf(float a, float b) { return __builtin_fminf(a, b); }
static __device__ inline float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
static __device__ inline float fabsf(float a) { return __builtin_fabsf(a); }
static __device__ inline float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
static __device__ inline float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
static __device__ inline float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.4426950408889634f); }
static __device__ inline float __sinf(float a) { return __nvvm_sin_approx_f(a); }
static __device__ inline float __cosf(float a) { return __nvvm_cos_approx_f(a); }

#endif
