/* SPDX-License-Identifier: Apache-2.0 */
/* Memory macros of a user's Liberty files (--sram-lib), in place of CACTI's figures. */
#ifndef ESTIMATE_SRAM_LIB_H
#define ESTIMATE_SRAM_LIB_H

#include "estimate/sram.h"

enum { SRAM_LIB_MACROS = 128 };

typedef struct {
  char name[SRAM_NAME];
  uint32_t words, bits;
  bool one_port; /* reads and writes share an address: two accesses take two cycles of the macro */
  double area_um2, access_ns, setup_ns; /* the largest of their tables */
} sram_lib_macro_t;

typedef struct {
  sram_lib_macro_t macro[SRAM_LIB_MACROS];
  unsigned n;
} sram_lib_t;

/* Reads the cells with a `memory` group of `files` (liberty_text_files). Returns -1 and one line in
 * err if a file cannot be read, has no such cell, or if one has no area or no access time. */
int sram_lib_open(sram_lib_t *lib, const char *files, mrpb_err_t *err);

/* Gives an SRAM the figures of the macro that covers its words and bits with the least area, side
 * by side and one above the other if it must. A register file, which is read without a clock, is no
 * such macro: returns false. */
bool sram_lib_take(const sram_lib_t *lib, sram_t *s);

#endif
