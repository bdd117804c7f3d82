/* SPDX-License-Identifier: Apache-2.0 */
/* A result that long tools make: it is kept in the cache under a key, made in a process of its own,
 * and ended with all its tools by Ctrl-C. A folder of the cache is complete or not there. */
#ifndef ESTIMATE_PLACE_APART_H
#define ESTIMATE_PLACE_APART_H

#include "err.h"
#include "estimate/logic.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct {
  const void *job;
  void *result;
  const char *cache;
  char key[96]; /* the name of the folder */
  /* Makes the result in `folder`. */
  int (*make)(const void *job, const char *folder, void *result, mrpb_err_t *err);
  json_t *(*to_json)(void *result);
  int (*from_json)(const json_t *o, void *result);
  bool (*stop)(void);
  /* what comes out */
  bool cached;
  char folder[LOGIC_PATH];
} apart_t;

/* Returns 0 with the result, -1 and a message in err, or LOGIC_STOPPED. */
int apart_run(apart_t *a, mrpb_err_t *err);

#endif
