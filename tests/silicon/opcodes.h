/* SPDX-License-Identifier: Apache-2.0 */
/* Every opcode, type and word of the subset (workload/ptx/table.def) as a kernel of one instruction,
 * and pairs and triples of those that leave something to each other, for a GPU beside the executor:
 * opcodes.c runs them, opcode_texts.c, opcode_others.c, opcode_lanes.c and opcode_sequences.c write
 * them, opcode_values.c fills in operands. */
#ifndef OPCODES_H
#define OPCODES_H

#include "workload/ptx/table.h"

enum { OPCODE_OPERANDS = 4, OPCODE_THREADS = 65536, OPCODE_BLOCK = 256, OPCODE_TEXT = 8192 };
enum { OPCODE_IN = 32, OPCODE_OUT = 32 }; /* bytes of a thread: four operands; results */

typedef struct {
  char name[128]; /* "add.rn.ftz.f32" */
  char text[OPCODE_TEXT];
  unsigned n_operands, n_results;
  ptx_type_t operand[OPCODE_OPERANDS]; /* each in 8 bytes of its own */
  ptx_type_t result;                   /* n_results of them, one behind the other */
  bool near;                           /* an approximation: the GPU's may be another one */
  bool recent;                         /* of sm_80 or sm_90 */
} opcode_t;

/* Called for each; what it returns, if not 0, ends the rest and is the result. */
typedef int (*opcode_take_t)(void *ctx, const opcode_t *o);
int opcode_each(opcode_take_t take, void *ctx);
/* Of opcode_each: what no row of the table says how to write. */
int opcode_others(opcode_take_t take, void *ctx);
/* And what lanes and warps do with each other. */
int opcode_lanes(opcode_take_t take, void *ctx);
/* Not of opcode_each: pairs and triples. OPCODE_TOO_LONG if a text does not fit. */
enum { OPCODE_TOO_LONG = 3 };
int opcode_sequences(opcode_take_t take, void *ctx);

/* The kernel around `body`: operands in %h1K, %r1K, %d1K, %f1K, %g1K, %p1K (16, 32, 64 bits, floating
 * point, predicate), one result in the same with 20; more of them the body stores. in is %d1, out %d2,
 * the thread %r1. `before` stands outside of it. o->name, operand, result and n_results are there.
 * False if it is too long. */
bool opcode_text(opcode_t *o, const char *before, const char *body);
/* As the letter of its registers. */
char opcode_class(ptx_type_t t);
/* The type that loads and stores all bits of such a register. */
const char *opcode_word(ptx_type_t t);
/* Does the subset take it? */
bool opcode_read(const opcode_t *o);

/* Operand `k` of thread `i` of `threads`: special values with each other first, then random ones. */
uint64_t opcode_value(const opcode_t *o, unsigned k, uint32_t i, uint32_t threads);

/* How far the results of a GPU are from the executor's. */
typedef struct {
  uint64_t n, differ;       /* results; other bits */
  uint64_t nan_bits, nan;   /* of them: both not numbers; one of both */
  uint64_t ulp;             /* floating point: the largest distance of two numbers */
  double apart;             /* and the largest difference */
  uint32_t thread, element; /* the first that differs */
  uint64_t has, wants;      /* there */
} opcode_difference_t;
void opcode_compare(const opcode_t *o, const uint8_t *has, const uint8_t *wants, uint32_t threads,
                    opcode_difference_t *d);

#endif
