/* Numbers out of results, and means over programs. */
#include "figures/figures.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name, *path, *doc; /* path "a.b+c.d": sums of numbers in the result */
} metric_t;

static const metric_t metrics[] = {
    {"speed", "", "1 / SM cycles; the ratio of IPC for the same instructions"},
    {"ipc", "ipc", "thread instructions / SM cycles"},
    {"cycles", "cycles", "SM cycles"},
    {"instructions", "thread_instructions", "thread instructions"},
    {"misses", "l1d.misses", "reads that missed in the L1D; bypassed reads are not counted"},
    {"misses+bypasses", "l1d.misses+l1d.bypasses", "reads that missed in the L1D or bypassed it"},
    {"accesses", "l1d.hits+l1d.misses+l1d.pending_hits+l1d.bypasses", "reads of the L1D"},
    {"packets", "interconnect.replies.packets", "packets from the L2s to the SMs"},
    {"flits", "interconnect.replies.flits", "flits from the L2s to the SMs"},
    {"read-packets", "interconnect.replies.reads", "packets with data from the L2s to the SMs"},
    {"intra-warp", "l1d.contention.intra_warp.evictions", "misses that evict a line of the same warp"},
    {"cross-warp-intra-block", "l1d.contention.cross_warp.evictions",
     "misses that evict a line of another warp of the block"},
    {"cross-warp-cross-block", "l1d.contention.cross_block.evictions",
     "misses that evict a line of another block"},
};
enum { N_METRICS = sizeof metrics / sizeof *metrics };

const char *figures_metric_name(unsigned i) {
  return i < N_METRICS ? metrics[i].name : NULL;
}
const char *figures_metric_doc(unsigned i) {
  return i < N_METRICS ? metrics[i].doc : NULL;
}

static const metric_t *find(const char *name) {
  for (unsigned i = 0; i < N_METRICS; i++)
    if (strcmp(metrics[i].name, name) == 0) return &metrics[i];
  return NULL;
}

bool figures_metric_known(const char *metric) {
  return find(metric) != NULL;
}

static double at_path(const json_t *result, const char *path) {
  char part[FIGURES_NAME];
  while (*path) {
    size_t n = strcspn(path, ".");
    snprintf(part, sizeof part, "%.*s", (int)n, path);
    result = json_object_get(result, part);
    path += n + (path[n] == '.');
  }
  return json_is_number(result) ? json_number_value(result) : NAN;
}

double figures_metric(const json_t *result, const char *metric) {
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

/* With several values to choose from the fastest run's. */
double figures_bar(const figures_campaign_t *c, const figures_experiment_t *e, unsigned p,
                   unsigned q, const char *metric) {
  const figures_point_t *point = q < e->n_points ? &e->point[q] : NULL;
  unsigned n = point && point->n_best ? point->n_best : 1;
  double best = -1, value = NAN;
  for (unsigned i = 0; i < n; i++) {
    figures_run_t run;
    mrpb_err_t err;
    if (figures_make_run(c, &e->program[p], point, i, &run, &err) != 0) return NAN;
    json_t *result = figures_result(c, &run);
    double speed = figures_metric(result, "speed");
    if (speed > best) {
      best = speed;
      value = figures_metric(result, metric);
    }
    json_decref(result);
  }
  return value;
}

static unsigned point_index(const figures_experiment_t *e, const char *name) {
  for (unsigned i = 0; i < e->n_points; i++)
    if (strcmp(e->point[i].name, name) == 0) return i;
  return e->n_points;
}

/* A group is a suite with its base, "polybench-s"; a type with its base, "iw-s"; a program,
 * "srad-u-s"; the programs without shared memory, "unshared"; or all. */
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

double figures_aggregate(const figures_campaign_t *c, const figures_experiment_t *e,
                         const figures_published_t *what) {
  unsigned q = point_index(e, what->point), over = point_index(e, what->over), n = 0;
  bool twin = strcmp(what->over, "shared") == 0;
  double sum = 0, most = -INFINITY, least = INFINITY;
  for (unsigned p = 0; p < e->n_programs; p++) {
    if (!in_group(&e->program[p], what->group)) continue;
    unsigned reference = figures_reference(e, p, twin ? "shared" : "");
    double v =
        figures_bar(c, e, p, q, what->metric) / figures_bar(c, e, reference, over, what->metric);
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
