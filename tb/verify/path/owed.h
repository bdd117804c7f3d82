/* SPDX-License-Identifier: Apache-2.0 */
/* The memory behind the design: the requests that it has taken and not answered. */
#ifndef PATH_OWED_H
#define PATH_OWED_H

#include "verify/path/bytes.h"

enum { OWED_MOST = 512, OWED_BYTES = 256 };

typedef struct {
  uint64_t addr, since; /* since: the cycle in which it was taken */
  uint32_t id, number;  /* number: the how many-th request it is */
  bool write;
  bool late;  /* a read sees, and a write takes effect, when it is answered; else when taken */
  bool begun; /* its answer has been offered */
  unsigned beat, beats, size, burst; /* AXI: beats answered, and the burst; else one beat */
  uint8_t data[OWED_BYTES];          /* in the order of addresses from the lowest one on */
  bool mask[OWED_BYTES];             /* of a write */
} owed_t;

typedef struct {
  unsigned n, most;
  uint32_t numbers;
  owed_t job[OWED_MOST]; /* the oldest first */
} owed_list_t;

/* A new job at the end, with zeros; NULL if there is no room. */
owed_t *owed_add(owed_list_t *m, uint64_t addr, uint32_t id, bool write, uint64_t cycle);
void owed_remove(owed_list_t *m, owed_t *job);
/* Whether no older job of this kind has its id, so that it may be answered. */
bool owed_may_answer(const owed_list_t *m, const owed_t *job, bool kinds_apart);
/* The job to be answered next: of this id if there is one, else the oldest. `kinds`: bit 0 reads,
 * bit 1 writes. NULL if there is none. */
owed_t *owed_choose(owed_list_t *m, uint32_t id, unsigned kinds, bool kinds_apart);

#endif
