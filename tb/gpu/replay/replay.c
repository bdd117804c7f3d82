/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of L1D event traces: see replay.h. */
#include "gpu/replay/replay.h"
#include "base/lines.h"
#include "gpu/pipeline/sm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 128, MAX_IDS = 256, WORDS = 11, MAX_IDLE = 1 << 20 };

typedef struct {
  uint64_t cycle;
  char event;
  char *word[WORDS]; /* [0] the cycle, [1] the event */
  unsigned words;
  char text[256];
} event_t;

typedef struct {
  const char *path;
  lines_t *lines;
  packet_pool_t *pool;
  l1d_t *l1d;
  replay_stats_t *stats;
  mrpb_err_t *err;
  uint64_t cycle;
  char last;                     /* the latest event of the cycle, 0 if none yet */
  bool clocked;                  /* a cycle has begun */
  uint64_t fetched[MAX_ENTRIES]; /* block for which an entry has sent, UINT64_MAX if none */
  uint64_t addr[MAX_IDS];        /* address of a read, by its number in the MSHR table */
  unsigned free_id[MAX_IDS], free_ids;
} replay_t;

/* ---- reading --------------------------------------------------------------- */

static replay_end_t bad(replay_t *r, const char *what) {
  mrpb_fail(r->err, "%s:%lu: %s", r->path, lines_number(r->lines), what);
  return REPLAY_BAD_INPUT;
}

static bool number(const char *text, int base, uint64_t *v) {
  char *end;
  if (text[0] == '\0' || !strchr("0123456789abcdef", text[0])) return false;
  *v = strtoull(text, &end, base);
  return *end == '\0';
}

static bool split(event_t *e, const char *line) {
  static const char events[] = "ASFD";
  static const unsigned words[] = {11, 5, 3, 4};
  const char *known;
  char *save = e->text;
  snprintf(e->text, sizeof e->text, "%s", line);
  for (e->words = 0; *save && e->words < WORDS; e->words++) {
    e->word[e->words] = save;
    save += strcspn(save, " ");
    if (*save) *save++ = '\0';
  }
  if (*save || e->words < 3 || strlen(e->word[1]) != 1) return false;
  e->event = e->word[1][0];
  known = strchr(events, e->event);
  return known && words[known - events] == e->words && number(e->word[0], 10, &e->cycle);
}

static bool is_read_or_write(const char *word) {
  return !strcmp(word, "R") || !strcmp(word, "W");
}

static replay_end_t differs(replay_t *r, const char *what, const char *recorded,
                            const char *model) {
  mrpb_fail(r->err, "%s:%lu: cycle %" PRIu64 ": %s: recorded %s, model %s", r->path,
            lines_number(r->lines), r->cycle, what, recorded, model);
  return REPLAY_DIFFERENT;
}

static replay_end_t check_number(replay_t *r, const char *what, const char *word, uint64_t model) {
  char text[24];
  uint64_t v;
  if (!number(word, 10, &v)) return bad(r, "not a number");
  if (v == model) return REPLAY_EQUAL;
  snprintf(text, sizeof text, "%" PRIu64, model);
  return differs(r, what, word, text);
}

/* ---- events ---------------------------------------------------------------- */

static replay_end_t drain(replay_t *r, const event_t *e) {
  uint64_t warp, addr;
  uint16_t model_warp;
  uint16_t id;
  char text[64], recorded[64];
  if (!number(e->word[2], 10, &warp) || !number(e->word[3], 16, &addr))
    return bad(r, "not a number");
  if (!l1d_ready(r->l1d, &model_warp, &id)) return differs(r, "drain", "one", "no read is ready");
  l1d_take(r->l1d);
  r->free_id[r->free_ids++] = id;
  r->stats->drains++;
  if (warp == model_warp && addr == r->addr[id]) return REPLAY_EQUAL;
  snprintf(recorded, sizeof recorded, "warp %" PRIu64 " 0x%" PRIx64, warp, addr);
  snprintf(text, sizeof text, "warp %u 0x%" PRIx64, model_warp, r->addr[id]);
  return differs(r, "drain", recorded, text);
}

static replay_end_t fill(replay_t *r, const event_t *e) {
  uint64_t block;
  if (!number(e->word[2], 16, &block)) return bad(r, "not a number");
  r->stats->fills++;
  for (unsigned i = 0; i < MAX_ENTRIES; i++)
    if (r->fetched[i] == block) {
      r->fetched[i] = UINT64_MAX;
      l1d_fill(r->l1d, i, r->cycle);
      return REPLAY_EQUAL;
    }
  return differs(r, "fill", e->word[2], "no MSHR entry has sent for this block");
}

static replay_end_t sent(replay_t *r, const event_t *e) {
  uint64_t addr;
  char recorded[64], text[64];
  if (!is_read_or_write(e->word[2])) return bad(r, "legal: R or W");
  if (!number(e->word[3], 16, &addr)) return bad(r, "not a number");
  if (!l1d_to_send(r->l1d)) return differs(r, "send", "one", "the miss queue is empty");
  packet_t *p = l1d_sent(r->l1d);
  bool same = (p->kind == PACKET_WRITE) == (e->word[2][0] == 'W') && p->addr == addr;
  snprintf(recorded, sizeof recorded, "%s 0x%" PRIx64, e->word[2], addr);
  snprintf(text, sizeof text, "%c 0x%" PRIx64, p->kind == PACKET_WRITE ? 'W' : 'R', p->addr);
  if (p->kind == PACKET_READ) r->fetched[p->entry] = p->addr & ~UINT64_C(127);
  packet_free(r->pool, p);
  r->stats->sends++;
  if (!same) return differs(r, "send", recorded, text);
  return check_number(r, "miss queue after the send", e->word[4], l1d_miss_queue(r->l1d));
}

static replay_end_t check_answer(replay_t *r, const event_t *e, const l1d_answer_t *a) {
  static const char *const probes[] = {"HIT", "HIT_RESERVED", "MISS", "RESERVATION_FAIL"};
  const char *probe = probes[a->probe];
  const char *result = a->reason != L1D_NONE  ? "RESERVATION_FAIL"
                       : a->probe == TAGS_HIT ? "HIT"
                                              : "MISS";
  if (strcmp(e->word[6], probe) != 0) return differs(r, "probe", e->word[6], probe);
  if (strcmp(e->word[7], result) != 0) return differs(r, "result", e->word[7], result);
  if (strcmp(e->word[8], l1d_reason_name(a->reason)) != 0)
    return differs(r, "reason", e->word[8], l1d_reason_name(a->reason));
  return REPLAY_EQUAL;
}

static replay_end_t access_l1d(replay_t *r, const event_t *e) {
  uint64_t warp, addr, bytes;
  replay_end_t end;
  if (!number(e->word[2], 10, &warp) || !number(e->word[3], 16, &addr) ||
      !number(e->word[4], 10, &bytes) || warp >= 64 || (bytes != 32 && bytes != 64 && bytes != 128))
    return bad(r, "legal: A warp address 32|64|128 ..., warp below 64");
  if (!is_read_or_write(e->word[5])) return bad(r, "legal: R or W");
  if ((end = check_number(r, "miss queue before", e->word[9], l1d_miss_queue(r->l1d))) ||
      (end = check_number(r, "MSHRs before", e->word[10], l1d_mshrs(r->l1d))))
    return end;
  uint8_t id = (uint8_t)(r->free_ids ? r->free_id[r->free_ids - 1] : 0);
  l1d_request_t q = {addr, (uint32_t)bytes, (uint16_t)warp, id, e->word[5][0] == 'W', 0, false, 0};
  l1d_answer_t a = l1d_access(r->l1d, &q, r->cycle);
  if (!q.write && a.reason == L1D_NONE && a.probe != TAGS_HIT) {
    if (r->free_ids == 0) return bad(r, "more than 256 reads wait; this replay cannot follow them");
    r->addr[id] = addr;
    r->free_ids--;
  }
  r->stats->accesses++;
  r->stats->refused += a.reason != L1D_NONE;
  return check_answer(r, e, &a);
}

/* ---- cycles ---------------------------------------------------------------- */

static replay_end_t end_cycle(replay_t *r, uint64_t next) {
  bool every = l1d_mshr(r->l1d)->every_cycle;
  uint64_t n = every && r->clocked ? next - r->cycle : 1;
  if (n > MAX_IDLE) n = MAX_IDLE;
  for (; n > 0; n--) {
    r->stats->cycles++;
    if (l1d_edge(r->l1d, r->err) != 0) return REPLAY_DIFFERENT;
  }
  return REPLAY_EQUAL;
}

static replay_end_t take(replay_t *r, const event_t *e) {
  static const char order[] = "DFSA";
  if (r->clocked && e->cycle < r->cycle) return bad(r, "the cycle decreases");
  if (r->clocked && e->cycle > r->cycle) {
    replay_end_t end = end_cycle(r, e->cycle);
    if (end != REPLAY_EQUAL) return end;
    r->last = 0;
  }
  r->clocked = true;
  r->cycle = e->cycle;
  if (r->last && strchr(order, e->event) <= strchr(order, r->last))
    return bad(r, "out of order; legal in one cycle: D, F, S, A, each at most once");
  r->last = e->event;
  switch (e->event) {
  case 'D':
    return drain(r, e);
  case 'F':
    return fill(r, e);
  case 'S':
    return sent(r, e);
  default:
    return access_l1d(r, e);
  }
}

static replay_end_t run(replay_t *r, bool (*stop)(void)) {
  const char *line;
  event_t e;
  int more;
  while ((more = lines_next(r->lines, &line, r->err)) > 0) {
    if (line[0] == '#') continue;
    if (!split(&e, line))
      return bad(r, "malformed; legal: CYCLE and A, S, F or D with their fields");
    replay_end_t end = take(r, &e);
    if (end != REPLAY_EQUAL) return end;
    if (stop && lines_number(r->lines) % 4096 == 0 && stop()) return REPLAY_INTERRUPTED;
  }
  if (more < 0) return REPLAY_BAD_INPUT;
  if (!r->clocked) return bad(r, "no events");
  return end_cycle(r, r->cycle + 1);
}

replay_end_t replay_run(const char *path, const config_t *cfg, const unit_choice_t *choice,
                        bool (*stop)(void), replay_stats_t *stats, mrpb_err_t *err) {
  l1d_cfg_t l = sm_l1d_cfg(cfg);
  replay_t r = {.path = path, .stats = stats, .err = err, .free_ids = MAX_IDS};
  replay_end_t end = REPLAY_BAD_INPUT;
  memset(stats, 0, sizeof *stats);
  for (unsigned i = 0; i < MAX_ENTRIES; i++) r.fetched[i] = UINT64_MAX;
  for (unsigned i = 0; i < MAX_IDS; i++) r.free_id[i] = i;
  r.pool = packet_pool_create(128);
  if (!r.pool)
    mrpb_fail(err, "replay: out of memory");
  else if (lines_open(&r.lines, path, err) == 0 &&
           l1d_create(&r.l1d, &l, choice, 0, r.pool, err) == 0) {
    l1d_set_hazards(r.l1d, HAZARDS_REFERENCE);
    end = run(&r, stop);
  }
  l1d_destroy(r.l1d);
  lines_close(r.lines);
  packet_pool_destroy(r.pool);
  return end;
}
