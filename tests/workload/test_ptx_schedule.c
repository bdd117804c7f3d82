/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that move forward as the driver's compiler moves them. The orders were read from the code
 * that ptxas 13.0 makes of such bodies for sm_90; the values must be those of the text. */
#include "simt_help.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 "   \
  "q) "                                                                                            \
  "{\n.shared .align 16 .b8 s[4096];\n.reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .pred %p<9>;\n"    \
  "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; mov.u32 %r30, s;\n"

typedef struct {
  const char *body;
  const char *order; /* of its instructions behind the head: letters, `a` the first of the text */
} body_t;

static const body_t bodies[] = {
    /* Loads pass the uses of others, and stores to another space. */
    {"ld.global.u32 %r1, [%rd1]; st.shared.u32 [%r30], %r1;"
     "ld.global.u32 %r2, [%rd1+4]; st.shared.u32 [%r30+4], %r2;",
     "acbd"},
    /* What computes an address goes with its load. */
    {"ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1; add.u64 %rd3, %rd1, 8;"
     "ld.global.u32 %r3, [%rd3];",
     "acdb"},
    /* A store through another pointer stays in front; one to other bytes of this one does not. */
    {"ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1; ld.global.u32 %r2, [%rd1+4];", "abc"},
    {"ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd1+8], %r1; ld.global.u32 %r2, [%rd1+4];", "acb"},
    {"ld.global.u32 %r1, [%rd1]; st.global.u64 [%rd1+8], %rd2; ld.global.u32 %r2, [%rd1+12];",
     "abc"},
    /* The pointer has changed in between: its bytes may be the same. */
    {"st.global.u32 [%rd1+8], %r1; add.u64 %rd1, %rd1, 4; ld.global.u32 %r2, [%rd1+4];", "abc"},
    {"ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1; ld.global.nc.u32 %r2, [%rd1+4];",
     "acb"},
    /* A generic address may be one of shared memory. */
    {"st.shared.u32 [%r30], %r1; ld.u32 %r2, [%rd1];", "ab"},
    /* A register that is still read, or written again. */
    {"add.u32 %r2, %r1, 1; ld.global.u32 %r1, [%rd1];", "ab"},
    {"mov.u32 %r1, 7; ld.global.u32 %r1, [%rd1];", "ab"},
    {"ld.global.u32 %r1, [%rd1]; add.u32 %r3, %r1, 1; setp.eq.u32 %p1, %r30, 0;"
     "@%p1 ld.global.u32 %r2, [%rd1+4];",
     "acdb"},
    /* No access passes a barrier; what uses a load does. */
    {"ld.global.u32 %r1, [%rd1]; add.u32 %r3, %r1, 1; bar.sync 0; ld.global.u32 %r2, [%rd1+4];",
     "acdb"},
    {"st.global.u32 [%rd1], %r1; membar.gl; ld.global.u32 %r2, [%rd1+4];", "abc"},
    /* An atomic is a store; one with an order is a fence. */
    {"atom.global.add.u32 %r1, [%rd1], 1; ld.global.u32 %r2, [%rd1+4];", "ba"},
    {"atom.acquire.gpu.global.add.u32 %r1, [%rd1], 1; ld.global.u32 %r2, [%rd1+4];", "ab"},
    /* Nothing passes a volatile load or the clock. */
    {"ld.global.u32 %r1, [%rd1]; add.u32 %r3, %r1, 1; ld.volatile.global.u32 %r4, [%rd1];"
     "ld.global.u32 %r2, [%rd1+4];",
     "abcd"},
    {"ld.global.u32 %r1, [%rd1]; add.u32 %r3, %r1, 1; mov.u32 %r4, %clock;"
     "ld.global.u32 %r2, [%rd1+4];",
     "abcd"},
    /* Nor does anything leave its basic block. */
    {"ld.global.u32 %r1, [%rd1]; add.u32 %r3, %r1, 1; bra L; L: ld.global.u32 %r2, [%rd1+4];",
     "abcd"},
    /* Loads from memory go before those from shared memory. */
    {"ld.shared.u32 %r1, [%r30]; add.u32 %r2, %r1, 1; ld.global.u32 %r3, [%rd1];", "cab"},
};
enum { BODIES = sizeof bodies / sizeof *bodies };

static const ptx_kernel_t *kernel_of(rig_t *r) {
  simt_view_t view;
  ck_assert(simt_view(r->w, &view));
  return ptx_kernel(view.module, 0);
}

/* The head is one line, so line n + 4 is the n-th instruction of the body: one a line. */
static void print_lines(char *to, size_t size, const char *body) {
  size_t n = (size_t)snprintf(to, size, "%s", HEAD);
  for (; *body && n + 2 < size; body++) {
    to[n++] = *body;
    if (*body == ';') to[n++] = '\n';
  }
  snprintf(to + n, size - n, "ret; }\n");
}

START_TEST(orders) {
  const body_t *b = &bodies[_i];
  rig_t r = {0};
  uint64_t moved;
  char text[2048], got[40] = "";
  print_lines(text, sizeof text, b->body);
  ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s: %s", b->body, r.err.text);
  const ptx_kernel_t *k = kernel_of(&r);
  const uint32_t first = k->insts[3].line; /* behind the three of the head: the body's line */
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 3; i + 1 < k->n_insts; i++)
    if (k->insts[i].line < least) least = k->insts[i].line;
  ck_assert_uint_eq(first, least);
  ck_assert_int_eq(simt_as_driver(r.w, &moved, &r.err), 0);
  size_t n = 0;
  for (uint32_t i = 0; i < k->n_insts && n + 1 < sizeof got; i++)
    if (k->insts[i].line >= least && k->insts[i].op != PTX_OP_EXIT)
      got[n++] = (char)('a' + k->insts[i].line - least);
  ck_assert_msg(strcmp(got, b->order) == 0, "%s: %s, expected %s", b->body, got, b->order);
  rig_buffer(&r, 0, 64);
  rig_buffer(&r, 1, 64);
  ck_assert_msg(rig_run(&r) == 0, "%s: %s", b->body, r.err.text);
  rig_close(&r);
}
END_TEST

/* Loads of one chain of sums that stand before the first sum: 24 registers, 10 of shared memory. */
START_TEST(in_flight) {
  static const struct {
    const char *space, *base, *type;
    unsigned bytes, before;
  } c[] = {{"global", "rd1", "f32", 4, 24},
           {"global", "rd1", "f64", 8, 12},
           {"shared", "r30", "f32", 4, 10}};
  char text[8192];
  rig_t r = {0};
  uint64_t moved;
  size_t n = (size_t)snprintf(text, sizeof text, "%s.reg .%s %%v<50>;\n", HEAD, c[_i].type);
  for (unsigned i = 1; i <= 40; i++) {
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "ld.%s.%s %%v%u, [%%%s+%u]; add.%s %%v0, %%v0, %%v%u;\n", c[_i].space,
                          c[_i].type, i, c[_i].base, c[_i].bytes * i, c[_i].type, i);
  }
  snprintf(text + n, sizeof text - n, "st.global.%s [%%rd1], %%v0; ret; }\n", c[_i].type);
  ck_assert_msg(rig_open(&r, text, 1, 1) == 0, "%s", r.err.text);
  ck_assert_int_eq(simt_as_driver(r.w, &moved, &r.err), 0);
  const ptx_kernel_t *k = kernel_of(&r);
  unsigned before = 0;
  for (uint32_t i = 0; i < k->n_insts && k->insts[i].op != PTX_OP_ADD; i++)
    before += k->insts[i].op == PTX_OP_LD && k->insts[i].space != PTX_PARAM;
  ck_assert_uint_eq(before, c[_i].before);
  ck_assert_uint_eq(moved, 40); /* the first passes the load of q */
  rig_buffer(&r, 0, 512);
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  rig_close(&r);
}
END_TEST

/* ---- values ------------------------------------------------------------------------------------- */

static uint32_t next(uint32_t *seed) {
  *seed = *seed * 1664525 + 1013904223;
  return *seed >> 8;
}

/* Loads and stores of few words through two registers that may hold the same address, sums, guards,
 * atomics and barriers. */
static void random_body(char *text, size_t size, uint32_t seed) {
  size_t n = (size_t)snprintf(text, size,
                              "%sadd.u64 %%rd3, %%rd1, 8; mov.u32 %%r31, %%r30;"
                              "setp.eq.u32 %%p1, %%r30, 0;\n",
                              HEAD);
  for (unsigned i = 1; i < 8; i++)
    n += (size_t)snprintf(text + n, size - n, "mov.u32 %%r%u, %u;", i, i * 77);
  for (unsigned i = 0; i < 60; i++) {
    const unsigned a = 1 + next(&seed) % 7, b = 1 + next(&seed) % 7, at = next(&seed) % 6 * 4;
    const char *const base = next(&seed) % 2 ? "%rd1" : next(&seed) % 2 ? "%rd3" : "%rd2";
    const char *const guard = next(&seed) % 4 ? "" : "@%p1 ";
    n += (size_t)snprintf(text + n, size - n, "%s", guard);
    switch (next(&seed) % 9) {
    case 0:
    case 1:
      n += (size_t)snprintf(text + n, size - n, "ld.global.u32 %%r%u, [%s+%u];\n", a, base, at);
      break;
    case 2:
    case 3:
      n += (size_t)snprintf(text + n, size - n, "st.global.u32 [%s+%u], %%r%u;\n", base, at, a);
      break;
    case 4:
      n +=
          (size_t)snprintf(text + n, size - n, "ld.shared.u32 %%r%u, [%%r3%u+%u];\n", a, a % 2, at);
      break;
    case 5:
      n +=
          (size_t)snprintf(text + n, size - n, "st.shared.u32 [%%r3%u+%u], %%r%u;\n", b % 2, at, a);
      break;
    case 6:
      n += (size_t)snprintf(text + n, size - n, "setp.lt.u32 %%p1, %%r%u, %%r%u;\n", a, b);
      break;
    case 7:
      n += (size_t)snprintf(text + n, size - n, "atom.global.add.u32 %%r%u, [%s+%u], %%r%u;\n", a,
                            base, at, b);
      break;
    default:
      n += (size_t)snprintf(text + n, size - n, "add.u32 %%r%u, %%r%u, %%r%u;\n", a, a, b);
      break;
    }
  }
  for (unsigned i = 1; i < 8; i++)
    n += (size_t)snprintf(text + n, size - n, "st.global.u32 [%%rd2+%u], %%r%u;", 32 + 4 * i, i);
  snprintf(text + n, size - n, "ret; }\n");
}

static void run_random(const char *text, bool as_driver, uint32_t out[32], uint64_t *moved) {
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, text, 1, 1) == 0, "%s\n%s", text, r.err.text);
  if (as_driver) ck_assert_int_eq(simt_as_driver(r.w, moved, &r.err), 0);
  uint32_t *p = rig_buffer(&r, 0, 128);
  uint64_t at;
  memcpy(&at, r.prepared.launch.params, sizeof at);
  simt_param(&r.prepared.launch, 1, at + 4); /* q points into p */
  for (unsigned i = 0; i < 32; i++) p[i] = i * i + 5;
  ck_assert_msg(rig_run(&r) == 0, "%s\n%s", text, r.err.text);
  memcpy(out, p, 32 * sizeof *out);
  rig_close(&r);
}

START_TEST(values) {
  uint64_t all = 0, moved;
  for (uint32_t seed = 1; seed <= 400; seed++) {
    static char text[16384];
    uint32_t plain[32], got[32];
    random_body(text, sizeof text, seed);
    run_random(text, false, plain, NULL);
    run_random(text, true, got, &moved);
    ck_assert_msg(memcmp(plain, got, sizeof got) == 0, "seed %u:\n%s", seed, text);
    all += moved;
  }
  ck_assert_uint_gt(all, 1000); /* something was tested */
}
END_TEST

Suite *test_ptx_schedule_suite(void);

Suite *test_ptx_schedule_suite(void) {
  Suite *s = suite_create("ptx_schedule");
  TCase *t = tcase_create("ptx_schedule");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, orders, 0, BODIES);
  tcase_add_loop_test(t, in_flight, 0, 3);
  tcase_add_test(t, values);
  suite_add_tcase(s, t);
  return s;
}
