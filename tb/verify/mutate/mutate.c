/* SPDX-License-Identifier: Apache-2.0 */
/* Judges all mutants of a module: killed, proved equivalent, or named. */
#include "verify/mutate/mutate.h"
#include "base/sizes.h"

#include "cosim/lockstep/report.h"

#include <inttypes.h>

enum { SIZES = SIZES_TEXT };

double mutate_percent(const mutate_score_t *s) {
  unsigned live = s->mutants - s->equivalent;
  return live > 0 ? 100.0 * s->killed / live : 100.0;
}

/* Judges a mutant that the stimulus did not kill. */
static int survivor(mutate_score_t *score, const mutants_t *m, const mutant_t *mutant,
                    const mutate_options_t *o, mrpb_err_t *err) {
  equal_why_t why = {.cycles = 0};
  equal_t v =
      o->seconds > 0 ? equal_decide(m, mutant->number, o->seconds, &why, err) : EQUAL_UNDECIDED;
  if (v == EQUAL_FAILED) return RTL_BAD_TOOL;
  if (v == EQUAL_PROVED) {
    score->equivalent++;
    return RTL_OK;
  }
  fprintf(o->out, "  alive  %4u  %-7s %-28s %s", mutant->number, mutant->mode, mutant->port,
          mutant->source);
  if (v == EQUAL_DIFFERS) {
    score->survived++;
    fprintf(o->out, "  %u cycles show it\n", why.cycles);
  } else {
    score->undecided++;
    fprintf(o->out, "  not decided%s%s%s\n", why.said[0] ? " (" : "", why.said,
            why.said[0] ? ")" : "");
  }
  fflush(o->out);
  return RTL_OK;
}

static int judge(mutate_score_t *score, const mutants_t *m, const kill_trace_t *t,
                 const mutate_options_t *o, mrpb_err_t *err) {
  verdict_t seen;
  if (mutants_run(m, 0, t, &seen) != (int64_t)t->cycles) {
    mrpb_fail(err, "%s: the Verilog without a mutant does not match the C model: mrpb cosim %s",
              m->cls->stem, m->cls->stem);
    return RTL_BAD_INPUT;
  }
  if (verdict_check(&seen, err) != 0) return RTL_BAD_INPUT;
  verdict_write(&seen, o->out, "", "  without a mutant matched %" PRIu64 " cycles", t->cycles);
  score->mutants = m->n;
  int rc = RTL_OK;
  for (unsigned k = 0; k < m->n && rc == RTL_OK && !(o->stop && o->stop()); k++) {
    int64_t at = mutants_run(m, m->list[k].number, t, NULL);
    if (at < 0) {
      mrpb_fail(err, "%s: out of memory", m->cls->stem);
      rc = RTL_BAD_TOOL;
    } else if (at < (int64_t)t->cycles) {
      score->killed++;
    } else {
      rc = survivor(score, m, &m->list[k], o, err);
    }
  }
  return rc;
}

static int module_rtl(mutate_score_t *score, rtl_env_t *env, const kill_trace_t *t,
                      const mutate_options_t *o, mrpb_err_t *err) {
  mutants_t m;
  int rc = mutants_make(&m, env, t->cls, t->cfg, o->mutants, o->seed, err);
  if (rc != RTL_OK) return rc;
  rc = judge(score, &m, t, o, err);
  mutants_free(&m);
  return rc;
}

static void live_in_c(mutate_score_t *score, const cmutants_t *m, unsigned i,
                      const mutate_options_t *o) {
  if (o->reasons && reasons_find(o->reasons, m, i)) {
    score->equivalent++;
    return;
  }
  score->survived++;
  fprintf(o->out, "  alive  %s.c:%u:%u  '%s' for '%s'\n", m->cls->stem, m->list[i].line,
          m->list[i].column, m->list[i].to, m->list[i].from);
  fflush(o->out);
}

/* If there are more places than requested mutants, takes places at equal distances. */
static int module_c(mutate_score_t *score, const rtl_env_t *env, const kill_trace_t *t,
                    unsigned n_traces, const mutate_options_t *o, mrpb_err_t *err) {
  cmutants_t m;
  int rc = cmutants_make(&m, rtl_env_root(env), t->cls, err) == 0 ? RTL_OK : RTL_BAD_TOOL;
  unsigned n = m.n < o->mutants ? m.n : o->mutants, k = 0;
  for (; k < n && rc == RTL_OK && !(o->stop && o->stop()); k++) {
    unsigned i = (unsigned)((k * (uint64_t)m.n + o->seed % m.n) / n) % m.n;
    cmutant_fate_t fate = cmutants_run(&m, i, t, n_traces, err);
    if (fate == CMUTANT_FAILED) rc = RTL_BAD_TOOL;
    if (fate == CMUTANT_NO_C) continue;
    score->mutants++;
    if (fate == CMUTANT_KILLED) score->killed++;
    if (fate == CMUTANT_ALIVE) live_in_c(score, &m, i, o);
  }
  if (rc == RTL_OK && k == m.n && o->reasons) score->stale = reasons_stale(o->reasons, &m, o->out);
  cmutants_free(&m);
  return rc;
}

int mutate_module(mutate_score_t *score, rtl_env_t *env, const module_class_t *cls,
                  const uint32_t (*cfg)[MODULE_MAX_PARAMS], unsigned n, const mutate_options_t *o,
                  mrpb_err_t *err) {
  kill_trace_t t[MUTATE_MAX_SIZES] = {{0}};
  char sizes[SIZES];
  int rc = RTL_OK;
  *score = (mutate_score_t){0};
  for (unsigned i = 0; i < n && rc == RTL_OK; i++) {
    sizes_text(cls, cfg[i], "", sizes, sizeof sizes);
    fprintf(o->out, "%s %s\n", cls->stem, sizes);
    if (kill_record(&t[i], cls, cfg[i], o->seed, o->cycles, err) != 0) rc = RTL_BAD_INPUT;
  }
  fflush(o->out);
  if (rc == RTL_OK)
    rc = o->c ? module_c(score, env, t, n, o, err) : module_rtl(score, env, t, o, err);
  for (unsigned i = 0; i < n; i++) kill_free(&t[i]);
  if (rc == RTL_OK && o->c)
    fprintf(o->out, "  %u mutants: %u killed, %u with a reason, %u alive: %.1f %%\n",
            score->mutants, score->killed, score->equivalent, score->survived,
            mutate_percent(score));
  else if (rc == RTL_OK)
    fprintf(o->out,
            "  %u mutants: %u killed, %u proved equivalent, %u alive, %u not decided: %.1f %%\n",
            score->mutants, score->killed, score->equivalent, score->survived, score->undecided,
            mutate_percent(score));
  return rc;
}
