/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, blocks and warps on a timeline: see timeline.h. */
#include "gpu/timeline/timeline_state.h"

#include <inttypes.h>
#include <stdlib.h>

enum { GROUP_GPU = 1, TRACK_LAUNCHES = 1, BUFFER = 1 << 20 };

/* ---- the file ------------------------------------------------------------------ */

int timeline_open(timeline_t **out, const timeline_setup_t *setup, mrpb_err_t *err) {
  static const uint64_t never_runs = 0;
  timeline_t *t = calloc(1, sizeof *t);
  *out = NULL;
  if (!t) return mrpb_fail(err, "timeline: out of memory");
  t->setup = *setup;
  t->now = &never_runs;
  t->f = output_open(setup->path, t->temp, err);
  if (!t->f) {
    free(t);
    return -1;
  }
  (void)setvbuf(t->f, NULL, _IOFBF, BUFFER);
  events_begin(t);
  events_name_group(t, GROUP_GPU, "GPU");
  events_name_track(t, GROUP_GPU, TRACK_LAUNCHES, "launches");
  *out = t;
  return 0;
}

void timeline_clock(timeline_t *t, const uint64_t *now) {
  t->now = now;
}

bool timeline_has(const timeline_t *t, unsigned sm) {
  return set_has(&t->setup.sms, sm);
}

/* What still runs ends now. */
static void end_all(timeline_t *t) {
  timeline_launch_ends(t);
  for (unsigned i = 0; i < SET_MEMBERS; i++)
    for (unsigned w = 0; t->sm[i] && w < TIMELINE_WARPS; w++)
      if (t->sm[i]->warp[w].runs) timeline_warp_ends(t, i, w);
}

int timeline_close(timeline_t *t, bool good, mrpb_err_t *err) {
  int rc = 0;
  if (!t) return 0;
  if (good) end_all(t);
  fputs("\n]}\n", t->f);
  if (t->out_of_memory) rc = mrpb_fail(err, "%s: out of memory", t->setup.path);
  if (rc == 0 && good) {
    rc = output_close(t->f, ferror(t->f) != 0, t->setup.path, t->temp, err);
  } else {
    (void)fclose(t->f);
    output_discard(t->setup.path, t->temp);
  }
  for (unsigned i = 0; i < SET_MEMBERS; i++) {
    if (t->sm[i]) free(t->sm[i]->lane);
    free(t->sm[i]);
  }
  keymap_free(&t->names);
  free(t->name);
  free(t);
  return rc;
}

static void name_groups(timeline_t *t, unsigned sm) {
  char name[40];
  snprintf(name, sizeof name, "SM %u", sm);
  events_name_group(t, events_group(TIMELINE_OF_WARPS, sm), name);
  snprintf(name, sizeof name, "SM %u requests", sm);
  events_name_group(t, events_group(TIMELINE_OF_REQUESTS, sm), name);
}

timeline_sm_t *timeline_of_sm(timeline_t *t, unsigned sm) {
  if (t->sm[sm] || !timeline_has(t, sm)) return t->sm[sm];
  t->sm[sm] = calloc(1, sizeof *t->sm[sm]);
  t->out_of_memory |= !t->sm[sm];
  if (t->sm[sm]) name_groups(t, sm);
  return t->sm[sm];
}

/* ---- launches and blocks ------------------------------------------------------- */

void timeline_launch_ends(timeline_t *t) {
  char name[TIMELINE_TEXT];
  if (!t->kernel) return;
  events_clean(name, t->kernel);
  const timeline_slice_t s = {GROUP_GPU, TRACK_LAUNCHES, t->launched, *t->now,
                              "launch",  name,           NULL};
  t->kernel = NULL;
  if (!events_wanted(t, s.from, s.to)) return;
  events_slice(t, &s);
  events_end(t);
}

void timeline_launch(timeline_t *t, const char *kernel) {
  timeline_launch_ends(t);
  t->kernel = kernel;
  t->launched = *t->now;
}

/* The first time that something stands on the track of number `n`; *named has a bit for each. */
static void name_track(timeline_t *t, unsigned sm, unsigned first, unsigned n, const char *what,
                       uint64_t *named) {
  char name[40];
  if (*named >> n & 1) return;
  *named |= UINT64_C(1) << n;
  snprintf(name, sizeof name, "%s %u", what, n);
  events_name_track(t, events_group(TIMELINE_OF_WARPS, sm), first + n, name);
}

static void name_warp(timeline_t *t, unsigned sm, unsigned w) {
  name_track(t, sm, TIMELINE_TRACK_WARP, w, "warp", &t->sm[sm]->named_warps);
}

void timeline_block(timeline_t *t, unsigned sm, unsigned slot, uint32_t number, unsigned first,
                    unsigned warps) {
  timeline_sm_t *s = timeline_of_sm(t, sm);
  if (!s) return;
  s->block[slot] = (timeline_block_t){number, warps, *t->now};
  for (unsigned w = first; w < first + warps; w++)
    s->warp[w] = (timeline_warp_t){.runs = true,
                                   .slot = (uint8_t)slot,
                                   .ordinal = (uint8_t)(w - first),
                                   .since = *t->now,
                                   .issued = *t->now};
}

static void end_block(timeline_t *t, unsigned sm, unsigned slot) {
  timeline_sm_t *s = t->sm[sm];
  const timeline_block_t *b = &s->block[slot];
  char name[40];
  snprintf(name, sizeof name, "block %" PRIu32, b->number);
  if (!events_wanted(t, b->since, *t->now)) return;
  name_track(t, sm, TIMELINE_TRACK_BLOCK, slot, "block slot", &s->named_slots);
  events_slice(t,
               &(timeline_slice_t){events_group(TIMELINE_OF_WARPS, sm), TIMELINE_TRACK_BLOCK + slot,
                                   b->since, *t->now, "block", name, NULL});
  events_end(t);
}

/* ---- warps ------------------------------------------------------------------- */

static timeline_slice_t of_warp(timeline_t *t, unsigned sm, unsigned w, uint64_t from) {
  return (timeline_slice_t){.group = events_group(TIMELINE_OF_WARPS, sm),
                            .track = TIMELINE_TRACK_WARP + w,
                            .from = from,
                            .to = *t->now};
}

void timeline_warp_ends(timeline_t *t, unsigned sm, unsigned w) {
  timeline_sm_t *s = timeline_of_sm(t, sm);
  char name[60];
  if (!s || !s->warp[w].runs) return;
  timeline_warp_t *p = &s->warp[w];
  timeline_block_t *b = &s->block[p->slot];
  timeline_slice_t slice = of_warp(t, sm, w, p->since);
  snprintf(name, sizeof name, "block %" PRIu32 ", its warp %u", b->number, p->ordinal);
  slice.kind = "warp";
  slice.name = name;
  p->runs = false;
  if (events_wanted(t, slice.from, slice.to)) {
    name_warp(t, sm, w);
    events_slice(t, &slice);
    events_end(t);
  }
  if (--b->left == 0) end_block(t, sm, p->slot);
}

/* The load that the warp has waited for since its last instruction, and which came last of those that
 * `i` needs; NULL: it waited for none. */
static const timeline_writer_t *awaited(const timeline_sm_t *s, unsigned w, const warp_inst_t *i) {
  const timeline_writer_t *last = NULL;
  const timeline_writer_t *atomic = &s->warp[w].atomic;
  uint64_t at = s->warp[w].issued;
  if (atomic->at > at) {
    last = atomic;
    at = atomic->at;
  }
  for (unsigned k = 0; k < WARP_OPERANDS; k++) {
    const timeline_writer_t *by = &s->writer[i->regs[k]][w];
    if (i->regs[k] == 0 || by->at <= at) continue;
    last = by;
    at = by->at;
  }
  return last;
}

void timeline_issue(timeline_t *t, unsigned sm, unsigned w, const warp_inst_t *i) {
  timeline_sm_t *s = timeline_of_sm(t, sm);
  if (!s) return;
  timeline_warp_t *p = &s->warp[w];
  timeline_slice_t slice = of_warp(t, sm, w, p->issued);
  const timeline_writer_t *by = awaited(s, w, i);
  const bool barrier = p->barrier;
  p->issued = *t->now;
  p->barrier = i->cls == WARP_BARRIER;
  if (i->atomic) p->atomic.pc = i->pc;
  if (slice.from == slice.to || !events_wanted(t, slice.from, slice.to)) return;
  slice.kind = barrier ? "barrier" : by ? "load" : "issue";
  slice.name = barrier ? "barrier" : by ? "waits for " : "";
  if (!barrier) slice.of = events_text(t, by ? by->pc : i->pc);
  name_warp(t, sm, w);
  events_slice(t, &slice);
  if (barrier || by) fprintf(t->f, ",\"args\":{\"then\":\"%s\"}", events_text(t, i->pc));
  events_end(t);
}

void timeline_atomics_done(timeline_t *t, unsigned sm, unsigned w) {
  timeline_sm_t *s = timeline_of_sm(t, sm);
  if (s) s->warp[w].atomic.at = *t->now;
}

void timeline_loaded(timeline_t *t, unsigned sm, unsigned w, const warp_inst_t *i) {
  timeline_sm_t *s = timeline_of_sm(t, sm);
  for (unsigned k = 0; s && k < 4 && i->dst[k]; k++)
    s->writer[i->dst[k]][w] = (timeline_writer_t){*t->now, i->pc};
}
