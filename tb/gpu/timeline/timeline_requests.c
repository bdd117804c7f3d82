/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and their stations on a timeline: see docs/timeline.md. */
#include "gpu/timeline/timeline_state.h"

#include "base/grow.h"

static const append_word_t *plain(append_word_t *own, const char *text) {
  append_end(own, append_text(own->text, text));
  return own;
}

static const append_word_t *bank(append_word_t *own, const requests_row_t *r) {
  char *to = append_text(own->text, "bank ");
  to = append_number(to, r->bank);
  append_end(own, append_text(to, r->row_hit ? ", row hit" : ", row opened"));
  return own;
}

/* The place of a request between station `at` and the next one that it passes. `own`: room for a
 * name that no constant has. */
static const append_word_t *place_after(const requests_row_t *r, requests_station_t at,
                                        append_word_t *own) {
  static const append_word_t in_l2[] = {[REQUESTS_L2_NOT] = APPEND_WORD("L2"),
                                        [REQUESTS_L2_HIT] = APPEND_WORD("L2 hit"),
                                        [REQUESTS_L2_MERGE] = APPEND_WORD("L2 merge"),
                                        [REQUESTS_L2_MISS] = APPEND_WORD("L2 miss")};
  static const append_word_t place[REQUESTS_STATIONS] = {
      [REQUESTS_ISSUED] = APPEND_WORD("LDST unit"),
      [REQUESTS_QUEUED] = APPEND_WORD("MRPB"),
      [REQUESTS_OFFERED] = APPEND_WORD("refused"),
      [REQUESTS_ACCEPTED] = APPEND_WORD("miss queue"),
      [REQUESTS_SENT] = APPEND_WORD("interconnect"),
      [REQUESTS_AT_L2] = APPEND_WORD("L2 queue"),
      [REQUESTS_AT_DRAM] = APPEND_WORD("DRAM queue"),
      [REQUESTS_FROM_DRAM] = APPEND_WORD("L2 reply queue"),
      [REQUESTS_REPLIED] = APPEND_WORD("interconnect back"),
      [REQUESTS_FILLED] = APPEND_WORD("write-back")};
  if (at == REQUESTS_ACCEPTED && r->what.from) return plain(own, r->what.from);
  if (at == REQUESTS_ACCEPTED && !r->what.packet) return plain(own, r->what.kind);
  if (at == REQUESTS_IN_L2) return &in_l2[r->l2];
  return at == REQUESTS_AT_BANK ? bank(own, r) : &place[at];
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
  static const append_word_t kind = EVENTS_KIND("station", "", "");
  append_word_t own;
  const uint64_t begin = s.from;
  s.kind = &kind;
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
    s.name = place_after(r, (requests_station_t)i, &own);
    s.from = s.to > begin ? s.to : begin;
  }
}

static void details(timeline_t *t, const requests_row_t *r) {
  const requests_what_t *q = &r->what;
  const char *name = t->setup.array(t->setup.ctx, q->addr);
  char *to = append_text(t->to, ",\"args\":{\"address\":\"");
  to = append_hex(to, q->addr);
  to = append_text(to, "\",\"array\":\"");
  to = events_clean(to, name ? name : "-");
  to = append_text(to, "\",\"warp\":");
  to = append_number(to, q->warp);
  to = append_text(to, ",\"pc\":\"");
  to = append_hex(to, q->pc);
  t->to = append_text(to, r->at[REQUESTS_ANSWERED] == REQUESTS_NEVER ? "\",\"answered\":false}"
                                                                     : "\"}");
}

static void request(void *ctx, const requests_row_t *r) {
  timeline_t *t = ctx;
  timeline_sm_t *s = timeline_of_sm(t, r->what.core);
  const uint64_t *at = r->at;
  uint64_t end = at[REQUESTS_ANSWERED], begin = at[REQUESTS_OFFERED];
  if (at[REQUESTS_ISSUED] < begin) begin = at[REQUESTS_ISSUED];
  if (end == REQUESTS_NEVER) end = *t->now;
  if (!s || end < begin || !events_wanted(t, begin, end)) return;
  append_word_t track, kind;
  events_track(&track, events_group(TIMELINE_OF_REQUESTS, r->what.core),
               lane_of(t, s, r->what.core, begin, end));
  char *to = append_text(kind.text, ",\"cat\":\"");
  to = append_text(to, r->what.kind);
  to = append_text(to, "\",\"name\":\"");
  to = append_text(to, r->what.kind);
  append_end(&kind, append_text(to, ", "));
  const timeline_slice_t slice = {&track, &kind, begin, end, NULL, events_text(t, r->what.pc)};
  levels(t, s, r);
  events_slice(t, &slice);
  details(t, r);
  events_end(t);
  stations(t, r, slice, end);
}

requests_sink_t timeline_requests(timeline_t *t) {
  return (requests_sink_t){request, t, &t->setup.sms};
}
