/* SPDX-License-Identifier: Apache-2.0 */
/* What an estimate needs of a library of cells: its corner and units, the area of every cell, and
 * which cells are the NAND2, the inverter, the buffer and the flip-flop. Delays are left to ABC and
 * OpenSTA, which read a copy of the library (liberty_write). docs/estimate/libraries.md says what
 * the copy leaves out. */
#ifndef ESTIMATE_LIBERTY_H
#define ESTIMATE_LIBERTY_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIBERTY_NAME = 64, LIBERTY_PATH = 1024, LIBERTY_GLOBS = 32 };

typedef struct {
  char name[LIBERTY_NAME];
  char in[LIBERTY_NAME];  /* first input pin; of a flip-flop, its D */
  char out[LIBERTY_NAME]; /* first output pin, of a flip-flop the one with its state; "" if none */
  double area;            /* -1: not given */
  bool flop;              /* an `ff` of any kind */
  bool inverted;          /* a flip-flop that has its state only inverted (QN) */
  bool unused;            /* left out of the copy: dont_use */
} liberty_cell_t;

/* Which cells no netlist may contain, besides those that the library marks. */
typedef struct {
  const char *glob[LIBERTY_GLOBS]; /* names with * and ? */
  unsigned n;
} liberty_dont_use_t;

typedef struct {
  char path[LIBERTY_PATH]; /* absolute, of the first file */
  unsigned n_files;
  uint64_t hash;           /* of the copy */
  char name[LIBERTY_NAME]; /* of the library in the first file */
  char corner[LIBERTY_NAME];
  double process, voltage, temperature;
  char time_unit[16]; /* "1ns" */
  double load_ff;     /* one unit of capacitance, in fF */
  bool wire_load;     /* the files have one, which the copy leaves out */
  unsigned node_nm;   /* of a known library; 0: not known */
  liberty_cell_t *cell;
  unsigned n_cells, n_unused;
  /* The smallest cell of each kind, by area. */
  const liberty_cell_t *nand2, *inverter, *buffer, *flop;
  double nand2_cap_ff; /* an input of the NAND2 */
  char *copy;
  size_t copy_size;
  char written[LIBERTY_PATH]; /* where the copy is, for the tools; "" before liberty_write */
} liberty_t;

/* Reads a library from `files`: one file, or several of the same corner, separated by commas; each
 * plain or compressed (gz, xz, zst). `dont_use` may be NULL. For known libraries, the cells that
 * they cannot place (clock gates of a power domain, probes) are unused, too. Returns -1 and one
 * line in err if a file does not exist, is not a Liberty file or has another corner, if a cell is
 * in two files, or if the library has no NAND2, inverter, buffer or rising-edge D flip-flop. */
int liberty_open(liberty_t *lib, const char *files, const liberty_dont_use_t *dont_use,
                 mrpb_err_t *err);
void liberty_close(liberty_t *lib);

/* Writes the copy as one plain file into `folder`, whose path is absolute. The file's name contains
 * its hash, and a file that exists is taken. */
int liberty_write(liberty_t *lib, const char *folder, mrpb_err_t *err);

/* Returns NULL if there is no cell of that name. */
const liberty_cell_t *liberty_cell(const liberty_t *lib, const char *name);

/* The truth table of `function` over at most 5 pins `name` (bit i of the index: pin i); -1 if it is
 * not a function of these. */
int64_t liberty_function(const char *function, const char *const *name, unsigned n);

#endif
