/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that never end: a lock that a lane takes while the others of its warp spin on it, a flag
 * that nobody sets. docs/simt.md, "Loops that never end".
 *
 * A warp that comes back to the same place with the same registers and stack, while nothing has
 * changed in memory, repeats its loop for ever unless another warp changes memory. If all warps
 * that have begun do that or wait at barriers, none will. A loop that only counts its turns has
 * other registers each time; for such loops there is a time limit. */
#include "workload/simt/simt_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  OFTEN = 1 << 10,  /* turns without a change in memory before the first look */
  BARRED = 1 << 16, /* turns that a warp that a barrier has released may need to go on */
  MANY = 1 << 20,   /* turns before a loop that changes registers counts as waiting */
  CHECKS = 1 << 12  /* turns between two looks at the other warps */
};

struct simt_snapshot {
  simt_snapshot_t *next; /* all of the workload */
  simt_entry_t now;
  uint16_t below, depth;
  size_t bytes, stack; /* of registers and local memory; of the stack */
  size_t differs;      /* where the last comparison found a difference: most often there again */
  uint8_t data[];
};

/* ---- the same again -------------------------------------------------------------------------- */

/* The registers are followed by the local memory. */
static size_t state_bytes(const warp_stream_t *s) {
  const simt_kernel_t *k = s->kernel;
  return k->reg_bytes + (size_t)simt_local_stride(k->kernel) * WARP_LANES;
}

static void take(warp_stream_t *s) {
  simt_t *t = s->sim;
  simt_snapshot_t *n = s->snapshot;
  if (!n) {
    const size_t stack = (t->levels + SIMT_PARTED) * sizeof(simt_entry_t);
    if (!(n = s->snapshot = calloc(1, sizeof *n + t->warp_bytes + stack))) return;
    pthread_mutex_lock(&t->lock);
    n->next = t->snapshots;
    t->snapshots = n;
    pthread_mutex_unlock(&t->lock);
  }
  n->now = s->now;
  n->below = s->below;
  n->depth = s->depth;
  n->bytes = state_bytes(s);
  n->stack = s->below * sizeof *s->stack;
  n->differs = 0;
  memcpy(n->data, s->base[AREA_REGS], n->bytes);
  memcpy(n->data + n->bytes, s->stack, n->stack);
}

static bool same(const warp_stream_t *s) {
  simt_snapshot_t *n = s->snapshot;
  const uint8_t *now = s->base[AREA_REGS];
  if (!n || n->now.pc != s->now.pc || n->now.mask != s->now.mask || n->below != s->below ||
      n->depth != s->depth || n->bytes != state_bytes(s))
    return false;
  if (s->kernel->saved && s->depth) return false; /* frames are not compared */
  if (n->bytes && n->data[n->differs] != now[n->differs]) return false;
  for (size_t i = 0; i < n->bytes; i++)
    if (n->data[i] != now[i]) return n->differs = i, false;
  return memcmp(n->data + n->bytes, s->stack, n->stack) == 0;
}

void simt_snapshots_free(simt_t *t) {
  for (simt_snapshot_t *n = t->snapshots, *next; n; n = next) {
    next = n->next;
    free(n);
  }
}

/* ---- all warps ------------------------------------------------------------------------------- */

static bool at_barrier(const simt_block_t *b, unsigned warp) {
  for (uint32_t open = b->barriers.open; open; open &= open - 1)
    if (b->barriers.at[__builtin_ctz(open)].waiting >> warp & 1) return true;
  return false;
}

typedef struct {
  bool all, proven; /* all wait; none of them only because of the number of turns */
} waits_t;

static uint64_t all_changes(const simt_t *t) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < SIMT_SMS; i++) sum += simt_changes(&t->changes[i]);
  return sum;
}

static void add_block(uint64_t changes, const simt_block_t *b, waits_t *to) {
  for (uint32_t live = b->live; live && to->all; live &= live - 1) {
    const unsigned i = (unsigned)__builtin_ctz(live);
    const warp_stream_t *w = b->warp[i];
    const bool repeats = w->seen_all == changes && w->repeats;
    const bool turns = w->seen_all == changes && w->turns >= MANY;
    if (at_barrier(b, i) || repeats) continue;
    to->proven = false;
    to->all = turns;
  }
}

static waits_t all_warps(const simt_t *t, uint64_t changes) {
  waits_t w = {true, true};
  for (unsigned k = 0; k < SIMT_BUCKETS; k++)
    for (const simt_block_t *b = t->bucket[k]; b && w.all; b = b->next) add_block(changes, b, &w);
  return w;
}

/* Whether the time limit has passed since this was asked first without a change in memory. */
static bool too_long(simt_t *t, uint64_t changes) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (t->waiting_at != changes || t->waiting_since.tv_sec == 0) {
    t->waiting_at = changes;
    t->waiting_since = now;
  }
  return t->patience && now.tv_sec - t->waiting_since.tv_sec >= (time_t)t->patience;
}

static void give_up(warp_stream_t *s, const simt_op_t *op, bool proven) {
  simt_t *t = s->sim;
  uint32_t behind = 0;
  char lanes[96] = "", turns[64];
  for (unsigned i = 0; i < s->below; i++) behind |= s->stack[i].mask & ~s->now.mask;
  if (behind)
    snprintf(lanes, sizeof lanes,
             "; lanes 0x%08" PRIx32 " of the warp wait behind it for lanes 0x%08" PRIx32, behind,
             s->now.mask);
  snprintf(turns, sizeof turns, "%" PRIu32 " times", s->turns);
  if (t->fault.text[0]) return;
  t->hangs = true;
  mrpb_fail(&t->fault,
            "%.80s: warp %u of block %" PRIu32 " repeats the loop of lines %" PRIu32 " to %" PRIu32
            " %s: no warp that has begun changes memory any more%s",
            s->kernel->kernel->name, s->ordinal, s->block->number,
            s->kernel->kernel->insts[op->target].line, op->inst->line, proven ? "for ever" : turns,
            lanes);
}

void simt_wait(warp_stream_t *s, const simt_op_t *op) {
  simt_t *t = s->sim;
  if (s->turns < OFTEN) return;
  const uint64_t changes = all_changes(t);
  if (s->seen_all != changes) { /* by another SM */
    s->seen_all = changes;
    s->turns = 0;
    s->repeats = s->asks = false;
    return;
  }
  if ((s->turns & (s->turns - 1)) == 0)
    take(s);
  else if (!s->repeats)
    s->repeats = same(s);
  s->asks |= s->turns % CHECKS == 0;
  if (s->turns > UINT32_MAX - CHECKS) s->turns = MANY;
  if (!s->asks || s->turns < BARRED) return;
  if (t->apart) { /* other threads write what the other warps do */
    atomic_store(&t->asks, true);
    return;
  }
  s->asks = false;
  const waits_t w = all_warps(t, changes);
  if (w.all && (w.proven || too_long(t, changes))) give_up(s, op, w.proven);
}
