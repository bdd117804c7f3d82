/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the run-time table `<stem>_class` from the ports file; included once, at the end of <stem>.c, with
 * STEM, PORTS_FILE (and COMBINATIONAL) defined as for declare.h. `struct STEM` must be complete there and
 * hold the configuration as `cfg`; sub-modules are members named as the Verilog instances. COMPOSITE: some of
 * them are pointers, and <stem>_copy(to, from) is defined there. FAST: the array of its module_fast_t, if it
 * exports more than declare.h declares. */
#include <stddef.h>

#define NAME(suffix) MRPB_PORTS_CAT(STEM, suffix)
#define STRING_(x) #x
#define STRING(x) STRING_(x)
#define IDX_W(n) bits_index_w(n)
#define CNT_W(n) bits_count_w(n)
#define P(x) (p->x)

#include "ports/clear.h"
static const module_param_t class_params[] = {
#undef PARAM
#define PARAM(name, deflt, min, max, doc) {#name, deflt, min, max, doc},
#include PORTS_FILE
};

enum {
  class_n_in = 0
#include "ports/clear.h"
#undef IN
#undef INW
#define IN(name, width, doc) +1
#define INW(name, width, max_width, doc) +1
#include PORTS_FILE
  ,
  class_n_out = 0
#include "ports/clear.h"
#undef OUT
#undef OUTW
#define OUT(name, width, doc) +1
#define OUTW(name, width, max_width, doc) +1
#include PORTS_FILE
};
_Static_assert(sizeof class_params / sizeof *class_params <= MODULE_MAX_PARAMS, "parameters");
_Static_assert((int)class_n_in <= (int)MODULE_MAX_PORTS, "inputs");
_Static_assert((int)class_n_out <= (int)MODULE_MAX_PORTS, "outputs");
_Static_assert(sizeof(NAME(_in_t)) <= 8 * MODULE_MAX_WORDS, "input words");
_Static_assert(sizeof(NAME(_out_t)) <= 8 * MODULE_MAX_WORDS, "output words");
_Static_assert((int)NAME(_n_regs) <= (int)MODULE_MAX_REGS, "registers");

int NAME(_check)(const NAME(_cfg_t) * cfg, mrpb_err_t *err) {
  return module_check_ranges(STRING(STEM), class_params, sizeof class_params / sizeof *class_params,
                             (const uint32_t *)cfg, err);
}

static int class_check(const uint32_t *cfg, mrpb_err_t *err) {
  return NAME(_check)(NAME(_sizes)(cfg), err);
}

static void class_ports(const uint32_t *cfg, module_port_t *in, module_port_t *out) {
  const NAME(_cfg_t) *p = NAME(_sizes)(cfg);
  (void)p;
#include "ports/clear.h"
#undef IN
#undef INW
#define IN(name, width, doc)                                                                       \
  *in++ =                                                                                          \
      (module_port_t){#name, width, offsetof(NAME(_in_t), name) / sizeof(uint64_t), doc, #width};
#define INW(name, width, max_width, doc)                                                           \
  *in++ =                                                                                          \
      (module_port_t){#name, width, offsetof(NAME(_in_t), name) / sizeof(uint64_t), doc, #width};
#include PORTS_FILE
#include "ports/clear.h"
#undef OUT
#undef OUTW
#define OUT(name, width, doc)                                                                      \
  *out++ =                                                                                         \
      (module_port_t){#name, width, offsetof(NAME(_out_t), name) / sizeof(uint64_t), doc, #width};
#define OUTW(name, width, max_width, doc)                                                          \
  *out++ =                                                                                         \
      (module_port_t){#name, width, offsetof(NAME(_out_t), name) / sizeof(uint64_t), doc, #width};
#include PORTS_FILE
}

/* A whole cycle's inputs are looked at for a few nanoseconds; who is too wide is found out after. */
static int class_refuse(const NAME(_t) * self, const NAME(_in_t) * in, mrpb_err_t *err) {
  module_port_t port[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS], *at = port;
  class_ports((const uint32_t *)(const void *)&self->cfg, port, out);
#include "ports/clear.h"
#undef IN
#undef INW
#define IN(name, width, doc)                                                                       \
  if (module_refuse(STRING(STEM), at++, &in->name, 64, err) != 0) return -1;
#define INW(name, width, max_width, doc)                                                           \
  if (module_refuse(STRING(STEM), at++, in->name, max_width, err) != 0) return -1;
#include PORTS_FILE
  return 0;
}

int NAME(_legal)(const NAME(_t) * self, const NAME(_in_t) * in, mrpb_err_t *err) {
  const NAME(_cfg_t) *p = &self->cfg;
  uint64_t wide = 0;
  (void)p;
#include "ports/clear.h"
#undef IN
#undef INW
#define IN(name, width, doc) wide |= in->name & ~bits_mask(width);
#define INW(name, width, max_width, doc)                                                           \
  for (unsigned w = 0; w < ((max_width) + 63) / 64; w++)                                           \
    wide |= in->name[w] & ~bits_mask((width) > 64 * w ? (width)-64 * w : 0);
#include PORTS_FILE
  return wide == 0 ? 0 : class_refuse(self, in, err);
}

int NAME(_cycle)(NAME(_t) * self, const NAME(_in_t) * in, NAME(_out_t) * out, mrpb_err_t *err) {
  if (NAME(_legal)(self, in, err) != 0) return -1;
  NAME(_comb)(self, in, out);
#ifndef COMBINATIONAL
  NAME(_edge)(self, in);
#endif
  return 0;
}

static int class_legal(const void *self, const uint64_t *in, mrpb_err_t *err) {
  return NAME(_legal)((const NAME(_t) *)self, (const NAME(_in_t) *)(const void *)in, err);
}

static int class_create(void **self, const uint32_t *cfg, mrpb_err_t *err) {
  NAME(_t) *made = NULL;
  int rc = NAME(_create)(&made, NAME(_sizes)(cfg), err);
  *self = made;
  return rc;
}

static void class_comb(const void *self, const uint64_t *in, uint64_t *out) {
  NAME(_comb)(self, (const NAME(_in_t) *)(const void *)in, (NAME(_out_t) *)(void *)out);
}

static void class_copy(void *to, const void *from) {
#ifdef COMPOSITE
  NAME(_copy)(to, from);
#else
  *(NAME(_t) *)to = *(const NAME(_t) *)from;
#endif
}

static void class_destroy(void *self) {
  NAME(_destroy)(self);
}

#ifdef COMBINATIONAL
static void class_edge(void *self, const uint64_t *in) {
  (void)self;
  (void)in;
}

static void class_regs(const void *self, module_reg_t *regs) {
  (void)self;
  (void)regs;
}
#else
static void class_edge(void *self, const uint64_t *in) {
  NAME(_edge)(self, (const NAME(_in_t) *)(const void *)in);
}

static void class_regs(const void *self, module_reg_t *regs) {
  const NAME(_t) *m = self;
  const NAME(_cfg_t) *p = &m->cfg;
  const NAME(_regs_t) *r = NAME(_regs)(m);
  (void)p;
  (void)r;
#include "ports/clear.h"
#undef REG
#undef REGS
#undef REGW
#undef SRAM
#undef SUBMODULE
#define REG(bits, name, width, doc)                                                                \
  *regs++ = (module_reg_t){#name, width, 1, sizeof r->name, &r->name, doc, false, STRING(STEM)};
#define REGS(bits, name, width, words, max_words, doc)                                             \
  *regs++ =                                                                                        \
      (module_reg_t){#name, width, words, sizeof r->name[0], r->name, doc, true, STRING(STEM)};
#define REGW(name, width, max_width, words, max_words, doc)                                        \
  *regs++ = (module_reg_t){#name,   width, words,           4 * (((width) + 31) / 32),             \
                           r->name, doc,   (max_words) > 1, STRING(STEM)};
#define SRAM(inst, bits, width, words, max_words, doc, rdoc)                                       \
  *regs++ = (module_reg_t){#inst ".rdata_q", width, 1,     sizeof r->inst.rdata_q,                 \
                           &r->inst.rdata_q, rdoc,  false, "sram_1r1w"};                           \
  *regs++ = (module_reg_t){#inst ".mem_q", width, words, sizeof r->inst.mem_q[0],                  \
                           r->inst.mem_q,  doc,   true,  "sram_1r1w"};
#define SUBMODULE(stem, inst)                                                                      \
  stem##_class.regs(m->inst, regs);                                                                \
  module_inside(#inst, regs, stem##_n_regs);                                                       \
  regs += stem##_n_regs;
#include PORTS_FILE
}
#endif

const module_class_t NAME(_class) = {
    .stem = STRING(STEM),
#include "ports/clear.h"
#undef MODULE
#define MODULE(text) .doc = text,
#include PORTS_FILE
    .n_params = sizeof class_params / sizeof *class_params,
    .n_in = class_n_in,
    .n_out = class_n_out,
    .n_regs = NAME(_n_regs),
    .in_words = sizeof(NAME(_in_t)) / sizeof(uint64_t),
    .out_words = sizeof(NAME(_out_t)) / sizeof(uint64_t),
    .params = class_params,
    .check = class_check,
    .ports = class_ports,
    .create = class_create,
    .comb = class_comb,
    .edge = class_edge,
    .regs = class_regs,
    .copy = class_copy,
    .destroy = class_destroy,
    .legal = class_legal,
#ifdef FAST
    .fast = FAST,
    .n_fast = sizeof FAST / sizeof *FAST,
#endif
};
#include "ports/clear.h"
