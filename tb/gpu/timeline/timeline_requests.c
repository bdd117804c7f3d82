/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and their stations on a timeline: see docs/timeline.md. */
#include "gpu/timeline/timeline_state.h"

#include "base/grow.h"

#include <inttypes.h>
#include <string.h>

enum { BANK = 40 };

/* The place of a request between station `at` and the next one that it passes. */
static const char *place_after(const requests_row_t *r, requests_station_t at, char bank[BANK]) {
  static const char *const in_l2[] = {[REQUESTS_L2_NOT] = "L2",
                                      [REQUESTS_L2_HIT] = "L2 hit",
                                      [REQUESTS_L2_MERGE] = "L2 merge",
                                      [REQUESTS_L2_MISS] = "L2 miss"};
  static const char *const place[REQUESTS_STATIONS] = {
      [REQUESTS_ISSUED] = "LDST unit",         [REQUESTS_QUEUED] = "MRPB",
      [REQUESTS_OFFERED] = "refused",          [REQUESTS_SENT] = "interconnect",
      [REQUESTS_AT_L2] = "L2 queue",           [REQUESTS_AT_DRAM] = "DRAM queue",
      [REQUESTS_FROM_DRAM] = "L2 reply queue", [REQUESTS_REPLIED] = "interconnect back",
      [REQUESTS_FILLED] = "write-back"};
  if (at == REQUESTS_ACCEPTED)
    return r->what.from ? r->what.from : r->what.packet ? "miss queue" : r->what.kind;
  if (at == REQUESTS_IN_L2) return in_l2[r->l2];
  if (at != REQUESTS_AT_BANK) return place[at];
  snprintf(bank, BANK, "bank %u, row %s", r->bank, r->row_hit ? "hit" : "opened");
  return bank;
}

/* The lowest lane that is free from `from` on. */
static unsigned lane_of(timeline_t *t, timeline_sm_t *s, unsigned sm, uint64_t from, uint64_t to) {
  size_t i = 0;
  while (i < s->lanes && s->lane[i] > from) i++;
  if (i == s->lanes) {
    char name[40];
    uint64_t *more = grow(s->lane, s->lanes + 1, &s->room, sizeof *more);
    if (!more) {
      t->out_of_memory = true;
      return 1;
    }
    s->lane = more;
    s->lanes++;
    snprintf(name, sizeof name, "request track %zu", i);
    events_name_track(t, events_group(TIMELINE_OF_REQUESTS, sm), (unsigned)i + 1, name);
  }
  s->lane[i] = to;
  return (unsigned)i + 1;
}

static void levels(timeline_t *t, timeline_sm_t *s, const requests_row_t *r) {
  static const char *const name[TIMELINE_LEVELS] = {"MSHRs in use", "PRT in use", "miss queue",
                                                    "MRPB holds"};
  const requests_levels_t *l = &r->what.levels;
  const uint32_t now[TIMELINE_LEVELS] = {l->mshr, l->prt, l->miss_queue, l->mrpb};
  for (unsigned i = 0; i < TIMELINE_LEVELS; i++) {
    if (now[i] == s->level[i]) continue;
    s->level[i] = now[i];
    events_count(t, events_group(TIMELINE_OF_REQUESTS, r->what.core), name[i],
                 r->at[REQUESTS_ACCEPTED], now[i]);
  }
}

static void stations(timeline_t *t, const requests_row_t *r, timeline_slice_t s, uint64_t end) {
  char bank[BANK];
  const uint64_t begin = s.from;
  s.kind = "station";
  s.of = NULL;
  s.name = NULL;
  for (unsigned i = 0; i < REQUESTS_STATIONS; i++) {
    s.to = i == REQUESTS_ANSWERED ? end : r->at[i];
    if (s.to == REQUESTS_NEVER || s.to < s.from) continue;
    if (s.name && s.to > s.from) {
      events_slice(t, &s);
      events_end(t);
    }
    if (i == REQUESTS_ANSWERED) break;
    s.name = place_after(r, (requests_station_t)i, bank);
    s.from = s.to > begin ? s.to : begin;
  }
}

static void details(timeline_t *t, const requests_row_t *r) {
  char array[TIMELINE_TEXT];
  const requests_what_t *q = &r->what;
  const char *name = t->setup.array(t->setup.ctx, q->addr);
  events_clean(array, name ? name : "-");
  fprintf(t->f,
          ",\"args\":{\"address\":\"0x%" PRIx64
          "\",\"array\":\"%s\",\"warp\":%u,\"pc\":\"0x%" PRIx32 "\"",
          q->addr, array, q->warp, q->pc);
  fputs(r->at[REQUESTS_ANSWERED] == REQUESTS_NEVER ? ",\"answered\":false}" : "}", t->f);
}

static void request(void *ctx, const requests_row_t *r) {
  timeline_t *t = ctx;
  timeline_sm_t *s = timeline_of_sm(t, r->what.core);
  const uint64_t *at = r->at;
  uint64_t end = at[REQUESTS_ANSWERED], begin = at[REQUESTS_OFFERED];
  if (at[REQUESTS_ISSUED] < begin) begin = at[REQUESTS_ISSUED];
  if (end == REQUESTS_NEVER) end = *t->now;
  if (!s || end < begin || !events_wanted(t, begin, end)) return;
  const timeline_slice_t slice = {.group = events_group(TIMELINE_OF_REQUESTS, r->what.core),
                                  .track = lane_of(t, s, r->what.core, begin, end),
                                  .from = begin,
                                  .to = end,
                                  .kind = r->what.kind,
                                  .name = "",
                                  .of = NULL};
  char name[TIMELINE_TEXT + 20];
  timeline_slice_t named = slice;
  snprintf(name, sizeof name, "%s, ", r->what.kind);
  named.name = name;
  named.of = events_text(t, r->what.pc);
  levels(t, s, r);
  events_slice(t, &named);
  details(t, r);
  events_end(t);
  stations(t, r, slice, end);
}

requests_sink_t timeline_requests(timeline_t *t) {
  return (requests_sink_t){request, t, &t->setup.sms};
}
