/* SPDX-License-Identifier: Apache-2.0 */
/* The Rodinia programs KMS, LUD, NW, PF, SRAD and their forms without shared memory: launches,
 * addresses, instructions and lines of blocks, the final memory against the host's computation. */
#include "gpu/block_rig.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* What warp `warp` of the block does first. */
static void observe(record_t *to, const char *program, unsigned launch, uint32_t block,
                    unsigned warp) {
  rig_t r = rig_open(program, 0, 0);
  memset(to, 0, sizeof *to);
  to->warp = warp;
  r.record = to;
  rig_launch(&r, launch + 1);
  (void)run_block(&r, block);
  ck_assert_ptr_null(workload_fault(r.w));
  workload_close(r.w);
}

/* ---- launches and counts ---------------------------------------------------- */

typedef struct {
  const char *program;
  unsigned launch; /* from 0 */
  const char *kernel;
  uint32_t blocks, threads, regs, shared, block;
  uint64_t want[8]; /* of `block`, in the order of expect_counts */
} block_case_t;

static const block_case_t blocks[] = {
    {"kms", 0, "invert_mapping", 841, 256, 14, 0, 3, {2592, 272, 8704, 272, 272, 0, 0, 0}},
    {"kms", 0, "invert_mapping", 841, 256, 14, 0, 800, {88, 0, 0, 0, 0, 0, 0, 0}},
    {"kms", 1, "kmeansPoint", 841, 256, 18, 0, 3, {15704, 0, 0, 8, 8, 1360, 1360, 0}},
    {"lud", 0, "lud_diagonal", 1, 16, 24, 1024, 0, {3096, 16, 16, 15, 15, 0, 0, 31}},
    {"lud", 1, "lud_perimeter", 31, 32, 28, 3072, 7, {2491, 48, 48, 31, 31, 0, 0, 2}},
    {"lud", 2, "lud_internal", 961, 256, 20, 2048, 40, {744, 24, 48, 8, 16, 0, 0, 8}},
    {"lud", 92, "lud_internal", 1, 256, 20, 2048, 0, {744, 24, 48, 8, 16, 0, 0, 8}},
    {"lud", 93, "lud_diagonal", 1, 16, 24, 1024, 0, {3096, 16, 16, 15, 15, 0, 0, 31}},
    {"lud-u", 0, "lud_diagonal", 1, 16, 20, 0, 0, {2850, 495, 1055, 240, 800, 0, 0, 30}},
    {"lud-u", 1, "lud_perimeter", 31, 32, 20, 0, 7, {2981, 527, 2567, 256, 2296, 0, 0, 0}},
    {"lud-u", 2, "lud_internal", 961, 256, 20, 0, 40, {1336, 264, 400, 8, 16, 0, 0, 0}},
    {"nw", 99, "needle_cuda_shared_1", 100, 16, 24, 2180, 3, {917, 19, 49, 16, 30, 0, 0, 34}},
    {"nw", 200, "needle_cuda_shared_2", 55, 16, 24, 2180, 20, {963, 19, 35, 16, 17, 0, 0, 34}},
    {"nw-u", 99, "needle_cuda_1", 100, 16, 20, 0, 3, {790, 124, 1024, 31, 256, 0, 0, 31}},
    {"nw-u", 200, "needle_cuda_2", 55, 16, 20, 0, 20, {797, 124, 1024, 31, 256, 0, 0, 31}},
    {"pf", 0, "dynproc_kernel", 463, 256, 16, 2048, 100, {5112, 168, 326, 8, 14, 0, 0, 320}},
    {"pf", 4, "dynproc_kernel", 463, 256, 16, 2048, 100, {4880, 160, 312, 8, 15, 0, 0, 304}},
    {"pf-u", 98, "dynproc_kernel", 391, 256, 20, 0, 100, {320, 32, 48, 8, 8, 0, 0, 0}},
    {"srad", 0, "srad_cuda_1", 4096, 256, 20, 6144, 325, {1390, 40, 64, 40, 80, 0, 0, 32}},
    {"srad", 1, "srad_cuda_2", 4096, 256, 20, 5120, 325, {866, 64, 120, 8, 16, 0, 0, 40}},
    {"srad-u", 0, "srad_cuda_1", 4096, 256, 20, 0, 325, {840, 40, 96, 40, 80, 0, 0, 0}},
    {"srad-u", 1, "srad_cuda_2", 4096, 256, 20, 0, 325, {488, 64, 144, 8, 16, 0, 0, 0}},
};

static void expect_counts(const block_case_t *c, const counts_t *have) {
  const uint64_t *w = c->want,
                 h[] = {have->insts,       have->loads,   have->load_lines,  have->stores,
                        have->store_lines, have->fetches, have->fetch_lines, have->barriers};
  static const char *const name[] = {"instructions", "loads",   "load lines",  "stores",
                                     "store lines",  "fetches", "fetch lines", "barriers"};
  for (unsigned i = 0; i < COUNT(name); i++)
    ck_assert_msg(h[i] == w[i], "%s launch %u block %u: %lu %s, expected %lu", c->program,
                  c->launch, c->block, (unsigned long)h[i], name[i], (unsigned long)w[i]);
}

START_TEST(one_block) {
  const block_case_t *c = &blocks[_i];
  rig_t r = rig_open(c->program, 0, 0);
  rig_launch(&r, c->launch + 1);
  const launch_t *l = r.launch;
  ck_assert_str_eq(l->kernel, c->kernel);
  ck_assert_uint_eq(l->blocks, c->blocks);
  ck_assert_uint_eq(l->threads, c->threads);
  ck_assert_uint_eq(l->regs, c->regs);
  ck_assert_uint_eq(l->shared, c->shared);
  counts_t have = run_block(&r, c->block);
  ck_assert_ptr_null(workload_fault(r.w));
  expect_counts(c, &have);
  workload_close(r.w);
}
END_TEST

/* Launches and blocks of whole programs. */
START_TEST(launches) {
  static const struct {
    const char *program;
    unsigned launches;
    uint64_t blocks;
  } c[] = {{"kms", 2, 2 * 841},    {"lud", 94, 32 + 496 + 10416}, {"lud-u", 94, 32 + 496 + 10416},
           {"nw", 255, 16384},     {"nw-u", 255, 16384},          {"pf", 5, 5 * 463},
           {"pf-u", 99, 99 * 391}, {"srad", 4, 4 * 4096},         {"srad-u", 4, 4 * 4096}};
  for (unsigned i = 0; i < COUNT(c); i++) {
    rig_t r = rig_open(c[i].program, 0, 0);
    unsigned n = 0;
    uint64_t sum = 0;
    for (const launch_t *l; (l = workload_next(r.w)); n++) {
      sum += l->blocks;
      ck_assert(workload_progress(r.w) <= 1);
    }
    ck_assert_msg(n == c[i].launches && sum == c[i].blocks, "%s: %u launches, %lu blocks",
                  c[i].program, n, (unsigned long)sum);
    ck_assert(workload_progress(r.w) == 1);
    workload_close(r.w);
  }
}
END_TEST

/* ---- addresses -------------------------------------------------------------- */

#define M UINT64_C(0x80000000)

START_TEST(lud_addresses) {
  record_t k;
  observe(&k, "lud", 2, 31 * 2 + 1, 3); /* internal, block (1, 2), rows 6 and 7 */
  ck_assert_uint_eq(k.n, 4);
  ck_assert_uint_eq(k.op[0].addr[17], M + 4 * (512 * 7 + 32 + 1));   /* pivot row */
  ck_assert_uint_eq(k.op[1].addr[17], M + 4 * (512 * (48 + 7) + 1)); /* pivot column */
  ck_assert_uint_eq(k.op[2].addr[17], M + 4 * (512 * (48 + 7) + 32 + 1));
  ck_assert_uint_eq(k.op[3].addr[17], k.op[2].addr[17]);
  ck_assert(k.op[3].store);
  observe(&k, "lud", 4, 5, 0); /* perimeter, offset 16, block 5 */
  ck_assert_uint_eq(k.op[0].mask, 0x0000FFFF);
  ck_assert_uint_eq(k.op[0].addr[3], M + 4 * (512 * 16 + 16 + 3));
  ck_assert_uint_eq(k.op[8].addr[3], M + 4 * (512 * 16 + 16 + 16 * 6 + 3));
  ck_assert_uint_eq(k.op[24].mask, 0xFFFF0000);
  ck_assert_uint_eq(k.op[24].addr[19], M + 4 * (512 * (16 + 8) + 16 + 3));
  ck_assert_uint_eq(k.op[32].addr[19], M + 4 * (512 * (16 + 16 * 6) + 16 + 3));
  observe(&k, "lud-u", 1, 0, 0); /* row half: a(1, 0), r(0, u), r(1, u), store r(1, u) */
  ck_assert_uint_eq(k.op[0].mask, 0x0000FFFF);
  ck_assert(k.op[3].store);
  ck_assert_uint_eq(k.op[3].addr[15], M + 4 * (512 + 16 + 15));
}
END_TEST

START_TEST(nw_addresses) {
  const uint64_t mat = 0x81004100;
  const uint64_t base = 2049 * 16 * 96 + 16 * 3; /* tile (3, 96) */
  record_t k;
  observe(&k, "nw", 99, 3, 0);
  ck_assert_uint_eq(k.n, 35);
  ck_assert_uint_eq(k.op[0].mask, 1);
  ck_assert_uint_eq(k.op[0].addr[0], mat + 4 * base);
  for (unsigned r = 1; r <= 16; r++)
    ck_assert_uint_eq(k.op[r].addr[5], M + 4 * (base + 2049 * r + 6));
  ck_assert_uint_eq(k.op[17].lines, 16); /* the west column */
  for (unsigned lane = 0; lane < 16; lane++)
    ck_assert_uint_eq(k.op[17].addr[lane], mat + 4 * (base + 2049 * (lane + 1)));
  ck_assert_uint_eq(k.op[18].addr[5], mat + 4 * (base + 6)); /* the north row */
  ck_assert_uint_eq(k.op[19].addr[5], mat + 4 * (base + 2049 + 6));
  ck_assert(k.op[19].store);
  observe(&k, "nw", 254, 0, 0); /* the last tile */
  ck_assert_uint_eq(k.op[34].addr[15], mat + 4 * (2049 * 2049 - 1));
  observe(&k, "nw-u", 99, 3, 0); /* the third anti-diagonal: NW, ref, W, N, store */
  static const int step[] = {-2050, 0, -1, -2049, 0};
  for (unsigned i = 0; i < 5; i++)
    for (unsigned lane = 0; lane < 3; lane++) {
      uint64_t cell = base + 2049 * (3 - lane) + lane + 1;
      uint64_t array = i == 1 ? M : mat;
      ck_assert_uint_eq(k.op[10 + i].mask, 7);
      ck_assert_uint_eq(k.op[10 + i].addr[lane], array + 4 * (cell + (uint64_t)(int64_t)step[i]));
    }
}
END_TEST

START_TEST(pf_addresses) {
  record_t k;
  observe(&k, "pf", 0, 0, 0);
  ck_assert_uint_eq(k.op[0].mask, 0xFFF00000); /* 20 lanes left of column 0 */
  ck_assert_uint_eq(k.op[0].addr[20], M);
  ck_assert_uint_eq(k.op[1].mask, 0xFFF00000);
  ck_assert_uint_eq(k.op[1].addr[20], 0x800C3600);
  observe(&k, "pf", 1, 7, 2); /* reads res1, row 20 of wall, writes res0 */
  ck_assert_uint_eq(k.op[0].addr[4], 0x80061B00 + 4 * (216 * 7 - 20 + 68));
  ck_assert_uint_eq(k.op[1].addr[4], 0x800C3600 + 4 * (20 * 100000 + 216 * 7 - 20 + 68));
  ck_assert_uint_eq(k.op[21].addr[4], M + 4 * (216 * 7 - 20 + 68));
  for (uint32_t block = 459; block < 463; block++) { /* 218 columns a block: nothing left */
    observe(&k, "pf", 4, block, 0);
    ck_assert_uint_eq(k.n, 0);
  }
  observe(&k, "pf", 4, 458, 0);
  ck_assert_uint_ne(k.n, 0);
}
END_TEST

START_TEST(srad_addresses) {
  enum { C = 0x400000, E = 0x800000, W = 0xC00000, S = 0x1000000, N = 0x1400000 };
  static const uint64_t array[] = {M + C, M + E, M + W, M + S, M + N};
  record_t k;
  observe(&k, "srad", 0, 0, 0); /* outside the image first, then its edge */
  ck_assert_uint_eq(k.op[0].addr[0], M - 4096);
  ck_assert_uint_eq(k.op[1].addr[0], M + 16 * 4096);
  ck_assert_uint_eq(k.op[2].addr[0], M);
  ck_assert_uint_eq(k.op[3].addr[0], M - 4);
  ck_assert_uint_eq(k.op[4].addr[0], M + 64);
  ck_assert_uint_eq(k.op[5].addr[0], M);
  ck_assert_uint_eq(k.op[6].addr[0], M);
  for (unsigned i = 0; i < 5; i++) {
    ck_assert(k.op[7 + i].store);
    ck_assert_uint_eq(k.op[7 + i].addr[17], array[i] + 4096 + 4);
  }
  observe(&k, "srad", 1, 4095, 0); /* below C, then its edge */
  ck_assert_uint_eq(k.op[1].addr[0], M + E + 4 * 1008);
  ck_assert_uint_eq(k.op[2].addr[0], M + C + 4 * (1023 * 1024 + 1008));
}
END_TEST

START_TEST(kms_addresses) {
  record_t k;
  observe(&k, "kms", 0, 2, 1);
  ck_assert_uint_eq(k.op[0].addr[9], M + 136 * (512 + 32 + 9));
  ck_assert_uint_eq(k.op[1].addr[9], 0x81A90000 + 4 * (512 + 32 + 9));
  ck_assert_uint_eq(k.op[6].addr[9], k.op[0].addr[9] + 12);
  ck_assert_uint_eq(k.op[7].addr[9], k.op[1].addr[9] + 12 * 204800);
  observe(&k, "kms", 1, 30, 1);
  ck_assert_uint_eq(k.op[0].addr[9], 0x81A90000 + 4 * (30 * 256 + 32 + 9));
  ck_assert_uint_eq(k.op[35].addr[9], k.op[1].addr[9]); /* again for the next cluster */
}
END_TEST

/* ---- whole programs ---------------------------------------------------------- */

typedef struct {
  const char *program;
  uint32_t size, steps, launches;
} small_case_t;

static const small_case_t small[] = {
    {"kms", 5, 0, 2},     {"kms", 300, 0, 2},    {"kms", 3000, 4, 5}, {"lud", 16, 0, 1},
    {"lud", 80, 0, 13},   {"lud", 80, 3, 9},     {"lud-u", 16, 0, 1}, {"lud-u", 80, 0, 13},
    {"lud-u", 80, 3, 9},  {"nw", 16, 0, 1},      {"nw", 80, 0, 9},    {"nw", 80, 6, 6},
    {"nw-u", 16, 0, 1},   {"nw-u", 80, 0, 9},    {"nw-u", 80, 4, 4},  {"pf", 1, 0, 5},
    {"pf", 216, 0, 5},    {"pf", 1000, 0, 5},    {"pf", 700, 2, 2},   {"pf-u", 1, 0, 99},
    {"pf-u", 256, 7, 7},  {"pf-u", 1000, 0, 99}, {"srad", 32, 0, 4},  {"srad", 144, 3, 6},
    {"srad-u", 32, 0, 4}, {"srad-u", 144, 3, 6},
};

START_TEST(small_size) {
  const small_case_t *c = &small[_i];
  mrpb_err_t err = {{0}};
  rig_t r = rig_open(c->program, c->size, c->steps);
  ck_assert_msg(workload_run_within(r.w, 0, &err) == 0, "%s, size %u: %s", c->program, c->size,
                err.text);
  workload_close(r.w);
  r = rig_open(c->program, c->size, c->steps);
  unsigned n = 0;
  while (workload_next(r.w)) n++;
  ck_assert_uint_eq(n, c->launches);
  workload_close(r.w);
}
END_TEST

/* A block that did not run is found, and where. */
START_TEST(difference) {
  static const struct {
    const char *program;
    uint32_t size, launch, block;
    const char *message;
  } c[] = {{"kms", 600, 0, 1, "feat[256] is 0"},
           {"kms", 600, 1, 2, "membership[512] is -1"},
           {"lud", 48, 0, 0, "m[48]"},
           {"lud", 48, 1, 1, "m["},
           {"lud-u", 48, 2, 3, "m["},
           {"nw", 48, 1, 0, "mat["},
           {"nw-u", 48, 4, 0, "mat["},
           {"pf", 500, 4, 0, "res1[0]"},
           {"pf-u", 500, 98, 1, "res1[256]"},
           {"srad", 32, 1, 0, "J[0]"},
           {"srad-u", 32, 2, 3, "J["}};
  for (unsigned i = 0; i < COUNT(c); i++) {
    mrpb_err_t err = {{0}};
    rig_t r = rig_open(c[i].program, c[i].size, 0);
    while (rig_next(&r))
      for (uint32_t b = 0; b < r.launch->blocks; b++)
        if (r.launches != c[i].launch + 1 || b != c[i].block) (void)run_block(&r, b);
    ck_assert_int_eq(workload_check(r.w, &err), -1);
    ck_assert_msg(strncmp(err.text, c[i].message, strlen(c[i].message)) == 0, "%s: '%s'",
                  c[i].program, err.text);
    workload_close(r.w);
  }
}
END_TEST

/* 5 points are 680 bytes, which end in the third granule, 7 points are 952, which end in the fourth. */
START_TEST(kms_texture) {
  static const uint32_t size[] = {5, 7, 256}, at[] = {1024, 1024, 34816};
  for (unsigned i = 0; i < COUNT(size); i++) {
    rig_t r = rig_open("kms", size[i], 0);
    simt_view_t v;
    ck_assert(simt_view(r.w, &v));
    const ptx_variable_t *t = ptx_variable(v.module, 1);
    ck_assert(t->texture && t->as_float && !t->as_int);
    ck_assert_uint_eq(t->address, M + at[i]);
    workload_close(r.w);
  }
}
END_TEST

START_TEST(refused) {
  static const struct {
    const char *program;
    program_options_t o;
    const char *message;
  } c[] = {{"kms", {.size = 4}, "--size"},
           {"lud", {.size = 40}, "--size 40: legal: multiples of 16"},
           {"lud-u", {.size = 64, .steps = 5}, "--steps 5: legal"},
           {"nw", {.size = 32, .steps = 4}, "--steps 4: legal at this size: 1 to 3"},
           {"nw-u", {.size = 15}, "--size"},
           {"pf", {.steps = 6}, "--steps 6: legal at this size: 1 to 5"},
           {"pf-u", {.steps = 100}, "--steps 100"},
           {"srad", {.size = 16}, "--size 16"},
           {"srad-u", {.cut = 3}, "--cut"}};
  for (unsigned i = 0; i < COUNT(c); i++) {
    mrpb_err_t err = {{0}};
    workload_t *w = NULL;
    ck_assert_int_eq(program_open(&w, c[i].program, &c[i].o, &err), -1);
    ck_assert_ptr_null(w);
    ck_assert_msg(strncmp(err.text, c[i].message, strlen(c[i].message)) == 0, "%s", err.text);
  }
}
END_TEST

static void expect_total(const char *program, const char *what, uint64_t have, double want) {
  double off = (double)have / want - 1;
  ck_assert_msg(off < 0.02 && off > -0.02, "%s: %lu %s, expected %g +- 2 %%", program,
                (unsigned long)have, what, want);
}

/* The paper's sizes: final memory, and the totals in warp instructions and lines. */
START_TEST(full_size) {
  static const struct {
    const char *program;
    double insts, load_lines, store_lines, fetch_lines;
  } c[] = {{"kms", 14.7e6, 6.96e6, 0.224e6, 1.088e6},
           {"lud", 9.06e6, 0.524e6, 0.183e6, 0},
           {"lud-u", 15.5e6, 5.5e6, 1.33e6, 0},
           {"nw", 15.4e6, 16384 * 42, 16384 * 23.5, 0},
           {"nw-u", 12.9e6, 16.8e6, 4.2e6, 0},
           {"pf", 11.7e6, 0.743e6, 0.033e6, 0},
           {"pf-u", 12.4e6, 1.86e6, 0.31e6, 0},
           {"srad", 18.4e6, 1.52e6, 0.79e6, 0},
           {"srad-u", 10.9e6, 2 * 4096 * (95.5 + 135.75), 0.79e6, 0}};
  const char *name = c[_i].program;
  rig_t r = rig_open(name, 0, 0);
  run_all(&r);
  expect_check(&r);
  expect_total(name, "instructions", r.total.insts, c[_i].insts);
  expect_total(name, "load lines", r.total.load_lines, c[_i].load_lines);
  expect_total(name, "store lines", r.total.store_lines, c[_i].store_lines);
  if (c[_i].fetch_lines > 0)
    expect_total(name, "fetch lines", r.total.fetch_lines, c[_i].fetch_lines);
  workload_close(r.w);
}
END_TEST

Suite *test_rodinia2_suite(void);
Suite *test_rodinia2_suite(void) {
  Suite *s = suite_create("rodinia2");
  TCase *t = tcase_create("blocks");
  tcase_set_timeout(t, 120);
  tcase_set_tags(t, "heavy"); /* each fills the paper's arrays */
  tcase_add_loop_test(t, one_block, 0, (int)COUNT(blocks));
  tcase_add_test(t, launches);
  tcase_add_test(t, lud_addresses);
  tcase_add_test(t, nw_addresses);
  tcase_add_test(t, pf_addresses);
  tcase_add_test(t, srad_addresses);
  tcase_add_test(t, kms_addresses);
  tcase_add_test(t, kms_texture);
  suite_add_tcase(s, t);
  t = tcase_create("small");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, difference);
  tcase_add_test(t, refused);
  suite_add_tcase(s, t);
  t = tcase_create("sizes");
  tcase_set_timeout(t, 120);
  tcase_set_tags(t, "heavy"); /* `difference` runs the same code: once is enough for valgrind */
  tcase_add_loop_test(t, small_size, 0, (int)COUNT(small));
  suite_add_tcase(s, t);
  t = tcase_create("full");
  tcase_set_timeout(t, 300);
  tcase_set_tags(t, "long");
  tcase_add_loop_test(t, full_size, 0, 9);
  suite_add_tcase(s, t);
  return s;
}
