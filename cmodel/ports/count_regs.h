/* SPDX-License-Identifier: Apache-2.0 */
/* Before a table of ports: it becomes "+1" for each register, in C and in the shim. */
#include "ports/clear.h"
#undef REG
#undef REGS
#undef REGW
#undef SUBREG
#undef SUBREGS
#undef SRAM
#undef SUBSRAM
#define REG(bits, name, width, doc) +1
#define REGS(bits, name, width, words, max_words, doc) +1
#define REGW(name, width, max_width, words, max_words, doc) +1
#define SUBREG(stem, inst, reg, width, doc) +1
#define SUBREGS(stem, inst, reg, width, words, doc) +1
#define SRAM(inst, bits, width, words, max_words, doc, rdoc) +2
#define SUBSRAM(stem, inst, sram, width, words, doc) +2
