/* SPDX-License-Identifier: Apache-2.0 */
/* The delays of every port of a mapped netlist, measured with OpenSTA: from inputs to registers,
 * from registers to outputs, and from inputs straight to outputs. They are what a designer adds to
 * the delays outside, and what a Liberty model of the module says. */
#ifndef ESTIMATE_ARCS_H
#define ESTIMATE_ARCS_H

#include "estimate/synth.h"

enum { ARCS_NAME = 64 };

/* The delays between two sides: a port ("in_warp_i"), one of its bits ("in_warp_i[3]"), or "" for
 * all registers and memories. The clock is ideal, and inputs arrive at its edge. Of a bus, the
 * longest and the shortest of any bit count. */
typedef struct {
  char from[ARCS_NAME], to[ARCS_NAME];
  /* The longest path. To registers, their setup time is added: how long before the edge the input
   * must be stable. */
  double max_ns;
  /* The shortest path. To registers, their hold time is subtracted: an input must be stable until
   * -min_ns after the edge. */
  double min_ns;
  bool no_hold; /* it reaches only memories whose stub says no hold time; min_ns is 0 */
} arc_t;

typedef struct {
  char port[ARCS_NAME]; /* an input or one of its bits; of a bus the largest of any bit */
  double load_ff;       /* of its pins in the netlist */
} arcs_load_t;

typedef struct {
  char port[ARCS_NAME]; /* an output or one of its bits; of a bus the slowest bit */
  double slew_ns;       /* of its slower edge, as the cells' library measures slews */
} arcs_slew_t;

typedef struct {
  arc_t *arc;
  unsigned n;
  arcs_load_t *load; /* of the inputs, and of the clock */
  unsigned n_loads;
  arcs_slew_t *slew; /* of the outputs */
  unsigned n_slews;
} arcs_t;

/* What stands outside of the module. */
typedef struct {
  /* Slew of the inputs. 0: the library's smallest buffer drives them, as in sta_run, so that the
   * longest of all arcs is that period; its own delay counts as far as the input's load causes
   * it. */
  double slew_ns;
  double load_ff; /* of each output; 0: synth_load_ff, as in sta_run */
  bool bits;      /* a row for each bit of a bus, instead of one for the bus */
} arcs_outside_t;

/* Measures the netlist net.v in `folder`, where the stubs of the job's SRAMs are too. `liberty`, an
 * absolute path, has the cells: the job's file, or the same cells at another corner. One run of OpenSTA; a pair
 * without a path has no arc. Nothing is left in `folder`. Returns 0, and the caller calls
 * arcs_free; or -1 and one line in err. */
int arcs_run(const synth_job_t *job, const char *folder, const char *liberty,
             const arcs_outside_t *outside, arcs_t *arcs, mrpb_err_t *err);
void arcs_free(arcs_t *arcs);

/* The arc from one side to another; NULL if there is none. */
const arc_t *arcs_find(const arcs_t *arcs, const char *from, const char *to);
/* The load of an input; 0 if there is none of that name. */
double arcs_load(const arcs_t *arcs, const char *port);
/* The slew of an output; 0 if there is none of that name. */
double arcs_slew(const arcs_t *arcs, const char *port);

#endif
