/* SPDX-License-Identifier: Apache-2.0 */
/* A VCD as a module's stimulus: what is read, what is compared, and what is refused in one line.
 * tests/cosim/waves.sh tests dumps written by Icarus and Verilator. */
#include "base/files.h"
#include "cosim/vcd/vcd_replay.h"
#include "cosim_help.h"

Suite *test_vcd_replay_suite(void);

/* A FIFO bank of 2 queues with 2 entries of 8 bits. Two cycles of reset, 0x5a into queue 1, 0x33
 * into queue 0 while queue 1 is dequeued, nothing. The last value is the edge's. */
static const char dump[] = "$timescale 1ns $end\n"
                           "$scope module top $end\n"
                           "$var wire 1 c clk_i $end\n"
                           "$scope module bank $end\n"
                           "$var wire 1 c clk_i $end\n"
                           "$var wire 1 r srst_ni $end\n"
                           "$var reg 1 e enq_valid_i $end\n"
                           "$var reg 1 q enq_queue_i $end\n"
                           "$var reg 8 d enq_data_i [7:0] $end\n"
                           "$var reg 1 v deq_valid_i $end\n"
                           "$var reg 1 p deq_queue_i $end\n"
                           "$var reg 1 s deq_same_i $end\n"
                           "$var wire 8 o deq_data_o [7:0] $end\n"
                           "$var wire 2 m empty_o [1:0] $end\n"
                           "$upscope $end\n"
                           "$upscope $end\n"
                           "$enddefinitions $end\n"
                           "#0\n0c\nxr\n0e\n0q\nb0 d\n0v\n0p\n0s\nbx o\nbx m\n"
                           "#5\n1c\n"
                           "#10\n0c\n0r\n"
                           "#15\n1c\nb11 m\nb0 o\n"
                           "#20\n0c\n"
                           "#25\n1c\n"
                           "#30\n0c\n1r\n1e\n1q\nb1011010 d\n"
                           "#35\n1c\nb01 m\n"
                           "#40\n0c\n0q\nb110011 d\n1v\n1p\n"
                           "#45\n1c\nb10 m\nb1011010 o\n"
                           "#50\n0c\n0e\n0v\n"
                           "#55\n1c\n"
                           "#60\n0c\n";

static int replay(bench_t *b, char *text, const char *sizes, vcd_choice_t choice, vectors_t *keep) {
  char path[128];
  FILE *out = tmpfile();
  ck_assert_ptr_nonnull(out);
  snprintf(path, sizeof path, "%s/my.vcd", b->dir);
  write_text(path, text);
  free(text);
  set_job(b, "fifo_bank", sizes, 0);
  vcd_replay_t job = {.cls = b->job.cls,
                      .choice = choice,
                      .path = path,
                      .vcd = b->job.vcd,
                      .program = "mrpb",
                      .out = out};
  memcpy(job.cfg, b->job.cfg, sizeof job.cfg);
  b->err.text[0] = '\0';
  int rc = vcd_replay_run(&job, keep, &b->err);
  rewind(out);
  b->text[fread(b->text, 1, TEXT - 1, out)] = '\0';
  fclose(out);
  return rc;
}

static char *text_of(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  ck_assert_ptr_nonnull(copy);
  return strcpy(copy, text);
}

static const char sizes[] = "QUEUES=2 DEPTH=2 DATA_W=8";

START_TEST(cycles_are_those_of_a_flip_flop) {
  static const uint64_t wanted[5][7] = {{0, 0, 0, 0, 0, 0},
                                        {0, 0, 0, 0, 0, 0},
                                        {1, 1, 1, 0x5a, 0, 0},
                                        {1, 1, 0, 0x33, 1, 1},
                                        {1, 0, 0, 0x33, 0, 1}};
  bench_t b;
  vectors_t v = {.cls = NULL};
  open_bench(&b);
  ck_assert_msg(replay(&b, text_of(dump), sizes, (vcd_choice_t){0}, &v) == 0, "%s%s", b.err.text,
                b.text);
  has(b.text, "matched 5 cycles of ");
  has(b.text,
      "scope top.bank, fifo_bank QUEUES=2 DEPTH=2 DATA_W=8 PARITY=0, 2 of 6 outputs and 0 of 6 "
      "registers, 10 of 63 bits, 100.0 % of the outputs' bits known, 1 cycles before the "
      "first reset left out\n  left out    outputs enq_ready_o, deq_ready_o, full_o, error_o\n");
  ck_assert_uint_eq(v.n, 5);
  for (unsigned t = 0; t < 5; t++)
    ck_assert_mem_eq(vectors_cycle(&v, t), wanted[t], sizeof wanted[t]);
  vectors_free(&v);
  close_bench(&b);
}
END_TEST

typedef struct {
  const char *from, *to; /* one place of the dump */
  int rc;
  const char *says; /* the message, or what is printed */
} case_t;

static const case_t cases[] = {
    /* the dump's outputs */
    {"#45\n1c\nb10 m\nb1011010 o\n", "#45\n1c\nb10 m\nb1011011 o\n", 1,
     "deq_data_o[7:0]              C 0x5a  RTL 0x5b  XOR 0x01"},
    {"#45\n1c\nb10 m\n", "#45\n1c\nb00 m\n", 1, "scope top.bank, time 55\n"},
    {"b1011010 o\n", "bx11010 o\n", 0, "92.5 % of the outputs' bits known"},
    {"$var wire 8 o deq_data_o [7:0] $end\n$var wire 2 m empty_o [1:0] $end\n",
     "$var wire 8 o x $end\n$var wire 2 m y $end\n", 2,
     "my.vcd: fifo_bank: nothing was compared: 0 of 6 outputs and 0 of 6 registers, 0 of 63 bits"},
    /* x on an input that decides an output only, on one that does not count, on one that does */
    {"0e\n0v\n", "0e\n0v\nxp\n", 0, "matched 5"},
    {"0e\n0v\n", "0e\n0v\nbx d\nxq\n", 0, "matched 5"},
    {"#20\n0c\n", "#20\n0c\nxe\nxq\nbx d\nxv\n", 0, "matched 5"}, /* in reset, then unused */
    {"b110011 d\n", "bx110011 d\n", 2,
     "my.vcd: at the clock edge of time 45 top.bank.enq_data_i is x or z, and is used"},
    {"0q\nb110011", "zq\nb110011", 2, "time 45 top.bank.enq_queue_i is x or z, and is used"},
    {"0e\n0v\n", "xe\n0v\n", 2, "time 55 top.bank.enq_valid_i is x or z, and is used"},
    {"#50\n0c\n", "#50\n0c\nxr\n", 2, ": srst_ni is x or z at the clock edge of time 55"},
    {"#50\n0c\n", "#50\nxc\n", 2, "my.vcd: the clock is x or z at time 50"},
    /* what a dump may lack */
    {"$var reg 1 q enq_queue_i $end\n", "$var reg 1 q enq_quene_i $end\n", 2,
     "scope top.bank lacks inputs of fifo_bank: enq_queue_i"},
    {"$var reg 8 d enq_data_i [7:0] $end\n", "$var reg 9 d enq_data_i [8:0] $end\n", 2,
     "my.vcd:9: top.bank.enq_data_i has 9 bits here; fifo_bank with QUEUES=2 DEPTH=2 DATA_W=8 "
     "PARITY=0 has "
     "8 (other sizes: --set)"},
    {"$var reg 8 d enq_data_i [7:0] $end\n", "$var reg 4 d enq_data_i [3:0] $end\n", 2,
     "top.bank.enq_data_i is dumped with 4 bits"},
    {"#10\n0c\n0r\n", "#10\n0c\n1r\n", 2, "srst_ni is 0 at none of the 6 clock edges"},
    {"#60\n0c\n", "#50\n0c\n", 2, "my.vcd:67: time goes back from 55 to 50"},
    {"#60\n0c\n", "#60\nb0", 2, "my.vcd:68: a value without its signal at the end of the file"},
    {"#60\n0c\n", "#60\n0k\n", 2, "my.vcd:68: a value for 'k', which no $var declares"},
    {"$enddefinitions $end\n", "0c\n", 2, "my.vcd:17: '0c': a VCD file begins with declarations"},
};

/* What simulators write beyond the standard: the table of docs/verify/waves.md. */
static const case_t beyond[] = {
    /* nine states: scalars and vectors, those that are looked at too */
    {"b1011010 d\n", "bHLhHlhL d\n", 0, "matched 5"},
    {"b1011010 d\n", "bLLHLHHLHL d\n", 2, "9 bits for 'd', which has 8"},
    {"b1011010 d\n", "bU1011010 d\n", 2, "time 35 top.bank.enq_data_i is x or z, and is used"},
    {"b1011010 d\n", "b-1011010 d\n", 2, "time 35 top.bank.enq_data_i is x or z, and is used"},
    {"b110011 d\n", "bw d\n", 2, "time 45 top.bank.enq_data_i is x or z, and is used"},
    {"bx o\nbx m\n", "bUUUU o\nb-W m\n", 0, "100.0 % of the outputs' bits known"},
    {"#10\n0c\n0r\n", "#10\n0c\nLr\n", 0, "matched 5"},
    {"#30\n0c\n1r\n", "#30\nlc\nHr\n", 0, "matched 5"},
    {"#50\n0c\n", "#50\n0c\nUr\n", 2, ": srst_ni is x or z at the clock edge of time 55"},
    {"b1011010 d\n", "bQ011010 d\n", 2, "a vector's value is b and digits 0, 1, x, z, or u, w"},
    /* scopes */
    {"$scope module top $end\n", "$scope module  $end\n", 0, "scope bank, fifo_bank"},
    {"$scope module bank $end\n", "$scope module $end\n", 0, "scope top, fifo_bank"},
    {"$scope module top $end\n", "$scope module $end\n $end\n", 0, "scope bank, fifo_bank"},
    {"$scope module bank $end\n", "$scope $end\n", 2, "my.vcd:4: a $scope without its kind"},
    {"$upscope $end\n$upscope $end\n", "$upscope $end\n$upscope $end\n$upscope $end\n", 2,
     "my.vcd:17: $upscope outside of every scope"},
    /* no bits */
    {"$var wire 2 m", "$var wire 0 - nothing [-1:0] $end\n$var wire 2 m", 0, "matched 5"},
    {"$enddefinitions $end\n#0\n",
     "$var wire 0 - no $end\n$enddefinitions $end\n#0\nb -\nb0 -\n0-\nb -\n", 0, "matched 5"},
    {"b1011010 d\n", "b d\n", 2, "my.vcd:47: no digit for 'd', which has 8 bits"},
    {"$var wire 2 m", "$var wire -1 m", 2, "a $var needs its number of bits, from 0 to"},
    /* times */
    {"#45\n", "#40.5\n", 0, "matched 5"},
    {"#50\n0c\n", "#50\nxc\n#50.00\n0c\n", 0, "matched 5"},
    {"#45\n1c\n", "#44.25\n#44.250000000000000001\n1c\n#44.3\n", 0, "matched 5"},
    {"#45\n1c\n", "#44.25\n1c\n#44.2\n", 2, "time goes back from 44.25 to 44.2"},
    {"#45\n", "#45.\n", 2, "'#45.': a time is # and a number below 2^64"},
    {"#45\n", "#45.5.1\n", 2, "'#45.5.1': a time is # and a number below 2^64"},
    /* values */
    {"b1011010 d\n", "b0b1011010 d\n", 0, "matched 5"},
    {"#50\n0c\n", "#50\n0 c\n", 0, "matched 5"},
    {"#60\n0c\n", "#60\n0", 2, "my.vcd:68: a value without its signal at the end of the file"},
    /* the end of the declarations, and of the file */
    {"$enddefinitions $end\n", "", 0, "matched 5"},
    {"$enddefinitions $end\n#0\n", "$dumpvars\n0c\n$end\n#0\n", 0, "matched 5"},
    {"#55\n1c\n#60\n0c\n", "#55\n1c", 0, "matched 5"},
    /* others */
    {"$var wire 2 m", "$var port [1:0] <0 pin $end\n$var wire 2 m", 2,
     "my.vcd:14: '$var port [': an extended VCD; evcd2vcd of the Debian package gtkwave"},
    {"#60\n0c\n", "#60\n$dumpports\npD 6 0 c\n$end\n", 2,
     "'$dumpports': an extended VCD; evcd2vcd"},
    {"#60\n0c\n", "#60\n$vcdclose #60 $end\n", 2, "my.vcd:68: '$vcdclose': an extended VCD"},
    {"#60\n0c\n", "#60\npD 6 0 c\n", 2, "my.vcd:68: 'pD': an extended VCD; evcd2vcd"},
    {"$timescale 1ns $end\n", "GHDLwave\n", 2, "my.vcd: a GHW file; GHDL writes a VCD with"},
    {"$timescale 1ns $end\n", "\1\70\4\n", 2, "my.vcd: an LXT file; legal: a VCD or an FST"},
    {"$timescale 1ns $end\n", "\23\200\n", 2, "my.vcd: an LXT2 file; lxt2vcd of the Debian"},
    {"$timescale 1ns $end\n", "VZ\n", 2, "my.vcd: a VZT file; vzt2vcd of the Debian package"},
};

static void check_case(const case_t *c) {
  bench_t b;
  open_bench(&b);
  int rc = replay(&b, edited(text_of(dump), c->from, c->to), sizes, (vcd_choice_t){0}, NULL);
  ck_assert_msg(rc == c->rc, "%d: %s%s", rc, b.err.text, b.text);
  has(rc == 2 ? b.err.text : b.text, c->says);
  close_bench(&b);
}

START_TEST(a_dump_with_one_place_changed) {
  check_case(&cases[_i]);
}
END_TEST

START_TEST(beyond_the_standard) {
  check_case(&beyond[_i]);
}
END_TEST

/* Bits one by one, a slice, another order of the declarations. */
START_TEST(ports_in_pieces) {
  char *text = edited(text_of(dump), "$var reg 8 d enq_data_i [7:0] $end\n",
                      "$var reg 3 h enq_data_i [7:5] $end\n$var reg 1 4 enq_data_i [4] $end\n"
                      "$var reg 4 l enq_data_i[3:0] $end\n");
  text = edited(text, "b0 d\n", "b0 h\n04\nb0 l\n");
  text = edited(text, "b1011010 d\n", "b010 h\n14\nb1010 l\n");
  text = edited(text, "b110011 d\n", "b001 h\nb0011 l\n");
  bench_t b;
  open_bench(&b);
  ck_assert_msg(replay(&b, text, sizes, (vcd_choice_t){0}, NULL) == 0, "%s%s", b.err.text, b.text);
  has(b.text, "matched 5 cycles");
  close_bench(&b);
}
END_TEST

START_TEST(parameters_of_the_dump) {
  static const char with[] =
      "$var parameter 32 Q QUEUES [31:0] $end\n"
      "$var parameter 32 D DEPTH [31:0] $end\n"
      "$var parameter 32 W DATA_W [31:0] $end\n$var reg 1 e enq_valid_i $end\n";
  char *text = edited(text_of(dump), "$var reg 1 e enq_valid_i $end\n", with);
  bench_t b;
  open_bench(&b);
  text = edited(text, "#0\n", "#0\nb10 Q\nb10 D\nb1000 W\n");
  ck_assert_msg(replay(&b, text_of(text), "", (vcd_choice_t){0}, NULL) == 0, "%s", b.err.text);
  has(b.text, "fifo_bank QUEUES=2 DEPTH=2 DATA_W=8");
  vcd_choice_t given = {.given = {[1] = true}};
  ck_assert_int_eq(replay(&b, text_of(text), "DEPTH=3", given, NULL), 2);
  has(b.err.text, "--set DEPTH=3: ");
  has(b.err.text, "my.vcd has DEPTH=2");
  ck_assert_int_eq(replay(&b, edited(text, "b10 D", "b1111111 D"), "", (vcd_choice_t){0}, NULL), 2);
  has(b.err.text, "DEPTH");
  close_bench(&b);
}
END_TEST

START_TEST(scope_and_clock) {
  bench_t b;
  open_bench(&b);
  ck_assert_int_eq(replay(&b, text_of(dump), sizes, (vcd_choice_t){.scope = "top.bonk"}, NULL), 2);
  has(b.err.text, "no scope 'top.bonk'; nearest: top.bank");
  ck_assert_int_eq(replay(&b, text_of(dump), sizes, (vcd_choice_t){.scope = "top"}, NULL), 2);
  has(b.err.text, "scope top lacks inputs of fifo_bank: srst_ni enq_valid_i");
  ck_assert_int_eq(replay(&b, text_of(dump), sizes, (vcd_choice_t){.clock = "clock"}, NULL), 2);
  has(b.err.text, "no clock 'clock' in scope top.bank or around it; name it with --clock");
  ck_assert_int_eq(replay(&b, text_of(dump), sizes, (vcd_choice_t){.clock = "top.clk_i"}, NULL), 0);
  /* Two of them, with other signals. */
  char *text = edited(text_of(dump), "$enddefinitions $end\n",
                      "$scope module other $end\n$var wire 1 C clk_i $end\n"
                      "$var wire 1 R srst_ni $end\n$var reg 1 E enq_valid_i $end\n"
                      "$var reg 1 Q enq_queue_i $end\n$var reg 8 D enq_data_i [7:0] $end\n"
                      "$var reg 1 V deq_valid_i $end\n$var reg 1 P deq_queue_i $end\n"
                      "$var reg 1 S deq_same_i $end\n"
                      "$upscope $end\n$enddefinitions $end\n");
  ck_assert_int_eq(replay(&b, text_of(text), sizes, (vcd_choice_t){0}, NULL), 2);
  has(b.err.text, "--scope is needed: both top.bank and other have the inputs of fifo_bank");
  ck_assert_int_eq(replay(&b, text_of(text), sizes, (vcd_choice_t){.scope = "other"}, NULL), 2);
  has(b.err.text, "my.vcd: the clock never rises");
  ck_assert_int_eq(replay(&b, text, sizes, (vcd_choice_t){.scope = "top.bank"}, NULL), 0);
  close_bench(&b);
}
END_TEST

/* The wave of a difference has the dump's ports, the C model's and their XOR. */
START_TEST(wave_of_a_difference) {
  bench_t b;
  char path[128], save[128];
  open_bench(&b);
  snprintf(path, sizeof path, "%s/w.vcd", b.dir);
  snprintf(save, sizeof save, "%s/w.gtkw", b.dir);
  b.job.vcd = path;
  ck_assert_int_eq(replay(&b, edited(text_of(dump), "b1011010 o\n", "b1011011 o\n"), sizes,
                          (vcd_choice_t){0}, NULL),
                   1);
  has(b.text, "MISMATCH fifo_bank, cycle 4, outputs before its edge\n");
  has(b.text, "  repeat      mrpb cosim fifo_bank --set QUEUES=2 --set DEPTH=2 --set DATA_W=8 "
              "--set PARITY=0 --vcd-in ");
  char *wave = files_read(path, NULL), *view = files_read(save, NULL);
  ck_assert_ptr_nonnull(wave);
  ck_assert_ptr_nonnull(view);
  has(wave, " diff_deq_data_o [7:0] $end");
  has(wave, " ref_mem_q[1] [7:0] $end");
  has(wave, "b1011011 ");
  ck_assert_ptr_null(strstr(wave, " diff_mem_q[1]"));
  has(view, "fifo_bank.diff_deq_data_o[7:0]");
  free(wave);
  free(view);
  close_bench(&b);
}
END_TEST

/* ---- FST ---- */

/* The dump as FST; the caller frees it. */
static char *fst_of(const bench_t *b, size_t *n) {
  char command[512], path[128];
  snprintf(path, sizeof path, "%s/in.vcd", b->dir);
  write_text(path, dump);
  snprintf(command, sizeof command, "vcd2fst %s/in.vcd %s/in.fst", b->dir, b->dir);
  ck_assert_int_eq(system(command), 0);
  snprintf(path, sizeof path, "%s/in.fst", b->dir);
  char *bytes = files_read(path, n);
  ck_assert_ptr_nonnull(bytes);
  return bytes;
}

/* What is said of these bytes under a name that does not matter. */
static int replay_bytes(bench_t *b, const char *bytes, size_t n) {
  char path[128];
  snprintf(path, sizeof path, "%s/my.wave", b->dir);
  FILE *f = fopen(path, "wb"), *out = tmpfile();
  ck_assert_ptr_nonnull(f);
  ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
  ck_assert_int_eq(fclose(f), 0);
  set_job(b, "fifo_bank", sizes, 0);
  vcd_replay_t job = {.cls = b->job.cls, .path = path, .program = "mrpb", .out = out};
  memcpy(job.cfg, b->job.cfg, sizeof job.cfg);
  b->err.text[0] = '\0';
  int rc = vcd_replay_run(&job, NULL, &b->err);
  rewind(out);
  b->text[fread(b->text, 1, TEXT - 1, out)] = '\0';
  fclose(out);
  return rc;
}

START_TEST(packed_by_another_program) {
  static const char *const programs[] = {"gzip", "xz", "zstd -q"};
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
    char command[512], path[128];
    size_t n;
    bench_t b;
    open_bench(&b);
    snprintf(path, sizeof path, "%s/in.vcd", b.dir);
    write_text(path, dump);
    snprintf(command, sizeof command, "%s < %s > %s/packed", programs[i], path, b.dir);
    ck_assert_int_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/packed", b.dir);
    char *bytes = files_read(path, &n);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_msg(replay_bytes(&b, bytes, n) == 0, "%s", b.err.text);
    has(b.text, "matched 5 cycles of ");
    ck_assert_int_eq(replay_bytes(&b, bytes, n - 9), 2);
    has(b.err.text, " data is damaged or cut off");
    free(bytes);
    close_bench(&b);
  }
}
END_TEST

START_TEST(fst_is_told_by_its_contents) {
  bench_t b;
  size_t n;
  open_bench(&b);
  char *bytes = fst_of(&b, &n);
  ck_assert_msg(replay_bytes(&b, bytes, n) == 0, "%s", b.err.text);
  has(b.text, "matched 5 cycles of ");
  has(b.text, "100.0 % of the outputs' bits known, 1 cycles before");
  free(bytes);
  close_bench(&b);
}
END_TEST

/* fst2vcd alone takes most of these for whole. */
START_TEST(fst_that_is_cut_off_or_damaged) {
  bench_t b;
  size_t n;
  open_bench(&b);
  char *bytes = fst_of(&b, &n);
  for (size_t cut = 9; cut < n; cut += n / 12) {
    ck_assert_int_eq(replay_bytes(&b, bytes, cut), 2);
    has(b.err.text, "my.wave: FST: the file is cut off");
  }
  bytes[330] = 77; /* the kind of the second block */
  ck_assert_int_eq(replay_bytes(&b, bytes, n), 2);
  has(b.err.text, "my.wave: FST: a block of a kind that FST does not define");
  memset(bytes + 331, 0, 8);
  bytes[330] = 1;
  ck_assert_int_eq(replay_bytes(&b, bytes, n), 2);
  has(b.err.text, "my.wave: FST: a block without a length");
  ck_assert_int_eq(replay_bytes(&b, "\376garbage, and more of it", 24), 2);
  has(b.err.text, "my.wave: FST: ");
  free(bytes);
  close_bench(&b);
}
END_TEST

START_TEST(fst_without_its_tool) {
  bench_t b;
  size_t n;
  open_bench(&b);
  char *bytes = fst_of(&b, &n), *old = strdup(getenv("PATH"));
  ck_assert_int_eq(setenv("PATH", b.dir, 1), 0);
  const int rc = replay_bytes(&b, bytes, n);
  ck_assert_int_eq(setenv("PATH", old, 1), 0); /* others may run in this process */
  free(old);
  ck_assert_int_eq(rc, 5);
  has(b.err.text, "my.wave: fst2vcd is missing; it is in the Debian package gtkwave");
  free(bytes);
  close_bench(&b);
}
END_TEST

Suite *test_vcd_replay_suite(void) {
  Suite *s = suite_create("vcd_replay");
  TCase *t = tcase_create("vcd_replay");
  tcase_add_test(t, cycles_are_those_of_a_flip_flop);
  tcase_add_loop_test(t, a_dump_with_one_place_changed, 0, sizeof cases / sizeof *cases);
  tcase_add_loop_test(t, beyond_the_standard, 0, sizeof beyond / sizeof *beyond);
  tcase_add_test(t, packed_by_another_program);
  tcase_add_test(t, ports_in_pieces);
  tcase_add_test(t, parameters_of_the_dump);
  tcase_add_test(t, scope_and_clock);
  tcase_add_test(t, wave_of_a_difference);
  tcase_add_test(t, fst_is_told_by_its_contents);
  tcase_add_test(t, fst_that_is_cut_off_or_damaged);
  tcase_add_test(t, fst_without_its_tool);
  suite_add_tcase(s, t);
  return s;
}
