/* SPDX-License-Identifier: Apache-2.0 */
/* The file of results: its schema, files that are refused, one writer at a time, and its export. */
#include "sweep_help.h"

#include <sqlite3.h>
#include <sys/wait.h>

Suite *test_sweep_store_suite(void);

static void refused(const char *path, bool write, const char *says) {
  mrpb_err_t err = {{0}};
  sweep_store_t *s;
  ck_assert_int_eq(write ? sweep_store_write(&s, path, &err) : sweep_store_read(&s, path, &err),
                   -1);
  ck_assert_ptr_null(s);
  ck_assert_msg(strstr(err.text, says), "'%s' is not in '%s'", says, err.text);
}

static void run_sql(const char *path, const char *text) {
  sqlite3 *db;
  ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
  ck_assert_msg(sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
  sqlite3_close(db);
}

static off_t size_of(const char *path) {
  struct stat st;
  ck_assert_int_eq(stat(path, &st), 0);
  return st.st_size;
}

static const struct {
  const char *text, *sql, *says;
} foreign[] = {
    {"not a store, and long enough to have a header, which SQLite looks at: a hundred bytes of it "
     "are "
     "read before anything else is\n",
     NULL, "file is not a database"},
    {NULL, "CREATE TABLE a(b)", "another program"},
    {NULL, "PRAGMA application_id = 7", "another program"},
    {NULL, "PRAGMA application_id = 0x4d525042; PRAGMA user_version = 2; CREATE TABLE a(b)",
     "schema 2; legal: schema 1"},
};

/* Refused with a line, and left as it was. */
START_TEST(refuses) {
  sweep_rig_t r;
  char path[SWEEP_PATH], copy[SWEEP_PATH], command[SWEEP_PATH * 3];
  sweep_rig_open(&r);
  snprintf(path, sizeof path, "%s/x.db", r.folder);
  snprintf(copy, sizeof copy, "%s/copy", r.folder);
  if (foreign[_i].text) sweep_write_file(path, foreign[_i].text);
  if (foreign[_i].sql) run_sql(path, foreign[_i].sql);
  snprintf(command, sizeof command, "cp %s %s", path, copy);
  ck_assert_int_eq(system(command), 0);
  refused(path, true, foreign[_i].says);
  refused(path, false, foreign[_i].says);
  snprintf(command, sizeof command, "cmp %s %s && ! ls %s/x.db?* 2> /dev/null", path, copy,
           r.folder);
  ck_assert_int_eq(system(command), 0);
  sweep_rig_close(&r);
}
END_TEST

START_TEST(refuses_places) {
  sweep_rig_t r;
  char path[SWEEP_PATH * 2];
  sweep_rig_open(&r);
  refused(r.folder, true, "a folder");
  refused(r.folder, false, "a folder");
  snprintf(path, sizeof path, "%s/r.db", r.script);
  refused(path, true, "Not a directory");
  refused("/proc/nowhere.db", true, "/proc/nowhere.db.lock");
  sweep_rig_close(&r);
}
END_TEST

/* Cut to any part of it, a store is damaged, or has nothing in it: never half of it is believed. */
START_TEST(truncated) {
  sweep_rig_t r;
  mrpb_err_t err = {{0}};
  sweep_store_t *s;
  sweep_rig_open(&r);
  sweep_add(&r, "many", 2);
  ck_assert_int_eq(sweep_make(&r), 0);
  for (off_t size = size_of(r.db); size > 1000; size -= 50000) {
    ck_assert_int_eq(truncate(r.db, size - 1), 0);
    err.text[0] = '\0';
    ck_assert_int_eq(sweep_store_write(&s, r.db, &err), -1);
    ck_assert_msg(strstr(err.text, "malformed") || strstr(err.text, "cut off"), "%s", err.text);
  }
  sweep_rig_close(&r);
}
END_TEST

START_TEST(damaged) {
  sweep_rig_t r;
  sweep_rig_open(&r);
  sweep_add(&r, "one", 20);
  ck_assert_int_eq(sweep_make(&r), 0);
  FILE *f = fopen(r.db, "r+");
  ck_assert_ptr_nonnull(f);
  fseek(f, 4096 * 3, SEEK_SET);
  for (unsigned i = 0; i < 4096; i++) fputc(0x5a, f);
  fclose(f);
  refused(r.db, true, "");
  sweep_rig_close(&r);
}
END_TEST

/* In another process, for a lock is not held against its own. */
START_TEST(one_writer) {
  sweep_rig_t r;
  mrpb_err_t err = {{0}};
  sweep_store_t *s;
  char mine[32];
  int status;
  sweep_rig_open(&r);
  ck_assert_int_eq(sweep_store_write(&s, r.db, &err), 0);
  snprintf(mine, sizeof mine, "process %ld on ", (long)getpid());
  const pid_t pid = fork();
  if (pid == 0) {
    const int rc = sweep_store_write(&s, r.db, &err);
    sweep_store_t *reader;
    mrpb_err_t none = {{0}};
    _exit(rc == -1 && strstr(err.text, mine) && strstr(err.text, "one sweep at a time") &&
                  sweep_store_read(&reader, r.db, &none) == 0 && reader
              ? 0
              : 1);
  }
  ck_assert(waitpid(pid, &status, 0) == pid && status == 0);
  sweep_store_close(s);
  ck_assert_int_eq(sweep_store_write(&s, r.db, &err), 0);
  sweep_store_close(s);
  sweep_rig_close(&r);
}
END_TEST

/* ---- the schema ------------------------------------------------------------------------------------ */

static int add_line(void *ctx, int n, char **value, char **name) {
  char *text = ctx;
  (void)name;
  for (int i = 1; i < n; i++) { /* not the number */
    const size_t at = strlen(text);
    snprintf(text + at, 4000 - at, "%s ", value[i] ? value[i] : "-");
  }
  return 0;
}

static void describe(const char *path, char text[4000]) {
  static const char *const tables[] = {"program", "configuration", "result", "stat"};
  sqlite3 *db;
  text[0] = '\0';
  ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
  for (unsigned i = 0; i < 4; i++) {
    char query[64];
    snprintf(query, sizeof query, "PRAGMA table_info(%s)", tables[i]);
    ck_assert_int_eq(sqlite3_exec(db, query, add_line, text, NULL), SQLITE_OK);
  }
  sqlite3_close(db);
}

/* The page's tables are the store's. */
START_TEST(documented) {
  sweep_rig_t r;
  mrpb_err_t err = {{0}};
  sweep_store_t *s;
  static char text[40000], page[4000], store[4000];
  char path[SWEEP_PATH];
  sweep_rig_open(&r);
  ck_assert_int_eq(sweep_store_write(&s, r.db, &err), 0);
  sweep_store_close(s);
  FILE *f = fopen("docs/sweep.md", "r");
  ck_assert_ptr_nonnull(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  char *from = strstr(text, "```sql\n"), *to = from ? strstr(from + 7, "```") : NULL;
  ck_assert_ptr_nonnull(to);
  *to = '\0';
  snprintf(path, sizeof path, "%s/page.db", r.folder);
  run_sql(path, from + 7);
  describe(path, page);
  describe(r.db, store);
  ck_assert_str_eq(page, store);
  ck_assert_ptr_nonnull(strstr(store, "cpu_seconds"));
  sweep_rig_close(&r);
}
END_TEST

/* ---- export ---------------------------------------------------------------------------------------- */

static char *export_as(sweep_rig_t *r, bool json, const char *const *stat, unsigned n) {
  mrpb_err_t err = {{0}};
  sweep_store_t *s;
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  const sweep_export_t how = {stat, n, json};
  ck_assert_int_eq(sweep_store_read(&s, r->db, &err), 0);
  ck_assert_msg(sweep_export(&r->list, s, &how, f, &err) == 0, "%s", err.text);
  sweep_store_close(s);
  fclose(f);
  return text;
}

START_TEST(exports) {
  static const char *const stat[] = {"cycles",   "name",    "a.b_c[1].d", "a.e",
                                     "a.b_c[7]", "nothing", "run.message"};
  sweep_rig_t r;
  sweep_rig_open(&r);
  sweep_add(&r, "one", 2);
  sweep_add(&r, "gone", 1);
  ck_assert_int_eq(sweep_make(&r), 1);
  sweep_add(&r, "two words", 1);
  char hash[SWEEP_HASH], other[SWEEP_HASH], want[2000];
  sweep_hash_text(r.list.point[0].hash, hash);
  sweep_hash_text(r.list.point[1].hash, other);
  char *text = export_as(&r, false, stat, 7);
  snprintf(want, sizeof want,
           "program,configuration,MRPB_DEPTH,exit,cycles,name,a.b_c[1].d,a.e,a.b_c[7],nothing,"
           "run.message\n"
           "--kernel one,%s,1,0,1000,\"a,\"\"b\",2.5,true,,,\n"
           "--kernel one,%s,2,0,2000,\"a,\"\"b\",2.5,true,,,\n"
           "--kernel gone,%s,1,4,,,,,,,no way out\n"
           "--kernel 'two words',%s,1,,,,,,,,\n",
           hash, other, hash, hash);
  ck_assert_str_eq(text, want);
  free(text);
  text = export_as(&r, false, NULL, 0);
  ck_assert_msg(strncmp(text, "program,configuration,MRPB_DEPTH,exit,cycles,name,a.e,long\n", 58) ==
                    0,
                "%s", text);
  free(text);
  text = export_as(&r, true, stat, 1);
  json_t *json = json_loads(text, 0, NULL);
  const json_t *points = json_object_get(json, "points");
  ck_assert_uint_eq(json_array_size(points), 4);
  const json_t *second = json_array_get(points, 1);
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(second, "stats"), "cycles")),
                   2000);
  ck_assert_int_eq(
      json_integer_value(json_object_get(json_object_get(second, "keys"), "MRPB_DEPTH")), 2);
  ck_assert(json_is_null(json_object_get(json_array_get(points, 3), "exit")));
  json_decref(json);
  free(text);
  sweep_rig_close(&r);
}
END_TEST

Suite *test_sweep_store_suite(void) {
  Suite *s = suite_create("sweep_store");
  TCase *t = tcase_create("store");
  tcase_add_loop_test(t, refuses, 0, sizeof foreign / sizeof *foreign);
  tcase_add_test(t, refuses_places);
  tcase_add_test(t, truncated);
  tcase_add_test(t, damaged);
  tcase_add_test(t, documented);
  tcase_add_test(t, exports);
  suite_add_tcase(s, t);
  t = tcase_create("two processes"); /* one of them ends as a copy of the other */
  tcase_set_tags(t, "heavy");
  tcase_add_test(t, one_writer);
  suite_add_tcase(s, t);
  return s;
}
