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
  gpu_memory_t *const *own; /* of each SM, what it sees as its memory; NULL: `memory` itself */
  bool no_sleep;            /* run every cycle of every SM; same results, only slower */
  int shown;                /* the SM of which a wave is made, which never sleeps; -1: none */
  requests_t *requests;     /* records their loads; NULL: nobody does */
  timeline_t *timeline;     /* NULL: none */
  profile_t *profile;       /* counts by instruction and array; NULL: nobody does */
} sms_setup_t;

/* Returns 0, or -1 and a message in err. What the setup points to must outlive the SMs. */
int sms_create(cores_t **out, const sms_setup_t *setup, mrpb_err_t *err);
sm_t *sms_sm(const cores_t *c, unsigned i);
/* `hook` is called once in each cycle for the shown SM: just before the edge of its units, or, if it
 * is not run, at the end of the cycle. */
void sms_set_hook(cores_t *c, void (*hook)(void *ctx, sm_t *sm), void *ctx);

/* ---- SMs that run apart from each other, as docs/threads.md says ------------------------------ */

/* Why an SM has stopped before cycle `at`: it has come to the end; it has room for a block while blocks
 * are left; it cannot go on, for `err`. Or in that cycle, since it must know its room in the
 * interconnect: before it sends what waits, or before the fetch of a line. */
typedef enum { SMS_END, SMS_BLOCK, SMS_FAILED, SMS_SEND, SMS_FETCH } sms_stop_t;
static inline bool sms_stop_for_room(sms_stop_t why) {
  return why >= SMS_SEND;
}

typedef struct {
  uint64_t at;
  sms_stop_t why;
  bool awake, for_room, receiving; /* as in the sets of sms.c */
  bool had_blocks;                 /* when the cycle began */
  uint64_t run;                    /* cycles that were run, not slept through */
  uint64_t left_at; /* the cycle after its last block left; if it had none, the first cycle */
  mrpb_err_t err;
} sms_apart_t;

/* What the SM's memory must tell: it goes to cycle `at`, and says whether a reply comes in it; it knows
 * which of these requests, in this order, find room now; the next cycle with a reply, UINT64_MAX if
 * none. */
typedef struct {
  bool (*go)(gpu_memory_t *own, uint64_t at);
  bool (*knows)(const gpu_memory_t *own, const sm_sends_t *sends, unsigned n);
  uint64_t (*next)(const gpu_memory_t *own);
} sms_sight_t;

/* sms_part: SM `i` leaves the others before cycle `now`. sms_run_apart: runs it up to cycle `to`, or to
 * a stop; `more`: blocks are left. Different SMs may do this in different threads. sms_join: it is with
 * the others again, all of which have come to the same cycle. */
void sms_part(const cores_t *c, unsigned i, uint64_t now, sms_apart_t *a);
void sms_run_apart(const cores_t *c, unsigned i, sms_apart_t *a, const sms_sight_t *sight,
                   uint64_t to, bool more);
void sms_join(cores_t *c, unsigned i, const sms_apart_t *a);

#endif
