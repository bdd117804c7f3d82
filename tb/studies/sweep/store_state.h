/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an open store. Internal to tb/studies/sweep. */
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
  STORE_FORGET,
  STORE_STATEMENTS
};

struct sweep_store {
  char *path;
  sqlite3 *db;
  sqlite3_stmt *statement[STORE_STATEMENTS]; /* each is prepared at its first use */
  bool writes, empty;
  int lock; /* descriptor of the lock file; -1: none */
};

/* Puts the database's message into err. Returns -1. */
int store_fail(const sweep_store_t *s, mrpb_err_t *err);
/* Returns the statement, ready for its values; NULL and a message in err. */
sqlite3_stmt *store_statement(sweep_store_t *s, unsigned which, mrpb_err_t *err);
int store_execute(const sweep_store_t *s, const char *text, mrpb_err_t *err);

/* Takes PATH.lock for this process, until store_unlock or the process's end. Returns 0, or -1 and a
 * message in err if another process has it. */
int store_lock(sweep_store_t *s, mrpb_err_t *err);
void store_unlock(sweep_store_t *s);

#endif
