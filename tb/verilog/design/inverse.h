/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the map backwards: for each bit of a design's input, which bit of ours it is.
 * docs/verify/waves.md */
#ifndef DESIGN_INVERSE_H
#define DESIGN_INVERSE_H

#include "verilog/design/bind.h"

/* UNKNOWN: it depends on more than one bit, or on one bit through something other than ~. */
typedef enum { INVERSE_UNKNOWN, INVERSE_CONSTANT, INVERSE_PORT } inverse_kind_t;

typedef struct {
  inverse_kind_t kind;
  bool one;           /* the constant is 1; or the design's bit is ours inverted */
  unsigned port, bit; /* of ours */
} inverse_bit_t;

/* Resolves bits lsb .. lsb + width - 1 of the design's port that part `p` gives. Call it only after
 * bind_open has accepted the map. */
void inverse_part(const bind_t *b, const bind_part_t *p, inverse_bit_t *bits);
/* Whether the part's expression uses our input `port`. */
bool inverse_mentions(const bind_t *b, const bind_part_t *p, unsigned port);

#endif
