/* SPDX-License-Identifier: Apache-2.0 */
/* A design that is not ours in several builds under one stimulus, and by Icarus: whether they compute one thing, and
 * whether an output is x. docs/verify/simulators.md */
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
  const bind_t *bind;                /* NULL: it has our names */
  const char *place;                 /* what it is, for messages */
  twice_build_t build[TWICE_BUILDS]; /* the first one is the one that is used */
  unsigned n_builds;
  const char *dir;  /* its Verilog, for Icarus */
  const char *temp; /* a folder for its files */
  char icarus[64];  /* "Icarus 11.0"; "": there is none */
  unsigned patience;
} twice_job_t;

/* Texts for a verdict. */
typedef struct {
  char looked[TWICE_TEXT];  /* who has looked, and for how long */
  char unknown[TWICE_TEXT]; /* which output is x, and when; "": none that was looked at */
} twice_found_t;

/* RTL_OK, or RTL_BAD_TOOL (verilog/build.h) and a message: two of them differ, or one does not run. */
int twice_run(const twice_job_t *job, const twice_stimulus_t *s, twice_found_t *found,
              mrpb_err_t *err);

/* Some bits of an output, and what a reader calls them. */
typedef struct {
  char name[BIND_TEXT];
  unsigned lsb, width; /* width: at most 64 */
} twice_piece_t;
void twice_piece(const twice_job_t *job, unsigned port, unsigned bit, twice_piece_t *p);

/* All outputs of a build (out_words of each cycle) from power-up with `power`, at random from `seed`. Each runs in a
 * process of its own. */
typedef struct {
  unsigned build;
  int power; /* a shim_power_t */
  uint64_t seed;
  uint64_t *out; /* twice_replay makes it, twice_replay_end frees it */
} twice_replay_t;
/* RTL_OK, or an exit code and a message. */
int twice_replay(const twice_job_t *job, const twice_stimulus_t *s, twice_replay_t *run, unsigned n,
                 mrpb_err_t *err);
void twice_replay_end(const twice_job_t *job, const twice_stimulus_t *s, twice_replay_t *run,
                      unsigned n);

/* What Icarus says of the first `n` cycles: a character, 0, 1, x or z, for each bit of the outputs, of a cycle the first
 * output's highest one first. NULL if it does not say it: `why` has the words. The caller frees it. */
char *twice_icarus(const twice_job_t *job, const twice_stimulus_t *s, size_t n,
                   char why[TWICE_TEXT]);

#endif
