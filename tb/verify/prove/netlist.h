/* SPDX-License-Identifier: Apache-2.0 */
/* A Verilog module as gates and flip-flops, through Yosys, evaluated into an and-inverter graph. */
#ifndef PROVE_NETLIST_H
#define PROVE_NETLIST_H

#include "err.h"
#include "verilog/design/bind.h"
#include "verilog/lint/lint.h"
#include "module.h"
#include "verify/prove/bv.h"

typedef struct netlist netlist_t;

enum { NETLIST_OK = 0, NETLIST_BAD_INPUT = 2, NETLIST_BAD_TOOL = 5, NETLIST_NAME = 256 };

/* Has Yosys make the gates of a module that has passed lint_check, in the one reading or the other;
 * files of its own go to `temp`. 0 or an exit code and a message. */
int netlist_open(netlist_t **out, const lint_job_t *job, const lint_t *lint, bool synthesis,
                 const char *temp, mrpb_err_t *err);
/* Before anything is evaluated: an x is the same variable as in `other`, all of which has been
 * evaluated. */
void netlist_share(netlist_t *n, const netlist_t *other);
void netlist_close(netlist_t *n);

/* Ports of the top module: how many, and the i-th. */
unsigned netlist_ports(const netlist_t *n);
const char *netlist_port(const netlist_t *n, unsigned i, unsigned *width, bool *input);

/* Registers have the names that a map gives them, in a design of the user's; flip-flops that it does not name may hold
 * anything. `bind` must outlive the netlist. */
void netlist_map(netlist_t *n, const bind_t *bind);
/* Flip-flops hold what an initial block says, and all others that are given nothing may hold anything. */
void netlist_power_up(netlist_t *n);
/* Whether a bit of a register has a name there. */
bool netlist_named(const netlist_t *n, const char *name, unsigned i, unsigned bit);
/* How many flip-flops that no line names have been evaluated, and one of them. */
unsigned netlist_free(const netlist_t *n, const char **one);

/* Width of element `i` of a register of `words` elements ("head_q" or "u_bank.head_q") of `width` bits in C; 0 if a bit
 * of it is not the output of a flip-flop of its own. */
unsigned netlist_register(const netlist_t *n, const char *name, unsigned words, unsigned i,
                          unsigned width);

/* The cycle after `n`, which must outlive it: what registers hold is what they became there. */
netlist_t *netlist_later(netlist_t *n);

/* What a bit of a register powers up with by an initial block: 0, 1, or -1 if nothing says it. */
int netlist_init(const netlist_t *n, const char *name, unsigned words, unsigned i, unsigned bit);

/* Gives an input port or a register its literals. */
void netlist_set_port(netlist_t *n, const char *name, bv_t v);
void netlist_set_register(netlist_t *n, const char *name, unsigned words, unsigned i, bv_t v);

/* An output, or what a register becomes at the clock edge. An `x` is a new variable; bits without a name are 0. */
bv_t netlist_output(netlist_t *n, bv_ctx_t *x, const char *name);
bv_t netlist_next(netlist_t *n, bv_ctx_t *x, const char *name, unsigned words, unsigned i,
                  unsigned width);

/* What made an evaluation impossible: a register without a value, a gate that is not known, another
 * clock, a loop of gates. -1 and a message if there was something. */
int netlist_check(const netlist_t *n, mrpb_err_t *err);

#endif
