/* SPDX-License-Identifier: Apache-2.0 */
/* The wires as OpenSTA reads them: qrouter's trees of resistances and capacitances become a SPEF
 * file. */
#ifndef ESTIMATE_PLACE_WIRES_H
#define ESTIMATE_PLACE_WIRES_H

#include "estimate/place/layout.h"
#include "estimate/place/netlist.h"

#include <stdio.h>

/* Writes the nets in `rc`, the text of qrouter's file. Each net has qrouter's resistances; its
 * capacitance is that of its routed length in `def`, spread over the tree as qrouter's is. Returns
 * 0, or -1 and a message in err for a text that is no such file, or for a net that does not reach
 * all its pins. */
int wires_spef(const char *rc, const place_netlist_t *n, const layout_def_t *def, FILE *f,
               mrpb_err_t *err);

#endif
