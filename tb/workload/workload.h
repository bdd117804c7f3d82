/* Warp-instruction sources behind one interface: what each warp of each block of each kernel launch
 * executes, in order, with the byte address of every active lane. A source never sees time; the SM
 * asks it for the instruction at the warp's program counter and tells it when that instruction has
 * issued. Sources so far: loop programs (tb/workload/program.h) for atax and the single-warp
 * measurements. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "err.h"

#include <stdint.h>

enum { WARP_LANES = 32, WARP_PC_STEP = 8, WARP_REGS = 256 };

typedef enum {
  WARP_ALU,
  WARP_LOAD,
  WARP_STORE,
  WARP_BRANCH,
  WARP_BARRIER, /* all warps of the block meet */
  WARP_EXIT
} warp_class_t;

typedef enum { WARP_SP, WARP_SFU, WARP_SP_OR_SFU, WARP_MEM } warp_unit_t;

/* One static instruction. A register is 64 * file + number (files r, rd, f, p as in PTX), 0 is
 * none; the number alone selects the register bank, as in the reference. */
typedef struct {
  uint32_t pc; /* bytes; the next instruction in program order is at pc + WARP_PC_STEP */
  warp_class_t cls;
  warp_unit_t unit;
  uint16_t latency, interval; /* SM cycles: result latency, initiation interval; ALU only */
  uint8_t elem; /* bytes an active lane reads or writes: 1, 2, 4, 8 or 16; memory only */
  uint8_t dst;
  uint8_t src[4];
  uint8_t pred; /* guard predicate: waits in the scoreboard, reads no register bank */
} warp_inst_t;

typedef struct {
  const char *kernel;
  uint32_t blocks;  /* in the grid, numbered 0 .. blocks - 1, x fastest */
  uint32_t threads; /* of a block */
  uint32_t regs;    /* registers of a thread, for the limit on resident blocks */
  uint32_t shared;  /* bytes of shared memory of a block */
} launch_t;

typedef struct warp_stream warp_stream_t;
typedef struct workload workload_t;

/* What a source implements. */
typedef struct {
  unsigned (*launches)(const workload_t *w);
  const launch_t *(*launch)(const workload_t *w, unsigned i);
  warp_stream_t *(*open)(const workload_t *w, unsigned launch, uint32_t block, uint32_t warp);
  const warp_inst_t *(*peek)(const warp_stream_t *s);
  uint32_t (*mask)(const warp_stream_t *s);
  void (*addresses)(const warp_stream_t *s, uint64_t addr[WARP_LANES]);
  void (*step)(warp_stream_t *s);
  void (*close)(warp_stream_t *s);
  void (*destroy)(workload_t *w);
} workload_ops_t;

struct workload {
  const workload_ops_t *ops;
};

typedef enum { WORKLOAD_MODEL_A, WORKLOAD_MODEL_B } workload_model_t;

typedef struct {
  uint32_t cut; /* inner loop cut to so many iterations at the true row pitch; 0 is full length */
  workload_model_t model; /* which compiler's instruction stream, where a kernel has both */
} workload_options_t;

/* Opens the workload `name`; -1 and a message with the nearest known name if there is none. */
int workload_open(workload_t **w, const char *name, const workload_options_t *options,
                  mrpb_err_t *err);

/* Name and one line about the i-th known workload; NULL after the last. */
const char *workload_name(unsigned i);
const char *workload_doc(unsigned i);

static inline unsigned workload_launches(const workload_t *w) {
  return w->ops->launches(w);
}

static inline const launch_t *workload_launch(const workload_t *w, unsigned i) {
  return w->ops->launch(w, i);
}

static inline void workload_close(workload_t *w) {
  if (w) w->ops->destroy(w);
}

/* The stream of warp `warp` (32 threads) of `block` of launch `launch`; NULL when out of memory. */
static inline warp_stream_t *warp_stream_open(const workload_t *w, unsigned launch, uint32_t block,
                                              uint32_t warp) {
  return w->ops->open(w, launch, block, warp);
}

/* The instruction that executes next; NULL after the exit has been stepped over. */
static inline const warp_inst_t *warp_stream_peek(const workload_t *w, const warp_stream_t *s) {
  return w->ops->peek(s);
}

/* Its active lanes. */
static inline uint32_t warp_stream_mask(const workload_t *w, const warp_stream_t *s) {
  return w->ops->mask(s);
}

/* Its byte addresses, for a load or store; inactive lanes are left as they are. */
static inline void warp_stream_addresses(const workload_t *w, const warp_stream_t *s,
                                         uint64_t addr[WARP_LANES]) {
  w->ops->addresses(s, addr);
}

/* It has issued: on to the next one. */
static inline void warp_stream_step(const workload_t *w, warp_stream_t *s) {
  w->ops->step(s);
}

static inline void warp_stream_close(const workload_t *w, warp_stream_t *s) {
  if (s) w->ops->close(s);
}

#endif
