/* SPDX-License-Identifier: Apache-2.0 */
/* Vector files: what is written is read back, for every module; wrong files are refused in one
 * line. */
#include "base/files.h"
#include "cosim/vectors/vectors.h"
#include "prng.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CYCLES = 150, PATH = 96 };

static void scratch(char path[PATH]) {
  snprintf(path, PATH, "build/tmp/mrpb-vectors-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(path));
  strcat(path, "/run.vec");
}

static void clean(char path[PATH]) {
  path[strlen(path) - strlen("/run.vec")] = '\0';
  files_remove_tree(path, NULL);
}

static void fill(vectors_t *v, const module_class_t *cls, const uint32_t *cfg, uint64_t seed) {
  mrpb_err_t err = {""};
  prng_t rng = prng_seed(seed, 1);
  uint64_t in[MODULE_MAX_WORDS] = {0};
  ck_assert_uint_le(cls->in_words, MODULE_MAX_WORDS);
  ck_assert_msg(vectors_init(v, cls, cfg, seed, &err) == 0, "%s", err.text);
  for (unsigned t = 0; t < CYCLES; t++) {
    ck_assert_int_eq(vectors_add(v, in, &err), 0);
    for (unsigned w = 0; w < cls->in_words; w++) in[w] = prng_next(&rng);
  }
  strcpy(v->tools, "no tool");
  strcpy(v->origin, "a test");
}

START_TEST(what_is_written_is_read) {
  const module_class_t *cls = module_class_at((unsigned)_i);
  char path[PATH], other[PATH + 8];
  uint32_t cfg[MODULE_MAX_PARAMS];
  mrpb_err_t err = {""};
  vectors_t v, back;
  scratch(path);
  for (unsigned odd = 0; odd < 2; odd++) {
    module_defaults(cls, cfg);
    for (unsigned i = 0; odd && i < cls->n_params; i++) cfg[i] = cls->params[i].min;
    fill(&v, cls, cfg, UINT64_MAX - odd);
    ck_assert_msg(vectors_write(&v, path, &err) == 0, "%s", err.text);
    ck_assert_msg(vectors_read(&back, path, &err) == 0, "%s", err.text);
    ck_assert_ptr_eq(back.cls, cls);
    ck_assert_mem_eq(back.cfg, cfg, cls->n_params * sizeof *cfg);
    ck_assert_uint_eq(back.seed, v.seed);
    ck_assert_uint_eq(back.n, CYCLES);
    ck_assert_mem_eq(back.in, v.in, CYCLES * cls->in_words * sizeof *v.in);
    ck_assert_str_eq(back.tools, "no tool");
    ck_assert_uint_eq(vectors_hash(&back), vectors_hash(&v));
    back.in[cls->in_words] ^= 1;
    ck_assert_uint_ne(vectors_hash(&back), vectors_hash(&v));
    back.in[cls->in_words] ^= 1;
    strcpy(back.origin, v.origin);
    /* The same vectors are the same bytes. */
    for (unsigned json = 0; json < 2; json++) {
      snprintf(other, sizeof other, "%.*s%s", (int)strlen(path) - 3, path, json ? "json" : "vec");
      char *first = files_read(other, NULL);
      ck_assert_int_eq(vectors_write(&back, path, &err), 0);
      char *second = files_read(other, NULL);
      ck_assert_str_eq(first, second);
      free(first);
      free(second);
    }
    vectors_free(&v);
    vectors_free(&back);
  }
  clean(path);
}
END_TEST

/* ---- what is refused ---- */

static const char good[] =
    "mrpb-vec 1\n# a comment\nmodule mshr\nset ENTRIES 5\nset MERGES 3\nset ADDR_W 25\n"
    "set DATA_W 16\nconfig CONFIG\nseed 1\ntools none\n"
    "inputs srst_ni:1 req_valid_i:1 req_addr_i:25 req_data_i:16 fill_valid_i:1 fill_entry_i:3 "
    "out_ready_i:1\ncycles 2\n\n0 0 0000000 0000 0 0 0\n1 1 1000a01 0017 0 7 0\n";

typedef struct {
  const char *from, *to; /* an edit of `good` */
  const char *part;      /* of the message */
} refusal_t;

static const refusal_t refusals[] = {
    {"mrpb-vec 1", "mrpb-vec 2", ":1: unknown version of the format; legal: mrpb-vec 1"},
    {"mrpb-vec 1\n", "", ":2: 'module mshr' where the line 'mrpb-vec' belongs; legal: mrpb-vec 1"},
    {"module mshr", "module msher", ":3: unknown module 'msher'; nearest: mshr; legal: "},
    {"set MERGES 3\n", "", ":5: 'set ADDR_W 25'; legal: set MERGES and a number from 1 to 32"},
    {"ENTRIES 5", "ENTRIES 129", ":4: 'set ENTRIES 129'; legal: set ENTRIES and a number from 1"},
    {"ENTRIES 5", "ENTRIES 0", ":4: 'set ENTRIES 0'; legal: "},
    {"ENTRIES 5", "ENTRIES  5", ":4: 'set ENTRIES  5'; legal: "},
    {"ENTRIES 5", "ENTRIES 6", ":8: the hash is not that of the module and the sizes above"},
    {"seed 1", "seed 18446744073709551616",
     ":9: the seed is not a number; legal: seed and a decimal"},
    {"seed 1", "seed -1", ":9: the seed is not a number"},
    {"tools none\n", "", ":10: 'inputs srst_ni"},
    {"fill_entry_i:3", "fill_entry_i:4",
     ":11: these are not the inputs of the module; legal: srst"},
    {"cycles 2", "cycles 0", ":12: the number of cycles is wrong"},
    {"cycles 2", "cycles 3", ":15: the file ends after 2 cycles; legal: 'cycles 3' in its head"},
    {"cycles 2", "cycles 1",
     ":15: more cycles than the header states; legal: 'cycles 1' in its head"},
    {"0 0 0000000", "1 0 0000000", ":14: the first cycle is not a reset; legal: srst_ni 0"},
    {"1000a01", "2000a01", ":15: input req_addr_i, value 3 of the line; legal: 7 hexadecimal digi"},
    {"1000a01", "1000A01", ":15: input req_addr_i, value 3"},
    {"1000a01", "000a01", ":15: input req_addr_i, value 3"},
    {"1 1 1000", "1 2 1000", ":15: input req_valid_i, value 2 of the line; legal: 1 hexadecimal"},
    {" 7 0\n", " 8 0\n", ":15: input fill_entry_i, value 6"},
    {" 7 0\n", " 7\n",
     ":15: input fill_entry_i, value 6 of the line; legal: 1 hexadecimal digits "},
    {" 7 0\n", " 7 0 \n",
     ":15: input out_ready_i, value 7 of the line; legal: 1 hexadecimal digit"},
    {" 7 0\n", " 7 0", ": the last line is cut off"},
    {"cycles 2\n\n0 0 0000000 0000 0 0 0\n1 1 1000a01 0017 0 7 0\n", "",
     ":11: the file ends before its 'cycles' line; legal: cycles and the number of lines"},
};
enum { N_REFUSALS = sizeof refusals / sizeof *refusals };

/* `good` with its right hash and one edit, as a file. */
static void write_edited(const char *path, const char *from, const char *to) {
  const uint32_t cfg[MODULE_MAX_PARAMS] = {5, 3, 25, 16};
  char text[2 * sizeof good], hash[17];
  char *at = strstr(good, "CONFIG");
  snprintf(hash, sizeof hash, "%016llx",
           (unsigned long long)vectors_config_hash(module_class("mshr"), cfg));
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, hash, at + strlen("CONFIG"));
  at = strstr(text, from);
  ck_assert_ptr_nonnull(at);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  ck_assert_int_eq(fclose(f), 0);
}

START_TEST(what_is_wrong_is_refused) {
  char path[PATH];
  mrpb_err_t err = {""};
  vectors_t v;
  scratch(path);
  write_edited(path, "mrpb-vec 1", "mrpb-vec 1");
  ck_assert_msg(vectors_read(&v, path, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(v.n, 2);
  ck_assert_uint_eq(vectors_cycle(&v, 1)[2], 0x1000a01);
  vectors_free(&v);
  write_edited(path, refusals[_i].from, refusals[_i].to);
  ck_assert_int_eq(vectors_read(&v, path, &err), -1);
  ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "%s", err.text);
  ck_assert_msg(strstr(err.text, refusals[_i].part) != NULL, "%s", err.text);
  ck_assert_ptr_null(v.in);
  clean(path);
}
END_TEST

/* A file of before ORDER is what it was, one that names it is the same; any other value is not. */
START_TEST(a_parameter_that_came_later) {
  static const char head[] = "mrpb-vec 1\nmodule prt\nset ENTRIES 1\nset LANES 1\nset OFFSET_W 1\n"
                             "set TAG_W 1\n";
  static const char tail[] =
      "seed 1\ntools none\ninputs srst_ni:1 alloc_valid_i:1 alloc_tag_i:1 alloc_mask_i:1 "
      "alloc_offset_i:1 issue_valid_i:1 issue_entry_i:1 issue_mask_i:1 reply_valid_i:1 "
      "reply_entry_i:1 reply_mask_i:1\ncycles 1\n0 0 0 0 0 0 0 0 0 0 0\n";
  static const struct {
    const char *set, *config, *part; /* what is wrong with it */
    uint32_t order;
  } files[] = {
      {"", "c574723e772a9bcd", NULL, 0},
      {"set ORDER 0\n", "c574723e772a9bcd", NULL, 0},
      {"set ORDER 0\nset CHECK 0\n", "c574723e772a9bcd", NULL, 0},
      {"set ORDER 1\n", "e6a79b9f03613c37", NULL, 1},
      {"set ORDER 1\n", "c574723e772a9bcd", ":8: the hash is not that of the module", 0},
      {"set ORDER 2\n", "c574723e772a9bcd", ":7: 'set ORDER 2'; legal: set ORDER and a number", 0},
      {"set TAG_W 1\n", "c574723e772a9bcd", ":7: 'set TAG_W 1'; legal: set ORDER and a number", 0},
      {"set ORDER 0\nset ORDER 0\n", "c574723e772a9bcd",
       ":8: 'set ORDER 0'; legal: set CHECK and a number", 0}};
  char path[PATH];
  mrpb_err_t err = {""};
  vectors_t v;
  scratch(path);
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "%s%sconfig %s\n%s", head, files[i].set, files[i].config, tail);
    ck_assert_int_eq(fclose(f), 0);
    err.text[0] = '\0';
    int rc = vectors_read(&v, path, &err);
    ck_assert_msg((rc != 0) == (files[i].part != NULL), "%u: %s", i, err.text);
    if (rc != 0)
      ck_assert_msg(strstr(err.text, files[i].part) != NULL, "%u: %s", i, err.text);
    else
      ck_assert_uint_eq(v.cfg[4], files[i].order);
    vectors_free(&v);
  }
  clean(path);
}
END_TEST

START_TEST(files_that_cannot_be) {
  char path[PATH];
  uint32_t cfg[MODULE_MAX_PARAMS];
  mrpb_err_t err = {""};
  vectors_t v;
  ck_assert_int_eq(vectors_read(&v, "/nowhere/run.vec", &err), -1);
  ck_assert_msg(strstr(err.text, "/nowhere/run.vec: ") != NULL, "%s", err.text);
  module_defaults(module_class("prt"), cfg);
  fill(&v, module_class("prt"), cfg, 1);
  err.text[0] = '\0';
  ck_assert_int_eq(vectors_write(&v, "/nowhere/run.vec", &err), -1);
  ck_assert_msg(strstr(err.text, "/nowhere/run.json: cannot write: ") != NULL, "%s", err.text);
  err.text[0] = '\0';
  ck_assert_int_eq(vectors_write(&v, "/dev/full.txt", &err), -1);
  ck_assert_msg(strstr(err.text, "ends in .vec") != NULL, "%s", err.text);
  /* A full disk is said, not passed over. */
  scratch(path);
  ck_assert_int_eq(symlink("/dev/full", path), 0);
  err.text[0] = '\0';
  ck_assert_int_eq(vectors_write(&v, path, &err), -1);
  ck_assert_msg(strstr(err.text, "run.vec: cannot write: ") != NULL, "%s", err.text);
  clean(path);
  vectors_free(&v);
}
END_TEST

Suite *test_vectors_suite(void);

Suite *test_vectors_suite(void) {
  Suite *s = suite_create("vectors");
  TCase *t = tcase_create("files");
  unsigned n = 0;
  while (module_class_at(n)) n++;
  tcase_add_loop_test(t, what_is_written_is_read, 0, (int)n);
  tcase_add_loop_test(t, what_is_wrong_is_refused, 0, N_REFUSALS);
  tcase_add_test(t, a_parameter_that_came_later);
  tcase_add_test(t, files_that_cannot_be);
  suite_add_tcase(s, t);
  return s;
}
