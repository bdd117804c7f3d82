/* SPDX-License-Identifier: Apache-2.0 */
/* Whole estimates, with a shell script in place of CACTI: its output decides, not its exit
 * status. */
#include "base/files.h"
#include "estimate/report.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All that is not to hang ends within HANG_SECONDS, on a busy machine too. */
enum { PATH = 512, HANG_SECONDS = 5 };

/* What both versions print for the paper's MRPB, without what nobody reads. */
#define OUTPUT_6_5                                                                                 \
  "---------- CACTI version 6.5, Uniform Cache Access SRAM Model ----------\n"                     \
  "    Access time (ns): 0.310977\n    Cycle time (ns):  0.222371\n"                               \
  "    Total dynamic read energy per access (nJ): 0.00505109\n"                                    \
  "    Total leakage power of a bank (mW): 3.48581\n"                                              \
  "    Cache height x width (mm): 0.292676 x 0.0431189\n"
#define OUTPUT_7_0                                                                                 \
  "---------- CACTI (version 7.0.3DD Prerelease of Aug, 2012), Uniform Cache Access SRAM Model\n"  \
  "    Access time (ns): 0.289445\n    Cycle time (ns):  0.230138\n"                               \
  "    Total dynamic read energy per access (nJ): 0.00235213\n"                                    \
  "    Total dynamic write energy per access (nJ): 0.00750099\n"                                   \
  "    Total leakage power of a bank (mW): 3.2\n"                                                  \
  "    Total gate leakage power of a bank (mW): 0.322\n"                                           \
  "    Cache height x width (mm): 0.2907 x 0.0431\n"

typedef struct {
  char folder[PATH], cacti[PATH], out[PATH];
  estimate_t *e;
  mrpb_err_t err;
} rig_t;

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

/* `script`: the body of the program, in a folder of its own; $2 is the input. */
static void begin(rig_t *r, const char *script) {
  char text[4096];
  *r = (rig_t){.folder = "build/tmp/estimate.XXXXXX"};
  ck_assert_ptr_nonnull(mkdtemp(r->folder));
  snprintf(r->cacti, sizeof r->cacti, "%.400s/tool", r->folder);
  ck_assert_int_eq(mkdir(r->cacti, 0777), 0);
  strcat(r->cacti, "/cacti");
  snprintf(r->out, sizeof r->out, "%.400s/out", r->folder);
  snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script ? script : "");
  if (script) {
    write_file(r->cacti, text);
    ck_assert_int_eq(chmod(r->cacti, 0777), 0);
  }
  r->e = calloc(1, sizeof *r->e);
  ck_assert_ptr_nonnull(r->e);
  estimate_defaults(&r->e->opt);
  r->e->opt.config = "configs/base-s-mrpb.conf";
  r->e->opt.out = r->out;
  r->e->opt.cacti.binary = script ? r->cacti : NULL;
}

static int run(rig_t *r) {
  r->err.text[0] = '\0';
  int rc = estimate_open(r->e, &r->err);
  if (rc == 0) rc = estimate_report(r->e, &r->err);
  return rc;
}

static void end(rig_t *r) {
  estimate_close(r->e);
  free(r->e);
  files_remove_tree(r->folder, NULL);
}

static char *read_out(const rig_t *r, const char *name) {
  char path[PATH + 128];
  snprintf(path, sizeof path, "%s/%s", r->out, name);
  char *text = files_read(path, NULL);
  ck_assert_msg(text != NULL, "no %s", path);
  return text;
}

static bool there(const rig_t *r, const char *name) {
  char path[PATH + 128];
  snprintf(path, sizeof path, "%s/%s", r->out, name);
  return files_exists(path);
}

static void page_has(const rig_t *r, const char *what) {
  char *text = read_out(r, "report.md");
  ck_assert_msg(strstr(text, what) != NULL, "no '%s' in\n%s", what, text);
  free(text);
}

static json_t *read_json(const rig_t *r) {
  char *text = read_out(r, "estimate.json");
  json_error_t e;
  json_t *o = json_loads(text, 0, &e);
  ck_assert_msg(o != NULL, "%s", e.text);
  free(text);
  return o;
}

static json_t *at(json_t *o, const char *a, const char *b, const char *c, const char *d) {
  const char *const path[] = {"sections", a, b, c, d};
  for (unsigned i = 0; i < 5; i++)
    if (path[i]) o = json_object_get(o, path[i]);
  return o;
}

/* No output folder, one line. */
static void expect_refused(rig_t *r, const char *message) {
  ck_assert_int_eq(run(r), -1);
  ck_assert_msg(strstr(r->err.text, message) != NULL, "'%s' lacks '%s'", r->err.text, message);
  ck_assert_ptr_null(strchr(r->err.text, '\n'));
  ck_assert(!files_exists(r->out));
  end(r);
}

/* ---- without CACTI ------------------------------------------------------------------ */

START_TEST(without_cacti) {
  rig_t r;
  begin(&r, NULL);
  ck_assert_msg(run(&r) == 0, "%s", r.err.text);
  page_has(&r, "| MRPB, 48 queues x 8 entries, flush | 3072 B | \"less than 3KB\" |");
  page_has(&r, "| an entry without it: a write's header and data | 136 B |");
  page_has(&r, "Missing in this report:\n\n- areas, times and energies of the SRAMs and CAMs");
  page_has(&r, "| MRPB, SRAM | 24576 b = 3.000 KB |");
  page_has(&r, "| `mrpb.u_fifo_bank.u_mem.mem_q` | SRAM | 1 read (dequeue), then 1 write");
  page_has(&r, "| `prt.offset_q` | register file | 1 read (reply, no clock), 1 write (allocate) |");
  page_has(&r, "| PRT, register file | 15360 b = 1.875 KB |");
  page_has(&r, "| `mshr.data_q` | register file | 1 read (drain, no clock), 1 write");
  ck_assert(there(&r, "cacti/mrpb.u_fifo_bank.u_mem.mem_q.6.5.cfg"));
  ck_assert(there(&r, "cacti/mshr.addr_q.7.0.cfg"));
  ck_assert(there(&r, "cacti/paper/l1.6.5.cfg"));
  ck_assert(!there(&r, "cacti/mshr.count_q.7.0.cfg"));
  ck_assert(!there(&r, ".part"));
  json_t *o = read_json(&r);
  ck_assert_uint_eq(json_array_size(json_object_get(o, "missing")), 2); /* CACTI, activity */
  ck_assert_int_eq(json_integer_value(at(o, "paper", "mrpb_bytes", NULL, NULL)), 3072);
  size_t i;
  json_t *name;
  json_array_foreach(json_object_get(o, "files"), i, name)
      ck_assert_msg(there(&r, json_string_value(name)), "no %s", json_string_value(name));
  ck_assert_uint_gt(i, 40);
  json_decref(o);
  end(&r);
}
END_TEST

/* One line an array and column; the sums of the table come out of it again. */
START_TEST(the_csv) {
  rig_t r;
  begin(&r, NULL);
  r.e->opt.vary[r.e->opt.n_varies++] = "MRPB_DEPTH=8,16";
  ck_assert_msg(run(&r) == 0, "%s", r.err.text);
  char *text = read_out(&r, "storage.csv");
  unsigned lines = 0;
  uint64_t sram = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
    char column[64], array[64], kind[16];
    unsigned words, bits;
    if (sscanf(line, "%63[^,],%63[^,],%15[^,],%u,%u", column, array, kind, &words, &bits) == 5 &&
        strcmp(column, "MRPB_DEPTH=16") == 0 && strncmp(array, "mrpb.", 5) == 0 &&
        strcmp(kind, "SRAM") == 0)
      sram += words * bits;
  }
  free(text);
  ck_assert_uint_eq(sram, 6144 * 8);
  ck_assert_uint_eq(lines, 1 + r.e->column[0].storage.n + r.e->column[1].storage.n);
  end(&r);
}
END_TEST

START_TEST(alternatives) {
  rig_t r;
  begin(&r, NULL);
  r.e->opt.vary[r.e->opt.n_varies++] = "MRPB_DEPTH=4,16";
  r.e->opt.vary[r.e->opt.n_varies++] = "MRPB_POLICY=fixed,longest";
  ck_assert_msg(run(&r) == 0, "%s", r.err.text);
  ck_assert_uint_eq(r.e->n_columns, 4);
  ck_assert_str_eq(r.e->column[1].name, "MRPB_DEPTH=4 MRPB_POLICY=longest");
  ck_assert_uint_eq(r.e->column[2].cfg.mrpb_depth, 16);
  ck_assert_uint_eq(r.e->column[3].cfg.mrpb_policy, 4);
  page_has(&r, "| MRPB, SRAM | 12288 b = 1.500 KB | 12288 b = 1.500 KB | 49152 b = 6.000 KB |");
  ck_assert(
      there(&r, "cacti/MRPB_DEPTH=16,MRPB_POLICY=fixed/mrpb.u_fifo_bank.u_mem.mem_q.7.0.cfg"));
  end(&r);
}
END_TEST

START_TEST(bad_alternatives) {
  static const struct {
    const char *vary, *second, *message;
  } bad[] = {
      {"MRPB_DEPTH", NULL, "--vary MRPB_DEPTH: legal: KEY=VALUE,VALUE,..."},
      {"MRPB_DEPTH=", NULL, "legal: KEY=VALUE,VALUE,..."},
      {"MRPB_DEPTH=4,,8", NULL, "an empty or too long value"},
      {"MRPB_DEPTH=4,", NULL, "an empty or too long value"},
      {"MRPB_DEPHT=4", NULL, "unknown key 'MRPB_DEPHT'; nearest: MRPB_DEPTH"},
      {"MRPB_DEPTH=4,65", NULL, "MRPB_DEPTH = 65 is out of range; legal: 0 to 64"},
      {"MRPB_DEPTH=0", NULL, "unbounded, which no hardware is; legal: 1 to 64"},
      {"MRPB_DEPTH=4,4", NULL, "MRPB_DEPTH=4 twice"},
      {"MRPB_DEPTH=4,8", "MRPB_DEPTH=16", "one --vary for a key"},
      {"SMS=1,2,3,4,5,6,7,8,9", "MRPB_FLUSH=0,1", "more than 16 alternatives"},
  };
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    rig_t r;
    begin(&r, NULL);
    r.e->opt.vary[r.e->opt.n_varies++] = bad[i].vary;
    if (bad[i].second) r.e->opt.vary[r.e->opt.n_varies++] = bad[i].second;
    expect_refused(&r, bad[i].message);
  }
}
END_TEST

/* ---- with a CACTI --------------------------------------------------------------------- */

START_TEST(cacti_6_5) {
  rig_t r;
  begin(&r, "pwd > where; echo run >> runs; cat << END\n" OUTPUT_6_5 "END");
  r.e->opt.vary[r.e->opt.n_varies++] = "MRPB_POLICY=fixed,longest";
  ck_assert_msg(run(&r) == 0, "%s", r.err.text);
  ck_assert_int_eq(r.e->cacti.version, CACTI_6_5);
  ck_assert_str_eq(r.e->failed.text, "");
  page_has(&r, "| MRPB, bus 64 bits | 0.0126 mm2 | 0.0126 mm2 |");
  page_has(&r, "| `mrpb.u_fifo_bank.u_mem.mem_q` | 3072 B, 8 B a word | 64 | 1 RW | 0.01262 |");
  page_has(&r, "CACTI 6.5 prints no write energy.");
  json_t *o = read_json(&r);
  json_t *x = at(o, "cacti", "arrays", "MRPB_POLICY=longest", "mrpb.u_fifo_bank.u_mem.mem_q");
  ck_assert_int_eq(json_integer_value(json_object_get(x, "bus_bits")), 64);
  x = json_object_get(x, "result");
  ck_assert_double_eq_tol(json_real_value(json_object_get(x, "access_ns")), 0.310977, 1e-9);
  ck_assert_double_eq_tol(json_real_value(json_object_get(x, "area_mm2")), 0.01262, 1e-6);
  ck_assert_ptr_null(json_object_get(x, "write_nj"));
  ck_assert_str_eq(json_string_value(json_object_get(json_object_get(o, "tools"), "cacti")), "6.5");
  json_decref(o);
  char *csv = read_out(&r, "cacti.csv");
  ck_assert_ptr_nonnull(
      strstr(csv, "\nMRPB_POLICY=longest,mrpb.u_fifo_bank.u_mem.mem_q,3072,8,1,64,1,0,0,0,"
                  "0.0126199,0.292676,0.0431189,0.310977,,0.222371,0.00505109,,,"
                  "3.48581\n"));
  free(csv);
  /* It runs in its own folder: the script's files are there. Equal inputs are run once: the trial,
   * 7 arrays of the first column, and the paper's 3. */
  char path[PATH + 16];
  size_t n;
  snprintf(path, sizeof path, "%.400s/tool/runs", r.folder);
  char *text = files_read(path, &n);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_eq(n, (1 + 7 + 3) * strlen("run\n"));
  free(text);
  end(&r);
}
END_TEST

/* 7.0 has nothing to say to an input of 6.5, and leaves a file beside the input. */
START_TEST(cacti_7_0) {
  rig_t r;
  begin(&r,
        "echo x >> \"$2.out\"; grep -q '^-search port' \"$2\" || exit 0; cat << END\n" OUTPUT_7_0
        "END");
  ck_assert_msg(run(&r) == 0, "%s", r.err.text);
  ck_assert_int_eq(r.e->cacti.version, CACTI_7_0);
  ck_assert_str_eq(r.e->cacti.named, "7.0.3DD");
  page_has(&r, "| MRPB, bus 64 bits | 0.0125 mm2 | 0.0126 mm2 |");
  page_has(&r, " | 7.501 | - | 3.522 |"); /* write energy, leakage with the gates' */
  ck_assert(!there(&r, "cacti/paper/mrpb.7.0.cfg.out"));
  ck_assert(!there(&r, "cacti/mshr.data_q.7.0.cfg.out"));
  end(&r);
}
END_TEST

START_TEST(cacti_that_is_none) {
  rig_t r;
  begin(&r, "echo 'Cache size must >=64'; exit 0");
  expect_refused(&r, "(exit status 0); it printed last: 'Cache size must >=64'; legal: a CACTI");
  begin(&r, "exit 0");
  expect_refused(&r, "(exit status 0); it printed last: nothing; legal: a CACTI 6.5 or 7.0 binary");
  begin(&r, "echo 'Access time (ns): 0.3'");
  expect_refused(&r, "no result for the paper's MRPB");
  begin(&r, "kill -11 $$");
  expect_refused(&r, "(signal 11)");
  begin(&r, "cat << END\n" OUTPUT_6_5 "END\n");
  char old[] = "sed -i 's/version 6.5/version 5.3/' cacti";
  r.e->opt.cacti.seconds = 60;
  char command[PATH + 64];
  snprintf(command, sizeof command, "cd '%s/tool' && %s", r.folder, old);
  ck_assert_int_eq(system(command), 0);
  expect_refused(&r, "version 5.3; legal: 6.5 or 7.0");
}
END_TEST

START_TEST(cacti_that_is_no_program) {
  rig_t r;
  begin(&r, "exit 0");
  ck_assert_int_eq(chmod(r.cacti, 0644), 0);
  expect_refused(&r, "no program; legal: a CACTI 6.5 or 7.0 binary");
  begin(&r, "exit 0");
  unlink(r.cacti);
  expect_refused(&r, "No such file or directory; legal: a CACTI 6.5 or 7.0 binary");
  begin(&r, "exit 0");
  r.e->opt.cacti.binary = r.folder;
  expect_refused(&r, "no program; legal: a CACTI 6.5 or 7.0 binary");
}
END_TEST

/* valgrind ends where a program that is there cannot be started. */
START_TEST(cacti_that_cannot_start) {
  rig_t r;
  begin(&r, "exit 0");
  write_file(r.cacti, "#!/no/such/interpreter\n");
  expect_refused(&r, "No such file or directory");
}
END_TEST

START_TEST(cacti_that_hangs) {
  rig_t r;
  begin(&r, "echo started; sleep 1000 & wait");
  r.e->opt.cacti.seconds = HANG_SECONDS;
  expect_refused(&r,
                 "no result for the paper's MRPB (no exit within 5 s); it printed last: 'started'");
}
END_TEST

static bool always(void) {
  return true;
}

START_TEST(interrupted) {
  rig_t r;
  begin(&r, "sleep 1000");
  r.e->opt.stop = always;
  ck_assert_int_eq(run(&r), -1);
  ck_assert(r.e->stopped);
  ck_assert(!files_exists(r.out));
  end(&r);
}
END_TEST

/* One array of many: the report is there, and says so; the caller learns of it. */
START_TEST(one_run_fails) {
  rig_t r;
  begin(&r, "case \"$2\" in *mshr.data_q*) echo 'ERROR: no valid data array'; exit 0;; esac\n"
            "cat << END\n" OUTPUT_6_5 "END");
  ck_assert_msg(run(&r) == 0, "%s", r.err.text);
  static const char said[] = "CACTI 6.5, cacti/mshr.data_q.6.5.cfg: no result (exit status 0); it "
                             "printed last: 'ERROR: no valid data array'";
  ck_assert_str_eq(r.e->failed.text, said);
  page_has(&r, said);
  char *text = read_out(&r, "report.md");
  ck_assert_ptr_null(strstr(text, "| `mshr.data_q` | 512 B"));
  ck_assert_ptr_nonnull(strstr(text, "| `mrpb.u_fifo_bank.u_mem.mem_q` | 3072 B"));
  free(text);
  end(&r);
}
END_TEST

/* A run that hangs is waited for once. */
START_TEST(one_run_hangs) {
  rig_t r;
  begin(&r, "case \"$2\" in *paper*) ;; *) sleep 1000;; esac\ncat << END\n" OUTPUT_6_5 "END");
  r.e->opt.cacti.seconds = HANG_SECONDS;
  ck_assert_msg(run(&r) == 0, "%s", r.err.text);
  page_has(&r, "cacti/mrpb.u_fifo_bank.u_mem.mem_q.6.5.cfg: no exit within 5 s");
  page_has(&r, "- mshr.data_q: not run, as a run before it did not end");
  end(&r);
}
END_TEST

START_TEST(node_of_6_5) {
  rig_t r;
  begin(&r, "cat << END\n" OUTPUT_6_5 "END");
  r.e->opt.cacti.node = 28;
  expect_refused(&r, "--node 28: legal with CACTI 6.5: 32 to 90");
}
END_TEST

/* ---- files ------------------------------------------------------------------------------ */

START_TEST(an_older_estimate_stays) {
  rig_t r;
  begin(&r, "exit 0");
  char path[PATH + 128];
  ck_assert_int_eq(mkdir(r.out, 0777), 0);
  snprintf(path, sizeof path, "%s/report.md", r.out);
  write_file(path, "precious\n");
  snprintf(path, sizeof path, "%s/mine.txt", r.out);
  write_file(path, "precious\n");
  ck_assert_int_eq(run(&r), -1);
  page_has(&r, "precious");
  ck_assert(!there(&r, "estimate.json"));
  ck_assert(!there(&r, ".part"));
  estimate_close(r.e);
  r.e->n_columns = 0;
  r.e->opt.cacti.binary = NULL;
  ck_assert_msg(run(&r) == 0, "%s", r.err.text);
  page_has(&r, "# Estimate of base-s-mrpb");
  ck_assert(there(&r, "mine.txt"));
  end(&r);
}
END_TEST

START_TEST(nowhere_to_write) {
  rig_t r;
  begin(&r, NULL);
  char path[PATH + 16];
  write_file(r.out, "a file");
  ck_assert_int_eq(run(&r), -1);
  ck_assert_ptr_nonnull(strstr(r.err.text, "legal: a folder that can be written"));
  estimate_close(r.e);
  r.e->n_columns = 0;
  snprintf(path, sizeof path, "%s/deeper", r.out);
  r.e->opt.out = path;
  ck_assert_int_eq(run(&r), -1);
  ck_assert_ptr_nonnull(strstr(r.err.text, "legal: a folder that can be written"));
  end(&r);
}
END_TEST

Suite *test_estimate_run_suite(void);
Suite *test_estimate_run_suite(void) {
  Suite *s = suite_create("estimate_run");
  TCase *t = tcase_create("run");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, without_cacti);
  tcase_add_test(t, the_csv);
  tcase_add_test(t, alternatives);
  tcase_add_test(t, bad_alternatives);
  tcase_add_test(t, cacti_6_5);
  tcase_add_test(t, cacti_7_0);
  tcase_add_test(t, cacti_that_is_none);
  tcase_add_test(t, cacti_that_is_no_program);
  tcase_add_test(t, cacti_that_hangs);
  tcase_add_test(t, interrupted);
  tcase_add_test(t, one_run_fails);
  tcase_add_test(t, one_run_hangs);
  tcase_add_test(t, node_of_6_5);
  tcase_add_test(t, an_older_estimate_stays);
  tcase_add_test(t, nowhere_to_write);
  suite_add_tcase(s, t);
  t = tcase_create("heavy");
  tcase_set_tags(t, "heavy");
  tcase_add_test(t, cacti_that_cannot_start);
  suite_add_tcase(s, t);
  return s;
}
