/* SPDX-License-Identifier: Apache-2.0 */
/* A micro-benchmark on a GPU: a PTX text, its memory, and what it is launched on, as often as it
 * takes. docs/micro/README.md says what a text must be. */
#ifndef MICRO_BENCH_H
#define MICRO_BENCH_H

#include "device/device.h"
#include "studies/micro/kernels/text.h"
#include "workload/silicon/card.h"
#include "workload/simt/simt.h"

/* No loaded value and no sum of them is BENCH_NEVER, which a kernel gets as a parameter: a branch on
 * it is never taken, and no compiler knows. */
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

/* What runs launches: the model of tb/device (side_model.c), or a GPU (side_gpu.c). The functions
 * below say what each does. */
typedef struct {
  int (*open)(bench_t *b, const text_t *text, mrpb_err_t *err);
  void (*close)(bench_t *b);
  uint64_t (*alloc)(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err);
  void *(*at)(const bench_t *b, uint64_t addr, uint64_t bytes);
  int (*put)(bench_t *b, uint64_t addr, uint64_t bytes, bench_cached_t in, mrpb_err_t *err);
  int (*get)(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err);
  device_end_t (*run)(bench_t *b, const bench_launch_t *l, mrpb_err_t *err);
  int (*span)(bench_t *b, uint64_t addr, uint32_t threads, uint32_t *cycles,
              mrpb_err_t *err); /* NULL: out of what get brings */
} bench_side_t;

extern const bench_side_t bench_model, bench_card;

/* What anyone can ask a GPU for, and what a launch of it may be. */
typedef struct {
  uint32_t threads_per_block;
  uint32_t registers; /* of a block */
  uint32_t registers_per_thread;
  uint32_t register_unit, thread_unit; /* of a block's registers: see parts/occupancy.h */
  uint32_t shared;                     /* bytes of a block */
  uint32_t sms;
  uint32_t cluster;     /* SMs of a cluster (TPC, GPC); 1: none, or not known */
  bool by_cluster;      /* blocks that follow each other go to one cluster after the other */
  uint32_t schedulers;  /* of an SM; its generation says so */
  uint32_t l1d_lines;   /* of 128 bytes; the largest L1D of a launch; 0: none, or not known */
  uint32_t cut_lines;   /* an L1D can be made smaller by so many lines; 0: it cannot */
  uint64_t l2_bytes;    /* 0: none */
  bool texture;         /* linear memory can be read as a texture */
  bool bank_modes;      /* shared memory has a mode of 8-byte banks and one of 4 bytes */
  uint32_t clock_shift; /* a tick of %clock is 2^clock_shift cycles */
  bool host;            /* it reads pinned host memory */
  uint32_t middle_sm;   /* neither nearest to the L2 nor farthest, as far as is known */
  bool noisy;           /* launches that are alike take different times */
  uint32_t repeats;     /* launches of which the quickest counts: more than 1 where time is noisy */
} bench_limits_t;

/* A GPU to make benches on. */
struct bench_gpu {
  const bench_side_t *side;
  bench_limits_t limits;
  uint32_t l1d_kb; /* the L1D that launches get; 0: the largest */
  /* The model's: for side_model.c alone. No deduction and no choice of a study may look at it. */
  unsigned shared_banks; /* in place of the configured ones; 0: those */
  const device_cfg_t *cfg;
  const unit_choice_t *choice;
  /* A real one's. */
  card_t *card;
  uint32_t patience; /* seconds that a launch may take */
  /* A record's (measured.h), and whose it is that is being written down. */
  struct measured *measured;
  const bench_side_t *inner;
};

/* A piece of pinned memory. */
typedef struct {
  void *at;
  uint64_t bytes;
} bench_pinned_t;

bench_gpu_t bench_gpu_model(const device_cfg_t *cfg, const unit_choice_t *choice);
bench_gpu_t bench_gpu_card(card_t *card, uint32_t repeats);
/* What every real GPU can; the rest of it each has its own. */
bench_limits_t bench_card_limits(void);
/* The largest block of threads that have `regs` registers each, in whole warps; 0: not even one. */
uint32_t bench_threads(const bench_limits_t *l, uint32_t regs);
/* Clusters, the last perhaps of fewer SMs than the others; the SM that gets a block of a launch in
 * which all blocks are resident, and whose first is on SM 0. */
uint32_t bench_clusters(const bench_limits_t *l);
uint32_t bench_sm(const bench_limits_t *l, uint32_t block);
/* The same with a smaller L1D. */
bench_gpu_t bench_gpu_with_l1d(const bench_gpu_t *g, uint32_t kb);

struct bench {
  bench_gpu_t gpu;
  unsigned first_sm;
  uint64_t limit; /* cycles of a launch */
  /* The model's. */
  device_cfg_t cfg;
  device_t *device;
  workload_t *workload;
  ptx_module_t *module; /* the workload's, if there is one */
  memory_t *memory;     /* likewise */
  simt_prepared_t prepared;
  /* A real GPU's, with module and memory. */
  card_module_t *code;
  bench_pinned_t pinned[BENCH_PINNED];
  unsigned n_pinned;
  bool pinned_flushed; /* the host has nothing of it in its caches */
  uint64_t put_hash;   /* a record's: of all that the host has put there */
};

/* Reads `text`, which is freed, and makes the bench, which must stay where it is. -1 and a message:
 * a PTX text of a study that cannot be read is the study's fault; BENCH_REFUSED and the reason if it
 * is an optional one. Textures of the model begin where
 * the memory does, at MEMORY_BASE. Also after an error the bench must be closed. */
int bench_open(bench_t *b, const bench_gpu_t *gpu, text_t *text, mrpb_err_t *err);
void bench_close(bench_t *b);

/* `bytes` of memory, zeroed; 0 and a message if there is no room. */
uint64_t bench_alloc(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err);
/* Where the host finds it: what it writes there is the GPU's after bench_put, what launches write
 * is there after bench_get. */
void *bench_at(const bench_t *b, uint64_t addr, uint64_t bytes);
/* The host's bytes become the GPU's. They are in no cache; bench_copy_in: they pass through the L2,
 * which then has them; bench_written: nobody cares. */
int bench_put(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err);
int bench_copy_in(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err);
int bench_written(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err);
int bench_get(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err);

/* Two words of each of `threads` from `addr` on, the clock at its start and at its end: cycles from
 * the first start to the last end. */
int bench_span(bench_t *b, uint64_t addr, uint32_t threads, uint32_t *cycles, mrpb_err_t *err);
/* The same of what is there already. */
uint32_t bench_span_of(const bench_t *b, uint64_t addr, uint32_t threads);
/* Of a side with an image of its own: an address of that or of pinned memory. */
void *bench_image_at(const bench_t *b, uint64_t addr, uint64_t bytes);
/* Cycles of so many ticks of %clock. */
uint32_t bench_cycles(const bench_t *b, uint32_t ticks);

/* One launch. DEVICE_DONE or how else it ended. */
device_end_t bench_run(bench_t *b, const bench_launch_t *l, mrpb_err_t *err);
/* One launch that must end well: -1 and a message if not. */
int bench_must(bench_t *b, const bench_launch_t *l, mrpb_err_t *err);
/* So many launches, one at least, each of which must end well and writes the ticks that it took to the word at
 * `addr`: cycles of the quickest. */
int bench_quickest(bench_t *b, const bench_launch_t *l, uint64_t addr, uint32_t launches,
                   uint32_t *cycles, mrpb_err_t *err);

#endif
