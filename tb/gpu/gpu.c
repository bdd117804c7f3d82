/* SPDX-License-Identifier: Apache-2.0 */
/* GPU: creation, clock domains, block placement, kernels one after another. See gpu.h. */
#include "gpu/gpu_state.h"
#include "gpu/flits/flits.h"
#include "gpu/inorder/inorder.h"
#include "gpu/ports/ports.h"
#include "gpu/sms.h"
#include "gpu/user_cores.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

void gpu_receive(gpu_t *gpu) {
  if (gpu->memory->delivers) gpu->memory->cls->deliver(gpu->memory);
  if (gpu->cores->cls->receive) gpu->cores->cls->receive(gpu->cores, gpu->now);
}

void gpu_catch_up_memory(gpu_t *gpu) {
  if (gpu->memory->cls->catch_up) gpu->memory->cls->catch_up(gpu->memory);
}

void gpu_catch_up(gpu_t *gpu) {
  gpu_catch_up_memory(gpu);
  if (gpu->cores->cls->catch_up) gpu->cores->cls->catch_up(gpu->cores, gpu->now);
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
  if (gpu->setup.timeline) timeline_launch(gpu->setup.timeline, l->kernel);
  gpu->next_block = 0;
  gpu_clocks_restart(gpu);
  if (gpu->windows) gpu_windows_restart(gpu->windows);
  gpu->refused = gpu->cores->cls->start(gpu->cores, l, gpu->now, gpu->err) != 0;
  if (gpu->refused)
    gpu_stop(gpu, GPU_FAILED);
  else if (gpu->memory->cls->start)
    gpu->memory->cls->start(gpu->memory);
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
void gpu_end_kernel(gpu_t *gpu) {
  uint64_t now[GPU_COUNTS];
  gpu_kernel_stats_t *k = new_kernel(gpu);
  if (!k) return;
  k->kernel = gpu->launch->kernel;
  if (gpu->setup.timeline) timeline_launch_ends(gpu->setup.timeline);
  if (gpu->setup.by_launch)
    gpu_stop(gpu, GPU_DONE);
  else
    gpu_start_kernel(gpu);
  gpu_catch_up_memory(gpu);
  gpu_count_all(gpu, now);
  for (unsigned i = 0; i < GPU_COUNTS; i++) k->count[i] = now[i] - gpu->counted[i];
  memcpy(gpu->counted, now, sizeof now);
  if (gpu->pause_at_launch) gpu_pause(gpu);
}

/* A launch ends when every block has left and every request of its cores is answered. */
bool gpu_launch_ended(const gpu_t *gpu) {
  return gpu->next_block == gpu->launch->blocks && !gpu->cores->cls->busy(gpu->cores) &&
         !gpu->memory->cls->busy(gpu->memory);
}

void gpu_cycle(gpu_t *gpu) {
  const bool more = gpu->launch && gpu->next_block < gpu->launch->blocks;
  if (gpu->check) check_cycle(gpu->check, gpu->now);
  if (gpu->cores->cls->cycle(gpu->cores, gpu->now, more, gpu->err) != 0)
    gpu_stop(gpu, GPU_MISMATCH);
  if (gpu->check) stop_on_violation(gpu);
}

/* Cores that say when they are due: nothing will ever happen. */
static bool stuck(const gpu_t *gpu) {
  return gpu->cores->cls->due && gpu->cores->cls->due(gpu->cores) == UINT64_MAX &&
         !gpu->memory->cls->busy(gpu->memory);
}

void gpu_after_cycle(gpu_t *gpu, bool more) {
  if (more) gpu_place_blocks(gpu);
  if (gpu->launch && gpu_launch_ended(gpu))
    gpu_end_kernel(gpu);
  else if (stuck(gpu))
    gpu_stop(gpu, workload_fault(gpu->setup.workload) ? GPU_FAILED : GPU_HANG);
}

void gpu_run_cores(gpu_t *gpu) {
  const bool more = gpu->launch && gpu->next_block < gpu->launch->blocks;
  gpu_cycle(gpu);
  gpu->now++;
  gpu_after_cycle(gpu, more);
}

/* Until a reply arrives, the cores wait, and nothing looks at their cycles. */
static bool can_leave_out(const gpu_t *gpu) {
  const cores_class_t *cores = gpu->cores->cls;
  if (!cores->waits || gpu->check || gpu->memory->delivers || !cores->waits(gpu->cores))
    return false;
  return gpu->next_block == gpu->launch->blocks || set_empty(cores->with_room(gpu->cores));
}

/* Runs the memory up to the SMs' edge of the next cycle that is not left out, and that edge itself; or
 * up to cycle gpu->until, and returns false. */
static bool run_memory(gpu_t *gpu) {
  gpu_memory_t *m = gpu->memory;
  const uint64_t until = can_leave_out(gpu) ? gpu->until : gpu->now;
  unsigned known, run;
  const uint8_t *edge;
  do {
    edge = gpu_next_edges(gpu, &known);
    run = m->cls->edges(m, edge, known, &gpu->now, until);
    gpu_take_edges(gpu, run);
  } while (run == known);
  if (gpu->now == gpu->until) return false;
  gpu_receive(gpu);
  const uint8_t own = edge[run] & ((1u << MEMORY_STAGES) - 1);
  (void)m->cls->edges(m, &own, 1, &gpu->now, gpu->now);
  gpu_take_edges(gpu, 1);
  return true;
}

void gpu_run_cycle(gpu_t *gpu) {
  if (gpu->memory->cls->edges) {
    if (!run_memory(gpu)) return;
  } else {
    gpu_receive(gpu);
  }
  gpu_run_cores(gpu);
}

static void cycle(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  gpu_run_cycle(gpu);
  if (gpu->now >= gpu->until) sim_stop(sim);
}

/* ---- creation -------------------------------------------------------------- */

static int check_setup(const gpu_setup_t *s, mrpb_err_t *err) {
  const bool external = s->memory || s->dram, looks = s->check || s->vcd;
  if (config_in_order(s->cfg) && s->cores)
    return mrpb_fail(err, "in-order cores: legal: without cores of yours");
  if (config_with_ports(s->cfg) && external)
    return mrpb_fail(err, "ports: legal: without a memory of yours");
  if (s->cores && (s->memory || looks || !s->cores->reply))
    return mrpb_fail(err, "cores: legal: with `reply`, without checking, a wave of an SM and a "
                          "memory behind L1s");
  if (s->memory && s->check)
    return mrpb_fail(err,
                     "checking needs the GPU's own L2; legal: without a memory behind the L1s");
  return 0;
}

static int create_memory(gpu_t *gpu, mrpb_err_t *err) {
  const gpu_setup_t *s = &gpu->setup;
  const ports_setup_t ports = {s->cfg, gpu->sms, &gpu->now};
  const flits_setup_t flits = {s->cfg, gpu->sms, &gpu->now, s->dram, s->memory};
  return config_with_ports(s->cfg) ? ports_create(&gpu->memory, &ports, err)
                                   : flits_create(&gpu->memory, &flits, err);
}

static int create_cores(gpu_t *gpu, mrpb_err_t *err) {
  const gpu_setup_t *s = &gpu->setup;
  const inorder_setup_t ordered = {.cfg = s->cfg,
                                   .workload = s->workload,
                                   .choice = s->choice,
                                   .memory = gpu->memory,
                                   .shown = s->vcd ? (int)s->vcd_sm : -1,
                                   .requests = s->requests,
                                   .timeline = s->timeline,
                                   .profile = s->profile,
                                   .stacks = s->stacks};
  if (config_in_order(s->cfg)) return inorder_create(&gpu->cores, &ordered, err);
  if (s->cores) return user_cores_create(&gpu->cores, s->cfg, s->cores, gpu->memory, err);
  const sms_setup_t sms = {.cfg = s->cfg,
                           .workload = s->workload,
                           .choice = s->choice,
                           .memory = gpu->memory,
                           .own = gpu->windows ? gpu_windows_memories(gpu->windows) : NULL,
                           .no_sleep = s->no_sleep,
                           .shown = s->vcd ? (int)s->vcd_sm : -1,
                           .requests = s->requests,
                           .timeline = s->timeline,
                           .profile = s->profile};
  return sms_create(&gpu->cores, &sms, err);
}

static int create_clock(gpu_t *gpu, mrpb_err_t *err) {
  gpu->sim = sim_create();
  if (!gpu->sim) return mrpb_fail(err, "gpu: out of memory");
  gpu->leaps = gpu->cores->cls->due && !gpu->memory->cls->edges;
  if (gpu->leaps) return gpu_due_create(gpu, err);
  gpu->sm_clock = gpu_clocks_create(gpu);
  const sim_proc_t p = sim_process(gpu->sim, SIM_TOP, "cycle", cycle, gpu);
  sim_on_rise(gpu->sim, p, gpu->sm_clock);
  sim_dont_initialize(gpu->sim, p);
  sim_reads(gpu->sim, p, SIM_NO_SIGS);
  sim_writes(gpu->sim, p, SIM_NO_SIGS);
  return sim_elaborate(gpu->sim, SIM_STATIC, err);
}

/* What is told of the run has its time, and the memory tells where requests are. */
static void create_records(gpu_t *gpu) {
  requests_t *r = gpu->setup.requests;
  if (gpu->setup.timeline) timeline_clock(gpu->setup.timeline, &gpu->now);
  if (r) requests_clock(r, &gpu->now);
  if (r && gpu->memory->cls->set_requests) gpu->memory->cls->set_requests(gpu->memory, r);
}

/* Ports have no lines of the L2 that could differ from the DRAM: no slices. */
static int create_check(gpu_t *gpu, mrpb_err_t *err) {
  const config_t *c = gpu->cfg;
  const uint32_t hazards = gpu->setup.hazards;
  const check_cfg_t k = {.sms = c->sms,
                         .l1d_lines = c->l1d_sets * c->l1d_ways,
                         .mshr_entries = c->mshr_entries,
                         .slices = config_with_ports(c) ? 0 : c->l2_slices,
                         .l2_lines = c->l2_sets * c->l2_ways,
                         .l2_mshr_entries = c->l2_mshr_entries,
                         .misplaced = c->l2_wb_address_bug != 0,
                         .hazards = hazards};
  if (gpu->setup.check && check_create(&gpu->check, &k, err) != 0) return -1;
  gpu->memory->cls->set_check(gpu->memory, gpu->check, hazards);
  if (gpu->cores->cls->set_check) gpu->cores->cls->set_check(gpu->cores, gpu->check, hazards);
  return 0;
}

int gpu_create(gpu_t **out, const gpu_setup_t *setup, mrpb_err_t *err) {
  gpu_t *gpu = calloc(1, sizeof *gpu);
  *out = NULL;
  if (!gpu) return mrpb_fail(err, "gpu: out of memory");
  gpu->setup = *setup;
  gpu->cfg = setup->cfg;
  gpu->sms = setup->cfg->sms;
  gpu->err = err;
  if (check_setup(setup, err) != 0 || create_memory(gpu, err) != 0 ||
      gpu_windows_create(&gpu->windows, gpu, err) != 0 || create_cores(gpu, err) != 0 ||
      create_check(gpu, err) != 0 || create_clock(gpu, err) != 0 ||
      gpu_wave_open(&gpu->wave, gpu, err) != 0) {
    gpu_destroy(gpu);
    return -1;
  }
  create_records(gpu);
  *out = gpu;
  return 0;
}

void gpu_destroy(gpu_t *gpu) {
  if (!gpu) return;
  (void)gpu_wave_close(gpu->wave, false, NULL);
  if (gpu->cores) gpu->cores->cls->destroy(gpu->cores);
  gpu_windows_destroy(gpu->windows);
  if (gpu->memory) gpu->memory->cls->destroy(gpu->memory);
  sim_destroy(gpu->sim);
  check_destroy(gpu->check);
  free(gpu->kernels);
  free(gpu);
}

/* ---- results --------------------------------------------------------------- */

bool gpu_refused(const gpu_t *gpu) {
  return gpu->refused;
}
uint64_t gpu_cycles(const gpu_t *gpu) {
  return gpu->now;
}
unsigned gpu_kernels(const gpu_t *gpu) {
  return gpu->n_kernels;
}
const gpu_kernel_stats_t *gpu_kernel(const gpu_t *gpu, unsigned i) {
  return &gpu->kernels[i];
}
gpu_shows_t gpu_shows(const gpu_t *gpu) {
  const gpu_setup_t *s = &gpu->setup;
  return (gpu_shows_t){gpu->cfg->mrpb, gpu->check, config_in_order(s->cfg),
                       config_with_ports(s->cfg)};
}
cores_t *gpu_cores(const gpu_t *gpu) {
  return gpu->cores;
}
gpu_memory_t *gpu_memory(const gpu_t *gpu) {
  return gpu->memory;
}
sm_t *gpu_sm(const gpu_t *gpu, unsigned i) {
  return sms_sm(gpu->cores, i);
}
const check_stats_t *gpu_check_stats(const gpu_t *gpu) {
  return gpu->check ? check_stats(gpu->check) : NULL;
}

int gpu_request(gpu_t *gpu, const mrpb_gpu_request_t *r, mrpb_err_t *err) {
  if (!gpu->setup.cores) return mrpb_fail(err, "request: legal: of a core of yours");
  return user_cores_request(gpu->cores, r, gpu->now, err);
}

int gpu_reply(gpu_t *gpu, uint64_t id, mrpb_err_t *err) {
  const gpu_memory_class_t *cls = gpu->memory->cls;
  if (!cls->reply) return mrpb_fail(err, "reply: the GPU has its own memory; legal: one of yours");
  return cls->reply(gpu->memory, id, err);
}
