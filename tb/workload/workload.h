/* SPDX-License-Identifier: Apache-2.0 */
/* Warp-instruction sources behind one interface: what each warp of each block of each kernel launch
 * executes, in order, with the byte address of every active lane. A source never sees time. The SM
 * asks it for the instruction at the warp's program counter, and tells it when that instruction has
 * issued; it takes effect then. Sources: PTX kernels (tb/workload/simt) and recorded traces
 * (tb/workload/trace). */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "err.h"
#include "workload/barriers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WARP_LANES = 32, WARP_PC_STEP = 8, WARP_REGS = 1024, WARP_OPERANDS = 10 };
/* In local memory, a word of one lane lies beside the same word of the next lane. Consecutive words
 * of one lane are therefore WARP_LOCAL_STEP bytes apart. */
enum { WARP_LOCAL_WORD = 4, WARP_LOCAL_STEP = WARP_LANES * WARP_LOCAL_WORD };
/* Local memory lies behind all global memory and before the code. Its contents are private to a
 * thread. */
#define WARP_LOCAL_BASE UINT64_C(0xC0000000)
#define WARP_LOCAL_BYTES UINT64_C(0x30000000)
static inline bool warp_is_local(uint64_t addr) {
  return addr - WARP_LOCAL_BASE < WARP_LOCAL_BYTES;
}

/* Enumerations of a byte, as members of warp_inst_t. */
#define WARP_BYTE __attribute__((packed))

typedef enum WARP_BYTE {
  WARP_ALU,
  WARP_LOAD,
  WARP_STORE,
  WARP_BRANCH,
  WARP_BARRIER, /* warps of the block meet: see warp_stream_barrier */
  WARP_EXIT     /* lanes end; the warp has ended when peek returns NULL */
} warp_class_t;

typedef enum WARP_BYTE { WARP_SP, WARP_SFU, WARP_SP_OR_SFU, WARP_MEM } warp_unit_t;

/* The memory that a load or store accesses. A kernel's parameters are WARP_CONST; local memory of
 * its threads is WARP_GLOBAL with `local` set. */
typedef enum WARP_BYTE { WARP_GLOBAL, WARP_SHARED, WARP_CONST, WARP_TEX } warp_space_t;

/* One static instruction. Registers are numbered from 1 through the whole kernel; 0 means none. */
typedef struct {
  /* Bit r: register r is one of `regs`. 0: not gathered, or one of them is not below 64. */
  uint64_t low_regs;
  uint32_t pc; /* bytes; the next instruction in program order is at pc + WARP_PC_STEP */
  warp_class_t cls;
  warp_unit_t unit;
  warp_space_t space; /* loads and stores only */
  uint8_t elem;       /* bytes an active lane reads or writes: 1, 2, 4, 8 or 16; memory only */
  uint16_t latency, interval; /* SM cycles: result latency, initiation interval; ALU only */
  uint8_t bypass; /* 1: a global load cached in the L2 only (ld.global.cg), or a global atomic */
  union {
    struct {
      uint16_t dst[4];  /* more than one for vector loads and texture fetches only */
      uint16_t src[4];  /* read through the operand collector */
      uint16_t wait[2]; /* must not be pending, but read no bank: guard predicate, fifth source */
    };
    uint16_t regs[WARP_OPERANDS]; /* all registers, for the scoreboard */
  };
  /* The number in a register's name selects its bank, as in the reference; one entry per dst and
   * src. */
  uint8_t dst_bank[4], src_bank[4];
  /* ptx_op_t and ptx_type_t, for a model with its own latency table. A trace knows neither and has
   * 0 in both, which no PTX instruction has. `variant` is the ptx_mul_t of a multiply, the
   * ptx_atomic_t of an atomic, and the ptx_round_t of other instructions. */
  uint8_t op, type, variant;
  uint8_t param : 1;  /* 1: a load of a kernel parameter, which is WARP_CONST */
  uint8_t atomic : 1; /* 1: a load of global or shared memory that also writes */
  uint8_t clock : 1;  /* 1: reads the clock */
  uint8_t local : 1;  /* 1: accesses local memory; addresses are of an element's first word */
} warp_inst_t;

/* Gathers low_regs, once all registers are set; again if one of them changes. */
static inline void warp_inst_gather(warp_inst_t *i) {
  uint64_t low = 0;
  i->low_regs = 0;
  for (unsigned k = 0; k < WARP_OPERANDS; k++) {
    if (i->regs[k] >= 64) return;
    low |= UINT64_C(1) << i->regs[k];
  }
  i->low_regs = low & ~UINT64_C(1);
}

/* Number of separate words that a lane's element consists of, and the bytes of each. */
static inline unsigned warp_inst_parts(const warp_inst_t *i) {
  return i->local && i->elem > WARP_LOCAL_WORD ? i->elem / WARP_LOCAL_WORD : 1;
}
static inline unsigned warp_inst_part_bytes(const warp_inst_t *i) {
  return i->elem / warp_inst_parts(i);
}

/* Where a warp runs: on SM `sm` of `sms`, in warp slot `slot` of `slots` on that SM. */
typedef struct {
  uint32_t sm, sms, slot, slots;
} warp_seat_t;

typedef struct {
  const char *kernel;
  uint32_t blocks;      /* in the grid, numbered 0 .. blocks - 1, x fastest */
  uint32_t threads;     /* per block, numbered x fastest */
  uint32_t regs;        /* registers per thread, for the limit on resident blocks */
  uint32_t shared;      /* bytes of shared memory per block */
  uint32_t param_bytes; /* bytes of the kernel's parameters; 0 if unknown */
  bool
      apart; /* SMs may run apart from each other: its instructions need neither their order nor the
               * cycle, and read no textures (docs/threads.md) */
} launch_t;

/* What happened while SMs ran apart: nothing special; a warp must be stepped while they do not, since
 * it looks at other SMs' warps; something whose order cannot be known, such as a fault. */
typedef enum { APART_FINE, APART_ASKS, APART_BROKEN } apart_t;

typedef struct warp_stream warp_stream_t;
typedef struct workload workload_t;

/* What a source implements. Pointers marked * may be NULL. The functions below describe them. */
typedef struct {
  const launch_t *(*next)(workload_t *w);
  double (*progress)(const workload_t *w);
  warp_stream_t *(*open)(workload_t *w, uint32_t block, uint32_t warp);
  const warp_inst_t *(*peek)(const warp_stream_t *s);
  uint32_t (*mask)(const warp_stream_t *s);
  void (*addresses)(const warp_stream_t *s, uint64_t addr[WARP_LANES]);
  void (*values)(const warp_stream_t *s, uint8_t value[WARP_LANES][16]); /* * */
  void (*step)(warp_stream_t *s);
  void (*close)(warp_stream_t *s);
  const mrpb_err_t *(*fault)(const workload_t *w);                             /* * */
  bool (*hangs)(const workload_t *w);                                          /* * */
  int (*check)(workload_t *w, mrpb_err_t *err);                                /* * */
  void (*initial)(const workload_t *w, uint64_t addr, void *to, size_t bytes); /* * */
  void (*set_clock)(workload_t *w, const uint64_t *clock);                     /* * */
  warp_barrier_t (*barrier)(warp_stream_t *s);                                 /* * */
  void (*on_sm)(warp_stream_t *s, const warp_seat_t *seat);                    /* * */
  apart_t (*apart)(workload_t *w, bool on);                                    /* * */
  void (*destroy)(workload_t *w);
} workload_ops_t;

struct workload {
  const workload_ops_t *ops;
};

/* Begins the next launch and returns it, or NULL if there is none. The previous launch has ended
 * and its stores have taken effect. The pointer is valid until the next call. */
static inline const launch_t *workload_next(workload_t *w) {
  return w->ops->next(w);
}

/* Share of the launches that have begun, 0 to 1; precise enough for a progress line. */
static inline double workload_progress(const workload_t *w) {
  return w->ops->progress(w);
}

/* The first error of the program itself, such as an access outside its memory; NULL if none. After
 * an error, the run should end. */
static inline const mrpb_err_t *workload_fault(const workload_t *w) {
  return w->ops->fault ? w->ops->fault(w) : NULL;
}

/* Whether that error is a loop that never ends. */
static inline bool workload_hangs(const workload_t *w) {
  return w->ops->hangs && w->ops->hangs(w);
}

/* Results of workload_check and workload_run_within other than 0, all with a message: the result
 * differs; there is no result because memory ran out or a file being recorded could not be written;
 * the program does not end. */
enum { WORKLOAD_DIFFERS = -1, WORKLOAD_FAILED = -2, WORKLOAD_HANGS = -3 };

/* Compares the final memory with what the host computes. A source without such a check returns
 * 0. */
static inline int workload_check(workload_t *w, mrpb_err_t *err) {
  return w->ops->check ? w->ops->check(w, err) : 0;
}

/* Where a program that reads its clock finds the cycle, which is read when the instruction takes
 * effect. Without this call, or with NULL, the clock stays at 0. Traces do not use it. */
static inline void workload_set_clock(workload_t *w, const uint64_t *clock) {
  if (w->ops->set_clock) w->ops->set_clock(w, clock);
}

/* `on`: from now on the warps of different SMs may be stepped, peeked at and closed by different
 * threads, those of one SM by one at a time; only if the launch is `apart`. Otherwise: no longer; says
 * what happened meanwhile. */
static inline apart_t workload_apart(workload_t *w, bool on) {
  return w->ops->apart ? w->ops->apart(w, on) : APART_FINE;
}

static inline void workload_close(workload_t *w) {
  if (w) w->ops->destroy(w);
}

/* The stream of warp `warp` (32 threads) of `block` of the current launch. NULL if its first
 * instruction cannot be read (workload_fault says why) or, without a fault, if out of memory. */
static inline warp_stream_t *warp_stream_open(workload_t *w, uint32_t block, uint32_t warp) {
  return w->ops->open(w, block, warp);
}

/* Sets where the warp runs. Without this call it runs on SM 0 of 1, and every warp has its own
 * slot. */
static inline void warp_stream_on_sm(const workload_t *w, warp_stream_t *s,
                                     const warp_seat_t *seat) {
  if (w->ops->on_sm) w->ops->on_sm(s, seat);
}

/* The instruction that executes next; NULL after the last exit has been stepped over. */
static inline const warp_inst_t *warp_stream_peek(const workload_t *w, const warp_stream_t *s) {
  return w->ops->peek(s);
}

/* The active lanes of that instruction, after its guard predicate; may be 0 if it is predicated. */
static inline uint32_t warp_stream_mask(const workload_t *w, const warp_stream_t *s) {
  return w->ops->mask(s);
}

/* The byte addresses of that instruction, a load or store; entries of inactive lanes are
 * unchanged. */
static inline void warp_stream_addresses(const workload_t *w, const warp_stream_t *s,
                                         uint64_t addr[WARP_LANES]) {
  w->ops->addresses(s, addr);
}

/* For a global store or load that has not been stepped over: the `elem` bytes that each active lane
 * writes, or would read if memory had no delay. */
static inline void warp_stream_values(const workload_t *w, const warp_stream_t *s,
                                      uint8_t value[WARP_LANES][16]) {
  w->ops->values(s, value);
}

/* What the warp does at the barrier that executes next. If the source does not say, all warps of
 * the block meet at one barrier. */
static inline warp_barrier_t warp_stream_barrier(const workload_t *w, warp_stream_t *s) {
  if (w->ops->barrier) return w->ops->barrier(s);
  return (warp_barrier_t){.comes = true, .waits = true};
}

/* The instruction has issued: it takes effect, and the stream advances to the next one. */
static inline void warp_stream_step(const workload_t *w, warp_stream_t *s) {
  w->ops->step(s);
}

static inline void warp_stream_close(const workload_t *w, warp_stream_t *s) {
  if (s) w->ops->close(s);
}

/* Runs without timing a block of the launch that workload_next has begun. Each warp in turn runs up
 * to its next barrier. The block may take `limit` seconds; 0: any time. Returns 0, or
 * WORKLOAD_FAILED or WORKLOAD_HANGS and a message in err, also for the program's first fault. */
int workload_run_block(workload_t *w, const launch_t *l, uint32_t block, double limit,
                       mrpb_err_t *err);
/* Runs every launch in this way, block after block, then calls workload_check. */
int workload_run_within(workload_t *w, double limit, mrpb_err_t *err);

#endif
