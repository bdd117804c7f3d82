/* SPDX-License-Identifier: Apache-2.0 */
/* Unit, latency and length of arithmetic instructions. */
#include "gpu/inorder/inorder_state.h"
#include "workload/ptx/ptx.h"

enum { INT, F32, F64 };
enum { ANY, MUL_LO, MUL_HI_U, MUL_HI_S, APPROX, UNSIGNED, SIGNED };

typedef struct {
  uint8_t op, type, variant;
  uint8_t sp, sp_free, sfu, dpu; /* native instructions: see ops.def */
  int8_t adjust;
} row_t;

static const row_t gt200[] = {
#define NATIVE(op, type, variant, sp, sp_free, sfu, dpu, adjust, note)                             \
  {PTX_OP_##op, type, variant, sp, sp_free, sfu, dpu, adjust},
#include "gpu/inorder/ops.def"
#undef NATIVE
};

static unsigned type_of(const warp_inst_t *i) {
  return i->type == PTX_F64 ? F64 : i->type == PTX_F32 ? F32 : INT;
}

static bool is_signed(const warp_inst_t *i) {
  return i->type >= PTX_S8 && i->type <= PTX_S64;
}

static bool fits(const row_t *r, const warp_inst_t *i) {
  if (r->op != i->op || r->type != type_of(i)) return false;
  bool high = i->op == PTX_OP_MUL && i->variant == PTX_MUL_HI;
  switch (r->variant) {
  case MUL_LO:
    return !high;
  case MUL_HI_U:
    return high && !is_signed(i);
  case MUL_HI_S:
    return high && is_signed(i);
  case APPROX:
    return i->variant == PTX_ROUND_APPROX;
  case UNSIGNED:
    return !is_signed(i);
  case SIGNED:
    return is_signed(i);
  default:
    return true;
  }
}

static bool transcendental(const warp_inst_t *i) {
  switch (i->op) {
  case PTX_OP_RCP:
  case PTX_OP_SQRT:
  case PTX_OP_RSQRT:
  case PTX_OP_SIN:
  case PTX_OP_COS:
  case PTX_OP_LG2:
  case PTX_OP_EX2:
  case PTX_OP_DIV:
    return true;
  default:
    return false;
  }
}

/* One native instruction. */
static row_t single(const warp_inst_t *i) {
  if (type_of(i) == F64 && i->cls == WARP_ALU) return (row_t){.dpu = 1};
  if (transcendental(i)) return (row_t){.sfu = 1};
  return (row_t){.sp = 1};
}

static row_t natives(const config_t *cfg, const warp_inst_t *i) {
  if (cfg->ops == DEVICE_OPS_GT200)
    for (unsigned r = 0; r < sizeof gt200 / sizeof *gt200; r++)
      if (fits(&gt200[r], i)) return gt200[r];
  return single(i);
}

units_cost_t units_cost(const config_t *cfg, const warp_inst_t *i) {
  row_t r = natives(cfg, i);
  uint32_t latency = r.sp * cfg->sp_latency + r.sfu * cfg->sfu_latency + r.dpu * cfg->dpu_latency;
  return (units_cost_t){.latency = (uint32_t)((int32_t)latency + r.adjust),
                        .sp = (uint32_t)(r.sp + r.sp_free) * cfg->sp_cycles,
                        .sfu = r.sfu * cfg->sfu_cycles,
                        .dpu = r.dpu * cfg->dpu_cycles,
                        .mad = type_of(i) == INT && (i->op == PTX_OP_MUL || i->op == PTX_OP_MAD),
                        .either = cfg->mul_cycles && i->op == PTX_OP_MUL && type_of(i) == F32};
}
