/* SPDX-License-Identifier: Apache-2.0 */
/* Part `l1_path`: the module l1_top (docs/modules/l1_top.md) in the place of coalescer, MRPB, L1D
 * and bypass. A warp instruction enters with the addresses of its lanes, and its data come back
 * lane by lane; memory is reached through AXI4. Its timing is that of the Verilog. */
#ifndef SM_L1_PATH_H
#define SM_L1_PATH_H

#include "gpu/pipeline/l1d.h"
#include "gpu/pipeline/ldst.h"
#include "gpu/pipeline/levels.h"
#include "gpu/pipeline/pipe.h"
#include "gpu/pipeline/run.h"
#include "gpu/pipeline/sm.h"
#include "l1_top.h"

/* An instruction between issue and the L1. An element of more than 4 bytes passes word by word. */
typedef struct {
  uint64_t addr[WARP_LANES];
  uint32_t mask;
  uint32_t passes, requests;     /* of all passes */
  uint32_t step;                 /* bytes between an element's words */
  uint32_t value[WARP_LANES][4]; /* checking mode: the words with the bytes that a store stores */
} sm_l1_inst_t;

/* A load in the L1: as much of the instruction as its answers need. */
typedef struct {
  uint64_t addr[WARP_LANES];
  uint32_t step, passes, elem;
} sm_l1_load_t;

/* A line that is being written, beat by beat. */
typedef struct {
  bool busy;
  uint64_t addr; /* of the next beat */
  uint64_t line;
  uint8_t byte[COALESCER_LINE];
  uint64_t has[2];
} sm_l1_write_t;

/* Without this path all members are 0. `in` holds the inputs of the cycle; they are at rest before
 * and after it. `out` holds the outputs that depend on registers alone. */
typedef struct {
  bool there;
  bool orders; /* barriers pass through it, as through an MRPB */
  bool flushing;
  const char *lacks; /* an instruction came that this path has no room for; NULL: none */
  unsigned pass;     /* of the instruction in the dispatch register */
  unsigned held;     /* requests that entered and are not answered */
  unsigned beat;     /* of the reply that is being delivered */
  packet_t *write;   /* a complete write that waits for room in the interconnect */
  sm_l1_write_t writing;
  unsigned sent, done; /* writes, modulo SM_L1_WRITES; those from `done` on are not answered on B */
  uint64_t performed;  /* bit n: memory has performed write n of these */
  sm_l1_inst_t inst[SM_MEM_SLOTS];
  sm_l1_load_t (*load)[SM_MAX_WARPS]; /* by register and warp; NULL without this path: 17 MB */
  unit_reg_t level[SM_LEVELS];        /* counts in its registers, in the order of levels.h */
  l1d_stats_t stats;
  l1_top_in_t in;
  l1_top_out_t out;
  unit_t unit;
} sm_l1_path_t;

/* Opens l1_top if `choice` names it. */
int sm_l1_path_create(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err);
void sm_l1_path_destroy(sm_t *sm);

static inline bool sm_l1_path_there(const sm_l1_path_t *p) {
  return p->there;
}
static inline bool sm_l1_path_orders(const sm_l1_path_t *p) {
  return p->orders;
}
static inline unsigned sm_l1_path_held(const sm_l1_path_t *p) {
  return p->held + (p->write != NULL) + p->flushing;
}
static inline const l1d_stats_t *sm_l1_path_stats(const sm_l1_path_t *p) {
  return &p->stats;
}
/* Entries in use of table `level`. */
static inline unsigned sm_l1_path_level(const sm_l1_path_t *p, unsigned level) {
  return (unsigned)unit_reg_value(&p->level[level]);
}
/* Lines are dropped before anything enters again. */
static inline void sm_l1_path_flush(sm_l1_path_t *p) {
  p->flushing = true;
}

/* At issue: keeps the lanes' addresses and, in checking mode, what a store stores. */
void sm_l1_path_issue(sm_t *sm, unsigned slot, const warp_inst_t *i,
                      const uint64_t addr[WARP_LANES], uint32_t mask, const sm_accesses_t *a);
/* The instruction enters the dispatch register: the number of answers that a load will get. */
unsigned sm_l1_path_accept(sm_t *sm, unsigned slot, const warp_inst_t *i, unsigned warp);

/* A cycle, in this order: begin; take, if an answer is ready and the write-back register empty;
 * reply, if there is one: true if it has been delivered whole; cycle; edge. */
void sm_l1_path_begin(sm_t *sm);
bool sm_l1_path_ready(const sm_l1_path_t *p, uint16_t *warp, uint16_t *reg);
void sm_l1_path_take(sm_t *sm);
bool sm_l1_path_reply(sm_t *sm, const packet_t *p);
void sm_l1_path_cycle(sm_t *sm, uint64_t now);
int sm_l1_path_edge(sm_t *sm, mrpb_err_t *err);

/* l1_path_axi.c: the requests of this cycle to memory. */
void sm_l1_path_send(sm_t *sm, uint64_t now);

#endif
