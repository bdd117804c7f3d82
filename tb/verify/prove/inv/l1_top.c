/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/l1_top.c"
#include "cmodel/l1_top_parts.c"

#include "verify/prove/inv/inv.h"

unsigned l1_top_registers(const l1_top_t *self, module_reg_t *regs);
unsigned l1_top_private(l1_top_t *self, private_t *part);
void l1_top_derive(l1_top_t *self);
uint32_t l1_top_rounds(const l1_top_t *self);
bool l1_top_inv(const l1_top_t *self);

/* What the files of the parts give. */
#define PART(stem, inst) unsigned stem##_registers(const stem##_t *self, module_reg_t *regs);
PARTS(PART)
#undef PART
#define PART(stem, inst) bool stem##_inv(const stem##_t *self);
PARTS(PART)
#undef PART
unsigned mrpb_private(mrpb_t *self, private_t *part);
void mrpb_derive(mrpb_t *self);
void mshr_derive(mshr_t *self);
void l1_control_derive(l1_control_t *self);
void l1_reply_derive(l1_reply_t *self);
unsigned mshr_private(mshr_t *self, private_t *part);
uint32_t mshr_rounds(const mshr_t *self);

/* The top's own, those of the parts with their parity bits, and the parity bits of the top. */
unsigned l1_top_registers(const l1_top_t *self, module_reg_t *regs) {
  parity_t *p = self->parity;
  l1_top_class.regs(self, regs);
  unsigned n = l1_top_class.n_regs;
#define PART(stem, inst) n -= stem##_n_regs;
  PARTS(PART)
#undef PART
#define PART(stem, inst)                                                                           \
  {                                                                                                \
    const unsigned of_part = stem##_registers(self->inst, regs + n);                               \
    module_inside(#inst, regs + n, of_part);                                                       \
    n += of_part;                                                                                  \
  }
  PARTS(PART)
#undef PART
  if (!p) return n;
  regs[n++] = (module_reg_t){"gen_parity.state_par_q", EVENTS + 1, 1, 2, &p->state, "", false, ""};
  regs[n++] =
      (module_reg_t){"gen_parity.warp_par_q", self->cfg.STORES, 1, 4, &p->warp, "", false, ""};
  return n;
}

unsigned l1_top_private(l1_top_t *self, private_t *part) {
  unsigned n = mrpb_private(self->u_mrpb, part);
  n += mshr_private(self->u_mshr, part + n);
  return n + mshr_private(self->u_bypass, part + n);
}

void l1_top_derive(l1_top_t *self) {
  mrpb_derive(self->u_mrpb);
  mshr_derive(self->u_mshr);
  mshr_derive(self->u_bypass);
  l1_control_derive(self->u_control);
  l1_reply_derive(self->u_reply);
}

uint32_t l1_top_rounds(const l1_top_t *self) {
  const uint32_t mshr = mshr_rounds(self->u_mshr), bypass = mshr_rounds(self->u_bypass);
  return mshr > bypass ? mshr : bypass;
}

/* That of each part, whose inputs may be anything; the top adds nothing. */
bool l1_top_inv(const l1_top_t *self) {
  int good = 1;
#define PART(stem, inst) good &= stem##_inv(self->inst);
  PARTS(PART)
#undef PART
  return good;
}
