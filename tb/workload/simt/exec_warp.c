/* SPDX-License-Identifier: Apache-2.0 */
/* Operations between the lanes of a warp. With a member mask, an operation is between the mask's
 * lanes that have not ended; all of them must be at this instruction with the same mask. Without
 * one, it is between the lanes at this instruction. */
#include "workload/simt/exec.h"

/* The lanes that have not ended. */
static uint32_t living(const warp_stream_t *w) {
  uint32_t lanes = w->now.mask;
  for (unsigned i = 0; i < w->below; i++) lanes |= w->stack[i].mask;
  return lanes;
}

/* Different lanes may have different masks: group[l] holds the lanes that lane l operates with.
 * False after a fault; cases that PTX leaves open are not guessed. */
static bool find_groups(warp_stream_t *w, const simt_op_t *op, unsigned source, uint32_t mask,
                        uint32_t group[WARP_LANES]) {
  const lane32_t *member = simt_vector(w, op->s[source]);
  const uint32_t alive = living(w);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned l = (unsigned)__builtin_ctz(left);
    const uint32_t here = member[l] & alive;
    group[l] = here;
    if (!(member[l] >> l & 1)) {
      simt_fault(w, op, l, "it is not in its member mask 0x%08x", member[l]);
      return false;
    }
    if (here & ~mask) {
      simt_fault(w, op, l,
                 "lanes 0x%08x of its member mask 0x%08x are elsewhere in the program; legal: "
                 "lanes that have ended, or are here",
                 here & ~mask, member[l]);
      return false;
    }
    for (uint32_t m = here; m; m &= m - 1) {
      unsigned other = (unsigned)__builtin_ctz(m);
      if (member[other] == member[l]) continue;
      simt_fault(w, op, l, "its member mask is 0x%08x; lane %u, which is in it, has 0x%08x",
                 member[l], other, member[other]);
      return false;
    }
  }
  return true;
}

/* The mask is source `source` if the instruction has one. */
static bool groups_of(warp_stream_t *w, const simt_op_t *op, unsigned source, uint32_t mask,
                      uint32_t group[WARP_LANES]) {
  if (op->inst->sync) return find_groups(w, op, source, mask, group);
  for (unsigned l = 0; l < WARP_LANES; l++) group[l] = mask;
  return true;
}

static void write_32(const warp_stream_t *w, simt_place_t to, const uint32_t *value,
                     uint32_t mask) {
  if (to) exec_blend32(simt_vector(w, to), value, mask);
}

static void write_pred(const warp_stream_t *w, simt_place_t to, uint32_t value, uint32_t mask) {
  if (to) exec_set_pred(w, to, value, mask);
}

/* ---- shfl ------------------------------------------------------------------ */

/* The lane that lane `l` reads, or -1 if it is outside the segment. `c` holds the clamp and the
 * segment mask. */
static int source_lane(unsigned what, unsigned l, uint32_t b, uint32_t c) {
  const int lane = (int)l, step = (int)(b & 31);
  const int segment = (int)(c >> 8 & 31), clamp = (int)(c & 31);
  const int most = (lane & segment) | (clamp & ~segment & 31), least = lane & segment;
  int from = lane;
  switch (what) {
  case PTX_SHFL_UP:
    from = lane - step;
    return from >= most ? from : -1;
  case PTX_SHFL_DOWN:
    from = lane + step;
    break;
  case PTX_SHFL_BFLY:
    from = lane ^ step;
    break;
  default:
    from = least | (step & ~segment & 31);
    break;
  }
  return from <= most ? from : -1;
}

/* A lane outside the reading lane's group provides no value. PTX leaves the result open; here it is
 * the same as for a lane outside the segment. */
static void shuffle(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane32_t *a = simt_vector(w, op->s[0]), *b = simt_vector(w, op->s[1]);
  const lane32_t *c = simt_vector(w, op->s[2]);
  uint32_t group[WARP_LANES], value[WARP_LANES] = {0}, there = 0;
  if (!groups_of(w, op, 3, mask, group)) return;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned l = (unsigned)__builtin_ctz(left);
    int from = source_lane(op->inst->what, l, b[l], c[l]);
    there |= (uint32_t)(from >= 0) << l;
    value[l] = a[from >= 0 && (group[l] >> from & 1) ? (unsigned)from : l];
  }
  write_32(w, op->d[0], value, mask);
  write_pred(w, op->d[1], there, mask);
}

/* ---- vote, match, redux ---------------------------------------------------- */

static void vote(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const uint32_t p = exec_pred(w, op, 0);
  uint32_t group[WARP_LANES], value[WARP_LANES] = {0}, yes = 0;
  if (!groups_of(w, op, 1, mask, group)) return;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned l = (unsigned)__builtin_ctz(left);
    const uint32_t set = p & group[l];
    const bool all = set == group[l], any = set != 0;
    value[l] = set;
    bool is = op->inst->what == PTX_VOTE_ALL   ? all
              : op->inst->what == PTX_VOTE_ANY ? any
                                               : all || !any;
    yes |= (uint32_t)is << l;
  }
  if (op->inst->what == PTX_VOTE_BALLOT)
    write_32(w, op->d[0], value, mask);
  else
    write_pred(w, op->d[0], yes, mask);
}

static uint64_t lane_value(const void *a, unsigned l, bool wide) {
  return wide ? ((const lane64_t *)a)[l] : ((const lane32_t *)a)[l];
}

static void match(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const void *a = simt_vector(w, op->s[0]);
  const bool wide = op->inst->type == PTX_B64;
  uint32_t group[WARP_LANES], value[WARP_LANES] = {0}, all = 0;
  if (!groups_of(w, op, 1, mask, group)) return;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned l = (unsigned)__builtin_ctz(left);
    for (uint32_t m = group[l]; m; m &= m - 1) {
      unsigned other = (unsigned)__builtin_ctz(m);
      if (lane_value(a, other, wide) == lane_value(a, l, wide)) value[l] |= UINT32_C(1) << other;
    }
    const bool same = value[l] == group[l];
    all |= (uint32_t)same << l;
    if (op->inst->what == PTX_MATCH_ALL && !same) value[l] = 0;
  }
  write_32(w, op->d[0], value, mask);
  write_pred(w, op->d[1], all, mask);
}

static uint32_t reduce(unsigned what, bool is_signed, uint32_t a, uint32_t b) {
  const bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
  switch (what) {
  case PTX_ATOMIC_ADD:
    return a + b;
  case PTX_ATOMIC_MIN:
    return less ? a : b;
  case PTX_ATOMIC_MAX:
    return less ? b : a;
  case PTX_ATOMIC_AND:
    return a & b;
  case PTX_ATOMIC_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

static void redux(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane32_t *a = simt_vector(w, op->s[0]);
  uint32_t group[WARP_LANES], value[WARP_LANES] = {0};
  if (!groups_of(w, op, 1, mask, group)) return;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned l = (unsigned)__builtin_ctz(left);
    uint32_t m = group[l];
    uint32_t sum = a[__builtin_ctz(m)];
    for (m &= m - 1; m; m &= m - 1)
      sum = reduce(op->inst->what, op->inst->type == PTX_S32, sum, a[__builtin_ctz(m)]);
    value[l] = sum;
  }
  write_32(w, op->d[0], value, mask);
}

/* ---- lanes at this instruction --------------------------------------------- */

static void active_mask(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  uint32_t value[WARP_LANES];
  for (unsigned l = 0; l < WARP_LANES; l++) value[l] = mask;
  write_32(w, op->d[0], value, mask);
}

static void elect(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  uint32_t group[WARP_LANES], value[WARP_LANES] = {0}, leads = 0;
  if (!groups_of(w, op, 0, mask, group)) return;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned l = (unsigned)__builtin_ctz(left);
    value[l] = (uint32_t)__builtin_ctz(group[l]);
    leads |= (uint32_t)(value[l] == l) << l;
  }
  write_32(w, op->d[0], value, mask);
  write_pred(w, op->d[1], leads, mask);
}

/* The lanes of each mask must have met; otherwise it is a fault. */
static void meet(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  uint32_t group[WARP_LANES];
  (void)groups_of(w, op, 0, mask, group);
}

static void pause(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  (void)w, (void)op, (void)mask;
}

simt_exec_t exec_warp(const ptx_inst_t *i) {
  switch (i->op) {
  case PTX_OP_SHFL:
    return shuffle;
  case PTX_OP_VOTE:
    return vote;
  case PTX_OP_MATCH:
    return match;
  case PTX_OP_REDUX:
    return redux;
  case PTX_OP_ACTIVEMASK:
    return active_mask;
  case PTX_OP_ELECT:
    return elect;
  case PTX_OP_WARPBAR:
    return meet;
  case PTX_OP_NANOSLEEP:
    return pause;
  default:
    return NULL;
  }
}

/* ---- formats of operands -------------------------------------------------------- */

bool simt_is_collective(const ptx_inst_t *i) {
  return exec_warp(i) != NULL;
}

lane_t simt_collective_source(const ptx_inst_t *i, unsigned source) {
  if (source > 0) return LANE_32;
  if (i->op == PTX_OP_VOTE) return LANE_PRED;
  return i->op == PTX_OP_MATCH && i->type == PTX_B64 ? LANE_64 : LANE_32;
}

lane_t simt_collective_target(const ptx_inst_t *i, unsigned target) {
  if (target > 0 || (i->op == PTX_OP_VOTE && i->type == PTX_PRED)) return LANE_PRED;
  return LANE_32;
}
