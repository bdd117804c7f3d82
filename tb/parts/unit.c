/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the implementation of a module of an SM, and implements the C models' units. */
#include "parts/unit.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const module_class_t *cls;
  void *model;
} c_unit_t;

static void c_comb(void *self, const uint64_t *in, uint64_t *out) {
  const c_unit_t *u = self;
  u->cls->comb(u->model, in, out);
}

static int c_edge(void *self, const uint64_t *in, mrpb_err_t *err) {
  c_unit_t *u = self;
  (void)err;
  u->cls->edge(u->model, in);
  return 0;
}

static void c_destroy(void *self) {
  c_unit_t *u = self;
  u->cls->destroy(u->model);
  free(u);
}

static int c_open(unit_t *out, const module_class_t *cls, const uint32_t *cfg, mrpb_err_t *err) {
  c_unit_t *u = calloc(1, sizeof *u);
  if (!u) return mrpb_fail(err, "%s: out of memory", cls->stem);
  u->cls = cls;
  if (cls->create(&u->model, cfg, err) != 0) {
    free(u);
    return -1;
  }
  *out = (unit_t){.self = u,
                  .cls = cls,
                  .comb = c_comb,
                  .edge = c_edge,
                  .destroy = c_destroy,
                  .model = u->model,
                  .plain = u->model};
  return 0;
}

static unit_impl_t chosen(const unit_choice_t *choice, const char *stem, unsigned sm) {
  if (!choice || (choice->sm >= 0 && (unsigned)choice->sm != sm)) return UNIT_C;
  if (strcmp(stem, "mrpb") == 0) return choice->mrpb;
  if (strcmp(stem, "mshr") == 0) return choice->mshr;
  if (strcmp(stem, "l1_top") == 0) return choice->l1;
  return choice->prt;
}

static int open_impl(unit_t *out, const module_class_t *cls, const uint32_t *cfg, unit_impl_t impl,
                     const unit_choice_t *choice, unsigned sm, mrpb_err_t *err) {
  char name[64];
  if (impl == UNIT_C) return c_open(out, cls, cfg, err);
  if (!choice->open_rtl)
    return mrpb_fail(err, "--impl %s=%s: this build has no Verilog; legal: %s=c", cls->stem,
                     impl == UNIT_RTL ? "rtl" : "both", cls->stem);
  snprintf(name, sizeof name, "sm%u.%s", sm, cls->stem);
  return choice->open_rtl(out, cls, cfg, impl, name, choice->ctx, err);
}

int unit_open(unit_t *out, const module_class_t *cls, const uint32_t *cfg,
              const unit_choice_t *choice, unsigned sm, mrpb_err_t *err) {
  unit_impl_t impl = chosen(choice, cls->stem, sm);
  memset(out, 0, sizeof *out);
  int rc = open_impl(out, cls, cfg, impl, choice, sm, err);
  memcpy(out->params, cfg, cls->n_params * sizeof *cfg);
  if (rc == 0 && choice && choice->watch && choice->watch->sm == sm) {
    rc = choice->watch->open(out, choice->watch->ctx, err);
    out->plain = NULL; /* the observer must see every call */
  }
  if (rc != 0) unit_close(out);
  return rc;
}

static int find_reg(const unit_t *u, const void *model, const char *name, unit_reg_t *out,
                    mrpb_err_t *err) {
  module_reg_t reg[MODULE_MAX_REGS];
  u->cls->regs(model, reg);
  for (unsigned i = 0; i < u->cls->n_regs; i++) {
    if (strcmp(reg[i].name, name) != 0) continue;
    *out = u->model ? (unit_reg_t){reg[i].data, reg[i].elem_bytes}
                    : (unit_reg_t){u->rtl[i].data, u->rtl[i].elem_bytes};
    return 0;
  }
  return mrpb_fail(err, "%s: no register %s", u->cls->stem, name);
}

int unit_find_reg(const unit_t *u, const char *name, unit_reg_t *out, mrpb_err_t *err) {
  void *names = NULL; /* the Verilog has the registers of any C model of its size, in their order */
  if (u->model) return find_reg(u, u->model, name, out, err);
  if (u->cls->create(&names, u->params, err) != 0) return -1;
  const int rc = find_reg(u, names, name, out, err);
  u->cls->destroy(names);
  return rc;
}

void unit_close(unit_t *u) {
  if (u->destroy) u->destroy(u->self);
  memset(u, 0, sizeof *u);
}

static int parse_one(unit_choice_t *choice, const char *item, size_t n, mrpb_err_t *err) {
  static const char *const stems[] = {"mrpb", "mshr", "prt", "l1"};
  static const char *const impls[] = {"c", "rtl", "both"};
  unit_impl_t *const slots[] = {&choice->mrpb, &choice->mshr, &choice->prt, &choice->l1};
  for (unsigned s = 0; s < 4; s++) {
    size_t len = strlen(stems[s]);
    if (n <= len || strncmp(item, stems[s], len) != 0 || item[len] != '=') continue;
    for (unsigned v = 0; v < 3; v++)
      if (strlen(impls[v]) == n - len - 1 && strncmp(item + len + 1, impls[v], n - len - 1) == 0) {
        *slots[s] = (unit_impl_t)v;
        choice->l1_path |= s == 3;
        return 0;
      }
  }
  return mrpb_fail(err, "--impl %.*s: unknown; legal: mrpb=, mshr=, prt= or l1= c, rtl or both",
                   (int)n, item);
}

int unit_parse(unit_choice_t *choice, const char *text, mrpb_err_t *err) {
  for (;;) {
    size_t n = strcspn(text, ",");
    if (parse_one(choice, text, n, err) != 0) return -1;
    if (text[n] == '\0') return 0;
    text += n + 1;
  }
}
