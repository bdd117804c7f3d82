/* SPDX-License-Identifier: Apache-2.0 */
/* PTX that other compilers write: nvopencc of 2009, clang, Triton. The values are worked out by
 * hand. */
#include "simt_help.h"

Suite *test_ptx_others_suite(void);

#define HEAD70 ".version 7.0\n.target sm_70\n.address_size 64\n"
#define OUT HEAD70 ".visible .entry k(.param .u64 p) {\n" REGS "ld.param.u64 %rd1, [p];\n"
#define REGS                                                                                       \
  ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"

/* Runs the first kernel with one thread; the eight words of its buffer, which hold 0 to 7 at first. */
static void run_words(const char *text, uint32_t out[8]) {
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, text, 1, 1) == 0, "%s", r.err.text);
  uint32_t *buffer = rig_buffer(&r, 0, 8 * sizeof *out);
  for (uint32_t i = 0; i < 8; i++) buffer[i] = i;
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  memcpy(out, buffer, 8 * sizeof *out);
  rig_close(&r);
}

static const struct {
  const char *text;
  uint32_t word[4]; /* the first of the buffer, afterwards */
} runs[] = {
    /* 0xA400 bytes of .const: not at a multiple of their size, which would be 0xA400 to 0x14800. */
    {HEAD70 ".const .align 4 .b8 big[41984];\n.const .u32 tail = 9;\n"
            ".visible .entry k(.param .u64 p) {\n" REGS
            "ld.param.u64 %rd1, [p]; ld.const.u32 %r1, [big+41980]; ld.const.u32 %r2, [tail];\n"
            "st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; ret; }",
     {0, 9, 2, 3}},
    /* The whole of it. */
    {HEAD70 ".const .align 16 .b8 all[65536];\n.visible .entry k(.param .u64 p) {\n" REGS
            "ld.param.u64 %rd1, [p]; ld.const.u32 %r1, [all+65532]; st.global.u32 [%rd1], %r1;\n"
            "ret; }",
     {0, 1, 2, 3}},
    /* 20 bytes at a multiple of 16, behind 4 at 0x100. */
    {HEAD70 ".const .align 4 .b8 small[4] = {9, 0, 0, 0};\n"
            ".const .align 16 .u32 row[5] = {10, 20, 30, 40, 50};\n"
            ".visible .entry k(.param .u64 p) {\n" REGS
            "ld.param.u64 %rd1, [p]; ld.const.v4.u32 {%r1, %r2, %r3, %r4}, [row];\n"
            "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4}; ret; }",
     {10, 20, 30, 40}},
    /* .align of the other spaces: addresses modulo 512, 64 and 32. */
    {HEAD70 ".global .b8 g[4];\n.global .align 512 .b8 h[4];\n.shared .b8 s[4];\n"
            ".visible .entry k(.param .u64 p) {\n" REGS ".shared .align 64 .b8 t[4];\n"
            ".local .b8 l[4]; .local .align 32 .b8 m[4];\n"
            "ld.param.u64 %rd1, [p]; mov.u32 %r4, g; mov.u32 %r1, h; and.b32 %r1, %r1, 511;\n"
            "mov.u32 %r2, s; mov.u32 %r2, t; and.b32 %r2, %r2, 63; mov.u32 %r3, l;\n"
            "mov.u32 %r3, m; and.b32 %r3, %r3, 31;\n"
            "st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3;\n"
            "ret; }",
     {0, 0, 0, 3}},
    /* A declaration that ends where the next directive begins. */
    {".version 2.3\n.target sm_20\n.address_size 64\n"
     ".visible .func (.param .s32 back) larger (.param .s32 p, .param .s32 q)\n\n"
     ".func other\n.file 1 \"x.cu\"\n.visible .entry k(.param .u64 p)\n{\n" REGS
     "ld.param.u64 %rd1, [p]; mov.u32 %r1, 7; st.global.u32 [%rd1], %r1; exit; }\n"
     ".visible .func last (.param .s32 p)",
     {7, 1, 2, 3}},
    /* Sinks of loads: 0 and 2; of an unpacking: word 3. */
    {OUT "ld.global.v4.u32 {%r1, _, %r2, _}, [%rd1]; ld.global.v2.u64 {_, %rd2}, [%rd1];\n"
         "mov.b64 {_, %r3}, %rd2; st.global.u32 [%rd1+4], %r2;\n"
         "st.global.u32 [%rd1+12], %r3; st.global.u32 [%rd1], %r1; ret; }",
     {0, 2, 2, 3}},
    /* What is left of a sink is no copy: the register keeps the low half. */
    {OUT "mov.u64 %rd2, 0x0000000500000004; mov.b64 {%r1, _}, %rd2;\n"
         "mov.b64 {_, _, %rs1, _}, %rd2; cvt.u32.u16 %r2, %rs1;\n"
         "st.global.v2.u32 [%rd1], {%r1, %r2}; ret; }",
     {4, 5, 2, 3}},
    /* Parts of 8 bits. */
    {OUT ".reg .b8 %b<5>; mov.u32 %r1, 0x44332211; mov.b32 {%b1, %b2, %b3, %b4}, %r1;\n"
         "mov.b32 %r2, {%b4, %b3, %b2, %b1}; st.global.u32 [%rd1], %r2;\n"
         "mov.b16 %rs1, 0x6655; mov.b16 {%b1, %b2}, %rs1; mov.b16 %rs2, {%b2, %b1};\n"
         "cvt.u32.u16 %r3, %rs2; st.global.u32 [%rd1+4], %r3; ret; }",
     {0x11223344, 0x5566, 2, 3}},
    /* A vector of parameters with a sink. */
    {HEAD70
     ".visible .entry k(.param .u64 p, .param .align 8 .b8 q[8]) {\n" REGS
     "ld.param.u64 %rd1, [p]; ld.param.v2.u32 {%r1, _}, [q]; ld.param.v2.u32 {_, %r2}, [q];\n"
     "add.u32 %r1, %r1, 6; add.u32 %r2, %r2, 5; st.global.v2.u32 [%rd1], {%r1, %r2}; ret; }",
     {6, 5, 2, 3}},
    /* Constants have 64 bits and are cut; so are expressions of them. -7 / 2 is -3, (.u64) of it not. */
    {OUT "mov.u32 %r1, 0xffffffffffffffff; mov.u32 %r2, (3 + 4) * 2 | 1 << 6;\n"
         "mov.s32 %r3, -7 / 2 + 10%4 - (5 >= 5 ? 1 : 100); mov.u64 %rd2, (.u64) -2 > 1 && !0;\n"
         "cvt.u32.u64 %r4, %rd2; st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+2*2], %r2;\n"
         "st.global.u32 [%rd1+16-2*4], %r3; st.global.u32 [%rd1+WARP_SZ-20], %r4; ret; }",
     {0xffffffff, 78, 0xfffffffe, 1}},
    {OUT
     "mov.u32 %r1, 1 << 2 + 1; mov.u32 %r2, ~5 & 0xff ^ 3; mov.u32 %r3, 0xF0000000 >> 28 == 15;\n"
     "mov.s64 %rd2, -16 >> 2; cvt.u32.u64 %r4, %rd2; st.global.u32 [%rd1], %r1;\n"
     "st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3; st.global.u32 [%rd1+12], %r4;\n"
     "ret; }",
     {8, 249, 1, 0xfffffffc}},
    {HEAD70
     ".const .u32 c[2] = {1 + 2 * 3, -1};\n.visible .entry k(.param .u64 p) {\n" REGS
     "ld.param.u64 %rd1, [p]; ld.const.v2.u32 {%r1, %r2}, [c];\n"
     "ldu.global.v2.u32 {%r3, %r4}, [%rd1+8]; st.global.v4.u32 [%rd1], {%r1, %r2, %r4, %r3};\n"
     "ret; }",
     {7, 0xffffffff, 3, 2}},
    /* Parameters in registers: 40 + 2; of 2 and 3 the larger, guarded; a result that is not taken. */
    {HEAD70 ".func (.reg .b32 back) plus (.reg .b32 a, .reg .b32 b) { add.s32 back, a, b; ret; }\n"
            ".func (.reg .u64 r) larger (.reg .u64 a, .param .u64 b) {\n"
            ".reg .pred p; .reg .u64 c; ld.param.u64 c, [b]; mov.u64 r, a;\n"
            "setp.gt.u64 p, a, c; @p ret; mov.u64 r, c; ret; }\n"
            ".func nothing (.reg .b32 a) { }\n.func empty { }\n"
            ".visible .entry k(.param .u64 p) {\n" REGS
            "ld.param.u64 %rd1, [p]; mov.u32 %r1, 40; mov.u32 %r2, 2; mov.u32 %r4, 9;\n"
            "call.uni (%r3), plus, (%r1, %r2); call nothing, (%r1); call empty;\n"
            "setp.eq.u32 %p1, %r1, 41; @%p1 call (%r4), plus, (%r1, %r1);\n"
            "mov.u64 %rd2, 2; mov.u64 %rd3, 3; call (%rd4), larger, (%rd2, %rd3);\n"
            "call (%rd5), larger, (%rd4, %rd2); cvt.u32.u64 %r5, %rd5;\n"
            "st.global.u32 [%rd1], %r3; st.global.u32 [%rd1+4], %r4;\n"
            "st.global.u32 [%rd1+8], %r5; ret; }",
     {42, 9, 3, 3}},
    /* A function that calls itself, all in registers: 5 + 4 + 3 + 2 + 1. */
    {HEAD70 ".func (.reg .u32 r) sum (.reg .u32 n) {\n"
            ".reg .pred p; .reg .u32 m; mov.u32 r, 0; setp.eq.u32 p, n, 0; @p ret;\n"
            "sub.u32 m, n, 1; call (m), sum, (m); add.u32 r, m, n; ret; }\n"
            ".visible .entry k(.param .u64 p) {\n" REGS
            "ld.param.u64 %rd1, [p]; mov.u32 %r1, 5; call (%r2), sum, (%r1);\n"
            "st.global.u32 [%rd1], %r2; ret; }",
     {15, 1, 2, 3}},
    /* Vectors of registers, by x to w and r to a, also of a range; of a variable and a parameter. */
    {HEAD70 ".global .v4 .u32 g[2] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
            ".visible .entry k(.param .u64 p, .param .v2 .u32 q) {\n" REGS
            ".reg .v4 .u32 v, %w<3>; .reg .v2 .u32 z; ld.param.u64 %rd1, [p];\n"
            "ld.param.v2.u32 z, [q]; ld.global.v4.u32 v, [%rd1]; ld.global.v4.u32 %w2, [g+16];\n"
            "add.u32 v.x, v.w, z.y; add.u32 v.y, %w2.b, v.g; mov.u32 v.a, %w2.w;\n"
            "st.global.v4.u32 [%rd1], v; ret; }",
     {3, 8, 2, 8}},
    {HEAD70 ".hidden .const .attribute(.managed) .align 4 .u32 c = 6;\n"
            ".visible .entry k(.param .u64 p) {\n" REGS
            "ld.param.u64 %rd1, [p]; ld.const.u32 %r1, [c]; st.global.u32 [%rd1], %r1; ret; }",
     {6, 1, 2, 3}},
    /* Variables and registers outside of kernels; each kernel has its own. */
    {HEAD70 ".local .u32 %L1;\n.reg .b32 %x<3>, one;\n.reg .v2 .b32 pair;\n"
            ".visible .entry k(.param .u64 p) {\n" REGS
            "ld.param.u64 %rd1, [p]; mov.u32 one, 1; mov.u32 %x2, 41; add.u32 pair.y, %x2, one;\n"
            "st.local.u32 [%L1], pair.y; mov.u32 %r1, %L1; ld.local.u32 %r2, [%r1];\n"
            "st.global.u32 [%rd1], %r2; ret; }\n"
            ".visible .entry other(.param .u64 p) { .reg .b64 one; mov.u64 one, 1; ret; }",
     {42, 1, 2, 3}},
    /* Elements that change places: all are read before any is written. */
    {OUT ".reg .v4 .u32 q; ld.global.v4.u32 q, [%rd1];\n"
         "mov.v4.u32 q, {q.w, q.x, q.y, q.z}; mov.v2.u32 {%r1, %r2}, {q.y, 9};\n"
         "mov.v2.u32 {_, q.z}, {%r1, %r2}; setp.eq.u32 %p1, %r1, 0;\n"
         "@!%p1 mov.v2.u32 {q.x, q.y}, {q.y, q.x}; st.global.v4.u32 [%rd1], q; ret; }",
     {3, 0, 9, 2}},
    /* 128 bits: memory, a parameter's place and registers. */
    {HEAD70 ".global .b128 g;\n.shared .b128 s[2];\n"
            ".visible .entry k(.param .u64 p, .param .b128 wide) {\n" REGS
            ".reg .b128 %q<3>; ld.param.u64 %rd1, [p]; ld.global.b128 %q1, [%rd1];\n"
            "mov.b128 {%rd2, %rd3}, %q1; mov.b128 %q2, {%rd3, %rd2}; st.shared.b128 [s+16], %q2;\n"
            "ld.shared.b128 %q1, [s+16]; st.global.b128 [g], %q1; ld.global.b128 %q2, [g];\n"
            "ld.param.b128 %q1, [wide]; st.global.b128 [%rd1], %q2; ret; }",
     {2, 3, 0, 1}},
    /* A name without a space is in its own; a load of 32 bits into 64 has zeros above. */
    {HEAD70
     ".const .u32 c = 5;\n.visible .entry k(.param .u64 p) {\n" REGS
     ".shared .u32 s; .local .u32 l[2]; ld.param.u64 %rd1, [p]; mov.u32 %r1, 7;\n"
     "st.u32 [s], %r1; st.u32 [l+4], 8; ld.u32 %r2, [s]; ld.u32 %r3, [l+4]; ld.u32 %r4, [c];\n"
     "mov.u64 %rd2, -1; ld.global.f32 %rd2, [%rd1+8]; shr.u64 %rd3, %rd2, 32;\n"
     "cvt.u32.u64 %r5, %rd3; add.u32 %r2, %r2, %r5; atom.add.u32 %r6, [s], 3;\n"
     "ld.shared.u32 %r7, [s]; st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r7}; ret; }",
     {7, 8, 5, 10}},
    /* Another name of a function: called, and by its own address. */
    {HEAD70
     ".func (.param .b32 r) twice(.param .b32 a);\n"
     ".func (.param .b32 r) shown(.param .b32 a) { .reg .b32 %r<3>;\n"
     "ld.param.u32 %r1, [a]; add.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }\n"
     ".alias twice, shown;\n.visible .entry k(.param .u64 p) {\n" REGS
     "ld.param.u64 %rd1, [p]; { .param .b32 a; .param .b32 r; st.param.b32 [a], 21;\n"
     "call (r), twice, (a); ld.param.b32 %r1, [r]; mov.u64 %rd2, twice; mov.u64 %rd3, shown;\n"
     "st.param.b32 [a], 4; P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
     "call (r), %rd2, (a), P; ld.param.b32 %r2, [r]; st.param.b32 [a], 5;\n"
     "call (r), %rd3, (a), P; ld.param.b32 %r3, [r]; }\n"
     "st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3;\n"
     "ret; }",
     {42, 8, 10, 3}},
    /* Atomics of 16 bits: 1 + 2^-11 is halfway, 1 + 2^-10 + 2^-11, too; denormal numbers are kept. */
    {OUT "mov.b32 %r1, 0x00013C00; st.global.u32 [%rd1], %r1; mov.b16 %rs1, 0x1000;\n"
         "atom.global.add.noftz.f16 %rs2, [%rd1], %rs1; mov.b16 %rs3, 1;\n"
         "red.global.add.noftz.f16 [%rd1+2], %rs3; mov.b16 %rs4, 0x3C01;\n"
         "st.global.b16 [%rd1+4], %rs4; atom.add.noftz.f16 %rs5, [%rd1+4], %rs1;\n"
         "st.global.b16 [%rd1+6], %rs2; mov.b32 %r2, 0xBC003C00; st.global.u32 [%rd1+8], %r2;\n"
         "mov.b32 %r3, 0x3C003C00; atom.global.add.noftz.f16x2 %r4, [%rd1+8], %r3;\n"
         "st.global.u32 [%rd1+12], %r4; ret; }",
     {0x00023C00, 0x3C003C02, 0x00004000, 0xBC003C00}},
    {OUT
     ".shared .b32 s; mov.b32 %r1, 0x3F803F81; st.shared.u32 [s], %r1; mov.b32 %r2, 0x3B803B80;\n"
     "atom.shared.add.noftz.bf16x2 %r3, [s], %r2; ld.shared.u32 %r4, [s]; mov.b16 %rs1, 0x7F7F;\n"
     "st.shared.b16 [s], %rs1; red.shared.add.noftz.bf16 [s], %rs1; ld.shared.u32 %r5, [s];\n"
     "st.global.v4.u32 [%rd1], {%r3, %r4, %r5, %r5}; ret; }",
     {0x3F803F81, 0x3F803F82, 0x3F807F80, 0x3F807F80}},
    /* Behind an editor's mark of UTF-8. Numbers of 8 bits: 448 and 0.0625 + 2^-9 (of 2^-7 a step: a quarter)
     * as e4m3; 61440, halfway above the largest, and -3 * 2^-17, halfway, to the even one, as e5m2. */
    {"\xEF\xBB\xBF" OUT "mov.f32 %f1, 0f43E00000; mov.f32 %f2, 0f3D840000; "
     "cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;\n"
     "mov.f32 %f1, 0f47700000; mov.f32 %f2, 0fB7C00000; cvt.rn.satfinite.e5m2x2.f32 %rs2, %f1, "
     "%f2;\n"
     "mov.b32 %r1, {%rs1, %rs2}; st.global.u32 [%rd1], %r1; cvt.rn.f16x2.e4m3x2 %r2, %rs1;\n"
     "cvt.rn.relu.f16x2.e5m2x2 %r3, %rs2; st.global.v2.u32 [%rd1+8], {%r2, %r3};\n"
     "mov.b32 %r4, 0x7FFFFC00; cvt.rn.satfinite.e4m3x2.f16x2 %rs3, %r4;\n"
     "cvt.u32.u16 %r5, %rs3; st.global.u32 [%rd1+4], %r5; ret; }",
     {0x7B827E18, 0x7FFE, 0x5F002C00, 0x7B000000}},
    /* Triton's accesses of one element. */
    {OUT "ld.global.b32 { %r1 }, [ %rd1 + 4 ]; add.u32 %r1, %r1, 40;\n"
         "st.global.b32 [ %rd1 + 0 ], { %r1 }; ret; }",
     {41, 1, 2, 3}},
    /* The same in every space and of every width, guarded; and mov of one. */
    {OUT ".shared .align 4 .b8 s[8]; .local .align 4 .b8 t[8]; .reg .pred %q;\n"
         "setp.eq.u64 %q, %rd1, 0; mov.u32 %r1, 7; @%q ld.global.b32 { %r1 }, [ %rd1 + 0 ];\n"
         "@!%q st.shared.b32 [ s + 4 ], { %r1 }; ld.shared.b32 { %r2 }, [ s + 4 ];\n"
         "st.local.b32 [ t ], { %r2 }; ld.local.b32 { %r3 }, [ t ]; mov.b32 %r4, { %r3 };\n"
         "st.global.L1::evict_first.b32 [ %rd1 + 0 ], { %r4 };\n"
         "ldu.global.b32 { %r4 }, [ %rd1 + 12 ]; mov.b32 { %r5 }, %r4; add.u32 %r5, %r5, 50;\n"
         "st.global.b32 [ %rd1 + 4 ], { %r5 }; ld.volatile.global.b64 { %rd2 }, [ %rd1 + 0 ];\n"
         "st.global.b64 [ %rd1 + 8 ], { %rd2 }; ld.global.b16 { %rs1 }, [ %rd1 + 4 ];\n"
         "st.global.b16 [ %rd1 + 2 ], { %rs1 }; st.global.b8 [ %rd1 + 15 ], { %rs1 }; ret; }",
     {0x00350007, 53, 7, 0x35000035}},
};

START_TEST(runs_right) {
  uint32_t got[8];
  run_words(runs[_i].text, got);
  for (unsigned i = 0; i < 4; i++)
    ck_assert_msg(got[i] == runs[_i].word[i], "text %d, word %u: 0x%x, want 0x%x", _i, i, got[i],
                  runs[_i].word[i]);
}
END_TEST

/* A text with names of `length` letters, and `registers` registers that each add 1 to the one before. */
static char *long_text(size_t length, unsigned registers) {
  char *text = NULL, *name = malloc(length + 1);
  size_t size;
  FILE *f = open_memstream(&text, &size);
  ck_assert(f && name);
  memset(name, 'n', length);
  name[length] = '\0';
  fprintf(f,
          HEAD70 ".visible .entry %s(.param .u64 %s_p) {\n.reg .b64 %%rd<2>; .reg .b32 %%r<%u>;\n",
          name, name, registers + 1);
  fprintf(f, ".reg .pred %%p<%u>; ld.param.u64 %%rd1, [%s_p]; mov.u32 %%r0, 5;\n", registers + 1,
          name);
  for (unsigned i = 1; i <= registers; i++)
    fprintf(f, "add.u32 %%r%u, %%r%u, 1; setp.eq.u32 %%p%u, %%r%u, %u;\n", i, i - 1, i, i, i + 5);
  for (unsigned i = 1; i <= registers; i++) fprintf(f, "@!%%p%u bra $%s;\n", i, name);
  fprintf(f, "st.global.u32 [%%rd1], %%r%u;\n$%s: ret; }\n", registers, name);
  fclose(f);
  free(name);
  return text;
}

/* 5 + n, for every predicate holds; 2 n + 3 registers, most of them alive to the end. */
START_TEST(no_limit) {
  static const struct {
    size_t length;
    unsigned registers;
  } c[] = {{1, 3}, {300, 600}, {1502, 1100}, {40, 4000}};
  uint32_t got[8];
  char *text = long_text(c[_i].length, c[_i].registers);
  run_words(text, got);
  ck_assert_uint_eq(got[0], c[_i].registers + 5);
  free(text);
}
END_TEST

/* Register r of a kernel is (r - 1) mod 1023 + 1 for an SM: the 1024th is the first again. */
START_TEST(numbers_on_an_sm) {
  ck_assert_uint_eq(ptx_sm_register(0), 0);
  ck_assert_uint_eq(ptx_sm_register(1), 1);
  ck_assert_uint_eq(ptx_sm_register(1023), 1023);
  ck_assert_uint_eq(ptx_sm_register(1024), 1);
  ck_assert_uint_eq(ptx_sm_register(2046), 1023);
  ck_assert_uint_eq(ptx_sm_register(2047), 1);
}
END_TEST

/* ---- kernels that cannot run, and others that can ------------------------------------------------- */

#define TENSOR "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];"
#define NO_TENSOR                                                                                  \
  "`ldmatrix.sync.aligned.m8n8.x1.shared.b16`: tensor cores are not supported; use ld.shared"

static const char two[] =
    HEAD70 ".func (.param .b32 r) f(.param .b32 a) {\n.reg .b32 %r<3>; ld.param.u32 %r1, [a];\n"
           "st.param.b32 [r], %r1; ret; }\n"
           ".func g() {\n.reg .b32 %r<3>; {\n" TENSOR "\n} ret; }\n"
           ".func h(.param .b128 a) { ret; }\n.func (.param .b128 a) i(.param .b128 a);\n"
           ".func (.param .b128 a) j(.param .b32 a) { ret; } "
           ".visible .entry tensor(.param .u64 p) {\n.reg .b32 %r<3>; " TENSOR " ret; }\n"
           ".visible .entry calls(.param .u64 p) { call g, (); ret; }\n"
           ".visible .entry libdevice(.param .u64 p) { call __nv_sinf, (); ret; }\n"
           ".visible .entry half(.param .u64 p) { .reg .b64 %d<2>; mov.b64 {%d1, %d1}, 5; ret; }\n"
           ".visible .entry cluster() .reqnctapercluster 2, 1, 1 { ret; }\n"
           ".visible .entry k(.param .u64 p) {\n" REGS "ld.param.u64 %rd1, [p];\n"
           "{ .param .b32 a; .param .b32 r; st.param.b32 [a], 7; call (r), f, (a);\n"
           "ld.param.b32 %r1, [r]; }\nst.global.u32 [%rd1], %r1; ret; }\n";

static const struct {
  const char *kernel, *message;
} cannot[] = {
    {"tensor", "kernel 'tensor' cannot run: t.ptx:14: " NO_TENSOR},
    {"calls",
     "kernel 'calls' cannot run: t.ptx:9: " NO_TENSOR " (in function 'g', which it calls)"},
    {"libdevice", "kernel 'libdevice' cannot run: t.ptx:16: function '__nv_sinf' has no body"},
    {"half", "kernel 'half' cannot run: t.ptx:17: register '%d1' is .b64; the operand is .b32"},
    {"cluster", "kernel 'cluster' cannot run: t.ptx:18: clusters are not supported; "},
    {"tenso", "no kernel 'tenso'; nearest: tensor"},
};

START_TEST(other_kernels) {
  mrpb_err_t err = {{0}};
  ptx_module_t *m;
  ck_assert_msg(ptx_read(&m, two, strlen(two), "t.ptx", &err) == 0, "%s", err.text);
  ck_assert_uint_eq(ptx_kernels(m), 6);
  ck_assert_ptr_nonnull(ptx_find(m, "k", &err));
  for (unsigned i = 0; i < sizeof cannot / sizeof *cannot; i++) {
    memset(&err, 0, sizeof err);
    ck_assert_ptr_null(ptx_find(m, cannot[i].kernel, &err));
    ck_assert_msg(strncmp(err.text, cannot[i].message, strlen(cannot[i].message)) == 0, "%s",
                  err.text);
  }
  ptx_free(m);
}
END_TEST

/* Runs the last kernel of the text, which can, and the first one, which cannot. */
START_TEST(launched) {
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, two, 1, 1) == 0, "%s", r.err.text);
  simt_view_t view;
  ck_assert(simt_view(r.w, &view));
  if (_i) r.prepared.launch.kernel = ptx_find(view.module, "k", &r.err);
  const uint32_t *out = rig_buffer(&r, 0, 4);
  ck_assert_int_eq(rig_run(&r) == 0, _i);
  if (_i) ck_assert_uint_eq(*out, 7);
  if (!_i) ck_assert_ptr_nonnull(strstr(r.err.text, "kernel 'tensor' cannot run: test.ptx:14: "));
  rig_close(&r);
}
END_TEST

/* None can run: the text is refused, with what the first one lacks, but may be looked at. */
START_TEST(none_can) {
  static const char text[] = HEAD70 ".entry a() { wgmma; }\n.entry b() { mma; }\n";
  mrpb_err_t err = {{0}};
  ptx_module_t *m;
  ck_assert_int_eq(ptx_read(&m, text, strlen(text), "t.ptx", &err), -1);
  ck_assert_str_eq(err.text,
                   "t.ptx:4: `wgmma`: tensor cores are not supported; write the product with fma");
  memset(&err, 0, sizeof err);
  ck_assert_int_eq(ptx_survey(&m, text, strlen(text), "t.ptx", &err), 0);
  ck_assert_uint_eq(ptx_kernels(m), 2);
  ck_assert_ptr_nonnull(strstr(ptx_kernel(m, 1)->refused, "t.ptx:5: `mma`"));
  ptx_free(m);
}
END_TEST

/* Without a kernel: to be looked at, not to be run. */
START_TEST(functions_only) {
  static const char text[] =
      HEAD70 ".func a { ret; }\n.func b { wgmma; }\n.func (.param .b32 r) announced;\n";
  mrpb_err_t err = {{0}};
  const char *refused = NULL;
  ptx_module_t *m;
  ck_assert_int_eq(ptx_read(&m, text, strlen(text), "t.ptx", &err), -1);
  ck_assert_str_eq(err.text, "t.ptx:7: no kernel; legal: at least one .entry with a body");
  memset(&err, 0, sizeof err);
  ck_assert_msg(ptx_survey(&m, text, strlen(text), "t.ptx", &err) == 0, "%s", err.text);
  ck_assert_uint_eq(ptx_kernels(m), 0);
  ck_assert_uint_eq(ptx_functions(m), 2);
  ck_assert_str_eq(ptx_function(m, 0, &refused), "a");
  ck_assert_ptr_null(refused);
  ck_assert_str_eq(ptx_function(m, 1, &refused), "b");
  ck_assert_ptr_nonnull(strstr(refused, "t.ptx:5: `wgmma`"));
  ck_assert_ptr_null(ptx_function(m, 2, &refused));
  ptx_free(m);
}
END_TEST

/* ---- blocks ---------------------------------------------------------------------------------------- */

static const struct {
  const char *limit;
  uint32_t block[3];
  const char *message; /* NULL: it runs */
} blocks[] = {
    {".reqntid 64", {64, 1, 1}, NULL},
    {".reqntid 64",
     {32, 2, 1},
     "k: a block of 32,2,1 threads; its .reqntid needs blocks of 64,1,1"},
    {".reqntid 8, 4, 2", {8, 4, 2}, NULL},
    {".reqntid 8, 4, 2",
     {64, 1, 1},
     "k: a block of 64,1,1 threads; its .reqntid needs blocks of 8,4,2"},
    {".maxntid 64, 1, 1", {64, 1, 1}, NULL},
    {".maxntid 64", {8, 4, 2}, NULL},
    {".maxntid 8, 8", {65, 1, 1}, "k: a block of 65 threads; its .maxntid allows 64"},
    {".minnctapersm 4 .maxnreg 32 .pragma \"nounroll\"; .maxntid 1024", {1024, 1, 1}, NULL},
};

START_TEST(block_sizes) {
  char text[400];
  rig_t r = {0};
  snprintf(text, sizeof text, HEAD70 ".visible .entry k(.param .u64 p) %s { ret; }\n",
           blocks[_i].limit);
  ck_assert_msg(rig_open(&r, text, 2, 1) == 0, "%s", r.err.text);
  memcpy(r.prepared.launch.block, blocks[_i].block, sizeof blocks[_i].block);
  rig_buffer(&r, 0, 4);
  ck_assert_int_eq(rig_run(&r) == 0, blocks[_i].message == NULL);
  if (blocks[_i].message) ck_assert_str_eq(r.err.text, blocks[_i].message);
  rig_close(&r);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

Suite *test_ptx_others_suite(void) {
  Suite *s = suite_create("ptx_others");
  TCase *t = tcase_create("all");
  tcase_add_loop_test(t, runs_right, 0, COUNT(runs));
  tcase_add_loop_test(t, no_limit, 0, 4);
  tcase_add_test(t, numbers_on_an_sm);
  tcase_add_test(t, other_kernels);
  tcase_add_loop_test(t, launched, 0, 2);
  tcase_add_test(t, none_can);
  tcase_add_test(t, functions_only);
  tcase_add_loop_test(t, block_sizes, 0, COUNT(blocks));
  suite_add_tcase(s, t);
  return s;
}
