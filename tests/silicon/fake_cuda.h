/* SPDX-License-Identifier: Apache-2.0 */
/* Of the fake libcuda.so.1 only. */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include "workload/ptx/ptx.h"

/* Where its constants seem to lie. */
#define FAKE_CONST UINT64_C(0x70000000)

/* Compiled code in which each kernel has as many loads of global memory as its text, or one less;
 * the caller frees it. NULL without memory. */
char *fake_elf(const ptx_module_t *m, bool drop, size_t *bytes);

#endif
