/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a program, builds it by calls, and makes it a workload: see launch.h. */
#include "workload/launch/launch_state.h"

#include "base/input.h"
#include "base/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS (UINT64_C(1) << 32)

/* ---- creating and freeing ------------------------------------------------------------------------ */

void launch_free(launch_program_t *p) {
  if (!p) return;
  for (size_t s = 0; s < p->n_symbols; s++)
    if (p->symbols[s].kind == LAUNCH_ON_HOST) free(p->symbols[s].at);
  for (size_t i = 0; i < p->n_files; i++) free(p->files[i].bytes);
  for (size_t i = 0; i < p->n_texts; i++) free(p->texts[i]);
  ptx_free(p->module);
  memory_destroy(p->memory);
  free(p->symbols);
  free(p->nodes);
  free(p->lists);
  free(p->pieces);
  free(p->statements);
  free(p->texts);
  free(p->inputs);
  free(p->files);
  free(p);
}

/* Also creates symbol 0, the number of an element, and node 0, which means none. */
int launch_new(launch_program_t **out, const char *name, mrpb_err_t *err) {
  launch_program_t *p = calloc(1, sizeof *p);
  *out = NULL;
  if (!p) return mrpb_fail(err, "%s: out of memory", name);
  p->name = name;
  p->most_steps = MOST_STEPS;
  launch_symbol_t *i = LAUNCH_PUSH(p, symbols, err);
  const bool room = i && LAUNCH_PUSH(p, nodes, err) && (p->name = launch_keep(p, name, err)) &&
                    memory_create(&p->memory, err) == 0;
  if (i) *i = (launch_symbol_t){.name = "i", .kind = LAUNCH_VALUE};
  if (room) return *out = p, 0;
  launch_free(p);
  return -1;
}

ptx_module_t *launch_take_text(launch_program_t *p, const char *path, mrpb_err_t *err) {
  size_t size = 0;
  char *text = input_text(path, LAUNCH_MOST_TEXT, &size, err);
  int rc = text ? 0 : -1;
  if (rc == 0 && p->module)
    rc = ptx_read_behind(p->module, text, size, path, err);
  else if (rc == 0)
    rc = ptx_read(&p->module, text, size, path, err);
  free(text);
  return rc == 0 ? p->module : NULL;
}

/* ---- reading ------------------------------------------------------------------------------------- */

static int take_line(void *ctx, char *line, mrpb_err_t *why) {
  launch_reader_t *r = ctx;
  r->line++;
  r->err = why;
  return launch_read_line(r, line);
}

/* Checks that need the whole file. */
static int check(const launch_reader_t *r, mrpb_err_t *err) {
  const launch_program_t *p = r->p;
  bool launched = false;
  if (r->n_open)
    return mrpb_fail(err, "%s:%" PRIu32 ": a repeat without its `end`", p->name,
                     p->statements[r->open[r->n_open - 1]].line);
  for (size_t s = 0; s < p->n_statements; s++) launched |= p->statements[s].op == LAUNCH_OP_launch;
  if (!launched) return mrpb_fail(err, "%s: no launch", p->name);
  for (unsigned i = 0; r->options && i < r->options->n; i++) {
    const char *text = r->options->text[i], *equals = strchr(text, '=');
    bool known = false;
    for (size_t s = 1; equals && s < p->n_symbols; s++)
      known |= p->symbols[s].fixed && strlen(p->symbols[s].name) == (size_t)(equals - text) &&
               strncmp(p->symbols[s].name, text, (size_t)(equals - text)) == 0;
    if (!known)
      return mrpb_fail(err, "--let %.80s: legal: NAME=NUMBER, with a NAME that %s has a `let` of",
                       text, p->name);
  }
  return 0;
}

int launch_read(launch_program_t **out, const char *path, const launch_options_t *options,
                mrpb_err_t *err) {
  launch_program_t *p;
  if (launch_new(&p, path, err) != 0) return *out = NULL, -1;
  launch_reader_t *r = calloc(1, sizeof *r);
  const char **first = LAUNCH_PUSH(p, inputs, err);
  int rc = r && first ? 0 : mrpb_fail(err, "%s: out of memory", path);
  if (first) *first = p->name;
  if (options && options->steps) p->most_steps = options->steps;
  if (r) *r = (launch_reader_t){.p = p, .options = options};
  if (rc == 0) rc = input_lines(path, take_line, r, err);
  if (rc == 0) rc = check(r, err);
  free(r);
  if (rc != 0) launch_free(p);
  *out = rc == 0 ? p : NULL;
  return rc;
}

/* ---- building by calls --------------------------------------------------------------------------- */

simt_launch_t *launch_only(launch_program_t *p, const ptx_kernel_t *kernel, mrpb_err_t *err) {
  launch_statement_t *s = LAUNCH_PUSH(p, statements, err);
  if (!s) return NULL;
  s->op = LAUNCH_OP_launch;
  p->only = true;
  p->launch = (simt_launch_t){.kernel = kernel, .regs = LAUNCH_REGS};
  return &p->launch;
}

int launch_add_buffer(launch_program_t *p, uint64_t bytes, launch_contents_t contents,
                      uint64_t seed, const char *file, uint64_t align, mrpb_err_t *err) {
  size_t n = 0;
  char *text = contents == LAUNCH_FILE ? input_text(file, LAUNCH_MOST_BYTES, &n, err) : NULL;
  if (contents == LAUNCH_FILE && !text) return -1;
  if (text) bytes = n;
  if (align) memory_align(p->memory, align);
  const uint64_t addr = memory_alloc(p->memory, bytes, err);
  launch_symbol_t *s = addr ? LAUNCH_PUSH(p, symbols, err) : NULL;
  if (s) {
    *s = (launch_symbol_t){
        .kind = LAUNCH_ON_GPU, .type = LAUNCH_TYPE_u8, .count = bytes, .addr = addr};
    s->at = memory_at(p->memory, addr, bytes);
    if (text) memcpy(s->at, text, bytes);
    if (contents == LAUNCH_RANDOM) launch_fill_random(s->at, bytes / 4, seed);
    for (uint64_t i = 0; contents == LAUNCH_COUNT && i < bytes / 4; i++)
      memcpy(s->at + 4 * i, &(uint32_t){(uint32_t)i}, 4);
  }
  free(text);
  return s ? (int)(p->n_symbols - 1) : -1;
}

uint64_t launch_address(const launch_program_t *p, int buffer) {
  return p->symbols[buffer].addr;
}

int launch_add_write(launch_program_t *p, int buffer, const char *path, mrpb_err_t *err) {
  const char *kept = launch_path(p, path, false, err);
  launch_file_t *f = kept ? LAUNCH_PUSH(p, files, err) : NULL;
  launch_statement_t *s = f ? LAUNCH_PUSH(p, statements, err) : NULL;
  if (!s) return -1;
  *f = (launch_file_t){.path = kept, .type = LAUNCH_TYPE_u8};
  *s = (launch_statement_t){.op = LAUNCH_OP_write,
                            .symbol = (uint32_t)buffer,
                            .other = (uint32_t)(p->n_files - 1),
                            .file = kept};
  return 0;
}

/* ---- the workload -------------------------------------------------------------------------------- */

static bool host_next(void *host, simt_launch_t *l) {
  launch_program_t *p = host;
  if (p->result) return false;
  if (p->only && p->at == 0) {
    p->at = 1;
    *l = p->launch;
    return true;
  }
  const int rc = launch_go_on(p, &p->why);
  if (rc < 0) p->result = rc;
  if (rc == 1) *l = p->launch;
  return rc == 1;
}

static double host_progress(const void *host) {
  const launch_program_t *p = host;
  return p->n_statements ? (double)p->at / (double)p->n_statements : 1;
}

static int host_check(void *host, mrpb_err_t *err) {
  const launch_program_t *p = host;
  if (p->result) mrpb_fail(err, "%s", p->why.text);
  return p->result;
}

/* The workload owns the module and the memory, and frees them itself. */
static void host_destroy(void *host) {
  launch_program_t *p = host;
  p->module = NULL;
  p->memory = NULL;
  launch_free(p);
}

int launch_open(workload_t **out, launch_program_t *p, mrpb_err_t *err) {
  *out = NULL;
  for (size_t i = 0; i < p->n_files; i++)
    if (!p->only && output_try(p->files[i].path, err) != 0) return -1;
  const int rc = p->only ? 1 : launch_go_on(p, &p->why);
  if (rc == WORKLOAD_FAILED) return mrpb_fail(err, "%s", p->why.text);
  if (rc == WORKLOAD_DIFFERS) p->result = rc; /* reported later, as for other comparisons */
  const simt_setup_t setup = {.module = p->module,
                              .memory = p->memory,
                              .host = p,
                              .next = host_next,
                              .progress = host_progress,
                              .check = host_check,
                              .destroy = host_destroy};
  if (simt_create(&p->workload, &setup, err) != 0) return -1;
  *out = p->workload;
  return 0;
}

/* ---- after the run ------------------------------------------------------------------------------- */

uint64_t launch_compared(const launch_program_t *p) {
  return p->compared;
}

bool launch_loose(const launch_program_t *p, unsigned i, uint64_t *addr, uint64_t *bytes) {
  if (i >= p->n_symbols) return false;
  const launch_symbol_t *s = &p->symbols[i];
  *addr = s->addr;
  *bytes = s->loose && s->addr ? s->count * launch_type_bytes(s->type) : 0;
  return true;
}

const char *launch_input(const launch_program_t *p, unsigned i) {
  return i < p->n_inputs ? p->inputs[i] : NULL;
}

const char *launch_output(const launch_program_t *p, unsigned i) {
  return i < p->n_files ? p->files[i].path : NULL;
}

static bool print_text(FILE *f, const launch_file_t *from) {
  const unsigned bytes = launch_type_bytes(from->type);
  for (uint64_t i = 0; i < from->count; i++) {
    char text[40];
    launch_print(from->type, launch_load(from->type, from->bytes + i * bytes), text, sizeof text);
    if (fprintf(f, "%s\n", text) < 0) return false;
  }
  return true;
}

static int write_one(const launch_file_t *from, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  const size_t bytes = from->count * launch_type_bytes(from->type);
  FILE *f = output_open(from->path, temp, err);
  if (!f) return -1;
  const bool good = from->text ? print_text(f, from) : fwrite(from->bytes, 1, bytes, f) == bytes;
  return output_close(f, !good, from->path, temp, err);
}

int launch_write(const launch_program_t *p, mrpb_err_t *err) {
  for (size_t i = 0; i < p->n_files; i++)
    if (p->files[i].bytes && write_one(&p->files[i], err) != 0) return -1;
  return 0;
}

/* ---- the tables ---------------------------------------------------------------------------------- */

const launch_row_t *launch_statement_row(unsigned i) {
  static const launch_row_t rows[] = {
#define STATEMENT(word, rest, doc) {#word, rest, doc},
#include "workload/launch/launch.def"
  };
  return i < sizeof rows / sizeof *rows ? &rows[i] : NULL;
}

const launch_row_t *launch_function_row(unsigned i) {
  static const launch_row_t rows[] = {
#define FUNCTION(name, least, most, doc) {#name, "", doc},
#include "workload/launch/launch.def"
  };
  return i < sizeof rows / sizeof *rows ? &rows[i] : NULL;
}
