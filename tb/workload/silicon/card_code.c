/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver's compiler made of a text. Accesses are counted in the compiled code, because a
 * compiler omits what it considers useless. See card.h. */
#include "workload/silicon/card_state.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* Since sm_70 an instruction has 16 bytes; its lowest 12 bits are the opcode. */
enum { INSTRUCTION = 16, OPCODE = 0xfff, OLDEST = 70 };
static const uint16_t opcode_of[][2] = {[CARD_LOAD] = {0x981, 0x980 /* generic */},
                                        [CARD_STORE] = {0x986, 0x985},
                                        [CARD_ATOM] = {0x9a8, 0x98a},
                                        [CARD_RED] = {0x98e, 0x98e},
                                        [CARD_ASYNC] = {0xfae, 0xfae},
                                        [CARD_BULK] = {0x3ba, 0x3ba},
                                        [CARD_TEXTURE] = {0xf66, 0xb60},
                                        [CARD_CONSTANT] = {0xb82, 0xb82},
                                        [CARD_LOCAL] = {0x983, 0x983}};

/* Finds the header of section `name`; false if there is none. All reads stay within the `n`
 * bytes. */
static bool find_section(const char *elf, size_t n, const char *name, Elf64_Shdr *found) {
  Elf64_Ehdr h;
  Elf64_Shdr names;
  if (n < sizeof h || memcmp(elf, ELFMAG, SELFMAG) != 0 || elf[EI_CLASS] != ELFCLASS64)
    return false;
  memcpy(&h, elf, sizeof h);
  if (h.e_shoff > n || h.e_shentsize != sizeof names || h.e_shstrndx >= h.e_shnum ||
      (n - h.e_shoff) / sizeof names < h.e_shnum)
    return false;
  memcpy(&names, elf + h.e_shoff + h.e_shstrndx * sizeof names, sizeof names);
  if (names.sh_offset > n || names.sh_size > n - names.sh_offset) return false;
  for (unsigned i = 0; i < h.e_shnum; i++) {
    memcpy(found, elf + h.e_shoff + i * sizeof *found, sizeof *found);
    const uint64_t left = names.sh_size > found->sh_name ? names.sh_size - found->sh_name : 0;
    if (left <= strlen(name) || found->sh_offset > n || found->sh_size > n - found->sh_offset)
      continue;
    if (strncmp(elf + names.sh_offset + found->sh_name, name, left) == 0) return true;
  }
  return false;
}

uint32_t card_accesses(const card_module_t *m, const char *kernel, card_access_t what) {
  char name[128];
  Elf64_Shdr s;
  uint32_t n = 0;
  if (m->card->info.major * 10 + m->card->info.minor < OLDEST) return UINT32_MAX;
  snprintf(name, sizeof name, ".text.%.100s", kernel);
  if (!find_section(m->cubin, m->cubin_bytes, name, &s)) return UINT32_MAX;
  for (uint64_t at = 0; at + INSTRUCTION <= s.sh_size; at += INSTRUCTION) {
    uint16_t low;
    memcpy(&low, (const char *)m->cubin + s.sh_offset + at, sizeof low);
    low &= OPCODE;
    n += low == opcode_of[what][0] || low == opcode_of[what][1];
  }
  return n;
}
