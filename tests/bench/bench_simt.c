/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of the executor: nanoseconds of process CPU time per warp instruction, by class; the median
 * of several rounds, for all lanes and for a partial mask. Each kernel is a loop around 64 copies
 * of one instruction. Usage: bench_simt [ROUNDS]. Exit 2 if a kernel does not run. */
#define _POSIX_C_SOURCE 200809L
#include "workload/ptx/ptx.h"
#include "workload/simt/simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COPIES = 64, LOOPS = 2000, WARPS = 8, MAX_ROUNDS = 31 };

static const struct {
  const char *name, *text;
} classes[] = {
    {"mov.u32", "mov.u32 %r1, %r2;"},
    {"add.s32", "add.s32 %r1, %r2, %r3;"},
    {"add.s32 immediate", "add.s32 %r1, %r1, 4;"},
    {"add.s64", "add.s64 %rd1, %rd2, %rd3;"},
    {"mad.lo.s32", "mad.lo.s32 %r1, %r2, %r3, %r1;"},
    {"mul.wide.s32", "mul.wide.s32 %rd1, %r2, 4;"},
    {"cvt.u64.u32", "cvt.u64.u32 %rd1, %r2;"},
    {"shl.b32", "shl.b32 %r1, %r2, %r3;"},
    {"add.f32", "add.f32 %f1, %f1, %f2;"},
    {"fma.rn.f32", "fma.rn.f32 %f1, %f2, %f3, %f1;"},
    {"fma.rn.ftz.f32", "fma.rn.ftz.f32 %f1, %f2, %f3, %f1;"},
    {"div.rn.f32", "div.rn.f32 %f1, %f2, %f3;"},
    {"sqrt.rn.f32", "sqrt.rn.f32 %f1, %f2;"},
    {"ex2.approx.f32", "ex2.approx.f32 %f1, %f2;"},
    {"fma.rn.f64", "fma.rn.f64 %fd1, %fd2, %fd3, %fd1;"},
    {"div.s32", "div.s32 %r1, %r2, %r3;"},
    {"setp.lt.s32", "setp.lt.s32 %p1, %r2, %r3;"},
    {"setp.lt.s64", "setp.lt.s64 %p1, %rd2, %rd3;"},
    {"setp.gt.f32", "setp.gt.f32 %p1, %f2, %f3;"},
    {"selp.b32", "selp.b32 %r1, %r2, %r3, %p2;"},
    {"ld.global.f32 one line", "ld.global.f32 %f1, [%rd4];"},
    {"ld.global.f32 gather", "ld.global.f32 %f1, [%rd5];"},
    {"ld.global.v4.f32 gather", "ld.global.v4.f32 {%f1, %f4, %f5, %f6}, [%rd5];"},
    {"ld.shared.f32", "ld.shared.f32 %f1, [%r4];"},
    {"st.global.f32 one line", "st.global.f32 [%rd4], %f2;"},
    {"st.global.f32 scatter", "st.global.f32 [%rd5], %f2;"},
    {"bra, uniform", "bra L$;\nL$:"},
    {"bra, divergent, and back", "@%p3 bra L$;\nadd.s32 %r1, %r2, %r3;\nL$:"},
};
enum { N_CLASSES = sizeof classes / sizeof *classes };

static const char head[] =
    ".version 3.0\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
    ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .f64 %fd<9>;\n"
    ".shared .align 4 .b8 s[128];\n"
    "ld.param.u64 %rd4, [a]; mov.u32 %r2, %tid.x; and.b32 %r2, %r2, 31; mul.wide.u32 %rd1, %r2, "
    "4;\n"
    "mul.wide.u32 %rd5, %r2, 128; add.s64 %rd5, %rd5, %rd4; add.s64 %rd4, %rd4, %rd1;\n"
    "mov.u32 %r3, 3; shl.b32 %r4, %r2, 2; mov.u32 %r1, 0; mov.u64 %rd2, 5; mov.u64 %rd3, 6;\n"
    "mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f3F000000; mov.f32 %f3, 0f3FC00000;\n"
    "mov.f64 %fd1, 0d3FF0000000000000; mov.f64 %fd2, %fd1; mov.f64 %fd3, %fd1;\n"
    "setp.lt.u32 %p2, %r2, 9; setp.lt.u32 %p3, %r2, 16; mov.u32 %r8, 0;\n";

/* Kernel of the class, every `$` a number of its own; without an instruction, the empty loop. */
static void write_text(char *to, size_t room, const char *inst, bool partial) {
  size_t n = (size_t)snprintf(to, room, "%s", head);
  if (partial) n += (size_t)snprintf(to + n, room - n, "setp.ge.u32 %%p4, %%r2, 24;\n@%%p4 ret;\n");
  n += (size_t)snprintf(to + n, room - n, "LOOP:\n");
  for (unsigned i = 0; inst && i < COPIES; i++) {
    for (const char *c = inst; *c; c++) {
      if (*c == '$')
        n += (size_t)snprintf(to + n, room - n, "%u", i);
      else
        to[n++] = *c;
    }
    to[n++] = '\n';
  }
  snprintf(to + n, room - n,
           "add.s32 %%r8, %%r8, 1;\nsetp.lt.s32 %%p8, %%r8, %d;\n@%%p8 bra LOOP;\nret;\n}\n",
           LOOPS);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU seconds of one run. */
static double run(const char *text) {
  ptx_module_t *m = NULL;
  memory_t *memory = NULL;
  workload_t *w = NULL;
  mrpb_err_t err = {{0}};
  simt_prepared_t h = {.left = 1};
  if (memory_create(&memory, &err) == 0 && ptx_read(&m, text, strlen(text), "bench", &err) == 0) {
    simt_setup_t s = {.module = m, .memory = memory, .host = &h, .next = simt_prepared_next};
    h.launch = (simt_launch_t){
        .kernel = ptx_kernel(m, 0), .grid = {1, 1, 1}, .block = {WARPS * 32, 1, 1}, .regs = 16};
    simt_param(&h.launch, 0, memory_alloc(memory, 8192, &err));
    (void)simt_create(&w, &s, &err);
  }
  double from = seconds();
  if (!w || workload_run_within(w, 0, &err) != 0) {
    fprintf(stderr, "bench_simt: %s\n", err.text);
    exit(2);
  }
  double t = seconds() - from;
  workload_close(w);
  return t;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const char *inst, bool partial, unsigned rounds) {
  char text[1 << 14];
  double t[MAX_ROUNDS];
  write_text(text, sizeof text, inst, partial);
  for (unsigned i = 0; i < rounds; i++) t[i] = run(text);
  qsort(t, rounds, sizeof *t, by_size);
  return t[rounds / 2];
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 7;
  if (rounds < 1 || rounds > MAX_ROUNDS) rounds = MAX_ROUNDS;
  double loop[2] = {median(NULL, false, rounds), median(NULL, true, rounds)};
  printf("%-28s %10s %10s\n", "ns a warp instruction", "32 lanes", "24 lanes");
  for (unsigned i = 0; i < N_CLASSES; i++) {
    double n = (double)COPIES * (double)LOOPS * (double)WARPS;
    printf("%-28s", classes[i].name);
    for (unsigned p = 0; p < 2; p++)
      printf(" %10.1f", 1e9 * (median(classes[i].text, p, rounds) - loop[p]) / n);
    printf("\n");
  }
  return 0;
}
