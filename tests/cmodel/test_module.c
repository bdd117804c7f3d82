/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every module: the table of parameters, ports and registers, the refusal of illegal
 * sizes, the widths of all outputs and registers, and the state after a reset. */
#include "module.h"
#include "cosim/stim/counts.h"
#include "bits.h"
#include "fifo_bank.h"
#include "l1_top.h"
#include "line_data.h"
#include "mshr.h"
#include "prng.h"

#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = MODULE_MAX_WORDS };

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
} setup_t;

static setup_t setup(unsigned i) {
  setup_t s = {.cls = module_class_at(i)};
  ck_assert_ptr_nonnull(s.cls);
  ck_assert_uint_le(s.cls->in_words, MAX_WORDS);
  ck_assert_uint_le(s.cls->out_words, MAX_WORDS);
  module_defaults(s.cls, s.cfg);
  s.cls->ports(s.cfg, s.in, s.out);
  return s;
}

/* Legal values at random, with a taste for the extremes and for small sizes. */
static void random_cfg(setup_t *s, prng_t *p) {
  for (unsigned i = 0; i < s->cls->n_params; i++) {
    const module_param_t *m = &s->cls->params[i];
    uint32_t span = m->max - m->min + 1, pick = prng_below(p, 4);
    s->cfg[i] = pick == 0   ? m->min
                : pick == 1 ? m->max
                : pick == 2 ? m->min + prng_below(p, span < 6 ? span : 6)
                            : m->min + prng_below(p, span);
  }
  s->cls->ports(s->cfg, s->in, s->out);
}

/* Any value of each port's width, so also indices beyond a table; small numbers often, to meet
 * again. */
static void random_inputs(const setup_t *s, prng_t *p, uint64_t *in) {
  memset(in, 0, MAX_WORDS * sizeof *in);
  for (unsigned i = 0; i < s->cls->n_in; i++)
    for (unsigned at = 0; at < s->in[i].width; at += 64) {
      unsigned left = s->in[i].width - at, w = left < 64 ? left : 64;
      uint64_t v = prng_next(p);
      in[s->in[i].word + at / 64] = bits(prng_chance(p, 400) ? v & 3 : v, w);
    }
  if (s->cls->n_regs) in[0] = 1; /* srst_ni */
}

static void run_random(const setup_t *s, prng_t *p, void *self, unsigned cycles) {
  uint64_t in[MAX_WORDS];
  for (unsigned t = 0; t < cycles; t++) {
    random_inputs(s, p, in);
    s->cls->edge(self, in);
  }
}

static int modules(void) {
  int n = 0;
  while (module_class_at((unsigned)n)) n++;
  return n;
}

START_TEST(lists) {
  ck_assert_ptr_null(module_class("fifo_ban"));
  ck_assert_ptr_null(module_class(""));
  const unsigned n = (unsigned)modules();
  glob_t tables;
  ck_assert_int_eq(glob("cmodel/ports/*.ports.h", 0, NULL, &tables), 0);
  ck_assert_uint_eq(n, tables.gl_pathc);
  globfree(&tables);
  ck_assert_ptr_null(module_class_at(n + 1));
  for (unsigned i = 0; i < n; i++)
    ck_assert_ptr_eq(module_class(module_class_at(i)->stem), module_class_at(i));
  ck_assert_int_eq(module_param_index(module_class("mshr"), "MERGES"), 1);
  ck_assert_int_eq(module_param_index(module_class("mshr"), "merges"), -1);
}
END_TEST

static void check_ports(const module_port_t *p, unsigned n, unsigned words) {
  unsigned word = 0;
  for (unsigned i = 0; i < n; i++) {
    ck_assert_uint_eq(p[i].word, word);
    ck_assert_uint_ge(p[i].width, 1);
    unsigned last = i + 1 < n ? p[i + 1].word : words;
    ck_assert_msg(p[i].width <= 64 * (last - word), "%s does not fit", p[i].name);
    ck_assert_msg(p[i].doc && p[i].doc[0], "%s has no description", p[i].name);
    const char *ending = strrchr(p[i].name, '_');
    ck_assert_msg(ending && strspn(ending + 1, "nio") == strlen(ending + 1),
                  "%s lacks its _i or _o", p[i].name);
    for (unsigned j = 0; j < i; j++) ck_assert_str_ne(p[i].name, p[j].name);
    word = last;
  }
  ck_assert_uint_eq(word, words);
}

START_TEST(tables) {
  setup_t s = setup((unsigned)_i);
  check_ports(s.in, s.cls->n_in, s.cls->in_words);
  check_ports(s.out, s.cls->n_out, s.cls->out_words);
  ck_assert_msg(s.cls->doc && s.cls->doc[0], "%s has no description", s.cls->stem);
  for (unsigned i = 0; i < s.cls->n_params; i++) {
    const module_param_t *m = &s.cls->params[i];
    ck_assert(m->min <= m->deflt && m->deflt <= m->max);
    ck_assert_int_eq(module_param_index(s.cls, m->name), (int)i);
  }
  if (s.cls->n_regs) ck_assert_str_eq(s.in[0].name, "srst_ni");
}
END_TEST

START_TEST(ranges) {
  setup_t s = setup((unsigned)_i);
  for (unsigned i = 0; i < s.cls->n_params; i++) {
    const module_param_t *m = &s.cls->params[i];
    const uint32_t bad[] = {m->min - 1, m->max + 1, UINT32_MAX}, good[] = {m->min, m->max};
    char token[128];
    snprintf(token, sizeof token, "ERROR_%s_%s_must_be_%u_to_%u", s.cls->stem, m->name, m->min,
             m->max);
    for (unsigned k = 0; k < 3; k++) {
      mrpb_err_t err = {""};
      void *self = &s;
      s.cfg[i] = bad[k];
      ck_assert_int_eq(s.cls->check(s.cfg, &err), -1);
      ck_assert_int_eq(strncmp(err.text, token, strlen(token)), 0);
      err.text[0] = '\0';
      ck_assert_int_eq(s.cls->create(&self, s.cfg, &err), -1);
      ck_assert_ptr_null(self);
      ck_assert_int_eq(strncmp(err.text, token, strlen(token)), 0);
      ck_assert_int_eq(s.cls->create(&self, s.cfg, NULL), -1);
    }
    for (unsigned k = 0; k < 2; k++) {
      void *self = NULL;
      s.cfg[i] = good[k];
      ck_assert_int_eq(s.cls->create(&self, s.cfg, NULL), 0);
      ck_assert_ptr_nonnull(self);
      s.cls->destroy(self);
    }
    s.cfg[i] = m->deflt;
  }
}
END_TEST

static uint64_t element(const module_reg_t *r, unsigned word, unsigned at) {
  const unsigned char *p = (const unsigned char *)r->data + (size_t)word * r->elem_bytes;
  uint64_t v = 0;
  for (unsigned b = at; b < r->elem_bytes && b < at + 8; b++) v |= (uint64_t)p[b] << 8 * (b - at);
  return v;
}

/* Nothing beyond its width, in any output or register. */
static void check_widths(const setup_t *s, const uint64_t *out, const module_reg_t *regs) {
  for (unsigned i = 0; i < s->cls->n_out; i++) {
    unsigned last = i + 1 < s->cls->n_out ? s->out[i + 1].word : s->cls->out_words;
    for (unsigned w = s->out[i].word, left = s->out[i].width; w < last; w++) {
      unsigned here = left < 64 ? left : 64;
      if (out[w] & ~bits_mask(here))
        ck_abort_msg("%s.%s is too wide", s->cls->stem, s->out[i].name);
      left -= here;
    }
  }
  for (unsigned i = 0; i < s->cls->n_regs; i++) {
    const module_reg_t *r = &regs[i];
    if (!r->data || r->width < 1 || r->width > 8 * r->elem_bytes || r->words < 1)
      ck_abort_msg("%s.%s: bad entry", s->cls->stem, r->name);
    for (unsigned w = 0; w < r->words; w++)
      for (unsigned at = 0; at < r->elem_bytes; at += 8) {
        unsigned left = r->width > 8 * at ? r->width - 8 * at : 0;
        if (element(r, w, at) & ~bits_mask(left < 64 ? left : 64))
          ck_abort_msg("%s.%s[%u] is too wide", s->cls->stem, r->name, w);
      }
  }
}

START_TEST(widths) {
  setup_t s = setup((unsigned)_i);
  prng_t p = prng_seed(1, (uint64_t)_i);
  for (unsigned n = 0; n < 30; n++) {
    void *self = NULL;
    module_reg_t regs[MODULE_MAX_REGS];
    uint64_t in[MAX_WORDS], out[MAX_WORDS], again[MAX_WORDS];
    random_cfg(&s, &p);
    ck_assert_int_eq(s.cls->create(&self, s.cfg, NULL), 0);
    s.cls->regs(self, regs);
    for (unsigned t = 0; t < 200; t++) {
      random_inputs(&s, &p, in);
      memset(out, 0xff, sizeof out); /* every output is written, whatever was there */
      memset(again, 0, sizeof again);
      s.cls->comb(self, in, out);
      s.cls->comb(self, in, again);
      if (memcmp(out, again, s.cls->out_words * 8))
        ck_abort_msg("%s: comb is not pure", s.cls->stem);
      if (t % 20 == 19) check_widths(&s, out, regs);
      s.cls->edge(self, in);
    }
    s.cls->destroy(self);
  }
}
END_TEST

/* The output of an SRAM is not reset: of a bank it is no matter until an entry is dequeued. True if
 * that is still so after this cycle. */
static bool hide_unread(const setup_t *s, const uint64_t *in, uint64_t *a, uint64_t *b) {
  bool unread = true;
  for (unsigned k = 0; k < s->cls->n_out; k++) {
    if (strcmp(s->out[k].name, "deq_data_o") == 0) a[s->out[k].word] = b[s->out[k].word] = 0;
    if (strcmp(s->out[k].name, "deq_ready_o") == 0 && a[s->out[k].word])
      unread = !(in[0] && ((const fifo_bank_in_t *)(const void *)in)->deq_valid_i);
  }
  return unread;
}

/* Two instances that must be one machine from here on, or, where what an SRAM shows is `unread`, from
 * its first read on; destroys both. */
static void check_twins(const setup_t *s, prng_t *p, void *one, void *two, bool unread,
                        const char *after) {
  uint64_t in[MAX_WORDS], a[MAX_WORDS] = {0}, b[MAX_WORDS] = {0};
  for (unsigned t = 0; t < 300; t++) {
    random_inputs(s, p, in);
    s->cls->comb(one, in, a);
    s->cls->comb(two, in, b);
    if (unread) unread = hide_unread(s, in, a, b);
    if (memcmp(a, b, s->cls->out_words * 8))
      ck_abort_msg("%s: %s, cycle %u", s->cls->stem, after, t);
    s->cls->edge(one, in);
    s->cls->edge(two, in);
  }
  s->cls->destroy(one);
  s->cls->destroy(two);
}

/* After a reset an instance with a past cannot be told from a new one by its outputs; and during
 * it, it is the other inputs that do not matter. */
START_TEST(reset) {
  setup_t s = setup((unsigned)_i);
  prng_t p = prng_seed(2, (uint64_t)_i);
  if (s.cls->n_regs == 0) return;
  for (unsigned n = 0; n < 30; n++) {
    void *used = NULL, *fresh = NULL;
    uint64_t in[MAX_WORDS];
    random_cfg(&s, &p);
    /* Lines stay in the data array, and random memory breaks reads off. With PARITY the array hides
     * what was there before the reset. */
    if (s.cls == &line_data_class || s.cls == &l1_top_class)
      s.cfg[module_param_index(s.cls, "PARITY")] = 1;
    ck_assert_int_eq(s.cls->create(&used, s.cfg, NULL), 0);
    ck_assert_int_eq(s.cls->create(&fresh, s.cfg, NULL), 0);
    run_random(&s, &p, used, 200);
    random_inputs(&s, &p, in);
    in[0] = 0;
    s.cls->edge(used, in);
    check_twins(&s, &p, used, fresh, s.cls == &fifo_bank_class, "reset");
  }
}
END_TEST

START_TEST(copy) {
  setup_t s = setup((unsigned)_i);
  prng_t p = prng_seed(3, (uint64_t)_i);
  for (unsigned n = 0; n < 30; n++) {
    void *from = NULL, *to = NULL;
    random_cfg(&s, &p);
    ck_assert_int_eq(s.cls->create(&from, s.cfg, NULL), 0);
    ck_assert_int_eq(s.cls->create(&to, s.cfg, NULL), 0);
    run_random(&s, &p, from, 200);
    run_random(&s, &p, to, 100);
    s.cls->copy(to, from);
    check_twins(&s, &p, to, from, false, "copy");
  }
}
END_TEST

typedef struct {
  const char *stem, *set, *name;
  uint32_t value;
  unsigned width;
} width_row_t;

/* Some widths by hand, at sizes where a formula that is one off shows. */
static const width_row_t width_rows[] = {
    {"fifo_bank", "QUEUES", "enq_queue_i", 48, 6},
    {"fifo_bank", "QUEUES", "enq_queue_i", 1, 1},
    {"fifo_bank", "QUEUES", "enq_queue_i", 2, 1},
    {"fifo_bank", "QUEUES", "enq_queue_i", 33, 6},
    {"fifo_bank", "QUEUES", "full_o", 64, 64},
    {"fifo_bank", "QUEUES", "full_o", 1, 1},
    {"fifo_bank", "DEPTH", "tail_q", 9, 4},
    {"fifo_bank", "DEPTH", "head_q", 8, 3},
    {"fifo_bank", "DEPTH", "head_q", 1, 1},
    {"drain_selector", "DEPTH", "more_q", 64, 6},
    {"drain_selector", "DEPTH", "more_q", 1, 1},
    {"order_check", "DEPTH", "head_q", 8, 4},
    {"order_check", "DEPTH", "head_q", 1, 1},
    {"mrpb", "DEPTH", "held_o", 8, 9},
    {"mrpb", "LATENCY", "line_valid_q", 18, 16},
    {"mrpb", "LATENCY", "line_valid_q", 3, 1},
    {"mrpb", "DATA_W", "out_pass_q", 51, 64},
    {"mrpb", "DATA_W", "u_fifo_bank.u_mem.mem_q", 1, 14},
    {"mshr", "ENTRIES", "count_o", 128, 8},
    {"mshr", "ENTRIES", "fill_entry_i", 128, 7},
    {"mshr", "MERGES", "len_q", 32, 6},
    {"prt", "ENTRIES", "alloc_entry_o", 512, 9},
    {"prt", "ENTRIES", "count_o", 512, 10},
    {"prt", "OFFSET_W", "alloc_offset_i", 8, 256},
    {"prt", "LANES", "reply_offset_o", 5, 35},
};

START_TEST(width_formulas) {
  for (size_t i = 0; i < sizeof width_rows / sizeof *width_rows; i++) {
    const width_row_t *row = &width_rows[i];
    const module_class_t *cls = module_class(row->stem);
    uint32_t cfg[MODULE_MAX_PARAMS];
    module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
    module_reg_t regs[MODULE_MAX_REGS];
    void *self = NULL;
    unsigned width = 0;
    module_defaults(cls, cfg);
    int at = module_param_index(cls, row->set);
    ck_assert_int_ge(at, 0);
    cfg[at] = row->value;
    cls->ports(cfg, in, out);
    ck_assert_int_eq(cls->create(&self, cfg, NULL), 0);
    cls->regs(self, regs);
    for (unsigned k = 0; k < cls->n_in; k++)
      if (strcmp(in[k].name, row->name) == 0) width = in[k].width;
    for (unsigned k = 0; k < cls->n_out; k++)
      if (strcmp(out[k].name, row->name) == 0) width = out[k].width;
    for (unsigned k = 0; k < cls->n_regs; k++)
      if (strcmp(regs[k].name, row->name) == 0) width = regs[k].width;
    ck_assert_msg(width == row->width, "%s.%s: %u bits", row->stem, row->name, width);
    cls->destroy(self);
  }
}
END_TEST

/* The table's view and the typed view are one thing. */
START_TEST(layout) {
  const module_class_t *cls = module_class("fifo_bank");
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_defaults(cls, cfg);
  ck_assert_uint_eq(sizeof(fifo_bank_cfg_t), cls->n_params * sizeof(uint32_t));
  void *self = NULL;
  ck_assert_int_eq(cls->create(&self, cfg, NULL), 0);
  module_port_t in_ports[MODULE_MAX_PORTS], out_ports[MODULE_MAX_PORTS];
  cls->ports(cfg, in_ports, out_ports);
  fifo_bank_in_t in = {.srst_ni = 1, .enq_valid_i = 1, .enq_queue_i = 3, .enq_data_i = 0x1234};
  fifo_bank_edge(self, &in);
  in = (fifo_bank_in_t){.srst_ni = 1, .deq_valid_i = 1, .deq_queue_i = 3};
  fifo_bank_edge(self, &in);
  uint64_t raw_in[MAX_WORDS], raw_out[MAX_WORDS];
  memcpy(raw_in, &in, sizeof in);
  cls->comb(self, raw_in, raw_out);
  bool seen = false;
  for (unsigned k = 0; k < cls->n_out; k++)
    if (strcmp(out_ports[k].name, "deq_data_o") == 0) seen = raw_out[out_ports[k].word] == 0x1234;
  ck_assert(seen);
  ck_assert_uint_eq(counts_held(fifo_bank_regs(self), 8, 3), 0);
  cls->destroy(self);
}
END_TEST

/* Each bit outside each port is refused by the port's name, its width and the value. */
static void refuse_each_bit(const setup_t *s, const void *self, uint64_t *in) {
  for (unsigned i = 0; i < s->cls->n_in; i++) {
    const module_port_t *p = &s->in[i];
    const unsigned end = i + 1 < s->cls->n_in ? s->in[i + 1].word : s->cls->in_words;
    for (unsigned b = p->width; b < 64 * (end - p->word); b++) {
      mrpb_err_t err = {""};
      char width[32];
      uint64_t *word = &in[p->word + b / 64];
      const uint64_t kept = *word;
      *word |= UINT64_C(1) << b % 64;
      ck_assert_int_eq(s->cls->legal(self, in, &err), -1);
      ck_assert_int_eq(s->cls->legal(self, in, NULL), -1);
      snprintf(width, sizeof width, "has %u bits", p->width);
      ck_assert_msg(strstr(err.text, p->name) && strstr(err.text, width) && strstr(err.text, "0x"),
                    "%s bit %u: %s", p->name, b, err.text);
      *word = kept;
    }
  }
}

START_TEST(too_wide) {
  setup_t s = setup((unsigned)_i);
  prng_t p = prng_seed(16, (uint64_t)_i);
  for (unsigned k = 0; k < 40; k++) {
    uint64_t in[MAX_WORDS];
    void *self = NULL;
    mrpb_err_t err = {""};
    random_cfg(&s, &p);
    ck_assert_int_eq(s.cls->create(&self, s.cfg, &err), 0);
    random_inputs(&s, &p, in);
    ck_assert_msg(s.cls->legal(self, in, &err) == 0, "%s", err.text);
    refuse_each_bit(&s, self, in);
    s.cls->destroy(self);
  }
}
END_TEST

/* A refused cycle is none; a legal one is comb and edge. */
START_TEST(checked_cycle) {
  const mshr_cfg_t cfg = {.ENTRIES = 5, .MERGES = 3, .ADDR_W = 25, .DATA_W = 16};
  mshr_t *one, *two;
  mrpb_err_t err = {""};
  mshr_out_t out, expected, untouched;
  ck_assert_int_eq(mshr_create(&one, &cfg, &err), 0);
  ck_assert_int_eq(mshr_create(&two, &cfg, &err), 0);
  memset(&out, 0x5a, sizeof out);
  untouched = out;
  mshr_in_t in = {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 1 << 25};
  ck_assert_int_eq(mshr_cycle(one, &in, &out, &err), -1);
  ck_assert_str_eq(err.text, "mshr: req_addr_i = 0x2000000: the port has 25 bits; legal: 0 to "
                             "0x1ffffff");
  ck_assert_mem_eq(&out, &untouched, sizeof out);
  ck_assert_mem_eq(mshr_regs(one), mshr_regs(two), sizeof(mshr_regs_t));
  in.req_addr_i--;
  ck_assert_int_eq(mshr_cycle(one, &in, &out, NULL), 0);
  mshr_comb(two, &in, &expected);
  mshr_edge(two, &in);
  ck_assert_mem_eq(&out, &expected, sizeof out);
  ck_assert_mem_eq(mshr_regs(one), mshr_regs(two), sizeof(mshr_regs_t));
  mshr_destroy(one);
  mshr_destroy(two);
}
END_TEST

/* Nothing is left in the caller's pointer if there is no instance. */
START_TEST(no_instance) {
  setup_t s = setup((unsigned)_i);
  void *self = &s;
  mrpb_err_t err = {""};
  s.cfg[0] = s.cls->params[0].max + 1;
  ck_assert_int_eq(s.cls->create(&self, s.cfg, &err), -1);
  ck_assert_ptr_null(self);
  s.cls->destroy(NULL);
}
END_TEST

START_TEST(register_values) {
  const uint32_t wide[4] = {0x76543210, 0xfedcba98, 1, 2};
  const uint8_t bytes[3] = {1, 2, 3};
  const module_reg_t of_words = {.words = 2, .elem_bytes = 8, .data = wide};
  const module_reg_t of_bytes = {.words = 3, .elem_bytes = 1, .data = bytes};
  ck_assert_uint_eq(module_reg_value(&of_words, 0), UINT64_C(0xfedcba9876543210));
  ck_assert_uint_eq(module_reg_value(&of_words, 1), UINT64_C(0x200000001));
  ck_assert_uint_eq(module_reg_value(&of_bytes, 2), 3);
}
END_TEST

Suite *test_module_suite(void);
Suite *test_module_suite(void) {
  Suite *suite = suite_create("module");
  TCase *tc = tcase_create("every class");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, lists);
  tcase_add_loop_test(tc, tables, 0, modules());
  tcase_add_loop_test(tc, ranges, 0, modules());
  tcase_add_loop_test(tc, widths, 0, modules());
  tcase_add_loop_test(tc, reset, 0, modules());
  tcase_add_loop_test(tc, copy, 0, modules());
  tcase_add_loop_test(tc, too_wide, 0, modules());
  tcase_add_loop_test(tc, no_instance, 0, modules());
  tcase_add_test(tc, checked_cycle);
  tcase_add_test(tc, register_values);
  tcase_add_test(tc, width_formulas);
  tcase_add_test(tc, layout);
  suite_add_tcase(suite, tc);
  return suite;
}
