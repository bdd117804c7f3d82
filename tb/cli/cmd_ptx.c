/* SPDX-License-Identifier: Apache-2.0 */
/* A user's own kernel: see cmd_ptx.h. */
#include "cli/cmd_ptx.h"
#include "cli/cli.h"
#include "cli/ptx_args.h"
#include "base/output.h"
#include "base/input.h"
#include "base/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_REGS = 20, MOST_TEXT = 1 << 24 };

/* The host side of the workload, and the launch while it is put together. */
struct cli_ptx_host {
  simt_prepared_t prepared;
  memory_t *memory;
  ptx_buffer_t buffer[CLI_PTX_ARGS];
};

static bool host_next(void *host, simt_launch_t *l) {
  return simt_prepared_next(&((cli_ptx_host_t *)host)->prepared, l);
}

static double host_progress(const void *host) {
  return ((const cli_ptx_host_t *)host)->prepared.left == 0;
}

/* ---- opening --------------------------------------------------------------- */

static int choose_kernel(const cli_ptx_t *o, const char *kernel, const ptx_module_t *m,
                         mrpb_err_t *err) {
  if (!kernel && ptx_kernels(m) != 1)
    return mrpb_fail(err, "%s: %u kernels; which one: --kernel NAME", o->file, ptx_kernels(m));
  o->host->prepared.launch.kernel = kernel ? ptx_find(m, kernel, err) : ptx_kernel(m, 0);
  return o->host->prepared.launch.kernel ? 0 : -1;
}

/* Some --tex names argument `i`; whether it may, bind_texture says. */
static bool is_texture(const cli_ptx_t *o, unsigned i) {
  for (unsigned k = 0; k < o->n_textures; k++)
    if (strtoul(o->textures[k], NULL, 10) == i) return true;
  return false;
}

static int fill_launch(const cli_ptx_t *o, mrpb_err_t *err) {
  cli_ptx_host_t *h = o->host;
  simt_launch_t *l = &h->prepared.launch;
  if (!o->grid || !o->block)
    return mrpb_fail(err, "--ptx needs --grid X[,Y[,Z]] and --block X[,Y[,Z]]");
  if (ptx_dimensions("--grid", o->grid, INT32_MAX, l->grid, err) != 0 ||
      ptx_dimensions("--block", o->block, 1024, l->block, err) != 0)
    return -1;
  if ((uint64_t)l->block[0] * l->block[1] * l->block[2] > 1024)
    return mrpb_fail(err, "--block %s: legal: up to 1024 threads", o->block);
  l->regs = o->regs ? (uint32_t)o->regs : DEFAULT_REGS;
  l->shared = (uint32_t)o->shared;
  if (o->n_args != l->kernel->n_params)
    return mrpb_fail(err, "%s has %u parameters; --arg is given %u times", l->kernel->name,
                     l->kernel->n_params, o->n_args);
  for (unsigned i = 0; i < o->n_args; i++) {
    if (is_texture(o, i)) memory_align(h->memory, MEMORY_TEXTURE);
    if (ptx_argument(l, i, o->args[i], h->memory, &h->buffer[i], err) != 0) return -1;
  }
  return 0;
}

/* "ARGUMENT:REST" naming a buffer; its number, and REST. -1 and a message. */
static int buffer_number(const cli_ptx_t *o, const char *option, const char *text,
                         const char **rest, mrpb_err_t *err) {
  char *end = NULL;
  unsigned long n = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
  if (!end || *end != ':' || end[1] == '\0')
    return mrpb_fail(err, "%s %s: legal: the number of an argument, from 0, and :NAME", option,
                     text);
  if (n >= o->n_args || o->host->buffer[n].bytes == 0)
    return mrpb_fail(err, "%s %s: argument %lu is no buffer", option, text, n);
  *rest = end + 1;
  return (int)n;
}

static int bind_texture(const cli_ptx_t *o, const char *text, ptx_module_t *m, mrpb_err_t *err) {
  const char *name = NULL, *nearest = NULL;
  int n = buffer_number(o, "--tex", text, &name, err);
  if (n < 0) return -1;
  for (unsigned i = 0; i < ptx_variables(m); i++) {
    const ptx_variable_t *v = ptx_variable(m, i);
    if (!v->texture) continue;
    if (strcmp(v->name, name) == 0) {
      ptx_bind(m, i, o->host->buffer[n].addr);
      return 0;
    }
    if (!nearest || names_distance(name, v->name) < names_distance(name, nearest))
      nearest = v->name;
  }
  return mrpb_fail(err, "--tex %s: no texture %s; nearest: %s", text, name,
                   nearest ? nearest : "the text has none");
}

static int check_dumps(const cli_ptx_t *o, mrpb_err_t *err) {
  const char *file;
  for (unsigned i = 0; i < o->n_dumps; i++)
    if (buffer_number(o, "--dump", o->dumps[i], &file, err) < 0) return -1;
  return 0;
}

static void host_destroy(void *host) {
  free(host);
}

static int open_text(cli_ptx_t *o, const char *kernel, ptx_module_t *m, workload_t **w,
                     mrpb_err_t *err) {
  if (choose_kernel(o, kernel, m, err) != 0 || memory_create(&o->host->memory, err) != 0) return -1;
  o->host->prepared.left = 1;
  simt_setup_t s = {.module = m,
                    .memory = o->host->memory,
                    .host = o->host,
                    .next = host_next,
                    .progress = host_progress,
                    .destroy = host_destroy};
  int rc = fill_launch(o, err);
  if (rc == 0) rc = check_dumps(o, err);
  for (unsigned i = 0; rc == 0 && i < o->n_textures; i++)
    rc = bind_texture(o, o->textures[i], m, err);
  if (rc == 0) rc = simt_create(w, &s, err);
  if (rc != 0) memory_destroy(o->host->memory);
  return rc;
}

int cli_ptx_open(cli_ptx_t *o, const char *kernel, workload_t **w, mrpb_err_t *err) {
  size_t size = 0;
  ptx_module_t *m = NULL;
  *w = NULL;
  char *text = input_text(o->file, MOST_TEXT, &size, err);
  if (!text) return -1;
  int rc = ptx_read(&m, text, size, o->file, err);
  free(text);
  if (rc != 0) return -1;
  o->host = calloc(1, sizeof *o->host);
  rc = o->host ? open_text(o, kernel, m, w, err) : mrpb_fail(err, "%s: out of memory", o->file);
  if (rc == 0) return 0;
  ptx_free(m);
  free(o->host);
  o->host = NULL;
  return -1;
}

/* ---- afterwards ------------------------------------------------------------ */

static int dump(const void *bytes, size_t n, const char *path, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  return output_close(f, fwrite(bytes, 1, n, f) != n, path, temp, err);
}

int cli_ptx_dump(const cli_ptx_t *o, mrpb_err_t *err) {
  for (unsigned i = 0; i < o->n_dumps; i++) {
    const char *path = NULL;
    int n = buffer_number(o, "--dump", o->dumps[i], &path, err);
    if (n < 0) return -1;
    const ptx_buffer_t *b = &o->host->buffer[n];
    if (dump(memory_at(o->host->memory, b->addr, b->bytes), b->bytes, path, err) != 0) return -1;
  }
  return 0;
}
