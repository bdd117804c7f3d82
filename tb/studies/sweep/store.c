/* SPDX-License-Identifier: Apache-2.0 */
/* The file of results. A result is one transaction in SQLite's write-ahead log: it is complete or
 * absent, however this process ends, and does not wait for the disk. Without a writer, the file is
 * complete without its log. */
#include "studies/sweep/store_state.h"

#include "base/files.h"
#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION = 0x4d525042 /* "MRPB" */, SCHEMA = 1, BUSY_MS = 10000 };

/* As in docs/sweep.md; a test compares the two. */
static const char schema[] =
    "CREATE TABLE program("
    "hash TEXT PRIMARY KEY, name TEXT NOT NULL, options TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE configuration(hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE result("
    "program TEXT NOT NULL REFERENCES program(hash), "
    "configuration TEXT NOT NULL REFERENCES configuration(hash), "
    "version INTEGER NOT NULL, mrpb TEXT NOT NULL, host TEXT NOT NULL, started TEXT NOT NULL, "
    "cpu_seconds REAL NOT NULL, memory_kb INTEGER NOT NULL, exit INTEGER, signal INTEGER, "
    "message TEXT, json TEXT, PRIMARY KEY(program, configuration, version));"
    "CREATE VIEW stat(program, configuration, version, key, value) AS "
    "SELECT program, configuration, version, replace(substr(fullkey, 3), '\"', ''), atom "
    "FROM result, json_tree(result.json) WHERE atom IS NOT NULL;"
    "PRAGMA application_id = 0x4d525042; PRAGMA user_version = 1;";

static const char *const sql[STORE_STATEMENTS] = {
    [STORE_PUT_PROGRAM] = "INSERT OR IGNORE INTO program VALUES(?1, ?2, ?3)",
    [STORE_PUT_CONFIGURATION] = "INSERT OR IGNORE INTO configuration VALUES(?1, ?2)",
    [STORE_PUT_RESULT] = "INSERT OR REPLACE INTO result VALUES"
                         "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, json(?12))",
    [STORE_STATE] = "SELECT exit IS 0, exit IS NULL AND signal IS NULL FROM result "
                    "WHERE program = ?1 AND configuration = ?2 AND version = ?3",
    [STORE_GET] = "SELECT exit, signal, cpu_seconds, memory_kb, host, started, message, json "
                  "FROM result WHERE program = ?1 AND configuration = ?2 AND version = ?3",
    [STORE_COST_PROGRAM] = "SELECT avg(cpu_seconds) FROM result "
                           "WHERE program = ?1 AND version = ?2 AND exit = 0 AND message IS NULL",
    [STORE_COST_NAME] = "SELECT avg(cpu_seconds) FROM result JOIN program ON hash = program "
                        "WHERE name = ?1 AND version = ?2 AND exit = 0 AND message IS NULL",
    [STORE_COST_ALL] =
        "SELECT avg(cpu_seconds) FROM result WHERE version = ?1 AND exit = 0 AND message IS NULL",
    [STORE_FORGET] = "DELETE FROM result WHERE exit = 0 AND message IS NOT NULL AND version = ?1",
    [STORE_LIST] = "SELECT p.hash, p.name, p.options, c.hash, c.text FROM result r "
                   "JOIN program p ON p.hash = r.program "
                   "JOIN configuration c ON c.hash = r.configuration "
                   "WHERE r.version = ?1 ORDER BY p.name, p.options, p.hash, c.hash",
};

int store_fail(const sweep_store_t *s, mrpb_err_t *err) {
  return mrpb_fail(err, "%s: %s", s->path, sqlite3_errmsg(s->db));
}

sqlite3_stmt *store_statement(sweep_store_t *s, unsigned which, mrpb_err_t *err) {
  if (!s->statement[which] &&
      sqlite3_prepare_v2(s->db, sql[which], -1, &s->statement[which], NULL) != SQLITE_OK)
    return (void)store_fail(s, err), NULL;
  sqlite3_reset(s->statement[which]);
  sqlite3_clear_bindings(s->statement[which]);
  return s->statement[which];
}

/* ---- opening ----------------------------------------------------------------------------------- */

/* Takes the first value of the first row, if it is a number. */
static int number(const sweep_store_t *s, const char *query, int *value, mrpb_err_t *err) {
  sqlite3_stmt *q = NULL;
  int rc = sqlite3_prepare_v2(s->db, query, -1, &q, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_step(q);
  if (rc == SQLITE_ROW) *value = sqlite3_column_int(q, 0);
  if (rc != SQLITE_ROW) (void)store_fail(s, err);
  sqlite3_finalize(q);
  return rc == SQLITE_ROW ? 0 : -1;
}

/* SQLite answers "ok", or the first fault. */
static int check_integrity(const sweep_store_t *s, mrpb_err_t *err) {
  sqlite3_stmt *q = NULL;
  int rc = sqlite3_prepare_v2(s->db, "PRAGMA integrity_check(1)", -1, &q, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_step(q);
  if (rc != SQLITE_ROW) {
    (void)store_fail(s, err);
  } else {
    const char *said = (const char *)sqlite3_column_text(q, 0);
    if (!said || strcmp(said, "ok") != 0)
      rc = mrpb_fail(err, "%s: damaged: %.200s; legal: a store of `mrpb sweep`", s->path, said);
  }
  sqlite3_finalize(q);
  return rc == SQLITE_ROW ? 0 : -1;
}

/* SQLite reads the missing part of a cut-off last page as zeros, so the size is checked here. A
 * file whose writer was killed is exempt: its journal has the true size. */
static int check_size(const sweep_store_t *s, mrpb_err_t *err) {
  static const char *const journals[] = {"wal", "journal"};
  struct stat file, journal;
  char path[OUTPUT_NAME];
  int page = 0;
  for (unsigned i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s-%s", s->path, journals[i]);
    if (stat(path, &journal) == 0 && journal.st_size > 0) return 0;
  }
  if (number(s, "PRAGMA page_size", &page, err) != 0) return -1;
  if (stat(s->path, &file) == 0 && page > 0 && file.st_size % page == 0) return 0;
  return mrpb_fail(err, "%s: cut off; legal: a store of `mrpb sweep`", s->path);
}

/* Whether the file is a store of `mrpb sweep`. *empty: it has no contents yet. */
static int check_schema(const sweep_store_t *s, bool *empty, mrpb_err_t *err) {
  int application = 0, version = 0, things = 0;
  if (number(s, "PRAGMA application_id", &application, err) != 0 ||
      number(s, "PRAGMA user_version", &version, err) != 0 ||
      number(s, "SELECT count(*) FROM sqlite_master", &things, err) != 0)
    return -1;
  *empty = application == 0 && version == 0 && things == 0;
  if (*empty) return 0;
  if (application != APPLICATION)
    return mrpb_fail(err, "%s: an SQLite file of another program; legal: a store of `mrpb sweep`",
                     s->path);
  if (version != SCHEMA)
    return mrpb_fail(err, "%s: a store of schema %d; legal: schema %d", s->path, version, SCHEMA);
  return check_size(s, err) == 0 ? check_integrity(s, err) : -1;
}

int store_execute(const sweep_store_t *s, const char *text, mrpb_err_t *err) {
  return sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK ? 0 : store_fail(s, err);
}

static int create(const sweep_store_t *s, mrpb_err_t *err) {
  if (store_execute(s, "BEGIN IMMEDIATE", err) != 0) return -1;
  if (store_execute(s, schema, err) == 0 && store_execute(s, "COMMIT", err) == 0) return 0;
  sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
  return -1;
}

static int prepare(sweep_store_t *s, mrpb_err_t *err) {
  bool empty = false;
  sqlite3_busy_timeout(s->db, BUSY_MS);
  if (check_schema(s, &empty, err) != 0) return -1;
  s->empty = empty;
  if (!s->writes) return 0;
  if (sqlite3_db_readonly(s->db, "main") == 1)
    return mrpb_fail(err, "%s: read-only; legal: a file that can be written", s->path);
  if (empty && create(s, err) != 0) return -1;
  return store_execute(s,
                       "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                       "PRAGMA foreign_keys = ON",
                       err);
}

static int open_store(sweep_store_t **out, const char *path, bool writes, mrpb_err_t *err) {
  sweep_store_t *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s || !(s->path = strdup(path))) return free(s), mrpb_fail(err, "%s: out of memory", path);
  s->writes = writes;
  s->lock = -1;
  struct stat there;
  if (files_is_folder(path)) {
    (void)mrpb_fail(err, "%s: a folder; legal: a store of `mrpb sweep`", path);
  } else if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
    /* Refused because SQLite would leave its journal beside a device. */
    (void)mrpb_fail(err, "%s: no regular file; legal: a store of `mrpb sweep`", path);
  } else if (!writes || store_lock(s, err) == 0) {
    /* Even a reader must be able to write, to recover the journal of a killed writer. */
    const int flags = SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0);
    const int rc = sqlite3_open_v2(path, &s->db, flags, NULL);
    if (rc != SQLITE_OK)
      (void)mrpb_fail(err, "%s: %s", path, s->db ? sqlite3_errmsg(s->db) : "out of memory");
    else if (prepare(s, err) == 0)
      return *out = s, 0;
  }
  s->writes = false; /* leaves the journal as it is */
  sweep_store_close(s);
  return -1;
}

int sweep_store_read(sweep_store_t **s, const char *path, mrpb_err_t *err) {
  *s = NULL;
  if (access(path, F_OK) != 0 && errno == ENOENT) return 0;
  if (open_store(s, path, false, err) != 0) return -1;
  if ((*s)->empty) { /* its first writer was killed before it wrote anything */
    sweep_store_close(*s);
    *s = NULL;
  }
  return 0;
}

int sweep_store_write(sweep_store_t **s, const char *path, mrpb_err_t *err) {
  char folder[OUTPUT_NAME];
  const char *slash = strrchr(path, '/');
  *s = NULL;
  const int n = snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 0, path);
  if (n >= (int)sizeof folder) return mrpb_fail(err, "%.60s...: name too long", path);
  if (n > 0 && output_folder(folder, err) != 0) return -1;
  return open_store(s, path, true, err);
}

/* Moves the log into the file, which is then complete. */
void sweep_store_close(sweep_store_t *s) {
  if (!s) return;
  for (unsigned i = 0; i < STORE_STATEMENTS; i++) sqlite3_finalize(s->statement[i]);
  if (s->writes) sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  sqlite3_close(s->db);
  store_unlock(s);
  free(s->path);
  free(s);
}
