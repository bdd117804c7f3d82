/* SPDX-License-Identifier: Apache-2.0 */
/* The user's options for the logic estimate. */
#ifndef ESTIMATE_LOGIC_OPTIONS_H
#define ESTIMATE_LOGIC_OPTIONS_H

#include <stdbool.h>

enum { LOGIC_LIBERTIES = 4 };

/* Debian's qflow-tech-osu018: 180 nm, so that everybody can repeat a figure. */
#define LOGIC_LIBERTY "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

typedef struct {
  bool on, study;
  bool stock;                           /* Yosys' own script for ABC, not the one for speed */
  const char *liberty[LOGIC_LIBERTIES]; /* none: LOGIC_LIBERTY */
  unsigned n_liberties;
  const char *rtl;    /* folder of the Verilog; NULL: rtl of the project */
  const char *cache;  /* folder for results; NULL: build/estimate/cache of the project */
  double clock_ghz;   /* slack is reported at this clock; 0: the paper's 1.15 GHz */
  double sram_ns;     /* access time of every SRAM; 0: CACTI's, otherwise a number of FO4 delays */
  unsigned prove;     /* seconds for each question of a netlist's proof; 0: none is proved */
  unsigned jobs;      /* modules at the same time; 0: 2 */
  bool (*stop)(void); /* polled while tools run; true ends the estimate; NULL: never */
  const char *check, *record; /* a file of recorded figures, instead of a report; NULL: none */
} logic_options_t;

#endif
