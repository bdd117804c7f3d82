/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons and selections. The result of a comparison is a mask of lanes. */
#include "workload/simt/exec_real.h"

/* Combines the comparison's mask, and its complement for a second destination, and writes both. */
static void set_preds(const warp_stream_t *w, const simt_op_t *op, uint32_t m, uint32_t mask) {
  uint32_t p = exec_combine(w, op, m);
  uint32_t q = exec_combine(w, op, ~m);
  exec_set_pred(w, op->d[0], p, mask);
  if (op->n > 1) exec_set_pred(w, op->d[1], q, mask);
}

#define SETP(name, S, V, IN, COND)                                                                 \
  EXEC_BOTH(name, {                                                                                \
    EXEC_SRC(S, pa, 0);                                                                            \
    EXEC_SRC(S, pb, 1);                                                                            \
    uint32_t m = 0;                                                                                \
    for (unsigned l = 0; l < WARP_LANES; l++) {                                                    \
      const V a = IN((V)pa[l]);                                                                    \
      const V b = IN((V)pb[l]);                                                                    \
      m |= (uint32_t)(COND) << l;                                                                  \
    }                                                                                              \
    set_preds(w, op, m, mask);                                                                     \
  })
#define SAME(x) (x)
#define SETP_6(t, S, V, IN)                                                                        \
  SETP(eq_##t, S, V, IN, a == b)                                                                   \
  SETP(lt_##t, S, V, IN, a < b)                                                                    \
  SETP(le_##t, S, V, IN, a <= b)                                                                   \
  SETP(gt_##t, S, V, IN, a > b)                                                                    \
  SETP(ge_##t, S, V, IN, a >= b)
#define SETP_REAL(t, S, V, IN)                                                                     \
  SETP_6(t, S, V, IN)                                                                              \
  SETP(ne_##t, S, V, IN, (a < b) | (a > b))                                                        \
  SETP(equ_##t, S, V, IN, !((a < b) | (a > b)))                                                    \
  SETP(neu_##t, S, V, IN, a != b)                                                                  \
  SETP(ltu_##t, S, V, IN, !(a >= b))                                                               \
  SETP(leu_##t, S, V, IN, !(a > b))                                                                \
  SETP(gtu_##t, S, V, IN, !(a <= b))                                                               \
  SETP(geu_##t, S, V, IN, !(a < b))                                                                \
  SETP(num_##t, S, V, IN, (a == a) & (b == b))                                                     \
  SETP(nan_##t, S, V, IN, (a != a) | (b != b))
#define SETP_INT(t, S, V) SETP_6(t, S, V, SAME) SETP(ne_##t, S, V, SAME, a != b)

SETP_INT(u16, lane32_t, uint16_t)
SETP_INT(s16, lane32_t, int16_t)
SETP_INT(u32, lane32_t, uint32_t)
SETP_INT(s32, lane32_t, int32_t)
SETP_INT(u64, lane64_t, uint64_t)
SETP_INT(s64, lane64_t, int64_t)
SETP_REAL(f32, lanef_t, float, SAME)
SETP_REAL(f32z, lanef_t, float, flush_f32)
SETP_REAL(f64, laned_t, double, SAME)

/* In the order of ptx_cmp_t. */
#define ROW_INT(t)                                                                                 \
  { PAIR(eq_##t), PAIR(ne_##t), PAIR(lt_##t), PAIR(le_##t), PAIR(gt_##t), PAIR(ge_##t) }
#define ROW_REAL(t)                                                                                \
  {                                                                                                \
    PAIR(eq_##t), PAIR(ne_##t), PAIR(lt_##t), PAIR(le_##t), PAIR(gt_##t), PAIR(ge_##t),            \
        PAIR(equ_##t), PAIR(neu_##t), PAIR(ltu_##t), PAIR(leu_##t), PAIR(gtu_##t), PAIR(geu_##t),  \
        PAIR(num_##t), PAIR(nan_##t)                                                               \
  }

static simt_exec_t comparison(unsigned type, unsigned cmp, bool ftz, bool fast) {
  static const exec_pair_t table[ROWS + 1][PTX_CMP_NAN + 1] = {
      ROW_INT(u16), ROW_INT(s16),  ROW_INT(u32),  ROW_INT(s32),  ROW_INT(u64),
      ROW_INT(s64), ROW_REAL(f32), ROW_REAL(f64), ROW_REAL(f32z)};
  unsigned row = exec_row(type);
  if (row == ROWS) return NULL;
  if (row == ROW_F32 && ftz) row = ROWS;
  return table[row][cmp].fn[fast];
}

/* set: all ones, or 1.0, where the comparison holds. Predicate 0 receives the comparison's mask as
 * scratch. */
static void set_exec(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const ptx_inst_t *i = op->inst;
  simt_op_t setp = *op;
  setp.d[0] = AREA_REGS;
  setp.n = 1;
  comparison(i->type2, i->cmp, i->ftz, w->sim->fast)(w, &setp, mask);
  uint32_t m = *(const lane32_t *)simt_vector(w, AREA_REGS);
  uint32_t yes = i->type == PTX_F32 ? 0x3F800000 : UINT32_MAX;
  lane32_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = m >> l & 1 ? yes : 0;
}

/* ---- selections ------------------------------------------------------------ */

#define SELP(name, S, M)                                                                           \
  EXEC_BOTH(name, EXEC_LOOP(S, EXEC_SRC(S, pa, 0); EXEC_SRC(S, pb, 1);                             \
                            const M p = exec_pred(w, op, 2), (void)0, p >> l & 1 ? pa[l] : pb[l]))
SELP(selp_32, lane32_t, uint32_t)
SELP(selp_64, lane64_t, uint64_t)

#define SLCT(name, S, SC, VC, IN)                                                                  \
  EXEC_BOTH(name,                                                                                  \
            EXEC_LOOP(S, EXEC_SRC(S, pa, 0); EXEC_SRC(S, pb, 1);                                   \
                      EXEC_SRC(SC, pc, 2), const VC c = IN((VC)pc[l]), c >= 0 ? pa[l] : pb[l]))
SLCT(slct_s_32, lane32_t, lane32_t, int32_t, SAME)
SLCT(slct_s_64, lane64_t, lane32_t, int32_t, SAME)
SLCT(slct_f_32, lane32_t, lanef_t, float, SAME)
SLCT(slct_f_64, lane64_t, lanef_t, float, SAME)
SLCT(slct_z_32, lane32_t, lanef_t, float, flush_f32)
SLCT(slct_z_64, lane64_t, lanef_t, float, flush_f32)

simt_exec_t exec_compare(const ptx_inst_t *i, bool fast) {
  static const exec_pair_t selp[2] = {PAIR(selp_32), PAIR(selp_64)};
  static const exec_pair_t slct[3][2] = {{PAIR(slct_s_32), PAIR(slct_s_64)},
                                         {PAIR(slct_f_32), PAIR(slct_f_64)},
                                         {PAIR(slct_z_32), PAIR(slct_z_64)}};
  unsigned wide = ptx_type_bytes((ptx_type_t)i->type) == 8;
  switch (i->op) {
  case PTX_OP_SETP:
    return comparison(i->type, i->cmp, i->ftz, fast);
  case PTX_OP_SET:
    return comparison(i->type2, i->cmp, i->ftz, fast) && !wide ? set_exec : NULL;
  case PTX_OP_SELP:
    return selp[wide].fn[fast];
  case PTX_OP_SLCT:
    return slct[i->type2 == PTX_F32 ? 1 + i->ftz : 0][wide].fn[fast];
  default:
    return NULL;
  }
}
