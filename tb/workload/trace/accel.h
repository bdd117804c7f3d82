/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel trace of Accel-Sim's tracer while it is read, from whatever kind of file: its header,
 * and the warp whose instructions are being read. */
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
  uint64_t shared_base, local_base; /* windows of generic addresses; 0: unknown */
  bool unknown;                     /* the header's latest line has an unknown key */
  bool launched;
  bool raw; /* both halves of each LDGSTS are present */
  /* the current warp */
  uint64_t block_number, warp;
  trace_record_t r; /* gap and waits accumulate here */
  bool half;        /* the first half of an LDGSTS has been read */
  bool exited;      /* its latest instruction was an EXIT */
  uint64_t loads;
  uint64_t reg_load[ACCEL_REGS]; /* 1 + the load that a register waits for, 0: none */
  char *word[ACCEL_WORDS];
} accel_t;

/* The functions that return int: 0, or -1 and a message without the place. */

/* Reads a line such as "-grid dim = (8,1,1)". */
int accel_header(accel_t *r, const char *line, mrpb_err_t *err);
/* Called at the end of the header: begins the launch. */
int accel_launch(accel_t *r, mrpb_err_t *err);
/* Sets the current block's number from its position in the grid. */
int accel_block(accel_t *r, uint64_t x, uint64_t y, uint64_t z, mrpb_err_t *err);
/* Begins a warp of the block, without instructions so far. */
void accel_begin_warp(accel_t *r, uint64_t warp);
/* Reads one instruction of the warp; modifies `line`. */
int accel_instruction(accel_t *r, char *line, mrpb_err_t *err);
int accel_end_warp(accel_t *r, mrpb_err_t *err);

#endif
