/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of tables of outstanding misses, for the engine that it shares with others. */
#ifndef CONFORM_TABLE_H
#define CONFORM_TABLE_H

#include "verify/conform/env.h"

extern const contract_t conform_contract;

static inline const conform_has_t *conform_has(const contract_setup_t *s) {
  return (const conform_has_t *)(const void *)s->has;
}

/* Cycles as text, for its table of functions: see contract.h. */
void conform_say(const contract_setup_t *s, const uint64_t *in, const uint64_t *out, char *text,
                 size_t size);
/* What is tried to find a shorter case. */
bool conform_shorter_has(const contract_setup_t *s, const uint64_t *in, unsigned source);
void conform_shorter_silence(const contract_setup_t *s, uint64_t *in, unsigned source);
bool conform_shorter_goes_with(const contract_setup_t *s, const uint64_t *before,
                               const uint64_t *in, unsigned source);
contract_simpler_t conform_shorter_simpler(const contract_setup_t *s, contract_case_t *c, size_t k,
                                           bool apply);
int conform_shorter_compare(const contract_setup_t *s, const uint64_t *a, const uint64_t *b);
enum { CONFORM_SOURCES = 5 };

#endif
