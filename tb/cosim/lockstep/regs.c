/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison is planned once, and runs as one loop over all registers: a call for each would
 * take longer than comparing most of them. */
#include "cosim/lockstep/regs.h"
#include "base/vectorized.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))
#endif

/* The bits of an element in C and in Verilator's storage: equally wide, or C's wider. */
#define EQUAL(X) X(64, 64) X(32, 32) X(16, 16) X(8, 8)
#define WIDER(X) X(64, 32) X(64, 16) X(64, 8) X(32, 16) X(32, 8) X(16, 8)
enum {
/* A register of one element is read as it was written: a wider load would have to wait until the
 * narrow store before it has left the store buffer. */
#define SHAPE(c_bits, rtl_bits) ONE_##c_bits##_##rtl_bits,
  EQUAL(SHAPE) WIDER(SHAPE)
#undef SHAPE
      BYTES, /* an array that is equally wide on both sides is compared as so many bytes */
#define SHAPE(c_bits, rtl_bits) WIDER_##c_bits##_##rtl_bits,
  WIDER(SHAPE)
#undef SHAPE
      NO_SHAPE
};

/* The bits of the registers of one element that differ; moves *plan behind them. */
static inline uint64_t differ_ones(const regs_plan_t **plan) {
  uint64_t differ = 0;
  const regs_plan_t *p = *plan;
#define COMPARE(c_bits, rtl_bits)                                                                  \
  for (; p->shape == ONE_##c_bits##_##rtl_bits; p++)                                               \
    differ |= *(const uint##c_bits##_t *)p->c ^ *(const uint##rtl_bits##_t *)p->rtl;
  EQUAL(COMPARE)
  WIDER(COMPARE)
#undef COMPARE
  *plan = p;
  return differ;
}

/* Both versions gather the bits that differ, without a branch for each element. */
VECTORIZED static bool same_loops(const regs_plan_t *plan) {
  const regs_plan_t *p = plan;
  uint64_t differ = differ_ones(&p);
  for (; p->shape == BYTES; p++) differ |= memcmp(p->c, p->rtl, p->n) != 0;
#define COMPARE(c_bits, rtl_bits)                                                                  \
  for (; p->shape == WIDER_##c_bits##_##rtl_bits; p++) {                                           \
    const uint##c_bits##_t *c = p->c;                                                              \
    const uint##rtl_bits##_t *rtl = p->rtl;                                                        \
    for (size_t i = 0; i < p->n; i++) differ |= (uint64_t)(c[i] ^ rtl[i]);                         \
  }
  WIDER(COMPARE)
#undef COMPARE
  return differ == 0;
}

#ifdef WITH_AVX512
/* Eight elements, each widened to 64 bits; those that `mask` leaves out are 0 and not read. */
#define EIGHT_64(mask, at) _mm512_maskz_loadu_epi64(mask, at)
#define EIGHT_32(mask, at) _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(mask, at))
#define EIGHT_16(mask, at) _mm512_cvtepu16_epi64(_mm_maskz_loadu_epi16(mask, at))
#define EIGHT_8(mask, at) _mm512_cvtepu8_epi64(_mm_maskz_loadu_epi8(mask, at))
WITH_AVX512 static inline __m512i gather(__m512i differ, __m512i c, __m512i rtl) {
  return _mm512_or_si512(differ, _mm512_xor_si512(c, rtl));
}

/* The first and the last 64 bytes, and between them those that are aligned in C: a load across two
 * cache lines takes twice as long. Bytes that are compared twice do no harm. */
WITH_AVX512 static inline __m512i differ_bytes(__m512i differ, const regs_plan_t *p) {
#define AT(i) _mm512_loadu_si512(c + (i)), _mm512_loadu_si512(rtl + (i))
  const char *c = p->c, *rtl = p->rtl;
  if (p->n < 64) {
    const __mmask64 few = (UINT64_C(1) << p->n) - 1;
    return gather(differ, _mm512_maskz_loadu_epi8(few, c), _mm512_maskz_loadu_epi8(few, rtl));
  }
  size_t i = 64 - ((uintptr_t)c & 63);
  __m512i more = gather(_mm512_setzero_si512(), AT(0)); /* does not wait for `differ` */
  differ = gather(differ, AT(p->n - 64));
  for (; i + 128 <= p->n; i += 128) {
    differ = gather(differ, AT(i));
    more = gather(more, AT(i + 64));
  }
  if (i + 64 <= p->n) differ = gather(differ, AT(i));
  return _mm512_or_si512(differ, more);
#undef AT
}

/* The same for eight elements that are wider in C. */
#define DIFFER_WIDER(c_bits, rtl_bits)                                                             \
  WITH_AVX512 static inline __m512i differ_##c_bits##_##rtl_bits(__m512i differ,                   \
                                                                 const regs_plan_t *p) {           \
    const uint##c_bits##_t *c = p->c;                                                              \
    const uint##rtl_bits##_t *rtl = p->rtl;                                                        \
    if (p->n < 8) {                                                                                \
      const __mmask8 few = (__mmask8)((1u << p->n) - 1);                                           \
      return gather(differ, EIGHT_##c_bits(few, c), EIGHT_##rtl_bits(few, rtl));                   \
    }                                                                                              \
    size_t i = 8 - ((uintptr_t)c / sizeof *c & 7);                                                 \
    __m512i more =                                                                                 \
        gather(_mm512_setzero_si512(), EIGHT_##c_bits(0xff, c), EIGHT_##rtl_bits(0xff, rtl));      \
    differ = gather(differ, EIGHT_##c_bits(0xff, c + p->n - 8),                                    \
                    EIGHT_##rtl_bits(0xff, rtl + p->n - 8));                                       \
    for (; i + 16 <= p->n; i += 16) {                                                              \
      differ = gather(differ, EIGHT_##c_bits(0xff, c + i), EIGHT_##rtl_bits(0xff, rtl + i));       \
      more = gather(more, EIGHT_##c_bits(0xff, c + i + 8), EIGHT_##rtl_bits(0xff, rtl + i + 8));   \
    }                                                                                              \
    if (i + 8 <= p->n)                                                                             \
      differ = gather(differ, EIGHT_##c_bits(0xff, c + i), EIGHT_##rtl_bits(0xff, rtl + i));       \
    return _mm512_or_si512(differ, more);                                                          \
  }
WIDER(DIFFER_WIDER)
#undef DIFFER_WIDER

WITH_AVX512 static bool same_avx512(const regs_plan_t *plan) {
  const regs_plan_t *p = plan;
  const uint64_t ones = differ_ones(&p);
  __m512i differ = _mm512_setzero_si512();
  for (; p->shape == BYTES; p++) differ = differ_bytes(differ, p);
#define COMPARE(c_bits, rtl_bits)                                                                  \
  for (; p->shape == WIDER_##c_bits##_##rtl_bits; p++)                                             \
    differ = differ_##c_bits##_##rtl_bits(differ, p);
  WIDER(COMPARE)
#undef COMPARE
  return ones == 0 && _mm512_test_epi64_mask(differ, differ) == 0;
}
#endif

static regs_same_fn same_fn(void) {
#ifdef WITH_AVX512
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) return same_avx512;
#endif
  return same_loops;
}

static unsigned shape_of(unsigned c_bytes, unsigned rtl_bytes, unsigned words) {
#define SHAPE(c_bits, rtl_bits)                                                                    \
  if (words == 1 && c_bytes == (c_bits) / 8 && rtl_bytes == (rtl_bits) / 8)                        \
    return ONE_##c_bits##_##rtl_bits;
  EQUAL(SHAPE)
  WIDER(SHAPE)
#undef SHAPE
  if (c_bytes == rtl_bytes) return BYTES;
#define SHAPE(c_bits, rtl_bits)                                                                    \
  if (c_bytes == (c_bits) / 8 && rtl_bytes == (rtl_bits) / 8) return WIDER_##c_bits##_##rtl_bits;
  WIDER(SHAPE)
#undef SHAPE
  return NO_SHAPE;
}

static regs_plan_t plan_one(const module_reg_t *r, const shim_view_t *v) {
  const unsigned shape = shape_of(r->elem_bytes, v->elem_bytes, r->words);
  const size_t n = shape == BYTES ? (size_t)r->words * r->elem_bytes : r->words;
  return (regs_plan_t){r->data, v->data, n, shape};
}

int regs_plan(regs_t *regs, const module_class_t *cls, const void *model, const shim_view_t *views,
              const foreign_t *foreign, mrpb_err_t *err) {
  regs->n = cls->n_regs;
  regs->views = views;
  regs->foreign = foreign;
  regs->same = same_fn();
  cls->regs(model, regs->of_c);
  for (unsigned i = 0; i < regs->n && views; i++) {
    const module_reg_t *r = &regs->of_c[i];
    const shim_view_t *v = &views[i];
    if (shape_of(r->elem_bytes, v->elem_bytes, r->words) == NO_SHAPE || v->words != r->words ||
        strcmp(v->name, r->name) != 0)
      return mrpb_fail(err, "%s: register %s: %u x %u bytes in Verilog, %u x %u bytes in C",
                       cls->stem, r->name, v->words, v->elem_bytes, r->words, r->elem_bytes);
  }
  unsigned to = 0;
  for (unsigned shape = 0; shape < NO_SHAPE && views; shape++)
    for (unsigned i = 0; i < regs->n; i++) {
      const regs_plan_t p = plan_one(&regs->of_c[i], &views[i]);
      if (p.shape == shape) regs->plan[to++] = p;
    }
  regs->plan[to].shape = NO_SHAPE;
  return 0;
}

/* The bits of an element that differ and count. */
static uint64_t differing(const regs_t *regs, unsigned reg, unsigned elem, unsigned lsb, uint64_t c,
                          uint64_t rtl) {
  if (!regs->foreign) return c ^ rtl;
  return (c ^ rtl) & ~foreign_mask(regs->foreign, reg, elem, lsb, rtl);
}

/* Bits lsb / 8 and up of a little-endian element, at most 8 of them. */
static uint64_t piece(const void *data, unsigned elem_bytes, unsigned elem, unsigned byte) {
  uint64_t v = 0;
  if (byte >= elem_bytes) return 0;
  unsigned left = elem_bytes - byte;
  memcpy(&v, (const char *)data + (size_t)elem * elem_bytes + byte, left < 8 ? left : 8);
  return v;
}

static bool same_whole(const regs_t *regs, unsigned reg) {
  const regs_plan_t plan[] = {plan_one(&regs->of_c[reg], &regs->views[reg]), {.shape = NO_SHAPE}};
  return regs->same(plan);
}

/* Compares a register of which the map names some bits, some of which may not have been written
 * yet. */
static bool same_named(const regs_t *regs, unsigned reg) {
  const module_reg_t *r = &regs->of_c[reg];
  const shim_view_t *v = &regs->views[reg];
  const unsigned bytes = r->elem_bytes > v->elem_bytes ? r->elem_bytes : v->elem_bytes;
  for (unsigned e = 0; e < r->words; e++)
    for (unsigned b = 0; b < bytes; b += 8)
      if (differing(regs, reg, e, 8 * b, piece(r->data, r->elem_bytes, e, b),
                    piece(v->data, v->elem_bytes, e, b)))
        return false;
  return true;
}

bool regs_agree(const regs_t *regs) {
  if (regs->same(regs->plan)) return true;
  bool same = regs->foreign != NULL;
  for (unsigned i = 0; i < regs->n && same; i++) same = same_whole(regs, i) || same_named(regs, i);
  return same;
}

unsigned regs_diffs(const regs_t *regs, lockstep_diff_t *diffs, unsigned max) {
  unsigned n = 0;
  for (unsigned i = 0; i < regs->n; i++) {
    const module_reg_t *r = &regs->of_c[i];
    const shim_view_t *v = &regs->views[i];
    if (same_whole(regs, i)) continue;
    unsigned bytes = r->elem_bytes > v->elem_bytes ? r->elem_bytes : v->elem_bytes;
    for (unsigned e = 0; e < r->words; e++)
      for (unsigned b = 0; b < bytes; b += 8) {
        uint64_t c = piece(r->data, r->elem_bytes, e, b), rtl = piece(v->data, v->elem_bytes, e, b);
        const uint64_t differ = differing(regs, i, e, 8 * b, c, rtl);
        if (differ == 0) continue;
        if (n < max) {
          diffs[n] = (lockstep_diff_t){true, r->width, r->words, e, 8 * b, c, c ^ differ, ""};
          memcpy(diffs[n].name, r->name, sizeof diffs[n].name);
        }
        n++;
      }
  }
  return n;
}
