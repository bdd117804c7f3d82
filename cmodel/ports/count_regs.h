/* SPDX-License-Identifier: Apache-2.0 */
/* Before a table of ports: it becomes "+1" for each register, a sub-module's registers included. */
#include "ports/clear.h"
#undef REG
#undef REGS
#undef REGW
#undef SRAM
#undef SUBMODULE
#define REG(bits, name, width, doc) +1
#define REGS(bits, name, width, words, max_words, doc) +1
#define REGW(name, width, max_width, words, max_words, doc) +1
#define SRAM(inst, bits, width, words, max_words, doc, rdoc) +2
#define SUBMODULE(stem, inst) +stem##_n_regs
