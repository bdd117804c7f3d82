/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_seen.h"

#include "base/json_out.h"
#include "base/output.h"
#include "cli/run_intervals.h"
#include "workload/simt/simt.h"

#include <stdlib.h>

struct seen {
  const run_seen_t *asked;
  intervals_t *rows;
  stacks_t *stacks;
  profile_t *profile;
  run_profile_names_t names;
};

void run_seen_files(const run_seen_t *r, const char *file[RUN_SEEN_FILES]) {
  file[0] = r->csv;
  file[1] = r->by_pc;
  file[2] = r->by_buffer;
  file[3] = r->stacks;
}

bool run_seen_any(const run_seen_t *r) {
  return r->every || r->csv || r->stacks || r->by_pc || r->by_buffer;
}

int run_seen_check(const run_seen_t *r, bool json, mrpb_err_t *err) {
  const char *file[RUN_SEEN_FILES];
  run_seen_files(r, file);
  if (r->csv && !r->every)
    return mrpb_fail(err, "--interval-csv: legal: with --interval N, the cycles of an interval");
  if (r->stacks && !r->every)
    return mrpb_fail(err, "--interval-stacks: legal: with --interval N, the cycles of an interval");
  if (r->every && !r->csv && !r->stacks && !json)
    return mrpb_fail(
        err, "--interval: legal: with --interval-csv FILE, --interval-stacks FILE or --json FILE");
  for (unsigned i = 0; i < RUN_SEEN_FILES; i++)
    if (file[i] && output_try(file[i], err) != 0) return -1;
  return 0;
}

static int open_intervals(seen_t *s, gpu_setup_t *setup, mrpb_err_t *err) {
  const uint64_t every = s->asked->every;
  if (s->asked->stacks && stacks_create(&s->stacks, every, setup->cfg->sms, err) != 0) return -1;
  setup->stacks = s->stacks;
  return intervals_create(&s->rows, every, s->stacks, err);
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
  if (!r->by_pc && !r->by_buffer) return 0;
  if (profile_create(&s->profile, setup->cfg->sms, s->names.arrays, err) != 0) return -1;
  setup->profile = s->profile;
  return 0;
}

void run_seen_close(seen_t *s) {
  if (!s) return;
  intervals_destroy(s->rows);
  stacks_destroy(s->stacks);
  profile_destroy(s->profile);
  free(s);
}

gpu_end_t run_seen_run(seen_t *s, gpu_t *gpu, mrpb_err_t *err) {
  const gpu_end_t end = s->rows ? intervals_run(s->rows, gpu, err) : gpu_run(gpu, err);
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
  if (s->asked->by_pc) json_out_set(report, "by_pc", run_profile_json(s->profile, &names, false));
  if (s->asked->by_buffer)
    json_out_set(report, "by_buffer", run_profile_json(s->profile, &names, true));
}

int run_seen_write(const seen_t *s, const gpu_t *gpu, mrpb_err_t *err) {
  const run_seen_t *r = s->asked;
  const run_profile_names_t names = names_of(s, gpu);
  if (r->csv && run_intervals_write(r->csv, s->rows, gpu, err) != 0) return -1;
  if (r->stacks && run_intervals_stacks(r->stacks, s->rows, s->stacks, gpu, err) != 0) return -1;
  if (r->by_pc && run_profile_write(s->profile, &names, false, r->by_pc, err) != 0) return -1;
  return r->by_buffer ? run_profile_write(s->profile, &names, true, r->by_buffer, err) : 0;
}
