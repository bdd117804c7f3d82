/* SPDX-License-Identifier: Apache-2.0 */
/* The DRAM channel against a plain re-statement of its rules: counters that count down in every
 * cycle and a look at every bank in every cycle, without event times or bit sets. Both get the same
 * random requests, and every command (kind, bank, row) and every finished request must fall in the
 * same cycle. */
#include "gpu/dram/dram.h"

#include "prng.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BANKS = 64, WAIT = 512, PIPE = 64, FINISHED = 64 };

typedef struct {
  uint32_t id, bank, row, issue, move;
  bool write, silent; /* silent: a write-back, which ends without a reply */
} req_t;

typedef struct {
  bool active, busy;
  uint32_t row;
  req_t *req;
  uint32_t rcd, rcdwr, ras, rp, rc, wtp, rtp;
  bool held; /* held_row is served to the end */
  uint32_t held_row;
} bank_t;

typedef struct {
  dram_cfg_t c;
  bank_t bank[BANKS];
  uint32_t ccdl[BANKS], rtpl[BANKS];
  uint32_t ccd, rrd, rtw, wtr, prio, min;
  req_t *wait[WAIT]; /* scheduler, by age */
  uint32_t waiting;
  req_t *input[2];
  uint32_t inputs;
  req_t *pipe[PIPE]; /* cell 0 leaves next; empty cells are NULL */
  uint32_t cells;
  uint32_t finished[FINISHED], n_finished; /* return queue */
  dram_command_t command;
  uint32_t at, row;
} twin_t;

static uint32_t data_cycles(const dram_cfg_t *c) {
  return c->burst / c->beats_per_cycle;
}

static void twin_open(twin_t *t, const dram_cfg_t *c) {
  memset(t, 0, sizeof *t);
  t->c = *c;
  t->min = t->cells = c->tCL;
}

static void twin_leave(twin_t *t) {
  if (t->n_finished == t->c.return_queue) return;
  req_t *r = t->pipe[0];
  memmove(t->pipe, t->pipe + 1, (PIPE - 1) * sizeof t->pipe[0]);
  t->pipe[PIPE - 1] = NULL;
  if (--t->cells < t->min) t->cells++;
  if (r && --r->move == 0 && !r->silent) t->finished[t->n_finished++] = r->id;
}

static void twin_enter(twin_t *t, req_t *r, uint32_t min) {
  t->min = min;
  while (t->cells > min && !t->pipe[t->cells - 1]) t->cells--;
  if (t->cells < min) t->cells = min;
  if (t->pipe[t->cells - 1]) t->cells++;
  t->pipe[t->cells - 1] = r;
}

static req_t *twin_take(twin_t *t, uint32_t b, bool by_row, uint32_t row) {
  for (uint32_t i = 0; i < t->waiting; i++) {
    req_t *r = t->wait[i];
    if (r->bank != b || (by_row && r->row != row)) continue;
    memmove(&t->wait[i], &t->wait[i + 1], (t->waiting - i - 1) * sizeof t->wait[0]);
    t->waiting--;
    return r;
  }
  return NULL;
}

static bool twin_waits(const twin_t *t, uint32_t b, uint32_t row) {
  for (uint32_t i = 0; i < t->waiting; i++)
    if (t->wait[i]->bank == b && t->wait[i]->row == row) return true;
  return false;
}

static void twin_schedule(twin_t *t) {
  while (t->inputs && t->waiting < t->c.sched_queue) {
    t->wait[t->waiting++] = t->input[0];
    t->input[0] = t->input[1];
    t->inputs--;
  }
  for (uint32_t i = 0; i < t->c.banks; i++) {
    uint32_t b = (t->prio + i) % t->c.banks;
    bank_t *k = &t->bank[b];
    if (k->req) continue;
    if (!k->held && twin_waits(t, b, k->row)) k->held_row = k->row, k->held = true;
    req_t *r = twin_take(t, b, k->held, k->held_row);
    if (!r) continue;
    k->req = r;
    k->held_row = r->row;
    k->held = twin_waits(t, b, r->row);
    t->prio = (t->prio + 1) % t->c.banks;
    return;
  }
}

static void twin_column(twin_t *t, bank_t *k, uint32_t g) {
  const dram_cfg_t *c = &t->c;
  uint32_t data = data_cycles(c);
  bool w = k->req->write;
  twin_enter(t, k->req, w ? c->tWL : c->tCL);
  t->ccd = c->tCCD;
  t->ccdl[g] = c->tCCDL;
  if (w) {
    t->wtr = c->tWL + data + c->tCDLR;
    k->wtp = c->tWL + data + c->tWR;
  } else {
    t->rtw = c->tCL + data + 2 - c->tWL;
    k->rtp = data;
    t->rtpl[g] = c->tRTPL;
  }
  if (--k->req->issue == 0) k->req = NULL;
}

static bool twin_try(twin_t *t, uint32_t b, uint32_t g) {
  const dram_cfg_t *c = &t->c;
  bank_t *k = &t->bank[b];
  req_t *r = k->req;
  bool hit = k->active && k->row == r->row;
  bool column = hit && !t->ccd && !t->ccdl[g] && t->cells <= c->tCL;
  t->row = r->row;
  if (column && !r->write && !k->rcd && !t->wtr) {
    t->command = DRAM_READ;
    twin_column(t, k, g);
  } else if (column && r->write && !k->rcdwr && !t->rtw) {
    t->command = DRAM_WRITE;
    twin_column(t, k, g);
  } else if (!k->active && !t->rrd && !k->rp && !k->rc) {
    t->command = DRAM_ACTIVATE;
    k->active = true;
    k->row = r->row;
    t->rrd = c->tRRD;
    k->rcd = c->tRCD;
    k->rcdwr = c->tRCD - (c->tWL + 1);
    k->ras = c->tRAS;
    k->rc = c->tRC;
    t->prio = (b + 1) % c->banks;
  } else if (k->active && !hit && !k->ras && !k->wtp && !k->rtp && !t->rtpl[g]) {
    t->command = DRAM_PRECHARGE;
    t->row = k->row;
    k->active = false;
    k->rp = c->tRP;
    t->prio = (b + 1) % c->banks;
  } else {
    return false;
  }
  t->at = b;
  return true;
}

static void down(uint32_t *v) {
  if (*v) --*v;
}

static void twin_step(twin_t *t) {
  uint32_t per_group = t->c.banks / t->c.bank_groups << t->c.group_shift_bug;
  twin_leave(t);
  twin_schedule(t);
  t->command = DRAM_NONE;
  uint32_t prio = t->prio;
  for (uint32_t i = 0; i < 2 * t->c.banks && t->command == DRAM_NONE; i++) {
    uint32_t b = (prio + i) % t->c.banks;
    const bank_t *k = &t->bank[b];
    bool column = k->req && k->active && k->row == k->req->row;
    if (t->c.columns_first && column != (i < t->c.banks)) continue;
    if (k->req) (void)twin_try(t, b, b / per_group);
  }
  down(&t->rrd), down(&t->ccd), down(&t->rtw), down(&t->wtr);
  for (uint32_t b = 0; b < t->c.banks; b++) {
    bank_t *k = &t->bank[b];
    down(&k->rcd), down(&k->rcdwr), down(&k->ras), down(&k->rp), down(&k->rc);
    down(&k->wtp), down(&k->rtp), down(&t->ccdl[b]), down(&t->rtpl[b]);
  }
}

/* ---- the comparison -------------------------------------------------------------------------- */

enum { REQUESTS = 8000 };

typedef struct {
  unsigned arrive, write, rows, banks,
      take; /* permille of cycles, of requests; ranges; permille of cycles */
} load_t;

static const load_t loads[] = {{1000, 0, 4096, 16, 1000}, {1000, 500, 4, 16, 1000},
                               {150, 300, 8, 16, 1000},   {20, 500, 16, 16, 1000},
                               {1000, 200, 2, 2, 1000},   {700, 300, 3, 16, 150},
                               {1000, 500, 2, 1, 1000},   {300, 50, 6, 16, 250}};

static void both_push(twin_t *t, dram_t *d, packet_pool_t *pool, req_t *r, const load_t *l,
                      prng_t *rng, uint32_t id) {
  packet_t *p = packet_alloc(pool);
  uint32_t bytes = 32u << prng_below(rng, 3);
  *r = (req_t){.id = id, .bank = prng_below(rng, l->banks), .row = prng_below(rng, l->rows)};
  r->bank %= t->c.banks;
  r->write = prng_chance(rng, l->write);
  r->silent = r->write && prng_chance(rng, 300);
  uint32_t column = t->c.burst * t->c.bus_bytes * t->c.chips;
  r->issue = r->move = (bytes + column - 1) / column;
  p->local = (uint64_t)r->row << t->c.row_lsb | (uint64_t)r->bank << t->c.bank_lsb;
  p->bytes = bytes;
  p->kind = r->silent ? PACKET_WRITE_BACK : r->write ? PACKET_WRITE : PACKET_READ;
  p->tag = id;
  dram_push(d, p);
  t->input[t->inputs++] = r;
}

static void compare_step(twin_t *t, dram_t *d, uint64_t cycle) {
  uint32_t bank, row;
  twin_step(t);
  dram_step(d);
  dram_command_t c = dram_last_command(d, &bank, &row);
  if (c == t->command && (c == DRAM_NONE || (bank == t->at && row == t->row))) return;
  ck_abort_msg("cycle %" PRIu64 ": command %d bank %u row %u, plain model %d %u %u", cycle, (int)c,
               bank, row, (int)t->command, t->at, t->row);
}

static void compare_pop(twin_t *t, dram_t *d, packet_pool_t *pool) {
  packet_t *p = dram_pop(d);
  if (!p && !t->n_finished) return;
  if (!p || !t->n_finished || p->tag != t->finished[0]) ck_abort_msg("finished requests differ");
  memmove(t->finished, t->finished + 1, (FINISHED - 1) * sizeof t->finished[0]);
  t->n_finished--;
  packet_free(pool, p);
}

static void compare(const dram_cfg_t *cfg, const load_t *l, uint64_t seed) {
  static const unsigned drain = 3000;
  packet_pool_t *pool = packet_pool_create(64);
  req_t *reqs = calloc(REQUESTS, sizeof *reqs);
  twin_t *t = malloc(sizeof *t);
  dram_t *d;
  ck_assert(pool && reqs && t && dram_create(&d, cfg, pool, NULL) == 0);
  twin_open(t, cfg);
  prng_t rng = prng_seed(750, seed);
  uint32_t sent = 0;
  for (uint64_t cycle = 0, idle = 0; idle < drain; cycle++) {
    bool full = t->waiting >= cfg->sched_queue || t->inputs == 2;
    if (dram_full(d) != full) ck_abort_msg("cycle %" PRIu64 ": full is not %d", cycle, full);
    if (prng_chance(&rng, l->take) || sent == REQUESTS) compare_pop(t, d, pool);
    compare_step(t, d, cycle);
    full = t->waiting >= cfg->sched_queue || t->inputs == 2;
    if (sent < REQUESTS && !full && prng_chance(&rng, l->arrive)) {
      both_push(t, d, pool, &reqs[sent], l, &rng, sent);
      sent++;
    }
    if (sent == REQUESTS) idle++;
  }
  ck_assert_uint_eq(dram_in_flight(d), 0);
  ck_assert_uint_eq(packet_pool_in_flight(pool), 0);
  ck_assert_uint_eq(dram_stats(d)->requests, REQUESTS);
  dram_destroy(d);
  packet_pool_destroy(pool);
  free(reqs);
  free(t);
}

START_TEST(every_command_as_in_the_plain_model) {
  dram_cfg_t cfg;
  dram_defaults(&cfg);
  compare(&cfg, &loads[_i], (uint64_t)_i);
}
END_TEST

START_TEST(other_geometries_as_in_the_plain_model) {
  prng_t rng = prng_seed(751, (uint64_t)_i);
  dram_cfg_t c;
  dram_defaults(&c);
  c.banks = 1u << prng_below(&rng, 5);
  c.bank_groups = 1u << prng_below(&rng, 3);
  if (c.bank_groups > c.banks) c.bank_groups = c.banks;
  c.group_shift_bug = prng_below(&rng, 2);
  c.columns_first = prng_below(&rng, 2);
  c.tCCD = prng_below(&rng, 4);
  c.tRRD = prng_below(&rng, 12);
  c.tCL = 1 + prng_below(&rng, 20);
  c.tWL = 1 + prng_below(&rng, c.tCL);
  c.tRCD = c.tWL + 1 + prng_below(&rng, 12);
  c.tRAS = prng_below(&rng, 40);
  c.tRP = prng_below(&rng, 20);
  c.tRC = prng_below(&rng, 60);
  c.tCDLR = prng_below(&rng, 10);
  c.tWR = prng_below(&rng, 20);
  c.tCCDL = prng_below(&rng, 6);
  c.tRTPL = prng_below(&rng, 6);
  c.chips = 1 + prng_below(&rng, 4);
  c.sched_queue = 1 + prng_below(&rng, 40);
  c.return_queue = 1 + prng_below(&rng, 20);
  compare(&c, &loads[(unsigned)_i % (sizeof loads / sizeof loads[0])], 100 + (uint64_t)_i);
}
END_TEST

Suite *test_dram_twin_suite(void);

Suite *test_dram_twin_suite(void) {
  Suite *s = suite_create("dram_twin");
  TCase *t = tcase_create("against a plain model");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, every_command_as_in_the_plain_model, 0, sizeof loads / sizeof loads[0]);
  tcase_add_loop_test(t, other_geometries_as_in_the_plain_model, 0, 16);
  tcase_set_tags(t, "heavy"); /* many random cycles: not under valgrind */
  suite_add_tcase(s, t);
  return s;
}
