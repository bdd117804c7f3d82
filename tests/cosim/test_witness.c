/* SPDX-License-Identifier: Apache-2.0 */
/* Icarus, the third witness: a simulator that shares nothing with Verilator replays the lockstep
 * stimulus on the Verilog and compares it with the C model's answers; it must also find a broken
 * copy of the Verilog. */
#include "bits.h"
#include "cosim/stim/stim.h"
#include "cosim/witness.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CYCLES = 4000 };

/* Sizes: the default, 1, 3 and 5 of everything that goes so low; every policy. */
static void choose_sizes(const module_class_t *cls, uint32_t size, uint32_t policy, uint32_t *cfg) {
  module_defaults(cls, cfg);
  for (unsigned i = 0; size && i < cls->n_params; i++) {
    const module_param_t *p = &cls->params[i];
    if (p->max > 6 && p->max != 18) cfg[i] = size; /* a size, no choice and no latency */
  }
  int at = module_param_index(cls, "POLICY");
  if (at >= 0) cfg[at] = policy;
  mrpb_err_t err = {""};
  if (cls->check(cfg, &err) != 0) module_defaults(cls, cfg); /* not a power of two, say */
}

/* Stimulus may be wider than the ports, as in a lockstep run; what does not fit is cut off. */
static void cut(const module_class_t *cls, const uint32_t *cfg, uint64_t *words) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  cls->ports(cfg, in, out);
  for (unsigned i = 0; i < cls->n_in; i++)
    for (unsigned b = 0; b < in[i].width; b += 64)
      words[in[i].word + b / 64] &= bits_mask(in[i].width - b < 64 ? in[i].width - b : 64);
}

static void replay(const module_class_t *cls, const uint32_t *cfg, const char *rtl,
                   witness_unset_t unset, int expect, const char *says) {
  char dir[128], where[256];
  mrpb_err_t err = {""};
  witness_t *w;
  void *model;
  const stim_class_t *stim = stim_class(cls->stem);
  ck_assert_ptr_nonnull(stim);
  snprintf(dir, sizeof dir, "build/tmp/mrpb_witness_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(dir));
  ck_assert_msg(cls->create(&model, cfg, &err) == 0, "%s", err.text);
  ck_assert_msg(witness_open(&w, dir, "the C model", cls, cfg, &err) == 0, "%s", err.text);
  void *state = malloc(stim->size);
  uint64_t *in = calloc(cls->in_words, sizeof *in), *out = calloc(cls->out_words, sizeof *out);
  stim->start(state, cfg, 7);
  for (int t = 0; t < CYCLES; t++) {
    if (t > 0) stim->next(state, model, in); /* the first cycle, all zero, is the reset */
    cut(cls, cfg, in);
    cls->comb(model, in, out);
    witness_cycle(w, in, out, NULL);
    (void)stim->sample(state, model, in, out); /* it may follow what was taken */
    cls->edge(model, in);
  }
  ck_assert_msg(witness_close(w, &err) == 0, "%s", err.text);
  int rc = witness_run(dir, rtl, false, unset, &err);
  snprintf(where, sizeof where, "%s %s: %d %.100s", cls->stem, dir, rc, err.text);
  ck_assert_msg(rc == expect && strstr(err.text, says), "%s", where);
  free(state);
  free(in);
  free(out);
  cls->destroy(model);
  snprintf(where, sizeof where, "rm -rf '%s'", dir);
  ck_assert_int_eq(system(where), 0);
}

START_TEST(agrees) {
  static const uint32_t sizes[] = {0, 1, 3, 5};
  const module_class_t *cls = module_class_at((unsigned)_i);
  bool policies = module_param_index(cls, "POLICY") >= 0;
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (uint32_t policy = 0; policy < (policies ? 6 : 1); policy++) {
      uint32_t cfg[MODULE_MAX_PARAMS];
      choose_sizes(cls, sizes[s], policy, cfg);
      replay(cls, cfg, "rtl", WITNESS_UNSET_0, 0, "");
    }
}
END_TEST

/* No x on any output after reset, whatever the registers held before it. */
START_TEST(unset_is_x) {
  static const uint32_t sizes[] = {0, 1, 3, 5};
  const module_class_t *cls = module_class_at((unsigned)_i);
  for (uint32_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    uint32_t cfg[MODULE_MAX_PARAMS];
    choose_sizes(cls, sizes[s], s, cfg);
    replay(cls, cfg, "rtl", WITNESS_UNSET_X, 0, "");
  }
}
END_TEST

/* A copy of the Verilog, changed by sed, must differ in a line with `says`. */
static void differs(const char *stem, const char *sed, witness_unset_t unset, const char *says) {
  char dir[] = "build/tmp/mrpb_broken_XXXXXX", command[400];
  uint32_t cfg[MODULE_MAX_PARAMS];
  ck_assert_ptr_nonnull(mkdtemp(dir));
  snprintf(command, sizeof command,
           "cp rtl/*.v %s && sed -i '%s' %s/%s.v && ! cmp -s rtl/%s.v %s/%s.v", dir, sed, dir, stem,
           stem, dir, stem);
  ck_assert_msg(system(command) == 0, "%s: nothing to change: %s", stem, sed);
  choose_sizes(module_class(stem), 5, 0, cfg);
  replay(module_class(stem), cfg, dir, unset, 1, says);
  snprintf(command, sizeof command, "rm -rf %s", dir);
  ck_assert_int_eq(system(command), 0);
}

START_TEST(finds_a_broken_line) {
  differs("fifo_bank", "0,/tail_q.i. + PTR_ONE/s//tail_q[i] - PTR_ONE/", WITNESS_UNSET_0, "");
}
END_TEST

/* Of each module with registers, one that loses its reset: with 0 in what is unset it works all the
 * same, or the case would show nothing about x. */
static const struct {
  const char *stem, *sed, *says;
} unset_registers[] = {
    {"axi_port", "/^ *aw_valid_q  *<= 1.b0/d", "aw_valid_o is x"},
    {"coalescer", "/^ *out_valid_q  *<= 1.b0/d", "out_valid_o is x"},
    {"drain_selector", "/^ *nonempty_q <= {QUEUES/d", "sel_valid_o is x"},
    {"fifo_bank", "/^ *full_q  *<= {QUEUES/d", "enq_ready_o is x"},
    {"l1_control", "/^ *a_valid_q  *<= 1.b0/d", "_o is"},
    {"l1_reply", "/^ *valid_q  *<= 1.b0/d", "_o is x"},
    {"l1_top", "s/srst_ni ? event_q.k. + {31.d0, event_o.k.} : 32.d0/event_q[k]/", "s_o is x"},
    {"lane_check", "s/live_q <= {ENTRIES{1.b0}}//", "_o is x"},
    {"lane_table", "s/live_q <= {ENTRIES{1.b0}}//", "_o is x"},
    {"line_align", "/^ *out_valid_q  *<= 1.b0/d", "out_valid_o is x"},
    {"line_fill", "/^ *write_valid_q  *<= 1.b0/d", "write_valid_o is x"},
    {"mrpb", "/^ *held_q  *<= {HELD_W/d", "held_o is x"},
    {"mshr", "/^ *count_q  *<= {COUNT_W/d", "req_ready_o is x"},
    {"order_check", "/^ *len_q\\[i\\]  *<= {LEN_W/d", "_o is x"},
    {"prt", "/^ *count_q  *<= {COUNT_W/d", "count_o is x"},
    {"reg_fifo", "/^ *count_q  *<= {COUNT_W/d", "in_ready_o is x"},
    {"store_buffer", "/^ *count_q  *<= {COUNT_W/d", "_o is x"},
    {"tags", "/^ *a_valid_q  *<= 1.b0/d", "_o is x"},
};

START_TEST(notices_an_unset_register) {
  differs(unset_registers[_i].stem, unset_registers[_i].sed, WITNESS_UNSET_X,
          unset_registers[_i].says);
}
END_TEST

/* Without PARITY, a reset changes no register of line_data. */
START_TEST(each_module_with_a_reset_has_a_case) {
  const module_class_t *cls;
  for (unsigned m = 0; (cls = module_class_at(m)) != NULL; m++) {
    bool found = cls->n_regs == 0 || strcmp(cls->stem, "line_data") == 0;
    for (unsigned i = 0; i < sizeof unset_registers / sizeof *unset_registers; i++)
      found = found || strcmp(unset_registers[i].stem, cls->stem) == 0;
    ck_assert_msg(found, "%s has registers, and no case", cls->stem);
  }
}
END_TEST

Suite *test_witness_suite(void);

Suite *test_witness_suite(void) {
  Suite *s = suite_create("witness");
  TCase *t = tcase_create("icarus"), *unset = tcase_create("unset");
  unsigned n = 0;
  while (module_class_at(n)) n++;
  tcase_add_loop_test(t, agrees, 0, (int)n);
  tcase_add_loop_test(t, unset_is_x, 0, (int)n);
  tcase_add_test(t, finds_a_broken_line);
  tcase_add_test(unset, each_module_with_a_reset_has_a_case);
  tcase_add_loop_test(unset, notices_an_unset_register, 0,
                      sizeof unset_registers / sizeof *unset_registers);
  tcase_set_tags(t, "long");
  tcase_set_tags(unset, "long");
  tcase_set_timeout(t, 300);
  tcase_set_timeout(unset, 300);
  suite_add_tcase(s, t);
  suite_add_tcase(s, unset);
  return s;
}
