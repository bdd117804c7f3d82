/* SPDX-License-Identifier: Apache-2.0 */
/* A memory of somebody else's behind the L1s (connect.h): takes the requests out of the SMs' injection
 * buffers and brings its replies to their boundary buffers; the crossbars do nothing. */
#ifndef GPU_MEMORY_PORT_H
#define GPU_MEMORY_PORT_H

#include "err.h"
#include "gpu/connect.h"
#include "gpu/icnt/icnt.h"

typedef struct memory_port memory_port_t;

/* 0, or -1 and a message: `accept` is missing. `icnt` must outlive it. */
int memory_port_create(memory_port_t **out, const mrpb_gpu_memory_t *memory, icnt_t *icnt,
                       unsigned sms, mrpb_err_t *err);
void memory_port_destroy(memory_port_t *m);

/* One SM cycle: the memory's own, requests to it, replies from it. */
void memory_port_cycle(memory_port_t *m, uint64_t cycle);
/* Request `id` is answered. -1 and a message: it is not one that waits. */
int memory_port_reply(memory_port_t *m, uint64_t id, mrpb_err_t *err);

/* Requests that were accepted and are not with their SM again. */
uint32_t memory_port_in_flight(const memory_port_t *m);
const mrpb_err_t *memory_port_fault(const memory_port_t *m);

#endif
