/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of the trace formats. Each takes the lines behind the one that told the format. */
#ifndef TRACE_READ_H
#define TRACE_READ_H

#include "base/lines.h"
#include "workload/trace/store.h"

/* Splits a line into words in place; the number of them, `max` + 1 if there are more. */
unsigned trace_words(char *line, char **word, unsigned max);
/* All of `text` as a number in base 10 or 16 (with or without 0x). */
bool trace_number(const char *text, int base, uint64_t max, uint64_t *v);
bool trace_signed(const char *text, int64_t *v);

int trace_read_text(trace_store_t *s, lines_t *l, const char *path, mrpb_err_t *err);

/* A kernel of Accel-Sim's tracer; `first` is its first line. `note` (may be NULL) gets the first
 * line of the header that is not known. */
int trace_read_accelsim(trace_store_t *s, lines_t *l, const char *first, const char *path,
                        mrpb_err_t *note, mrpb_err_t *err);
/* A list of such kernels, names relative to the list's folder. */
int trace_read_list(trace_store_t *s, lines_t *l, const char *first, const char *path,
                    mrpb_err_t *note, mrpb_err_t *err);

#endif
