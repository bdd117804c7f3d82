/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sizes.h"

#include "base/modules.h"
#include "base/names.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 1024, NAME = 64 };

const module_class_t *sizes_module(const char *name, mrpb_err_t *err) {
  const module_class_t *cls = modules_class(name);
  names_near_t near = names_near(name);
  char all[LINE] = "";
  if (cls) return cls;
  for (unsigned i = 0; modules_at(i); i++) {
    const module_class_t *other = modules_at(i);
    size_t n = strlen(all);
    snprintf(all + n, sizeof all - n, "%s%s", i ? " " : "", other->stem);
    names_offer(&near, other->stem);
  }
  mrpb_fail(err, "unknown module '%s'%s; legal: %s", name, near.text, all);
  return NULL;
}

static int unknown_parameter(const module_class_t *cls, const char *name, mrpb_err_t *err) {
  char all[LINE] = "";
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < cls->n_params; i++) {
    size_t n = strlen(all);
    snprintf(all + n, sizeof all - n, "%s%s", i ? " " : "", cls->params[i].name);
    names_offer(&near, cls->params[i].name);
  }
  return mrpb_fail(err, "%s has no parameter '%s'%s; legal: %s", cls->stem, name, near.text, all);
}

int sizes_set(const module_class_t *cls, uint32_t *cfg, const char *text, mrpb_err_t *err) {
  const char *equals = strchr(text, '=');
  char name[NAME];
  uint64_t value;
  size_t n = equals ? (size_t)(equals - text) : 0;
  if (n == 0 || n >= sizeof name)
    return mrpb_fail(err, "'%s': legal: PARAMETER=VALUE, such as %s=%u", text, cls->params[0].name,
                     cls->params[0].deflt);
  memcpy(name, text, n);
  name[n] = '\0';
  int i = module_param_index(cls, name);
  if (i < 0) return unknown_parameter(cls, name, err);
  if (!number_decimal(equals + 1, UINT32_MAX, &value))
    return mrpb_fail(err, "%s: legal: a number from %u to %u", text, cls->params[i].min,
                     cls->params[i].max);
  cfg[i] = (uint32_t)value;
  return 0;
}

void sizes_text(const module_class_t *cls, const uint32_t *cfg, const char *prefix, char *text,
                size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < cls->n_params && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, "%s%s%s=%u", i ? " " : "", prefix,
                          cls->params[i].name, cfg[i]);
}
