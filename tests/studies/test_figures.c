/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments: what is read, what is refused, what is run and kept, and the arithmetic. A shell
 * script in place of `mrpb` writes results with known numbers. */
#include "studies/figures/figures.h"
#include "base/svg_look.h"
#include "studies/sweep_help.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Suite *test_figures_suite(void);

enum { PATH = 256 };

typedef struct {
  char folder[64], list[PATH], file[PATH], script[PATH], db[PATH];
  FILE *log;
  figures_campaign_t c;
  figures_experiment_t e;
} rig_t;

/* The cycles are 1000 for "one", 8000 for "two", divided by MRPB + 1 and by SWL_LIMIT if it is not
 * 0; "gone" fails. Each call leaves a line in `calls`. */
static const char script[] =
    "#!/bin/sh\n"
    "while [ $# -gt 0 ]; do case $1 in\n"
    "  -c) c=$(cat $2); shift;; --kernel) k=$2; shift;; --json) j=$2; shift;; esac; shift; done\n"
    "[ $k = gone ] && exit 4\n"
    "value() { echo \"$c\" | sed -n \"s/^$1 //p\"; }\n"
    "m=$(value 'MRPB ='); l=$(value 'MSHR_MERGES =')\n"
    "n=1000; [ $k = two ] && n=8000\n"
    "echo $k $m $l >> $(dirname $0)/calls\n"
    "echo \"{\\\"config_hash\\\": \\\"$(value '# configuration')\\\",\n"
    " \\\"cycles\\\": $((n / (m + 1) * l / 8)), \\\"thread_instructions\\\": 10,\n"
    " \\\"l1d\\\": {\\\"misses\\\": 5, \\\"bypasses\\\": $m}}\" > $j\n";

static void rig_open(rig_t *r) {
  mrpb_err_t err = {{0}};
  memset(r, 0, sizeof *r);
  snprintf(r->folder, sizeof r->folder, "build/tmp/mrpb_figures_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(r->folder));
  snprintf(r->list, PATH, "%s/programs.list", r->folder);
  snprintf(r->file, PATH, "%s/t.fig", r->folder);
  snprintf(r->script, PATH, "%s/mrpb", r->folder);
  snprintf(r->db, PATH, "%s/results.db", r->folder);
  sweep_write_file(r->list, "one suite IW --cut 4\ntwo suite XW\ngone other -\n");
  sweep_write_file(r->script, script);
  ck_assert_int_eq(chmod(r->script, 0700), 0);
  r->log = tmpfile();
  r->c =
      (figures_campaign_t){.sweep = {.program = r->script, .jobs = 2, .log = r->log}, .db = r->db};
  ck_assert_msg(figures_read_bases(&r->c, "configs", &err) == 0, "%s", err.text);
}

static void rig_close(rig_t *r) {
  char command[PATH];
  fclose(r->log);
  snprintf(command, sizeof command, "rm -r %s", r->folder);
  ck_assert_int_eq(system(command), 0);
}

static int load(rig_t *r, figures_results_t *s, mrpb_err_t *err) {
  ck_assert_msg(sweep_store_read(&r->c.store, r->db, err) == 0, "%s", err->text);
  const int rc = figures_load(s, &r->c, &r->e, err);
  sweep_store_close(r->c.store);
  return rc;
}

static const char good[] = "title A title # with a comment\n"
                           "ylabel speed\n"
                           "programs suite-s two-l\n"
                           "set MRPB=1 l:MRPB_DEPTH=4\n"
                           "point \"the MRPB\"\n"
                           "point best best MSHR_MERGES=8,2,4\n"
                           "published 2 geomean speed \"the MRPB\" base suite-s two over one\n"
                           "published 4 max speed best \"the MRPB\" all the best\n";

START_TEST(reads) {
  rig_t r;
  mrpb_err_t err = {{0}};
  rig_open(&r);
  sweep_write_file(r.file, good);
  ck_assert_msg(figures_read(&r.e, r.file, r.list, &err) == 0, "%s", err.text);
  ck_assert_str_eq(r.e.id, "t");
  ck_assert_str_eq(r.e.title, "A title");
  ck_assert_uint_eq(r.e.n_programs, 3);
  ck_assert_str_eq(r.e.program[0].quick, "--cut 4");
  ck_assert_str_eq(r.e.program[2].group, "suite-l");
  ck_assert_uint_eq(r.e.n_points, 2);
  ck_assert_uint_eq(r.e.point[1].n_best, 3);
  ck_assert_uint_eq(r.e.point[1].n_settings, 2);
  figures_run_t s, l;
  ck_assert_int_eq(figures_make_run(&r.c, &r.e.program[1], &r.e.point[0], 0, &s, &err), 0);
  ck_assert_int_eq(figures_make_run(&r.c, &r.e.program[2], &r.e.point[0], 0, &l, &err), 0);
  ck_assert_uint_eq(s.cfg.mrpb_depth, 8);
  ck_assert_uint_eq(l.cfg.mrpb_depth, 4);
  ck_assert_uint_ne(s.hash, l.hash);
  rig_close(&r);
}
END_TEST

/* Three base runs, three of the first point, nine of `best`, of which the first value is the first
 * point's: 12 in all, and none the second time. */
START_TEST(runs_once) {
  rig_t r;
  mrpb_err_t err = {{0}};
  rig_open(&r);
  sweep_write_file(r.file, good);
  ck_assert_int_eq(figures_read(&r.e, r.file, r.list, &err), 0);
  for (unsigned i = 0; i < 2; i++) {
    ck_assert_msg(figures_run_all(&r.c, &r.e, 1, &err) == 0, "%s", err.text);
    ck_assert_uint_eq(sweep_calls(r.folder), 12);
  }
  figures_results_t s;
  ck_assert_msg(load(&r, &s, &err) == 0, "%s", err.text);
  rig_close(&r); /* the results are not read again */
  ck_assert_double_eq_tol(figures_aggregate(&s, &r.e.published[0]), 2, 1e-9);
  ck_assert_double_eq_tol(figures_aggregate(&s, &r.e.published[1]), 4, 1e-9);
  ck_assert_double_eq_tol(figures_value(&s, 1, 0, "cycles"), 4000, 1e-9);
  ck_assert_double_eq_tol(figures_value(&s, 1, 1, "cycles"), 1000, 1e-9);
  ck_assert_double_eq_tol(figures_value(&s, 1, 2, "cycles"), 8000, 1e-9);
  ck_assert_double_eq_tol(figures_value(&s, 1, 0, "misses+bypasses"), 6, 1e-9);
  ck_assert(isnan(figures_value(&s, 1, 0, "packets")));
  ck_assert(isnan(figures_value(&s, 1, 0, "beauty")));
  figures_unload(&s);
}
END_TEST

/* The store, without this result. */
static void lose(rig_t *r, const figures_run_t *run) {
  char text[PATH];
  sqlite3 *db;
  snprintf(text, sizeof text,
           "DELETE FROM result WHERE program = '%016" PRIx64 "' AND configuration = '%016" PRIx64
           "'",
           run->program, run->hash);
  ck_assert_int_eq(sqlite3_open(r->db, &db), SQLITE_OK);
  ck_assert_int_eq(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
  ck_assert_int_eq(sqlite3_changes(db), 1);
  sqlite3_close(db);
}

START_TEST(goes_on) {
  rig_t r;
  mrpb_err_t err = {{0}};
  figures_run_t run;
  rig_open(&r);
  sweep_write_file(r.file, good);
  ck_assert_int_eq(figures_read(&r.e, r.file, r.list, &err), 0);
  ck_assert_int_eq(figures_run_all(&r.c, &r.e, 1, &err), 0);
  ck_assert_int_eq(figures_make_run(&r.c, &r.e.program[1], NULL, 0, &run, &err), 0);
  lose(&r, &run);
  figures_results_t s;
  ck_assert_int_eq(load(&r, &s, &err), 0);
  ck_assert_uint_eq(figures_bar(&s, 1, 2)->hash, run.hash);
  ck_assert(isnan(figures_aggregate(&s, &r.e.published[0])));
  unsigned all, missing;
  ck_assert_uint_eq(figures_drawn(&s, &all, &missing), 4);
  ck_assert_uint_eq(missing, 2); /* two bars are over the run that is gone */
  ck_assert_uint_eq(all, 6);
  figures_unload(&s);
  ck_assert_int_eq(figures_run_all(&r.c, &r.e, 1, &err), 0);
  ck_assert_uint_eq(sweep_calls(r.folder), 13);
  rig_close(&r);
}
END_TEST

/* The best of three is not known of two. */
START_TEST(best_of_two) {
  rig_t r;
  mrpb_err_t err = {{0}};
  figures_run_t run;
  figures_results_t s;
  rig_open(&r);
  sweep_write_file(r.file, good);
  ck_assert_int_eq(figures_read(&r.e, r.file, r.list, &err), 0);
  ck_assert_int_eq(figures_run_all(&r.c, &r.e, 1, &err), 0);
  ck_assert_int_eq(figures_make_run(&r.c, &r.e.program[1], &r.e.point[1], 2, &run, &err), 0);
  lose(&r, &run);
  ck_assert_int_eq(load(&r, &s, &err), 0);
  ck_assert(isnan(figures_value(&s, 1, 1, "speed")));
  ck_assert(!isnan(figures_value(&s, 0, 1, "speed")));
  figures_unload(&s);
  rig_close(&r);
}
END_TEST

/* Of means alone nothing is drawn, and nothing linked, while a program of each group is missing. */
START_TEST(half_a_group) {
  rig_t r;
  mrpb_err_t err = {{0}};
  figures_run_t run;
  figures_results_t s;
  char path[PATH * 2];
  rig_open(&r);
  sweep_write_file(r.file, "title t\nprograms suite-s\ngroups-only\npoint p MRPB=1\n");
  ck_assert_int_eq(figures_read(&r.e, r.file, r.list, &err), 0);
  ck_assert_int_eq(figures_run_all(&r.c, &r.e, 1, &err), 0);
  for (unsigned i = 0; i < 2; i++) {
    ck_assert_int_eq(load(&r, &s, &err), 0);
    ck_assert(figures_pictured(&s) == (i == 0));
    ck_assert_msg(figures_plot(&s, r.folder, &err) == 0, "%s", err.text);
    snprintf(path, sizeof path, "%s/t.svg", r.folder);
    ck_assert_int_eq(access(path, F_OK), i == 0 ? 0 : -1);
    figures_unload(&s);
    ck_assert_int_eq(figures_make_run(&r.c, &r.e.program[0], &r.e.point[0], 0, &run, &err), 0);
    if (i == 0) lose(&r, &run);
  }
  rig_close(&r);
}
END_TEST

/* Twice the speed for two hundredths of a square millimetre; and a note in two lines. */
START_TEST(pays) {
  rig_t r;
  mrpb_err_t err = {{0}};
  figures_results_t s;
  char path[PATH * 2], text[8192];
  rig_open(&r);
  sweep_write_file(r.file, "title t\nprograms suite-s\npoint p MRPB=1\npoint q MSHR_MERGES=4\n"
                           "area 0.02 p\nnote The words of this note take more columns than a line "
                           "of the page may have, so that the page has two lines of it.\n");
  ck_assert_msg(figures_read(&r.e, r.file, r.list, &err) == 0, "%s", err.text);
  ck_assert_int_eq(figures_run_all(&r.c, &r.e, 1, &err), 0);
  ck_assert_int_eq(load(&r, &s, &err), 0);
  snprintf(path, sizeof path, "%s/page.md", r.folder);
  ck_assert_msg(figures_page(&s, 1, path, "figures", &err) == 0, "%s", err.text);
  FILE *f = fopen(path, "r");
  ck_assert_ptr_nonnull(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  ck_assert_msg(strstr(text, "| p | 0.0200 | +50.0 % |"), "%s", text);
  ck_assert_msg(!strstr(text, "| q | 0"), "%s", text);
  ck_assert_msg(strstr(text,
                       "\n- The words of this note take more columns than a line of the page may "
                       "have, so that the page has\n  two lines of it.\n"),
                "%s", text);
  figures_unload(&s);
  rig_close(&r);
}
END_TEST

START_TEST(failed_run) {
  rig_t r;
  mrpb_err_t err = {{0}};
  char line[512] = "";
  bool told = false;
  rig_open(&r);
  sweep_write_file(r.file, "title t\nprograms gone-s one-s\npoint m MRPB=1\n");
  ck_assert_int_eq(figures_read(&r.e, r.file, r.list, &err), 0);
  ck_assert_int_eq(figures_run_all(&r.c, &r.e, 1, &err), 1);
  ck_assert_uint_eq(sweep_calls(r.folder), 2); /* the others are run */
  rewind(r.log);
  while (fgets(line, sizeof line, r.log)) told |= strstr(line, "FAILED (exit 4)") != NULL;
  ck_assert(told);
  figures_results_t s;
  ck_assert_int_eq(load(&r, &s, &err), 0);
  ck_assert(isnan(figures_value(&s, 0, 0, "cycles")));
  ck_assert(!isnan(figures_value(&s, 1, 0, "cycles")));
  figures_unload(&s);
  rig_close(&r);
}
END_TEST

static const struct {
  const char *text, *says;
} bad[] = {
    {"colour red\n", "t.fig:1: 'colour'; legal: title"},
    {"title \"open\nprograms one-s\n", "t.fig:1: a quote is not closed"},
    {"programs on-s\n", "'on' is not in"},
    {"programs one\n", "program 'one'; legal"},
    {"programs one-s\nset MRPB\n", "t.fig:2: 'MRPB'; legal: KEY=VALUE"},
    {"metric beauty\n", "'beauty' is not a metric"},
    {"published 2 median speed base base all x\n", "'median'; legal"},
    {"published x geomean speed base base all x\n", "'x'; legal: a number"},
    {"published 2 geomean speed there base all x\n", "no point 'there'"},
    {"title t\nprograms one-s\n", "legal: a title, programs, and points"},
    {"area 0.1 there\n", "no point 'there' above"},
    {"point a MRPB=1\narea 0 a\n", "t.fig:2: '0'; legal: square millimetres"},
    {"point a MRPB=1\narea nan a\n", "'nan'; legal: square millimetres"},
    {"point a MRPB=1\narea 1mm a\n", "'1mm'; legal: square millimetres"},
    {"point a MRPB=1\narea 1\n", "legal: area MM2 POINT"},
};

START_TEST(refuses) {
  rig_t r;
  mrpb_err_t err = {{0}};
  rig_open(&r);
  sweep_write_file(r.file, bad[_i].text);
  ck_assert_int_eq(figures_read(&r.e, r.file, r.list, &err), -1);
  char *plain = err.text;
  for (char *at = plain; *at; at++) /* "what: legal" and "what; legal" both */
    if (at[0] == ':' && at[1] == ' ' && at[2] == 'l' && at[3] == 'e') at[0] = ';';
  ck_assert_msg(strstr(plain, bad[_i].says), "'%s' is not in '%s'", bad[_i].says, err.text);
  rig_close(&r);
}
END_TEST

START_TEST(bad_setting) {
  rig_t r;
  mrpb_err_t err = {{0}};
  rig_open(&r);
  sweep_write_file(r.file, "title t\nprograms one-s\npoint p MRPB_DEPTHS=4\n");
  ck_assert_int_eq(figures_read(&r.e, r.file, r.list, &err), 0);
  ck_assert_int_eq(figures_run_all(&r.c, &r.e, 1, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "MRPB_DEPTHS"));
  figures_results_t s;
  err.text[0] = '\0';
  ck_assert_int_eq(load(&r, &s, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "t: "));
  ck_assert_ptr_nonnull(strstr(err.text, "MRPB_DEPTHS"));
  ck_assert_uint_eq(sweep_calls(r.folder), 0);
  rig_close(&r);
}
END_TEST

/* ---- pictures from data ---------------------------------------------------- */

#define HEAD "program,base,group,type,point,config_hash,cycles,thread_instructions,ratio\n"
#define LINES(a, b, c, d)                                                                          \
  HEAD "one,s,suite-s,IW,\"p\",0,1,1," a "\none,s,suite-s,IW,\"base\",0,1,1," b "\n"               \
       "two,s,suite-s,XW,\"p\",0,1,1," c "\ntwo,s,suite-s,XW,\"base\",0,1,1," d "\n"

static void data_rig(rig_t *r, const char *csv, char path[PATH]) {
  mrpb_err_t err = {{0}};
  rig_open(r);
  sweep_write_file(r->file, "title t\nprograms suite-s\npoint p MRPB=1\n");
  ck_assert_int_eq(figures_read(&r->e, r->file, r->list, &err), 0);
  snprintf(path, PATH, "%s/t.csv", r->folder);
  sweep_write_file(path, csv);
  snprintf(path, PATH, "%s/t.svg", r->folder);
}

/* Whatever the values, every bar that there is lies within the axes; log axes too. */
START_TEST(redraws) {
  static const char *const csv[] = {
      LINES("2.7", "1", "1.1", "1"),   LINES("0.001", "1", "50000", "1"),
      LINES("0", "1", "9", "1"),       LINES("-3", "1", "-0.5", "1"),
      LINES("nan", "1", "5", "1"),     LINES("inf", "1", "5", "1"),
      LINES("1e-9", "1", "1e-9", "1"), LINES("4", "1", "4.000001", "1"),
  };
  rig_t r;
  mrpb_err_t err = {{0}};
  char svg[PATH];
  data_rig(&r, csv[_i], svg);
  ck_assert_msg(figures_redraw(&r.e, r.folder, "svg", false, &err) == 0, "%s", err.text);
  svg_look_at(svg);
  rig_close(&r);
}
END_TEST

/* No picture of nothing, and none of an earlier time either. */
START_TEST(nothing_to_draw) {
  rig_t r;
  mrpb_err_t err = {{0}};
  char svg[PATH];
  data_rig(&r, LINES("nan", "1", "-nan", "1"), svg);
  sweep_write_file(svg, "old");
  ck_assert_msg(figures_redraw(&r.e, r.folder, "svg", false, &err) == 0, "%s", err.text);
  ck_assert_int_ne(access(svg, F_OK), 0);
  rig_close(&r);
}
END_TEST

static const struct {
  const char *csv, *says;
} bad_data[] = {
    {"", "t.csv:1: legal: program,base"},
    {"program\n", "t.csv:1: legal: program,base"},
    {HEAD, "t.csv:2: ends early"},
    {LINES("x", "1", "1", "1"), "t.csv:2: 'x"},
    {LINES("1", "1 ", "1", "1"), "t.csv:3: '1 "},
    {LINES("1", "1", "1,2", "1"), "t.csv:4: '1,2"},
    {LINES("1", "1", "1", "1") "\n", "t.csv:6: continues"},
    {HEAD "one,s,suite-s,IW,\"p\",0\n", "t.csv:2: the line is too short"},
    {HEAD "one,s,suite-s,IW,\"q\",0,1,1,1\n",
     "t.csv:2: legal here: a line that begins with one,s,suite-s,IW,\"p\","},
};

START_TEST(refuses_data) {
  rig_t r;
  mrpb_err_t err = {{0}};
  char svg[PATH];
  data_rig(&r, bad_data[_i].csv, svg);
  ck_assert_int_eq(figures_redraw(&r.e, r.folder, "svg", false, &err), -1);
  ck_assert_msg(strstr(err.text, bad_data[_i].says), "'%s' is not in '%s'", bad_data[_i].says,
                err.text);
  ck_assert_int_ne(access(svg, F_OK), 0);
  rig_close(&r);
}
END_TEST

/* The picture of a campaign is that of its data. */
START_TEST(drawn_from_data) {
  rig_t r;
  mrpb_err_t err = {{0}};
  figures_results_t s;
  char command[PATH * 2];
  rig_open(&r);
  sweep_write_file(r.file, good);
  ck_assert_int_eq(figures_read(&r.e, r.file, r.list, &err), 0);
  ck_assert_int_eq(figures_run_all(&r.c, &r.e, 1, &err), 0);
  ck_assert_int_eq(load(&r, &s, &err), 0);
  ck_assert_msg(figures_plot(&s, r.folder, &err) == 0, "%s", err.text);
  figures_unload(&s);
  snprintf(command, sizeof command, "mv %s/t.svg %s/first.svg", r.folder, r.folder);
  ck_assert_int_eq(system(command), 0);
  ck_assert_msg(figures_redraw(&r.e, r.folder, "svg", false, &err) == 0, "%s", err.text);
  snprintf(command, sizeof command, "cmp %s/t.svg %s/first.svg", r.folder, r.folder);
  ck_assert_int_eq(system(command), 0);
  rig_close(&r);
}
END_TEST

/* Data and picture are a pair: what cannot be drawn leaves both as they were. */
START_TEST(both_or_none) {
  rig_t r;
  mrpb_err_t err = {{0}};
  figures_results_t s;
  char path[PATH * 2], text[8] = "";
  rig_open(&r);
  sweep_write_file(r.file, good);
  ck_assert_int_eq(figures_read(&r.e, r.file, r.list, &err), 0);
  ck_assert_int_eq(figures_run_all(&r.c, &r.e, 1, &err), 0);
  ck_assert_int_eq(load(&r, &s, &err), 0);
  snprintf(path, sizeof path, "%s/t.csv", r.folder);
  sweep_write_file(path, "old");
  snprintf(path, sizeof path, "%s/t.svg", r.folder);
  ck_assert_int_eq(mkdir(path, 0777), 0); /* in the way */
  ck_assert_int_eq(figures_plot(&s, r.folder, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "t.svg"));
  ck_assert_int_eq(rmdir(path), 0);
  snprintf(path, sizeof path, "%s/t.csv", r.folder);
  FILE *f = fopen(path, "r");
  ck_assert(f && fread(text, 1, 7, f) == 3);
  fclose(f);
  ck_assert_str_eq(text, "old");
  snprintf(path, sizeof path, "%s/t.csv.part", r.folder);
  ck_assert_int_ne(access(path, F_OK), 0);
  figures_unload(&s);
  rig_close(&r);
}
END_TEST

/* Every experiment of the project can be read and every design point of it is legal. */
START_TEST(the_papers) {
  static const char *const names[] = {"fig04", "fig05", "fig08",   "fig09", "fig10",
                                      "fig11", "fig12", "fig13",   "fig14", "fig15",
                                      "fig16", "text",  "unshared"};
  rig_t r;
  mrpb_err_t err = {{0}};
  rig_open(&r);
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    char path[PATH];
    figures_run_t run;
    snprintf(path, sizeof path, "configs/figures/%s.fig", names[i]);
    ck_assert_msg(figures_read(&r.e, path, "configs/figures/programs.list", &err) == 0, "%s",
                  err.text);
    for (unsigned q = 0; q < r.e.n_points; q++)
      for (unsigned b = 0; b < (r.e.point[q].n_best ? r.e.point[q].n_best : 1); b++)
        ck_assert_msg(figures_make_run(&r.c, &r.e.program[0], &r.e.point[q], b, &run, &err) == 0,
                      "%s: %s", names[i], err.text);
  }
  rig_close(&r);
}
END_TEST

Suite *test_figures_suite(void) {
  Suite *s = suite_create("figures");
  TCase *t = tcase_create("experiments");
  tcase_add_test(t, reads);
  tcase_add_test(t, runs_once);
  tcase_add_test(t, goes_on);
  tcase_add_test(t, best_of_two);
  tcase_add_test(t, half_a_group);
  tcase_add_test(t, pays);
  tcase_add_test(t, failed_run);
  tcase_add_loop_test(t, refuses, 0, sizeof bad / sizeof *bad);
  tcase_add_test(t, bad_setting);
  tcase_add_test(t, the_papers);
  tcase_add_loop_test(t, redraws, 0, 8);
  tcase_add_test(t, nothing_to_draw);
  tcase_add_loop_test(t, refuses_data, 0, sizeof bad_data / sizeof *bad_data);
  tcase_add_test(t, drawn_from_data);
  tcase_add_test(t, both_or_none);
  suite_add_tcase(s, t);
  return s;
}
