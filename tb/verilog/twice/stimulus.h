/* SPDX-License-Identifier: Apache-2.0 */
/* The stimulus that all builds of a design get: the inputs of every cycle, and which output bits
 * count. */
#ifndef TWICE_STIMULUS_H
#define TWICE_STIMULUS_H

#include "err.h"
#include "module.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t n;         /* cycles */
  uint64_t *in;     /* cls->in_words for each cycle */
  uint64_t *counts; /* cls->out_words for each cycle: the output bits that count */
} twice_stimulus_t;

/* Makes `n` cycles of zeros in which nothing counts. Returns 0, or -1 and a message in err;
 * twice_stimulus_close frees it in both cases. */
int twice_stimulus_open(twice_stimulus_t *s, const module_class_t *cls, size_t n, mrpb_err_t *err);
void twice_stimulus_close(twice_stimulus_t *s);

/* Makes all bits of output `port` count. `counts` belongs to one cycle. */
void twice_stimulus_count(uint64_t *counts, const module_port_t *port);

/* `width` bits of the input words, from bit `lsb` on, that form one value. */
typedef struct {
  unsigned lsb, width;
} twice_field_t;

enum { TWICE_RESET = 4, TWICE_FIELDS = 512 };

/* Fills in random values for `n` fields, in phases of different densities. If the first input is
 * srst_ni, it is 0 in the first TWICE_RESET cycles and now and then later. After those cycles every
 * output counts. */
void twice_stimulus_random(twice_stimulus_t *s, const module_class_t *cls, const uint32_t *cfg,
                           const twice_field_t *field, unsigned n, uint64_t seed);
/* Lists the fields of a class, one per port, without srst_ni. Returns their number. */
unsigned twice_stimulus_fields(const module_class_t *cls, const uint32_t *cfg,
                               twice_field_t field[TWICE_FIELDS]);

#endif
