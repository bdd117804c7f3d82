/* SPDX-License-Identifier: Apache-2.0 */
/* Every opcode, type and word of the subset (workload/ptx/table.def) as a kernel of one
 * instruction, and pairs and triples of instructions that pass something on to each other. They
 * compare a GPU with the executor. opcodes.c runs them; opcode_texts.c, opcode_others.c,
 * opcode_lanes.c and opcode_sequences.c write them; opcode_values.c fills in operands. */
#ifndef OPCODES_H
#define OPCODES_H

#include "workload/ptx/table.h"

enum { OPCODE_OPERANDS = 4, OPCODE_THREADS = 65536, OPCODE_BLOCK = 256, OPCODE_TEXT = 8192 };
enum { OPCODE_IN = 32, OPCODE_OUT = 32 }; /* bytes per thread: four operands; results */

typedef struct {
  char name[128]; /* "add.rn.ftz.f32" */
  char text[OPCODE_TEXT];
  unsigned n_operands, n_results;
  ptx_type_t operand[OPCODE_OPERANDS]; /* each in its own 8 bytes */
  ptx_type_t result;                   /* n_results of them, one after the other */
  bool near;                           /* an approximation: the GPU's may differ */
  bool recent;                         /* needs sm_80 or sm_90 */
} opcode_t;

/* Called for each kernel. A return value other than 0 ends the enumeration and is its result. */
typedef int (*opcode_take_t)(void *ctx, const opcode_t *o);
int opcode_each(opcode_take_t take, void *ctx);
/* A part of opcode_each: instructions that no row of the table describes fully. */
int opcode_others(opcode_take_t take, void *ctx);
/* A part of opcode_each: operations between lanes and warps. */
int opcode_lanes(opcode_take_t take, void *ctx);
/* Not a part of opcode_each: pairs and triples. Returns OPCODE_TOO_LONG if a text does not fit. */
enum { OPCODE_TOO_LONG = 3 };
int opcode_sequences(opcode_take_t take, void *ctx);

/* Writes the kernel around `body`. Operand K is in %h1K, %r1K, %d1K, %f1K, %g1K or %p1K (16, 32, 64
 * bits, floating point, predicate). One result is in the same register with 20; the body stores
 * further results. in is %d1, out is %d2, the thread is %r1. `before` stands outside the kernel.
 * o->name, operand, result and n_results must be set. Returns false if the text is too long. */
bool opcode_text(opcode_t *o, const char *before, const char *body);
/* The letter of the registers of type `t`. */
char opcode_class(ptx_type_t t);
/* The type that loads and stores all bits of such a register. */
const char *opcode_word(ptx_type_t t);
/* Whether the subset accepts it. */
bool opcode_read(const opcode_t *o);

/* Operand `k` of thread `i` of `threads`: combinations of special values first, then random
 * ones. */
uint64_t opcode_value(const opcode_t *o, unsigned k, uint32_t i, uint32_t threads);

/* How far a GPU's results are from the executor's. */
typedef struct {
  uint64_t n, differ;       /* n: results; differ: those with different bits */
  uint64_t nan_bits, nan;   /* nan_bits: both are NaN with different bits; nan: only one is NaN */
  uint64_t ulp;             /* floating point: the largest distance of two numbers */
  double apart;             /* the largest difference */
  uint32_t thread, element; /* the first result that differs */
  uint64_t has, wants;      /* its values */
} opcode_difference_t;
void opcode_compare(const opcode_t *o, const uint8_t *has, const uint8_t *wants, uint32_t threads,
                    opcode_difference_t *d);

#endif
