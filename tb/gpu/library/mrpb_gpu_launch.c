/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a PTX text, their memory and their launches. See mrpb_gpu.h. */
#include "gpu/library/mrpb_gpu_state.h"

#include "base/grow.h"

#include <inttypes.h>
#include <string.h>

enum { DEFAULT_REGS = 20 };

static bool host_next(void *host, simt_launch_t *l) {
  mrpb_ptx_t *p = host;
  if (p->at == p->n) return false;
  *l = p->launches[p->at++];
  return true;
}

static double host_progress(const void *host) {
  const mrpb_ptx_t *p = host;
  return p->n ? (double)p->at / (double)p->n : 0;
}

static void host_destroy(void *host) {
  (void)host;
}

int mrpb_gpu_ptx(mrpb_gpu_t *gpu, const char *text, size_t bytes, const char *name,
                 mrpb_err_t *err) {
  mrpb_ptx_t *p = &gpu->ptx;
  if (mrpb_gpu_early(gpu, "ptx", err) != 0) return -1;
  if (p->module) return ptx_read_behind(p->module, text, bytes, name, err);
  if (mrpb_gpu_idle(gpu, err) != 0) return -1;
  if (ptx_read(&p->module, text, bytes, name, err) != 0) return -1;
  if (memory_create(&p->memory, err) == 0) return 0;
  ptx_free(p->module);
  p->module = NULL;
  return -1;
}

int mrpb_gpu_ptx_open(mrpb_gpu_t *gpu, mrpb_err_t *err) {
  const simt_setup_t s = {.module = gpu->ptx.module,
                          .memory = gpu->ptx.memory,
                          .host = &gpu->ptx,
                          .next = host_next,
                          .progress = host_progress,
                          .destroy = host_destroy};
  return simt_create(&gpu->workload, &s, err);
}

bool mrpb_gpu_ptx_waits(const mrpb_gpu_t *gpu) {
  return gpu->ptx.at < gpu->ptx.n;
}

void mrpb_gpu_ptx_close(mrpb_gpu_t *gpu) {
  free(gpu->ptx.launches);
  if (gpu->workload) return;
  memory_destroy(gpu->ptx.memory);
  ptx_free(gpu->ptx.module);
}

/* ---- a launch file -------------------------------------------------------------------------- */

int mrpb_gpu_launch_file(mrpb_gpu_t *gpu, const char *path, const char *const *lets, unsigned n,
                         mrpb_err_t *err) {
  const launch_options_t o = {.text = lets, .n = n};
  launch_program_t *p = NULL;
  if (mrpb_gpu_idle(gpu, err) != 0 || launch_read(&p, path, &o, err) != 0) return -1;
  if (launch_open(&gpu->workload, p, err) != 0) return launch_free(p), -1;
  gpu->host = p;
  return 0;
}

/* ---- memory --------------------------------------------------------------------------------- */

static int with_text(const mrpb_gpu_t *gpu, const char *what, mrpb_err_t *err) {
  if (gpu->ptx.module) return 0;
  return mrpb_fail(err, "%s: the GPU has no PTX text; legal: after mrpb_gpu_ptx", what);
}

int mrpb_gpu_alloc(mrpb_gpu_t *gpu, uint64_t bytes, uint64_t *address, mrpb_err_t *err) {
  if (with_text(gpu, "alloc", err) != 0) return -1;
  if (bytes == 0) return mrpb_fail(err, "alloc: 0 bytes; legal: 1 or more");
  const uint64_t at = memory_alloc(gpu->ptx.memory, bytes, err);
  if (at == 0) return -1;
  *address = at;
  return 0;
}

static void *place(mrpb_gpu_t *gpu, const char *what, uint64_t address, uint64_t bytes,
                   mrpb_err_t *err) {
  if (with_text(gpu, what, err) != 0) return NULL;
  void *at = memory_at(gpu->ptx.memory, address, bytes);
  if (!at)
    mrpb_fail(err, "%s: %" PRIu64 " bytes at 0x%" PRIx64 "; legal: what mrpb_gpu_alloc has given",
              what, bytes, address);
  return at;
}

int mrpb_gpu_write(mrpb_gpu_t *gpu, uint64_t address, const void *from, uint64_t bytes,
                   mrpb_err_t *err) {
  void *at = place(gpu, "write", address, bytes, err);
  if (!at) return -1;
  memcpy(at, from, bytes);
  return 0;
}

int mrpb_gpu_read(mrpb_gpu_t *gpu, uint64_t address, void *to, uint64_t bytes, mrpb_err_t *err) {
  const void *at = place(gpu, "read", address, bytes, err);
  if (!at) return -1;
  memcpy(to, at, bytes);
  return 0;
}

int mrpb_gpu_texture(mrpb_gpu_t *gpu, const char *name, uint64_t address, mrpb_err_t *err) {
  if (with_text(gpu, "texture", err) != 0 || mrpb_gpu_early(gpu, "texture", err) != 0) return -1;
  if (!place(gpu, "texture", address, 1, err)) return -1;
  if (address % MEMORY_TEXTURE)
    return mrpb_fail(err, "texture %s: 0x%" PRIx64 "; legal: a multiple of %d", name, address,
                     MEMORY_TEXTURE);
  for (unsigned i = 0; i < ptx_variables(gpu->ptx.module); i++) {
    const ptx_variable_t *v = ptx_variable(gpu->ptx.module, i);
    if (!v->texture || strcmp(v->name, name) != 0) continue;
    ptx_bind(gpu->ptx.module, i, address);
    return 0;
  }
  return mrpb_fail(err, "texture %s: not in the text", name);
}

/* ---- launches ------------------------------------------------------------------------------- */

static const ptx_kernel_t *find_kernel(const ptx_module_t *m, const char *name, mrpb_err_t *err) {
  if (name) return ptx_find(m, name, err);
  if (ptx_kernels(m) == 1) return ptx_kernel(m, 0);
  mrpb_fail(err, "launch: the text has %u kernels; legal: the name of one", ptx_kernels(m));
  return NULL;
}

/* The executor rejects wrong dimensions; here they are only completed. */
static int fill(const mrpb_gpu_launch_t *l, simt_launch_t *to, mrpb_err_t *err) {
  const ptx_kernel_t *k = to->kernel;
  for (unsigned i = 0; i < 3; i++) {
    to->grid[i] = l->grid[i] ? l->grid[i] : 1;
    to->block[i] = l->block[i] ? l->block[i] : 1;
  }
  to->regs = l->regs ? l->regs : DEFAULT_REGS;
  to->shared = l->shared;
  if (l->n_args != k->n_params)
    return mrpb_fail(err, "%s: %u arguments; legal: %u", k->name, l->n_args, k->n_params);
  for (unsigned i = 0; i < k->n_params; i++) {
    const ptx_param_t *p = &k->params[i];
    if (p->offset + p->bytes > sizeof to->params)
      return mrpb_fail(err, "%s: more than %zu bytes of parameters", k->name, sizeof to->params);
    memcpy(&to->params[p->offset], l->args[i], p->bytes);
  }
  return 0;
}

int mrpb_gpu_launch(mrpb_gpu_t *gpu, const mrpb_gpu_launch_t *launch, mrpb_err_t *err) {
  mrpb_ptx_t *p = &gpu->ptx;
  simt_launch_t l = {0};
  if (with_text(gpu, "launch", err) != 0) return -1;
  l.kernel = find_kernel(p->module, launch->kernel, err);
  if (!l.kernel || fill(launch, &l, err) != 0) return -1;
  if (p->at == p->n) p->at = p->n = 0;
  simt_launch_t *more = grow(p->launches, p->n + 1, &p->room, sizeof *more);
  if (!more) return mrpb_fail(err, "launch: out of memory");
  p->launches = more;
  p->launches[p->n++] = l;
  return 0;
}
