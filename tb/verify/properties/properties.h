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

enum { PROPERTIES_STEM = 48, PROPERTIES_SIZES = 192 };

/* One module at one size, and how far to look. */
typedef struct {
  char module[PROPERTIES_STEM]; /* a file of the RTL folder, without .v */
  char sizes[PROPERTIES_SIZES]; /* "QUEUES=3 DEPTH=2"; "" for the defaults */
  unsigned depth;               /* cycles from power-up that are searched for a counterexample */
  unsigned induction;           /* most steps assumed by the induction; 0: none is tried */
  unsigned cover; /* cycles in which every `cover` must be reached; 0: not looked for */
  bool brief;     /* belongs to the short list */
} properties_line_t;

typedef struct {
  const char *root;          /* the project's folder */
  const char *rtl;           /* folder of the Verilog */
  const rtl_env_t *env;      /* a design of the user's for this module, else NULL */
  const module_class_t *cls; /* of the design */
  const char
      *constants; /* Verilog before the properties of a design without a module of ours, or NULL */
  const char *again;   /* the command that repeats a refutation, or NULL: made of `program` */
  const char *results; /* folder for traces and scratch; made if it is missing */
  const char *only;    /* one property by its label (searched to `depth`, no induction), or NULL */
  const char *program; /* for the command that repeats a refutation */
  unsigned timeout;    /* seconds for each call of a tool */
  bool names;          /* every property by its name */
  FILE *out;
  bool (*stop)(void); /* asked between jobs; may be NULL */
} properties_setup_t;

/* Reads "MODULE [NAME=VALUE]... [depth=N] [induction=N] [cover=N] [short]" into `line`; `used` is
 * false for an empty line or a comment. 0, or -1 and a message. */
int properties_parse(const char *text, properties_line_t *line, bool *used, mrpb_err_t *err);

/* One job: a row of the table, and what there is to say about it, to setup->out. */
int properties_job(const properties_line_t *line, const properties_setup_t *setup, mrpb_err_t *err);

/* All of `n` jobs, `jobs` at a time, in one table with a sum. Returns the worst exit code. */
int properties_run(const properties_line_t *lines, unsigned n, unsigned jobs,
                   const properties_setup_t *setup, mrpb_err_t *err);

#endif
