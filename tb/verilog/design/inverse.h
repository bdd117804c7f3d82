/* SPDX-License-Identifier: Apache-2.0 */
/* The map read backwards: which bit of ours each bit of an input of theirs is. docs/verify/waves.md */
#ifndef DESIGN_INVERSE_H
#define DESIGN_INVERSE_H

#include "verilog/design/bind.h"

/* UNKNOWN: it depends on more than one bit, or in another way than ~. */
typedef enum { INVERSE_UNKNOWN, INVERSE_CONSTANT, INVERSE_PORT } inverse_kind_t;

typedef struct {
  inverse_kind_t kind;
  bool one;           /* the constant is 1; their bit is ours inverted */
  unsigned port, bit; /* of ours */
} inverse_bit_t;

/* Bits lsb .. lsb + width - 1 of their port that part `p` gives. bind_open has accepted it. */
void inverse_part(const bind_t *b, const bind_part_t *p, inverse_bit_t *bits);
/* Whether the part's expression has anything of our input `port`. */
bool inverse_mentions(const bind_t *b, const bind_part_t *p, unsigned port);

#endif
