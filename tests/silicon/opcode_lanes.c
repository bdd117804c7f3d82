/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of operations between lanes and warps and on shared data: shuffles, votes, barriers,
 * atomics, asynchronous copies. See opcodes.h. */
#include "silicon/opcodes.h"

#include <stdio.h>
#include <string.h>

#define ALL "  mov.u32 %r19, -1;\n"
/* Lanes from 13 on, or below, have a mask of their own. */
#define SPLIT                                                                                      \
  "  mov.u32 %r18, %laneid;\n  setp.ge.u32 %p1, %r18, 13;\n  selp.b32 %r19, 0xFFFFE000, 0x1FFF, "  \
  "%p1;\n"
#define TWO "  selp.u32 %r21, 1, 0, %p20;\n  st.global.v2.b32 [%d2], {%r20, %r21};\n"
#define ZERO "  mov.u32 %r20, 0;\n  setp.ne.u32 %p20, %r20, %r20;\n"
/* The second operand as one of few. */
#define FEW "  and.b32 %r10, %r10, 3;\n  and.b64 %d11, %d11, 1;\n"
#define THROUGH_SHARED(write, between, read)                                                       \
  "  .shared .align 16 .b8 s[4096];\n  mov.u32 %r4, s;\n  shl.b32 %r5, %r3, 4;\n"                  \
  "  add.u32 %r5, %r4, %r5;\n" write between                                                       \
  "  xor.b32 %r6, %r3, 128;\n  shl.b32 %r6, %r6, 4;\n  add.u32 %r6, %r4, %r6;\n" read

static const struct {
  const char *name, *body;
} lanes[] = {
    {"shfl.sync.up.b32", ALL "  shfl.sync.up.b32 %r20|%p20, %r10, %r12, %r13, %r19;\n" TWO},
    {"shfl.sync.down.b32", ALL "  shfl.sync.down.b32 %r20|%p20, %r10, %r12, %r13, %r19;\n" TWO},
    {"shfl.sync.bfly.b32", ALL "  shfl.sync.bfly.b32 %r20|%p20, %r10, %r12, %r13, %r19;\n" TWO},
    {"shfl.sync.idx.b32", ALL "  shfl.sync.idx.b32 %r20|%p20, %r10, %r12, %r13, %r19;\n" TWO},
    {"vote.sync.all.pred", ZERO SPLIT "  setp.gt.u32 %p2, %r10, 0x10000000;\n"
                                      "  vote.sync.all.pred %p20, %p2, %r19;\n" TWO},
    {"vote.sync.any.pred", ZERO SPLIT "  setp.lt.u32 %p2, %r10, 0x10000000;\n"
                                      "  vote.sync.any.pred %p20, %p2, %r19;\n" TWO},
    {"vote.sync.uni.pred", ZERO SPLIT "  setp.lt.u32 %p2, %r10, 0x10000000;\n"
                                      "  vote.sync.uni.pred %p20, !%p2, %r19;\n" TWO},
    {"vote.sync.ballot.b32", ZERO SPLIT "  setp.lt.u32 %p2, %r10, %r12;\n"
                                        "  vote.sync.ballot.b32 %r20, %p2, %r19;\n" TWO},
    {"match.any.sync.b32", ZERO SPLIT FEW "  match.any.sync.b32 %r20, %r10, %r19;\n" TWO},
    {"match.any.sync.b64", ZERO SPLIT FEW "  match.any.sync.b64 %r20, %d11, %r19;\n" TWO},
    {"match.all.sync.b32", ZERO SPLIT FEW "  shr.u32 %r10, %r10, 1;\n  shr.u32 %r17, %r3, 5;\n"
                                          "  setp.lt.u32 %p2, %r17, 4;\n  @%p2 mov.u32 %r10, 0;\n"
                                          "  match.all.sync.b32 %r20|%p20, %r10, %r19;\n" TWO},
    {"match.all.sync.b64", ZERO SPLIT FEW "  shr.u32 %r17, %r3, 5;\n  setp.lt.u32 %p2, %r17, 4;\n"
                                          "  @%p2 mov.u64 %d11, 0;\n"
                                          "  match.all.sync.b64 %r20|%p20, %d11, %r19;\n" TWO},
    {"redux.sync.add.u32", ZERO SPLIT "  redux.sync.add.u32 %r20, %r10, %r19;\n" TWO},
    {"redux.sync.add.s32", ZERO SPLIT "  redux.sync.add.s32 %r20, %r10, %r19;\n" TWO},
    {"redux.sync.min.u32", ZERO SPLIT "  redux.sync.min.u32 %r20, %r10, %r19;\n" TWO},
    {"redux.sync.max.u32", ZERO SPLIT "  redux.sync.max.u32 %r20, %r10, %r19;\n" TWO},
    {"redux.sync.min.s32", ZERO SPLIT "  redux.sync.min.s32 %r20, %r10, %r19;\n" TWO},
    {"redux.sync.max.s32", ZERO SPLIT "  redux.sync.max.s32 %r20, %r10, %r19;\n" TWO},
    {"redux.sync.and.b32", ZERO SPLIT "  redux.sync.and.b32 %r20, %r10, %r19;\n" TWO},
    {"redux.sync.or.b32", ZERO SPLIT "  redux.sync.or.b32 %r20, %r10, %r19;\n" TWO},
    {"redux.sync.xor.b32", ZERO SPLIT "  redux.sync.xor.b32 %r20, %r10, %r19;\n" TWO},
    {"elect.sync", ZERO ALL "  elect.sync %r20|%p20, %r19;\n" TWO},
    {"bar.warp.sync", ZERO SPLIT "  bar.warp.sync %r19;\n" TWO},
    {"nanosleep.u32", ZERO "  nanosleep.u32 20;\n" TWO},
    {"bar.red.popc.u32", ZERO "  setp.lt.u32 %p2, %r10, %r12;\n"
                              "  bar.red.popc.u32 %r20, 3, %p2;\n" TWO},
    {"bar.red.and.pred", ZERO "  setp.ne.u32 %p2, %r10, 33;\n"
                              "  bar.red.and.pred %p20, 0, 256, %p2;\n" TWO},
    {"barrier.red.or.pred", ZERO "  setp.ne.u32 %p2, %r10, 33;\n"
                                 "  barrier.red.or.pred %p20, 15, !%p2;\n" TWO},
    {"bar.sync 1, 128",
     ZERO THROUGH_SHARED("  st.shared.u32 [%r5], %r10;\n",
                         "  shr.u32 %r7, %r3, 7;\n  add.u32 %r7, %r7, 1;\n  bar.sync %r7, 128;\n",
                         "  xor.b32 %r6, %r3, 96;\n  shl.b32 %r6, %r6, 4;\n"
                         "  add.u32 %r6, %r4, %r6;\n  ld.shared.u32 %r20, [%r6];\n") TWO},
    {"bar.arrive 1, 256",
     ZERO THROUGH_SHARED("  st.shared.u32 [%r5], %r10;\n  setp.lt.u32 %p2, %r3, 128;\n",
                         "  @%p2 bar.arrive 1, 256;\n  @!%p2 bar.sync 1, 256;\n",
                         "  @!%p2 ld.shared.u32 %r20, [%r6];\n") TWO},
    {"cp.async.ca 4", ZERO THROUGH_SHARED("  cp.async.ca.shared.global [%r5], [%d1], 4;\n",
                                          "  cp.async.wait_all;\n  bar.sync 0;\n",
                                          "  ld.shared.u32 %r20, [%r6];\n") TWO},
    {"cp.async.ca 8, 4", ZERO THROUGH_SHARED("  cp.async.ca.shared.global [%r5], [%d1], 8, 4;\n",
                                             "  cp.async.commit_group;\n  cp.async.wait_group 0;\n"
                                             "  bar.sync 0;\n",
                                             "  ld.shared.v2.u32 {%r20, %r21}, [%r6];\n"
                                             "  setp.ne.u32 %p20, %r21, 0;\n") TWO},
    {"cp.async.cg 16, n",
     ZERO THROUGH_SHARED("  and.b32 %r17, %r10, 15;\n"
                         "  cp.async.cg.shared.global [%r5], [%d1], 16, %r17;\n",
                         "  cp.async.wait_all;\n  bar.sync 0;\n",
                         "  ld.shared.v4.u32 {%r20, %r16, %r15, %r14}, [%r6];\n"
                         "  xor.b32 %r20, %r20, %r16;\n  mad.lo.u32 %r20, %r15, 3, %r20;\n"
                         "  mad.lo.u32 %r20, %r14, 5, %r20;\n") TWO},
};

/* Texts are for sm_70; some are of later GPUs. Both numbers keep their length. */
static void raise_target(opcode_t *o) {
  const bool elect = strncmp(o->name, "elect", 5) == 0;
  char *at = strstr(o->text, "sm_70");
  if (!elect && strncmp(o->name, "redux", 5) != 0 && strncmp(o->name, "cp.async", 8) != 0) return;
  if (at) memcpy(at, elect ? "sm_90" : "sm_80", 5);
  if (elect && (at = strstr(o->text, "7.4"))) memcpy(at, "8.0", 3);
}

static int each_lane_operation(opcode_t *o, opcode_take_t take, void *ctx) {
  int rc = 0;
  for (unsigned i = 0; rc == 0 && i < sizeof lanes / sizeof *lanes; i++) {
    *o = (opcode_t){
        .n_operands = 4, .operand = {PTX_U32, PTX_U64, PTX_U32, PTX_U32}, .result = PTX_U32};
    snprintf(o->name, sizeof o->name, "%s", lanes[i].name);
    if (!opcode_text(o, "", lanes[i].body)) continue;
    o->n_results = 2;
    raise_target(o);
    if (opcode_read(o)) rc = take(ctx, o);
  }
  return rc;
}

/* ---- atomics -------------------------------------------------------------------- */

typedef struct {
  const char *name, *where, *space; /* atom or red; the word's register; ".global" */
} atomic_place_t;

/* The thread's own word holds operand 0; what the atomic gives, and what stands there then. */
static int offer_atomic(opcode_t *o, const atomic_place_t *a, const char *what, ptx_type_t type,
                        opcode_take_t take, void *ctx) {
  char body[1024], third[32] = "", result[32] = "";
  const char c = opcode_class(type);
  const char *word = opcode_word(type);
  const bool red = strcmp(a->name, "red") == 0;
  *o = (opcode_t){
      .n_operands = 3, .operand = {type, type, type}, .result = type, .recent = ptx_is_half(type)};
  snprintf(o->name, sizeof o->name, "%s%s.%s%s.%s", a->name, a->space, what,
           ptx_is_half(type) ? ".noftz" : "", ptx_type_name(type));
  if (strcmp(what, "cas") == 0) snprintf(third, sizeof third, ", %%%c12", c);
  if (!red) snprintf(result, sizeof result, "%%%c20, ", c);
  snprintf(body, sizeof body,
           "  .shared .align 8 .b8 s[2048];\n  mov.u64 %%d4, s;\n  mul.wide.u32 %%d5, %%r3, 8;\n"
           "  add.u64 %%d4, %%d4, %%d5;\n  cvta.shared.u64 %%d6, %%d4;\n  add.u64 %%d7, %%d2, 16;\n"
           "  mov.%s %%%c20, %%%c10;\n  st%s.%s [%s], %%%c10;\n  %s %s[%s], %%%c11%s;\n"
           "  ld%s.%s %%%c21, [%s];\n  st.global.%s [%%d2], %%%c20;\n  st.global.%s [%%d2+%u], "
           "%%%c21;\n",
           word, c, c, a->space, word, a->where, c, o->name, result, a->where, c, third, a->space,
           word, c, a->where, word, c, word, ptx_type_bytes(type), c);
  const bool fits = opcode_text(o, "", body);
  o->n_results = 2;
  return fits && opcode_read(o) ? take(ctx, o) : 0;
}

static int each_atomic(opcode_t *o, opcode_take_t take, void *ctx) {
  static const atomic_place_t places[] = {{"atom", "%d7", ".global"}, {"atom", "%d4", ".shared"},
                                          {"atom", "%d6", ""},        {"red", "%d7", ".global"},
                                          {"red", "%d4", ".shared"},  {"red", "%d7", ""}};
  int rc = 0;
  for (unsigned p = 0; p < sizeof places / sizeof *places; p++)
    for (unsigned k = 0; rc == 0 && ptx_modifier(k); k++)
      for (unsigned t = PTX_B8; rc == 0 && t <= PTX_BF16X2; t++)
        if (ptx_modifier(k)->kind == KIND_ATOMIC)
          rc = offer_atomic(o, &places[p], ptx_modifier(k)->word, (ptx_type_t)t, take, ctx);
  return rc;
}

int opcode_lanes(opcode_take_t take, void *ctx) {
  opcode_t o;
  const int rc = each_lane_operation(&o, take, ctx);
  return rc ? rc : each_atomic(&o, take, ctx);
}
