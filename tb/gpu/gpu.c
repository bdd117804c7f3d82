/* SPDX-License-Identifier: Apache-2.0 */
/* GPU: creation, clock domains, block placement, kernels one after another. See gpu.h. */
#include "gpu/gpu_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BIT(i) (UINT32_C(1) << (i))

void gpu_stop(gpu_t *gpu, gpu_end_t end) {
  if (gpu->ended) return;
  gpu->ended = true;
  gpu->end = end;
  sim_stop(gpu->sim);
}

static void stop_on_violation(gpu_t *gpu) {
  if (gpu->ended || !check_failed(gpu->check)) return;
  *gpu->err = *check_failed(gpu->check);
  gpu_stop(gpu, GPU_MISMATCH);
}

/* ---- stages, one process each ---------------------------------------------- */

static void wake(gpu_t *gpu, unsigned i) {
  if (!(gpu->awake & BIT(i))) sm_wake(gpu->sm[i], gpu->now);
  gpu->awake |= BIT(i);
  gpu->for_room &= ~BIT(i);
}

static void receive(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  (void)sim;
  if (gpu->memory_port) memory_port_cycle(gpu->memory_port, gpu->now);
  uint32_t waiting = icnt_replies_waiting(gpu->icnt);
  for (uint32_t m = waiting & ~gpu->awake; m; m &= m - 1) wake(gpu, (unsigned)__builtin_ctz(m));
  for (uint32_t m = (waiting | gpu->receiving) & gpu->awake; m; m &= m - 1)
    if (sm_receive(gpu->sm[__builtin_ctz(m)]))
      gpu->receiving |= m & -m;
    else
      gpu->receiving &= ~(m & -m);
}

static void send_replies(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  (void)sim;
  for (uint32_t m = gpu->with_reply; m; m &= m - 1) {
    l2_t *l2 = gpu->l2[__builtin_ctz(m)];
    packet_t *p = l2_reply_top(l2);
    if (!icnt_reply_room(gpu->icnt, p)) continue;
    (void)l2_reply_pop(l2);
    icnt_reply_push(gpu->icnt, p);
    if (!l2_reply_top(l2)) gpu->with_reply &= ~(m & -m);
  }
}

/* Brings an idle channel to cycle `to` of the DRAM clock. */
static void dram_catch_up(gpu_t *gpu, unsigned i, uint64_t to) {
  dram_skip(gpu->dram[i], to - gpu->dram_at[i]);
  gpu->dram_at[i] = to;
}

void gpu_catch_up_dram(gpu_t *gpu) {
  for (unsigned i = 0; i < gpu->cfg->l2_slices; i++) dram_catch_up(gpu, i, gpu->dram_cycles);
}

void gpu_catch_up(gpu_t *gpu) {
  gpu_catch_up_dram(gpu);
  for (unsigned i = 0; i < gpu->cfg->sms; i++) wake(gpu, i);
}

/* Wakes the channels whose sleep is over. */
static void wake_dram(gpu_t *gpu) {
  gpu->dram_next = gpu->dram_next_ready = UINT64_MAX;
  for (uint32_t m = gpu->dram_busy & ~gpu->dram_awake; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    uint64_t wake = gpu->dram_wake[i], ready = gpu->dram_ready[i];
    if (gpu->dram_cycles >= wake || gpu->now >= ready) {
      gpu->dram_awake |= BIT(i);
      continue;
    }
    if (wake < gpu->dram_next) gpu->dram_next = wake;
    if (ready < gpu->dram_next_ready) gpu->dram_next_ready = ready;
  }
}

/* A channel without input sleeps as long as it would only wait. */
static void rest_dram(gpu_t *gpu, unsigned i) {
  uint64_t quiet = dram_quiet(gpu->dram[i], &gpu->dram_ready[i]);
  if (!dram_in_flight(gpu->dram[i]))
    gpu->dram_busy &= ~BIT(i);
  else if (!quiet)
    return;
  gpu->dram_awake &= ~BIT(i);
  gpu->dram_wake[i] =
      quiet < UINT64_MAX - gpu->dram_cycles - 1 ? gpu->dram_cycles + 1 + quiet : UINT64_MAX;
  if (gpu->dram_wake[i] < gpu->dram_next) gpu->dram_next = gpu->dram_wake[i];
  if (gpu->dram_ready[i] < gpu->dram_next_ready) gpu->dram_next_ready = gpu->dram_ready[i];
}

static void dram_process(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  (void)sim;
  const uint64_t cycle = ++gpu->dram_cycles;
  if (cycle >= gpu->dram_next || gpu->now >= gpu->dram_next_ready) wake_dram(gpu);
  for (uint32_t m = gpu->dram_awake; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    packet_queue_t *from = l2_to_dram(gpu->l2[i]), *to = l2_from_dram(gpu->l2[i]);
    if (gpu->dram_at[i] != cycle - 1) dram_catch_up(gpu, i, cycle - 1);
    dram_cycle(gpu->dram[i], from, to, gpu->now);
    gpu->dram_at[i] = cycle;
    if (to->count) gpu->l2_busy |= BIT(i);
    if (!from->count) rest_dram(gpu, i);
  }
}

static void dram_port_process(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  (void)sim;
  dram_port_cycle(gpu->dram_port, gpu->l2, gpu->cfg->l2_slices, &gpu->l2_busy);
}

/* Runs one cycle of a slice that has work, and notes the work that it leaves for other stages. */
static void run_slice(gpu_t *gpu, unsigned i) {
  l2_t *l2 = gpu->l2[i];
  uint32_t bit = BIT(i);
  l2_cycle(l2, gpu->now);
  if (l2_reply_top(l2)) gpu->with_reply |= bit;
  if (l2_to_dram(l2)->count) {
    gpu->dram_busy |= bit;
    gpu->dram_awake |= bit;
  }
  if (l2_next_event(l2, gpu->now) == UINT64_MAX) gpu->l2_busy &= ~bit;
}

static void l2_process(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  (void)sim;
  for (uint32_t m = icnt_requests_waiting(gpu->icnt); m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    if (!l2_accepts(gpu->l2[i])) continue;
    l2_push(gpu->l2[i], icnt_request_pop(gpu->icnt, i), gpu->now);
    gpu->l2_busy |= BIT(i);
  }
  for (uint32_t m = gpu->l2_busy; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    if (l2_next_event(gpu->l2[i], gpu->now) <= gpu->now) run_slice(gpu, i);
  }
}

static void transfer(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  (void)sim;
  if (gpu->memory_port || icnt_idle(gpu->icnt))
    icnt_skip(gpu->icnt, 1);
  else
    icnt_cycle(gpu->icnt);
}

/* Round robin over the SMs from the one after the last that got a block: one block for each SM per
 * cycle. Depth-first: the SM that got the last block goes on until it is full, with one block per
 * cycle. */
static void place_blocks(gpu_t *gpu) {
  uint32_t blocks = gpu->launch->blocks;
  bool deep = gpu->cfg->block_placement == CONFIG_PLACEMENT_DEPTH_FIRST;
  unsigned first = (gpu->last_sm + !(deep && gpu->next_block > 0)) % gpu->cfg->sms;
  for (uint32_t m = gpu->with_room; m && gpu->next_block < blocks;) {
    uint32_t behind = m & UINT32_MAX << first;
    unsigned s = (unsigned)__builtin_ctz(behind ? behind : m);
    m &= ~BIT(s);
    wake(gpu, s);
    if (sm_take_block(gpu->sm[s], gpu->next_block, gpu->err) != 0) {
      gpu_stop(gpu, GPU_FAILED);
      return;
    }
    if (!sm_has_room(gpu->sm[s])) gpu->with_room &= ~BIT(s);
    gpu->with_blocks |= BIT(s);
    gpu->last_sm = s;
    gpu->next_block++;
    if (deep) return;
  }
}

/* A launch ends when every request of the SMs is answered. Fetches and write-backs of the L2s
 * themselves continue into the next launch. */
static bool memory_busy(const gpu_t *gpu) {
  for (unsigned i = 0; i < gpu->cfg->l2_slices; i++)
    if (l2_from_sms(gpu->l2[i]) > 0) return true;
  if (gpu->memory_port && memory_port_in_flight(gpu->memory_port)) return true;
  return icnt_in_flight(gpu->icnt) > 0;
}

/* Starts the next launch, if there is one. */
void gpu_start_kernel(gpu_t *gpu) {
  const launch_t *l = gpu->launch = workload_next(gpu->setup.workload);
  if (gpu->check) {
    if (l)
      check_launch(gpu->check, gpu->setup.workload);
    else
      check_end(gpu->check);
    stop_on_violation(gpu);
  }
  if (!l) {
    gpu_stop(gpu, GPU_DONE);
    return;
  }
  unsigned most = sm_max_blocks(gpu->cfg, l);
  if (most == 0) {
    (void)sm_refuse_block(gpu->cfg, l, gpu->err);
    gpu_stop(gpu, GPU_FAILED);
  }
  gpu->next_block = 0;
  gpu_clocks_restart(gpu);
  for (unsigned i = 0; i < gpu->cfg->sms; i++) {
    wake(gpu, i);
    sm_start_kernel(gpu->sm[i], gpu->setup.workload, l, most);
    if (sm_has_room(gpu->sm[i])) gpu->with_room |= BIT(i);
  }
}

static gpu_kernel_stats_t *new_kernel(gpu_t *gpu) {
  if (gpu->n_kernels == gpu->room_kernels) {
    unsigned room = gpu->room_kernels ? 2 * gpu->room_kernels : 16;
    gpu_kernel_stats_t *more = realloc(gpu->kernels, room * sizeof *more);
    if (!more) {
      mrpb_fail(gpu->err, "gpu: out of memory");
      gpu_stop(gpu, GPU_FAILED);
      return NULL;
    }
    gpu->kernels = more;
    gpu->room_kernels = room;
  }
  return &gpu->kernels[gpu->n_kernels++];
}

/* Counts that the checking mode makes between two launches belong to the one that has ended. */
static void end_kernel(gpu_t *gpu) {
  uint64_t now[GPU_COUNTS];
  gpu_kernel_stats_t *k = new_kernel(gpu);
  if (!k) return;
  k->kernel = gpu->launch->kernel;
  gpu_start_kernel(gpu);
  gpu_catch_up_dram(gpu);
  gpu_count_all(gpu, now);
  for (unsigned i = 0; i < GPU_COUNTS; i++) k->count[i] = now[i] - gpu->counted[i];
  memcpy(gpu->counted, now, sizeof now);
  if (gpu->pause_at_launch) gpu_pause(gpu);
}

/* An SM is run while it has blocks. All SMs are run while blocks are left to place. Sleeping SMs
 * are not run. */
static void run_sms(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  uint32_t blocks = gpu->launch->blocks;
  uint32_t ran = 0;
  bool more = gpu->next_block < blocks;
  (void)sim;
  if (gpu->check) check_cycle(gpu->check, gpu->now);
  for (uint32_t m = gpu->for_room; m; m &= m - 1)
    if (sm_has_icnt_room(gpu->sm[__builtin_ctz(m)])) wake(gpu, (unsigned)__builtin_ctz(m));
  for (uint32_t m = gpu->awake; m; m &= m - 1) {
    unsigned i = (unsigned)__builtin_ctz(m);
    sm_t *sm = gpu->sm[i];
    if (!more && sm_blocks(sm) == 0) {
      gpu->awake &= ~BIT(i);
      continue;
    }
    ran |= BIT(i);
    if (sm_cycle(sm, gpu->now, gpu->err) != 0) gpu_stop(gpu, GPU_MISMATCH);
    if (sm_asleep(sm)) {
      gpu->awake &= ~BIT(i);
      if (sm_waits_for_room(sm)) gpu->for_room |= BIT(i);
    }
    if (sm_has_room(sm)) gpu->with_room |= BIT(i);
    if (sm_blocks(sm) == 0) gpu->with_blocks &= ~BIT(i);
  }
  for (uint32_t m = gpu->every_cycle & ~ran; m; m &= m - 1)
    if (sm_idle_cycle(gpu->sm[__builtin_ctz(m)], gpu->now, gpu->err) != 0)
      gpu_stop(gpu, GPU_MISMATCH);
  unsigned shown = gpu->setup.vcd_sm;
  if (gpu->wave && !(ran & BIT(shown))) gpu_wave_sample(gpu->wave, gpu->sm[shown]);
  if (gpu->check) stop_on_violation(gpu);
  gpu->now++;
  if (more) place_blocks(gpu);
  if (gpu->next_block == blocks && gpu->with_blocks == 0 && !memory_busy(gpu)) end_kernel(gpu);
}

/* ---- creation -------------------------------------------------------------- */

packet_map_t gpu_address_map(const config_t *c) {
  return (packet_map_t){.partitions = c->l2_slices, .interleave_log2 = c->l2_interleave};
}

static int create_sms(gpu_t *gpu, mrpb_err_t *err) {
  for (unsigned i = 0; i < gpu->cfg->sms; i++) {
    sm_setup_t s = {gpu->cfg,
                    i,
                    gpu->setup.choice,
                    gpu->pool,
                    gpu->icnt,
                    gpu_address_map(gpu->cfg),
                    gpu->setup.no_sleep || (gpu->setup.vcd && gpu->setup.vcd_sm == i)};
    if (sm_create(&gpu->sm[i], &s, err) != 0) return -1;
    gpu->awake |= BIT(i);
    if (sm_every_cycle(gpu->sm[i])) gpu->every_cycle |= BIT(i);
  }
  return 0;
}

static int create_memory(gpu_t *gpu, mrpb_err_t *err) {
  icnt_cfg_t ic = icnt_configured(gpu->cfg);
  l2_cfg_t lc = l2_configured(gpu->cfg);
  dram_cfg_t dc = dram_configured(gpu->cfg);
  packet_map_t map = gpu_address_map(gpu->cfg);
  gpu->pool = packet_pool_create(1024);
  if (!gpu->pool) return mrpb_fail(err, "gpu: out of memory");
  if (icnt_create(&gpu->icnt, &ic, err) != 0) return -1;
  for (unsigned i = 0; i < gpu->cfg->l2_slices; i++)
    if (l2_create(&gpu->l2[i], &lc, i, &map, gpu->pool, err) != 0 ||
        dram_create(&gpu->dram[i], &dc, gpu->pool, err) != 0)
      return -1;
  if (gpu->setup.cores && (gpu->setup.memory || gpu->setup.check || !gpu->setup.cores->reply))
    return mrpb_fail(err, "cores: legal: with `reply`, without checking and a memory behind L1s");
  if (gpu->setup.dram && dram_port_create(&gpu->dram_port, gpu->setup.dram, &map, gpu->pool, err))
    return -1;
  if (!gpu->setup.memory) return 0;
  if (gpu->setup.check)
    return mrpb_fail(err,
                     "checking needs the GPU's own L2; legal: without a memory behind the L1s");
  return memory_port_create(&gpu->memory_port, gpu->setup.memory, gpu->icnt, gpu->cfg->sms, err);
}

/* The function of a stage: the GPU's own, or that of an external part. */
static sim_fn_t stage(const gpu_t *gpu, unsigned i) {
  static const sim_fn_t own[GPU_STAGES] = {receive,    send_replies, dram_process,
                                           l2_process, transfer,     run_sms};
  if (i == GPU_STAGE_DRAM && gpu->dram_port) return dram_port_process;
  if (i == GPU_STAGE_RECEIVE && gpu->setup.cores) return gpu_cores_receive;
  if (i == GPU_STAGE_SM && gpu->setup.cores) return gpu_cores_cycle;
  return own[i];
}

/* Processes of coinciding edges run in the order of their clocks. A domain whose two stages have
 * others between them therefore has two clocks. */
static int create_clocks(gpu_t *gpu, mrpb_err_t *err) {
  gpu->sim = sim_create();
  if (!gpu->sim) return mrpb_fail(err, "gpu: out of memory");
  sim_clock_t clk[GPU_STAGES];
  gpu_clocks_create(gpu, clk);
  for (unsigned i = 0; i < GPU_STAGES; i++) {
    sim_proc_t p = sim_process(gpu->sim, SIM_TOP, gpu_stage_name(i), stage(gpu, i), gpu);
    sim_on_rise(gpu->sim, p, clk[i]);
    sim_dont_initialize(gpu->sim, p);
    sim_reads(gpu->sim, p, SIM_NO_SIGS);
    sim_writes(gpu->sim, p, SIM_NO_SIGS);
  }
  gpu->sm_clock = clk[GPU_STAGE_SM];
  return sim_elaborate(gpu->sim, SIM_STATIC, err);
}

static int create_check(gpu_t *gpu, mrpb_err_t *err) {
  const config_t *c = gpu->cfg;
  uint32_t hazards = gpu->setup.hazards;
  check_cfg_t k = {.sms = c->sms,
                   .l1d_lines = c->l1d_sets * c->l1d_ways,
                   .mshr_entries = c->mshr_entries,
                   .slices = c->l2_slices,
                   .l2_lines = c->l2_sets * c->l2_ways,
                   .l2_mshr_entries = c->l2_mshr_entries,
                   .misplaced = c->l2_wb_address_bug != 0,
                   .hazards = hazards};
  for (unsigned i = 0; i < c->sms; i++) sm_set_hazards(gpu->sm[i], hazards);
  if (c->memory_order == CONFIG_ORDER_REFERENCE) hazards |= HAZARDS_REFERENCE;
  for (unsigned i = 0; i < c->l2_slices; i++) l2_set_hazards(gpu->l2[i], hazards);
  if (!gpu->setup.check) return 0;
  if (check_create(&gpu->check, &k, err) != 0) return -1;
  for (unsigned i = 0; i < c->sms; i++) sm_set_check(gpu->sm[i], check_sm(gpu->check, i));
  for (unsigned i = 0; i < c->l2_slices; i++) {
    l2_set_check(gpu->l2[i], gpu->check);
    dram_set_check(gpu->dram[i], gpu->check);
  }
  if (gpu->dram_port) dram_port_set_check(gpu->dram_port, gpu->check);
  return 0;
}

int gpu_create(gpu_t **out, const gpu_setup_t *setup, mrpb_err_t *err) {
  gpu_t *gpu = calloc(1, sizeof *gpu);
  *out = NULL;
  if (!gpu) return mrpb_fail(err, "gpu: out of memory");
  gpu->setup = *setup;
  gpu->cfg = setup->cfg;
  gpu->err = err;
  if (create_memory(gpu, err) != 0 || create_sms(gpu, err) != 0 || create_check(gpu, err) != 0 ||
      create_clocks(gpu, err) != 0 || gpu_wave_open(&gpu->wave, gpu, err) != 0) {
    gpu_destroy(gpu);
    return -1;
  }
  *out = gpu;
  return 0;
}

void gpu_destroy(gpu_t *gpu) {
  if (!gpu) return;
  (void)gpu_wave_close(gpu->wave, false, NULL);
  for (unsigned i = 0; i < gpu->cfg->sms; i++) sm_destroy(gpu->sm[i]);
  for (unsigned i = 0; i < gpu->cfg->l2_slices; i++) {
    l2_destroy(gpu->l2[i]);
    dram_destroy(gpu->dram[i]);
  }
  dram_port_destroy(gpu->dram_port);
  memory_port_destroy(gpu->memory_port);
  icnt_destroy(gpu->icnt);
  sim_destroy(gpu->sim);
  packet_pool_destroy(gpu->pool);
  check_destroy(gpu->check);
  free(gpu->kernels);
  free(gpu);
}

/* ---- results --------------------------------------------------------------- */

uint64_t gpu_cycles(const gpu_t *gpu) {
  return gpu->now;
}
unsigned gpu_kernels(const gpu_t *gpu) {
  return gpu->n_kernels;
}
const gpu_kernel_stats_t *gpu_kernel(const gpu_t *gpu, unsigned i) {
  return &gpu->kernels[i];
}
const config_t *gpu_config(const gpu_t *gpu) {
  return gpu->cfg;
}
sm_t *gpu_sm(const gpu_t *gpu, unsigned i) {
  return gpu->sm[i];
}
const check_stats_t *gpu_check_stats(const gpu_t *gpu) {
  return gpu->check ? check_stats(gpu->check) : NULL;
}
