/* SPDX-License-Identifier: Apache-2.0 */
/* What an estimate needs of a Liberty file: its corner and units, the area of every cell, and which
 * cells are the NAND2, the inverter, the buffer and the flip-flop. Delays are left to ABC and
 * OpenSTA. */
#ifndef ESTIMATE_LIBERTY_H
#define ESTIMATE_LIBERTY_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

enum { LIBERTY_NAME = 64, LIBERTY_PATH = 1024 };

typedef struct {
  char name[LIBERTY_NAME];
  char in[LIBERTY_NAME];  /* first input pin that is not a clock */
  char out[LIBERTY_NAME]; /* first output pin; "" if none */
  double area;            /* -1: not given */
  bool flop;              /* an `ff` of any kind */
} liberty_cell_t;

typedef struct {
  char path[LIBERTY_PATH]; /* absolute */
  uint64_t hash;           /* of the file */
  char name[LIBERTY_NAME]; /* of the library */
  char corner[LIBERTY_NAME];
  double process, voltage, temperature;
  char time_unit[16]; /* "1ns" */
  double load_ff;     /* one unit of capacitance, in fF */
  liberty_cell_t *cell;
  unsigned n_cells;
  /* The smallest cell of each kind, by area. */
  const liberty_cell_t *nand2, *inverter, *buffer, *flop;
  double nand2_cap_ff; /* an input of the NAND2 */
} liberty_t;

/* Reads `path`. Returns -1 and one line in err if the file does not exist, is not a Liberty file,
 * or has no NAND2, inverter, buffer or rising-edge D flip-flop. */
int liberty_open(liberty_t *lib, const char *path, mrpb_err_t *err);
void liberty_close(liberty_t *lib);

/* Returns NULL if there is no cell of that name. */
const liberty_cell_t *liberty_cell(const liberty_t *lib, const char *name);

/* The truth table of `function` over at most 5 pins `name` (bit i of the index: pin i); -1 if it is
 * not a function of these. */
int64_t liberty_function(const char *function, const char *const *name, unsigned n);

#endif
