/* SPDX-License-Identifier: Apache-2.0 */
/* An L1D alone: one cycle with one access, a fill, a drain. */
#ifndef L1D_HELP_H
#define L1D_HELP_H

#include "config/verilog_params.h"
#include "gpu/pipeline/l1d.h"

#include <check.h>

typedef struct {
  packet_pool_t *pool;
  l1d_t *d;
  uint64_t now;
} rig_t;

/* Base-S except for these parameters. */
static inline l1d_cfg_t config(uint32_t sets, uint32_t ways, uint32_t mshrs, uint32_t merges) {
  config_t c;
  config_defaults(&c);
  c.mshr_entries = mshrs;
  c.mshr_merges = merges;
  return (l1d_cfg_t){.sets = sets, .ways = ways, .miss_queue = 8, .mshr = config_mshr_params(&c)};
}

static inline void rig_open(rig_t *r, l1d_cfg_t cfg) {
  mrpb_err_t err = {{0}};
  r->pool = packet_pool_create(64);
  r->now = 0;
  ck_assert_msg(l1d_create(&r->d, &cfg, NULL, 0, r->pool, &err) == 0, "%s", err.text);
}

static inline void rig_close(rig_t *r) {
  l1d_destroy(r->d);
  ck_assert_uint_eq(packet_pool_in_flight(r->pool), 0);
  packet_pool_destroy(r->pool);
}

/* One cycle with one access, which must have this result. */
static inline void try(rig_t *r, bool write, uint64_t addr, tag_array_status_t probe,
                       l1d_reason_t reason) {
  l1d_request_t q = {addr, 32, (uint16_t)(addr / 128 % 48), 1, write, 0, false, 0};
  l1d_answer_t a = l1d_access(r->d, &q, r->now++);
  ck_assert_int_eq(a.probe, probe);
  ck_assert_int_eq(a.reason, reason);
  ck_assert_int_eq(l1d_edge(r->d, NULL), 0);
}

static inline void reads(rig_t *r, uint64_t addr, tag_array_status_t probe, l1d_reason_t reason) {
  try(r, false, addr, probe, reason);
}

static inline void writes(rig_t *r, uint64_t addr, tag_array_status_t probe, l1d_reason_t reason) {
  try(r, true, addr, probe, reason);
}

/* Sends the oldest entry of the miss queue and returns its MSHR entry. */
static inline uint32_t send(rig_t *r, packet_kind_t kind, uint64_t addr) {
  packet_t *p = l1d_to_send(r->d);
  ck_assert_ptr_nonnull(p);
  ck_assert_int_eq(p->kind, kind);
  ck_assert_uint_eq(p->addr, addr);
  ck_assert_ptr_eq(l1d_sent(r->d), p);
  uint32_t entry = p->entry;
  packet_free(r->pool, p);
  return entry;
}

static inline void fill(rig_t *r, uint32_t entry) {
  l1d_fill(r->d, entry, r->now++);
  ck_assert_int_eq(l1d_edge(r->d, NULL), 0);
}

/* One cycle in which the read of `addr` leaves its ready MSHR. */
static inline void drain(rig_t *r, uint64_t addr) {
  uint16_t warp;
  uint16_t reg;
  ck_assert(l1d_ready(r->d, &warp, &reg));
  ck_assert_uint_eq(warp, addr / 128 % 48);
  l1d_take(r->d);
  ck_assert_int_eq(l1d_edge(r->d, NULL), 0);
}

static inline void fetch(rig_t *r, uint64_t addr) {
  reads(r, addr, TAGS_MISS, L1D_NONE);
  fill(r, send(r, PACKET_READ, addr));
  drain(r, addr);
}

#endif
