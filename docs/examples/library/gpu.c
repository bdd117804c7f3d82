/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel on the whole GPU: memory, a launch, cycles in steps, values by name, and the memory again.
 * cc gpu.c $(pkg-config --cflags --libs mrpb-gpu) -o gpu && ./gpu */
#include <libmrpb-gpu.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4096 };

/* y[i] = a * x[i] + y[i], as a compiler for PTX writes it. */
static const char saxpy[] =
    ".version 3.2\n.target sm_20\n.address_size 64\n"
    ".visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y) {\n"
    "  .reg .f32 %f<4>; .reg .b32 %r<5>; .reg .b64 %rd<6>;\n"
    "  ld.param.f32 %f1, [a]; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];\n"
    "  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "  mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.u32 %rd3, %r4, 4;\n"
    "  add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
    "  ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5];\n"
    "  fma.rn.f32 %f3, %f1, %f2, %f3; st.global.f32 [%rd5], %f3; ret; }\n";

static mrpb_err_t err;

static void must(int rc) {
  if (rc == 0) return;
  fprintf(stderr, "%s\n", err.text);
  exit(2);
}

static uint64_t buffer(mrpb_gpu_t *gpu, const float *values) {
  uint64_t address;
  must(mrpb_gpu_alloc(gpu, N * sizeof *values, &address, &err));
  must(mrpb_gpu_write(gpu, address, values, N * sizeof *values, &err));
  return address;
}

int main(void) {
  static float v[N];
  const float a = 2;
  double hits, misses;
  mrpb_gpu_t *gpu;
  for (unsigned i = 0; i < N; i++) v[i] = (float)i;
  must(mrpb_gpu_create(&gpu, "base-s-mrpb", &err));
  must(mrpb_gpu_set(gpu, "SMS=4", &err));
  must(mrpb_gpu_ptx(gpu, saxpy, strlen(saxpy), "saxpy.ptx", &err));
  const uint64_t x = buffer(gpu, v), y = buffer(gpu, v);
  const void *const args[] = {&a, &x, &y};
  const mrpb_gpu_launch_t launch = {.grid = {N / 256}, .block = {256}, .args = args, .n_args = 3};
  must(mrpb_gpu_launch(gpu, &launch, &err));
  while (mrpb_gpu_step(gpu, 500, &err) == MRPB_GPU_RUNNING)
    printf("cycle %" PRIu64 "\n", mrpb_gpu_cycles(gpu));
  must(err.text[0] ? -1 : 0);
  must(mrpb_gpu_value(gpu, "l1d.hits", &hits, &err));
  must(mrpb_gpu_value(gpu, "l1d.misses_with_bypasses", &misses, &err));
  must(mrpb_gpu_read(gpu, y, v, sizeof v, &err));
  printf("%" PRIu64 " cycles, L1D %.0f hits, %.0f misses; y[1000] = %g\n", mrpb_gpu_cycles(gpu),
         hits, misses, v[1000]);
  if (mrpb_gpu_set(gpu, "SMS=5", &err) != 0) printf("refused: %s\n", err.text);
  mrpb_gpu_destroy(gpu);
  return 0;
}
