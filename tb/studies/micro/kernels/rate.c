/* SPDX-License-Identifier: Apache-2.0 */
/* See rate.h. */
#include "studies/micro/kernels/rate.h"

#include <math.h>

enum { WORD = 4, RESULT = 2 * WORD, CHAINS = 4 };

static const struct {
  uint32_t count;
  const char *name;
} forms[] = {
#define FORM(id, count, name) {count, name},
    RATE_FORMS(FORM)
#undef FORM
};

static const uint32_t codes[RATE_CODES] = {256, 1024, 2048, 4096, 8192, 16384};

uint32_t rate_count(rate_form_t form) {
  return forms[form].count;
}

const char *rate_name(rate_form_t form) {
  return forms[form].name;
}

uint32_t rate_code(unsigned i) {
  return codes[i];
}

/* ---- what a round does ----------------------------------------------------------- */

static void write_sums(text_t *t, const char *from, uint32_t n, uint32_t every) {
  for (uint32_t i = 0; i < n; i++) text_add(t, "  add.u32 %%sum, %%sum, %s%u;\n", from, every * i);
}

static char of(rate_form_t form) {
  return form == RATE_F64 ? 'd' : 'f';
}

/* Independent chains, no link of which a compiler can compute in advance. */
static void write_chain(text_t *t, rate_form_t form, uint32_t i) {
  const uint32_t k = i % CHAINS, odd = i / CHAINS % 2;
  if (form == RATE_INT)
    text_add(t, "  %s %%i%u, %%i%u, %%i%u;\n", odd ? "xor.b32" : "add.u32", k, k, CHAINS + odd);
  else if (form == RATE_SFU)
    text_add(t, "  ex2.approx.ftz.f32 %%f%u, %%f%u;\n", k, k);
  else if (form == RATE_MAD)
    text_add(t, "  mad.lo.u32 %%i%u, %%i%u, %%i%d, %%i%d;\n", k, k, CHAINS, CHAINS + 1);
  else
    text_add(t, "  fma.rn.f%u %%%c%u, %%%c%u, %%%c%d, %%%c%d;\n", form == RATE_F64 ? 64 : 32,
             of(form), k, of(form), k, of(form), CHAINS, of(form), CHAINS + 1);
}

static void write_loads(text_t *t, uint32_t n, const char *op, bool four) {
  for (uint32_t i = 0; i < n; i++) {
    if (four)
      text_add(t, "  %s.v4.u32 {%%v%u, %%v%u, %%v%u, %%v%u}, [%%a];\n", op, 4 * i, 4 * i + 1,
               4 * i + 2, 4 * i + 3);
    else
      text_add(t, "  %s.u32 %%v%u, [%%a];\n", op, 4 * i);
    if (i + 1 < n) text_add(t, "  add.u64 %%a, %%a, %%next;\n");
  }
}

static void write_stores(text_t *t, uint32_t n, const char *op, bool four) {
  for (uint32_t i = 0; i < n; i++) {
    if (four)
      text_add(t, "  %s.v4.u32 [%%a], {%%me, %%me, %%round, %%me};\n", op);
    else
      text_add(t, "  %s.u32 [%%a], %%round;\n", op);
    if (i + 1 < n) text_add(t, "  add.u64 %%a, %%a, %%next;\n");
  }
}

/* The loads of a mix, and then its stores. */
static void write_mix(text_t *t, uint32_t stores) {
  write_loads(t, 4, "ld.global", true);
  text_add(t, "  add.u64 %%a, %%at, %%rd1;\n  add.u64 %%a, %%a, %%far;\n");
  write_stores(t, stores, "st.global", true);
  write_sums(t, "%v", 4, 4);
}

/* Accesses of shared memory at fixed distances, so that no time is spent on addresses. */
static void write_shared(text_t *t, rate_form_t form, uint32_t n) {
  enum { LINE = 128 };
  text_add(t, "  add.u32 %%r1, %%s, %%off;\n");
  for (uint32_t i = 0; i < n; i++) {
    if (form == RATE_LD_SHARED) text_add(t, "  ld.shared.u32 %%v%u, [%%r1+%u];\n", 4 * i, LINE * i);
    if (form == RATE_LD_SHARED4)
      text_add(t, "  ld.shared.v4.u32 {%%v%u, %%v%u, %%v%u, %%v%u}, [%%r1+%u];\n", 4 * i, 4 * i + 1,
               4 * i + 2, 4 * i + 3, 4 * LINE * i);
    if (form == RATE_ST_SHARED) text_add(t, "  st.shared.u32 [%%r1+%u], %%round;\n", LINE * i);
    if (form == RATE_ATOM_SHARED)
      text_add(t, "  atom.shared.add.u32 %%v%u, [%%r1+%u], %%me;\n", 4 * i, LINE * i);
  }
  if (form != RATE_ST_SHARED) write_sums(t, "%v", n, 4);
}

/* A sector of its own for each lane, from the hash of a number that only it has. */
static void write_random(text_t *t, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    text_add(t,
             "  mul.lo.u32 %%r1, %%id, 0x9E3779B1;\n  shr.u32 %%r2, %%r1, 15;\n"
             "  xor.b32 %%r1, %%r1, %%r2;\n  mul.lo.u32 %%r1, %%r1, 0x85EBCA77;\n"
             "  and.b32 %%r1, %%r1, %%mask;\n  and.b32 %%r1, %%r1, 0xFFFFFFE0;\n"
             "  cvt.u64.u32 %%a, %%r1;\n  add.u64 %%a, %%at, %%a;\n"
             "  ld.global.u32 %%v%u, [%%a];\n  add.u32 %%id, %%id, %%stride;\n",
             4 * i);
  write_sums(t, "%v", n, 4);
}

static void write_global(text_t *t, rate_form_t form, uint32_t n) {
  const bool four = form == RATE_LD4 || form == RATE_CG4 || form == RATE_ST4;
  text_add(t, "  cvt.u64.u32 %%rd1, %%off;\n  add.u64 %%a, %%at, %%rd1;\n");
  if (form >= RATE_MIX1) {
    write_mix(t, 1u << (form - RATE_MIX1));
  } else if (form == RATE_ST || form == RATE_ST4) {
    write_stores(t, n, "st.global", four);
  } else if (form == RATE_RED) {
    write_stores(t, n, "red.global.add", false);
  } else {
    write_loads(t, n, form == RATE_CG4 ? "ld.global.cg" : "ld.global", four);
    write_sums(t, "%v", n, 4);
  }
}

static void write_round(text_t *t, rate_form_t form, uint32_t n) {
  if (form == RATE_RANDOM)
    write_random(t, n);
  else if (form >= RATE_LD)
    write_global(t, form, n);
  else if (form >= RATE_LD_SHARED)
    write_shared(t, form, n);
  else if (form == RATE_BARRIER)
    for (uint32_t i = 0; i < n; i++) text_add(t, "  bar.sync 0;\n");
  else
    for (uint32_t i = 0; i < n; i++) write_chain(t, form, i);
}

/* ---- the kernel around it ----------------------------------------------------------- */

static void write_start(text_t *t, const char *name) {
  text_add(
      t,
      ".visible .entry %s(.param .u64 p_in, .param .u64 p_out, .param .u32 p_never,\n"
      "  .param .u32 p_rounds, .param .u32 p_lane, .param .u32 p_warp, .param .u32 p_block,\n"
      "  .param .u32 p_next, .param .u32 p_step, .param .u32 p_mask, .param .u32 p_far)\n"
      ".maxntid 1024, 1, 1\n{\n  .reg .pred %%p<3>;\n  .reg .b32 %%r<4>;\n  .reg .b64 %%rd<4>;\n"
      "  .reg .b32 %%i<6>, %%v<32>;\n  .reg .f32 %%f<6>;\n  .reg .f64 %%d<6>;\n"
      "  .reg .b32 %%me, %%round, %%rounds, %%sum, %%never, %%off, %%step, %%mask, %%s, %%from, "
      "%%to,"
      " %%id, %%stride;\n"
      "  .reg .b64 %%at, %%a, %%next, %%far, %%out;\n  .shared .align 16 .b8 data[%d];\n"
      "  ld.param.u64 %%at, [p_in];\n  ld.param.u64 %%out, [p_out];\n"
      "  ld.param.u32 %%never, [p_never];\n  ld.param.u32 %%rounds, [p_rounds];\n"
      "  mov.u32 %%me, %%tid.x;\n  and.b32 %%r1, %%me, 31;\n  shr.u32 %%r2, %%me, 5;\n"
      "  ld.param.u32 %%r3, [p_lane];\n  mul.lo.u32 %%r1, %%r1, %%r3;\n"
      "  ld.param.u32 %%r3, [p_warp];\n  mad.lo.u32 %%r1, %%r2, %%r3, %%r1;\n"
      "  cvt.u64.u32 %%rd1, %%r1;\n  add.u64 %%at, %%at, %%rd1;\n"
      "  mov.u32 %%s, data;\n  add.u32 %%s, %%s, %%r1;\n"
      "  mov.u32 %%r1, %%ctaid.x;\n  ld.param.u32 %%r3, [p_block];\n  mul.lo.u32 %%off, %%r1, "
      "%%r3;\n"
      "  ld.param.u32 %%mask, [p_mask];\n  and.b32 %%off, %%off, %%mask;\n"
      "  ld.param.u32 %%step, [p_step];\n  ld.param.u32 %%r3, [p_next];\n  cvt.u64.u32 %%next, "
      "%%r3;\n"
      "  ld.param.u32 %%r3, [p_far];\n  cvt.u64.u32 %%far, %%r3;\n"
      "  mov.u32 %%r2, %%ntid.x;\n  mad.lo.u32 %%id, %%r1, %%r2, %%me;\n"
      "  mov.u32 %%r3, %%nctaid.x;\n  mul.lo.u32 %%stride, %%r2, %%r3;\n",
      name, RATE_SHARED);
  for (unsigned k = 0; k < CHAINS + 2; k++)
    text_add(t,
             "  add.u32 %%i%u, %%step, %u;\n  cvt.rn.f32.u32 %%f%u, %%i%u;\n"
             "  cvt.rn.f64.u32 %%d%u, %%i%u;\n",
             k, k, k, k, k, k);
  text_add(t, "  mov.u32 %%r3, data;\n  st.shared.u32 [%%r3], %%me;\n  mov.u32 %%round, 0;\n"
              "  bar.sync 0;\n  ld.shared.u32 %%sum, [%%r3];\n  setp.eq.u32 %%p2, %%sum, %%never;\n"
              "  @%%p2 bra END;\n  bar.sync 0;\n  mov.u32 %%from, %%clock;\n"
              ".pragma \"nounroll\";\nROUND:\n");
}

static void write_end(text_t *t) {
  text_add(t, "  add.u32 %%off, %%off, %%step;\n  and.b32 %%off, %%off, %%mask;\n"
              "  add.u32 %%round, %%round, 1;\n  setp.lt.u32 %%p1, %%round, %%rounds;\n"
              "  @%%p1 bra ROUND;\n");
  for (unsigned k = 0; k < CHAINS; k++)
    text_add(t,
             "  add.u32 %%sum, %%sum, %%i%u;\n  cvt.rzi.u32.f32 %%r1, %%f%u;\n"
             "  add.u32 %%sum, %%sum, %%r1;\n  cvt.rzi.u32.f64 %%r1, %%d%u;\n"
             "  add.u32 %%sum, %%sum, %%r1;\n",
             k, k, k);
  text_add(t, "  setp.eq.u32 %%p2, %%sum, %%never;\n  @%%p2 bra END;\n"
              "  setp.ne.u32 %%p1, %%sum, %%never;\n  bar.red.popc.u32 %%r1, 0, %%p1;\n"
              "  setp.eq.u32 %%p2, %%r1, %%never;\n  @%%p2 bra END;\n"
              "  mov.u32 %%to, %%clock;\n  setp.ne.u32 %%p1, %%me, 0;\n  @%%p1 bra DONE;\n"
              "  mov.u32 %%r1, %%ctaid.x;\n  mul.wide.u32 %%rd1, %%r1, 8;\n"
              "  add.u64 %%out, %%out, %%rd1;\n  st.global.u32 [%%out], %%from;\n"
              "  st.global.u32 [%%out+4], %%to;\nDONE:\n  ret;\nEND:\n"
              "  st.global.u32 [%%out], %%sum;\n  ret;\n}\n");
}

static void write_text(text_t *t) {
  char name[16];
  text_add(t, ".version 6.0\n.target sm_50\n.address_size 64\n");
  for (rate_form_t f = 0; f < RATE_FORMS_ALL; f++) {
    snprintf(name, sizeof name, "rate_%u", f);
    write_start(t, name);
    write_round(t, f, forms[f].count);
    write_end(t);
  }
  for (unsigned i = 0; i < RATE_CODES; i++) {
    snprintf(name, sizeof name, "code_%u", i);
    write_start(t, name);
    for (uint32_t k = 0; k < codes[i]; k++) write_chain(t, RATE_F32, k);
    write_end(t);
  }
}

/* ---- launches ------------------------------------------------------------------- */

int rate_open(rate_bench_t *b, const bench_gpu_t *gpu, uint64_t bytes, mrpb_err_t *err) {
  text_t text = {0};
  *b = (rate_bench_t){.in = 0};
  write_text(&text);
  if (bench_open(&b->bench, gpu, &text, err) != 0) return -1;
  b->out = bench_alloc(&b->bench, RATE_MOST_BLOCKS * RESULT, BENCH_DEVICE, err);
  if (b->out && bytes) b->in = bench_alloc(&b->bench, bytes, BENCH_DEVICE, err);
  return b->out && (b->in || !bytes) ? 0 : -1;
}

void rate_close(rate_bench_t *b) {
  bench_close(&b->bench);
}

/* Rounds a cycle of all warps: the sum over the blocks, and what they do until the last one ends. */
typedef struct {
  double sum, last;
} rounds_rate_t;

static int once(rate_bench_t *b, const char *kernel, const rate_t *h, rounds_rate_t *rate,
                mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = kernel,
                            .blocks = h->blocks,
                            .threads = h->warps * WARP_LANES,
                            .regs = RATE_REGS,
                            .n_args = 11,
                            .arg = {b->in, b->out, BENCH_NEVER, h->rounds, h->lane, h->warp,
                                    h->block, h->next, h->step, h->mask, h->far}};
  const uint64_t bytes = h->blocks * (uint64_t)RESULT;
  if (bench_must(&b->bench, &l, err) != 0 || bench_get(&b->bench, b->out, bytes, err) != 0)
    return -1;
  const uint32_t(*at)[2] = bench_at(&b->bench, b->out, bytes);
  double longest = 1;
  *rate = (rounds_rate_t){.sum = 0};
  for (uint32_t i = 0; i < h->blocks; i++) {
    const double cycles = fmax(1, bench_cycles(&b->bench, at[i][1] - at[i][0]));
    rate->sum += h->warps * h->rounds / cycles;
    longest = fmax(longest, cycles);
  }
  rate->last = (double)h->blocks * h->warps * h->rounds / longest;
  return 0;
}

static int best(rate_bench_t *b, const char *kernel, const rate_t *h, bool flushed, double *rate,
                mrpb_err_t *err) {
  rounds_rate_t r;
  *rate = b->last = 0;
  for (uint32_t i = 0; i <= b->bench.gpu.limits.repeats; i++) {
    if (flushed && bench_put(&b->bench, b->out, RESULT, err) != 0) return -1;
    if (once(b, kernel, h, &r, err) != 0) return -1;
    if (i == 0) continue;
    *rate = fmax(*rate, r.sum);
    b->last = fmax(b->last, r.last);
  }
  return 0;
}

int rate_run(rate_bench_t *b, rate_form_t form, const rate_t *h, bool flushed, double *rate,
             mrpb_err_t *err) {
  char kernel[16];
  snprintf(kernel, sizeof kernel, "rate_%u", form);
  if (best(b, kernel, h, flushed, rate, err) != 0) return -1;
  *rate *= forms[form].count;
  b->last *= forms[form].count;
  return 0;
}

int rate_run_code(rate_bench_t *b, unsigned code, const rate_t *h, double *rate, mrpb_err_t *err) {
  char kernel[16];
  snprintf(kernel, sizeof kernel, "code_%u", code);
  if (best(b, kernel, h, false, rate, err) != 0) return -1;
  *rate *= codes[code];
  return 0;
}
