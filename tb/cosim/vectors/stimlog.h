/* SPDX-License-Identifier: Apache-2.0 */
/* What a unit sees, cycle by cycle, kept in little memory while a run lasts: equal cycles are
 * counted, others give only the words that change. The oldest part is given up when the log is
 * full. */
#ifndef COSIM_STIMLOG_H
#define COSIM_STIMLOG_H

#include "cosim/vectors/vectors.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct stimlog stimlog_t;

/* A log of at most about `limit` bytes for inputs of cls->in_words; NULL without memory. */
stimlog_t *stimlog_create(const module_class_t *cls, size_t limit);
void stimlog_destroy(stimlog_t *log);

/* Appends a cycle. Without memory the log begins anew with it (or stays empty). */
void stimlog_add(stimlog_t *log, const uint64_t *in);

/* Cycles that it holds, cycles that it was given, and the memory that it takes. */
uint64_t stimlog_cycles(const stimlog_t *log);
uint64_t stimlog_given(const stimlog_t *log);
size_t stimlog_bytes(const stimlog_t *log);

/* Appends the last `n` cycles (or as many as there are) to `v`. 0, or -1 and a message. */
int stimlog_read(const stimlog_t *log, uint64_t n, vectors_t *v, mrpb_err_t *err);

#endif
