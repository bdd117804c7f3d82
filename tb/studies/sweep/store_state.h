/* SPDX-License-Identifier: Apache-2.0 */
/* The open store: internal to tb/studies/sweep. */
#ifndef STORE_STATE_H
#define STORE_STATE_H

#include "studies/sweep/sweep.h"

#include <sqlite3.h>

enum {
  STORE_PUT_PROGRAM,
  STORE_PUT_CONFIGURATION,
  STORE_PUT_RESULT,
  STORE_STATE,
  STORE_GET,
  STORE_COST_PROGRAM,
  STORE_COST_NAME,
  STORE_COST_ALL,
  STORE_LIST,
  STORE_STATEMENTS
};

struct sweep_store {
  char *path;
  sqlite3 *db;
  sqlite3_stmt *statement[STORE_STATEMENTS]; /* prepared when first asked for */
  bool writes, empty;
  int lock; /* the open lock file; -1: none */
};

/* The message is the database's; -1. */
int store_fail(const sweep_store_t *s, mrpb_err_t *err);
/* Ready for its values; NULL and a message. */
sqlite3_stmt *store_statement(sweep_store_t *s, unsigned which, mrpb_err_t *err);
int store_execute(const sweep_store_t *s, const char *text, mrpb_err_t *err);

/* PATH.lock is this process's until store_unlock or its end; -1 and a message: it is another's. */
int store_lock(sweep_store_t *s, mrpb_err_t *err);
void store_unlock(sweep_store_t *s);

#endif
