/* SPDX-License-Identifier: Apache-2.0 */
/* Operations between the lanes of a warp, against the PTX manual's words written down lane by lane;
 * which lanes may take part, and what is refused because the manual leaves it open. */
#include "prng.h"
#include "simt_help.h"

#include <stdio.h>

enum { THREADS = 80, WARPS = 3, REPEAT = 40 };

/* A thread's operands; what it gives. */
typedef struct {
  uint32_t a, b, c, m;
  uint64_t wide, none;
} in_t;
typedef struct {
  uint32_t d, p;
} out_t;

/* The lanes of a warp that exist and take part. */
typedef struct {
  const in_t *in; /* of lane 0 */
  uint32_t here;
} warp_t;

typedef out_t (*want_t)(const warp_t *w, unsigned l);

#define HEAD                                                                                       \
  PTX_HEAD ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 least) {\n"             \
           ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;\n"                               \
           "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"             \
           "mul.wide.u32 %rd3, %r1, 32; add.u64 %rd1, %rd1, %rd3;\n"                               \
           "mul.wide.u32 %rd3, %r1, 8; add.u64 %rd2, %rd2, %rd3;\n"                                \
           "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1]; ld.global.u64 %rd4, [%rd1+16];\n"       \
           "mov.u32 %r10, 77; setp.ne.u32 %p1, %r1, %r1; and.b32 %r11, %r2, 1;\n"                  \
           "setp.ne.u32 %p2, %r11, 0; mov.u32 %r12, %laneid; ld.param.u32 %r13, [least];\n"        \
           "setp.ge.u32 %p3, %r12, %r13;\n"
#define TAIL "selp.u32 %r11, 1, 0, %p1;\nst.global.v2.u32 [%rd2], {%r10, %r11};\nret;\n}\n"

typedef struct {
  const char *inst;
  want_t want;
  unsigned masks; /* 0: no member masks; 1: one for all; 2: one for each half */
  bool few;       /* values from a small range */
} case_t;

/* ---- the manual's words ------------------------------------------------------- */

static uint32_t members(const warp_t *w, unsigned l, bool sync) {
  return sync ? w->in[l].m & w->here : w->here;
}

static out_t shuffled(const warp_t *w, unsigned l, char mode) {
  uint32_t bval = w->in[l].b & 0x1f, cval = w->in[l].c & 0x1f, segment = w->in[l].c >> 8 & 0x1f;
  int most = (int)((l & segment) | (cval & ~segment)), least = (int)(l & segment), j;
  bool p;
  if (mode == 'u')
    j = (int)l - (int)bval, p = j >= most;
  else if (mode == 'd')
    j = (int)(l + bval), p = j <= most;
  else if (mode == 'b')
    j = (int)(l ^ bval), p = j <= most;
  else
    j = least | (int)(bval & ~segment), p = j <= most;
  if (!p) j = (int)l;
  return (out_t){w->in[j].a, p};
}
static out_t shfl_up(const warp_t *w, unsigned l) {
  return shuffled(w, l, 'u');
}
static out_t shfl_down(const warp_t *w, unsigned l) {
  return shuffled(w, l, 'd');
}
static out_t shfl_bfly(const warp_t *w, unsigned l) {
  return shuffled(w, l, 'b');
}
static out_t shfl_idx(const warp_t *w, unsigned l) {
  return shuffled(w, l, 'i');
}

static uint32_t ballot(const warp_t *w, uint32_t members) {
  uint32_t yes = 0;
  for (unsigned l = 0; l < 32; l++)
    if (members >> l & 1) yes |= (w->in[l].a & 1) << l;
  return yes;
}
#define VOTE(name, sync, DOES, D)                                                                  \
  static out_t name(const warp_t *w, unsigned l) {                                                 \
    const uint32_t m = members(w, l, sync), y = ballot(w, m);                                      \
    (void)m, (void)y;                                                                              \
    return (out_t){D, DOES};                                                                       \
  }
VOTE(vote_all, true, y == m, 77)
VOTE(vote_any, true, y != 0, 77)
VOTE(vote_uni, true, y == 0 || y == m, 77)
VOTE(vote_not, true, y == 0, 77)
VOTE(vote_ballot, true, 0, y)
VOTE(old_all, false, y == m, 77)
VOTE(old_any, false, y != 0, 77)
VOTE(old_uni, false, y == 0 || y == m, 77)
VOTE(old_ballot, false, 0, y)
VOTE(active, false, 0, m)
VOTE(elected, true, (unsigned)__builtin_ctz(m) == l, (uint32_t)__builtin_ctz(m))
VOTE(elected_sink, true, (unsigned)__builtin_ctz(m) == l, 77)
VOTE(nothing, true, 0, 77)

static uint32_t alike(const warp_t *w, unsigned l, bool wide) {
  uint32_t same = 0;
  for (unsigned k = 0; k < 32; k++)
    if ((members(w, l, true) >> k & 1) &&
        (wide ? w->in[k].wide == w->in[l].wide : w->in[k].a == w->in[l].a))
      same |= 1u << k;
  return same;
}
static out_t match_any(const warp_t *w, unsigned l) {
  return (out_t){alike(w, l, false), 0};
}
static out_t match_any64(const warp_t *w, unsigned l) {
  return (out_t){alike(w, l, true), 0};
}
static out_t match_all(const warp_t *w, unsigned l) {
  bool all = alike(w, l, false) == members(w, l, true);
  return (out_t){all ? members(w, l, true) : 0, all};
}
static out_t match_all64(const warp_t *w, unsigned l) {
  bool all = alike(w, l, true) == members(w, l, true);
  return (out_t){all ? members(w, l, true) : 0, all};
}

#define REDUX(name, type, EXPR)                                                                    \
  static out_t name(const warp_t *w, unsigned l) {                                                 \
    bool first = true;                                                                             \
    type s = 0;                                                                                    \
    for (unsigned k = 0; k < 32; k++) {                                                            \
      if (!(members(w, l, true) >> k & 1)) continue;                                               \
      const type v = (type)w->in[k].a;                                                             \
      s = first ? v : (type)(EXPR);                                                                \
      first = false;                                                                               \
    }                                                                                              \
    return (out_t){(uint32_t)s, 0};                                                                \
  }
REDUX(redux_add, uint32_t, s + v)
REDUX(redux_min_u, uint32_t, s < v ? s : v)
REDUX(redux_max_u, uint32_t, s > v ? s : v)
REDUX(redux_min_s, int32_t, s < v ? s : v)
REDUX(redux_max_s, int32_t, s > v ? s : v)
REDUX(redux_and, uint32_t, s &v)
REDUX(redux_or, uint32_t, s | v)
REDUX(redux_xor, uint32_t, s ^ v)

static const case_t cases[] = {
    {"shfl.sync.up.b32 %r10|%p1, %r2, %r3, %r4, %r5", shfl_up, 1, 0},
    {"shfl.sync.down.b32 %r10|%p1, %r2, %r3, %r4, %r5", shfl_down, 1, 0},
    {"shfl.sync.bfly.b32 %r10|%p1, %r2, %r3, %r4, %r5", shfl_bfly, 1, 0},
    {"shfl.sync.idx.b32 %r10|%p1, %r2, %r3, %r4, -1", shfl_idx, 1, 0},
    {"shfl.up.b32 %r10|%p1, %r2, %r3, %r4", shfl_up, 0, 0},
    {"shfl.down.b32 %r10|%p1, %r2, %r3, %r4", shfl_down, 0, 0},
    {"shfl.bfly.b32 %r10|%p1, %r2, %r3, %r4", shfl_bfly, 0, 0},
    {"shfl.idx.b32 %r10|%p1, %r2, %r3, %r4", shfl_idx, 0, 0},
    {"vote.sync.all.pred %p1, %p2, %r5", vote_all, 2, 0},
    {"vote.sync.any.pred %p1, %p2, %r5", vote_any, 2, 0},
    {"vote.sync.uni.pred %p1, %p2, %r5", vote_uni, 2, 0},
    {"vote.sync.all.pred %p1, !%p2, %r5", vote_not, 2, 0},
    {"vote.sync.ballot.b32 %r10, %p2, %r5", vote_ballot, 2, 0},
    {"vote.all.pred %p1, %p2", old_all, 0, 0},
    {"vote.any.pred %p1, %p2", old_any, 0, 0},
    {"vote.uni.pred %p1, %p2", old_uni, 0, 0},
    {"vote.ballot.b32 %r10, %p2", old_ballot, 0, 0},
    {"activemask.b32 %r10", active, 0, 0},
    {"elect.sync %r10|%p1, %r5", elected, 2, 0},
    {"elect.sync _|%p1, %r5", elected_sink, 2, 0},
    {"bar.warp.sync %r5", nothing, 2, 0},
    {"match.any.sync.b32 %r10, %r2, %r5", match_any, 2, 1},
    {"match.any.sync.b64 %r10, %rd4, %r5", match_any64, 2, 1},
    {"match.all.sync.b32 %r10|%p1, %r2, %r5", match_all, 2, 1},
    {"match.all.sync.b64 %r10|%p1, %rd4, %r5", match_all64, 2, 1},
    {"match.all.sync.b32 _|%p1, %r2, %r5; @%p1 mov.u32 %r10, %r5; @!%p1 mov.u32 %r10, 0; "
     "@%p1 vote.ballot.b32 %r10, %p1",
     match_all, 1, 1},
    {"redux.sync.add.u32 %r10, %r2, %r5", redux_add, 2, 0},
    {"redux.sync.add.s32 %r10, %r2, %r5", redux_add, 2, 0},
    {"redux.sync.min.u32 %r10, %r2, %r5", redux_min_u, 2, 0},
    {"redux.sync.max.u32 %r10, %r2, %r5", redux_max_u, 2, 0},
    {"redux.sync.min.s32 %r10, %r2, %r5", redux_min_s, 2, 0},
    {"redux.sync.max.s32 %r10, %r2, %r5", redux_max_s, 2, 0},
    {"redux.sync.and.b32 %r10, %r2, %r5", redux_and, 2, 0},
    {"redux.sync.or.b32 %r10, %r2, %r5", redux_or, 2, 0},
    {"redux.sync.xor.b32 %r10, %r2, %r5", redux_xor, 2, 0},
    {"nanosleep.u32 %r2; nanosleep.u32 20", nothing, 0, 0},
    {"shfl.sync.idx.b32 %r2|%p1, %r2, %r3, %r4, -1; mov.u32 %r10, %r2", shfl_idx, 1, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- running them ------------------------------------------------------------- */

/* Lanes from `least` on execute it, of which those of the last warp are 16. Sources of shuffles are
 * among them. */
static void fill(const case_t *c, in_t *in, uint32_t least, prng_t *rng) {
  const bool same = prng_next(rng) % 4 == 0;
  const uint32_t here = ~((UINT32_C(1) << least) - 1);
  for (unsigned i = 0; i < THREADS; i++) {
    const uint32_t x = (uint32_t)prng_next(rng), lane = i % 32;
    in[i] = (in_t){x,    (uint32_t)prng_next(rng),           (uint32_t)prng_next(rng),
                   here, (uint64_t)prng_next(rng) << 32 | 5, 0};
    if (c->few) in[i].a = x % 3, in[i].wide = (uint64_t)(x % 3) << 40;
    if (same) in[i].a = 5, in[i].wide = 9;
    if (c->masks == 2) in[i].m &= lane < 13 ? 0x1FFF : ~0x1FFFu;
  }
}

/* Whether a shuffle asks a lane that is not with it, which is open. */
static bool is_open(const warp_t *w, unsigned l, want_t want) {
  in_t mark[32];
  const warp_t marked = {mark, w->here};
  if (want != shfl_up && want != shfl_down && want != shfl_bfly && want != shfl_idx) return false;
  for (unsigned k = 0; k < 32; k++) mark[k] = w->in[k], mark[k].a = k;
  return !(w->here >> want(&marked, l).d & 1);
}

static void compare(const case_t *c, const in_t *in, const out_t *out, uint32_t least) {
  for (unsigned i = 0; i < THREADS; i++) {
    const unsigned l = i % 32;
    const warp_t w = {in + i - l,
                      ~((UINT32_C(1) << least) - 1) & (i / 32 == WARPS - 1 ? 0xFFFF : UINT32_MAX)};
    const bool runs = l >= least;
    if (runs && is_open(&w, l, c->want)) continue;
    const out_t want = runs ? c->want(&w, l) : (out_t){77, 0};
    ck_assert_msg(out[i].d == want.d && out[i].p == want.p,
                  "%s, thread %u from lane %u on: a %#x b %#x c %#x m %#x: %#x %u, expected %#x %u",
                  c->inst, i, least, in[i].a, in[i].b, in[i].c, in[i].m, out[i].d, out[i].p, want.d,
                  want.p);
  }
}

/* All lanes; then those from `least` on, which a guard or a branch leaves. */
START_TEST(as_the_manual_says) {
  const case_t *c = &cases[_i];
  char text[4096];
  prng_t rng = prng_seed(77, (uint64_t)_i);
  in_t room[WARPS * 32];
  for (unsigned k = 0; k < REPEAT; k++) {
    const uint32_t least = k % 2 ? (uint32_t)prng_next(&rng) % 13 : 0;
    rig_t r = {.portable = k % 4 == 0};
    memset(room, 0, sizeof room);
    snprintf(text, sizeof text, "%s@!%%p3 bra L;\n%s;\nL:\n%s", HEAD, c->inst, TAIL);
    ck_assert_msg(rig_open(&r, text, 1, THREADS) == 0, "%s: %s", c->inst, r.err.text);
    in_t *in = rig_buffer(&r, 0, sizeof(in_t) * THREADS);
    const out_t *out = rig_buffer(&r, 1, sizeof(out_t) * THREADS);
    simt_param(&r.prepared.launch, 2, least);
    fill(c, in, least, &rng);
    if (strstr(c->inst, ", -1")) /* lanes elsewhere */
      simt_param(&r.prepared.launch, 2, 0);
    memcpy(room, in, sizeof(in_t) * THREADS);
    ck_assert_msg(rig_run(&r) == 0, "%s: %s", c->inst, r.err.text);
    compare(c, room, out, strstr(c->inst, ", -1") ? 0 : least);
    rig_close(&r);
  }
}
END_TEST

/* ---- who may take part ---------------------------------------------------------- */

static const struct {
  const char *body, *message; /* NULL: none */
} takes_part[] = {
    /* Lanes that have ended may be in the mask, and those that never were. */
    {"setp.lt.u32 %p1, %r12, 3; @%p1 ret; vote.sync.ballot.b32 %r10, %p2, -1; "
     "setp.ne.u32 %p1, %r1, %r1;",
     NULL},
    /* A half each, the other one waits. */
    {"setp.lt.u32 %p1, %r12, 16; @%p1 bra A; bar.warp.sync 0xFFFF0000; bra B; "
     "A: bar.warp.sync 0xFFFF; B: bar.warp.sync -1;",
     NULL},
    {"setp.lt.u32 %p1, %r12, 16; @%p1 shfl.sync.idx.b32 %r10, %r2, 0, 31, -1;",
     "k:13: shfl: lane 0 of block (0,0,0) thread (0,0,0): lanes 0xffff0000 of its member mask "
     "0xffffffff are elsewhere in the program; legal: lanes that have ended, or are here"},
    {"vote.sync.any.pred %p1, %p2, 0xFFFFFFFE;",
     "k:13: vote: lane 0 of block (0,0,0) thread (0,0,0): it is not in its member mask 0xfffffffe"},
    {"setp.eq.u32 %p1, %r12, 7; selp.b32 %r6, 0x80, -1, %p1; redux.sync.add.u32 %r10, %r2, %r6;",
     "k:13: redux: lane 0 of block (0,0,0) thread (0,0,0): its member mask is 0xffffffff; "
     "lane 7, which is in it, has 0x00000080"},
    {"setp.lt.u32 %p1, %r12, 31; @%p1 bra A; elect.sync %r10|%p1, -1; A:",
     "k:13: elect: lane 31 of block (0,0,0) thread (31,0,0): lanes 0x7fffffff of its member mask "},
    {"@%p2 match.any.sync.b32 %r10, %r2, -1;",
     "k:13: match: lane 1 of block (0,0,0) thread (1,0,0): lanes 0x55555555 of its member mask "},
};

START_TEST(members_are_here) {
  char text[4096];
  rig_t r = {0};
  snprintf(text, sizeof text, "%s%s\n%s", HEAD, takes_part[_i].body, TAIL);
  ck_assert_msg(rig_open(&r, text, 1, THREADS) == 0, "%s", r.err.text);
  in_t *in = rig_buffer(&r, 0, sizeof(in_t) * THREADS);
  (void)rig_buffer(&r, 1, sizeof(out_t) * THREADS);
  for (unsigned i = 0; i < THREADS; i++) in[i].a = i;
  const char *want = takes_part[_i].message;
  const int rc = rig_run(&r);
  ck_assert_msg((rc == 0) == !want, "%s: %s", takes_part[_i].body, r.err.text);
  if (want)
    ck_assert_msg(strncmp(r.err.text, want, strlen(want)) == 0, "is   %s\nwant %s", r.err.text,
                  want);
  rig_close(&r);
}
END_TEST

/* ---- special registers ----------------------------------------------------------- */

START_TEST(special_registers) {
  static const char text[] = PTX_HEAD
      ".extern .shared .align 4 .b8 more[]; .visible .entry k(.param .u64 out) {\n"
      ".reg .b32 %r<20>; .reg .b64 %rd<9>; .shared .align 4 .b8 own[40];\n"
      "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 64;\n"
      "add.u64 %rd1, %rd1, %rd2; mov.u32 %r2, %lanemask_eq; mov.u32 %r3, %lanemask_lt;\n"
      "mov.u32 %r4, %lanemask_le; mov.u32 %r5, %lanemask_gt; mov.u32 %r6, %lanemask_ge;\n"
      "mov.u32 %r7, %smid; mov.u32 %r8, %nsmid; mov.u32 %r9, %nwarpid; mov.u32 %r10, %gridid;\n"
      "mov.u32 %r11, %dynamic_smem_size; mov.u32 %r12, %total_smem_size; mov.u64 %rd3, %gridid;\n"
      "cvt.u32.u64 %r13, %rd3; mov.u32 %r14, more; mov.u32 %r15, own;\n"
      "st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5}; st.global.v4.u32 [%rd1+16], {%r6, %r7, %r8, "
      "%r9};\nst.global.v4.u32 [%rd1+32], {%r10, %r11, %r12, %r13}; ret; }\n";
  enum { N = 40, WORDS = 16 };
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, text, 1, N) == 0, "%s", r.err.text);
  const uint32_t(*out)[WORDS] = rig_buffer(&r, 0, N * WORDS * 4);
  r.prepared.launch.shared = 60;
  r.prepared.left = 3;
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t *o = out[i], bit = 1u << i % 32;
    const uint32_t want[] = {bit, bit - 1, 2 * bit - 1, ~(2 * bit - 1), ~(bit - 1), 0, 1, 32, 2, 60,
                             100, 2};
    for (unsigned k = 0; k < sizeof want / sizeof *want; k++)
      ck_assert_msg(o[k] == want[k], "thread %u, word %u: %u, expected %u", i, k, o[k], want[k]);
  }
  rig_close(&r);
}
END_TEST

/* The SM says where a block runs. */
START_TEST(on_an_sm) {
  static const char text[] =
      PTX_HEAD ".visible .entry k(.param .u64 out) { .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
               "ld.param.u64 %rd1, [out]; mov.u32 %r1, %smid; mov.u32 %r2, %nsmid;\n"
               "st.global.v2.u32 [%rd1], {%r1, %r2}; ret; }\n";
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s", r.err.text);
  const uint32_t *out = rig_buffer(&r, 0, 8);
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *s = warp_stream_open(r.w, 0, 0);
  warp_stream_on_sm(r.w, s, &(warp_seat_t){.sm = 5, .sms = 14, .slots = 48});
  while (warp_stream_peek(r.w, s)) warp_stream_step(r.w, s);
  warp_stream_close(r.w, s);
  ck_assert_uint_eq(out[0], 5);
  ck_assert_uint_eq(out[1], 14);
  rig_close(&r);
}
END_TEST

Suite *test_simt_warp_suite(void);

Suite *test_simt_warp_suite(void) {
  Suite *s = suite_create("simt_warp");
  TCase *t = tcase_create("simt_warp");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, as_the_manual_says, 0, CASES);
  tcase_add_loop_test(t, members_are_here, 0, sizeof takes_part / sizeof *takes_part);
  tcase_add_test(t, special_registers);
  tcase_add_test(t, on_an_sm);
  suite_add_tcase(s, t);
  return s;
}
