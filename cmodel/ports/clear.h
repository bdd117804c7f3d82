/* SPDX-License-Identifier: Apache-2.0 */
/* Empties every macro that a ports file uses, so that an includer defines only those it wants. */
#undef MODULE
#undef PARAM
#undef IN
#undef OUT
#undef INW
#undef OUTW
#undef REG
#undef REGS
#undef REGW
#undef SRAM
#undef SUBMODULE
#define MODULE(doc)
#define PARAM(name, deflt, min, max, doc)
#define IN(name, width, doc)
#define OUT(name, width, doc)
#define INW(name, width, max_width, doc)
#define OUTW(name, width, max_width, doc)
#define REG(bits, name, width, doc)
#define REGS(bits, name, width, words, max_words, doc)
#define REGW(name, width, max_width, words, max_words, doc)
#define SRAM(inst, bits, width, words, max_words, doc, rdoc)
#define SUBMODULE(stem, inst)
