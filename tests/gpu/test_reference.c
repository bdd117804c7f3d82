/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of GPGPU-Sim 3.2.0 itself: forty short runs of the project's own PTX texts, with the same
 * launches, arguments and addresses, on three caches (tests/data/reference.def), and runs of
 * clang's own texts. With the reference's clocks and memory order each is equal to the cycle. */
#include "gpu/gpu.h"
#include "workload/program_help.h"

Suite *test_reference_suite(void);

static const struct {
  const char *config, *program;
  uint32_t size, cut, steps;
  uint64_t cycles;
} reference[] = {
#include "data/reference.def"
    /* From here on with clang's texts, the sizes as constants. */
    {"base-s", "atax", 0, 128, 0, 2249186}, {"base-l", "atax", 0, 128, 0, 1523113},
    {"fa-s", "atax", 0, 128, 0, 492203},    {"base-s", "syrk", 0, 32, 0, 2499323},
    {"base-s", "gemm", 0, 32, 0, 335375},
};
enum { RUNS = sizeof reference / sizeof *reference, FOLDED = RUNS - 5 };

static uint64_t cycles_of(unsigned i) {
  program_options_t o = {.size = reference[i].size,
                         .cut = reference[i].cut,
                         .steps = reference[i].steps,
                         .model = i < FOLDED ? PROGRAM_MODEL_B : PROGRAM_MODEL_C};
  mrpb_err_t err = {{0}};
  char path[64];
  config_t cfg;
  gpu_t *g;
  snprintf(path, sizeof path, "configs/%s.conf", reference[i].config);
  ck_assert_msg(config_load(&cfg, path, &err) == 0, "%s", err.text);
  ck_assert_int_eq(config_set(&cfg, "MEMORY_ORDER=reference", &err), 0);
  workload_t *w = open_program(reference[i].program, o);
  gpu_setup_t s = {.cfg = &cfg, .workload = w};
  ck_assert_msg(gpu_create(&g, &s, &err) == 0, "%s", err.text);
  ck_assert_int_eq(gpu_run(g, &err), GPU_DONE);
  uint64_t cycles = gpu_cycles(g);
  gpu_destroy(g);
  workload_close(w);
  return cycles;
}

START_TEST(equal_to_the_cycle) {
  const uint64_t cycles = cycles_of((unsigned)_i);
  ck_assert_msg(cycles == reference[_i].cycles, "%s on %s: %llu cycles, not %llu",
                reference[_i].program, reference[_i].config, (unsigned long long)cycles,
                (unsigned long long)reference[_i].cycles);
}
END_TEST

Suite *test_reference_suite(void) {
  Suite *s = suite_create("reference");
  TCase *t = tcase_create("runs");
  tcase_set_timeout(t, 600);
  tcase_set_tags(t, "long");
  tcase_add_loop_test(t, equal_to_the_cycle, 0, RUNS);
  suite_add_tcase(s, t);
  return s;
}
