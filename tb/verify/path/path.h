/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of a path, for the engine that it shares with others (contract.h). */
#ifndef PATH_PATH_H
#define PATH_PATH_H

#include "verify/path/env.h"

extern const contract_t path_contract;

static inline const path_has_t *path_has(const contract_setup_t *s) {
  return (const path_has_t *)(const void *)s->has;
}

/* Its functions of cycles as text, and of the search for a shorter case. */
void path_say(const contract_setup_t *s, const uint64_t *in, const uint64_t *out, char *text,
              size_t size);
bool path_shorter_has(const contract_setup_t *s, const uint64_t *in, unsigned source);
void path_shorter_silence(const contract_setup_t *s, uint64_t *in, unsigned source);
bool path_shorter_goes_with(const contract_setup_t *s, const uint64_t *before, const uint64_t *in,
                            unsigned source);
void path_shorter_stay(const contract_setup_t *s, const uint64_t *before, uint64_t *in);
void path_shorter_prompt(const contract_setup_t *s, uint64_t *in);
contract_simpler_t path_shorter_simpler(const contract_setup_t *s, contract_case_t *c, size_t k,
                                        bool apply);
int path_shorter_compare(const contract_setup_t *s, const uint64_t *a, const uint64_t *b);
enum { PATH_SOURCES = 5 };

/* What the map shows (contract.h). */
int path_events(const bind_t *b, bool hold, void *has, mrpb_err_t *err);
/* The output bits that count in a cycle. */
void path_counts(const contract_setup_t *s, const uint64_t *in, const uint64_t *out,
                 uint64_t *counts);

#endif
