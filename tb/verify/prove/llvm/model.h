/* SPDX-License-Identifier: Apache-2.0 */
/* A C model as the executor sees it: its objects, the locations of its registers in them, and its
 * two functions. */
#ifndef PROVE_MODEL_H
#define PROVE_MODEL_H

#include "module.h"
#include "verify/prove/llvm/exec.h"
#include "verify/prove/llvm/sources.h"

enum { MODEL_MAX_REGS = 320, MODEL_MAX_PARTS = 64 };

typedef struct {
  char name[64];
  unsigned width, words, elem_bytes;
  uint32_t object, offset;
} model_reg_t;

/* Bytes of the model that are neither registers nor derived from them. */
typedef struct {
  uint32_t object, offset, bytes;
} model_part_t;

typedef struct {
  const module_class_t *cls;
  exec_t *exec;
  mem_t *made; /* as create leaves it */
  val_t self;
  uint32_t first, end; /* objects first to end - 1 are the model's */
  unsigned n_regs, n_parts, n_in, n_out;
  model_reg_t reg[MODEL_MAX_REGS];
  model_part_t part[MODEL_MAX_PARTS];
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
} model_t;

/* Compiles the module from these sources, executes its create function, and finds its registers.
 * Returns 0, or an exit code and a message in err. */
int model_open(model_t *m, aig_t *g, const sources_t *from, const module_class_t *cls,
               const uint32_t *cfg, uint32_t unroll, mrpb_err_t *err);
void model_close(model_t *m);

/* Element `i` of register `r` in a memory: all its bits, including those above its width. */
bv_t model_get(const model_t *m, const mem_t *mem, unsigned r, unsigned i);
void model_set(const model_t *m, mem_t **mem, unsigned r, unsigned i, bv_t v);
/* model_register: the register to which a byte of an object belongs, NULL if none.
 * model_is_private: true if the byte belongs to a private part. */
const model_reg_t *model_register(const model_t *m, uint32_t object, uint32_t offset);
bool model_is_private(const model_t *m, uint32_t object, uint32_t offset);

/* Creates an object in `mem` with the input ports in the layout that comb and edge take; returns
 * its address. */
val_t model_inputs(model_t *m, mem_t **mem, const bv_t *in);

/* The next four functions return 0, or MODEL_UNKNOWN and a message in err. `in` has a vector for
 * each port. `after` receives the memory that comb leaves; the caller closes it. */
int model_comb(model_t *m, mem_t *state, const bv_t *in, bv_t *out, mem_t **after, mrpb_err_t *err);
int model_edge(model_t *m, mem_t **state, const bv_t *in, mrpb_err_t *err);
int model_derive(model_t *m, mem_t **state, mrpb_err_t *err);
int model_inv(model_t *m, mem_t *state, lit_t *holds, mrpb_err_t *err);

#endif
