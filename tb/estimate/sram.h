/* SPDX-License-Identifier: Apache-2.0 */
/* The memories that are taken out of the logic: which arrays of the Verilog they are, and the files
 * that stand for one: a Liberty stub and the Yosys map that puts the macro in the memory's place.
 * docs/estimate/logic.md says what the stub claims. */
#ifndef ESTIMATE_SRAM_H
#define ESTIMATE_SRAM_H

#include "err.h"
#include "module.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SRAM_NAME = 64, SRAM_MAX = 4 };

/* A write happens at the clock's rising edge. A read: where the Verilog has a register right behind
 * the array, that register is the SRAM's output ("sram_384x64_sync": address at the edge, the word
 * `access_ns` after it); else the address gives the word, `access_ns` later ("sram_384x64"). */
typedef struct {
  char array[SRAM_NAME]; /* "u_fifo_bank.mem_q", below the module that is synthesised */
  char macro[SRAM_NAME]; /* "sram_384x64": words x bits */
  uint32_t words, bits;
  bool clocked; /* the read has a register behind it; else it is a register file */
  double access_ns, setup_ns, area_um2; /* access_ns 0: nobody said */
  char source[SRAM_NAME];               /* who said: "CACTI 6.5"; "" for nobody */
} sram_t;

/* The SRAMs of a module, in its registers' order: at most SRAM_MAX. Returns how many, or -1 and a
 * message. */
int sram_of(const module_class_t *cls, const uint32_t *cfg, sram_t sram[SRAM_MAX], mrpb_err_t *err);

/* Whether register `name` of module `stem` is one. */
bool sram_is(const char *stem, const char *name);

/* The cell that stands for it: "sram_384x64_sync" of a clocked one, else "sram_384x64". */
void sram_cell(const sram_t *s, char cell[SRAM_NAME + 8]);

/* Bits of its address. */
unsigned sram_address_bits(const sram_t *s);

/* The Liberty stub, with both forms; `pin_ff` is the capacitance of a pin. */
void sram_liberty(FILE *f, const sram_t *s, double pin_ff);
/* The map for `techmap`, which picks the form. */
void sram_map(FILE *f, const sram_t *s);

#endif
