/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of dependent operations (Listing 1 of paper 004). One thread shows the latency, many warps
 * show the throughput. */
#ifndef MICRO_KERNEL_CHAIN_H
#define MICRO_KERNEL_CHAIN_H

#include "studies/micro/kernels/bench.h"

enum { CHAIN_REGISTERS = 16 /* of a thread */ };

typedef enum { CHAIN_U32, CHAIN_S32, CHAIN_F32, CHAIN_F64 } chain_type_t;

/* %x is the chain's register, %c is a constant, %a and %b are free; all have type `type`. */
typedef struct {
  const char *name, *body;
  chain_type_t type;
  unsigned natives; /* PTX instructions of the body */
} chain_op_t;

typedef struct {
  double latency;    /* cycles between dependent operations, mean over the warps */
  double throughput; /* thread operations per cycle while all warps run */
} chain_result_t;

typedef struct {
  bench_t bench;
  unsigned repeat;
  uint64_t out;
} chain_t;

void chain_open(chain_t *c, const bench_gpu_t *gpu, const chain_op_t *op);
chain_result_t chain_run(chain_t *c, uint32_t threads);

#endif
