/* SPDX-License-Identifier: Apache-2.0 */
/* A user's own kernel: see cmd_ptx.h. */
#include "cli/cmd_ptx.h"
#include "cli/cli.h"
#include "cli/ptx_args.h"
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* The program while it is being built. */
typedef struct {
  const cli_ptx_t *o;
  launch_program_t *program;
  ptx_module_t *module;
  simt_launch_t *launch;
  int buffer[CLI_PTX_ARGS]; /* number of each argument's buffer; 0: it is not a buffer */
  mrpb_err_t *err;
} reader_t;

/* ---- the launch ------------------------------------------------------------ */

static int choose_kernel(reader_t *r, const char *kernel) {
  if (!kernel && ptx_kernels(r->module) != 1)
    return mrpb_fail(r->err, "%s: %u kernels; choose one: --kernel NAME", r->o->file,
                     ptx_kernels(r->module));
  const ptx_kernel_t *k = kernel ? ptx_find(r->module, kernel, r->err) : ptx_kernel(r->module, 0);
  r->launch = k ? launch_only(r->program, k, r->err) : NULL;
  return r->launch ? 0 : -1;
}

/* True if some --tex names argument `i`; bind_texture checks whether it may. */
static bool is_texture(const cli_ptx_t *o, unsigned i) {
  for (unsigned k = 0; k < o->n_textures; k++)
    if (strtoul(o->textures[k], NULL, 10) == i) return true;
  return false;
}

static int fill_launch(reader_t *r) {
  const cli_ptx_t *o = r->o;
  simt_launch_t *l = r->launch;
  if (!o->grid || !o->block)
    return mrpb_fail(r->err, "--ptx needs --grid X[,Y[,Z]] and --block X[,Y[,Z]]");
  if (ptx_dimensions("--grid", o->grid, LAUNCH_MOST_GRID, l->grid, r->err) != 0 ||
      ptx_dimensions("--block", o->block, LAUNCH_MOST_BLOCK, l->block, r->err) != 0)
    return -1;
  if ((uint64_t)l->block[0] * l->block[1] * l->block[2] > LAUNCH_MOST_BLOCK)
    return mrpb_fail(r->err, "--block %s: legal: up to %d threads", o->block, LAUNCH_MOST_BLOCK);
  if (o->regs) l->regs = (uint32_t)o->regs;
  l->shared = (uint32_t)o->shared;
  if (o->n_args != l->kernel->n_params)
    return mrpb_fail(r->err, "%s has %u parameters; --arg is given %u times", l->kernel->name,
                     l->kernel->n_params, o->n_args);
  for (unsigned i = 0; i < o->n_args; i++) {
    const uint64_t align = is_texture(o, i) ? MEMORY_TEXTURE : 0;
    r->buffer[i] = ptx_argument(r->program, l, i, o->args[i], align, r->err);
    if (r->buffer[i] < 0) return -1;
  }
  return 0;
}

/* ---- buffers by the numbers of their arguments ----------------------------- */

/* Reads "ARGUMENT:REST" that names a buffer. Returns its number and REST, or -1 and a message. */
static int buffer_number(const reader_t *r, const char *option, const char *text,
                         const char **rest) {
  char *end = NULL;
  unsigned long n = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
  if (!end || *end != ':' || end[1] == '\0')
    return mrpb_fail(r->err, "%s %s: legal: the number of an argument, from 0, and :NAME", option,
                     text);
  if (n >= r->o->n_args || !r->buffer[n])
    return mrpb_fail(r->err, "%s %s: argument %lu is not a buffer", option, text, n);
  *rest = end + 1;
  return r->buffer[n];
}

static int bind_texture(const reader_t *r, const char *text) {
  const char *name = NULL;
  bool any = false;
  int n = buffer_number(r, "--tex", text, &name);
  if (n < 0) return -1;
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < ptx_variables(r->module); i++) {
    const ptx_variable_t *v = ptx_variable(r->module, i);
    if (!v->texture) continue;
    if (strcmp(v->name, name) == 0) {
      ptx_bind(r->module, i, launch_address(r->program, n));
      return 0;
    }
    names_offer(&near, v->name);
    any = true;
  }
  return mrpb_fail(r->err, "--tex %s: no texture %s%s", text, name,
                   any ? near.text : "; the text has none");
}

static int add_dumps(const reader_t *r) {
  for (unsigned i = 0; i < r->o->n_dumps; i++) {
    const char *file = NULL;
    const int n = buffer_number(r, "--dump", r->o->dumps[i], &file);
    if (n < 0 || launch_add_write(r->program, n, file, r->err) != 0) return -1;
  }
  return 0;
}

/* ---- the whole ------------------------------------------------------------- */

int cli_ptx_read(const cli_ptx_t *o, const char *kernel, launch_program_t **out, mrpb_err_t *err) {
  reader_t r = {.o = o, .err = err};
  *out = NULL;
  if (launch_new(&r.program, o->file, err) != 0) return -1;
  r.module = launch_take_text(r.program, o->file, err);
  int rc = r.module ? choose_kernel(&r, kernel) : -1;
  if (rc == 0) rc = fill_launch(&r);
  if (rc == 0) rc = add_dumps(&r);
  for (unsigned i = 0; rc == 0 && i < o->n_textures; i++) rc = bind_texture(&r, o->textures[i]);
  if (rc == 0) return *out = r.program, 0;
  launch_free(r.program);
  return -1;
}
