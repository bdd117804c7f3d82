/* SPDX-License-Identifier: Apache-2.0 */
/* Storage of an estimate: against the registers of the modules, and against values worked out by
 * hand. */
#include "estimate/storage.h"
#include "module.h"
#include "mrpb.h"
#include "mshr.h"
#include "prt.h"
#include "config/verilog_params.h"

#include <check.h>
#include <string.h>

static config_t base(void) {
  config_t c;
  config_defaults(&c);
  c.mrpb = 1;
  return c;
}

static storage_t storage(const config_t *c) {
  storage_t s;
  mrpb_err_t err = {""};
  ck_assert_msg(storage_of(c, &s, &err) == 0, "%s", err.text);
  return s;
}

/* Every register of the module is an array of that size, and no array of the module is anything
 * else. */
static void expect(const storage_t *s, const module_class_t *cls, const void *params) {
  const char *unit = cls->stem;
  module_reg_t reg[MODULE_MAX_REGS];
  mrpb_err_t err = {""};
  void *self;
  unsigned found = 0;
  uint64_t bits = 0;
  ck_assert_int_eq(cls->create(&self, params, &err), 0);
  cls->regs(self, reg);
  cls->destroy(self);
  for (unsigned i = 0; i < cls->n_regs; i++) {
    char name[STORAGE_NAME];
    snprintf(name, sizeof name, "%s.%.60s", unit, reg[i].name);
    const storage_array_t *a = storage_find(s, name);
    ck_assert_msg(a != NULL, "%s is not in the table", name);
    ck_assert_uint_eq(a->words, reg[i].words);
    ck_assert_uint_eq(a->bits, reg[i].width);
    bits += (uint64_t)reg[i].width * reg[i].words;
  }
  uint64_t sum = 0;
  for (unsigned i = 0; i < s->n; i++)
    if (strcmp(s->array[i].unit, unit) == 0 && s->array[i].rtl) {
      found++;
      sum += storage_bits(&s->array[i]);
    }
  ck_assert_uint_eq(found, cls->n_regs);
  ck_assert_uint_eq(sum, bits);
}

static void compare(const config_t *c) {
  const storage_t s = storage(c);
  const mrpb_cfg_t m = config_mrpb_params(c);
  const mshr_cfg_t h = config_mshr_params(c);
  const prt_cfg_t p = config_prt_params(c);
  expect(&s, &mrpb_class, &m);
  expect(&s, &mshr_class, &h);
  expect(&s, &prt_class, &p);
}

START_TEST(the_registers_of_the_modules) {
  config_t c = base();
  compare(&c);
  c.mrpb_queues = 32;
  c.mrpb_depth = 5;
  c.mrpb_latency = 18;
  c.blocks_per_sm = 16;
  c.mshr_entries = 128;
  c.mshr_merges = 3;
  c.prt_entries = 44;
  compare(&c);
  c.mrpb_queues = c.mrpb_depth = c.mshr_entries = c.mshr_merges = c.prt_entries = 1;
  c.mrpb_latency = 3;
  compare(&c);
}
END_TEST

/* A register array that somebody adds needs a rule, and a rule needs its register. */
START_TEST(every_array_has_a_rule) {
  static const char *const stems[] = {"mrpb", "mshr", "prt"};
  const char *stem, *name;
  for (unsigned m = 0; m < 3; m++) {
    const module_class_t *cls = module_class(stems[m]);
    uint32_t params[MODULE_MAX_PARAMS];
    module_reg_t regs[MODULE_MAX_REGS];
    mrpb_err_t err = {""};
    void *self;
    module_defaults(cls, params);
    ck_assert_int_eq(cls->create(&self, params, &err), 0);
    cls->regs(self, regs);
    for (unsigned i = 0; i < cls->n_regs; i++)
      ck_assert_msg(storage_knows(stems[m], regs[i].name) == (regs[i].words > 1),
                    "%s.%s: storage.c has %s rule", stems[m], regs[i].name,
                    regs[i].words > 1 ? "no" : "a needless");
    for (unsigned k = 0; storage_rule(k, &stem, &name); k++) {
      bool there = strcmp(stem, stems[m]) != 0;
      for (unsigned i = 0; i < cls->n_regs; i++) there = there || strcmp(regs[i].name, name) == 0;
      ck_assert_msg(there, "a rule for %s.%s, which is no register", stem, name);
    }
    cls->destroy(self);
  }
}
END_TEST

/* ---- by hand ---------------------------------------------------------------------- */

static void size_is(const storage_t *s, const char *name, storage_kind_t kind, uint32_t words,
                    uint32_t bits) {
  const storage_array_t *a = storage_find(s, name);
  ck_assert_msg(a != NULL, "no %s", name);
  ck_assert_uint_eq(a->kind, kind);
  ck_assert_uint_eq(a->words, words);
  ck_assert_uint_eq(a->bits, bits);
}

START_TEST(the_papers_sizes) {
  config_t c = base();
  storage_t s = storage(&c);
  size_is(&s, "mrpb.u_fifo_bank.u_mem.mem_q", STORAGE_SRAM, 384, 64);
  ck_assert_uint_eq(storage_sum(&s, "mrpb", STORAGE_SRAM), 3072 * 8);
  ck_assert_ptr_null(storage_find(&s, "mrpb.write_data"));
  c.mrpb_flush = 0; /* an entry holds a write's data too: 136 B against 8 B */
  s = storage(&c);
  size_is(&s, "mrpb.write_data", STORAGE_SRAM, 384, 1024);
  ck_assert_uint_eq(storage_sum(&s, "mrpb", STORAGE_SRAM), UINT64_C(384) * 136 * 8);
  size_is(&s, "mshr.addr_q", STORAGE_CAM, 32, 25);
  size_is(&s, "mshr.data_q", STORAGE_FILE, 256, 16); /* read without a clock */
  size_is(&s, "prt.offset_q", STORAGE_FILE, 64, 224);
  size_is(&s, "prt.tag_q", STORAGE_FILE, 64, 16);
  ck_assert_str_eq(storage_find(&s, "mrpb.u_fifo_bank.u_mem.mem_q")->where, "rtl/fifo_bank.v");
  ck_assert_str_eq(storage_find(&s, "prt.tag_q")->where, "rtl/prt.v");
}
END_TEST

START_TEST(caches) {
  config_t c = base();
  storage_t s = storage(&c);
  size_is(&s, "l1d.data", STORAGE_SRAM, 128, 1024);
  size_is(&s, "l1d.tag", STORAGE_SRAM, 128, 20 + 2); /* 25 address bits, 5 of them the set */
  size_is(&s, "l1d.order", STORAGE_REGISTERS, 32, 4 * 2);
  size_is(&s, "l2.data", STORAGE_SRAM, 1024, 1024);
  size_is(&s, "l2.tag", STORAGE_SRAM, 1024, 17 + 2); /* 2^25 lines / 6 slices / 64 sets */
  size_is(&s, "l2.order", STORAGE_REGISTERS, 64, 16 * 4);
  ck_assert_uint_eq(storage_find(&s, "l1d.data")->copies, 14);
  ck_assert_uint_eq(storage_find(&s, "l2.data")->copies, 6);
  ck_assert_uint_eq(storage_sum(&s, NULL, STORAGE_CAM), 14 * 32 * 25);
  c.l1d_sets = 1;
  c.l1d_ways = 384;
  c.l1d_replacement = TAGS_FIFO;
  s = storage(&c);
  size_is(&s, "l1d.tag", STORAGE_CAM, 384, 25 + 2);
  size_is(&s, "l1d.order", STORAGE_REGISTERS, 1, 9);
  c.l1d_sets = 3; /* the set is a remainder: the tag is the quotient */
  c.l1d_ways = 1;
  s = storage(&c);
  size_is(&s, "l1d.tag", STORAGE_SRAM, 3, 24 + 2);
  ck_assert_ptr_null(storage_find(&s, "l1d.order"));
  c.l1d_ways = 2;
  c.l1d_replacement = TAGS_FERMI;
  s = storage(&c);
  ck_assert_ptr_null(storage_find(&s, "l1d.order"));
}
END_TEST

START_TEST(what_a_configuration_has) {
  config_t c = base();
  c.bypass_tracking = CONFIG_TRACKING_MSHR;
  storage_t s = storage(&c);
  size_is(&s, "mshr.addr_q", STORAGE_CAM, 32, 26);
  ck_assert_uint_eq(storage_sum(&s, "prt", STORAGE_KINDS), 0);
  c.mrpb_reorder = 0;
  s = storage(&c);
  ck_assert_uint_eq(storage_sum(&s, "mrpb", STORAGE_KINDS), 0);
  c.bypass_tracking = CONFIG_TRACKING_PRT;
  s = storage(&c);
  ck_assert_uint_ne(storage_sum(&s, "prt", STORAGE_KINDS), 0);
  c.mrpb = 0;
  s = storage(&c);
  ck_assert_uint_eq(storage_sum(&s, "prt", STORAGE_KINDS), 0);
  ck_assert_uint_ne(storage_sum(&s, "mshr", STORAGE_KINDS), 0);
}
END_TEST

Suite *test_estimate_storage_suite(void);
Suite *test_estimate_storage_suite(void) {
  Suite *s = suite_create("estimate_storage");
  TCase *t = tcase_create("storage");
  tcase_add_test(t, the_registers_of_the_modules);
  tcase_add_test(t, every_array_has_a_rule);
  tcase_add_test(t, the_papers_sizes);
  tcase_add_test(t, caches);
  tcase_add_test(t, what_a_configuration_has);
  suite_add_tcase(s, t);
  return s;
}
