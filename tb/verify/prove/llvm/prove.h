/* SPDX-License-Identifier: Apache-2.0 */
/* One module at one size: both sides in one graph, and the claims that must hold. */
#ifndef PROVE_PROVE_H
#define PROVE_PROVE_H

#include "verify/prove/decide.h"
#include "verify/prove/llvm/match.h"
#include "verify/prove/llvm/model.h"
#include "verify/prove/netlist.h"
#include "verilog/load/lib.h"

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  const char *root;     /* the project's folder */
  const rtl_env_t *env; /* source of the Verilog */
  const char *inv;      /* file in place of tb/verify/prove/inv/<stem>.c, or NULL */
  const char *c;        /* file in place of cmodel/<stem>.c, or a folder of such files, or NULL */
  unsigned limit, unroll;
  unsigned depth; /* cycles from a reset; 0: any state */
  const cells_t
      *cells;     /* a netlist in place of the Verilog; its `netlist` is NULL if there is none */
  match_t *match; /* inside a proof of a netlist: what its flip-flops are */
  engine_t engine;
  void (*doing)(void *context, const char *what, unsigned seconds);
  void *context; /* `doing` (may be NULL) is told what begins, and its time limit if it has one */
} prove_job_t;

enum {
  PROVE_YES = 0,
  PROVE_NO = 1,
  PROVE_BAD_INPUT = 2,
  PROVE_UNKNOWN = 3,
  PROVE_BAD_TOOL = PROVE_NO_MEMORY,
  PROVE_DISAGREE = 6,     /* the two engines contradict each other */
  PROVE_AGAIN = 7,        /* inside a proof of a netlist */
  PROVE_INTERRUPTED = 130 /* from here on: ended by a signal */
};

/* Something that must be equal on both sides, or that must not happen. */
typedef struct {
  lit_t bad; /* true where the claim fails, for a state that satisfies the invariant */
  char what[96];
  bool pair; /* c and rtl are the vectors that differ */
  bv_t c, rtl;
  /* Of a netlist: 1 + the flip-flop, or 1 + the register bit with which an element begins; 0: none */
  uint32_t flop, element;
} claim_t;

/* A cycle after a reset: the model's outputs, and the Verilog. */
typedef struct {
  bv_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  netlist_t *netlist;
} bounded_t;

/* Both sides over the same variables. */
typedef struct {
  aig_t *g;
  const uint32_t *cfg;
  model_t model;
  netlist_t *netlist;
  netlist_t *synthesis; /* the Verilog read with SYNTHESIS, if the text differs */
  rtl_source_t source;
  const bind_t *bind;          /* of a user's design; else NULL */
  netlist_t *late[MAP_LATEST]; /* the later cycles in which its outputs come */
  bv_t late_in[MAP_LATEST][MODULE_MAX_PORTS];
  unsigned n_late;
  bounded_t *cycle; /* used by bounded_open only */
  unsigned n_cycles;
  bv_t in[MODULE_MAX_PORTS];
  bv_t out_c[MODULE_MAX_PORTS], out_rtl[MODULE_MAX_PORTS];
  bv_t out_syn[MODULE_MAX_PORTS];
  bv_t *state, *next_c, *next_rtl;    /* by register, element after element */
  bv_t *next_syn;                     /* no bits: not present */
  unsigned first[MODEL_MAX_REGS + 1]; /* index of a register's first element in these */
  lit_t inv;                          /* of the state */
  lit_t holds;                        /* inv, and what a map assumes of the inputs so far */
  lit_t counts[MODULE_MAX_PORTS];     /* condition for comparing an output in a cycle */
  mem_t *before, *after; /* the model's memory in it, and after an edge (NULL: no registers) */
  claim_t *check;
  unsigned n_checks;
  /* Of a netlist (cells.h): its flip-flops' correspondence; the netlist in a reset; the variables of
   * the register bits; next values of flip-flops, and those in a reset; the model's bits after it */
  const match_t *match;
  netlist_t *again;
  lit_t *held, *flop_next, *flop_reset, *reset_to;
  unsigned n_upsets; /* bits whose flip is claimed not to be silent */
  size_t room;
} sides_t;

/* Opens both sides of `job`; files go to `temp`. sides_open also adds what must hold in any state
 * that satisfies the invariant. Returns 0, or an exit code and a message in err. */
int sides_start(sides_t *s, const prove_job_t *job, const char *temp, mrpb_err_t *err);
int sides_open(sides_t *s, const prove_job_t *job, const char *temp, mrpb_err_t *err);
void sides_close(sides_t *s);
/* Adds a claim: `bad` must not be true. */
claim_t *sides_claim(sides_t *s, lit_t bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* True where C's bits and the Verilog's differ. C may have more bits: those must be 0. */
lit_t sides_differ(sides_t *s, bv_t c, bv_t rtl);
/* With PARITY 1, claims of each bit of the state that its flip is masked or shown by error_o.
 * Returns 0, or -1 and a message in err. */
int upsets_claims(sides_t *s, mrpb_err_t *err);
/* Adds a condition that must not occur. */
void sides_refuse(sides_t *s, lit_t bad, const char *what);

/* Writes the module and all its sizes. */
void prove_name(const prove_job_t *job, FILE *out);
/* Builds, decides and writes the verdict to `out`; files go to the folder `temp`. */
int prove_run(const prove_job_t *job, const char *temp, FILE *out, mrpb_err_t *err);
/* The same for one question: the C model against the Verilog, or against the netlist of job->match.
 * PROVE_AGAIN: the correspondence has been changed, and it must be asked again. */
int prove_once(const prove_job_t *job, const char *temp, FILE *out, mrpb_err_t *err);

/* Like sides_open, but from a reset for `depth` cycles (bounded.c). */
int bounded_open(sides_t *s, const prove_job_t *job, const char *temp, mrpb_err_t *err);

/* Writes the state, the inputs and what differs for the assignment `cex`. */
void prove_trace(const sides_t *s, const uint8_t *cex, FILE *out);

#endif
