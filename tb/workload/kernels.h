/* The workloads by name, made by their own files; each returns NULL when out of memory. */
#ifndef KERNELS_H
#define KERNELS_H

#include "workload/workload.h"

/* Both kernels of atax, 2048 x 2048. */
workload_t *kernels_atax(const workload_options_t *options);

/* The i-th single-warp measurement; `kernels_micro_name` is NULL after the last. */
workload_t *kernels_micro(unsigned i, const workload_options_t *options);
const char *kernels_micro_name(unsigned i);
const char *kernels_micro_doc(unsigned i);

#endif
