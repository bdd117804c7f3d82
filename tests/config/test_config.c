/* SPDX-License-Identifier: Apache-2.0 */
/* Configurations: the shipped files, every kind of wrong input with its place, --set, and the
 * hash. */
#include "config/config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A complete file of defaults, with one line replaced (NULL text: left out) or a line added. */
static char *make_text(const char *key, const char *text, const char *extra) {
  config_t c;
  size_t size;
  char *out = NULL;
  FILE *f = open_memstream(&out, &size);
  ck_assert_ptr_nonnull(f);
  config_defaults(&c);
  for (unsigned i = 0; i < config_count(); i++) {
    char value[64];
    if (!config_has(&c, i)) continue;
    config_print_value(&c, i, value, sizeof value);
    if (key && strcmp(config_key(i)->name, key) == 0) {
      if (text) fprintf(f, "%s\n", text);
    } else {
      fprintf(f, "%s = %s\n", config_key(i)->name, value);
    }
  }
  if (extra) fprintf(f, "%s\n", extra);
  fclose(f);
  return out;
}

static int read_text(config_t *c, char *text, mrpb_err_t *err) {
  FILE *f = fmemopen(text, strlen(text), "r");
  ck_assert_ptr_nonnull(f);
  int rc = config_read(c, f, "x.conf", err);
  fclose(f);
  free(text);
  return rc;
}

static void expect_error(char *text, const char *message) {
  mrpb_err_t err = {{0}};
  config_t c;
  memset(&c, 0x5a, sizeof c);
  config_t before = c;
  ck_assert_int_eq(read_text(&c, text, &err), -1);
  ck_assert_msg(strstr(err.text, message) != NULL, "'%s' lacks '%s'", err.text, message);
  ck_assert_ptr_null(strchr(err.text, '\n'));
  ck_assert_mem_eq(&c, &before, sizeof c); /* nothing half-read */
}

START_TEST(shipped_files) {
  static const struct {
    const char *path;
    uint32_t sets, ways, mrpb;
  } file[] = {{"configs/base-s.conf", 32, 4, 0},
              {"configs/base-l.conf", 64, 6, 0},
              {"configs/base-s-mrpb.conf", 32, 4, 1},
              {"configs/base-l-mrpb.conf", 64, 6, 1},
              {"configs/fa-s.conf", 1, 128, 0},
              {"configs/fa-l.conf", 1, 384, 0},
              {"configs/fa-s-1024x.conf", 1, 128 * 1024, 0},
              {"configs/fa-l-1024x.conf", 1, 384 * 1024, 0},
              {"configs/base-s-5way.conf", 32, 5, 0},
              {"configs/base-s-64way.conf", 2, 64, 0}};
  enum { FILES = sizeof file / sizeof *file };
  uint64_t hash[FILES];
  for (unsigned i = 0; i < FILES; i++) {
    mrpb_err_t err = {{0}};
    config_t c;
    ck_assert_msg(config_load(&c, file[i].path, &err) == 0, "%s", err.text);
    ck_assert_uint_eq(c.l1d_sets, file[i].sets);
    ck_assert_uint_eq(c.l1d_ways, file[i].ways);
    ck_assert_uint_eq(c.mrpb, file[i].mrpb);
    ck_assert_uint_eq(c.mrpb_signature, MRPB_SIGNATURE_WARP);
    ck_assert_uint_eq(c.prt_entries, 64);
    hash[i] = config_hash(&c);
    for (unsigned k = 0; k < i; k++) ck_assert_uint_ne(hash[i], hash[k]);
  }
  /* It stamps kept results: it may change with the keys, and with nothing else. */
  ck_assert_uint_eq(hash[0], UINT64_C(0xcb256b92efdae118));
}
END_TEST

START_TEST(defaults_are_base_s) {
  mrpb_err_t err = {{0}};
  config_t a, b;
  config_defaults(&a);
  ck_assert_int_eq(config_load(&b, "configs/base-s.conf", &err), 0);
  ck_assert_mem_eq(&a, &b, sizeof a);
}
END_TEST

START_TEST(wrong_input) {
  expect_error(make_text(NULL, NULL, "L1D_SETZ = 4"), "unknown key 'L1D_SETZ'; nearest: L1D_SETS");
  expect_error(make_text(NULL, NULL, "l1d_ways = 4"), "nearest: L1D_WAYS");
  expect_error(make_text("SMS", "SMS = 0", NULL),
               "x.conf:3: SMS = 0 is out of range; legal: 1 to 256");
  expect_error(make_text("SMS", "SMS = 99999999999999999999", NULL), "out of range");
  expect_error(make_text("SMS", "SMS = -3", NULL), "not a number");
  expect_error(make_text("SMS", "SMS = 4x", NULL), "not a number");
  expect_error(make_text("SMS", "SMS =", NULL), "not a number");
  expect_error(make_text("SMS", "SMS 14", NULL), "x.conf:3: 'SMS 14' is not an assignment");
  expect_error(make_text("SMS", "[SMS]", NULL), "x.conf:3");
  expect_error(make_text("SMS", "; SMS = 14", NULL), "x.conf:3");
  expect_error(make_text("SMS", NULL, NULL), "SMS is missing");
  expect_error(make_text(NULL, NULL, "SMS = 14"), "SMS again, first on line 3");
  expect_error(make_text("MRPB_POLICY", "MRPB_POLICY = fixe", NULL), "legal: fixed|greedy-fixed|");
  expect_error(make_text("MRPB_POLICY", "MRPB_POLICY =", NULL), "is unknown");
  expect_error(make_text("SCHEDULERS", "SCHEDULERS = 4", "WARPS_PER_SM = 2"), "WARPS_PER_SM again");
}
END_TEST

START_TEST(long_line) {
  char line[400];
  memset(line, ' ', sizeof line);
  memcpy(line, "SMS = 14", 8);
  line[sizeof line - 1] = '\0';
  expect_error(make_text("SMS", line, NULL), "x.conf:3: line too long");
}
END_TEST

START_TEST(comments_and_blanks) {
  mrpb_err_t err = {{0}};
  config_t c;
  ck_assert_msg(
      read_text(&c, make_text("SMS", "  # all of them\n\n\t SMS\t=  3 # three\r", NULL), &err) == 0,
      "%s", err.text);
  ck_assert_uint_eq(c.sms, 3);
}
END_TEST

START_TEST(combinations) {
  config_t c;
  mrpb_err_t err = {{0}};
  config_defaults(&c);
  c.warps_per_sm = 1;
  ck_assert_int_eq(config_check(&c, "here", &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "here: SCHEDULERS = 2; legal: at most WARPS_PER_SM = 1"));
  expect_error(make_text("ICNT_FLIT", "ICNT_FLIT = 48", NULL),
               "ICNT_FLIT = 48; legal: a power of two");
  expect_error(make_text("ICNT_INJECT", "ICNT_INJECT = 4", NULL), "at least a packet of 5 flits");
  expect_error(make_text("DRAM_GROUPS", "DRAM_GROUPS = 32", NULL), "at most DRAM_BANKS = 16");
  expect_error(make_text("L1D_WAYS", "L1D_WAYS = 32769", NULL),
               "L1D_SETS * L1D_WAYS = 1048608 lines; legal: at most 1048576");
  expect_error(make_text("L1D_WAYS", "L1D_WAYS = 1048576", NULL), "33554432 lines");
  expect_error(make_text("L1D_WAYS", "L1D_WAYS = 1048577", NULL), "out of range");
  expect_error(make_text("L1D_REPLACEMENT", "L1D_REPLACEMENT = plru", NULL),
               "legal: lru|fifo|fermi");
  config_defaults(&c);
  c.l1d_sets = 1;
  c.l1d_ways = 65;
  ck_assert_int_eq(config_check(&c, "here", &err), 0);
  c.l1d_replacement = TAGS_FERMI;
  err.text[0] = '\0';
  ck_assert_int_eq(config_check(&c, "here", &err), -1);
  ck_assert_str_eq(err.text, "here: L1D_REPLACEMENT = fermi, L1D_WAYS = 65; legal: at most 64");
  config_defaults(&c);
  c.l1d_hash = 1;
  ck_assert_int_eq(config_check(&c, "here", &err), 0);
  c.l1d_sets = 16;
  err.text[0] = '\0';
  ck_assert_int_eq(config_check(&c, "here", &err), -1);
  ck_assert_str_eq(err.text, "here: L1D_HASH = 1, L1D_SETS = 16; legal: 32 or 64 sets");
}
END_TEST

START_TEST(unreadable) {
  mrpb_err_t err = {{0}};
  config_t c;
  ck_assert_int_eq(config_load(&c, "configs/none.conf", &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "configs/none.conf: No such file"));
  err.text[0] = '\0';
  ck_assert_int_eq(config_load(&c, "configs", &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "configs"));
}
END_TEST

START_TEST(set_one) {
  config_t c;
  mrpb_err_t err = {{0}};
  config_defaults(&c);
  uint64_t hash = config_hash(&c);
  ck_assert_int_eq(config_set(&c, "MRPB_POLICY=longest", &err), 0);
  ck_assert_uint_eq(c.mrpb_policy, 4);
  ck_assert_uint_ne(config_hash(&c), hash);
  ck_assert_int_eq(config_set(&c, "MRPB_POLICY=fixed", &err), 0);
  ck_assert_uint_eq(config_hash(&c), hash);
  ck_assert_int_eq(config_set(&c, "MRPB_DEPTH=65", &err), -1);
  ck_assert_str_eq(err.text, "--set: MRPB_DEPTH = 65 is out of range; legal: 0 to 64");
  err.text[0] = '\0';
  ck_assert_int_eq(config_set(&c, "MRPB_DEPT=6", &err), -1);
  ck_assert_str_eq(err.text, "--set: unknown key 'MRPB_DEPT'; nearest: MRPB_DEPTH");
  err.text[0] = '\0';
  ck_assert_int_eq(config_set(&c, "MRPB_DEPTH", &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "legal: KEY=VALUE"));
}
END_TEST

/* What dump writes, read takes back, for a value away from the default in every key. */
START_TEST(round_trip) {
  config_t c, back;
  mrpb_err_t err = {{0}};
  char *text = NULL;
  size_t size;
  config_defaults(&c);
  for (unsigned i = 0; i < config_count(); i++) {
    const config_key_t key = keyfile_key(&config_table, config_values(&c), i), *k = &key;
    char set[128], value[64];
    if (!config_has(&c, i) || config_chooses(i)) continue;
    if (k->words)
      snprintf(value, sizeof value, "%s",
               strrchr(k->words, '|') ? strrchr(k->words, '|') + 1 : k->words);
    else
      snprintf(value, sizeof value, "%u", k->max);
    snprintf(set, sizeof set, "%s=%s", k->name, value);
    if (strcmp(k->name, "L1D_WAYS") == 0 || strcmp(k->name, "DRAM_WL") == 0 ||
        strcmp(k->name, "L1D_HASH") == 0)
      continue;
    ck_assert_msg(config_set(&c, set, &err) == 0, "%s", err.text);
  }
  FILE *f = open_memstream(&text, &size);
  config_dump(f, &c, "everything at its largest");
  fclose(f);
  ck_assert_msg(read_text(&back, text, &err) == 0, "%s", err.text);
  ck_assert_mem_eq(&c, &back, sizeof c);
}
END_TEST

/* ---- parts ----------------------------------------------------------------- */

static uint64_t hash_of(const char *path, uint32_t *core, uint32_t *memory) {
  config_t c;
  mrpb_err_t err = {{0}};
  ck_assert_msg(config_load(&c, path, &err) == 0, "%s", err.text);
  *core = c.core;
  *memory = c.memory;
  return config_hash(&c);
}

/* A file without CORE and MEMORY is for the parts most of whose keys it has; its hash is the same. */
START_TEST(chosen_by_keys) {
  static const char *const files[] = {"configs/base-s-mrpb.conf", "configs/h200.conf"};
  char name[] = "build/tmp/mrpb-config-XXXXXX", line[400];
  FILE *to = fdopen(mkstemp(name), "w"), *from = fopen(files[_i], "r");
  ck_assert(to && from);
  while (fgets(line, sizeof line, from))
    if (strncmp(line, "CORE ", 5) != 0 && strncmp(line, "MEMORY ", 7) != 0) fputs(line, to);
  fclose(from);
  fclose(to);
  uint32_t core[2], memory[2];
  ck_assert_uint_eq(hash_of(files[_i], &core[0], &memory[0]), hash_of(name, &core[1], &memory[1]));
  remove(name);
  ck_assert_uint_eq(core[0], _i ? CONFIG_CORE_IN_ORDER : CONFIG_CORE_PIPELINE);
  ck_assert_uint_eq(memory[0], _i ? CONFIG_MEMORY_PORTS : CONFIG_MEMORY_FLITS);
  ck_assert(core[0] == core[1] && memory[0] == memory[1]);
}
END_TEST

static int read_line(config_t *c, const char *text, mrpb_err_t *err) {
  return read_text(c, strdup(text), err);
}

/* Each part comes from the file that describes it, and only keys of the GPU count. */
START_TEST(mixed) {
  config_t c, base, hopper;
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(config_load(&base, "configs/base-s.conf", &err), 0);
  ck_assert_int_eq(config_load(&hopper, "configs/h200.conf", &err), 0);
  ck_assert_msg(read_line(&c,
                          "include base-s\ninclude h200\nMEMORY = flits\nSMS = 32\nL2_WAYS = 8\n",
                          &err) == 0,
                "%s", err.text);
  ck_assert_uint_eq(c.core, CONFIG_CORE_IN_ORDER);
  ck_assert_uint_eq(c.memory, CONFIG_MEMORY_FLITS);
  ck_assert_str_eq(config_title(&c), "GPUs of in-order cores with flits");
  ck_assert_uint_eq(c.l1d_latency, hopper.l1d_latency);
  ck_assert_uint_eq(c.dram_cl, base.dram_cl);
  ck_assert_uint_eq(c.l2_ways, 8);
  ck_assert_uint_eq(c.dram_load_latency, base.dram_load_latency); /* left out: the default */
  ck_assert_uint_ne(c.dram_load_latency, hopper.dram_load_latency);
  const uint64_t hash = config_hash(&c);
  c.dram_load_latency++;
  ck_assert_uint_eq(config_hash(&c), hash);
  c.dram_cl++;
  ck_assert_uint_ne(config_hash(&c), hash);
  ck_assert_msg(
      read_line(&c, "include h200\ninclude base-s\nMEMORY = ports\nCLUSTER = 2\n", &err) == 0, "%s",
      err.text);
  ck_assert_str_eq(config_title(&c), "GPUs of pipeline cores with ports");
  ck_assert_uint_eq(c.dram_load_latency, hopper.dram_load_latency);
  ck_assert_uint_eq(c.clock_sm, base.clock_sm);
}
END_TEST

START_TEST(parts_refused) {
  static const struct {
    const char *text, *message;
  } wrong[] = {
      {"include base-s\nCLUSTER = 2\n", "x.conf:2: CLUSTER is a key of in-order cores or ports; "
                                        "legal: keys of GPUs of pipeline cores with flits"},
      {"include h200\nDRAM_CL = 2\n",
       "x.conf:2: DRAM_CL is a key of flits; legal: keys of GPUs of in-order cores with ports"},
      {"include h200\nL2_SETS = 64\n",
       "x.conf:2: L2_SETS is called L2_TOTAL_SETS here; legal: 0 to 65536"},
      {"include base-s\nL1D_HASH = 2\n", "x.conf:2: L1D_HASH = 2 is out of range; legal: 0 to 1"},
      {"include h200\nMEMORY = flits\n",
       "x.conf:2: CLOCK_ICNT is missing (and others); legal: every key of `mrpb help-config`"},
      {"include base-s\nCORE = in-order\n",
       "x.conf:2: CLUSTER is missing (and others); legal: every key of `mrpb help-config`"},
      {"CORE = out-of-order\n",
       "x.conf:1: CORE = 'out-of-order' is unknown; legal: pipeline|in-order"},
  };
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    mrpb_err_t err = {{0}};
    config_t c;
    ck_assert_int_eq(read_line(&c, wrong[i].text, &err), -1);
    ck_assert_str_eq(err.text, wrong[i].message);
  }
  config_t c;
  mrpb_err_t err = {{0}};
  config_defaults(&c);
  ck_assert_int_eq(config_set(&c, "CORE=pipeline", &err), 0);
  ck_assert_int_eq(config_set(&c, "CORE=in-order", &err), -1);
  ck_assert_str_eq(err.text, "--set CORE=in-order: other parts need other keys; legal: in a file");
  ck_assert_uint_eq(c.core, CONFIG_CORE_PIPELINE);
  err.text[0] = '\0';
  ck_assert_int_eq(config_load_with(&c, CONFIG_HAS_FLITS, "configs/h200.conf", &err), -1);
  ck_assert_str_eq(err.text, "configs/h200.conf: a configuration of GPUs of in-order cores with "
                             "ports; legal: one with flits");
}
END_TEST

Suite *test_config_suite(void);

Suite *test_config_suite(void) {
  Suite *s = suite_create("config");
  TCase *t = tcase_create("config");
  tcase_add_test(t, shipped_files);
  tcase_add_test(t, defaults_are_base_s);
  tcase_add_test(t, wrong_input);
  tcase_add_test(t, long_line);
  tcase_add_test(t, comments_and_blanks);
  tcase_add_test(t, combinations);
  tcase_add_test(t, unreadable);
  tcase_add_test(t, set_one);
  tcase_add_test(t, round_trip);
  suite_add_tcase(s, t);
  TCase *p = tcase_create("parts");
  tcase_add_loop_test(p, chosen_by_keys, 0, 2);
  tcase_add_test(p, mixed);
  tcase_add_test(p, parts_refused);
  suite_add_tcase(s, p);
  return s;
}
