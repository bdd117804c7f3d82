/* SPDX-License-Identifier: Apache-2.0 */
/* The whole GPU for other simulators: what libmrpb-gpu.h declares (docs/library.md). A GPU is created
 * from a configuration, is given what runs on it and, if wanted, a memory of the caller's, and then
 * runs in steps. */
#ifndef MRPB_GPU_H
#define MRPB_GPU_H

#include "err.h"
#include "gpu/connect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct mrpb_gpu mrpb_gpu_t;

/* ---- a GPU ---------------------------------------------------------------------------------- */

/* `config` is a file (docs/config.md), or the name of a shipped one, "base-s-mrpb", if there is no such
 * file; NULL: Base-S. */
int mrpb_gpu_create(mrpb_gpu_t **out, const char *config, mrpb_err_t *err);
/* Also in the middle of a run. */
void mrpb_gpu_destroy(mrpb_gpu_t *gpu);

/* Until the first step: one key, "KEY=VALUE"; what several keys say together is looked at then. */
int mrpb_gpu_set(mrpb_gpu_t *gpu, const char *assignment, mrpb_err_t *err);
/* Until the first step: data travel, and every load is compared with its thread's program order
 * (docs/check.md). What is found ends the run with MRPB_GPU_MISMATCH. */
int mrpb_gpu_checked(mrpb_gpu_t *gpu, mrpb_err_t *err);
/* Until the first step: a wave file (VCD) of SM `sm` and of what the memory holds, from SM cycle `from` to
 * `to`, with a save file for GTKWave beside it. Both get their names, complete, when the run ends or
 * the GPU is destroyed. Not with cores of the caller's. */
int mrpb_gpu_wave(mrpb_gpu_t *gpu, const char *path, uint32_t sm, uint64_t from, uint64_t to,
                  mrpb_err_t *err);
/* Until the first step: parts of the caller's, at most one memory. What `ctx` points to must
 * outlive the GPU. The functions are called from inside mrpb_gpu_step, in its thread, and may call
 * mrpb_gpu_reply, mrpb_gpu_pause and mrpb_gpu_cycles. */
int mrpb_gpu_connect_dram(mrpb_gpu_t *gpu, const mrpb_gpu_dram_t *dram, mrpb_err_t *err);
int mrpb_gpu_connect_memory(mrpb_gpu_t *gpu, const mrpb_gpu_memory_t *memory, mrpb_err_t *err);
/* A request that `accept` has accepted, or is about to, is answered; from inside a step or between steps. */
int mrpb_gpu_reply(mrpb_gpu_t *gpu, uint64_t id, mrpb_err_t *err);

/* Instead of something that runs: cores of the caller's take the place of the SMs, until the caller stops
 * calling mrpb_gpu_step. */
int mrpb_gpu_connect_cores(mrpb_gpu_t *gpu, const mrpb_gpu_cores_t *cores, mrpb_err_t *err);
/* A request of core `sm`, after the first step began, from inside one or between steps: 1; 0 if its
 * injection buffer has no room in this cycle; -1 and a message if it is not legal: 32, 64 or 128 bytes
 * at a multiple of that below 2^49. `id` is given to `reply`. */
int mrpb_gpu_request(mrpb_gpu_t *gpu, const mrpb_gpu_request_t *request, mrpb_err_t *err);

/* ---- what runs: one of five ------------------------------------------------------------------ */

/* One of the 28 programs (`mrpb help`); a zeroed struct, or NULL, is the program as the paper has it. */
typedef struct {
  uint32_t cut, size, steps; /* as the options of `mrpb run` */
  char model;                /* 'A', 'B' or 'C'; 0: A */
  bool acc_reload;
} mrpb_gpu_program_t;
int mrpb_gpu_program(mrpb_gpu_t *gpu, const char *name, const mrpb_gpu_program_t *options,
                     mrpb_err_t *err);

/* A recorded trace (docs/trace.md). */
int mrpb_gpu_trace(mrpb_gpu_t *gpu, const char *path, mrpb_err_t *err);

/* A launch file (docs/launch.md); `lets` are `n` texts "NAME=NUMBER" for what its `let` says. Its
 * comparisons are made between the launches: mrpb_gpu_verify says whether all held. */
int mrpb_gpu_launch_file(mrpb_gpu_t *gpu, const char *path, const char *const *lets, unsigned n,
                         mrpb_err_t *err);

/* Kernels of a PTX text of `bytes` bytes, which `name` stands for in messages (docs/ptx.md). From now on
 * memory can be allocated and kernels launched, also between steps. Until the first step once more for
 * each further text, a module of its own: kernels of other names. */
int mrpb_gpu_ptx(mrpb_gpu_t *gpu, const char *text, size_t bytes, const char *name,
                 mrpb_err_t *err);
/* Zeroed; at a multiple of 256. Nothing is ever given back. */
int mrpb_gpu_alloc(mrpb_gpu_t *gpu, uint64_t bytes, uint64_t *address, mrpb_err_t *err);
/* Between launches: all bytes must lie in one allocation, or in several that follow each other. */
int mrpb_gpu_write(mrpb_gpu_t *gpu, uint64_t address, const void *from, uint64_t bytes,
                   mrpb_err_t *err);
int mrpb_gpu_read(mrpb_gpu_t *gpu, uint64_t address, void *to, uint64_t bytes, mrpb_err_t *err);
/* Until the first step: what the kernels print goes to `to`, which stays the caller's; NULL: nowhere;
 * not called: to the standard output. */
int mrpb_gpu_print_to(mrpb_gpu_t *gpu, FILE *to, mrpb_err_t *err);
/* Texture `name` of the text is the memory at `address`; until the first step. */
int mrpb_gpu_texture(mrpb_gpu_t *gpu, const char *name, uint64_t address, mrpb_err_t *err);

typedef struct {
  const char *kernel;         /* NULL: the only one of the text */
  uint32_t grid[3], block[3]; /* 0 is 1 */
  uint32_t regs;              /* of a thread, for the limit on resident blocks; 0: 20 */
  uint32_t shared;            /* bytes for the .extern .shared variables */
  const void *const *args;    /* one for each parameter: where its value lies, in its own size */
  unsigned n_args;
} mrpb_gpu_launch_t;
/* Launches run one after the other in the order of the calls; arguments are copied. */
int mrpb_gpu_launch(mrpb_gpu_t *gpu, const mrpb_gpu_launch_t *launch, mrpb_err_t *err);

/* Instructions of the caller's own, warp by warp, without values. */
typedef enum {
  MRPB_GPU_ALU,
  MRPB_GPU_SFU,
  MRPB_GPU_LOAD,   /* of global memory */
  MRPB_GPU_STORE,  /* to it */
  MRPB_GPU_BARRIER /* the warps of the block meet */
} mrpb_gpu_kind_t;

typedef struct {
  mrpb_gpu_kind_t kind;
  uint32_t lanes;  /* bit i: lane i is active */
  uint16_t dst;    /* register that is written, 1 to 1023; 0: none. An instruction waits for the */
  uint16_t src[4]; /* registers that it reads and writes */
  uint16_t latency, interval; /* of ALU and SFU, SM cycles, up to 500; 0 is 1 */
  uint8_t bytes;              /* of a lane: 1, 2, 4, 8 or 16; of loads and stores */
  bool bypass;                /* a load that only the L2 caches */
  uint64_t address[32];       /* of each active lane: a multiple of `bytes` below 2^49 */
} mrpb_gpu_inst_t;

typedef struct {
  const char *kernel;    /* for results; must outlive the GPU; NULL: "stream" */
  uint32_t blocks;       /* 1 or more */
  uint32_t threads;      /* of a block, 1 to 1024: the last warp may have fewer than 32 lanes */
  uint32_t regs, shared; /* of a thread; bytes of a block: limit the blocks that are resident */
} mrpb_gpu_grid_t;

/* The functions are called in an order that depends on timing; what they answer must not. */
typedef struct {
  void *ctx; /* the first argument of each */
  /* The launch that comes next, into a zeroed struct; false: there is none. */
  bool (*launch)(void *ctx, mrpb_gpu_grid_t *grid);
  /* The next instruction of a warp, into a zeroed struct; false: the warp has ended. */
  bool (*next)(void *ctx, uint32_t block, uint32_t warp, mrpb_gpu_inst_t *inst);
} mrpb_gpu_stream_t;
int mrpb_gpu_stream(mrpb_gpu_t *gpu, const mrpb_gpu_stream_t *stream, mrpb_err_t *err);

/* ---- running --------------------------------------------------------------------------------- */

typedef enum {
  MRPB_GPU_RUNNING,
  MRPB_GPU_DONE,     /* all launches have ended */
  MRPB_GPU_MISMATCH, /* what mrpb_gpu_checked looks for; the reason is in `err` */
  MRPB_GPU_HANG,     /* no progress for HANG_CYCLES */
  MRPB_GPU_FAILED    /* wrong input, a fault of the program, no memory; the reason is in `err` */
} mrpb_gpu_state_t;

/* Runs up to `cycles` cycles of the SMs' clock. The results do not depend on the sizes of the steps.
 * After MRPB_GPU_DONE another launch may be given; after the last three the GPU stays where it is. */
mrpb_gpu_state_t mrpb_gpu_step(mrpb_gpu_t *gpu, uint64_t cycles, mrpb_err_t *err);
/* The same up to the end of the launch that runs, or of the first one. */
mrpb_gpu_state_t mrpb_gpu_step_launch(mrpb_gpu_t *gpu, mrpb_err_t *err);
/* The same to the end of all. */
mrpb_gpu_state_t mrpb_gpu_run(mrpb_gpu_t *gpu, mrpb_err_t *err);
/* From a function that the step calls: the step ends with the present cycle. */
void mrpb_gpu_pause(mrpb_gpu_t *gpu);

/* Cycles of the SMs' clock so far. */
uint64_t mrpb_gpu_cycles(const mrpb_gpu_t *gpu);
/* After MRPB_GPU_DONE: is the memory what the program's host code computes? -1 and the first
 * difference. Of a launch file: did all comparisons hold; then the files that it writes are written. A
 * trace, a text and a stream have nothing to compare: 0. */
int mrpb_gpu_verify(mrpb_gpu_t *gpu, mrpb_err_t *err);
/* What everything is waiting for: after MRPB_GPU_HANG. */
void mrpb_gpu_dump(mrpb_gpu_t *gpu, FILE *to);

/* ---- results --------------------------------------------------------------------------------- */

/* What has been counted so far, by the names that `mrpb run --json` writes (docs/running.md), with
 * dots between the levels: "cycles", "l1d.refused.mshr", "kernels.0.name". */
typedef enum { MRPB_GPU_COUNT, MRPB_GPU_REAL, MRPB_GPU_TEXT } mrpb_gpu_type_t;
typedef struct {
  const char *name; /* valid until the function returns that it is given to */
  mrpb_gpu_type_t type;
  uint64_t count;
  double real; /* of a count, too */
  const char *text;
} mrpb_gpu_value_t;

/* Calls `each` for each of them, always in the same order. -1 and a message before the first step. */
int mrpb_gpu_values(mrpb_gpu_t *gpu, void (*each)(void *ctx, const mrpb_gpu_value_t *value),
                    void *ctx, mrpb_err_t *err);
/* One of them, a count or a real number; -1 and a message if there is none of that name. */
int mrpb_gpu_value(mrpb_gpu_t *gpu, const char *name, double *value, mrpb_err_t *err);
/* The keys of the configuration, as counts and texts. */
void mrpb_gpu_keys(const mrpb_gpu_t *gpu, void (*each)(void *ctx, const mrpb_gpu_value_t *key),
                   void *ctx);

#endif
