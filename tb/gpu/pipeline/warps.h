/* SPDX-License-Identifier: Apache-2.0 */
/* Part `warps`: the warps of an SM with their i-buffers, their blocks, and barriers. Bit w of a
 * mask is warp w. */
#ifndef SM_WARPS_H
#define SM_WARPS_H

#include "gpu/pipeline/sm.h"

enum { SM_FETCHED = 2 }; /* instructions per fetch */

/* A warp fills half a line of the host's cache, so two warps share a line. stream is NULL if there
 * is no warp; the other members mean nothing then. ibuf <= in_pipeline always; ibuf is 0 once next
 * is NULL. awaited is the number of the warp's registers in the scoreboard (sched.h). */
typedef struct {
  warp_stream_t *stream;
  const warp_inst_t
      *next;       /* the instruction at the warp's true program counter; NULL after its exit */
  uint32_t pc;     /* of the i-buffer's first instruction, or of the next fetch if it is empty */
  uint32_t stores; /* stores without acknowledgement */
  uint16_t in_pipeline; /* instructions decoded but not finished */
  uint16_t awaited;     /* registers */
  uint8_t ibuf;         /* instructions in its i-buffer */
  uint8_t block, ordinal;
  uint8_t atomics; /* unfinished transactions of its atomic; it issues nothing until 0 */
} sm_warp_t;

/* running <= warps_left always; `due` is nonempty if and only if barrier_due. */
typedef struct {
  uint8_t used;
  uint8_t warps_left, running; /* not reclaimed; not ended */
  bool barrier_due;            /* a complete barrier has not been let through by the MRPB */
  uint32_t due;                /* the warps that it releases, by ordinal */
  barriers_t barriers;
  uint32_t memory_insts; /* global loads and stores between issue and the MRPB */
  uint32_t number;       /* of the block among all that this SM has run */
} sm_block_t;

/* A warp is in at most one of running and exited. It is in to_fetch, missing or to_issue only while
 * it is running. Its i-buffer is empty while it is in to_fetch or missing, and nonempty while it is
 * in to_issue; in to_issue it is in neither at_barrier nor at_atomic. The first n_blocks of by_age
 * are the block slots in use. barriers_due is the number of blocks whose barrier_due is set: 0
 * without an MRPB's queues. */
typedef struct {
  sm_warp_t warp[SM_MAX_WARPS];
  sm_block_t block[SM_MAX_BLOCKS];
  uint32_t blocks_run;
  uint8_t by_age[SM_MAX_BLOCKS]; /* in the order in which they were filled */
  unsigned n_blocks, max_blocks, warps_per_block;
  unsigned barriers_due;
  workload_t *workload;
  uint64_t to_issue;   /* has an instruction in its i-buffer and is not at a barrier */
  uint64_t to_fetch;   /* runs with an empty i-buffer and does not wait for a line */
  uint64_t missing;    /* waits for a line of the instruction cache */
  uint64_t exited;     /* has executed its exit but is not reclaimed */
  uint64_t at_barrier; /* waits at a barrier */
  uint64_t at_atomic;  /* waits for an atomic */
  uint64_t running;    /* has not executed its exit */
} sm_warps_t;

/* ---- what a warp is at ------------------------------------------------------ */

static inline uint64_t sm_warps_bit(unsigned w) {
  return UINT64_C(1) << w;
}
static inline uint64_t sm_warps_to_issue(const sm_warps_t *s) {
  return s->to_issue;
}
static inline uint64_t sm_warps_to_fetch(const sm_warps_t *s) {
  return s->to_fetch;
}
static inline uint64_t sm_warps_at_barrier(const sm_warps_t *s) {
  return s->at_barrier;
}
static inline uint64_t sm_warps_missing(const sm_warps_t *s) {
  return s->missing;
}
static inline uint64_t sm_warps_exited(const sm_warps_t *s) {
  return s->exited;
}
/* Neither ended nor at a barrier. */
static inline uint64_t sm_warps_can_run(const sm_warps_t *s) {
  return s->running & ~s->at_barrier;
}
static inline workload_t *sm_warps_workload(const sm_warps_t *s) {
  return s->workload;
}
/* Read only: other parts change a warp through the functions below. */
static inline const sm_warp_t *sm_warps_at(const sm_warps_t *s, unsigned w) {
  return &s->warp[w];
}

/* Blocks, the oldest first (i < sm_warps_blocks), and the warps of each. */
static inline unsigned sm_warps_blocks(const sm_warps_t *s) {
  return s->n_blocks;
}
static inline uint64_t sm_warps_of_block(const sm_warps_t *s, unsigned block) {
  return UINT64_MAX >> (64 - s->warps_per_block) << block * s->warps_per_block;
}
static inline uint64_t sm_warps_by_age(const sm_warps_t *s, unsigned i) {
  return sm_warps_of_block(s, s->by_age[i]);
}
/* Number of the warp's block among all that this SM has run. */
static inline uint32_t sm_warps_block_number(const sm_warps_t *s, unsigned w) {
  return s->block[s->warp[w].block].number;
}

/* ---- i-buffers -------------------------------------------------------------- */

/* sm_warps_fetched: the warp's instructions are on their way to its i-buffer. sm_warps_missed: it
 * waits for their line. sm_warps_line_came: the line has arrived. */
static inline void sm_warps_fetched(sm_warps_t *s, unsigned w) {
  s->to_fetch &= ~sm_warps_bit(w);
}
static inline void sm_warps_missed(sm_warps_t *s, unsigned w) {
  s->to_fetch &= ~sm_warps_bit(w);
  s->missing |= sm_warps_bit(w);
}
static inline void sm_warps_line_came(sm_warps_t *s, unsigned w) {
  s->missing &= ~sm_warps_bit(w);
  s->to_fetch |= sm_warps_bit(w);
}
static inline void sm_warps_decoded(sm_warps_t *s, unsigned w) {
  s->warp[w].ibuf = SM_FETCHED;
  s->warp[w].in_pipeline += SM_FETCHED;
  s->to_issue |= sm_warps_bit(w) & ~(s->at_barrier | s->at_atomic);
}
/* The i-buffer holds instructions fetched after a taken branch. It is emptied, and the warp fetches
 * from its true program counter. */
void sm_warps_redirect(sm_warps_t *s, unsigned w);

/* ---- instructions under way ------------------------------------------------- */

/* The warp's next instruction, `i`, issues: the stream advances. The warp reaches a barrier or ends
 * if `i` says so. */
void sm_warps_issue(sm_t *sm, unsigned w, const warp_inst_t *i);

/* sm_warps_await: `n` more registers are awaited; sm_warps_register_came: one less. */
static inline void sm_warps_await(sm_warps_t *s, unsigned w, unsigned n) {
  s->warp[w].awaited = (uint16_t)(s->warp[w].awaited + n);
}
static inline void sm_warps_register_came(sm_warps_t *s, unsigned w) {
  s->warp[w].awaited--;
}
static inline void sm_warps_inst_done(sm_warps_t *s, unsigned w) {
  s->warp[w].in_pipeline--;
}
static inline void sm_warps_store_sent(sm_warps_t *s, unsigned w) {
  s->warp[w].stores++;
}
static inline void sm_warps_store_done(sm_warps_t *s, unsigned w) {
  s->warp[w].stores--;
}
/* sm_warps_atomics_sent: the warp's atomic has issued, with `n` transactions. sm_warps_atomic_done:
 * one of them is done. */
static inline void sm_warps_atomics_sent(sm_warps_t *s, unsigned w, unsigned n) {
  s->warp[w].atomics = (uint8_t)n;
  if (n == 0) return;
  s->at_atomic |= sm_warps_bit(w);
  s->to_issue &= ~sm_warps_bit(w);
}
void sm_warps_atomic_done(sm_t *sm, unsigned w);
/* sm_warps_memory_issued: a global load or store of the warp has issued. sm_warps_memory_left: it
 * has left the dispatch register. */
static inline void sm_warps_memory_issued(sm_warps_t *s, unsigned w) {
  s->block[s->warp[w].block].memory_insts++;
}
static inline void sm_warps_memory_left(sm_warps_t *s, unsigned w) {
  s->block[s->warp[w].block].memory_insts--;
}

/* ---- blocks, barriers, ends -------------------------------------------------- */

void sm_warps_close(sm_t *sm);
/* Removes the warps of `candidates`, which have exited, from the SM if they have nothing in
 * flight. */
void sm_warps_reclaim(sm_t *sm, uint64_t candidates);

/* sm_warps_barriers_due: barriers that wait for the MRPB to let them through.
 * sm_warps_barrier_to_offer: the block of one that may be offered to the MRPB, SM_MAX_BLOCKS if
 * none. sm_warps_barrier_through: it has been let through. */
static inline unsigned sm_warps_barriers_due(const sm_warps_t *s) {
  return s->barriers_due;
}
unsigned sm_warps_barrier_to_offer(const sm_warps_t *s);
void sm_warps_barrier_through(sm_t *sm, unsigned block);

#endif
