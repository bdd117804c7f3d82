/* SPDX-License-Identifier: Apache-2.0 */
#include "parts/requests.h"

#include "base/grow.h"
#include "base/output.h"
#include "base/set.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OPEN UINT64_MAX

enum { LINE = 128, OFFERS = 64 }; /* refused requests of a core that are remembered */

typedef struct {
  requests_what_t what;
  uint64_t begin, accepted, end; /* end: OPEN while it is outstanding */
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
} asker_t;

/* Rows stand in the order in which they were accepted; the first ones that have ended are written. */
struct requests {
  FILE *f;
  const char *path;
  char temp[OUTPUT_NAME];
  row_t *row; /* number `first` and up */
  size_t n, room;
  uint64_t first;
  asker_t core[SET_MEMBERS];
  bool out_of_memory;
};

int requests_open(requests_t **out, const char *path, mrpb_err_t *err) {
  requests_t *r = calloc(1, sizeof *r);
  *out = NULL;
  if (!r) return mrpb_fail(err, "out of memory");
  r->path = path;
  r->f = output_open(path, r->temp, err);
  if (!r->f) return free(r), -1;
  fputs("# mrpb-requests 1\nwho,address,kind,begin,end,waited,mshr,prt,miss_queue,mrpb\n", r->f);
  *out = r;
  return 0;
}

static void write_row(FILE *f, const row_t *w) {
  const requests_what_t *q = &w->what;
  const uint64_t line = q->addr & ~(uint64_t)(LINE - 1);
  fprintf(f, "%u.%u.%u,0x%" PRIx64 ",%s,%" PRIu64 ",", q->core, q->block, q->warp, line, q->kind,
          w->begin);
  if (w->end == OPEN)
    fputc('-', f);
  else
    fprintf(f, "%" PRIu64, w->end);
  fprintf(f, ",%" PRIu64 ",%u,%u,%u,%u\n", w->accepted - w->begin, q->levels.mshr, q->levels.prt,
          q->levels.miss_queue, q->levels.mrpb);
}

/* Writes the rows up to the first that has not ended. */
static void write_ended(requests_t *r, bool all) {
  size_t k = 0;
  while (k < r->n && (all || r->row[k].end != OPEN)) write_row(r->f, &r->row[k++]);
  memmove(r->row, r->row + k, (r->n - k) * sizeof *r->row);
  r->n -= k;
  r->first += k;
}

int requests_close(requests_t *r, bool good, mrpb_err_t *err) {
  int rc = 0;
  if (!r) return 0;
  write_ended(r, true);
  if (r->out_of_memory) rc = mrpb_fail(err, "%s: out of memory", r->path);
  if (rc == 0 && good) {
    rc = output_close(r->f, ferror(r->f) != 0, r->path, r->temp, err);
  } else {
    (void)fclose(r->f);
    output_discard(r->path, r->temp);
  }
  for (unsigned i = 0; i < SET_MEMBERS; i++) free(r->core[i].waiting);
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
  const row_t row = {*what, begin(&r->core[what->core], offer, now), now, end};
  if (!r->out_of_memory) add_row(r, &row);
}

void requests_accepted(requests_t *r, const requests_what_t *what, requests_key_t offer,
                       requests_key_t key, uint64_t now) {
  asker_t *c = &r->core[what->core];
  requests_known(r, what, offer, now, OPEN);
  if (r->out_of_memory) return;
  waiting_t *to = grow(c->waiting, c->n + 1, &c->room, sizeof *to);
  r->out_of_memory |= !to;
  if (!to) return;
  c->waiting = to;
  c->waiting[c->n++] = (waiting_t){key, r->first + r->n - 1};
}

void requests_answered(requests_t *r, unsigned core, requests_key_t key, uint64_t now) {
  asker_t *c = &r->core[core];
  for (size_t i = 0; i < c->n; i++) {
    if (!same(c->waiting[i].key, key)) continue;
    r->row[c->waiting[i].row - r->first].end = now;
    memmove(&c->waiting[i], &c->waiting[i + 1], (--c->n - i) * sizeof *c->waiting);
    return;
  }
}
