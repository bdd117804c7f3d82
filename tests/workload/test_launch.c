/* SPDX-License-Identifier: Apache-2.0 */
/* Launch files: what the host computes, what a kernel gets, what is refused and with which words,
 * and the page's tables. */
#include "workload/launch/launch.h"
#include "base/files.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_launch_suite(void);

/* `put` stores its parameters, a structure of {f32, u64, i16} among them; `next` adds 1 to a word; `both` reads
 * a variable of each space. */
static const char text[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".const .align 4 .u32 c[2] = {5, 7};\n.global .align 4 .u32 g = 3;\n"
    ".visible .entry put(.param .u64 out, .param .u32 n, .param .f32 f, .param .b32 b,\n"
    "  .param .align 8 .b8 s[24]) {\n"
    "  .reg .b16 %h<2>;\n  .reg .b32 %r<5>;\n  .reg .f32 %f<3>;\n  .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [out];\n  ld.param.u32 %r1, [n];\n  ld.param.f32 %f1, [f];\n"
    "  ld.param.b32 %r2, [b];\n  ld.param.f32 %f2, [s];\n  ld.param.u64 %rd2, [s+8];\n"
    "  ld.param.u16 %h1, [s+16];\n  cvt.u32.u16 %r3, %h1;\n"
    "  st.global.u32 [%rd1], %r1;\n  st.global.f32 [%rd1+4], %f1;\n  st.global.u32 [%rd1+8], %r2;\n"
    "  st.global.f32 [%rd1+12], %f2;\n  st.global.u64 [%rd1+16], %rd2;\n"
    "  st.global.u32 [%rd1+24], %r3;\n  ret;\n}\n"
    ".visible .entry next(.param .u64 out) {\n  .reg .b32 %r<3>;\n  .reg .b64 %rd<3>;\n"
    "  ld.param.u64 %rd1, [out];\n  ld.global.u32 %r1, [%rd1];\n  add.u32 %r1, %r1, 1;\n"
    "  st.global.u32 [%rd1], %r1;\n  ret;\n}\n"
    ".visible .entry both(.param .u64 out) {\n  .reg .b32 %r<4>;\n  .reg .b64 %rd<3>;\n"
    "  ld.param.u64 %rd1, [out];\n  ld.const.u32 %r1, [c+4];\n  ld.global.u32 %r2, [g];\n"
    "  add.u32 %r3, %r1, %r2;\n  st.global.u32 [%rd1], %r3;\n  st.global.u32 [g], %r3;\n  "
    "ret;\n}\n";

static const char textures[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n.global .texref t;\n"
    ".visible .entry fetch(.param .u64 out) {\n  .reg .b32 %r<6>;\n  .reg .b64 %rd<3>;\n"
    "  ld.param.u64 %rd1, [out];\n  mov.u32 %r1, 2;\n"
    "  tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [t, {%r1}];\n"
    "  st.global.u32 [%rd1], %r2;\n  ret;\n}\n";

/* A second text: a variable of the name that the first has, one of its own, and one with that one's
 * address. */
static const char second[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n.const .align 4 .u32 d = 11;\n"
    ".global .align 4 .u32 g = 40;\n.global .align 8 .u64 p = g;\n"
    ".visible .entry other(.param .u64 out) {\n  .reg .b32 %r<4>;\n  .reg .b64 %rd<3>;\n"
    "  ld.param.u64 %rd1, [out];\n  ld.global.u64 %rd2, [p];\n  ld.global.u32 %r1, [%rd2];\n"
    "  ld.const.u32 %r2, [d];\n  add.u32 %r3, %r1, %r2;\n  st.global.u32 [%rd1+4], %r3;\n"
    "  ret;\n}\n";

typedef struct {
  char folder[64], path[128], out[128];
} place_t;

static void put_file(const char *folder, const char *name, const char *what) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(what, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

/* A folder with the text, some values and the launch file. */
static place_t make(const char *lines) {
  place_t p;
  snprintf(p.folder, sizeof p.folder, "build/tmp/mrpb_launch_%ld", (long)getpid());
  snprintf(p.path, sizeof p.path, "%s/a.launch", p.folder);
  snprintf(p.out, sizeof p.out, "%s/out.txt", p.folder);
  ck_assert(files_make_folders(p.folder));
  put_file(p.folder, "k.ptx", text);
  put_file(p.folder, "t.ptx", textures);
  put_file(p.folder, "second.ptx", second);
  put_file(p.folder, "v.txt", "1, 2 # two\n-3 0x10\n");
  put_file(p.folder, "f.txt", "1.5 2 nan\n");
  put_file(p.folder, "bad.txt", "1\n2 x\n");
  put_file(p.folder, "v.bin", "abcdefgh");
  put_file(p.folder, "a.launch", lines);
  return p;
}

/* Runs the lines without the SM: what launch_read, launch_open or the run returns, and the message. */
static int run(const char *lines, const launch_options_t *options, uint64_t *held,
               mrpb_err_t *err) {
  const place_t at = make(lines);
  launch_program_t *p;
  workload_t *w;
  int rc = WORKLOAD_FAILED;
  if (launch_read(&p, at.path, options, err) == 0) {
    if (launch_open(&w, p, err) == 0) {
      rc = workload_run_within(w, 0, err);
      if (held) *held = launch_compared(p);
      if (rc == 0) rc = launch_write(p, err);
      workload_close(w);
    } else {
      launch_free(p);
    }
  }
  files_remove_tree(at.folder, NULL);
  return rc;
}

/* ---- what holds -------------------------------------------------------------------------------------- */

#define PTX "ptx \"k.ptx\"\n"
#define NEXT "launch next(o) grid 1 block 1\n"
#define OUT PTX "buffer o u32[8]\n"
#define TWO OUT "ptx \"second.ptx\"\nptx \"t.ptx\"\n"
#define TEX "ptx \"t.ptx\"\nbuffer o u32[8]\n"
#define FETCH "launch fetch(o) grid 1 block 1\n"

/* Each is true: comparisons held, so many. */
static const struct {
  const char *lines;
  unsigned held;
} good[] = {
    {OUT NEXT "compare o with i == 0", 1},
    {OUT "repeat 5 as k\n" NEXT "compare o with i ? 0 : k + 1\nend\n", 5},
    {OUT "repeat 3\nrepeat 4 as k\nstop if k == 2\n" NEXT "end\nend\ncompare o with i ? 0 : 6\n",
     1},
    {OUT "loose o\nrepeat 0\n" NEXT "end\ncompare o with 0\n", 1},
    {OUT "let n = 3\nrepeat n\nlet n = n + 1\n" NEXT "end\ncompare o with i ? 0 : n - 3\n", 1},
    /* Texts share the memory; their variables are their own, also where the names are the same. */
    {TWO "texture t = o\nlaunch both(o) grid 1 block 1\nlaunch other(o) grid 1 block 1\n"
         "copy o to o[2] count 1\n"
         "compare o with {10, 51, 10, 0, 0, 0, 0, 0}\n"
         "launch fetch(&o[1]) grid 1 block 1\ncompare o with {10, 10, 10, 0, 0, 0, 0, 0}\n"
         "variable p u64\ncompare p with p[0]\nvariable c u32\ncompare c with {5, 7}\n",
     4},
    /* Arguments: numbers of either sign, real numbers by type and by value, a structure, an address. */
    {OUT "launch put(o, -1, 2, 1.5, {f32 0.5, &o[2], i16 -2}) grid 1 block 1\n"
         "array w u32[8] = {0xffffffff, bits(2.0), bits(1.5), bits(0.5), 0x80000008, 0, 65534, 0}\n"
         "compare o with w[i]",
     1},
    {OUT "launch put(&o[0], 4294967295, f32 -1, 7, {f32 1, u64 3, u16 9}) grid 1, 1, 1 block 1, 1\n"
         "compare o with {0xffffffff, bits(-1), 7, bits(1), 3, 0, 9, 0}",
     1},
    /* Variables of the text, before and behind a launch. */
    {OUT "variable g u32\nvariable c u32\nfill g = 40\nfill c = i + 1\n"
         "launch both(o) grid 1 block 1\ncompare o with i ? 0 : 42\ncompare g with 42\n",
     2},
    {OUT "launch both(o) grid 1 block 1\nvariable g i32\ncompare g with 10\n", 1},
    {TEX "buffer x i32[4] = 9 * i\ntexture t = x\nlaunch fetch(o) grid 1 block 1\ncompare o with i "
         "? 0 : 18\n",
     1},
    /* Values. */
    {OUT "array a i32[] = \"v.txt\"\n" NEXT
         "compare a with {1, 2, -3, 16}\narray f f64[3] = \"f.txt\"\n"
         "compare f with {1.5, 2, nan}\narray b u8[8] = \"v.bin\"\ncompare b with 97 + i\n"
         "array h u16[] = \"v.bin\"\ncompare h with b[2 * i] + 256 * b[2 * i + 1]\n",
     4},
    {OUT
     "array a f32[1000] = random(-2, 3, 5)\n" NEXT
     "array b f32[1000] = random(-2, 3, 5)\ncompare a with b[i]\n"
     "array in u8[1] = sum(k, 1000, a[k] < -2 || a[k] >= 3) == 0 && most(k, 1000, a[k]) > "
     "2.9\ncompare in with 1\n"
     "array d i8[1000] = random(-1, 1)\narray n i32[3] = sum(k, 1000, d[k] == i - 1)\n"
     "array all u8[1] = least(k, 3, n[k]) > 250 && sum(k, 3, n[k]) == 1000\ncompare all with 1\n",
     3},
    {OUT NEXT "array a i64[5] = i < 2 ? 1 : a[i - 1] + a[i - 2]\ncompare a with {1, 1, 2, 3, 5}\n"
              "array b i64[4]\ncopy a[1] to b\ncompare b with {1, 2, 3, 5}\ncopy b[2] to a[0] "
              "count 1\ncompare a with {3, 1, 2, 3, 5}\n"
              "fill a = count(b)\ncompare a with 4\n",
     4},
    /* Expressions. */
    {OUT NEXT "array a i64[12] = {1 + 2 * 3, (1 + 2) * 3, 7 / 2, -7 / 2, -7 % 3, 1 << 4 | 3, 6 & 3 "
              "^ 1, ~0, !3, 2 < 3 == 1, "
              "5 - 3 - 1, 0x10 >> 2}\ncompare a with {7, 9, 3, -3, -1, 19, 3, -1, 0, 1, 1, 4}\n",
     1},
    {OUT NEXT "array a f64[8] = {7 / 2.0, 1e2 + .5, sqrt(2) * sqrt(2), exp(0), max(1, 2.5, 2), "
              "min(3, 4), pow(2, 10), f32(0.1)}\n"
              "compare a with {3.5, 100.5, 2, 1, 2.5, 3, 1024, 0.100000001490116} rel 1e-14\n",
     1},
    {OUT NEXT "array a f64[5] = {f16(0.1), f16(65520), f16(1e-8), bf16(1.00390625), f16(65519)}\n"
              "compare a with {0.0999755859375, inf, 0, 1, 65504}\narray h f16[3] = {0.1, "
              "5.9604645e-8, -2}\n"
              "compare h with {0.0999755859375, 0.000000059604644775390625, -2}\narray b bf16[2] = "
              "{3.140625, -0.5}\n"
              "compare b with {3.140625, -0.5}\n",
     3},
    {OUT NEXT
     "array a u32[2] = 0\ncompare a with 1 && 0 && 1 / 0\ncompare a with 1 / 1 - (1 || 1 / 0)\n",
     2},
    {OUT NEXT "array a f32[3] = {1, 100, 0}\ncompare a with {1.5, 100.5, 0.5} abs 0.5\ncompare a "
              "with {1.01, 101, 0} rel 0.01\n"
              "compare a with {1.00000012, 100.5, -0.0} ulp 1 abs 0.5\n",
     3},
};

START_TEST(holds) {
  mrpb_err_t err = {{0}};
  uint64_t held = 0;
  ck_assert_msg(run(good[_i].lines, NULL, &held, &err) == 0, "%s: %s", good[_i].lines, err.text);
  ck_assert_msg(held == good[_i].held, "%s: %u held", good[_i].lines, (unsigned)held);
}
END_TEST

START_TEST(the_command_line_sets) {
  const char *const sets[] = {"n=-4", "f=2.5"};
  const launch_options_t o = {.text = sets, .n = 2};
  mrpb_err_t err = {{0}};
  uint64_t held = 0;
  const char lines[] =
      OUT "let n = 1\nlet f = 0\nlet n = 2\n" NEXT "array a f64[1] = n * f\ncompare a with -10\n";
  ck_assert_msg(run(lines, &o, &held, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(held, 1);
}
END_TEST

/* ---- what does not, and what is refused ---------------------------------------------------------------- */

static const struct {
  const char *lines, *says;
} different[] = {
    {OUT NEXT "compare o with 0\n", "a.launch:4: o[0] is 1, expected 0; 1 of 8 differ"},
    {OUT NEXT "array a f32[3] = {1, 2, 3}\ncompare a with {1, 2.5, 4} abs 0.25\n",
     ":5: a[1] is 2, expected 2.5; 2 of 3 differ"},
    {OUT NEXT "array a f32[1] = nan\ncompare a with 1 abs 1e9\n",
     "a[0] is nan, expected 1; 1 of 1 differ"},
    {OUT NEXT "array a f32[2] = {1, 2}\ncompare a with {1.0000003, 2} ulp 1\n",
     "a[0] is 1, expected 1.00000036; 1 of 2 differ"},
    {OUT NEXT "array a u8[1] = 255\ncompare a with -1\n", "a[0] is 255, expected -1"},
    {OUT NEXT "array a i8[1] = 2\ncompare a with 2.5\n", "a[0] is 2, expected 2.5"},
    {OUT "array a i8[1] = 2\ncompare a with 3\n" NEXT, "a[0] is 2, expected 3"},
};

START_TEST(differs) {
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(run(different[_i].lines, NULL, NULL, &err), WORKLOAD_DIFFERS);
  ck_assert_msg(strstr(err.text, different[_i].says) != NULL, "%s: %s", different[_i].says,
                err.text);
}
END_TEST

static const struct {
  const char *lines, *says;
} refused[] = {
    {"", "a.launch: no launch"},
    {PTX "buffer o u32[8]\n", "a.launch: no launch"},
    {"lauch next(o)\n", ":1: 'lauch' is not a statement; legal: ptx let buffer array variable"},
    {"5\n", ":1: '5' is not a statement"},
    {"launch next(o)\n", ":1: no PTX text yet; legal: ptx \"FILE\" before"},
    {"ptx k.ptx\n", "'k' found where the name of a PTX text in quotes is expected"},
    {TWO "variable g u32\n", ":5: g: in two PTX texts; legal: a name of one"},
    {"ptx \"k.ptx\n", "a quote is not closed"},
    {"ptx \"\"\n", "an empty name"},
    {"ptx \"none.ptx\"\n", "none.ptx: No such file"},
    {"ptx \"v.txt\"\n", "v.txt:1: "},
    {PTX PTX, ":2: "},
    {PTX PTX, "kernel put is also in "},
    {PTX PTX, "legal: each name in one text"},
    {PTX "let n\n", "the line ends where '=' is expected"},
    {PTX "let n = 1 2\n", "'2' found where the end of the line is expected"},
    {PTX "let i = 1\n", "i: reserved"},
    {PTX "let f32 = 1\n", "f32: reserved"},
    {PTX "let n = n + 1\n", "n: no such name"},
    {PTX "let n = i\n", "i: the number of an element; legal: in VALUES"},
    {PTX "let n = 1x\n", "1x: not a number"},
    {PTX "let n = 1.2.3\n", "1.2.3: not a number"},
    {PTX "let n = 0x\n", "0x: not a number"},
    {PTX "let n = 99999999999999999999\n", "legal: integers of 64 bits"},
    {PTX "let n = @\n", "'@': not a character of a launch file"},
    {PTX "let n = (1\n", "the line ends where ')' is expected"},
    {PTX "let n = sqrt(1, 2)\n", "'2' found where ')' of sqrt with 1 to 1 operands"},
    {PTX "let n = min(1)\n", "where ',' of min with 2 to 4 operands"},
    {PTX "let n = sum(k, 3)\n", "')' found where ',' is expected"},
    {PTX "let n = sum(k, k, 1)\n", "k: no such name"},
    {PTX "let n = 1 ? 2\n", "where ':' is expected"},
    {PTX "let n = 1 / 0\n" NEXT, "o: no such name"},
    {OUT "let n = 1 / 0\n" NEXT, ":3: a division of an integer by 0"},
    {OUT "let n = 1 << 64\n" NEXT, "a shift; legal: by 0 to 63"},
    {OUT "let n = 1.5 & 1\n" NEXT, "of a real number; legal: of integers"},
    {OUT "let n = ~1.5\n" NEXT, "~ of a real number"},
    {OUT "let n = popc(1.5)\n" NEXT, "popc of a real number"},
    {OUT "let n = int(1e30)\n" NEXT, "int of a number that 64 bits cannot hold"},
    {OUT "let n = least(k, 0, k)\n" NEXT, "least or most of an empty range"},
    {OUT "let n = sum(k, 1.5, k)\n" NEXT, "a bound is not an integer"},
    {OUT "let n = o[8]\n" NEXT, ":3: o[8]: legal: 0 to 7"},
    {OUT "let n = o[-1]\n" NEXT, "o[-1]: legal: 0 to 7"},
    {OUT "let n = o[0.5]\n" NEXT, "o[0.5]: legal: an integer"},
    {OUT "let n = o\n", "the line ends where '[' and an element's number is expected"},
    {OUT "let o = 1\n", "o: already defined"},
    {PTX "buffer o\n", "where a type: i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 is expected"},
    {PTX "buffer o int[3]\n", "'int' found where a type: i8"},
    {PTX "buffer o i32 3\n", "'3' found where '[' is expected"},
    {PTX "buffer o i32[]\n", "o: no number of elements; legal only with a list or a file"},
    {OUT "buffer a i32[0]\n" NEXT, "number of elements 0; legal: 1 to 268435456"},
    {OUT "buffer a i32[2.5]\n" NEXT, "number of elements 2.5; legal"},
    {OUT "buffer a i8[1 << 30]\n" NEXT,
     ":3: global memory: 1073741824 bytes requested; legal: 1 to the"},
    {OUT "array a i8[1 << 30]\narray b i8[1]\n" NEXT, ":4: 1 bytes of an array; legal: the 0 left"},
    {OUT "repeat 2\nbuffer a i8[1]\nend\n" NEXT, ":4: in a repeat; legal: before it"},
    {OUT "buffer a i8[2] = {1, 128}\n" NEXT, ":3: a[1] = 128: legal: an integer from -128 to 127"},
    {OUT "buffer a u16[2] = -1\n" NEXT, "a[0] = -1: legal: an integer from 0 to 65535"},
    {OUT "buffer a u16[2] = 0.5\n" NEXT, "a[0] = 0.5: legal: an integer from 0"},
    {OUT "buffer a u16[2] = {1, 2, 3}\n" NEXT, ":3: 3 values for a; legal: its 2"},
    {OUT "buffer a i32[3] = \"v.txt\"\n" NEXT, ":3: 4 values for a; legal: its 3"},
    {OUT "buffer a u32[] = \"v.txt\"\n" NEXT,
     "v.txt:2: '-3': legal: an integer from 0 to 4294967295"},
    {OUT "buffer a f32[] = \"bad.txt\"\n" NEXT, "bad.txt:2: 'x': legal: a number"},
    {OUT "buffer a f64[3] = \"v.bin\"\n" NEXT, "1 values for a; legal: its 3"},
    {OUT "buffer a i32[3] = \"none.bin\"\n" NEXT, "none.bin: No such file"},
    {OUT "buffer a i32[3] = random(2, 1)\n" NEXT, "random(LOW, HIGH): LOW is above HIGH"},
    {OUT "buffer a i32[3] = random(0, 1.5)\n" NEXT,
     "random(LOW, HIGH): legal for integers: two integers"},
    {OUT "buffer a i32[3] = random(0, 1, -1)\n" NEXT, "seed -1; legal: 0 to"},
    {OUT "buffer a i32[3] = random 1\n" NEXT, "'1' found where '(' is expected"},
    {OUT "variable h u32\n", "h: not a .global or .const variable of the PTX text"},
    {OUT "variable t u32\n", "t: not a .global or .const variable"},
    {OUT "variable g u64\n", "g has 4 bytes; legal: a type that divides them"},
    {OUT "variable c u32\nlaunch next(c) grid 1 block 1\n",
     "a .const variable has no address for a kernel"},
    {TEX "texture x = o\n", "x: not a texture of the PTX text"},
    {TEX FETCH "texture t = o\n", "texture: legal: before launches, variables and repeats"},
    {TEX "array a i32[2]\ntexture t = a\n", "a: an array of the host; legal: a buffer"},
    {OUT "array a i32[2]\nloose o, a\n", "a: an array of the host; legal: a buffer"},
    {OUT "loose\n", "the line ends where a buffer"},
    {OUT "fill p = 0\n", "p: not a buffer, array or variable of the PTX text"},
    {PTX "fill p = 0\n", "there is none yet"},
    {OUT "copy o to\n", "the line ends where a buffer, an array or a variable is expected"},
    {OUT "array a i32[2]\ncopy o to a\n",
     "copy from u32 to i32; legal: between elements of one type"},
    {OUT "array a u32[2]\ncopy o to a\n" NEXT,
     ":4: copy of 8 elements to the 2 of a; legal: fewer"},
    {OUT "array a u32[2]\ncopy o to a count 3\n" NEXT, "count 3; legal: 0 to 2"},
    {OUT "array a u32[2]\ncopy o[9] to a\n" NEXT, "element 9; legal: 0 to 8"},
    {OUT "launch nex(o) grid 1 block 1\n", "no kernel 'nex'; nearest: next"},
    {OUT "launch next grid 1 block 1\n", "'grid' found where '(' is expected"},
    {OUT "launch next() grid 1 block 1\n", "next has 1 parameters; 0 arguments are given"},
    {OUT "launch next(o, o) grid 1 block 1\n", "next has 1 parameters; more arguments are given"},
    {OUT "launch next(o) block 1\n", "'block' found where `grid` is expected"},
    {OUT "launch next(o) grid 1\n", "the line ends where `block` is expected"},
    {OUT "launch next(o) grid 1, 1, 1, 1 block 1\n",
     "'1' found where the end of three dimensions is expected"},
    {OUT "launch next(o) grid 0 block 1\n", "grid 0; legal: 1 to 2147483647"},
    {OUT "launch next(o) grid 1 block 1025\n", "block 1025; legal: 1 to 1024"},
    {OUT "launch next(o) grid 1 block 64, 64\n", "block: legal: up to 1024 threads"},
    {OUT "launch next(o) grid 1 block 1 shared 262145\n", "shared 262145; legal: 0 to 262144"},
    {OUT "launch next(o) grid 1 block 1 regs 256\n", "regs 256; legal: 1 to 255"},
    {OUT "launch next(o) grid 1 block 1 shard 4\n",
     "'shard' found where the end of the line is expected"},
    {OUT "launch next(&o[9]) grid 1 block 1\n", "element 9; legal: 0 to 8"},
    {OUT "launch next(1.5) grid 1 block 1\n", ":3: argument 1.5; legal: an integer of 64 bits"},
    {OUT "launch next(u32 1) grid 1 block 1\n", "out: u32; legal: a type of .u64, 8 bytes"},
    {OUT "launch next(f64 1) grid 1 block 1\n", "out: f64; legal: a type of .u64"},
    {OUT "array a u32[1]\nlaunch next(a) grid 1 block 1\n",
     "a: an array of the host; legal: a buffer"},
    {OUT "array a u32[1]\nlaunch next(&a) grid 1 block 1\n",
     "a: an array of the host; legal: a buffer"},
    {OUT "launch put(o, o, 1, 1, {f32 0, u64 0, u16 0}) grid 1 block 1\n",
     "o: a buffer; legal: where 8 bytes"},
    {OUT "launch put(o, 4294967296, 1, 1, {f32 0, u64 0, u16 0}) grid 1 block 1\n",
     "argument 4294967296; legal: an integer from -2147483648 to 4294967295"},
    {OUT "launch put(o, 1, 1, 1, 1) grid 1 block 1\n", "s: 24 bytes; legal: {TYPE VALUE, ...}"},
    {OUT "launch put(o, 1, 1, 1, {f32 0, u64 0}) grid 1 block 1\n",
     "s: 16 bytes; legal: the 24 of the parameter"},
    {OUT "launch put(o, 1, 1, 1, {f32 0, u64 0, u64 0, u64 0}) grid 1 block 1\n",
     "s: at least 32 bytes; legal: the 24"},
    {OUT "launch put(o, 1, 1, 1, {f32 0, 0}) grid 1 block 1\n", "s: a member without a type"},
    {OUT "launch put(o, 1, 1, 1, {f32 0, u64 0, u16 0) grid 1 block 1\n",
     "')' found where ',' or '}' is expected"},
    {OUT "repeat 2\n" NEXT, ":3: a repeat without its `end`"},
    {OUT NEXT "end\n", ":4: end: no repeat is open"},
    {OUT NEXT "stop if 1\n", ":4: stop: legal: in a repeat"},
    {OUT "repeat -1\n" NEXT "end\n", "repeat -1; legal: 0 to 2147483647"},
    {OUT "repeat 2 as o\n" NEXT "end\n", "o: already defined"},
    {OUT "repeat 2 as k\n" NEXT "end\nlet n = k\n", "k: no such name"},
    {OUT NEXT "compare o 1\n", "'1' found where `with` is expected"},
    {OUT NEXT "compare o with 1 abs -1\n", "abs -1; legal: 0 or more"},
    {OUT NEXT "compare o with 1 ulps 1\n", "'ulps' found where the end of the line is expected"},
    {OUT NEXT "compare o with {1}\n", "1 values for o; legal: its 8"},
    {OUT NEXT "write o to out.txt\n", "'out' found where the name of a file in quotes is expected"},
    {OUT NEXT "write o to \"/nowhere/there/out.txt\"\n", "/nowhere/there/out.txt"},
    {OUT "repeat 2\nwrite o to \"out.txt\"\nend\n", "write: in a repeat"},
    {OUT "buffer a i32[1] = sum(k, 1 << 40, 1)\n" NEXT, ":3: more than 1000000 steps of the host"},
    {OUT "repeat 2000000\nend\n" NEXT, "steps of the host"},
    {OUT "launch next(8) grid 1 block 1\n", "outside allocated global memory"},
};

START_TEST(refuses) {
  const launch_options_t o = {.steps = 1000000};
  mrpb_err_t err = {{0}};
  ck_assert_msg(run(refused[_i].lines, &o, NULL, &err) == WORKLOAD_FAILED, "%s: taken",
                refused[_i].lines);
  ck_assert_msg(strstr(err.text, refused[_i].says) != NULL, "%s: %s", refused[_i].lines, err.text);
}
END_TEST

static const char *const lets[] = {"n", "m=1", "n=x", "n=1 2", "=1", "k=3"};

START_TEST(refuses_to_set) {
  const launch_options_t o = {.text = &lets[_i], .n = 1};
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(run(OUT "let n = 1\nrepeat 1 as k\n" NEXT "end\n", &o, NULL, &err),
                   WORKLOAD_FAILED);
  ck_assert_msg(strstr(err.text, "--let ") && strstr(err.text, "legal: "), "%s", err.text);
}
END_TEST

START_TEST(too_much_in_each_other) {
  char lines[4096] = OUT;
  mrpb_err_t err = {{0}};
  for (unsigned i = 0; i < 17; i++) strcat(lines, "repeat 1\n");
  ck_assert_int_eq(run(lines, NULL, NULL, &err), WORKLOAD_FAILED);
  ck_assert_ptr_nonnull(strstr(err.text, ":19: repeats nested too deep; legal: 16"));
  snprintf(lines, sizeof lines, OUT "let n = ");
  for (unsigned i = 0; i < 70; i++) strcat(lines, "-(");
  err.text[0] = '\0';
  ck_assert_int_eq(run(lines, NULL, NULL, &err), WORKLOAD_FAILED);
  ck_assert_ptr_nonnull(strstr(err.text, "expression nested too deep; legal: 64"));
}
END_TEST

/* ---- files ------------------------------------------------------------------------------------------- */

START_TEST(writes) {
  static const char lines[] =
      OUT NEXT "array a f32[2] = {0.1, -2}\nwrite a to \"build/tmp/mrpb_launch_a.txt\"\n"
               "fill a = 0\nwrite o to \"build/tmp/mrpb_launch_o.bin\"\ncompare a with ";
  const place_t at = make("");
  mrpb_err_t err = {{0}};
  size_t n = 0;
  for (int wrong = 1; wrong >= 0; wrong--) {
    char all[600];
    snprintf(all, sizeof all, "%s%d\n", lines, wrong);
    ck_assert_int_eq(run(all, NULL, NULL, &err), wrong ? WORKLOAD_DIFFERS : 0);
    ck_assert(files_exists("build/tmp/mrpb_launch_a.txt") == !wrong);
  }
  char *got = files_read("build/tmp/mrpb_launch_a.txt", &n);
  ck_assert_str_eq(got, "0.100000001\n-2\n");
  free(got);
  got = files_read("build/tmp/mrpb_launch_o.bin", &n);
  ck_assert_uint_eq(n, 32);
  ck_assert_int_eq(got[0], 1);
  free(got);
  remove("build/tmp/mrpb_launch_a.txt");
  remove("build/tmp/mrpb_launch_o.bin");
  files_remove_tree(at.folder, NULL);
}
END_TEST

/* ---- the page ---------------------------------------------------------------------------------------- */

static void expect_row(const char *page, const launch_row_t *r, const char *between) {
  char row[512];
  size_t at = (size_t)snprintf(row, sizeof row, "| `%s%s%s` | ", r->word, between, r->rest);
  for (const char *c = r->doc; *c && at + 8 < sizeof row; c++) {
    if (*c == '|') row[at++] = '\\';
    row[at++] = *c;
  }
  snprintf(row + at, sizeof row - at, " |\n");
  ck_assert_msg(strstr(page, row) != NULL, "docs/launch.md lacks %s", row);
}

START_TEST(the_page_has_the_table) {
  char *page = files_read("docs/launch.md", NULL);
  unsigned rows = 0, in_page = 0;
  ck_assert_ptr_nonnull(page);
  const launch_row_t *r;
  for (unsigned i = 0; (r = launch_statement_row(i)); i++, rows++)
    expect_row(page, r, r->rest[0] ? " " : "");
  for (unsigned i = 0; (r = launch_function_row(i)); i++, rows++) expect_row(page, r, "");
  for (unsigned i = 0; launch_type_row(i); i++) {
    char type[16];
    snprintf(type, sizeof type, "`%s`", launch_type_row(i));
    ck_assert_ptr_nonnull(strstr(page, type));
  }
  for (const char *at = page; (at = strstr(at, "\n| `")); at++) in_page++;
  ck_assert_uint_eq(in_page, rows + 5); /* and those of the files */
  free(page);
}
END_TEST

Suite *test_launch_suite(void) {
  Suite *suite = suite_create("launch");
  TCase *tcase = tcase_create("all");
  tcase_add_loop_test(tcase, holds, 0, sizeof good / sizeof *good);
  tcase_add_test(tcase, the_command_line_sets);
  tcase_add_loop_test(tcase, differs, 0, sizeof different / sizeof *different);
  tcase_add_loop_test(tcase, refuses, 0, sizeof refused / sizeof *refused);
  tcase_add_loop_test(tcase, refuses_to_set, 0, sizeof lets / sizeof *lets);
  tcase_add_test(tcase, too_much_in_each_other);
  tcase_add_test(tcase, writes);
  tcase_add_test(tcase, the_page_has_the_table);
  suite_add_tcase(suite, tcase);
  return suite;
}
