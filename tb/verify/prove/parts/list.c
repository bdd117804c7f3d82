/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/parts/parts.h"

#include "base/modules.h"
#include "base/names.h"

#include <stdio.h>
#include <string.h>

extern const module_class_t priority_encoder_class, one_hot_encoder_class, round_robin_class,
    longest_first_class, sram_code_class;

const module_class_t *prove_class_at(unsigned i) {
  static const module_class_t *const parts[] = {&priority_encoder_class, &one_hot_encoder_class,
                                                &round_robin_class, &longest_first_class,
                                                &sram_code_class};
  unsigned n = 0;
  while (modules_at(n)) n++;
  if (i < n) return modules_at(i);
  return i - n < sizeof parts / sizeof *parts ? parts[i - n] : NULL;
}

const module_class_t *prove_class(const char *stem, mrpb_err_t *err) {
  const module_class_t *cls;
  names_near_t near = names_near(stem);
  char all[1024] = "";
  for (unsigned i = 0; (cls = prove_class_at(i)); i++) {
    size_t n = strlen(all);
    if (strcmp(cls->stem, stem) == 0) return cls;
    snprintf(all + n, sizeof all - n, " %s", cls->stem);
    names_offer(&near, cls->stem);
  }
  mrpb_fail(err, "unknown module '%s'%s; legal:%s", stem, near.text, all);
  return NULL;
}
