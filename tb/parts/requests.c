/* SPDX-License-Identifier: Apache-2.0 */
#include "parts/requests.h"

#include "base/grow.h"
#include "base/keymap.h"
#include "base/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128, OFFERS = 64 }; /* refused requests of a core that are remembered */

typedef struct {
  requests_row_t to_tell;
  bool carried; /* a packet does */
} row_t;

typedef struct {
  requests_key_t key;
  uint64_t row;
} waiting_t;

typedef struct {
  waiting_t *waiting; /* the oldest first */
  size_t n, room;
  requests_key_t offer[OFFERS];
  uint64_t since[OFFERS];
  unsigned n_offers;
  const packet_t *last; /* that carries none so far */
} asker_t;

/* Rows stand in the order in which they were accepted; the first ones that have ended are written. */
struct requests {
  FILE *f; /* NULL: no file */
  requests_sink_t sink[REQUESTS_SINKS];
  unsigned sinks;
  const uint64_t *now;
  const char *path;
  char temp[OUTPUT_NAME];
  row_t *row; /* number `first` and up */
  size_t n, room;
  uint64_t first;
  keymap_t packets; /* the numbers of their rows, modulo KEYMAP_NONE */
  asker_t core[SET_MEMBERS];
  bool out_of_memory;
};

int requests_open(requests_t **out, const char *path, mrpb_err_t *err) {
  requests_t *r = calloc(1, sizeof *r);
  *out = NULL;
  if (!r) return mrpb_fail(err, "out of memory");
  r->path = path;
  if (path && !(r->f = output_open(path, r->temp, err))) return free(r), -1;
  if (path)
    fputs("# mrpb-requests 1\nwho,address,kind,begin,end,waited,mshr,prt,miss_queue,mrpb\n", r->f);
  *out = r;
  return 0;
}

void requests_tell(requests_t *r, requests_sink_t sink) {
  r->sink[r->sinks++] = sink;
}

bool requests_wanted(const requests_t *r, unsigned core) {
  bool wanted = r->f != NULL;
  for (unsigned i = 0; i < r->sinks; i++)
    wanted |= !r->sink[i].cores || set_has(r->sink[i].cores, core);
  return wanted;
}

void requests_clock(requests_t *r, const uint64_t *now) {
  r->now = now;
}

static bool has_ended(const row_t *w) {
  return w->to_tell.at[REQUESTS_ANSWERED] != REQUESTS_NEVER;
}

static void write_row(FILE *f, const row_t *w) {
  const requests_what_t *q = &w->to_tell.what;
  const uint64_t *at = w->to_tell.at;
  const uint64_t line = q->addr & ~(uint64_t)(LINE - 1);
  fprintf(f, "%u.%u.%u,0x%" PRIx64 ",%s,%" PRIu64 ",", q->core, q->block, q->warp, line, q->kind,
          at[REQUESTS_OFFERED]);
  if (has_ended(w))
    fprintf(f, "%" PRIu64, at[REQUESTS_ANSWERED]);
  else
    fputc('-', f);
  fprintf(f, ",%" PRIu64 ",%u,%u,%u,%u\n", at[REQUESTS_ACCEPTED] - at[REQUESTS_OFFERED],
          q->levels.mshr, q->levels.prt, q->levels.miss_queue, q->levels.mrpb);
}

/* Writes the rows up to the first that has not ended. */
static void write_ended(requests_t *r, bool all) {
  size_t k = 0;
  for (; k < r->n && (all || has_ended(&r->row[k])); k++) {
    if (r->f) write_row(r->f, &r->row[k]);
    for (unsigned i = 0; i < r->sinks; i++) r->sink[i].row(r->sink[i].ctx, &r->row[k].to_tell);
  }
  memmove(r->row, r->row + k, (r->n - k) * sizeof *r->row);
  r->n -= k;
  r->first += k;
}

void requests_finish(requests_t *r) {
  write_ended(r, true);
}

int requests_close(requests_t *r, bool good, mrpb_err_t *err) {
  int rc = 0;
  if (!r) return 0;
  if (r->out_of_memory) rc = mrpb_fail(err, "requests: out of memory");
  if (r->f && rc == 0 && good) {
    rc = output_close(r->f, ferror(r->f) != 0, r->path, r->temp, err);
  } else if (r->f) {
    (void)fclose(r->f);
    output_discard(r->path, r->temp);
  }
  for (unsigned i = 0; i < SET_MEMBERS; i++) free(r->core[i].waiting);
  keymap_free(&r->packets);
  free(r->row);
  free(r);
  return rc;
}

static bool same(requests_key_t x, requests_key_t y) {
  return x.a == y.a && x.b == y.b;
}

void requests_refused(requests_t *r, unsigned core, requests_key_t offer, uint64_t now) {
  asker_t *c = &r->core[core];
  for (unsigned i = 0; i < c->n_offers; i++)
    if (same(c->offer[i], offer)) return;
  if (c->n_offers == OFFERS) return;
  c->offer[c->n_offers] = offer;
  c->since[c->n_offers++] = now;
}

/* When it was offered first. */
static uint64_t begin(asker_t *c, requests_key_t offer, uint64_t now) {
  for (unsigned i = 0; i < c->n_offers; i++) {
    if (!same(c->offer[i], offer)) continue;
    now = c->since[i];
    c->offer[i] = c->offer[--c->n_offers];
    c->since[i] = c->since[c->n_offers];
    break;
  }
  return now;
}

/* Rows that have ended leave when there is no room; there is more only if half of them have not. */
static void add_row(requests_t *r, const row_t *row) {
  if (r->n == r->room) {
    write_ended(r, false);
    row_t *to = grow(r->row, 2 * r->n + 1, &r->room, sizeof *to);
    r->out_of_memory |= !to;
    if (!to) return;
    r->row = to;
  }
  r->row[r->n++] = *row;
}

void requests_known(requests_t *r, const requests_what_t *what, requests_key_t offer, uint64_t now,
                    uint64_t end) {
  row_t row = {.to_tell.what = *what};
  uint64_t *at = row.to_tell.at;
  for (unsigned i = 0; i < REQUESTS_STATIONS; i++) at[i] = REQUESTS_NEVER;
  at[REQUESTS_ISSUED] = what->issued;
  at[REQUESTS_QUEUED] = what->queued;
  at[REQUESTS_OFFERED] = begin(&r->core[what->core], offer, now);
  at[REQUESTS_ACCEPTED] = now;
  at[REQUESTS_ANSWERED] = end;
  if (!r->out_of_memory) add_row(r, &row);
}

static bool is_of(const requests_what_t *q, const packet_t *p) {
  return q->packet && q->write == packet_is_write(p) && q->addr / LINE == p->addr / LINE;
}

/* `p` carries the request of row number `row`. */
static void attach(requests_t *r, uint64_t row, const packet_t *p) {
  r->row[row - r->first].carried = true;
  r->out_of_memory |= !keymap_put(&r->packets, (uintptr_t)p, (uint32_t)(row % KEYMAP_NONE));
}

void requests_accepted(requests_t *r, const requests_what_t *what, requests_key_t offer,
                       requests_key_t key, uint64_t now) {
  asker_t *c = &r->core[what->core];
  requests_known(r, what, offer, now, REQUESTS_NEVER);
  if (r->out_of_memory) return;
  waiting_t *to = grow(c->waiting, c->n + 1, &c->room, sizeof *to);
  r->out_of_memory |= !to;
  if (!to) return;
  c->waiting = to;
  c->waiting[c->n++] = (waiting_t){key, r->first + r->n - 1};
  if (c->last && is_of(what, c->last)) {
    attach(r, c->waiting[c->n - 1].row, c->last);
    requests_passes(r, c->last, REQUESTS_SENT);
  }
  c->last = NULL;
}

/* The request in place `i` of those that wait has its answer. */
static void end(requests_t *r, asker_t *c, size_t i, uint64_t now) {
  r->row[c->waiting[i].row - r->first].to_tell.at[REQUESTS_ANSWERED] = now;
  memmove(&c->waiting[i], &c->waiting[i + 1], (--c->n - i) * sizeof *c->waiting);
}

void requests_answered(requests_t *r, unsigned core, requests_key_t key, uint64_t now) {
  asker_t *c = &r->core[core];
  size_t i = 0;
  while (i < c->n && !same(c->waiting[i].key, key)) i++;
  if (i < c->n) end(r, c, i, now);
}

/* ---- packets ------------------------------------------------------------------- */

void requests_carries(requests_t *r, unsigned core, const packet_t *p) {
  const asker_t *c = &r->core[core];
  size_t i = 0;
  for (; i < c->n; i++) {
    const row_t *row = &r->row[c->waiting[i].row - r->first];
    if (!row->carried && is_of(&row->to_tell.what, p)) break;
  }
  if (i < c->n) attach(r, c->waiting[i].row, p);
}

void requests_carries_next(requests_t *r, unsigned core, const packet_t *p) {
  r->core[core].last = p;
}

/* The row that `p` carries; NULL if it carries none, or if that has been written. */
static requests_row_t *carried(const requests_t *r, const packet_t *p) {
  const uint32_t at = keymap_get(&r->packets, (uintptr_t)p);
  if (at == KEYMAP_NONE) return NULL;
  const uint64_t turn = KEYMAP_NONE, place = (at + turn - r->first % turn) % turn;
  return place < r->n ? &r->row[place].to_tell : NULL;
}

void requests_passes(requests_t *r, const packet_t *p, requests_station_t station) {
  requests_row_t *row = carried(r, p);
  if (row) row->at[station] = *r->now;
}

void requests_looked_up(requests_t *r, const packet_t *p, requests_l2_t found) {
  requests_row_t *row = carried(r, p);
  if (!row) return;
  row->l2 = found;
  row->at[REQUESTS_IN_L2] = *r->now;
}

void requests_at_bank(requests_t *r, const packet_t *p) {
  requests_row_t *row = carried(r, p);
  if (!row) return;
  row->bank = p->bank;
  row->at[REQUESTS_AT_BANK] = *r->now;
}

void requests_column(requests_t *r, const packet_t *p, bool row_hit) {
  requests_row_t *row = carried(r, p);
  if (row) row->row_hit = row_hit;
}

void requests_arrived(requests_t *r, const packet_t *p) {
  requests_row_t *row = carried(r, p);
  if (!row) return;
  row->at[REQUESTS_FILLED] = *r->now;
  keymap_remove(&r->packets, (uintptr_t)p);
}

void requests_replied(requests_t *r, unsigned core, requests_key_t key, const packet_t *p,
                      uint64_t now) {
  asker_t *c = &r->core[core];
  const requests_row_t *row = carried(r, p);
  size_t i = 0;
  while (row && i < c->n && &r->row[c->waiting[i].row - r->first].to_tell != row) i++;
  if (row && i < c->n)
    end(r, c, i, now);
  else
    requests_answered(r, core, key, now);
}
