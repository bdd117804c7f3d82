/* SPDX-License-Identifier: Apache-2.0 */
/* The list of modules. */
#include "module.h"

#include "drain_selector.h"
#include "fifo_bank.h"
#include "flush_control.h"
#include "lane_check.h"
#include "mrpb.h"
#include "mshr.h"
#include "order_check.h"
#include "prt.h"
#include "queue_selector.h"

#include <string.h>

static const module_class_t *const classes[] = {
    &queue_selector_class, &fifo_bank_class,   &drain_selector_class,
    &flush_control_class,  &order_check_class, &mrpb_class,
    &mshr_class,           &lane_check_class,  &prt_class,
};
enum { N_CLASSES = sizeof classes / sizeof *classes };

const module_class_t *module_class_at(unsigned i) {
  return i < N_CLASSES ? classes[i] : NULL;
}

const module_class_t *module_class(const char *stem) {
  for (unsigned i = 0; i < N_CLASSES; i++)
    if (strcmp(classes[i]->stem, stem) == 0) return classes[i];
  return NULL;
}
