/* Cycles of GPGPU-Sim 3.2.0 itself: forty short runs of the project's own PTX texts, with the same
 * launches, arguments and addresses, on three caches (tests/data/reference.def). With the
 * reference's clocks and order of memory each is equal to the cycle. */
#include "gpu/gpu.h"
#include "program_help.h"

Suite *test_reference_suite(void);

static const struct {
  const char *config, *program;
  uint32_t size, cut, steps;
  uint64_t cycles;
} reference[] = {
#include "data/reference.def"
};
enum { RUNS = sizeof reference / sizeof *reference };

static uint64_t cycles_of(unsigned i) {
  program_options_t o = {.size = reference[i].size,
                         .cut = reference[i].cut,
                         .steps = reference[i].steps,
                         .model = PROGRAM_MODEL_B};
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

/* gemm of 512 x 512 with its loop cut to 32, as clang 14 compiles it with the sizes as constants:
 * three buffers of 1 MB. Its cycles move by several percent with the text. */
typedef struct {
  ptx_module_t *module;
  bool done;
} gemm_t;

static bool gemm_next(void *host, simt_launch_t *l) {
  gemm_t *g = host;
  if (g->done) return false;
  g->done = true;
  *l = (simt_launch_t){.kernel = ptx_find(g->module, "gemm_kernel", NULL),
                       .grid = {16, 64, 1},
                       .block = {32, 8, 1},
                       .regs = 20};
  for (unsigned i = 0; i < 3; i++) simt_param(l, i, MEMORY_BASE + (uint64_t)i * 1048576);
  return true;
}

static double gemm_progress(const void *host) {
  return ((const gemm_t *)host)->done;
}

START_TEST(gemm_with_constants) {
  mrpb_err_t err = {{0}};
  gemm_t *h = calloc(1, sizeof *h);
  simt_setup_t s = {.host = h, .next = gemm_next, .progress = gemm_progress, .destroy = free};
  workload_t *w;
  gpu_t *g;
  config_t cfg;
  char text[16384];
  FILE *f = fopen("tests/data/gemm-512-32.ptx", "r");
  ck_assert_ptr_nonnull(f);
  size_t n = fread(text, 1, sizeof text, f);
  fclose(f);
  ck_assert_msg(ptx_read(&s.module, text, n, "gemm", &err) == 0, "%s", err.text);
  h->module = s.module;
  ck_assert_int_eq(memory_create(&s.memory, &err), 0);
  ck_assert_uint_eq(memory_alloc(s.memory, 3 * 1048576, &err), MEMORY_BASE);
  ck_assert_msg(simt_create(&w, &s, &err) == 0, "%s", err.text);
  config_defaults(&cfg);
  ck_assert_int_eq(config_set(&cfg, "MEMORY_ORDER=reference", &err), 0);
  gpu_setup_t setup = {.cfg = &cfg, .workload = w};
  ck_assert_msg(gpu_create(&g, &setup, &err) == 0, "%s", err.text);
  ck_assert_int_eq(gpu_run(g, &err), GPU_DONE);
  uint64_t cycles = gpu_cycles(g);
  gpu_destroy(g);
  workload_close(w);
  ck_assert_uint_eq(cycles, 335375);
}
END_TEST

START_TEST(equal_to_the_cycle) {
  ck_assert_msg(cycles_of((unsigned)_i) == reference[_i].cycles, "%s on %s: %llu cycles, not %llu",
                reference[_i].program, reference[_i].config,
                (unsigned long long)cycles_of((unsigned)_i),
                (unsigned long long)reference[_i].cycles);
}
END_TEST

Suite *test_reference_suite(void) {
  Suite *s = suite_create("reference");
  TCase *t = tcase_create("runs");
  tcase_set_timeout(t, 600);
  tcase_set_tags(t, "long");
  tcase_add_loop_test(t, equal_to_the_cycle, 0, RUNS);
  tcase_add_test(t, gemm_with_constants);
  suite_add_tcase(s, t);
  return s;
}
