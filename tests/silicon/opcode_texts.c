/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the table's rows: each type with each set of words that the subset accepts. See
 * opcodes.h. */
#include "silicon/opcodes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the kernel around an instruction -------------------------------------------------- */

char opcode_class(ptx_type_t t) {
  if (t == PTX_PRED) return 'p';
  if (t == PTX_F32) return 'f';
  if (t == PTX_F64) return 'g';
  const unsigned bytes = ptx_type_bytes(t);
  return bytes == 8 ? 'd' : bytes == 2 ? 'h' : 'r';
}

const char *opcode_word(ptx_type_t t) {
  switch (opcode_class(t)) {
  case 'f':
    return "f32";
  case 'g':
    return "f64";
  case 'd':
    return "b64";
  case 'h':
    return "b16";
  default:
    return "b32";
  }
}

static void add(char *to, size_t n, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add(char *to, size_t n, const char *format, ...) {
  const size_t at = strlen(to);
  va_list args;
  va_start(args, format);
  vsnprintf(to + at, n - at, format, args);
  va_end(args);
}

static const char head[] =
    ".version %s\n.address_size 64\n%s"
    ".visible .entry k(.param .u64 p_in, .param .u64 p_out)\n{\n"
    "  .reg .pred %%p<24>;\n  .reg .b16 %%h<24>;\n  .reg .b32 %%r<24>;\n  .reg .b64 %%d<24>;\n"
    "  .reg .f32 %%f<24>;\n  .reg .f64 %%g<24>;\n"
    "  ld.param.u64 %%d1, [p_in];\n  ld.param.u64 %%d2, [p_out];\n"
    "  mov.u32 %%r1, %%ctaid.x;\n  mov.u32 %%r2, %%ntid.x;\n  mov.u32 %%r3, %%tid.x;\n"
    "  mad.lo.u32 %%r1, %%r1, %%r2, %%r3;\n  mul.wide.u32 %%d3, %%r1, %d;\n"
    "  add.u64 %%d1, %%d1, %%d3;\n  mul.wide.u32 %%d3, %%r1, %d;\n  add.u64 %%d2, %%d2, %%d3;\n";

bool opcode_text(opcode_t *o, const char *before, const char *body) {
  char *t = o->text;
  const size_t n = sizeof o->text;
  const char c = opcode_class(o->result);
  snprintf(t, n, head, o->recent ? "8.6\n.target sm_90" : "7.4\n.target sm_70", before, OPCODE_IN,
           OPCODE_OUT);
  for (unsigned k = 0; k < o->n_operands; k++) {
    const char to = opcode_class(o->operand[k]);
    add(t, n, "  ld.global.%s %%%c1%u, [%%d1+%u];\n", opcode_word(o->operand[k]),
        to == 'p' ? 'r' : to, k, 8 * k);
    if (to == 'p')
      add(t, n, "  and.b32 %%r1%u, %%r1%u, 1;\n  setp.ne.u32 %%p1%u, %%r1%u, 0;\n", k, k, k, k);
  }
  add(t, n, "%s", body);
  if (c == 'p') add(t, n, "  selp.u32 %%r20, 1, 0, %%p20;\n");
  if (o->n_results == 1)
    add(t, n, "  st.global.%s [%%d2], %%%c20;\n", opcode_word(o->result), c == 'p' ? 'r' : c);
  add(t, n, "  ret;\n}\n");
  if (c == 'p' || ptx_type_bytes(o->result) == 1) o->result = PTX_U32; /* as it is stored */
  return strlen(t) + 1 < n;
}

bool opcode_read(const opcode_t *o) {
  ptx_module_t *m = NULL;
  if (ptx_read(&m, o->text, strlen(o->text), o->name, NULL) != 0) return false;
  ptx_free(m);
  return true;
}

/* ---- an instruction of a row ------------------------------------------------------------ */

typedef struct {
  const ptx_row_t *row;
  ptx_type_t type, type2;
  const ptx_modifier_t *word[KINDS]; /* NULL: none of that kind */
} choice_t;

/* In the order in which PTX has them. */
static const ptx_kind_t order[] = {
    KIND_CMP,      KIND_BOOL,      KIND_DIRECTION, KIND_WRAP,      KIND_TESTP, KIND_DP2A,
    KIND_SHIFTAMT, KIND_MUL,       KIND_ROUND,     KIND_FTZ,       KIND_SAT,   KIND_NAN,
    KIND_XORSIGN,  KIND_MAGNITUDE, KIND_RELU,      KIND_SATFINITE, KIND_CARRY};
enum { ORDER = sizeof order / sizeof *order };

static ptx_type_t twice(ptx_type_t t) {
  return t == PTX_U16 || t == PTX_B16 ? PTX_U32
         : t == PTX_S16               ? PTX_S32
         : t == PTX_U32               ? PTX_U64
         : t == PTX_S32               ? PTX_S64
                                      : t;
}

static ptx_type_t type_of(const choice_t *c, char letter) {
  const bool wide = c->word[KIND_MUL] && c->word[KIND_MUL]->value == PTX_MUL_WIDE;
  switch (letter) {
  case 'w':
    return wide ? twice(c->type) : c->type;
  case 'u':
    return PTX_U32;
  case 's':
    return c->type2;
  case 'p':
  case 'P':
    return PTX_PRED;
  default:
    return c->type;
  }
}

static bool is_near(const choice_t *c) {
  const ptx_modifier_t *r = c->word[KIND_ROUND];
  if (r) return r->value == PTX_ROUND_APPROX || r->value == PTX_ROUND_FULL;
  return c->row->issue == ISSUE_SFU;
}

/* Does an older GPU not have it? */
static bool is_recent(const choice_t *c) {
  static const ptx_kind_t kinds[] = {KIND_NAN, KIND_XORSIGN, KIND_RELU, KIND_SATFINITE};
  bool recent = c->type > PTX_F64 || c->type2 > PTX_F64 || c->row->op == PTX_OP_TANH ||
                c->row->op == PTX_OP_SZEXT || c->row->op == PTX_OP_BMSK;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) recent |= c->word[kinds[i]] != NULL;
  return recent;
}

/* A carry, or a borrow, of every second thread goes in. */
static const char *before_carry(const choice_t *c) {
  const bool minus = c->row->op == PTX_OP_SUBC;
  if (!minus && c->row->op != PTX_OP_ADDC && c->row->op != PTX_OP_MADC) return "";
  return minus ? "  and.b32 %r4, %r1, 1;\n  sub.cc.u32 %r4, %r4, 1;\n"
               : "  and.b32 %r4, %r1, 1;\n  add.cc.u32 %r4, %r4, -1;\n";
}

/* One that comes out ends in the result. */
static void after_carry(const choice_t *c, opcode_t *o, char *body, size_t size) {
  const bool minus = c->row->op == PTX_OP_SUB || c->row->op == PTX_OP_SUBC;
  const bool wide = opcode_class(o->result) == 'd';
  if (!c->word[KIND_CARRY]) return;
  add(body, size, "  %s.u32 %%r21, 0, 0;\n  cvt.u64.u32 %%d21, %%r21;\n", minus ? "subc" : "addc");
  add(body, size,
      wide ? "  shl.b64 %%d21, %%d21, 32;\n  xor.b64 %%d20, %%d20, %%d21;\n"
           : "  mov.b64 %%d20, {%%r20, %%r21};\n");
  if (!wide) o->result = PTX_U64;
}

static bool write_row(const choice_t *c, opcode_t *o) {
  char body[512];
  const char *letters = c->row->operands;
  const bool pair = letters[0] == 'P' && c->type != PTX_F16 && c->type != PTX_BF16;
  *o = (opcode_t){
      .result = type_of(c, letters[0]), .n_results = 1, .near = is_near(c), .recent = is_recent(c)};
  add(o->name, sizeof o->name, "%s", c->row->name);
  for (unsigned i = 0; i < ORDER; i++)
    if (c->word[order[i]]) add(o->name, sizeof o->name, ".%s", c->word[order[i]]->word);
  add(o->name, sizeof o->name, ".%s", ptx_type_name(c->type));
  if (c->type2) add(o->name, sizeof o->name, ".%s", ptx_type_name(c->type2));
  snprintf(body, sizeof body, "%s  %s %%%c20%s", before_carry(c), o->name, opcode_class(o->result),
           pair ? "|%p21" : "");
  for (unsigned k = 1; letters[k]; k++) o->operand[o->n_operands++] = type_of(c, letters[k]);
  if (c->row->op == PTX_OP_CVT && c->type2 == PTX_F32 &&
      (ptx_is_pair(c->type) || ptx_is_eight(c->type)))
    o->operand[o->n_operands++] = c->type2;
  if (c->word[KIND_BOOL]) o->operand[o->n_operands++] = PTX_PRED;
  for (unsigned k = 0; k < o->n_operands; k++)
    add(body, sizeof body, ", %%%c1%u", opcode_class(o->operand[k]), k);
  add(body, sizeof body, ";\n");
  after_carry(c, o, body, sizeof body);
  if (pair) {
    add(body, sizeof body,
        "  selp.u32 %%r20, 1, 0, %%p20;\n  selp.u32 %%r21, 2, 0, %%p21;\n"
        "  or.b32 %%r20, %%r20, %%r21;\n");
    o->result = PTX_U32;
  }
  return opcode_text(o, "", body);
}

/* All words of the kinds from order[i] on. */
static int each_word(choice_t *c, unsigned i, opcode_t *o, opcode_take_t take, void *ctx) {
  if (i == ORDER) return write_row(c, o) && opcode_read(o) ? take(ctx, o) : 0;
  int rc = each_word(c, i + 1, o, take, ctx);
  if (!(c->row->kinds >> order[i] & 1)) return rc;
  for (unsigned k = 0; rc == 0 && ptx_modifier(k); k++) {
    if (ptx_modifier(k)->kind != order[i]) continue;
    c->word[order[i]] = ptx_modifier(k);
    rc = each_word(c, i + 1, o, take, ctx);
  }
  c->word[order[i]] = NULL;
  return rc;
}

static int each_type(const ptx_row_t *row, opcode_t *o, opcode_take_t take, void *ctx) {
  const bool second = strchr(row->operands, 's') != NULL;
  int rc = 0;
  for (unsigned t = PTX_PRED; rc == 0 && t < PTX_TYPES; t++)
    for (unsigned s = second ? PTX_B8 : PTX_NONE; rc == 0 && s < (second ? PTX_TYPES : PTX_B8);
         s += second ? 1 : PTX_B8) {
      choice_t c = {.row = row, .type = (ptx_type_t)t, .type2 = (ptx_type_t)s};
      if (row->types >> t & 1) rc = each_word(&c, 0, o, take, ctx);
    }
  return rc;
}

int opcode_each(opcode_take_t take, void *ctx) {
  opcode_t o;
  int rc = 0;
  for (unsigned i = 0; rc == 0 && ptx_row(i); i++)
    if (ptx_row(i)->operands[0] && !strpbrk(ptx_row(i)->operands, "-i"))
      rc = each_type(ptx_row(i), &o, take, ctx);
  if (rc == 0) rc = opcode_others(take, ctx);
  return rc ? rc : opcode_lanes(take, ctx);
}
