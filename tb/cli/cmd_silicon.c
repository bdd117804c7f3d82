/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb silicon`: programs on the model beside a GPU that has been measured. */
#include "base/input.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/run_machine.h"
#include "cli/source.h"
#include "studies/chips/chips.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 64, MAX_ONLY = 64, MAX_WORDS = 16 };

typedef struct {
  const char *measured, *model, *config, *list, *save, *dir, *markdown;
  const char *sets[MAX_SETS], *only[MAX_ONLY];
  unsigned n_sets, n_only;
} options_t;

static const cli_option_t options[] = {
    CLI_TEXT(options_t, measured, "--measured", "FILE",
             "counts of a GPU's launches: tests/silicon/counters.sh"),
    CLI_TEXT(options_t, model, "--model", "FILE", "the model's counts, from an earlier --save"),
    CLI_TEXT(options_t, config, "-c", "FILE", "or: runs the launches on this model"),
    CLI_LIST(options_t, sets, n_sets, MAX_SETS, "--set", "KEY=VALUE", "a key of it"),
    CLI_TEXT(options_t, list, "--list", "FILE", "what the runs are (tests/silicon/counters.list)"),
    CLI_LIST(options_t, only, n_only, MAX_ONLY, "--only", "RUN", "only this run, and no tables"),
    CLI_TEXT(options_t, save, "--save", "FILE", "where its counts go"),
    CLI_TEXT(options_t, markdown, "--markdown", "FILE", "writes the tables there instead"),
    CLI_TEXT(options_t, dir, "-o", "DIR", "draws the model's cycles over the chip's"),
};

static const cli_rule_t rules[] = {
    {"--save --list --only --set", "-c", NULL,
     "--save, --list, --only, --set: legal: with -c FILE"},
};

static int check(options_t *o, mrpb_err_t *err) {
  const char *const files[] = {o->save, o->markdown, o->measured, o->model, o->list, o->config};
  if (!o->measured) return mrpb_fail(err, "no counts of a GPU; legal: --measured FILE");
  if (!o->model == !o->config) return mrpb_fail(err, "--model, -c: legal: one of them");
  if (!o->list) o->list = "tests/silicon/counters.list";
  if (o->config && !o->save) return mrpb_fail(err, "-c: legal: with --save FILE");
  return cli_apart(files, 2, sizeof files / sizeof *files, err);
}

/* ---- runs on the model ------------------------------------------------------------ */

typedef struct {
  const options_t *o;
  const chips_table_t *chip;
  const config_t *cfg;
  FILE *out;
  int run;
  unsigned done;
} runs_t;

typedef struct {
  cli_source_t source;
} line_t;

static const cli_option_t line_options[] = {CLI_SOURCE(line_t, source)};
static const cli_command_t line_of_list = {
    .name = "silicon", .operands = "", .doc = "a line of a list", CLI_OPTIONS(line_options)};

static unsigned measured(const runs_t *r, const char *run) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->chip->rows; i++)
    n += strcmp(chips_field(r->chip, i, r->run), run) == 0;
  return n;
}

static bool wanted(const options_t *o, const char *run) {
  for (unsigned i = 0; i < o->n_only; i++)
    if (strcmp(o->only[i], run) == 0) return true;
  return o->n_only == 0;
}

static int run_words(runs_t *r, const char *run, unsigned launches, int n, char **word,
                     mrpb_err_t *err) {
  line_t line = {{0}};
  const char *name;
  workload_t *w = NULL;
  uint64_t moved;
  if (cli_parse(&line_of_list, &line, n, word, err) != CLI_PARSED) return -1;
  if (source_check(&line.source, &name, err) != 0) return -1;
  if (source_open(&line.source, &w, NULL, err) != 0) return -1;
  if (cli_progress()) fprintf(cli_progress(), "%s\n", run);
  int rc = simt_as_driver(w, &moved, err); /* a chip never runs the text as it stands */
  if (rc == 0) rc = chips_model_run(r->out, run, launches, r->cfg, w, err);
  workload_close(w);
  return rc;
}

/* SET RUN LAUNCHES OPTIONS */
static int take_line(void *ctx, char *line, mrpb_err_t *err) {
  runs_t *r = ctx;
  char *word[MAX_WORDS], *save, *at = line;
  int n = 0;
  if (line[0] == '#') return 0;
  for (char *w; n < MAX_WORDS && (w = strtok_r(at, " ", &save)); at = NULL) word[n++] = w;
  if (n == 0) return 0;
  if (n < 4 || n == MAX_WORDS)
    return mrpb_fail(err, "legal: SET RUN LAUNCHES and the options of `mrpb run`");
  const unsigned launches = measured(r, word[1]);
  if (launches == 0 || !wanted(r->o, word[1]) || cli_signalled()) return 0;
  r->done++;
  return run_words(r, word[1], launches, n - 2, word + 2, err);
}

static int run_all(const options_t *o, const chips_table_t *chip, FILE *out, mrpb_err_t *err) {
  config_t m;
  const unit_choice_t choice = {.sm = -1};
  const run_asks_t asks = {.choice = &choice};
  runs_t r = {.o = o, .chip = chip, .out = out};
  if (run_machine_load(&m, o->config, o->sets, o->n_sets, &asks, err) != 0) return -1;
  if (m.core != CONFIG_CORE_IN_ORDER || m.memory != CONFIG_MEMORY_PORTS)
    return mrpb_fail(err, "%s: legal: CORE = in-order, MEMORY = ports", o->config);
  r.cfg = &m;
  r.run = chips_column(chip, "run", err);
  if (r.run < 0) return -1;
  chips_model_head(out);
  if (input_lines(o->list, take_line, &r, err) != 0) return -1;
  if (r.done == 0) return mrpb_fail(err, "%s: no run of %s", o->list, o->measured);
  return 0;
}

/* Runs, and keeps the counts in `path`. */
static int run_into(const options_t *o, const chips_table_t *chip, const char *path,
                    mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *out = output_open(path, temp, err);
  if (!out) return -1;
  const int rc = run_all(o, chip, out, err);
  if (rc == 0 && !cli_signalled()) return output_close(out, false, path, temp, err);
  (void)fclose(out);
  output_discard(path, temp);
  return rc;
}

/* ---- the tables -------------------------------------------------------------------- */

/* The plot has the name of the measured file. */
static int draw(const options_t *o, const chips_pair_t *pair, unsigned n, mrpb_err_t *err) {
  const char *name = strrchr(o->measured, '/');
  char stem[96];
  snprintf(stem, sizeof stem, "%s", name ? name + 1 : o->measured);
  stem[strcspn(stem, ".")] = '\0';
  return chips_plot(pair, n, o->dir, stem, err);
}

static int show(const options_t *o, const chips_table_t *chip, const chips_table_t *model,
                mrpb_err_t *err) {
  chips_pair_t *pair;
  unsigned n;
  char temp[OUTPUT_NAME];
  if (chips_pairs(&pair, &n, chip, model, err) != 0) return -1;
  int rc = o->dir ? draw(o, pair, n, err) : 0;
  FILE *out = rc == 0 && o->markdown ? output_open(o->markdown, temp, err) : stdout;
  if (!out) rc = -1;
  if (rc == 0) chips_page(out, pair, n);
  if (rc == 0 && o->markdown) rc = output_close(out, false, o->markdown, temp, err);
  free(pair);
  return rc;
}

static int work(const options_t *o, mrpb_err_t *err) {
  chips_table_t chip = {0}, model = {0};
  int rc = chips_table_read(&chip, o->measured, err);
  if (rc == 0 && o->config) rc = run_into(o, &chip, o->save, err);
  if (rc == 0 && !cli_signalled() && o->n_only == 0)
    rc = chips_table_read(&model, o->config ? o->save : o->model, err);
  if (rc == 0 && model.rows) rc = show(o, &chip, &model, err);
  chips_table_free(&chip);
  chips_table_free(&model);
  return rc;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  options_t o = {0};
  const int rc = cli_parse(&cmd_silicon, &o, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED || check(&o, &err) != 0 || work(&o, &err) != 0)
    return cli_fail("silicon", &err);
  return cli_signalled() ? CLI_INTERRUPTED : CLI_OK;
}

const cli_command_t cmd_silicon = {
    .name = "silicon",
    .operands = "",
    .doc = "programs on the model beside a GPU that was measured, launch by launch",
    .details = "Exit 0 success, 2 wrong input, 130 Ctrl-C. docs/silicon.md",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .run = run,
};
