/* SPDX-License-Identifier: Apache-2.0 */
/* A team of threads that does one piece of work after another. Between pieces its threads wait: some
 * time in a loop, then asleep. */
#ifndef TEAM_H
#define TEAM_H

#include "err.h"

#include <stdint.h>

enum { TEAM_MOST = 64 }; /* threads */

typedef struct team team_t;

/* A team of `threads` (1 .. TEAM_MOST) with the calling thread, the only one that may use it. Returns
 * 0, or -1 and a message in err. */
int team_create(team_t **out, unsigned threads, mrpb_err_t *err);
void team_destroy(team_t *team);
unsigned team_threads(const team_t *team);

/* Calls work(ctx, k) once for each thread k of the set `who` (bit k), each from a thread of its own,
 * always the same one for the same k: 0 is the calling one. When it returns, all calls have, and what
 * they wrote is seen. */
void team_run(team_t *team, uint64_t who, void (*work)(void *ctx, unsigned k), void *ctx);

/* Processors that this process may use: at least 1. */
unsigned team_processors(void);
/* Those that nothing runs on at this moment, with the one that it runs on itself: at least 1, at most
 * TEAM_MOST. */
unsigned team_free_processors(void);

#endif
