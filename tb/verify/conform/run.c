/* SPDX-License-Identifier: Apache-2.0 */
/* Runs episodes of random cycles, each from power-up. */
#define _POSIX_C_SOURCE 200809L
#include "verify/conform/run.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/output.h"
#include "verify/conform/bench.h"
#include "verify/conform/casefile.h"
#include "verify/conform/prove.h"
#include "verify/conform/record.h"
#include "verify/conform/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHRINK_SECONDS = 40, INTERRUPTED = 130 };

/* Sizes come from --set, else from the map's `size` statements, else they are the defaults. */
static int find_sizes(const conform_run_t *run, const map_t *map, conform_cfg_t *cfg, bool replay,
                      mrpb_err_t *err) {
  uint32_t *words = (uint32_t *)cfg, set = replay ? UINT32_MAX : 0;
  for (unsigned k = 0; k < run->n_sets; k++) {
    char name[32];
    unsigned value;
    int end = 0;
    if (sscanf(run->sets[k], "%31[A-Z_]=%9u%n", name, &value, &end) != 2 || run->sets[k][end])
      return mrpb_fail(err, "--set %.80s; legal: NAME=NUMBER", run->sets[k]);
    const int i = module_param_index(&conform_class, name);
    if (i < 0)
      return mrpb_fail(err,
                       "--set %s: no such size; legal: ADDR_W TAG_W ENTRIES MERGES READS SETS WAYS "
                       "TICKET_W SLACK",
                       name);
    words[i] = value;
    set |= 1u << i;
  }
  return bind_sizes(map, &conform_class, words, set, err) == 0 ? conform_check(cfg, err) : -1;
}

/* Reads what only this command uses of the map: its length, and its statements `off` and `hold`. */
static int read_map(const map_t *map, conform_setup_t *s, mrpb_err_t *err) {
  enum { MOST = 60 };
  if (map_lines(map) > MOST)
    return mrpb_fail(err, "%s: %u statements; legal: at most %d", map->file, map_lines(map), MOST);
  for (unsigned i = 0; i < map->n; i++) {
    const map_statement_t *k = &map->statement[i];
    const unsigned clause = k->kind == MAP_OFF ? conform_clause_number(k->name) : 0;
    if (k->kind == MAP_OFF && !clause)
      return map_fail(map, k, err, "'%s' is not a clause; `mrpb conform --clauses` lists them",
                      k->name);
    s->off |= clause ? 1u << clause : 0;
    if (k->kind == MAP_HOLD && strcmp(k->name, "read") != 0)
      return map_fail(map, k, err, "hold %s; legal: hold read", k->name);
    s->has.hold |= k->kind == MAP_HOLD;
  }
  return 0;
}

static bool gives(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < CONFORM_OUTS; i++)
    if (strcmp(b->out[i].name, name) == 0) return b->output[i].there;
  return false;
}

/* Finds out which events of the contract are visible through the map. */
static int find_events(const bind_t *b, conform_has_t *has, mrpb_err_t *err) {
  static const char *const outs[] = {"read_ready_o", "answer_valid_o", "answer_tag_o"};
  static const char *const ins[] = {"srst_ni", "read_valid_i", "read_addr_i", "read_tag_i",
                                    "fill_valid_i"};
  for (unsigned i = 0; i < sizeof outs / sizeof *outs; i++)
    if (!gives(b, outs[i]))
      return mrpb_fail(err, "%s: no %s, which the contract needs; legal: out %s = EXPR",
                       b->map->file, outs[i], outs[i]);
  for (unsigned i = 0; i < sizeof ins / sizeof *ins; i++)
    if (!bind_uses(b, ins[i]))
      return mrpb_fail(err, "%s: nothing takes %s; legal: in THEIRS = an expression of it",
                       b->map->file, ins[i]);
  *has = (conform_has_t){.merge = gives(b, "read_merge_o"),
                         .refuse = gives(b, "read_refuse_o"),
                         .ticket = gives(b, "read_ticket_o"),
                         .line = gives(b, "line_valid_o"),
                         .line_addr = gives(b, "line_addr_o"),
                         .line_ticket = gives(b, "line_ticket_o"),
                         .fill_ready = gives(b, "fill_ready_o"),
                         .answer_addr = gives(b, "answer_addr_o"),
                         .busy = gives(b, "busy_o"),
                         .answer_ready = bind_uses(b, "answer_ready_i"),
                         .line_ready = bind_uses(b, "line_ready_i"),
                         .hold = has->hold};
  if (has->line && !has->line_addr && !has->line_ticket)
    return mrpb_fail(err, "%s: a request (line_valid_o) without line_addr_o and line_ticket_o",
                     b->map->file);
  if (bind_uses(b, "fill_ticket_i") && !has->ticket && !(has->line && has->line_ticket))
    return mrpb_fail(err,
                     "%s: fill_ticket_i is taken, but nothing gives an entry's number; legal: out "
                     "read_ticket_o or line_ticket_o = EXPR",
                     b->map->file);
  return 0;
}

static int keep(const conform_run_t *run, const conform_setup_t *s, unsigned clause,
                const conform_case_t *c, char path[FILES_PATH], mrpb_err_t *err) {
  uint64_t hash = hash_bytes(HASH_START, &s->cfg, sizeof s->cfg);
  hash = hash_bytes(hash, c->in, c->n * sizeof *c->in);
  if (output_folder(run->cases, err) != 0) return -1;
  if (!files_path(path, "%s/%s-%016" PRIx64 ".case", run->cases, s->bind->top, hash))
    return mrpb_fail(err, "%s: the path is too long", run->cases);
  return conform_casefile_write(path, s->bind->top, &s->cfg, clause, c, err);
}

static void print_head(const conform_run_t *run, const conform_setup_t *s,
                       const conform_model_t *broken, uint64_t cycle) {
  char sizes[256];
  conform_report_sizes(&s->cfg, sizes, sizeof sizes);
  const conform_clause_t *clause = conform_clause(broken->clause);
  fprintf(run->out, "VIOLATED %s, clause %u (%s), cycle %" PRIu64 "\n", s->bind->top,
          broken->clause, clause->name, cycle);
  fprintf(run->out, "  %-12s%s\n  %-12s%s\n  %-12s%s (%u statements)", "clause", clause->text,
          "sizes", sizes, "map", s->bind->map->file, map_lines(s->bind->map));
  conform_verdict_off(run->out, s->off);
  fprintf(run->out, "\n  %-12s%s\n", "first", broken->text);
}

static int violated(const conform_run_t *run, const conform_setup_t *s, conform_case_t *c,
                    const conform_model_t *broken, uint64_t cycle, mrpb_err_t *err) {
  char path[FILES_PATH];
  conform_shrink_t shrunk;
  print_head(run, s, broken, cycle);
  fflush(run->out);
  if (!run->no_shrink) {
    if (conform_shrink(s, c, broken->clause, SHRINK_SECONDS, run->stop, &shrunk) != 0)
      return mrpb_fail(err, "out of memory"), RTL_BAD_TOOL;
    fprintf(run->out,
            "  %-12s%zu transactions in %zu cycles, of %zu in %zu (%" PRIu64 " candidates%s)\n",
            "shrunk to", shrunk.left, c->n, shrunk.before, shrunk.cycles_before, shrunk.tried,
            shrunk.bounded ? "; ended early: fewer may do" : "");
  }
  if (conform_report(run->out, s, c) != 0) return mrpb_fail(err, "out of memory"), RTL_BAD_TOOL;
  if (keep(run, s, broken->clause, c, path, err) != 0) return RTL_BAD_INPUT;
  if (run->vcd && conform_report_wave(run->vcd, s, c, err) != 0) return RTL_BAD_INPUT;
  if (run->bench && conform_bench_write(run->bench, s, c, err) != 0) return RTL_BAD_INPUT;
  fprintf(run->out, "  %-12s%s\n", "kept", path);
  if (run->vcd)
    fprintf(run->out, "  %-12sgtkwave %s\n", "wave", run->vcd);
  else
    fprintf(run->out, "  %-12s%s --replay %s --vcd %s.vcd; gtkwave %s.vcd %s.gtkw\n", "wave",
            run->again, path, s->bind->top, s->bind->top, s->bind->top);
  fprintf(run->out, "  %-12s%s --replay %s\n", "repeat", run->again, path);
  return 1;
}

/* Returns 0, or 1 if outputs are x: no clause was violated then, but x is not a value. */
static int conforms(const conform_run_t *run, const conform_setup_t *s, uint64_t cycles,
                    const conform_seen_t *seen) {
  char sizes[256];
  conform_report_sizes(&s->cfg, sizes, sizeof sizes);
  fprintf(run->out, "%s for %" PRIu64 " cycles, %s %s, seed %" PRIu64,
          *rtl_lib_unknown(s->lib) ? "FAILED, but no clause is violated" : "conforms", cycles,
          s->bind->top, sizes, run->seed);
  conform_verdict_off(run->out, s->off);
  conform_verdict_not_seen(run->out, s);
  fputc('\n', run->out);
  conform_verdict_reach(run->out, s, seen);
  return !rtl_lib_say(s->lib, run->out);
}

/* Three of eight episodes are long. */
static size_t episode(uint64_t number, uint64_t left) {
  static const size_t cycles[] = {CONFORM_EPISODE,     CONFORM_EPISODE, CONFORM_LONGEST,
                                  CONFORM_EPISODE,     CONFORM_EPISODE, 2 * CONFORM_EPISODE,
                                  4 * CONFORM_EPISODE, CONFORM_EPISODE};
  const size_t n = cycles[number % (sizeof cycles / sizeof *cycles)];
  return left < n ? (size_t)left : n;
}

static int random_run(const conform_run_t *run, const conform_setup_t *s, mrpb_err_t *err) {
  conform_case_t c = {.room = CONFORM_LONGEST, .in = malloc(CONFORM_LONGEST * sizeof *c.in)};
  conform_model_t *broken = malloc(sizeof *broken);
  conform_seen_t seen = {.fills = 0};
  uint64_t done = 0;
  int rc = c.in && broken ? 0 : -1;
  for (uint64_t k = 0; rc == 0 && done < run->cycles && !run->stop(); k++) {
    rc = conform_play_random(s, &c, run->seed + k, episode(k, run->cycles - done), broken);
    done += c.n;
    conform_seen_add(&seen, &broken->seen);
  }
  if (rc < 0) {
    mrpb_fail(err, "out of memory");
    rc = RTL_BAD_TOOL;
  } else if (rc == 1) {
    rc = violated(run, s, &c, broken, done - 1, err);
  } else {
    rc = conforms(run, s, done, &seen);
    if (run->stop()) rc = INTERRUPTED;
  }
  free(broken);
  free(c.in);
  return rc;
}

static int replay(const conform_run_t *run, const conform_setup_t *s, conform_case_t *c,
                  mrpb_err_t *err) {
  conform_model_t *broken = malloc(sizeof *broken);
  int rc = broken ? conform_play_case(s, c, broken) : -1;
  if (rc < 0) {
    mrpb_fail(err, "out of memory");
    rc = RTL_BAD_TOOL;
  } else if ((run->vcd && conform_report_wave(run->vcd, s, c, err) != 0) ||
             (run->bench && conform_bench_write(run->bench, s, c, err) != 0)) {
    rc = RTL_BAD_INPUT;
  } else if (rc == 1) {
    print_head(run, s, broken, c->n - 1);
    rc = conform_report(run->out, s, c) == 0 ? 1 : RTL_BAD_TOOL;
  } else {
    rc = conforms(run, s, c->n, &broken->seen);
  }
  free(broken);
  return rc;
}

static int open_sizes(const conform_run_t *run, const rtl_env_t *env, conform_setup_t *s,
                      conform_case_t *c, mrpb_err_t *err) {
  const map_t *map = rtl_env_map(env);
  conform_defaults(&s->cfg);
  if (rtl_env_check_module(env, &conform_class, err) != 0 || read_map(map, s, err) != 0 ||
      (run->replay && conform_casefile_read(run->replay, &s->cfg, c, err) != 0) ||
      find_sizes(run, map, &s->cfg, run->replay != NULL, err) != 0)
    return RTL_BAD_INPUT;
  return RTL_OK;
}

/* The builds of the design are compared under the stimulus that this function records. */
static int record(const rtl_recording_t *r, twice_stimulus_t *to, mrpb_err_t *err) {
  conform_setup_t s = *(const conform_setup_t *)r->ctx;
  s.lib = r->lib;
  s.bind = rtl_lib_bind(r->lib);
  if (find_events(s.bind, &s.has, err) != 0) return -1;
  hang_t hang;
  const uint64_t none = 0;
  s.hang = &hang;
  hang_watch(&hang, s.bind->top, &none, rtl_lib_patience(r->lib));
  const int rc = conform_record(&s, to, err);
  hang_end(&hang);
  return rc;
}

static int open_design(const conform_run_t *run, rtl_env_t *env, conform_setup_t *s,
                       conform_case_t *c, rtl_lib_t **lib, mrpb_err_t *err) {
  if (open_sizes(run, env, s, c, err) != RTL_OK) return RTL_BAD_INPUT;
  rtl_env_set_stimulus(env, &(rtl_stimulus_t){.name = "conform", .record = record, .ctx = s});
  const int rc = rtl_lib_open(lib, env, &conform_class, (const uint32_t *)&s->cfg, err);
  if (rc != RTL_OK) return rc;
  s->lib = *lib;
  s->bind = rtl_lib_bind(*lib);
  return find_events(s->bind, &s->has, err) == 0 ? RTL_OK : RTL_BAD_INPUT;
}

static int prove(const conform_run_t *run, const rtl_env_t *env, mrpb_err_t *err) {
  conform_case_t c = {.n = 0};
  conform_setup_t s = {.off = run->off};
  rtl_source_t source = {.made = NULL};
  int rc = open_sizes(run, env, &s, &c, err);
  if (rc == RTL_OK)
    rc = rtl_source_open(&source, env, &conform_class, (const uint32_t *)&s.cfg, RTL_TOOLS, err);
  if (rc == RTL_OK && !source.made)
    rc = (mrpb_fail(err, "no file of the design; legal: -f LIST"), RTL_BAD_INPUT);
  if (rc == RTL_OK) {
    s.bind = &source.made->bind;
    rc = find_events(s.bind, &s.has, err) == 0 ? RTL_OK : RTL_BAD_INPUT;
  }
  if (rc == RTL_OK) {
    const conform_prove_t p = {.setup = &s,
                               .env = env,
                               .ask = ~(s.off | conform_verdict_unseen(&s.has)),
                               .depth = (unsigned)run->depth,
                               .timeout = (unsigned)run->timeout,
                               .results = run->results,
                               .again = run->again,
                               .out = run->out};
    rc = conform_prove(&p, err);
    if (rc == RTL_OK) {
      fputs("  asked from a reset on, of any inputs that the contract allows", run->out);
      conform_verdict_off(run->out, s.off);
      conform_verdict_not_seen(run->out, &s);
      fputs(
          "; not asked by a proof: answered fill-taken progress checks, and that each entry asks\n",
          run->out);
      conform_verdict_reach(run->out, &s, NULL);
    }
  }
  rtl_source_close(&source);
  return rc;
}

int conform_run(const conform_run_t *run, rtl_env_t *env, mrpb_err_t *err) {
  conform_case_t c = {.n = 0};
  conform_setup_t s = {.off = run->off};
  rtl_lib_t *lib = NULL;
  hang_t hang;
  const uint64_t none = 0;
  if (run->prove) return prove(run, env, err);
  int rc = open_design(run, env, &s, &c, &lib, err);
  if (rc == RTL_OK) {
    s.hang = &hang;
    hang_watch(&hang, s.bind->top, &none, rtl_lib_patience(lib));
    rc = run->replay ? replay(run, &s, &c, err) : random_run(run, &s, err);
    hang_end(&hang);
  }
  if (lib) rtl_lib_close(lib);
  free(c.in);
  return rc;
}
