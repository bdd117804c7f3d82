/* SPDX-License-Identifier: Apache-2.0 */
/* What a contract is to the engine in this folder: an interface, clauses, a model that finds the
 * clause that breaks, and an environment that draws legal inputs. Rows of inputs and outputs are
 * the arrays of the interface's class; a table of functions takes the place of C++. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "verify/contract/watch.h"

#include "verilog/load/lib.h"

#include <stdarg.h>

typedef struct {
  const char *name, *text;
} contract_clause_t;

/* The clause that broke (0: none), and one line about it. */
typedef struct {
  unsigned clause;
  char text[200];
} contract_broken_t;

enum { CONTRACT_HAS = 64, CONTRACT_CLAUSES = 32, CONTRACT_EPISODES = 8, CONTRACT_HEAD = 2 };

typedef struct contract contract_t;

/* The design under test, at a size; what it was made of outlives it. */
typedef struct {
  const contract_t *of;
  const shim_table_t *table;
  /* Makes an instance of a design that is not Verilog; NULL: table->create does. */
  void *(*create)(void *ctx, uint64_t seed);
  void *ctx;
  const rtl_lib_t *lib; /* NULL: not Verilog */
  rtl_env_t *env;       /* what `lib` was opened with */
  const bind_t *bind;   /* the map, bound to the design; NULL: not Verilog */
  const char *top;      /* its name */
  uint32_t cfg[MODULE_MAX_PARAMS];
  /* What the map connects: the contract's own struct. */
  _Alignas(max_align_t) unsigned char has[CONTRACT_HAS];
  uint32_t off; /* bit n: clause n is not promised */
  contract_watch_t *watch;
} contract_setup_t;

/* The inputs from power-up on, and the seed of the power-up state. */
typedef struct {
  uint64_t seed;
  size_t n, room;
  uint64_t *in; /* cls->in_words for each cycle */
} contract_case_t;

typedef enum { CONTRACT_END, CONTRACT_SKIP, CONTRACT_TRY } contract_simpler_t;

struct contract {
  const module_class_t *cls; /* its sizes and ports: without comb and edge */
  const char *what;          /* "mrpb-conform": begins a kept case */
  const contract_clause_t *clause;
  unsigned n_clauses, checks;        /* checks: the clause of the design's own checks */
  const char *hold;                  /* the word of a map's `hold` statement */
  unsigned most;                     /* statements of a map */
  size_t episode[CONTRACT_EPISODES]; /* cycles of the episodes, again and again */

  /* ---- the model: model_bytes of plain memory ---- */
  size_t model_bytes, seen_bytes;
  void (*start)(void *model, const contract_setup_t *setup, uint64_t seed);
  /* Changes inputs to those that the contract allows in this state. */
  void (*legal)(void *model, uint64_t *in);
  /* Plays a cycle before its clock edge. Returns false if a clause is broken. */
  bool (*cycle)(void *model, const uint64_t *in, const uint64_t *out);
  contract_broken_t *(*broken)(void *model);
  /* What a run has seen: plain memory of seen_bytes, all zeros at first. */
  const void *(*seen)(const void *model);
  void (*seen_add)(void *to, const void *more);

  /* ---- the environment: env_bytes of plain memory ---- */
  size_t env_bytes;
  void (*env_start)(void *env, uint64_t seed, size_t cycles);
  void (*env_next)(void *env, void *model, uint64_t *in);

  /* ---- the search for a shorter case ---- */
  unsigned sources; /* kinds of transactions; a cycle has at most one of each */
  bool (*has)(const contract_setup_t *s, const uint64_t *in, unsigned source);
  void (*silence)(const contract_setup_t *s, uint64_t *in, unsigned source);
  /* Whether it is the transaction of the cycle before, which goes on. */
  bool (*goes_with)(const contract_setup_t *s, const uint64_t *before, const uint64_t *in,
                    unsigned source);
  /* Offers again what the transactions of the first kind offered in the cycle before; NULL: there is
   * no such thing. */
  void (*stay)(const contract_setup_t *s, const uint64_t *before, uint64_t *in);
  /* Offers whatever the environment owes as soon as it is legal; NULL: there is no such thing. */
  void (*prompt)(const contract_setup_t *s, uint64_t *in);
  /* The k-th way to make values simpler; it is carried out if `apply`. */
  contract_simpler_t (*simpler)(const contract_setup_t *s, contract_case_t *c, size_t k,
                                bool apply);
  /* Below 0 if a cycle has simpler values than another. */
  int (*compare)(const contract_setup_t *s, const uint64_t *a, const uint64_t *b);

  /* ---- reports ---- */
  /* What happens in a cycle, each event after "; "; empty if nothing does. */
  void (*say)(const contract_setup_t *s, const uint64_t *in, const uint64_t *out, char *text,
              size_t size);
  /* Sets the bits of outputs that count in this cycle. */
  void (*counts)(const contract_setup_t *s, const uint64_t *in, const uint64_t *out,
                 uint64_t *counts);
  /* Clauses of which nothing is visible, as bits of their numbers. */
  uint32_t (*unseen)(const contract_setup_t *s);
  /* Lines below a verdict: what was offered; what was withheld. `seen` NULL: without numbers. */
  void (*print_seen)(FILE *out, const contract_setup_t *s, const void *seen);
  void (*print_withheld)(FILE *out, const contract_setup_t *s, const void *seen);
  /* Finds which events are visible through the map. Returns 0, or -1 and a message in err. */
  int (*find_events)(const bind_t *b, bool hold, void *has, mrpb_err_t *err);
};

/* Clause `number`, from 1 on. */
const contract_clause_t *contract_clause(const contract_t *of, unsigned number);
/* The number of the clause with this name, or with this number as text; 0 if there is none. */
unsigned contract_clause_number(const contract_t *of, const char *text);

/* Records the first clause that breaks, unless `off` has its bit. */
void contract_broke(contract_broken_t *b, uint32_t off, unsigned clause, const char *format,
                    va_list ap) __attribute__((format(printf, 4, 0)));

/* The inputs of cycle t. */
static inline uint64_t *contract_row(const contract_t *of, const contract_case_t *c, size_t t) {
  return c->in + t * of->cls->in_words;
}

#endif
