/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the interface. */
#include "verify/path/iface.h"

#include <stdlib.h>

#define PORTS "verify/path/iface.ports.h"
#define P(x) (cfg->x)

#include "ports/clear.h"
static const module_param_t params[PATH_PARAMS] = {
#undef PARAM
#define PARAM(name, deflt, min, max, doc) {#name, deflt, min, max, doc},
#include PORTS
};

static void class_ports(const uint32_t *sizes, module_port_t *in, module_port_t *out) {
  const path_cfg_t *cfg = path_sizes(sizes);
#define PORT(to, type, name, width, doc)                                                           \
  *to++ = (module_port_t){#name, width, offsetof(type, name) / sizeof(uint64_t), doc, #width};
#include "ports/clear.h"
#undef IN
#undef INW
#define IN(name, width, doc) PORT(in, path_in_t, name, width, doc)
#define INW(name, width, max_width, doc) PORT(in, path_in_t, name, width, doc)
#include PORTS
#include "ports/clear.h"
#undef OUT
#undef OUTW
#define OUT(name, width, doc) PORT(out, path_out_t, name, width, doc)
#define OUTW(name, width, max_width, doc) PORT(out, path_out_t, name, width, doc)
#include PORTS
#include "ports/clear.h"
}

static int power_of_two(const char *name, uint32_t v, mrpb_err_t *err) {
  return (v & (v - 1)) == 0 ? 0 : mrpb_fail(err, "%s = %u; legal: a power of two", name, v);
}

int path_check(const path_cfg_t *c, mrpb_err_t *err) {
  if (module_check_ranges("path", params, PATH_PARAMS, (const uint32_t *)c, err) != 0 ||
      power_of_two("WORD", c->WORD, err) != 0 || power_of_two("LINE", c->LINE, err) != 0 ||
      power_of_two("SECTOR", c->SECTOR, err) != 0 || power_of_two("BUS", c->BUS, err) != 0 ||
      power_of_two("THREADS", c->THREADS, err) != 0)
    return -1;
  if (c->LINE < c->WORD || c->SECTOR > c->LINE || (c->SECTOR && c->SECTOR < c->WORD))
    return mrpb_fail(err, "WORD = %u, SECTOR = %u, LINE = %u; legal: WORD <= SECTOR <= LINE",
                     c->WORD, c->SECTOR, c->LINE);
  if (c->THREADS > 1u << c->TAG_W)
    return mrpb_fail(err, "THREADS = %u, TAG_W = %u; legal: at most as many threads as tags",
                     c->THREADS, c->TAG_W);
  if (c->LINE >> (c->ADDR_W < 31 ? c->ADDR_W : 31))
    return mrpb_fail(err, "LINE = %u, ADDR_W = %u; legal: more than one line", c->LINE, c->ADDR_W);
  return 0;
}

/* ---- the class: the shape of an interface, without anything that runs ---- */

static int class_check(const uint32_t *cfg, mrpb_err_t *err) {
  return path_check(path_sizes(cfg), err);
}

static int class_create(void **self, const uint32_t *cfg, mrpb_err_t *err) {
  *self = calloc(1, sizeof(path_regs_t));
  (void)cfg;
  return *self ? 0 : mrpb_fail(err, "out of memory");
}

static void class_regs(const void *self, module_reg_t *regs) {
  const path_regs_t *r = self;
#include "ports/clear.h"
#undef REG
#define REG(bits, name, width, doc)                                                                \
  *regs++ = (module_reg_t){#name, width, 1, sizeof r->name, &r->name, doc, false, ""};
#include PORTS
#include "ports/clear.h"
}

const module_class_t path_class = {.stem = "path",
                                   .doc = "the interface of the contract of a path",
                                   .n_params = PATH_PARAMS,
                                   .n_in = PATH_INS,
                                   .n_out = PATH_OUTS,
                                   .n_regs = 1,
                                   .in_words = sizeof(path_in_t) / sizeof(uint64_t),
                                   .out_words = sizeof(path_out_t) / sizeof(uint64_t),
                                   .params = params,
                                   .check = class_check,
                                   .ports = class_ports,
                                   .create = class_create,
                                   .regs = class_regs,
                                   .destroy = free};
