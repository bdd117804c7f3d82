/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of a user's cores, and replies to them: see user_cores.h. */
#include "gpu/user_cores.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct {
  cores_t base;
  const config_t *cfg;
  const mrpb_gpu_cores_t *user;
  gpu_memory_t *memory;
  uint32_t waiting; /* requests without a reply yet */
  uint64_t moves;   /* requests and replies so far */
} user_cores_t;

static user_cores_t *cores_of(cores_t *c) {
  return (user_cores_t *)(void *)c;
}
static const user_cores_t *cores_read(const cores_t *c) {
  return (const user_cores_t *)(const void *)c;
}

static void receive(cores_t *cores, uint64_t now) {
  user_cores_t *c = cores_of(cores);
  gpu_memory_t *memory = c->memory;
  const set_t waiting = memory->cls->waiting(memory);
  (void)now;
  SET_EACH(i, w, set_words(c->cfg->sms), waiting.word[w]) {
    packet_t *p = memory->cls->pop(memory, i);
    const uint32_t core = p->sm;
    const uint64_t id = p->tag;
    packet_free(memory->pool, p);
    c->waiting--;
    c->moves++;
    c->user->reply(c->user->ctx, core, id);
  }
}

static int cycle(cores_t *cores, uint64_t now, bool more, mrpb_err_t *err) {
  const user_cores_t *c = cores_of(cores);
  (void)more, (void)err;
  if (c->user->tick) c->user->tick(c->user->ctx, now);
  return 0;
}

static int check_request(const user_cores_t *c, const mrpb_gpu_request_t *r, mrpb_err_t *err) {
  if (r->sm >= c->cfg->sms)
    return mrpb_fail(err, "request: core %" PRIu32 "; legal: 0 to %" PRIu32, r->sm,
                     c->cfg->sms - 1);
  if (r->bytes != 32 && r->bytes != 64 && r->bytes != 128)
    return mrpb_fail(err, "request: %" PRIu32 " bytes; legal: 32, 64 or 128", r->bytes);
  if (r->address % r->bytes || r->address >> 49)
    return mrpb_fail(err,
                     "request: address 0x%" PRIx64 "; legal: a multiple of %" PRIu32 " below 2^49",
                     r->address, r->bytes);
  return 0;
}

int user_cores_request(cores_t *cores, const mrpb_gpu_request_t *r, uint64_t now, mrpb_err_t *err) {
  user_cores_t *c = cores_of(cores);
  const memory_request_t kind = r->is_write ? MEMORY_WRITE : MEMORY_READ;
  if (check_request(c, r, err) != 0) return -1;
  if (!gpu_memory_room(c->memory, r->sm, kind, r->bytes)) return 0;
  packet_t *p = packet_alloc(c->memory->pool);
  if (!p) return mrpb_fail(err, "request: out of memory");
  p->addr = r->address;
  p->kind = r->is_write ? PACKET_WRITE : PACKET_READ;
  p->bytes = r->bytes;
  p->tag = r->id;
  p->t_created = now;
  gpu_memory_send(c->memory, r->sm, p);
  c->waiting++;
  c->moves++;
  return 1;
}

static uint64_t progress(const cores_t *c) {
  return cores_read(c)->moves;
}

static bool at_rest(const cores_t *c) {
  return cores_read(c)->waiting == 0;
}

static void destroy(cores_t *c) {
  free(cores_of(c));
}

static const cores_class_t user_class = {.destroy = destroy,
                                         .receive = receive,
                                         .cycle = cycle,
                                         .progress = progress,
                                         .at_rest = at_rest};

int user_cores_create(cores_t **out, const config_t *cfg, const mrpb_gpu_cores_t *user,
                      gpu_memory_t *memory, mrpb_err_t *err) {
  user_cores_t *c = calloc(1, sizeof *c);
  *out = NULL;
  if (!c) return mrpb_fail(err, "cores: out of memory");
  *c = (user_cores_t){.base = {&user_class}, .cfg = cfg, .user = user, .memory = memory};
  *out = &c->base;
  return 0;
}
