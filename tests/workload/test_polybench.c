/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction streams of the PolyBench programs: launches, addresses and lines of the known
 * vectors, and instructions per iteration in both models. */
#include "gpu/block_rig.h"

static const program_model_t A = PROGRAM_MODEL_A, B = PROGRAM_MODEL_B, C = PROGRAM_MODEL_C;

static workload_t *open_at(const char *name, program_options_t o, unsigned launch,
                           const launch_t **l) {
  workload_t *w = open_program(name, o);
  for (unsigned i = 0; i <= launch; i++) {
    const launch_t *now = workload_next(w);
    ck_assert_ptr_nonnull(now);
    if (l) *l = now;
  }
  return w;
}

/* One warp of one launch of a fresh program. */
static walk_t walk_one(const char *name, program_options_t o, unsigned launch, uint32_t block,
                       uint32_t warp) {
  workload_t *w = open_at(name, o, launch, NULL);
  walk_t k = walk(w, block, warp);
  workload_close(w);
  return k;
}

/* ---- shape ----------------------------------------------------------------- */

static const struct {
  const char *name, *type;
  uint32_t blocks, regs;
  unsigned launches;
} programs[] = {
    {"2dconv", "CI", 65536, 20, 1}, {"2mm", "CI", 1024, 20, 2},    {"3dconv", "CI", 256, 28, 254},
    {"3mm", "CI", 1024, 20, 3},     {"fdtd", "CI", 256, 20, 1500}, {"gemm", "CI", 1024, 20, 1},
    {"atax", "IW", 8, 20, 2},       {"bicg", "IW", 8, 20, 2},      {"gesummv", "IW", 4, 20, 1},
    {"mvt", "IW", 8, 20, 2},        {"syr2k", "XW", 64, 20, 1},    {"syrk", "XW", 256, 20, 1}};
enum { N_PROGRAMS = sizeof programs / sizeof *programs };

START_TEST(launches) {
  const program_t *p = program_at((unsigned)_i);
  workload_t *w = open_program(programs[_i].name, (program_options_t){.model = A});
  const launch_t *l;
  unsigned n = 0;
  ck_assert_str_eq(p->name, programs[_i].name);
  ck_assert_str_eq(p->type, programs[_i].type);
  ck_assert_double_eq(workload_progress(w), 0);
  for (; (l = workload_next(w)); n++) {
    ck_assert_uint_eq(l->blocks, programs[_i].blocks);
    ck_assert_uint_eq(l->threads, 256);
    ck_assert_uint_eq(l->regs, programs[_i].regs);
    ck_assert_uint_eq(l->shared, 0);
  }
  ck_assert_uint_eq(n, programs[_i].launches);
  ck_assert_double_eq(workload_progress(w), 1);
  workload_close(w);
}
END_TEST

/* ---- addresses and lines --------------------------------------------------- */

/* The first memory operations of a warp: address of lane 0 (of lane 1, where that is inactive), and
 * the distance of the lanes. All arrays of every program occur. */
typedef struct {
  const char *name;
  unsigned launch, block, warp;
  struct {
    char kind; /* 'L' or 'S', 0 ends the list */
    uint64_t addr, lane;
    unsigned lines;
  } op[12];
} vector_t;

static const vector_t vectors[] = {
    {"atax",
     0,
     0,
     0,
     {{'L', 0x81004000, 4, 1},
      {'L', 0x80000000, 8192, 32},
      {'L', 0x81000000, 0, 1},
      {'S', 0x81004000, 4, 1},
      {'L', 0x80000004, 8192, 32},
      {'L', 0x81000004, 0, 1}}},
    {"atax",
     1,
     5,
     3,
     {{'L', 0x81002000 + 5504, 4, 1},
      {'L', 0x80000000 + 5504, 4, 1},
      {'L', 0x81004000, 0, 1},
      {'S', 0x81002000 + 5504, 4, 1},
      {'L', 0x80002000 + 5504, 4, 1},
      {'L', 0x81004004, 0, 1}}},
    {"bicg",
     0,
     1,
     0,
     {{'S', 0x81002400, 4, 1},
      {'L', 0x80000400, 4, 1},
      {'L', 0x81000000, 0, 1},
      {'S', 0x81002400, 4, 1},
      {'L', 0x80002400, 4, 1}}},
    {"bicg",
     1,
     0,
     1,
     {{'S', 0x81006080, 4, 1},
      {'L', 0x80040000, 8192, 32},
      {'L', 0x81004000, 0, 1},
      {'S', 0x81006080, 4, 1}}},
    {"mvt",
     0,
     0,
     0,
     {{'L', 0x81000000, 4, 1},
      {'L', 0x80000000, 8192, 32},
      {'L', 0x81004000, 0, 1},
      {'S', 0x81000000, 4, 1}}},
    {"mvt",
     1,
     0,
     0,
     {{'L', 0x81002000, 4, 1},
      {'L', 0x80000000, 4, 1},
      {'L', 0x81006000, 0, 1},
      {'S', 0x81002000, 4, 1},
      {'L', 0x80002000, 4, 1}}},
    {"gesummv",
     0,
     0,
     0,
     {{'L', 0x80000000, 4096, 32},
      {'L', 0x80800000, 0, 1},
      {'L', 0x80802000, 4, 1},
      {'S', 0x80802000, 4, 1},
      {'L', 0x80400000, 4096, 32},
      {'L', 0x80800000, 0, 1},
      {'L', 0x80801000, 4, 1},
      {'S', 0x80801000, 4, 1},
      {'L', 0x80000004, 4096, 32}}},
    {"2mm",
     0,
     17,
     2,
     {{'L', 0x80200000 + 20608, 4, 1},
      {'L', 0x80000000 + 20480, 0, 1},
      {'L', 0x80100080, 4, 1},
      {'S', 0x80200000 + 20608, 4, 1},
      {'L', 0x80000000 + 20484, 0, 1},
      {'L', 0x80100880, 4, 1}}},
    {"2mm", 1, 0, 0, {{'L', 0x80400000, 4, 1}, {'L', 0x80200000, 0, 1}, {'L', 0x80300000, 4, 1}}},
    {"3mm", 0, 0, 0, {{'L', 0x80400000, 4, 1}, {'L', 0x80000000, 0, 1}, {'L', 0x80100000, 4, 1}}},
    {"3mm", 1, 0, 0, {{'L', 0x80500000, 4, 1}, {'L', 0x80200000, 0, 1}, {'L', 0x80300000, 4, 1}}},
    {"3mm", 2, 0, 0, {{'L', 0x80600000, 4, 1}, {'L', 0x80400000, 0, 1}, {'L', 0x80500000, 4, 1}}},
    {"gemm",
     0,
     0,
     1,
     {{'L', 0x80200800, 4, 1},
      {'S', 0x80200800, 4, 1},
      {'L', 0x80000800, 0, 1},
      {'L', 0x80100000, 4, 1},
      {'S', 0x80200800, 4, 1}}},
    {"syrk",
     0,
     9,
     1,
     {{'L', 0x80040000 + 9344, 4, 1},
      {'S', 0x80040000 + 9344, 4, 1},
      {'L', 0x80002400, 0, 1},
      {'L', 0x80008000, 1024, 32},
      {'S', 0x80040000 + 9344, 4, 1}}},
    {"syr2k",
     0,
     5,
     0,
     {{'L', 0x80020000 + 4224, 4, 1},
      {'S', 0x80020000 + 4224, 4, 1},
      {'L', 0x80001000, 0, 1},
      {'L', 0x80014000, 512, 32},
      {'L', 0x80011000, 0, 1},
      {'L', 0x80004000, 512, 32},
      {'S', 0x80020000 + 4224, 4, 1}}},
    {"2dconv",
     0,
     645,
     0,
     {{'L', 0x8009C27C, 4, 2},
      {'L', 0x8009C280, 4, 1},
      {'L', 0x8009C284, 4, 2},
      {'L', 0x800A027C, 4, 2},
      {'L', 0x800A0280, 4, 1},
      {'L', 0x800A0284, 4, 2},
      {'L', 0x800A427C, 4, 2},
      {'L', 0x800A4280, 4, 1},
      {'L', 0x800A4284, 4, 2},
      {'S', 0x840A0280, 4, 1}}},
    {"3dconv",
     1,
     9,
     0,
     {{'L', 0x80041C7C, 4, 2},
      {'L', 0x800C1C7C, 4, 2},
      {'L', 0x80081C80, 4, 1},
      {'L', 0x80082080, 4, 1},
      {'L', 0x80082480, 4, 1},
      {'L', 0x80041C84, 4, 2},
      {'L', 0x800C1C84, 4, 2},
      {'L', 0x80042084, 4, 2},
      {'L', 0x800C2084, 4, 2},
      {'L', 0x80042484, 4, 2},
      {'L', 0x800C2484, 4, 2},
      {'S', 0x84082080, 4, 1}}},
    {"fdtd", 0, 1, 0, {{'L', 0x80000000, 0, 1}, {'S', 0x80040C80, 4, 1}}},
    {"fdtd", 3, 0, 0, {{'L', 0x80000004, 0, 1}, {'S', 0x80040C00, 4, 1}}},
    {"fdtd",
     0,
     9,
     1,
     {{'L', 0x80043080, 4, 1},
      {'L', 0x80083480, 4, 1},
      {'L', 0x80083080, 4, 1},
      {'S', 0x80043080, 4, 1}}},
    {"fdtd",
     1,
     9,
     1,
     {{'L', 0x80000800 + 9380, 4, 2},
      {'L', 0x80083480, 4, 1},
      {'L', 0x8008347C, 4, 2},
      {'S', 0x80000800 + 9380, 4, 2}}},
    {"fdtd",
     2,
     9,
     1,
     {{'L', 0x80083480, 4, 1},
      {'L', 0x80000800 + 9384, 4, 2},
      {'L', 0x80000800 + 9380, 4, 2},
      {'L', 0x80043480, 4, 1},
      {'L', 0x80043080, 4, 1},
      {'S', 0x80083480, 4, 1}}},
};

static void expect_vector(const vector_t *v, const walk_t *k) {
  for (unsigned i = 0; i < 12 && v->op[i].kind; i++) {
    ck_assert_msg(k->seen.op[i].store == (v->op[i].kind == 'S'), "%s %u: operation %u", v->name,
                  v->launch, i);
    ck_assert_msg(k->seen.op[i].lines == v->op[i].lines, "%s %u: operation %u has %u lines",
                  v->name, v->launch, i, k->seen.op[i].lines);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      if (k->seen.op[i].mask >> lane & 1)
        ck_assert_msg(k->seen.op[i].addr[lane] == v->op[i].addr + lane * v->op[i].lane,
                      "%s %u: operation %u, lane %u at %llx", v->name, v->launch, i, lane,
                      (unsigned long long)k->seen.op[i].addr[lane]);
  }
}

START_TEST(first_operations) {
  for (unsigned i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    const vector_t *v = &vectors[i];
    program_options_t o = {.model = (program_model_t)_i};
    walk_t k = walk_one(v->name, o, v->launch, v->block, v->warp);
    expect_vector(v, &k);
  }
}
END_TEST

/* Block 3, warp 2, lane 5, iteration 100. */
START_TEST(atax_vector) {
  program_options_t o = {.model = (program_model_t)_i};
  workload_t *w = open_at("atax", o, 0, NULL);
  warp_stream_t *s = warp_stream_open(w, 3, 2);
  uint64_t addr[WARP_LANES];
  for (unsigned n = 0;; warp_stream_step(w, s)) {
    warp_class_t cls = warp_stream_peek(w, s)->cls;
    bool constant = warp_stream_peek(w, s)->space == WARP_CONST;
    if (!constant && (cls == WARP_LOAD || cls == WARP_STORE) && n++ == 1 + 3 * 100) break;
  }
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[5], 0x8068A190);
  warp_stream_close(w, s);
  workload_close(w);
}
END_TEST

/* Guards: lanes at the border, warps without a memory operation, exactly. */
START_TEST(borders) {
  program_options_t o = {.model = (program_model_t)_i};
  walk_t k = walk_one("2dconv", o, 0, 5, 0); /* row 0 */
  ck_assert_uint_eq(k.sum.loads + k.sum.stores, 0);
  ck_assert_uint_eq(k.sum.insts, 14);
  k = walk_one("2dconv", o, 0, 5, 1);
  ck_assert_uint_eq(k.sum.load_lines, 15);
  k = walk_one("2dconv", o, 0, 511 * 128 + 5, 7); /* row 4095 */
  ck_assert_uint_eq(k.sum.loads + k.sum.stores, 0);
  k = walk_one("2dconv", o, 0, 0, 1);
  ck_assert_uint_eq(k.seen.op[0].mask, UINT32_MAX << 1);
  ck_assert_uint_eq(k.sum.load_lines, 12);
  k = walk_one("2dconv", o, 0, 127, 1);
  ck_assert_uint_eq(k.seen.op[0].mask, UINT32_MAX >> 1);
  ck_assert_uint_eq(k.sum.load_lines, 12);
  k = walk_one("3dconv", o, 0, 31 * 8, 7); /* row 255 */
  ck_assert_uint_eq(k.sum.loads, 0);
  k = walk_one("3dconv", o, 0, 8, 0);
  ck_assert_uint_eq(k.sum.load_lines, 17);
  k = walk_one("3dconv", o, 0, 15, 0);
  ck_assert_uint_eq(k.sum.load_lines, 13);
  k = walk_one("fdtd", o, 1, 8, 1);
  ck_assert_uint_eq(k.seen.op[0].mask, UINT32_MAX << 1);
  k = walk_one("fdtd", o, 1, 4 * 8 + 1, 0); /* row 32 of ex starts a line */
  ck_assert_uint_eq(k.seen.op[0].lines, 1);
}
END_TEST

/* ---- instructions ---------------------------------------------------------- */

/* Instructions, load and store lines of one iteration, of models A and B. */
START_TEST(iterations) {
  static const struct {
    const char *name;
    unsigned launch, insts[2], load_lines;
    unsigned store_lines;
  } c[] = {
      {"2mm", 0, {9, 12}, 2, 1},   {"2mm", 1, {9, 12}, 2, 1},       {"3mm", 2, {9, 12}, 2, 1},
      {"gemm", 0, {10, 13}, 2, 1}, {"atax", 0, {9, 10}, 33, 1},     {"atax", 1, {9, 12}, 2, 1},
      {"bicg", 0, {9, 12}, 2, 1},  {"bicg", 1, {9, 10}, 33, 1},     {"mvt", 0, {9, 10}, 33, 1},
      {"mvt", 1, {9, 12}, 2, 1},   {"gesummv", 0, {16, 17}, 68, 2}, {"syr2k", 0, {17, 18}, 66, 1},
      {"syrk", 0, {10, 11}, 33, 1}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
    for (unsigned m = 0; m < 2; m++) {
      program_options_t o = {.cut = 10, .model = (program_model_t)m};
      walk_t a = walk_one(c[i].name, o, c[i].launch, 1, 1);
      o.cut = 11;
      walk_t b = walk_one(c[i].name, o, c[i].launch, 1, 1);
      ck_assert_msg(b.sum.insts - a.sum.insts == c[i].insts[m], "%s: %lu", c[i].name,
                    (unsigned long)(b.sum.insts - a.sum.insts));
      ck_assert_uint_eq(b.sum.load_lines - a.sum.load_lines, c[i].load_lines);
      ck_assert_uint_eq(b.sum.store_lines - a.sum.store_lines, c[i].store_lines);
      if (strcmp(c[i].name, "gesummv") == 0) continue;
      o.acc_reload = true;
      walk_t d = walk_one(c[i].name, o, c[i].launch, 1, 1);
      ck_assert_uint_eq(d.sum.insts, b.sum.insts + 11);
      ck_assert_uint_eq(d.sum.loads, b.sum.loads + 11);
    }
}
END_TEST

START_TEST(stencil_instructions) {
  program_options_t o = {.model = (program_model_t)_i};
  for (unsigned warp = 0; warp < 8; warp++) {
    walk_t k = walk_one("2dconv", o, 0, 5 * 128 + 5, warp);
    ck_assert_uint_eq(k.sum.insts, 71);
    ck_assert_uint_eq(k.sum.load_lines, 15);
    ck_assert_uint_eq(k.sum.store_lines, 1);
  }
  walk_t k = walk_one("3dconv", o, 0, 9, 3);
  ck_assert_uint_eq(k.sum.insts, 109);
  ck_assert_uint_eq(k.sum.load_lines, 19);
  static const unsigned insts[] = {34, 34, 37}, loads[] = {3, 5, 7}, stores[] = {1, 2, 1};
  for (unsigned step = 0; step < 3; step++) {
    k = walk_one("fdtd", o, step, 9, 1);
    ck_assert_uint_eq(k.sum.insts, insts[step]);
    ck_assert_uint_eq(k.sum.load_lines, loads[step]);
    ck_assert_uint_eq(k.sum.store_lines, stores[step]);
  }
}
END_TEST

/* Model C: the same addresses; as many instructions an iteration as B, and a warp's of the whole
 * text as clang's, which B misses by three in 2dconv and by two in syrk. */
START_TEST(folded_instructions) {
  static const struct {
    const char *name;
    unsigned launch, iteration, more;
  } c[] = {{"2mm", 0, 12, 0},  {"3mm", 1, 12, 0},  {"gemm", 0, 13, 0}, {"atax", 0, 10, 0},
           {"atax", 1, 12, 0}, {"bicg", 0, 12, 0}, {"bicg", 1, 10, 0}, {"mvt", 0, 10, 0},
           {"mvt", 1, 12, 0},  {"syrk", 0, 11, 2}, {"syr2k", 0, 18, 0}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    program_options_t o = {.cut = 10, .model = C};
    walk_t a = walk_one(c[i].name, o, c[i].launch, 1, 1);
    o.model = B;
    walk_t b = walk_one(c[i].name, o, c[i].launch, 1, 1);
    ck_assert_msg(a.sum.insts == b.sum.insts + c[i].more, "%s %u: %lu, B has %lu", c[i].name,
                  c[i].launch, (unsigned long)a.sum.insts, (unsigned long)b.sum.insts);
    ck_assert_uint_eq(a.sum.load_lines, b.sum.load_lines);
    ck_assert_uint_eq(a.sum.store_lines, b.sum.store_lines);
    o = (program_options_t){.cut = 11, .model = C};
    b = walk_one(c[i].name, o, c[i].launch, 1, 1);
    ck_assert_uint_eq(b.sum.insts - a.sum.insts, c[i].iteration);
  }
  walk_t k = walk_one("2dconv", (program_options_t){.model = C}, 0, 5 * 128 + 5, 3);
  ck_assert_uint_eq(k.sum.insts, 74);
  ck_assert_uint_eq(k.sum.load_lines, 15);
  k = walk_one("3dconv", (program_options_t){.model = C}, 0, 9, 3);
  ck_assert_uint_eq(k.sum.insts, 109);
  ck_assert_uint_eq(k.sum.load_lines, 19);
}
END_TEST

START_TEST(folded_refusals) {
  static const struct {
    const char *name, *says;
    program_options_t o;
  } bad[] = {
      {"gemm",
       "--model C with gemm of size 96: clang's text is known for powers of two from 8",
       {.size = 96}},
      {"atax", "of size 4:", {.size = 4}},
      {"syrk", "--model C with --cut 2: clang has no loop there; legal: from 3", {.cut = 2}},
      {"gemm", "--acc-reload: clang's text keeps the accumulator", {.acc_reload = true}},
      {"bfs", "--model C: bfs has no text with its sizes as constants; legal: A or B", {.cut = 0}},
      {"micro-chain-l1", "legal: A or B", {.cut = 0}},
  };
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    program_options_t o = bad[i].o;
    mrpb_err_t err = {{0}};
    workload_t *w = NULL;
    o.model = C;
    ck_assert_int_eq(program_open(&w, bad[i].name, &o, &err), -1);
    ck_assert_msg(strstr(err.text, bad[i].says) != NULL, "'%s'", err.text);
    ck_assert_ptr_null(w);
  }
}
END_TEST

/* Every text of model C computes what the host computes, bit by bit, at the least size and a larger
 * one, also cut. */
START_TEST(folded_results) {
  const program_t *p = program_at((unsigned)_i);
  static const program_options_t all[] = {{.size = 8}, {.size = 32}, {.size = 32, .cut = 5}};
  for (unsigned i = 0; i < 3; i++) {
    program_options_t o = all[i];
    mrpb_err_t err = {{0}};
    o.model = C;
    if (!p->takes_cut) o.cut = 0;
    if (p->takes_steps) o.steps = 2;
    workload_t *w = open_program(p->name, o);
    ck_assert_msg(workload_run_within(w, 0, &err) == 0, "%s: %s", p->name, err.text);
    workload_close(w);
  }
}
END_TEST

START_TEST(syr2k_block) {
  workload_t *w = open_at("syr2k", (program_options_t){.model = B}, 0, NULL);
  uint64_t insts = 0, loads = 0, stores = 0;
  for (unsigned warp = 0; warp < 8; warp++) {
    walk_t k = walk(w, 5, warp);
    insts += k.sum.insts;
    loads += k.sum.load_lines;
    stores += k.sum.store_lines;
  }
  ck_assert_uint_eq(insts, 18704);
  ck_assert_uint_eq(loads, 67592);
  ck_assert_uint_eq(stores, 1032);
  workload_close(w);
}
END_TEST

Suite *test_polybench_suite(void);

Suite *test_polybench_suite(void) {
  Suite *s = suite_create("polybench");
  TCase *t = tcase_create("streams");
  tcase_add_loop_test(t, launches, 0, N_PROGRAMS);
  tcase_add_loop_test(t, first_operations, 0, 3);
  tcase_add_loop_test(t, atax_vector, 0, 2);
  tcase_add_loop_test(t, borders, 0, 2);
  tcase_add_loop_test(t, stencil_instructions, 0, 2);
  tcase_add_test(t, iterations);
  tcase_add_test(t, folded_instructions);
  tcase_add_test(t, folded_refusals);
  tcase_add_loop_test(t, folded_results, 0, N_PROGRAMS);
  tcase_add_test(t, syr2k_block);
  tcase_set_tags(t, "heavy");
  tcase_set_timeout(t, 120);
  suite_add_tcase(s, t);
  return s;
}
