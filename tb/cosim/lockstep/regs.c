/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison is planned once. A register whose elements are as wide in C as in Verilator's
 * storage takes one memcmp; the others take a loop that widens the narrower side. */
#include "cosim/lockstep/regs.h"
#include "base/vectorized.h"

#include <string.h>

static bool same_bytes(const void *c, const void *rtl, size_t n) {
  return memcmp(c, rtl, n) == 0;
}

/* Most registers have one element, for which a call of memcmp takes long. */
#define SAME_ONE(name, type)                                                                       \
  static bool name(const void *c, const void *rtl, size_t n) {                                     \
    (void)n;                                                                                       \
    return *(const type *)c == *(const type *)rtl;                                                 \
  }
SAME_ONE(same_one_8, uint8_t)
SAME_ONE(same_one_16, uint16_t)
SAME_ONE(same_one_32, uint32_t)
SAME_ONE(same_one_64, uint64_t)

/* In some modules these widening loops take most of the comparison's time. */
#define SAME(name, c_type, rtl_type)                                                               \
  VECTORIZED static bool name(const void *c, const void *rtl, size_t n) {                          \
    const c_type *a = c;                                                                           \
    const rtl_type *b = rtl;                                                                       \
    uint64_t differ = 0;                                                                           \
    for (size_t i = 0; i < n; i++) differ |= (uint64_t)(a[i] ^ b[i]);                              \
    return differ == 0;                                                                            \
  }
SAME(same_64_32, uint64_t, uint32_t)
SAME(same_64_16, uint64_t, uint16_t)
SAME(same_64_8, uint64_t, uint8_t)
SAME(same_32_16, uint32_t, uint16_t)
SAME(same_32_8, uint32_t, uint8_t)
SAME(same_16_8, uint16_t, uint8_t)

static regs_same_fn same_for(unsigned c_bytes, unsigned rtl_bytes, unsigned words) {
  static const regs_same_fn one[] = {
      [1] = same_one_8, [2] = same_one_16, [4] = same_one_32, [8] = same_one_64};
  if (c_bytes == rtl_bytes && words == 1 && c_bytes <= 8 && one[c_bytes]) return one[c_bytes];
  if (c_bytes == rtl_bytes) return same_bytes;
  switch (c_bytes << 4 | rtl_bytes) {
  case 0x84:
    return same_64_32;
  case 0x82:
    return same_64_16;
  case 0x81:
    return same_64_8;
  case 0x42:
    return same_32_16;
  case 0x41:
    return same_32_8;
  case 0x21:
    return same_16_8;
  default:
    return NULL;
  }
}

int regs_plan(regs_t *regs, const module_class_t *cls, const void *model, const shim_view_t *views,
              const foreign_t *foreign, mrpb_err_t *err) {
  regs->n = cls->n_regs;
  regs->views = views;
  regs->foreign = foreign;
  cls->regs(model, regs->of_c);
  for (unsigned i = 0; i < regs->n && views; i++) {
    const module_reg_t *r = &regs->of_c[i];
    const shim_view_t *v = &views[i];
    regs_same_fn same = same_for(r->elem_bytes, v->elem_bytes, r->words);
    if (!same || v->words != r->words || strcmp(v->name, r->name) != 0)
      return mrpb_fail(err, "%s: register %s: %u x %u bytes in Verilog, %u x %u bytes in C",
                       cls->stem, r->name, v->words, v->elem_bytes, r->words, r->elem_bytes);
    size_t n = same == same_bytes ? (size_t)r->words * r->elem_bytes : r->words;
    regs->plan[i] = (regs_plan_t){r->data, v->data, n, same};
  }
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
  const regs_plan_t *p = &regs->plan[reg];
  return p->same(p->c, p->rtl, p->n);
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
  bool same = true;
  for (unsigned i = 0; i < regs->n && same; i++)
    same = same_whole(regs, i) || (regs->foreign && same_named(regs, i));
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
