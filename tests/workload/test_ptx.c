/* SPDX-License-Identifier: Apache-2.0 */
/* Reading PTX: what every opcode decodes to, constants, vectors, variables and their layout. */
#include "ptx_help.h"

#include "workload/ptx/table.h"

/* ---- an instruction as a line -------------------------------------------------- */

static void put_operand(FILE *f, const ptx_kernel_t *k, const ptx_operand_t *o) {
  switch ((ptx_operand_kind_t)o->kind) {
  case PTX_OPERAND_NONE:
    return;
  case PTX_OPERAND_REG:
    fprintf(f, " %s%s", o->negated ? "!" : "", k->regs[o->reg].name);
    return;
  case PTX_OPERAND_IMM:
    fprintf(f, " 0x%llx", (unsigned long long)o->imm);
    return;
  case PTX_OPERAND_SPECIAL:
    fprintf(f, " %s", ptx_special_name(o->reg));
    return;
  case PTX_OPERAND_SYMBOL:
    fprintf(f, " var%u+%llu", o->reg, (unsigned long long)o->imm);
    return;
  }
}

/* What it computes: opcode, types, operands and every field that is not 0. */
static void put_meaning(FILE *f, const ptx_kernel_t *k, const ptx_inst_t *i) {
  fputs(ptx_op_name((ptx_op_t)i->op), f);
  if (i->type) fprintf(f, ".%s", ptx_type_name((ptx_type_t)i->type));
  if (i->type2) fprintf(f, ".%s", ptx_type_name((ptx_type_t)i->type2));
  const struct {
    const char *name;
    unsigned value;
  } field[] = {{"space", i->space},     {"cmp", i->cmp},
               {"bool", i->boolean},    {"mul", i->mul},
               {"round", i->round},     {"sat", i->sat},
               {"ftz", i->ftz},         {"uni", i->uniform},
               {"left", i->left_shift}, {"to", i->to_space},
               {"wrap", i->wrap},       {"v", i->n_vector == 1 ? 0 : i->n_vector},
               {"guard", i->guard},     {"not", i->guard_negated},
               {"what", i->what},       {"order", i->order},
               {"scope", i->scope},     {"cached", i->cached},
               {"relu", i->relu},       {"satfinite", i->satfinite},
               {"nan", i->nan},         {"xorsign", i->xorsign},
               {"carry", i->carry_out}};
  for (unsigned n = 0; n < sizeof field / sizeof *field; n++)
    if (field[n].value) fprintf(f, " %s=%u", field[n].name, field[n].value);
  for (unsigned d = 0; d < 4; d++) put_operand(f, k, &i->dst[d]);
  fputs(" <-", f);
  for (unsigned s = 0; s < 5; s++) put_operand(f, k, &i->src[s]);
  if (i->offset) fprintf(f, " %+lld", (long long)i->offset);
}

/* What the SM sees of it. */
static void put_timing(FILE *f, const ptx_kernel_t *k, const warp_inst_t *w) {
  static const char *const cls[] = {"alu", "load", "store", "branch", "barrier", "exit"};
  static const char *const unit[] = {"sp", "sfu", "sp|sfu", "mem"};
  static const char *const space[] = {"global", "shared", "const", "tex"};
  if (w->cls != WARP_ALU) fprintf(f, "%s ", cls[w->cls]);
  if (w->unit == WARP_MEM)
    fprintf(f, "%s%u%s", space[w->space], w->elem, w->bypass ? " cg" : ""),
        fputs(w->atomic ? " atomic" : "", f);
  else
    fprintf(f, "%s %u/%u", unit[w->unit], w->latency, w->interval);
  for (unsigned d = 0; d < 4; d++)
    if (w->dst[d]) fprintf(f, " %s", k->regs[w->dst[d]].name);
  fputs(" <-", f);
  for (unsigned s = 0; s < 4; s++)
    if (w->src[s]) fprintf(f, " %s", k->regs[w->src[s]].name);
  if (w->wait[0] || w->wait[1]) fputs(" ;", f);
  for (unsigned n = 0; n < 2; n++)
    if (w->wait[n]) fprintf(f, " %s", k->regs[w->wait[n]].name);
}

static char *line_of(const ptx_kernel_t *k, unsigned i,
                     void (*meaning)(FILE *, const ptx_kernel_t *, const ptx_inst_t *)) {
  char *line = NULL;
  size_t size;
  FILE *f = open_memstream(&line, &size);
  ck_assert_ptr_nonnull(f);
  if (meaning)
    meaning(f, k, &k->insts[i]);
  else
    put_timing(f, k, &k->insts[i].warp);
  fclose(f);
  return line;
}

static void expect_line(char *line, const char *want, const char *text) {
  ck_assert_msg(strcmp(line, want) == 0, "%s\n  is   %s\n  want %s", text, line, want);
  free(line);
}

/* ---- opcodes --------------------------------------------------------------------- */

static const struct {
  const char *text, *meaning, *timing;
} opcodes[] = {
#include "ptx_opcodes.h"
};

enum { OPCODES = sizeof opcodes / sizeof *opcodes };

START_TEST(every_opcode) {
  const char *text = opcodes[_i].text;
  char body[400];
  snprintf(body, sizeof body, "%s\nL: ret;", text);
  ptx_module_t *m = read_body(body);
  const ptx_kernel_t *k = ptx_kernel(m, 0);
  ck_assert_uint_eq(k->n_insts, 2);
  ck_assert_uint_eq(k->insts[0].line, 6);
  expect_line(line_of(k, 0, put_meaning), opcodes[_i].meaning, text);
  expect_line(line_of(k, 0, NULL), opcodes[_i].timing, text);
  ck_assert_str_eq(ptx_op_name((ptx_op_t)k->insts[0].warp.op),
                   ptx_op_name((ptx_op_t)k->insts[0].op));
  ck_assert_uint_eq(k->insts[0].warp.type, k->insts[0].type);
  ptx_free(m);
}
END_TEST

/* Every row of the table has a line in the test and one in the documentation. */
START_TEST(table_is_covered) {
  size_t size;
  char *doc = read_whole("docs/ptx.md", &size), row[400];
  const ptx_row_t *r;
  for (unsigned i = 0; (r = ptx_row(i)); i++) {
    unsigned seen = 0;
    size_t n = strlen(r->name), at;
    for (unsigned k = 0; k < OPCODES; k++) {
      const char *t = opcodes[k].text;
      const char *word =
          strncmp(t, r->name, n) == 0 ? t : strstr(t, " call "); /* behind its .param */
      if (word && *word == ' ') word++;
      seen += word && strncmp(word, r->name, n) == 0 && strchr(".; ", word[n]);
    }
    ck_assert_msg(seen, "%s is not tested", r->name);
    at = (size_t)snprintf(row, sizeof row, "| `%s` |", r->name);
    for (unsigned t = PTX_PRED; t < PTX_TYPES; t++)
      if (r->types >> t & 1)
        at += (size_t)snprintf(row + at, sizeof row - at, " %s", ptx_type_name((ptx_type_t)t));
    snprintf(row + at, sizeof row - at, " | %s |\n", r->doc);
    ck_assert_msg(strstr(doc, row) != NULL, "docs/ptx.md lacks %s", row);
  }
  const ptx_modifier_t *w;
  for (unsigned i = 0; (w = ptx_modifier(i)); i++) {
    snprintf(row, sizeof row, "`.%s`", w->word);
    ck_assert_msg(strstr(doc, row) != NULL, "docs/ptx.md lacks %s", row);
  }
  for (unsigned i = 0; ptx_special_name(i); i++)
    ck_assert_ptr_nonnull(strstr(doc, ptx_special_name(i)));
  const ptx_refused_t *no;
  for (unsigned i = 0; (no = ptx_refused_opcode(i)); i++) {
    snprintf(row, sizeof row, "| `%s` | %s |\n", no->name, no->what);
    ck_assert_msg(strstr(doc, row) != NULL, "docs/ptx.md lacks %s", row);
  }
  for (unsigned i = 0; (no = ptx_refused_word(i)); i++) {
    snprintf(row, sizeof row, "| `.%s` | %s |\n", no->name, no->what);
    ck_assert_msg(strstr(doc, row) != NULL, "docs/ptx.md lacks %s", row);
  }
  free(doc);
}
END_TEST

/* ---- constants --------------------------------------------------------------------- */

START_TEST(constants) {
  static const struct {
    const char *text;
    uint64_t bits;
  } c[] = {{"mov.u32 %r1, 10;", 10},
           {"mov.u32 %r1, 0x10U;", 16},
           {"mov.u32 %r1, 010;", 8},
           {"mov.u32 %r1, 0b101;", 5},
           {"mov.u32 %r1, 4294967295;", UINT32_MAX},
           {"mov.u32 %r1, -1;", UINT32_MAX},
           {"mov.s32 %r1, -2147483648;", 0x80000000},
           {"mov.u16 %rs1, -1;", 0xffff},
           {"mov.u64 %rd1, -1;", UINT64_MAX},
           {"mov.u64 %rd1, 0xffffffffffffffff;", UINT64_MAX},
           {"mov.u32 %r1, WARP_SZ;", 32},
           {"mov.f32 %f1, 0f3F800000;", 0x3f800000},
           {"mov.f32 %f1, 0F3f800000;", 0x3f800000},
           {"mov.f32 %f1, 1.5;", 0x3fc00000},
           {"mov.f32 %f1, -2.0e0;", 0xc0000000},
           {"mov.f32 %f1, 0d3FF0000000000000;", 0x3f800000},
           {"mov.f64 %fd1, 0d3FF0000000000000;", UINT64_C(0x3ff0000000000000)},
           {"mov.f64 %fd1, 0f3F800000;", UINT64_C(0x3ff0000000000000)},
           {"mov.f64 %fd1, 2.5E-1;", UINT64_C(0x3fd0000000000000)},
           {"mov.b32 %r1, 0f3F800000;", 0x3f800000},
           {"mov.pred %p1, -1;", 1},
           {"mov.u64 %rd1, a;", 0},
           {"mov.u64 %rd1, n;", 8},
           {"setp.eq.u16 %p1, %rs1, 65535;", 0xffff},
           {"shl.b64 %rd1, %rd2, 3;", 3},
           {"st.global.u8 [%rd1], 255;", 255}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    char body[100];
    snprintf(body, sizeof body, "%s ret;", c[i].text);
    ptx_module_t *m = read_body(body);
    const ptx_inst_t *inst = &ptx_kernel(m, 0)->insts[0];
    const ptx_operand_t *o = inst->src[1].kind ? &inst->src[1] : &inst->src[0];
    ck_assert_int_eq(o->kind, PTX_OPERAND_IMM);
    ck_assert_msg(o->imm == c[i].bits, "%s: %llx", c[i].text, (unsigned long long)o->imm);
    ptx_free(m);
  }
}
END_TEST

/* ---- a whole text ------------------------------------------------------------------- */

static const ptx_variable_t *variable(const ptx_module_t *m, const char *name, unsigned *index) {
  for (*index = 0; *index < ptx_variables(m); ++*index)
    if (strcmp(ptx_variable(m, *index)->name, name) == 0) return ptx_variable(m, *index);
  ck_abort_msg("no variable %s", name);
}

static const ptx_inst_t *at_line(const ptx_kernel_t *k, uint32_t line) {
  for (unsigned i = 0; i < k->n_insts; i++)
    if (k->insts[i].line == line) return &k->insts[i];
  ck_abort_msg("no instruction on line %u", line);
}

static ptx_module_t *read_all(void) {
  size_t size;
  char *text = read_whole("tests/data/all.ptx", &size);
  ptx_module_t *m = read_text(text);
  free(text);
  return m;
}

START_TEST(parameters) {
  static const ptx_param_t want[] = {
      {"p", PTX_U64, 0, 8}, {"n", PTX_U32, 8, 4}, {"s", PTX_B8, 16, 24}, {"x", PTX_F32, 40, 4}};
  ptx_module_t *m = read_all();
  const ptx_kernel_t *k = ptx_kernel(m, 0);
  ck_assert_uint_eq(k->n_params, 4);
  ck_assert_uint_eq(k->param_bytes, 44);
  for (unsigned i = 0; i < 4; i++) {
    ck_assert_str_eq(k->params[i].name, want[i].name);
    ck_assert_int_eq(k->params[i].type, want[i].type);
    ck_assert_uint_eq(k->params[i].offset, want[i].offset);
    ck_assert_uint_eq(k->params[i].bytes, want[i].bytes);
  }
  const ptx_inst_t *i = at_line(k, 51);
  ck_assert_int_eq(i->space, PTX_PARAM);
  ck_assert_uint_eq(i->src[0].imm + (uint64_t)i->offset, 24);
  ptx_free(m);
}
END_TEST

START_TEST(variables) {
  static const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 0, 0};
  static const float coef[4] = {1, 2, 3.5, -1};
  static const uint32_t grid[6] = {1, 2, 3, 4, 5, UINT32_MAX};
  unsigned i;
  ptx_module_t *m = read_all();
  const ptx_variable_t *v = variable(m, "coef", &i);
  ck_assert_int_eq(v->space, PTX_CONST);
  ck_assert_uint_eq(v->bytes, 16);
  ck_assert_mem_eq(v->init, coef, 16);
  v = variable(m, "bytes", &i);
  ck_assert_uint_eq(v->align, 8);
  ck_assert_mem_eq(v->init, bytes, 8);
  v = variable(m, "grid", &i);
  ck_assert_uint_eq(v->bytes, 24);
  ck_assert_mem_eq(v->init, grid, 24);
  v = variable(m, "counter", &i);
  ck_assert_ptr_null(v->init);
  ck_assert_uint_eq(v->bytes, 4);
  ck_assert(variable(m, "image", &i)->texture);
  ptx_free(m);
}
END_TEST

/* Shared variables: those that the kernel names, in order, .extern ones behind them. */
START_TEST(layout) {
  unsigned i;
  ptx_module_t *m = read_all();
  const ptx_kernel_t *k = ptx_kernel(m, 0);
  ck_assert_uint_eq(variable(m, "common_tile", &i)->address, 0);
  ck_assert_uint_eq(variable(m, "tile", &i)->address, 64);
  ck_assert_uint_eq(variable(m, "dynamic", &i)->address, 176);
  ck_assert_uint_eq(k->shared_bytes, 176);
  ck_assert_uint_eq(k->local_bytes, 24);
  ck_assert_uint_eq(at_line(k, 59)->src[0].imm, 64);  /* tile */
  ck_assert_uint_eq(at_line(k, 61)->src[0].imm, 0);   /* common_tile */
  ck_assert_uint_eq(at_line(k, 62)->src[0].imm, 176); /* dynamic */
  ck_assert_uint_eq(at_line(k, 66)->src[0].imm, 64);  /* [tile+96] */
  ck_assert_int_eq(at_line(k, 66)->offset, 96);
  ptx_free(m);
}
END_TEST

START_TEST(binding) {
  unsigned grid, image, coef;
  ptx_module_t *m = read_all();
  const ptx_kernel_t *k = ptx_kernel(m, 0);
  variable(m, "grid", &grid);
  variable(m, "image", &image);
  variable(m, "coef", &coef);
  const ptx_operand_t *o = &at_line(k, 60)->src[0];
  ck_assert_int_eq(o->kind, PTX_OPERAND_SYMBOL);
  ck_assert_uint_eq(o->reg, grid);
  ptx_bind(m, grid, 0x80000100);
  ptx_bind(m, image, 0x80000200);
  ptx_bind(m, coef, 64);
  ck_assert_int_eq(o->kind, PTX_OPERAND_IMM);
  ck_assert_uint_eq(o->imm, 0x80000104);
  ck_assert_uint_eq(at_line(k, 68)->src[1].imm, 0x80000200);
  ck_assert_uint_eq(at_line(k, 67)->src[0].imm + (uint64_t)at_line(k, 67)->offset, 76);
  ck_assert_uint_eq(ptx_variable(m, grid)->address, 0x80000100);
  ptx_bind(m, grid, 0x90000000);
  ck_assert_uint_eq(o->imm, 0x90000004);
  ptx_free(m);
}
END_TEST

/* An inner scope's register is another one; after the scope the name is gone. */
START_TEST(scopes) {
  ptx_module_t *m = read_body("mov.u32 %r1, 1; { .reg .b32 %r<4>; mov.u32 %r1, 2; } "
                              "{ .reg .b32 %r<4>; mov.u32 %r1, 3; } mov.u32 %r1, 4; ret;");
  const ptx_kernel_t *k = ptx_kernel(m, 0);
  ck_assert_uint_eq(k->n_regs, 4);
  ck_assert_uint_eq(k->insts[0].dst[0].reg, k->insts[3].dst[0].reg);
  ck_assert_uint_ne(k->insts[0].dst[0].reg, k->insts[1].dst[0].reg);
  ck_assert_uint_ne(k->insts[1].dst[0].reg, k->insts[2].dst[0].reg);
  ptx_free(m);
}
END_TEST

/* Behind a label, a call or a trap at the end comes what ends the thread. */
START_TEST(open_ends) {
  static const char *const bodies[] = {"bra E; ret; E:", "@%p1 bra E; trap; E:", "trap; trap;"};
  for (unsigned i = 0; i < 3; i++) {
    ptx_module_t *m = read_body(bodies[i]);
    const ptx_kernel_t *k = ptx_kernel(m, 0);
    ck_assert_uint_eq(k->n_insts, 3);
    ck_assert_int_eq(k->insts[2].op, PTX_OP_EXIT);
    if (i < 2) ck_assert_uint_eq(k->insts[0].target, 2);
    ptx_free(m);
  }
}
END_TEST

/* The bank is the number in the name. */
START_TEST(banks) {
  ptx_module_t *m = read_body(".reg .f32 %g<200>, x7y3, plain, %g20<3>;\n"
                              "fma.rn.f32 %g143, x7y3, plain, %g18; ret;");
  const warp_inst_t *w = &ptx_kernel(m, 0)->insts[0].warp;
  ck_assert_uint_eq(w->dst_bank[0], 143);
  ck_assert_uint_eq(w->src_bank[0], 7);
  ck_assert_uint_eq(w->src_bank[1], 0);
  ck_assert_uint_eq(w->src_bank[2], 18);
  ptx_free(m);
}
END_TEST

/* As nvcc up to 4.0 writes it. */
START_TEST(old_text) {
  ptx_module_t *m = read_text(
      ".version 1.4\n.target sm_10, map_f64_to_f32\n.entry _Z1kPf (\n"
      ".param .u64 __cudaparm__Z1kPf_a,\n.param .s32 __cudaparm__Z1kPf_n)\n{\n"
      ".reg .u16 %rh<4>;\n.reg .u32 %r<7>;\n.reg .u64 %rd<6>;\n.reg .f32 %f<4>;\n"
      ".reg .pred %p<3>;\n.loc 28 5 0\n$LDWbegin__Z1kPf:\nmov.u16 %rh1, %ctaid.x;\n"
      "mov.u16 %rh2, %ntid.x;\nmul.wide.u16 %r1, %rh1, %rh2;\ncvt.u32.u16 %r2, %tid.x;\n"
      "add.u32 %r3, %r2, %r1;\nld.param.s32 %r4, [__cudaparm__Z1kPf_n];\n"
      "setp.le.s32 %p1, %r4, %r3;\n@%p1 bra $Lt_0_1282;\n.loc 28 7 0\n"
      "ld.param.u64 %rd1, [__cudaparm__Z1kPf_a];\ncvt.s64.s32 %rd2, %r3;\n"
      "mul.wide.s32 %rd3, %r3, 4;\nadd.u64 %rd4, %rd1, %rd3;\nld.global.f32 %f1, [%rd4+0];\n"
      "mad.f32 %f2, %f1, %f1, %f1;\nst.global.f32 [%rd4+0], %f2;\n$Lt_0_1282:\nexit;\n"
      "$LDWend__Z1kPf:\n} // _Z1kPf\n");
  ck_assert_uint_eq(ptx_kernel(m, 0)->n_insts, 16);
  ptx_free(m);
}
END_TEST

START_TEST(found_by_name) {
  mrpb_err_t err = {{0}};
  size_t size;
  char *text = read_whole("tests/data/atax.ptx", &size);
  ptx_module_t *m = read_text(text);
  ck_assert_uint_eq(ptx_kernels(m), 2);
  const ptx_kernel_t *k = ptx_find(m, "_Z5atax2PfS_S_", &err);
  ck_assert_ptr_eq(k, ptx_kernel(m, 1));
  ck_assert_uint_eq(k->first_pc, ptx_kernel(m, 0)->n_insts * WARP_PC_STEP);
  ck_assert_uint_eq(k->insts[3].warp.pc, k->first_pc + 3 * WARP_PC_STEP);
  ck_assert_ptr_null(ptx_find(m, "_Z5atax3PfS_S_", &err));
  ck_assert_str_eq(err.text, "no kernel '_Z5atax3PfS_S_'; nearest: _Z5atax1PfS_S_");
  ck_assert_ptr_null(ptx_kernel(m, 2));
  ck_assert_ptr_null(ptx_variable(m, 0));
  ptx_free(m);
  free(text);
}
END_TEST

Suite *test_ptx_suite(void);
Suite *test_ptx_suite(void) {
  Suite *s = suite_create("ptx");
  TCase *t = tcase_create("reader");
  tcase_add_loop_test(t, every_opcode, 0, OPCODES);
  tcase_add_test(t, table_is_covered);
  tcase_add_test(t, constants);
  tcase_add_test(t, parameters);
  tcase_add_test(t, variables);
  tcase_add_test(t, layout);
  tcase_add_test(t, binding);
  tcase_add_test(t, scopes);
  tcase_add_test(t, open_ends);
  tcase_add_test(t, banks);
  tcase_add_test(t, old_text);
  tcase_add_test(t, found_by_name);
  suite_add_tcase(s, t);
  return s;
}
