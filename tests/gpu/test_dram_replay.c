/* SPDX-License-Identifier: Apache-2.0 */
/* Traces through one DRAM channel: the formats and what they refuse, where addresses lie, what is
 * counted, and the patterns of docs/memory/dram.md against the figures of two other simulators. */
#include "gpu/dram/replay.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_dram_replay_suite(void);

static void write_file(char path[64], const char *text) {
  snprintf(path, 64, "build/tmp/mrpb_dram_%ld.trace", (long)getpid());
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

/* ---- formats ----------------------------------------------------------------- */

static const struct {
  const char *text;
  dram_format_t format;
} good[] = {
    {"0x12340 READ 0\n0x56780 WRITE 100\n", DRAM_DRAMSIM3},
    {"# a comment\n\n12340 read 0\r\n\t0x56780\twrite  100 \n", DRAM_DRAMSIM3},
    {"0x12340 P_MEM_RD 0\n0x56780 P_MEM_WR 100\n", DRAM_DRAMSIM3},
    {"0x12340 P_FETCH 0\n0x56780 P_MEM_WR 100\n", DRAM_DRAMSIM3},
    {"0x10 BOFF 0\n0x12340 P_LOCK_RD 0\n0x8 P_INT_ACK 7\n0x56780 P_MEM_WR 100\n0x10 BOFF 101\n",
     DRAM_DRAMSIM3},
    {"0x12340 P_LOCK_WR 0\n0x56780 P_MEM_WR 100\n", DRAM_DRAMSIM3},
    {"0x12340 IFETCH  0\n0x56780 WRITE   100\n", DRAM_DRAMSIM3},
    {"0x12340 read\n0x56780 write\n", DRAM_RAMULATOR},
    {"0x12340 READ\n0x56780 WRITE\n", DRAM_RAMULATOR},
    {"0x12340 R\n0x56780 W\n", DRAM_RAMULATOR},
    {"0X12340 R\n56780 W\n# end\n", DRAM_RAMULATOR},
    {"LD 0x12340\nST 354176\n", DRAM_LOADSTORE},
};

START_TEST(reads) {
  char path[64], where[128];
  dram_source_t *s;
  dram_request_t r;
  mrpb_err_t err = {{0}};
  write_file(path, good[_i].text);
  for (unsigned told = 0; told < 2; told++) {
    ck_assert_int_eq(dram_source_open(&s, path, told ? good[_i].format : DRAM_AUTO, &err), 0);
    ck_assert_msg(dram_source_next(s, &r, &err) == 1, "%s", err.text);
    ck_assert(r.addr == 0x12340 && !r.write && r.cycle == 0);
    ck_assert_msg(dram_source_next(s, &r, &err) == 1, "%s", err.text);
    ck_assert(r.addr == 0x56780 - (good[_i].format == DRAM_LOADSTORE ? 0x56780 - 354176 : 0));
    ck_assert(r.write);
    ck_assert_uint_eq(r.cycle, good[_i].format == DRAM_DRAMSIM3 ? 100 : 0);
    dram_source_where(s, where, sizeof where);
    ck_assert_ptr_nonnull(strstr(where, ".trace:"));
    ck_assert_int_eq(dram_source_next(s, &r, &err), 0);
    ck_assert_int_eq(dram_source_format(s), good[_i].format);
    dram_source_close(s);
  }
  remove(path);
}
END_TEST

static const struct {
  const char *text, *says;
} bad[] = {
    {"", "no request; legal: at least one"},
    {"# nothing\n\n", "no request; legal: at least one"},
    {"hello\n", ":1: 'hello'; legal: ADDRESS READ|WRITE CYCLE (DRAMsim3), ADDRESS R|W (Ramulator)"},
    {"0x10 READ\n0x10 READ 7\n", ":2: '0x10 READ 7'; legal: ADDRESS R|W"},
    {"0x10 BOFF 0\n", "no request; legal: at least one"},
    {"0x10 P_FETCH\n", ":1: '0x10 P_FETCH'; legal"},
    {"0x10 P_MEM_RD 0\n0x10 P_IO_RD 9\n", ":2: '0x10 P_IO_RD 9'; legal: ADDRESS READ|WRITE CYCLE"},
    {"0x10 P_MEM_RD 0\n0x10 P_MEM_RD 1,234.500 ns\n",
     "DRAMSim2's traceParse.py makes that of a k6"},
    {"0x10 R 5\n", ":1: '0x10 R 5'; legal"},
    {"0x10 READ 0\n0x10 R\n", ":2: '0x10 R'; legal: ADDRESS READ|WRITE CYCLE, the address"},
    {"0x10 R\n0x10 READ 0\n", ":2: '0x10 READ 0'; legal: ADDRESS R|W"},
    {"LD 16\nLD 1f\n", ":2: 'LD 1f'; legal: LD|ST ADDRESS"},
    {"0x10 READ -1\n", ":1: '0x10 READ -1'"},
    {"0x10 READ 1000000000000001\n", ":1: '0x10 READ 1000000000000001'"},
    {"0x10 READ 0 0\n", ":1: '0x10 READ 0 0'"},
    {"0x READ 0\n", ":1: '0x READ 0'"},
    {"-10 READ 0\n", ":1: '-10 READ 0'"},
    {"0x1ffffffffffffffff READ 0\n", ":1: '0x1ffffffffffffffff READ 0'"},
    {"0x10 READ 0\n0x10 READ", "the last line is cut off"},
    {"R 0,0,1,2\n", ":1: 'R 0,0,1,2'"},
    {"3 20734016\n", ":1: '3 20734016'; legal: ADDRESS READ|WRITE CYCLE (DRAMsim3), ADDRESS R|W"},
    {"1 20846400 8841280\n", "a CPU's trace must go through its simulator's caches first"},
};

START_TEST(refuses) {
  char path[64];
  dram_source_t *s;
  dram_request_t r;
  mrpb_err_t err = {{0}};
  int rc;
  write_file(path, bad[_i].text);
  ck_assert_int_eq(dram_source_open(&s, path, DRAM_AUTO, &err), 0);
  while ((rc = dram_source_next(s, &r, &err)) > 0) continue;
  ck_assert_int_eq(rc, -1);
  ck_assert_msg(strstr(err.text, bad[_i].says), "'%s' is not in '%s'", bad[_i].says, err.text);
  dram_source_close(s);
  remove(path);
}
END_TEST

/* What is written is read as it was, in every format. */
START_TEST(writes_what_it_reads) {
  static const dram_request_t all[] = {{0, 0, false}, {UINT64_MAX, 7, true}, {0x80, 7, false}};
  char path[64];
  mrpb_err_t err = {{0}};
  for (unsigned f = DRAM_DRAMSIM3; f <= DRAM_LOADSTORE; f++) {
    dram_source_t *s;
    dram_request_t r;
    write_file(path, "");
    FILE *to = fopen(path, "w");
    for (unsigned i = 0; i < 3; i++) dram_format_write(to, (dram_format_t)f, &all[i]);
    fclose(to);
    ck_assert_int_eq(dram_source_open(&s, path, DRAM_AUTO, &err), 0);
    for (unsigned i = 0; i < 3; i++) {
      ck_assert_msg(dram_source_next(s, &r, &err) == 1, "%s", err.text);
      ck_assert(r.addr == all[i].addr && r.write == all[i].write);
      ck_assert_uint_eq(r.cycle, f == DRAM_DRAMSIM3 ? all[i].cycle : 0);
    }
    dram_source_close(s);
    remove(path);
  }
}
END_TEST

/* ---- addresses ---------------------------------------------------------------- */

START_TEST(maps) {
  dram_cfg_t cfg;
  dram_map_t m;
  mrpb_err_t err = {{0}};
  uint32_t row, bank;
  dram_defaults(&cfg); /* 16 banks in 4 groups */
  ck_assert_int_eq(dram_map_parse(&m, "row,group,bank,column:12", &cfg, &err), 0);
  ck_assert(dram_map_find(&m, 0x12345678, &row, &bank));
  ck_assert(row == 0x1234 && bank == 5);
  ck_assert(dram_map_find(&m, 0xffffffffffff, &row, &bank));
  ck_assert(row == UINT32_MAX && bank == 15);
  ck_assert(!dram_map_find(&m, 0x1000000000000, &row, &bank));
  ck_assert_int_eq(dram_map_parse(&m, "row:12,group,bank,column:12", &cfg, &err), 0);
  ck_assert(dram_map_find(&m, UINT64_MAX, &row, &bank)); /* as the release: it wraps */
  ck_assert_uint_eq(row, 0xfff);
  ck_assert_int_eq(dram_map_parse(&m, "row,bank,group,column:11", &cfg, &err), 0);
  ck_assert(dram_map_find(&m, 3 << 15 | 6 << 11 | 0x7ff, &row, &bank)); /* group 2, bank 1 of it */
  ck_assert(row == 3 && bank == (2 << 2 | 1));
  ck_assert_int_eq(dram_map_parse(&m, "column:3,bank,row:4,column:2,group,column:1", &cfg, &err),
                   0);
  ck_assert(dram_map_find(&m, 1 << 9 | 0xa << 5 | 3 << 1, &row, &bank));
  ck_assert(row == 0xa && bank == (3 << 2 | 1));
  static const char *const wrong[] = {
      "",
      "row",
      "row,bank",
      "row,row,bank,group",
      "bank,row,group",
      "row,bank,group,column",
      "row,bank,group,column:0",
      "row,bank,group,column:65",
      "row:33,bank,group",
      "row,bank:2,group",
      "row,bank,group,colum:3",
      "row,bank,group,column:9x",
      "row:32,bank,group,column:29",
      "row,bank,group,column:1,column:1,column:1,column:1,column:1,column:1"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    err.text[0] = '\0';
    ck_assert_msg(dram_map_parse(&m, wrong[i], &cfg, &err) == -1, "%s", wrong[i]);
    ck_assert_ptr_nonnull(strstr(err.text, "legal: row, bank, group and column:BITS"));
  }
}
END_TEST

/* ---- runs --------------------------------------------------------------------- */

static dram_replay_t run_file(const char *text, const char *map_text) {
  char path[64];
  dram_cfg_t cfg;
  dram_map_t map;
  dram_source_t *s;
  dram_replay_t r;
  mrpb_err_t err = {{0}};
  dram_defaults(&cfg);
  write_file(path, text);
  ck_assert_int_eq(dram_map_parse(&map, map_text, &cfg, &err), 0);
  ck_assert_int_eq(dram_source_open(&s, path, DRAM_AUTO, &err), 0);
  ck_assert_msg(dram_replay(&r, &cfg, &map, 64, s, NULL, &err) == DRAM_REPLAY_DONE, "%s", err.text);
  dram_source_close(s);
  remove(path);
  return r;
}

/* A miss, a hit and a conflict of one bank, far apart: latencies by formula (dram.md). */
START_TEST(counts) {
  dram_replay_t r = run_file("0x1000 READ 0\n0x1040 READ 1000\n0x101000 READ 2000\n"
                             "0x101040 WRITE 3000\n",
                             "row,group,bank,column:12");
  ck_assert_uint_eq(r.requests, 4);
  ck_assert(r.reads == 3 && r.writes == 1);
  ck_assert(r.misses == 1 && r.hits == 2 && r.conflicts == 1);
  ck_assert_uint_eq(r.latency_min, 4);            /* WL */
  ck_assert_uint_eq(r.latency_max, 12 + 12 + 12); /* RP + RCD + CL */
  ck_assert_uint_eq(r.latency_sum, (12 + 12) + 12 + 36 + 4);
  ck_assert_uint_eq(r.waited_sum, 0);
  ck_assert_uint_eq(r.cycles, 3000 + 4 + 1);
  ck_assert_uint_eq(r.data_cycles, 4 * 2);
  ck_assert_uint_eq(r.bank[1].requests, 4);
  ck_assert_uint_eq(r.bank[1].activates, 2);
  ck_assert_uint_eq(r.bank[1].precharges, 1);
  ck_assert_uint_eq(r.bank[1].columns, 4);
  ck_assert_uint_eq(r.bank[0].requests, 0);
}
END_TEST

/* A cycle far away costs nothing to get to, one that is past is now, and two at once wait. */
START_TEST(far_and_past) {
  dram_replay_t r = run_file("0 READ 1000000000000000\n40 READ 5\n", "row,group,bank,column:12");
  ck_assert_uint_eq(r.requests, 2);
  ck_assert_uint_eq(r.cycles, UINT64_C(1000000000000000) + 12 + 12 + 3 + 1);
  ck_assert_uint_eq(r.waited_max, UINT64_C(1000000000000000) - 5);
}
END_TEST

START_TEST(beyond) {
  char path[64];
  dram_cfg_t cfg;
  dram_map_t map;
  dram_source_t *s;
  dram_replay_t r;
  mrpb_err_t err = {{0}};
  dram_defaults(&cfg);
  write_file(path, "0x0 R\n0xffffffffffffffff R\n");
  ck_assert_int_eq(dram_map_parse(&map, "row,group,bank,column:12", &cfg, &err), 0);
  ck_assert_int_eq(dram_source_open(&s, path, DRAM_AUTO, &err), 0);
  ck_assert_int_eq(dram_replay(&r, &cfg, &map, 64, s, NULL, &err), DRAM_REPLAY_FAILED);
  ck_assert_msg(strstr(err.text, ".trace:2: address 0xffffffffffffffff is beyond"), "%s", err.text);
  dram_source_close(s);
  remove(path);
}
END_TEST

/* ---- the patterns of docs/memory/dram.md --------------------------------------- */

/* One x32 channel with the timings of a GTX 480, 32 requests in it, the low bank bits the group. */
static dram_replay_t pattern(const char *name, uint32_t columns_first) {
  dram_cfg_t cfg;
  dram_map_t map;
  dram_source_t *s;
  dram_replay_t r;
  mrpb_err_t err = {{0}};
  dram_defaults(&cfg);
  cfg.chips = 1;
  cfg.group_shift_bug = 0;
  cfg.columns_first = columns_first;
  cfg.sched_queue = 31; /* and one with a bank while the trace streams */
  cfg.return_queue = 64;
  ck_assert_int_eq(dram_map_parse(&map, "row,bank,group,column:11", &cfg, &err), 0);
  ck_assert_int_eq(dram_source_pattern(&s, name, 100000, &err), 0);
  ck_assert_int_eq(dram_replay(&r, &cfg, &map, 32, s, NULL, &err), DRAM_REPLAY_DONE);
  dram_source_close(s);
  ck_assert_uint_eq(r.hits + r.misses + r.conflicts, 100000);
  ck_assert_uint_eq(r.reads + r.writes, 100000);
  return r;
}

static void near(uint64_t cycles, double published, double tolerance) {
  double off = ((double)cycles - published) / published;
  ck_assert_msg(off < tolerance && off > -tolerance, "%.0f cycles, published %.0f", (double)cycles,
                published);
}

START_TEST(stream) {
  dram_replay_t r = pattern("stream", (uint32_t)_i);
  ck_assert_uint_eq(r.misses + r.conflicts, 1563); /* 98.4 % row hits, as published */
  near(r.cycles, 226491, 0.0001);
}
END_TEST

/* The rule of the release, any command in bank order, is faster than the order of the two others.
 */
START_TEST(random_blocks) {
  dram_replay_t r = pattern("random", 1);
  near(r.cycles, 649635, 0.01);
  ck_assert_uint_lt(r.hits, 150);
  r = pattern("random", 0);
  near(r.cycles, 649635, 0.06);
  ck_assert_uint_lt(r.cycles, 640668);
}
END_TEST

/* Bounds that need no other simulator: RC for each row of one bank, CCD for each column at best. */
START_TEST(bounds) {
  near(pattern("rows", 0).cycles, 40 * 100000, 0.0001);
  near(pattern("banks", 1).cycles, 2 * 100000, 0.01);
  dram_replay_t r = pattern("pingpong", 0);
  ck_assert_uint_gt(r.cycles, 3 * 100000); /* CCDL: all in one group */
  ck_assert_uint_gt(r.conflicts, 100000 / 128);
  ck_assert_uint_eq(pattern("writes", 0).writes, 100000);
  ck_assert_uint_eq(pattern("copy", 0).writes, 50000);
  r = pattern("mix", 0);
  near(r.writes, 100000 / 3.0, 0.02);
}
END_TEST

START_TEST(unknown_pattern) {
  dram_source_t *s;
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(dram_source_pattern(&s, "zigzag", 1, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "pattern 'zigzag'; legal: stream, random, banks"));
}
END_TEST

Suite *test_dram_replay_suite(void) {
  Suite *s = suite_create("dram_replay");
  TCase *t = tcase_create("traces");
  tcase_add_loop_test(t, reads, 0, sizeof good / sizeof *good);
  tcase_add_loop_test(t, refuses, 0, sizeof bad / sizeof *bad);
  tcase_add_test(t, writes_what_it_reads);
  tcase_add_test(t, maps);
  tcase_add_test(t, counts);
  tcase_add_test(t, far_and_past);
  tcase_add_test(t, beyond);
  tcase_add_test(t, unknown_pattern);
  suite_add_tcase(s, t);
  t = tcase_create("patterns");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, stream, 0, 2);
  tcase_add_test(t, random_blocks);
  tcase_add_test(t, bounds);
  suite_add_tcase(s, t);
  return s;
}
