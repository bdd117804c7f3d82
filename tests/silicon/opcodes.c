/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every opcode, type and word of docs/ptx.md on a GPU, or pairs and triples of them, and
 * compares the results with the executor's. Prints a line for each; exit 1 if one that is not an
 * approximation differs. `make silicon-opcodes`; docs/silicon.md. */
#include "silicon/opcodes.h"
#include "workload/silicon/beside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_S = 60 };

typedef struct {
  card_t *card;       /* NULL: texts are only counted, or written to `folder` */
  const char *folder; /* NULL: to none */
  char **prefix;      /* of the names of those that are run; none: all are */
  int n_prefixes;
  unsigned kernels, equal, near, refused, differ;
} run_t;

/* ---- one kernel ---------------------------------------------------------------------------- */

/* Operands in front, for a texture begins there; then results; constants from a counter. */
static int fill(const opcode_t *o, ptx_module_t *m, memory_t *memory, simt_prepared_t *h,
                mrpb_err_t *err) {
  const uint64_t in = memory_alloc(memory, (uint64_t)OPCODE_THREADS * OPCODE_IN, err);
  const uint64_t out = memory_alloc(memory, (uint64_t)OPCODE_THREADS * OPCODE_OUT, err);
  uint8_t *to = in ? memory_at(memory, in, (uint64_t)OPCODE_THREADS * OPCODE_IN) : NULL;
  if (!to || !out) return -1;
  for (uint32_t i = 0; i < OPCODE_THREADS; i++)
    for (unsigned k = 0; k < o->n_operands; k++) {
      const uint64_t v = opcode_value(o, k, i, OPCODE_THREADS);
      memcpy(to + (size_t)i * OPCODE_IN + 8 * k, &v, sizeof v);
    }
  for (unsigned i = 0; i < MEMORY_CONST; i++) memory_const(memory)[i] = (uint8_t)(i * 167 >> 3);
  for (unsigned i = 0; i < ptx_variables(m); i++)
    if (ptx_variable(m, i)->texture) ptx_bind(m, i, in);
  h->launch = (simt_launch_t){.kernel = ptx_kernel(m, 0),
                              .grid = {OPCODE_THREADS / OPCODE_BLOCK, 1, 1},
                              .block = {OPCODE_BLOCK, 1, 1},
                              .regs = 20};
  simt_param(&h->launch, 0, in);
  simt_param(&h->launch, 1, out);
  return 0;
}

static int open_kernel(workload_t **w, const opcode_t *o, simt_prepared_t *h, mrpb_err_t *err) {
  ptx_module_t *m = NULL;
  memory_t *memory = NULL;
  int rc = ptx_read(&m, o->text, strlen(o->text), o->name, err);
  if (rc == 0) rc = memory_create(&memory, err);
  if (rc == 0) rc = fill(o, m, memory, h, err);
  const simt_setup_t s = {.module = m, .memory = memory, .host = h, .next = simt_prepared_next};
  if (rc == 0) rc = simt_create(w, &s, err);
  if (rc == 0) return 0;
  if (m) ptx_free(m);
  memory_destroy(memory);
  return -1;
}

/* ---- its line -------------------------------------------------------------------------------- */

static void print_first(const opcode_t *o, const opcode_difference_t *d) {
  printf("; the first:");
  for (unsigned k = 0; k < o->n_operands; k++) {
    const unsigned bytes = ptx_type_bytes(o->operand[k]);
    const uint64_t v = opcode_value(o, k, d->thread, OPCODE_THREADS);
    const uint64_t bits = o->operand[k] == PTX_PRED ? v & 1
                          : bytes == 8              ? v
                                                    : v & ((UINT64_C(1) << 8 * bytes) - 1);
    printf(" 0x%0*" PRIx64, 2 * (int)bytes, bits);
  }
  printf(" gives 0x%0*" PRIx64 ", here 0x%0*" PRIx64, 2 * (int)ptx_type_bytes(o->result), d->has,
         2 * (int)ptx_type_bytes(o->result), d->wants);
}

static void print(run_t *r, const opcode_t *o, const opcode_difference_t *d) {
  printf("%-32s ", o->name);
  if (d->differ == 0) {
    r->equal++;
    printf("equal, %" PRIu64 "\n", d->n);
    return;
  }
  *(o->near ? &r->near : &r->differ) += 1;
  printf("%s in %" PRIu64 " of %" PRIu64, o->near ? "near, another" : "DIFFERS", d->differ, d->n);
  if (ptx_is_float(o->result))
    printf(": up to %" PRIu64 " ulp, %.3g; %" PRIu64 " not a number in other bits, %" PRIu64
           " on one side",
           d->ulp, d->apart, d->nan_bits, d->nan);
  print_first(o, d);
  printf("\n");
}

/* The GPU's own faults end all. */
static int compare(run_t *r, const opcode_t *o, workload_t *w, beside_t *b, mrpb_err_t *err) {
  simt_view_t v;
  uint64_t bytes = 0;
  opcode_difference_t d;
  const int end = beside_run(b, LIMIT_S, NULL, err);
  if (end == WORKLOAD_FAILED) return -1;
  const uint8_t *has = beside_memory(b, &bytes);
  const uint64_t out = (uint64_t)OPCODE_THREADS * OPCODE_IN;
  simt_view(w, &v);
  opcode_compare(o, has + out,
                 memory_at(v.memory, MEMORY_BASE + out, (uint64_t)OPCODE_THREADS * OPCODE_OUT),
                 OPCODE_THREADS, &d);
  if (end == 0 || d.differ > 0) return print(r, o, &d), 0;
  r->differ++;
  printf("%-32s DIFFERS, but not in its results: %s\n", o->name, err->text);
  return 0;
}

static int run_kernel(run_t *r, const opcode_t *o) {
  mrpb_err_t err = {{0}}, refused = {{0}};
  simt_prepared_t h = {.left = 1};
  workload_t *w = NULL;
  beside_t *b = NULL;
  int rc = open_kernel(&w, o, &h, &err);
  if (rc == 0 && !r->card) {
    rc = workload_run_within(w, 0, &err);
  } else if (rc == 0 && beside_open(&b, r->card, w, &refused) != 0) {
    r->refused++;
    printf("%-32s refused: %s\n", o->name, refused.text);
  } else if (rc == 0) {
    rc = compare(r, o, w, b, &err);
  }
  beside_close(b);
  workload_close(w);
  if (rc != 0) fprintf(stderr, "opcodes: %s: %s\n", o->name, err.text);
  return rc ? 2 : 0;
}

/* ---- all of them ------------------------------------------------------------------------------- */

static int write_text(const run_t *r, const opcode_t *o) {
  char path[512];
  snprintf(path, sizeof path, "%.300s/%04u.ptx", r->folder, r->kernels);
  FILE *f = fopen(path, "w");
  bool bad = !f || fprintf(f, "// %s\n%s", o->name, o->text) < 0;
  if (f) bad |= fclose(f) != 0;
  if (bad) fprintf(stderr, "opcodes: %s: cannot be written\n", path);
  return bad ? 2 : 0;
}

static bool is_wanted(const run_t *r, const opcode_t *o) {
  bool wanted = r->n_prefixes == 0;
  for (int i = 0; i < r->n_prefixes; i++)
    wanted |= strncmp(o->name, r->prefix[i], strlen(r->prefix[i])) == 0;
  return wanted;
}

static int take(void *ctx, const opcode_t *o) {
  run_t *r = ctx;
  if (!is_wanted(r, o)) return 0;
  r->kernels++;
  return r->folder ? write_text(r, o) : run_kernel(r, o);
}

static int usage(void) {
  fprintf(
      stderr,
      "usage: opcodes [--without | --texts FOLDER] [--sequences] [PREFIX ...]: on GPU 0; on the "
      "executor alone; the texts only; pairs and triples\n");
  return 2;
}

static void summary(const run_t *r) {
  printf("opcodes: %u kernels", r->kernels);
  if (r->card)
    printf(": %u equal, %u approximations that are others, %u refused by the driver's compiler, %u "
           "that differ",
           r->equal, r->near, r->refused, r->differ);
  printf("\n");
}

int main(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  run_t r = {0};
  int at = 1;
  const bool without = argc > at && strcmp(argv[at], "--without") == 0;
  if (without) at++;
  if (!without && argc > at + 1 && strcmp(argv[at], "--texts") == 0)
    r.folder = argv[at + 1], at += 2;
  const bool sequences = argc > at && strcmp(argv[at], "--sequences") == 0;
  if (sequences) at++;
  r.prefix = argv + at, r.n_prefixes = argc - at;
  for (int i = at; i < argc; i++)
    if (argv[i][0] == '-') return usage();
  if (!without && !r.folder && card_open(&r.card, 0, NULL, &err) != 0) {
    fprintf(stderr, "opcodes: %s\n", err.text);
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0); /* of a run that is ended early the lines so far are there */
  if (r.card) printf("%s\n", card_info(r.card)->name);
  const int rc = sequences ? opcode_sequences(take, &r) : opcode_each(take, &r);
  if (rc == OPCODE_TOO_LONG) fprintf(stderr, "opcodes: a kernel's text or name is too long\n");
  summary(&r);
  card_close(r.card);
  return rc ? rc : r.differ > 0;
}
