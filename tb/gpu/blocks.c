/* SPDX-License-Identifier: Apache-2.0 */
/* Which core gets the next block of a launch. */
#include "gpu/gpu_state.h"

static bool take(gpu_t *gpu, unsigned sm) {
  if (gpu->cores->cls->take_block(gpu->cores, sm, gpu->next_block, gpu->now, gpu->err) != 0) {
    gpu_stop(gpu, GPU_FAILED);
    return false;
  }
  gpu->next_block++;
  return true;
}

/* Round robin over the SMs from the one after the last that got a block: one block for each SM per
 * cycle. Depth-first: the SM that got the last block goes on until it is full, with one block per
 * cycle. */
static void place_one_each(gpu_t *gpu) {
  const bool deep = gpu->cfg->block_placement == CONFIG_PLACEMENT_DEPTH_FIRST;
  const unsigned first = (gpu->last_sm + !(deep && gpu->next_block > 0)) % gpu->sms;
  set_t left = *gpu->cores->cls->with_room(gpu->cores);
  while (!set_empty(&left) && gpu->next_block < gpu->launch->blocks) {
    unsigned s = set_next(&left, first);
    if (s == SET_MEMBERS) s = set_next(&left, 0);
    set_remove(&left, s);
    if (!take(gpu, s)) return;
    gpu->last_sm = s;
    if (deep) return;
  }
}

/* The SM that follows `sm` in the order of placement: the next number, or an SM of the next
 * cluster. */
static unsigned next_sm(const config_t *c, unsigned sm) {
  if (c->placement == DEVICE_PLACE_SM) return (sm + 1) % c->sms;
  if (sm + c->cluster < c->sms) return sm + c->cluster;
  return (sm + 1) % c->cluster; /* the next SM of the first cluster */
}

static void place_all(gpu_t *gpu) {
  const set_t *room = gpu->cores->cls->with_room(gpu->cores);
  while (gpu->next_block < gpu->launch->blocks && !set_empty(room)) {
    const unsigned sm = gpu->first_sm;
    gpu->first_sm = next_sm(gpu->cfg, sm);
    if (set_has(room, sm) && !take(gpu, sm)) return;
  }
}

void gpu_place_blocks(gpu_t *gpu) {
  if (gpu->cores->cls->due)
    place_all(gpu);
  else
    place_one_each(gpu);
}
