// SPDX-License-Identifier: Apache-2.0
// Every block turns its part of `a` around in shared memory that the launch sizes: run --shared 4 * threads.
//   clang-14 -x cuda --cuda-gpu-arch=sm_20 --cuda-device-only -nocudainc -nocudalib -S -O3 reverse.cu -o reverse.ptx
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))

extern "C" {
extern __shared__ int tile[];

__global__ void reverse(int *a) {
  int t = __nvvm_read_ptx_sreg_tid_x(), n = __nvvm_read_ptx_sreg_ntid_x();
  int at = __nvvm_read_ptx_sreg_ctaid_x() * n;
  tile[t] = a[at + t];
  __syncthreads();
  a[at + t] = tile[n - 1 - t];
}
}
