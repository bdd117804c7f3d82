/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a register bit's net in a flattened netlist of Yosys. If the net is also a port, or
 * a port of an instance, synthesis keeps only one of several names, and versions of Yosys keep
 * different ones. The activity of a netlist and the proof of a netlist find registers by them. */
#ifndef NETNAMES_H
#define NETNAMES_H

#include <stdbool.h>

enum { NETNAMES_TEXT = 160 };

/* Bit `bit` of word `word` of register `reg` of module `stem`. */
typedef struct {
  const char *stem, *reg;
  unsigned words, word, width, bit;
} netnames_t;

/* Gets one name after another; *next is 0 at first. The register's own name comes first. Returns
 * false if there are no more. */
bool netnames_next(char text[NETNAMES_TEXT], const netnames_t *b, unsigned *next);

#endif
