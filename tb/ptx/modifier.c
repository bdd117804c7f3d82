/* The words behind an opcode: types and modifiers, checked against the opcode's row. */
#include "ptx/parse.h"

#include <string.h>

/* Types as a message lists them, ".u32 .s32". */
static void list_types(uint32_t types, char *out, size_t size) {
  size_t at = 0;
  *out = '\0';
  for (unsigned t = PTX_PRED; t <= PTX_F64; t++)
    if ((types >> t & 1) && at < size)
      at += (size_t)snprintf(out + at, size - at, " .%s", ptx_type_name((ptx_type_t)t));
}

static void list_modifiers(uint32_t kinds, char *out, size_t size) {
  size_t at = 0;
  const ptx_modifier_t *m;
  for (unsigned i = 0; (m = ptx_modifier(i)); i++)
    if ((kinds >> m->kind & 1) && at < size)
      at += (size_t)snprintf(out + at, size - at, " .%s", m->word);
}

static int refuse_word(parser_t *p, const ptx_row_t *row, const char *text, const char *word,
                       uint32_t line) {
  char types[120], words[220] = "";
  list_types(row->types, types, sizeof types);
  list_modifiers(row->kinds, words, sizeof words);
  return ptx_fail(p, line, "`%.60s`: .%.20s is not supported; legal:%s%s", text, word, words,
                  types);
}

static void set(ptx_inst_t *i, const ptx_modifier_t *m) {
  switch (m->kind) {
  case KIND_CMP:
    i->cmp = m->value;
    break;
  case KIND_BOOL:
    i->boolean = m->value;
    break;
  case KIND_MUL:
    i->mul = m->value;
    break;
  case KIND_ROUND:
    i->round = m->value;
    break;
  case KIND_SAT:
    i->sat = true;
    break;
  case KIND_FTZ:
    i->ftz = true;
    break;
  case KIND_SPACE:
    i->space = m->value;
    break;
  case KIND_TO:
    i->to_space = true;
    break;
  case KIND_VECTOR:
    i->n_vector = m->value;
    break;
  case KIND_UNIFORM:
    i->uniform = true;
    break;
  case KIND_DIRECTION:
    i->left_shift = m->value == 1;
    break;
  case KIND_WRAP:
    i->wrap = m->value;
    break;
  case KIND_CACHED:
  case KIND_VOLATILE:
  case KIND_GEOMETRY:
  case KIND_SYNC:
  case KIND_ALIGNED:
  case KIND_LEVEL:
  case KINDS:
    break;
  }
}

/* How many types the opcode has behind it. */
static unsigned type_count(const ptx_row_t *row) {
  if (row->types == 0) return 0;
  return strchr(row->operands, 's') || row->op == PTX_OP_TEX ? 2 : 1;
}

/* What the second type may be. */
static uint32_t second_types(const ptx_row_t *row) {
  const uint32_t s32 = UINT32_C(1) << PTX_S32, f32 = UINT32_C(1) << PTX_F32;
  switch ((int)row->op) {
  case PTX_OP_SLCT:
    return s32 | f32;
  case PTX_OP_TEX:
    return s32;
  case PTX_OP_SET:
    return ptx_row_of(PTX_OP_SETP)->types;
  default:
    return row->types;
  }
}

/* Needed kinds; `set` is what has been seen. */
static int check_needed(parser_t *p, const ptx_row_t *row, const ptx_inst_t *i, const char *text,
                        uint32_t line, uint32_t seen) {
  bool f = ptx_is_float((ptx_type_t)i->type);
  uint32_t need = 0;
  char words[220] = "";
  if ((row->kinds >> KIND_MUL & 1) && !f) need |= UINT32_C(1) << KIND_MUL;
  if (row->op == PTX_OP_FMA) need |= UINT32_C(1) << KIND_ROUND;
  need |= row->kinds &
          (UINT32_C(1) << KIND_CMP | UINT32_C(1) << KIND_SYNC | UINT32_C(1) << KIND_LEVEL |
           UINT32_C(1) << KIND_GEOMETRY | UINT32_C(1) << KIND_DIRECTION | UINT32_C(1) << KIND_WRAP);
  if (row->op == PTX_OP_TEX) need |= UINT32_C(1) << KIND_VECTOR;
  if (row->op == PTX_OP_CVTA) need |= UINT32_C(1) << KIND_SPACE;
  for (unsigned k = 0; k < KINDS; k++) {
    if (!(need >> k & 1) || (seen >> k & 1)) continue;
    list_modifiers(UINT32_C(1) << k, words, sizeof words);
    return ptx_fail(p, line, "`%.60s` lacks one of%s", text, words);
  }
  return 0;
}

int ptx_modifiers(parser_t *p, const token_t *opcode, const ptx_row_t *row, ptx_inst_t *i,
                  char text[PTX_NAME]) {
  uint32_t seen = 0;
  unsigned types = 0;
  char word[PTX_NAME], shown[120];
  size_t at = (size_t)snprintf(text, PTX_NAME, "%.*s", (int)opcode->length, opcode->at);
  while (p->tok.kind == TOKEN_DOT) {
    snprintf(word, sizeof word, "%.*s", (int)p->tok.length, p->tok.at);
    if (at < PTX_NAME) at += (size_t)snprintf(text + at, PTX_NAME - at, ".%s", word);
    const ptx_modifier_t *m;
    unsigned k = 0;
    while ((m = ptx_modifier(k)) && !((row->kinds >> m->kind & 1) && strcmp(m->word, word) == 0))
      k++;
    ptx_type_t type = ptx_type_named(word);
    if (m && !(seen >> m->kind & 1)) {
      seen |= UINT32_C(1) << m->kind;
      set(i, m);
    } else if (type && types < type_count(row)) {
      uint32_t legal = types ? second_types(row) : row->types;
      if (!(legal >> type & 1)) {
        list_types(legal, shown, sizeof shown);
        return ptx_fail(p, p->tok.line, "`%.60s`: .%s is not supported; legal:%s", text, word,
                        shown);
      }
      if (types++)
        i->type2 = (uint8_t)type;
      else
        i->type = (uint8_t)type;
    } else {
      return refuse_word(p, row, text, word, p->tok.line);
    }
    ptx_next(p);
  }
  if (types < type_count(row)) {
    list_types(types ? second_types(row) : row->types, shown, sizeof shown);
    return ptx_fail(p, opcode->line, "`%.60s` lacks a type; legal:%s", text, shown);
  }
  return check_needed(p, row, i, text, opcode->line, seen);
}
