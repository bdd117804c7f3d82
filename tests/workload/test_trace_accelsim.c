/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of Accel-Sim's tracer, those of its versions 3 to 5: what is read is what is played,
 * and what is malformed is refused with its line. */
#include "trace_help.h"

Suite *test_trace_accelsim_suite(void);

#define ACCEL_HEAD                                                                                 \
  "-kernel name = _Z3addPfS_\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n"        \
  "-shmem = 0\n-nregs = 12\n-binary version = 70\n\n#traces format = PC mask dest_num\n"           \
  "\n#BEGIN_TB\n\nthread block = 0,0,0\n\n"
#define ACCEL_WARP0                                                                                \
  "warp = 0\ninsts = 6\n"                                                                          \
  "0000 ffffffff 1 R1 MOV 1 R255 0\n"                                                              \
  "0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4\n"                                           \
  "0020 0000000f 1 R3 LDG.E.64 1 R4 8 0 0x7f0000200000 0x7f0000200040 0x7f0000200080 "             \
  "0x7f0000200100\n"                                                                               \
  "0030 ffffffff 1 R5 FADD 2 R2 R2 0\n"                                                            \
  "0040 00000003 0 STG.E 2 R4 R5 4 2 0x7f0000000080 8\n"                                           \
  "0050 ffffffff 0 EXIT 0 0\n"
#define ACCEL_WARP1 "\nwarp = 1\ninsts = 1\n0050 ffffffff 0 EXIT 0 0\n\n#END_TB\n"
#define ACCEL_BLOCK1 "#BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 0\n" ACCEL_WARP1

START_TEST(accelsim) {
  workload_t *w = must_open(ACCEL_HEAD ACCEL_WARP0 ACCEL_WARP1 ACCEL_BLOCK1);
  const launch_t *l = workload_next(w);
  uint64_t addr[WARP_LANES];
  ck_assert_uint_eq(l->blocks, 2);
  ck_assert_uint_eq(l->threads, 64);
  ck_assert_uint_eq(l->regs, 12);
  warp_stream_t *s = warp_stream_open(w, 0, 0);
  const warp_inst_t *i = skip(w, s, 1);
  uint16_t first = i->dst[0];
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[0], 0x80000000);
  ck_assert_uint_eq(addr[31], 0x80000000 + 31 * 4);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert_uint_eq(i->elem, 8);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[0], 0x80200000); /* the next page follows */
  ck_assert_uint_eq(addr[3], 0x80200100);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert_int_eq(i->cls, WARP_ALU);
  ck_assert_uint_eq(i->src[0], first); /* FADD waits for the first load, not for the second */
  ck_assert_uint_eq(i->src[1], 0);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert_int_eq(i->cls, WARP_STORE);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[1] - addr[0], 8);
  warp_stream_close(w, s);
  s = warp_stream_open(w, 1, 0); /* no instructions: ends at once */
  ck_assert_int_eq(warp_stream_peek(w, s)->cls, WARP_EXIT);
  warp_stream_close(w, s);
  workload_close(w);
}
END_TEST

static const struct {
  const char *text, *says;
} bad_accel[] = {
    {ACCEL_HEAD ACCEL_WARP0 ACCEL_WARP1, "block 1 warp 0 of _Z3addPfS_ has no end"},
    {ACCEL_HEAD ACCEL_WARP0, "warp 1 of _Z3addPfS_ has no end"},
    {ACCEL_HEAD "warp = 0\ninsts = 2\n0000 ffffffff 1 R1 MOV 1 R255 0\n",
     ":17: the trace is cut off"},
    {ACCEL_HEAD "warp = 0\ninsts = 1\n0000 ffffffff 1 R1 LDG 1 R255 4 0 0x10\n", ":17: 1 words"},
    {ACCEL_HEAD "warp = 0\ninsts = 1\n0000 ffffffff 1 R1 LDG 1 R255 4 3 0x10\n",
     "address encoding"},
    {ACCEL_HEAD "warp = 0\ninsts = 1\nzzzz ffffffff 1\n", ":17: an instruction; legal"},
    {ACCEL_HEAD "warp = 99\n", "warp = N"},
    {"-kernel name = k\n#BEGIN_TB\n", "no -grid dim"},
    {"-kernel name = k\n", "no thread block"},
    {"-kernel name = k\n-grid dim = (2,1)\n", ":2: '(2,1)'; legal: (X,Y,Z)"},
};

START_TEST(refuses_accelsim) {
  workload_t *w;
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(open_text(&w, bad_accel[_i].text, &err), -1);
  ck_assert_msg(strstr(err.text, bad_accel[_i].says), "'%s' is not in '%s'", bad_accel[_i].says,
                err.text);
}
END_TEST

/* ---- what the tracer writes today ------------------------------------------ */

/* The comment is the same with and without line numbers; a blank ends a line. */
#define TODAY(version, lines, more)                                                                \
  "-kernel name = void scale<float>(float*, int)\n-kernel id = 3\n-grid dim = (1,1,1)\n"           \
  "-block dim = (32,1,1)\n-shmem = 1024\n-nregs = 16\n-binary version = 90\n"                      \
  "-cuda stream id = 0\n-shmem base_addr = 0x00007f5500000000\n"                                   \
  "-local mem base_addr = 0x00007f5501000000\n-nvbit version = 1.7.4\n"                            \
  "-accelsim tracer version = " version "\n" lines more                                            \
  "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode ...\n\n"                      \
  "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 6\n"
#define TODAY_WARP(line, imm)                                                                      \
  line "0000 ffffffff 1 R1 LDC 1 R255 0 " imm "\n" line                                            \
       "00a0 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f4000000000 4 " imm "\n" line                         \
       "00b0 00000001 1 R6 LD.E 1 R4 4 2 0x7f5500000040 " imm "\n" line                            \
       "00c0 00000003 1 R7 LDSM.16.M88.4 1 R4 2 1 0x80 16 " imm "\n" line                          \
       "00d0 ffffffff 0 STG.E.64 2 R4 R2 8 1 0x7f4000000100 8 " imm "\n" line                      \
       "00e0 ffffffff 0 EXIT 0 0 " imm "\n\n#END_TB\n"

static const struct {
  const char *text;
  bool noted;
} today[] = {
    {TODAY("3", "", "") TODAY_WARP("", ""), false},
    {TODAY("4", "-enable lineinfo = 0\n", "") TODAY_WARP("", ""), false},
    {TODAY("4", "-enable lineinfo = 1\n", "") TODAY_WARP("17 ", ""), false},
    {TODAY("5", "-enable lineinfo = 0\n", "") TODAY_WARP("", "0 "), false},
    {TODAY("5", "-enable lineinfo = 0\n", "") TODAY_WARP("", "-1 "), false},
    {TODAY("5", "-enable lineinfo = 1\n", "") TODAY_WARP("0 ", "96 "), false},
    {TODAY("5", "-enable lineinfo = 1\n", "") TODAY_WARP("-1 ", "96 "), false},
    {TODAY("5", "-enable lineinfo = 0\n", "-cluster dim = (2,1,1)\n-of no value =\n")
         TODAY_WARP("", "0 "),
     true},
    {TODAY("5", "-enable lineinfo = 0\r\n", "") TODAY_WARP("", "0 \r"), false},
};

START_TEST(accelsim_today) {
  char name[64];
  uint64_t addr[WARP_LANES];
  workload_t *w;
  mrpb_err_t err = {{0}}, note = {{0}};
  temp_name(name, ".traceg");
  write_file(name, today[_i].text, strlen(today[_i].text));
  ck_assert_msg(trace_open(&w, name, &note, &err) == 0, "%s", err.text);
  remove(name);
  if (today[_i].noted)
    ck_assert_msg(strstr(note.text, ":14: '-cluster dim = (2,1,1)' is not known"), "%s", note.text);
  else
    ck_assert_str_eq(note.text, "");
  const launch_t *l = workload_next(w);
  ck_assert_str_eq(l->kernel, "void_scale<float>(float*,_int)");
  ck_assert_uint_eq(l->regs, 16);
  ck_assert_uint_eq(l->shared, 1024);
  warp_stream_t *s = warp_stream_open(w, 0, 0);
  const warp_inst_t *i = skip(w, s, 1); /* LDC without an address */
  ck_assert(i->cls == WARP_LOAD && i->space == WARP_GLOBAL);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[31] - addr[0], 31 * 4);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s); /* a generic address in the window of shared memory */
  ck_assert(i->cls == WARP_LOAD && i->space == WARP_SHARED);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[0], 0x40);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert(i->cls == WARP_LOAD && i->space == WARP_SHARED);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s); /* R2's load is waited for */
  if (i->cls == WARP_ALU) warp_stream_step(w, s), i = warp_stream_peek(w, s);
  ck_assert_int_eq(i->cls, WARP_STORE);
  ck_assert_uint_eq(i->elem, 8);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[1] - addr[0], 8);
  warp_stream_step(w, s);
  ck_assert_int_eq(warp_stream_peek(w, s)->cls, WARP_EXIT);
  warp_stream_close(w, s);
  workload_close(w);
}
END_TEST

#define TODAY5 TODAY("5", "-enable lineinfo = 0\n", "")
static const struct {
  const char *text, *says;
} bad_today[] = {
    {TODAY("2", "", ""), ":12: -accelsim tracer version '2'; legal: a number from 3 to 6"},
    {TODAY("7", "", ""), ":12: -accelsim tracer version '7'; legal"},
    {TODAY("5", "-enable lineinfo = yes\n", ""), ":13: -enable lineinfo 'yes'; legal"},
    {TODAY("5", "-enable lineinfo = 2\n", ""), ":13: -enable lineinfo '2'; legal"},
    {TODAY("5", "", "-nonsense\n"), ":13: '-nonsense'; legal: -KEY = VALUE"},
    {TODAY("5", "", "-non=sense\n"), ":13: '-non=sense'; legal: -KEY = VALUE"},
    {TODAY("5", "", "-shmem base_addr = here\n"), ":13: -shmem base_addr 'here'"},
    /* line numbers that the header denies or promises */
    {TODAY5 TODAY_WARP("17 ", "0 "), ":23: an instruction; legal: PC MASK"},
    {TODAY("5", "-enable lineinfo = 1\n", "") TODAY_WARP("", "0 "), ":23: "},
    {TODAY("5", "-enable lineinfo = 1\n", "") TODAY_WARP("x ", "0 "),
     ":23: 'x'; legal: a line number first"},
    {TODAY5 TODAY_WARP("", "0 0 "), ":23: '0' at the end; legal: nothing, or one immediate"},
    {TODAY5 TODAY_WARP("", "zero "), ":23: 'zero' at the end"},
    {TODAY5 "0000 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n", ":25: '#END_TB' while 5 instructions"},
    {TODAY5 "0000 ffffffff 0 EXIT 0 0 0 \nwarp = 1\n", ":24: 'warp = 1' while 5 instructions"},
    {TODAY5 TODAY_WARP("", "0 ") "-grid dim = (2,1,1)\n", ":31: '-grid dim = (2,1,1)' behind"},
    {TODAY5 TODAY_WARP("", "0 ") "#BEGIN_TB\nwarp = 0\n", ":32: 'warp = 0' before its `thread"},
    {TODAY5 TODAY_WARP("", "0 ") "0000 ffffffff 0 EXIT 0 0 0\n", ":31: '0000 ffffffff 0 EXIT"},
    {"-kernel name = k\n-grid dim = (16777216,1,1)\n-block dim = (1024,1,1)\n#BEGIN_TB\n",
     "block 0 warp 0 of k has no end"},
    {"MemcpyHtoD,0,1\nncclAllReduce\n", ":2: 'ncclAllReduce'; legal: Memcpy"},
    {"\x28\xb5\x2f\xfd....\n", ":1: the zst data is damaged or cut off"},
    {"\x1f\x8b\x08.......\n", ":1: the gz data is damaged or cut off"},
};

START_TEST(refuses_today) {
  workload_t *w;
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(open_text(&w, bad_today[_i].text, &err), -1);
  ck_assert_msg(strstr(err.text, bad_today[_i].says), "'%s' is not in '%s'", bad_today[_i].says,
                err.text);
}
END_TEST

/* Every prefix is refused. */
START_TEST(truncated_today) {
  static const char text[] = TODAY5 TODAY_WARP("", "0 ");
  const size_t needed = sizeof text - 1 - strlen("\n#END_TB\n");
  char cut[sizeof text];
  for (size_t n = 0; n < needed; n++) {
    workload_t *w;
    mrpb_err_t err = {{0}};
    memcpy(cut, text, n);
    cut[n] = '\0';
    ck_assert_msg(open_text(&w, cut, &err) == -1, "%zu bytes were accepted", n);
  }
}
END_TEST

START_TEST(zero_byte) {
  static const char text[] = TODAY5 TODAY_WARP("", "0 ");
  char name[64], copy[sizeof text];
  workload_t *w;
  mrpb_err_t err = {{0}};
  memcpy(copy, text, sizeof text);
  copy[40] = '\0';
  temp_name(name, ".traceg");
  write_file(name, copy, sizeof text - 1);
  ck_assert_int_eq(trace_open(&w, name, NULL, &err), -1);
  remove(name);
  ck_assert_ptr_nonnull(strstr(err.text, ":1: a byte 0; legal: text"));
}
END_TEST

START_TEST(list) {
  char name[64], kernel[64], text[200];
  workload_t *w;
  mrpb_err_t err = {{0}};
  temp_name(kernel, "-1.traceg");
  temp_name(name, "-kernelslist.g");
  static const char body[] = ACCEL_HEAD ACCEL_WARP0 ACCEL_WARP1 ACCEL_BLOCK1;
  write_file(kernel, body, strlen(body));
  snprintf(text, sizeof text, "MemcpyHtoD,0x7f0000000000,4096\n%s\n%s\n", kernel + 5, kernel + 5);
  write_file(name, text, strlen(text));
  ck_assert_msg(trace_open(&w, name, NULL, &err) == 0, "%s", err.text);
  ck_assert_ptr_nonnull(workload_next(w));
  ck_assert_ptr_nonnull(workload_next(w));
  ck_assert_ptr_null(workload_next(w));
  workload_close(w);
  remove(kernel);
  ck_assert_int_eq(trace_open(&w, name, NULL, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, kernel));
  remove(name);
}
END_TEST

Suite *test_trace_accelsim_suite(void) {
  Suite *s = suite_create("trace_accelsim");
  TCase *t = tcase_create("accelsim");
  tcase_add_test(t, accelsim);
  tcase_add_loop_test(t, refuses_accelsim, 0, sizeof bad_accel / sizeof *bad_accel);
  tcase_add_test(t, list);
  tcase_add_loop_test(t, accelsim_today, 0, sizeof today / sizeof *today);
  tcase_add_loop_test(t, refuses_today, 0, sizeof bad_today / sizeof *bad_today);
  tcase_add_test(t, truncated_today);
  tcase_add_test(t, zero_byte);
  suite_add_tcase(s, t);
  return s;
}
