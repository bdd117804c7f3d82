/* SPDX-License-Identifier: Apache-2.0 */
// Verilator's run-time headers, precompiled once, with the hooks that keep Verilator from printing
// and aborting.
#ifndef RTL_RUNTIME_H
#define RTL_RUNTIME_H

int rtl_runtime_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define VL_PRINTF rtl_runtime_printf
#define VL_USER_STOP
#define VL_USER_FATAL
#define VL_USER_FINISH
#define VL_USER_WARN

#include <cstring>
#include <new>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Verilator uses the copy of a module's name unchecked, but out of memory strdup returns NULL.
inline char *rtl_runtime_strdup(const char *text) {
  char *copy = strdup(text);
  if (!copy) throw std::bad_alloc();
  return copy;
}
#define strdup rtl_runtime_strdup

#include "verilated.h"

// Where Verilog leaves a value open (x), every version uses the model's power-up value. From 5.026
// on the value would always be random, and two builds could not be compared.
#ifndef RTL_RUNTIME_LIBRARY
#define VL_RAND_RESET_ASSIGN_I(bits) VL_RAND_RESET_I(bits)
#define VL_RAND_RESET_ASSIGN_Q(bits) VL_RAND_RESET_Q(bits)
#define VL_RAND_RESET_ASSIGN_W(bits, words) VL_RAND_RESET_W(bits, words)
#endif

// What may have changed since the last evaluation (verilate.sh): anything; inputs, and the clock has
// fallen or not moved; or only the clock, which rises.
enum rtl_runtime_moved_t { RTL_RUNTIME_ANY, RTL_RUNTIME_INPUTS, RTL_RUNTIME_CLOCK };
rtl_runtime_moved_t rtl_runtime_moved(const VerilatedContext *context);

// What reroll.awk puts in place of unrolled loops. The lowest n bits, n at most 64:
constexpr QData rtl_runtime_all(int n) {
  return n < 64 ? (1ULL << n) - 1 : ~0ULL;
}

// Bit k: whether element k, of 16, is `value`.
template <class T> inline unsigned rtl_runtime_equal_16(const T *row, T value) {
  unsigned same = 0;
  for (int k = 0; k < 16; k++) same |= static_cast<unsigned>(row[k] == value) << k;
  return same;
}
#ifdef __SSE2__
inline __m128i rtl_runtime_load(const void *at) {
  return _mm_loadu_si128(static_cast<const __m128i *>(at));
}
template <> inline unsigned rtl_runtime_equal_16(const CData *row, CData value) {
  const __m128i all = _mm_set1_epi8(static_cast<char>(value));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(rtl_runtime_load(row), all)));
}
template <> inline unsigned rtl_runtime_equal_16(const SData *row, SData value) {
  const __m128i all = _mm_set1_epi16(static_cast<short>(value));
  const __m128i low = _mm_cmpeq_epi16(rtl_runtime_load(row), all);
  const __m128i high = _mm_cmpeq_epi16(rtl_runtime_load(row + 8), all);
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
}
template <> inline unsigned rtl_runtime_equal_16(const IData *row, IData value) {
  const __m128i all = _mm_set1_epi32(static_cast<int>(value));
  const __m128i low = _mm_packs_epi32(_mm_cmpeq_epi32(rtl_runtime_load(row), all),
                                      _mm_cmpeq_epi32(rtl_runtime_load(row + 4), all));
  const __m128i high = _mm_packs_epi32(_mm_cmpeq_epi32(rtl_runtime_load(row + 8), all),
                                       _mm_cmpeq_epi32(rtl_runtime_load(row + 12), all));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
}
#endif

// Bit k: whether element k, of the first n, is `value`.
template <int n, class T, std::size_t N>
inline QData rtl_runtime_equal(const VlUnpacked<T, N> &row, QData value) {
  QData same = 0;
  const T narrow = static_cast<T>(value);
  if (narrow != value) return 0;
  for (int k = 0; k + 16 <= n; k += 16)
    same |= static_cast<QData>(rtl_runtime_equal_16<T>(&row[k], narrow)) << k;
  for (int k = n & ~15; k < n; k++) same |= static_cast<QData>(row[k] == narrow) << k;
  return same;
}

// All elements or'ed whose bit is set.
template <class T, std::size_t N>
inline T rtl_runtime_selected(const VlUnpacked<T, N> &row, QData which) {
  T all = 0;
  for (; which; which &= which - 1) all |= row[__builtin_ctzll(which)];
  return all;
}

inline IData rtl_runtime_ones(IData v) {
  v -= v >> 1 & 0x55555555U;
  v = (v & 0x33333333U) + (v >> 2 & 0x33333333U);
  return ((v + (v >> 4)) & 0x0f0f0f0fU) * 0x01010101U >> 24;
}

#endif
