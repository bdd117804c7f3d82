/* SPDX-License-Identifier: Apache-2.0 */
/* External cores in place of the SMs: see connect.h. */
#include "gpu/gpu_state.h"

#include <inttypes.h>

void gpu_cores_receive(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  const mrpb_gpu_cores_t *cores = gpu->setup.cores;
  (void)sim;
  for (uint32_t m = icnt_replies_waiting(gpu->icnt); m; m &= m - 1) {
    packet_t *p = icnt_reply_pop(gpu->icnt, (uint32_t)__builtin_ctz(m));
    const uint32_t core = p->sm;
    const uint64_t id = p->tag;
    packet_free(gpu->pool, p);
    gpu->core_requests--;
    gpu->core_moves++;
    cores->reply(cores->ctx, core, id);
  }
}

void gpu_cores_cycle(sim_t *sim, void *ctx) {
  gpu_t *gpu = ctx;
  const mrpb_gpu_cores_t *cores = gpu->setup.cores;
  (void)sim;
  if (cores->tick) cores->tick(cores->ctx, gpu->now);
  gpu->now++;
}

int gpu_request(gpu_t *gpu, const mrpb_gpu_request_t *r, mrpb_err_t *err) {
  const packet_map_t map = gpu_address_map(gpu->cfg);
  if (!gpu->setup.cores) return mrpb_fail(err, "request: legal: of a core of yours");
  if (r->sm >= gpu->cfg->sms)
    return mrpb_fail(err, "request: core %" PRIu32 "; legal: 0 to %" PRIu32, r->sm,
                     gpu->cfg->sms - 1);
  if (r->bytes != 32 && r->bytes != 64 && r->bytes != 128)
    return mrpb_fail(err, "request: %" PRIu32 " bytes; legal: 32, 64 or 128", r->bytes);
  if (r->address % r->bytes || r->address >> 49)
    return mrpb_fail(err,
                     "request: address 0x%" PRIx64 "; legal: a multiple of %" PRIu32 " below 2^49",
                     r->address, r->bytes);
  if (!icnt_request_room(gpu->icnt, r->sm, r->is_write, r->bytes)) return 0;
  packet_t *p = packet_alloc(gpu->pool);
  if (!p) return mrpb_fail(err, "request: out of memory");
  packet_set_address(p, &map, r->address);
  p->kind = r->is_write ? PACKET_WRITE : PACKET_READ;
  p->bytes = r->bytes;
  p->sm = (uint16_t)r->sm;
  p->tag = r->id;
  p->t_created = gpu->now;
  icnt_request_push(gpu->icnt, p);
  gpu->core_requests++;
  gpu->core_moves++;
  return 1;
}
