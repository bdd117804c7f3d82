/* SPDX-License-Identifier: Apache-2.0 */
/* A module of this library (MRPB, MSHR, PRT and their parts) as processes on the event kernel, made
 * from its table of ports: every port is a signal, every register is a signal that shows its value,
 * `comb` is a combinational process and `edge` a clocked one. docs/kernel.md, "Modules on the
 * kernel".
 *
 * Signals are named as in the Verilog. A port or register wider than 64 bits becomes several
 * signals, of which NAME_w0 is the lowest; element e of a memory is NAME[e]; a register of a
 * sub-module lies in a module named after the instance. Registers change with the clock edge as in
 * the Verilog: a clocked process that reads one sees the value before the edge. Writing a
 * register's signal has no effect on the unit. */
#ifndef SIM_SIM_MODULE_H
#define SIM_SIM_MODULE_H

#include "module.h"
#include "sim/sim.h"

typedef struct {
  const char *port; /* or NAME_w0 of a wide port */
  sim_sig_t sig;    /* as wide as the port */
} sim_bind_t;

typedef struct {
  const char *name;       /* name of the instance */
  const char *stem;       /* "mrpb", "mshr", "prt", ...: cmodel/ports */
  const uint32_t *cfg;    /* the Verilog's parameters in the order of the table; NULL: defaults */
  sim_clock_t clk;        /* not needed by a module without registers */
  const sim_bind_t *bind; /* connects ports to existing signals, as an instantiation in Verilog
                           * does; each other port gets a signal of its own */
  size_t n_bind;
  /* Outputs, separated by spaces, that depend on registers only. A separate process drives them, so
   * that they may decide inputs of the same cycle under the static scheduler as well. NULL: none. A
   * wrong claim ends the run: sim_unit_fault. */
  const char *early;
  bool hide_regs; /* create no signals for registers: faster */
} sim_unit_setup_t;

typedef struct sim_unit sim_unit_t;

/* Creates an instance in its state after reset; call it before sim_elaborate. Returns 0, or -1 and
 * a message (no such module, an illegal configuration, a port that does not exist, is bound twice
 * or has another width); *out is then NULL. Illegal names are reported by sim_elaborate. Of the
 * setup, only `stem` must stay valid. */
int sim_unit_create(sim_unit_t **out, sim_t *sim, sim_module_t parent,
                    const sim_unit_setup_t *setup, mrpb_err_t *err);

/* Call it after the last run; the simulation may be destroyed before or after. */
void sim_unit_destroy(sim_unit_t *unit);

/* Returns the signal of a port (NAME_w0 of a wide one), or a zeroed handle if there is none. */
sim_sig_t sim_unit_port(const sim_unit_t *unit, const char *port);

/* Returns why the unit stopped the run, or NULL if it did not. */
const char *sim_unit_fault(const sim_unit_t *unit);

#endif
