/* SPDX-License-Identifier: Apache-2.0 */
/* Where the memory system keeps the words of local memory: docs/ptx.md, "Local memory". */
#include "simt_help.h"
#include "workload/trace/trace.h"

#include <stdio.h>
#include <unistd.h>

Suite *test_simt_local_suite(void);

#define BASE UINT64_C(0xC0000000)

static const char text[] = PTX_HEAD
    ".visible .entry k(.param .u64 out) {\n"
    ".local .align 8 .b8 l[24]; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [out]; mov.u64 %rd2, l; cvta.local.u64 %rd3, %rd2;\n"
    "mov.u32 %r1, %tid.x; cvt.u64.u32 %rd4, %r1; st.local.u8 [l+5], %r1;\n"
    "st.local.u64 [%rd2+8], %rd4; st.v2.u32 [%rd3+16], {%r1, %r1};\n"
    "ld.local.v2.u16 {%r2, %r3}, [l+20]; ld.f64 %rd5, [%rd3+8]; ld.cg.u32 %r4, [%rd3+4];\n"
    "add.u32 %r2, %r2, %r3; cvt.u32.u64 %r3, %rd5; add.u32 %r2, %r2, %r3;\n"
    "mul.wide.u32 %rd6, %r1, 4; add.u64 %rd1, %rd1, %rd6; st.global.u32 [%rd1], %r2; ret; }\n";

/* Of the six accesses: byte within the region for lane 0, bytes, parts. */
static const struct {
  unsigned at, elem, parts;
  bool store;
} want[] = {{128 + 1, 1, 1, true}, {256, 8, 2, true},  {512, 8, 2, true},
            {640, 4, 1, false},    {256, 8, 2, false}, {128, 4, 1, false}};

static void expect_regions(rig_t *r, warp_stream_t *s, uint64_t base) {
  unsigned n = 0;
  const warp_inst_t *i;
  for (; (i = warp_stream_peek(r->w, s)); warp_stream_step(r->w, s)) {
    uint64_t addr[WARP_LANES] = {0};
    if (!i->local) continue;
    ck_assert_uint_lt(n, 6);
    ck_assert_int_eq(i->space, WARP_GLOBAL);
    ck_assert_int_eq(i->unit, WARP_MEM);
    ck_assert_int_eq(i->cls, want[n].store ? WARP_STORE : WARP_LOAD);
    ck_assert_uint_eq(i->bypass, 0);
    ck_assert_uint_eq(i->elem, want[n].elem);
    ck_assert_uint_eq(warp_inst_parts(i), want[n].parts);
    warp_stream_addresses(r->w, s, addr);
    for (unsigned l = 0; l < WARP_LANES; l++) ck_assert_uint_eq(addr[l], base + want[n].at + 4 * l);
    n++;
  }
  ck_assert_uint_eq(n, 6);
}

/* 24 bytes are 6 words, and a warp's region is 7 lines. */
START_TEST(by_slot) {
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, text, 3, 64) == 0, "%s", r.err.text);
  const uint32_t *out = rig_buffer(&r, 0, 256);
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *s = warp_stream_open(r.w, 0, 1);
  warp_stream_on_sm(r.w, s, &(warp_seat_t){.sm = 2, .sms = 14, .slot = 5, .slots = 48});
  expect_regions(&r, s, BASE + (2 * 48 + 5) * 7 * 128);
  warp_stream_close(r.w, s);
  for (unsigned i = 32; i < 64; i++) ck_assert_uint_eq(out[i], 2 * i);
  rig_close(&r);
}
END_TEST

/* Without an SM every warp of the grid has its own. */
START_TEST(by_block) {
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, text, 3, 64) == 0, "%s", r.err.text);
  rig_buffer(&r, 0, 256);
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *s = warp_stream_open(r.w, 2, 1);
  expect_regions(&r, s, BASE + (2 * 2 + 1) * 7 * 128);
  warp_stream_close(r.w, s);
  rig_close(&r);
}
END_TEST

/* Each word is a record, of as many bytes as it has; the load's use waits for its last one. */
START_TEST(recorded) {
  static const char *const lines[] = {
      "m 0 0 4 - st.g.1 ffffffff c0000081+4\n", "m 0 0 0 - st.g.4 ffffffff c0000100+4\n",
      "m 0 0 0 - st.g.4 ffffffff c0000180+4\n", "m 0 0 0 - st.g.4 ffffffff c0000200+4\n",
      "m 0 0 0 - st.g.4 ffffffff c0000280+4\n", "m 0 0 0 - ld.g.4 ffffffff c0000280+4\n",
      "m 0 0 0 - ld.g.4 ffffffff c0000100+4\n", "m 0 0 0 - ld.g.4 ffffffff c0000180+4\n",
      "m 0 0 0 - ld.g.4 ffffffff c0000080+4\n", "m 0 0 5 4,2,5 st.g.4 "};
  char name[] = "build/tmp/localXXXXXX", all[4096] = "";
  rig_t r = {0};
  const int fd = mkstemp(name);
  ck_assert_int_ge(fd, 0);
  close(fd);
  ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s", r.err.text);
  rig_buffer(&r, 0, 128);
  ck_assert_int_eq(trace_record(&r.w, r.w, name, &r.err), 0);
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  rig_close(&r);
  FILE *f = fopen(name, "r");
  ck_assert_ptr_nonnull(f);
  ck_assert_uint_gt(fread(all, 1, sizeof all - 1, f), 0);
  fclose(f);
  unlink(name);
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
    ck_assert_msg(strstr(all, lines[i]) != NULL, "no %s in\n%s", lines[i], all);
}
END_TEST

Suite *test_simt_local_suite(void) {
  Suite *s = suite_create("simt_local");
  TCase *t = tcase_create("addresses");
  tcase_add_test(t, by_slot);
  tcase_add_test(t, by_block);
  tcase_add_test(t, recorded);
  suite_add_tcase(s, t);
  return s;
}
