/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the runs: see plan.h. */
#include "studies/sweep/plan.h"

#include "base/grow.h"

#include <stdlib.h>

static int add(plan_program_t *p, size_t point, mrpb_err_t *err) {
  size_t *todo = grow(p->todo, p->n + 1, &p->room, sizeof *todo);
  if (!todo) return mrpb_fail(err, "out of memory for the list of points");
  p->todo = todo;
  todo[p->n++] = point;
  return 0;
}

static int look_up(plan_t *p, const sweep_t *s, size_t i, mrpb_err_t *err) {
  const sweep_point_t *point = &s->list->point[i];
  sweep_state_t state;
  if (sweep_store_state(s->store, s->list->program[point->program].hash, point->hash, &state,
                        err) != 0)
    return -1;
  p->done += state == SWEEP_DONE;
  if (state == SWEEP_FAILED && !s->retry) return p->failed++, 0;
  if (state == SWEEP_DONE) return 0;
  p->n++;
  return add(&p->program[point->program], i, err);
}

/* Takes the cost from runs of the program itself, or else from programs of its name. */
static int learn(plan_program_t *p, const sweep_program_t *program, sweep_store_t *store,
                 mrpb_err_t *err) {
  if (p->n == 0) return 0;
  if (sweep_store_cost(store, NULL, program->hash, &p->sum, err) != 0) return -1;
  p->known = p->sum > 0;
  if (p->known) return 0;
  return sweep_store_cost(store, program->name, 0, &p->guess, err);
}

int plan_open(plan_t *p, const sweep_t *s, mrpb_err_t *err) {
  const sweep_list_t *l = s->list;
  int rc = 0;
  *p = (plan_t){.list = l, .key = sweep_list_keys(l)};
  p->program = calloc(l->n_programs + 1, sizeof *p->program);
  if (!p->program || !p->key) rc = mrpb_fail(err, "out of memory for the list of points");
  for (size_t i = 0; i < l->n && rc == 0; i++) rc = look_up(p, s, i, err);
  for (size_t i = 0; i < l->n_programs && rc == 0; i++)
    rc = learn(&p->program[i], &l->program[i], s->store, err);
  if (rc == 0) rc = sweep_store_cost(s->store, NULL, 0, &p->sum, err);
  p->known = p->sum > 0;
  if (rc != 0) plan_close(p);
  return rc;
}

void plan_close(plan_t *p) {
  for (size_t i = 0; p->program && i < p->list->n_programs; i++) free(p->program[i].todo);
  free(p->program);
  free(p->key);
  *p = (plan_t){0};
}

double plan_cost(const plan_t *p, unsigned program) {
  const plan_program_t *of = &p->program[program];
  return of->known ? of->sum / of->known : of->guess;
}

/* Programs of unknown cost come first, because they may be the longest: one point of each program
 * in turn, whole programs before cut ones. */
static bool is_before(const plan_t *p, unsigned a, unsigned b) {
  const double x = plan_cost(p, a), y = plan_cost(p, b);
  if (x > 0 && y > 0) return x > y;
  if (x > 0 || y > 0) return y > 0;
  if (p->program[a].next != p->program[b].next) return p->program[a].next < p->program[b].next;
  return !p->list->program[a].cut && p->list->program[b].cut;
}

size_t plan_next(plan_t *p) {
  const unsigned n = (unsigned)p->list->n_programs;
  unsigned best = n;
  for (unsigned i = 0; i < n; i++)
    if (p->program[i].next < p->program[i].n && (best == n || is_before(p, i, best))) best = i;
  p->begun++;
  return p->program[best].todo[p->program[best].next++];
}

void plan_end(plan_t *p, size_t point, double cpu_seconds) {
  plan_program_t *of = &p->program[p->list->point[point].program];
  of->ended++;
  if (!(cpu_seconds > 0)) return;
  of->sum += cpu_seconds;
  of->known++;
  p->sum += cpu_seconds;
  p->known++;
}

double plan_left(const plan_t *p) {
  const double mean = p->known ? p->sum / p->known : 0;
  double seconds = 0;
  for (unsigned i = 0; i < p->list->n_programs; i++) {
    const plan_program_t *of = &p->program[i];
    const double cost = plan_cost(p, i), runs = (double)(of->next - of->ended);
    seconds += ((double)(of->n - of->next) + runs / 2) * (cost > 0 ? cost : mean);
  }
  return seconds;
}

void plan_duration(double seconds, char *text, size_t size) {
  const unsigned long s = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;
  if (s >= 3600)
    snprintf(text, size, "%lu h %lu min", s / 3600, s % 3600 / 60);
  else if (s >= 60)
    snprintf(text, size, "%lu min %lu s", s / 60, s % 60);
  else
    snprintf(text, size, "%lu s", s);
}
