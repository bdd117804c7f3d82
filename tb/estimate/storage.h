/* SPDX-License-Identifier: Apache-2.0 */
/* The SRAMs, register files, CAMs and registers of a configuration. Arrays that exist in Verilog
 * are taken from the register lists of the modules (cmodel/ports/), so they cannot differ from
 * them. The L1D and L2 arrays, which exist in the testbench only, follow from the configuration.
 * docs/estimate/storage.md has the rules. */
#ifndef ESTIMATE_STORAGE_H
#define ESTIMATE_STORAGE_H

#include "config/config.h"
#include "err.h"

#include <stdbool.h>
#include <stdint.h>

enum { STORAGE_ARRAYS = 64, STORAGE_NAME = 64 };

/* How a designer would build it. */
typedef enum {
  STORAGE_REGISTERS,
  STORAGE_FILE, /* a register file or latch array: read without a clock */
  STORAGE_SRAM,
  STORAGE_CAM,
  STORAGE_KINDS
} storage_kind_t;

typedef struct {
  char name[STORAGE_NAME];  /* "mrpb.u_fifo_bank.u_mem.mem_q", "l1d.data" */
  char unit[16];            /* mrpb, mshr, prt, l1d, l2 */
  char where[STORAGE_NAME]; /* the file that contains it */
  const char *use;          /* what happens to it in a cycle, at most */
  storage_kind_t kind;
  uint32_t words, bits;        /* of a word */
  uint32_t ways;               /* of a cache's tags and data, otherwise 0 */
  uint32_t tag_bits;           /* beside a word of a cache's data: tag and state; else 0 */
  uint32_t copies;             /* in the GPU */
  uint8_t read, write, search; /* different addresses in one cycle, at most */
  bool whole;                  /* every word is read or written in one cycle: flip-flops only */
  bool rtl;                    /* it is a register of the Verilog */
} storage_array_t;

typedef struct {
  storage_array_t array[STORAGE_ARRAYS];
  unsigned n;
} storage_t;

/* Lists the arrays of a configuration, in the order in which a request meets them. */
int storage_of(const config_t *cfg, storage_t *s, mrpb_err_t *err);

/* Returns NULL if there is no array of that name. */
const storage_array_t *storage_find(const storage_t *s, const char *name);

uint64_t storage_bits(const storage_array_t *a);
/* The bits of one instance of `unit` (NULL: of all units, times their copies), of one kind
 * (STORAGE_KINDS: of all kinds). */
uint64_t storage_sum(const storage_t *s, const char *unit, storage_kind_t kind);

/* "SRAM", "register file", "CAM", "registers". */
const char *storage_kind_name(storage_kind_t kind);

/* Whether the rules know how the register `name` of module `stem` is used. Other registers are used
 * as a whole. */
bool storage_knows(const char *stem, const char *name);
/* Gets rule `i`: its module and register. Returns false after the last. */
bool storage_rule(unsigned i, const char **stem, const char **name);

#endif
