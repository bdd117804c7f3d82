/* SPDX-License-Identifier: Apache-2.0 */
/* A micro-benchmark on a GPU: a PTX text, its memory, and its launches. docs/micro/README.md says
 * what a text must be. */
#ifndef MICRO_BENCH_H
#define MICRO_BENCH_H

#include "device/device.h"
#include "studies/micro/kernels/text.h"
#include "workload/silicon/card.h"
#include "workload/simt/simt.h"

/* No loaded value and no sum of loaded values is BENCH_NEVER. A kernel gets it as a parameter, so a
 * branch on it is never taken, and no compiler can know that. */
enum { BENCH_REFUSED = 1 };
enum { BENCH_ARGS = 16, BENCH_NEVER = 0x600df00d, BENCH_PINNED = 4, BENCH_LINE = 128 };

typedef struct bench bench_t;
typedef struct bench_gpu bench_gpu_t;
struct measured;

/* Where an array lies. */
typedef enum { BENCH_DEVICE, BENCH_HOST /* pinned host memory */ } bench_place_t;

/* Where the host's bytes are once the GPU has them. */
typedef enum { BENCH_IN_L2, BENCH_IN_NO_CACHE, BENCH_ANYWHERE } bench_cached_t;

typedef struct {
  const char *kernel;
  uint32_t blocks, threads, regs, shared;
  unsigned n_args;
  uint64_t arg[BENCH_ARGS];
} bench_launch_t;

/* BENCH_LAUNCH("kernel", blocks, threads, registers, arguments...) */
#define BENCH_LAUNCH(called, n_blocks, of_threads, of_registers, ...)                              \
  {                                                                                                \
    .kernel = (called), .blocks = (n_blocks), .threads = (of_threads), .regs = (of_registers),     \
    .n_args = sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), .arg = {                       \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

/* An array that a bench allocates: where its address is written, its bytes, its place. */
typedef struct {
  uint64_t *at; /* NULL: the last one */
  uint64_t bytes;
  bench_place_t place;
} bench_array_t;
#define BENCH_NO_ARRAYS ((const bench_array_t[]){{.at = NULL}})
#define BENCH_ARRAYS(...) ((const bench_array_t[]){__VA_ARGS__, {.at = NULL}})

/* A side runs the launches: the model of tb/device (side_model.c), a GPU (side_gpu.c), or a record
 * of one (side_measured.c). What it was made of is `given` in bench_gpu_t, its state `own` in
 * bench_t, and nobody else knows what they are. The functions below say what each member does. */
typedef struct {
  int (*open)(bench_t *b, const text_t *text, mrpb_err_t *err); /* may return BENCH_REFUSED */
  void (*close)(bench_t *b); /* also after an `open` that failed */
  uint64_t (*alloc)(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err);
  void *(*at)(const bench_t *b, uint64_t addr, uint64_t bytes);
  int (*put)(bench_t *b, uint64_t addr, uint64_t bytes, bench_cached_t in, mrpb_err_t *err);
  int (*get)(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err);
  device_end_t (*run)(bench_t *b, const bench_launch_t *l, mrpb_err_t *err);
  int (*span)(bench_t *b, uint64_t addr, uint32_t threads, uint32_t *cycles,
              mrpb_err_t *err); /* NULL: bench_get, then bench_span_of */
} bench_side_t;

#define BENCH_SIDE(of, ...)                                                                        \
  {                                                                                                \
    .open = of##_open, .close = of##_close, .alloc = of##_alloc, .at = of##_at, .put = of##_put,   \
    .get = of##_get, .run = of##_run, __VA_ARGS__                                                  \
  }

/* What a program can ask any GPU for, and the limits of a launch. */
typedef struct {
  uint32_t threads_per_block;
  uint32_t registers; /* per block */
  uint32_t registers_per_thread;
  uint32_t register_unit, thread_unit; /* of allocating registers: see parts/occupancy.h */
  uint32_t shared;                     /* bytes per block */
  uint32_t sms;
  uint32_t cluster;     /* SMs of a cluster (TPC, GPC); 1: no clusters, or not known */
  bool by_cluster;      /* consecutive blocks go to one cluster after the other */
  uint32_t schedulers;  /* per SM; known from the GPU's generation */
  uint32_t l1d_lines;   /* of 128 bytes, in a launch's largest L1D; 0: none, or not known */
  uint32_t cut_lines;   /* an L1D can be made smaller by so many lines; 0: it cannot */
  uint64_t l2_bytes;    /* 0: none */
  bool texture;         /* the GPU can read linear memory as a texture */
  bool bank_modes;      /* shared memory has modes of 8-byte and of 4-byte banks */
  uint32_t clock_shift; /* a tick of %clock is 2^clock_shift cycles */
  bool host;            /* the GPU can read pinned host memory */
  uint32_t middle_sm;   /* an SM neither nearest to the L2 nor farthest, as far as known */
  bool noisy;           /* identical launches take different times */
  uint32_t repeats;     /* launches of which the quickest counts; more than 1 on a noisy GPU */
} bench_limits_t;

/* A GPU that benches run on. */
struct bench_gpu {
  const bench_side_t *side;
  const void *given[2]; /* the side's own affair */
  bench_limits_t limits;
  uint32_t l1d_kb;       /* size of the L1D in launches; 0: the largest */
  unsigned shared_banks; /* replaces the model's number; 0: does not */
  uint32_t patience;     /* seconds that a launch on a real GPU may take */
  mrpb_err_t *err;       /* the first error; see bench_ok */
};

bench_gpu_t bench_gpu_model(const config_t *cfg, const unit_choice_t *choice);
bench_gpu_t bench_gpu_card(card_t *card, uint32_t repeats);
/* Limits that hold for every real GPU; the other members differ between GPUs. */
bench_limits_t bench_card_limits(void);
/* The largest block, in threads of `regs` registers each, that consists of whole warps; 0: not even
 * one warp fits. */
uint32_t bench_threads(const bench_limits_t *l, uint32_t regs);
/* bench_clusters: the number of clusters; the last may have fewer SMs than the others. bench_sm:
 * the SM that gets a block of a launch, if all blocks are resident and the first is on SM 0. */
uint32_t bench_clusters(const bench_limits_t *l);
uint32_t bench_sm(const bench_limits_t *l, uint32_t block);
/* The same GPU with a smaller L1D. */
bench_gpu_t bench_gpu_with_l1d(const bench_gpu_t *g, uint32_t kb);

struct bench {
  bench_gpu_t gpu;
  unsigned first_sm;
  uint64_t limit;     /* most cycles of a launch */
  void *own;          /* the side's state */
  mrpb_err_t refused; /* why it was not opened or launched, though nothing failed */
};

/* An error stays: the first one is kept in bench_gpu_t.err, and after it nothing is opened, launched
 * or read. So a study asks once, when it has ended. What functions return after an error means
 * nothing: 0, NULL or false. */
static inline bool bench_ok(const bench_gpu_t *g) {
  return !g->err || !g->err->text[0];
}

/* Reads and frees `text`, and makes the bench; a study's PTX text that cannot be read is the study's
 * fault, unless it is an optional one: then b->refused has the reason. Textures of the model begin
 * where the memory does, at MEMORY_BASE. Close the bench even after an error. */
void bench_open(bench_t *b, const bench_gpu_t *gpu, text_t *text);
void bench_close(bench_t *b);

/* bench_arrays: allocates these arrays, in this order. bench_make: opens a bench for the template
 * "kernels/NAME" or "studies/NAME" with its values, and allocates its arrays. */
void bench_arrays(bench_t *b, const bench_array_t *arrays);
void bench_make(bench_t *b, const bench_gpu_t *gpu, const char *name, const ptx_value_t *values,
                const bench_array_t *arrays);
/* Allocates `bytes` of zeroed memory. Returns its address, 0 if there is no room. */
uint64_t bench_alloc(bench_t *b, uint64_t bytes, bench_place_t place);
/* Where the host accesses that memory. The GPU sees what the host writes there after bench_put; the
 * host sees what launches write after bench_get, which returns the same pointer. */
void *bench_at(const bench_t *b, uint64_t addr, uint64_t bytes);
void *bench_get(bench_t *b, uint64_t addr, uint64_t bytes);
/* Passes the host's bytes to the GPU. After bench_put they are in no cache; bench_copy_in passes
 * them through the L2, which then holds them; after bench_written they may be anywhere. */
void bench_put(bench_t *b, uint64_t addr, uint64_t bytes);
void bench_copy_in(bench_t *b, uint64_t addr, uint64_t bytes);
void bench_written(bench_t *b, uint64_t addr, uint64_t bytes);

/* Each of `threads` threads has written two words from `addr` on: the clock at its start and at its
 * end. Returns the cycles from the first start to the last end. */
uint32_t bench_span(bench_t *b, uint64_t addr, uint32_t threads);
/* The same for words that the host already has. */
uint32_t bench_span_of(const bench_t *b, uint64_t addr, uint32_t threads);
/* Where the host keeps what a side without the model's memory has: an image of the GPU's memory, at
 * the same addresses, and pieces of pinned memory. */
typedef struct {
  void *at;
  uint64_t bytes;
} bench_pinned_t;

typedef struct {
  memory_t *memory;
  bench_pinned_t pinned[BENCH_PINNED];
  unsigned n_pinned;
} bench_image_t;
/* The host's pointer to an address of the image or of pinned memory; NULL: neither. */
void *bench_image_at(const bench_image_t *i, uint64_t addr, uint64_t bytes);
/* Adds a piece of pinned memory. Returns its address; 0 and a message if there are too many. */
uint64_t bench_image_pin(bench_image_t *i, void *at, uint64_t bytes, mrpb_err_t *err);

/* Of a bench on the model: the device, and where the host writes the texts' constants. */
device_t *bench_device(const bench_t *b);
void *bench_constants(const bench_t *b);
/* Converts ticks of %clock to cycles. */
uint32_t bench_cycles(const bench_t *b, uint32_t ticks);

/* Makes one launch. Returns DEVICE_DONE, or how else it ended. */
device_end_t bench_run(bench_t *b, const bench_launch_t *l);
/* Makes one launch that must end well. Returns whether it did. */
bool bench_must(bench_t *b, const bench_launch_t *l);
/* Makes `launches` launches, at least one. Each must end well and write its duration in ticks to
 * the word at `addr`. Returns the cycles of the quickest. */
uint32_t bench_quickest(bench_t *b, const bench_launch_t *l, uint64_t addr, uint32_t launches);

#endif
