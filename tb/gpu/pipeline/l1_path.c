/* SPDX-License-Identifier: Apache-2.0 */
/* The module l1_top as the SM's L1: see l1_path.h. This file is its core side. */
#include "gpu/pipeline/l1_path.h"

#include "bits.h"
#include "config/verilog_params.h"
#include "gpu/pipeline/sm_state.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4, LINE_W = SM_LINE_ADDR_W, WORD_W = 5 };

static const char *const levels[SM_LEVELS] = {[SM_LEVEL_MSHR] = "u_mshr.count_q",
                                              [SM_LEVEL_MISS_QUEUE] = "u_miss.count_q",
                                              [SM_LEVEL_MRPB] = "u_mrpb.held_q",
                                              [SM_LEVEL_PRT] = "u_prt.count_q"};
static const l1_top_in_t at_rest = {.srst_ni = 1};

int sm_l1_path_create(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err) {
  sm_l1_path_t *p = &sm->l1_path;
  if (!choice || !choice->l1_path) return 0;
  const l1_top_cfg_t cfg = config_l1_params(&sm->cfg);
  p->there = true;
  p->orders = config_has_mrpb(&sm->cfg);
  p->in = at_rest;
  p->load = calloc(WARP_REGS, sizeof *p->load);
  if (!p->load) return mrpb_fail(err, "sm%u: out of memory", sm->id);
  if (unit_open(&p->unit, &l1_top_class, (const uint32_t *)&cfg, choice, sm->id, err) != 0)
    return -1;
  for (unsigned t = 0; t < SM_LEVELS; t++)
    if (unit_find_reg(&p->unit, levels[t], &p->level[t], err) != 0) return -1;
  return 0;
}

void sm_l1_path_destroy(sm_t *sm) {
  if (sm->l1_path.write) packet_free(sm_port_pool(&sm->port), sm->l1_path.write);
  unit_close(&sm->l1_path.unit);
  free(sm->l1_path.load);
}

/* ---- instructions ------------------------------------------------------------ */

/* Lines, halves or quarters of lines: the segments of the coalescer (docs/sm.md). */
static unsigned split_of(const warp_inst_t *i) {
  return i->elem == 1 ? 2 : i->elem == 2 ? 1 : 0;
}

static unsigned requests_of(const sm_l1_inst_t *k, unsigned pass, unsigned elem) {
  coalesced_t t[COALESCER_LANES];
  uint64_t addr[WARP_LANES];
  for (unsigned lane = 0; lane < WARP_LANES; lane++) addr[lane] = k->addr[lane] + pass * k->step;
  return coalescer_run(addr, k->mask, elem, t);
}

static void keep_values(sm_l1_inst_t *k, const sm_accesses_t *a) {
  for (unsigned n = 0; n < a->left; n++)
    for (uint32_t left = a->t[n].lanes; left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(left);
      for (unsigned pass = 0; pass < k->passes; pass++) {
        const uint64_t at = k->addr[lane] + (uint64_t)pass * k->step;
        if (at / COALESCER_LINE == a->t[n].addr / COALESCER_LINE)
          k->value[lane][pass] = check_store_word(a->data[n], at);
      }
    }
}

void sm_l1_path_issue(sm_t *sm, unsigned slot, const warp_inst_t *i,
                      const uint64_t addr[WARP_LANES], uint32_t mask, const sm_accesses_t *a) {
  sm_l1_inst_t *k = &sm->l1_path.inst[slot];
  if (i->atomic || i->bypass) sm->l1_path.lacks = i->atomic ? "an atomic" : "a load past the L1";
  memcpy(k->addr, addr, sizeof k->addr);
  k->mask = mask;
  k->passes = i->elem > WORD ? i->elem / WORD : 1;
  k->step = i->local ? WARP_LOCAL_STEP : WORD;
  k->requests = 0;
  for (unsigned pass = 0; pass < k->passes; pass++)
    k->requests += requests_of(k, pass, i->elem < WORD ? i->elem : WORD);
  if (sm->check && i->cls == WARP_STORE) keep_values(k, a);
}

unsigned sm_l1_path_accept(sm_t *sm, unsigned slot, const warp_inst_t *i, unsigned warp) {
  sm_l1_path_t *p = &sm->l1_path;
  const sm_l1_inst_t *k = &p->inst[slot];
  p->pass = 0;
  if (i->cls != WARP_LOAD) return k->requests;
  sm_l1_load_t *load = &p->load[i->dst[0]][warp];
  memcpy(load->addr, k->addr, sizeof load->addr);
  load->step = k->step;
  load->passes = k->passes;
  load->elem = i->elem;
  return k->requests;
}

/* A lane's word, and its bytes that are stored. */
static void put_data(l1_top_in_t *in, unsigned lane, uint64_t at, uint32_t value, unsigned elem) {
  const unsigned bytes = elem < WORD ? elem : WORD;
  words_put(in->in_data_i, lane * 32, 32, value);
  words_put(in->in_bytes_i, lane * WORD, WORD, bits_mask(bytes) << at % WORD);
}

/* Puts the next pass of the dispatch register's instruction on the inputs. */
static void offer(sm_t *sm) {
  sm_l1_path_t *p = &sm->l1_path;
  l1_top_in_t *in = &p->in;
  const sm_l1_inst_t *k = &p->inst[sm_ldst_l1d_slot(&sm->ldst)];
  const warp_inst_t *i = sm_ldst_inst(&sm->ldst);
  const unsigned warp = sm_ldst_warp(&sm->ldst);
  const sm_warp_t *w = sm_warps_at(&sm->warps, warp);
  in->in_valid_i = 1;
  in->in_write_i = i->cls == WARP_STORE;
  in->in_warp_i = warp;
  in->in_block_i = w->block;
  in->in_block_warp_i = sm_mrpb_path_block_warp(sm, warp);
  in->in_tag_i = (uint64_t)p->pass << SM_REG_W | i->dst[0];
  in->in_mask_i = k->mask;
  in->in_split_i = split_of(i);
  for (uint32_t left = k->mask; left; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(left);
    const uint64_t at = k->addr[lane] + (uint64_t)p->pass * k->step;
    words_put(in->in_line_i, lane * LINE_W, LINE_W, at / COALESCER_LINE);
    words_put(in->in_word_i, lane * WORD_W, WORD_W, at % COALESCER_LINE / WORD);
    if (in->in_write_i) put_data(in, lane, at, k->value[lane][p->pass], i->elem);
  }
}

/* The pass has entered. After the last one the instruction has no accesses left. */
static void entered(sm_t *sm) {
  sm_l1_path_t *p = &sm->l1_path;
  const sm_l1_inst_t *k = &p->inst[sm_ldst_l1d_slot(&sm->ldst)];
  const unsigned warp = sm_ldst_warp(&sm->ldst);
  sm_run_moved(&sm->run);
  sm_run_progress(&sm->run);
  if (++p->pass < k->passes) return;
  p->held += k->requests;
  if (sm_ldst_inst(&sm->ldst)->cls == WARP_STORE)
    for (unsigned n = 0; n < k->requests; n++) sm_warps_store_sent(&sm->warps, warp);
  while (sm_ldst_l1d_left(&sm->ldst) > 0) {
    sm_ldst_took(&sm->ldst);
    const sm_accesses_t *a = sm_ldst_access(&sm->ldst);
    if (sm->check && sm_ldst_inst(&sm->ldst)->cls == WARP_STORE)
      check_path_store(sm->check, a->data[a->left]);
  }
}

/* ---- answers ----------------------------------------------------------------- */

void sm_l1_path_begin(sm_t *sm) {
  sm_l1_path_t *p = &sm->l1_path;
  unit_comb(&p->unit, (const uint64_t *)&p->in, (uint64_t *)&p->out);
}

bool sm_l1_path_ready(const sm_l1_path_t *p, uint16_t *warp, uint16_t *reg) {
  *warp = (uint16_t)p->out.out_warp_o;
  *reg = (uint16_t)bits(p->out.out_tag_o, SM_REG_W);
  return p->out.out_valid_o;
}

/* Compares what each lane gets. */
static void check_answer(sm_t *sm) {
  const l1_top_out_t *out = &sm->l1_path.out;
  const unsigned warp = (unsigned)out->out_warp_o;
  const unsigned reg = (unsigned)bits(out->out_tag_o, SM_REG_W);
  const unsigned pass = (unsigned)(out->out_tag_o >> SM_REG_W);
  const sm_l1_load_t *load = &sm->l1_path.load[reg][warp];
  for (uint32_t left = (uint32_t)out->out_mask_o; left; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(left);
    const bool part = load->step != WORD || pass + 1 == load->passes;
    const uint64_t at = load->addr[lane] + (uint64_t)pass * load->step;
    check_word_t w = {.addr = at & ~(uint64_t)(WORD - 1),
                      .first = load->step != WORD ? at : load->addr[lane],
                      .word = (uint32_t)words_get(out->out_data_o, lane * 32, 32),
                      .bytes = !part                                     ? 0
                               : load->step != WORD && load->elem > WORD ? WORD
                                                                         : load->elem,
                      .lane = lane};
    check_path_answer(sm->check, warp, reg, &w);
  }
}

void sm_l1_path_take(sm_t *sm) {
  sm->l1_path.in.out_ready_i = 1;
  sm->l1_path.held--;
  if (sm->check) check_answer(sm);
}

/* ---- the cycle --------------------------------------------------------------- */

static void count(l1d_stats_t *s, uint64_t event) {
  enum { HIT, MISS, MERGE, BYPASS, STORE, ASSOC, OTHER, EVICT };
  s->hits += event >> HIT & 1;
  s->misses += event >> MISS & 1;
  s->pending_hits += event >> MERGE & 1;
  s->merges += event >> MERGE & 1;
  s->writes += event >> STORE & 1;
  s->write_evicts += event >> EVICT & 1;
  s->refused[L1D_ASSOC] += event >> ASSOC & 1;
  s->refused[L1D_MSHR] += event >> OTHER & 1;
}

void sm_l1_path_cycle(sm_t *sm, uint64_t now) {
  sm_l1_path_t *p = &sm->l1_path;
  l1_top_out_t *out = &p->out;
  const bool offered = sm_ldst_l1d_left(&sm->ldst) > 0 && !p->flushing;
  const unsigned block =
      sm_warps_barriers_due(&sm->warps) ? sm_warps_barrier_to_offer(&sm->warps) : SM_MAX_BLOCKS;
  if (offered) offer(sm);
  p->in.flush_i = p->flushing;
  p->in.barrier_valid_i = block < SM_MAX_BLOCKS;
  p->in.barrier_block_i = block < SM_MAX_BLOCKS ? block : 0;
  sm_l1_path_send(sm, now);
  unit_comb(&p->unit, (const uint64_t *)&p->in, (uint64_t *)out);
  if (offered && out->in_ready_o) entered(sm);
  if (offered && !out->in_ready_o) sm_ldst_set_stall(&sm->ldst, SM_STALL_MRPB);
  if (p->in.barrier_valid_i && out->barrier_ready_o) sm_warps_barrier_through(sm, block);
  if (out->stored_valid_o) {
    sm_warps_store_done(&sm->warps, (unsigned)out->stored_warp_o);
    p->held--;
  }
  if (out->flush_done_o) p->flushing = false;
  sm->stats.bypasses += out->event_o >> 3 & 1;
  count(&p->stats, out->event_o);
}

int sm_l1_path_edge(sm_t *sm, mrpb_err_t *err) {
  sm_l1_path_t *p = &sm->l1_path;
  int rc = unit_edge(&p->unit, (const uint64_t *)&p->in, err);
  p->in = at_rest;
  if (p->lacks)
    rc = mrpb_fail(err, "sm%u: --impl l1: %s; legal: kernels without atomics and loads past the L1",
                   sm->id, p->lacks);
  return rc;
}
