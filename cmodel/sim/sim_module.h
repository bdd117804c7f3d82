/* SPDX-License-Identifier: Apache-2.0 */
/* A module of this library (MRPB, MSHR, PRT and their parts) as processes on the event kernel, made
 * from its table of ports: every port is a signal, every register is a signal that shows it, `comb`
 * is a combinational process and `edge` a clocked one. docs/kernel.md, "Modules on the kernel".
 *
 * Signals are named as in the Verilog. A port or register wider than 64 bits is several signals,
 * NAME_w0 the lowest; element e of a memory is NAME[e]; a register of a sub-module lies in a module
 * named as the instance. Registers change with the clock edge as in the Verilog: who reads one in a
 * clocked process sees the value of before the edge. Writing one has no effect on the unit. */
#ifndef SIM_SIM_MODULE_H
#define SIM_SIM_MODULE_H

#include "module.h"
#include "sim/sim.h"

typedef struct {
  const char *port; /* or NAME_w0 of a wide one */
  sim_sig_t sig;    /* of the port's width */
} sim_bind_t;

typedef struct {
  const char *name;       /* of the instance */
  const char *stem;       /* "mrpb", "mshr", "prt", ...: cmodel/ports */
  const uint32_t *cfg;    /* the Verilog's parameters in the order of the table; NULL: defaults */
  sim_clock_t clk;        /* a module without registers needs none */
  const sim_bind_t *bind; /* ports that are signals which are there already, as in an instantiation
                             in Verilog; each other one gets a signal of its own */
  size_t n_bind;
  /* Outputs, a space between two, that depend on registers only: a process of their own drives
   * them, so that they may decide inputs of the same cycle under the static scheduler, too. NULL:
   * none. A wrong claim ends the run: sim_unit_fault. */
  const char *early;
  bool hide_regs; /* no signals for registers: faster */
} sim_unit_setup_t;

typedef struct sim_unit sim_unit_t;

/* An instance in its state after reset, before sim_elaborate. 0, or -1 and a message (no such
 * module, an illegal configuration, a port that is not there, is bound twice or has another width);
 * *out is then NULL. Names that are not legal are reported by sim_elaborate. Nothing of the setup
 * but `stem` needs to stay. */
int sim_unit_create(sim_unit_t **out, sim_t *sim, sim_module_t parent,
                    const sim_unit_setup_t *setup, mrpb_err_t *err);

/* After the last run; the simulation may be destroyed before or after. */
void sim_unit_destroy(sim_unit_t *unit);

/* The signal of a port (NAME_w0 of a wide one); a zeroed handle if there is none. */
sim_sig_t sim_unit_port(const sim_unit_t *unit, const char *port);

/* Why the unit stopped the run; NULL if it did not. */
const char *sim_unit_fault(const sim_unit_t *unit);

#endif
