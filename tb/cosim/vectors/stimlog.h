/* SPDX-License-Identifier: Apache-2.0 */
/* Logs what a unit sees, cycle by cycle, in little memory while a run lasts: equal cycles are
 * counted, others store only the words that change. When the log is full, its oldest part is
 * dropped. */
#ifndef COSIM_STIMLOG_H
#define COSIM_STIMLOG_H

#include "cosim/vectors/vectors.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct stimlog stimlog_t;

/* Creates a log of at most about `limit` bytes for inputs of cls->in_words. Returns NULL if out of
 * memory. */
stimlog_t *stimlog_create(const module_class_t *cls, size_t limit);
void stimlog_destroy(stimlog_t *log);

/* Appends a cycle. If out of memory, the log restarts with this cycle (or stays empty). */
void stimlog_add(stimlog_t *log, const uint64_t *in);

/* The cycles that it holds, the cycles that it was given, and the memory that it takes. */
uint64_t stimlog_cycles(const stimlog_t *log);
uint64_t stimlog_given(const stimlog_t *log);
size_t stimlog_bytes(const stimlog_t *log);

/* Appends the last `n` cycles to `v`, or all if there are fewer. Returns 0, or -1 and a message in
 * err. */
int stimlog_read(const stimlog_t *log, uint64_t n, vectors_t *v, mrpb_err_t *err);

#endif
