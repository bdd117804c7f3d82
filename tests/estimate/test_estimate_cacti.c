/* SPDX-License-Identifier: Apache-2.0 */
/* CACTI's inputs have every line that a version reads, once, and nothing that it cannot model; and
 * what is read from its output. */
#include "estimate/cacti.h"
#include "prng.h"
#include "config/verilog_params.h"

#include <check.h>
#include <string.h>

/* What the two programs compare the beginnings of their lines with. */
static const char *const keys_both[] = {"-size",
                                        "-page size",
                                        "-burst length",
                                        "-internal prefetch width",
                                        "-block",
                                        "-associativity",
                                        "-read-write",
                                        "-exclusive read",
                                        "-exclusive write",
                                        "-single ended",
                                        "-UCA bank",
                                        "-technology",
                                        "-output/input",
                                        "-operating temperature",
                                        "-cache type",
                                        "-tag size",
                                        "-access mode",
                                        "-Data array cell type",
                                        "-Data array peripheral type",
                                        "-Tag array cell type",
                                        "-Tag array peripheral type",
                                        "-design",
                                        "-deviate",
                                        "-Optimize",
                                        "-NUCAdesign",
                                        "-NUCAdeviate",
                                        "-Cache model",
                                        "-NUCA bank",
                                        "-Wire inside mat",
                                        "-Wire outside mat",
                                        "-Interconnect projection",
                                        "-Core",
                                        "-Cache level",
                                        "-Print level",
                                        "-Add ECC",
                                        "-Print input parameters",
                                        "-Force cache config",
                                        "-Ndbl",
                                        "-Ndwl",
                                        "-Nspd",
                                        "-Ndsam1",
                                        "-Ndsam2",
                                        "-Ndcm",
                                        NULL};
static const char *const keys_6_5[] = {"-Wire signalling", NULL};
static const char *const keys_7_0[] = {"-Wire signaling",
                                       "-search",
                                       "-print option",
                                       "-burst depth",
                                       "-IO width",
                                       "-system frequency",
                                       "-stacked die",
                                       "-partitioning granularity",
                                       "-TSV projection",
                                       "-CLDriver vertical",
                                       "-Array Power Gating",
                                       "-Bitline floating",
                                       "-WL Power Gating",
                                       "-CL Power Gating",
                                       "-Interconnect Power Gating",
                                       "-Power Gating Performance Loss",
                                       "-dram type",
                                       "-io state",
                                       "-addr_timing",
                                       "-dram ecc",
                                       "-dram dimm",
                                       "-bus_bw",
                                       "-duty_cycle",
                                       "-mem_density",
                                       "-activity_dq",
                                       "-activity_ca",
                                       "-bus_freq",
                                       "-num_dq ",
                                       "-num_dqs",
                                       "-num_ca",
                                       "-num_clk",
                                       "-num_mem_dq",
                                       "-mem_data_width",
                                       "-num_bobs",
                                       "-capacity",
                                       "-num_channels_per_bob",
                                       "-first metric",
                                       "-second metric",
                                       "-third metric",
                                       "-DIMM model",
                                       "-Low Power Permitted",
                                       "-load",
                                       "-row_buffer_hit_rate",
                                       "-rd_2_wr_ratio",
                                       "-same_bw_in_bob",
                                       "-mirror_in_bob",
                                       "-total_power",
                                       "-verbose",
                                       NULL};

static unsigned count(const char *text, const char *key) {
  unsigned n = 0;
  for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
    n += strncmp(at, key, strlen(key)) == 0;
  return n;
}

static unsigned expect_once(const char *text, const char *const *keys) {
  unsigned n = 0;
  for (; keys[n]; n++)
    ck_assert_msg(count(text, keys[n]) == 1, "%u lines begin with %s", count(text, keys[n]),
                  keys[n]);
  return n;
}

static void expect_complete(const cacti_input_t *in, cacti_version_t v) {
  char text[CACTI_TEXT];
  cacti_write(in, v, text);
  unsigned n = expect_once(text, keys_both);
  n += expect_once(text, v == CACTI_6_5 ? keys_6_5 : keys_7_0);
  ck_assert_uint_eq(count(text, ""), n); /* and nothing else */
  ck_assert_int_eq(text[strlen(text) - 1], '\n');
}

static void has(const char *text, const char *line) {
  ck_assert_msg(count(text, line) == 1, "no line '%s' in\n%s", line, text);
}

START_TEST(the_papers_inputs) {
  char text[CACTI_TEXT];
  cacti_input_t in = cacti_paper(CACTI_PAPER_MRPB);
  cacti_write(&in, CACTI_6_5, text);
  has(text, "-size (bytes) 3072\n");
  has(text, "-block size (bytes) 8\n");
  has(text, "-associativity 1\n");
  has(text, "-read-write port 1\n");
  has(text, "-technology (u) 0.045\n");
  has(text, "-Data array cell type - \"itrs-hp\"\n");
  has(text, "-output/input bus width 64\n");
  has(text, "-operating temperature (K) 350\n");
  has(text, "-cache type \"ram\"\n");
  has(text, "-tag size (b) \"default\"\n");
  has(text, "-Add ECC - \"true\"\n");
  has(text, "-Wire signalling (fullswing, lowswing, default) - \"Global_10\"\n");
  in = cacti_paper(CACTI_PAPER_L1);
  cacti_write(&in, CACTI_7_0, text);
  has(text, "-size (bytes) 16384\n");
  has(text, "-associativity 4\n");
  has(text, "-output/input bus width 256\n");
  has(text, "-cache type \"cache\"\n");
  has(text, "-Wire signaling (fullswing, lowswing, default) - \"Global_10\"\n");
  has(text, "-search port 0\n");
  for (unsigned i = 0; i < CACTI_PAPERS; i++)
    for (unsigned v = 0; v < CACTI_VERSIONS; v++) {
      in = cacti_paper((cacti_paper_t)i);
      expect_complete(&in, (cacti_version_t)v);
    }
}
END_TEST

static bool power_of_two(uint32_t n) {
  return n && !(n & (n - 1));
}

/* What CACTI refuses or rounds silently is never written. */
static void expect_legal(const cacti_input_t *in, cacti_version_t v, uint32_t node) {
  ck_assert_uint_ge(in->size, 64);
  ck_assert_uint_eq(in->size % in->block, 0);
  ck_assert_uint_le(in->bus, 8 * in->block);
  ck_assert_uint_ge(in->bus, 1);
  ck_assert_uint_ge(in->rw + in->read + in->write, 1);
  ck_assert_uint_eq(in->node, node);
  ck_assert_uint_ge(in->node, v == CACTI_6_5 ? 32 : 22);
  if (in->type == CACTI_RAM) {
    ck_assert_uint_eq(in->ways, 1);
    ck_assert_uint_ge(in->size / in->block, v == CACTI_6_5 ? 16 : 32);
  } else if (in->type == CACTI_CACHE) {
    ck_assert(power_of_two(in->ways));
    ck_assert_uint_ge(in->size / in->block / in->ways, 16);
    ck_assert_uint_eq(in->size % (in->block * in->ways), 0);
  } else {
    ck_assert_uint_eq(v, CACTI_7_0);
    ck_assert_uint_eq(in->ways, 0);
    ck_assert_uint_ge(in->search, 1);
  }
}

static uint32_t draw(prng_t *r, uint32_t from, uint32_t to) {
  return from + prng_below(r, to - from + 1);
}

START_TEST(what_cacti_can_take) {
  prng_t r = prng_seed(7, 0);
  for (unsigned n = 0; n < 300; n++) {
    config_t c;
    storage_t s;
    mrpb_err_t err = {""};
    cacti_options_t o;
    config_defaults(&c);
    cacti_defaults(&o);
    c.mrpb = 1;
    c.mrpb_queues = draw(&r, 1, 64);
    c.mrpb_depth = draw(&r, 1, 64);
    c.mrpb_flush = draw(&r, 0, 1);
    c.mshr_entries = draw(&r, 1, 128);
    c.mshr_merges = draw(&r, 1, 32);
    c.prt_entries = draw(&r, 1, 512);
    c.l1d_sets = draw(&r, 1, n % 3 ? 64 : 2);
    c.l1d_ways = draw(&r, 1, 70);
    o.bus = n % 2 ? draw(&r, 8, 1024) : 0;
    o.node = draw(&r, 22, 90);
    o.dual = n % 5 == 0;
    ck_assert_int_eq(storage_of(&c, &s, &err), 0);
    for (unsigned i = 0; i < s.n; i++)
      for (unsigned v = 0; v < CACTI_VERSIONS; v++) {
        cacti_input_t in;
        char note[CACTI_NOTE];
        if (!cacti_input(&s.array[i], &o, (cacti_version_t)v, &in, note)) {
          ck_assert_int_ne(note[0], 0);
          continue;
        }
        expect_legal(&in, (cacti_version_t)v, o.node);
        if (n < 10) expect_complete(&in, (cacti_version_t)v);
        /* What is written holds at least what the array holds, or the note says what is left out.
         */
        ck_assert(in.size * UINT64_C(8) >= storage_bits(&s.array[i]));
        if (in.size * UINT64_C(8) != storage_bits(&s.array[i])) ck_assert_int_ne(note[0], 0);
      }
  }
}
END_TEST

static cacti_input_t input_of(const char *name, const config_t *c, cacti_version_t v,
                              const char *remark, const cacti_options_t *o) {
  storage_t s;
  cacti_input_t in;
  char note[CACTI_NOTE];
  mrpb_err_t err = {""};
  ck_assert_int_eq(storage_of(c, &s, &err), 0);
  const storage_array_t *a = storage_find(&s, name);
  ck_assert_ptr_nonnull(a);
  ck_assert(cacti_input(a, o, v, &in, note));
  ck_assert_msg(strcmp(note, remark) == 0, "%s: '%s' is not '%s'", name, note, remark);
  return in;
}

START_TEST(substitutes) {
  config_t c;
  cacti_options_t o;
  config_defaults(&c);
  cacti_defaults(&o);
  c.mrpb = 1;
  cacti_input_t in = input_of("mrpb.u_fifo_bank.u_mem.mem_q", &c, CACTI_6_5, "", &o);
  cacti_input_t paper = cacti_paper(CACTI_PAPER_MRPB);
  ck_assert_mem_eq(&in, &paper, sizeof in); /* Base-S is the paper's setting */
  o.dual = true;
  in = input_of("mrpb.u_fifo_bank.u_mem.mem_q", &c, CACTI_6_5, "", &o);
  ck_assert_uint_eq(in.rw, 0);
  ck_assert_uint_eq(in.read, 1);
  ck_assert_uint_eq(in.write, 1);
  o.dual = false;
  c.l1d_sets = 64; /* Base-L: 48 KB of 6 ways */
  c.l1d_ways = 6;
  in = input_of("l1d.data", &c, CACTI_6_5,
                "64 sets of 6 ways cannot be modelled: 48 of 8 written, the same capacity", &o);
  ck_assert_uint_eq(in.size, 49152);
  ck_assert_uint_eq(in.ways, 8);
  ck_assert_uint_eq(in.tag_bits, 21);
  c.l1d_sets = 32; /* 20 KB of 5 ways */
  c.l1d_ways = 5;
  in = input_of("l1d.data", &c, CACTI_7_0,
                "32 sets of 5 ways cannot be modelled: 40 of 4 written, the same capacity", &o);
  ck_assert_uint_eq(in.size, 20480);
  c.l1d_sets = 32;
  c.l1d_ways = 3;
  in = input_of("l1d.data", &c, CACTI_7_0,
                "32 sets of 3 ways cannot be modelled: 24 of 4 written, the same capacity", &o);
  c.l1d_sets = 1;
  c.l1d_ways = 128;
  in = input_of("l1d.data", &c, CACTI_6_5,
                "6.5 aborts on a fully associative cache: the data alone, a RAM", &o);
  ck_assert_uint_eq(in.type, CACTI_RAM);
  in = input_of("l1d.data", &c, CACTI_7_0, "", &o);
  ck_assert_uint_eq(in.type, CACTI_FULLY);
  in = input_of("mshr.addr_q", &c, CACTI_7_0, "32 x 32 written", &o);
  ck_assert_uint_eq(in.type, CACTI_CAM);
  in = input_of("mshr.addr_q", &c, CACTI_6_5,
                "no CAM in 6.5: a RAM, without comparators; 32 x 32 written", &o);
  ck_assert_uint_eq(in.type, CACTI_RAM);
  in = input_of("mrpb.u_fifo_bank.head_q", &c, CACTI_6_5,
                "flip-flops; a RAM instead; 64 x 8 written", &o);
}
END_TEST

START_TEST(what_has_no_input) {
  config_t c;
  storage_t s;
  cacti_input_t in;
  char note[CACTI_NOTE];
  cacti_options_t o;
  mrpb_err_t err = {""};
  config_defaults(&c);
  cacti_defaults(&o);
  ck_assert_int_eq(storage_of(&c, &s, &err), 0);
  ck_assert(!cacti_input(storage_find(&s, "mshr.valid_q"), &o, CACTI_7_0, &in, note));
  ck_assert_str_eq(note, "one register: flip-flops");
  ck_assert(!cacti_input(storage_find(&s, "l1d.tag"), &o, CACTI_6_5, &in, note));
  ck_assert_str_eq(note, "with the data: CACTI's caches have both");
  o.node = 28;
  ck_assert(!cacti_input(storage_find(&s, "mshr.data_q"), &o, CACTI_6_5, &in, note));
  ck_assert_str_eq(note, "6.5 ends at 32 nm");
  ck_assert(cacti_input(storage_find(&s, "mshr.data_q"), &o, CACTI_7_0, &in, note));
}
END_TEST

/* ---- output ----------------------------------------------------------------------- */

static const char cam_7_0[] =
    "---------- CACTI (version 7.0.3DD Prerelease of Aug, 2012), Uniform Cache Access SRAM Model\n"
    "    Access time (ns): 0.124858\n    Cycle time (ns):  0.0839964\n"
    "    Total dynamic associative search energy per access (nJ): 0.00266224\n"
    "    Total dynamic read energy per access (nJ): 0.000960517\n"
    "    Total dynamic write energy per access (nJ): 0.00130973\n"
    "    Total leakage power of a bank (mW): 0.54574\n"
    "    Total gate leakage power of a bank (mW): 0.042523\n"
    "    Cache height x width (mm): 0.0522564 x 0.0868954\n\tCAM search delay (ns): 0.282534\n";

START_TEST(figures) {
  cacti_result_t r;
  ck_assert(cacti_parse(cam_7_0, &r));
  ck_assert_double_eq_tol(r.area, 0.0522564 * 0.0868954, 1e-12);
  ck_assert_double_eq_tol(r.access, 0.124858, 1e-12);
  ck_assert_double_eq_tol(r.cycle, 0.0839964, 1e-12);
  ck_assert_double_eq_tol(r.search, 0.282534, 1e-12);
  ck_assert_double_eq_tol(r.find, 0.00266224, 1e-12);
  ck_assert_double_eq_tol(r.read, 0.000960517, 1e-12);
  ck_assert_double_eq_tol(r.write, 0.00130973, 1e-12);
  ck_assert_double_eq_tol(r.leakage, 0.54574 + 0.042523, 1e-12);
}
END_TEST

/* Any of these lines missing or without a number: no result. */
START_TEST(no_figures) {
  static const char *const needed[] = {"Access time", "Cycle time", "Total dynamic read energy",
                                       "Cache height x width"};
  static const char *const values[] = {"", " nan", " inf", " none"};
  for (unsigned i = 0; i < sizeof needed / sizeof *needed; i++) {
    char text[sizeof cam_7_0 + 16];
    cacti_result_t r;
    const char *at = strstr(cam_7_0, needed[i]), *rest = strchr(at, '\n');
    snprintf(text, sizeof text, "%.*s%s", (int)(at - cam_7_0), cam_7_0, rest);
    ck_assert_msg(!cacti_parse(text, &r), "without %s", needed[i]);
    for (unsigned k = 0; k < sizeof values / sizeof *values; k++) {
      int upto = (int)(strchr(at, ':') + 1 - cam_7_0);
      snprintf(text, sizeof text, "%.*s%s%s", upto, cam_7_0, values[k], rest);
      /* What stands on the next line is not the number. */
      ck_assert_msg(!cacti_parse(text, &r), "%s:%s", needed[i], values[k]);
    }
  }
  cacti_result_t r;
  ck_assert(!cacti_parse("", &r));
}
END_TEST

Suite *test_estimate_cacti_suite(void);
Suite *test_estimate_cacti_suite(void) {
  Suite *s = suite_create("estimate_cacti");
  TCase *t = tcase_create("cacti");
  tcase_add_test(t, the_papers_inputs);
  tcase_add_test(t, what_cacti_can_take);
  tcase_add_test(t, substitutes);
  tcase_add_test(t, what_has_no_input);
  tcase_add_test(t, figures);
  tcase_add_test(t, no_figures);
  suite_add_tcase(s, t);
  return s;
}
