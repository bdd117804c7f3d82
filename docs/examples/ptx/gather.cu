// SPDX-License-Identifier: Apache-2.0
// A kernel of one's own: out[i] = table[index[i]], with a stride that spreads a warp over many lines.
// clang 14 needs no CUDA installation for this:
//   clang-14 -x cuda --cuda-gpu-arch=sm_20 --cuda-device-only -nocudainc -nocudalib -S -O3 gather.cu -o gather.ptx
#define __global__ __attribute__((global))

extern "C" __global__ void gather(float *out, const float *table, const int *index, int n) {
  int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  if (i < n) out[i] = table[index[i] * 64 % n];
}
