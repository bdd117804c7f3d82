/* SPDX-License-Identifier: Apache-2.0 */
/* Takes numbers from results (each result is read once), and computes means over programs. */
#include "studies/figures/figures.h"
#include "base/json_in.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *path; /* path "a.b+c.d": a sum of numbers in the result */
} metric_t;

static const metric_t metrics[] = {
    /* 1 / SM cycles; the ratio of IPC for the same instructions */
    {"speed", ""},
    /* thread instructions / SM cycles */
    {"ipc", "ipc"},
    /* SM cycles */
    {"cycles", "cycles"},
    /* thread instructions */
    {"instructions", "thread_instructions"},
    /* reads that missed in the L1D; bypassed reads are not counted */
    {"misses", "l1d.misses"},
    /* reads that missed in the L1D or bypassed it */
    {"misses+bypasses", "l1d.misses+l1d.bypasses"},
    /* reads of the L1D */
    {"accesses", "l1d.hits+l1d.misses+l1d.pending_hits+l1d.bypasses"},
    /* packets from the L2s to the SMs */
    {"packets", "interconnect.replies.packets"},
    /* flits from the L2s to the SMs */
    {"flits", "interconnect.replies.flits"},
    /* packets with data from the L2s to the SMs */
    {"read-packets", "interconnect.replies.reads"},
    /* misses that evict a line of the same warp */
    {"intra-warp", "l1d.contention.intra_warp.evictions"},
    /* misses that evict a line of another warp of the block */
    {"cross-warp-intra-block", "l1d.contention.cross_warp.evictions"},
    /* misses that evict a line of another block */
    {"cross-warp-cross-block", "l1d.contention.cross_block.evictions"},
};
enum { N_METRICS = sizeof metrics / sizeof *metrics };
_Static_assert(N_METRICS == (int)FIGURES_METRICS, "figures_bar_t has room for every metric");

static const metric_t *find(const char *name) {
  for (unsigned i = 0; i < N_METRICS; i++)
    if (strcmp(metrics[i].name, name) == 0) return &metrics[i];
  return NULL;
}

bool figures_metric_known(const char *metric) {
  return find(metric) != NULL;
}

static double at_path(const json_t *result, const char *path) {
  const json_t *v = json_in_at(result, path);
  return json_is_number(v) ? json_number_value(v) : NAN;
}

/* A number from a result: "cycles", "speed" (1 / cycles), "ipc", "misses", "packets", ...; NAN if
 * the result lacks it. */
static double figures_metric(const json_t *result, const char *metric) {
  const metric_t *m = find(metric);
  char term[FIGURES_NAME];
  double sum = 0;
  if (!m || !result) return NAN;
  if (strcmp(metric, "speed") == 0) return 1 / at_path(result, "cycles");
  for (const char *path = m->path; *path;) {
    size_t n = strcspn(path, "+");
    snprintf(term, sizeof term, "%.*s", (int)n, path);
    sum += at_path(result, term);
    path += n + (path[n] == '+');
  }
  return sum;
}

/* ---- the results of an experiment ------------------------------------------ */

static void read_bar(figures_bar_t *bar, const json_t *result) {
  for (unsigned i = 0; i < N_METRICS; i++) bar->metric[i] = figures_metric(result, metrics[i].name);
}

/* Returns 0 with *result NULL if the run is missing, has failed, or was ended; in the last case
 * *ended is the cycle. */
static int load_result(json_t **result, uint64_t *ended, const figures_campaign_t *c,
                       const figures_run_t *run, mrpb_err_t *err) {
  sweep_outcome_t o;
  bool there;
  *result = NULL;
  if (sweep_store_get(c->store, run->program, run->hash, &there, &o, err) != 0) return -1;
  *ended = o.ended;
  if (!o.json) return 0;
  *result = json_loads(o.json, 0, NULL);
  free(o.json);
  return *result ? 0 : mrpb_fail(err, "%s: out of memory", c->db);
}

/* The best of several runs is known only when each has a result, or was ended after more cycles
 * than the best has. */
static int load_bar(figures_bar_t *bar, const figures_campaign_t *c,
                    const figures_program_t *program, const figures_point_t *point,
                    mrpb_err_t *err) {
  unsigned n = point && point->n_best ? point->n_best : 1;
  uint64_t least = UINT64_MAX, ended = 0;
  double best = -1;
  read_bar(bar, NULL);
  for (unsigned i = 0; i < n; i++) {
    figures_run_t run;
    if (figures_make_run(c, program, point, i, &run, err) != 0) return -1;
    if (i == 0) bar->hash = run.hash;
    json_t *result;
    if (load_result(&result, &ended, c, &run, err) != 0) return -1;
    double speed = figures_metric(result, "speed");
    if (ended > 0 && ended < least) least = ended;
    if (ended > 0) continue;
    if (isnan(speed) || speed > best) read_bar(bar, isnan(speed) ? NULL : result);
    best = fmax(best, speed);
    json_decref(result);
    if (isnan(speed)) return 0;
  }
  if (least < UINT64_MAX && !(best * (double)least > 1)) read_bar(bar, NULL);
  return 0;
}

int figures_load(figures_results_t *r, const figures_campaign_t *c, const figures_experiment_t *e,
                 mrpb_err_t *err) {
  size_t bars = e->n_points + 1;
  *r = (figures_results_t){.e = e, .quick = c->quick};
  r->bar = calloc(e->n_programs * bars, sizeof *r->bar);
  if (!r->bar) return mrpb_fail(err, "%s: out of memory for the results", e->id);
  for (unsigned p = 0; p < e->n_programs; p++)
    for (unsigned q = 0; q < bars; q++) {
      const figures_point_t *point = q < e->n_points ? &e->point[q] : NULL;
      mrpb_err_t why = {{0}};
      if (load_bar(&r->bar[p * bars + q], c, &e->program[p], point, &why) == 0) continue;
      figures_unload(r);
      return mrpb_fail(err, "%s: %s", e->id, why.text);
    }
  return 0;
}

void figures_unload(figures_results_t *r) {
  free(r->bar);
  r->bar = NULL;
}

const figures_bar_t *figures_bar(const figures_results_t *r, unsigned p, unsigned q) {
  return &r->bar[p * (size_t)(r->e->n_points + 1) + q];
}

double figures_value(const figures_results_t *r, unsigned p, unsigned q, const char *metric) {
  const metric_t *m = find(metric);
  return m ? figures_bar(r, p, q)->metric[m - metrics] : NAN;
}

static unsigned point_index(const figures_experiment_t *e, const char *name) {
  for (unsigned i = 0; i < e->n_points; i++)
    if (strcmp(e->point[i].name, name) == 0) return i;
  return e->n_points;
}

/* A group is a suite on a base ("polybench-s"), a type on a base ("iw-s"), a program ("srad-u-s"),
 * the programs without shared memory ("unshared"), or all. */
static bool in_group(const figures_program_t *p, const char *group) {
  char name[FIGURES_NAME * 2];
  if (strcmp(group, "all") == 0 || strcmp(group, p->group) == 0) return true;
  snprintf(name, sizeof name, "%s-%c", p->name, p->base);
  if (strcmp(group, name) == 0) return true;
  if (strcmp(group, "unshared") == 0) return strstr(p->name, "-u") != NULL;
  snprintf(name, sizeof name, "%c%c-%c", p->type[0] | 0x20, p->type[1] | 0x20, p->base);
  return strcmp(group, name) == 0;
}

unsigned figures_reference(const figures_experiment_t *e, unsigned p, const char *over) {
  char name[FIGURES_NAME * 2], shared[FIGURES_NAME * 2];
  size_t n = strlen(e->program[p].name);
  bool twin = strcmp(over, "shared") == 0;
  if (over[0] == '\0' || (twin && (n < 3 || strcmp(e->program[p].name + n - 2, "-u") != 0)))
    return p;
  snprintf(shared, sizeof shared, "%.*s-%c", (int)(n - 2), e->program[p].name, e->program[p].base);
  for (unsigned i = 0; i < e->n_programs; i++) {
    snprintf(name, sizeof name, "%s-%c", e->program[i].name, e->program[i].base);
    if (strcmp(name, twin ? shared : over) == 0) return i;
  }
  return p;
}

double figures_aggregate(const figures_results_t *r, const figures_published_t *what) {
  const figures_experiment_t *e = r->e;
  unsigned q = point_index(e, what->point), over = point_index(e, what->over), n = 0;
  bool twin = strcmp(what->over, "shared") == 0;
  double sum = 0, most = -INFINITY, least = INFINITY;
  for (unsigned p = 0; p < e->n_programs; p++) {
    if (!in_group(&e->program[p], what->group)) continue;
    unsigned reference = figures_reference(e, p, twin ? "shared" : "");
    double v =
        figures_value(r, p, q, what->metric) / figures_value(r, reference, over, what->metric);
    if (isnan(v)) return NAN;
    sum += what->aggregate == FIGURES_GEOMEAN ? log(v) : v;
    most = fmax(most, v);
    least = fmin(least, v);
    n++;
  }
  if (n == 0) return NAN;
  switch (what->aggregate) {
  case FIGURES_GEOMEAN:
    return exp(sum / n);
  case FIGURES_MEAN:
    return sum / n;
  case FIGURES_MAX:
    return most;
  case FIGURES_MIN:
    return least;
  }
  return NAN;
}
