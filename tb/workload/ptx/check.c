/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses combinations of opcode, types and modifiers that do not exist. */
#include "workload/ptx/parse.h"

static int refuse(parser_t *p, const ptx_inst_t *i, const char *text, const char *what) {
  return ptx_fail(p, i->line, "`%.60s`: %s", text, what);
}

/* Ranks floating-point types by what they can hold; 0 for other types. The two 16-bit formats have
 * the same rank, as neither holds all values of the other. */
static unsigned rank(ptx_type_t t) {
  return t == PTX_F64 ? 3 : t == PTX_F32 ? 2 : ptx_is_float(t);
}

/* Restrictions of conversions with bf16, pairs and tf32. */
static int check_narrow_conversion(parser_t *p, const ptx_inst_t *i, const char *text) {
  ptx_type_t to = (ptx_type_t)i->type, from = (ptx_type_t)i->type2;
  const bool brain = ptx_is_brain(to) || ptx_is_brain(from);
  const bool other = ptx_is_pair(to) || to == PTX_TF32, two = i->relu || i->satfinite;
  if (from == PTX_TF32 || ptx_is_pair(from))
    return refuse(p, i, text, "this type is only converted to");
  if (other && from != PTX_F32) return refuse(p, i, text, "the source must be .f32");
  if (two && (from != PTX_F32 || rank(to) != 1))
    return refuse(p, i, text, ".relu and .satfinite go from .f32 to a narrower type");
  if (i->sat && (brain || other || two))
    return refuse(p, i, text, ".sat goes with neither .relu nor .satfinite, nor with this type");
  if (i->ftz && (other || two))
    return refuse(p, i, text, ".ftz goes with neither .relu nor .satfinite, nor with this type");
  if (brain && (ptx_type_bytes(to) == 1 || ptx_type_bytes(from) == 1))
    return refuse(p, i, text, "bf16 and integers of 8 bits are not converted");
  if (i->satfinite && to == PTX_TF32 && i->round != PTX_ROUND_RNA)
    return refuse(p, i, text, ".satfinite of .tf32 goes with .rna");
  return 0;
}

/* Conversions between two floating-point types. */
static int check_real_conversion(parser_t *p, const ptx_inst_t *i, const char *text) {
  ptx_type_t to = (ptx_type_t)i->type, from = (ptx_type_t)i->type2;
  bool ieee = i->round >= PTX_ROUND_RN && i->round <= PTX_ROUND_RP;
  if (to == PTX_TF32) {
    if (i->round != PTX_ROUND_RNA && i->round != PTX_ROUND_RN && i->round != PTX_ROUND_RZ)
      return refuse(p, i, text, "needs one of .rna .rn .rz");
    return i->relu && i->round == PTX_ROUND_RNA ? refuse(p, i, text, ".relu goes with .rn and .rz")
                                                : 0;
  }
  if (to != from && rank(to) <= rank(from)) {
    if (!ieee) return refuse(p, i, text, "needs one of .rn .rz .rm .rp");
    bool two = ptx_is_pair(to) || i->relu || i->satfinite;
    if (two && i->round != PTX_ROUND_RN && i->round != PTX_ROUND_RZ)
      return refuse(p, i, text, "legal roundings: .rn .rz");
    return 0;
  }
  if (to != from && i->round)
    return ptx_fail(p, i->line, "`%.60s`: .%s to .%s does not round", text, ptx_type_name(from),
                    ptx_type_name(to));
  if (to == from && ieee)
    return refuse(p, i, text, "legal roundings within a type: .rni .rzi .rmi .rpi");
  return 0;
}

/* Conversions from or to pairs of 8-bit numbers. */
static int check_eight(parser_t *p, const ptx_inst_t *i, const char *text) {
  const bool to = ptx_is_eight((ptx_type_t)i->type);
  if (to ? i->type2 != PTX_F32 && i->type2 != PTX_F16X2 : i->type != PTX_F16X2)
    return refuse(p, i, text, "8-bit numbers convert from .f32 and .f16x2, and to .f16x2");
  if (i->round != PTX_ROUND_RN || i->satfinite != to || i->sat || i->ftz)
    return refuse(p, i, text, to ? "legal: .rn.satfinite, .relu" : "legal: .rn, .relu");
  return 0;
}

static int check_conversion(parser_t *p, const ptx_inst_t *i, const char *text) {
  if (ptx_is_eight((ptx_type_t)i->type) || ptx_is_eight((ptx_type_t)i->type2))
    return check_eight(p, i, text);
  ptx_type_t to = (ptx_type_t)i->type, from = (ptx_type_t)i->type2;
  bool to_float = ptx_is_float(to), from_float = ptx_is_float(from);
  bool whole = i->round >= PTX_ROUND_RNI && i->round <= PTX_ROUND_RPI;
  bool ieee = i->round >= PTX_ROUND_RN && i->round <= PTX_ROUND_RP;
  if (i->round == PTX_ROUND_APPROX || i->round == PTX_ROUND_FULL ||
      (i->round == PTX_ROUND_RNA && to != PTX_TF32))
    return refuse(p, i, text, "this rounding does not go with the opcode");
  if (check_narrow_conversion(p, i, text)) return -1;
  if (from_float && !to_float && !whole)
    return refuse(p, i, text, "floating point to integer needs one of .rni .rzi .rmi .rpi");
  if (to_float && !from_float && !ieee) return refuse(p, i, text, "needs one of .rn .rz .rm .rp");
  if (!to_float && !from_float && i->round)
    return refuse(p, i, text, "integer to integer does not round");
  return to_float && from_float ? check_real_conversion(p, i, text) : 0;
}

static int check_rounding(parser_t *p, const ptx_row_t *row, const ptx_inst_t *i,
                          const char *text) {
  if (row->op == PTX_OP_CVT) return check_conversion(p, i, text);
  if (i->round && !ptx_is_float((ptx_type_t)i->type))
    return refuse(p, i, text, "rounding goes with .f32 and .f64");
  if (i->round && !(row->roundings >> i->round & 1))
    return refuse(p, i, text, "this rounding does not go with the opcode");
  if (ptx_is_half((ptx_type_t)i->type) && i->round && i->round != PTX_ROUND_RN &&
      i->round != PTX_ROUND_APPROX)
    return refuse(p, i, text, "the rounding of 16 bits is .rn");
  if (i->round == PTX_ROUND_FULL && i->type == PTX_F64)
    return refuse(p, i, text, ".full goes with .f32");
  if (i->round == PTX_ROUND_APPROX && i->type == PTX_F64 &&
      (row->op == PTX_OP_DIV || row->op == PTX_OP_SQRT))
    return refuse(p, i, text, ".approx goes with .f32");
  return 0;
}

static int check_comparison(parser_t *p, const ptx_inst_t *i, const char *text) {
  ptx_type_t type = (ptx_type_t)(i->op == PTX_OP_SET ? i->type2 : i->type);
  if (!ptx_is_float(type) && i->cmp >= PTX_CMP_EQU)
    return refuse(p, i, text, "this comparison goes with .f32 and .f64");
  if (ptx_is_bits(type) && i->cmp > PTX_CMP_NE)
    return refuse(p, i, text, "legal for .b types: .eq .ne");
  return 0;
}

static bool is_f16(const ptx_inst_t *i) {
  return i->type == PTX_F16 || i->type == PTX_F16X2;
}

static bool saturates(const ptx_inst_t *i) {
  switch ((int)i->op) {
  case PTX_OP_CVT:
    return true;
  case PTX_OP_ADD:
  case PTX_OP_SUB:
    return i->type == PTX_F32 || i->type == PTX_S32 || is_f16(i);
  case PTX_OP_MAD:
    return i->type == PTX_F32 || (i->type == PTX_S32 && i->mul == PTX_MUL_HI);
  case PTX_OP_MAD24:
    return i->type == PTX_S32 && i->mul == PTX_MUL_HI;
  default:
    return i->type == PTX_F32 || is_f16(i);
  }
}

/* Collective operations: which type goes with which modifier. */
static int check_collective(parser_t *p, const ptx_inst_t *i, const char *text) {
  if (i->op == PTX_OP_VOTE && (i->what == PTX_VOTE_BALLOT) != (i->type == PTX_B32))
    return refuse(p, i, text, ".ballot goes with .b32, .all .any .uni with .pred");
  bool bitwise = i->what >= PTX_ATOMIC_AND && i->what <= PTX_ATOMIC_XOR;
  if (i->op == PTX_OP_REDUX && bitwise != (i->type == PTX_B32))
    return refuse(p, i, text, ".and .or .xor go with .b32, .add .min .max with .u32 and .s32");
  return 0;
}

/* Whether .ftz is legal: for comparisons it depends on the type compared, for conversions on either
 * type. */
static bool flushes(const ptx_row_t *row, const ptx_inst_t *i) {
  if (row->op == PTX_OP_SET || row->op == PTX_OP_SLCT)
    return i->type2 == PTX_F32 || i->type2 == PTX_F16 || i->type2 == PTX_F16X2;
  if (row->op == PTX_OP_CVT) return i->type == PTX_F32 || i->type2 == PTX_F32;
  if (row->op == PTX_OP_EX2 && ptx_is_brain((ptx_type_t)i->type)) return true;
  if (row->op == PTX_OP_EX2 && is_f16(i)) return false;
  return i->type == PTX_F32 || is_f16(i) || row->op == PTX_OP_RCP || row->op == PTX_OP_RSQRT;
}

/* Restrictions of 16-bit types and of the modifiers .relu, .NaN and .xorsign. */
static int check_half(parser_t *p, const ptx_row_t *row, const ptx_inst_t *i, const char *text) {
  const ptx_type_t type = (ptx_type_t)i->type;
  if (i->relu && row->op == PTX_OP_FMA && (!ptx_is_half(type) || i->sat))
    return refuse(p, i, text, ".relu goes with 16 bits, without .sat");
  if ((i->nan || i->xorsign) && (!ptx_is_float(type) || type == PTX_F64))
    return refuse(p, i, text, ".NaN and .xorsign go with .f32 and 16 bits");
  if (i->xorsign != i->magnitude) return refuse(p, i, text, ".xorsign and .abs go together");
  if (row->op == PTX_OP_EX2 && ptx_is_half(type) &&
      (i->round != PTX_ROUND_APPROX || ptx_is_brain(type) != i->ftz))
    return refuse(p, i, text, "legal: .approx.f16 .approx.ftz.bf16, and pairs");
  if (row->op != PTX_OP_SET) return 0;
  const ptx_type_t from = (ptx_type_t)i->type2;
  if (!ptx_is_half(from))
    return ptx_is_half(type) || ptx_type_bytes(type) == 2
               ? refuse(p, i, text, "16-bit results need 16-bit floating-point operands")
               : 0;
  if (type == PTX_F32 || (ptx_is_half(type) && type != from) ||
      (ptx_is_pair(from) && ptx_type_bytes(type) == 2))
    return refuse(p, i, text, "the result has the compared type, or is an integer");
  return 0;
}

/* Restrictions of .cc and of the instructions that read the carry. */
static int check_carry(parser_t *p, const ptx_row_t *row, const ptx_inst_t *i, const char *text) {
  const bool reads = row->op == PTX_OP_ADDC || row->op == PTX_OP_SUBC || row->op == PTX_OP_MADC;
  if (!i->carry_out && !reads) return 0;
  if (!ptx_is_integer((ptx_type_t)i->type) || ptx_type_bytes((ptx_type_t)i->type) < 4 || i->sat)
    return refuse(p, i, text, "carries go with integers of 32 and 64 bits, without .sat");
  return i->mul == PTX_MUL_WIDE ? refuse(p, i, text, "carries go with .lo and .hi") : 0;
}

int ptx_check(parser_t *p, const ptx_row_t *row, const ptx_inst_t *i, const char *text) {
  bool is_float = ptx_is_float((ptx_type_t)i->type);
  if (i->mul == PTX_MUL_WIDE && (ptx_type_bytes((ptx_type_t)i->type) > 4 ||
                                 row->op == PTX_OP_MUL24 || row->op == PTX_OP_MAD24))
    return refuse(p, i, text, ".wide goes with mul and mad of 16 and 32 bits");
  if (i->mul != PTX_MUL_LO && is_float) return refuse(p, i, text, ".hi and .wide go with integers");
  if (i->sat && !saturates(i)) return refuse(p, i, text, ".sat does not go with this type");
  if (i->ftz && !flushes(row, i)) return refuse(p, i, text, ".ftz goes with .f32 and .f16");
  if (check_half(p, row, i, text) || check_carry(p, row, i, text)) return -1;
  if (check_rounding(p, row, i, text) || check_collective(p, i, text)) return -1;
  if ((row->kinds >> KIND_CMP & 1) && check_comparison(p, i, text)) return -1;
  return ptx_check_access(p, i, text);
}
