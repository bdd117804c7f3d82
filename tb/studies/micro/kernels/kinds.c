/* SPDX-License-Identifier: Apache-2.0 */
/* See kinds.h. The rules of accept.c apply: no store between the counted accesses (unless stores
 * are counted), all values feed a branch, and the clocks stay in registers until the end. */
#include "studies/micro/kernels/kinds.h"

enum { LINE = 128, WORD = 4, LANES = 32, CONSTANTS = 1 << 15, CONSTANT_LINE = 64 };
enum { MOST_TX = (1 << 20) - 1 /* bytes that an mbarrier can wait for */ };

static const kind_t kinds[] = {
#define KIND(form, name, op, words, place, isa) {CARD_##form, name, op, words, BENCH_##place, isa},
#include "studies/micro/kernels/kinds.def"
#undef KIND
};

const kind_t *kinds_at(unsigned i) {
  return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

uint32_t kinds_bytes(const kind_t *k) {
  if (k->form == CARD_CONSTANT) return CONSTANT_LINE;
  return k->words * WORD * (k->form == CARD_BULK ? 1 : LANES);
}

/* How many words each lane gets back into registers of its own. */
static uint32_t words_back(const kind_t *k) {
  const bool none =
      k->form == CARD_STORE || k->form == CARD_RED || k->form == CARD_ASYNC || k->form == CARD_BULK;
  return none ? 0 : k->words;
}

uint32_t kinds_most(const kind_t *k, uint32_t warps) {
  enum { OTHERS = 16, MOST = 255, ALL = 65536 / LANES };
  uint32_t room = ALL / warps < MOST ? ALL / warps : MOST, n = KINDS_WARP;
  if (words_back(k)) n = (room - OTHERS) / words_back(k);
  if (k->form == CARD_CONSTANT) n = CONSTANTS / CONSTANT_LINE / warps;
  if (k->form == CARD_BULK && n > MOST_TX / kinds_bytes(k) / warps)
    n = MOST_TX / kinds_bytes(k) / warps;
  return n < KINDS_WARP ? n : KINDS_WARP;
}

/* How many registers of a lane keep clocks. */
static uint32_t clocks(const kinds_t *p) {
  return (p->accesses + LANES - 1) / LANES;
}

static uint32_t out_bytes(const kinds_t *p) {
  return clocks(p) * LANES * p->warps * WORD;
}

/* ---- the text --------------------------------------------------------------------- */

/* The registers {%v2, %v3} of access i. Stores always write the same values. */
static void write_vector(text_t *t, const kind_t *k, uint32_t i) {
  const char of = k->form == CARD_STORE ? 'q' : 'v';
  const uint32_t first = k->form == CARD_STORE ? 0 : i * k->words;
  if (k->words == 1) {
    text_add(t, "%%%c%u", of, first);
    return;
  }
  for (uint32_t w = 0; w < k->words; w++) text_add(t, "%s%%%c%u", w ? ", " : "{", of, first + w);
  text_add(t, "}");
}

/* %rd4: the address of this lane's first access; %r8: the same for a texture; %r11: its place in
 * shared memory; %p5: this is lane 0. */
static void write_access(text_t *t, const kinds_t *p, uint32_t i) {
  const kind_t *k = p->k;
  const uint32_t at = i * (p->same ? WORD : kinds_bytes(k));
  text_add(t, "  %s%s ", k->form == CARD_BULK ? "@%p5 " : "", k->op);
  switch (k->form) {
  case CARD_LOAD:
    write_vector(t, k, i);
    text_add(t, ", [%%rd4+%u]", at);
    break;
  case CARD_CONSTANT:
    text_add(t, "%%v%u, [%%rd4+%u]", i, at);
    break;
  case CARD_LOCAL: /* the hardware interleaves local memory across lanes */
    text_add(t, "%%v%u, [%%rd4+%u]", i, i * WORD);
    break;
  case CARD_STORE:
    text_add(t, "[%%rd4+%u], ", at);
    write_vector(t, k, i);
    break;
  case CARD_ATOM:
    text_add(t, "%%v%u, [%%rd4+%u], %%r4", i, at);
    break;
  case CARD_RED:
    text_add(t, "[%%rd4+%u], %%r4", at);
    break;
  case CARD_ASYNC:
    text_add(t, "[%%r11], [%%rd4+%u], %u", at, k->words * WORD);
    break;
  case CARD_BULK:
    text_add(t, "[%%r11], [%%rd4+%u], %u, [%%r10]", at, kinds_bytes(k));
    break;
  case CARD_TEXTURE:
    text_add(t, "{%%v%u, %%q0, %%q1, %%q2}, [texture, {%%r8}];\n  add.s32 %%r8, %%r8, %d", i,
             LANES);
    break;
  }
  text_add(t, ";\n");
}

/* Lane i mod 32 keeps the clock after access i. */
static void write_accesses(text_t *t, const kinds_t *p) {
  const uint32_t back = words_back(p->k) * p->lead;
  for (uint32_t i = 0; i < p->accesses; i++) {
    if (i < p->lead)
      write_access(t, p, i);
    else
      text_add(t, "  ld.global.ca.u32 %%v%u, [%%rd5+%u];\n", back + i - p->lead, i * LINE);
    text_add(t, "  setp.eq.u32 %%p3, %%r6, %u;\n  @%%p3 mov.u32 %%c%u, %%clock;\n", i % LANES,
             i / LANES);
  }
  for (uint32_t i = 0; i < back + p->accesses - p->lead; i++)
    text_add(t, "  add.u32 %%r13, %%r13, %%v%u;\n", i);
}

/* Uses the oldest version of PTX and the oldest GPU that support the kind. */
static void write_head(text_t *t, const kinds_t *p) {
  const kind_t *k = p->k;
  const char *version = k->isa >= 90 ? "8.0" : k->isa >= 80 ? "7.0" : "6.0";
  text_add(t, ".version %s\n.target sm_%u\n.address_size 64\n", version, k->isa);
  if (k->form == CARD_TEXTURE) text_add(t, ".global .texref texture;\n");
  if (k->form == CARD_CONSTANT) text_add(t, ".const .align 64 .b8 constants[%d];\n", CONSTANTS);
  text_add(t,
           ".visible .entry kinds(\n  .param .u64 p_in, .param .u64 p_plain, .param .u64 p_out,\n"
           "  .param .u64 p_idle, .param .u64 p_never)\n.maxntid %u, 1, 1\n{\n"
           "  .reg .pred %%p<7>;\n  .reg .b32 %%r<16>;\n  .reg .b32 %%q<4>;\n"
           "  .reg .b32 %%c<%d>;\n  .reg .b32 %%v<%u>;\n  .reg .b64 %%rd<9>;\n"
           "  .shared .align 4 .b8 go[4];\n",
           LANES * p->warps, clocks(p), KINDS_WARP * 4);
  if (k->form == CARD_ASYNC)
    text_add(t, "  .shared .align 16 .b8 to[%u];\n", 16 * LANES * p->warps);
  if (k->form == CARD_BULK)
    text_add(t, "  .shared .align 128 .b8 to[%u];\n  .shared .align 8 .b64 arrived;\n",
             kinds_bytes(k));
  if (k->form == CARD_LOCAL) text_add(t, "  .local .align 4 .b8 mine[%u];\n", p->accesses * WORD);
}

/* Sets up where a lane's accesses begin, and what a kind needs before its first access. */
static void write_places(text_t *t, const kinds_t *p) {
  const kind_t *k = p->k;
  const bool one = p->same || k->form == CARD_BULK || k->form == CARD_CONSTANT;
  const uint32_t lane = one ? 0 : k->words * WORD;
  text_add(t,
           "  mul.lo.u32 %%r8, %%r5, %u;\n  mad.lo.u32 %%r8, %%r6, %u, %%r8;\n"
           "  cvt.u64.u32 %%rd4, %%r8;\n  add.u64 %%rd4, %%rd4, %%rd1;\n"
           "  mul.wide.u32 %%rd5, %%r5, %u;\n  mad.wide.u32 %%rd5, %%r6, %d, %%rd5;\n"
           "  add.u64 %%rd5, %%rd5, %%rd2;\n",
           p->same ? 0 : p->lead * kinds_bytes(k), lane, p->accesses * LINE, WORD);
  if (k->form == CARD_CONSTANT) /* the data are in the kernel's variable */
    text_add(t, "  mov.u64 %%rd6, constants;\n  sub.u64 %%rd4, %%rd4, %%rd1;\n"
                "  add.u64 %%rd4, %%rd4, %%rd6;\n");
  if (k->form == CARD_TEXTURE)
    text_add(t,
             "  sub.u64 %%rd6, %%rd4, %llu;\n  shr.u64 %%rd6, %%rd6, 2;\n"
             "  cvt.u32.u64 %%r8, %%rd6;\n",
             (unsigned long long)MEMORY_BASE);
  if (k->form == CARD_TEXTURE) /* the first access fetches the texture's descriptor */
    text_add(
        t,
        "  mov.u32 %%q3, 0;\n  tex.1d.v4.s32.s32 {%%r13, %%q0, %%q1, %%q2}, [texture, {%%q3}];\n");
  if (k->form == CARD_CONSTANT) text_add(t, "  ld.const.u32 %%r13, [%%rd6];\n");
  text_add(t, "  setp.eq.u32 %%p4, %%r13, %%r3;\n  @%%p4 bra END;\n");
  if (k->form == CARD_ASYNC)
    text_add(t, "  mov.u32 %%r11, to;\n  mad.lo.u32 %%r11, %%r4, 16, %%r11;\n");
  if (k->form == CARD_BULK)
    text_add(t, "  mov.u32 %%r11, to;\n"
                "  mov.u32 %%r10, arrived;\n  setp.eq.u32 %%p5, %%r6, 0;\n"
                "  setp.eq.u32 %%p6, %%r4, 0;\n  @%%p6 mbarrier.init.shared.b64 [%%r10], 1;\n"
                "  @%%p6 fence.mbarrier_init.release.cluster;\n"
                "  @%%p6 mbarrier.arrive.expect_tx.shared.b64 _, [%%r10], %%r15;\n");
}

/* Contains a store that is never executed. Without it a compiler would see that nothing is ever
 * stored there, and drop the loads. */
static void write_local(text_t *t) {
  text_add(t, "  mov.u64 %%rd4, mine;\n  cvt.u64.u32 %%rd6, %%r7;\n"
              "  add.u64 %%rd4, %%rd4, %%rd6;\n  setp.eq.u32 %%p4, %%r12, %%r3;\n"
              "  @%%p4 st.local.u32 [%%rd4], %%r12;\n");
}

static void write_end(text_t *t, const kinds_t *p) {
  if (p->k->form == CARD_ASYNC) text_add(t, "  cp.async.wait_all;\n");
  if (p->k->form == CARD_BULK)
    text_add(t, "WAIT:\n  mbarrier.try_wait.parity.shared.b64 %%p6, [%%r10], 0;\n"
                "  @!%%p6 bra WAIT;\n");
  text_add(t, "  setp.eq.u32 %%p4, %%r13, %%r3;\n  @%%p4 bra END;\n");
  for (uint32_t c = 0; c < clocks(p); c++)
    text_add(t, "  st.global.u32 [%%rd7+%u], %%c%u;\n", c * p->warps * LANES * WORD, c);
  text_add(t, "  ret;\nEND:\n  st.global.u32 [%%rd3], %%r13;\n  ret;\n}\n");
}

static void write_kernel(text_t *t, const kinds_t *p) {
  write_head(t, p);
  text_add(t, "  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd2, [p_plain];\n"
              "  ld.param.u64 %%rd3, [p_out];\n  ld.param.u64 %%rd6, [p_idle];\n"
              "  cvt.u32.u64 %%r2, %%rd6;\n  ld.param.u64 %%rd6, [p_never];\n"
              "  cvt.u32.u64 %%r3, %%rd6;\n  mov.u32 %%r4, %%tid.x;\n"
              "  shr.u32 %%r5, %%r4, 5;\n  and.b32 %%r6, %%r4, 31;\n"
              "  and.b32 %%r7, %%r5, %%r2;\n  setp.ne.u32 %%p1, %%r7, 0;\n  @%%p1 ret;\n"
              "  mul.wide.u32 %%rd7, %%r4, 4;\n  add.u64 %%rd7, %%rd3, %%rd7;\n"
              "  mov.u32 %%r13, 0;\n");
  /* Bytes that all warps that are not idle request. */
  if (p->k->form == CARD_BULK)
    text_add(t,
             "  popc.b32 %%r15, %%r2;\n  mov.u32 %%r14, %u;\n"
             "  shr.u32 %%r15, %%r14, %%r15;\n",
             p->warps * p->lead * kinds_bytes(p->k));
  for (uint32_t c = 0; c < clocks(p); c++) text_add(t, "  mov.u32 %%c%u, 0;\n", c);
  write_places(t, p);
  text_add(t, "  mov.u32 %%r14, go;\n  st.shared.u32 [%%r14], %%r4;\n  bar.sync 0;\n"
              "  ld.shared.u32 %%r12, [%%r14];\n  setp.eq.u32 %%p4, %%r12, %%r3;\n"
              "  @%%p4 bra END;\n");
  if (p->k->form == CARD_LOCAL) write_local(t);
  for (uint32_t w = 0; p->k->form == CARD_STORE && w < p->k->words; w++)
    text_add(t, "  mov.u32 %%q%u, %%r5;\n", w);
  write_accesses(t, p);
  write_end(t, p);
}

/* ---- launches ----------------------------------------------------------------------- */

int kinds_open(kinds_bench_t *b, const bench_gpu_t *gpu, const kinds_t *what, mrpb_err_t *err) {
  text_t text = {0};
  *b = (kinds_bench_t){.what = *what};
  write_kernel(&text, what);
  text.optional = true;
  text.kernel = "kinds";
  text.form = what->k->form;
  text.accesses = what->lead;
  const int rc = bench_open(&b->bench, gpu, &text, err);
  if (rc != 0) return rc;
  const uint64_t bytes = (uint64_t)what->warps * what->lead * kinds_bytes(what->k);
  const uint64_t plain = (uint64_t)what->warps * what->accesses * LINE;
  if (what->k->place == BENCH_HOST) { /* one allocation, because the model supports only one */
    b->in = bench_alloc(&b->bench, bytes + plain, BENCH_HOST, err);
    b->plain = b->in ? b->in + bytes : 0;
  } else {
    b->in = bench_alloc(&b->bench, bytes, BENCH_DEVICE, err);
    b->plain = b->in ? bench_alloc(&b->bench, plain, BENCH_HOST, err) : 0;
  }
  b->out = b->plain ? bench_alloc(&b->bench, out_bytes(what), BENCH_DEVICE, err) : 0;
  return b->out ? 0 : -1;
}

void kinds_close(kinds_bench_t *b) {
  bench_close(&b->bench);
}

/* Finds where nothing more is accepted until something returns. */
static void find_pause(kinds_seen_t *seen) {
  seen->taken = 1;
  while (seen->taken < seen->n && seen->at[seen->taken] - seen->at[seen->taken - 1] <= ACCEPT_PAUSE)
    seen->taken++;
  seen->pause = seen->taken < seen->n ? seen->at[seen->taken] - seen->at[seen->taken - 1] : 0;
}

/* The clock after access i of warp w. */
static uint32_t clock_of(const kinds_t *p, const uint32_t *out, uint32_t w, uint32_t i) {
  return out[(i / LANES * p->warps + w) * LANES + i % LANES];
}

static void collect(const kinds_bench_t *b, kinds_seen_t *seen) {
  const kinds_t *p = &b->what;
  const uint32_t *out = bench_at(&b->bench, b->out, out_bytes(p));
  seen->n = seen->leading = 0;
  for (uint32_t w = 0; w < p->warps; w++)
    for (uint32_t i = 0; !(w & p->idle) && i < p->accesses; i++)
      seen->at[seen->n++] = clock_of(p, out, w, i);
  const uint32_t first = accept_sort(&b->bench, seen->at, seen->n);
  find_pause(seen);
  const uint32_t last = seen->at[seen->taken - 1];
  for (uint32_t w = 0; w < p->warps; w++)
    for (uint32_t i = 0; !(w & p->idle) && i < p->lead; i++)
      seen->leading += bench_cycles(&b->bench, clock_of(p, out, w, i) - first) <= last;
}

/* Makes one launch. Data of the device are in no cache. */
static int once(void *ctx, void *seen, mrpb_err_t *err) {
  kinds_bench_t *b = ctx;
  const kinds_t *p = &b->what;
  const bench_launch_t l = {.kernel = "kinds",
                            .blocks = 1,
                            .threads = LANES * p->warps,
                            .regs = ACCEPT_REGISTERS,
                            .n_args = 5,
                            .arg = {b->in, b->plain, b->out, p->idle, BENCH_NEVER}};
  if (p->k->place == BENCH_DEVICE &&
      bench_put(&b->bench, b->in, (uint64_t)p->warps * p->lead * kinds_bytes(p->k), err) != 0)
    return -1;
  if (bench_must(&b->bench, &l, err) != 0) return -1;
  if (bench_get(&b->bench, b->out, out_bytes(p), err) != 0) return -1;
  collect(b, seen);
  return 0;
}

int kinds_run(kinds_bench_t *b, kinds_seen_t *seen, mrpb_err_t *err) {
  if (once(b, seen, err) != 0) return -1; /* fills the TLBs */
  return accept_median(b->bench.gpu.limits.repeats, sizeof *seen, once, b, seen, err);
}
