/* SPDX-License-Identifier: Apache-2.0 */
/* MRPB with unbounded queues, see unbounded.h. The queues are linked lists in one pool of entries;
 * the latency line, the outbound buffer and the drain policies are those of
 * docs/modules/mrpb.md. */
#include "parts/unbounded.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MAX_QUEUES = 64, MAX_WARPS = 64, MAX_LINE = 16, MAX_SENT = 4 };
#define NONE UINT32_MAX

typedef struct {
  uint64_t data;
  uint64_t turn; /* number of requests of its warp accepted before it */
  uint32_t next;
  uint8_t warp, block;
  bool write;
} entry_t;

typedef struct {
  uint32_t head, tail;
  uint32_t held, drainable;
} queue_t;

typedef struct {
  mrpb_cfg_t cfg;
  queue_t queue[MAX_QUEUES];
  uint64_t nonempty; /* bit q: queue q has a drainable entry */
  uint32_t last;     /* queue that the policy drained last */
  bool hold;         /* greedy: that queue is not empty yet */
  entry_t *entry;
  uint32_t room, used, free; /* entries allocated; used so far; first of the free list */
  bool line_valid[MAX_LINE];
  uint8_t line_queue[MAX_LINE];
  unsigned on_line;
  bool out_valid;
  entry_t out;
  /* ANSWER > 0: requests presented and not accepted, the oldest first; bit i of `due`: one of them
   * is answered in i cycles; the first may bypass as it is presented again. */
  entry_t sent[MAX_SENT];
  unsigned on_sent, due;
  bool byp;
  uint64_t held, block_held[MAX_QUEUES];
  uint64_t accepted[MAX_WARPS], left[MAX_WARPS]; /* requests so far, for the order check */
} unbounded_t;

/* Decisions of a cycle, made from its inputs. */
typedef struct {
  bool byp_valid, leave, store, pass, barrier, force, flush_write;
  bool move, refused, asks;    /* the outbound entry makes room; ANSWER > 0: of the L1 */
  const entry_t *shown, *left; /* presented, NULL: none; the one that leaves */
  uint32_t queue;
} cycle_t;

static uint32_t block_counter(const unbounded_t *u, uint64_t block) {
  return (uint32_t)(block < u->cfg.BLOCKS ? block : u->cfg.BLOCKS - 1);
}

/* A stall for which a read may bypass. */
static bool stalled(const unbounded_t *u, const mrpb_in_t *in) {
  return u->cfg.BYPASS &&
         (in->l1_answer_i == MRPB_L1_ASSOC_STALL ||
          (in->l1_answer_i == MRPB_L1_OTHER_STALL && u->cfg.BYPASS == MRPB_BYPASS_STALL));
}

/* What is presented and what leaves: the L1 answers in the same cycle, or ANSWER cycles later. */
static void meet_l1(const unbounded_t *u, const mrpb_in_t *in, cycle_t *c) {
  const bool takes = in->l1_answer_i == MRPB_L1_ACCEPTED;
  if (!u->cfg.ANSWER) {
    c->shown = u->out_valid ? &u->out : NULL;
    c->byp_valid = u->out_valid && !u->out.write && stalled(u, in);
    c->move = c->leave = u->out_valid && (takes || (c->byp_valid && in->byp_ready_i));
    c->left = &u->out;
    return;
  }
  const unsigned asked = (unsigned)__builtin_popcount(u->due);
  const bool again = asked < u->on_sent, answered = u->due & 1;
  c->shown = again ? &u->sent[asked] : u->out_valid ? &u->out : NULL;
  c->byp_valid = u->byp;
  c->leave = answered ? takes : u->byp && in->byp_ready_i;
  c->refused = answered && !takes;
  c->move = u->out_valid && !again && !c->refused;
  c->asks = c->shown && !c->refused && !(u->byp && in->byp_ready_i);
  c->left = &u->sent[0];
}

static void decide(const unbounded_t *u, const mrpb_in_t *in, cycle_t *c) {
  const uint64_t signature[] = {in->in_block_i, in->in_warp_i, in->in_block_warp_i};
  *c = (cycle_t){.queue = (uint32_t)(signature[u->cfg.SIGNATURE] % u->cfg.QUEUES)};
  meet_l1(u, in, c);
  if (!in->in_valid_i) return;
  if (in->in_kind_i >= MRPB_KIND_BARRIER) {
    c->barrier = u->block_held[block_counter(u, in->in_block_i)] == 0;
  } else if (in->in_kind_i == MRPB_KIND_READ || !u->cfg.FLUSH) {
    c->store = true;
  } else {
    c->flush_write = c->force = u->queue[c->queue].held > 0;
    c->pass = !c->force && (!u->out_valid || c->move);
  }
}

static void comb(void *self, const uint64_t *in_words, uint64_t *out_words) {
  const unbounded_t *u = self;
  mrpb_out_t *out = (mrpb_out_t *)out_words;
  cycle_t c;
  decide(u, (const mrpb_in_t *)in_words, &c);
  const entry_t none = {.next = NONE}, *shown = c.shown ? c.shown : &none;
  *out = (mrpb_out_t){.in_ready_o = c.store || c.pass || c.barrier,
                      .out_valid_o = c.shown != NULL,
                      .out_write_o = shown->write,
                      .out_warp_o = shown->warp,
                      .out_block_o = shown->block,
                      .out_data_o = shown->data,
                      .byp_valid_o = c.byp_valid,
                      .flush_write_o = c.flush_write,
                      .held_o = u->held,
                      .order_err_o = c.leave && c.left->turn != u->left[c.left->warp]};
}

/* ---- queues ---------------------------------------------------------------- */

static int make_room(unbounded_t *u, mrpb_err_t *err) {
  uint32_t room = u->room ? 2 * u->room : 256;
  entry_t *more = realloc(u->entry, room * sizeof *more);
  if (!more) return mrpb_fail(err, "mrpb: out of memory for %u requests", room);
  u->entry = more;
  u->room = room;
  return 0;
}

static int append(unbounded_t *u, uint32_t q, const entry_t *e, mrpb_err_t *err) {
  queue_t *queue = &u->queue[q];
  uint32_t i = u->free;
  if (i == NONE && u->used == u->room && make_room(u, err) != 0) return -1;
  if (i == NONE)
    i = u->used++;
  else
    u->free = u->entry[i].next;
  u->entry[i] = *e;
  u->entry[i].next = NONE;
  *(queue->held++ ? &u->entry[queue->tail].next : &queue->head) = i;
  queue->tail = i;
  return 0;
}

static entry_t take(unbounded_t *u, uint32_t q) {
  queue_t *queue = &u->queue[q];
  uint32_t i = queue->head;
  entry_t e = u->entry[i];
  queue->head = e.next;
  queue->held--;
  if (--queue->drainable == 0) u->nonempty &= ~(UINT64_C(1) << q);
  u->entry[i].next = u->free;
  u->free = i;
  return e;
}

static uint32_t lowest(uint64_t set) {
  return (uint32_t)__builtin_ctzll(set);
}

static uint32_t longest(const unbounded_t *u) {
  uint32_t best = lowest(u->nonempty);
  for (uint64_t m = u->nonempty; m; m &= m - 1)
    if (u->queue[lowest(m)].drainable > u->queue[best].drainable) best = lowest(m);
  return best;
}

/* The queue to drain; some queue must have a drainable entry. */
static uint32_t choose(const unbounded_t *u, const cycle_t *c, bool *forced) {
  uint32_t base = u->cfg.POLICY & ~(uint32_t)MRPB_POLICY_GREEDY;
  *forced = c->force && (u->nonempty >> c->queue & 1);
  if (*forced) return c->queue;
  if (u->hold) return u->last;
  if (base == MRPB_POLICY_LONGEST) return longest(u);
  uint64_t above = base == MRPB_POLICY_ROUND_ROBIN ? u->nonempty & (~UINT64_C(1) << u->last) : 0;
  return lowest(above ? above : u->nonempty);
}

/* ---- the edge -------------------------------------------------------------- */

static void drain(unbounded_t *u, const cycle_t *c) {
  bool forced, greedy = u->cfg.POLICY & MRPB_POLICY_GREEDY;
  uint32_t q = choose(u, c, &forced);
  u->out = take(u, q);
  u->out_valid = true;
  if (forced) return;
  if (greedy || u->cfg.POLICY == MRPB_POLICY_ROUND_ROBIN) u->last = q;
  u->hold = greedy;
}

/* An entry that leaves the latency line may be drained from the next cycle on. */
static void shift(unbounded_t *u, const cycle_t *c) {
  unsigned last = u->cfg.LATENCY - 3;
  if (u->line_valid[0]) {
    u->queue[u->line_queue[0]].drainable++;
    u->nonempty |= UINT64_C(1) << u->line_queue[0];
    u->on_line--;
  }
  if (u->on_line || u->line_valid[0])
    for (unsigned i = 0; i < last; i++) {
      u->line_valid[i] = u->line_valid[i + 1];
      u->line_queue[i] = u->line_queue[i + 1];
    }
  u->line_valid[last] = c->store;
  u->line_queue[last] = (uint8_t)c->queue;
  u->on_line += c->store;
}

/* The requests that the L1 has not answered yet, ANSWER > 0. */
static void edge_sent(unbounded_t *u, const mrpb_in_t *in, const cycle_t *c) {
  u->byp = c->refused && !u->sent[0].write && stalled(u, in);
  u->due = c->refused ? 0 : u->due >> 1 | (unsigned)c->asks << (u->cfg.ANSWER - 1);
  if (c->leave) {
    u->on_sent--;
    for (unsigned i = 0; i < u->on_sent; i++) u->sent[i] = u->sent[i + 1];
  }
  if (c->move) u->sent[u->on_sent++] = u->out;
}

static int edge(void *self, const uint64_t *in_words, mrpb_err_t *err) {
  unbounded_t *u = self;
  const mrpb_in_t *in = (const mrpb_in_t *)in_words;
  cycle_t c;
  decide(u, in, &c);
  if (c.leave) {
    u->held--;
    u->block_held[block_counter(u, c.left->block)]--;
    u->left[c.left->warp]++;
  }
  if (u->cfg.ANSWER) edge_sent(u, in, &c);
  if (c.move) {
    u->out = (entry_t){.next = NONE};
    u->out_valid = false;
  }
  entry_t e = {.data = in->in_data_i,
               .warp = (uint8_t)in->in_warp_i,
               .block = (uint8_t)in->in_block_i,
               .write = in->in_kind_i == MRPB_KIND_WRITE};
  if (c.store || c.pass) {
    e.turn = u->accepted[e.warp]++;
    u->held++;
    u->block_held[block_counter(u, e.block)]++;
  }
  if (c.pass) {
    u->out = e;
    u->out_valid = true;
  } else if (!u->out_valid && u->nonempty) {
    drain(u, &c);
  }
  shift(u, &c);
  if (u->hold && u->queue[u->last].drainable == 0) u->hold = false;
  return c.store ? append(u, c.queue, &e, err) : 0;
}

/* ---- life ------------------------------------------------------------------ */

static void destroy(void *self) {
  unbounded_t *u = self;
  free(u->entry);
  free(u);
}

int unbounded_open(unit_t *out, const mrpb_cfg_t *cfg, mrpb_err_t *err) {
  *out = (unit_t){0};
  mrpb_cfg_t shown = *cfg;
  shown.DEPTH = MAX_QUEUES; /* determines the widths of the ports */
  if (mrpb_check(&shown, err)) return -1;
  unbounded_t *u = calloc(1, sizeof *u);
  if (!u) return mrpb_fail(err, "mrpb: out of memory");
  u->cfg = shown;
  u->free = NONE;
  u->last = cfg->QUEUES - 1;
  *out = (unit_t){.self = u, .cls = &mrpb_class, .comb = comb, .edge = edge, .destroy = destroy};
  for (unsigned i = 0; i < mrpb_class.n_params; i++) out->params[i] = ((const uint32_t *)&shown)[i];
  return 0;
}
