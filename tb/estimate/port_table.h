/* SPDX-License-Identifier: Apache-2.0 */
/* The arcs of every port of a netlist as files beside it: ports.csv with every arc, and ports.md
 * with a row for each port. */
#ifndef ESTIMATE_PORT_TABLE_H
#define ESTIMATE_PORT_TABLE_H

#include "estimate/logic.h"

/* Writes both into `folder`, where the netlist is, unless they are there. */
int port_table_make(const synth_job_t *job, const char *folder, mrpb_err_t *err);

#endif
