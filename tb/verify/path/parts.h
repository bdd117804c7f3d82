/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the checker, internal to tb/verify/path. */
#ifndef PATH_PARTS_H
#define PATH_PARTS_H

#include "verify/path/model.h"

/* Records the first clause that breaks, unless the design does not promise it. */
void path_broke(path_model_t *m, unsigned clause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The lanes of a design, as bits. */
static inline uint64_t path_lanes(const path_cfg_t *c) {
  return bits_mask(c->LANES);
}

/* One byte is written to memory. */
void path_write_byte(path_model_t *m, uint64_t addr, uint8_t value);
/* Fills a read's data, of `n` bytes from its lowest address on. */
void path_read_bytes(path_model_t *m, uint64_t addr, unsigned n, uint8_t *data);

/* ---- legal.c: a cycle in which something was drawn and is not offered ---- */
void path_withhold(path_model_t *m, path_withheld_t kind, bool drawn);

/* ---- core.c: requests, answers, flushes ---- */
void path_core_requests(path_model_t *m, const path_in_t *in, const path_out_t *out);
void path_core_answers(path_model_t *m, const path_in_t *in, const path_out_t *out);
void path_core_flush(path_model_t *m, const path_in_t *in, const path_out_t *out);

/* ---- simple.c: mem_* ---- */
void path_simple_legal(path_model_t *m, path_in_t *in);
void path_simple_cycle(path_model_t *m, const path_in_t *in, const path_out_t *out);
/* Whether the cycle did what the design asks of memory, and memory owes nothing. */
bool path_simple_step(const path_model_t *m, const path_in_t *in, const path_out_t *out);

/* ---- axi.c ---- */
void path_axi_legal(path_model_t *m, path_in_t *in);
void path_axi_cycle(path_model_t *m, const path_in_t *in, const path_out_t *out);
bool path_axi_step(const path_model_t *m, const path_in_t *in, const path_out_t *out);

/* ---- held.c: what was offered and not taken in the last cycle ---- */
void path_held(path_model_t *m, const path_out_t *out);

#endif
