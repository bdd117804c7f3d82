/* SPDX-License-Identifier: Apache-2.0 */
/* A Verilog module as gates and flip-flops, made by Yosys and evaluated into an and-inverter
 * graph. */
#ifndef PROVE_NETLIST_H
#define PROVE_NETLIST_H

#include "err.h"
#include "verilog/design/bind.h"
#include "verilog/lint/lint.h"
#include "module.h"
#include "verify/prove/bv.h"

typedef struct netlist netlist_t;

enum { NETLIST_OK = 0, NETLIST_BAD_INPUT = 2, NETLIST_BAD_TOOL = 5, NETLIST_NAME = 256 };

/* Runs Yosys to make the gates of a module that has passed lint_check, read with or without
 * SYNTHESIS; its files go to `temp`. Returns 0, or an exit code and a message in err. */
int netlist_open(netlist_t **out, const lint_job_t *job, const lint_t *lint, bool synthesis,
                 const char *temp, mrpb_err_t *err);
/* Call it before anything is evaluated: an x becomes the same variable as in `other`, all of which
 * must have been evaluated. */
void netlist_share(netlist_t *n, const netlist_t *other);
void netlist_close(netlist_t *n);

/* Ports of the top module: their number, and the i-th port. */
unsigned netlist_ports(const netlist_t *n);
const char *netlist_port(const netlist_t *n, unsigned i, unsigned *width, bool *input);

/* In a user's design, registers have the names that a map gives them, and flip-flops without a name
 * may hold any value. `bind` must outlive the netlist. */
void netlist_map(netlist_t *n, const bind_t *bind);
/* Flip-flops hold the values of an initial block; all others without a given value may hold any
 * value. */
void netlist_power_up(netlist_t *n);
/* True if a bit of a register has a name there. */
bool netlist_named(const netlist_t *n, const char *name, unsigned i, unsigned bit);
/* Number of unnamed flip-flops that have been evaluated, and the name of one. */
unsigned netlist_free(const netlist_t *n, const char **one);

/* Width of element `i` of a register of `words` elements ("head_q" or "u_bank.head_q") of `width`
 * bits in C; 0 if any bit of it is not the output of its own flip-flop. */
unsigned netlist_register(const netlist_t *n, const char *name, unsigned words, unsigned i,
                          unsigned width);

/* The same cycle in another state: nothing is set. An x becomes the same variable as in `n`, which
 * must have been evaluated and must outlive it. */
netlist_t *netlist_again(netlist_t *n);

/* The cycle after `n`, which must outlive it: registers hold their next values of `n`. */
netlist_t *netlist_later(netlist_t *n);

/* Power-up value of a register bit in an initial block: 0, 1, or -1 if there is none. */
int netlist_init(const netlist_t *n, const char *name, unsigned words, unsigned i, unsigned bit);

/* Sets the literals of an input port or a register. */
void netlist_set_port(netlist_t *n, const char *name, bv_t v);
void netlist_set_register(netlist_t *n, const char *name, unsigned words, unsigned i, bv_t v);

/* The value of an output, or the next value of a register. An `x` is a new variable; bits without a
 * name are 0. */
bv_t netlist_output(netlist_t *n, bv_ctx_t *x, const char *name);
bv_t netlist_next(netlist_t *n, bv_ctx_t *x, const char *name, unsigned words, unsigned i,
                  unsigned width);

/* Reports what made an evaluation impossible: a register without a value, an unknown gate, a second
 * clock, a loop of gates. Returns 0, or -1 and a message in err. */
int netlist_check(const netlist_t *n, mrpb_err_t *err);

#endif
