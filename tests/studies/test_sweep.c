/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps: points, their cross and file, what runs, in which order, and which results are kept. */
#include "sweep_help.h"

#include <inttypes.h>

Suite *test_sweep_suite(void);

/* ---- points and their cross ---------------------------------------------------------------------- */

START_TEST(each_once) {
  sweep_rig_t r;
  sweep_rig_open(&r);
  sweep_add(&r, "one", 40);
  sweep_add(&r, "two", 30);
  sweep_add(&r, "one", 40);
  ck_assert_uint_eq(r.list.n_programs, 2);
  ck_assert_uint_eq(r.list.n, 70);
  for (size_t i = 0; i < 70; i++)
    for (size_t k = 0; k < i; k++)
      ck_assert(r.list.point[i].program != r.list.point[k].program ||
                r.list.point[i].hash != r.list.point[k].hash);
  sweep_rig_close(&r);
}
END_TEST

/* "ab" "c" is another program than "a" "bc". */
START_TEST(hashes) {
  static const char *const a[] = {"ab", "c"}, *const b[] = {"a", "bc"};
  ck_assert_uint_ne(sweep_words_hash(a, 2), sweep_words_hash(b, 2));
  ck_assert_uint_ne(sweep_words_hash(a, 1), sweep_words_hash(a, 2));
}
END_TEST

static int take_program(sweep_list_t *l, int n, char **word, mrpb_err_t *err) {
  const char *const words[] = {"--kernel", word[1]};
  if (n != 2) return mrpb_fail(err, "legal: program NAME");
  return sweep_list_program(l, word[1], words, 2, false, sweep_words_hash(words, 2), err) < 0 ? -1
                                                                                              : 0;
}

static int read_text(sweep_rig_t *r, const char *text, mrpb_err_t *err) {
  char path[SWEEP_PATH];
  snprintf(path, sizeof path, "%s/t.sweep", r->folder);
  sweep_write_file(path, text);
  return sweep_read(&r->list, path, take_program, err);
}

static const struct {
  const char *text;
  unsigned points;
} legal[] = {
    {"program a\nconfig configs/base-s.conf\n", 1},
    {"program a\nprogram b\nprogram a\nconfig configs/base-s.conf\nconfig configs/base-l.conf\n",
     4},
    {"config base-s # found at home\nprogram a\nvary MRPB_DEPTH=1,2,3\nvary L1D_WAYS=4,8\n", 6},
    {"config base-s\nprogram a\npoint MRPB_DEPTH=1 L1D_WAYS=4\npoint \"MRPB_DEPTH=2\"\n", 2},
    {"config base-s\nprogram a\npoint MRPB_DEPTH=1\npoint MRPB_DEPTH=2\nvary L1D_WAYS=4,8\n", 4},
    {"config base-s\nprogram a\nset L1D_WAYS=8\nvary L1D_WAYS=4,8,4\n", 2},
    {"config base-s\nprogram a\nvary MRPB_POLICY=fixed,longest\n", 2},
};

START_TEST(crosses) {
  sweep_rig_t r;
  mrpb_err_t err = {{0}};
  sweep_rig_open(&r);
  ck_assert_msg(read_text(&r, legal[_i].text, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(r.list.n, legal[_i].points);
  sweep_rig_close(&r);
}
END_TEST

#define BASE "config base-s\nprogram a\n"
#define HUNDRED "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30"
static const struct {
  const char *text, *says;
} illegal[] = {
    {"", "no configuration"},
    {"config base-s\n", "no program"},
    {"program a\n", "no configuration"},
    {"config base-s base-l\n", "t.sweep:1: config: legal: one word"},
    {"config nowhere\nprogram a\n", "nowhere"},
    {"programs a\n", "t.sweep:1: 'programs': legal: program config set vary point"},
    {"program a b\n", "t.sweep:1: legal: program NAME"},
    {"set\n", "t.sweep:1: legal: set KEY=VALUE"},
    {"set \"MRPB_DEPTH=4\n", "t.sweep:1: a quote is not closed"},
    {BASE "set MRPB_DEPHT=4\n", "t.sweep:3: --set: unknown key 'MRPB_DEPHT'; nearest: MRPB_DEPTH"},
    {BASE "point MRPB_DEPTH=4 MRPB_DEPTH\n", "t.sweep:3: "},
    {BASE "vary MRPB_DEPTH=4,99999\n", "MRPB_DEPTH"},
    {BASE "vary MRPB_DEPTH=4,,5\n", "an empty or too long value"},
    {BASE "vary MRPB_DEPTH=4,\n", "an empty or too long value"},
    {BASE "vary MRPB_DEPTH=\n", "an empty or too long value"},
    {BASE "vary MRPB_DEPTH\n", "legal: KEY=VALUE,VALUE"},
    {BASE "vary =4\n", "legal: KEY=VALUE,VALUE"},
    {BASE "vary MRPB_DEPTH=4\nvary MRPB_DEPTH=5\n", "legal: once for a key"},
    {BASE "vary SCHEDULERS=1,32\nset WARPS_PER_SM=2\n", "SCHEDULERS"},
    {BASE "vary MRPB_DEPTH=" HUNDRED "\nvary L1D_WAYS=" HUNDRED "\nvary MSHR_ENTRIES=" HUNDRED
          "\nvary MSHR_MERGES=" HUNDRED "\n",
     "too many points; legal: at most 100000"},
};

START_TEST(refuses) {
  sweep_rig_t r;
  mrpb_err_t err = {{0}};
  sweep_rig_open(&r);
  ck_assert_int_eq(read_text(&r, illegal[_i].text, &err), -1);
  ck_assert_msg(strstr(err.text, illegal[_i].says), "'%s' is not in '%s'", illegal[_i].says,
                err.text);
  sweep_rig_close(&r);
}
END_TEST

/* The text is a file that `mrpb run -c` reads, as the same configuration. */
START_TEST(config_text) {
  config_t cfg, again;
  mrpb_err_t err = {{0}};
  config_defaults(&cfg);
  cfg.mrpb_depth = 5;
  char *text = sweep_config_text(&cfg, config_hash(&cfg));
  FILE *f = fmemopen(text, strlen(text), "r");
  ck_assert_msg(config_read(&again, f, "text", &err) == 0, "%s", err.text);
  ck_assert_uint_eq(config_hash(&again), config_hash(&cfg));
  ck_assert_uint_lt(strlen(text), 4096); /* a pipe's least room */
  fclose(f);
  free(text);
}
END_TEST

/* ---- runs ------------------------------------------------------------------------------------------ */

START_TEST(makes_what_is_missing) {
  sweep_rig_t r;
  sweep_rig_open(&r);
  sweep_add(&r, "one", 3);
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(sweep_calls(r.folder), 3);
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(sweep_calls(r.folder), 3);
  sweep_add(&r, "one", 5);
  sweep_add(&r, "many", 1);
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(sweep_calls(r.folder), 6);
  sweep_rig_close(&r);
}
END_TEST

static void look(sweep_rig_t *r, size_t point, sweep_outcome_t *o) {
  mrpb_err_t err = {{0}};
  sweep_store_t *s;
  bool there;
  const sweep_point_t *p = &r->list.point[point];
  ck_assert_int_eq(sweep_store_read(&s, r->db, &err), 0);
  ck_assert_int_eq(sweep_store_get(s, r->list.program[p->program].hash, p->hash, &there, o, &err),
                   0);
  ck_assert(there);
  sweep_store_close(s);
}

static const struct {
  const char *name;
  bool exited;
  int code;
  const char *says;
} failing[] = {
    {"gone", true, 4, "no way out"},
    {"killed", false, 11, ""},
    {"silent", true, 127, "no result of this configuration"},
    {"other", true, 127, "no result of this configuration"},
};

/* It is stored with its reason, the others go on, and it is run again only if that is asked for. */
START_TEST(a_failure) {
  sweep_rig_t r;
  sweep_outcome_t o;
  char line[512];
  bool told = false;
  sweep_rig_open(&r);
  sweep_add(&r, failing[_i].name, 1);
  sweep_add(&r, "one", 2);
  ck_assert_int_eq(sweep_make(&r), 1);
  ck_assert_uint_eq(sweep_calls(r.folder), 3);
  look(&r, 0, &o);
  ck_assert(o.exited == failing[_i].exited && o.code == failing[_i].code && !o.json);
  ck_assert_msg(strstr(o.message, failing[_i].says), "%s", o.message);
  look(&r, 1, &o);
  ck_assert(o.exited && o.code == 0 && o.json && o.host[0] && strlen(o.started) == 20);
  free(o.json);
  rewind(r.log);
  while (fgets(line, sizeof line, r.log)) told |= strstr(line, "FAILED") != NULL;
  ck_assert(told);
  ck_assert_int_eq(sweep_make(&r), 1);
  ck_assert_uint_eq(sweep_calls(r.folder), 3);
  r.sweep.retry = true;
  ck_assert_int_eq(sweep_make(&r), 1);
  ck_assert_uint_eq(sweep_calls(r.folder), 4);
  sweep_write_file(r.script, "#!/bin/sh\nexit 3\n");
  r.sweep.retry = false;
  ck_assert_int_eq(sweep_make(&r), 1);
  sweep_rig_close(&r);
}
END_TEST

START_TEST(no_program) {
  sweep_rig_t r;
  sweep_outcome_t o;
  sweep_rig_open(&r);
  ck_assert_int_eq(remove(r.script), 0);
  sweep_add(&r, "one", 1);
  ck_assert_int_eq(sweep_make(&r), 1);
  look(&r, 0, &o);
  ck_assert_int_eq(o.code, 127);
  ck_assert_ptr_nonnull(strstr(o.message, "No such file"));
  sweep_rig_close(&r);
}
END_TEST

static bool at_once(void) {
  return true;
}

/* Nothing is begun, nothing is stored, nothing has failed. */
START_TEST(stopped) {
  sweep_rig_t r;
  sweep_rig_open(&r);
  sweep_add(&r, "gone", 2);
  r.sweep.stop = at_once;
  ck_assert_int_eq(sweep_make(&r), 130);
  r.sweep.stop = NULL;
  ck_assert_int_eq(sweep_make(&r), 1);
  sweep_rig_close(&r);
}
END_TEST

static void put(sweep_rig_t *r, size_t point, double seconds) {
  mrpb_err_t err = {{0}};
  sweep_store_t *s;
  char json[] = "{}";
  const sweep_outcome_t o = {.exited = true, .cpu_seconds = seconds, .json = json};
  const sweep_point_t *p = &r->list.point[point];
  ck_assert_int_eq(sweep_store_write(&s, r->db, &err), 0);
  ck_assert_msg(sweep_store_put(s, &r->list.program[p->program], p, &o, &err) == 0, "%s", err.text);
  sweep_store_close(s);
}

/* What nobody knows first, then the longest. */
START_TEST(longest_first) {
  static const char *const names[] = {"new", "new", "long", "long", "short", "short"};
  sweep_rig_t r;
  mrpb_err_t err = {{0}};
  char *text = NULL, *at;
  size_t size = 0;
  sweep_rig_open(&r);
  sweep_add(&r, "short", 3);
  sweep_add(&r, "long", 3);
  sweep_add(&r, "new", 2);
  put(&r, 0, 1);
  put(&r, 3, 120);
  FILE *f = open_memstream(&text, &size);
  ck_assert_int_eq(sweep_store_read(&r.sweep.store, r.db, &err), 0);
  ck_assert_int_eq(sweep_show(&r.sweep, f, &err), 0);
  sweep_store_close(r.sweep.store);
  fclose(f);
  ck_assert_ptr_nonnull(
      strstr(text, "8 points: 2 done, 0 failed, 6 to run; CPU time: 6 min 3 s\n"));
  at = strchr(text, '\n');
  for (unsigned i = 0; i < 6; i++) {
    ck_assert_msg(at && (at = strstr(at, "--kernel ")), "%s", text);
    ck_assert_msg(strncmp(at + 9, names[i], strlen(names[i])) == 0, "%s", text);
    at++;
  }
  free(text);
  sweep_rig_close(&r);
}
END_TEST

Suite *test_sweep_suite(void) {
  Suite *s = suite_create("sweep");
  TCase *t = tcase_create("points");
  tcase_add_test(t, each_once);
  tcase_add_test(t, hashes);
  tcase_add_loop_test(t, crosses, 0, sizeof legal / sizeof *legal);
  tcase_add_loop_test(t, refuses, 0, sizeof illegal / sizeof *illegal);
  tcase_add_test(t, config_text);
  suite_add_tcase(s, t);
  t = tcase_create("runs");
  tcase_add_test(t, makes_what_is_missing);
  tcase_add_loop_test(t, a_failure, 0, sizeof failing / sizeof *failing);
  tcase_add_test(t, stopped);
  tcase_add_test(t, longest_first);
  suite_add_tcase(s, t);
  t = tcase_create("no program"); /* a child that ends as a copy of this process */
  tcase_set_tags(t, "heavy");
  tcase_add_test(t, no_program);
  suite_add_tcase(s, t);
  return s;
}
