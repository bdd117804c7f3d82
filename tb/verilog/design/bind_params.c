/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a map: parameters of the design and sizes of our module. */
#include "verilog/design/bind_names.h"

#include "base/names.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Whether a text contains a word. */
static bool has_word(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += n)
    if ((at == text || !in_name(at[-1])) && !in_name(at[n])) return true;
  return false;
}

/* Adds our sizes whose names the design may have, after those that have a line. */
static void same_params(const module_class_t *cls, const uint32_t *cfg, const char *text,
                        bind_param_t *param, unsigned *n) {
  for (unsigned i = 0; i < cls->n_params; i++) {
    const char *name = cls->params[i].name;
    bool said = !has_word(text, name);
    for (unsigned k = 0; k < *n; k++) said = said || strcmp(param[k].name, name) == 0;
    if (said) continue;
    bind_param_t *p = &param[(*n)++];
    *p = (bind_param_t){.value = cfg[i]};
    snprintf(p->name, sizeof p->name, "%s", name);
  }
}

int bind_params(const map_t *map, const module_class_t *cls, const uint32_t *cfg, const char *text,
                bind_param_t *param, unsigned *n, mrpb_err_t *err) {
  bind_t b = {.cls = cls, .cfg = cfg};
  const scope_t constants = {.ctx = &b, .constant = bind_constant};
  *n = 0;
  for (unsigned i = 0; i < map->n; i++) {
    const map_statement_t *s = &map->statement[i];
    mrpb_err_t why = {""};
    if (s->kind != MAP_PARAM) continue;
    for (unsigned k = 0; k < *n; k++)
      if (strcmp(param[k].name, s->name) == 0)
        return map_fail(map, s, err, "parameter '%s' a second time, after line %u", s->name,
                        param[k].said->line);
    bind_param_t *p = &param[(*n)++];
    *p = (bind_param_t){.said = s};
    snprintf(p->name, sizeof p->name, "%s", s->name);
    if (expr_constant(s->from, &constants, &p->value, &why) != 0)
      return map_fail(map, s, err, "%s", why.text);
    if (p->value > INT32_MAX)
      return map_fail(map, s, err, "parameter '%s' is %" PRIu64 "; legal: 0 to 2147483647", s->name,
                      p->value);
  }
  same_params(cls, cfg, text, param, n);
  return 0;
}

int bind_sizes(const map_t *map, const module_class_t *cls, uint32_t *cfg, uint32_t kept,
               mrpb_err_t *err) {
  bind_t b = {.cls = cls, .cfg = cfg};
  const scope_t constants = {.ctx = &b, .constant = bind_constant};
  for (unsigned i = 0; i < map->n; i++) {
    const map_statement_t *s = &map->statement[i];
    mrpb_err_t why = {""};
    uint64_t value;
    if (s->kind != MAP_SIZE) continue;
    const int k = module_param_index(cls, s->name);
    if (k < 0) {
      names_near_t near = names_near(s->name);
      for (unsigned n = 0; n < cls->n_params; n++) names_offer(&near, cls->params[n].name);
      return map_fail(map, s, err, "'%s' is no size of %s%s", s->name, cls->stem, near.text);
    }
    if (expr_constant(s->from, &constants, &value, &why) != 0)
      return map_fail(map, s, err, "%s", why.text);
    if (value > UINT32_MAX) return map_fail(map, s, err, "'%s': too large a number", s->name);
    if (!(kept >> k & 1)) cfg[k] = (uint32_t)value;
  }
  return 0;
}
