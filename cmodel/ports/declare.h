/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the types and prototypes of one module from its ports file. The includer defines STEM and
 * PORTS_FILE, and COMBINATIONAL for a module without registers; all are undefined again at the end.
 * The includer has included module.h: nothing in this folder includes anything above it. */
#ifndef MRPB_PORTS_CAT
#define MRPB_PORTS_CAT_(a, b) a##b
#define MRPB_PORTS_CAT(a, b) MRPB_PORTS_CAT_(a, b)
#endif
#define NAME(suffix) MRPB_PORTS_CAT(STEM, suffix)

#include "ports/clear.h"

typedef struct {
#undef PARAM
#define PARAM(name, deflt, min, max, doc) uint32_t name;
#include PORTS_FILE
} NAME(_cfg_t);

/* The parameters by name, of an array of them in the order of the table. */
static inline const NAME(_cfg_t) * NAME(_sizes)(const uint32_t *cfg) {
  return (const NAME(_cfg_t) *)(const void *)cfg;
}

#include "ports/clear.h"
typedef struct {
#undef IN
#undef INW
#define IN(name, width, doc) uint64_t name;
#define INW(name, width, max_width, doc) uint64_t name[((max_width) + 63) / 64];
#include PORTS_FILE
} NAME(_in_t);

#include "ports/clear.h"
typedef struct {
#undef OUT
#undef OUTW
#define OUT(name, width, doc) uint64_t name;
#define OUTW(name, width, max_width, doc) uint64_t name[((max_width) + 63) / 64];
#include PORTS_FILE
} NAME(_out_t);

#include "ports/clear.h"
#ifndef COMBINATIONAL
typedef struct {
#undef REG
#undef REGS
#undef REGW
#undef SRAM
#define REG(bits, name, width, doc) uint##bits##_t name;
#define REGS(bits, name, width, words, max_words, doc) uint##bits##_t name[max_words];
#define REGW(name, width, max_width, words, max_words, doc)                                        \
  uint32_t name[(max_words) * (((max_width) + 31) / 32)];
#define SRAM(inst, bits, width, words, max_words, doc, rdoc)                                       \
  struct {                                                                                         \
    uint##bits##_t rdata_q;                                                                        \
    uint##bits##_t mem_q[max_words];                                                               \
  } inst;
#include PORTS_FILE
} NAME(_regs_t);
#endif

enum {
  NAME(_n_regs) = 0
#include "ports/count_regs.h"
#include PORTS_FILE
};
#include "ports/clear.h"

typedef struct STEM NAME(_t);

/* Makes an instance in its state after reset; -1 and a message for an illegal configuration or no memory. */
int NAME(_create)(NAME(_t) * *self, const NAME(_cfg_t) * cfg, mrpb_err_t *err);
/* Outputs of this cycle: a function of the registers and of this cycle's inputs. Changes nothing. */
void NAME(_comb)(const NAME(_t) * self, const NAME(_in_t) * in, NAME(_out_t) * out);
void NAME(_destroy)(NAME(_t) * self);
int NAME(_check)(const NAME(_cfg_t) * cfg, mrpb_err_t *err);
/* 0 if each input fits its port, else -1 and a message. The others take inputs as they are. */
int NAME(_legal)(const NAME(_t) * self, const NAME(_in_t) * in, mrpb_err_t *err);
/* One checked clock cycle: legal, comb, edge. -1 and a message if an input is too wide: nothing has
 * changed then. */
int NAME(_cycle)(NAME(_t) * self, const NAME(_in_t) * in, NAME(_out_t) * out, mrpb_err_t *err);
#ifndef COMBINATIONAL
/* The rising clock edge that ends a cycle with these inputs. */
void NAME(_edge)(NAME(_t) * self, const NAME(_in_t) * in);
/* The named registers, as the Verilog has them; valid as long as the instance. */
const NAME(_regs_t) * NAME(_regs)(const NAME(_t) * self);
#endif
extern const module_class_t NAME(_class);

#undef NAME
#undef STEM
#undef PORTS_FILE
#undef COMBINATIONAL
