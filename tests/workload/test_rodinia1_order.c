/* SPDX-License-Identifier: Apache-2.0 */
/* The Rodinia programs BP, BFS, BT, GM and HS: the global memory instructions of single warps in
 * order, with width, lanes and address, against the tables of the programs. */
#include "gpu/block_rig.h"

/* A global memory instruction: bytes of an element, negative for a store; active lanes; address of
 * the first one. */
typedef struct {
  int elem;
  unsigned lanes;
  uint64_t addr;
} op_t;

enum { MAX_OPS = 20 };

typedef struct {
  const char *program;
  unsigned launch; /* from 1 */
  uint32_t block;
  unsigned warp;
  op_t op[MAX_OPS]; /* up to the first with no lanes */
} sequence_t;

static const sequence_t sequences[] = {
    {"bp",
     1,
     0,
     1,
     {{4, 2, 0x8000000C}, {4, 32, 0x800402D0}, {-4, 32, 0x800402D0}, {-4, 2, 0x80480308}}},
    {"bp",
     2,
     0,
     1,
     {{4, 32, 0x804C0304},
      {4, 32, 0x8000000C},
      {4, 32, 0x804C04D0},
      {4, 32, 0x800402D0},
      {-4, 32, 0x800402D0},
      {4, 32, 0x804C0304},
      {4, 32, 0x8000000C},
      {4, 32, 0x804C04D0},
      {-4, 32, 0x804C04D0}}},
    {"bp-u",
     1,
     0,
     0,
     {{4, 32, 0x80040248},
      {4, 32, 0x80000004},
      {-4, 32, 0x80040248},
      {4, 16, 0x80040248},
      {4, 16, 0x8004028C},
      {-4, 16, 0x80040248},
      {4, 16, 0x80040248},
      {4, 16, 0x800402D0},
      {-4, 16, 0x80040248},
      {4, 16, 0x80040248},
      {4, 16, 0x80040358},
      {-4, 16, 0x80040248},
      {4, 16, 0x80040248},
      {4, 16, 0x80040468},
      {-4, 16, 0x80040248},
      {4, 2, 0x80040248},
      {-4, 2, 0x80480300}}},
    {"bfs",
     1,
     0,
     0,
     {{1, 32, 0x80200700},
      {-1, 1, 0x80200700},
      {4, 1, 0x80000004},
      {4, 1, 0x80000000},
      {4, 1, 0x80080000}}},
    {"bfs", 2, 1, 1, {{1, 32, 0x80210920}}},
    {"bt",
     1,
     0,
     0,
     {{8, 32, 0x80F87800},
      {4, 32, 0x80000408},
      {4, 32, 0x80FB6800},
      {4, 32, 0x8000040C},
      {8, 32, 0x80F9F000},
      {4, 32, 0x80000408},
      {4, 32, 0x80FBC600},
      {4, 32, 0x8000040C},
      {8, 1, 0x80F93400},
      {-8, 1, 0x80F87800},
      {8, 1, 0x80FAAC00},
      {-8, 1, 0x80F9F000}}},
    {"bt", 2, 0, 0, {{8, 32, 0x82326100}, {4, 32, 0x8139ED08}, {4, 32, 0x8234D300}}},
    {"gm", 1, 0, 0, {{4, 32, 0x8002A740}, {4, 32, 0x8002A400}, {-4, 32, 0x80000340}}},
    {"gm",
     2,
     0,
     0,
     {{4, 16, 0x80000340},
      {4, 16, 0x8002A400},
      {4, 16, 0x8002A740},
      {-4, 16, 0x8002A740},
      {4, 4, 0x80000340},
      {4, 4, 0x80054800},
      {4, 4, 0x80054804},
      {-4, 4, 0x80054804}}},
    {"hs", 1, 880, 1, {{4, 32, 0x800783B8}, {4, 32, 0x802783B8}, {-4, 24, 0x801783C0}}},
    {"hs-u",
     1,
     33,
     1,
     {{4, 32, 0x80009040},
      {4, 32, 0x80209040},
      {4, 32, 0x80009840},
      {4, 32, 0x80008840},
      {4, 32, 0x80009044},
      {4, 32, 0x8000903C},
      {-4, 32, 0x80109040}}},
};

typedef struct {
  const sequence_t *q;
  unsigned n;
} follow_t;

static void visit_sequence(void *to, const workload_t *w, const warp_stream_t *s, unsigned warp) {
  follow_t *f = to;
  const warp_inst_t *i = warp_stream_peek(w, s);
  uint32_t mask = warp_stream_mask(w, s);
  uint64_t addr[WARP_LANES];
  if (warp != f->q->warp || (i->cls != WARP_LOAD && i->cls != WARP_STORE)) return;
  if (i->space != WARP_GLOBAL || !mask || f->n == MAX_OPS || !f->q->op[f->n].lanes) return;
  const op_t *o = &f->q->op[f->n++];
  warp_stream_addresses(w, s, addr);
  uint64_t first = addr[__builtin_ctz(mask)];
  ck_assert_msg(i->elem == abs(o->elem) && (i->cls == WARP_STORE) == (o->elem < 0) &&
                    lanes(mask) == o->lanes && first == o->addr,
                "%s launch %u, op %u: %s of %d bytes, %u lanes from 0x%lx", f->q->program,
                f->q->launch, f->n, i->cls == WARP_LOAD ? "load" : "store", i->elem, lanes(mask),
                (unsigned long)first);
}

START_TEST(order_and_addresses) {
  for (unsigned k = 0; k < sizeof sequences / sizeof *sequences; k++) {
    follow_t f = {&sequences[k], 0};
    rig_t r = rig_open(f.q->program, 0, 0);
    rig_launch(&r, f.q->launch);
    r.visit = visit_sequence;
    r.visit_to = &f;
    (void)run_block(&r, f.q->block);
    ck_assert(f.n == MAX_OPS || !f.q->op[f.n].lanes); /* all were seen */
    workload_close(r.w);
  }
}
END_TEST

Suite *test_rodinia1_order_suite(void);
Suite *test_rodinia1_order_suite(void) {
  Suite *suite = suite_create("rodinia1_order");
  TCase *tc = tcase_create("order");
  tcase_set_timeout(tc, 120);
  tcase_set_tags(tc, "heavy"); /* each fills the paper's arrays */
  tcase_add_test(tc, order_and_addresses);
  suite_add_tcase(suite, tc);
  return suite;
}
