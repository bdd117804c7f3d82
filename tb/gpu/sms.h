/* SPDX-License-Identifier: Apache-2.0 */
/* The cores of the paper's GPU: its SMs (gpu/pipeline/sm.h). An SM that only waits is not run; what its
 * cycles would have counted is counted when it wakes. */
#ifndef GPU_SMS_H
#define GPU_SMS_H

#include "gpu/cores/cores.h"
#include "gpu/memories/memory.h"
#include "gpu/pipeline/sm.h"

typedef struct {
  const config_t *cfg;
  workload_t *workload;
  const unit_choice_t *choice; /* NULL: C models everywhere */
  gpu_memory_t *memory;
  bool no_sleep;        /* run every cycle of every SM; same results, only slower */
  int shown;            /* the SM of which a wave is made, which never sleeps; -1: none */
  requests_t *requests; /* records their loads; NULL: nobody does */
} sms_setup_t;

/* Returns 0, or -1 and a message in err. What the setup points to must outlive the SMs. */
int sms_create(cores_t **out, const sms_setup_t *setup, mrpb_err_t *err);
sm_t *sms_sm(const cores_t *c, unsigned i);
/* `hook` is called once in each cycle for the shown SM: just before the edge of its units, or, if it
 * is not run, at the end of the cycle. */
void sms_set_hook(cores_t *c, void (*hook)(void *ctx, sm_t *sm), void *ctx);

#endif
