/* The workloads by name, made by their own files; each returns NULL when out of memory. */
#ifndef KERNELS_H
#define KERNELS_H

#include "workload/workload.h"

typedef enum { WORKLOAD_MODEL_A, WORKLOAD_MODEL_B } workload_model_t;

typedef struct {
  uint32_t cut; /* inner loop cut to so many iterations at the true row pitch; 0 is full length */
  workload_model_t model; /* which compiler's instruction stream, where a kernel has both */
} workload_options_t;

/* Opens the workload `name`; -1 and a message with the nearest known name if there is none. */
int workload_open(workload_t **w, const char *name, const workload_options_t *options,
                  mrpb_err_t *err);

/* Name and one line about the i-th known workload; NULL after the last. */
const char *workload_name(unsigned i);
const char *workload_doc(unsigned i);

/* Both kernels of atax, 2048 x 2048. */
workload_t *kernels_atax(const workload_options_t *options);

/* The i-th single-warp measurement; `kernels_micro_name` is NULL after the last. */
workload_t *kernels_micro(unsigned i, const workload_options_t *options);
const char *kernels_micro_name(unsigned i);
const char *kernels_micro_doc(unsigned i);

#endif
