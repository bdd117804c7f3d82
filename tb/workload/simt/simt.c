/* SPDX-License-Identifier: Apache-2.0 */
/* The workload: launches, blocks and warps. They are recycled, so that a warp costs no allocation
 * once the SMs are full. */
#include "workload/simt/simt_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void simt_param(simt_launch_t *l, unsigned i, uint64_t bits) {
  if (i >= l->kernel->n_params) return;
  const ptx_param_t *p = &l->kernel->params[i];
  const size_t n = p->bytes < 8 ? p->bytes : 8;
  if (p->offset + n <= SIMT_MAX_PARAM_BYTES) memcpy(&l->params[p->offset], &bits, n);
}

void simt_param_f32(simt_launch_t *l, unsigned i, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  simt_param(l, i, bits);
}

/* ---- launches -------------------------------------------------------------- */

static void number_threads(simt_t *t) {
  const uint32_t *dim = t->now.block;
  for (uint32_t i = 0; i < SIMT_MAX_THREADS; i++) {
    uint32_t(*v)[WARP_LANES] = t->thread[i / WARP_LANES];
    v[0][i % WARP_LANES] = i % dim[0];
    v[1][i % WARP_LANES] = i / dim[0] % dim[1];
    v[2][i % WARP_LANES] = i / dim[0] / dim[1];
    v[3][i % WARP_LANES] = i / WARP_LANES;
  }
}

bool simt_prepared_next(void *prepared, simt_launch_t *l) {
  simt_prepared_t *p = prepared;
  if (p->left == 0) return false;
  p->left--;
  *l = p->launch;
  return true;
}

static const launch_t *next_launch(workload_t *w) {
  simt_t *t = (simt_t *)w;
  simt_print_out(t);
  memset(&t->now, 0, sizeof t->now);
  if (t->fault.text[0] || !t->setup.next(t->setup.host, &t->now)) return NULL;
  if (simt_launch_as_required(t, &t->kernel) != 0) return NULL;
  simt_fill_constants(t->kernel, &t->now, t->launches++);
  number_threads(t);
  t->begin = memory_begin(t->setup.memory);
  t->end = memory_end(t->setup.memory);
  return &t->launch;
}

static double progress(const workload_t *w) {
  const simt_t *t = (const simt_t *)w;
  return t->setup.progress ? t->setup.progress(t->setup.host) : 0;
}

/* ---- blocks ---------------------------------------------------------------- */

static void place_block(simt_block_t *b, uint32_t sm, uint32_t sms) {
  for (unsigned l = 0; l < WARP_LANES; l++) b->sm[0][l] = sm, b->sm[1][l] = sms;
}

static simt_block_t *new_block(simt_t *t, uint32_t number) {
  uint32_t shared = t->launch.shared;
  simt_block_t **at = &t->free_blocks;
  while (*at && (*at)->capacity < shared) at = &(*at)->next;
  simt_block_t *b = *at;
  if (b) {
    *at = b->next;
  } else {
    size_t bytes = (sizeof *b + shared + 63) / 64 * 64;
    b = aligned_alloc(64, bytes);
    if (!b) return NULL;
    b->capacity = shared;
  }
  uint32_t id[3] = {number % t->now.grid[0], number / t->now.grid[0] % t->now.grid[1],
                    number / t->now.grid[0] / t->now.grid[1]};
  for (unsigned i = 0; i < 3; i++)
    for (unsigned l = 0; l < WARP_LANES; l++) b->ctaid[i][l] = id[i];
  place_block(b, 0, 1);
  memset(b->shared, 0, shared);
  b->number = number;
  b->open = 0;
  b->live = 0;
  b->running = (t->launch.threads + WARP_LANES - 1) / WARP_LANES;
  memset(&b->barriers, 0, sizeof b->barriers);
  memset(b->reduction, 0, sizeof b->reduction);
  b->next = t->bucket[number % SIMT_BUCKETS];
  t->bucket[number % SIMT_BUCKETS] = b;
  return b;
}

static simt_block_t *find_block(simt_t *t, uint32_t number) {
  simt_block_t *b = t->bucket[number % SIMT_BUCKETS];
  while (b && b->number != number) b = b->next;
  return b ? b : new_block(t, number);
}

static void leave_block(simt_t *t, simt_block_t *b) {
  if (--b->open > 0) return;
  simt_block_t **at = &t->bucket[b->number % SIMT_BUCKETS];
  while (*at != b) at = &(*at)->next;
  *at = b->next;
  b->next = t->free_blocks;
  t->free_blocks = b;
}

/* ---- warps ----------------------------------------------------------------- */

/* The stack lies behind the warp, and the registers behind the stack. */
static size_t stack_end(const simt_t *t) {
  const size_t level = sizeof(simt_entry_t) + sizeof(uint16_t) + 2 * sizeof(void *);
  const size_t bytes = t->levels * level + SIMT_PARTED * sizeof(simt_entry_t);
  return sizeof(warp_stream_t) + (bytes + SIMT_LINE - 1) / SIMT_LINE * SIMT_LINE;
}

static void place_stack(const simt_t *t, warp_stream_t *s) {
  uint8_t *at = (uint8_t *)(s + 1);
  s->call = (const ptx_call_t **)(void *)at;
  s->frame = (simt_frame_t **)(void *)(s->call + t->levels);
  s->stack = (simt_entry_t *)(void *)(s->frame + t->levels);
  s->base_of = (uint16_t *)(void *)(s->stack + t->levels + SIMT_PARTED);
}

/* An odd number of lines per warp spreads warps over the sets of the host's caches. */
static size_t warp_bytes(const simt_t *t) {
  size_t most = 0;
  for (unsigned i = 0; i < t->n_kernels; i++) {
    const simt_kernel_t *k = &t->kernels[i];
    size_t bytes = k->reg_bytes + (size_t)simt_local_stride(k->kernel) * WARP_LANES;
    if (k->grouped) bytes += sizeof(simt_groups_t);
    if (bytes > most) most = bytes;
  }
  return ((stack_end(t) + most + SIMT_LINE - 1) / SIMT_LINE | 1) * SIMT_LINE;
}

/* Registers and local memory begin as zeros, whichever warp had them before. */
static warp_stream_t *new_warp(simt_t *t) {
  const simt_kernel_t *k = t->kernel;
  warp_stream_t *s = t->free_warps;
  if (!s) return pool_take(&t->pool, t->warp_bytes);
  t->free_warps = s->next_free;
  memset((uint8_t *)s + stack_end(t), 0,
         k->reg_bytes + (size_t)simt_local_stride(k->kernel) * WARP_LANES);
  return s;
}

void simt_look(warp_stream_t *s) {
  s->op = NULL;
  if (s->now.mask == 0) return;
  const simt_op_t *op = &s->kernel->ops[s->now.pc];
  s->op = op;
  s->active = s->now.mask;
  s->inst = &op->warp;
  if (op->guarded) {
    uint32_t p = *(const uint32_t *)simt_vector(s, op->guard);
    s->active &= op->guard_negated ? ~p : p;
  }
  if (op->grouped) s->inst = simt_grouped(s, op);
  if (!op->generic) return;
  const simt_other_t *other = &s->kernel->other[s->now.pc];
  s->space = (uint8_t)simt_resolve(s, op, s->active);
  if (s->space == PTX_SHARED) s->inst = &other->shared;
  if (s->space == PTX_LOCAL) s->inst = &other->local;
  if (s->space == PTX_PARAM || s->space == PTX_CONST) s->inst = &other->constant;
}

/* Regions follow one another; if there is not room for all, they wrap around to the beginning. */
static void seat_local(warp_stream_t *s, uint64_t index) {
  const uint64_t bytes = simt_local_region(s->kernel->kernel);
  s->local_at = WARP_LOCAL_BASE + index % (WARP_LOCAL_BYTES / bytes) * bytes;
}

static warp_stream_t *open_warp(workload_t *w, uint32_t block, uint32_t warp) {
  simt_t *t = (simt_t *)w;
  uint32_t left = t->launch.threads - warp * WARP_LANES;
  warp_stream_t *s = new_warp(t);
  simt_block_t *b = s ? find_block(t, block) : NULL;
  if (!b) return NULL;
  s->changes = &t->changes[0];
  simt_changed(s);
  b->open++;
  b->live |= UINT32_C(1) << warp;
  s->sim = t;
  s->kernel = t->kernel;
  s->block = b;
  s->ordinal = (uint8_t)warp;
  s->red = NULL;
  b->warp[warp] = s;
  place_stack(t, s);
  for (unsigned i = 0; t->kernel->saved && i < t->levels; i++) s->frame[i] = NULL;
  s->base[AREA_REGS] = (uint8_t *)s + stack_end(t);
  s->base[AREA_CONST] = t->kernel->constants;
  s->base[AREA_BLOCK] = (uint8_t *)b->ctaid;
  s->base[AREA_THREAD] = (uint8_t *)t->thread[warp];
  s->local = s->base[AREA_REGS] + t->kernel->reg_bytes;
  if (t->kernel->saved) simt_empty_stacks(s);
  seat_local(s, (uint64_t)block * ((t->launch.threads + WARP_LANES - 1) / WARP_LANES) + warp);
  s->groups = NULL;
  if (t->kernel->grouped) {
    s->groups = (simt_groups_t *)(void *)(s->local + (size_t)simt_local_stride(t->kernel->kernel) *
                                                         WARP_LANES);
    memset(s->groups, 0, sizeof *s->groups);
  }
  simt_stack_start(s, left >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1);
  simt_look(s);
  return s;
}

static void on_sm(warp_stream_t *s, const warp_seat_t *seat) {
  s->changes = &s->sim->changes[seat->sm % SIMT_SMS];
  place_block(s->block, seat->sm, seat->sms);
  seat_local(s, (uint64_t)seat->sm * seat->slots + seat->slot);
}

static const warp_inst_t *peek(const warp_stream_t *s) {
  return s->op ? s->inst : NULL;
}

static uint32_t mask(const warp_stream_t *s) {
  return s->active;
}

static void addresses(const warp_stream_t *s, uint64_t addr[WARP_LANES]) {
  simt_addresses(s, s->op, addr);
}

static warp_barrier_t barrier(warp_stream_t *s) {
  return simt_barrier(s, s->op, s->active);
}

static void values(const warp_stream_t *s, uint8_t value[WARP_LANES][16]) {
  simt_values(s, s->op, s->active, value);
}

/* Writes the current cycle to all lanes of the instruction's source. */
static void read_clock(warp_stream_t *s, const simt_op_t *op) {
  const uint64_t now = s->sim->clock ? *s->sim->clock : 0;
  if (s->sim->clock) simt_changed(s); /* the loop may wait for a time */
  const uint32_t low = (uint32_t)now;
  bool wide = op->inst->src[0].reg == PTX_CLOCK64;
  uint8_t *to = simt_vector(s, op->s[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    memcpy(to + l * (wide ? 8 : 4), wide ? (const void *)&now : (const void *)&low, wide ? 8 : 4);
}

static void step(warp_stream_t *s) {
  const simt_op_t *op = s->op;
  switch ((simt_step_t)op->step) {
  case STEP_NEXT:
    if (op->exec && s->active) op->exec(s, op, s->active);
    simt_stack_next(s);
    break;
  case STEP_CLOCK:
    read_clock(s, op);
    if (s->active) op->exec(s, op, s->active);
    simt_stack_next(s);
    break;
  case STEP_BRANCH:
    simt_stack_branch(s, s->active, op->target, op->reconverge);
    if (op->target <= (uint32_t)(op - s->kernel->ops)) simt_jumped_back(s, op);
    break;
  case STEP_EXIT:
    simt_stack_exit(s, s->active);
    if (s->now.mask == 0) simt_warp_ended(s);
    break;
  case STEP_CALL:
    simt_call(s, op, s->active);
    break;
  case STEP_RETURN:
    simt_return(s, s->active);
    break;
  case STEP_SWITCH:
    simt_indexed(s, op, s->active);
    break;
  case STEP_TRAP:
    if (s->active) simt_fault(s, op, (unsigned)__builtin_ctz(s->active), "the program stops here");
    simt_stack_exit(s, s->active);
    break;
  }
  simt_look(s);
}

static void close_warp(warp_stream_t *s) {
  simt_t *t = s->sim;
  s->block->live &= ~(UINT32_C(1) << s->ordinal);
  simt_changed(s);
  pthread_mutex_lock(&t->lock);
  leave_block(t, s->block);
  if (s->kernel->saved) simt_frames_free(s);
  s->next_free = t->free_warps;
  t->free_warps = s;
  pthread_mutex_unlock(&t->lock);
}

/* ---- the workload ---------------------------------------------------------- */

static const mrpb_err_t *fault(const workload_t *w) {
  const simt_t *t = (const simt_t *)w;
  return t->fault.text[0] ? &t->fault : NULL;
}

static bool hangs(const workload_t *w) {
  return ((const simt_t *)w)->hangs;
}

static int check(workload_t *w, mrpb_err_t *err) {
  simt_t *t = (simt_t *)w;
  if (t->fault.text[0]) return mrpb_fail(err, "%s", t->fault.text);
  return t->setup.check ? t->setup.check(t->setup.host, err) : 0;
}

static void initial(const workload_t *w, uint64_t addr, void *to, size_t bytes) {
  const simt_t *t = (const simt_t *)w;
  uint8_t *d = to;
  for (size_t i = 0; i < bytes; i++) {
    const uint8_t *from = memory_at(t->setup.memory, addr + i, 1);
    d[i] = from ? *from : 0;
  }
}

static void set_clock(workload_t *w, const uint64_t *clock) {
  ((simt_t *)w)->clock = clock;
}

static void free_blocks(simt_t *t) {
  while (t->free_blocks) {
    simt_block_t *b = t->free_blocks;
    t->free_blocks = b->next;
    free(b);
  }
}

static void release(simt_t *t) {
  simt_print_out(t);
  free_blocks(t);
  for (simt_frame_t *f = t->frames, *next; f; f = next) {
    next = f->next;
    free(f);
  }
  simt_snapshots_free(t);
  pool_free(t->pool);
  for (unsigned i = 0; i < t->n_kernels; i++) simt_unprepare(&t->kernels[i]);
  free(t->kernels);
  free(t->thread);
  free(t->changes);
  pthread_mutex_destroy(&t->lock);
  free(t);
}

static void destroy(workload_t *w) {
  const simt_setup_t setup = ((simt_t *)w)->setup;
  if (setup.destroy) setup.destroy(setup.host);
  release((simt_t *)w); /* the prepared kernels refer to the module */
  ptx_free(setup.module);
  memory_destroy(setup.memory);
}

static const workload_ops_t simt_ops = {
    .next = next_launch,
    .progress = progress,
    .open = open_warp,
    .peek = peek,
    .mask = mask,
    .addresses = addresses,
    .values = values,
    .step = step,
    .close = close_warp,
    .fault = fault,
    .hangs = hangs,
    .check = check,
    .initial = initial,
    .set_clock = set_clock,
    .on_sm = on_sm,
    .barrier = barrier,
    .apart = simt_apart,
    .destroy = destroy,
};

static bool has_avx2(void) {
#ifdef __x86_64__
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

/* Kernels that cannot be prepared are refused at their launch; -1 and a message if none can be
 * prepared. */
static int prepare_kernels(simt_t *t, mrpb_err_t *err) {
  const simt_kernel_t *first = NULL;
  bool any = false;
  for (unsigned i = 0; i < ptx_kernels(t->setup.module); i++) {
    simt_kernel_t *k = &t->kernels[t->n_kernels++];
    const ptx_kernel_t *kernel = k->kernel = ptx_kernel(t->setup.module, i);
    if (kernel->refused) continue;
    if (simt_prepare(t, k, kernel, &k->refused) == 0)
      any = true;
    else if (!first)
      first = k;
  }
  simt_find_apart(t);
  return any || !first ? 0 : mrpb_fail(err, "%s", first->refused.text);
}

int simt_create(workload_t **out, const simt_setup_t *setup, mrpb_err_t *err) {
  *out = NULL;
  if (simt_bind(setup, err) != 0) return -1;
  simt_t *t = calloc(1, sizeof *t);
  if (!t) return mrpb_fail(err, "executor: out of memory");
  t->base.ops = &simt_ops;
  t->setup = *setup;
  pthread_mutex_init(&t->lock, NULL);
  t->fast = !setup->portable && has_avx2();
  t->bias = memory_bias(setup->memory);
  t->constant = memory_const(setup->memory);
  t->thread = aligned_alloc(VECTOR, SIMT_MAX_THREADS / WARP_LANES * sizeof *t->thread);
  t->kernels = calloc(ptx_kernels(setup->module) + 1, sizeof *t->kernels);
  t->changes = aligned_alloc(SIMT_LINE, SIMT_SMS * sizeof *t->changes);
  if (t->changes) memset(t->changes, 0, SIMT_SMS * sizeof *t->changes);
  if (!t->thread || !t->kernels || !t->changes) {
    release(t);
    return mrpb_fail(err, "executor: out of memory");
  }
  if (prepare_kernels(t, err) != 0) {
    release(t);
    return -1;
  }
  t->levels = PTX_CALL_DEPTH;
  for (unsigned i = 0; i < t->n_kernels; i++) {
    const simt_kernel_t *k = &t->kernels[i];
    if (k->saved) t->levels = SIMT_RECURSION;
    for (unsigned n = 0; k->saved && n < k->kernel->n_spans; n++)
      if (k->saved[n].all > t->frame_bytes) t->frame_bytes = k->saved[n].all;
  }
  t->warp_bytes = warp_bytes(t);
  *out = &t->base;
  return 0;
}

int simt_can_run(const ptx_kernel_t *kernel, mrpb_err_t *err) {
  simt_t t = {0};
  simt_kernel_t k = {0};
  const int rc = simt_prepare(&t, &k, kernel, err);
  simt_unprepare(&k);
  return rc;
}

/* Decodes the kernels again, after their code has changed. */
static int prepare_again(simt_t *t, mrpb_err_t *err) {
  for (; t->n_kernels > 0; t->n_kernels--) {
    simt_unprepare(&t->kernels[t->n_kernels - 1]);
    t->kernels[t->n_kernels - 1] = (simt_kernel_t){0};
  }
  if (prepare_kernels(t, err) != 0) return -1;
  t->warp_bytes = warp_bytes(t);
  return 0;
}

int simt_contract(workload_t *w, uint64_t *sums, mrpb_err_t *err) {
  simt_t *t = (simt_t *)w;
  *sums = 0;
  if (w->ops != &simt_ops) return 0;
  if (ptx_contract(t->setup.module, sums, err) != 0) return -1;
  return prepare_again(t, err);
}

int simt_as_driver(workload_t *w, uint64_t *loads, mrpb_err_t *err) {
  simt_t *t = (simt_t *)w;
  *loads = 0;
  if (w->ops != &simt_ops) return 0;
  if (ptx_schedule(t->setup.module, loads, err) != 0) return -1;
  return prepare_again(t, err);
}

void simt_patience(workload_t *w, unsigned seconds) {
  if (w->ops == &simt_ops) ((simt_t *)w)->patience = seconds;
}

void simt_print_to(workload_t *w, FILE *to) {
  if (w->ops == &simt_ops) ((simt_t *)w)->print_to = to;
}

bool simt_view(const workload_t *w, simt_view_t *view) {
  const simt_t *t = (const simt_t *)w;
  if (w->ops != &simt_ops) return false;
  *view = (simt_view_t){.module = t->setup.module, .memory = t->setup.memory, .launch = &t->now};
  return true;
}
