/* SPDX-License-Identifier: Apache-2.0 */
/* L2 slice: configuration, queues, fixed delay and the order of events inside one L2 cycle. */
#include "gpu/l2/l2_state.h"

#include "bits.h"

#include <stdlib.h>

void l2_defaults(l2_cfg_t *cfg) {
  *cfg = (l2_cfg_t){
#define PART_L2(field, to, min, max, deflt, has) .to = deflt,
#include "config/each_key.h"
      .line_bytes = 128};
}

l2_cfg_t l2_configured(const config_t *c) {
  l2_cfg_t cfg;
  l2_defaults(&cfg);
#define PART_L2(field, to, ...) cfg.to = c->field;
#include "config/each_key.h"
  return cfg;
}

static int range(const char *name, uint32_t v, uint32_t min, uint32_t max, mrpb_err_t *err) {
  if (v >= min && v <= max) return 0;
  return mrpb_fail(err, "l2: %s = %u is not %u to %u", name, v, min, max);
}

int l2_check(const l2_cfg_t *c, mrpb_err_t *err) {
#define PART_L2(field, to, min, max, deflt, has) range(#to, c->to, min, max, err) ||
  if (
#include "config/each_key.h"
      range("line_bytes", c->line_bytes, 32, 128, err))
    return -1;
  if (c->sets & (c->sets - 1))
    return mrpb_fail(err, "l2: sets = %u is not a power of two", c->sets);
  if (c->line_bytes & (c->line_bytes - 1))
    return mrpb_fail(err, "l2: line_bytes = %u is not a power of two", c->line_bytes);
  return 0;
}

static bool allocate(l2_t *l2) {
  const l2_cfg_t *c = &l2->cfg;
  size_t lines = (size_t)c->sets * c->ways;
  uint32_t buckets = 1u << bits_clog2(2 * (uint64_t)c->mshr_entries);
  l2->tag = calloc(lines, sizeof *l2->tag);
  l2->used_at = calloc(lines, sizeof *l2->used_at);
  l2->state = calloc(lines, sizeof *l2->state);
  l2->invalid_ways = calloc(c->sets, sizeof *l2->invalid_ways);
  l2->mshr = calloc(c->mshr_entries, sizeof *l2->mshr);
  l2->slots = calloc((size_t)c->mshr_entries * c->mshr_merges, sizeof *l2->slots);
  l2->bucket = calloc(buckets, sizeof *l2->bucket);
  if (!l2->tag || !l2->used_at || !l2->state || !l2->invalid_ways || !l2->mshr || !l2->slots ||
      !l2->bucket)
    return false;
  for (size_t i = 0; i < lines; i++) l2->tag[i] = NO_BLOCK;
  for (uint32_t set = 0; set < c->sets; set++) l2->invalid_ways[set] = c->ways;
  l2->bucket_mask = buckets - 1;
  return true;
}

int l2_create(l2_t **out, const l2_cfg_t *cfg, uint32_t partition, const packet_map_t *map,
              packet_pool_t *pool, mrpb_err_t *err) {
  *out = NULL;
  if (l2_check(cfg, err)) return -1;
  l2_t *l2 = calloc(1, sizeof *l2);
  if (!l2) return mrpb_fail(err, "l2: out of memory");
  l2->cfg = *cfg;
  if (!allocate(l2)) {
    l2_destroy(l2);
    return mrpb_fail(err, "l2: out of memory");
  }
  l2->partition = partition;
  l2->map = *map;
  l2->pool = pool;
  l2->line_log2 = bits_clog2(cfg->line_bytes);
  for (uint32_t b = 0; b <= l2->bucket_mask; b++) l2->bucket[b] = NO_ENTRY;
  for (uint32_t e = 0; e < cfg->mshr_entries; e++)
    l2->mshr[e].next = e + 1 < cfg->mshr_entries ? e + 1 : NO_ENTRY;
  l2->ready_head = l2->ready_tail = NO_ENTRY;
  packet_queue_init(&l2->rop, 0);
  packet_queue_init(&l2->miss_queue, cfg->miss_queue);
  packet_queue_init(&l2->icnt_l2, cfg->icnt_l2_queue);
  packet_queue_init(&l2->l2_dram, cfg->l2_dram_queue);
  packet_queue_init(&l2->dram_l2, cfg->dram_l2_queue);
  packet_queue_init(&l2->l2_icnt, cfg->l2_icnt_queue);
  *out = l2;
  return 0;
}

void l2_destroy(l2_t *l2) {
  if (!l2) return;
  free(l2->tag);
  free(l2->used_at);
  free(l2->state);
  free(l2->invalid_ways);
  free(l2->mshr);
  free(l2->slots);
  free(l2->bucket);
  free(l2);
}

void l2_set_check(l2_t *l2, check_t *check) {
  l2->check = check;
}

void l2_set_requests(l2_t *l2, requests_t *requests) {
  l2->requests = requests;
}

void l2_set_hazards(l2_t *l2, uint32_t hazards) {
  l2->hazards = hazards;
}

bool l2_accepts(const l2_t *l2) {
  return !packet_queue_full(&l2->icnt_l2);
}

void l2_push(l2_t *l2, packet_t *p, uint64_t now) {
  if (l2->requests) requests_passes(l2->requests, p, REQUESTS_AT_L2);
  l2->from_sms++;
  if (p->texture) {
    packet_queue_push(&l2->icnt_l2, p);
    return;
  }
  p->ready = now + l2->cfg.rop_latency;
  packet_queue_push(&l2->rop, p);
}

static void send_reply(l2_t *l2, packet_t *p) {
  p->reply = true;
  packet_queue_push(&l2->l2_icnt, p);
}

/* Takes one request that waited for a line. The allocate read of a write miss ends here, but needs
 * the same room. */
static void drain_ready(l2_t *l2) {
  if (l2->ready_head == NO_ENTRY || packet_queue_full(&l2->l2_icnt)) return;
  packet_t *p = l2_next_ready(l2);
  l2->stalled = false;
  if (p->kind == PACKET_L2_ALLOC)
    packet_free(l2->pool, p);
  else
    send_reply(l2, p);
}

static void take_dram_return(l2_t *l2) {
  packet_t *p = l2->dram_l2.head;
  if (!p) return;
  if (p->fills) {
    packet_queue_pop(&l2->dram_l2);
    l2_fill(l2, p);
    l2->stalled = false;
  } else if (!packet_queue_full(&l2->l2_icnt)) {
    send_reply(l2, packet_queue_pop(&l2->dram_l2));
  }
}

static void send_miss(l2_t *l2) {
  if (!l2->miss_queue.count || packet_queue_full(&l2->l2_dram)) return;
  packet_queue_push(&l2->l2_dram, packet_queue_pop(&l2->miss_queue));
  l2->stalled = false;
}

static l2_result_t look_up(l2_t *l2, packet_t *p, uint64_t now) {
  static const requests_l2_t found[] = {[L2_HIT] = REQUESTS_L2_HIT,
                                        [L2_MISS_PRIMARY] = REQUESTS_L2_MISS,
                                        [L2_MISS_MERGED] = REQUESTS_L2_MERGE};
  const l2_result_t r = l2_access(l2, p, now);
  if (l2->requests && r != L2_REFUSED) requests_looked_up(l2->requests, p, found[r]);
  return r;
}

/* One access. A refused access is retried in every cycle. It can only succeed after a fill, a
 * drained MSHR request or a sent miss, so the attempts in between are counted but not made. */
static void access_head(l2_t *l2, uint64_t now) {
  packet_t *p = l2->icnt_l2.head;
  if (!p) return;
  if (packet_queue_full(&l2->l2_dram)) {
    l2->stats.stall_dram++;
    return;
  }
  if (packet_queue_full(&l2->l2_icnt)) {
    l2->stats.stall_icnt++;
    return;
  }
  if (l2->stalled) {
    l2->stats.fail[l2->stall_reason]++;
    return;
  }
  if (!packet_pool_reserve(l2->pool, 2)) return;
  switch (look_up(l2, p, now)) {
  case L2_HIT:
    send_reply(l2, packet_queue_pop(&l2->icnt_l2));
    break;
  case L2_MISS_PRIMARY: /* in the MSHR table; it or its allocate read is in the miss queue */
  case L2_MISS_MERGED:
    break;
  case L2_REFUSED:
    l2->stalled = true;
    l2->stats.fail[l2->stall_reason]++;
    break;
  }
}

void l2_cycle(l2_t *l2, uint64_t now) {
  drain_ready(l2);
  take_dram_return(l2);
  send_miss(l2);
  access_head(l2, now);
  if (l2->rop.count && l2->rop.head->ready <= now && !packet_queue_full(&l2->icnt_l2))
    packet_queue_push(&l2->icnt_l2, packet_queue_pop(&l2->rop));
}

packet_t *l2_reply_top(const l2_t *l2) {
  return l2->l2_icnt.head;
}

uint32_t l2_from_sms(const l2_t *l2) {
  return l2->from_sms;
}

packet_t *l2_reply_pop(l2_t *l2) {
  l2->from_sms--;
  packet_t *p = packet_queue_pop(&l2->l2_icnt);
  if (l2->requests) requests_passes(l2->requests, p, REQUESTS_REPLIED);
  return p;
}

packet_queue_t *l2_to_dram(l2_t *l2) {
  return &l2->l2_dram;
}

packet_queue_t *l2_from_dram(l2_t *l2) {
  return &l2->dram_l2;
}

uint64_t l2_next_event(const l2_t *l2, uint64_t now) {
  if (l2->ready_head != NO_ENTRY || l2->dram_l2.count || l2->miss_queue.count || l2->icnt_l2.count)
    return now;
  if (!l2->rop.count) return UINT64_MAX;
  return l2->rop.head->ready > now ? l2->rop.head->ready : now;
}

uint64_t l2_delayed_until(const l2_t *l2) {
  return l2->rop.count ? l2->rop.tail->ready : 0;
}

uint32_t l2_in_flight(const l2_t *l2) {
  return l2->rop.count + l2->icnt_l2.count + l2->miss_queue.count + l2->l2_dram.count +
         l2->dram_l2.count + l2->l2_icnt.count + l2->waiting;
}

const l2_stats_t *l2_stats(const l2_t *l2) {
  return &l2->stats;
}
