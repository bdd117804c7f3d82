/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the PTX subset: names and look-ups. */
#include "workload/ptx/table.h"

#include <string.h>

#define T(type) (UINT32_C(1) << PTX_##type)
#define T_F32 T(F32)
#define T_FLOAT (T(F32) | T(F64))
#define T_INT32 (T(U32) | T(S32))
#define T_INT64 (T(U64) | T(S64))
#define T_F16 (T(F16) | T(F16X2))
#define T_HALF (T_F16 | T(BF16) | T(BF16X2))
#define T_SIGNED (T(S16) | T(S32) | T(S64))
#define T_INT (T(U16) | T(S16) | T_INT32 | T_INT64)
#define T_B32 T(B32)
#define T_B64 T(B64)
#define T_BITS (T(B16) | T(B32) | T(B64))
#define T_PRED T(PRED)
#define T_LOGIC (T_BITS | T_PRED)
#define T_WORDS (T_BITS | T_INT | T_FLOAT)
#define T_COMPARED (T_WORDS | T_HALF)
#define T_SET (T(U16) | T(S16) | T_INT32 | T_F32 | T_HALF)
#define T_NUMBERS (T(U8) | T(S8) | T_INT | T_FLOAT | T_HALF | T(TF32) | T(E4M3X2) | T(E5M2X2))
#define T_ADDRESS (T(U32) | T(U64))
#define T_MEMORY (T(B8) | T(U8) | T(S8) | T_WORDS)
#define T_ATOMIC (T_BITS | T_INT32 | T_INT64 | T_FLOAT | T_HALF)
#define T_TEX (T(F32) | T(S32) | T(U32))

#define K(kind) (UINT64_C(1) << KIND_##kind)
#define K_HINTS (K(EVICT1) | K(EVICT2) | K(SECTOR) | K(HINT))

#define R(rounding) (UINT32_C(1) << PTX_ROUND_##rounding)
#define R_IEEE (R(RN) | R(RZ) | R(RM) | R(RP))
#define R_INTEGER (R(RNI) | R(RZI) | R(RMI) | R(RPI))
#define R_APPROX R(APPROX)
#define R_FULL R(FULL)
#define R_AWAY R(RNA)

static const ptx_row_t rows[] = {
#define OP(id, name, types, kinds, roundings, operands, targets, sources, issue, doc)              \
  {name, PTX_OP_##id, types, roundings, kinds, operands, targets, sources, doc, ISSUE_##issue},
#include "workload/ptx/table.def"
};

static const ptx_modifier_t modifiers[] = {
#define MOD(word, kind, value) {word, KIND_##kind, value},
#include "workload/ptx/table.def"
};

static const ptx_refused_t refused_opcodes[] = {
#define NOT(name, what) {name, what},
#include "workload/ptx/table.def"
};

static const ptx_refused_t refused_words[] = {
#define NOT_WORD(word, what) {word, what},
#include "workload/ptx/table.def"
};

#define SPECIAL(name, id) [id] = name,
static const char *const specials[] = {
#include "workload/ptx/table.def"
};

static const char *const types[] = {
    [PTX_NONE] = "none", [PTX_PRED] = "pred",   [PTX_B8] = "b8",         [PTX_B16] = "b16",
    [PTX_B32] = "b32",   [PTX_B64] = "b64",     [PTX_U8] = "u8",         [PTX_U16] = "u16",
    [PTX_U32] = "u32",   [PTX_U64] = "u64",     [PTX_S8] = "s8",         [PTX_S16] = "s16",
    [PTX_S32] = "s32",   [PTX_S64] = "s64",     [PTX_F32] = "f32",       [PTX_F64] = "f64",
    [PTX_F16] = "f16",   [PTX_F16X2] = "f16x2", [PTX_BF16] = "bf16",     [PTX_BF16X2] = "bf16x2",
    [PTX_TF32] = "tf32", [PTX_B128] = "b128",   [PTX_E4M3X2] = "e4m3x2", [PTX_E5M2X2] = "e5m2x2"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const ptx_row_t *ptx_row(unsigned i) {
  return i < COUNT(rows) ? &rows[i] : NULL;
}

const ptx_row_t *ptx_row_of(ptx_op_t op) {
  for (unsigned i = 0; i < COUNT(rows); i++)
    if (rows[i].op == op) return &rows[i];
  return NULL;
}

const ptx_modifier_t *ptx_modifier(unsigned i) {
  return i < COUNT(modifiers) ? &modifiers[i] : NULL;
}

const ptx_refused_t *ptx_refused_opcode(unsigned i) {
  return i < COUNT(refused_opcodes) ? &refused_opcodes[i] : NULL;
}

const ptx_refused_t *ptx_refused_word(unsigned i) {
  return i < COUNT(refused_words) ? &refused_words[i] : NULL;
}

const char *ptx_special_name(unsigned i) {
  return i < COUNT(specials) ? specials[i] : NULL;
}

const char *ptx_op_name(ptx_op_t op) {
  const ptx_row_t *r = ptx_row_of(op);
  return r ? r->name : "none";
}

const char *ptx_type_name(ptx_type_t type) {
  return (unsigned)type < COUNT(types) ? types[type] : "none";
}

ptx_type_t ptx_type_named(const char *word) {
  for (unsigned i = PTX_PRED; i < COUNT(types); i++)
    if (strcmp(types[i], word) == 0) return (ptx_type_t)i;
  return PTX_NONE;
}

unsigned ptx_type_bytes(ptx_type_t type) {
  static const uint8_t bytes[] = {
      [PTX_NONE] = 0, [PTX_PRED] = 1,  [PTX_B8] = 1,     [PTX_B16] = 2,   [PTX_B32] = 4,
      [PTX_B64] = 8,  [PTX_U8] = 1,    [PTX_U16] = 2,    [PTX_U32] = 4,   [PTX_U64] = 8,
      [PTX_S8] = 1,   [PTX_S16] = 2,   [PTX_S32] = 4,    [PTX_S64] = 8,   [PTX_F32] = 4,
      [PTX_F64] = 8,  [PTX_F16] = 2,   [PTX_F16X2] = 4,  [PTX_BF16] = 2,  [PTX_BF16X2] = 4,
      [PTX_TF32] = 4, [PTX_B128] = 16, [PTX_E4M3X2] = 2, [PTX_E5M2X2] = 2};
  return (unsigned)type < COUNT(bytes) ? bytes[type] : 0;
}

const char *ptx_space_name(ptx_space_t space) {
  static const char *const names[] = {"generic", "global", "shared", "local",
                                      "const",   "param",  "param"};
  return names[space];
}
