/* SPDX-License-Identifier: Apache-2.0 */
/* Writes results to the store and reads them. */
#include "studies/sweep/store_state.h"

#include "version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* SQLite copies the text. Not SQLITE_OK if out of memory. */
static int bind_text(sqlite3_stmt *q, int at, const char *text) {
  return text ? sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT) : SQLITE_OK;
}

static int bind_hash(sqlite3_stmt *q, int at, uint64_t hash) {
  char text[SWEEP_HASH];
  sweep_hash_text(hash, text);
  return bind_text(q, at, text);
}

static int no_memory(const sweep_store_t *s, mrpb_err_t *err) {
  return mrpb_fail(err, "%s: out of memory", s->path);
}

/* `bound` is the result of binding the texts. */
static int done(const sweep_store_t *s, sqlite3_stmt *q, int bound, mrpb_err_t *err) {
  if (bound != SQLITE_OK) return no_memory(s, err);
  return sqlite3_step(q) == SQLITE_DONE ? 0 : store_fail(s, err);
}

/* ---- in ---------------------------------------------------------------------------------------- */

static int put_names(sweep_store_t *s, const sweep_program_t *program, const sweep_point_t *point,
                     mrpb_err_t *err) {
  sqlite3_stmt *q = store_statement(s, STORE_PUT_PROGRAM, err);
  if (!q) return -1;
  int bound = bind_hash(q, 1, program->hash) | bind_text(q, 2, program->name) |
              bind_text(q, 3, program->options);
  if (done(s, q, bound, err) != 0) return -1;
  if (!(q = store_statement(s, STORE_PUT_CONFIGURATION, err))) return -1;
  char *text = sweep_config_text(&point->cfg, point->hash);
  if (!text) return no_memory(s, err);
  bound = bind_hash(q, 1, point->hash) | bind_text(q, 2, text);
  free(text);
  return done(s, q, bound, err);
}

/* What is in no column of its own: from which configuration a result was derived, or in which cycle
 * the run was ended. */
static const char derived[] = "equal to ", ended[] = "ended at ";

static const char *message_of(const sweep_outcome_t *o, char text[64]) {
  char hash[SWEEP_HASH];
  sweep_hash_text(o->from, hash);
  if (o->from) return snprintf(text, 64, "%s%s", derived, hash), text;
  if (o->ended) return snprintf(text, 64, "%s%" PRIu64, ended, o->ended), text;
  return o->message[0] ? o->message : NULL;
}

/* A derived result has exit 0, as the run that proves it; a run that was ended has neither an exit
 * nor a signal. */
static void read_message(sweep_outcome_t *o, bool signalled) {
  const size_t d = sizeof derived - 1, e = sizeof ended - 1;
  if (o->exited && o->code == 0 && strncmp(o->message, derived, d) == 0)
    o->from = strtoull(o->message + d, NULL, 16);
  if (!o->exited && !signalled && strncmp(o->message, ended, e) == 0)
    o->ended = strtoull(o->message + e, NULL, 10);
}

static int put_result(sweep_store_t *s, uint64_t program, uint64_t configuration,
                      const sweep_outcome_t *o, mrpb_err_t *err) {
  sqlite3_stmt *q = store_statement(s, STORE_PUT_RESULT, err);
  if (!q) return -1;
  char text[64];
  const int bound = bind_hash(q, 1, program) | bind_hash(q, 2, configuration) |
                    bind_text(q, 4, mrpb_version()) | bind_text(q, 5, o->host) |
                    bind_text(q, 6, o->started) | bind_text(q, 11, message_of(o, text)) |
                    bind_text(q, 12, o->json);
  sqlite3_bind_int(q, 3, SWEEP_RESULTS_VERSION);
  sqlite3_bind_double(q, 7, o->cpu_seconds);
  sqlite3_bind_int64(q, 8, o->memory_kb);
  if (!o->ended) sqlite3_bind_int(q, o->exited ? 9 : 10, o->code); /* the other one stays NULL */
  return done(s, q, bound, err);
}

int sweep_store_put(sweep_store_t *s, const sweep_program_t *program, const sweep_point_t *point,
                    const sweep_outcome_t *o, mrpb_err_t *err) {
  if (store_execute(s, "BEGIN IMMEDIATE", err) != 0) return -1;
  if (put_names(s, program, point, err) == 0 &&
      put_result(s, program->hash, point->hash, o, err) == 0 &&
      store_execute(s, "COMMIT", err) == 0)
    return 0;
  sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
  return -1;
}

/* ---- out --------------------------------------------------------------------------------------- */

/* Looks up a point's row: SQLITE_ROW, or SQLITE_DONE if there is none. */
static int look_up(sweep_store_t *s, unsigned which, uint64_t program, uint64_t configuration,
                   sqlite3_stmt **q, mrpb_err_t *err) {
  *q = store_statement(s, which, err);
  if (!*q) return SQLITE_ERROR;
  if (bind_hash(*q, 1, program) | bind_hash(*q, 2, configuration))
    return (void)no_memory(s, err), SQLITE_NOMEM;
  sqlite3_bind_int(*q, 3, SWEEP_RESULTS_VERSION);
  const int rc = sqlite3_step(*q);
  if (rc != SQLITE_ROW && rc != SQLITE_DONE) (void)store_fail(s, err);
  return rc;
}

int sweep_store_state(sweep_store_t *s, uint64_t program, uint64_t configuration,
                      sweep_state_t *state, mrpb_err_t *err) {
  sqlite3_stmt *q;
  *state = SWEEP_MISSING;
  if (!s) return 0;
  const int rc = look_up(s, STORE_STATE, program, configuration, &q, err);
  if (rc == SQLITE_ROW)
    *state = sqlite3_column_int(q, 0)   ? SWEEP_DONE
             : sqlite3_column_int(q, 1) ? SWEEP_ENDED
                                        : SWEEP_FAILED;
  if (q) sqlite3_reset(q);
  return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
}

/* NULL and *lost if there is a text but no memory for it. */
static const char *text_of(sqlite3_stmt *q, int at, bool *lost) {
  const bool is = sqlite3_column_type(q, at) != SQLITE_NULL;
  const char *text = (const char *)sqlite3_column_text(q, at);
  if (is && !text) *lost = true;
  return text;
}

static void copy_text(sqlite3_stmt *q, int at, char *to, size_t size, bool *lost) {
  const char *text = text_of(q, at, lost);
  snprintf(to, size, "%s", text ? text : "");
}

int sweep_store_get(sweep_store_t *s, uint64_t program, uint64_t configuration, bool *there,
                    sweep_outcome_t *o, mrpb_err_t *err) {
  sqlite3_stmt *q;
  *o = (sweep_outcome_t){0};
  *there = false;
  if (!s) return 0;
  int rc = look_up(s, STORE_GET, program, configuration, &q, err);
  if (rc == SQLITE_ROW) {
    bool lost = false;
    const char *json = text_of(q, 7, &lost);
    *there = true;
    o->exited = sqlite3_column_type(q, 0) != SQLITE_NULL;
    o->code = sqlite3_column_int(q, o->exited ? 0 : 1);
    o->cpu_seconds = sqlite3_column_double(q, 2);
    o->memory_kb = (long)sqlite3_column_int64(q, 3);
    copy_text(q, 4, o->host, sizeof o->host, &lost);
    copy_text(q, 5, o->started, sizeof o->started, &lost);
    copy_text(q, 6, o->message, sizeof o->message, &lost);
    read_message(o, sqlite3_column_type(q, 1) != SQLITE_NULL);
    if (!lost && json) lost = !(o->json = strdup(json));
    if (lost) rc = no_memory(s, err);
  }
  if (q) sqlite3_reset(q);
  return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
}

int sweep_store_cost(sweep_store_t *s, const char *name, uint64_t program, double *seconds,
                     mrpb_err_t *err) {
  *seconds = 0;
  if (!s) return 0;
  sqlite3_stmt *q = store_statement(s,
                                    program ? STORE_COST_PROGRAM
                                    : name  ? STORE_COST_NAME
                                            : STORE_COST_ALL,
                                    err);
  if (!q) return -1;
  if (program ? bind_hash(q, 1, program) : bind_text(q, 1, name)) return no_memory(s, err);
  sqlite3_bind_int(q, program || name ? 2 : 1, SWEEP_RESULTS_VERSION);
  const int rc = sqlite3_step(q);
  if (rc == SQLITE_ROW) *seconds = sqlite3_column_double(q, 0);
  if (rc != SQLITE_ROW) (void)store_fail(s, err);
  sqlite3_reset(q);
  return rc == SQLITE_ROW ? 0 : -1;
}

int sweep_store_forget_derived(sweep_store_t *s, mrpb_err_t *err) {
  sqlite3_stmt *q = store_statement(s, STORE_FORGET, err);
  if (!q) return -1;
  sqlite3_bind_int(q, 1, SWEEP_RESULTS_VERSION);
  return done(s, q, SQLITE_OK, err);
}
