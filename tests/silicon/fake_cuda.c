/* SPDX-License-Identifier: Apache-2.0 */
/* A libcuda.so.1 whose GPU is the model of tb/device, so that the calls of workload/silicon run
 * without a GPU. The environment selects the model (FAKE_CUDA_CONF) and what goes wrong (FAKE_CUDA,
 * words separated by commas: no-device, maps-not, elsewhere, no-memory, drops-loads, clock-drifts,
 * contracts; and in the third launch: faults, spoils (FAKE_CUDA_BYTE of the memory, or 5), hangs).
 * The card's own kernels are not simulated; all others are. It supports one GPU and one program at
 * a time; the last module that was loaded has the memory. */
#include "device/device.h"
#include "silicon/fake_cuda.h"
#include "workload/silicon/driver.h"
#include "workload/simt/simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  fake_t *of;
  const ptx_kernel_t *kernel;
  char name[64];
} function_t;

gpu_state_t *fake_gpu(void) {
  static gpu_state_t gpu;
  return &gpu;
}

bool fake_told(const char *word) {
  const char *all = getenv("FAKE_CUDA");
  const size_t n = strlen(word);
  for (const char *at = all; at && (at = strstr(at, word)); at += n)
    if ((at == all || at[-1] == ',') && (at[n] == 0 || at[n] == ',')) return true;
  return false;
}

/* ---- the device ------------------------------------------------------------------- */

int cuInit(unsigned flags) {
  mrpb_err_t err = {{0}};
  const char *conf = getenv("FAKE_CUDA_CONF");
  (void)flags;
  if (fake_told("no-device")) return NO_DEVICE;
  if (config_load_device(&fake_gpu()->cfg, conf ? conf : "configs/h200.conf", &err) == 0)
    return DRIVER_OK;
  fprintf(stderr, "fake GPU: %s\n", err.text);
  return BAD;
}

int cuDriverGetVersion(int *version) {
  *version = 13000;
  return DRIVER_OK;
}

int cuGetErrorName(int result, const char **name) {
  *name = result == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == NO_DEVICE   ? "CUDA_ERROR_NO_DEVICE"
          : result == BAD_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                  : "CUDA_ERROR_FAKE";
  return DRIVER_OK;
}

int cuGetErrorString(int result, const char **text) {
  *text = result == OUT_OF_MEMORY ? "out of memory"
          : result == NO_DEVICE   ? "no CUDA-capable device is detected"
          : result == BAD_ADDRESS ? "an illegal memory access was encountered"
                                  : "said the fake GPU";
  return DRIVER_OK;
}

int cuDeviceGetCount(int *count) {
  *count = 1;
  return DRIVER_OK;
}

int cuDeviceGet(int *device, int number) {
  *device = number;
  return DRIVER_OK;
}

int cuDeviceGetName(char *name, int size, int device) {
  (void)device;
  snprintf(name, (size_t)size, "model of tb/device");
  return DRIVER_OK;
}

/* Each program has one of its own, but for those that say which one it is. */
int cuDeviceGetUuid(driver_uuid_t *uuid, int device) {
  const char *id = getenv("FAKE_CUDA_UUID");
  (void)device;
  memset(uuid, 0xfa, sizeof *uuid);
  snprintf((char *)uuid->byte, sizeof uuid->byte, "%s%ld", id ? id : "", id ? 0L : (long)getpid());
  return DRIVER_OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  switch ((driver_attribute_t)attribute) {
  case DRIVER_THREADS_PER_BLOCK:
    *value = (int)fake_gpu()->cfg.threads_per_block;
    break;
  case DRIVER_SMS:
    *value = (int)fake_gpu()->cfg.sms;
    break;
  case DRIVER_L2_BYTES:
    *value = (int)(fake_gpu()->cfg.l2_total_sets * fake_gpu()->cfg.l2_ways * 128);
    break;
  case DRIVER_MAJOR:
    *value = 9;
    break;
  case DRIVER_SHARED_PER_SM:
    *value = 233472;
    break;
  case DRIVER_SHARED_PER_BLOCK:
    *value = 232448;
    break;
  case DRIVER_MAPS_MEMORY:
    *value = !fake_told("maps-not");
    break;
  case DRIVER_MINOR:
    *value = 0;
    break;
  }
  return DRIVER_OK;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  (void)device;
  *context = fake_gpu();
  return DRIVER_OK;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  (void)device;
  return DRIVER_OK;
}

int cuCtxSetCurrent(void *context) {
  (void)context;
  return DRIVER_OK;
}

/* ---- texts ------------------------------------------------------------------------ */

/* All that variables leave is the program's. */
static int fill_up(memory_t *m, mrpb_err_t *err) {
  const uint64_t left = MEMORY_BASE + MEMORY_CAPACITY - memory_end(m);
  return left < MEMORY_GRANULE || memory_alloc(m, left - left % MEMORY_GRANULE, err) ? 0 : -1;
}

/* A text with textures begins once all of them have their addresses. */
static int begin(fake_t *f, mrpb_err_t *err) {
  const simt_setup_t s = {.module = f->module,
                          .memory = f->memory,
                          .host = &f->prepared,
                          .next = simt_prepared_next,
                          .taken_first = fake_gpu()->cfg.divergence == DEVICE_DIVERGENCE_TAKEN};
  if (simt_create(&f->workload, &s, err) != 0 || fill_up(f->memory, err) != 0) return -1;
  const device_setup_t d = {&fake_gpu()->cfg, f->workload, NULL};
  if (device_create(&f->device, &d, err) != 0) return -1;
  if (fake_gpu()->pinned) device_set_host(f->device, PINNED, MEMORY_BASE + MEMORY_CAPACITY);
  return 0;
}

/* Where variables will be is asked before textures are told: the same text once more says it. */
static int learn_addresses(fake_t *f, mrpb_err_t *err) {
  fake_t twin = {.text = f->text};
  if (ptx_read(&twin.module, f->text, strlen(f->text), "text", err) != 0) return -1;
  if (memory_create(&twin.memory, err) != 0) return -1;
  for (unsigned i = 0; i < f->n_textures; i++)
    ptx_bind(twin.module, f->texture[i].number, MEMORY_BASE);
  const simt_setup_t s = {.module = twin.module,
                          .memory = twin.memory,
                          .host = &f->prepared,
                          .next = simt_prepared_next};
  if (!memory_alloc(twin.memory, memory_end(f->memory) - MEMORY_BASE, err)) return -1;
  if (simt_create(&twin.workload, &s, err) != 0) return -1;
  for (unsigned i = 0; i < ptx_variables(f->module) && i < VARIABLES; i++)
    f->address[i] = ptx_variable(twin.module, i)->address;
  workload_close(twin.workload);
  return 0;
}

/* A GPU has its functions elsewhere than the simulator: the text gets others in front of its own. They
 * stay on one line, so that messages name the right ones. */
static char *with_functions_elsewhere(char *text) {
  enum { OTHERS = 64 };
  const char *const head = ".address_size 64", *at = strstr(text, head);
  char *to = NULL;
  size_t n = 0;
  if (!at || !strstr(text, ".func")) return text;
  FILE *f = open_memstream(&to, &n);
  if (!f) return text;
  at += strlen(head);
  fprintf(f, "%.*s", (int)(at - text), text);
  for (unsigned i = 0; i < OTHERS; i++) fprintf(f, " .func other%u() { ret; }", i);
  fprintf(f, "%s", at);
  if (fclose(f) != 0) return free(to), text;
  free(text);
  return to;
}

static int simulate(fake_t *f, mrpb_err_t *err) {
  enum { ROOM = 16 << 20 };
  uint64_t sums;
  if (ptx_read(&f->module, f->text, strlen(f->text), "text", err) != 0) return -1;
  if (fake_told("contracts") && ptx_contract(f->module, &sums, err) != 0) return -1;
  if (memory_create(&f->memory, err) != 0) return -1;
  if (memory_front(f->memory, MEMORY_FRONT, err) != 0) return -1;
  bool variables = false;
  for (unsigned i = 0; i < ptx_variables(f->module); i++) {
    const ptx_variable_t *v = ptx_variable(f->module, i);
    if (v->texture && f->n_textures == TEXTURES) return mrpb_fail(err, "too many textures");
    if (v->texture) f->texture[f->n_textures++] = (texture_t){f, i, false};
    variables |= !v->texture && v->space == PTX_GLOBAL;
  }
  if (!memory_alloc(f->memory, variables ? MEMORY_CAPACITY - ROOM : MEMORY_CAPACITY, err))
    return -1;
  return f->n_textures ? learn_addresses(f, err) : begin(f, err);
}

int cuLinkCreate_v2(unsigned n, int *option, void **value, void **link) {
  fake_t *f = calloc(1, sizeof *f);
  for (unsigned i = 0; f && i < n; i++)
    if (option[i] == DRIVER_JIT_ERROR_TEXT) f->code = value[i]; /* until there is code */
  *link = f;
  return f ? DRIVER_OK : OUT_OF_MEMORY;
}

int cuLinkAddData_v2(void *link, int type, void *data, size_t bytes, const char *name, unsigned n,
                     int *option, void **value) {
  fake_t *f = link;
  mrpb_err_t err = {{0}};
  (void)type, (void)name, (void)n, (void)option, (void)value;
  f->text = malloc(bytes);
  if (!f->text) return OUT_OF_MEMORY;
  memcpy(f->text, data, bytes);
  f->text = with_functions_elsewhere(f->text);
  f->own = strstr(f->text, ".entry flush(") != NULL;
  if (f->own || simulate(f, &err) == 0) return DRIVER_OK;
  if (f->code) snprintf(f->code, 256, "fake : error   : %.200s", err.text);
  return BAD_PTX;
}

int cuLinkComplete(void *link, void **cubin, size_t *bytes) {
  fake_t *f = link;
  f->code = f->own ? calloc(1, 1) : fake_elf(f->module, fake_told("drops-loads"), &f->bytes);
  *cubin = f->code;
  *bytes = f->bytes;
  fake_gpu()->linked = f;
  return f->code ? DRIVER_OK : OUT_OF_MEMORY;
}

int cuLinkDestroy(void *link) {
  fake_t *f = link;
  if (fake_gpu()->now == f) fake_gpu()->now = NULL;
  if (fake_gpu()->linked == f) fake_gpu()->linked = NULL;
  device_destroy(f->device);
  workload_close(f->workload);
  if (f->bytes || f->own) free(f->code);
  free(f->text);
  free(f);
  return DRIVER_OK;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *option, void **value) {
  fake_t *f = fake_gpu()->linked;
  (void)n, (void)option, (void)value;
  if (!f || f->code != image) return BAD_PTX;
  if (!f->own) fake_gpu()->now = f;
  *module = f;
  return DRIVER_OK;
}

int cuModuleUnload(void *module) {
  (void)module; /* the link has all of it */
  return DRIVER_OK;
}

/* As many at a time as a program of one text launches. */
int cuModuleGetFunction(void **function, void *module, const char *name) {
  static function_t f[2];
  fake_t *of = module;
  function_t *to = &f[of->own];
  mrpb_err_t err = {{0}};
  *to = (function_t){.of = of, .kernel = of->own ? NULL : ptx_find(of->module, name, &err)};
  snprintf(to->name, sizeof to->name, "%s", name);
  *function = to;
  return of->own || to->kernel ? DRIVER_OK : NOT_FOUND;
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name) {
  const fake_t *f = module;
  for (unsigned i = 0; i < ptx_variables(f->module); i++) {
    const ptx_variable_t *v = ptx_variable(f->module, i);
    if (strcmp(v->name, name) != 0) continue;
    const uint64_t at = f->workload || i >= VARIABLES ? v->address : f->address[i];
    *address = v->space == PTX_CONST ? FAKE_CONST + at : at;
    *bytes = v->bytes;
    return DRIVER_OK;
  }
  return NOT_FOUND;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  (void)function, (void)attribute, (void)value;
  return DRIVER_OK;
}

/* ---- textures --------------------------------------------------------------------------- */

int cuModuleGetTexRef(void **texture, void *module, const char *name) {
  fake_t *f = module;
  for (unsigned i = 0; i < f->n_textures; i++) {
    *texture = &f->texture[i];
    if (strcmp(ptx_variable(f->module, f->texture[i].number)->name, name) == 0) return DRIVER_OK;
  }
  return NOT_FOUND;
}

int cuTexRefSetAddress_v2(size_t *offset, void *texture, uint64_t address, size_t bytes) {
  texture_t *t = texture;
  mrpb_err_t err = {{0}};
  bool all = true;
  (void)bytes;
  ptx_bind(t->of->module, t->number, address);
  t->bound = true;
  *offset = address % 512;
  for (unsigned i = 0; i < t->of->n_textures; i++) all &= t->of->texture[i].bound;
  return !all || t->of->device || begin(t->of, &err) == 0 ? DRIVER_OK : BAD;
}

int cuTexRefSetFormat(void *texture, int format, int components) {
  (void)texture, (void)format, (void)components;
  return DRIVER_OK;
}

int cuTexRefSetFlags(void *texture, unsigned flags) {
  (void)texture, (void)flags;
  return DRIVER_OK;
}

/* ---- launches -------------------------------------------------------------------------- */

/* An address of pinned memory: the model's in the place of the host's, or, `back`, the other way; any
 * other word as it is. */
static uint64_t translated(uint64_t v, bool back) {
  for (unsigned k = 0; k < RANGES; k++) {
    const range_t *r = &fake_gpu()->range[k];
    const uint64_t host = (uint64_t)(uintptr_t)r->at, from = back ? r->image : host;
    if (r->at && v >= from && v < from + r->bytes) return v - from + (back ? host : r->image);
  }
  return v;
}

static void translate(simt_launch_t *l) {
  for (unsigned i = 0; i < l->kernel->n_params; i++) {
    uint64_t v = 0;
    if (l->kernel->params[i].bytes != 8) continue;
    memcpy(&v, l->params + l->kernel->params[i].offset, sizeof v);
    simt_param(l, i, translated(v, false));
  }
}

enum { LISTS = 4 << 20 /* bytes: no larger piece has pointers */ };

/* What lies in pinned memory goes along, pointers into it too. */
static void copy_pinned(const fake_t *f, bool back) {
  for (unsigned k = 0; k < RANGES; k++) {
    const range_t *r = &fake_gpu()->range[k];
    char *image = r->at ? memory_at(f->memory, r->image, r->bytes) : NULL;
    if (!image) continue;
    char *to = back ? r->at : image;
    memcpy(to, back ? image : r->at, r->bytes);
    for (uint64_t at = 0; r->bytes <= LISTS && at + sizeof(uint64_t) <= r->bytes; at += sizeof at) {
      uint64_t v;
      memcpy(&v, to + at, sizeof v);
      if (v < PINNED) continue;
      v = translated(v, back);
      memcpy(to + at, &v, sizeof v);
    }
  }
}

enum { BLOCK_SHARED = 24576 }; /* bytes that a text may mean */

/* More shared memory than the text can mean is there to make the L1D smaller: of 256 KB the blocks
 * get one of these shares (NVIDIA's occupancy tables). */
static int fit_l1(fake_t *f, uint32_t bytes, mrpb_err_t *err) {
  static const uint32_t share[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};
  const unsigned n = sizeof share / sizeof *share;
  unsigned i = 0;
  while (i + 1 < n && share[i] * 1024 < bytes + 1024) i++;
  config_t cfg = fake_gpu()->cfg;
  if (bytes > BLOCK_SHARED || bytes > f->prepared.launch.kernel->shared_bytes)
    cfg.l1d_ways = (256 - share[i]) * 1024 / 128 / cfg.l1d_sets;
  if (cfg.l1d_ways == device_cfg(f->device)->l1d_ways) return 0;
  device_destroy(f->device);
  f->device = NULL;
  f->cfg = cfg;
  const device_setup_t d = {&f->cfg, f->workload, NULL};
  if (device_create(&f->device, &d, err) != 0) return -1;
  if (fake_gpu()->pinned) device_set_host(f->device, PINNED, MEMORY_BASE + MEMORY_CAPACITY);
  return 0;
}

static int own_kernel(const char *name, const uint64_t *arg) {
  mrpb_err_t err = {{0}};
  if (strcmp(name, "spin") == 0) {
    uint64_t *out = (void *)(uintptr_t)arg[1];
    const bool slower = fake_told("clock-drifts") && fake_gpu()->launches > 0;
    out[0] = arg[0];
    out[1] = arg[0] * fake_gpu()->cfg.clock_mhz / 1000 / (slower ? 2 : 1);
  } else if (strcmp(name, "flush") == 0 && fake_gpu()->now && fake_gpu()->now->device &&
             device_forget(fake_gpu()->now->device, &err) != 0) {
    return OUT_OF_MEMORY;
  }
  return DRIVER_OK;
}

/* What FAKE_CUDA says goes wrong in the third launch. */
static int spoil(const fake_t *f) {
  if (fake_gpu()->launches != 3) return DRIVER_OK;
  if (fake_told("faults")) fake_gpu()->dead = true;
  const char *byte = getenv("FAKE_CUDA_BYTE");
  const uint64_t spoilt = MEMORY_BASE + (byte ? strtoull(byte, NULL, 10) : 5);
  char *at = fake_told("spoils") ? memory_at(f->memory, spoilt, 1) : NULL;
  if (at) *at = (char)(*at ^ 1);
  return fake_gpu()->dead ? BAD_ADDRESS : DRIVER_OK;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **args, void **extra) {
  const function_t *k = function;
  fake_t *f = k->of;
  mrpb_err_t err = {{0}};
  (void)stream, (void)args;
  if (fake_gpu()->dead) return BAD_ADDRESS;
  if (f->own) return own_kernel(k->name, extra ? extra[1] : NULL);
  fake_gpu()->launches++;
  f->prepared.launch = (simt_launch_t){
      .kernel = k->kernel, .grid = {gx, gy, gz}, .block = {bx, by, bz}, .regs = REGS};
  if (extra) memcpy(f->prepared.launch.params, extra[1], *(const size_t *)extra[3]);
  translate(&f->prepared.launch);
  if (fit_l1(f, shared, &err) != 0) return OUT_OF_MEMORY;
  if (shared <= BLOCK_SHARED) f->prepared.launch.shared = shared;
  copy_pinned(f, false);
  f->prepared.left = 1;
  const device_end_t end = device_run(f->device, 0, CYCLES, &err);
  copy_pinned(f, true);
  if (end == DEVICE_DONE) return spoil(f);
  fprintf(stderr, "fake GPU: %s: %s\n", k->name, err.text);
  return BAD_ADDRESS;
}

int cuEventCreate(void **event, unsigned flags) {
  (void)flags;
  *event = fake_gpu();
  return DRIVER_OK;
}

int cuEventDestroy_v2(void *event) {
  (void)event;
  return DRIVER_OK;
}

int cuEventRecord(void *event, void *stream) {
  (void)event, (void)stream;
  return DRIVER_OK;
}

int cuEventQuery(void *event) {
  (void)event;
  if (fake_gpu()->dead) return BAD_ADDRESS;
  return fake_told("hangs") && fake_gpu()->launches >= 3 ? DRIVER_NOT_READY : DRIVER_OK;
}

int cuEventElapsedTime(float *ms, void *from, void *to) {
  (void)from, (void)to;
  *ms = 0.01F;
  return DRIVER_OK;
}
