/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of two and of three instructions, each of which passes something on to the next: the
 * carry, two predicates, a member mask, bytes of shared and of local memory; and roundings, which
 * must leave nothing behind. See opcodes.h; docs/silicon.md. */
#include "silicon/opcodes.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = 3 };

/* One instruction. In its text # is the number of the result's register, and A to D are those of the
 * operands, which change places from step to step. */
typedef struct {
  const char *name, *text;
} step_t;

/* Which of the steps stand first, between, and last; a pair has none between. */
typedef struct {
  const char *name;
  const char *before; /* in the kernel, in front of the steps */
  const char *after;  /* each of them */
  const char *space;
  ptx_type_t operand; /* of all four */
  unsigned stride;    /* of the steps that triples are made of: all, or every so many */
  struct {
    const step_t *step;
    unsigned n;
  } at[STEPS];
} family_t;

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AS_WIDE "  cvt.u64.u32 %d#, %r#;\n"

/* ---- the carry ------------------------------------------------------------------------------- */

#define NARROW_SUM(op, type)                                                                       \
  { op "." type, "  " op "." type " %r#, %rA, %rB;\n" AS_WIDE }
#define NARROW_MAD(op, type)                                                                       \
  { op "." type, "  " op "." type " %r#, %rA, %rB, %rC;\n" AS_WIDE }
#define WIDE_SUM(op, type)                                                                         \
  { op "." type, "  " op "." type " %d#, %dA, %dB;\n" }
#define WIDE_MAD(op, type)                                                                         \
  { op "." type, "  " op "." type " %d#, %dA, %dB, %dC;\n" }
#define SUMS(plus, minus, times, cc)                                                               \
  NARROW_SUM(plus cc, "u32"), NARROW_SUM(plus cc, "s32"), WIDE_SUM(plus cc, "u64"),                \
      WIDE_SUM(plus cc, "s64"), NARROW_SUM(minus cc, "u32"), NARROW_SUM(minus cc, "s32"),          \
      WIDE_SUM(minus cc, "u64"), WIDE_SUM(minus cc, "s64"), NARROW_MAD(times ".lo" cc, "u32"),     \
      NARROW_MAD(times ".lo" cc, "s32"), NARROW_MAD(times ".hi" cc, "u32"),                        \
      NARROW_MAD(times ".hi" cc, "s32"), WIDE_MAD(times ".lo" cc, "u64"),                          \
      WIDE_MAD(times ".lo" cc, "s64"), WIDE_MAD(times ".hi" cc, "u64"),                            \
      WIDE_MAD(times ".hi" cc, "s64")
static const step_t carry_first[] = {SUMS("add", "sub", "mad", ".cc")};
static const step_t carry_next[] = {SUMS("addc", "subc", "madc", ".cc")};
static const step_t carry_last[] = {SUMS("addc", "subc", "madc", "")};

/* ---- predicates ------------------------------------------------------------------------------ */

/* %p4 and %p5 go from step to step, and are each one's result. */
static const step_t predicates[] = {
    {"setp p|q", "  setp.lt.u32 %p4|%p5, %rA, %rB;\n"},
    {"setp.and q|p, p", "  setp.ge.and.s32 %p5|%p4, %rA, %rB, %p4;\n"},
    {"setp.or p|q, !q", "  setp.ne.or.u64 %p4|%p5, %dA, %dB, !%p5;\n"},
    {"setp.xor p|q, p, f32", "  setp.gtu.xor.f32 %p4|%p5, %fA, %fB, %p4;\n"},
    {"setp p|q, f16x2", "  setp.lt.f16x2 %p4|%p5, %rA, %rB;\n"},
    {"setp.xor q|p, q, f16x2", "  setp.geu.xor.f16x2 %p5|%p4, %rA, %rB, %p5;\n"},
    {"@p setp q", "  @%p4 setp.le.u32 %p5, %rA, %rB;\n"},
    {"@!q setp.and p|q, q", "  @!%p5 setp.hi.and.u32 %p4|%p5, %rA, %rB, %p5;\n"},
    {"xor.pred", "  xor.pred %p4, %p4, %p5;\n"},
    {"@q not.pred", "  @%p5 not.pred %p4, %p4;\n"},
    {"vote.any", "  vote.sync.any.pred %p5, %p4, -1;\n"},
    {"vote.all", "  vote.sync.all.pred %p4, !%p5, -1;\n"},
    {"shfl |q", "  shfl.sync.down.b32 %r#|%p5, %rA, %rB, %rC, -1;\n"},
    {"match.all |p", "  and.b32 %r6, %rA, 1;\n  match.all.sync.b32 %r#|%p4, %r6, -1;\n"},
    {"testp", "  testp.normal.f32 %p5, %fA;\n"},
    {"bar.red", "  bar.red.or.pred %p4, 1, %p5;\n"},
};

/* ---- roundings ------------------------------------------------------------------------------- */

#define F32_2(op)                                                                                  \
  { op, "  " op " %f#, %fA, %fB;\n  mov.b32 %r#, %f#;\n" AS_WIDE }
#define F32_3(op)                                                                                  \
  { op, "  " op " %f#, %fA, %fB, %fC;\n  mov.b32 %r#, %f#;\n" AS_WIDE }
#define F32_1(op)                                                                                  \
  { op, "  " op " %f#, %fA;\n  mov.b32 %r#, %f#;\n" AS_WIDE }
#define F64_2(op)                                                                                  \
  { op, "  " op " %g#, %gA, %gB;\n  mov.b64 %d#, %g#;\n" }
#define F64_3(op)                                                                                  \
  { op, "  " op " %g#, %gA, %gB, %gC;\n  mov.b64 %d#, %g#;\n" }
#define F64_1(op)                                                                                  \
  { op, "  " op " %g#, %gA;\n  mov.b64 %d#, %g#;\n" }
#define HALF_AS_WIDE "  cvt.u64.u16 %d#, %h#;\n"
#define F16_2(op)                                                                                  \
  { op, "  " op " %h#, %hA, %hB;\n" HALF_AS_WIDE }
#define F16_3(op)                                                                                  \
  { op, "  " op " %h#, %hA, %hB, %hC;\n" HALF_AS_WIDE }
#define PAIR_2(op)                                                                                 \
  { op, "  " op " %r#, %rA, %rB;\n" AS_WIDE }
#define PAIR_3(op)                                                                                 \
  { op, "  " op " %r#, %rA, %rB, %rC;\n" AS_WIDE }
#define ROUNDED(r)                                                                                 \
  F32_2("add" r ".f32"), F32_2("mul" r ".f32"), F32_3("fma" r ".f32"), F32_2("div" r ".f32"),      \
      F32_1("sqrt" r ".f32"), F32_1("rcp" r ".f32"), F64_2("sub" r ".f64"), F64_3("fma" r ".f64"), \
      F64_2("div" r ".f64"), F64_1("sqrt" r ".f64"),                                               \
      {"cvt" r ".f32.f64", "  cvt" r ".f32.f64 %f#, %gA;\n  mov.b32 %r#, %f#;\n" AS_WIDE}, {       \
    "cvt" r ".f32.s64", "  cvt" r ".f32.s64 %f#, %dA;\n  mov.b32 %r#, %f#;\n" AS_WIDE              \
  }
static const step_t roundings[] = {
    ROUNDED(".rn"),
    ROUNDED(".rz"),
    ROUNDED(".rm"),
    ROUNDED(".rp"),
    F32_2("add.rz.ftz.sat.f32"),
    F32_2("mul.rp.ftz.f32"),
    F32_2("min.ftz.f32"),
    F16_2("add.rn.f16"),
    F16_2("mul.rn.ftz.sat.f16"),
    F16_3("fma.rn.relu.f16"),
    PAIR_2("sub.rn.f16x2"),
    PAIR_3("fma.rn.f16x2"),
    PAIR_3("fma.rn.relu.bf16x2"),
    PAIR_2("max.NaN.bf16x2"),
    {"cvt.rz.f16.f32", "  cvt.rz.f16.f32 %h#, %fA;\n" HALF_AS_WIDE},
    {"cvt.rn.bf16x2.f32", "  cvt.rn.bf16x2.f32 %r#, %fA, %fB;\n" AS_WIDE},
    {"cvt.rpi.s32.f32", "  cvt.rpi.s32.f32 %r#, %fA;\n" AS_WIDE},
    {"cvt.rmi.f64.f64", "  cvt.rmi.f64.f64 %g#, %gA;\n  mov.b64 %d#, %g#;\n"},
    {"cvt.rna.tf32.f32", "  cvt.rna.tf32.f32 %r#, %fA;\n" AS_WIDE},
};

/* ---- member masks ---------------------------------------------------------------------------- */

/* %r6 is the mask: each lane is in its own, and the lanes of a mask have the same one. Not every
 * lane of a warp need have one mask. */
#define FEW "  and.b32 %r7, %rA, 3;\n"
#define OWN_SIDE "  not.b32 %r8, %r7;\n  and.b32 %r8, %r8, %r6;\n  selp.b32 %r6, %r7, %r8, %p4;\n"
static const step_t mask_first[] = {
    {"match.any.b32", FEW "  match.any.sync.b32 %r6, %r7, -1;\n"},
    {"match.any.b64", "  and.b64 %d7, %dA, 7;\n  match.any.sync.b64 %r6, %d7, -1;\n"},
    {"ballot", "  setp.lt.u32 %p4, %rA, %rB;\n  vote.sync.ballot.b32 %r7, %p4, -1;\n" OWN_SIDE},
    {"redux.or", "  setp.gt.s32 %p4, %rA, 0;\n  selp.b32 %r7, %r9, 0, %p4;\n"
                 "  redux.sync.or.b32 %r7, %r7, -1;\n" OWN_SIDE},
    {"@p activemask", "  setp.ge.u32 %p4, %r5, 11;\n  @%p4 activemask.b32 %r6;\n"
                      "  @!%p4 activemask.b32 %r6;\n"},
};
static const step_t mask_next[] = {
    {"match.any.b32", FEW "  match.any.sync.b32 %r6, %r7, %r6;\n"},
    {"ballot", "  setp.lt.u32 %p4, %rA, %rB;\n  vote.sync.ballot.b32 %r7, %p4, %r6;\n" OWN_SIDE},
    {"match.all.b32", "  and.b32 %r7, %rA, 1;\n  match.all.sync.b32 %r8|%p5, %r7, %r6;\n"
                      "  @%p5 mov.b32 %r6, %r8;\n"},
    {"bar.warp", "  bar.warp.sync %r6;\n"},
};
#define SHFL(how)                                                                                  \
  { "shfl." how, "  shfl.sync." how ".b32 %r#|%p5, %rA, %rB, %rC, %r6;\n  @!%p5 mov.u32 %r#, 7;\n" }
#define REDUX(how)                                                                                 \
  { "redux." how, "  redux.sync." how " %r#, %rA, %r6;\n" }
static const step_t mask_last[] = {
    {"vote.all", "  setp.lt.u32 %p4, %rA, %rB;\n  vote.sync.all.pred %p5, %p4, %r6;\n"},
    {"vote.any", "  setp.lt.u32 %p4, %rA, %rB;\n  vote.sync.any.pred %p5, %p4, %r6;\n"},
    {"vote.uni", "  setp.lt.u32 %p4, %rA, %rB;\n  vote.sync.uni.pred %p5, %p4, %r6;\n"},
    {"ballot", "  setp.lt.u32 %p4, %rA, %rB;\n  vote.sync.ballot.b32 %r#, %p4, %r6;\n"},
    {"match.any.b32", FEW "  match.any.sync.b32 %r#, %r7, %r6;\n"},
    {"match.all.b64", "  and.b64 %d7, %dA, 1;\n  match.all.sync.b64 %r#|%p5, %d7, %r6;\n"},
    {"bar.warp", "  bar.warp.sync %r6;\n"},
    {"elect", "  elect.sync %r#|%p5, %r6;\n"},
    {"shfl own", "  shfl.sync.idx.b32 %r#, %rA, %r5, 31, %r6;\n"},
    {"shfl leader",
     "  brev.b32 %r7, %r6;\n  clz.b32 %r7, %r7;\n  shfl.sync.idx.b32 %r#, %rA, %r7, 31, %r6;\n"},
    REDUX("add.s32"),
    REDUX("min.u32"),
    REDUX("max.s32"),
    REDUX("and.b32"),
    REDUX("or.b32"),
    REDUX("xor.b32"),
};

/* ---- windows --------------------------------------------------------------------------------- */

/* %r4 and %d4 are the thread's 16 bytes as the space has them, %d6 as a generic address. $ stands for the name
 * of the space. */
#define BOTH_WAYS                                                                                  \
  {"st.u32", "  st.$.u32 [%d4+4], %rA;\n"}, {"st.u32 generic", "  st.u32 [%d6+8], %rA;\n"},        \
      {"st.v2.u32", "  st.$.v2.u32 [%d4], {%rA, %rB};\n"},                                         \
      {"st.u64 generic", "  st.u64 [%d6+8], %dA;\n"}, {"st.u8", "  st.$.u8 [%d4+5], %rA;\n"},      \
      {"st.u16 generic", "  st.u16 [%d6+6], %rA;\n"},                                              \
      {"cvta there and back",                                                                      \
       "  cvta.$.u64 %d6, %d4;\n  cvta.to.$.u64 %d4, %d6;\n  ld.s8 %r#, [%d6+5];\n"},              \
  {                                                                                                \
    "ld.s16 generic", "  ld.s16 %r#, [%d6+6];\n"                                                   \
  }
static const step_t local[] = {BOTH_WAYS};
static const step_t shared[] = {
    BOTH_WAYS,
    {"atom.add", "  atom.shared.add.u32 %r#, [%d4+4], %rA;\n"},
    {"atom.cas.b64 generic", "  atom.cas.b64 %d7, [%d6], %dA, %dB;\n  cvt.u32.u64 %r#, %d7;\n"},
    {"atom.exch generic", "  atom.exch.b32 %r#, [%d6+4], %rA;\n"},
    {"red.xor", "  red.shared.xor.b32 [%d4+8], %rA;\n"},
    {"st.volatile", "  st.volatile.shared.u32 [%d4], %rA;\n"},
    {"cp.async", "  cp.async.ca.shared.global [%d4], [%d1], 8;\n  cp.async.wait_all;\n"},
};

/* ---- families -------------------------------------------------------------------------------- */

#define NARROWED                                                                                   \
  "  cvt.u32.u64 %r10, %d10;\n  cvt.u32.u64 %r11, %d11;\n  cvt.u32.u64 %r12, %d12;\n"              \
  "  cvt.u32.u64 %r13, %d13;\n"
#define AS_FLOATS                                                                                  \
  "  mov.b32 %f10, %r10;\n  mov.b32 %f11, %r11;\n  mov.b32 %f12, %r12;\n  mov.b32 %f13, %r13;\n"
#define AS_HALVES                                                                                  \
  "  cvt.u16.u32 %h10, %r10;\n  cvt.u16.u32 %h11, %r11;\n  cvt.u16.u32 %h12, %r12;\n"              \
  "  cvt.u16.u32 %h13, %r13;\n"
#define FROM_DOUBLES                                                                               \
  "  mov.b64 %d10, %g10;\n  mov.b64 %d11, %g11;\n  mov.b64 %d12, %g12;\n  mov.b64 %d13, %g13;\n"   \
  "  shr.u64 %d14, %d10, 20;\n  xor.b64 %d10, %d10, %d14;\n"
#define ALL_OF(steps)                                                                              \
  {                                                                                                \
    {steps, COUNT(steps)}, {steps, COUNT(steps)}, {                                                \
      steps, COUNT(steps)                                                                          \
    }                                                                                              \
  }
static const family_t families[] = {
    {"carry",
     NARROWED,
     "",
     "",
     PTX_U64,
     1,
     {{carry_first, COUNT(carry_first)},
      {carry_next, COUNT(carry_next)},
      {carry_last, COUNT(carry_last)}}},
    {"predicates",
     NARROWED AS_FLOATS "  setp.lt.u32 %p4, %r10, %r11;\n  setp.lt.u32 %p5, %r12, %r13;\n",
     "  selp.u64 %d#, 1, 2, %p4;\n  @%p5 add.u64 %d#, %d#, 4;\n", "", PTX_U64, 1,
     ALL_OF(predicates)},
    {"roundings", FROM_DOUBLES NARROWED AS_FLOATS AS_HALVES, "", "", PTX_F64, 7, ALL_OF(roundings)},
    {"masks",
     NARROWED "  mov.u32 %r5, %laneid;\n  mov.u32 %r9, 1;\n  shl.b32 %r9, %r9, %r5;\n"
              "  mov.u32 %r6, -1;\n  mov.u32 %r20, 0;\n  mov.u32 %r21, 0;\n  mov.u32 %r22, 0;\n"
              "  setp.ne.u32 %p5, %r5, %r5;\n",
     "  xor.b32 %r#, %r#, %r6;\n  @%p5 xor.b32 %r#, %r#, 0x50;\n" AS_WIDE,
     "",
     PTX_U64,
     1,
     {{mask_first, COUNT(mask_first)},
      {mask_next, COUNT(mask_next)},
      {mask_last, COUNT(mask_last)}}},
    {"shared",
     NARROWED "  .shared .align 16 .b8 s[4096];\n  mov.u64 %d4, s;\n  mul.wide.u32 %d5, %r3, 16;\n"
              "  add.u64 %d4, %d4, %d5;\n  cvta.shared.u64 %d6, %d4;\n  mov.u32 %r20, 0;\n"
              "  mov.u32 %r21, 0;\n  mov.u32 %r22, 0;\n  st.v2.u64 [%d6], {%d12, %d13};\n",
     "  ld.shared.v2.u64 {%d8, %d9}, [%d4];\n  mad.lo.u64 %d8, %d9, 3, %d8;\n  ld.u32 %r9, "
     "[%d6+8];\n"
     "  mad.wide.u32 %d8, %r9, 5, %d8;\n" AS_WIDE "  mad.lo.u64 %d#, %d#, 7, %d8;\n",
     "shared", PTX_U64, 1, ALL_OF(shared)},
    {"local",
     NARROWED "  .local .align 16 .b8 s[16];\n  mov.u64 %d4, s;\n  cvta.local.u64 %d6, %d4;\n"
              "  mov.u32 %r20, 0;\n  mov.u32 %r21, 0;\n  mov.u32 %r22, 0;\n"
              "  st.v2.u64 [%d6], {%d12, %d13};\n",
     "  ld.local.v2.u64 {%d8, %d9}, [%d4];\n  mad.lo.u64 %d8, %d9, 3, %d8;\n  ld.u32 %r9, "
     "[%d6+8];\n"
     "  mad.wide.u32 %d8, %r9, 5, %d8;\n" AS_WIDE "  mad.lo.u64 %d#, %d#, 7, %d8;\n",
     "local", PTX_U64, 1, ALL_OF(local)},
};

/* ---- a kernel -------------------------------------------------------------------------------- */

/* `text` of step k behind what is in `to`; false if it does not fit. */
static bool put(char *to, size_t size, const char *text, const family_t *f, unsigned k) {
  size_t at = strlen(to);
  for (; *text && at + 16 < size; text++) {
    const bool operand = text[0] >= 'A' && text[0] <= 'D' && at > 1 && to[at - 2] == '%';
    if (*text == '#')
      at += (size_t)snprintf(to + at, size - at, "2%u", k);
    else if (*text == '$')
      at += (size_t)snprintf(to + at, size - at, "%s", f->space);
    else if (operand)
      at += (size_t)snprintf(to + at, size - at, "1%u", (unsigned)(text[0] - 'A' + (int)k) % 4);
    else
      to[at++] = *text;
    to[at] = '\0';
  }
  return *text == '\0';
}

static int offer(opcode_t *o, const family_t *f, const step_t *const *steps, unsigned n,
                 opcode_take_t take, void *ctx) {
  char body[OPCODE_TEXT / 2] = "";
  *o = (opcode_t){.n_operands = OPCODE_OPERANDS, .result = PTX_U64, .recent = true};
  for (unsigned k = 0; k < OPCODE_OPERANDS; k++) o->operand[k] = f->operand;
  size_t at = (size_t)snprintf(o->name, sizeof o->name, "%s:", f->name);
  bool fits = put(body, sizeof body, f->before, f, 0);
  for (unsigned k = 0; k < n; k++) {
    at +=
        (size_t)snprintf(o->name + at, sizeof o->name - at, "%s %s", k ? "," : "", steps[k]->name);
    fits &= at < sizeof o->name && put(body, sizeof body, steps[k]->text, f, k) &&
            put(body, sizeof body, f->after, f, k);
  }
  at = strlen(body);
  for (unsigned k = 0; fits && k < n; k++)
    at += (size_t)snprintf(body + at, sizeof body - at, "  st.global.u64 [%%d2+%u], %%d2%u;\n",
                           8 * k, k);
  if (!fits || at >= sizeof body || !opcode_text(o, "", body)) return OPCODE_TOO_LONG;
  o->n_results = n;
  return take(ctx, o);
}

static int each_pair(opcode_t *o, const family_t *f, opcode_take_t take, void *ctx) {
  int rc = 0;
  for (unsigned i = 0; i < f->at[0].n; i++)
    for (unsigned j = 0; rc == 0 && j < f->at[2].n; j++)
      rc = offer(o, f, (const step_t *[]){&f->at[0].step[i], &f->at[2].step[j]}, 2, take, ctx);
  return rc;
}

static int each_triple(opcode_t *o, const family_t *f, opcode_take_t take, void *ctx) {
  int rc = 0;
  for (unsigned i = 0; i < f->at[0].n; i += f->stride)
    for (unsigned j = 0; j < f->at[1].n; j += f->stride)
      for (unsigned k = 0; rc == 0 && k < f->at[2].n; k += f->stride)
        rc =
            offer(o, f, (const step_t *[]){&f->at[0].step[i], &f->at[1].step[j], &f->at[2].step[k]},
                  STEPS, take, ctx);
  return rc;
}

int opcode_sequences(opcode_take_t take, void *ctx) {
  opcode_t o;
  int rc = 0;
  for (unsigned i = 0; rc == 0 && i < COUNT(families); i++) {
    rc = each_pair(&o, &families[i], take, ctx);
    if (rc == 0) rc = each_triple(&o, &families[i], take, ctx);
  }
  return rc;
}
