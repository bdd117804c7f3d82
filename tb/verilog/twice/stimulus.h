/* SPDX-License-Identifier: Apache-2.0 */
/* What all builds of a design get: inputs of every cycle, and where outputs count. */
#ifndef TWICE_STIMULUS_H
#define TWICE_STIMULUS_H

#include "err.h"
#include "module.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t n;         /* cycles */
  uint64_t *in;     /* cls->in_words of each */
  uint64_t *counts; /* cls->out_words of each: the bits of outputs that count */
} twice_stimulus_t;

/* `n` cycles of zeros in which nothing counts. 0, or -1 and a message; twice_stimulus_close frees it, also then. */
int twice_stimulus_open(twice_stimulus_t *s, const module_class_t *cls, size_t n, mrpb_err_t *err);
void twice_stimulus_close(twice_stimulus_t *s);

/* All bits of output `port` count. `counts` is a cycle's. */
void twice_stimulus_count(uint64_t *counts, const module_port_t *port);

/* `width` bits of the input words, from bit `lsb` on, that are one value. */
typedef struct {
  unsigned lsb, width;
} twice_field_t;

enum { TWICE_RESET = 4, TWICE_FIELDS = 512 };

/* Random values for `n` fields, in phases of different densities. If the first input is rst_ni, it is 0 in the first
 * TWICE_RESET cycles and now and then later. Every output counts after that. */
void twice_stimulus_random(twice_stimulus_t *s, const module_class_t *cls, const uint32_t *cfg,
                           const twice_field_t *field, unsigned n, uint64_t seed);
/* The fields of a class: a port each, without rst_ni. Their number. */
unsigned twice_stimulus_fields(const module_class_t *cls, const uint32_t *cfg,
                               twice_field_t field[TWICE_FIELDS]);

#endif
