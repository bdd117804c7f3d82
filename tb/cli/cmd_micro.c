/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb micro`: runs a study's micro-benchmarks on the model of a GPU, or on a GPU. */
#include "cli/cli.h"
#include "cosim/unit_rtl.h"
#include "base/gnuplot.h"
#include "base/home.h"
#include "base/output.h"
#include "base/json_out.h"
#include "studies/micro/export.h"
#include "studies/micro/hidden.h"
#include "studies/micro/live.h"
#include "studies/micro/study.h"

#include <errno.h>
#include <string.h>

enum { MAX_SETS = 64, NAME = 64 };

typedef struct {
  const char *study, *config, *folder, *json, *markdown, *save, *measured, *exported;
  export_form_t form; /* format of the exported file */
  rtl_from_t from;
  const char *sets[MAX_SETS];
  unsigned n_sets;
  uint64_t hidden; /* seed; 0: the configuration is not hidden */
  unit_choice_t choice;
  bool live; /* a GPU of this machine instead of the model */
  uint64_t number, repeats, hang;
} options_t;

static int take_study(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  (void)name;
  return cli_once(&o->study, v, "legal: one study", err);
}

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  return cli_append(o->sets, &o->n_sets, MAX_SETS, name, v, err);
}

static int take_impl(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  (void)name;
  return unit_parse(&o->choice, v, err);
}

static int take_gpu(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  o->live = true;
  return v ? cli_number(name, v, 0, 255, &o->number, err) : 0;
}

/* Reads FORM:FILE. */
static int take_export(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  char form[16];
  const size_t n = strcspn(v, ":");
  if (!v[n] || !v[n + 1] || n >= sizeof form)
    return mrpb_fail(err, "%s %.60s: legal: mrpb:FILE, accel-sim:FILE", name, v);
  snprintf(form, sizeof form, "%.*s", (int)n, v);
  o->exported = v + n + 1;
  return export_form(form, &o->form, err);
}

static const cli_option_t options[] = {
    CLI_TEXT(options_t, config, "-c", "FILE", "the GPU: configs/m2070.conf, k20, gtx560ti, ..."),
    CLI_MANY(take_set, "--set", "KEY=VALUE", "a key of it; `mrpb help-config` lists them"),
    CLI_MANY(take_impl, "--impl", "UNIT=c|rtl|both,...", "mshr, prt: C, Verilog, or both compared"),
    CLI_RTL(options_t, from),
    CLI_ATTACHED(take_gpu, "--gpu", "N", "GPU N (0) of this machine instead: docs/silicon.md"),
    CLI_NUMBER(options_t, repeats, "--repeats", 1, LIVE_MOST_REPEATS,
               "launches per point; the fastest one counts (25)"),
    CLI_NUMBER(options_t, hang, "--hang", 1, 86400, "seconds that a launch of it may take (60)"),
    CLI_TEXT(options_t, save, "--save", "FILE", "every launch of --gpu with its results"),
    CLI_TEXT(options_t, measured, "--measured", "FILE",
             "such a record instead of a GPU: the same studies, the same results"),
    CLI_TAKE(take_export, "--export", "FORM:FILE",
             "the deduced GPU as a configuration: mrpb, accel-sim"),
    CLI_NUMBER(options_t, hidden, "--hidden", 1, UINT32_MAX,
               "randomizes some keys with this seed, hidden from the studies; rows are compared"),
    CLI_TEXT(options_t, folder, "-o", "DIR", "folder for plots and CSV (build/micro)"),
    CLI_JSON(options_t, json, "the table"),
    CLI_TEXT(options_t, markdown, "--markdown", "FILE", "the table"),
};

/* Gives "m2070" for "configs/m2070.conf". */
static void gpu_name(const char *path, char name[NAME]) {
  const char *base = strrchr(path, '/');
  base = base ? base + 1 : path;
  snprintf(name, NAME, "%.*s", (int)strcspn(base, "."), base);
}

static int unknown_study(const char *name, mrpb_err_t *err) {
  char list[512] = "all";
  for (unsigned i = 0; study_at(i); i++) {
    size_t at = strlen(list);
    snprintf(list + at, sizeof list - at, ", %s", study_at(i)->name);
  }
  return mrpb_fail(err, "%s%.60s; legal: %s", name ? "no study " : "no study", name ? name : "",
                   list);
}

static const cli_rule_t rules[] = {
    {"--gpu", NULL, "--measured", "--gpu, --measured: legal: one of them"},
    {"--export", "--gpu --measured", NULL, "--export: legal: with --gpu or --measured"},
};

/* Refuses Verilog that no SM would run. */
static int check_impl(const options_t *o, const config_t *cfg, mrpb_err_t *err) {
  bool prt = cfg->table == DEVICE_TABLE_PRT, mshr_c = o->choice.mshr == UNIT_C;
  const char *table = prt ? "prt" : "mshr";
  if (mshr_c && o->choice.prt == UNIT_C)
    return rtl_given(&o->from)
               ? mrpb_fail(err, "--rtl %.200s: legal: with --impl %s=rtl or %s=both",
                           o->from.dir ? o->from.dir : "and -f, --map", table, table)
               : 0;
  if ((prt ? o->choice.prt : o->choice.mshr) != UNIT_C) return 0;
  return mrpb_fail(err, "--impl %s: TABLE = %s in %.200s; legal: %s=", prt ? "mshr" : "prt", table,
                   o->config, table);
}

/* Refuses options of a model for a GPU, and the reverse. */
static int check_live(const options_t *o, mrpb_err_t *err) {
  const bool model = o->config || o->n_sets || o->choice.mshr != UNIT_C ||
                     o->choice.prt != UNIT_C || o->choice.mrpb != UNIT_C || rtl_given(&o->from);
  const bool real = o->live || o->measured;
  if (real && model)
    return mrpb_fail(
        err, "%s: legal: without -c, --set, --impl, --rtl, -f and --map, which belong to a model",
        o->live ? "--gpu" : "--measured");
  if (!o->live && (o->repeats || o->save || o->hang))
    return mrpb_fail(err, "%s: legal: with --gpu",
                     o->save   ? "--save"
                     : o->hang ? "--hang"
                               : "--repeats");
  if (!real || strcmp(o->study, "all") == 0 || study_is_of(study_find(o->study), "silicon") ||
      study_is_of(study_find(o->study), "alone"))
    return 0;
  return mrpb_fail(err,
                   "%s: its kernels are for a model; legal on a GPU: all, or a study that "
                   "docs/silicon.md lists",
                   o->study);
}

static int load(const options_t *o, config_t *cfg, mrpb_err_t *err) {
  if (!o->study || (strcmp(o->study, "all") != 0 && !study_find(o->study)))
    return unknown_study(o->study, err);
  if (check_live(o, err) != 0) return -1;
  if (o->live || o->measured) return 0;
  if (!o->config) return mrpb_fail(err, "no configuration; legal: -c configs/GPU.conf");
  if (o->choice.mrpb != UNIT_C) return mrpb_fail(err, "--impl mrpb: legal: mshr= or prt=");
  if (config_load_device(cfg, o->config, err) != 0) return -1;
  for (unsigned i = 0; i < o->n_sets; i++)
    if (config_set(cfg, o->sets[i], err) != 0) return -1;
  if (config_check(cfg, o->config, err) != 0) return -1;
  return check_impl(o, cfg, err);
}

/* Reports files that cannot be written before a study has run for minutes. */
static int try_outputs(const options_t *o, mrpb_err_t *err) {
  const char *const files[] = {o->json, o->markdown, o->save, o->exported, o->config, o->measured};
  if (cli_apart(files, 4, 6, err) != 0) return -1;
  if (output_folder(o->folder, err) != 0) return -1;
  if (o->json && strcmp(o->json, "-") != 0 && output_try(o->json, err) != 0) return -1;
  if (o->exported && output_try(o->exported, err) != 0) return -1;
  return o->markdown ? output_try(o->markdown, err) : 0;
}

static int write_markdown(const char *path, const micro_table_t *t, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  int rc = micro_table_markdown(t, f, err);
  return output_close(f, rc != 0, path, temp, err);
}

static int write_up(const options_t *o, const study_t *s, mrpb_err_t *err) {
  if (micro_table_text(&s->table, stdout, err) != 0) return -1;
  if (o->markdown && write_markdown(o->markdown, &s->table, err) != 0) return -1;
  if (!o->json) return 0;
  json_t *json = json_object();
  json_out_set(&json, "rows", micro_table_json(&s->table));
  if (o->choice.ctx && unit_rtl_compared(o->choice.ctx) > 0)
    json_out_set(&json, "lockstep", unit_rtl_json(o->choice.ctx));
  if (!json) return mrpb_fail(err, "%s: out of memory; nothing was written", o->json);
  int rc = cli_write_json(o->json, json, err);
  json_decref(json);
  return rc;
}

static bool is_published(const char *gpu) {
  for (unsigned i = 0; study_at(i); i++)
    if (study_is_of(study_at(i), gpu)) return true;
  return false;
}

/* Runs one study. On a GPU, the clock must then still be what it was. */
static int run_one(const study_class_t *c, study_t *s, mrpb_err_t *err) {
  if (study_run(s, c, err) != 0) return -1;
  return s->live ? live_steady(s->live, err) : 0;
}

/* For a GPU without published results, `all` means all studies; a study that needs something that
 * this GPU does not have is left out, with a message. */
static int run_studies(const options_t *o, study_t *s, mrpb_err_t *err) {
  const bool all = strcmp(o->study, "all") == 0, own = all && s->cfg && !is_published(s->gpu);
  const char *whose = s->cfg ? s->gpu : "silicon";
  unsigned ran = 0;
  for (unsigned i = 0; study_at(i) && !cli_signalled(); i++) {
    const study_class_t *c = study_at(i);
    mrpb_err_t why = {""};
    if (all ? study_is_of(c, "alone") || (!own && !study_is_of(c, whose))
            : strcmp(c->name, o->study) != 0)
      continue;
    s->name = c->name;
    s->from = NULL;
    if (run_one(c, s, &why) == 0)
      ran++;
    else if (own)
      printf("%s: left out: %s\n", c->name, why.text);
    else
      return mrpb_fail(err, "%s", why.text);
  }
  if (cli_signalled()) return mrpb_fail(err, "interrupted");
  return ran > 0 ? 0 : mrpb_fail(err, "no study can be run on %s", s->gpu);
}

/* Prints the changed keys, so that everything can be repeated with the configuration visible. */
static int hide(const options_t *o, config_t *cfg, mrpb_err_t *err) {
  char sets[CLI_COMMAND];
  if (hidden_change(cfg, o->hidden, sets, sizeof sets, err) != 0) return -1;
  printf("hidden: -c %s%s\n", o->config, sets);
  return 0;
}

static void say_wrong(const micro_table_t *t) {
  for (size_t i = 0; i < t->n; i++) {
    const micro_row_t *r = &t->row[i];
    char deduced[MICRO_TABLE_TEXT], configured[MICRO_TABLE_TEXT];
    if (micro_deduction(r) != MICRO_DIFFERS) continue;
    micro_value_text(&r->deduced, deduced);
    micro_value_text(&r->configured, configured);
    printf("wrong: %s: %s, configured %s (%s)\n", r->what, deduced, configured, micro_sure_word(r));
  }
}

/* Runs the studies without the configuration; then with it, to know what the rows should be. */
static int run_hidden(const options_t *o, study_t *s, mrpb_err_t *err) {
  study_t seeing = *s;
  hidden_count_t n;
  s->cfg = NULL;
  seeing.out = fopen("/dev/null", "w");
  if (!seeing.out) return mrpb_fail(err, "/dev/null: %s", strerror(errno));
  int rc = run_studies(o, s, err);
  if (rc == 0) rc = run_studies(o, &seeing, err);
  if (rc == 0) rc = hidden_compare(&s->table, &seeing.table, &n, err);
  if (rc == 0)
    printf("hidden: %zu right, %zu not decided, %zu wrong, %zu of them called exact\n", n.right,
           n.open, n.wrong, n.wrong_exact);
  if (rc == 0) say_wrong(&s->table);
  micro_table_free(&seeing.table);
  fclose(seeing.out);
  return rc;
}

/* ---- on a model, on a GPU ---------------------------------------------------- */

/* A record gets its name only when all studies have ended well. */
static int measure(const options_t *o, study_t *s, mrpb_err_t *err) {
  int rc = (o->hidden ? run_hidden : run_studies)(o, s, err);
  if (rc == 0 && s->measured) rc = measured_end(s->measured, err);
  if (rc == 0) rc = write_up(o, s, err);
  if (rc != 0)
    rc = cli_fail("micro", err);
  else if (micro_table_failures(&s->table) > 0)
    rc = CLI_DIFFERENT;
  return rc;
}

static int open_verilog(options_t *o, const char *repeat, unit_rtl_set_t **rtl, mrpb_err_t *err) {
  int rc = unit_rtl_set_open(rtl, &o->from, 1, stderr, repeat, cli_progress(), err);
  if (rc == CLI_OK) rc = unit_rtl_set_check(*rtl, &o->choice, err);
  o->choice.open_rtl = unit_rtl_open;
  o->choice.ctx = *rtl;
  if (rc != CLI_OK) (void)cli_fail("micro", err);
  return rc;
}

static int run_model(options_t *o, const config_t *cfg, const char *repeat, mrpb_err_t *err) {
  unit_rtl_set_t *rtl = NULL;
  char gpu[NAME];
  int rc = CLI_OK;
  if (o->choice.mshr != UNIT_C || o->choice.prt != UNIT_C) rc = open_verilog(o, repeat, &rtl, err);
  if (rc != CLI_OK) return rc;
  gpu_name(o->config, gpu);
  study_t s = {.on = bench_gpu_model(cfg, &o->choice),
               .cfg = cfg,
               .gpu = gpu,
               .folder = o->folder,
               .out = stdout};
  rc = measure(o, &s, err);
  micro_table_free(&s.table);
  if (rc == CLI_USAGE && rtl && unit_rtl_exit_code(rtl) > 0) rc = unit_rtl_exit_code(rtl);
  if (rc == CLI_OK && rtl && unit_rtl_compared(rtl) > 0)
    printf("lockstep: %llu cycles compared, no difference\n",
           (unsigned long long)unit_rtl_compared(rtl));
  if (rc == CLI_OK && rtl && (rc = unit_rtl_verdict(rtl, "lockstep: ", stdout, err)) != RTL_OK)
    (void)cli_fail("micro", err);
  if (rtl) unit_rtl_set_close(rtl);
  return rc;
}

/* Whatever was not measured is taken from the model of that generation. */
static int write_export(const options_t *o, const study_t *s, const measured_head_t *head,
                        mrpb_err_t *err) {
  char path[FILES_PATH], temp[OUTPUT_NAME];
  config_t like;
  if (config_load_device(&like, home_config(path, "configs/h200.conf"), err) != 0) return -1;
  FILE *f = output_open(o->exported, temp, err);
  if (!f) return -1;
  const int rc = export_write(o->form, &s->table, head, &like, "configs/h200.conf", f, err);
  if (rc == 0) return output_close(f, false, o->exported, temp, err);
  fclose(f);
  output_discard(o->exported, temp);
  return -1;
}

static int measure_real(const options_t *o, study_t *s, const measured_head_t *head,
                        mrpb_err_t *err) {
  live_print(head, stdout);
  s->gpu = head->name;
  s->folder = o->folder;
  s->out = stdout;
  int rc = measure(o, s, err);
  if (rc != CLI_USAGE && o->exported && write_export(o, s, head, err) != 0)
    rc = cli_fail("micro", err);
  micro_table_free(&s->table);
  measured_close(s->measured);
  return rc;
}

static int run_live(const options_t *o, mrpb_err_t *err) {
  const uint32_t repeats = o->repeats ? (uint32_t)o->repeats : LIVE_REPEATS;
  live_t live;
  if (live_open(&live, (unsigned)o->number, cli_signalled, err) != 0) return cli_fail("micro", err);
  const measured_head_t head = live_head(&live, repeats);
  study_t s = {.on = live_gpu(&live, repeats), .live = &live};
  if (o->hang) s.on.patience = (uint32_t)o->hang;
  int rc = 0;
  if (o->save) {
    rc = measured_create(&s.measured, o->save, &head, err);
    if (rc == 0) s.on = measured_recording(s.measured, &s.on);
  }
  rc = rc == 0 ? measure_real(o, &s, &head, err) : cli_fail("micro", err);
  live_close(&live);
  return rc;
}

static int run_measured(const options_t *o, mrpb_err_t *err) {
  measured_head_t head;
  study_t s = {.cfg = NULL};
  if (measured_open(&s.measured, o->measured, &head, err) != 0) return cli_fail("micro", err);
  s.on = measured_gpu(s.measured, &head.limits);
  return measure_real(o, &s, &head, err);
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  options_t o = {.folder = "build/micro", .choice = {.sm = -1}};
  config_t cfg;
  char repeat[CLI_COMMAND];
  cli_command_line(argc, argv, repeat);
  int rc = cli_parse(&cmd_micro, &o, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED || load(&o, &cfg, &err) != 0) return cli_fail("micro", &err);
  if (o.hidden && hide(&o, &cfg, &err) != 0) return cli_fail("micro", &err);
  if (try_outputs(&o, &err) != 0) return cli_fail("micro", &err);
  if (!gnuplot_there()) fprintf(stderr, "mrpb micro: note: no gnuplot: data without plots\n");
  if (o.live) return run_live(&o, &err);
  return o.measured ? run_measured(&o, &err) : run_model(&o, &cfg, repeat, &err);
}

const cli_command_t cmd_micro = {
    .name = "micro",
    .operands = "STUDY|all",
    .doc = "a study's micro-benchmarks on the model of a GPU, or on a GPU: deduced, configured, "
           "published",
    .details = "Exit 0 success, 1 a deduction misses the configuration, 2 wrong input. docs/micro/",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .operand = take_study,
    .run = run,
};
