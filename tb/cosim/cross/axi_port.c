/* SPDX-License-Identifier: Apache-2.0 */
/* axi_port: crosses. */
#include "cosim/cross/cross.h"

#include "axi_port.h"

enum { READ, WRITE, TAKEN };

static const cross_t crosses[] = {
    [READ] = {"read",
              "reads: from the queue, past the register or through it",
              {{"request", {"none", "read", "write"}},
               {"register", {"empty", "keeps a read"}},
               {"memory", {"does not take", "takes"}}}},
    [WRITE] = {"write",
               "the write that is sent, and the request behind it",
               {{"address", {"taken before", "waits", "is taken"}},
                {"beats", {"taken before", "wait", "one of several is taken", "the last is taken"}},
                {"request", {"none", "read", "write"}}}},
    [TAKEN] = {"taken",
               "what memory takes in one cycle",
               {{"read", {"no", "yes"}}, {"address", {"no", "yes"}}, {"beat", {"no", "yes"}}}},
};

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const axi_port_regs_t *r = axi_port_regs(c->model);
  const axi_port_in_t *i = (const axi_port_in_t *)(const void *)c->in;
  const axi_port_out_t *o = (const axi_port_out_t *)(const void *)c->out;
  const axi_port_cfg_t *p = axi_port_sizes(c->cfg);
  const unsigned beat_w = bits_index_w((p->WORDS + p->BUS_WORDS - 1) / p->BUS_WORDS);
  if (!i->srst_ni) return;
  const bool write = i->req_data_i >> (p->ID_W + p->ADDR_W + 2 * beat_w) & 1;
  const bool ar = o->ar_valid_o && i->ar_ready_i, aw = o->aw_valid_o && i->aw_ready_i;
  const bool w = o->w_valid_o && i->w_ready_i;
  value[READ][0] = !i->req_valid_i ? 0 : write ? 2 : 1;
  value[READ][1] = r->read_valid_q != 0;
  value[READ][2] = i->ar_ready_i != 0;
  value[WRITE][0] = !o->aw_valid_o ? 0 : aw ? 2 : 1;
  value[WRITE][1] = !o->w_valid_o ? 0 : !w ? 1 : o->w_last_o ? 3 : 2;
  value[WRITE][2] = value[READ][0];
  value[TAKEN][0] = ar;
  value[TAKEN][1] = aw;
  value[TAKEN][2] = w;
}

const cross_class_t cross_axi_port = {.stem = "axi_port",
                                      .n = sizeof crosses / sizeof *crosses,
                                      .n_gaps = 0,
                                      .crosses = crosses,
                                      .gaps = NULL,
                                      .sample = sample};
