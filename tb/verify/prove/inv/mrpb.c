/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/mrpb.c"
#include "cosim/stim/counts.h"

#include "verify/prove/inv/inv.h"

unsigned mrpb_registers(const mrpb_t *self, module_reg_t *regs);
unsigned mrpb_private(mrpb_t *self, private_t *part);
void mrpb_derive(mrpb_t *self);
bool mrpb_inv(const mrpb_t *self);

unsigned drain_selector_private(drain_selector_t *self, private_t *part);
void drain_selector_derive(drain_selector_t *self);
unsigned fifo_bank_parity(const fifo_bank_t *self, module_reg_t *regs);
unsigned drain_selector_parity(const drain_selector_t *self, module_reg_t *regs);
bool fifo_bank_shown(const fifo_bank_t *self);
bool fifo_bank_inv(const fifo_bank_t *self);
bool drain_selector_inv(const drain_selector_t *self);
bool order_check_inv(const order_check_t *self);

/* The parity bits, which the table does not list. */
static unsigned parity_registers(const mrpb_t *self, module_reg_t *regs) {
  const uint32_t words = self->cfg.ANSWER ? self->cfg.ANSWER : 1;
  parity_t *p = self->parity;
  regs[0] = (module_reg_t){"gen_parity.state_par_q", 5, 1, 1, &p->state, "", false, ""};
  regs[1] =
      (module_reg_t){"gen_parity.line_par_q", self->cfg.LATENCY - 2, 1, 2, &p->line, "", false, ""};
  regs[2] =
      (module_reg_t){"gen_parity.block_par_q", self->cfg.BLOCKS, 1, 8, &p->block, "", false, ""};
  regs[3] = (module_reg_t){"gen_parity.sent_par_q", words, 1, 1, &p->sent, "", false, ""};
  unsigned n = 4;
  const unsigned in_bank = fifo_bank_parity(self->u_fifo_bank, regs + n);
  module_inside("u_fifo_bank", regs + n, in_bank);
  n += in_bank;
  const unsigned in_selector = drain_selector_parity(self->u_drain_selector, regs + n);
  module_inside("u_drain_selector", regs + n, in_selector);
  return n + in_selector;
}

/* Includes the order checker's registers: hardware has none of them, but order_err_o depends on
 * them. Includes the parity bits. */
unsigned mrpb_registers(const mrpb_t *self, module_reg_t *regs) {
  module_reg_t *order = regs + mrpb_class.n_regs;
  mrpb_class.regs(self, regs);
  order_check_class.regs(self->u_order_check, order);
  module_inside("u_order_check", order, order_check_class.n_regs);
  const unsigned n = mrpb_class.n_regs + order_check_class.n_regs;
  return self->parity ? n + parity_registers(self, regs + n) : n;
}

unsigned mrpb_private(mrpb_t *self, private_t *part) {
  return drain_selector_private(self->u_drain_selector, part);
}

void mrpb_derive(mrpb_t *self) {
  drain_selector_derive(self->u_drain_selector);
  self->out_entry = self->r.out_stored_q ? drained(self) | self->r.out_pass_q : self->r.out_pass_q;
}

static uint32_t entry_block(const mrpb_t *self, uint64_t entry) {
  return (uint32_t)counter_of(self, unpack(self, entry).block);
}

/* Entries of a block, in the bank and presented. */
static uint32_t held_of(const mrpb_t *self, uint32_t block) {
  const fifo_bank_regs_t *bank = fifo_bank_regs(self->u_fifo_bank);
  uint32_t n = self->r.out_valid_q && entry_block(self, self->out_entry) == block;
  for (uint32_t i = 0; i < self->cfg.ANSWER; i++)
    n += (self->r.sent_valid_q >> i & 1) && entry_block(self, self->r.sent_q[i]) == block;
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++)
    for (uint32_t i = 0; i < self->cfg.DEPTH; i++) {
      uint32_t place = i < bank->head_q[q] ? i + self->cfg.DEPTH : i;
      bool used = place < bank->head_q[q] + counts_held(bank, self->cfg.DEPTH, q);
      n += used && entry_block(self, bank->u_mem.mem_q[q * self->cfg.DEPTH + i]) == block;
    }
  return n;
}

/* An entry is in the latency line until the drain selector counts it. */
static bool counted(const mrpb_t *self, uint32_t q) {
  const fifo_bank_regs_t *bank = fifo_bank_regs(self->u_fifo_bank);
  uint32_t n = counts_drainable(drain_selector_regs(self->u_drain_selector), q);
  for (uint32_t i = 0; i < self->cfg.LATENCY - 2; i++)
    n += (self->r.line_valid_q >> i & 1) && self->r.line_queue_q[i] == q;
  return n == counts_held(bank, self->cfg.DEPTH, q);
}

/* The line of sent requests: no word is free between others, a free one is 0, answers are due only
 * for words, and what may bypass waits for no answer. Returns the number of its requests. */
static uint32_t sent(const mrpb_t *self, bool *good) {
  const mrpb_regs_t *r = &self->r;
  const uint32_t words = self->cfg.ANSWER;
  uint32_t held = 0, due = 0;
  *good &= r->due_q >> words == 0 && r->sent_valid_q >> words == 0;
  for (uint32_t i = 0; i < words; i++) {
    const bool valid = r->sent_valid_q >> i & 1;
    *good &= valid || r->sent_q[i] == 0;
    *good &= !valid || i == held;
    held += valid;
    due += r->due_q >> i & 1;
  }
  *good &= words > 0 || r->sent_q[0] == 0;
  *good &= due <= held;
  *good &= !r->byp_q || (held > 0 && due == 0 && !unpack(self, r->sent_q[0]).write);
  return held;
}

bool mrpb_inv(const mrpb_t *self) {
  const mrpb_regs_t *r = &self->r;
  bool good = (int)fifo_bank_inv(self->u_fifo_bank) &
              (int)drain_selector_inv(self->u_drain_selector) &
              order_check_inv(self->u_order_check);
  good &= r->out_valid_q || (!r->out_stored_q && r->out_pass_q == 0);
  good &= !r->out_stored_q || (r->out_pass_q == 0 && fifo_bank_shown(self->u_fifo_bank));
  for (uint32_t i = 0; i < self->cfg.LATENCY - 2; i++)
    good &= (r->line_valid_q >> i & 1) ? r->line_queue_q[i] < self->cfg.QUEUES
                                       : r->line_queue_q[i] == 0;
  uint32_t held = r->out_valid_q + sent(self, &good);
  for (uint32_t q = 0; q < self->cfg.QUEUES; q++) {
    held += counts_held(fifo_bank_regs(self->u_fifo_bank), self->cfg.DEPTH, q);
    good &= counted(self, q);
  }
  good &= r->left_valid_q || r->left_block_q == 0;
  for (uint32_t b = 0; b < self->cfg.BLOCKS; b++) {
    bool left = r->left_valid_q && counter_of(self, r->left_block_q) == b;
    good &= r->block_held_q[b] == held_of(self, b) + left;
  }
  if (self->parity) {
    const parity_t fits = parity_of(self), *p = self->parity;
    good &= (p->state == fits.state) & (p->sent == fits.sent) & (p->line == fits.line) &
            (p->block == fits.block);
  }
  return good & (r->held_q == held);
}
