/* SPDX-License-Identifier: Apache-2.0 */
/* A stimulus as data: the inputs of one module in every cycle, in memory and as a text file
 * (docs/verify/replay.md). A replay needs only the file NAME.vec (or NAME.vec.xz, which can only be
 * read). NAME.json beside it holds the same data and their origin, for people and scripts. */
#ifndef COSIM_VECTORS_H
#define COSIM_VECTORS_H

#include "err.h"
#include "module.h"

#include <stdint.h>

enum { VECTORS_TEXT = 384 };

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  uint64_t seed;  /* for the Verilog's power-up state */
  uint64_t n;     /* cycles, including the reset at the beginning */
  uint64_t *in;   /* n times cls->in_words words, no bit set above its port's width */
  size_t room;    /* cycles that `in` has memory for */
  uint64_t *mask; /* cls->in_words words: the bits that exist */
  /* Notes of one line each, which may be empty: tool versions; the origin of the stimulus; the
   * first difference that it showed. The last two are written only to the .json. */
  char tools[VECTORS_TEXT], origin[VECTORS_TEXT], found[VECTORS_TEXT];
} vectors_t;

/* Makes an empty stimulus for a legal configuration. Returns 0, or -1 and a message in err. */
int vectors_init(vectors_t *v, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
                 mrpb_err_t *err);
/* Frees what `v` holds. A zeroed vectors_t may be freed too. */
void vectors_free(vectors_t *v);

/* Appends a cycle; bits above a port's width are cut off. Returns 0, or -1 and a message in err if
 * out of memory. */
int vectors_add(vectors_t *v, const uint64_t *in, mrpb_err_t *err);
/* The input words of cycle i < n. */
const uint64_t *vectors_cycle(const vectors_t *v, uint64_t i);

/* How many of the parameters, from the first on, a file must name. A module may have gained
 * parameters since; with their defaults it is unchanged. */
unsigned vectors_first_params(const module_class_t *cls);
/* The same of its inputs; those that a file does not name are 0. */
unsigned vectors_first_inputs(const module_class_t *cls);

/* vectors_config_hash is FNV-1a of "mshr ENTRIES=5 ..."; vectors_hash continues it over the input
 * words of all cycles. Parameters after those that a file must name are included unless all of them
 * have their defaults. */
uint64_t vectors_config_hash(const module_class_t *cls, const uint32_t *cfg);
uint64_t vectors_hash(const vectors_t *v);

/* Reads a file into a new `v`, strictly. A message says file:line, what is wrong and what is legal.
 * Returns 0, or -1 and a message in err; `v` is then zeroed. */
int vectors_read(vectors_t *v, const char *path, mrpb_err_t *err);
/* Returns 0 if a file of this name can be written as vectors, or -1 and a message in err if the
 * name does not end in .vec. */
int vectors_check_name(const char *path, mrpb_err_t *err);
/* Writes `path` and the .json beside it: both, or neither. Equal vectors give equal bytes. Returns
 * 0, or -1 and a message in err. */
int vectors_write(const vectors_t *v, const char *path, mrpb_err_t *err);

#endif
