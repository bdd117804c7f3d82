/* SPDX-License-Identifier: Apache-2.0 */
/* The whole GPU as a library for other simulators; libmrpb-gpu.h declares the same
 * (docs/library.md). A GPU is created from a configuration, is given something to run and,
 * optionally, a memory of the caller's, and then runs in steps. */
#ifndef MRPB_GPU_H
#define MRPB_GPU_H

#include "err.h"
#include "gpu/memories/connect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct mrpb_gpu mrpb_gpu_t;

/* ---- a GPU ---------------------------------------------------------------------------------- */

/* `config` is a file (docs/config.md). If there is no such file it is the name of a shipped
 * configuration such as "base-s-mrpb". NULL: Base-S. */
int mrpb_gpu_create(mrpb_gpu_t **out, const char *config, mrpb_err_t *err);
/* May be called in the middle of a run. */
void mrpb_gpu_destroy(mrpb_gpu_t *gpu);

/* Before the first step: sets one key, "KEY=VALUE". Constraints between several keys are checked at
 * the first step. */
int mrpb_gpu_set(mrpb_gpu_t *gpu, const char *assignment, mrpb_err_t *err);
/* Before the first step: packets carry data, and every load is compared with its thread's program
 * order (docs/check.md). A violation ends the run with MRPB_GPU_MISMATCH. */
int mrpb_gpu_checked(mrpb_gpu_t *gpu, mrpb_err_t *err);
/* Before the first step: requests a wave file (VCD) of SM `sm` and of the memory's occupancies,
 * from SM cycle `from` to `to`, with a GTKWave save file beside it. Both get their final names,
 * complete, when the run ends or the GPU is destroyed. Not available with cores of the caller's. */
int mrpb_gpu_wave(mrpb_gpu_t *gpu, const char *path, uint32_t sm, uint64_t from, uint64_t to,
                  mrpb_err_t *err);
/* Before the first step: connects parts of the caller's, at most one memory. The object at `ctx`
 * must outlive the GPU. The functions are called from inside mrpb_gpu_step, in its thread, and may
 * call mrpb_gpu_reply, mrpb_gpu_pause and mrpb_gpu_cycles. */
int mrpb_gpu_connect_dram(mrpb_gpu_t *gpu, const mrpb_gpu_dram_t *dram, mrpb_err_t *err);
int mrpb_gpu_connect_memory(mrpb_gpu_t *gpu, const mrpb_gpu_memory_t *memory, mrpb_err_t *err);
/* Answers a request that `accept` has accepted or is about to accept, from inside a step or between
 * steps. */
int mrpb_gpu_reply(mrpb_gpu_t *gpu, uint64_t id, mrpb_err_t *err);

/* Connects cores of the caller's in place of the SMs, instead of giving the GPU something to run.
 * The run lasts until the caller stops calling mrpb_gpu_step. */
int mrpb_gpu_connect_cores(mrpb_gpu_t *gpu, const mrpb_gpu_cores_t *cores, mrpb_err_t *err);
/* A request of core `sm`, after the first step has begun, from inside a step or between steps.
 * Returns 1; 0 if the core's injection buffer has no room in this cycle; or -1 and a message in err
 * if the request is not legal. Legal are 32, 64 or 128 bytes at a multiple of that size below 2^49.
 * `id` is passed to `reply`. */
int mrpb_gpu_request(mrpb_gpu_t *gpu, const mrpb_gpu_request_t *request, mrpb_err_t *err);

/* ---- what runs: one of five ------------------------------------------------------------------ */

/* One of the 28 programs (`mrpb help`). A zeroed struct, or NULL, selects the program as in the
 * paper. */
typedef struct {
  uint32_t cut, size, steps; /* same as the options of `mrpb run` */
  char model;                /* 'A', 'B' or 'C'; 0: A */
  bool acc_reload;
} mrpb_gpu_program_t;
int mrpb_gpu_program(mrpb_gpu_t *gpu, const char *name, const mrpb_gpu_program_t *options,
                     mrpb_err_t *err);

/* A recorded trace (docs/trace.md). */
int mrpb_gpu_trace(mrpb_gpu_t *gpu, const char *path, mrpb_err_t *err);

/* A launch file (docs/launch.md); `lets` are `n` strings "NAME=NUMBER" for the file's `let` lines.
 * Its comparisons are made between the launches; mrpb_gpu_verify tells whether all held. */
int mrpb_gpu_launch_file(mrpb_gpu_t *gpu, const char *path, const char *const *lets, unsigned n,
                         mrpb_err_t *err);

/* The kernels of a PTX text of `bytes` bytes; messages call the text `name` (docs/ptx.md). From now
 * on memory can be allocated and kernels launched, also between steps. Before the first step it may
 * be called again for each further text. Each text is a module of its own, and its kernels need
 * different names. */
int mrpb_gpu_ptx(mrpb_gpu_t *gpu, const char *text, size_t bytes, const char *name,
                 mrpb_err_t *err);
/* Allocates zeroed memory at a multiple of 256. It is never freed. */
int mrpb_gpu_alloc(mrpb_gpu_t *gpu, uint64_t bytes, uint64_t *address, mrpb_err_t *err);
/* Between launches. All bytes must lie in one allocation, or in several adjacent ones. */
int mrpb_gpu_write(mrpb_gpu_t *gpu, uint64_t address, const void *from, uint64_t bytes,
                   mrpb_err_t *err);
int mrpb_gpu_read(mrpb_gpu_t *gpu, uint64_t address, void *to, uint64_t bytes, mrpb_err_t *err);
/* Before the first step: the kernels print to `to`, which stays the caller's. NULL: output is
 * dropped. If this is not called, they print to the standard output. */
int mrpb_gpu_print_to(mrpb_gpu_t *gpu, FILE *to, mrpb_err_t *err);
/* Before the first step: binds texture `name` of the text to the memory at `address`. */
int mrpb_gpu_texture(mrpb_gpu_t *gpu, const char *name, uint64_t address, mrpb_err_t *err);

typedef struct {
  const char *kernel;         /* NULL: the only one of the text */
  uint32_t grid[3], block[3]; /* 0 means 1 */
  uint32_t regs;              /* per thread, for the limit on resident blocks; 0: 20 */
  uint32_t shared;            /* bytes for the .extern .shared variables */
  const void *const *args;    /* one pointer per parameter to its value, in the parameter's size */
  unsigned n_args;
} mrpb_gpu_launch_t;
/* Launches run one after another in the order of the calls. The arguments are copied. */
int mrpb_gpu_launch(mrpb_gpu_t *gpu, const mrpb_gpu_launch_t *launch, mrpb_err_t *err);

/* Instructions supplied by the caller, warp by warp, without values. */
typedef enum {
  MRPB_GPU_ALU,
  MRPB_GPU_SFU,
  MRPB_GPU_LOAD,   /* from global memory */
  MRPB_GPU_STORE,  /* to global memory */
  MRPB_GPU_BARRIER /* the warps of the block meet */
} mrpb_gpu_kind_t;

typedef struct {
  mrpb_gpu_kind_t kind;
  uint32_t lanes;  /* bit i: lane i is active */
  uint16_t dst;    /* destination register, 1 to 1023; 0: none. An instruction waits for the */
  uint16_t src[4]; /* registers it reads and writes */
  uint16_t latency, interval; /* of ALU and SFU, SM cycles, up to 500; 0 means 1 */
  uint8_t bytes;              /* per lane: 1, 2, 4, 8 or 16; loads and stores only */
  bool bypass;                /* a load that is cached only in the L2 */
  uint64_t address[32];       /* per active lane: a multiple of `bytes` below 2^49 */
} mrpb_gpu_inst_t;

typedef struct {
  const char *kernel;    /* name in the results; must outlive the GPU; NULL: "stream" */
  uint32_t blocks;       /* 1 or more */
  uint32_t threads;      /* per block, 1 to 1024; the last warp may have fewer than 32 lanes */
  uint32_t regs, shared; /* per thread; bytes per block: limit the resident blocks */
} mrpb_gpu_grid_t;

/* The order of the calls depends on timing; the answers must not. */
typedef struct {
  void *ctx; /* first argument of each function */
  /* Fills in the next launch; the struct is zeroed. false: there is none. */
  bool (*launch)(void *ctx, mrpb_gpu_grid_t *grid);
  /* Fills in the next instruction of a warp; the struct is zeroed. false: the warp has ended. */
  bool (*next)(void *ctx, uint32_t block, uint32_t warp, mrpb_gpu_inst_t *inst);
} mrpb_gpu_stream_t;
int mrpb_gpu_stream(mrpb_gpu_t *gpu, const mrpb_gpu_stream_t *stream, mrpb_err_t *err);

/* ---- running --------------------------------------------------------------------------------- */

typedef enum {
  MRPB_GPU_RUNNING,
  MRPB_GPU_DONE,     /* all launches have ended */
  MRPB_GPU_MISMATCH, /* a violation found by mrpb_gpu_checked; the reason is in `err` */
  MRPB_GPU_HANG,     /* no progress for HANG_CYCLES; with in-order cores: no warp can go on */
  MRPB_GPU_FAILED    /* wrong input, a fault of the program, or no memory; the reason is in `err` */
} mrpb_gpu_state_t;

/* Runs up to `cycles` SM clock cycles. The results do not depend on the step sizes. After
 * MRPB_GPU_DONE another launch may be given. After the last three states the GPU runs no
 * further. */
mrpb_gpu_state_t mrpb_gpu_step(mrpb_gpu_t *gpu, uint64_t cycles, mrpb_err_t *err);
/* The same, up to the end of the running launch, or of the first one if none runs. */
mrpb_gpu_state_t mrpb_gpu_step_launch(mrpb_gpu_t *gpu, mrpb_err_t *err);
/* The same, up to the end of all launches. */
mrpb_gpu_state_t mrpb_gpu_run(mrpb_gpu_t *gpu, mrpb_err_t *err);
/* Called from a function that the step calls: the step ends with the current cycle. */
void mrpb_gpu_pause(mrpb_gpu_t *gpu);

/* SM clock cycles so far. */
uint64_t mrpb_gpu_cycles(const mrpb_gpu_t *gpu);
/* After MRPB_GPU_DONE: compares the memory with what the program's host code computes. Returns 0,
 * or -1 and the first difference in err. For a launch file: tells whether all comparisons held,
 * then writes the file's output files. A trace, a PTX text and a stream have nothing to compare:
 * 0. */
int mrpb_gpu_verify(mrpb_gpu_t *gpu, mrpb_err_t *err);
/* Lists what everything is waiting for. For use after MRPB_GPU_HANG. */
void mrpb_gpu_dump(mrpb_gpu_t *gpu, FILE *to);

/* ---- results --------------------------------------------------------------------------------- */

/* The counts so far, by the names that `mrpb run --json` writes (docs/running.md), with dots
 * between the levels: "cycles", "l1d.refused.mshr", "kernels.0.name". */
typedef enum { MRPB_GPU_COUNT, MRPB_GPU_REAL, MRPB_GPU_TEXT } mrpb_gpu_type_t;
typedef struct {
  const char *name; /* valid until the callback that received it returns */
  mrpb_gpu_type_t type;
  uint64_t count;
  double real; /* set for a count, too */
  const char *text;
} mrpb_gpu_value_t;

/* Calls `each` for each value, always in the same order. Returns 0, or -1 and a message in err
 * before the first step. */
int mrpb_gpu_values(mrpb_gpu_t *gpu, void (*each)(void *ctx, const mrpb_gpu_value_t *value),
                    void *ctx, mrpb_err_t *err);
/* Reads one value, a count or a real number. Returns 0, or -1 and a message in err if no value has
 * that name. */
int mrpb_gpu_value(mrpb_gpu_t *gpu, const char *name, double *value, mrpb_err_t *err);
/* Calls `each` for each key of the configuration, as counts and texts. */
void mrpb_gpu_keys(const mrpb_gpu_t *gpu, void (*each)(void *ctx, const mrpb_gpu_value_t *key),
                   void *ctx);

#endif
