/* SPDX-License-Identifier: Apache-2.0 */
/* The user's options for the logic estimate. */
#ifndef ESTIMATE_LOGIC_OPTIONS_H
#define ESTIMATE_LOGIC_OPTIONS_H

#include "estimate/liberty.h"

#include <stdbool.h>

enum { LOGIC_LIBERTIES = 8, LOGIC_CORNERS = 4 };

/* Debian's qflow-tech-osu018: 180 nm, so that everybody can repeat a figure. */
#define LOGIC_LIBERTY "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

/* A number that the user may state. */
typedef struct {
  bool stated;
  double value;
} logic_stated_t;

/* What is around a module. The delays are 0 if not stated, but then there is no verdict. */
typedef struct {
  logic_stated_t input, output; /* ns outside, between a port and the registers there */
  logic_stated_t uncertainty;   /* ns, of the clock: skew and jitter */
  logic_stated_t l1;   /* ns, of the L1's answer: after its last register; with ANSWER 0, after the
                          request */
  logic_stated_t wire; /* fF a sink, for the second column; else LOGIC_WIRE_FF */
  logic_stated_t utilisation; /* the cells' share of the placed area; else LOGIC_UTILISATION */
} logic_surroundings_t;

#define LOGIC_WIRE_FF 0.7
#define LOGIC_UTILISATION 0.7

typedef struct {
  bool on, study;
  bool stock;                           /* Yosys' own script for ABC, not the one for speed */
  const char *liberty[LOGIC_LIBERTIES]; /* liberty_open's files; none: LOGIC_LIBERTY */
  unsigned n_liberties;
  const char *corner[LOGIC_CORNERS]; /* the same cells at other corners, for the same netlists */
  unsigned n_corners;
  liberty_dont_use_t dont_use;
  const char *rtl;      /* folder of the Verilog; NULL: rtl of the project */
  const char *cache;    /* folder for results; NULL: build/estimate/cache of the project */
  double clock_ghz;     /* slack is reported at this clock; 0: CLOCK_SM of the configuration */
  double sram_ns;       /* access time of every SRAM; 0: CACTI's, otherwise not known */
  const char *sram_lib; /* Liberty files of memory macros; NULL: none */
  logic_surroundings_t around;
  unsigned prove;         /* seconds for each question of a netlist's proof; 0: none is proved */
  unsigned jobs;          /* modules at the same time; 0: 2 */
  bool (*stop)(void);     /* polled while tools run; true ends the estimate; NULL: never */
  bool place;             /* place and route each module: docs/estimate/place.md */
  bool fpga;              /* and fit it into an iCE40 */
  unsigned place_seconds; /* the time limit of each; 0: PLACE_SECONDS */
  const char *check, *record; /* a file of recorded figures, instead of a report; NULL: none */
} logic_options_t;

#endif
