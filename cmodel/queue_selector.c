/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_selector.h"

#include <stdlib.h>

int queue_selector_create(queue_selector_t **self, const queue_selector_cfg_t *cfg,
                          mrpb_err_t *err) {
  *self = NULL;
  if (queue_selector_check(cfg, err)) return -1;
  queue_selector_t *made = calloc(1, sizeof *made);
  if (!made) return mrpb_fail(err, "queue_selector: out of memory");
  made->cfg = *cfg;
  *self = made;
  return 0;
}

void queue_selector_comb(const queue_selector_t *self, const queue_selector_in_t *in,
                         queue_selector_out_t *out) {
  uint64_t signature = self->cfg.SIGNATURE == MRPB_SIGNATURE_BLOCK  ? in->block_i
                       : self->cfg.SIGNATURE == MRPB_SIGNATURE_WARP ? in->warp_i
                                                                    : in->block_warp_i;
  uint32_t id = signature & 63;
  out->queue_o = id < self->cfg.QUEUES ? id : id % self->cfg.QUEUES;
}

void queue_selector_destroy(queue_selector_t *self) {
  free(self);
}

#define STEM queue_selector
#define PORTS_FILE "ports/queue_selector.ports.h"
#define COMBINATIONAL
#include "ports/define.h"
