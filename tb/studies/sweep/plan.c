/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the runs: see plan.h. */
#include "studies/sweep/plan.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static int add(plan_program_t *p, size_t point, mrpb_err_t *err) {
  size_t *todo = grow(p->todo, p->n + 1, &p->room, sizeof *todo);
  if (!todo) return mrpb_fail(err, "out of memory for the list of points");
  p->todo = todo;
  todo[p->n++] = point;
  return 0;
}

static int look_up(plan_t *p, const sweep_t *s, size_t i, sweep_state_t *state, mrpb_err_t *err) {
  const sweep_point_t *point = &s->list->point[i];
  if (sweep_store_state(s->store, s->list->program[point->program].hash, point->hash, state, err) !=
      0)
    return -1;
  return fewer_stored(&p->fewer, i, *state, err);
}

/* A point whose run was ended needs no other one as long as a better one of its group is known. */
static int want(plan_t *p, const sweep_t *s, size_t i, sweep_state_t state, mrpb_err_t *err) {
  p->done += state == SWEEP_DONE;
  if (state == SWEEP_FAILED && !s->retry) return p->failed++, 0;
  if (state == SWEEP_ENDED && fewer_over(&p->fewer, i)) return p->over++, 0;
  if (state == SWEEP_DONE) return 0;
  p->n++;
  return add(&p->program[s->list->point[i].program], i, err);
}

static int look_up_all(plan_t *p, const sweep_t *s, mrpb_err_t *err) {
  const sweep_list_t *l = s->list;
  sweep_state_t *state = calloc(l->n + 1, sizeof *state);
  int rc = state ? 0 : mrpb_fail(err, "out of memory for the list of points");
  for (size_t i = 0; i < l->n && rc == 0; i++) rc = look_up(p, s, i, &state[i], err);
  for (size_t i = 0; i < l->n && rc == 0; i++) rc = want(p, s, i, state[i], err);
  free(state);
  return rc;
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
  if (rc == 0) rc = fewer_open(&p->fewer, s, err);
  if (rc == 0) rc = look_up_all(p, s, err);
  for (size_t i = 0; i < l->n_programs && rc == 0; i++) {
    rc = learn(&p->program[i], &l->program[i], s->store, err);
    if (rc == 0) rc = fewer_order(&p->fewer, p->program[i].todo, p->program[i].n, err);
  }
  if (rc == 0) rc = sweep_store_cost(s->store, NULL, 0, &p->sum, err);
  p->known = p->sum > 0;
  if (rc != 0) plan_close(p);
  return rc;
}

void plan_close(plan_t *p) {
  for (size_t i = 0; p->program && i < p->list->n_programs; i++) free(p->program[i].todo);
  free(p->program);
  free(p->key);
  fewer_close(&p->fewer);
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

/* Brings the first of the program's points that may begin to its turn; false if there is none. */
static bool bring(const plan_t *p, plan_program_t *of) {
  for (size_t i = of->next; i < of->n; i++) {
    const size_t point = of->todo[i];
    if (!fewer_may_begin(&p->fewer, point)) continue;
    memmove(&of->todo[of->next + 1], &of->todo[of->next], (i - of->next) * sizeof point);
    of->todo[of->next] = point;
    return true;
  }
  return false;
}

size_t plan_next(plan_t *p) {
  const unsigned n = (unsigned)p->list->n_programs;
  unsigned best = n;
  for (unsigned i = 0; i < n; i++)
    if ((best == n || is_before(p, i, best)) && bring(p, &p->program[i])) best = i;
  if (best == n) return FEWER_NONE;
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
