/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the executor, private to the files of tb/workload/simt: decoded operations, warps
 * and blocks.
 *
 * Every operand is a vector of 32 lanes at a 32-bit "place". The low two bits of a place select one
 * of the warp's four areas; the rest is the byte offset in it. Registers of up to 32 bits are
 * uint32_t[32], 64-bit registers uint64_t[32], and predicates one uint32_t with a bit per lane. */
#ifndef SIMT_STATE_H
#define SIMT_STATE_H

#include "base/pool.h"
#include "workload/barriers.h"
#include "workload/ptx/table.h"
#include "workload/simt/simt.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef uint32_t simt_place_t;

/* The format of an operand at its place. */
typedef enum { LANE_32, LANE_64, LANE_PRED, LANE_ANY } lane_t;

enum {
  AREA_REGS,   /* registers of the warp */
  AREA_CONST,  /* of the kernel: immediates, parameters, sizes of block and grid */
  AREA_BLOCK,  /* ctaid.x, .y, .z; the SM, and the number of SMs */
  AREA_THREAD, /* tid.x, .y, .z and warpid: one set per warp of the block */
  AREAS,
  AREA_MASK = 3,
  VECTOR = 128,     /* bytes of 32 lanes of 32 bits */
  SIMT_LINE = 64,   /* bytes of a host cache line */
  SIMT_PARTED = 64, /* maximum stack entries that are not those of calls */
  SIMT_RECURSION =
      PTX_RECURSION, /* nesting of calls in kernels with functions that call themselves */
  SIMT_BUCKETS = 64,
  SIMT_SMS = 256,         /* counters of changes */
  SIMT_MAX_THREADS = 1024 /* per block */
};

/* Generic addresses of shared, local and constant memory and of parameters; all are below the
 * global range. */
#define SIMT_SHARED_WINDOW UINT64_C(0x01000000)
#define SIMT_LOCAL_WINDOW UINT64_C(0x02000000)
#define SIMT_PARAM_WINDOW UINT64_C(0x03000000)
#define SIMT_CONST_WINDOW UINT64_C(0x04000000)
#define SIMT_WINDOW UINT64_C(0x01000000)

typedef struct simt_op simt_op_t;
typedef void (*simt_exec_t)(warp_stream_t *w, const simt_op_t *op, uint32_t mask);

typedef enum {
  STEP_NEXT,  /* executes, then goes to the next instruction */
  STEP_CLOCK, /* the same, with the clock as its source */
  STEP_BRANCH,
  STEP_EXIT,
  STEP_CALL,
  STEP_RETURN,
  STEP_SWITCH,
  STEP_TRAP
} simt_step_t;

/* A decoded instruction: one cache line for its execution, one for what the SM sees of it. */
struct simt_op {
  _Alignas(SIMT_LINE) simt_exec_t exec; /* NULL: nothing to do */
  simt_place_t d[4], s[5];
  simt_place_t guard;
  uint8_t step;       /* a simt_step_t */
  uint8_t bytes;      /* memory: bytes of an element */
  uint8_t access;     /* memory: bytes of a lane that must be aligned and in range */
  uint8_t n;          /* memory: elements of a vector; otherwise 1 */
  uint8_t wide;       /* bit i: destination i (for a store, value i) has 64 bits; bit 4: source 0 */
  uint8_t negated;    /* bit i: source i is a negated predicate */
  unsigned kind : 4;  /* memory: how an element moves to or from a lane (exec_mem.c) */
  unsigned space : 3; /* a ptx_space_t */
  bool guarded : 1, guard_negated : 1;
  bool address64 : 1; /* memory: the address operand is 64 bits wide */
  bool generic : 1;   /* a load or store whose address determines the space */
  bool store : 1, texture : 1;
  bool target64 : 1; /* cp.async: the shared address is 64 bits wide */
  bool grouped : 1;  /* cp.async or a wait for it: what the SM sees depends on the warp's groups */
  bool fixed : 1;    /* ld.param from the constant address `offset` */
  union {
    int64_t offset; /* memory */
    struct {
      uint32_t target, reconverge; /* branch */
    };
  };
  warp_inst_t warp; /* what the SM sees; for a generic access, the access to global memory */
  const ptx_inst_t *inst;
};
_Static_assert(sizeof(simt_op_t) == 2 * SIMT_LINE, "two lines");

/* What the SM sees of generic accesses to shared memory, local memory, and parameters or constants;
 * and of copies and their waits. */
typedef struct {
  warp_inst_t shared, local, constant;
  const warp_inst_t *grouped; /* exec_async.c: of a copy, by token; of a wait, by set of tokens */
} simt_other_t;

/* A value that the launch writes into the kernel's constants. */
typedef struct {
  uint32_t at;     /* byte offset in AREA_CONST */
  uint8_t wide;    /* lanes have 64 bits */
  uint8_t special; /* a ptx_special_t: its number + 1 */
  uint8_t bytes;   /* of the parameter block, sign-extended if is_signed */
  bool is_signed;
  uint64_t value; /* immediate, or offset in the parameter block */
} simt_const_t;

/* How often anything has changed that another warp may wait for, by warps of one SM. Only the thread
 * that runs the SM writes it. */
typedef struct {
  _Alignas(SIMT_LINE) _Atomic uint64_t n;
} simt_changes_t;

/* What a function that calls itself must save of a warp: places of registers, then its area. */
typedef struct {
  simt_place_t *place;
  uint8_t *bytes; /* bytes of a lane at each place: 4 or 8; 0: a predicate */
  uint32_t n, area;
  size_t all; /* total bytes, with the area of each lane and room for one more */
} simt_saved_t;

/* The saved state of one call; all frames of a workload have the same size. */
typedef struct simt_frame simt_frame_t;
struct simt_frame {
  simt_frame_t *next, *next_free;
  _Alignas(16) uint8_t data[];
};

typedef struct {
  const ptx_kernel_t *kernel;
  mrpb_err_t refused; /* why it cannot run, if so */
  simt_op_t *ops;
  simt_other_t *other; /* by instruction */
  simt_place_t *reg;   /* place of each register */
  simt_place_t sink;   /* place for unwanted elements of vectors */
  uint32_t reg_bytes, const_bytes;
  simt_const_t *consts;
  unsigned n_consts, max_consts;
  bool apart; /* launch_t.apart */
  uint8_t *constants;
  simt_saved_t *saved;  /* by span of the kernel; NULL: no function calls itself */
  warp_inst_t *grouped; /* everything that `other` points to; NULL: nothing waits for copies */
} simt_kernel_t;

/* The copies of a warp that may be in flight, each with a register, and the group of each lane to
 * which they belong. */
typedef struct {
  uint32_t next;                          /* token of the next copy */
  uint32_t open[WARP_LANES];              /* number of groups that the lane has committed */
  uint32_t lanes[PTX_COPIES];             /* lanes that the copy belongs to */
  uint32_t group[PTX_COPIES][WARP_LANES]; /* the group of each lane */
} simt_groups_t;

/* What bar.red has collected at a barrier so far. */
typedef struct {
  bool begun, all, any;
  uint32_t count;
} simt_reduction_t;

typedef struct simt_block simt_block_t;
struct simt_block {
  uint32_t ctaid[3][WARP_LANES]; /* AREA_BLOCK: first these, */
  uint32_t sm[2][WARP_LANES];    /* then the SM's number and the number of SMs */
  simt_block_t *next;            /* in its bucket, or in the free list */
  uint32_t number, open;         /* open: number of open warps */
  uint32_t capacity;             /* bytes at `shared` */
  uint32_t running;              /* number of warps that have not ended */
  uint32_t live;                 /* those of the opened ones: bit i is warp i */
  barriers_t barriers;
  simt_reduction_t reduction[BARRIERS];
  warp_stream_t *warp[BARRIER_WARPS];
  _Alignas(64) uint8_t shared[];
};

typedef struct {
  uint32_t pc, reconverge; /* indices of instructions */
  uint32_t mask;
} simt_entry_t;

typedef struct simt simt_t;
typedef struct simt_snapshot simt_snapshot_t; /* wait.c */

/* A warp: one cache line that every instruction needs, one for memory accesses, then the rest;
 * behind it the registers, then the local memory. The top entry of the stack is `now`; the entries
 * below it are in `stack`. */
struct warp_stream {
  _Alignas(SIMT_LINE) const simt_op_t *op; /* executes next; NULL after the end */
  const warp_inst_t *inst;                 /* what the SM sees of `op` */
  uint32_t active;                         /* its active lanes, after the guard */
  simt_entry_t now;
  uint8_t *base[AREAS];

  const simt_kernel_t *kernel;
  simt_t *sim;
  simt_block_t *block;
  uint8_t *local;        /* of lane 0; those of the others follow */
  uint64_t local_at;     /* its address in the memory system */
  simt_groups_t *groups; /* NULL: nothing waits for copies */
  uint8_t space;         /* ptx_space_t of a load or store; for a generic one, the resolved space */
  uint16_t below;        /* number of entries in `stack` */
  uint8_t ordinal;       /* number in the block */
  uint16_t depth;        /* number of functions called and not yet left */
  warp_stream_t *next_free;
  const simt_op_t *red; /* the bar.red at which these lanes wait */
  uint32_t red_mask;

  simt_entry_t *stack;     /* SIMT_PARTED entries, and one per level */
  const ptx_call_t **call; /* of each function that has been called */
  uint16_t *base_of;       /* its entries: `now`, and those in `stack` from here on */
  simt_frame_t **frame;    /* saved state, kept for the next call at that depth; NULL: none yet */

  /* wait.c: jumps back since memory changed, when this SM had changed it `seen` times, and all SMs
   * `seen_all` times; whether the state of one of them has come again; whether it is time to look at
   * the other warps. */
  simt_changes_t *changes;
  uint64_t seen, seen_all;
  uint32_t turns;
  bool repeats, asks;
  simt_snapshot_t *snapshot; /* kept for the next warp here; NULL: none yet */
};

/* What one lane printed in one call. */
typedef struct {
  char *text;
  size_t bytes;
  uint32_t block, warp;
  size_t order;
} simt_line_t;

struct simt {
  workload_t base;
  simt_setup_t setup;
  simt_kernel_t *kernels;
  unsigned n_kernels;
  bool fast; /* uses AVX2 and FMA */
  const uint64_t *clock;
  mrpb_err_t fault;

  /* The current launch. */
  simt_launch_t now;
  launch_t launch;
  uint64_t launches; /* number of launches before it */
  const simt_kernel_t *kernel;
  uint32_t (*thread)[4][WARP_LANES]; /* AREA_THREAD of each warp of a block */
  uint8_t *bias, *constant;
  uint64_t begin, end; /* the allocated range */

  pool_t *pool;      /* memory of the warps */
  size_t warp_bytes; /* per warp, with the registers and local memory of any kernel */
  unsigned levels;   /* maximum nesting of calls */
  size_t frame_bytes;
  simt_frame_t *frames, *free_frames; /* all frames; those that no warp uses */
  warp_stream_t *free_warps;
  simt_block_t *free_blocks, *bucket[SIMT_BUCKETS];
  bool begun;

  /* SMs run apart; what happened then; a lock for what their warps share. */
  bool apart;
  atomic_bool asks, broken;
  pthread_mutex_t lock;

  /* wait.c: changes by the warps of each SM; since when all warps wait, and for which sum. */
  simt_changes_t *changes;
  uint64_t waiting_at;
  struct timespec waiting_since;
  unsigned patience; /* seconds; 0: no limit */
  bool hangs;        /* the fault is a loop that never ends */
  simt_snapshot_t *snapshots;

  FILE *print_to;     /* NULL: nowhere */
  simt_line_t *lines; /* of this launch */
  size_t n_lines, max_lines, line_bytes;
};

static inline void *simt_vector(const warp_stream_t *w, simt_place_t place) {
  return w->base[place & AREA_MASK] + (place & ~(simt_place_t)AREA_MASK);
}

/* Bytes between the local memories of neighbouring lanes. */
static inline uint32_t simt_local_stride(const ptx_kernel_t *k) {
  return (k->local_bytes + 15) / 16 * 16;
}

/* Bytes of a warp's local memory in the memory system. The number of lines is odd, so that the same
 * word of many warps falls into many sets. */
static inline uint64_t simt_local_region(const ptx_kernel_t *k) {
  return (((uint64_t)k->local_bytes + WARP_LOCAL_WORD - 1) / WARP_LOCAL_WORD | 1) * WARP_LOCAL_STEP;
}

/* simt.c: finds the instruction of the top entry and its active lanes, from the current
 * registers. */
void simt_look(warp_stream_t *w);

/* require.c: checks the launch t->now, finds its kernel and fills in t->launch; -1 after a fault. */
int simt_launch_as_required(simt_t *t, const simt_kernel_t **k);

/* bind.c: gives addresses and initial values to the module's .global and .const variables. */
int simt_bind(const simt_setup_t *s, mrpb_err_t *err);

/* stack.c */
void simt_stack_start(warp_stream_t *w, uint32_t mask);
/* Moves the lanes of the top entry to the next instruction. */
void simt_stack_next(warp_stream_t *w);
/* Moves the lanes `taken` of the top entry to `target`, the others to the next instruction. */
void simt_stack_branch(warp_stream_t *w, uint32_t taken, uint32_t target, uint32_t reconverge);
void simt_stack_exit(warp_stream_t *w, uint32_t lanes);
/* Moves `lanes` to `target`; all of them return before the others continue. */
void simt_stack_call(warp_stream_t *w, uint32_t lanes, uint32_t target);
/* Splits `lanes`: lanes with the same key[l] get an entry at this instruction; all meet behind
 * it. */
void simt_stack_split(warp_stream_t *w, uint32_t lanes, const uint64_t key[WARP_LANES]);
void simt_stack_return(warp_stream_t *w, uint32_t lanes);
/* Moves each lane l of `lanes` to target[l], the others to the next instruction. */
void simt_stack_switch(warp_stream_t *w, uint32_t lanes, uint32_t target[WARP_LANES],
                       uint32_t reconverge);

/* wait.c: the warp has jumped back by `op`; a loop that never ends is a fault. */
void simt_wait(warp_stream_t *s, const simt_op_t *op);
void simt_snapshots_free(simt_t *t);
static inline uint64_t simt_changes(const simt_changes_t *c) {
  return atomic_load_explicit(&c->n, memory_order_relaxed);
}
static inline void simt_changed(warp_stream_t *s) {
  atomic_store_explicit(&s->changes->n, simt_changes(s->changes) + 1, memory_order_relaxed);
}
static inline void simt_jumped_back(warp_stream_t *s, const simt_op_t *op) {
  if (s->seen == simt_changes(s->changes)) {
    s->turns++;
    simt_wait(s, op);
    return;
  }
  s->seen = simt_changes(s->changes);
  s->turns = 0;
  s->repeats = false;
}

/* call.c */
void simt_call(warp_stream_t *w, const simt_op_t *op, uint32_t lanes);
void simt_return(warp_stream_t *w, uint32_t lanes);
void simt_indexed(warp_stream_t *w, const simt_op_t *op, uint32_t lanes);

/* frame.c: frames of functions that call themselves. simt_prepare_frames determines what has to be
 * saved; -1 if out of memory. simt_frame_enter saves it for a call that is about to happen; false
 * if out of memory. simt_frame_leave restores it for the lanes that return. simt_frames_free is
 * called when a warp ends. */
int simt_prepare_frames(simt_kernel_t *k);
void simt_unprepare_frames(simt_kernel_t *k);
/* For a warp that begins: no function has variables in its threads' stacks. */
void simt_empty_stacks(warp_stream_t *w);
bool simt_frame_enter(warp_stream_t *w, const ptx_call_t *c, uint32_t lanes);
void simt_frame_leave(warp_stream_t *w, const ptx_call_t *c, uint32_t lanes);
void simt_frames_free(warp_stream_t *w);

/* apart.c: SMs that run apart (workload_apart). simt_find_apart: finds the kernels that can. */
apart_t simt_apart(workload_t *w, bool on);
void simt_find_apart(simt_t *t);

/* print.c: vprintf by these lanes. */
void simt_print(warp_stream_t *w, const simt_op_t *op, uint32_t lanes);
/* Writes the texts of the launch to the file of simt_print_to, ordered by block, warp and order. */
void simt_print_out(simt_t *t);

/* registers.c: assigns a place to each register that has none, and computes the bytes of all
 * places. -1 if out of memory. */
int simt_place_registers(simt_kernel_t *k);

/* prepare.c */
int simt_prepare(simt_t *t, simt_kernel_t *k, const ptx_kernel_t *kernel, mrpb_err_t *err);
void simt_unprepare(simt_kernel_t *k);
/* Fills the constants for launch number `grid`. */
void simt_fill_constants(const simt_kernel_t *k, const simt_launch_t *l, uint64_t grid);

/* exec_*.c: the function of an instruction; NULL if that file does not implement it. `fast`: with
 * AVX2 and FMA. */
simt_exec_t exec_int(const ptx_inst_t *i, bool fast);
simt_exec_t exec_bits(const ptx_inst_t *i, bool fast);
simt_exec_t exec_float(const ptx_inst_t *i, bool fast);
simt_exec_t exec_double(const ptx_inst_t *i, bool fast);
simt_exec_t exec_round(const ptx_inst_t *i, bool fast);
simt_exec_t exec_compare(const ptx_inst_t *i, bool fast);
simt_exec_t exec_move(const ptx_inst_t *i, bool fast);
simt_exec_t exec_convert(const ptx_inst_t *i, const simt_op_t *op, bool fast);
simt_exec_t exec_eight(const ptx_inst_t *i);
simt_exec_t exec_half(const ptx_inst_t *i);
simt_exec_t exec_carry(const ptx_inst_t *i, bool fast);
simt_exec_t exec_access(const ptx_inst_t *i, bool fast);
simt_exec_t exec_warp(const ptx_inst_t *i);
simt_exec_t exec_atomic(const ptx_inst_t *i);
simt_exec_t exec_barrier(const ptx_inst_t *i);
simt_exec_t exec_async(const ptx_inst_t *i);

/* exec_async.c: prepares what the SM may see of the kernel's copies and waits; -1 if out of memory.
 * simt_grouped returns what it sees of `op` now. */
int simt_prepare_groups(simt_kernel_t *k);
const warp_inst_t *simt_grouped(const warp_stream_t *w, const simt_op_t *op);

/* exec_barrier.c: what the warp does at the barrier; notes that the warp has ended. */
warp_barrier_t simt_barrier(warp_stream_t *w, const simt_op_t *op, uint32_t mask);
void simt_warp_ended(warp_stream_t *w);

/* exec_warp.c: operations between lanes, and the formats of their operands. */
bool simt_is_collective(const ptx_inst_t *i);
lane_t simt_collective_source(const ptx_inst_t *i, unsigned source);
lane_t simt_collective_target(const ptx_inst_t *i, unsigned target);

/* fault.c: notes the program's error, caused by this lane, unless there has been an error
 * before. */
__attribute__((format(printf, 4, 5))) void simt_fault(warp_stream_t *w, const simt_op_t *op,
                                                      unsigned lane, const char *what, ...);

/* exec_mem.c */
/* The offset between an address of the space and the corresponding generic address. */
uint64_t simt_window(ptx_space_t space);
/* The space that a generic address belongs to. */
ptx_space_t simt_space_of(uint64_t addr);
uint8_t simt_memory_kind(const ptx_inst_t *i);
void simt_addresses(const warp_stream_t *w, const simt_op_t *op, uint64_t addr[WARP_LANES]);
/* The space of the active lanes of a generic access; mixed spaces are a fault. */
ptx_space_t simt_resolve(warp_stream_t *w, const simt_op_t *op, uint32_t mask);
/* Host addresses of the lanes of `mask`. Returns the lanes that may access them; for the others a
 * fault is noted. */
uint32_t simt_reach(warp_stream_t *w, const simt_op_t *op, uint32_t mask, uint8_t *at[WARP_LANES]);
/* exec_atomic.c: the operands b and c, 8 bytes each. */
void simt_atomic_operands(const warp_stream_t *w, const simt_op_t *op, uint32_t mask,
                          uint8_t value[WARP_LANES][16]);
/* exec_round.c: cvt to floating point from integers or wider numbers, with every rounding. */
void exec_to_real(const ptx_inst_t *i, const void *from, void *to);

void simt_values(const warp_stream_t *w, const simt_op_t *op, uint32_t mask,
                 uint8_t value[WARP_LANES][16]);

#endif
