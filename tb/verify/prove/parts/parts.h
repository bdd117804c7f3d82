/* SPDX-License-Identifier: Apache-2.0 */
/* The Verilog modules without a C twin of their own (they are parts of modules that have one). Each
 * has a specification in C: <stem>.ports.h as in cmodel/ports/, and <stem>.c. */
#ifndef PROVE_PARTS_H
#define PROVE_PARTS_H

#include "bits.h"
#include "module.h"

/* All modules that can be proved, those of module_class_at first; NULL after the last. */
const module_class_t *prove_class_at(unsigned i);
/* The module of this name; NULL and a message in err that suggests the nearest name. */
const module_class_t *prove_class(const char *stem, mrpb_err_t *err);

/* An instance is its configuration. PART goes at the end of <stem>.c, after <stem>_comb; STEM and
 * PORTS_FILE must be defined for ports/define.h, which follows it. */
#define PART(stem)                                                                                 \
  int stem##_create(stem##_t **self, const stem##_cfg_t *cfg, mrpb_err_t *err) {                   \
    *self = NULL;                                                                                  \
    if (stem##_check(cfg, err)) return -1;                                                         \
    stem##_t *made = module_alloc(sizeof *made);                                                   \
    if (!made) return mrpb_fail(err, #stem ": out of memory");                                     \
    made->cfg = *cfg;                                                                              \
    *self = made;                                                                                  \
    return 0;                                                                                      \
  }                                                                                                \
  void stem##_destroy(stem##_t *self) {                                                            \
    free(self);                                                                                    \
  }

#endif
