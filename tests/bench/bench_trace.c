/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of the trace readers, in millions of warp instructions per CPU second: from a file of each
 * format to the packed trace, and from there through the replay's own reader without a simulator.
 * The trace is made here: 512 warps of 1000 instructions, of which two in ten are loads with a
 * stride and one is a store without. Usage: bench_trace; prints lines NAME;VALUE. Exit 2 if
 * something cannot be read or written. */
#define _DEFAULT_SOURCE
#include "base/compress.h"
#include "workload/trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 64, WARPS = 8, INSTS = 1000, PATH = 64 };

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One instruction, as version 5 writes it. */
static int put_inst(char *to, unsigned i) {
  const unsigned pc = 16 * i % 65536;
  int n;
  if (i == INSTS - 1) return sprintf(to, "%04x ffffffff 0 EXIT 0 0 0 \n", pc);
  if (i % 5 == 1)
    return sprintf(to, "%04x ffffffff 1 R%u LDG.E 1 R2 4 1 0x7f10%08x 4 0 \n", pc, i % 64,
                   i * 4096 % (1 << 24));
  if (i % 10 != 3)
    return sprintf(to, "%04x ffffffff 1 R9 IMAD.MOV.U32 2 R%u R255 0 0 \n", pc, i % 64);
  n = sprintf(to, "%04x ffffffff 0 STG.E 2 R2 R%u 4 2 0x7f10%08x ", pc, (i + 62) % 64,
              i * 4096 % (1 << 24));
  for (unsigned k = 1; k < 32; k++)
    n += sprintf(to + n, "%d ", (int)(i * k * 7919 % 4001) * 4 - 8000);
  return n + sprintf(to + n, "0 \n");
}

static int put(compress_t *to, const char *text) {
  return compress_write(to, text, strlen(text));
}

/* `grouped`: warp after warp; otherwise instruction after instruction, the warps of a block mixed. */
static int put_trace(compress_t *to, bool grouped) {
  char line[1024], text[128];
  int bad = put(to, "-kernel name = k\n-grid dim = (64,1,1)\n-block dim = (256,1,1)\n"
                    "-accelsim tracer version = 5\n");
  for (unsigned b = 0; b < BLOCKS; b++) {
    snprintf(text, sizeof text, "#BEGIN_TB\nthread block = %u,0,0\n", b);
    if (grouped) bad |= put(to, text);
    for (unsigned k = 0; k < WARPS * INSTS; k++) {
      const unsigned warp = grouped ? k / INSTS : k % WARPS, i = grouped ? k % INSTS : k / WARPS;
      snprintf(text, sizeof text, "warp = %u\ninsts = %d\n", warp, INSTS);
      if (grouped && i == 0) bad |= put(to, text);
      snprintf(text, sizeof text, "%u 0 0 %u ", b, warp);
      if (!grouped) bad |= put(to, text);
      put_inst(line, i);
      bad |= put(to, line);
    }
  }
  return bad | compress_end(to);
}

static int make(const char *path, bool grouped) {
  FILE *f = fopen(path, "wb");
  compress_t *to = f ? compress_open(f, compress_of(path)) : NULL;
  const int bad = !to || put_trace(to, grouped) != 0;
  compress_close(to);
  return (f && fclose(f) != 0) || bad ? -1 : 0;
}

static int make_tracez(const char *from, const char *path, mrpb_err_t *err) {
  workload_t *inner, *w;
  if (trace_open(&inner, from, NULL, err) != 0) return -1;
  if (trace_record(&w, inner, path, err) != 0) {
    workload_close(inner);
    return -1;
  }
  const int rc = workload_run_within(w, 0, err);
  workload_close(w);
  return rc;
}

/* The row of one file; `walk`: of the packed trace, too. */
static int measure(const char *name, const char *path, bool walk, mrpb_err_t *err) {
  const double all = (double)BLOCKS * (double)WARPS * (double)INSTS / 1e6;
  workload_t *w;
  double from = cpu();
  if (trace_open(&w, path, NULL, err) != 0) return -1;
  printf("%s;%.3f\n", name, all / (cpu() - from));
  from = cpu();
  const int rc = walk ? workload_run_within(w, 0, err) : 0;
  if (walk && rc == 0) printf("the packed trace alone;%.3f\n", all / (cpu() - from));
  workload_close(w);
  return rc;
}

int main(void) {
  static const char *const ends[] = {".traceg",     ".traceg.xz", ".traceg.gz",
                                     ".traceg.zst", ".trace",     ".tracez"};
  enum { N = sizeof ends / sizeof *ends, TRACEZ = N - 1 };
  char folder[] = "build/tmp/mrpb-bench-XXXXXX", path[N][PATH];
  mrpb_err_t err = {""};
  int rc = mkdtemp(folder) ? 0 : -1;
  for (unsigned i = 0; i < N; i++) {
    snprintf(path[i], PATH, "%s/k%s", folder, ends[i]);
    if (rc == 0)
      rc = i == TRACEZ ? make_tracez(path[0], path[i], &err)
                       : make(path[i], strstr(ends[i], "traceg"));
  }
  for (unsigned i = 0; rc == 0 && i < N; i++) rc = measure(ends[i], path[i], i == 0, &err);
  for (unsigned i = 0; i < N; i++) remove(path[i]);
  rmdir(folder);
  if (rc == 0) return 0;
  fprintf(stderr, "bench_trace: %s\n", err.text[0] ? err.text : "cannot write");
  return 2;
}
