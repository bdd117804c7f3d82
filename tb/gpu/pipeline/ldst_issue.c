/* SPDX-License-Identifier: Apache-2.0 */
/* Memory instructions at issue: lanes become transactions, which wait for the LDST unit. */
#include "gpu/pipeline/sm_state.h"

/* For the PRT, which uses only those of active lanes. */
static void keep_offsets(sm_accesses_t *a, const uint64_t addr[WARP_LANES], uint32_t mask) {
  if (mask == UINT32_MAX) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      a->offset[lane] = (uint8_t)(addr[lane] % COALESCER_LINE);
    return;
  }
  for (; mask; mask &= mask - 1) {
    unsigned lane = (unsigned)__builtin_ctz(mask);
    a->offset[lane] = (uint8_t)(addr[lane] % COALESCER_LINE);
  }
}

static unsigned coalesce(const warp_inst_t *i, const uint64_t addr[WARP_LANES], uint32_t mask,
                         coalesced_t t[COALESCER_MOST]) {
  const unsigned parts = warp_inst_parts(i);
  if (i->atomic) return coalescer_atomic(addr, mask, i->elem, t);
  if (parts > 1) return coalescer_words(addr, mask, parts, WARP_LOCAL_STEP, t);
  return coalescer_run(addr, mask, i->elem, t);
}

/* Words of 4 bytes, as a mask over their line. */
static uint32_t words_of(uint64_t addr, uint32_t bytes) {
  const uint32_t first = (uint32_t)(addr % COALESCER_LINE) / 4;
  const uint32_t last = (uint32_t)(addr % COALESCER_LINE + bytes - 1) / 4;
  return UINT32_MAX >> (31 - (last - first)) << first;
}

/* The words of all bytes of the transactions; false if the lanes may not access all of them. */
static bool touch_all(const sm_port_t *p, const sm_accesses_t *a, uint32_t lane_bytes, bool write) {
  uint32_t bytes = 0;
  for (unsigned n = 0; n < a->left; n++) bytes += a->t[n].bytes;
  if (bytes != lane_bytes) return false;
  for (unsigned n = 0; n < a->left; n++)
    sm_port_touches(p, a->t[n].addr / COALESCER_LINE, words_of(a->t[n].addr, a->t[n].bytes), write);
  return true;
}

/* Tells a memory that looks. */
static void touch(const sm_t *sm, const warp_inst_t *i, const uint64_t addr[WARP_LANES],
                  uint32_t mask, const sm_accesses_t *a) {
  const sm_port_t *p = &sm->port;
  const bool write = i->cls == WARP_STORE;
  uint64_t line = UINT64_MAX;
  uint32_t words = 0;
  if (!sm_port_looks(p) || i->local) return;
  if (touch_all(p, a, i->elem * (uint32_t)__builtin_popcount(mask), write)) return;
  for (; mask; mask &= mask - 1) {
    const uint64_t at = addr[__builtin_ctz(mask)];
    if (at / COALESCER_LINE != line) {
      if (words) sm_port_touches(p, line, words, write);
      line = at / COALESCER_LINE;
      words = 0;
    }
    words |= words_of(at, i->elem);
  }
  if (words) sm_port_touches(p, line, words, write);
}

void sm_ldst_issue(sm_t *sm, unsigned w, const warp_inst_t *i, unsigned slot, uint32_t mask) {
  const warp_stream_t *stream = sm_warps_at(&sm->warps, w)->stream;
  sm_accesses_t *a = &sm->ldst.access[slot];
  uint64_t addr[WARP_LANES];
  warp_stream_addresses(sm_warps_workload(&sm->warps), stream, addr);
  if (i->space != WARP_GLOBAL) {
    sm_side_coalesce(sm, i, addr, mask, a);
    if (i->atomic) sm_warps_atomics_sent(&sm->warps, w, 1);
    return;
  }
  a->left = coalesce(i, addr, mask, a->t);
  a->none = a->left == 0;
  a->issued = sm_run_until(&sm->run);
  if (sm->check) check_issue(sm->check, w, stream, i, addr, mask, a->t, a->left, a->data);
  touch(sm, i, addr, mask, a);
  if (sm_l1_path_there(&sm->l1_path)) sm_l1_path_issue(sm, slot, i, addr, mask, a);
  sm_ldst_keep_order(sm, w, slot);
  if (sm_bypass_there(&sm->bypass)) keep_offsets(a, addr, mask);
  if (i->atomic) {
    sm->stats.atomics++;
    sm->stats.atomic_lines += a->left;
    sm_warps_atomics_sent(&sm->warps, w, a->left);
  } else if (i->cls == WARP_LOAD) {
    sm->stats.loads++;
    sm->stats.local_loads += i->local;
    sm->stats.load_lines += a->left;
  } else {
    sm->stats.stores++;
    sm->stats.local_stores += i->local;
    sm->stats.store_lines += a->left;
  }
  if (sm->profiled) sm_profiled_lines(sm, w, i, addr, mask, a);
  sm_warps_memory_issued(&sm->warps, w);
}
