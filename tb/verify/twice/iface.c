/* SPDX-License-Identifier: Apache-2.0 */
/* The interface's tables. */
#include "verify/twice/iface.h"

#include <stdlib.h>

#define PORTS "verify/twice/iface.ports.h"
#define P(x) (cfg->x)

#include "ports/clear.h"
static const module_param_t params[] = {
#undef PARAM
#define PARAM(name, deflt, min, max, doc) {#name, deflt, min, max, doc},
#include PORTS
};

int twice_check(const twice_cfg_t *cfg, mrpb_err_t *err) {
  return module_check_ranges("twice", params, sizeof params / sizeof *params,
                             (const uint32_t *)(const void *)cfg, err);
}

static int class_check(const uint32_t *cfg, mrpb_err_t *err) {
  return twice_check(twice_sizes(cfg), err);
}

static void class_ports(const uint32_t *sizes, module_port_t *in, module_port_t *out) {
  const twice_cfg_t *cfg = twice_sizes(sizes);
#define PORT(to, type, name, width, doc)                                                           \
  *(to)++ = (module_port_t){#name, width, offsetof(type, name) / sizeof(uint64_t), doc, #width};
#include "ports/clear.h"
#undef IN
#undef INW
#define IN(name, width, doc) PORT(in, twice_in_t, name, width, doc)
#define INW(name, width, max_width, doc) PORT(in, twice_in_t, name, width, doc)
#include PORTS
#include "ports/clear.h"
#undef OUTW
#define OUTW(name, width, max_width, doc) PORT(out, twice_out_t, name, width, doc)
#include PORTS
#include "ports/clear.h"
}

static int class_create(void **self, const uint32_t *cfg, mrpb_err_t *err) {
  *self = calloc(1, sizeof(twice_regs_t));
  (void)cfg;
  return *self ? 0 : mrpb_fail(err, "out of memory");
}

static void class_regs(const void *self, module_reg_t *regs) {
  const twice_regs_t *r = self;
  (void)r;
#include "ports/clear.h"
#undef REG
#define REG(bits, name, width, doc)                                                                \
  *regs++ = (module_reg_t){#name, width, 1, sizeof r->name, &r->name, doc, false, ""};
#include PORTS
#include "ports/clear.h"
}

const module_class_t twice_class = {.stem = "twice",
                                    .doc = "any module",
                                    .n_params = sizeof params / sizeof *params,
                                    .n_in = 2,
                                    .n_out = 1,
                                    .n_regs = 1,
                                    .in_words = sizeof(twice_in_t) / sizeof(uint64_t),
                                    .out_words = sizeof(twice_out_t) / sizeof(uint64_t),
                                    .params = params,
                                    .check = class_check,
                                    .ports = class_ports,
                                    .create = class_create,
                                    .regs = class_regs,
                                    .destroy = free};
