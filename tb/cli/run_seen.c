/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_seen.h"

#include "base/json_out.h"
#include "base/output.h"
#include "cli/run_intervals.h"
#include "cli/run_maps.h"
#include "workload/simt/simt.h"

#include <stdlib.h>

struct seen {
  const run_seen_t *asked;
  intervals_t *rows;
  stacks_t *stacks;
  profile_t *profile;
  requests_t *requests;
  timeline_t *timeline;
  maps_t *maps;
  run_profile_names_t names;
};

enum { EVERY = 1000 /* SM cycles of an interval of --profile */ };

void run_seen_settle(run_seen_t *r) {
  r->maps |= r->profile;
  if (r->profile && !r->every) r->every = EVERY;
}

bool run_seen_profiles(const run_seen_t *r) {
  return r->by_pc || r->by_buffer || r->profile;
}

void run_seen_files(const run_seen_t *r, const char *file[RUN_SEEN_FILES]) {
  file[0] = r->csv;
  file[1] = r->by_pc;
  file[2] = r->by_buffer;
  file[3] = r->requests;
  file[4] = r->timeline.file;
  file[5] = r->stacks;
}

int run_seen_check(const run_seen_t *r, mrpb_err_t *err) {
  const char *file[RUN_SEEN_FILES];
  run_seen_files(r, file);
  if (run_timeline_check(&r->timeline, err) != 0) return -1;
  for (unsigned i = 0; i < RUN_SEEN_FILES; i++)
    if (file[i] && output_try(file[i], err) != 0) return -1;
  return 0;
}

/* They are for a file, the timeline, and the maps. */
static int open_requests(seen_t *s, mrpb_err_t *err) {
  const run_seen_t *r = s->asked;
  if (!r->requests && !s->timeline && !s->maps) return 0;
  if (requests_open(&s->requests, r->requests, err) != 0) return -1;
  if (s->timeline) requests_tell(s->requests, timeline_requests(s->timeline));
  if (s->maps) requests_tell(s->requests, maps_requests(s->maps));
  return 0;
}

static int open_intervals(seen_t *s, const gpu_setup_t *setup, mrpb_err_t *err) {
  const run_seen_t *r = s->asked;
  if ((r->stacks || r->profile) && stacks_create(&s->stacks, r->every, setup->cfg->sms, err) != 0)
    return -1;
  if (r->maps && maps_create(&s->maps, setup->cfg, r->every, err) != 0) return -1;
  return intervals_create(&s->rows, r->every, s->stacks, err);
}

int run_seen_open(const run_seen_t *r, const workload_t *w, gpu_setup_t *setup, seen_t **out,
                  mrpb_err_t *err) {
  simt_view_t view;
  seen_t *s = *out = calloc(1, sizeof *s);
  if (!s) return mrpb_fail(err, "run: out of memory");
  s->asked = r;
  if (simt_view(w, &view))
    s->names = (run_profile_names_t){.module = view.module, .arrays = memory_arrays(view.memory)};
  if (r->every && open_intervals(s, setup, err) != 0) return -1;
  if (run_timeline_open(&r->timeline, setup->cfg, &s->names, &s->timeline, err) != 0) return -1;
  if (open_requests(s, err) != 0) return -1;
  if (run_seen_profiles(r) &&
      profile_create(&s->profile, setup->cfg->sms, s->names.arrays, err) != 0)
    return -1;
  setup->requests = s->requests;
  setup->timeline = s->timeline;
  setup->stacks = s->stacks;
  setup->profile = s->profile;
  return 0;
}

int run_seen_end(seen_t *s, bool good, mrpb_err_t *err) {
  int rc = 0;
  if (!s) return 0;
  if (requests_close(s->requests, good, err) != 0) rc = -1;
  if (timeline_close(s->timeline, good && rc == 0, err) != 0) rc = -1;
  s->requests = NULL;
  s->timeline = NULL;
  return rc;
}

void run_seen_close(seen_t *s) {
  mrpb_err_t unsaid = {{0}};
  if (!s) return;
  (void)run_seen_end(s, false, &unsaid);
  intervals_destroy(s->rows);
  stacks_destroy(s->stacks);
  profile_destroy(s->profile);
  maps_destroy(s->maps);
  free(s);
}

gpu_end_t run_seen_run(seen_t *s, gpu_t *gpu, mrpb_err_t *err) {
  const gpu_end_t end = s->rows ? intervals_run(s->rows, gpu, err) : gpu_run(gpu, err);
  if (end == GPU_DONE && s->requests) requests_finish(s->requests);
  if (end == GPU_DONE && s->profile && profile_sum(s->profile, err) != 0) return GPU_FAILED;
  return end;
}

static run_profile_names_t names_of(const seen_t *s, const gpu_t *gpu) {
  run_profile_names_t names = s->names;
  names.shows = gpu_shows(gpu);
  return names;
}

void run_seen_json(const seen_t *s, const gpu_t *gpu, json_t **report) {
  const run_profile_names_t names = names_of(s, gpu);
  if (s->rows) json_out_set(report, "intervals", run_intervals_json(s->rows, s->stacks, gpu));
  if (s->maps) json_out_set(report, "maps", run_maps_json(s->maps));
  if (s->asked->by_pc || s->asked->profile)
    json_out_set(report, "by_pc", run_profile_json(s->profile, &names, PROFILE_BY_PC));
  if (s->asked->by_buffer || s->asked->profile)
    json_out_set(report, "by_buffer", run_profile_json(s->profile, &names, PROFILE_BY_ARRAY));
}

int run_seen_write(const seen_t *s, const gpu_t *gpu, mrpb_err_t *err) {
  const run_seen_t *r = s->asked;
  const run_profile_names_t names = names_of(s, gpu);
  if (r->csv && run_intervals_write(r->csv, s->rows, gpu, err) != 0) return -1;
  if (r->stacks && run_intervals_stacks(r->stacks, s->rows, s->stacks, gpu, err) != 0) return -1;
  if (r->by_pc && run_profile_write(s->profile, &names, PROFILE_BY_PC, r->by_pc, err) != 0)
    return -1;
  return r->by_buffer ? run_profile_write(s->profile, &names, PROFILE_BY_ARRAY, r->by_buffer, err)
                      : 0;
}
