/* SPDX-License-Identifier: Apache-2.0 */
/* Runs pieces of a run, and polls in between. See gpu.h. */
#include "gpu/gpu_state.h"

static const mrpb_err_t *first_fault(const gpu_t *gpu) {
  const mrpb_err_t *fault = gpu->setup.workload ? workload_fault(gpu->setup.workload) : NULL;
  if (fault || !gpu->memory->cls->fault) return fault;
  return gpu->memory->cls->fault(gpu->memory);
}

/* Cores that say when they are due know without a limit that nothing will ever happen. */
static bool hangs(const gpu_t *gpu) {
  return !config_in_order(gpu->cfg) && gpu->now - gpu->progress_at >= gpu->cfg->hang_cycles;
}

static bool out_of_packets(const gpu_t *gpu) {
  if (gpu->windows && gpu_windows_failed(gpu->windows)) return true;
  return packet_pool_failed(gpu->memory->pool);
}

static void look_around(gpu_t *gpu) {
  const cores_class_t *cls = gpu->cores->cls;
  gpu_catch_up_memory(gpu);
  const uint64_t progress = gpu->n_kernels + cls->progress(gpu->cores);
  if (progress != gpu->progress || (cls->at_rest && cls->at_rest(gpu->cores))) {
    gpu->progress = progress;
    gpu->progress_at = gpu->now;
  } else if (hangs(gpu)) {
    gpu_stop(gpu, GPU_HANG);
  }
  const mrpb_err_t *fault = first_fault(gpu);
  if (fault) {
    *gpu->err = *fault;
    gpu_stop(gpu, GPU_FAILED);
  }
  if (out_of_packets(gpu)) {
    mrpb_fail(gpu->err, "gpu: out of memory for packets");
    gpu_stop(gpu, GPU_FAILED);
  }
  if (gpu->wave && gpu_wave_failed(gpu->wave)) gpu_stop(gpu, GPU_FAILED);
  if (gpu->setup.poll &&
      gpu->setup.poll(gpu->setup.ctx, gpu->now, workload_progress(gpu->setup.workload)))
    gpu_stop(gpu, GPU_INTERRUPTED);
}

static void begin(gpu_t *gpu) {
  if (!gpu->begun) gpu->look_at = GPU_CHUNK;
  gpu->begun = true;
  if (gpu->setup.cores) return;
  const cores_class_t *cls = gpu->cores->cls;
  workload_set_clock(gpu->setup.workload, cls->clock ? cls->clock(gpu->cores) : &gpu->now);
  gpu_start_kernel(gpu);
  if (gpu->leaps) gpu_due_prepare(gpu);
}

/* Runs until cycle `to` at the latest. */
static void run_until(gpu_t *gpu, uint64_t to) {
  gpu->until = to;
  if (gpu->windows) {
    gpu_windows_run(gpu->windows, to);
    return;
  }
  if (!gpu->leaps || gpu->due < to)
    if (sim_run_cycles(gpu->sim, gpu->sm_clock, to - gpu->now, gpu->err) == SIM_ERROR)
      gpu_stop(gpu, GPU_FAILED);
  if (gpu->leaps && !gpu->ended && !gpu->paused) gpu->now = to;
}

bool gpu_step(gpu_t *gpu, uint64_t cycles, bool launch, mrpb_err_t *err) {
  const uint64_t to = cycles < UINT64_MAX - gpu->now ? gpu->now + cycles : UINT64_MAX;
  gpu->err = err;
  gpu->pause_at_launch = launch;
  gpu->paused = false;
  if (!gpu->begun) begin(gpu);
  while (!gpu->ended && !gpu->paused && gpu->now < to) {
    run_until(gpu, gpu->look_at < to ? gpu->look_at : to);
    if (gpu->ended || gpu->now < gpu->look_at) continue;
    gpu->look_at = gpu->now + GPU_CHUNK;
    look_around(gpu);
  }
  return !gpu->ended;
}

void gpu_pause(gpu_t *gpu) {
  gpu->paused = true;
  sim_stop(gpu->sim);
}

void gpu_resume(gpu_t *gpu, unsigned first, mrpb_err_t *err) {
  gpu->err = err;
  gpu->ended = gpu->paused = false;
  gpu->first_sm = first % gpu->sms;
  begin(gpu);
}

gpu_end_t gpu_finish(gpu_t *gpu, mrpb_err_t *err) {
  if ((gpu->end == GPU_DONE || gpu->end == GPU_FAILED) && first_fault(gpu)) {
    /* since the last poll, or the cause of the failure */
    gpu->end = GPU_FAILED;
    mrpb_fail(err, "%s", first_fault(gpu)->text);
  }
  gpu_catch_up(gpu);
  const bool cut = gpu->end == GPU_FAILED && !first_fault(gpu);
  int rc = gpu_wave_close(gpu->wave, cut, err);
  gpu->wave = NULL;
  if (gpu->setup.workload) workload_set_clock(gpu->setup.workload, NULL);
  return rc != 0 && (gpu->end == GPU_DONE || gpu->end == GPU_INTERRUPTED) ? GPU_FAILED : gpu->end;
}

gpu_end_t gpu_run(gpu_t *gpu, mrpb_err_t *err) {
  while (gpu_step(gpu, UINT64_MAX, false, err)) continue;
  return gpu_finish(gpu, err);
}
