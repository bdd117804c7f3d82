/* SPDX-License-Identifier: Apache-2.0 */
/* A user's cores in place of the SMs (connect.h): they have no launches, and send requests when they
 * like. */
#ifndef GPU_USER_CORES_H
#define GPU_USER_CORES_H

#include "gpu/memories/connect.h"
#include "gpu/cores/cores.h"
#include "gpu/memories/memory.h"

/* Returns 0, or -1 and a message in err. `cfg`, `user` and `memory` must outlive the cores. */
int user_cores_create(cores_t **out, const config_t *cfg, const mrpb_gpu_cores_t *user,
                      gpu_memory_t *memory, mrpb_err_t *err);
/* A request at SM cycle `now`: see gpu_request. */
int user_cores_request(cores_t *c, const mrpb_gpu_request_t *r, uint64_t now, mrpb_err_t *err);

#endif
