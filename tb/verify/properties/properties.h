/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the Verilog (rtl/formal/<stem>_props.vh), decided by Yosys, yosys-smtbmc and z3:
 * see docs/verify/properties.md. */
#ifndef PROPERTIES_H
#define PROPERTIES_H

#include "err.h"
#include "verilog/load/lib.h"

#include <stdbool.h>
#include <stdio.h>

/* Exit codes of a job, of a list, and of the command. */
enum {
  PROPERTIES_HOLD = 0,
  PROPERTIES_REFUTED = 1,
  PROPERTIES_BAD_INPUT = 2,
  PROPERTIES_UNDECIDED = 3,
  PROPERTIES_BAD_TOOL = 5
};

enum { PROPERTIES_STEM = 48, PROPERTIES_SIZES = 768 };

/* One module at one size, and how far to search. */
typedef struct {
  char module[PROPERTIES_STEM]; /* a file of the RTL folder, without .v */
  char sizes[PROPERTIES_SIZES]; /* "QUEUES=3 DEPTH=2"; "" for the defaults */
  unsigned depth;               /* cycles from power-up that are searched for a counterexample */
  unsigned induction;           /* most steps assumed by the induction; 0: no induction */
  /* Cycles in which every `cover` must be reached; 0: covers are not checked. */
  unsigned cover;
  bool brief; /* belongs to the short list */
} properties_line_t;

typedef struct {
  const char *root;          /* the project's folder */
  const char *rtl;           /* folder of the Verilog */
  const rtl_env_t *env;      /* a user's design for this module, else NULL */
  const module_class_t *cls; /* of the design */
  /* Verilog before the properties of a design that implements none of our modules, or NULL. */
  const char *constants;
  const char *again;   /* the command that repeats a refutation, or NULL: uses `program` */
  const char *results; /* folder for traces and scratch; made if missing */
  const char *only;    /* one property by its label (searched to `depth`, no induction), or NULL */
  const char *program; /* for the command that repeats a refutation */
  unsigned timeout;    /* seconds for each call of a tool */
  bool names;          /* lists every property by its name */
  FILE *out;
  bool (*stop)(void); /* called between jobs; may be NULL */
} properties_setup_t;

/* Reads "MODULE [NAME=VALUE]... [depth=N] [induction=N] [cover=N] [short]" into `line`; `used`
 * becomes false for an empty line or a comment. Returns 0, or -1 and a message in err. */
int properties_parse(const char *text, properties_line_t *line, bool *used, mrpb_err_t *err);

/* Runs one job and prints its row of the table and its remarks to setup->out. Returns an exit
 * code. */
int properties_job(const properties_line_t *line, const properties_setup_t *setup, mrpb_err_t *err);

/* Runs all `n` jobs, `jobs` at a time, in one table with a sum. Returns the worst exit code. */
int properties_run(const properties_line_t *lines, unsigned n, unsigned jobs,
                   const properties_setup_t *setup, mrpb_err_t *err);

#endif
