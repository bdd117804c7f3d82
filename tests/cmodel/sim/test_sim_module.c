/* SPDX-License-Identifier: Apache-2.0 */
/* Every module as processes on the kernel: outputs in every cycle and registers after every edge
 * equal those of direct calls, under both schedulers, and the wave files are equal. */
#include "bits.h"
#include "mshr.h"
#include "prng.h"
#include "sim/sim_module.h"
#include "sim_help.h"
#include "vcd_read.h"

enum { CYCLES = 400 };

static unsigned modules(void) {
  unsigned n = 0;
  while (module_class_at(n)) n++;
  return n;
}

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  uint64_t *vin, *vout;
  void *twin; /* called directly */
  sim_t *sim;
  sim_clock_t clk;
  sim_unit_t *unit;
  char path[64];
} bench_t;

static sim_sig_t port_word(const sim_unit_t *u, const module_port_t *p, unsigned w) {
  char name[96];
  snprintf(name, sizeof name, p->width > 64 ? "%s_w%u" : "%s", p->name, w);
  sim_sig_t s = sim_unit_port(u, name);
  ck_assert_msg(s.id != 0, "no signal %s", name);
  return s;
}

/* Sizes that are powers of two, so that every index exists. */
static void choose_cfg(bench_t *b, bool small) {
  static const char *const sizes[] = {"QUEUES", "ENTRIES", "DEPTH", "BLOCKS"};
  module_defaults(b->cls, b->cfg);
  for (unsigned i = 0; i < 4; i++) {
    int p = module_param_index(b->cls, sizes[i]);
    if (p >= 0) b->cfg[p] = small ? 4 : b->cfg[p] >= 32 ? 64 : 8;
  }
}

static void make(bench_t *b, unsigned module, bool small, int sched, const char *early) {
  mrpb_err_t err = {""};
  *b = (bench_t){.cls = module_class_at(module)};
  choose_cfg(b, small);
  b->cls->ports(b->cfg, b->in, b->out);
  b->vin = calloc(b->cls->in_words + b->cls->out_words, sizeof *b->vin);
  b->vout = b->vin + b->cls->in_words;
  ck_assert_int_eq(b->cls->create(&b->twin, b->cfg, &err), 0);
  b->sim = sim_create();
  b->clk = sim_clock(b->sim, SIM_TOP, "clk", 1000, 500);
  sim_unit_setup_t setup = {
      .name = "u", .stem = b->cls->stem, .cfg = b->cfg, .clk = b->clk, .early = early};
  int rc = sim_unit_create(&b->unit, b->sim, SIM_TOP, &setup, &err);
  ck_assert_msg(rc == 0, "%s", err.text);
  elaborate(b->sim, sched);
  temp_path(b->path, sizeof b->path);
  ck_assert_int_eq(sim_trace_open(b->sim, b->path, &err), 0);
}

static void drop(bench_t *b) {
  sim_destroy(b->sim);
  sim_unit_destroy(b->unit);
  b->cls->destroy(b->twin);
  free(b->vin);
  unlink(b->path);
}

static void drive(bench_t *b, prng_t *rng) {
  for (unsigned i = 0; i < b->cls->n_in; i++) {
    const module_port_t *p = &b->in[i];
    for (unsigned w = 0; w < (p->width + 63) / 64; w++) {
      uint64_t v = prng_next(rng);
      if (strcmp(p->name, "srst_ni") == 0) v = !prng_chance(rng, 10);
      if (strstr(p->name, "addr")) v &= 7; /* some merge */
      b->vin[p->word + w] = bits(v, p->width - 64 * w < 64 ? p->width - 64 * w : 64);
      sim_write(b->sim, port_word(b->unit, p, w), b->vin[p->word + w]);
    }
  }
}

static void compare_outputs(bench_t *b) {
  b->cls->comb(b->twin, b->vin, b->vout);
  for (unsigned i = 0; i < b->cls->n_out; i++) {
    const module_port_t *p = &b->out[i];
    for (unsigned w = 0; w < (p->width + 63) / 64; w++)
      ck_assert_msg(sim_read(b->sim, port_word(b->unit, p, w)) == b->vout[p->word + w],
                    "%s.%s at %llu fs", b->cls->stem, p->name, (unsigned long long)sim_now(b->sim));
  }
}

/* Every register by the name of its signal. */
static unsigned compare_registers(bench_t *b) {
  module_reg_t reg[MODULE_MAX_REGS];
  unsigned compared = 0;
  b->cls->regs(b->twin, reg);
  for (unsigned i = 0; i < b->cls->n_regs; i++)
    for (unsigned e = 0; e < reg[i].words; e++)
      for (unsigned w = 0; w < (reg[i].width + 63) / 64; w++, compared++) {
        char name[128], part[16] = "", element[16] = "";
        if (reg[i].array) snprintf(element, sizeof element, "[%u]", e);
        if (reg[i].width > 64) snprintf(part, sizeof part, "_w%u", w);
        snprintf(name, sizeof name, "u.%.63s%s%s", reg[i].name, element, part);
        sim_sig_t s = sim_find_signal(b->sim, name);
        ck_assert_msg(s.id != 0, "no signal %s", name);
        uint64_t v = 0;
        unsigned n = reg[i].elem_bytes - 8 * w < 8 ? reg[i].elem_bytes - 8 * w : 8;
        memcpy(&v, (const char *)reg[i].data + e * reg[i].elem_bytes + 8 * w, n);
        ck_assert_msg(sim_read(b->sim, s) == v, "%s at %llu fs", name,
                      (unsigned long long)sim_now(b->sim));
      }
  return compared;
}

START_TEST(all_modules) {
  unsigned module = (unsigned)_i % modules();
  bench_t b[2];
  mrpb_err_t err = {""};
  for (int i = 0; i < 2; i++) {
    make(&b[i], module, (unsigned)_i >= modules(), i ? SIM_STATIC : SIM_EVENT_DRIVEN, NULL);
    prng_t rng = prng_seed((uint64_t)_i, 1);
    for (unsigned t = 0; t < CYCLES; t++) {
      drive(&b[i], &rng);
      until(b[i].sim, sim_now(b[i].sim));
      compare_outputs(&b[i]);
      ck_assert_int_eq(sim_run_cycles(b[i].sim, b[i].clk, 1, &err), SIM_REACHED);
      b[i].cls->edge(b[i].twin, b[i].vin);
      if (t % 16 == 0) ck_assert_uint_ge(compare_registers(&b[i]), b[i].cls->n_regs);
    }
    ck_assert_ptr_null(sim_unit_fault(b[i].unit));
    ck_assert_int_eq(sim_trace_close(b[i].sim, NULL), 0);
  }
  size_t size[2];
  char *text[2];
  for (int i = 0; i < 2; i++) text[i] = read_file(b[i].path, &size[i]);
  ck_assert_uint_gt(size[0], 1000);
  ck_assert_uint_eq(size[0], size[1]);
  ck_assert_mem_eq(text[0], text[1], size[0]);
  for (int i = 0; i < 2; i++) {
    free(text[i]);
    drop(&b[i]);
  }
}
END_TEST

static unsigned index_of(const char *stem) {
  unsigned i = 0;
  while (module_class_at(i) != module_class(stem)) i++;
  return i;
}

START_TEST(early_outputs) {
  static const struct {
    const char *stem, *early;
    bool wrong;
  } cases[] = {{"mshr", "out_valid_o out_data_o out_entry_o out_last_o count_o", false},
               {"mrpb", "out_valid_o out_write_o out_warp_o out_block_o out_data_o held_o", false},
               {"mshr", "count_o req_entry_o", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) BOTH(sched) {
      bench_t b;
      mrpb_err_t err = {""};
      make(&b, index_of(cases[i].stem), true, sched, cases[i].early);
      prng_t rng = prng_seed(i, 1);
      unsigned t = 0;
      for (; t < CYCLES && !sim_unit_fault(b.unit); t++) {
        drive(&b, &rng);
        ck_assert_int_ne(sim_run_until(b.sim, sim_now(b.sim), &err), SIM_ERROR);
        if (!cases[i].wrong) compare_outputs(&b);
        ck_assert_int_ne(sim_run_cycles(b.sim, b.clk, 1, &err), SIM_ERROR);
        b.cls->edge(b.twin, b.vin);
      }
      ck_assert_int_eq(sim_unit_fault(b.unit) != NULL, cases[i].wrong);
      if (cases[i].wrong)
        ck_assert_ptr_nonnull(strstr(sim_unit_fault(b.unit), "\"req_entry_o\" depends on inputs"));
      drop(&b);
    }
}
END_TEST

START_TEST(errors) {
  sim_t *sim = sim_create();
  sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", 10, 0);
  sim_sig_t narrow = sim_signal(sim, SIM_TOP, "narrow", 3, 0);
  const sim_bind_t twice[] = {{"count_o", narrow}, {"count_o", narrow}};
  const sim_bind_t unknown = {"cuont_o", narrow}, foreign = {"count_o", {1u << 30}};
  const mshr_cfg_t bad = {.MERGES = 1, .ADDR_W = 1, .DATA_W = 1}; /* ENTRIES 0 */
  const struct {
    sim_unit_setup_t setup;
    const char *part;
  } cases[] = {
      {{.name = "u", .stem = "mhsr", .clk = clk}, "u: there is no module \"mhsr\""},
      {{.name = "u", .stem = "mshr", .clk = clk, .cfg = &bad.ENTRIES}, "ERROR_mshr_ENTRIES"},
      {{.name = "u", .stem = "mshr", .clk = clk, .bind = twice, .n_bind = 1},
       "u: port \"count_o\" has 6 bits, the signal bound to it 3"},
      {{.name = "u", .stem = "mshr", .clk = clk, .bind = twice, .n_bind = 2},
       "u: port \"count_o\" is bound twice"},
      {{.name = "u", .stem = "mshr", .clk = clk, .bind = &unknown, .n_bind = 1},
       "u: mshr has no port \"cuont_o\""},
      {{.name = "u", .stem = "mshr", .clk = clk, .bind = &foreign, .n_bind = 1},
       "has 6 bits, the signal bound to it 0"},
      {{.name = "u", .stem = "mshr", .clk = clk, .early = "count_o full_o"},
       "u: mshr has no output \"full_o\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mrpb_err_t err = {""};
    sim_unit_t *u = (sim_unit_t *)sim;
    ck_assert_int_eq(sim_unit_create(&u, sim, SIM_TOP, &cases[i].setup, &err), -1);
    expect_error(&err, cases[i].part);
    ck_assert_ptr_null(u);
  }
  sim_destroy(sim);
}
END_TEST

Suite *test_sim_module_suite(void);
Suite *test_sim_module_suite(void) {
  Suite *s = suite_create("sim_module");
  TCase *t = tcase_create("modules on the kernel");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, early_outputs);
  tcase_add_test(t, errors);
  suite_add_tcase(s, t);
  t = tcase_create("every module");
  tcase_set_timeout(t, 120);
  tcase_set_tags(t, "heavy"); /* many random cycles: not under valgrind */
  tcase_add_loop_test(t, all_modules, 0, 2 * (int)modules());
  suite_add_tcase(s, t);
  return s;
}
