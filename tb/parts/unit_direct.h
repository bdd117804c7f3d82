/* SPDX-License-Identifier: Apache-2.0 */
/* The units by their modules' own types. If a unit is nothing but the C model, its functions are
 * called directly, including the fast ones of module_fast_t (docs/verify/one_model.md); otherwise
 * every call goes through the unit's `comb` and `edge`. This is the only place that makes this
 * distinction. */
#ifndef UNIT_DIRECT_H
#define UNIT_DIRECT_H

#include "mrpb.h"
#include "mshr.h"
#include "parts/unit.h"
#include "prt.h"

static inline void unit_mrpb_comb(const unit_t *u, const mrpb_in_t *in, mrpb_out_t *out) {
  if (u->plain)
    mrpb_comb(u->plain, in, out);
  else
    unit_comb(u, (const uint64_t *)in, (uint64_t *)out);
}

/* Sets only the outputs that depend on no input: the presented request, and held_o. */
static inline void unit_mrpb_front(const unit_t *u, const mrpb_in_t *in, mrpb_out_t *out) {
  if (u->plain)
    mrpb_front(u->plain, out);
  else
    unit_comb(u, (const uint64_t *)in, (uint64_t *)out);
}

/* Sets the outputs. Returns true if it has also executed the clock edge, so that unit_edge must not
 * follow; it does so only if `edge` allows it. */
static inline bool unit_mrpb_step(const unit_t *u, bool edge, const mrpb_in_t *in,
                                  mrpb_out_t *out) {
  if (u->plain && edge) {
    mrpb_step(u->plain, in, out);
    return true;
  }
  unit_mrpb_comb(u, in, out);
  return false;
}

static inline void unit_mshr_comb(const unit_t *u, const mshr_in_t *in, mshr_out_t *out) {
  if (u->plain)
    mshr_comb(u->plain, in, out);
  else
    unit_comb(u, (const uint64_t *)in, (uint64_t *)out);
}

/* Sets only the outputs of the drain port, which depend on no input. */
static inline void unit_mshr_drain(const unit_t *u, const mshr_in_t *in, mshr_out_t *out) {
  if (u->plain)
    mshr_drain(u->plain, out);
  else
    unit_comb(u, (const uint64_t *)in, (uint64_t *)out);
}

static inline int unit_mshr_edge(const unit_t *u, const mshr_in_t *in, mrpb_err_t *err) {
  if (!u->plain) return unit_edge(u, (const uint64_t *)in, err);
  mshr_edge(u->plain, in);
  return 0;
}

/* Sets only the outputs other than reply_offset_o. */
static inline void unit_prt_control(const unit_t *u, const prt_in_t *in, prt_out_t *out) {
  if (u->plain)
    prt_control(u->plain, in, out);
  else
    unit_comb(u, (const uint64_t *)in, (uint64_t *)out);
}

#endif
