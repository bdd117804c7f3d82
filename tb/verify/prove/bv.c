/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/bv.h"

#include <stdlib.h>

struct bv_chunk {
  bv_chunk_t *next;
  size_t used, room;
  lit_t lit[];
};

enum { CHUNK = 1 << 18 };

void bv_free(bv_ctx_t *x) {
  while (x->chunk) {
    bv_chunk_t *next = x->chunk->next;
    free(x->chunk);
    x->chunk = next;
  }
}

bv_t bv_new(bv_ctx_t *x, uint32_t n) {
  if (!x->chunk || x->chunk->room - x->chunk->used < n) {
    size_t room = n > CHUNK ? n : CHUNK;
    bv_chunk_t *c = prove_alloc(sizeof *c + room * sizeof *c->lit);
    c->next = x->chunk;
    c->used = 0;
    c->room = room;
    x->chunk = c;
  }
  bv_t v = {x->chunk->lit + x->chunk->used, n};
  x->chunk->used += n;
  return v;
}

bv_t bv_const(bv_ctx_t *x, uint32_t n, uint64_t value) {
  bv_t v = bv_new(x, n);
  for (uint32_t i = 0; i < n; i++) v.b[i] = i < 64 ? (lit_t)(value >> i & 1) : AIG_FALSE;
  return v;
}

bv_t bv_fresh(bv_ctx_t *x, uint32_t n) {
  bv_t v = bv_new(x, n);
  for (uint32_t i = 0; i < n; i++) v.b[i] = aig_input(x->g);
  return v;
}

bv_t bv_slice(bv_ctx_t *x, bv_t a, uint32_t lsb, uint32_t n) {
  bv_t v = bv_new(x, n);
  for (uint32_t i = 0; i < n; i++) v.b[i] = lsb + i < a.n ? a.b[lsb + i] : AIG_FALSE;
  return v;
}

bv_t bv_sext(bv_ctx_t *x, bv_t a, uint32_t n) {
  bv_t v = bv_new(x, n);
  for (uint32_t i = 0; i < n; i++) v.b[i] = a.b[i < a.n ? i : a.n - 1];
  return v;
}

bool bv_is_const(bv_t a) {
  for (uint32_t i = 0; i < a.n; i++)
    if (!aig_is_const(a.b[i])) return false;
  return true;
}

uint64_t bv_value(bv_t a) {
  uint64_t v = 0;
  for (uint32_t i = 0; i < a.n && i < 64; i++) v |= (uint64_t)(a.b[i] & 1) << i;
  return v;
}

bv_t bv_not(bv_ctx_t *x, bv_t a) {
  bv_t v = bv_new(x, a.n);
  for (uint32_t i = 0; i < a.n; i++) v.b[i] = aig_not(a.b[i]);
  return v;
}

bv_t bv_and(bv_ctx_t *x, bv_t a, bv_t b) {
  bv_t v = bv_new(x, a.n);
  for (uint32_t i = 0; i < a.n; i++) v.b[i] = aig_and(x->g, a.b[i], b.b[i]);
  return v;
}

bv_t bv_or(bv_ctx_t *x, bv_t a, bv_t b) {
  bv_t v = bv_new(x, a.n);
  for (uint32_t i = 0; i < a.n; i++) v.b[i] = aig_or(x->g, a.b[i], b.b[i]);
  return v;
}

bv_t bv_xor(bv_ctx_t *x, bv_t a, bv_t b) {
  bv_t v = bv_new(x, a.n);
  for (uint32_t i = 0; i < a.n; i++) v.b[i] = aig_xor(x->g, a.b[i], b.b[i]);
  return v;
}

bv_t bv_mux(bv_ctx_t *x, lit_t c, bv_t t, bv_t e) {
  bv_t v = bv_new(x, t.n);
  for (uint32_t i = 0; i < t.n; i++) v.b[i] = aig_mux(x->g, c, t.b[i], e.b[i]);
  return v;
}

static bv_t add(bv_ctx_t *x, bv_t a, bv_t b, lit_t carry) {
  bv_t v = bv_new(x, a.n);
  for (uint32_t i = 0; i < a.n; i++) {
    lit_t p = aig_xor(x->g, a.b[i], b.b[i]);
    v.b[i] = aig_xor(x->g, p, carry);
    carry = aig_or(x->g, aig_and(x->g, a.b[i], b.b[i]), aig_and(x->g, p, carry));
  }
  return v;
}

bv_t bv_add(bv_ctx_t *x, bv_t a, bv_t b) {
  return add(x, a, b, AIG_FALSE);
}

bv_t bv_sub(bv_ctx_t *x, bv_t a, bv_t b) {
  return add(x, a, bv_not(x, b), AIG_TRUE);
}

bv_t bv_mul(bv_ctx_t *x, bv_t a, bv_t b) {
  bv_t sum = bv_const(x, a.n, 0);
  if (bv_is_const(a)) {
    bv_t t = a;
    a = b;
    b = t;
  }
  for (uint32_t i = 0; i < b.n; i++) {
    if (b.b[i] == AIG_FALSE) continue;
    bv_t part = bv_const(x, a.n, 0);
    for (uint32_t k = i; k < a.n; k++) part.b[k] = aig_and(x->g, a.b[k - i], b.b[i]);
    sum = bv_add(x, sum, part);
  }
  return sum;
}

void bv_divide(bv_ctx_t *x, bv_t a, bv_t b, bv_t *quotient, bv_t *remainder) {
  uint32_t n = a.n;
  bv_t q = bv_const(x, n, 0), r = bv_const(x, n + 1, 0), d = bv_slice(x, b, 0, n + 1);
  for (uint32_t i = n; i-- > 0;) {
    bv_t next = bv_new(x, n + 1);
    next.b[0] = a.b[i];
    for (uint32_t k = 0; k < n; k++) next.b[k + 1] = r.b[k];
    lit_t fits = aig_not(bv_ult(x, next, d));
    r = bv_mux(x, fits, bv_sub(x, next, d), next);
    q.b[i] = fits;
  }
  *quotient = q;
  *remainder = bv_slice(x, r, 0, n);
}

bv_t bv_shift(bv_ctx_t *x, bv_shift_t kind, bv_t a, bv_t amount) {
  bv_t v = a, limit = bv_const(x, amount.n, a.n);
  lit_t fill = kind == BV_ASHR ? a.b[a.n - 1] : AIG_FALSE;
  for (uint32_t s = 0; s < amount.n && s < 32 && UINT32_C(1) << s < a.n; s++) {
    uint32_t by = UINT32_C(1) << s;
    bv_t moved = bv_new(x, a.n);
    for (uint32_t i = 0; i < a.n; i++)
      moved.b[i] = kind == BV_SHL ? (i >= by ? v.b[i - by] : AIG_FALSE)
                                  : (i + by < a.n ? v.b[i + by] : fill);
    v = bv_mux(x, amount.b[s], moved, v);
  }
  if (amount.n < 32 && a.n >> amount.n) return v; /* every amount is legal */
  lit_t legal = bv_ult(x, amount, limit);
  return legal == AIG_TRUE ? v : bv_mux(x, legal, v, bv_fresh(x, a.n));
}

bv_t bv_cttz(bv_ctx_t *x, bv_t a) {
  bv_t v = bv_const(x, a.n, a.n);
  for (uint32_t i = a.n; i-- > 0;) v = bv_mux(x, a.b[i], bv_const(x, a.n, i), v);
  return v;
}

bv_t bv_ctlz(bv_ctx_t *x, bv_t a) {
  bv_t v = bv_const(x, a.n, a.n);
  for (uint32_t i = 0; i < a.n; i++) v = bv_mux(x, a.b[i], bv_const(x, a.n, a.n - 1 - i), v);
  return v;
}

bv_t bv_ctpop(bv_ctx_t *x, bv_t a) {
  bv_t v = bv_const(x, a.n, 0);
  for (uint32_t i = 0; i < a.n; i++) v = bv_add(x, v, bv_slice(x, (bv_t){a.b + i, 1}, 0, a.n));
  return v;
}

lit_t bv_any(bv_ctx_t *x, bv_t a) {
  lit_t any = AIG_FALSE;
  for (uint32_t i = 0; i < a.n; i++) any = aig_or(x->g, any, a.b[i]);
  return any;
}

lit_t bv_eq(bv_ctx_t *x, bv_t a, bv_t b) {
  lit_t eq = AIG_TRUE;
  for (uint32_t i = 0; i < a.n; i++) eq = aig_and(x->g, eq, aig_not(aig_xor(x->g, a.b[i], b.b[i])));
  return eq;
}

lit_t bv_ult(bv_ctx_t *x, bv_t a, bv_t b) {
  lit_t less = AIG_FALSE;
  for (uint32_t i = 0; i < a.n; i++)
    less = aig_mux(x->g, aig_xor(x->g, a.b[i], b.b[i]), b.b[i], less);
  return less;
}

lit_t bv_slt(bv_ctx_t *x, bv_t a, bv_t b) {
  lit_t sa = a.b[a.n - 1], sb = b.b[b.n - 1];
  return aig_mux(x->g, aig_xor(x->g, sa, sb), sa, bv_ult(x, a, b));
}
