/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the MRPB with unbounded queues with the bounded one, cycle by cycle. */
#include "cosim/cross/unbounded_cross.h"
#include "cosim/stim/counts.h"

#include "cosim/stim/mrpb_view.h"
#include "cosim/stim/stim.h"

#include "fifo_bank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64, WARPS = 64, NUMBER_W = 7 };

typedef struct {
  mrpb_cfg_t cfg;
  unbounded_open_fn open;
  mrpb_t *bounded;
  unit_t unbounded;
  const uint8_t *head, *tail; /* of each queue */
  const uint64_t *full;
  const stim_class_t *stim;
  void *state; /* of the stimulus */
  uint32_t held[WARPS], accepted[WARPS];
  mrpb_in_t in;
  mrpb_out_t a, b;
} pair_t;

mrpb_cfg_t unbounded_sizes(unsigned i) {
  static const uint8_t queues[] = {48, 5, 64, 1, 3}, blocks[] = {8, 64, 1, 3};
  return (mrpb_cfg_t){.QUEUES = queues[i % 5],
                      .DEPTH = DEPTH,
                      .DATA_W = 51,
                      .BLOCKS = blocks[i % 4],
                      .SIGNATURE = i % 3,
                      .POLICY = i / 3 % 6,
                      .FLUSH = i / 18 % 2,
                      .LATENCY = 3 + i % 16,
                      .BYPASS = i / 36,
                      .ANSWER = i % 7 % 5};
}

static int open_unbounded(pair_t *p, mrpb_err_t *err) {
  mrpb_cfg_t endless = p->cfg;
  endless.DEPTH = 0;
  memset(p->held, 0, sizeof p->held);
  return p->open(&p->unbounded, &endless, err);
}

static int open_pair(pair_t *p, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  if (mrpb_create(&p->bounded, &p->cfg, err) != 0 || open_unbounded(p, err) != 0) return -1;
  mrpb_class.regs(p->bounded, regs);
  for (unsigned i = 0; i < mrpb_class.n_regs; i++) {
    if (strcmp(regs[i].name, "u_fifo_bank.head_q") == 0) p->head = regs[i].data;
    if (strcmp(regs[i].name, "u_fifo_bank.tail_q") == 0) p->tail = regs[i].data;
    if (strcmp(regs[i].name, "u_fifo_bank.full_q") == 0) p->full = regs[i].data;
  }
  return 0;
}

static void close_pair(pair_t *p) {
  mrpb_destroy(p->bounded);
  unit_close(&p->unbounded);
}

static uint32_t held(const pair_t *p, uint64_t q) {
  return counts_ring(p->head[q], p->tail[q], *p->full >> q & 1, DEPTH);
}

/* Draws the inputs of a cycle such that no queue fills. The outstanding requests of a warp have
 * different payloads, as in a simulation: the bounded model checks their order by payloads, the
 * unbounded one by turns. */
static void draw(pair_t *p) {
  mrpb_in_t *i = &p->in;
  p->stim->next(p->state, p->bounded, (uint64_t *)(void *)i);
  const uint64_t id[] = {i->in_block_i, i->in_warp_i, i->in_block_warp_i};
  i->in_data_i =
      bits(i->in_data_i << NUMBER_W, p->cfg.DATA_W) | bits(p->accepted[i->in_warp_i], NUMBER_W);
  if (i->in_kind_i < MRPB_KIND_BARRIER &&
      (held(p, id[p->cfg.SIGNATURE] % p->cfg.QUEUES) + 1 >= DEPTH || p->held[i->in_warp_i] > DEPTH))
    i->in_valid_i = 0;
}

/* Returns the name of an output that differs, or NULL. */
static const char *differs(const pair_t *p) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  const uint64_t *a = (const uint64_t *)(const void *)&p->a;
  const uint64_t *b = (const uint64_t *)(const void *)&p->b;
  if (memcmp(a, b, sizeof p->a) == 0) return NULL;
  mrpb_class.ports((const uint32_t *)(const void *)&p->cfg, in, out);
  for (unsigned i = 0; i < mrpb_class.n_out; i++)
    if (a[out[i].word] != b[out[i].word]) return out[i].name;
  return "no output";
}

static void count(pair_t *p, unbounded_cross_t *r) {
  const mrpb_in_t *i = &p->in;
  const mrpb_out_t *o = &p->a;
  const mrpb_view_t v = mrpb_view(&p->cfg, mrpb_regs(p->bounded), i, o);
  bool accepted = i->in_valid_i && o->in_ready_o && i->in_kind_i < MRPB_KIND_BARRIER;
  p->held[i->in_warp_i] += accepted;
  p->accepted[i->in_warp_i] += accepted;
  p->held[v.warp] -= v.leaves;
  r->left += v.leaves;
  r->waits += i->in_valid_i && !o->in_ready_o;
  r->order_errs += o->order_err_o;
  r->full += *p->full != 0;
}

/* The clock edge. The unbounded model has no reset, so it is created anew. The bounded one must
 * keep its address, because the stimulus reads its registers in place. */
static int edge(pair_t *p, unbounded_cross_t *r, mrpb_err_t *err) {
  mrpb_edge(p->bounded, &p->in);
  if (p->in.srst_ni) return unit_edge(&p->unbounded, (const uint64_t *)(const void *)&p->in, err);
  r->resets++;
  unit_close(&p->unbounded);
  return open_unbounded(p, err);
}

static int run(pair_t *p, unbounded_cross_t *r, uint64_t cycles, mrpb_err_t *err) {
  for (; r->compared < cycles; r->compared++) {
    draw(p);
    mrpb_comb(p->bounded, &p->in, &p->a);
    memset(&p->b, 0x55, sizeof p->b);
    unit_comb(&p->unbounded, (const uint64_t *)(const void *)&p->in, (uint64_t *)(void *)&p->b);
    const char *name = differs(p);
    if (name) {
      snprintf(r->what, sizeof r->what, "%s", name);
      r->differs = true;
      return 0;
    }
    (void)p->stim->sample(p->state, p->bounded, (const uint64_t *)(const void *)&p->in,
                          (const uint64_t *)(const void *)&p->a);
    count(p, r);
    if (edge(p, r, err) != 0) return -1;
  }
  return 0;
}

int unbounded_cross(unbounded_cross_t *result, unbounded_open_fn open, const mrpb_cfg_t *cfg,
                    uint64_t seed, uint64_t cycles, mrpb_err_t *err) {
  pair_t p = {.cfg = *cfg, .open = open, .stim = stim_class("mrpb")};
  *result = (unbounded_cross_t){0};
  p.cfg.DEPTH = DEPTH;
  p.state = malloc(p.stim->size);
  int rc = p.state ? open_pair(&p, err) : mrpb_fail(err, "mrpb: out of memory");
  if (rc == 0) {
    p.stim->start(p.state, (const uint32_t *)(const void *)&p.cfg, seed);
    rc = run(&p, result, cycles, err);
  }
  close_pair(&p);
  free(p.state);
  return rc;
}
