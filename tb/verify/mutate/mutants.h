/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of the Verilog of one module at one size (docs/verify/mutation.md). Yosys' `mutate` puts
 * all of them into one netlist, with an input that selects the active one; Verilator builds one
 * simulator from it. */
#ifndef MUTATE_MUTANTS_H
#define MUTATE_MUTANTS_H

#include "verilog/load/lib.h"
#include "verify/mutate/kill.h"
#include "verilog/design/verdict.h"

enum { MUTANTS_MAX = 2000, MUTANTS_TEXT = 64, MUTANTS_DIR = 768 };

typedef struct {
  unsigned number;           /* the value of mutsel */
  char mode[MUTANTS_TEXT];   /* "inv", "const0", ... (yosys -p 'help mutate') */
  char source[MUTANTS_TEXT]; /* "prt.v:90.27-91.67" */
  char port[MUTANTS_TEXT];   /* "ternary Y 2": kind of cell, its port, the bit */
} mutant_t;

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  char dir[MUTANTS_DIR]; /* holds mutants.v, with the module `stem` and its input mutsel */
  module_reg_t regs[MODULE_MAX_REGS]; /* their names and sizes, without data */
  /* Words of all registers, in order, and their widths: word k is the output state_<k> of the
   * netlist. */
  unsigned n_state, *state_width;
  unsigned n;
  mutant_t *list; /* n of them */
  rtl_lib_t *lib;
  rtl_source_t source; /* a user's design: only outputs are compared, as its map says */
} mutants_t;

enum { MUTANTS_SELECT_W = 16 }; /* bits of mutsel */

/* Makes at most `n` mutants (fewer if the netlist has fewer places). Yosys chooses them so that
 * every line of the source gets its share; the same `seed` gives the same mutants. The folder
 * build/mutants/<stem>-<sizes> is made anew. Returns RTL_OK, or RTL_BAD_INPUT or RTL_BAD_TOOL and a
 * message in err. */
int mutants_make(mutants_t *m, rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                 unsigned n, uint64_t seed, mrpb_err_t *err);
void mutants_free(mutants_t *m);
/* kill_run of the netlist with mutant `number` active, 0 for none. `seen` gets what was compared;
 * it may be NULL. */
int64_t mutants_run(const mutants_t *m, unsigned number, const kill_trace_t *t, verdict_t *seen);

#endif
