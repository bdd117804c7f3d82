/* SPDX-License-Identifier: Apache-2.0 */
/* The public view of a module: the texts that were read one after another. */
#include "workload/ptx/parse.h"

#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading and freeing --------------------------------------------------------------- */

int ptx_survey(ptx_module_t **out, const char *text, size_t size, const char *name,
               mrpb_err_t *err) {
  return ptx_read_after(out, NULL, text, size, name, err);
}

/* 0 if at least one kernel can run; otherwise -1 and the reason why the first one cannot. */
static int check_runnable(const ptx_module_t *m, mrpb_err_t *err) {
  for (size_t i = 0; i < m->n_kernels; i++)
    if (!m->kernels[i].refused) return 0;
  if (m->n_kernels == 0)
    return mrpb_fail(err, "%s:%u: no kernel; legal: at least one .entry with a body", m->name,
                     (unsigned)m->lines);
  return mrpb_fail(err, "%s", m->kernels[0].refused);
}

int ptx_read(ptx_module_t **out, const char *text, size_t size, const char *name, mrpb_err_t *err) {
  if (ptx_survey(out, text, size, name, err) != 0) return -1;
  if (check_runnable(*out, err) == 0) return 0;
  ptx_free(*out);
  *out = NULL;
  return -1;
}

static const ptx_kernel_t *kernel_of(const ptx_module_t *m, const char *name) {
  for (size_t i = 0; i < m->n_kernels; i++)
    if (strcmp(m->kernels[i].name, name) == 0) return &m->kernels[i];
  return NULL;
}

int ptx_read_behind(ptx_module_t *m, const char *text, size_t size, const char *name,
                    mrpb_err_t *err) {
  ptx_module_t *last = m, *more = NULL;
  while (last->next) last = last->next;
  if (ptx_read_after(&more, last, text, size, name, err) != 0) return -1;
  if (check_runnable(more, err) != 0) {
    ptx_free(more);
    return -1;
  }
  for (const ptx_module_t *has = m; has; has = has->next)
    for (size_t i = 0; i < more->n_kernels; i++) {
      const char *kernel = more->kernels[i].name;
      if (!kernel_of(has, kernel)) continue;
      mrpb_fail(err, "%s: kernel %.120s is also in %s; legal: each name in one text", name, kernel,
                has->name);
      ptx_free(more);
      return -1;
    }
  last->next = more;
  return 0;
}

void ptx_free(ptx_module_t *m) {
  while (m) {
    ptx_module_t *next = m->next;
    ptx_free_arena(m);
    free(m->kernels);
    free(m->units);
    free(m->called);
    free(m->references);
    free(m->functions);
    free(m->aliases);
    free(m->variables);
    free(m->fixups);
    free(m);
    m = next;
  }
}

/* ---- the texts ------------------------------------------------------------------------- */

bool ptx_text(const ptx_module_t *m, unsigned i, ptx_text_t *text) {
  unsigned kernels = 0, variables = 0;
  for (; m && i > 0; m = m->next, i--) {
    kernels += (unsigned)m->n_kernels;
    variables += (unsigned)m->n_variables;
  }
  if (!m) return false;
  *text = (ptx_text_t){.name = m->name,
                       .text = m->text,
                       .bytes = m->text_bytes,
                       .first_kernel = kernels,
                       .n_kernels = (unsigned)m->n_kernels,
                       .first_variable = variables,
                       .n_variables = (unsigned)m->n_variables};
  return true;
}

/* ---- kernels ---------------------------------------------------------------------------- */

unsigned ptx_kernels(const ptx_module_t *m) {
  unsigned n = 0;
  for (; m; m = m->next) n += (unsigned)m->n_kernels;
  return n;
}

const ptx_kernel_t *ptx_kernel(const ptx_module_t *m, unsigned i) {
  for (; m && i >= m->n_kernels; m = m->next) i -= (unsigned)m->n_kernels;
  return m ? &m->kernels[i] : NULL;
}

const ptx_kernel_t *ptx_find(const ptx_module_t *m, const char *kernel, mrpb_err_t *err) {
  names_near_t near = names_near(kernel);
  for (; m; m = m->next)
    for (size_t i = 0; i < m->n_kernels; i++) {
      const ptx_kernel_t *k = &m->kernels[i];
      if (strcmp(k->name, kernel) == 0) {
        if (k->refused) mrpb_fail(err, "kernel '%.80s' cannot run: %s", k->name, k->refused);
        return k->refused ? NULL : k;
      }
      names_offer(&near, k->name);
    }
  mrpb_fail(err, "no kernel '%.120s'%s", kernel, near.text);
  return NULL;
}

unsigned ptx_functions(const ptx_module_t *m) {
  unsigned n = 0;
  for (size_t i = 0; i < m->n_units; i++) n += m->units[i].function;
  return n;
}

const char *ptx_function(const ptx_module_t *m, unsigned i, const char **refused) {
  for (size_t u = 0; u < m->n_units; u++) {
    if (!m->units[u].function || i-- > 0) continue;
    *refused = m->units[u].k.refused;
    return m->units[u].k.name;
  }
  return NULL;
}

/* ---- variables --------------------------------------------------------------------------- */

unsigned ptx_variables(const ptx_module_t *m) {
  unsigned n = 0;
  for (; m; m = m->next) n += (unsigned)m->n_variables;
  return n;
}

const ptx_variable_t *ptx_variable(const ptx_module_t *m, unsigned i) {
  for (; m && i >= m->n_variables; m = m->next) i -= (unsigned)m->n_variables;
  return m ? &m->variables[i].v : NULL;
}

bool ptx_reference(const ptx_module_t *m, unsigned i, ptx_reference_t *reference) {
  unsigned variables = 0;
  for (; m && i >= m->n_references; m = m->next) {
    i -= (unsigned)m->n_references;
    variables += (unsigned)m->n_variables;
  }
  if (!m) return false;
  *reference = m->references[i];
  reference->in += variables;
  reference->of += variables;
  return true;
}

uint64_t ptx_referred(const ptx_module_t *m, const ptx_reference_t *reference) {
  const uint64_t from = reference->function ? 0 : ptx_variable(m, reference->of)->address;
  return from + reference->addend;
}

void ptx_bind(ptx_module_t *m, unsigned i, uint64_t address) {
  for (; i >= m->n_variables; m = m->next) i -= (unsigned)m->n_variables;
  m->variables[i].v.address = address;
  for (size_t k = 0; k < m->n_fixups; k++) {
    const fixup_t *f = &m->fixups[k];
    if (f->variable != i) continue;
    bool narrow = f->inst->op == PTX_OP_MOV && ptx_type_bytes((ptx_type_t)f->inst->type) == 4;
    uint64_t at = address + f->addend;
    f->inst->src[f->src] =
        (ptx_operand_t){.kind = PTX_OPERAND_IMM, .imm = narrow ? at & UINT32_MAX : at};
  }
}
