/* SPDX-License-Identifier: Apache-2.0 */
/* Memories that are cut at their pins: their words are no flip-flops, and what a read gives is set
 * from outside. The register after the read of a synchronous macro is made of flip-flops like any
 * other. docs/verify/netlist.md */
#ifndef PROVE_NETLIST_MEMORY_H
#define PROVE_NETLIST_MEMORY_H

#include "verify/prove/netlist.h"

/* netlist_open, in which memories as large as those of `macros` are cut as well. */
int netlist_cut_open(netlist_t **out, const lint_job_t *job, const lint_t *lint, bool synthesis,
                     const netlist_t *macros, const char *temp, mrpb_err_t *err);

uint32_t netlist_memories(const netlist_t *n);
const char *netlist_memory_name(const netlist_t *n, uint32_t memory);
unsigned netlist_memory_words(const netlist_t *n, uint32_t memory);
unsigned netlist_memory_bits(const netlist_t *n, uint32_t memory);
/* The memory of that name, and if there is none the first of `words` words of `bits` bits that is
 * not in `taken`; MEMORY_NONE if there is none. */
#define MEMORY_NONE UINT32_MAX
uint32_t netlist_memory_find(const netlist_t *n, const char *name, unsigned words, unsigned bits,
                             const bool *taken);

/* For each memory: first its read address, and whether the word under it matters in this cycle; both
 * must not depend on what memories read. Then the word is set; then come the pins of the write. */
lit_t netlist_memory_reads(netlist_t *n, bv_ctx_t *x, uint32_t memory);
bv_t netlist_memory_raddr(netlist_t *n, bv_ctx_t *x, uint32_t memory);
void netlist_memory_show(netlist_t *n, uint32_t memory, bv_t word);
typedef struct {
  bv_t enable;   /* a bit for each part of a word */
  uint32_t part; /* the bits of one */
  bv_t address, data;
} memory_write_t;
memory_write_t netlist_memory_write(netlist_t *n, bv_ctx_t *x, uint32_t memory);

#endif
