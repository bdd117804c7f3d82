/* SPDX-License-Identifier: Apache-2.0 */
/* A PRT under test: its inputs are put together by name, then run for a cycle. */
#ifndef PRT_HELP_H
#define PRT_HELP_H

#include "prt.h"

#include <check.h>
#include <string.h>

typedef struct {
  prt_t *self;
  prt_cfg_t cfg;
  prt_in_t in;
  prt_out_t out;
} bench_t;

static inline bench_t make_with(prt_cfg_t cfg) {
  bench_t b = {.cfg = cfg, .in = {.srst_ni = 1}};
  ck_assert_int_eq(prt_create(&b.self, &b.cfg, NULL), 0);
  return b;
}

/* With its checker. */
static inline bench_t make(uint32_t entries, uint32_t lanes, uint32_t offset_w, uint32_t order) {
  return make_with((prt_cfg_t){entries, lanes, offset_w, .TAG_W = 64, .ORDER = order, .CHECK = 1});
}

/* Bit by bit, so that no word boundary is special. */
static inline uint64_t get(const uint64_t *words, unsigned at, unsigned width) {
  uint64_t v = 0;
  for (unsigned i = 0; i < width; i++) v |= (words[(at + i) / 64] >> (at + i) % 64 & 1) << i;
  return v;
}

static inline void put(uint64_t *words, unsigned at, unsigned width, uint64_t v) {
  for (unsigned i = 0; i < width; i++) words[(at + i) / 64] |= (v >> i & 1) << (at + i) % 64;
}

/* The cycle is put together by these, then run by step. Lane l gets offset first + l. */
static inline bench_t *alloc(bench_t *b, uint64_t mask, uint64_t tag, uint64_t first) {
  b->in.alloc_valid_i = 1;
  b->in.alloc_mask_i = mask;
  b->in.alloc_tag_i = tag;
  for (unsigned l = 0; l < b->cfg.LANES; l++)
    put(b->in.alloc_offset_i, l * b->cfg.OFFSET_W, b->cfg.OFFSET_W, first + l);
  return b;
}

static inline bench_t *issue(bench_t *b, uint64_t entry, uint64_t mask) {
  b->in.issue_valid_i = 1;
  b->in.issue_entry_i = entry;
  b->in.issue_mask_i = mask;
  return b;
}

static inline bench_t *reply(bench_t *b, uint64_t entry, uint64_t mask) {
  b->in.reply_valid_i = 1;
  b->in.reply_entry_i = entry;
  b->in.reply_mask_i = mask;
  return b;
}

static inline const prt_out_t *step(bench_t *b) {
  memset(&b->out, 0xff, sizeof b->out);
  prt_comb(b->self, &b->in, &b->out);
  prt_edge(b->self, &b->in);
  b->in = (prt_in_t){.srst_ni = 1};
  return &b->out;
}

#endif
