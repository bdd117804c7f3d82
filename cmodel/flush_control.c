/* SPDX-License-Identifier: Apache-2.0 */
#include "flush_control.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int flush_control_create(flush_control_t **self, const flush_control_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (flush_control_check(cfg, err)) return -1;
  flush_control_t *made = calloc(1, sizeof *made);
  if (!made) return mrpb_fail(err, "flush_control: out of memory");
  made->cfg = *cfg;
  *self = made;
  return 0;
}

void flush_control_comb(const flush_control_t *self, const flush_control_in_t *in,
                        flush_control_out_t *out) {
  memset(out, 0, sizeof *out);
  if (!in->in_valid_i) return;
  if (in->in_kind_i >= MRPB_KIND_BARRIER) {
    out->in_ready_o = !in->block_busy_i;
    return;
  }
  uint64_t q = in->in_queue_i;
  bool exists = q < self->cfg.QUEUES;
  bool full = !exists || (in->full_i >> q & 1);
  bool empty = exists && (in->empty_i >> q & 1);
  if (in->in_kind_i == MRPB_KIND_READ || !self->cfg.FLUSH) {
    out->storable_o = 1;
    out->store_o = !full;
    out->flush_full_o = full && self->cfg.FLUSH;
  } else {
    out->pass_o = empty && in->slot_i;
    out->flush_write_o = !empty;
  }
  out->in_ready_o = out->store_o || out->pass_o;
  out->force_valid_o = out->flush_full_o || out->flush_write_o;
  out->force_queue_o = out->force_valid_o ? q : 0;
}

void flush_control_destroy(flush_control_t *self) {
  free(self);
}

#define STEM flush_control
#define PORTS_FILE "ports/flush_control.ports.h"
#define COMBINATIONAL
#include "ports/define.h"
