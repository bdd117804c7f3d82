/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of requests for a DRAM run: a trace file of another simulator, or a generated pattern.
 * Requests are read one by one as they are used, so a file's length costs no memory.
 *
 * Formats: one request per line, plain or compressed; blank lines and lines that begin with # are
 * skipped.
 *   DRAMSIM3   ADDRESS READ|WRITE CYCLE   hexadecimal address; arrives at CYCLE; also takes the
 *                                         words of DRAMSim2's kinds k6 and mase
 *   RAMULATOR  ADDRESS R|W                hexadecimal address; all arrive at once
 *   LOADSTORE  LD|ST ADDRESS              Ramulator 2: decimal, or hexadecimal with 0x */
#ifndef DRAM_SOURCE_H
#define DRAM_SOURCE_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { DRAM_AUTO, DRAM_DRAMSIM3, DRAM_RAMULATOR, DRAM_LOADSTORE } dram_format_t;

typedef struct {
  uint64_t addr;
  uint64_t cycle; /* not before this command cycle */
  bool write;
} dram_request_t;

typedef struct dram_source dram_source_t;

/* Parses "auto", "dramsim3", "ramulator" or "loadstore". Returns 0, or -1 and a message in err. */
int dram_format_parse(dram_format_t *format, const char *name, mrpb_err_t *err);
const char *dram_format_name(dram_format_t format);

/* Opens a trace file. With DRAM_AUTO the first request determines the format. */
int dram_source_open(dram_source_t **out, const char *path, dram_format_t format, mrpb_err_t *err);
/* Opens the first `requests` requests of the pattern `name`; all arrive at once. */
int dram_source_pattern(dram_source_t **out, const char *name, uint64_t requests, mrpb_err_t *err);
/* Returns 1 and a request, 0 at the end, or -1 and "file:line: what; what is legal" in err. */
int dram_source_next(dram_source_t *s, dram_request_t *r, mrpb_err_t *err);
/* The format that is read; DRAM_AUTO before the first request of a file, and for a pattern. */
dram_format_t dram_source_format(const dram_source_t *s);
/* Writes "file:line" of the last request, or the pattern and the request's number. */
void dram_source_where(const dram_source_t *s, char *text, size_t size);
void dram_source_close(dram_source_t *s);

/* Writes one request as a line of a trace. */
void dram_format_write(FILE *f, dram_format_t format, const dram_request_t *r);

/* Names of the patterns; NULL after the last. */
const char *dram_pattern_name(unsigned i);
const char *dram_pattern_doc(unsigned i);

#endif
