/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of instructions other than arithmetic: copies, memory, textures, control. See
 * opcodes.h. */
#include "silicon/opcodes.h"

#include <stdio.h>
#include <string.h>

enum { VECTOR = 16 /* bytes, the most of an access */ };

static int offer(opcode_t *o, const char *before, const char *body, opcode_take_t take, void *ctx) {
  return opcode_text(o, before, body) && opcode_read(o) ? take(ctx, o) : 0;
}

/* ---- texts of their own ------------------------------------------------------------------- */

static const struct {
  const char *name, *before, *body;
  unsigned n_operands, n_results;
  ptx_type_t operand[OPCODE_OPERANDS], result;
} single[] = {
#define ONE(name, body, result, n, ...) {name, "", body, n, 1, {__VA_ARGS__}, result},
#define MANY(name, before, body, result, n_results, n, ...)                                        \
  {name, before, body, n, n_results, {__VA_ARGS__}, result},
    ONE("mov.b32 {h,h}", "  mov.b32 %r20, {%h10, %h11};\n", PTX_B32, 2, PTX_B16, PTX_B16) ONE(
        "mov.b64 {r,r}", "  mov.b64 %d20, {%r10, %r11};\n", PTX_B64, 2, PTX_B32,
        PTX_B32) ONE("mov.b64 {h,h,h,h}", "  mov.b64 %d20, {%h10, %h11, %h12, %h13};\n", PTX_B64, 4,
                     PTX_B16, PTX_B16, PTX_B16, PTX_B16)
        MANY("mov.b32 to {h,h}", "",
             "  mov.b32 {%h20, %h21}, %r10;\n  st.global.v2.b16 [%d2], {%h20, %h21};\n", PTX_B16, 2,
             1, PTX_B32) MANY("mov.b64 to {r,r}", "",
                              "  mov.b64 {%r20, %r21}, %d10;\n  st.global.v2.b32 [%d2], {%r20, "
                              "%r21};\n",
                              PTX_B32, 2, 1,
                              PTX_B64) MANY("mov.b64 to {h,h,h,h}", "",
                                            "  mov.b64 {%h20, %h21, %h22, %h23}, %d10;\n"
                                            "  st.global.v4.b16 [%d2], {%h20, %h21, %h22, %h23};\n",
                                            PTX_B16, 4, 1, PTX_B64)
            MANY("tex.1d.v4.f32.s32", ".global .texref t;\n",
                 "  and.b32 %r10, %r10, 16383;\n"
                 "  tex.1d.v4.f32.s32 {%f20, %f21, %f22, %f23}, [t, {%r10}];\n"
                 "  st.global.v4.f32 [%d2], {%f20, %f21, %f22, %f23};\n",
                 PTX_F32, 4, 1,
                 PTX_B32) MANY("tex.1d.v4.s32.s32", ".global .texref t;\n",
                               "  and.b32 %r10, %r10, 16383;\n"
                               "  tex.1d.v4.s32.s32 {%r20, %r21, %r22, %r23}, [t, {%r10}];\n"
                               "  st.global.v4.b32 [%d2], {%r20, %r21, %r22, %r23};\n",
                               PTX_S32, 4, 1, PTX_B32)
                MANY("tex.1d.v4.u32.s32", ".global .texref t;\n",
                     "  and.b32 %r10, %r10, 16383;\n"
                     "  tex.1d.v4.u32.s32 {%r20, %r21, %r22, %r23}, [t, {%r10}];\n"
                     "  st.global.v4.b32 [%d2], {%r20, %r21, %r22, %r23};\n",
                     PTX_U32, 4, 1,
                     PTX_B32) ONE("cvta.global.u64", "  cvta.global.u64 %d20, %d2;\n", PTX_U64, 0,
                                  PTX_NONE)
                    ONE("cvta.to.global.u64", "  cvta.to.global.u64 %d20, %d2;\n", PTX_U64, 0,
                        PTX_NONE) ONE("cvta.shared.u64 and back",
                                      "  .shared .align 8 .b8 s[2048];\n  mov.u64 %d4, s;\n  "
                                      "mul.wide.u32 %d5, %r3, 8;\n"
                                      "  add.u64 %d4, %d4, %d5;\n  cvta.shared.u64 %d6, %d4;\n  "
                                      "st.u64 [%d6], %d10;\n"
                                      "  cvta.to.shared.u64 %d7, %d6;\n  ld.shared.u64 %d20, "
                                      "[%d7];\n"
                                      "  sub.u64 %d7, %d7, %d4;\n  add.u64 %d20, %d20, %d7;\n",
                                      PTX_U64, 1, PTX_B64)
                        ONE("cvta.local.u64 and back",
                            "  .local .align 8 .b8 l[8];\n  mov.u64 %d4, l;\n  cvta.local.u64 %d6, "
                            "%d4;\n"
                            "  st.u64 [%d6], %d10;\n  cvta.to.local.u64 %d7, %d6;\n  ld.local.u64 "
                            "%d20, [%d7];\n"
                            "  sub.u64 %d7, %d7, %d4;\n  add.u64 %d20, %d20, %d7;\n",
                            PTX_U64, 1,
                            PTX_B64) ONE("bra",
                                         "  and.b32 %r11, %r10, 15;\n  mov.u32 %r20, 1;\nAGAIN:\n"
                                         "  mad.lo.u32 %r20, %r20, 3, %r11;\n  setp.eq.u32 %p1, "
                                         "%r11, 0;\n  @%p1 bra END;\n"
                                         "  sub.u32 %r11, %r11, 1;\n  bra AGAIN;\nEND:\n",
                                         PTX_U32, 1, PTX_B32)
                            ONE("bra.uni",
                                "  mov.u32 %r20, 7;\n  bra.uni END;\n  mov.u32 %r20, 8;\nEND:\n",
                                PTX_U32, 0,
                                PTX_NONE) ONE("@!p",
                                              "  mov.u32 %r20, 1;\n  @!%p10 mov.u32 %r20, 2;\n  "
                                              "@%p11 add.u32 %r20, %r20, 4;\n",
                                              PTX_U32, 2, PTX_PRED, PTX_PRED)
                                ONE("exit",
                                    "  and.b32 %r20, %r10, 1;\n  setp.eq.u32 %p1, %r20, 1;\n  @%p1 "
                                    "exit;\n",
                                    PTX_U32, 1, PTX_B32)
                                    ONE("ret",
                                        "  and.b32 %r20, %r10, 1;\n  setp.ne.u32 %p1, "
                                        "%r20, 1;\n  @%p1 ret;\n",
                                        PTX_U32, 1, PTX_B32)
                                        ONE("ret.uni",
                                            "  mov.u32 %r20, 3;\n  st.global.u32 "
                                            "[%d2], %r20;\n  ret.uni;\n",
                                            PTX_U32, 0, PTX_NONE)
#define OTHERWISE                                                                                  \
  ".func (.param .b32 res) f(.param .b32 x, .param .align 8 .b8 s[8]) {\n  .reg .b32 %r<6>;\n"     \
  "  .reg .pred %p<2>;\n  ld.param.u32 %r1, [x];\n  ld.param.u32 %r2, [s+4];\n"                    \
  "  setp.lt.u32 %p1, %r1, %r2;\n  @%p1 bra LESS;\n  sub.u32 %r3, %r1, %r2;\n"                     \
  "  st.param.b32 [res+0], %r3;\n  ret;\nLESS:\n  mul.lo.u32 %r3, %r1, %r2;\n"                     \
  "  st.param.b32 [res+0], %r3;\n  ret;\n}\n"
                                            {"call",
                                             OTHERWISE,
                                             "  setp.gt.u32 %p1, %r10, 9999;\n  mov.u32 %r20, 5;\n "
                                             " @%p1 bra END;\n"
                                             "  {\n  .param .b32 a;\n  st.param.b32 [a], %r10;\n"
                                             "  .param .align 8 .b8 b[8];\n  st.param.v2.b32 [b], "
                                             "{%r10, %r11};\n"
                                             "  .param .b32 c;\n  call (c), f, (a, b);\n  "
                                             "ld.param.b32 %r20, [c];\n  }\n"
                                             "END:\n  add.u32 %r20, %r20, %r1;\n",
                                             2,
                                             1,
                                             {PTX_B32, PTX_B32},
                                             PTX_U32},
    {"brx.idx",
     "",
     "  and.b32 %r11, %r10, 3;\n  mov.u32 %r20, 7;\nT: .branchtargets A, B, C, B;\n"
     "  brx.idx %r11, T;\nA:\n  mov.u32 %r20, 10;\n  bra END;\nB:\n  add.u32 %r20, %r20, %r11;\n"
     "  bra END;\nC:\n  mov.u32 %r20, 30;\nEND:\n  add.u32 %r20, %r20, 1000;\n",
     1,
     1,
     {PTX_B32},
     PTX_U32},
#define THROUGH_SHARED(barrier)                                                                    \
  "  .shared .align 4 .b8 s[1024];\n  mov.u32 %r4, s;\n  shl.b32 %r5, %r3, 2;\n"                   \
  "  add.u32 %r5, %r4, %r5;\n  st.shared.u32 [%r5], %r10;\n  " barrier ";\n"                       \
  "  sub.u32 %r6, 255, %r3;\n  shl.b32 %r6, %r6, 2;\n  add.u32 %r6, %r4, %r6;\n"                   \
  "  ld.shared.u32 %r20, [%r6];\n"
    ONE("bar.sync", THROUGH_SHARED("bar.sync 0"), PTX_U32, 1,
        PTX_B32) ONE("barrier.sync", THROUGH_SHARED("barrier.sync 0"), PTX_U32, 1, PTX_B32)
        ONE("barrier.sync.aligned", THROUGH_SHARED("barrier.sync.aligned 0"), PTX_U32, 1, PTX_B32)
            ONE("membar.cta",
                "  st.global.u32 [%d2], %r10;\n  membar.cta;\n  "
                "ld.global.u32 %r20, [%d2];\n",
                PTX_U32, 1, PTX_B32) ONE("membar.gl",
                                         "  st.global.u32 [%d2], %r10;\n  membar.gl;\n  "
                                         "ld.global.u32 %r20, [%d2];\n",
                                         PTX_U32, 1, PTX_B32)
                ONE("membar.sys",
                    "  st.global.u32 [%d2], %r10;\n  membar.sys;\n "
                    " ld.global.u32 %r20, [%d2];\n",
                    PTX_U32, 1, PTX_B32)};

static int each_single(opcode_t *o, opcode_take_t take, void *ctx) {
  int rc = 0;
  for (unsigned i = 0; rc == 0 && i < sizeof single / sizeof *single; i++) {
    *o = (opcode_t){.n_operands = single[i].n_operands,
                    .n_results = single[i].n_results,
                    .result = single[i].result};
    memcpy(o->operand, single[i].operand, sizeof o->operand);
    snprintf(o->name, sizeof o->name, "%s", single[i].name);
    rc = offer(o, single[i].before, single[i].body, take, ctx);
  }
  return rc;
}

/* ---- lop3, isspacep --------------------------------------------------------------------------- */

static int each_table(opcode_t *o, opcode_take_t take, void *ctx) {
  char body[96];
  int rc = 0;
  for (unsigned table = 0; rc == 0 && table < 256; table += table % 16 == 15 ? 1 : 5) {
    *o = (opcode_t){
        .n_operands = 3, .n_results = 1, .operand = {PTX_B32, PTX_B32, PTX_B32}, .result = PTX_B32};
    snprintf(o->name, sizeof o->name, "lop3.b32 0x%02x", table);
    snprintf(body, sizeof body, "  lop3.b32 %%r20, %%r10, %%r11, %%r12, %u;\n", table);
    rc = offer(o, "", body, take, ctx);
  }
  return rc;
}

/* Addresses of each space, asked for each space. That of a variable: what `run --gpu` has mapped at the
 * image's addresses an H100 does not count as global. */
static int each_space(opcode_t *o, opcode_take_t take, void *ctx) {
  static const char *const spaces[] = {"global", "shared", "local"};
  char body[512];
  int rc = 0;
  for (unsigned s = 0; rc == 0 && s < 3; s++) {
    *o = (opcode_t){.n_results = 1, .result = PTX_U32};
    snprintf(o->name, sizeof o->name, "isspacep.%s", spaces[s]);
    snprintf(body, sizeof body,
             "  .shared .align 8 .b8 s[64];\n  .local .align 8 .b8 l[64];\n"
             "  mov.u64 %%d1, g;\n  cvta.global.u64 %%d1, %%d1;\n  cvta.shared.u64 %%d4, s;\n  "
             "mov.u64 %%d5, l;\n  cvta.local.u64 %%d5, %%d5;\n"
             "  isspacep.%s %%p1, %%d1;\n  isspacep.%s %%p2, %%d4;\n  isspacep.%s %%p3, %%d5;\n"
             "  selp.u32 %%r20, 1, 0, %%p1;\n  @%%p2 or.b32 %%r20, %%r20, 2;\n"
             "  @%%p3 or.b32 %%r20, %%r20, 4;\n",
             spaces[s], spaces[s], spaces[s]);
    rc = offer(o, ".global .align 8 .b8 g[64];\n", body, take, ctx);
  }
  return rc;
}

/* ---- mov ------------------------------------------------------------------------------------ */

/* Warps, SMs, launches and clocks have numbers of the GPU's own, and so has the memory that it keeps. */
static bool is_own(const char *special) {
  static const char *const own[] = {"%warpid", "%nwarpid", "%smid",
                                    "%nsmid",  "%gridid",  "%total_smem_size"};
  bool found = strncmp(special, "%clock", 6) == 0;
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++) found |= strcmp(special, own[i]) == 0;
  return found;
}

static int each_mov(opcode_t *o, opcode_take_t take, void *ctx) {
  char body[192];
  int rc = 0;
  for (unsigned t = PTX_PRED; rc == 0 && t <= PTX_F64; t++) {
    const char c = opcode_class((ptx_type_t)t);
    *o = (opcode_t){.n_operands = 1, .n_results = 1, .operand = {(ptx_type_t)t}};
    o->result = (ptx_type_t)t;
    snprintf(o->name, sizeof o->name, "mov.%s", ptx_type_name((ptx_type_t)t));
    snprintf(body, sizeof body, "  %s %%%c20, %%%c10;\n", o->name, c, c);
    rc = offer(o, "", body, take, ctx);
  }
  for (unsigned i = 0; rc == 0 && ptx_special_name(i); i++) {
    if (is_own(ptx_special_name(i))) continue;
    *o = (opcode_t){.n_results = 1, .result = PTX_U32};
    snprintf(o->name, sizeof o->name, "mov.u32 %s", ptx_special_name(i));
    snprintf(body, sizeof body, "  mov.u32 %%r20, %s;\n", ptx_special_name(i));
    rc = offer(o, "", body, take, ctx);
  }
  return rc;
}

/* ---- ld and st ------------------------------------------------------------------------------ */

typedef struct {
  bool store;
  const char *space, *word; /* "shared" or "", "cg" or "" */
  ptx_type_t type;
  unsigned n; /* of a vector */
} access_t;

/* "{%r20, %r21}", or a register alone. */
static void registers(char to[64], const access_t *a) {
  const char c = opcode_class(a->type);
  size_t at = (size_t)snprintf(to, 64, "%s%%%c20", a->n > 1 ? "{" : "", c);
  for (unsigned i = 1; i < a->n; i++)
    at += (size_t)snprintf(to + at, 64 - at, ", %%%c%u", c, 20 + i);
  if (a->n > 1) snprintf(to + at, 64 - at, "}");
}

/* Where the bytes lie: the thread's own 16, of the space's; what it takes to find them. */
static const char *place(const access_t *a, const char **find) {
  static const char shared[] = "  .shared .align 16 .b8 s[4096];\n  mov.u64 %d4, s;\n"
                               "  mul.wide.u32 %d5, %r3, 16;\n  add.u64 %d4, %d4, %d5;\n";
  static const char local[] = "  .local .align 16 .b8 l[16];\n  mov.u64 %d4, l;\n";
  static const char constant[] = "  mov.u64 %d4, c;\n  mul.wide.u32 %d5, %r3, 16;\n"
                                 "  add.u64 %d4, %d4, %d5;\n";
  *find = "";
  if (strcmp(a->space, "param") == 0) return "p_in";
  if (strcmp(a->space, "shared") == 0) return *find = shared, "%d4";
  if (strcmp(a->space, "local") == 0) return *find = local, "%d4";
  if (strcmp(a->space, "const") == 0) return *find = constant, "%d4";
  return a->store ? "%d2" : "%d1";
}

/* The 16 bytes of a space that the thread can write: filled before, for a GPU's hold anything; handed
 * out after a store. */
static const char *around(const access_t *a, bool before) {
  const bool own = strcmp(a->space, "shared") == 0 || strcmp(a->space, "local") == 0;
  const bool shared = own && a->space[0] == 's';
  if (!own || (!before && !a->store)) return "";
  if (before)
    return shared ? "  st.shared.v2.b64 [%d4], {%d10, %d11};\n"
                  : "  st.local.v2.b64 [%d4], {%d10, %d11};\n";
  return shared ? "  ld.shared.v2.b64 {%d8, %d9}, [%d4];\n  st.global.v2.b64 [%d2], {%d8, %d9};\n"
                : "  ld.local.v2.b64 {%d8, %d9}, [%d4];\n  st.global.v2.b64 [%d2], {%d8, %d9};\n";
}

static int offer_access(opcode_t *o, const access_t *a, opcode_take_t take, void *ctx) {
  char body[1024], reg[64], vector[8] = "";
  const char *find, *at = place(a, &find), *whole = opcode_word(a->type);
  const char *const dot = a->space[0] ? "." : "", *const dot2 = a->word[0] ? "." : "";
  registers(reg, a);
  if (a->n > 1) snprintf(vector, sizeof vector, ".v%u", a->n);
  *o = (opcode_t){.n_operands = 2, .operand = {PTX_B64, PTX_B64}, .result = a->type};
  snprintf(o->name, sizeof o->name, "%s%s%s%s%s%s.%s", a->store ? "st" : "ld",
           strcmp(a->word, "volatile") ? dot : dot2,
           strcmp(a->word, "volatile") ? a->space : a->word,
           strcmp(a->word, "volatile") ? dot2 : dot,
           strcmp(a->word, "volatile") ? a->word : a->space, vector, ptx_type_name(a->type));
  if (a->store)
    snprintf(body, sizeof body, "%s%s  ld.global%s.%s %s, [%%d1];\n  %s [%s], %s;\n%s", find,
             around(a, true), vector, whole, reg, o->name, at, reg, around(a, false));
  else
    snprintf(body, sizeof body, "%s%s  %s %s, [%s];\n  st.global%s.%s [%%d2], %s;\n", find,
             around(a, true), o->name, reg, at, vector, whole, reg);
  o->n_results = 0;
  const bool fits =
      opcode_text(o, strcmp(a->space, "const") ? "" : ".const .align 16 .b8 c[4096];\n", body);
  o->n_results = a->store ? VECTOR / ptx_type_bytes(a->type) : a->n;
  if (a->store) o->result = a->type;
  return fits && opcode_read(o) ? take(ctx, o) : 0;
}

/* Does PTX have the word there? The subset takes some in places where it has no effect. */
static bool goes_with(const access_t *a) {
  const bool plain = !a->word[0] || strcmp(a->word, "volatile") == 0;
  if (strcmp(a->space, "global") != 0)
    return !a->word[0] || (plain && (!a->space[0] || strcmp(a->space, "shared") == 0));
  if (a->store) return !strstr("ca lu nc", a->word) || !a->word[0];
  return strcmp(a->word, "wb") != 0;
}

static int each_word(access_t a, opcode_t *o, opcode_take_t take, void *ctx) {
  static const char *const words[] = {"",   "ca", "cg",       "wb",   "cs",
                                      "lu", "nc", "volatile", "weak", "L1::no_allocate"};
  int rc = 0;
  for (unsigned i = 0; rc == 0 && i < sizeof words / sizeof *words; i++) {
    a.word = words[i];
    if (!goes_with(&a)) continue;
    for (a.n = 1; rc == 0 && a.n <= 4; a.n *= 2)
      if (a.n * ptx_type_bytes(a.type) <= VECTOR && (a.n == 1 || i == 0))
        rc = offer_access(o, &a, take, ctx);
  }
  return rc;
}

int opcode_others(opcode_take_t take, void *ctx) {
  static const char *const spaces[] = {"global", "", "shared", "local", "const", "param"};
  opcode_t o;
  int rc = each_mov(&o, take, ctx);
  if (rc == 0) rc = each_single(&o, take, ctx);
  if (rc == 0) rc = each_table(&o, take, ctx);
  if (rc == 0) rc = each_space(&o, take, ctx);
  for (unsigned s = 0; rc == 0 && s < 2 * sizeof spaces / sizeof *spaces; s++)
    for (unsigned t = PTX_B8; rc == 0 && t <= PTX_F64; t++)
      rc = each_word((access_t){.store = s % 2, .space = spaces[s / 2], .type = (ptx_type_t)t}, &o,
                     take, ctx);
  return rc;
}
