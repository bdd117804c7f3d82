/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel trace of Accel-Sim's tracer while it is read, whatever file it comes from: its header, and
 * the warp whose instructions come now. */
#ifndef ACCEL_H
#define ACCEL_H

#include "workload/trace/store.h"

enum { ACCEL_LINE = 8192, ACCEL_WORDS = ACCEL_LINE / 2, ACCEL_REGS = 512, ACCEL_NAME = 256 };
enum { ACCEL_OLDEST = 1, ACCEL_PLACED = 2, ACCEL_NEWEST = 6 };

typedef struct {
  trace_store_t *s;
  char name[ACCEL_NAME];
  uint64_t grid[3], block[3], regs, shared, version;
  uint64_t with_lines;              /* each instruction begins with a source line number */
  uint64_t shared_base, local_base; /* windows of generic addresses; 0: not known */
  bool unknown;                     /* the header's latest line has a key that is not known */
  bool launched;
  bool raw; /* both halves of an LDGSTS stand there */
  /* the warp */
  uint64_t block_number, warp;
  trace_record_t r; /* its gap and waits collect */
  bool half;        /* the first half of an LDGSTS has been seen */
  bool exited;      /* its latest instruction was an EXIT */
  uint64_t loads;
  uint64_t reg_load[ACCEL_REGS]; /* 1 + the load that a register waits for, 0 none */
  char *word[ACCEL_WORDS];
} accel_t;

/* All: 0, or -1 and a message without the place. */

/* "-grid dim = (8,1,1)". */
int accel_header(accel_t *r, const char *line, mrpb_err_t *err);
/* The header has ended: the launch begins. */
int accel_launch(accel_t *r, mrpb_err_t *err);
/* A thread block's number from its place in the grid. */
int accel_block(accel_t *r, uint64_t x, uint64_t y, uint64_t z, mrpb_err_t *err);
/* A warp of the block begins, with no instruction yet. */
void accel_begin_warp(accel_t *r, uint64_t warp);
/* One instruction of it; `line` is changed. */
int accel_instruction(accel_t *r, char *line, mrpb_err_t *err);
int accel_end_warp(accel_t *r, mrpb_err_t *err);

#endif
