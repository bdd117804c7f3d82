/* SPDX-License-Identifier: Apache-2.0 */
/* One cell of a Liberty file, while it is read, and what kind of cell it turns out to be. */
#ifndef ESTIMATE_LIBERTY_CELL_H
#define ESTIMATE_LIBERTY_CELL_H

#include "estimate/liberty.h"
#include "verilog/liberty_text.h"

enum { LIBERTY_PINS = 6 };

typedef struct {
  char name[LIBERTY_NAME], function[LIBERTY_WORD];
  bool output, clock, internal;
  double cap;
} liberty_pin_t;

/* `n_pins` can exceed LIBERTY_PINS; such a cell is not one of those looked for. */
typedef struct {
  liberty_pin_t pin[LIBERTY_PINS];
  unsigned n_pins;
  bool odd; /* latch, three-state, statetable */
  char state[LIBERTY_NAME], inverse[LIBERTY_NAME];
  char next[LIBERTY_WORD], clock[LIBERTY_WORD], clear[LIBERTY_WORD], preset[LIBERTY_WORD];
} liberty_reading_t;

typedef enum {
  LIBERTY_OTHER,
  LIBERTY_NAND2,
  LIBERTY_INVERTER,
  LIBERTY_BUFFER,
  LIBERTY_FLOP,      /* rising edge, one data input */
  LIBERTY_FLOP_RESET /* the same, with a set or reset that an idle value switches off */
} liberty_sort_t;

/* The groups inside a cell whose attributes count. */
typedef enum { LIBERTY_IN_CELL, LIBERTY_IN_PIN, LIBERTY_IN_FF, LIBERTY_IN_OTHER } liberty_place_t;

/* A group opens in the cell. */
liberty_place_t liberty_cell_group(liberty_reading_t *c, liberty_cell_t *cell,
                                   const liberty_statement_t *s);
void liberty_cell_value(liberty_reading_t *c, liberty_cell_t *cell, liberty_place_t place,
                        const liberty_statement_t *s);
/* The cell is complete: fills in its pins. `*cap` gets the capacitance of its last input. */
liberty_sort_t liberty_cell_sort(const liberty_reading_t *c, liberty_cell_t *cell, double *cap);

#endif
