/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of in-order cores and ports: ranges and defaults, files, and the hash. */
#include "config/config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static keyfile_key_t key(const char *name) {
  config_t c;
  const int i = keyfile_find(&config_table, name);
  ck_assert_msg(i >= 0, "no key %s", name);
  config_defaults_of(&c, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  return keyfile_key(&config_table, config_values(&c), (unsigned)i);
}

START_TEST(table) {
  static const struct {
    const char *name;
    uint32_t min, max, deflt;
    const char *verilog;
  } want[] = {{"SMS", 1, 256, 14, ""},
              {"WARPS_PER_SM", 1, 64, 48, ""},
              {"SCHEDULERS", 1, 4, 2, ""},
              {"L1D_SETS", 0, 4096, 32, ""},
              {"MSHR_ENTRIES", 1, 128, 128, "mshr.ENTRIES"},
              {"MSHR_MERGES", 1, 32, 8, "mshr.MERGES"},
              {"PRT_LOADS", 1, 512, 44, "prt.ENTRIES"}};
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
    const keyfile_key_t k = key(want[i].name);
    ck_assert_uint_eq(k.min, want[i].min);
    ck_assert_uint_eq(k.max, want[i].max);
    ck_assert_uint_eq(k.deflt, want[i].deflt);
    ck_assert_str_eq(k.verilog, want[i].verilog);
  }
  for (unsigned i = 0; i < config_count(); i++) {
    const keyfile_key_t *k = config_key(i);
    if (!k->words) ck_assert(k->min <= k->deflt && k->deflt <= k->max);
    for (unsigned n = 0; n < i; n++) ck_assert_str_ne(k->name, config_key(n)->name);
  }
}
END_TEST

/* How many keys each part has, and both kinds of GPU that there were before CORE and MEMORY. */
START_TEST(parts) {
  config_t base, hopper;
  unsigned both = 0, pipeline = 0, in_order = 0;
  config_defaults(&base);
  config_defaults_of(&hopper, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  for (unsigned i = 0; i < config_count(); i++) {
    const bool a = config_has(&base, i), b = config_has(&hopper, i);
    ck_assert(a || b);
    pipeline += a;
    in_order += b;
    both += a && b;
  }
  ck_assert_uint_eq(pipeline, 2 + 88);
  ck_assert_uint_eq(in_order, 2 + 176);
  ck_assert_uint_eq(both, 2 + 28);
}
END_TEST

/* Names that keys had when mrpb run had the same for something else. */
START_TEST(renamed) {
  static const struct {
    const char *set, *message;
  } old[] = {{"DRAM_LATENCY=639",
              "--set: DRAM_LATENCY is called DRAM_LOAD_LATENCY here; legal: 1 to 8000"},
             {"L2_SETS=384", "--set: L2_SETS is called L2_TOTAL_SETS here; legal: 0 to 65536"},
             {"PRT_ENTRIES=44", "--set: PRT_ENTRIES is called PRT_LOADS here; legal: 1 to 512"}};
  config_t c;
  config_defaults_of(&c, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  for (unsigned i = 0; i < sizeof old / sizeof *old; i++) {
    mrpb_err_t err = {{0}};
    ck_assert_int_eq(config_set(&c, old[i].set, &err), -1);
    ck_assert_str_eq(err.text, old[i].message);
  }
}
END_TEST

/* The defaults can be built, and what dump writes, load takes back. */
START_TEST(round_trip) {
  config_t c, back;
  mrpb_err_t err = {{0}};
  char name[] = "build/tmp/mrpb-device-XXXXXX";
  config_defaults_of(&c, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  ck_assert_msg(config_check(&c, "here", &err) == 0, "%s", err.text);
  ck_assert_int_eq(config_set(&c, "SMS=3", &err), 0);
  FILE *f = fdopen(mkstemp(name), "w");
  ck_assert_ptr_nonnull(f);
  config_dump(f, &c, "three SMs");
  fclose(f);
  int rc = config_load_device(&back, name, &err);
  remove(name);
  ck_assert_msg(rc == 0, "%s", err.text);
  ck_assert_mem_eq(&c, &back, sizeof c);
  ck_assert_uint_eq(back.sms, 3);
}
END_TEST

/* Every key can be set to its largest value or last word, and changes the hash. Those of the MRPB
 * change it with an MRPB. */
START_TEST(every_key) {
  config_t c;
  mrpb_err_t err = {{0}};
  config_defaults_of(&c, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  const uint64_t without = config_hash(&c);
  c.mrpb_depth = 64;
  ck_assert_uint_eq(config_hash(&c), without);
  config_defaults_of(&c, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  c.mrpb = c.bypass_policy = 1;
  const uint64_t hash = config_hash(&c);
  for (unsigned i = 0; i < config_count(); i++) {
    const keyfile_key_t own = key(config_key(i)->name), *k = &own;
    char set[160], text[64];
    const char *last = k->words ? strrchr(k->words, '|') : NULL;
    config_defaults_of(&c, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
    c.mrpb = c.bypass_policy = 1;
    if (!config_has(&c, i) || config_chooses(i)) continue;
    if (k->words)
      snprintf(text, sizeof text, "%s", last ? last + 1 : k->words);
    else
      snprintf(text, sizeof text, "%u", k->max == config_value(&c, i) ? k->min : k->max);
    snprintf(set, sizeof set, "%s=%s", k->name, text);
    uint32_t before = config_value(&c, i);
    ck_assert_msg(config_set(&c, set, &err) == 0, "%s", err.text);
    ck_assert((config_hash(&c) != hash) == (config_value(&c, i) != before));
    config_print_value(&c, i, set, sizeof set);
    ck_assert_str_eq(set, text);
  }
}
END_TEST

START_TEST(refuses) {
  config_t c;
  mrpb_err_t err = {{0}};
  config_defaults_of(&c, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  ck_assert_int_eq(config_set(&c, "MSHR_ENTRIES=129", &err), -1);
  ck_assert_str_eq(err.text, "--set: MSHR_ENTRIES = 129 is out of range; legal: 1 to 128");
  err.text[0] = '\0';
  ck_assert_int_eq(config_set(&c, "SWL_LIMIT=8", &err), -1); /* of other cores */
  ck_assert_ptr_nonnull(strstr(err.text, "--set: SWL_LIMIT is a key of pipeline cores; legal: "));
  c.warps_per_sm = 1;
  err.text[0] = '\0';
  ck_assert_int_eq(config_check(&c, "here", &err), -1);
  ck_assert_str_eq(err.text, "here: SCHEDULERS = 2; legal: at most WARPS_PER_SM = 1");
  err.text[0] = '\0';
  ck_assert_int_eq(config_load_device(&c, "configs/base-s.conf", &err), -1);
  ck_assert_str_eq(
      err.text, "configs/base-s.conf: a configuration of GPUs of pipeline cores with flits; legal: "
                "one with in-order cores");
}
END_TEST

Suite *test_config_device_suite(void);

Suite *test_config_device_suite(void) {
  Suite *s = suite_create("config_device");
  TCase *t = tcase_create("config_device");
  tcase_add_test(t, table);
  tcase_add_test(t, parts);
  tcase_add_test(t, renamed);
  tcase_add_test(t, round_trip);
  tcase_add_test(t, every_key);
  tcase_add_test(t, refuses);
  suite_add_tcase(s, t);
  return s;
}
