/* SPDX-License-Identifier: Apache-2.0 */
/* Combinations of opcode, types and modifiers that do not exist. */
#include "workload/ptx/parse.h"

static int refuse(parser_t *p, const ptx_inst_t *i, const char *text, const char *what) {
  return ptx_fail(p, i->line, "`%.60s`: %s", text, what);
}

static int check_conversion(parser_t *p, const ptx_inst_t *i, const char *text) {
  ptx_type_t to = (ptx_type_t)i->type, from = (ptx_type_t)i->type2;
  bool to_float = ptx_is_float(to), from_float = ptx_is_float(from);
  bool whole = i->round >= PTX_ROUND_RNI && i->round <= PTX_ROUND_RPI;
  bool ieee = i->round >= PTX_ROUND_RN && i->round <= PTX_ROUND_RP;
  bool narrower = to_float && from_float && to < from;
  if (i->round == PTX_ROUND_APPROX || i->round == PTX_ROUND_FULL)
    return refuse(p, i, text, "this rounding does not go with the opcode");
  if (from_float && !to_float && !whole)
    return refuse(p, i, text, "floating point to integer needs one of .rni .rzi .rmi .rpi");
  if ((narrower || (to_float && !from_float)) && !ieee)
    return refuse(p, i, text, "needs one of .rn .rz .rm .rp");
  if (!to_float && !from_float && i->round)
    return refuse(p, i, text, "integer to integer does not round");
  if (to_float && from_float && to > from && i->round)
    return refuse(p, i, text, ".f32 to .f64 does not round");
  if (to_float && to == from && ieee)
    return refuse(p, i, text, "legal roundings within a type: .rni .rzi .rmi .rpi");
  return 0;
}

static int check_rounding(parser_t *p, const ptx_row_t *row, const ptx_inst_t *i,
                          const char *text) {
  if (row->op == PTX_OP_CVT) return check_conversion(p, i, text);
  if (i->round && !ptx_is_float((ptx_type_t)i->type))
    return refuse(p, i, text, "rounding goes with .f32 and .f64");
  if (i->round && !(row->roundings >> i->round & 1))
    return refuse(p, i, text, "this rounding does not go with the opcode");
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
    return refuse(p, i, text, "of .b types legal: .eq .ne");
  return 0;
}

static int check_memory(parser_t *p, const ptx_inst_t *i, const char *text) {
  if (i->n_vector * ptx_type_bytes((ptx_type_t)i->type) > 16)
    return refuse(p, i, text, "legal: up to 16 bytes of a thread");
  if (i->op == PTX_OP_ST && (i->space == PTX_CONST || i->space == PTX_PARAM))
    return refuse(p, i, text, "this space is read only");
  if (i->warp.bypass && (i->op != PTX_OP_LD || i->space != PTX_GLOBAL))
    return refuse(p, i, text, ".cg goes with ld.global");
  return 0;
}

static bool saturates(const ptx_inst_t *i) {
  switch ((int)i->op) {
  case PTX_OP_CVT:
    return true;
  case PTX_OP_ADD:
  case PTX_OP_SUB:
    return i->type == PTX_F32 || i->type == PTX_S32;
  case PTX_OP_MAD:
    return i->type == PTX_F32 || (i->type == PTX_S32 && i->mul == PTX_MUL_HI);
  case PTX_OP_MAD24:
    return i->type == PTX_S32 && i->mul == PTX_MUL_HI;
  default:
    return i->type == PTX_F32;
  }
}

int ptx_check(parser_t *p, const ptx_row_t *row, const ptx_inst_t *i, const char *text) {
  bool is_float = ptx_is_float((ptx_type_t)i->type);
  if (i->mul == PTX_MUL_WIDE && (ptx_type_bytes((ptx_type_t)i->type) > 4 ||
                                 row->op == PTX_OP_MUL24 || row->op == PTX_OP_MAD24))
    return refuse(p, i, text, ".wide goes with mul and mad of 16 and 32 bits");
  if (i->mul != PTX_MUL_LO && is_float) return refuse(p, i, text, ".hi and .wide go with integers");
  if (i->sat && !saturates(i)) return refuse(p, i, text, ".sat does not go with this type");
  if (i->ftz && i->type != PTX_F32 && i->type2 != PTX_F32 && row->op != PTX_OP_RCP &&
      row->op != PTX_OP_RSQRT)
    return refuse(p, i, text, ".ftz goes with .f32");
  if (i->ftz && (row->op == PTX_OP_SET || row->op == PTX_OP_SLCT) && i->type2 != PTX_F32)
    return refuse(p, i, text, ".ftz goes with .f32");
  if (check_rounding(p, row, i, text)) return -1;
  if ((row->kinds >> KIND_CMP & 1) && check_comparison(p, i, text)) return -1;
  return row->op == PTX_OP_LD || row->op == PTX_OP_ST ? check_memory(p, i, text) : 0;
}
