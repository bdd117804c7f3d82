/* SPDX-License-Identifier: Apache-2.0 */
/* The list of all modules: see modules.h. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "base/modules.h"

#include "base/modules_tree.h"
#include "kit.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const kit_t *loaded(void) {
  return dlsym(RTLD_DEFAULT, KIT_SYMBOL);
}

const module_class_t *modules_at(unsigned i) {
  unsigned n = 0;
  while (n < i && module_class_at(n)) n++;
  if (module_class_at(n)) return module_class_at(n);
  return n == i && loaded() ? loaded()->cls : NULL;
}

const module_class_t *modules_class(const char *stem) {
  const module_class_t *cls = module_class(stem);
  for (unsigned i = 0; !cls && modules_at(i); i++)
    if (strcmp(modules_at(i)->stem, stem) == 0) cls = modules_at(i);
  return cls;
}

const void *modules_symbol(const char *stem, const char *symbol) {
  const kit_t *kit = loaded();
  return kit && strcmp(kit->cls->stem, stem) == 0 ? dlsym(RTLD_DEFAULT, symbol) : NULL;
}

const char *modules_folder(void) {
  return loaded() ? getenv(MODULES_VARIABLE) : NULL;
}

void modules_plain(char *text, size_t size) {
  const char *folder = modules_folder(), *tree = getenv("MRPB_DATA");
  char name[FILES_PATH], rest[1024];
  if (!folder || !tree) return;
  const size_t n = strlen(tree);
  for (char *at = text; (at = strstr(at, tree)); at++) {
    const size_t m = at[n] == '/' ? modules_tree_place(at + n + 1, loaded()->cls->stem, name) : 0;
    if (m == 0) continue;
    snprintf(rest, sizeof rest, "%s", at + n + 1 + m);
    snprintf(at, size - (size_t)(at - text), "%s/%s%s", folder, name, rest);
  }
}

/* Words of C and of Verilog that a module's name must not be. */
static bool is_word(const char *name) {
  static const char words[] =
      " and always assign auto begin bool break buf bufif0 bufif1 case casex casez cell char cmos "
      "config const continue deassign default defparam design disable do double edge else end "
      "endcase endmodule endtask enum event extern float for force forever fork function generate "
      "genvar goto if ifnone incdir include initial inline inout input instance int integer join "
      "large liblist library localparam long macromodule medium module nand negedge nmos nor not "
      "notif0 notif1 or output parameter pmos posedge primitive pull0 pull1 pulldown pullup rcmos "
      "real realtime reg register release repeat restrict return rnmos rpmos rtran scalared short "
      "signed sizeof small specify specparam static strong0 strong1 struct supply0 supply1 switch "
      "table task time tran tri tri0 tri1 triand trior trireg typedef union unsigned use vectored "
      "void volatile wait wand weak0 weak1 while wire wor xnor xor all logic bit byte checker "
      "class stim test main dut program package interface property sequence "
      /* headers of these names would hide the C library's */
      "assert check complex ctype dlfcn errno fcntl fenv inttypes iso646 limits locale math memory "
      "sched "
      "setjmp stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string "
      "strings "
      "tgmath threads uchar unistd wchar wctype ";
  char padded[MODULES_NAME + 3] = " ";
  strncat(padded, name, MODULES_NAME);
  strcat(padded, " ");
  return strstr(words, padded) != NULL;
}

int modules_check_name(const char *name, mrpb_err_t *err) {
  size_t n = 0;
  while (islower((unsigned char)name[n]) || (n > 0 && isdigit((unsigned char)name[n])) ||
         (n > 0 && name[n] == '_' && name[n - 1] != '_'))
    n++;
  if (n < 2 || n > MODULES_NAME || name[n] || name[n - 1] == '_')
    return mrpb_fail(err,
                     "module name '%.60s': legal: 2 to %d of a-z, 0-9 and single _, a letter "
                     "first, no _ at the end",
                     name, MODULES_NAME);
  if (is_word(name))
    return mrpb_fail(err, "module name '%s': a reserved word of C, Verilog or mrpb", name);
  if (module_class(name))
    return mrpb_fail(err, "module name '%s': a module of that name is built in", name);
  return 0;
}
