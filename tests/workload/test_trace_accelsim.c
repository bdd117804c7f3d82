/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of Accel-Sim's tracer, versions 1 to 5: what is read is played, and malformed traces are
 * refused with the line. */
#include "trace_help.h"

Suite *test_trace_accelsim_suite(void);

#define ACCEL_HEAD                                                                                 \
  "-kernel name = _Z3addPfS_\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n"        \
  "-shmem = 0\n-nregs = 12\n-accelsim tracer version = 3\n\n#traces format = PC mask dest_num\n"   \
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
    ck_assert_msg(strstr(note.text, ":14: '-cluster dim = (2,1,1)' is unknown"), "%s", note.text);
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
    {TODAY("0", "", ""), ":12: -accelsim tracer version '0'; legal: a number from 1 to 6"},
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
    {TODAY5 TODAY_WARP("", "0 ") "-grid dim = (2,1,1)\n", ":31: '-grid dim = (2,1,1)' after"},
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

/* ---- windows of shared and local memory ------------------------------------- */

#define LANE0(header, inst)                                                                        \
  "-kernel name = probe\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 1024\n"              \
  "-accelsim tracer version = 5\n" header "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n"            \
  "insts = 2\n0100 " inst "\n0200 ffffffff 0 EXIT 0 0 0\n#END_TB\n"
#define SHARED "-shmem base_addr = 0x00007f59dd000000\n"
#define LOCAL(base) "-local mem base_addr = 0x00007f59" base "000000\n"
#define GENERIC(addr) "00000001 1 R1 LD.E 1 R2 4 0 " addr " 0"

static const struct {
  const char *text;
  int64_t shared; /* the place in shared memory; -1: global */
} windows[] = {
    /* tracers 4 and 5 write local memory below shared; earlier ones above */
    {LANE0(SHARED LOCAL("db"), GENERIC("0x7f59dd000040")), 0x40},
    {LANE0(SHARED LOCAL("df"), GENERIC("0x7f59dd000040")), 0x40},
    {LANE0(SHARED, GENERIC("0x7f59dd000040")), 0x40},
    /* the last word of 16 MB, and what is around them */
    {LANE0(SHARED LOCAL("db"), GENERIC("0x7f59ddfffffc")), 0xfffffc},
    {LANE0(SHARED LOCAL("db"), GENERIC("0x7f59de000000")), -1},
    {LANE0(SHARED LOCAL("df"), GENERIC("0x7f59de000000")), -1},
    {LANE0(SHARED LOCAL("db"), GENERIC("0x7f59dcfffffc")), -1},
    {LANE0(SHARED LOCAL("db"), GENERIC("0x7f59db000040")), -1},
    /* local memory within these 16 MB, and right behind them */
    {LANE0(SHARED "-local mem base_addr = 0x7f59dd010000\n", GENERIC("0x7f59dd00fffc")), 0xfffc},
    {LANE0(SHARED "-local mem base_addr = 0x7f59dd010000\n", GENERIC("0x7f59dd010000")), -1},
    {LANE0(SHARED LOCAL("de"), GENERIC("0x7f59de000000")), -1},
    /* no base, the same for both, or no generic access */
    {LANE0(SHARED LOCAL("dd"), GENERIC("0x7f59dd000040")), -1},
    {LANE0(LOCAL("df"), GENERIC("0x7f59dd000040")), -1},
    {LANE0(SHARED LOCAL("db"), "00000001 1 R1 LDG.E 1 R2 4 0 0x7f59dd000040 0"), -1},
};

START_TEST(windows_by_their_bases) {
  uint64_t addr[WARP_LANES];
  workload_t *w = must_open(windows[_i].text);
  ck_assert_ptr_nonnull(workload_next(w));
  warp_stream_t *s = warp_stream_open(w, 0, 0);
  const warp_inst_t *i = warp_stream_peek(w, s);
  ck_assert_int_eq(i->cls, WARP_LOAD);
  ck_assert_int_eq(i->space, windows[_i].shared < 0 ? WARP_GLOBAL : WARP_SHARED);
  warp_stream_addresses(w, s, addr);
  if (windows[_i].shared >= 0) ck_assert_uint_eq(addr[0], (uint64_t)windows[_i].shared);
  warp_stream_step(w, s);
  ck_assert_int_eq(warp_stream_peek(w, s)->cls, WARP_EXIT);
  warp_stream_close(w, s);
  workload_close(w);
}
END_TEST

/* Lanes 0 and 2 in shared memory, lane 1 not: an access of each, and R1 waits for the second. */
START_TEST(lanes_in_both_memories) {
  uint64_t addr[WARP_LANES];
  workload_t *w = must_open(LANE0(SHARED LOCAL("db"), "00000007 1 R1 LD.E 1 R2 4 0 0x7f59dd000008 "
                                                      "0x7f0000000000 0x7f59dd000010 0"));
  ck_assert_ptr_nonnull(workload_next(w));
  warp_stream_t *s = warp_stream_open(w, 0, 0);
  const warp_inst_t *i = warp_stream_peek(w, s);
  ck_assert(i->cls == WARP_LOAD && i->space == WARP_SHARED && warp_stream_mask(w, s) == 5);
  warp_stream_addresses(w, s, addr);
  ck_assert(addr[0] == 8 && addr[2] == 16);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert(i->cls == WARP_LOAD && i->space == WARP_GLOBAL && warp_stream_mask(w, s) == 2);
  warp_stream_step(w, s);
  ck_assert_int_eq(warp_stream_peek(w, s)->cls, WARP_EXIT);
  warp_stream_close(w, s);
  workload_close(w);
}
END_TEST

/* ---- elements that cross a line --------------------------------------------- */

static const struct {
  const char *text, *says; /* NULL: read */
} crossing[] = {
    {LANE0("", "00000001 1 R1 LDG.E.128 1 R2 16 0 0x3fff8 0"),
     ":10: 16 bytes at 0x3fff8 cross a multiple of 16; legal"},
    {LANE0("", "00000001 1 R1 LDG.E.128 1 R2 16 0 0x3fff0 0"), NULL},
    {LANE0("", "00000003 1 R1 LDG.E.64 1 R2 8 1 0x3fff8 4 0"), "8 bytes at 0x3fffc cross"},
    {LANE0("", "00000003 1 R1 LDG.E.64 1 R2 8 2 0x3fff8 -3 0"), "8 bytes at 0x3fff5 cross"},
    {LANE0("", "00000003 0 STS.U16 2 R1 R2 2 0 0x40 0x43 0"), "2 bytes at 0x43 cross"},
    {LANE0("", "00000001 1 R1 LDG.E.256 1 R2 32 0 0x40010 0"),
     "32 bytes at 0x40010 cross a multiple of 32"},
    {LANE0("", "00000001 1 R1 LDG.E.256 1 R2 32 0 0x40020 0"), NULL},
    {LANE0("", "00000001 1 R1 LDG.E 1 R2 12 0 0x40018 0"), "12 bytes at 0x40018 cross"},
    {LANE0("", "00000001 1 R1 LDG.E 1 R2 12 0 0x40004 0"), NULL},
    {LANE0("", "00000001 1 R1 LDG.E.U8 1 R2 1 0 0x40003 0"), NULL},
};

START_TEST(what_crosses_is_refused) {
  workload_t *w;
  mrpb_err_t err = {{0}};
  const char *says = crossing[_i].says;
  ck_assert_int_eq(open_text(&w, crossing[_i].text, &err), says ? -1 : 0);
  if (says)
    ck_assert_msg(strstr(err.text, says), "'%s' is not in '%s'", says, err.text);
  else
    workload_close(w);
}
END_TEST

/* ---- versions below 3 --------------------------------------------------------- */

#define OLD(version, place)                                                                        \
  "-kernel name = old\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n" version "\n#BEGIN_TB\n"       \
  "thread block = 0,0,0\nwarp = 0\ninsts = 0\nwarp = 1\ninsts = 0\n#END_TB\n#BEGIN_TB\n"           \
  "thread block = 1,0,0\nwarp = 0\ninsts = 0\nwarp = 1\ninsts = 3\n1 0 0 1 0000 ffffffff 1 R1 "    \
  "MOV 0 0 \n" place "0010 ffff0000 1 R8 LDG.E.SYS 1 R2 4 1 0x00007f1033702880 4 \n"               \
  "1 0 0 1 0020 ffffffff 0 EXIT 0 0 \n#END_TB\n"

static const struct {
  const char *text, *says; /* NULL: read */
} old[] = {
    {OLD("", "1 0 0 1 "), NULL},
    {OLD("-accelsim tracer version = 1\n", "1 0 0 1 "), NULL},
    {OLD("-accelsim tracer version = 2\n", "1 0 0 1 "), NULL},
    {OLD("", ""), "legal: 1 0 0 1 (X Y Z WARP) and an instruction: without an -accelsim tracer "
                  "version it is one below 3"},
    {OLD("-accelsim tracer version = 2\n", ""), "the tracer's version is below 3"},
    {OLD("", "0 0 0 1 "), ":19: '0 0 0 1 0010 ffff0000"},
    {OLD("", "1 0 0 0 "), "legal: 1 0 0 1 (X Y Z WARP)"},
    {OLD("-accelsim tracer version = 3\n", "1 0 0 1 "), "an instruction; legal: PC MASK"},
};

START_TEST(before_version_3) {
  workload_t *w;
  mrpb_err_t err = {{0}};
  const char *says = old[_i].says;
  ck_assert_int_eq(open_text(&w, old[_i].text, &err), says ? -1 : 0);
  if (says) {
    ck_assert_msg(strstr(err.text, says), "'%s' is not in '%s'", says, err.text);
    return;
  }
  ck_assert_ptr_nonnull(workload_next(w));
  warp_stream_t *s = warp_stream_open(w, 1, 1);
  const warp_inst_t *i = skip(w, s, 1); /* the MOV */
  ck_assert(i->cls == WARP_LOAD && warp_stream_mask(w, s) == 0xffff0000);
  warp_stream_step(w, s);
  ck_assert_int_eq(warp_stream_peek(w, s)->cls, WARP_EXIT);
  warp_stream_close(w, s);
  workload_close(w);
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
  const char *beside = strrchr(kernel, '/') + 1;
  snprintf(text, sizeof text, "MemcpyHtoD,0x7f0000000000,4096\n%s\n%s\n", beside, beside);
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
  tcase_add_loop_test(t, windows_by_their_bases, 0, sizeof windows / sizeof *windows);
  tcase_add_test(t, lanes_in_both_memories);
  tcase_add_loop_test(t, what_crosses_is_refused, 0, sizeof crossing / sizeof *crossing);
  tcase_add_loop_test(t, before_version_3, 0, sizeof old / sizeof *old);
  tcase_add_test(t, truncated_today);
  tcase_add_test(t, zero_byte);
  suite_add_tcase(s, t);
  return s;
}
