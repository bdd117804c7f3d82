/* SPDX-License-Identifier: Apache-2.0 */
/* What `mrpb run` shows of a run besides its counts: counts over time (docs/intervals.md), counts by
 * instruction and by buffer (docs/profile.md), maps (docs/maps.md), requests
 * (docs/align.md), and a timeline (docs/timeline.md). Their options and files. */
#ifndef CLI_RUN_SEEN_H
#define CLI_RUN_SEEN_H

#include "cli/run_profile.h"
#include "cli/run_timeline.h"
#include "gpu/gpu.h"

#include <jansson.h>

enum { RUN_SEEN_FILES = 6 };

/* `every` 0: no intervals. `profile`: all that the report's page shows, in the JSON. */
typedef struct {
  uint64_t every;
  bool maps, profile;
  const char *csv, *stacks, *by_pc, *by_buffer, *requests;
  run_timeline_t timeline;
} run_seen_t;

/* What `profile` asks for, in the other members; before anything else. */
void run_seen_settle(run_seen_t *r);
/* Whether counts by instruction or by buffer are asked for. */
bool run_seen_profiles(const run_seen_t *r);
/* The names of its files; NULL for each that is not asked for. */
void run_seen_files(const run_seen_t *r, const char *file[RUN_SEEN_FILES]);
/* Refuses a window that is none, and files that cannot be written. */
int run_seen_check(const run_seen_t *r, mrpb_err_t *err);

/* What has been seen, while the GPU is there. */
typedef struct seen seen_t;
/* Puts what the GPU is to fill into its setup. Returns 0, or -1 and a message in err; the caller closes
 * it all the same. */
int run_seen_open(const run_seen_t *r, const workload_t *w, gpu_setup_t *setup, seen_t **out,
                  mrpb_err_t *err);
/* Ends the files that are written during the run, before the GPU is destroyed; they appear if `good`.
 * Returns 0, or -1 and a message in err. */
int run_seen_end(seen_t *s, bool good, mrpb_err_t *err);
void run_seen_close(seen_t *s);

/* gpu_run. */
gpu_end_t run_seen_run(seen_t *s, gpu_t *gpu, mrpb_err_t *err);
/* After the run. Adds the lists to `report`, which becomes NULL if memory runs out; writes the
 * files. Returns 0, or -1 and a message in err. */
void run_seen_json(const seen_t *s, const gpu_t *gpu, json_t **report);
int run_seen_write(const seen_t *s, const gpu_t *gpu, mrpb_err_t *err);

#endif
