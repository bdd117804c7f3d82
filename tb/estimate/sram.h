/* SPDX-License-Identifier: Apache-2.0 */
/* The memories that are taken out of the logic: the arrays of the Verilog, and the files that stand
 * for one, which are a Liberty stub and the Yosys map that replaces the memory by the macro.
 * docs/estimate/logic.md says what the stub claims. */
#ifndef ESTIMATE_SRAM_H
#define ESTIMATE_SRAM_H

#include "err.h"
#include "module.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SRAM_NAME = 64, SRAM_MAX = 16 };

/* A write happens at the clock's rising edge. For a read there are two forms. If the Verilog has a
 * register right after the array, that register is the SRAM's output ("sram_384x64_sync": address
 * at the edge, the word `access_ns` later). Otherwise the word follows the address by `access_ns`
 * ("sram_384x64"). */
typedef struct {
  char array[SRAM_NAME]; /* "u_fifo_bank.u_mem.mem_q", below the module that is synthesised */
  char macro[SRAM_NAME]; /* "sram_384x64": words x bits; "sram_44x32w8": written by 8 bits */
  uint32_t words, bits;
  uint32_t part; /* bits that one write enable is for; `bits`, or 0: one enable for the word */
  bool clocked;  /* a register follows the read; otherwise it is a register file */
  char after[SRAM_NAME];                /* that register, if the module is one of ours */
  double access_ns, setup_ns, area_um2; /* access_ns 0: not given */
  char source[SRAM_NAME];               /* origin of the figures: "CACTI 6.5"; "" if not given */
} sram_t;

/* Finds the SRAMs of a module, in its registers' order: at most SRAM_MAX. Returns their number, or
 * -1 and a message in err. */
int sram_of(const module_class_t *cls, const uint32_t *cfg, sram_t sram[SRAM_MAX], mrpb_err_t *err);

/* Names a macro of this array: its size is in the name. */
void sram_name(sram_t *s, const char *array);

/* Whether array `i` has the macro of one before it. */
bool sram_repeats(const sram_t *s, unsigned i);

/* Whether register `name` of module `stem` is an SRAM. */
bool sram_is(const char *stem, const char *name);

/* The name of its cell: "sram_384x64_sync" if clocked, otherwise "sram_384x64". */
void sram_cell(const sram_t *s, char cell[SRAM_NAME + 8]);

/* The number of its address bits. */
unsigned sram_address_bits(const sram_t *s);

/* The number of its write enables, and the name of one: "we" if it is the only one, else "we_0". */
unsigned sram_enables(const sram_t *s);
void sram_enable(const sram_t *s, unsigned i, char pin[SRAM_NAME]);

/* Writes the Liberty stub with both forms; `pin_ff` is the capacitance of a pin. */
void sram_liberty(FILE *f, const sram_t *s, double pin_ff);
/* Writes the map for `techmap`, which selects the form. */
void sram_map(FILE *f, const sram_t *s);

#endif
