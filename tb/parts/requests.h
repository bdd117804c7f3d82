/* SPDX-License-Identifier: Apache-2.0 */
/* Records when each load of a core was offered to the L1, and when its answer came: a file of
 * requests. docs/align.md */
#ifndef REQUESTS_H
#define REQUESTS_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

/* The levels of its columns. */
typedef struct {
  uint32_t mshr, prt, miss_queue, mrpb;
} requests_levels_t;

/* Names an outstanding request of a core; the core's own numbers. */
typedef struct {
  uint64_t a, b;
} requests_key_t;

typedef struct {
  unsigned core, block, warp;
  uint64_t addr;    /* any of its line of 128 bytes */
  const char *kind; /* a constant */
  requests_levels_t levels;
} requests_what_t;

typedef struct requests requests_t;

/* The file appears with requests_close. Returns 0, or -1 and a message in err. */
int requests_open(requests_t **out, const char *path, mrpb_err_t *err);
/* Writes what is left, and, if `good`, gives the file its name. Returns 0, or -1 and a message in
 * err. */
int requests_close(requests_t *r, bool good, mrpb_err_t *err);

/* The core's request was refused in cycle `now`: it begins with its first refusal. */
void requests_refused(requests_t *r, unsigned core, requests_key_t offer, uint64_t now);
/* It was accepted. `key` identifies its answer. */
void requests_accepted(requests_t *r, const requests_what_t *what, requests_key_t offer,
                       requests_key_t key, uint64_t now);
/* The answer to the oldest request of that key has come. */
void requests_answered(requests_t *r, unsigned core, requests_key_t key, uint64_t now);
/* Accepted in cycle `now`, answered in cycle `end`. */
void requests_known(requests_t *r, const requests_what_t *what, requests_key_t offer, uint64_t now,
                    uint64_t end);

#endif
