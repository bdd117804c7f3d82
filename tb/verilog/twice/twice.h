/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a design that is not ours in several builds under one stimulus, and with Icarus: do they all
 * compute the same, and is an output x? docs/verify/simulators.md */
#ifndef TWICE_H
#define TWICE_H

#include "verilog/design/bind.h"
#include "verilog/twice/stimulus.h"

enum { TWICE_CYCLES = 20000, TWICE_ICARUS = 1000, TWICE_BUILDS = 3, TWICE_TEXT = 512 };

typedef struct {
  const char *object; /* its shared object */
  char by[64];        /* "Verilator 5.006 -O3" */
} twice_build_t;

typedef struct {
  const module_class_t *cls;
  const uint32_t *cfg;
  const bind_t *bind;                /* NULL: the design has our names */
  const char *place;                 /* its name in messages */
  twice_build_t build[TWICE_BUILDS]; /* the first one is the build in use */
  unsigned n_builds;
  const char *dir;  /* its Verilog, for Icarus */
  const char *temp; /* a folder for its files */
  char icarus[64];  /* "Icarus 11.0"; "": Icarus is not installed */
  unsigned patience;
} twice_job_t;

/* Texts for a verdict. */
typedef struct {
  char looked[TWICE_TEXT];  /* which tools have checked, and for how long */
  char unknown[TWICE_TEXT]; /* which output is x, and when; "": none that was checked */
} twice_found_t;

/* Returns RTL_OK, or RTL_BAD_TOOL (verilog/build.h) and a message in err if two of them differ or
 * one does not run. */
int twice_run(const twice_job_t *job, const twice_stimulus_t *s, twice_found_t *found,
              mrpb_err_t *err);

/* Some bits of an output, and the name that a reader knows them by. */
typedef struct {
  char name[BIND_TEXT];
  unsigned lsb, width; /* width: at most 64 */
} twice_piece_t;

/* All outputs of a build (out_words for each cycle), from power-up with `power`; random values come
 * from `seed`. Each build runs in a separate process. */
typedef struct {
  unsigned build;
  int power; /* a shim_power_t */
  uint64_t seed;
  uint64_t *out; /* allocated by twice_replay, freed by twice_replay_end */
} twice_replay_t;
/* Returns RTL_OK, or an exit code and a message in err. */
int twice_replay(const twice_job_t *job, const twice_stimulus_t *s, twice_replay_t *run, unsigned n,
                 mrpb_err_t *err);
void twice_replay_end(const twice_job_t *job, const twice_stimulus_t *s, twice_replay_t *run,
                      unsigned n);

/* Returns Icarus' outputs for the first `n` cycles: one character, 0, 1, x or z, for each output
 * bit; in a cycle, the first output's highest bit comes first. Returns NULL if there is no answer;
 * `why` then says why. The caller frees the result. */
char *twice_icarus(const twice_job_t *job, const twice_stimulus_t *s, size_t n,
                   char why[TWICE_TEXT]);

#endif
