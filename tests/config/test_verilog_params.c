/* SPDX-License-Identifier: Apache-2.0 */
/* Each key that drives a Verilog parameter drives exactly that one, within its range; no other key
 * changes any. */
#include "config/config.h"
#include "config/verilog_params.h"

#include <check.h>
#include <string.h>

/* What one configuration says of all modules. */
typedef struct {
  mrpb_cfg_t mrpb;
  mshr_cfg_t mshr;
  prt_cfg_t prt;
} params_t;

static uint32_t *words_of(params_t *p, const char *stem) {
  return strcmp(stem, "mrpb") == 0   ? (uint32_t *)&p->mrpb
         : strcmp(stem, "mshr") == 0 ? (uint32_t *)&p->mshr
                                     : (uint32_t *)&p->prt;
}

static params_t params(const config_t *cfg) {
  return (params_t){config_mrpb_params(cfg), config_mshr_params(cfg), config_prt_params(cfg)};
}

/* Sets the value of key `i` to another legal one, and sees who has it. Returns whether it drives a
 * parameter. */
static bool follow(config_t *cfg, unsigned i) {
  const keyfile_key_t k = keyfile_key(&config_table, config_values(cfg), i), *key = &k;
  uint32_t *v = (uint32_t *)cfg + i;
  if (!config_has(cfg, i) || config_chooses(i)) return false;
  params_t before = params(cfg);
  uint32_t last = key->words ? 1 : key->max;
  *v = *v == last ? key->min : last;
  params_t after = params(cfg), want = before;
  if (key->verilog[0]) {
    char stem[32];
    size_t dot = strcspn(key->verilog, ".");
    snprintf(stem, sizeof stem, "%.*s", (int)dot, key->verilog);
    const module_class_t *cls = module_class(stem);
    ck_assert_ptr_nonnull(cls);
    int at = module_param_index(cls, key->verilog + dot + 1);
    ck_assert_msg(at >= 0, "%s drives %s", key->name, key->verilog);
    words_of(&want, stem)[at] = *v;
    uint32_t most = key->max;
    for (const char *w = key->words; w && (w = strchr(w, '|')); w++) most++;
    if (strcmp(key->name, "MRPB_SIGNATURE") == 0) most--; /* sub-core, see `widths` */
    ck_assert_uint_le(most, cls->params[at].max);
    if (strcmp(key->name, "MRPB_DEPTH") != 0) /* 0 is no Verilog */
      ck_assert_uint_ge(key->min, cls->params[at].min);
  }
  ck_assert_msg(memcmp(&after, &want, sizeof want) == 0, "%s", key->name);
  return key->verilog[0];
}

/* The table itself. */
START_TEST(table) {
  static const char *const want[][2] = {
      {"BLOCKS_PER_SM", "mrpb.BLOCKS"}, {"MRPB_QUEUES", "mrpb.QUEUES"},
      {"MRPB_DEPTH", "mrpb.DEPTH"},     {"MRPB_SIGNATURE", "mrpb.SIGNATURE"},
      {"MRPB_POLICY", "mrpb.POLICY"},   {"MRPB_FLUSH", "mrpb.FLUSH"},
      {"MRPB_LATENCY", "mrpb.LATENCY"}, {"MRPB_BYPASS", "mrpb.BYPASS"},
      {"MRPB_ANSWER", "mrpb.ANSWER"},   {"MSHR_ENTRIES", "mshr.ENTRIES"},
      {"MSHR_MERGES", "mshr.MERGES"},   {"PRT_ENTRIES", "prt.ENTRIES"},
      {"PRT_LOADS", "prt.ENTRIES"},     {"PRT_ORDER", "prt.ORDER"}};
  unsigned driving = 0;
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
    const int key = keyfile_find(&config_table, want[i][0]);
    ck_assert_msg(key >= 0, "no key %s", want[i][0]);
    ck_assert_str_eq(config_key((unsigned)key)->verilog, want[i][1]);
  }
  for (unsigned i = 0; i < config_count(); i++) driving += config_key(i)->verilog[0] != '\0';
  ck_assert_uint_eq(driving, sizeof want / sizeof *want);
}
END_TEST

START_TEST(keys_of_pipeline_cores) {
  unsigned driving = 0;
  for (unsigned i = 0; i < config_count(); i++) {
    config_t c;
    config_defaults(&c);
    driving += follow(&c, i);
  }
  ck_assert_uint_eq(driving, 12);
}
END_TEST

START_TEST(keys_of_in_order_cores) {
  unsigned driving = 0;
  for (unsigned i = 0; i < config_count(); i++) {
    config_t c;
    config_defaults_of(&c, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
    driving += follow(&c, i);
  }
  ck_assert_uint_eq(driving, 13);
}
END_TEST

/* What no key sets, and what more than one does. */
START_TEST(widths) {
  config_t c;
  config_t d;
  config_defaults(&c);
  config_defaults_of(&d, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  ck_assert_uint_eq(config_mrpb_params(&c).DATA_W, 51);
  ck_assert_uint_eq(config_mshr_params(&c).ADDR_W, 25);
  ck_assert_uint_eq(config_mshr_params(&d).ADDR_W, 25);
  ck_assert_uint_eq(config_mshr_params(&d).DATA_W, 16);
  ck_assert_uint_eq(config_prt_params(&c).LANES, 32);
  ck_assert_uint_eq(config_prt_params(&d).OFFSET_W, 7);
  c.mrpb_signature = d.mrpb_signature = CONFIG_SIGNATURE_SUB_CORE;
  ck_assert_uint_eq(config_mrpb_params(&c).SIGNATURE, MRPB_SIGNATURE_BLOCK_WARP);
  ck_assert_uint_eq(config_mrpb_params(&d).SIGNATURE, MRPB_SIGNATURE_BLOCK_WARP);
  c.bypass_tracking = CONFIG_TRACKING_MSHR;
  ck_assert_uint_eq(config_mshr_params(&c).ADDR_W, 25); /* no MRPB: nothing bypasses */
  c.mrpb = 1;
  ck_assert_uint_eq(config_mshr_params(&c).ADDR_W, 26);
}
END_TEST

Suite *test_verilog_params_suite(void);

Suite *test_verilog_params_suite(void) {
  Suite *s = suite_create("verilog_params");
  TCase *t = tcase_create("verilog_params");
  tcase_add_test(t, table);
  tcase_add_test(t, keys_of_pipeline_cores);
  tcase_add_test(t, keys_of_in_order_cores);
  tcase_add_test(t, widths);
  suite_add_tcase(s, t);
  return s;
}
