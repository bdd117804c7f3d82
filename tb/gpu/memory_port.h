/* SPDX-License-Identifier: Apache-2.0 */
/* Connects an external memory behind the L1s (connect.h): takes requests from the SMs' injection
 * buffers and delivers replies to their boundary buffers. The crossbars are unused. */
#ifndef GPU_MEMORY_PORT_H
#define GPU_MEMORY_PORT_H

#include "err.h"
#include "gpu/connect.h"
#include "gpu/icnt/icnt.h"

typedef struct memory_port memory_port_t;

/* Returns 0, or -1 and a message in err if `accept` is missing. `icnt` must outlive the port. */
int memory_port_create(memory_port_t **out, const mrpb_gpu_memory_t *memory, icnt_t *icnt,
                       unsigned sms, mrpb_err_t *err);
void memory_port_destroy(memory_port_t *m);

/* One SM cycle: calls the memory's tick, passes requests to it and replies from it. */
void memory_port_cycle(memory_port_t *m, uint64_t cycle);
/* Answers request `id`. Returns 0, or -1 and a message in err if no such request is waiting. */
int memory_port_reply(memory_port_t *m, uint64_t id, mrpb_err_t *err);

/* Accepted requests whose replies have not reached their SM. */
uint32_t memory_port_in_flight(const memory_port_t *m);
const mrpb_err_t *memory_port_fault(const memory_port_t *m);

#endif
