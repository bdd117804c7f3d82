/* SPDX-License-Identifier: Apache-2.0 */
/* Marks a function whose loops are worth vectorizing. Where gcc can, it compiles the function
 * twice: for any x86-64, and for AVX2 with FMA; the loader picks the version that the processor
 * supports. Results are bit for bit the same: a fused multiply-add rounds once, as fmaf does, and
 * nothing else is fused or reordered. */
#ifndef VECTORIZED_H
#define VECTORIZED_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VECTORIZED __attribute__((optimize("O3"), target_clones("arch=x86-64-v3", "default")))
#else
#define VECTORIZED
#endif

#endif
