/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a campaign, as points of one sweep. */
#include "studies/figures/figures.h"

#include "base/hash.h"
#include "base/split.h"

#include <stdio.h>
#include <string.h>

enum { PATH = 1024 };

int figures_read_bases(figures_campaign_t *c, const char *configs, mrpb_err_t *err) {
  char path[PATH];
  snprintf(path, sizeof path, "%s/base-s.conf", configs);
  if (config_load(&c->base_s, path, err) != 0) return -1;
  snprintf(path, sizeof path, "%s/base-l.conf", configs);
  return config_load(&c->base_l, path, err);
}

/* The words stand in the order of the options of `mrpb run`, as in a sweep: the program first. */
static int make_words(figures_run_t *run, const figures_program_t *program, bool quick,
                      mrpb_err_t *err) {
  char *option[FIGURES_MAX_WORDS - 2];
  snprintf(run->options, sizeof run->options, "%s", quick ? program->quick : "");
  const int n = split_words(run->options, option, FIGURES_MAX_WORDS - 2, err);
  if (n < 0) return -1;
  run->word[0] = "--kernel";
  run->word[1] = program->name;
  for (int i = 0; i < n; i++) run->word[2 + i] = option[i];
  run->n_words = 2 + (unsigned)n;
  run->cut = n > 0;
  run->program = sweep_words_hash(run->word, run->n_words);
  return 0;
}

int figures_make_run(const figures_campaign_t *c, const figures_program_t *program,
                     const figures_point_t *point, unsigned best, figures_run_t *run,
                     mrpb_err_t *err) {
  char text[FIGURES_NAME * 2];
  memset(run, 0, sizeof *run);
  if (make_words(run, program, c->quick, err) != 0) return -1;
  run->cfg = program->base == 'l' ? c->base_l : c->base_s;
  for (unsigned i = 0; point && i < point->n_settings; i++) {
    const figures_setting_t *s = &point->setting[i];
    if (s->base && s->base != program->base) continue;
    if (config_set(&run->cfg, s->text, err) != 0) return -1;
  }
  if (point && point->n_best) {
    snprintf(text, sizeof text, "%s=%s", point->best_key, point->best[best]);
    if (config_set(&run->cfg, text, err) != 0) return -1;
  }
  snprintf(text, sizeof text, "point '%s'", point ? point->name : "base");
  if (config_check(&run->cfg, text, err) != 0) return -1;
  run->hash = config_hash(&run->cfg);
  return 0;
}

static bool wanted(const figures_campaign_t *c, const figures_program_t *program) {
  for (unsigned i = 0; i < c->n_only; i++)
    if (strcmp(c->only[i], program->name) == 0) return true;
  return c->n_only == 0;
}

/* Of the values of `best`, only the fastest run counts. Experiments that search among the same
 * values share the group. */
static uint64_t group_of(const figures_campaign_t *c, const figures_program_t *program,
                         const figures_point_t *point, mrpb_err_t *err) {
  figures_run_t first;
  if (!point || point->n_best < 2 || c->every) return 0;
  if (figures_make_run(c, program, point, 0, &first, err) != 0) return 0;
  uint64_t hash = hash_bytes(first.program, &first.hash, sizeof first.hash);
  for (unsigned i = 0; i < point->n_best; i++) hash = hash_text(hash, point->best[i]);
  return hash | 1;
}

static int add_run(const figures_campaign_t *c, sweep_list_t *l, const figures_program_t *program,
                   const figures_point_t *point, unsigned best, mrpb_err_t *err) {
  figures_run_t run;
  if (!wanted(c, program)) return 0;
  if (figures_make_run(c, program, point, best, &run, err) != 0) return -1;
  const int p =
      sweep_list_program(l, program->name, run.word, run.n_words, run.cut, run.program, err);
  return p < 0 ? -1
               : sweep_list_add_to(l, (unsigned)p, &run.cfg, group_of(c, program, point, err), err);
}

static int add_experiment(const figures_campaign_t *c, sweep_list_t *l,
                          const figures_experiment_t *e, mrpb_err_t *err) {
  for (unsigned p = 0; p < e->n_programs; p++)
    if (add_run(c, l, &e->program[p], NULL, 0, err) != 0) return -1;
  for (unsigned q = 0; q < e->n_points; q++)
    for (unsigned p = 0; p < e->n_programs; p++)
      for (unsigned b = 0; b < (e->point[q].n_best ? e->point[q].n_best : 1); b++)
        if (add_run(c, l, &e->program[p], &e->point[q], b, err) != 0) return -1;
  return 0;
}

int figures_run_all(const figures_campaign_t *c, const figures_experiment_t *e, unsigned n,
                    mrpb_err_t *err) {
  sweep_list_t list = {0};
  sweep_t sweep = c->sweep;
  int rc = 0;
  for (unsigned i = 0; i < n && rc == 0; i++) {
    mrpb_err_t why = {{0}};
    if (add_experiment(c, &list, &e[i], &why) != 0)
      rc = mrpb_fail(err, "%s: %s", e[i].id, why.text);
  }
  sweep.list = &list;
  sweep.retry = true;
  sweep.skip_equal = !sweep.slurm && !c->every;
  if (rc == 0) rc = sweep_store_write(&sweep.store, c->db, err);
  if (rc == 0) rc = sweep_run(&sweep, err);
  sweep_store_close(sweep.store);
  sweep_list_free(&list);
  return rc;
}
