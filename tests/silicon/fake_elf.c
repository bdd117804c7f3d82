/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF file as a GPU's compiler makes it, as far as card_loads looks: a section .text.KERNEL for
 * each kernel, of instructions that load or that do nothing. */
#include "silicon/fake_cuda.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTION = 16, LOAD = 0x981, NOTHING = 0x918, NAME = 128 };

static unsigned loads_of(const ptx_kernel_t *k) {
  unsigned n = 0;
  for (unsigned i = 0; i < k->n_insts; i++)
    n += k->insts[i].op == PTX_OP_LD && k->insts[i].space == PTX_GLOBAL;
  return n;
}

/* The header, the sections' headers, their names, the code. */
char *fake_elf(const ptx_module_t *m, bool drop, size_t *bytes) {
  const unsigned n = ptx_kernels(m);
  size_t names = sizeof(Elf64_Ehdr) + (n + 2) * sizeof(Elf64_Shdr), at = names + (n + 2) * NAME;
  *bytes = at;
  for (unsigned i = 0; i < n; i++) *bytes += ptx_kernel(m, i)->n_insts * (size_t)INSTRUCTION;
  char *elf = calloc(1, *bytes);
  if (!elf) return NULL;
  Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)elf;
  Elf64_Shdr *s = (Elf64_Shdr *)(void *)(elf + sizeof *h);
  memcpy(h->e_ident, ELFMAG, SELFMAG);
  h->e_ident[EI_CLASS] = ELFCLASS64;
  h->e_shoff = sizeof *h;
  h->e_shentsize = sizeof *s;
  h->e_shnum = (Elf64_Half)(n + 2);
  h->e_shstrndx = (Elf64_Half)(n + 1);
  s[n + 1] = (Elf64_Shdr){.sh_offset = names, .sh_size = (n + 2) * NAME};
  for (unsigned i = 0; i < n; i++) {
    const ptx_kernel_t *k = ptx_kernel(m, i);
    const unsigned loads = loads_of(k), left = drop && loads ? loads - 1 : loads;
    s[i + 1] = (Elf64_Shdr){
        .sh_name = (i + 1) * NAME, .sh_offset = at, .sh_size = k->n_insts * (size_t)INSTRUCTION};
    snprintf(elf + names + (i + 1) * NAME, NAME, ".text.%.100s", k->name);
    for (unsigned j = 0; j < k->n_insts; j++, at += INSTRUCTION) {
      const uint16_t op = j < left ? LOAD : NOTHING;
      memcpy(elf + at, &op, sizeof op);
    }
  }
  return elf;
}
