/* SPDX-License-Identifier: Apache-2.0 */
/* A stimulus as data: the inputs of one module in every cycle, in memory and as a text file
 * (docs/verify/replay.md). The file NAME.vec (or NAME.vec.xz, read only) is all that a replay
 * needs; NAME.json beside it says the same and where it is from, for people and scripts. */
#ifndef COSIM_VECTORS_H
#define COSIM_VECTORS_H

#include "err.h"
#include "module.h"

#include <stdint.h>

enum { VECTORS_TEXT = 384 };

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  uint64_t seed;  /* of the Verilog's power-up state */
  uint64_t n;     /* cycles, the reset at the beginning included */
  uint64_t *in;   /* n times cls->in_words words, no bit set above its port's width */
  uint64_t room;  /* cycles that `in` has memory for */
  uint64_t *mask; /* cls->in_words words: the bits that exist */
  /* Notes, one line each, may be empty: tool versions; where the stimulus is from; the first
   * difference that it showed. The last two are written to the .json alone. */
  char tools[VECTORS_TEXT], origin[VECTORS_TEXT], found[VECTORS_TEXT];
} vectors_t;

/* An empty stimulus for a legal configuration. 0, or -1 and a message. */
int vectors_init(vectors_t *v, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
                 mrpb_err_t *err);
/* Frees what it holds; a zeroed vectors_t may be freed too. */
void vectors_free(vectors_t *v);

/* Appends a cycle; bits above a port's width are cut off. 0, or -1 and a message (memory). */
int vectors_add(vectors_t *v, const uint64_t *in, mrpb_err_t *err);
/* The input words of cycle i < n. */
const uint64_t *vectors_cycle(const vectors_t *v, uint64_t i);

/* How many of the parameters, the first ones, a file has to name: a module may have got more since,
 * and with their defaults it is what it was. */
unsigned vectors_first_params(const module_class_t *cls);

/* FNV-1a of "mshr ENTRIES=5 ...", and that continued over the input words of all cycles. Parameters
 * after the first ones are in it unless all of them have their defaults. */
uint64_t vectors_config_hash(const module_class_t *cls, const uint32_t *cfg);
uint64_t vectors_hash(const vectors_t *v);

/* Reads a file into a new `v`, strictly: file:line, what is wrong and what is legal. 0, or -1 and a
 * message; `v` is then zeroed. */
int vectors_read(vectors_t *v, const char *path, mrpb_err_t *err);
/* 0 if a file of this name can be written as vectors, -1 and a message if it does not end in .vec.
 */
int vectors_check_name(const char *path, mrpb_err_t *err);
/* Writes `path` and the .json beside it, both or none of them; equal
 * vectors give equal bytes. 0, or -1 and a message. */
int vectors_write(const vectors_t *v, const char *path, mrpb_err_t *err);

#endif
