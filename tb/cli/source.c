/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the workload from its options, and its name and hash for a sweep: see source.h. */
#include "cli/source.h"

#include "base/hash.h"
#include "base/lines.h"
#include "cli/cli.h"
#include "workload/simt/simt.h"
#include "workload/trace/trace.h"

#include <inttypes.h>
#include <string.h>

enum { NUMBER = 24 };

/* ---- checks ---------------------------------------------------------------------------------- */

static int fill_program(cli_source_t *s, mrpb_err_t *err) {
  program_options_t *p = &s->program;
  *p = (program_options_t){.cut = (uint32_t)s->cut,
                           .size = (uint32_t)s->size,
                           .steps = (uint32_t)s->steps,
                           .acc_reload = s->acc_reload};
  for (int m = PROGRAM_MODEL_A; s->model && m <= PROGRAM_MODEL_C; m++) {
    if ((s->model[0] & ~0x20) != program_model_name((program_model_t)m)[0] || s->model[1]) continue;
    p->model = (program_model_t)m;
    return 0;
  }
  return s->model ? mrpb_fail(err, "--model %.60s: legal: A, B or C", s->model) : 0;
}

int source_check(cli_source_t *s, const char **name, mrpb_err_t *err) {
  const cli_ptx_t *x = &s->ptx;
  const bool of_program = s->size || s->cut || s->steps || s->model || s->acc_reload;
  const bool of_ptx =
      x->n_args || x->n_dumps || x->n_textures || x->grid || x->block || x->regs || x->shared;
  if (fill_program(s, err) != 0) return -1;
  if (!x->file && of_ptx)
    return mrpb_fail(err, "--grid --block --regs --shared --arg --dump --tex go with --ptx FILE");
  if ((x->file || s->trace || s->launch) && of_program)
    return mrpb_fail(err,
                     "--size --cut --steps --model --acc-reload go with a program, not with %s",
                     s->trace    ? "--trace"
                     : s->launch ? "--launch"
                                 : "--ptx");
  if (s->launch && (s->kernel || x->file || s->trace))
    return mrpb_fail(err, "--launch goes without --kernel, --ptx and --trace");
  if (s->n_lets && !s->launch) return mrpb_fail(err, "--let goes with --launch FILE");
  if (s->trace && (s->kernel || x->file))
    return mrpb_fail(err, "--trace goes without --kernel, --ptx and --functional");
  if (!s->trace && !s->kernel && !x->file && !s->launch) s->kernel = "atax";
  *name = s->trace ? s->trace : s->launch ? s->launch : s->kernel;
  return 0;
}

/* Reads a launch file, or a PTX text with options for its only launch. */
static int read_host(cli_source_t *s, mrpb_err_t *err) {
  const launch_options_t o = {.text = s->lets, .n = s->n_lets};
  if (s->launch) return launch_read(&s->host, s->launch, &o, err);
  return cli_ptx_read(&s->ptx, s->kernel, &s->host, err);
}

int source_open(cli_source_t *s, workload_t **w, mrpb_err_t *note, mrpb_err_t *err) {
  if (s->trace) return trace_open(w, s->trace, note, err);
  if (!s->ptx.file && !s->launch) return program_open(w, s->kernel, &s->program, err);
  if (read_host(s, err) == 0 && launch_open(w, s->host, err) == 0) {
    simt_print_to(*w, stdout);
    return 0;
  }
  launch_free(s->host);
  s->host = NULL;
  return -1;
}

int source_apart(const cli_source_t *s, const char *const *outputs, unsigned n, mrpb_err_t *err) {
  const char *path;
  for (unsigned i = 0; s->host && (path = launch_output(s->host, i)); i++) {
    const char *other;
    for (unsigned k = i + 1; (other = launch_output(s->host, k)); k++)
      if (cli_apart((const char *[]){path, other}, 2, 2, err) != 0) return -1;
    for (unsigned k = 0; k < n; k++)
      if (cli_apart((const char *[]){path, outputs[k]}, 2, 2, err) != 0) return -1;
    for (unsigned k = 0; (other = launch_input(s->host, k)); k++)
      if (cli_apart((const char *[]){path, other}, 1, 2, err) != 0) return -1;
  }
  return 0;
}

/* ---- of a sweep ------------------------------------------------------------------------------ */

typedef struct {
  cli_source_t source;
} line_t;

static const cli_option_t options[] = {CLI_SOURCE(line_t, source)};

static const cli_command_t line_of_file = {
    .name = "sweep", .operands = "", .doc = "a line `program`", CLI_OPTIONS(options)};

/* The program's words and their hash; in the hash a file's contents replace its name. */
typedef struct {
  const char *word[SWEEP_MOST_WORDS];
  char number[SWEEP_MOST_WORDS][NUMBER];
  unsigned n;
  uint64_t hash;
} words_t;

static const char *file_of(const char *option, const char *value) {
  if (strcmp(option, "--ptx") == 0 || strcmp(option, "--trace") == 0 ||
      strcmp(option, "--launch") == 0)
    return value;
  return strcmp(option, "--arg") == 0 && strncmp(value, "buf:@", 5) == 0 ? value + 5 : NULL;
}

static int add(words_t *w, const char *option, const char *value, mrpb_err_t *err) {
  const char *file = value ? file_of(option, value) : NULL;
  if (w->n + 2 > SWEEP_MOST_WORDS)
    return mrpb_fail(err, "%s: too many words; legal: %d for a program", option, SWEEP_MOST_WORDS);
  w->word[w->n++] = option;
  w->hash = hash_text(w->hash, option);
  if (!value) return 0;
  w->word[w->n++] = value;
  if (file) return hash_file(&w->hash, file, err);
  w->hash = hash_text(w->hash, value);
  return 0;
}

/* Adds the option's value as it would be typed. */
static int add_option(words_t *w, const cli_option_t *o, const line_t *line, mrpb_err_t *err) {
  const char *at = (const char *)line + o->at;
  if (o->most > 0) {
    const char *const *list = (const char *const *)(const void *)at;
    const unsigned n = *(const unsigned *)(const void *)((const char *)line + o->count_at);
    for (unsigned i = 0; i < n; i++)
      if (add(w, o->name, list[i], err) != 0) return -1;
    return 0;
  }
  if (!o->value) return *(const bool *)at ? add(w, o->name, NULL, err) : 0;
  if (o->max > 0) {
    const uint64_t v = *(const uint64_t *)(const void *)at;
    snprintf(w->number[w->n], NUMBER, "%" PRIu64, v);
    return v ? add(w, o->name, w->number[w->n], err) : 0;
  }
  const char *text = *(const char *const *)(const void *)at;
  return text ? add(w, o->name, text, err) : 0;
}

/* Refuses a list of Accel-Sim's kernels, because it is not the whole of a trace. */
static int refuse_list(const char *path, mrpb_err_t *err) {
  lines_t *l;
  const char *text;
  if (lines_open(&l, path, err) != 0) return -1;
  int rc = lines_next(l, &text, err);
  if (rc > 0 && text[0] != '-' && strcmp(text, "mrpb-trace 1") != 0)
    rc = mrpb_fail(err, "%s: names other files; legal in a sweep: a trace in one file", path);
  lines_close(l);
  return rc < 0 ? -1 : 0;
}

/* Files that a launch file reads are hashed with it. A launch file that writes is refused, because
 * points that run in parallel would write the same files. */
static int add_host(const launch_program_t *host, uint64_t *hash, mrpb_err_t *err) {
  if (launch_output(host, 0))
    return mrpb_fail(err, "%s: writes files; legal in a sweep: without `write`",
                     launch_input(host, 0));
  for (unsigned i = 1; launch_input(host, i); i++)
    if (hash_file(hash, launch_input(host, i), err) != 0) return -1;
  return 0;
}

/* Checks that it would run. A program of this project need not be opened for that. */
static int try_it(cli_source_t *s, uint64_t *hash, mrpb_err_t *err) {
  workload_t *w;
  if (!s->trace && !s->ptx.file && !s->launch) return program_check(s->kernel, &s->program, err);
  if (source_open(s, &w, NULL, err) != 0) return -1;
  const int rc = s->launch ? add_host(s->host, hash, err) : 0;
  workload_close(w);
  s->host = NULL;
  if (rc != 0) return rc;
  return s->trace ? refuse_list(s->trace, err) : 0;
}

int source_add(cli_source_t *s, sweep_list_t *l, mrpb_err_t *err) {
  const char *name;
  words_t w = {.hash = HASH_START};
  line_t line;
  if (source_check(s, &name, err) != 0 || try_it(s, &w.hash, err) != 0) return -1;
  if (s->model) /* a model equal to the default is treated like none */
    s->model = s->program.model ? program_model_name(s->program.model) : NULL;
  line.source = *s;
  for (unsigned i = 0; i < line_of_file.n_options; i++)
    if (add_option(&w, &options[i], &line, err) != 0) return -1;
  const char *file = s->trace ? s->trace : s->ptx.file;
  if (!name) name = file;
  return sweep_list_program(l, name, w.word, w.n, s->cut || s->size || s->steps, w.hash, err);
}

int source_take_line(sweep_list_t *l, int n, char **word, mrpb_err_t *err) {
  line_t line = {{0}};
  if (n < 2)
    return mrpb_fail(err, "legal: program OPTIONS, those of `mrpb run` that say what runs");
  for (int i = 1; i < n; i++)
    if (strcmp(word[i], "--help") == 0 || strcmp(word[i], "-h") == 0)
      return mrpb_fail(err, "%s: not an option of a program", word[i]);
  if (cli_parse(&line_of_file, &line, n, word, err) != CLI_PARSED) return -1;
  return source_add(&line.source, l, err) < 0 ? -1 : 0;
}

int source_rewrite(workload_t *w, bool contract, bool as_driver, mrpb_err_t *err) {
  uint64_t n = 0;
  if (contract && simt_contract(w, &n, err) != 0) return -1;
  if (contract) fprintf(stderr, "mrpb run: note: sums of products that are fma: %" PRIu64 "\n", n);
  if (as_driver && simt_as_driver(w, &n, err) != 0) return -1;
  if (as_driver) fprintf(stderr, "mrpb run: note: loads that are moved forward: %" PRIu64 "\n", n);
  return 0;
}
