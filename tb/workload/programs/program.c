/* SPDX-License-Identifier: Apache-2.0 */
/* The list of programs, their embedded PTX texts, opening a program, and helpers of host code. */
#include "workload/programs/program.h"

#include "base/names.h"
#include "base/vectorized.h"
#include "workload/programs/fold.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM(name) extern const program_t program_##name;
#include "workload/programs/programs.def"
#undef PROGRAM

static const program_t *const programs[] = {
#define PROGRAM(name) &program_##name,
#include "workload/programs/programs.def"
#undef PROGRAM
};
enum { N_PROGRAMS = sizeof programs / sizeof *programs };

const program_t *program_at(unsigned i) {
  return i < N_PROGRAMS ? programs[i] : NULL;
}

/* ---- embedded texts -------------------------------------------------------- */

#define PTX_TEXT(name, symbol)                                                                     \
  extern const char _binary_##symbol##_start[], _binary_##symbol##_end[];
#include "ptx.def"
#undef PTX_TEXT

typedef struct {
  const char *name, *start, *end;
} text_t;

static const text_t texts[] = {
#define PTX_TEXT(name, symbol) {name, _binary_##symbol##_start, _binary_##symbol##_end},
#include "ptx.def"
#undef PTX_TEXT
};
enum { N_TEXTS = sizeof texts / sizeof *texts };

static const text_t *find_text(const char *name, mrpb_err_t *err) {
  for (unsigned i = 0; i < N_TEXTS; i++)
    if (strcmp(texts[i].name, name) == 0) return &texts[i];
  (void)mrpb_fail(err, "%s: no such embedded PTX text", name);
  return NULL;
}

const char *program_model_name(program_model_t model) {
  static const char *const names[] = {"A", "B", "C"};
  return names[model];
}

/* Reads the text of the requested model. */
static int read_text(ptx_module_t **module, const program_t *p, const program_options_t *o,
                     mrpb_err_t *err) {
  const bool b = o->model == PROGRAM_MODEL_B && p->ptx_b, c = o->model == PROGRAM_MODEL_C;
  const char *const name = c ? p->ptx_c : b ? p->ptx_b : p->ptx_a;
  const text_t *t = find_text(name, err);
  if (!t) return -1;
  size_t n = (size_t)(t->end - t->start);
  if (!c) return ptx_read(module, t->start, n, name, err);
  const uint32_t size = o->size ? o->size : p->paper_size;
  const uint32_t cut = o->cut && o->cut < size ? o->cut : size;
  if (fold_check(p->name, size, cut, err) != 0) return -1;
  char *folded = fold_text(t->start, n, size, cut, &n, err);
  int rc = folded ? ptx_read(module, folded, n, name, err) : -1;
  free(folded);
  return rc;
}

/* ---- opening --------------------------------------------------------------- */

typedef struct {
  const program_t *program;
  program_host_t h;
  void *state;
} host_t;

static bool host_next(void *host, simt_launch_t *l) {
  const host_t *o = host;
  return o->program->next(o->state, &o->h, l);
}

static double host_progress(const void *host) {
  const host_t *o = host;
  return o->program->progress(o->state, &o->h);
}

static int host_check(void *host, mrpb_err_t *err) {
  const host_t *o = host;
  return o->program->check(o->state, &o->h, err);
}

static void host_destroy(void *host) {
  host_t *o = host;
  if (o->program->close && o->state) o->program->close(o->state);
  free(o->state);
  free(o);
}

static int check_options(const program_t *p, const program_options_t *o, mrpb_err_t *err) {
  if (o->cut && !p->takes_cut)
    return mrpb_fail(err, "--cut: %s has no inner loop to cut; legal: without", p->name);
  if (o->steps && !p->takes_steps)
    return mrpb_fail(err, "--steps: %s has no outer steps; legal: without", p->name);
  if (o->acc_reload && !p->takes_acc_reload)
    return mrpb_fail(err, "--acc-reload: %s keeps no accumulator in memory; legal: without",
                     p->name);
  if (o->model == PROGRAM_MODEL_C && !p->ptx_c)
    return mrpb_fail(err, "--model C: %s has no text with its sizes as constants; legal: A or B",
                     p->name);
  if (o->model == PROGRAM_MODEL_C && o->acc_reload)
    return mrpb_fail(err, "--acc-reload: clang's text keeps the accumulator in a register; legal: "
                          "with --model A or B");
  if (o->size && !p->size_max)
    return mrpb_fail(err, "--size: %s has one size; legal: without", p->name);
  if (o->size && (o->size < p->size_min || o->size > p->size_max))
    return mrpb_fail(err, "--size %" PRIu32 ": legal for %s: %" PRIu32 " to %" PRIu32, o->size,
                     p->name, p->size_min, p->size_max);
  return 0;
}

/* Creates memory, module and the host's state, and the workload around them. */
static int open_program(workload_t **out, const program_t *p, const program_options_t *options,
                        mrpb_err_t *err) {
  ptx_module_t *module = NULL;
  memory_t *memory = NULL;
  host_t *o = calloc(1, sizeof *o);
  if (!o) return mrpb_fail(err, "%s: out of memory", p->name);
  o->program = p;
  o->state = calloc(1, p->state_bytes ? p->state_bytes : 1);
  int rc = o->state ? 0 : mrpb_fail(err, "%s: out of memory", p->name);
  if (rc == 0) rc = read_text(&module, p, options, err);
  if (rc == 0) rc = memory_create(&memory, err);
  o->h = (program_host_t){module, memory, *options};
  if (rc == 0) rc = p->open(o->state, &o->h, err);
  if (rc == 0)
    rc = simt_create(out,
                     &(simt_setup_t){.module = module,
                                     .memory = memory,
                                     .host = o,
                                     .next = host_next,
                                     .progress = host_progress,
                                     .check = p->check ? host_check : NULL,
                                     .destroy = host_destroy},
                     err);
  if (rc == 0) return 0;
  host_destroy(o);
  if (module) ptx_free(module);
  if (memory) memory_destroy(memory);
  return -1;
}

/* NULL and a message if there is no such program, or it does not take the options. */
static const program_t *find(const char *name, const program_options_t *options, mrpb_err_t *err) {
  for (unsigned i = 0; i < N_PROGRAMS; i++)
    if (strcmp(programs[i]->name, name) == 0)
      return check_options(programs[i], options, err) == 0 ? programs[i] : NULL;
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < N_PROGRAMS; i++) names_offer(&near, programs[i]->name);
  (void)mrpb_fail(err, "--kernel %s: unknown%s; `mrpb help kernels` lists them", name, near.text);
  return NULL;
}

int program_check(const char *name, const program_options_t *options, mrpb_err_t *err) {
  return find(name, options, err) ? 0 : -1;
}

int program_open(workload_t **out, const char *name, const program_options_t *options,
                 mrpb_err_t *err) {
  const program_t *p = find(name, options, err);
  *out = NULL;
  return p ? open_program(out, p, options, err) : -1;
}

/* ---- helpers of host code -------------------------------------------------- */

uint64_t program_alloc(const program_host_t *h, const char *array, uint64_t n, uint32_t elem_bytes,
                       mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  uint64_t addr = memory_array(h->memory, array, n * elem_bytes, &why);
  if (!addr)
    (void)mrpb_fail(err, "array %s of %" PRIu64 " x %" PRIu32 " bytes: %.400s", array, n,
                    elem_bytes, why.text);
  return addr;
}

void program_launch(const program_host_t *h, simt_launch_t *l, const char *kernel, uint32_t gx,
                    uint32_t gy, uint32_t bx, uint32_t by, uint32_t regs) {
  *l = (simt_launch_t){.kernel = ptx_find(h->module, kernel, NULL),
                       .grid = {gx, gy, 1},
                       .block = {bx, by, 1},
                       .regs = regs};
  assert(l->kernel); /* kernel and text are both in this repository */
}

static uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

/* `have` and `want` begin with element `first`. */
static int compare_f32(const char *array, const float *have, const float *want, uint64_t first,
                       uint64_t n, mrpb_err_t *err) {
  if (memcmp(have, want, n * sizeof *want) == 0) return 0;
  for (uint64_t i = 0; i < n; i++)
    if (bits_of(have[i]) != bits_of(want[i]))
      return mrpb_fail(
          err, "%s[%" PRIu64 "] is %.9g (0x%08" PRIx32 "), expected %.9g (0x%08" PRIx32 ")", array,
          first + i, (double)have[i], bits_of(have[i]), (double)want[i], bits_of(want[i]));
  return 0;
}

int program_compare_f32(const program_host_t *h, const char *array, uint64_t addr,
                        const float *want, uint64_t n, mrpb_err_t *err) {
  const float *have = memory_at(h->memory, addr, n * sizeof *want);
  if (!have) return mrpb_fail(err, "%s: not in the allocated memory", array);
  return compare_f32(array, have, want, 0, n, err);
}

int program_compare_i32(const program_host_t *h, const char *array, uint64_t addr,
                        const int32_t *want, uint64_t n, mrpb_err_t *err) {
  const int32_t *have = memory_at(h->memory, addr, n * sizeof *want);
  if (!have) return mrpb_fail(err, "%s: not in the allocated memory", array);
  for (uint64_t i = 0; i < n; i++)
    if (have[i] != want[i])
      return mrpb_fail(err, "%s[%" PRIu64 "] is %" PRId32 ", expected %" PRId32, array, i, have[i],
                       want[i]);
  return 0;
}

/* Writes elements first ... first + n - 1 of a sequence. The generator is splitmix64, whose state
 * is a counter; the upper 24 bits of each output are the fraction. */
VECTORIZED static void random_f32(float *to, uint64_t first, uint64_t n, uint64_t seed) {
  const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t z = seed + (first + i + 1) * step;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    to[i] = (float)(int32_t)((z ^ z >> 31) >> 40) / 16777216.0f;
  }
}

void program_random_f32(float *to, uint64_t n, uint64_t seed) {
  random_f32(to, 0, n, seed);
}

int program_compare_random_f32(const program_host_t *h, const char *array, uint64_t addr,
                               uint64_t n, uint64_t seed, mrpb_err_t *err) {
  enum { PIECE = 1024 };
  float want[PIECE];
  const float *have = memory_at(h->memory, addr, n * sizeof *want);
  if (!have) return mrpb_fail(err, "%s: not in the allocated memory", array);
  for (uint64_t i = 0; i < n; i += PIECE) {
    uint64_t m = n - i < PIECE ? n - i : PIECE;
    random_f32(want, i, m, seed);
    if (compare_f32(array, have + i, want, i, m, err) != 0) return -1;
  }
  return 0;
}

void program_fill_f32(const program_host_t *h, uint64_t addr, uint64_t n, uint64_t seed) {
  float *to = memory_at(h->memory, addr, n * sizeof *to);
  assert(to); /* the caller has just allocated it */
  program_random_f32(to, n, seed);
}

uint32_t program_cut(const program_host_t *h, uint32_t trips) {
  uint32_t cut = h->options.cut;
  return cut && cut < trips ? cut : trips;
}
