/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of the functional memories, and texture fetches. An access outside its memory,
 * or one not aligned to its size, is a fault of the program: it reads zero or writes nothing. */
#include "workload/simt/exec.h"

#include <inttypes.h>

/* How an element moves to or from a lane. */
enum { KIND_U8, KIND_S8, KIND_U16, KIND_S16, KIND_U32, KIND_S32, KIND_64 };

/* The bytes that an access may touch: [lo, hi). Address a of lane l is at host + a + l * stride. */
typedef struct {
  uint64_t lo, hi;
  uint8_t *host;
  uint32_t stride;
  const char *what;
} reach_t;

uint8_t simt_memory_kind(const ptx_inst_t *i) {
  bool is_signed = i->type == PTX_S8 || i->type == PTX_S16 || i->type == PTX_S32;
  switch (ptx_type_bytes((ptx_type_t)i->type)) {
  case 1:
    return is_signed ? KIND_S8 : KIND_U8;
  case 2:
    return is_signed ? KIND_S16 : KIND_U16;
  case 4:
    return is_signed ? KIND_S32 : KIND_U32;
  default:
    return KIND_64;
  }
}

uint64_t simt_window(ptx_space_t space) {
  switch ((int)space) {
  case PTX_SHARED:
    return SIMT_SHARED_WINDOW;
  case PTX_LOCAL:
    return SIMT_LOCAL_WINDOW;
  case PTX_PARAM:
    return SIMT_PARAM_WINDOW;
  case PTX_CONST:
    return SIMT_CONST_WINDOW;
  default:
    return 0;
  }
}

static reach_t reach(const warp_stream_t *w, const simt_op_t *op) {
  simt_t *t = w->sim;
  const ptx_kernel_t *k = w->kernel->kernel;
  switch ((ptx_space_t)(op->generic ? w->space : op->space)) {
  case PTX_SHARED:
    return (reach_t){0, t->launch.shared, w->block->shared, 0, "shared memory of the block"};
  case PTX_LOCAL:
  case PTX_ARGUMENT:
    return (reach_t){0, k->local_bytes, w->local, simt_local_stride(k),
                     "local memory of the thread"};
  case PTX_CONST:
    return (reach_t){0, MEMORY_CONST, t->constant, 0, "constant memory"};
  case PTX_PARAM:
    return (reach_t){0, k->param_bytes, t->now.params, 0, "parameters of the kernel"};
  case PTX_GENERIC:
  case PTX_GLOBAL:
    break;
  }
  return (reach_t){t->begin, t->end, t->bias, 0, "allocated global memory"};
}

/* The same for writes: parameters and constants are excluded. */
static reach_t writable(const warp_stream_t *w, const simt_op_t *op) {
  reach_t r = reach(w, op);
  if (op->generic && (w->space == PTX_PARAM || w->space == PTX_CONST)) r.hi = 0;
  return r;
}

/* ---- addresses ------------------------------------------------------------- */

/* Nearest texel of a coordinate: the texel that contains it. Coordinates below 0 and NaN give the
 * first texel; a coordinate far above gives a texel outside of every memory. */
static uint64_t nearest_texel(uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  if (!(x > 0)) return 0;
  return x < 0x1p40f ? (uint64_t)x : UINT64_C(1) << 40;
}

EXEC_INLINE void lane_addresses(const warp_stream_t *w, const simt_op_t *op, uint64_t *addr) {
  uint64_t offset = (uint64_t)op->offset;
  if (op->fixed) {
    for (unsigned l = 0; l < WARP_LANES; l++) addr[l] = offset;
  } else if (op->texture) {
    const lane32_t *x = simt_vector(w, op->s[0]);
    const lane64_t *base = simt_vector(w, op->s[1]);
    const bool real = op->inst->type2 == PTX_F32;
    for (unsigned l = 0; l < WARP_LANES; l++)
      addr[l] = base[l] + 4 * (real ? nearest_texel(x[l]) : (uint64_t)(int64_t)(int32_t)x[l]);
  } else if (op->address64) {
    const lane64_t *a = simt_vector(w, op->s[0]);
    if (op->generic) offset -= simt_window((ptx_space_t)w->space);
    for (unsigned l = 0; l < WARP_LANES; l++) addr[l] = a[l] + offset;
  } else {
    const lane32_t *a = simt_vector(w, op->s[0]);
    for (unsigned l = 0; l < WARP_LANES; l++) addr[l] = (uint32_t)(a[l] + (uint32_t)offset);
  }
}

/* Addresses of the lanes' words of local memory in the memory system; an address out of range will
 * be a fault. */
static void local_addresses(const warp_stream_t *w, uint64_t addr[WARP_LANES]) {
  const uint64_t bytes = w->kernel->kernel->local_bytes;
  for (unsigned l = 0; l < WARP_LANES; l++) {
    const uint64_t at = addr[l] < bytes ? addr[l] : 0;
    addr[l] = w->local_at + at / WARP_LOCAL_WORD * WARP_LOCAL_STEP + l * WARP_LOCAL_WORD +
              at % WARP_LOCAL_WORD;
  }
}

void simt_addresses(const warp_stream_t *w, const simt_op_t *op, uint64_t addr[WARP_LANES]) {
  uint64_t all[WARP_LANES];
  if (w->active == UINT32_MAX && !w->inst->local) {
    lane_addresses(w, op, addr);
    return;
  }
  lane_addresses(w, op, all);
  if (w->inst->local) local_addresses(w, all);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (w->active >> l & 1) addr[l] = all[l];
}

ptx_space_t simt_space_of(uint64_t addr) {
  if (addr - SIMT_SHARED_WINDOW < SIMT_WINDOW) return PTX_SHARED;
  if (addr - SIMT_LOCAL_WINDOW < SIMT_WINDOW) return PTX_LOCAL;
  if (addr - SIMT_PARAM_WINDOW < SIMT_WINDOW) return PTX_PARAM;
  return addr - SIMT_CONST_WINDOW < SIMT_WINDOW ? PTX_CONST : PTX_GLOBAL;
}

/* ---- faults ---------------------------------------------------------------- */

static void fault(warp_stream_t *w, const simt_op_t *op, unsigned lane, uint64_t addr,
                  const char *why, const reach_t *r) {
  char range[96] = "";
  if (r->hi > r->lo)
    snprintf(range, sizeof range, "; legal: 0x%" PRIx64 " to 0x%" PRIx64, r->lo, r->hi - 1);
  const bool atomic = op->warp.atomic != 0;
  simt_fault(w, op, lane, "%u-byte %s at 0x%" PRIx64 ": %s %s%s", op->access,
             atomic      ? "atomic"
             : op->store ? "store"
                         : "load",
             addr, why, r->what, range);
}

ptx_space_t simt_resolve(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane64_t *a = simt_vector(w, op->s[0]);
  static const reach_t mixed = {0, 0, NULL, 0, "mixed with other lanes of the warp"};
  if (mask == 0 || !op->address64) return PTX_GLOBAL;
  ptx_space_t first = PTX_GENERIC;
  for (unsigned l = 0; l < WARP_LANES; l++) {
    uint64_t addr = a[l] + (uint64_t)op->offset;
    if (!(mask >> l & 1)) continue;
    if (first == PTX_GENERIC) first = simt_space_of(addr);
    if (simt_space_of(addr) != first) {
      fault(w, op, l, addr, "shared, local and global addresses are", &mixed);
      return PTX_GLOBAL;
    }
  }
  return first;
}

/* The lanes of `mask` whose `size` bytes are not all in range, or not aligned. */
static uint32_t bad_lanes(const reach_t *r, const uint64_t *addr, uint64_t size, uint32_t mask) {
  uint32_t bad = 0;
  for (unsigned l = 0; l < WARP_LANES; l++) {
    bool in = addr[l] >= r->lo && addr[l] < r->hi && size <= r->hi - addr[l];
    bad |= (uint32_t)(!in || (addr[l] & (size - 1)) != 0) << l;
  }
  return bad & mask;
}

/* Whether any lane, active or not, is out of range or not aligned: a cheap first test. */
EXEC_INLINE bool suspicious(const reach_t *r, const uint64_t *addr, uint64_t size) {
  if (r->hi - r->lo < size) return true;
  uint64_t span = r->hi - r->lo - size, lo = r->lo, any = 0;
  for (unsigned l = 0; l < WARP_LANES; l++)
    any |= (uint64_t)(addr[l] - lo > span) | (addr[l] & (size - 1));
  return any != 0;
}

/* The lanes whose access is legal; a fault is noted for the others. */
static uint32_t legal(warp_stream_t *w, const simt_op_t *op, const reach_t *r, const uint64_t *addr,
                      uint32_t mask) {
  uint32_t bad = bad_lanes(r, addr, op->access, mask);
  if (bad == 0) return mask;
  unsigned l = (unsigned)__builtin_ctz(bad);
  bool aligned = (addr[l] & ((uint64_t)op->access - 1)) == 0;
  fault(w, op, l, addr[l], aligned ? "outside" : "not aligned in", r);
  return mask & ~bad;
}

/* ---- transfers ------------------------------------------------------------- */

typedef uint8_t MAY_ALIAS mem8_t;
typedef uint16_t MAY_ALIAS mem16_t;

#define EACH_LANE(BODY)                                                                            \
  if (mask == UINT32_MAX) {                                                                        \
    for (unsigned l = 0; l < WARP_LANES; l++) BODY;                                                \
  } else {                                                                                         \
    for (uint32_t left = mask; left; left &= left - 1) {                                           \
      unsigned l = (unsigned)__builtin_ctz(left);                                                  \
      BODY;                                                                                        \
    }                                                                                              \
  }
#define LOAD(S, V, T) EACH_LANE(((S *)d)[l] = (S)(V) * (const T *)(const void *)(host + addr[l]))
#define STORE(S, T) EACH_LANE(*(T *)(void *)(host + addr[l]) = (T)((const S *)d)[l])

/* Whether the addresses of a full warp are `step` bytes apart, which is the most frequent case. */
EXEC_INLINE bool in_a_row(const uint64_t *addr, uint32_t mask, uint64_t step) {
  uint64_t differ = 0;
  if (mask != UINT32_MAX || addr[WARP_LANES - 1] - addr[0] != (WARP_LANES - 1) * step) return false;
  for (unsigned l = 0; l < WARP_LANES; l++) differ |= (addr[l] - addr[0]) ^ l * step;
  return differ == 0;
}

EXEC_INLINE void load_one(void *d, const uint8_t *host, const uint64_t *addr, uint32_t mask,
                          unsigned kind, bool wide) {
  switch (kind | (unsigned)wide << 3) {
  case KIND_U8:
    LOAD(lane32_t, uint8_t, mem8_t) break;
  case KIND_S8:
    LOAD(lane32_t, int8_t, mem8_t) break;
  case KIND_U16:
    LOAD(lane32_t, uint16_t, mem16_t) break;
  case KIND_S16:
    LOAD(lane32_t, int16_t, mem16_t) break;
  case KIND_U32:
  case KIND_S32:
    if (in_a_row(addr, mask, 4)) {
      __builtin_memcpy(d, host + addr[0], WARP_LANES * sizeof(lane32_t));
      break;
    }
    LOAD(lane32_t, uint32_t, lane32_t) break;
  case KIND_U8 | 8:
    LOAD(lane64_t, uint8_t, mem8_t) break;
  case KIND_S8 | 8:
    LOAD(lane64_t, int8_t, mem8_t) break;
  case KIND_U16 | 8:
    LOAD(lane64_t, uint16_t, mem16_t) break;
  case KIND_S16 | 8:
    LOAD(lane64_t, int16_t, mem16_t) break;
  case KIND_U32 | 8:
    LOAD(lane64_t, uint32_t, lane32_t) break;
  case KIND_S32 | 8:
    LOAD(lane64_t, int32_t, lane32_t) break;
  default:
    LOAD(lane64_t, uint64_t, lane64_t) break;
  }
}

EXEC_INLINE void store_one(const void *d, uint8_t *host, const uint64_t *addr, uint32_t mask,
                           unsigned bytes, bool wide) {
  switch (bytes | (unsigned)wide << 4) {
  case 1:
    STORE(lane32_t, mem8_t) break;
  case 2:
    STORE(lane32_t, mem16_t) break;
  case 4:
    if (in_a_row(addr, mask, 4)) {
      __builtin_memcpy(host + addr[0], d, WARP_LANES * sizeof(lane32_t));
      break;
    }
    STORE(lane32_t, lane32_t) break;
  case 16 | 1:
    STORE(lane64_t, mem8_t) break;
  case 16 | 2:
    STORE(lane64_t, mem16_t) break;
  case 16 | 4:
    STORE(lane64_t, lane32_t) break;
  default:
    STORE(lane64_t, lane64_t) break;
  }
}

static void zero(const warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  static const uint64_t none[WARP_LANES] = {0};
  for (unsigned k = 0; k < op->n; k++)
    exec_blend(simt_vector(w, op->d[k]), none, mask, op->wide >> k & 1 ? 8 : 4);
}

/* The local memories of the lanes follow one another. */
EXEC_INLINE void spread(uint64_t *addr, uint32_t stride) {
  for (unsigned l = 0; l < WARP_LANES; l++) addr[l] += (uint64_t)l * stride;
}

EXEC_BOTH(load, {
  uint64_t addr[WARP_LANES];
  lane_addresses(w, op, addr);
  reach_t r = reach(w, op);
  if (suspicious(&r, addr, op->access)) {
    uint32_t good = legal(w, op, &r, addr, mask);
    if (good != mask) zero(w, op, mask & ~good);
    mask = good;
    if (mask == 0) return;
  }
  if (r.stride) spread(addr, r.stride);
  for (unsigned k = 0; k < op->n; k++)
    load_one(simt_vector(w, op->d[k]), r.host + k * op->bytes, addr, mask, op->kind,
             op->wide >> k & 1);
})

EXEC_BOTH(store, {
  uint64_t addr[WARP_LANES];
  lane_addresses(w, op, addr);
  reach_t r = writable(w, op);
  if (suspicious(&r, addr, op->access)) {
    mask = legal(w, op, &r, addr, mask);
    if (mask == 0) return;
  }
  if (r.stride)
    spread(addr, r.stride);
  else
    simt_changed(w); /* other warps see it */
  for (unsigned k = 0; k < op->n; k++)
    store_one(simt_vector(w, op->s[1 + k]), r.host + k * op->bytes, addr, mask, op->bytes,
              op->wide >> k & 1);
})

/* One channel of 32 bits; the other channels read 0, as on an H100 for linear memory. */
static void texture(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  uint64_t addr[WARP_LANES];
  lane_addresses(w, op, addr);
  reach_t r = reach(w, op);
  uint32_t good = legal(w, op, &r, addr, mask);
  if (good != mask) zero(w, op, mask & ~good);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    if (!(good >> l & 1)) continue;
    uint32_t texel = *(const lane32_t *)(const void *)(r.host + addr[l]);
    for (unsigned k = 0; k < op->n; k++)
      ((lane32_t *)simt_vector(w, op->d[k]))[l] = k == 0 ? texel : 0;
  }
}

uint32_t simt_reach(warp_stream_t *w, const simt_op_t *op, uint32_t mask, uint8_t *at[WARP_LANES]) {
  uint64_t addr[WARP_LANES] = {0};
  static const reach_t local = {0, 0, NULL, 0, "not the local memory of the thread"};
  lane_addresses(w, op, addr);
  reach_t r = writable(w, op);
  if (r.stride && mask) {
    const unsigned l = (unsigned)__builtin_ctz(mask);
    fault(w, op, l, addr[l], "legal are global and shared memory,", &local);
    return 0;
  }
  mask = legal(w, op, &r, addr, mask);
  for (unsigned l = 0; l < WARP_LANES; l++) at[l] = mask >> l & 1 ? r.host + addr[l] : NULL;
  return mask;
}

void simt_values(const warp_stream_t *w, const simt_op_t *op, uint32_t mask,
                 uint8_t value[WARP_LANES][16]) {
  uint64_t addr[WARP_LANES];
  if (op->warp.atomic) {
    simt_atomic_operands(w, op, mask, value);
    return;
  }
  lane_addresses(w, op, addr);
  reach_t r = reach(w, op);
  mask &= ~bad_lanes(&r, addr, op->access, mask);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned l = (unsigned)__builtin_ctz(left);
    if (!op->store) {
      __builtin_memcpy(value[l], r.host + addr[l] + (uint64_t)l * r.stride, op->access);
      continue;
    }
    for (unsigned k = 0; k < op->n; k++) {
      const uint8_t *v = simt_vector(w, op->s[1 + k]);
      __builtin_memcpy(&value[l][k * op->bytes], v + l * (op->wide >> k & 1 ? 8u : 4u), op->bytes);
    }
  }
}

simt_exec_t exec_access(const ptx_inst_t *i, bool fast) {
  static const exec_pair_t ld = PAIR(load), st = PAIR(store);
  switch (i->op) {
  case PTX_OP_LD:
    return ld.fn[fast];
  case PTX_OP_ST:
    return i->space == PTX_PARAM || i->space == PTX_CONST ? NULL : st.fn[fast];
  case PTX_OP_TEX:
    return texture;
  default:
    return NULL;
  }
}
