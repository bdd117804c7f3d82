/* SPDX-License-Identifier: Apache-2.0 */
#include "lane_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct lane_check {
  lane_check_cfg_t cfg;
  uint8_t pend_mask; /* of the width of pend_q */
  lane_check_regs_t r;
};

int lane_check_create(lane_check_t **self, const lane_check_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (lane_check_check(cfg, err)) return -1;
  lane_check_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "lane_check: out of memory");
  made->cfg = *cfg;
  made->pend_mask = (uint8_t)bits_mask(bits_count_w(cfg->LANES));
  *self = made;
  return 0;
}

static inline bool is_live(const lane_check_t *self, uint64_t e) {
  return e < self->cfg.ENTRIES && (self->r.live_q[e / 32] >> e % 32 & 1);
}

static inline bool reply_ok(const lane_check_t *self, const lane_check_in_t *in) {
  const lane_check_regs_t *r = &self->r;
  const uint64_t e = in->reply_entry_i, m = in->reply_mask_i;
  return in->reply_valid_i && is_live(self, e) && m != 0 && (m & ~(uint64_t)r->wait_q[e]) == 0 &&
         (r->pend_q[e] == 1) == (m == r->wait_q[e]);
}

/* An issue sees the allocation of the same cycle. */
static inline bool issue_ok(const lane_check_t *self, const lane_check_in_t *in) {
  const uint64_t e = in->issue_entry_i, n = in->issue_mask_i;
  if (!in->issue_valid_i || e >= self->cfg.ENTRIES || n == 0) return false;
  const bool fresh = in->alloc_valid_i && in->alloc_entry_i == e;
  if (!fresh && !is_live(self, e)) return false;
  return (n & ~(fresh ? in->alloc_mask_i : (uint64_t)self->r.todo_q[e])) == 0;
}

void lane_check_comb(const lane_check_t *self, const lane_check_in_t *in, lane_check_out_t *out) {
  out->reply_ok_o = reply_ok(self, in);
  out->issue_ok_o = issue_ok(self, in);
}

void lane_check_edge(lane_check_t *self, const lane_check_in_t *in) {
  lane_check_regs_t *r = &self->r;
  if (!in->srst_ni) {
    memset(r->live_q, 0, sizeof r->live_q);
    return;
  }
  const bool reply = reply_ok(self, in), issue = issue_ok(self, in);
  const uint64_t back = in->reply_entry_i, given = in->alloc_entry_i, sent = in->issue_entry_i;
  if (reply) {
    r->wait_q[back] &= ~(uint32_t)in->reply_mask_i;
    r->pend_q[back] = (uint8_t)((r->pend_q[back] - 1) & self->pend_mask);
  }
  if (in->alloc_valid_i && given < self->cfg.ENTRIES) {
    r->live_q[given / 32] |= UINT32_C(1) << given % 32;
    r->todo_q[given] = (uint32_t)in->alloc_mask_i;
    r->wait_q[given] = 0;
    r->pend_q[given] = 0;
  }
  if (issue) {
    r->todo_q[sent] &= ~(uint32_t)in->issue_mask_i;
    r->wait_q[sent] |= (uint32_t)in->issue_mask_i;
    r->pend_q[sent] = (uint8_t)((r->pend_q[sent] + 1) & self->pend_mask);
  }
}

const lane_check_regs_t *lane_check_regs(const lane_check_t *self) {
  return &self->r;
}

void lane_check_destroy(lane_check_t *self) {
  free(self);
}

#define STEM lane_check
#define PORTS_FILE "ports/lane_check.ports.h"
#include "ports/define.h"
