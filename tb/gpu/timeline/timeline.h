/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline of warps, blocks, launches and requests, as Chrome trace events: docs/timeline.md. The
 * cores tell what happens; the time is that of `clock`, in SM cycles. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "base/set.h"
#include "err.h"
#include "parts/requests.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIMELINE_TEXT = 200 };

/* What overlaps cycles `from` to `to`, of the SMs in `sms`. `text`: writes what stands at `pc`, e.g. "line
 * 7: add.s32 %r1, %r2, 4;". `array`: the name of the array that has `addr`, NULL if there is none. */
typedef struct {
  const char *path;
  uint64_t from, to;
  set_t sms;
  void (*text)(const void *ctx, uint32_t pc, char to[TIMELINE_TEXT]);
  const char *(*array)(const void *ctx, uint64_t addr);
  const void *ctx;
} timeline_setup_t;

typedef struct timeline timeline_t;

/* The setup's strings and objects must outlive the timeline. Returns 0, or -1 and a message in err;
 * *out is NULL then. */
int timeline_open(timeline_t **out, const timeline_setup_t *setup, mrpb_err_t *err);
/* Ends what is still open, and, if `good`, gives the file its name. Takes NULL. Returns 0, or -1 and a
 * message in err. */
int timeline_close(timeline_t *t, bool good, mrpb_err_t *err);
void timeline_clock(timeline_t *t, const uint64_t *now);
/* Whether SM `sm` is to tell. */
bool timeline_has(const timeline_t *t, unsigned sm);

void timeline_launch(timeline_t *t, const char *kernel);
void timeline_launch_ends(timeline_t *t);
/* Block `number` takes `slot` of SM `sm`, with `warps` warps from warp `first` on; the last of its
 * warps to end ends it. */
void timeline_block(timeline_t *t, unsigned sm, unsigned slot, uint32_t number, unsigned first,
                    unsigned warps);
void timeline_warp_ends(timeline_t *t, unsigned sm, unsigned warp);
/* The warp issues `i`; load `i` of the warp has all of its data. */
void timeline_issue(timeline_t *t, unsigned sm, unsigned warp, const warp_inst_t *i);
void timeline_loaded(timeline_t *t, unsigned sm, unsigned warp, const warp_inst_t *i);
/* All atomics of the warp, which could not issue since, are done. */
void timeline_atomics_done(timeline_t *t, unsigned sm, unsigned warp);

/* Requests, from what follows them. */
requests_sink_t timeline_requests(timeline_t *t);

#endif
