/* SPDX-License-Identifier: Apache-2.0 */
/* Runs episodes of random cycles, each from power-up. */
#define _POSIX_C_SOURCE 200809L
#include "verify/contract/run.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/output.h"
#include "verify/contract/apart.h"
#include "verify/contract/bench.h"
#include "verify/contract/casefile.h"
#include "verify/contract/confirm.h"
#include "verify/contract/record.h"
#include "verify/contract/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHRINK_SECONDS = 40, INTERRUPTED = 130 };

static int no_size(const module_class_t *cls, const char *name, mrpb_err_t *err) {
  char legal[256] = "";
  for (unsigned i = 0; i < cls->n_params; i++)
    contract_report_say(legal, sizeof legal, " %s", cls->params[i].name);
  return mrpb_fail(err, "--set %s: no such size; legal:%s", name, legal);
}

/* Sizes come from --set, else from the map's `size` statements, else they are the defaults. */
static int find_sizes(const contract_run_t *run, const map_t *map, uint32_t *cfg, bool replay,
                      mrpb_err_t *err) {
  const module_class_t *cls = run->of->cls;
  uint32_t set = replay ? UINT32_MAX : 0;
  for (unsigned k = 0; k < run->n_sets; k++) {
    char name[32];
    unsigned value;
    int end = 0;
    if (sscanf(run->sets[k], "%31[A-Z_]=%9u%n", name, &value, &end) != 2 || run->sets[k][end])
      return mrpb_fail(err, "--set %.80s; legal: NAME=NUMBER", run->sets[k]);
    const int i = module_param_index(cls, name);
    if (i < 0) return no_size(cls, name, err);
    cfg[i] = value;
    set |= 1u << i;
  }
  if (map && bind_sizes(map, cls, cfg, set, err) != 0) return -1;
  return cls->check(cfg, err);
}

/* Reads what only this command uses of the map: its length, and its statements `off` and `hold`. */
static int read_map(const map_t *map, contract_setup_t *s, mrpb_err_t *err) {
  if (map_lines(map) > s->of->most)
    return mrpb_fail(err, "%s: %u statements; legal: at most %u", map->file, map_lines(map),
                     s->of->most);
  for (unsigned i = 0; i < map->n; i++) {
    const map_statement_t *k = &map->statement[i];
    const unsigned clause = k->kind == MAP_OFF ? contract_clause_number(s->of, k->name) : 0;
    if (k->kind == MAP_OFF && !clause)
      return map_fail(map, k, err, "'%s' is not a clause; `mrpb conform --clauses` lists them",
                      k->name);
    s->off |= clause ? 1u << clause : 0;
    if (k->kind == MAP_HOLD && strcmp(k->name, s->of->hold) != 0)
      return map_fail(map, k, err, "hold %s; legal: hold %s", k->name, s->of->hold);
  }
  return 0;
}

int contract_run_events(contract_setup_t *s, mrpb_err_t *err) {
  const bool hold = map_one(s->bind->map, MAP_HOLD) != NULL;
  return s->of->find_events(s->bind, hold, s->has, err);
}

static int keep(const contract_run_t *run, const contract_setup_t *s, unsigned clause,
                const contract_case_t *c, char path[FILES_PATH], mrpb_err_t *err) {
  const module_class_t *cls = s->of->cls;
  uint64_t hash = hash_bytes(HASH_START, s->cfg, cls->n_params * sizeof *s->cfg);
  hash = hash_bytes(hash, c->in, c->n * cls->in_words * sizeof *c->in);
  if (output_folder(run->cases, err) != 0) return -1;
  if (!files_path(path, "%s/%s-%016" PRIx64 ".case", run->cases, s->top, hash))
    return mrpb_fail(err, "%s: the path is too long", run->cases);
  return contract_casefile_write(path, s, clause, c, err);
}

static void print_head(const contract_run_t *run, const contract_setup_t *s,
                       const contract_broken_t *broken, uint64_t cycle) {
  char sizes[256];
  contract_report_sizes(s, sizes, sizeof sizes);
  const contract_clause_t *clause = contract_clause(s->of, broken->clause);
  fprintf(run->out, "VIOLATED %s, clause %u (%s), cycle %" PRIu64 "\n", s->top, broken->clause,
          clause->name, cycle);
  fprintf(run->out, "  %-12s%s\n  %-12s%s", "clause", clause->text, "sizes", sizes);
  if (s->bind)
    fprintf(run->out, "\n  %-12s%s (%u statements)", "map", s->bind->map->file,
            map_lines(s->bind->map));
  contract_verdict_off(run->out, s);
  fprintf(run->out, "\n  %-12s%s\n", "first", broken->text);
}

static void print_looked(const contract_run_t *run, const char *looked) {
  if (*looked) fprintf(run->out, "  %-12s%s\n", "simulated", looked);
}

static int violated(const contract_run_t *run, const contract_setup_t *s, contract_case_t *c,
                    const contract_broken_t *broken, uint64_t cycle, mrpb_err_t *err) {
  char path[FILES_PATH], looked[TWICE_TEXT];
  contract_shrink_t shrunk;
  const int agreed = contract_confirm(s, c, looked, err);
  if (agreed != RTL_OK) return agreed;
  print_head(run, s, broken, cycle);
  print_looked(run, looked);
  fflush(run->out);
  if (!run->no_shrink) {
    if (contract_shrink(s, c, broken->clause, SHRINK_SECONDS, run->stop, &shrunk) != 0)
      return mrpb_fail(err, "out of memory"), RTL_BAD_TOOL;
    fprintf(run->out,
            "  %-12s%zu transactions in %zu cycles, of %zu in %zu (%" PRIu64 " candidates%s)\n",
            "shrunk to", shrunk.left, c->n, shrunk.before, shrunk.cycles_before, shrunk.tried,
            shrunk.bounded ? "; ended early: fewer may do" : "");
  }
  if (contract_report(run->out, s, c) != 0) return mrpb_fail(err, "out of memory"), RTL_BAD_TOOL;
  if (keep(run, s, broken->clause, c, path, err) != 0) return RTL_BAD_INPUT;
  if (run->vcd && contract_report_wave(run->vcd, s, c, err) != 0) return RTL_BAD_INPUT;
  if (run->bench && contract_bench_write(run->bench, s, c, err) != 0) return RTL_BAD_INPUT;
  fprintf(run->out, "  %-12s%s\n", "kept", path);
  if (run->vcd)
    fprintf(run->out, "  %-12sgtkwave %s\n", "wave", run->vcd);
  else
    fprintf(run->out, "  %-12s%s --replay %s --vcd %s.vcd; gtkwave %s.vcd %s.gtkw\n", "wave",
            run->again, path, s->top, s->top, s->top);
  fprintf(run->out, "  %-12s%s --replay %s\n", "repeat", run->again, path);
  return 1;
}

/* Returns 0, or 1 if outputs are x: no clause was violated then, but x is not a value. */
static int conforms(const contract_run_t *run, const contract_setup_t *s, uint64_t cycles,
                    const void *seen) {
  char sizes[256];
  contract_report_sizes(s, sizes, sizeof sizes);
  fprintf(run->out, "%s for %" PRIu64 " cycles, %s %s, seed %" PRIu64,
          s->lib && *rtl_lib_unknown(s->lib) ? "FAILED, but no clause is violated" : "conforms",
          cycles, s->top, sizes, run->seed);
  contract_verdict_off(run->out, s);
  contract_verdict_not_seen(run->out, s);
  fputc('\n', run->out);
  contract_verdict_reach(run->out, s, seen);
  return s->lib ? !rtl_lib_say(s->lib, run->out) : 0;
}

static size_t longest(const contract_t *of) {
  size_t most = 0;
  for (unsigned i = 0; i < CONTRACT_EPISODES; i++)
    if (of->episode[i] > most) most = of->episode[i];
  return most;
}

static int random_run(const contract_run_t *run, const contract_setup_t *s, mrpb_err_t *err) {
  const contract_t *of = s->of;
  contract_case_t c = {.room = longest(of)};
  contract_found_t found = {.seen = calloc(1, of->seen_bytes)};
  uint64_t done = 0;
  c.in = malloc(c.room * of->cls->in_words * sizeof *c.in);
  int rc = c.in && found.seen ? 0 : -1;
  for (uint64_t k = 0; rc == 0 && done < run->cycles && !run->stop(); k++) {
    const size_t n = of->episode[k % CONTRACT_EPISODES];
    rc = contract_play_random(s, &c, run->seed + k,
                              run->cycles - done < n ? (size_t)(run->cycles - done) : n, &found);
    done += c.n;
  }
  if (rc < 0) {
    mrpb_fail(err, "out of memory");
    rc = RTL_BAD_TOOL;
  } else if (rc == 1) {
    rc = violated(run, s, &c, &found.broken, done - 1, err);
  } else {
    rc = conforms(run, s, done, found.seen);
    if (run->stop()) rc = INTERRUPTED;
  }
  free(found.seen);
  free(c.in);
  return rc;
}

static int violated_again(const contract_run_t *run, const contract_setup_t *s, contract_case_t *c,
                          const contract_broken_t *broken, mrpb_err_t *err) {
  char looked[TWICE_TEXT];
  const int agreed = contract_confirm(s, c, looked, err);
  if (agreed != RTL_OK) return agreed;
  print_head(run, s, broken, c->n - 1);
  print_looked(run, looked);
  return contract_report(run->out, s, c) == 0 ? 1 : RTL_BAD_TOOL;
}

static int replay(const contract_run_t *run, const contract_setup_t *s, contract_case_t *c,
                  mrpb_err_t *err) {
  contract_found_t found = {.seen = calloc(1, s->of->seen_bytes)};
  int rc = found.seen ? contract_play_case(s, c, &found) : -1;
  if (rc < 0) {
    mrpb_fail(err, "out of memory");
    rc = RTL_BAD_TOOL;
  } else if ((run->vcd && contract_report_wave(run->vcd, s, c, err) != 0) ||
             (run->bench && contract_bench_write(run->bench, s, c, err) != 0)) {
    rc = RTL_BAD_INPUT;
  } else if (rc == 1) {
    rc = violated_again(run, s, c, &found.broken, err);
  } else {
    rc = conforms(run, s, c->n, found.seen);
  }
  free(found.seen);
  return rc;
}

/* Reads the case, if there is one, and finds the sizes; `map` may be NULL. */
static int open_sizes(const contract_run_t *run, const map_t *map, contract_setup_t *s,
                      contract_case_t *c, mrpb_err_t *err) {
  *s = (contract_setup_t){.of = run->of, .off = run->off};
  module_defaults(run->of->cls, s->cfg);
  if ((map && read_map(map, s, err) != 0) ||
      (run->replay && contract_casefile_read(run->replay, run->of, s->cfg, c, err) != 0) ||
      find_sizes(run, map, s->cfg, run->replay != NULL, err) != 0)
    return RTL_BAD_INPUT;
  return RTL_OK;
}

int contract_run_sizes(const contract_run_t *run, const rtl_env_t *env, contract_setup_t *s,
                       mrpb_err_t *err) {
  contract_case_t none = {.n = 0};
  if (rtl_env_check_module(env, run->of->cls, err) != 0) return RTL_BAD_INPUT;
  return open_sizes(run, rtl_env_map(env), s, &none, err);
}

static void take_lib(contract_setup_t *s, const rtl_lib_t *lib) {
  s->lib = lib;
  s->table = rtl_lib_table(lib);
  s->bind = rtl_lib_bind(lib);
  s->top = s->bind->top;
}

/* The builds of the design are compared under the stimulus that this function records. */
static int record(const rtl_recording_t *r, twice_stimulus_t *to, mrpb_err_t *err) {
  contract_setup_t s = *(const contract_setup_t *)r->ctx;
  contract_watch_t watch = {.cycle = 0};
  take_lib(&s, r->lib);
  if (contract_run_events(&s, err) != 0) return -1;
  s.watch = &watch;
  const int rc = contract_watch(&watch, s.top, rtl_lib_patience(r->lib))
                     ? contract_record(&s, to, err)
                     : mrpb_fail(err, "out of memory");
  contract_watch_end(&watch);
  return rc;
}

static int open_design(const contract_run_t *run, rtl_env_t *env, contract_setup_t *s,
                       contract_case_t *c, rtl_lib_t **lib, mrpb_err_t *err) {
  if (rtl_env_check_module(env, run->of->cls, err) != 0 ||
      open_sizes(run, rtl_env_map(env), s, c, err) != RTL_OK)
    return RTL_BAD_INPUT;
  rtl_env_set_stimulus(env,
                       &(rtl_stimulus_t){.name = run->of->cls->stem, .record = record, .ctx = s});
  const int rc = rtl_lib_open(lib, env, run->of->cls, s->cfg, err);
  if (rc != RTL_OK) return rc;
  take_lib(s, *lib);
  s->env = env;
  return contract_run_events(s, err) == 0 ? RTL_OK : RTL_BAD_INPUT;
}

static int play(const contract_run_t *run, const contract_setup_t *s, contract_case_t *c,
                mrpb_err_t *err) {
  return run->replay ? replay(run, s, c, err) : random_run(run, s, err);
}

int contract_run(const contract_run_t *run, rtl_env_t *env, mrpb_err_t *err) {
  contract_case_t c = {.n = 0};
  contract_watch_t watch = {.cycle = 0};
  contract_setup_t s;
  rtl_lib_t *lib = NULL;
  int rc = open_design(run, env, &s, &c, &lib, err);
  if (rc == RTL_OK) {
    s.watch = &watch;
    rc = contract_watch(&watch, s.top, rtl_lib_patience(lib))
             ? play(run, &s, &c, err)
             : (mrpb_fail(err, "out of memory"), RTL_BAD_TOOL);
    contract_watch_end(&watch);
  }
  if (lib) rtl_lib_close(lib);
  free(c.in);
  return rc;
}

typedef struct {
  const contract_run_t *run;
  const contract_object_t *object;
} object_run_t;

static int run_object(void *ctx, contract_watch_t *watch, mrpb_err_t *err) {
  const object_run_t *o = ctx;
  const contract_object_t *object = o->object;
  contract_case_t c = {.n = 0};
  contract_setup_t s;
  int rc = open_sizes(o->run, NULL, &s, &c, err);
  if (rc == RTL_OK) {
    s.top = object->top;
    s.watch = watch;
    s.table = object->table(object->ctx, watch, s.cfg, s.has, err);
    s.create = object->create;
    s.ctx = object->ctx;
    rc = s.table ? play(o->run, &s, &c, err) : RTL_BAD_INPUT;
  }
  free(c.in);
  return rc;
}

int contract_run_object(const contract_run_t *run, const contract_object_t *object,
                        mrpb_err_t *err) {
  object_run_t o = {.run = run, .object = object};
  return contract_apart(run_object, &o, object->top, object->patience, err);
}
