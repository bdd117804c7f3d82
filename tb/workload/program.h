/* Loop programs: a kernel as a table of instructions whose branches count and whose addresses are
 * affine in the thread and the iteration. Enough for every PolyBench kernel and for the single-warp
 * measurements. */
#ifndef LOOP_PROGRAM_H
#define LOOP_PROGRAM_H

#include "workload/workload.h"

enum { PROGRAM_LOOPS = 4, PROGRAM_NO_TARGET = -1 };

/* Byte address of a lane: base + (thread mod `threads`) * `thread` + (iteration * `iter`) mod
 * `wrap`, where thread counts through the grid and the iteration is that of loop `loop`; a modulus
 * of 0 is none. */
typedef struct {
  uint64_t base;
  uint64_t thread, iter, wrap;
  uint32_t threads;
  uint8_t loop;
} program_address_t;

typedef struct {
  warp_inst_t inst;
  program_address_t address; /* loads and stores */
  int16_t target; /* branches: index to go to while the loop has iterations left, or none */
  uint8_t loop;   /* branches: which loop */
  uint32_t trips; /* branches: iterations of it */
} program_op_t;

typedef struct {
  launch_t launch;
  const program_op_t *ops; /* the last one is the exit; `pc`s are filled in by program_create */
  unsigned n_ops;
} program_kernel_t;

/* Copies `kernels` into a workload; NULL when out of memory. */
workload_t *program_create(const program_kernel_t *kernels, unsigned n);

/* Short forms for tables; registers as numbers within their file. */
enum { PROGRAM_R = 0, PROGRAM_RD = 64, PROGRAM_F = 128, PROGRAM_P = 192 };
#define R(n) (PROGRAM_R + (n))
#define RD(n) (PROGRAM_RD + (n))
#define F(n) (PROGRAM_F + (n))
#define PR(n) (PROGRAM_P + (n))

/* dst, then up to three sources; latencies of the TeslaC2050 file of GPGPU-Sim 3.2.0 (fma is not in
 * its list and takes 1; 32-bit and widening integer multiplies go to the SFU). */
#define OP_(cl, un, lat, init, d, a, b, c, p)                                                      \
  .inst = {.cls = cl,                                                                              \
           .unit = un,                                                                             \
           .latency = lat,                                                                         \
           .interval = init,                                                                       \
           .dst = {d},                                                                            \
           .src = {a, b, c, 0},                                                                    \
           .wait = {p}}
#define OP_MOV(d)                                                                                  \
  { OP_(WARP_ALU, WARP_SP, 1, 1, d, 0, 0, 0, 0), .target = PROGRAM_NO_TARGET }
#define OP_SIMPLE(d, a, b)                                                                         \
  { OP_(WARP_ALU, WARP_SP, 1, 1, d, a, b, 0, 0), .target = PROGRAM_NO_TARGET }
#define OP_ADD(d, a, b)                                                                            \
  { OP_(WARP_ALU, WARP_SP, 4, 1, d, a, b, 0, 0), .target = PROGRAM_NO_TARGET }
#define OP_MUL(d, a, b)                                                                            \
  { OP_(WARP_ALU, WARP_SFU, 4, 2, d, a, b, 0, 0), .target = PROGRAM_NO_TARGET }
#define OP_MAD(d, a, b, c)                                                                         \
  { OP_(WARP_ALU, WARP_SFU, 5, 1, d, a, b, c, 0), .target = PROGRAM_NO_TARGET }
#define OP_FMA(d, a, b, c)                                                                         \
  { OP_(WARP_ALU, WARP_SP, 1, 1, d, a, b, c, 0), .target = PROGRAM_NO_TARGET }
#define OP_BRA_IF(p, to, lp, n)                                                                    \
  { OP_(WARP_BRANCH, WARP_SP, 1, 1, 0, 0, 0, 0, p), .target = to, .loop = lp, .trips = n }
#define OP_BRA_NEVER(p) OP_BRA_IF(p, PROGRAM_NO_TARGET, 0, 0)
#define OP_EXIT                                                                                    \
  { OP_(WARP_EXIT, WARP_SP, 1, 1, 0, 0, 0, 0, 0), .target = PROGRAM_NO_TARGET }
#define OP_LD4(d, a, ...)                                                                          \
  {                                                                                                \
    .inst = {.cls = WARP_LOAD, .unit = WARP_MEM, .elem = 4, .dst = {d}, .src = {a, 0, 0, 0}},        \
    .address = {__VA_ARGS__}, .target = PROGRAM_NO_TARGET                                          \
  }
#define OP_ST4(a, v, ...)                                                                          \
  {                                                                                                \
    .inst = {.cls = WARP_STORE, .unit = WARP_MEM, .elem = 4, .src = {v, a, 0, 0}},                 \
    .address = {__VA_ARGS__}, .target = PROGRAM_NO_TARGET                                          \
  }

#endif
