/* SPDX-License-Identifier: Apache-2.0 */
/* All in-order SMs of a GPU: launches, blocks, and which of them are due. See inorder.h. */
#include "gpu/inorder/checked.h"
#include "gpu/inorder/dcache.h"
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/request.h"
#include "parts/occupancy.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CYCLE = 100 /* the unit of the time of the next block */ };

static inorder_t *all_of(cores_t *c) {
  return (inorder_t *)(void *)c;
}
static const inorder_t *all_read(const cores_t *c) {
  return (const inorder_t *)(const void *)c;
}

/* ---- what fits ------------------------------------------------------------- */

static uint32_t shared_bytes(const config_t *c, const launch_t *l) {
  if (c->shared_reserved == 0) return l->shared;
  return l->shared + c->shared_reserved + (l->param_bytes + 15) / 16 * 16;
}

/* Blocks of the launch that fit on an SM at once; 0 and a message in err if not even one does. */
static uint32_t resident(const config_t *c, const launch_t *l, mrpb_err_t *err) {
  const occupancy_sm_t sm = {.warps = c->warps_per_sm,
                             .blocks = c->blocks_per_sm,
                             .registers = c->registers_per_sm,
                             .register_unit = c->register_unit,
                             .thread_unit = c->thread_unit,
                             .shared = c->shared_bytes};
  uint32_t threads = occupancy_threads(l->threads), bytes = shared_bytes(c, l);
  if (threads > c->threads_per_block) {
    mrpb_fail(err, "%s: a block of %" PRIu32 " threads; legal: at most %" PRIu32, l->kernel,
              l->threads, c->threads_per_block);
    return 0;
  }
  if (l->regs > c->registers_per_thread) {
    mrpb_fail(err, "%s: %" PRIu32 " registers a thread; legal: at most %" PRIu32, l->kernel,
              l->regs, c->registers_per_thread);
    return 0;
  }
  if (bytes > c->shared_bytes) {
    mrpb_fail(err, "%s: %" PRIu32 " bytes of shared memory; legal: at most %" PRIu32, l->kernel,
              bytes, c->shared_bytes);
    return 0;
  }
  uint32_t n = occupancy_blocks(&sm, l->threads, l->regs, bytes);
  if (n == 0) {
    char lacks[100];
    occupancy_explain(&sm, l->threads, l->regs, bytes, lacks, sizeof lacks);
    mrpb_fail(err, "%.200s: a block of %" PRIu32 " threads does not fit into an SM: %s", l->kernel,
              l->threads, lacks);
  }
  return n;
}

/* ---- launches ---------------------------------------------------------------- */

static void drop(inorder_t *all, unsigned i) {
  if (all->core[i]) all->n_blocks -= all->core[i]->n_blocks;
  core_destroy(all->core[i]);
  all->core[i] = NULL;
  all->due[i] = NEVER;
}

static bool idle(const core_t *c) {
  return c->n_blocks == 0 && c->due == NEVER;
}

void inorder_add_room(inorder_t *all, unsigned sm) {
  set_add(all->shut ? &all->waiting : &all->with_room, sm);
}

/* No SM gets the next block before its time. */
static void shut(inorder_t *all) {
  if (all->shut || all->next_block < (all->now + 1) * CYCLE) return;
  all->shut = true;
  all->waiting = all->with_room;
  all->with_room = (set_t){{0}};
}

static void open_again(inorder_t *all) {
  if (!all->shut || all->now < all->next_block / CYCLE) return;
  all->shut = false;
  all->with_room = all->waiting;
}

/* SMs whose last launch did not end start anew. */
static int start(cores_t *c, const launch_t *launch, uint64_t now, mrpb_err_t *err) {
  inorder_t *all = all_of(c);
  all->err = err;
  all->now = now;
  for (unsigned i = 0; i < all->top; i++)
    if (all->core[i] && !idle(all->core[i])) drop(all, i);
  all->first = NEVER; /* the others are idle */
  all->max_blocks = resident(&all->cfg, launch, err);
  if (all->max_blocks == 0) return -1;
  all->warps_per_block = occupancy_threads(launch->threads) / WARP_LANES;
  all->stats.table_most = 0;
  all->shut = all->code_there = false;
  for (unsigned i = 0; i < all->cfg.sms; i++) {
    inorder_add_room(all, i);
    if (!all->core[i]) continue;
    all->core[i]->max_blocks = all->max_blocks;
    if (core_begin(all->core[i], err) != 0) return -1;
  }
  all->next_block = (now + all->cfg.launch_cycles) * CYCLE;
  shut(all);
  return 0;
}

static const set_t *with_room(const cores_t *c) {
  return &all_read(c)->with_room;
}

static core_t *core_of(inorder_t *all, unsigned i) {
  if (all->core[i]) return all->core[i];
  if (core_create(&all->core[i], all, i, all->err) != 0) return NULL;
  all->core[i]->max_blocks = all->max_blocks;
  all->core[i]->due = NEVER;
  if (i >= all->top) all->top = i + 1;
  return all->core[i];
}

/* SM `i` is due no later than at `at`. */
static void soon(inorder_t *all, unsigned i, uint64_t at) {
  if (at < all->due[i]) all->due[i] = at;
  if (at < all->first) all->first = at;
}

static int take_block(cores_t *cores, unsigned i, uint32_t block, uint64_t now, mrpb_err_t *err) {
  inorder_t *all = all_of(cores);
  all->err = err;
  all->now = now;
  core_t *c = core_of(all, i);
  if (!c) return -1;
  if (!core_take_block(c, block)) return mrpb_fail(err, "cores: out of memory");
  if (c->n_blocks >= c->max_blocks) set_remove(&all->with_room, i);
  if (all->next_block < now * CYCLE) all->next_block = now * CYCLE;
  all->next_block += all->cfg.block_cycles;
  shut(all);
  all->n_blocks++;
  soon(all, i, c->due);
  return 0;
}

/* ---- time -------------------------------------------------------------------- */

static uint64_t due(const cores_t *c) {
  const inorder_t *all = all_read(c);
  const uint64_t opens = all->next_block / CYCLE;
  return all->shut && opens < all->first ? opens : all->first;
}

static bool busy(const cores_t *c) {
  return all_read(c)->n_blocks > 0 || all_read(c)->first != NEVER;
}

/* Each SM takes a reply. */
static void receive(cores_t *c, uint64_t now) {
  inorder_t *all = all_of(c);
  const set_t waiting = all->memory->cls->waiting(all->memory);
  all->now = now;
  SET_EACH(i, w, set_words(all->cfg.sms), waiting.word[w]) {
    packet_t *p = all->memory->cls->pop(all->memory, i);
    core_t *to = all->core[i];
    if (all->requests) requests_arrived(all->requests, p);
    if (to && to->number == p->tag >> 32) {
      request_answered(to, p);
      soon(all, i, to->due);
    }
    if (all->check) check_drop(check_sm(all->check, i), p);
    packet_free(all->memory->pool, p);
  }
}

static int cycle(cores_t *c, uint64_t now, bool more, mrpb_err_t *err) {
  inorder_t *all = all_of(c);
  (void)more;
  all->err = err;
  all->now = now;
  open_again(all);
  if (all->first > now && !all->hook) return 0;
  all->first = NEVER;
  if (all->hook) {
    shown_cycle(all);
    return all->failed ? -1 : 0;
  }
  for (unsigned i = 0; i < all->top; i++) {
    if (all->due[i] <= now) {
      core_step(all->core[i]);
      all->due[i] = all->core[i]->due;
    }
    if (all->due[i] < all->first) all->first = all->due[i];
  }
  return all->failed ? -1 : 0;
}

static void catch_up(cores_t *c, uint64_t now) {
  inorder_t *all = all_of(c);
  for (unsigned i = 0; i < all->top; i++)
    if (all->core[i] && all->core[i]->table.watched) table_catch_up(all->core[i], now);
}

static const uint64_t *clock_of(const cores_t *c) {
  return &all_read(c)->clock;
}

/* ---- results ----------------------------------------------------------------- */

static uint64_t progress(const cores_t *c) {
  return all_read(c)->stats.warp_insts;
}

static void count_ordered(const inorder_t *all, in_order_stats_t *sum) {
  const inorder_stats_t *s = &all->stats;
  for (unsigned i = 0; i < STACK_PARTS; i++) sum->stack[i] += s->stack[i];
  sum->stack[STACK_ISSUE] += s->warp_insts * all->cfg.issue_cycles;
  sum->load_sectors += s->load_sectors;
  sum->store_sectors += s->store_sectors;
}

static void count(const cores_t *c, gpu_counted_t *sum) {
  const inorder_t *all = all_read(c);
  const inorder_stats_t *s = &all->stats;
  sum->sm.warp_insts += s->warp_insts;
  sum->sm.thread_insts += s->thread_insts;
  sum->sm.loads += s->loads;
  sum->sm.load_lines += s->load_lines;
  sum->sm.stores += s->stores;
  sum->sm.store_lines += s->store_lines;
  sum->sm.atomics += s->atomics;
  sum->l1d.hits += s->l1_hits;
  sum->sm.bypasses += s->bypasses;
  sum->sm.mrpb_in += s->mrpb_in;
  sum->sm.mrpb_out += s->mrpb_out;
  sum->sm.mrpb_full += s->mrpb_full;
  sum->sm.mrpb_flush_full += s->mrpb_flush_full;
  sum->sm.mrpb_flush_write += s->mrpb_flush_write;
  sum->l1d.misses += s->l1_misses - s->bypasses;
  sum->l1d.merges += s->merges;
  sum->l1d.writes += s->store_lines;
  sum->l1d.refused[L1D_ASSOC] += s->stall_line;
  sum->l1d.refused[L1D_MSHR] += s->stall_table;
  sum->l1d.refused[L1D_MERGE] += s->stall_merge;
  count_ordered(all, &sum->ordered);
}

static void dump(cores_t *c, FILE *out) {
  const inorder_t *all = all_read(c);
  for (unsigned i = 0; i < all->top; i++)
    if (all->core[i]) core_dump(all->core[i], out);
}

const inorder_stats_t *inorder_stats(const cores_t *c) {
  return &all_read(c)->stats;
}

/* Before the first launch. */
static void set_check(cores_t *c, check_t *check, uint32_t hazards) {
  inorder_t *all = all_of(c);
  all->check = check;
  all->hazards = hazards;
  for (unsigned i = 0; i < all->top; i++)
    if (all->core[i]) (void)core_check_create(all->core[i], all->err);
}

/* ---- creation ------------------------------------------------------------------ */

void inorder_forget(cores_t *c) {
  inorder_t *all = all_of(c);
  for (unsigned i = 0; i < all->top; i++) drop(all, i);
  all->first = NEVER;
}

static void destroy(cores_t *c) {
  inorder_t *all = all_of(c);
  for (unsigned i = 0; all->core && i < all->top; i++) drop(all, i);
  dcache_destroy(all);
  free(all->core);
  free(all);
}

static const cores_class_t inorder_class = {.destroy = destroy,
                                            .start = start,
                                            .with_room = with_room,
                                            .take_block = take_block,
                                            .busy = busy,
                                            .receive = receive,
                                            .cycle = cycle,
                                            .due = due,
                                            .clock = clock_of,
                                            .catch_up = catch_up,
                                            .progress = progress,
                                            .set_check = set_check,
                                            .count = count,
                                            .dump = dump};

int inorder_create(cores_t **out, const inorder_setup_t *setup, mrpb_err_t *err) {
  inorder_t *all = calloc(1, sizeof *all);
  *out = NULL;
  if (!all) return mrpb_fail(err, "cores: out of memory");
  all->base.cls = &inorder_class;
  all->cfg = *setup->cfg;
  all->workload = setup->workload;
  all->choice = setup->choice;
  all->memory = setup->memory;
  all->ports = ports_of(setup->memory);
  all->first = NEVER;
  for (unsigned i = 0; i < SET_MEMBERS; i++) all->due[i] = NEVER;
  all->core = calloc(all->cfg.sms, sizeof *all->core);
  all->l1d = calloc(all->cfg.sms, sizeof *all->l1d);
  if (!all->core || !all->l1d) {
    destroy(&all->base);
    return mrpb_fail(err, "cores: out of memory");
  }
  all->err = err;
  all->shown = setup->shown;
  all->requests = setup->requests;
  all->timeline = setup->timeline;
  all->profile = setup->profile;
  all->stacks = setup->stacks;
  const unit_watch_t *watch = setup->choice ? setup->choice->watch : NULL;
  if ((watch && !core_of(all, watch->sm)) ||
      (all->shown >= 0 && !core_of(all, (unsigned)all->shown))) {
    destroy(&all->base);
    return -1;
  }
  *out = &all->base;
  return 0;
}
