/* SPDX-License-Identifier: Apache-2.0 */
/* The words behind an opcode, types and modifiers, checked against the opcode's row. */
#include "workload/ptx/parse.h"

#include <string.h>

/* Lists types for a message, ".u32 .s32". */
static void list_types(uint32_t types, char *out, size_t size) {
  size_t at = 0;
  *out = '\0';
  for (unsigned t = PTX_PRED; t < PTX_TYPES; t++)
    if ((types >> t & 1) && at < size)
      at += (size_t)snprintf(out + at, size - at, " .%s", ptx_type_name((ptx_type_t)t));
}

/* Lists the modifiers of these kinds that are legal for the opcode. */
static void list_modifiers(const ptx_row_t *row, uint64_t kinds, char *out, size_t size) {
  size_t at = 0;
  const ptx_modifier_t *m;
  for (unsigned i = 0; (m = ptx_modifier(i)); i++)
    if ((kinds >> m->kind & 1) && at < size &&
        (m->kind != KIND_ROUND || (row->roundings >> m->value & 1)))
      at += (size_t)snprintf(out + at, size - at, " .%s", m->word);
}

static int refuse_word(parser_t *p, const ptx_row_t *row, const char *text, const char *word,
                       uint32_t line) {
  char types[160], words[360] = "";
  const ptx_refused_t *no;
  for (unsigned i = 0; (no = ptx_refused_word(i)); i++)
    if (strcmp(no->name, word) == 0)
      return ptx_fail(p, line, "`%.60s`: .%s: %s", text, word, no->what);
  list_types(row->types, types, sizeof types);
  list_modifiers(row, row->kinds, words, sizeof words);
  return ptx_fail(p, line, "`%.60s`: .%.20s is not supported; legal:%s%s", text, word, words,
                  types);
}

/* The field of the instruction, one byte, that receives the value of a modifier; 0: none. */
#define FIELD(kind, field) [KIND_##kind] = offsetof(ptx_inst_t, field)
static const uint8_t field[KINDS] = {FIELD(CMP, cmp),
                                     FIELD(BOOL, boolean),
                                     FIELD(MUL, mul),
                                     FIELD(ROUND, round),
                                     FIELD(SAT, sat),
                                     FIELD(FTZ, ftz),
                                     FIELD(SPACE, space),
                                     FIELD(TO, to_space),
                                     FIELD(VECTOR, n_vector),
                                     FIELD(UNIFORM, uniform),
                                     FIELD(DIRECTION, left_shift),
                                     FIELD(WRAP, wrap),
                                     FIELD(CACHED, cached),
                                     FIELD(ORDER, order),
                                     FIELD(SCOPE, scope),
                                     FIELD(HINT, hint),
                                     FIELD(NC, read_only),
                                     FIELD(ATOMIC, what),
                                     FIELD(SHUFFLE, what),
                                     FIELD(VOTE, what),
                                     FIELD(MATCH, what),
                                     FIELD(REDUCE, what),
                                     FIELD(SYNC, sync),
                                     FIELD(BARRIER, what),
                                     FIELD(BARRED, boolean),
                                     FIELD(POLICY, what),
                                     FIELD(SHIFTAMT, what),
                                     FIELD(TESTP, what),
                                     FIELD(DP2A, what),
                                     FIELD(RELU, relu),
                                     FIELD(SATFINITE, satfinite),
                                     FIELD(NAN, nan),
                                     FIELD(XORSIGN, xorsign),
                                     FIELD(MAGNITUDE, magnitude),
                                     FIELD(CARRY, carry_out),
                                     FIELD(SOURCE, space)};
_Static_assert(offsetof(ptx_inst_t, dst) < 256, "the fields are in front");

static void set(ptx_inst_t *i, const ptx_modifier_t *m) {
  if (field[m->kind]) memcpy((uint8_t *)i + field[m->kind], &m->value, 1);
}

/* Number of types that the opcode takes. */
static unsigned type_count(const ptx_row_t *row) {
  if (row->types == 0) return 0;
  return strchr(row->operands, 's') || row->op == PTX_OP_TEX ? 2 : 1;
}

/* The legal second types. */
static uint32_t second_types(const ptx_row_t *row) {
  const uint32_t s32 = UINT32_C(1) << PTX_S32, f32 = UINT32_C(1) << PTX_F32;
  switch ((int)row->op) {
  case PTX_OP_SLCT:
    return s32 | f32;
  case PTX_OP_TEX:
    return s32 | f32;
  case PTX_OP_SET:
    return ptx_row_of(PTX_OP_SETP)->types;
  default:
    return row->types;
  }
}

/* What has been read behind an opcode. */
typedef struct {
  uint64_t kinds;
  unsigned types;
  bool unsigned_only; /* a comparison with .lo .ls .hi .hs */
} seen_t;

#define BIT(kind) (UINT64_C(1) << KIND_##kind)

/* Checks the kinds of modifiers that the opcode requires, and those that its type excludes. */
static int check_kinds(parser_t *p, const ptx_row_t *row, const ptx_inst_t *i, const char *text,
                       const seen_t *seen) {
  bool is_float = ptx_is_float((ptx_type_t)i->type);
  ptx_type_t compared = (ptx_type_t)(row->op == PTX_OP_SET ? i->type2 : i->type);
  uint64_t need = row->kinds & (BIT(CMP) | BIT(SYNC) | BIT(LEVEL) | BIT(GEOMETRY) | BIT(DIRECTION) |
                                BIT(WRAP) | BIT(SHUFFLE) | BIT(VOTE) | BIT(MATCH) | BIT(REDUCE) |
                                BIT(ATOMIC) | BIT(BARRIER) | BIT(INDEX) | BIT(DEPENDENT) |
                                BIT(TESTP) | BIT(DP2A) | (is_float ? 0 : BIT(MUL)));
  char words[220] = "";
  if (row->op == PTX_OP_SHFL || row->op == PTX_OP_VOTE) need &= ~BIT(SYNC);
  if (row->op == PTX_OP_FMA || row->op == PTX_OP_TANH) need |= BIT(ROUND);
  if (row->op == PTX_OP_BAR && i->what == PTX_BAR_RED) need |= BIT(BARRED);
  if (row->op == PTX_OP_CP_ASYNC) need |= BIT(CACHED) | BIT(TARGET) | BIT(SOURCE);
  if (row->op == PTX_OP_PREFETCH) need |= BIT(CACHE_LEVEL);
  if (row->op == PTX_OP_POLICY) need |= BIT(POLICY);
  if (row->op == PTX_OP_FENCE) need |= BIT(SCOPE);
  if (row->op == PTX_OP_ATOM || row->op == PTX_OP_RED)
    need |= ptx_is_half((ptx_type_t)i->type) ? BIT(NOFTZ) : 0;
  if (row->op == PTX_OP_TEX) need |= BIT(VECTOR);
  if (row->op == PTX_OP_CVTA || row->op == PTX_OP_ISSPACEP) need |= BIT(SPACE);
  for (unsigned k = 0; k < KINDS; k++) {
    if (!(need >> k & 1) || (seen->kinds >> k & 1)) continue;
    list_modifiers(row, UINT64_C(1) << k, words, sizeof words);
    return ptx_fail(p, i->line, "`%.60s` lacks one of%s", text, words);
  }
  if ((seen->kinds & BIT(NOFTZ)) && !ptx_is_half((ptx_type_t)i->type))
    return ptx_fail(p, i->line, "`%.60s`: .noftz goes with types of 16 bits and their pairs", text);
  if (is_float && (seen->kinds & BIT(MUL)))
    return ptx_fail(p, i->line, "`%.60s`: .lo, .hi and .wide go with integers", text);
  if (seen->unsigned_only && (compared < PTX_U8 || compared > PTX_U64))
    return ptx_fail(p, i->line, "`%.60s`: .lo .ls .hi .hs compare unsigned types", text);
  return 0;
}

/* The word as a modifier of this opcode, preferably of a kind not seen yet; NULL if it is none. */
static const ptx_modifier_t *find_modifier(const ptx_row_t *row, const char *word, uint64_t seen) {
  const ptx_modifier_t *m, *found = NULL;
  for (unsigned k = 0; (m = ptx_modifier(k)); k++) {
    if (!(row->kinds >> m->kind & 1) || strcmp(m->word, word) != 0) continue;
    if (!found || !(seen >> m->kind & 1)) found = m;
    if (!(seen >> m->kind & 1)) break;
  }
  return found;
}

static int take_type(parser_t *p, const ptx_row_t *row, ptx_inst_t *i, const char *text,
                     ptx_type_t type, unsigned nth) {
  uint32_t legal = nth ? second_types(row) : row->types;
  char shown[120];
  if (type == PTX_B128 && i->n_vector == 1 &&
      (row->op == PTX_OP_LD || row->op == PTX_OP_ST || row->op == PTX_OP_MOV)) {
    type = PTX_B64;
    i->n_vector = 2;
  }
  if (!(legal >> type & 1)) {
    list_types(legal, shown, sizeof shown);
    return ptx_fail(p, p->tok.line, "`%.60s`: .%s is not supported; legal:%s", text,
                    ptx_type_name(type), shown);
  }
  if (nth)
    i->type2 = (uint8_t)type;
  else
    i->type = (uint8_t)type;
  return 0;
}

/* Types that have their own message. */
static bool refuses(const ptx_row_t *row, ptx_type_t type) {
  return type == PTX_B128 && row->op != PTX_OP_LD && row->op != PTX_OP_ST && row->op != PTX_OP_MOV;
}

static int take_word(parser_t *p, const ptx_row_t *row, ptx_inst_t *i, const char *text,
                     const char *word, seen_t *seen) {
  const ptx_modifier_t *m = find_modifier(row, word, seen->kinds);
  ptx_type_t type = ptx_type_named(word);
  if (m) {
    if (seen->kinds >> m->kind & 1)
      return ptx_fail(p, p->tok.line, "`%.60s`: .%s repeats or contradicts an earlier word", text,
                      word);
    seen->kinds |= UINT64_C(1) << m->kind;
    seen->unsigned_only |= m->kind == KIND_CMP && strstr("lo ls hi hs", word);
    set(i, m);
    return 0;
  }
  if (type && seen->types < type_count(row) && !refuses(row, type))
    return take_type(p, row, i, text, type, seen->types++);
  return refuse_word(p, row, text, word, p->tok.line);
}

int ptx_modifiers(parser_t *p, const token_t *opcode, const ptx_row_t *row, ptx_inst_t *i,
                  char text[PTX_NAME]) {
  seen_t seen = {0};
  char word[PTX_NAME], shown[120];
  size_t at = (size_t)snprintf(text, PTX_NAME, "%.*s", (int)opcode->length, opcode->at);
  while (p->tok.kind == TOKEN_DOT) {
    snprintf(word, sizeof word, "%.*s", (int)p->tok.length, p->tok.at);
    if (at < PTX_NAME) at += (size_t)snprintf(text + at, PTX_NAME - at, ".%s", word);
    if (take_word(p, row, i, text, word, &seen)) return -1;
    ptx_next(p);
  }
  const bool optional = row->op == PTX_OP_BAR; /* ptx_barrier checks it */
  if (seen.types < type_count(row) && !optional) {
    list_types(seen.types ? second_types(row) : row->types, shown, sizeof shown);
    return ptx_fail(p, opcode->line, "`%.60s` lacks a type; legal:%s", text, shown);
  }
  return check_kinds(p, row, i, text, &seen);
}
