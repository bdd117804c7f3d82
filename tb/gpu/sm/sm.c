/* SPDX-License-Identifier: Apache-2.0 */
/* The SM as a whole: creation, blocks, the order of its stages in a cycle, sleep, statistics. */
#include "config/verilog_params.h"
#include "parts/occupancy.h"
#include "gpu/sm/sm_state.h"

#include <string.h>

/* Each SM begins the size of a front further into its pages than the one before, so that all the
 * fronts together are spread over the sets of the host's first-level cache. */
enum {
  SM_PLACES = 32,
  SM_FRONT = offsetof(sm_t, stats) + 64,
  SM_HOME = sizeof(sm_t) + (SM_PLACES - 1) * SM_FRONT
};

l1d_cfg_t sm_l1d_cfg(const config_t *c) {
  l1d_cfg_t l = {.mshr = config_mshr_params(c)};
#define RUN_L1D(field, to, ...) l.to = c->field;
#include "config/each_key.h"
  return l;
}

int sm_create(sm_t **out, const sm_setup_t *setup, mrpb_err_t *err) {
  const config_t *c = setup->cfg;
  l1d_cfg_t l = sm_l1d_cfg(c);
  pool_t *pages = NULL;
  char *home = pool_take(&pages, SM_HOME);
  sm_t *sm = home ? (sm_t *)(void *)(home + setup->id % SM_PLACES * SM_FRONT) : NULL;
  *out = sm;
  if (!sm) return mrpb_fail(err, "sm%u: out of memory", setup->id);
  sm->home = pages;
  sm->cfg = *c;
  sm->id = setup->id;
  sm->pool = setup->pool;
  sm->icnt = setup->icnt;
  sm->map = setup->map;
  sm->no_sleep = setup->no_sleep;
  sm->slots_free = UINT64_MAX;
  sm->dispatch = COLLECTOR_NONE;
  sm->sched_stale = true;
  sm->allowed = UINT64_MAX;
  sm->schedulers = (uint8_t)c->schedulers;
  sm->greedy = c->scheduler == CONFIG_SCHEDULER_GTO;
  sm->swl_limit = c->swl_limit;
  sm->has_mrpb = c->mrpb != 0;
  sm->reorders = c->mrpb && c->mrpb_reorder;
  collector_init(&sm->collector);
  sm_front_init(sm);
  packet_queue_init(&sm->cluster, c->cluster_fifo);
  packet_queue_init(&sm->response, c->response_fifo);
  for (unsigned w = 0; w < c->warps_per_sm; w++)
    sm->sched_mask[w % c->schedulers] |= UINT64_C(1) << w;
  for (unsigned s = 0; s < c->schedulers; s++) sm->last_issued[s] = (uint8_t)s;
  if (l1d_create(&sm->l1d, &l, setup->choice, sm->id, sm->pool, err) != 0) return -1;
  sm_set_hazards(sm, 0);
  if (sm_icache_create(sm, err) != 0 || sm_side_create(sm, err) != 0) return -1;
  return sm_mrpb_create(sm, setup->choice, err);
}

void sm_set_check(sm_t *sm, check_sm_t *check) {
  sm->check = check;
  l1d_set_check(sm->l1d, check);
}

void sm_set_hazards(sm_t *sm, uint32_t hazards) {
  sm->hazards = hazards | (sm->cfg.memory_order == CONFIG_ORDER_REFERENCE ? HAZARDS_REFERENCE : 0);
  l1d_set_hazards(sm->l1d, sm->hazards);
}

void sm_destroy(sm_t *sm) {
  if (!sm) return;
  for (unsigned w = 0; w < SM_MAX_WARPS; w++)
    if (sm->warp[w].stream) warp_stream_close(sm->workload, sm->warp[w].stream);
  for (packet_t *p; (p = packet_queue_pop(&sm->cluster));) packet_free(sm->pool, p);
  for (packet_t *p; (p = packet_queue_pop(&sm->response));) packet_free(sm->pool, p);
  l1d_destroy(sm->l1d);
  sm_icache_destroy(sm);
  sm_side_destroy(sm);
  sm_mrpb_destroy(sm);
  pool_free(sm->home);
}

/* ---- blocks ---------------------------------------------------------------- */

unsigned sm_max_blocks(const config_t *cfg, const launch_t *launch) {
  const occupancy_sm_t sm = {.warps = cfg->warps_per_sm,
                             .blocks = cfg->blocks_per_sm,
                             .registers = cfg->registers_per_sm,
                             .register_unit = 4,
                             .thread_unit = 1,
                             .shared = cfg->shared_bytes};
  uint32_t n = occupancy_blocks(&sm, launch->threads, launch->regs, launch->shared);
  if (cfg->block_placement == CONFIG_PLACEMENT_ROUND_ROBIN && launch->blocks < n * cfg->sms)
    n = (launch->blocks + cfg->sms - 1) / cfg->sms;
  return n;
}

void sm_start_kernel(sm_t *sm, workload_t *w, const launch_t *launch, unsigned max_blocks) {
  sm->workload = w;
  sm->launch = launch;
  sm->max_blocks = max_blocks;
  sm->warps_per_block = occupancy_threads(sm->launch->threads) / WARP_LANES;
}

bool sm_has_room(const sm_t *sm) {
  return sm->n_blocks < sm->max_blocks;
}

int sm_take_block(sm_t *sm, uint32_t block, mrpb_err_t *err) {
  unsigned slot = 0;
  while (sm->block[slot].used) slot++;
  for (unsigned i = 0; i < sm->warps_per_block; i++)
    if (sm_front_start_warp(sm, slot * sm->warps_per_block + i, block, slot, i) != 0)
      return mrpb_fail(err, "sm%u: out of memory for block %u", sm->id, block);
  uint8_t warps = (uint8_t)sm->warps_per_block;
  sm->block[slot] =
      (sm_block_t){.used = 1, .warps_left = warps, .running = warps, .number = sm->blocks_run++};
  sm->by_age[sm->n_blocks++] = (uint8_t)slot;
  sm->sched_stale = true;
  return 0;
}

unsigned sm_blocks(const sm_t *sm) {
  return sm->n_blocks;
}

/* ---- the cycle ------------------------------------------------------------- */

bool sm_receive(sm_t *sm) {
  packet_t *p = sm->cluster.head;
  if (p && (p->flags & SM_FETCH)) {
    sm_icache_fill(sm, packet_queue_pop(&sm->cluster), sm->slept_from);
  } else if (p && !packet_queue_full(&sm->response)) {
    p = packet_queue_pop(&sm->cluster);
    if (p->kind == PACKET_READ && !(p->flags & SM_SIDE)) {
      sm->stats.read_replies++;
      sm->stats.read_latency_sum += sm->slept_from - p->t_created;
    }
    packet_queue_push(&sm->response, p);
  }
  if (!packet_queue_full(&sm->cluster) && (p = icnt_reply_pop(sm->icnt, sm->id)))
    packet_queue_push(&sm->cluster, p);
  return sm->cluster.count > 0;
}

static sm_occupancy_t *occupancy(sm_stats_t *s, unsigned table) {
  return table == SM_LEVEL_MSHR         ? &s->mshr
         : table == SM_LEVEL_MISS_QUEUE ? &s->miss_queue
         : table == SM_LEVEL_MRPB       ? &s->mrpb
                                        : &s->prt;
}

/* The cycles since the level of `table` changed last were all spent at it; now it is `used`. */
static void change_level(sm_t *sm, unsigned table, unsigned used) {
  sm_occupancy_t *o = occupancy(&sm->stats, table);
  sm_level_t *l = &sm->level[table];
  o->cycles[l->used < 512 ? l->used : 512] += sm->cycles - l->since;
  *l = (sm_level_t){sm->cycles, used, used > l->max ? used : l->max};
}

static inline void watch_level(sm_t *sm, unsigned table, unsigned used) {
  if (used != sm->level[table].used) change_level(sm, table, used);
}

/* Accounts for `n` cycles that end in the present state. */
static void count_cycles(sm_t *sm, uint64_t n) {
  watch_level(sm, SM_LEVEL_MSHR, l1d_mshrs(sm->l1d));
  watch_level(sm, SM_LEVEL_MISS_QUEUE, l1d_miss_queue(sm->l1d));
  if (sm->has_mrpb) {
    watch_level(sm, SM_LEVEL_MRPB, sm->held);
    watch_level(sm, SM_LEVEL_PRT, sm->prt_used);
  }
  sm->cycles += n;
  sm_sched_count(sm, n);
  sm_mrpb_count_wait(sm, n);
}

bool sm_every_cycle(const sm_t *sm) {
  return l1d_mshr(sm->l1d)->every_cycle || sm->mrpb.every_cycle || sm->prt.every_cycle;
}

int sm_idle_cycle(sm_t *sm, uint64_t now, mrpb_err_t *err) {
  int rc = l1d_edge(sm->l1d, err);
  return rc | sm_mrpb_edge(sm, now, err);
}

/* Not without blocks: whether it is run then depends on the blocks that are left to place. */
static bool can_sleep(const sm_t *sm, uint64_t now) {
  return !sm->moved && sm->n_blocks > 0 && !sm->no_sleep && sm->barriers_due == 0 &&
         l1d_drained(sm->l1d) && sm->response.count == 0 && sm->cluster.count == 0 &&
         !sm->next_wb.inst && !sm_every_cycle(sm) && sm_mrpb_quiet(sm, now) &&
         (!sm->side.busy || sm_side_quiet(sm)) && sm_icache_quiet(sm);
}

int sm_cycle(sm_t *sm, uint64_t now, mrpb_err_t *err) {
  sm->moved = false;
  sm_front_writeback(sm, now);
  sm_front_execute(sm, now);
  sm_ldst_cycle(sm, now);
  sm_ldst_accept(sm);
  sm_sched_issue(sm);
  sm_front_decode(sm);
  sm_front_fetch(sm, now);
  count_cycles(sm, 1);
  if (sm->hook) sm->hook(sm->hook_ctx, sm);
  int rc = l1d_edge(sm->l1d, err);
  rc |= sm_mrpb_edge(sm, now, err);
  sm->slept_from = now + 1;
  sm->asleep = can_sleep(sm, now);
  return rc;
}

bool sm_asleep(const sm_t *sm) {
  return sm->asleep;
}

bool sm_waits_for_room(const sm_t *sm) {
  return sm->wait == SM_WAIT_ICNT || l1d_to_send(sm->l1d) != NULL;
}

bool sm_has_icnt_room(const sm_t *sm) {
  const packet_t *p = l1d_to_send(sm->l1d);
  if (p && icnt_request_room(sm->icnt, sm->id, p->kind == PACKET_WRITE, p->bytes)) return true;
  return sm->wait == SM_WAIT_ICNT && icnt_request_room(sm->icnt, sm->id, false, 0);
}

void sm_wake(sm_t *sm, uint64_t now) {
  if (!sm->asleep) return;
  sm->asleep = false;
  uint64_t n = now - sm->slept_from;
  sm->slept_from = now;
  if (n == 0 || sm->n_blocks == 0) return; /* without blocks it was not run */
  count_cycles(sm, n);
  if (sm->refused && (sm->dispatch != COLLECTOR_NONE || sm->held > 0))
    l1d_repeat_refusal(sm->l1d, sm->reason, n);
  if (sm->dispatch != COLLECTOR_NONE) {
    sm->stats.mem_stall += n;
    if (sm->reorders) sm->stats.mrpb_full += n;
  }
  sm->stats.mrpb_flush_full += sm->flush_full * n;
  sm->stats.mrpb_flush_write += sm->flush_write * n;
}

/* ---- views ----------------------------------------------------------------- */

unsigned sm_outstanding(const sm_t *sm) {
  return l1d_mshrs(sm->l1d) + l1d_miss_queue(sm->l1d) + sm->held + sm->prt_used +
         sm->cluster.count + sm->response.count + sm_side_outstanding(sm) +
         sm_icache_outstanding(sm);
}

uint64_t sm_progress(const sm_t *sm) {
  return sm->progress;
}

const sm_stats_t *sm_stats(sm_t *sm) {
  unsigned tables = sm->has_mrpb ? SM_LEVELS : SM_LEVEL_MRPB;
  for (unsigned t = 0; t < tables; t++) {
    change_level(sm, t, sm->level[t].used);
    occupancy(&sm->stats, t)->max = sm->level[t].max;
  }
  sm->stats.cycles = sm->cycles;
  sm->stats.issue_idle = sm->sched_cycles[SCHED_IDLE];
  sm->stats.issue_scoreboard = sm->sched_cycles[SCHED_SCOREBOARD];
  sm->stats.issue_pipeline = sm->sched_cycles[SCHED_PIPELINE];
  return &sm->stats;
}
const l1d_stats_t *sm_l1d_stats(const sm_t *sm) {
  return l1d_stats(sm->l1d);
}

sm_probe_t sm_probe(const sm_t *sm) {
  sm_probe_t p = {.stall = sm->stall,
                  .mshrs = l1d_mshrs(sm->l1d),
                  .miss_queue = l1d_miss_queue(sm->l1d),
                  .mrpb_held = sm->held,
                  .prt_used = sm->prt_used,
                  .response_fifo = sm->response.count,
                  .cluster_fifo = sm->cluster.count,
                  .blocks = sm->n_blocks,
                  .warp_insts = sm->stats.warp_insts};
  for (unsigned w = 0; w < SM_MAX_WARPS; w++) p.warps += sm->warp[w].stream != NULL;
  return p;
}

const char *sm_stall_name(sm_stall_t stall) {
  static const char *const names[] = {"none",  "assoc", "missq",  "mshr",
                                      "merge", "mrpb",  "bypass", "side"};
  return names[stall];
}

bool sm_unit_view(sm_t *sm, const char *stem, sm_unit_view_t *view) {
  _Static_assert(sizeof(mrpb_out_t) <= sizeof view->out && sizeof(prt_out_t) <= sizeof view->out &&
                     sizeof(mshr_out_t) <= sizeof view->out,
                 "view");
  if (strcmp(stem, "mshr") == 0) {
    view->unit = l1d_mshr(sm->l1d);
    view->in = (const uint64_t *)l1d_mshr_in(sm->l1d);
  } else if (strcmp(stem, "mrpb") == 0) {
    view->unit = &sm->mrpb;
    view->in = (const uint64_t *)&sm->mrpb_in;
  } else {
    view->unit = &sm->prt;
    view->in = (const uint64_t *)&sm->prt_in;
  }
  if (!view->unit->comb) return false;
  unit_comb(view->unit, view->in, view->out);
  return true;
}

void sm_set_hook(sm_t *sm, void (*hook)(void *ctx, sm_t *sm), void *ctx) {
  sm->hook = hook;
  sm->hook_ctx = ctx;
}
