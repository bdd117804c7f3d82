/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the Verilog behind an SM's units. */
#include "cosim/unit_rtl.h"
#include "cosim/unit_bins.h"

#include "cosim/lockstep/lockstep.h"
#include "cosim/lockstep/recording.h"
#include "cosim/regress.h"
#include "cosim/lockstep/report.h"
#include "base/files.h"
#include "base/json_out.h"
#include "base/sizes.h"
#include "verilog/build.h"
#include "cosim/stim/stim.h"
#include "cosim/vectors/stimlog.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = 1, MAX_LIBS = 32, NAME = 64, MOST_LOG = 16 << 20 /* bytes */ };

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  rtl_lib_t *lib;
  verdict_t seen; /* compared by instances that no longer exist */
  unit_bins_t bins;
} loaded_t;

typedef struct rtl_unit rtl_unit_t;

struct unit_rtl_set {
  rtl_env_t *env;
  loaded_t libs[MAX_LIBS];
  unsigned n_libs, n_instances;
  rtl_unit_t *first; /* of the living instances in lockstep */
  uint64_t seed, compared;
  FILE *report;
  const char *repeat;
  bool keep; /* log what the units see, and shrink it after a mismatch */
  regress_t regress;
  char regress_dir[FILES_PATH];
  int exit_code;
};

/* One instance: the Verilog alone, or the lockstep engine. */
struct rtl_unit {
  unit_rtl_set_t *set;
  rtl_unit_t *next;
  const module_class_t *cls;
  const rtl_lib_t *lib;
  unit_bins_t *bins;
  void *bins_state; /* of both */
  const shim_table_t *shim;
  const stim_class_t *stim; /* for readable transactions */
  stimlog_t *log;           /* of both, if a mismatch is to be kept */
  uint64_t seed;            /* of the power-up state */
  void *rtl;                /* alone */
  shim_view_t views[MODULE_MAX_REGS];
  lockstep_t *ls;     /* both */
  bool outputs_agree; /* in the last comb */
  char name[NAME];
};

int unit_rtl_set_open(unit_rtl_set_t **out, const rtl_from_t *from, uint64_t seed, FILE *report,
                      const char *repeat, FILE *progress, mrpb_err_t *err) {
  *out = NULL;
  unit_rtl_set_t *set = calloc(1, sizeof *set);
  if (!set) {
    mrpb_fail(err, "out of memory");
    return RTL_BAD_TOOL;
  }
  int rc = rtl_env_open(&set->env, from, progress, err);
  if (rc != RTL_OK) {
    free(set);
    return rc;
  }
  recording_set(set->env);
  set->seed = seed;
  set->report = report;
  set->repeat = repeat;
  *out = set;
  return RTL_OK;
}

int unit_rtl_set_check(const unit_rtl_set_t *set, const unit_choice_t *choice, mrpb_err_t *err) {
  const struct {
    const char *stem;
    unit_impl_t impl;
  } unit[] = {
      {"mrpb", choice->mrpb}, {"mshr", choice->mshr}, {"prt", choice->prt}, {"l1_top", choice->l1}};
  const char *module;
  unsigned n = 0, named = 0;
  if (!rtl_env_design(set->env, &module)) return RTL_OK;
  for (unsigned i = 0; i < sizeof unit / sizeof *unit; i++) {
    n += unit[i].impl != UNIT_C;
    named += unit[i].impl != UNIT_C && module && strcmp(module, unit[i].stem) == 0;
  }
  if (module && named == 0)
    return mrpb_fail(
               err,
               "the map is of module %s, in whose place no Verilog stands; legal: mrpb, mshr, "
               "prt or l1_top, and --impl UNIT=both",
               module),
           RTL_BAD_INPUT;
  if (!module && n != 1)
    return mrpb_fail(err,
                     "%u units are Verilog, and the map does not say which one is yours; legal: a "
                     "line `module NAME`",
                     n),
           RTL_BAD_INPUT;
  return RTL_OK;
}

void unit_rtl_set_close(unit_rtl_set_t *set) {
  if (!set) return;
  for (unsigned i = 0; i < set->n_libs; i++) rtl_lib_close(set->libs[i].lib);
  rtl_env_close(set->env);
  free(set);
}

int unit_rtl_exit_code(const unit_rtl_set_t *set) {
  return set->exit_code;
}
uint64_t unit_rtl_compared(const unit_rtl_set_t *set) {
  return set->compared;
}

void unit_rtl_set_patience(unit_rtl_set_t *set, unsigned seconds) {
  rtl_env_set_patience(set->env, seconds);
}

void unit_rtl_set_keep(unit_rtl_set_t *set, const char *dir, const char *program,
                       bool (*stop)(void)) {
  if (!dir && !regress_folder(set->env, set->regress_dir)) return;
  set->keep = true;
  set->regress = (regress_t){.dir = dir ? dir : set->regress_dir,
                             .options = rtl_env_options(set->env),
                             .program = program,
                             .tools = rtl_env_tools(set->env),
                             .stop = stop,
                             .out = set->report};
}

static loaded_t *find_lib(unit_rtl_set_t *set, const module_class_t *cls, const uint32_t *cfg,
                          mrpb_err_t *err) {
  for (unsigned i = 0; i < set->n_libs; i++)
    if (set->libs[i].cls == cls && memcmp(set->libs[i].cfg, cfg, cls->n_params * sizeof *cfg) == 0)
      return &set->libs[i];
  if (set->n_libs == MAX_LIBS) {
    mrpb_fail(err, "%s: more than %d different modules and sizes in one run", cls->stem,
              (int)MAX_LIBS);
    set->exit_code = RTL_BAD_INPUT;
    return NULL;
  }
  loaded_t *l = &set->libs[set->n_libs];
  int rc = rtl_lib_open(&l->lib, set->env, cls, cfg, err);
  if (rc != RTL_OK) {
    set->exit_code = rc;
    return NULL;
  }
  l->cls = cls;
  memcpy(l->cfg, cfg, cls->n_params * sizeof *cfg);
  unit_bins_open(&l->bins, cls->stem, l->cfg);
  set->n_libs++;
  return l;
}

static void comb_rtl(void *self, const uint64_t *in, uint64_t *out) {
  rtl_unit_t *u = self;
  u->shim->comb(u->rtl, in, out);
}

static int edge_rtl(void *self, const uint64_t *in, mrpb_err_t *err) {
  rtl_unit_t *u = self;
  uint64_t out[MODULE_MAX_WORDS];
  u->shim->comb(u->rtl, in,
                out); /* the inputs of this edge may differ from those of the last comb */
  u->shim->edge(u->rtl);
  const char *stopped = u->shim->stopped(u->rtl);
  if (!stopped) return 0;
  u->set->exit_code = 1;
  return mrpb_fail(err, "%s: the Verilog's own check failed: %s", u->name, stopped);
}

static void comb_both(void *self, const uint64_t *in, uint64_t *out) {
  rtl_unit_t *u = self;
  u->outputs_agree = lockstep_comb(u->ls, in);
  /* A user's design may answer later, or only where its outputs count, so the SM gets the model's
   * outputs. */
  const uint64_t *said = lockstep_foreign(u->ls) ? lockstep_out_c(u->ls) : lockstep_out_rtl(u->ls);
  memcpy(out, said, u->cls->out_words * sizeof *out);
}

/* Keeps the unit's stimulus, cut out of the run: its reset and what the log holds. Returns false if
 * it cannot be shrunk. */
static bool keep_case(const rtl_unit_t *u) {
  const uint64_t reset[MODULE_MAX_WORDS] = {0};
  regress_t keep = u->set->regress;
  mrpb_err_t err = {""};
  vectors_t v = {.cls = NULL};
  bool shrunk = false;
  keep.lib = u->lib;
  int rc = vectors_init(&v, u->cls, lockstep_cfg(u->ls), u->seed, &err);
  if (rc == 0) rc = vectors_add(&v, reset, &err);
  if (rc == 0) rc = stimlog_read(u->log, REGRESS_WINDOW, &v, &err);
  if (rc == 0) {
    snprintf(v.origin, sizeof v.origin,
             "%s, shrunk from %" PRIu64 " of %" PRIu64 " cycles of: %.256s", u->name, v.n - 1,
             stimlog_given(u->log), u->set->repeat);
    shrunk = regress_keep(&keep, &v);
  } else {
    fprintf(keep.out, "  %-12snot: %s\n", "shrunk", err.text);
  }
  vectors_free(&v);
  return shrunk;
}

static int mismatch(rtl_unit_t *u, bool regs, mrpb_err_t *err) {
  char line[384];
  report_t report = {.place = u->name,
                     .rtl_dir = rtl_env_place(u->set->env, u->cls),
                     .seed = u->set->seed,
                     .cycle = lockstep_cycle(u->ls) - regs,
                     .skip = LOCKSTEP_RESET_CYCLES, /* the SM's cycles begin after the reset */
                     .regs = regs,
                     .brief = u->log != NULL,
                     .repeat = u->set->repeat};
  u->set->exit_code = 1;
  report_line(u->ls, &report, line, sizeof line);
  if (u->set->report) report_mismatch(u->set->report, u->ls, &report);
  if (u->set->report && u->log && !keep_case(u))
    report_transactions(u->set->report, u->ls, &report);
  return mrpb_fail(err, "C model and Verilog differ: %s", line);
}

static int edge_both(void *self, const uint64_t *in, mrpb_err_t *err) {
  rtl_unit_t *u = self;
  /* Inputs at the edge that no comb has seen are compared too. */
  if (memcmp(in, lockstep_in(u->ls), u->cls->in_words * sizeof *in) != 0 || !u->outputs_agree)
    u->outputs_agree = lockstep_comb(u->ls, in);
  if (u->log) stimlog_add(u->log, lockstep_in(u->ls));
  if (!u->outputs_agree) return mismatch(u, false, err);
  if (!u->stim || u->stim->active(in)) lockstep_remember(u->ls);
  unit_bins_sample(u->bins, u->bins_state, lockstep_model(u->ls), in, lockstep_out_c(u->ls));
  if (!lockstep_edge(u->ls)) return mismatch(u, true, err);
  u->set->compared++;
  u->outputs_agree = false; /* nothing is known of the next cycle yet */
  return 0;
}

/* Adds what the instance has compared to the sum for its module and size. */
static void add_seen(const rtl_unit_t *u, const rtl_lib_t *lib, verdict_t *sum) {
  verdict_t v;
  mrpb_err_t unheard = {""};
  if (u->lib == lib && report_verdict(u->ls, &v, &unheard) == 0) verdict_add(sum, &v);
}

static void forget(rtl_unit_t *u) {
  unit_rtl_set_t *set = u->set;
  for (rtl_unit_t **at = &set->first; *at; at = &(*at)->next)
    if (*at == u) {
      for (unsigned i = 0; i < set->n_libs; i++) add_seen(u, set->libs[i].lib, &set->libs[i].seen);
      *at = u->next;
      return;
    }
}

int unit_rtl_verdict(const unit_rtl_set_t *set, const char *indent, FILE *out, mrpb_err_t *err) {
  int rc = RTL_OK;
  for (unsigned i = 0; i < set->n_libs; i++) {
    const loaded_t *l = &set->libs[i];
    char sizes[SIZES_TEXT], bins[64];
    verdict_t v = l->seen;
    for (const rtl_unit_t *u = set->first; u; u = u->next) add_seen(u, l->lib, &v);
    if (v.cls && verdict_check(&v, err) != 0) return RTL_BAD_INPUT;
    sizes_text(l->cls, l->cfg, "", sizes, sizeof sizes);
    if (v.cls) {
      unit_bins_text(&l->bins, bins, sizeof bins);
      verdict_write(&v, out, bins, "%s%s %s", indent, l->cls->stem, sizes);
      unit_bins_rest(&l->bins, "  ", out);
    }
    if (rtl_lib_say(l->lib, out)) continue;
    mrpb_fail(err, "%s: %s", l->cls->stem, rtl_lib_unknown(l->lib));
    rc = UNKNOWN;
  }
  return rc;
}

json_t *unit_rtl_json(const unit_rtl_set_t *set) {
  json_t *all = json_object(), *units = json_array();
  json_out_set(&all, "cycles", json_integer((json_int_t)set->compared));
  for (unsigned i = 0; i < set->n_libs; i++) {
    const loaded_t *l = &set->libs[i];
    json_t *unit = json_object(), *sizes = json_object();
    json_out_set(&unit, "module", json_string(l->cls->stem));
    for (unsigned p = 0; p < l->cls->n_params; p++)
      json_out_set(&sizes, l->cls->params[p].name, json_integer(l->cfg[p]));
    json_out_set(&unit, "parameters", sizes);
    unit_bins_json(&l->bins, &unit);
    (void)json_array_append_new(units, unit);
  }
  json_out_set(&all, "units", units);
  return all;
}

static void destroy(void *self) {
  rtl_unit_t *u = self;
  forget(u);
  if (u->rtl) u->shim->destroy(u->rtl);
  lockstep_close(u->ls);
  stimlog_destroy(u->log);
  free(u->bins_state);
  free(u);
}

/* Resets as at power-up, until the state equals that of the C model. */
static int start_rtl(rtl_unit_t *u, uint64_t seed, mrpb_err_t *err) {
  uint64_t in[MODULE_MAX_WORDS] = {0}, out[MODULE_MAX_WORDS];
  u->rtl = u->shim->create(seed, SHIM_RANDOM);
  if (!u->rtl) return mrpb_fail(err, "%s: out of memory", u->name);
  for (unsigned i = 0; i < LOCKSTEP_RESET_CYCLES; i++) {
    u->shim->comb(u->rtl, in, out);
    u->shim->edge(u->rtl);
  }
  u->shim->watch(u->rtl);
  u->shim->regs(u->rtl, u->views);
  return 0;
}

/* Outputs that come later, or not at all, cannot drive an SM. */
static int check_alone(const rtl_lib_t *lib, mrpb_err_t *err) {
  const bind_t *b = rtl_lib_bind(lib);
  for (unsigned i = 0; b && i < b->cls->n_out; i++)
    if (!b->output[i].there || b->output[i].late)
      return mrpb_fail(
          err, "%s: output %s %s, so it cannot stand in the SM alone; legal: --impl %s=both",
          b->top, b->out[i].name, b->output[i].there ? "comes later" : "is not there",
          b->cls->stem);
  return 0;
}

int unit_rtl_open(unit_t *out, const module_class_t *cls, const uint32_t *cfg, unit_impl_t impl,
                  const char *name, void *ctx, mrpb_err_t *err) {
  unit_rtl_set_t *set = ctx;
  memset(out, 0, sizeof *out);
  set->exit_code = RTL_BAD_INPUT;
  loaded_t *loaded = find_lib(set, cls, cfg, err);
  const rtl_lib_t *lib = loaded ? loaded->lib : NULL;
  if (!lib || (impl == UNIT_RTL && check_alone(lib, err) != 0)) return -1;
  rtl_unit_t *u = calloc(1, sizeof *u);
  if (!u) return mrpb_fail(err, "%s: out of memory", cls->stem);
  u->set = set;
  u->cls = cls;
  u->lib = lib;
  u->bins = &loaded->bins;
  u->shim = rtl_lib_table(lib);
  u->stim = stim_class(cls->stem);
  snprintf(u->name, sizeof u->name, "%s", name);
  u->seed = set->seed + set->n_instances++;
  if (impl == UNIT_BOTH && set->keep) u->log = stimlog_create(cls, MOST_LOG);
  int rc = impl == UNIT_BOTH ? lockstep_open(&u->ls, cls, cfg, lib, u->seed, err)
                             : start_rtl(u, u->seed, err);
  if (rc == 0 && u->ls && !lockstep_reset(u->ls)) rc = mismatch(u, true, err);
  if (rc != 0) {
    destroy(u);
    return -1;
  }
  if (u->ls) u->bins_state = unit_bins_start(u->bins);
  if (u->ls) u->next = set->first, set->first = u;
  *out = (unit_t){.self = u,
                  .cls = cls,
                  .comb = impl == UNIT_BOTH ? comb_both : comb_rtl,
                  .edge = impl == UNIT_BOTH ? edge_both : edge_rtl,
                  .destroy = destroy,
                  .model = u->ls ? lockstep_model(u->ls) : NULL,
                  .rtl = u->ls ? lockstep_regs_rtl(u->ls) : u->views,
                  .every_cycle = true};
  set->exit_code = 0;
  return 0;
}
