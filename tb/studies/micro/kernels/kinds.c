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

static void write_text(text_t *t, const kinds_t *p) {
  const kind_t *k = p->k;
  const bool one = p->same || k->form == CARD_BULK || k->form == CARD_CONSTANT;
  const uint32_t bytes = kinds_bytes(k);
  text_write(
      t, "kernels/kinds",
      TEXT_VALUES(
          TEXT_WORDS("version", k->isa >= 90   ? "8.0"
                                : k->isa >= 80 ? "7.0"
                                               : "6.0"),
          TEXT_NUMBER("isa", k->isa), TEXT_WORDS("op", k->op),
          TEXT_NUMBER("load", k->form == CARD_LOAD), TEXT_NUMBER("red", k->form == CARD_RED),
          TEXT_NUMBER("store", k->form == CARD_STORE), TEXT_NUMBER("atom", k->form == CARD_ATOM),
          TEXT_NUMBER("async", k->form == CARD_ASYNC), TEXT_NUMBER("bulk", k->form == CARD_BULK),
          TEXT_NUMBER("texture", k->form == CARD_TEXTURE),
          TEXT_NUMBER("constant", k->form == CARD_CONSTANT),
          TEXT_NUMBER("local", k->form == CARD_LOCAL), TEXT_NUMBER("words", k->words),
          TEXT_NUMBER("bytes", bytes), TEXT_NUMBER("constants", CONSTANTS),
          TEXT_NUMBER("memory", MEMORY_BASE), TEXT_NUMBER("warps", p->warps),
          TEXT_NUMBER("accesses", p->accesses), TEXT_NUMBER("lead", p->lead),
          TEXT_NUMBER("clocks", clocks(p)), TEXT_NUMBER("back", words_back(k) * p->lead),
          TEXT_NUMBER("warp", p->same ? 0 : p->lead * bytes),
          TEXT_NUMBER("lane", one ? 0 : k->words * WORD),
          TEXT_NUMBER("distance", p->same ? WORD : bytes)));
  t->optional = true;
  t->kernel = "kinds";
  t->form = k->form;
  t->accesses = p->lead;
}

typedef struct {
  bench_t bench;
  kinds_t what;
  uint64_t in, plain, out;
} kinds_bench_t;

/* ---- launches ----------------------------------------------------------------------- */

static void open(kinds_bench_t *b, const bench_gpu_t *gpu, const kinds_t *what) {
  text_t text = {0};
  *b = (kinds_bench_t){.what = *what};
  write_text(&text, what);
  bench_open(&b->bench, gpu, &text);
  if (b->bench.refused.text[0]) return;
  const uint64_t bytes = (uint64_t)what->warps * what->lead * kinds_bytes(what->k);
  const uint64_t plain = (uint64_t)what->warps * what->accesses * LINE;
  const bool host = what->k->place == BENCH_HOST; /* one allocation: the model supports only one */
  b->in = bench_alloc(&b->bench, host ? bytes + plain : bytes, what->k->place);
  b->plain = host ? b->in + bytes : bench_alloc(&b->bench, plain, BENCH_HOST);
  b->out = bench_alloc(&b->bench, out_bytes(what), BENCH_DEVICE);
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
static void once(void *ctx, void *seen) {
  kinds_bench_t *b = ctx;
  const kinds_t *p = &b->what;
  const bench_launch_t l = BENCH_LAUNCH("kinds", 1, LANES * p->warps, ACCEPT_REGISTERS, b->in,
                                        b->plain, b->out, p->idle, BENCH_NEVER);
  if (p->k->place == BENCH_DEVICE)
    bench_put(&b->bench, b->in, (uint64_t)p->warps * p->lead * kinds_bytes(p->k));
  bench_must(&b->bench, &l);
  if (bench_get(&b->bench, b->out, out_bytes(p))) collect(b, seen);
}

mrpb_err_t kinds_take(const bench_gpu_t *gpu, const kinds_t *what, kinds_seen_t *seen) {
  kinds_bench_t b;
  open(&b, gpu, what);
  const mrpb_err_t refused = b.bench.refused;
  if (!refused.text[0]) {
    once(&b, seen); /* fills the TLBs */
    accept_median(&b.bench, sizeof *seen, once, &b, seen);
  }
  bench_close(&b.bench);
  return refused;
}
