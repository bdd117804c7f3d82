/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, blocks and warps on a timeline: see timeline.h. */
#include "gpu/timeline/timeline_state.h"

#include <inttypes.h>
#include <stdlib.h>

enum { GROUP_GPU = 1, TRACK_LAUNCHES = 1 };

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
  (void)setvbuf(t->f, NULL, _IONBF, 0);
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
  events_flush(t);
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
  static const append_word_t kind = EVENTS_KIND("launch", "", "");
  timeline_name_t name;
  append_word_t track;
  if (!t->kernel) return;
  const timeline_slice_t s = {
      .track = &track, .kind = &kind, .from = t->launched, .to = *t->now, .of = &name};
  events_name(&name, t->kernel);
  events_track(&track, GROUP_GPU, TRACK_LAUNCHES);
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

/* How the slices of a warp begin. */
static const append_word_t *warp_track(timeline_t *t, unsigned sm, unsigned w) {
  timeline_sm_t *s = t->sm[sm];
  if (!(s->named_warps >> w & 1)) {
    name_track(t, sm, TIMELINE_TRACK_WARP, w, "warp", &s->named_warps);
    events_track(&s->track[w], events_group(TIMELINE_OF_WARPS, sm), TIMELINE_TRACK_WARP + w);
  }
  return &s->track[w];
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
  static const append_word_t kind = EVENTS_KIND("block", "", "block ");
  timeline_sm_t *s = t->sm[sm];
  const timeline_block_t *b = &s->block[slot];
  append_word_t track, number;
  if (!events_wanted(t, b->since, *t->now)) return;
  name_track(t, sm, TIMELINE_TRACK_BLOCK, slot, "block slot", &s->named_slots);
  events_track(&track, events_group(TIMELINE_OF_WARPS, sm), TIMELINE_TRACK_BLOCK + slot);
  append_end(&number, append_number(number.text, b->number));
  events_slice(t, &(timeline_slice_t){&track, &kind, b->since, *t->now, &number, NULL});
  events_end(t);
}

/* ---- warps ------------------------------------------------------------------- */

void timeline_warp_ends(timeline_t *t, unsigned sm, unsigned w) {
  static const append_word_t kind = EVENTS_KIND("warp", "", "block ");
  timeline_sm_t *s = timeline_of_sm(t, sm);
  if (!s || !s->warp[w].runs) return;
  timeline_warp_t *p = &s->warp[w];
  timeline_block_t *b = &s->block[p->slot];
  append_word_t name;
  char *to = append_number(name.text, b->number);
  to = append_text(to, ", its warp ");
  append_end(&name, append_number(to, p->ordinal));
  p->runs = false;
  if (events_wanted(t, p->since, *t->now)) {
    events_slice(t,
                 &(timeline_slice_t){warp_track(t, sm, w), &kind, p->since, *t->now, &name, NULL});
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
  for (unsigned k = 0; s->warp[w].loaded > at && k < WARP_OPERANDS; k++) {
    const timeline_writer_t *by = &s->writer[i->regs[k]][w];
    if (i->regs[k] == 0 || by->at <= at) continue;
    last = by;
    at = by->at;
  }
  return last;
}

static void issue_slice(timeline_t *t, const timeline_slice_t *s, const warp_inst_t *then) {
  events_slice(t, s);
  if (then) {
    char *to = append_text(t->to, ",\"args\":{\"then\":\"");
    to = append_name(to, events_text(t, then->pc));
    t->to = append_text(to, "\"}");
  }
  events_end(t);
}

void timeline_issue(timeline_t *t, unsigned sm, unsigned w, const warp_inst_t *i) {
  static const append_word_t issue = EVENTS_KIND("issue", "", "");
  static const append_word_t load = EVENTS_KIND("load", EVENTS_COLOUR("terrible"), "waits for ");
  static const append_word_t barrier = EVENTS_KIND("barrier", EVENTS_COLOUR("grey"), "barrier");
  timeline_sm_t *s = timeline_of_sm(t, sm);
  if (!s) return;
  timeline_warp_t *p = &s->warp[w];
  timeline_slice_t slice = {.kind = &barrier, .from = p->issued, .to = *t->now};
  const timeline_writer_t *by = awaited(s, w, i);
  const bool at_barrier = p->barrier;
  p->issued = *t->now;
  p->barrier = i->cls == WARP_BARRIER;
  if (i->atomic) p->atomic.pc = i->pc;
  if (slice.from == slice.to || !events_wanted(t, slice.from, slice.to)) return;
  slice.track = warp_track(t, sm, w);
  if (!at_barrier) {
    slice.kind = by ? &load : &issue;
    slice.of = events_text(t, by ? by->pc : i->pc);
  }
  issue_slice(t, &slice, at_barrier || by ? i : NULL);
}

void timeline_atomics_done(timeline_t *t, unsigned sm, unsigned w) {
  timeline_sm_t *s = timeline_of_sm(t, sm);
  if (s) s->warp[w].atomic.at = *t->now;
}

void timeline_loaded(timeline_t *t, unsigned sm, unsigned w, const warp_inst_t *i) {
  timeline_sm_t *s = timeline_of_sm(t, sm);
  if (!s) return;
  s->warp[w].loaded = *t->now;
  for (unsigned k = 0; k < 4 && i->dst[k]; k++)
    s->writer[i->dst[k]][w] = (timeline_writer_t){*t->now, i->pc};
}
