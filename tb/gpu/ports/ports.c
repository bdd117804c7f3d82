/* SPDX-License-Identifier: Apache-2.0 */
/* L2, DRAM, pinned host memory, constants, and the ports between them: see ports.h. */
#include "base/hash.h"
#include "gpu/ports/ports_state.h"

#include <stdlib.h>

/* ---- creation ------------------------------------------------------------------ */

static unsigned clusters_of(const config_t *c) {
  return (c->sms + c->cluster - 1) / c->cluster;
}

static int open_clusters(ports_t *p, mrpb_err_t *err) {
  const config_t *c = &p->cfg;
  const cache_cfg_t two = {.sets = c->const2_sets, .ways = c->const2_ways, .log2 = c->const2_line};
  const unsigned clusters = clusters_of(c);
  p->const2 = calloc(clusters, sizeof *p->const2);
  p->lrc = calloc(clusters, sizeof *p->lrc);
  p->cluster_port = calloc(clusters, sizeof *p->cluster_port);
  if (!p->const2 || !p->lrc || !p->cluster_port) return mrpb_fail(err, "ports: out of memory");
  for (unsigned i = 0; i < clusters; i++) {
    p->cluster_port[i].rate = c->cluster_port;
    if (cache_open(&p->const2[i], &two, err) != 0) return -1;
    if (c->lrc && ports_lrc_open(&p->lrc[i], err) != 0) return -1;
  }
  return 0;
}

static int open_all(ports_t *p, mrpb_err_t *err) {
  const config_t *c = &p->cfg;
  const cache_cfg_t three = {
      .sets = c->const3_sets, .ways = c->const3_ways, .log2 = c->const2_line};
  p->noise = prng_seed(c->noise_seed, 0);
  p->host = (port_t){.rate = c->host_port, .request = c->host_request};
  p->const3_port = (port_t){.rate = c->const3_port};
  p->host_done = calloc(c->host_reads + 1, sizeof *p->host_done);
  if (!p->host_done) return mrpb_fail(err, "ports: out of memory");
  if (open_clusters(p, err) != 0) return -1;
  if (ports_l2_open(p, err) != 0 || ports_dram_open(p, err) != 0) return -1;
  if (ports_atomic_open(p, err) != 0) return -1;
  if (cache_open(&p->const3, &three, err) != 0) return -1;
  return tlb_create(p, err);
}

static void close_all(ports_t *p) {
  for (unsigned i = 0; p->const2 && p->lrc && i < clusters_of(&p->cfg); i++) {
    cache_close(&p->const2[i]);
    ports_lrc_close(&p->lrc[i]);
  }
  free(p->const2);
  free(p->lrc);
  free(p->cluster_port);
  free(p->host_done);
  p->const2 = NULL;
  p->lrc = NULL;
  p->cluster_port = NULL;
  p->host_done = NULL;
  cache_close(&p->const3);
  ports_l2_close(p);
  ports_dram_close(p);
  ports_atomic_close(p);
  tlb_close(p);
}

int ports_create(gpu_memory_t **out, const ports_setup_t *setup, mrpb_err_t *err) {
  ports_t *p = calloc(1, sizeof *p);
  *out = NULL;
  if (!p) return mrpb_fail(err, "ports: out of memory");
  p->base = (gpu_memory_t){.cls = &ports_class, .now = setup->now, .map = {1, 8}};
  p->cfg = *setup->cfg;
  p->cfg.sms = setup->sms;
  p->sm = calloc(setup->sms, sizeof *p->sm);
  p->base.pool = packet_pool_create(1);
  if (!p->sm || !p->base.pool) mrpb_fail(err, "ports: out of memory");
  if (!p->sm || !p->base.pool || open_all(p, err) != 0) {
    ports_destroy(&p->base);
    return -1;
  }
  for (unsigned i = 0; i < setup->sms; i++) ports_new_sm(p, i);
  *out = &p->base;
  return 0;
}

void ports_destroy(gpu_memory_t *m) {
  ports_t *p = (ports_t *)(void *)m;
  close_all(p);
  packet_pool_destroy(p->base.pool);
  free(p->sm);
  free(p);
}

int ports_forget(ports_t *p, mrpb_err_t *err) {
  close_all(p);
  return open_all(p, err);
}

void ports_new_sm(ports_t *p, unsigned sm) {
  p->sm[sm] = (ports_sm_t){.l2_port = {.rate = p->cfg.l2_port},
                           .store_port = {.rate = p->cfg.store_port},
                           .cluster = sm / p->cfg.cluster};
}

const ports_stats_t *ports_stats(const ports_t *p) {
  return &p->stats;
}

/* ---- distances ------------------------------------------------------------------ */

/* Extra distance of this SM's cluster over the mean. */
static int32_t spread_of(const ports_t *p, unsigned sm) {
  const config_t *cfg = &p->cfg;
  int32_t last = (int32_t)((cfg->sms - 1) / cfg->cluster);
  int32_t spread = (int32_t)cfg->cluster_spread;
  return last ? (2 * (int32_t)p->sm[sm].cluster - last) * spread / (2 * last) : 0;
}

static bool is_host(const ports_t *p, uint64_t addr) {
  return addr >= p->host_from && addr < p->host_to;
}

/* Extra cycles of a read. */
static uint32_t noise(ports_t *p) {
  enum { RARE = 1000 };
  const config_t *cfg = &p->cfg;
  uint32_t late = cfg->noise ? prng_below(&p->noise, cfg->noise + 1) : 0;
  if (cfg->noise_late && prng_below(&p->noise, RARE) == 0) late += cfg->noise_late;
  return late;
}

/* Selects by a line's address: its slice of the L2, its half of the L2, its channel of the DRAM. */
typedef enum { SLICE, HALF, CHANNEL, HOST } place_t;
static uint64_t picked(uint64_t number, place_t place) {
  const uint64_t what[] = {number, place};
  uint64_t x = hash_bytes(HASH_START, what, sizeof what);
  return prng_splitmix(&x); /* the lowest bit of a hash is the parity of its bytes */
}

/* The phase of the refresh at `block` when a launch begins; it may have any value. */
static uint64_t phase(const ports_t *p, uint64_t block, place_t place) {
  uint64_t x = picked(block, place) + p->launches;
  return prng_splitmix(&x) >> 1;
}

/* Extra distance of a line over the mean, for slices or channels that lie `width` apart. */
static int64_t farther(uint64_t addr, place_t place, uint32_t width) {
  return width ? (int64_t)(picked(addr >> PORTS_LINE_LOG2, place) % (width + 1)) - width / 2 : 0;
}

/* Whole blocks lie in one half, and the memory behind that half is farther for the other half, too.
 * For the host, each line is placed by itself. */
static bool in_far_half(const ports_t *p, uint64_t addr) {
  const config_t *c = &p->cfg;
  if (is_host(p, addr)) return picked(addr / PORTS_LINE, HALF) & 1;
  const uint64_t block = addr / c->half_block;
  if (c->half_bits) return __builtin_parityll(block & c->half_bits);
  return picked(block, HALF) & 1;
}

/* The memory behind a port. Its lines lie in two halves `far` apart, `width` apart within each
 * half. Refreshes of `late` cycles take `share` of every thousand cycles; a read waits for them. */
typedef struct {
  place_t place;
  uint32_t far, width, late, share;
} distances_t;

/* Time to the end of the refresh in progress at `at`. Neighbouring data are refreshed together; a
 * launch begins at any point of the refresh cycle. */
static uint64_t lateness(const ports_t *p, uint64_t addr, const distances_t *x, uint64_t at) {
  enum { MILLE = 1000, TOGETHER = 1024 /* bytes */ };
  if (x->late == 0 || x->share == 0) return 0;
  const uint64_t period = (uint64_t)x->late * MILLE / x->share;
  const uint64_t since = (at + phase(p, addr / TOGETHER, x->place)) % period;
  return since < x->late ? x->late - since : 0;
}

/* Extra time over the mean of a line that would arrive at `at`. */
static uint64_t distance(const ports_t *p, uint64_t addr, const distances_t *x, uint64_t at) {
  const int64_t half = x->far / 2;
  int64_t away = farther(addr, x->place, x->width);
  if (x->far) away += in_far_half(p, addr) ? x->far - half : -half;
  return (uint64_t)away + lateness(p, addr, x, at);
}

/* Extra time of `bytes` bytes of a line over one sector, if the whole line takes `line` cycles
 * more. */
static uint64_t beyond_sector(uint32_t bytes, uint32_t line) {
  return (uint64_t)line * (bytes - PORTS_SECTOR) / (PORTS_LINE - PORTS_SECTOR);
}

/* ---- the L2 and what is behind it ------------------------------------------------ */

/* The half that a line of the DRAM belongs to, and that of an SM; 0 if they are not told apart. */
static unsigned home_of(const ports_t *p, uint64_t addr) {
  return p->cfg.l2_halves > 1 && in_far_half(p, addr);
}
static bool is_second(const ports_t *p, unsigned sm) {
  return 2 * sm >= p->cfg.sms;
}
static unsigned side_of(const ports_t *p, unsigned sm) {
  return p->cfg.l2_halves > 1 && is_second(p, sm);
}

/* Extra cycles of a read from the other half. */
static uint64_t far_cycles(const ports_t *p) {
  return p->cfg.l2_far > p->cfg.l2_latency ? p->cfg.l2_far - p->cfg.l2_latency : 0;
}

/* Extra cycles of the first read of a line that the host has left in the other half of an L2 whose
 * halves are not told apart. */
static uint64_t first_read(ports_t *p, uint64_t addr, ports_line_t *line) {
  if (p->cfg.l2_halves > 1 || far_cycles(p) == 0 || !line->alone) return 0;
  line->alone = false;
  return in_far_half(p, addr) ? far_cycles(p) : 0;
}

/* Sectors that are in neither half come from the DRAM. */
static uint64_t read_dram(ports_t *p, uint64_t addr, uint32_t bytes, uint32_t fetch, uint64_t at) {
  const config_t *cfg = &p->cfg;
  const distances_t dram = {CHANNEL, cfg->dram_far, cfg->dram_spread, cfg->dram_late,
                            cfg->dram_late_share};
  p->stats.dram++;
  p->stats.dram_bytes += fetch;
  p->far = true;
  at = ports_dram_pass(p, addr, at + (cfg->dram_load_latency - cfg->l2_latency), fetch, false);
  return at + distance(p, addr, &dram, at) + beyond_sector(bytes, cfg->dram_line);
}

/* The home half sends `sectors` to the other one at `at`, if it has them. */
static bool other_half_sends(ports_t *p, uint64_t addr, const ports_answer_t *home,
                             unsigned sectors, uint64_t *at) {
  if (ports_l2_missing(p, home->line, sectors)) return false;
  p->stats.l2_hits++;
  *at = ports_l2_pass(p, addr, *at, ports_bytes(sectors), false) + far_cycles(p);
  const uint64_t when = ports_l2_when(home->line, sectors, *at);
  p->far = when > *at;
  *at = when;
  return true;
}

/* `missing` are not in the SM's half, whose line is `near`. Returns when all of `sectors` are. */
static uint64_t read_beyond(ports_t *p, unsigned half, uint64_t addr, ports_line_t *near,
                            unsigned sectors, unsigned missing, uint64_t at) {
  const unsigned at_home = home_of(p, addr);
  const bool far = half != at_home;
  const ports_answer_t home = far ? ports_l2(p, at_home, addr) : (ports_answer_t){.line = near};
  if (!far || !other_half_sends(p, addr, &home, missing, &at)) {
    const unsigned fetch = ports_l2_missing(p, home.line, missing);
    const uint32_t bytes = ports_bytes(sectors);
    at = read_dram(p, addr, bytes, p->cfg.l2_fetch ? ports_bytes(fetch) : bytes, at);
    ports_l2_fetched(home.line, fetch, at);
  }
  if (far) ports_l2_fetched(near, missing, ports_l2_when(home.line, missing, at));
  return ports_l2_when(near, sectors, at);
}

/* Reads from the L2 or, on a miss, from beyond. Requests pass the ports in the order in which
 * reads were requested. A read from a distant place must not delay those behind it, so its extra
 * distance is added after the port. */
static uint64_t read_l2(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors, uint64_t at,
                        bool fetched) {
  const config_t *cfg = &p->cfg;
  const uint32_t bytes = ports_bytes(sectors);
  at = port_pass(&p->sm[sm].l2_port, ports_l2_pass(p, addr, at, bytes, false), bytes);
  const unsigned half = side_of(p, sm);
  const ports_answer_t a = ports_l2(p, half, addr);
  p->stats.read_bytes += bytes;
  const unsigned missing = ports_l2_missing(p, a.line, sectors);
  if (!missing) { /* or in flight */
    p->stats.l2_hits++;
    p->stats.hit_bytes += bytes;
    at += (uint64_t)farther(addr, SLICE, cfg->l2_spread) + first_read(p, addr, a.line) +
          beyond_sector(bytes, cfg->l2_line);
    const uint64_t when = ports_l2_when(a.line, sectors, at);
    p->far = when > at;
    return when;
  }
  if (fetched) at += cfg->l1d_dram;
  return read_beyond(p, half, addr, a.line, sectors, missing, at);
}

/* With an LRC up to LRC requests of a cluster for sectors in flight become one request to the L2. */
static uint64_t coalesce(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors, uint64_t at,
                         bool fetched) {
  uint64_t *when;
  if (ports_lrc_joins(&p->lrc[p->sm[sm].cluster], addr, sectors, p->cfg.lrc, *p->base.now, &when)) {
    p->stats.coalesced++;
    p->far = false;
    at = port_pass(&p->sm[sm].l2_port, at, ports_bytes(sectors));
    return at > *when ? at : *when;
  }
  return *when = read_l2(p, sm, addr, sectors, at, fetched);
}

/* Arrival time of a line that the host would deliver at `at`. */
static uint64_t in_turn(ports_t *p, unsigned sm, uint64_t at) {
  if (p->cfg.host_order == MRPB_ORDER_ANY) return at;
  if (at > p->sm[sm].host_last) p->sm[sm].host_last = at;
  return p->sm[sm].host_last;
}

/* When a line of the host that is requested at `at` arrives. The link takes the request when it has
 * room. */
static uint64_t read_host(ports_t *p, unsigned sm, uint64_t addr, uint32_t bytes, uint64_t at) {
  const config_t *cfg = &p->cfg;
  uint64_t *done = &p->host_done[cfg->host_reads ? p->host_count++ % cfg->host_reads : 0];
  p->stats.host++;
  p->far = true;
  if (cfg->host_reads && at < *done) at = *done;
  at = port_pass(&p->host, at + cfg->host_latency, bytes);
  const distances_t host = {HOST, cfg->host_far, cfg->host_spread, cfg->host_late,
                            cfg->host_late_share};
  return *done = in_turn(p, sm, at + distance(p, addr, &host, at));
}

/* An SM of the first half and a line of the second, or the reverse. */
static uint64_t perform(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors, uint64_t at) {
  const bool far = is_second(p, sm) != in_far_half(p, addr);
  return ports_atomic_pass(p, addr, sectors, at, far);
}

uint64_t ports_read(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors, uint64_t issued,
                    uint32_t latency, bool fetched, bool alone) {
  const config_t *cfg = &p->cfg;
  uint64_t at = issued + tlb_cycles(p, addr) + (uint64_t)(int64_t)spread_of(p, sm);
  p->stats.asked_bytes += ports_bytes(sectors);
  if (fetched) at += cfg->l1d_miss;
  at += noise(p);
  if (is_host(p, addr)) return read_host(p, sm, addr, ports_bytes(sectors), at);
  at += latency;
  if (alone) at = perform(p, sm, addr, sectors, at);
  return cfg->lrc && !alone ? coalesce(p, sm, addr, sectors, at, fetched)
                            : read_l2(p, sm, addr, sectors, at, fetched);
}

bool ports_far(const ports_t *p) {
  return p->far;
}

/* The half of the SM keeps what it passes on to the home half. */
static void keep_written(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors) {
  const unsigned half = side_of(p, sm);
  if (half != home_of(p, addr)) ports_l2_fetched(ports_l2(p, half, addr).line, sectors, 0);
}

uint64_t ports_write(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors, bool whole) {
  const uint32_t bytes = ports_bytes(sectors);
  if (is_host(p, addr)) return port_pass(&p->host, *p->base.now, bytes);
  (void)tlb_cycles(p, addr);
  p->stats.writes++;
  p->stats.write_bytes += bytes;
  port_t *port = &p->sm[sm].store_port;
  const uint64_t at = port_pass(port, *p->base.now, bytes) + p->cfg.l2_latency;
  if (!whole) port->free += p->cfg.store_part;
  if (!ports_has_l2(p)) return ports_dram_pass(p, addr, *p->base.now, bytes, true);
  keep_written(p, sm, addr, sectors);
  return ports_changed(p, addr, sectors, ports_l2_pass(p, addr, at, bytes, true));
}

uint64_t ports_reduce(ports_t *p, unsigned sm, uint64_t addr, unsigned sectors) {
  const uint32_t bytes = ports_bytes(sectors);
  if (is_host(p, addr)) return port_pass(&p->host, *p->base.now, bytes);
  (void)tlb_cycles(p, addr);
  p->stats.asked_bytes += bytes;
  uint64_t at = port_pass(&p->sm[sm].store_port, *p->base.now, bytes) + p->cfg.l2_latency;
  at = read_l2(p, sm, addr, sectors, perform(p, sm, addr, sectors, at), false);
  return ports_changed(p, addr, sectors, at);
}

uint64_t ports_changed(ports_t *p, uint64_t addr, unsigned sectors, uint64_t at) {
  if (is_host(p, addr)) return at;
  if (!ports_has_l2(p)) return at;
  const unsigned home = home_of(p, addr);
  const ports_answer_t a = ports_l2(p, home, addr);
  const uint64_t another = ports_l2_written(p, home, a.line, sectors);
  const uint64_t taken = another > a.written_back ? another : a.written_back;
  return taken > at ? taken : at;
}

void ports_copy_in(ports_t *p, uint64_t addr, uint64_t bytes) {
  for (uint64_t a = addr / PORTS_LINE * PORTS_LINE; a < addr + bytes; a += PORTS_LINE) {
    const unsigned home = home_of(p, a);
    ports_l2_left(p, home, a);
    if (p->cfg.l2_halves > 1) cache_drop(&p->half[!home].cache, a); /* the copy is an old one */
  }
}

void ports_flush(ports_t *p) {
  ports_l2_empty(p);
}

void ports_set_host(ports_t *p, uint64_t from, uint64_t to) {
  p->host_from = from;
  p->host_to = to;
}

uint32_t ports_beyond(ports_t *p, unsigned sm, uint64_t addr, uint64_t at) {
  const config_t *cfg = &p->cfg;
  const unsigned cluster = p->sm[sm].cluster;
  uint32_t bytes = 1u << cfg->const2_line;
  if (cache_access(&p->const2[cluster], addr).hit) return cfg->const2_latency - cfg->const1_latency;
  bool hit = cache_access(&p->const3, addr).hit;
  uint32_t latency = hit ? cfg->const3_latency : cfg->const_latency;
  uint64_t come = port_pass(&p->const3_port, at + latency, bytes);
  come = port_pass(&p->cluster_port[cluster], come, bytes);
  return (uint32_t)(come - at) + (uint32_t)spread_of(p, sm) - cfg->const1_latency;
}

void ports_prefetch(ports_t *p, uint64_t addr) {
  const uint64_t line = UINT64_C(1) << p->cfg.const2_line, bytes = p->cfg.launch_prefetch;
  for (unsigned i = 0; bytes && i < clusters_of(&p->cfg); i++)
    for (uint64_t a = addr / line * line; a < addr + bytes; a += line)
      (void)cache_access(&p->const2[i], a);
}
