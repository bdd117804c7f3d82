/* SPDX-License-Identifier: Apache-2.0 */
/* Connects an external memory behind the L1s (connect.h): takes requests from the SMs' injection
 * buffers and delivers replies to their boundary buffers. The crossbars are unused. */
#ifndef FLITS_USER_MEMORY_H
#define FLITS_USER_MEMORY_H

#include "err.h"
#include "gpu/memories/connect.h"
#include "gpu/icnt/icnt.h"

typedef struct user_memory user_memory_t;

/* Returns 0, or -1 and a message in err if `accept` is missing. `icnt` must outlive the port. */
int user_memory_create(user_memory_t **out, const mrpb_gpu_memory_t *memory, icnt_t *icnt,
                       unsigned sms, mrpb_err_t *err);
void user_memory_destroy(user_memory_t *m);

/* One SM cycle: calls the memory's tick, passes requests to it and replies from it. */
void user_memory_cycle(user_memory_t *m, uint64_t cycle);
/* Answers request `id`. Returns 0, or -1 and a message in err if no such request is waiting. */
int user_memory_reply(user_memory_t *m, uint64_t id, mrpb_err_t *err);

/* Accepted requests whose replies have not reached their SM. */
uint32_t user_memory_in_flight(const user_memory_t *m);
const mrpb_err_t *user_memory_fault(const user_memory_t *m);

#endif
