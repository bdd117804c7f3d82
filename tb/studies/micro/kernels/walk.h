/* SPDX-License-Identifier: Apache-2.0 */
/* One thread that walks a ring of addresses, where each load's value is the next address: the
 * average latency (paper 004, sections IV-F to IV-I). Another block may disturb it meanwhile. */
#ifndef MICRO_WALK_H
#define MICRO_WALK_H

#include "studies/micro/kernels/bench.h"
#include "studies/micro/kernels/chain.h"

typedef enum { WALK_GLOBAL, WALK_SHARED, WALK_CONST } walk_space_t;
typedef enum { RIVAL_NONE, RIVAL_DATA, RIVAL_CODE } rival_t;

/* Loads unrolled in the loop: its code is then a kilobyte or a quarter of one. */
enum { WALK_LONG = 64, WALK_SHORT = 16 };
enum { WALK_RIVAL_CODE = 10240 /* bytes of a rival's code loop */, WALK_MOST = 4096 };

typedef struct {
  bench_t bench;
  walk_space_t space;
  unsigned unroll;
  uint64_t base;  /* global space: the memory that is walked over */
  uint64_t out;   /* where the result and the flag are written */
  uint64_t bytes; /* of that memory */
} walk_t;

/* For constants, each load needs one address computation. */
void walk_open(walk_t *w, const bench_gpu_t *gpu, walk_space_t space, unsigned unroll,
               uint64_t bytes);

typedef struct {
  const uint64_t *at; /* offsets, all different */
  size_t n;           /* at most WALK_MOST */
  unsigned sm;
  rival_t rival; /* runs in block number `where`; its data: the same offsets + `beyond` */
  uint32_t where;
  uint64_t beyond;
} walk_ring_t;

/* Mean cycles of an access over whole rounds of the ring, after at least one round that does not
 * count. */
double walk_average(walk_t *w, const walk_ring_t *r);
/* The same for the offsets 0, stride, 2 x stride ... below `bytes`, on SM 0. */
double walk_stride(walk_t *w, uint64_t bytes, uint64_t stride);
/* The same on one SM of every cluster: the mean of them, the least and the most. */
typedef struct {
  double mean, least, most;
} walk_mean_t;
walk_mean_t walk_placements(walk_t *w, uint64_t bytes, uint64_t stride);

#endif
