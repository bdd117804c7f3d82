/* SPDX-License-Identifier: Apache-2.0 */
/* Replays a trace through one channel: see replay.h. */
#include "gpu/dram/replay.h"

#include "bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 96, ROW_BITS = 32, ASK_EVERY = 1 << 16, PACKETS = 64 };

/* ---- addresses -------------------------------------------------------------- */

static const struct {
  const char *name;
  char what;
} fields[] = {{"row", 'r'}, {"bank", 'b'}, {"group", 'g'}, {"column", 'c'}};

static int bad_map(const char *text, mrpb_err_t *err) {
  return mrpb_fail(err,
                   "map '%.60s'; legal: row, bank, group and column:BITS joined by commas, highest "
                   "first, such as row,bank,group,column:11, at most 64 bits",
                   text);
}

/* Parses "column:11"; the width is 0 if none is given. */
static bool parse_field(const char *text, char *what, unsigned *width) {
  size_t n = strcspn(text, ":");
  *what = '\0';
  *width = 0;
  for (unsigned i = 0; i < 4; i++)
    if (strlen(fields[i].name) == n && strncmp(text, fields[i].name, n) == 0)
      *what = fields[i].what;
  if (text[n] == '\0') return *what && *what != 'c';
  char *end = NULL;
  unsigned long v = text[n + 1] >= '1' && text[n + 1] <= '9' ? strtoul(text + n + 1, &end, 10) : 0;
  *width = (unsigned)v;
  return v >= 1 && v <= 64 && *end == '\0' && (*what == 'c' || *what == 'r');
}

/* Places the fields from the lowest up. */
static bool place(dram_map_t *map, const dram_cfg_t *cfg) {
  unsigned at = 0, seen[128] = {0};
  for (unsigned i = map->n; i-- > 0;) {
    char what = map->field[i].what;
    unsigned *width = &map->field[i].width;
    if (what == 'b') *width = map->bank_width;
    if (what == 'g') *width = bits_clog2(cfg->bank_groups);
    if (what != 'c' && seen[(unsigned char)what]++) return false;
    map->field[i].low = at;
    at += *width;
  }
  return at <= 64 && seen['r'] && seen['b'] && seen['g'];
}

int dram_map_parse(dram_map_t *map, const char *text, const dram_cfg_t *cfg, mrpb_err_t *err) {
  char copy[TEXT], *save = NULL;
  *map = (dram_map_t){.bank_width = bits_clog2(cfg->banks / cfg->bank_groups)};
  if (strlen(text) >= sizeof copy) return bad_map(text, err);
  strcpy(copy, text);
  for (char *w = strtok_r(copy, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
    if (map->n == DRAM_MAP_FIELDS) return bad_map(text, err);
    char *what = &map->field[map->n].what;
    unsigned *width = &map->field[map->n].width;
    if (!parse_field(w, what, width) || (*what == 'r' && *width > ROW_BITS))
      return bad_map(text, err);
    if (*what == 'r' && *width == 0 && map->n > 0) return bad_map(text, err); /* bits left */
    map->n++;
  }
  return place(map, cfg) ? 0 : bad_map(text, err);
}

bool dram_map_find(const dram_map_t *map, uint64_t addr, uint32_t *row, uint32_t *bank) {
  uint32_t group = 0, in_group = 0;
  for (unsigned i = 0; i < map->n; i++) {
    unsigned width = map->field[i].width, low = map->field[i].low;
    uint64_t v = low < 64 ? addr >> low : 0;
    switch (map->field[i].what) {
    case 'r':
      if (width == 0 && v >> ROW_BITS) return false;
      *row = (uint32_t)bits(v, width ? width : ROW_BITS);
      break;
    case 'b':
      in_group = (uint32_t)bits(v, width);
      break;
    case 'g':
      group = (uint32_t)bits(v, width);
      break;
    default:
      break;
    }
  }
  *bank = group << map->bank_width | in_group;
  return true;
}

/* ---- the run ---------------------------------------------------------------- */

typedef struct {
  dram_replay_t *out;
  const dram_map_t *map;
  dram_source_t *from;
  dram_t *dram;
  packet_pool_t *pool;
  uint32_t bytes, row_lsb;
  uint64_t now, waiting; /* requests inside */
  dram_request_t next;
  bool more;
  mrpb_err_t *err;
} run_t;

static int fetch(run_t *r) {
  int rc = dram_source_next(r->from, &r->next, r->err);
  r->more = rc > 0;
  return rc < 0 ? -1 : 0;
}

static int enter(run_t *r) {
  uint32_t row = 0, bank = 0;
  if (!dram_map_find(r->map, r->next.addr, &row, &bank)) {
    char where[512];
    dram_source_where(r->from, where, sizeof where);
    return mrpb_fail(r->err,
                     "%s: address 0x%" PRIx64
                     " is beyond the row's 32 bits; legal: row:BITS in the "
                     "map, which ignores what is above",
                     where, r->next.addr);
  }
  packet_t *p = packet_alloc(r->pool);
  if (!p) return mrpb_fail(r->err, "out of memory");
  p->local = (uint64_t)row << r->row_lsb | bank;
  p->kind = r->next.write ? PACKET_WRITE : PACKET_READ;
  p->bytes = r->bytes;
  p->t_created = r->now;
  uint64_t waited = r->now - r->next.cycle;
  r->out->waited_sum += waited;
  if (waited > r->out->waited_max) r->out->waited_max = waited;
  r->out->bank[bank].requests++;
  r->out->requests++;
  r->waiting++;
  dram_push(r->dram, p);
  return fetch(r);
}

static void leave(run_t *r, packet_t *p) {
  dram_replay_t *o = r->out;
  uint64_t latency = r->now - p->t_created;
  if (o->reads + o->writes == 0 || latency < o->latency_min) o->latency_min = latency;
  if (latency > o->latency_max) o->latency_max = latency;
  o->latency_sum += latency;
  if (packet_is_write(p))
    o->writes++;
  else
    o->reads++;
  r->waiting--;
  packet_free(r->pool, p);
}

static void count_command(run_t *r) {
  uint32_t bank, row;
  dram_command_t c = dram_last_command(r->dram, &bank, &row);
  dram_bank_count_t *b = &r->out->bank[bank];
  if (c == DRAM_ACTIVATE) b->activates++;
  if (c == DRAM_PRECHARGE) b->precharges++;
  if (c == DRAM_READ || c == DRAM_WRITE) b->columns++;
}

static int cycle(run_t *r) {
  while (r->more && r->next.cycle <= r->now && !dram_full(r->dram))
    if (enter(r) != 0) return -1;
  dram_step(r->dram);
  count_command(r);
  for (packet_t *p; (p = dram_pop(r->dram)) != NULL;) leave(r, p);
  r->now++;
  if (r->more && r->waiting == 0 && r->next.cycle > r->now) { /* nothing happens until then */
    dram_skip(r->dram, r->next.cycle - r->now);
    r->now = r->next.cycle;
  }
  return 0;
}

static dram_replay_end_t run_all(run_t *r, bool (*stop)(void)) {
  if (fetch(r) != 0) return DRAM_REPLAY_FAILED;
  for (uint64_t n = 1; r->more || r->waiting > 0; n++) {
    if (cycle(r) != 0) return DRAM_REPLAY_FAILED;
    if (n % ASK_EVERY == 0 && stop && stop()) return DRAM_REPLAY_STOPPED;
  }
  const dram_stats_t *s = dram_stats(r->dram);
  dram_replay_t *o = r->out;
  o->cycles = s->cycles;
  o->hits = s->row_hits;
  o->conflicts = s->precharges;
  o->misses = s->activates - s->precharges;
  o->data_cycles = s->data_cycles;
  o->busy = s->busy;
  return DRAM_REPLAY_DONE;
}

/* The channel gets row and bank side by side, wherever they are in the trace's addresses. */
dram_replay_end_t dram_replay(dram_replay_t *out, const dram_cfg_t *cfg, const dram_map_t *map,
                              uint32_t bytes, dram_source_t *from, bool (*stop)(void),
                              mrpb_err_t *err) {
  dram_cfg_t c = *cfg;
  c.bank_lsb = 0;
  c.row_lsb = bits_clog2(cfg->banks);
  c.row_bits = ROW_BITS;
  memset(out, 0, sizeof *out);
  run_t r = {
      .out = out, .map = map, .from = from, .bytes = bytes, .row_lsb = c.row_lsb, .err = err};
  dram_replay_end_t end = DRAM_REPLAY_FAILED;
  r.pool = packet_pool_create(PACKETS);
  if (!r.pool)
    (void)mrpb_fail(err, "out of memory");
  else if (dram_create(&r.dram, &c, r.pool, err) == 0)
    end = run_all(&r, stop);
  dram_destroy(r.dram);
  if (r.pool) packet_pool_destroy(r.pool);
  return end;
}
