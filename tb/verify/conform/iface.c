/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the interface. */
#include "verify/conform/iface.h"

#include <stdlib.h>

#define PORTS "verify/conform/iface.ports.h"
#define IDX_W(n) bits_index_w(n)
#define CNT_W(n) bits_count_w(n)
#define P(x) (cfg->x)

#include "ports/clear.h"
const module_param_t conform_params[CONFORM_PARAMS] = {
#undef PARAM
#define PARAM(name, deflt, min, max, doc) {#name, deflt, min, max, doc},
#include PORTS
};

void conform_ports(const conform_cfg_t *cfg, module_port_t *in, module_port_t *out) {
#include "ports/clear.h"
#undef IN
#define IN(name, width, doc)                                                                       \
  *in++ =                                                                                          \
      (module_port_t){#name, width, offsetof(conform_in_t, name) / sizeof(uint64_t), doc, #width};
#include PORTS
#include "ports/clear.h"
#undef OUT
#undef OUTW
#define OUT(name, width, doc)                                                                      \
  *out++ = (module_port_t){#name, width, offsetof(conform_out_t, name) / sizeof(uint64_t), doc,    \
                           #width};
#define OUTW(name, width, max_width, doc)                                                          \
  *out++ = (module_port_t){#name, width, offsetof(conform_out_t, name) / sizeof(uint64_t), doc,    \
                           #width};
#include PORTS
#include "ports/clear.h"
}

int conform_check(const conform_cfg_t *cfg, mrpb_err_t *err) {
  if (module_check_ranges("conform", conform_params, CONFORM_PARAMS, (const uint32_t *)cfg, err) !=
      0)
    return -1;
  return cfg->ENTRIES % cfg->SETS == 0
             ? 0
             : mrpb_fail(err, "ENTRIES = %u, SETS = %u; legal: SETS divides ENTRIES", cfg->ENTRIES,
                         cfg->SETS);
}

/* ---- the class: the shape of an interface, without anything that runs ---- */

static int class_check(const uint32_t *cfg, mrpb_err_t *err) {
  return conform_check(conform_sizes(cfg), err);
}

static void class_ports(const uint32_t *cfg, module_port_t *in, module_port_t *out) {
  conform_ports(conform_sizes(cfg), in, out);
}

static int class_create(void **self, const uint32_t *cfg, mrpb_err_t *err) {
  *self = calloc(1, sizeof(conform_regs_t));
  (void)cfg;
  return *self ? 0 : mrpb_fail(err, "out of memory");
}

static void class_regs(const void *self, module_reg_t *regs) {
  const conform_regs_t *r = self;
  (void)r;
#include "ports/clear.h"
#undef REG
#define REG(bits, name, width, doc)                                                                \
  *regs++ = (module_reg_t){#name, width, 1, sizeof r->name, &r->name, doc, false, ""};
#include PORTS
#include "ports/clear.h"
}

const module_class_t conform_class = {.stem = "conform",
                                      .doc = "the interface of the contract",
                                      .n_params = CONFORM_PARAMS,
                                      .n_in = CONFORM_INS,
                                      .n_out = CONFORM_OUTS,
                                      .n_regs = 1,
                                      .in_words = CONFORM_IN_WORDS,
                                      .out_words = CONFORM_OUT_WORDS,
                                      .params = conform_params,
                                      .check = class_check,
                                      .ports = class_ports,
                                      .create = class_create,
                                      .regs = class_regs,
                                      .destroy = free};
