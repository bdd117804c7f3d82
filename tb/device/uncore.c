/* SPDX-License-Identifier: Apache-2.0 */
/* Beyond the SM: L2, DRAM, pinned host memory, and the ports between them. */
#include "base/hash.h"
#include "device/device_state.h"

#include <stdlib.h>

enum { UNCORE_LRC = 256 /* lines that an LRC observes */ };

int uncore_create(device_t *d, mrpb_err_t *err) {
  const device_cfg_t *c = &d->cfg;
  unsigned clusters = (c->sms + c->cluster - 1) / c->cluster;
  const cache_cfg_t l2 = {.sets = c->l2_total_sets,
                          .ways = c->l2_ways,
                          .replacement = c->l2_replacement,
                          .log2 = CORE_LINE_LOG2};
  const cache_cfg_t two = {.sets = c->const2_sets, .ways = c->const2_ways, .log2 = c->const2_line};
  const cache_cfg_t three = {
      .sets = c->const3_sets, .ways = c->const3_ways, .log2 = c->const2_line};
  const cache_cfg_t lrc = {.sets = c->lrc ? 1 : 0, .ways = UNCORE_LRC, .log2 = CORE_LINE_LOG2};
  d->noise = prng_seed(c->noise_seed, 0);
  d->dram = (port_t){.rate = c->dram_port};
  d->host = (port_t){.rate = c->host_port, .request = c->host_request};
  d->const3_port = (port_t){.rate = c->const3_port};
  d->host_done = calloc(c->host_reads + 1, sizeof *d->host_done);
  d->const2 = calloc(clusters, sizeof *d->const2);
  d->lrc = calloc(clusters, sizeof *d->lrc);
  d->cluster_port = calloc(clusters, sizeof *d->cluster_port);
  if (!d->host_done || !d->const2 || !d->lrc || !d->cluster_port)
    return mrpb_fail(err, "device: out of memory");
  for (unsigned i = 0; i < clusters; i++) {
    d->cluster_port[i].rate = c->cluster_port;
    if (cache_open(&d->const2[i], &two, err) != 0 || cache_open(&d->lrc[i], &lrc, err) != 0)
      return -1;
  }
  if (cache_open(&d->l2, &l2, err) != 0 || cache_open(&d->const3, &three, err) != 0) return -1;
  d->l2_alone = calloc(d->l2.places + 1, sizeof *d->l2_alone);
  if (!d->l2_alone) return mrpb_fail(err, "device: out of memory");
  return tlb_create(d, err);
}

void uncore_close(device_t *d) {
  unsigned clusters = (d->cfg.sms + d->cfg.cluster - 1) / d->cfg.cluster;
  for (unsigned i = 0; d->const2 && d->lrc && i < clusters; i++) {
    cache_close(&d->const2[i]);
    cache_close(&d->lrc[i]);
  }
  free(d->const2);
  free(d->lrc);
  d->lrc = NULL;
  free(d->cluster_port);
  free(d->host_done);
  d->const2 = NULL;
  d->cluster_port = NULL;
  cache_close(&d->const3);
  cache_close(&d->l2);
  free(d->l2_alone);
  tlb_close(d);
}

int32_t uncore_spread(const core_t *c) {
  const device_cfg_t *cfg = &c->device->cfg;
  int32_t last = (int32_t)((cfg->sms - 1) / cfg->cluster);
  int32_t spread = (int32_t)cfg->cluster_spread;
  return last ? (2 * (int32_t)c->cluster - last) * spread / (2 * last) : 0;
}

static bool is_host(const device_t *d, uint64_t addr) {
  return addr >= d->host_from && addr < d->host_to;
}

/* A written line that is replaced goes to the DRAM. */
cache_answer_t uncore_l2(device_t *d, uint64_t addr) {
  cache_answer_t a = cache_access(&d->l2, addr);
  if (a.was_dirty) (void)port_pass(&d->dram, d->now, CORE_LINE);
  return a;
}

/* Extra cycles of a read. */
static uint32_t noise(device_t *d) {
  enum { RARE = 1000 };
  const device_cfg_t *cfg = &d->cfg;
  uint32_t late = cfg->noise ? prng_below(&d->noise, cfg->noise + 1) : 0;
  if (cfg->noise_late && prng_below(&d->noise, RARE) == 0) late += cfg->noise_late;
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
static uint64_t phase(const device_t *d, uint64_t block, place_t place) {
  uint64_t x = picked(block, place) + d->launches;
  return prng_splitmix(&x) >> 1;
}

/* Extra distance of a line over the mean, for slices or channels that lie `width` apart. */
static int64_t farther(uint64_t addr, place_t place, uint32_t width) {
  return width ? (int64_t)(picked(addr >> CORE_LINE_LOG2, place) % (width + 1)) - width / 2 : 0;
}

/* Whole blocks lie in one half, and the memory behind that half is farther for the other half, too.
 * For the host, each line is placed by itself. */
static bool in_far_half(const device_t *d, uint64_t addr) {
  const device_cfg_t *c = &d->cfg;
  if (is_host(d, addr)) return picked(addr / CORE_LINE, HALF) & 1;
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
static uint64_t lateness(const device_t *d, uint64_t addr, const distances_t *x, uint64_t at) {
  enum { MILLE = 1000, TOGETHER = 1024 /* bytes */ };
  if (x->late == 0 || x->share == 0) return 0;
  const uint64_t period = (uint64_t)x->late * MILLE / x->share;
  const uint64_t since = (at + phase(d, addr / TOGETHER, x->place)) % period;
  return since < x->late ? x->late - since : 0;
}

/* Extra time over the mean of a line that would arrive at `at`. */
static uint64_t distance(const device_t *d, uint64_t addr, const distances_t *x, uint64_t at) {
  const int64_t half = x->far / 2;
  int64_t away = farther(addr, x->place, x->width);
  if (x->far) away += in_far_half(d, addr) ? x->far - half : -half;
  return (uint64_t)away + lateness(d, addr, x, at);
}

/* Extra time of `bytes` bytes of a line over one sector, if the whole line takes `line` cycles
 * more. */
static uint64_t beyond_sector(uint32_t bytes, uint32_t line) {
  return (uint64_t)line * (bytes - CORE_SECTOR) / (CORE_LINE - CORE_SECTOR);
}

/* Extra cycles of the first read of a line that the host has left in the other half. */
static uint64_t first_read(device_t *d, uint64_t addr, uint32_t place) {
  const device_cfg_t *cfg = &d->cfg;
  if (cfg->l2_far <= cfg->l2_latency || !d->l2_alone[place]) return 0;
  d->l2_alone[place] = false;
  return in_far_half(d, addr) ? cfg->l2_far - cfg->l2_latency : 0;
}

/* Reads from the L2 or, on a miss, from the DRAM. Requests pass the ports in the order in which
 * reads were requested. A read from a distant place must not delay those behind it, so its extra
 * distance is added after the port. */
static uint64_t read_l2(core_t *c, uint64_t addr, uint32_t bytes, uint64_t at, bool fetched) {
  device_t *d = c->device;
  const device_cfg_t *cfg = &d->cfg;
  at = port_pass(&c->l2_port, at, bytes);
  cache_answer_t a = uncore_l2(d, addr);
  if (a.hit) { /* or in flight */
    d->stats.l2_hits++;
    at += (uint64_t)farther(addr, SLICE, cfg->l2_spread) + first_read(d, addr, a.place) +
          beyond_sector(bytes, cfg->l2_line);
    return at > d->l2.when[a.place] ? at : d->l2.when[a.place];
  }
  d->stats.dram++;
  if (fetched) at += cfg->l1d_dram;
  at = port_pass(&d->dram, at + (cfg->dram_load_latency - cfg->l2_latency), bytes);
  const distances_t dram = {CHANNEL, cfg->dram_far, cfg->dram_spread, cfg->dram_late,
                            cfg->dram_late_share};
  at += distance(d, addr, &dram, at) + beyond_sector(bytes, cfg->dram_line);
  if (d->l2.tags) d->l2.when[a.place] = at;
  if (d->l2.tags) d->l2_alone[a.place] = false;
  return at;
}

/* With an LRC up to LRC requests of a cluster for a line in flight become one request to the L2. */
static uint64_t coalesce(core_t *c, uint64_t addr, uint32_t bytes, uint64_t at, bool fetched) {
  device_t *d = c->device;
  cache_t *lrc = &d->lrc[c->cluster];
  cache_answer_t a = cache_access(lrc, addr);
  if (a.hit && lrc->when[a.place] > d->now && lrc->dirty[a.place] < d->cfg.lrc) {
    lrc->dirty[a.place]++;
    d->stats.coalesced++;
    at = port_pass(&c->l2_port, at, bytes);
    return at > lrc->when[a.place] ? at : lrc->when[a.place];
  }
  lrc->dirty[a.place] = 1; /* counts them */
  return lrc->when[a.place] = read_l2(c, addr, bytes, at, fetched);
}

/* Arrival time of a line that the host would deliver at `at`. */
static uint64_t in_turn(core_t *c, uint64_t at) {
  if (c->device->cfg.host_order == MRPB_ORDER_ANY) return at;
  if (at > c->host_last) c->host_last = at;
  return c->host_last;
}

/* When a line of the host that is requested at `at` arrives. The link takes the request when it has
 * room. */
static uint64_t read_host(core_t *c, uint64_t addr, uint32_t bytes, uint64_t at) {
  device_t *d = c->device;
  const device_cfg_t *cfg = &d->cfg;
  uint64_t *done = &d->host_done[cfg->host_reads ? d->host_count++ % cfg->host_reads : 0];
  d->stats.host++;
  if (cfg->host_reads && at < *done) at = *done;
  at = port_pass(&d->host, at + cfg->host_latency, bytes);
  const distances_t host = {HOST, cfg->host_far, cfg->host_spread, cfg->host_late,
                            cfg->host_late_share};
  return *done = in_turn(c, at + distance(d, addr, &host, at));
}

uint64_t uncore_read(core_t *c, uint64_t addr, uint32_t bytes, uint64_t issued, uint32_t latency,
                     bool fetched, bool alone) {
  device_t *d = c->device;
  const device_cfg_t *cfg = &d->cfg;
  uint64_t at = issued + tlb_cycles(d, addr) + (uint64_t)(int64_t)uncore_spread(c);
  if (fetched) at += cfg->l1d_miss;
  at += noise(d);
  if (is_host(d, addr)) return read_host(c, addr, bytes, at);
  at += latency;
  return cfg->lrc && !alone ? coalesce(c, addr, bytes, at, fetched)
                            : read_l2(c, addr, bytes, at, fetched);
}

void uncore_write(core_t *c, uint64_t addr, uint32_t bytes) {
  device_t *d = c->device;
  if (is_host(d, addr)) {
    (void)port_pass(&d->host, d->now, bytes);
    return;
  }
  (void)tlb_cycles(d, addr);
  if (!d->l2.tags) (void)port_pass(&d->dram, d->now, bytes);
  uncore_changed(d, addr);
}

void uncore_changed(device_t *d, uint64_t addr) {
  if (is_host(d, addr)) return;
  cache_answer_t a = uncore_l2(d, addr);
  if (d->l2.tags) d->l2.dirty[a.place] = 1;
}

void device_copy_in(device_t *d, uint64_t addr, uint64_t bytes) {
  for (uint64_t a = addr / CORE_LINE * CORE_LINE; a < addr + bytes; a += CORE_LINE)
    if (d->l2.tags) d->l2_alone[cache_access(&d->l2, a).place] = true;
}

void device_flush(device_t *d) {
  cache_empty(&d->l2);
}

void device_set_host(device_t *d, uint64_t from, uint64_t to) {
  d->host_from = from;
  d->host_to = to;
}
