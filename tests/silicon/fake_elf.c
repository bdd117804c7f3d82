/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF file as a GPU's compiler makes it, as far as card_accesses examines it: for each kernel a
 * section .text.KERNEL with instructions that access memory or do nothing. */
#include "silicon/fake_cuda.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  INSTRUCTION = 16,
  LOAD = 0x981,
  STORE = 0x986,
  TEXTURE = 0xf66,
  CONSTANT = 0xb82,
  LOCAL = 0x983
};
enum { ATOM = 0x9a8, RED = 0x98e, ASYNC = 0xfae };
enum { NOTHING = 0x918, NAME = 128 };

static uint16_t opcode_of(const ptx_inst_t *i) {
  if (i->op == PTX_OP_TEX) return TEXTURE;
  if (i->op == PTX_OP_ATOM) return ATOM;
  if (i->op == PTX_OP_RED) return RED;
  if (i->op == PTX_OP_CP_ASYNC) return ASYNC;
  if (i->op == PTX_OP_ST) return i->space == PTX_GLOBAL ? STORE : NOTHING;
  if (i->op != PTX_OP_LD) return NOTHING;
  return i->space == PTX_GLOBAL  ? LOAD
         : i->space == PTX_CONST ? CONSTANT
         : i->space == PTX_LOCAL ? LOCAL
                                 : NOTHING;
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
    bool left_out = !drop; /* the first load */
    s[i + 1] = (Elf64_Shdr){
        .sh_name = (i + 1) * NAME, .sh_offset = at, .sh_size = k->n_insts * (size_t)INSTRUCTION};
    snprintf(elf + names + (i + 1) * NAME, NAME, ".text.%.100s", k->name);
    for (unsigned j = 0; j < k->n_insts; j++, at += INSTRUCTION) {
      uint16_t op = opcode_of(&k->insts[j]);
      if (op == LOAD && !left_out) op = NOTHING, left_out = true;
      memcpy(elf + at, &op, sizeof op);
    }
  }
  return elf;
}
