/* SPDX-License-Identifier: Apache-2.0 */
/* The cores of a GPU: they take the blocks of a launch, run them, and send requests into the memory.
 * A class of cores is one way to do so: the SMs of gpu/pipeline (sms.h), those of gpu/inorder, or a user's
 * own (user_cores.h).
 * One object stands for all cores of the GPU, so that a cycle costs one call. */
#ifndef GPU_CORES_H
#define GPU_CORES_H

#include "base/set.h"
#include "config/config.h"
#include "err.h"
#include "gpu/check/check.h"
#include "gpu/cores/counts.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cores cores_t;

/* A function that is NULL is one that this class does not need: gpu.c leaves it out. */
typedef struct {
  void (*destroy)(cores_t *c);

  /* A launch begins; no block is resident. Returns 0, or -1 and a message in err if a core lacks
   * what one block needs. */
  int (*start)(cores_t *c, const launch_t *launch, uint64_t now, mrpb_err_t *err);
  /* The cores that can take another block. */
  const set_t *(*with_room)(const cores_t *c);
  /* Core `i` takes a block. Returns 0, or -1 and a message in err if memory runs out. */
  int (*take_block)(cores_t *c, unsigned i, uint32_t block, uint64_t now, mrpb_err_t *err);
  /* A block is resident. */
  bool (*busy)(const cores_t *c);

  /* The first and the last stage of an SM cycle: replies arrive; everything else. `more`: blocks are
   * left to place. cycle returns 0, or -1 and a message in err: C and Verilog differ, or memory runs
   * out. */
  void (*receive)(cores_t *c, uint64_t now);
  int (*cycle)(cores_t *c, uint64_t now, bool more, mrpb_err_t *err);
  /* The next cycle in which something may happen; UINT64_MAX if nothing ever will. NULL: every cycle
   * is run. Cores that have it take as many blocks as they have room for, and do so before the
   * cycle in which the blocks begin. */
  uint64_t (*due)(const cores_t *c);
  /* Nothing will happen until a reply arrives. NULL: this is not known. */
  bool (*waits)(const cores_t *c);
  /* What a program reads as %clock. NULL: the number of the cycle. */
  const uint64_t *(*clock)(const cores_t *c);
  /* Brings sleeping cores up to cycle `now`, so that their statistics are current. */
  void (*catch_up)(cores_t *c, uint64_t now);

  /* Increases whenever something moves, for the hang detector. */
  uint64_t (*progress)(const cores_t *c);
  /* True if nothing need move: nothing is asked of the memory. */
  bool (*at_rest)(const cores_t *c);

  void (*set_check)(cores_t *c, check_t *check, uint32_t hazards);
  /* Adds what the cores have counted. */
  void (*count)(const cores_t *c, gpu_counted_t *sum);
  void (*dump)(cores_t *c, FILE *out);
} cores_class_t;

/* The beginning of each class's object. */
struct cores {
  const cores_class_t *cls;
};

#endif
