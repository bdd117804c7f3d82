/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps that need fewer runs: points that another run proves, and runs that are ended because they
 * are not the best. */
#include "sweep_help.h"

#include "studies/sweep/equal.h"

#include <inttypes.h>

Suite *test_sweep_fewer_suite(void);

/* In place of mrpb. The run of depth d (0: none) takes 1000 x min(d, 5) cycles, and its fullest
 * queue holds at most 4 requests, so depths from 5 on are the same run. "liar" says 4, but takes
 * 1000 x d, and so does "patient", which at depth 7 waits until its bound is 3000. "gone" fails at
 * depth 8. A run ends itself if its cycles pass its bound. */
static const char script[] =
    "#!/bin/bash\n"
    "cd $(dirname $0)\n"
    "while [ $# -gt 0 ]; do case $1 in\n"
    "  -c) c=$(cat $2); shift;; --kernel) k=$2; shift;; --json) j=$2; shift;; esac; shift; done\n"
    "d=$(echo \"$c\" | sed -n 's/^MRPB_DEPTH = //p'); h=$(echo \"$c\" | sed -n 's/^# configuration "
    "//p')\n"
    "echo $k $d >> calls\n"
    "bound() { od -An -tu8 -N8 /dev/fd/$MRPB_BOUND | tr -d ' '; }\n"
    "[ $d = 0 ] && d=99\n"
    "n=$((1000 * (d > 5 ? 5 : d))) p=$((d > 4 ? 4 : d))\n"
    "case $k in\n"
    "  liar | patient) n=$((1000 * d));;\n"
    "  gone) if [ $d = 8 ]; then echo mrpb run: no way out >&2; exit 4; fi;;\n"
    "  *) ;; esac\n"
    "if [ $k = patient ] && [ $d = 7 ]; then\n"
    "  for i in $(seq 500); do [ \"$(bound)\" = 3000 ] && break; sleep 0.02; done; fi\n"
    "if [ -n \"$MRPB_BOUND\" ] && [ \"$(bound)\" != 18446744073709551615 ] && [ $n -gt $(bound) ]; "
    "then\n"
    "  printf \"\\\\$(printf %o $((n % 256)))\\\\$(printf %o $((n / "
    "256)))\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\""
    " | dd of=/dev/fd/$MRPB_BOUND bs=8 seek=1 conv=notrunc status=none\n"
    "  exit 130; fi\n"
    "echo \"{\\\"config_hash\\\": \\\"$h\\\", \\\"cycles\\\": $n, \\\"mrpb\\\": "
    "{\\\"queue_max\\\": $p}"
    "}\" > $j\n";

static void open_rig(sweep_rig_t *r) {
  sweep_rig_open(r);
  sweep_write_file(r->script, script);
}

/* Adds points of the program with these depths, up to the first UINT_MAX. */
static void add(sweep_rig_t *r, const char *name, const unsigned *depth) {
  sweep_add(r, name, 0);
  for (; *depth != UINT32_MAX; depth++) {
    config_t cfg;
    mrpb_err_t err = {{0}};
    config_defaults(&cfg);
    cfg.mrpb_depth = *depth;
    ck_assert_int_eq(sweep_list_add(&r->list, (unsigned)r->list.n_programs - 1, &cfg, &err), 0);
  }
}

static void look(sweep_rig_t *r, size_t point, sweep_outcome_t *o, bool *there) {
  mrpb_err_t err = {{0}};
  sweep_store_t *s;
  const sweep_point_t *p = &r->list.point[point];
  ck_assert_int_eq(sweep_store_read(&s, r->db, &err), 0);
  ck_assert_int_eq(sweep_store_get(s, r->list.program[p->program].hash, p->hash, there, o, &err),
                   0);
  sweep_store_close(s);
}

/* The cycles of the result of a point; 0 if it has none. */
static uint64_t cycles(sweep_rig_t *r, size_t point) {
  sweep_outcome_t o;
  bool there;
  equal_peaks_t peaks = {0};
  look(r, point, &o, &there);
  json_t *json = o.json ? json_loads(o.json, 0, NULL) : NULL;
  if (json) equal_look(json, &peaks);
  json_decref(json);
  free(o.json);
  return peaks.cycles;
}

static uint64_t from(sweep_rig_t *r, size_t point) {
  sweep_outcome_t o;
  bool there;
  look(r, point, &o, &there);
  free(o.json);
  return there ? o.from : UINT64_MAX;
}

static uint64_t ended(sweep_rig_t *r, size_t point) {
  sweep_outcome_t o;
  bool there;
  look(r, point, &o, &there);
  free(o.json);
  return o.ended;
}

static bool said(sweep_rig_t *r, const char *what) {
  char line[1024];
  bool found = false;
  rewind(r->log);
  while (fgets(line, sizeof line, r->log)) found = found || strstr(line, what);
  return found;
}

/* ---- the rules ------------------------------------------------------------------------------------- */

START_TEST(rules) {
  config_t a, b;
  equal_peaks_t p;
  for (unsigned i = 0; i < EQUAL_RULES; i++) ck_assert_uint_lt(equal_key(i), config_count());
  config_defaults(&a);
  for (unsigned i = 0; i < EQUAL_RULES; i++) p.peak[i] = 4;
  a.mrpb_depth = 0;
  b = a;
  b.mrpb_depth = 5;
  ck_assert(equal_proven(&a, &p, &b) && equal_proven(&b, &p, &a));
  b.mrpb_depth = 4; /* full once */
  ck_assert(!equal_proven(&a, &p, &b) && !equal_proven(&b, &p, &a));
  b.mrpb_depth = 5;
  p.peak[EQUAL_MRPB_DEPTH] = UINT64_MAX; /* not said */
  ck_assert(!equal_proven(&a, &p, &b));
  p.peak[EQUAL_MRPB_DEPTH] = 4;
  b.l1d_ways++; /* no rule */
  ck_assert(!equal_proven(&a, &p, &b));
  b.l1d_ways--;
  b.swl_limit = 4;
  b.prt_entries = 6;
  ck_assert(equal_proven(&a, &p, &b));
  b.prt_entries = 5; /* the table looks ahead */
  ck_assert(!equal_proven(&a, &p, &b));
}
END_TEST

START_TEST(replaces) {
  config_t cfg;
  config_defaults(&cfg);
  cfg.mrpb_depth = 7;
  char *text =
      equal_with("{\"config_hash\": \"x\", \"cycles\": 3, \"configuration\": {}}", &cfg, 255);
  ck_assert_ptr_nonnull(text);
  json_t *json = json_loads(text, 0, NULL);
  ck_assert_str_eq(json_string_value(json_object_get(json, "config_hash")), "00000000000000ff");
  const json_t *keys = json_object_get(json, "configuration");
  ck_assert_int_eq(json_integer_value(json_object_get(keys, "MRPB_DEPTH")), 7);
  ck_assert_str_eq(json_string_value(json_object_get(keys, "SCHEDULER")), "rr");
  ck_assert_int_eq(json_integer_value(json_object_get(json, "cycles")), 3);
  json_decref(json);
  free(text);
}
END_TEST

START_TEST(same_result) {
  ck_assert(equal_results("{\"mrpb_version\": \"1\", \"cycles\": 3}", "{\"cycles\": 3}"));
  ck_assert(!equal_results("{\"cycles\": 3}", "{\"cycles\": 4}"));
  ck_assert(!equal_results("{\"cycles\": 3}", "{\"cycles\": 3, \"ipc\": 1.5}"));
  ck_assert(!equal_results("{", "{"));
}
END_TEST

/* ---- points that are not run ----------------------------------------------------------------------- */

/* Of depths 2, 5 to 9 and none: none is run first, 9 as a sample, then 2. */
START_TEST(derives) {
  sweep_rig_t r;
  open_rig(&r);
  r.sweep.skip_equal = true;
  add(&r, "one", (const unsigned[]){2, 5, 6, 7, 8, 9, 0, UINT32_MAX});
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert(said(&r, "MRPB_DEPTH=5 ") && said(&r, "4 points derived, 0 ended"));
  ck_assert_uint_eq(sweep_calls(r.folder), 3);
  for (unsigned i = 0; i < 7; i++) ck_assert_uint_eq(cycles(&r, i), i ? 5000 : 2000);
  for (unsigned i = 1; i < 5; i++) ck_assert_uint_eq(from(&r, i), r.list.point[6].hash);
  ck_assert_uint_eq(from(&r, 0) | from(&r, 5) | from(&r, 6), 0);
  ck_assert(!said(&r, "differs"));
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(sweep_calls(r.folder), 3);
  sweep_rig_close(&r);
}
END_TEST

/* A statistic that is too low: the sample differs, and no derived result stays. */
START_TEST(wrong_rule) {
  sweep_rig_t r;
  open_rig(&r);
  r.sweep.skip_equal = true;
  r.sweep.jobs = 1;
  add(&r, "liar", (const unsigned[]){5, 6, 7, 8, 9, UINT32_MAX});
  ck_assert_int_eq(sweep_make(&r), 1);
  char names[2][SWEEP_HASH];
  sweep_hash_text(r.list.point[3].hash, names[0]);
  sweep_hash_text(r.list.point[4].hash, names[1]);
  ck_assert(said(&r, names[0]) && said(&r, names[1]) &&
            said(&r, "a rule of --skip-equal is wrong"));
  for (unsigned i = 0; i < 5; i++) {
    ck_assert(from(&r, i) == 0 || from(&r, i) == UINT64_MAX);
    ck_assert(cycles(&r, i) == 0 || cycles(&r, i) == 1000 * (5 + i));
  }
  r.sweep.skip_equal = false;
  ck_assert_int_eq(sweep_make(&r), 0);
  for (unsigned i = 0; i < 5; i++) ck_assert_uint_eq(cycles(&r, i), 1000 * (5 + i));
  sweep_rig_close(&r);
}
END_TEST

/* The first of a family fails: the others are run, and prove one another. */
START_TEST(first_fails) {
  sweep_rig_t r;
  open_rig(&r);
  r.sweep.skip_equal = true;
  r.sweep.jobs = 1;
  add(&r, "gone", (const unsigned[]){5, 6, 7, 8, UINT32_MAX});
  ck_assert_int_eq(sweep_make(&r), 1);
  ck_assert(said(&r, "FAILED (exit 4): no way out"));
  for (unsigned i = 0; i < 3; i++) ck_assert_uint_eq(cycles(&r, i), 5000);
  ck_assert_uint_eq(cycles(&r, 3), 0);
  ck_assert_uint_eq(sweep_calls(r.folder), 3); /* 8, 7, 6 as a sample */
  ck_assert_uint_eq(from(&r, 0), r.list.point[1].hash);
  r.sweep.retry = true; /* now another run proves it: the sample of this sweep */
  ck_assert_int_eq(sweep_make(&r), 1);
  ck_assert_uint_eq(sweep_calls(r.folder), 4);
  sweep_rig_close(&r);
}
END_TEST

/* ---- runs that are ended --------------------------------------------------------------------------- */

static const char *const depth_key[] = {"MRPB_DEPTH"};

/* A rig in which only the fastest depth counts. */
static void open_best(sweep_rig_t *r) {
  open_rig(r);
  r->sweep.best = depth_key;
  r->sweep.n_best = 1;
}

START_TEST(ends_losers) {
  sweep_rig_t r;
  open_best(&r);
  r.sweep.jobs = 1 + (unsigned)_i;
  add(&r, "one", (const unsigned[]){3, 5, 2, 4, 1, UINT32_MAX});
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(ended(&r, 1), 5000);
  ck_assert_uint_eq(cycles(&r, 1), 0);
  ck_assert_uint_eq(cycles(&r, 4), 1000); /* the best, whatever the number of jobs */
  ck_assert_uint_eq(ended(&r, 4), 0);
  ck_assert(said(&r, ", ended at 5000\n"));
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(sweep_calls(r.folder), 5);
  r.sweep.n_best = 0; /* without --best it is missing */
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(cycles(&r, 1), 5000);
  ck_assert_uint_eq(ended(&r, 1), 0);
  sweep_rig_close(&r);
}
END_TEST

/* The bound of 7 falls while it is in progress, because 3 ends. */
START_TEST(bound_falls) {
  sweep_rig_t r;
  open_best(&r);
  add(&r, "patient", (const unsigned[]){8, 7, 3, UINT32_MAX});
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(cycles(&r, 0), 8000);
  ck_assert_uint_eq(ended(&r, 1), 7000);
  ck_assert_uint_eq(cycles(&r, 2), 3000);
  sweep_rig_close(&r);
}
END_TEST

/* An ended point is over only as long as its group has a better one. */
START_TEST(without_the_best) {
  sweep_rig_t r;
  open_best(&r);
  add(&r, "one", (const unsigned[]){2, 5, 4, UINT32_MAX});
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(ended(&r, 1), 5000);
  sweep_list_free(&r.list);
  add(&r, "one", (const unsigned[]){5, 4, UINT32_MAX});
  ck_assert_int_eq(sweep_make(&r), 0);
  ck_assert_uint_eq(cycles(&r, 0), 5000);
  ck_assert_uint_eq(cycles(&r, 1), 4000);
  sweep_rig_close(&r);
}
END_TEST

/* Only the points of a group end one another. */
START_TEST(groups) {
  sweep_rig_t r;
  mrpb_err_t err = {{0}};
  open_rig(&r);
  r.sweep.jobs = 1;
  sweep_add(&r, "one", 0);
  for (unsigned d = 1; d <= 5; d++) {
    config_t cfg;
    config_defaults(&cfg);
    cfg.mrpb_depth = d;
    ck_assert_int_eq(sweep_list_add_to(&r.list, 0, &cfg, d > 1 ? 17 : 0, &err), 0);
    if (d == 4) ck_assert_int_eq(sweep_list_add(&r.list, 0, &cfg, &err), 0); /* counts by itself */
  }
  ck_assert_int_eq(sweep_make(&r), 0);
  for (unsigned d = 1; d <= 5; d++) {
    const bool loses = d == 3 || d == 5;
    ck_assert_uint_eq(cycles(&r, d - 1), loses ? 0 : 1000 * d);
    ck_assert_uint_eq(ended(&r, d - 1), loses ? 1000 * d : 0);
  }
  sweep_rig_close(&r);
}
END_TEST

/* ---- what is written ------------------------------------------------------------------------------- */

START_TEST(exports) {
  sweep_rig_t r;
  char *text = NULL, expect[256];
  size_t size;
  mrpb_err_t err = {{0}};
  const char *const stat[] = {"cycles"};
  open_best(&r);
  r.sweep.skip_equal = true;
  r.sweep.jobs = 1;
  add(&r, "one", (const unsigned[]){5, 6, 7, 4, UINT32_MAX});
  ck_assert_int_eq(sweep_make(&r), 0);
  sweep_store_t *s;
  ck_assert_int_eq(sweep_store_read(&s, r.db, &err), 0);
  FILE *f = open_memstream(&text, &size);
  const sweep_export_t how = {stat, 1, false};
  ck_assert_int_eq(sweep_export(&r.list, s, &how, f, &err), 0);
  fclose(f);
  sweep_store_close(s);
  snprintf(expect, sizeof expect,
           "program,configuration,MRPB_DEPTH,exit,note,cycles\n"
           "--kernel one,%016" PRIx64 ",5,0,equal to %016" PRIx64 ",5000\n",
           r.list.point[0].hash, r.list.point[1].hash);
  ck_assert_msg(strncmp(text, expect, strlen(expect)) == 0, "%s", text);
  ck_assert_msg(strstr(text, ",4,0,,4000\n") != NULL, "%s", text);
  free(text);
  sweep_rig_close(&r);
}
END_TEST

Suite *test_sweep_fewer_suite(void) {
  Suite *s = suite_create("sweep_fewer");
  TCase *t = tcase_create("rules");
  tcase_add_test(t, rules);
  tcase_add_test(t, replaces);
  tcase_add_test(t, same_result);
  suite_add_tcase(s, t);
  t = tcase_create("derived");
  tcase_add_test(t, derives);
  tcase_add_test(t, wrong_rule);
  tcase_add_test(t, first_fails);
  tcase_add_test(t, exports);
  suite_add_tcase(s, t);
  t = tcase_create("ended");
  tcase_add_loop_test(t, ends_losers, 0, 3);
  tcase_add_test(t, bound_falls);
  tcase_add_test(t, without_the_best);
  tcase_add_test(t, groups);
  suite_add_tcase(s, t);
  return s;
}
