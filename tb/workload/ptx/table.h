/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the PTX subset (table.def) as the parser and timing.c read it. */
#ifndef PTX_TABLE_H
#define PTX_TABLE_H

#include "workload/ptx/ptx.h"

/* Kinds of modifiers, the words behind an opcode. */
typedef enum {
  KIND_CMP,
  KIND_BOOL,
  KIND_MUL,
  KIND_ROUND,
  KIND_SAT,
  KIND_FTZ,
  KIND_NOFTZ,
  KIND_SPACE,
  KIND_TO,
  KIND_VECTOR,
  KIND_CACHED,
  KIND_NC,
  KIND_EVICT1, /* hints without effect */
  KIND_EVICT2,
  KIND_SECTOR,
  KIND_HINT,
  KIND_ORDER,
  KIND_SCOPE,
  KIND_ATOMIC,
  KIND_TARGET,
  KIND_SOURCE,
  KIND_CACHE_LEVEL,
  KIND_POLICY,
  KIND_OTHERWISE,
  KIND_GEOMETRY,
  KIND_UNIFORM,
  KIND_INDEX,
  KIND_SYNC,
  KIND_ALIGNED,
  KIND_BARRIER,
  KIND_BLOCK,
  KIND_BARRED,
  KIND_SHUFFLE,
  KIND_VOTE,
  KIND_MATCH,
  KIND_REDUCE,
  KIND_LEVEL,
  KIND_DIRECTION,
  KIND_WRAP,
  KIND_RELU,
  KIND_SATFINITE,
  KIND_NAN,
  KIND_XORSIGN,
  KIND_MAGNITUDE,
  KIND_CARRY,
  KIND_TESTP,
  KIND_DP2A,
  KIND_SHIFTAMT,
  KIND_DEPENDENT,
  KINDS
} ptx_kind_t;

/* Rows of the latency table. */
typedef enum {
  ISSUE_PLAIN,
  ISSUE_ADD,
  ISSUE_MAX,
  ISSUE_MUL,
  ISSUE_MAD,
  ISSUE_DIV,
  ISSUE_SFU,
  ISSUE_MEMORY
} ptx_issue_t;

typedef struct {
  const char *name;
  ptx_op_t op;
  uint32_t types, roundings; /* bit sets of ptx_type_t and ptx_round_t */
  uint64_t kinds;            /* bit set of ptx_kind_t */
  const char *operands;
  const char *targets, *sources; /* as executed: see table.def */
  const char *doc;
  ptx_issue_t issue;
} ptx_row_t;

typedef struct {
  const char *word;
  ptx_kind_t kind;
  uint8_t value;
} ptx_modifier_t;

/* An opcode or word that is known and refused, and what to do instead. */
typedef struct {
  const char *name, *what;
} ptx_refused_t;

/* The i-th opcode, or word behind an opcode, that is refused by name; NULL after the last. */
const ptx_refused_t *ptx_refused_opcode(unsigned i);
const ptx_refused_t *ptx_refused_word(unsigned i);

/* Rows and modifiers in the order of the table; NULL after the last. An opcode may have two
 * names. */
const ptx_row_t *ptx_row(unsigned i);
const ptx_row_t *ptx_row_of(ptx_op_t op);
const ptx_modifier_t *ptx_modifier(unsigned i);
/* The i-th name, such as "%tid.x"; NULL after the last. */
const char *ptx_special_name(unsigned i);
/* The type of this name, or PTX_NONE. */
ptx_type_t ptx_type_named(const char *word);
/* The name of a space without its dot, such as "shared". */
const char *ptx_space_name(ptx_space_t space);

/* 16-bit floating point, one or two numbers in a register. */
static inline bool ptx_is_half(ptx_type_t t) {
  return t >= PTX_F16 && t <= PTX_BF16X2;
}
static inline bool ptx_is_brain(ptx_type_t t) {
  return t == PTX_BF16 || t == PTX_BF16X2;
}
static inline bool ptx_is_pair(ptx_type_t t) {
  return t == PTX_F16X2 || t == PTX_BF16X2;
}
/* Two 8-bit numbers. */
static inline bool ptx_is_eight(ptx_type_t t) {
  return t == PTX_E4M3X2 || t == PTX_E5M2X2;
}
static inline bool ptx_is_float(ptx_type_t t) {
  return t == PTX_F32 || t == PTX_F64 || ptx_is_half(t) || t == PTX_TF32;
}
static inline bool ptx_is_signed(ptx_type_t t) {
  return t >= PTX_S8 && t <= PTX_S64;
}
static inline bool ptx_is_bits(ptx_type_t t) {
  return t >= PTX_B8 && t <= PTX_B64;
}
static inline bool ptx_is_integer(ptx_type_t t) {
  return t >= PTX_U8 && t <= PTX_S64;
}

#endif
