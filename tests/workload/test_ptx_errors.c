/* SPDX-License-Identifier: Apache-2.0 */
/* What the PTX reader refuses, message by message; and that no damage to a text makes it crash. */
#include "ptx_help.h"

static void expect_error(const char *text, size_t size, const char *want) {
  mrpb_err_t err = {{0}};
  ptx_module_t *m;
  ck_assert_msg(ptx_read(&m, text, size, "t.ptx", &err) == -1, "no error, but wanted %s", want);
  ck_assert_ptr_null(m);
  ck_assert_msg(strncmp(err.text, want, strlen(want)) == 0, "is   %s\nwant %s", err.text, want);
  ck_assert_ptr_null(strchr(err.text, '\n'));
}

static const struct {
  const char *body, *message;
} bodies[] = {
#include "ptx_refused.h"
};

enum { BODIES = sizeof bodies / sizeof *bodies };

START_TEST(in_kernels) {
  char *text = wrap_body(bodies[_i].body);
  expect_error(text, strlen(text), bodies[_i].message);
  free(text);
}
END_TEST

#define HEAD ".version 3.2\n.target sm_20\n"
#define KERNEL ".entry k { ret; }\n"

static const struct {
  const char *text, *message;
} texts[] = {
    {"", "t.ptx:1: no kernel; legal: at least one .entry with a body"},
    {"hello", "t.ptx:1: 'hello' found where a directive is expected"},
    {KERNEL, "t.ptx:1: .version is missing before the first kernel"},
    {".version 3.2\n" KERNEL, "t.ptx:2: .target is missing before the first kernel"},
    {".version three\n", "t.ptx:1: 'three' after .version; legal: 3.2 or the like"},
    {".target 20\n", "t.ptx:1: '20' after .target; legal: sm_20 or the like"},
    {".address_size 16\n", "t.ptx:1: '16' after .address_size; legal: 32 64"},
    {".surf a;\n", "t.ptx:1: directive '.surf' is not supported; legal: .version "},
    {".alias a;\n", "t.ptx:1: ',' is missing between the names of .alias, before ';'"},
    {".alias a, 5;\n", "t.ptx:1: '5' found where the name of a function is expected"},
    {".visible .surfref s;\n", "t.ptx:1: directive '.surfref' is not supported"},
    {".visible 1\n", "t.ptx:1: '1' found where a directive is expected"},
    {HEAD KERNEL KERNEL, "t.ptx:4: kernel 'k' again"},
    {HEAD ".entry k;", "t.ptx:3: no kernel"},
    {HEAD ".entry 5 { ret; }", "t.ptx:3: '5' found where the name of a kernel is expected"},
    {HEAD ".entry k(.param .u32 a, .param .u32 a) { ret; }", "t.ptx:3: parameter 'a' again"},
    {HEAD ".entry k(.reg .u32 a) { ret; }", "t.ptx:3: '.reg' found where .param is expected"},
    {HEAD ".entry k(.param .bf16 a) { ret; }",
     "t.ptx:3: '.bf16' is not a type here; legal: .pred "},
    {HEAD ".entry k(.param .pred a) { ret; }", "t.ptx:3: parameter 'a' has no size"},
    {HEAD ".entry k(.param .b8 a[9999]) { ret; }", "t.ptx:3: parameters of more than 4096 bytes"},
    {HEAD ".entry k(.param .align 3 .b8 a[4]) { ret; }", "t.ptx:3: alignment 3; legal: a power"},
    {HEAD ".entry k(.param .u32 a { ret; }", "t.ptx:3: ')' is missing after the parameters"},
    {HEAD ".entry k .maxthreads 4 { ret; }", "t.ptx:3: '.maxthreads' is not supported before"},
    {HEAD ".entry k ret;", "t.ptx:3: '{' is missing before the body of the kernel, before 'ret'"},
    {HEAD ".entry k { ret;", "t.ptx:3: the text ends within kernel 'k'; '}' is missing for '{' on "
                             "line 3"},
    {HEAD ".entry k {\n{ ret;\n}", "t.ptx:5: the text ends within kernel 'k'; '}' is missing for "
                                   "'{' on line 3"},
    {HEAD ".entry k { } ", "t.ptx:3: kernel 'k' runs past its end; legal: ret, exit or bra last"},
    {HEAD ".func f { ret;", "t.ptx:3: the text ends within function 'f'; '}' is missing"},
    {HEAD ".section x { 1", "t.ptx:3: the text ends within the section on line 3"},
    {HEAD "/* no\nend", "t.ptx:3: the comment that begins here does not end"},
    {HEAD ".pragma \"x\n\";", "t.ptx:3: the string does not end on this line"},
    {HEAD "\x01", "t.ptx:3: a byte that is not printable ASCII"},
    {HEAD ".global .u32 a; .global .u32 a;", "t.ptx:3: variable 'a' again, first on line 3"},
    {HEAD ".global .u32 a[];",
     "t.ptx:3: the size of 'a' is missing; only .extern .shared may omit it"},
    {HEAD ".global .u32 a[2] = {1, 2, 3};", "t.ptx:3: more initial values than 'a' has elements"},
    {HEAD ".global .u32 a[2] = {1, 2;", "t.ptx:3: '}' is missing after the initial values"},
    {HEAD ".global .u64 a = b;",
     "t.ptx:3: initialiser 'b'; legal: numbers, addresses of .global variables in 32 or 64 bits"},
    {HEAD ".global .f32 a = 1;", "t.ptx:3: '1' is an integer, the operand .f32"},
    {HEAD ".shared .u32 a = 1;", "t.ptx:3: 'a': .shared variables cannot have an initial value"},
    {HEAD ".global .pred a;",
     "t.ptx:3: variable 'a': legal: up to 1073741824 bytes, no predicates"},
    {HEAD ".global .b8 a[1073741824][2];", "t.ptx:3: array too large"},
    {HEAD ".global .b8 a[x];", "t.ptx:3: 'x' as array size; legal: 0 to 1073741824"},
    {HEAD ".global .u32 5;", "t.ptx:3: '5' found where the name of a variable is expected"},
    {HEAD ".global .u32 a", "t.ptx:3: ';' is missing at the end of the variable, before the end"},
    {HEAD ".tex .f32 a;", "t.ptx:3: '.f32' after .tex; legal: .u64 .u32"},
    {HEAD ".shared .b8 a[1048577]; .entry k { .reg .u64 %r; mov.u64 %r, a; ret; }",
     "t.ptx:3: kernel 'k': more than 1048576 bytes of .shared variables"},
};

START_TEST(outside_kernels) {
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
    expect_error(texts[i].text, strlen(texts[i].text), texts[i].message);
}
END_TEST

START_TEST(nul_byte) {
  static const char text[] = HEAD "\0" KERNEL;
  expect_error(text, sizeof text - 1, "t.ptx:3: a NUL byte; PTX is text");
}
END_TEST

/* ---- damage ------------------------------------------------------------------------ */

static uint32_t draw(uint64_t *state, size_t below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((*state >> 33) % below);
}

/* What an executor relies on. */
static void check_module(const ptx_module_t *m) {
  for (unsigned n = 0; n < ptx_kernels(m); n++) {
    const ptx_kernel_t *k = ptx_kernel(m, n);
    if (k->refused) continue;
    for (unsigned i = 0; i < k->n_insts; i++) {
      const ptx_inst_t *inst = &k->insts[i];
      for (unsigned r = 0; r < WARP_OPERANDS; r++) ck_assert_uint_lt(inst->warp.regs[r], WARP_REGS);
      for (unsigned d = 0; d < 4; d++)
        ck_assert(inst->dst[d].kind != PTX_OPERAND_REG || inst->dst[d].reg < k->n_regs);
      if (inst->op == PTX_OP_BRA) ck_assert_uint_lt(inst->target, k->n_insts);
      ck_assert(inst->reconverge == PTX_NO_TARGET || inst->reconverge < k->n_insts);
      for (unsigned s = 0; s < 5; s++)
        if (inst->src[s].kind == PTX_OPERAND_SYMBOL)
          ck_assert_uint_lt(inst->src[s].reg, ptx_variables(m));
    }
    ck_assert(!k->insts[k->n_insts - 1].guard);
  }
}

static void try(const char *text, size_t size) {
  mrpb_err_t err = {{0}};
  ptx_module_t *m;
  char *exact = malloc(size ? size : 1); /* so that a sanitizer sees a read past the end */
  memcpy(exact, text, size);
  if (ptx_read(&m, exact, size, "t.ptx", &err)) {
    ck_assert_int_eq(strncmp(err.text, "t.ptx:", 6), 0);
    ck_assert_ptr_null(strchr(err.text, '\n'));
  } else {
    check_module(m);
    for (unsigned i = 0; i < ptx_variables(m); i++) ptx_bind(m, i, 0x80000000 + 256 * i);
    ptx_free(m);
  }
  free(exact);
}

START_TEST(truncated) {
  size_t size;
  char *text = read_whole(_i ? "tests/data/atax.ptx" : "tests/data/all.ptx", &size);
  for (size_t n = 0; n < size; n++) try(text, n);
  free(text);
}
END_TEST

// clang-format off
static const char *const piece[] = {
    "{", "}", ";", ",", "[", "]", ".v4", ".f64",
    "-", "%r1", "@!%p1 ", "0f3F800000", "99999999999999999999", "_", "+", "<9>",
    "\"", "/*", ".reg .b32 %r<5>;", "L:", "bra $done;", "tile", "!", "|"};
// clang-format on

/* A few bytes changed, removed, doubled or moved; pieces of the grammar put in. */
static size_t damage(char *text, size_t size, size_t room, uint64_t *state) {
  size_t at = draw(state, size), n = 1 + draw(state, 12), to = draw(state, size);
  if (at + n > size) n = size - at;
  if (to + n > size) to = size - n;
  switch (draw(state, 5)) {
  case 0:
    text[at] = (char)draw(state, 256);
    return size;
  case 1:
    memmove(text + at, text + at + n, size - at - n);
    return size - n;
  case 2:
    memmove(text + to, text + at, n);
    return size;
  case 3:
    text[at] ^= (char)(1 << draw(state, 7));
    return size;
  default:
    break;
  }
  const char *p = piece[draw(state, sizeof piece / sizeof *piece)];
  n = strlen(p);
  if (size + n > room) return size;
  memmove(text + at + n, text + at, size - at);
  memcpy(text + at, p, n);
  return size + n;
}

START_TEST(mutated) {
  enum { ROUNDS = 1000, SLACK = 200 };
  uint64_t state = (uint64_t)_i;
  size_t size;
  char *text = read_whole(_i % 2 ? "tests/data/atax.ptx" : "tests/data/all.ptx", &size);
  char *copy = malloc(size + SLACK);
  for (unsigned r = 0; r < ROUNDS; r++) {
    size_t now = size;
    memcpy(copy, text, size);
    for (unsigned n = 1 + draw(&state, 4); n > 0; n--)
      now = damage(copy, now, size + SLACK, &state);
    try(copy, now);
  }
  free(copy);
  free(text);
}
END_TEST

Suite *test_ptx_errors_suite(void);
Suite *test_ptx_errors_suite(void) {
  Suite *s = suite_create("ptx_errors");
  TCase *t = tcase_create("refused");
  tcase_add_loop_test(t, in_kernels, 0, BODIES);
  tcase_add_test(t, outside_kernels);
  tcase_add_test(t, nul_byte);
  suite_add_tcase(s, t);
  t = tcase_create("damage");
  tcase_set_tags(t, "heavy");
  tcase_add_loop_test(t, truncated, 0, 2);
  tcase_add_loop_test(t, mutated, 0, 10);
  suite_add_tcase(s, t);
  return s;
}
