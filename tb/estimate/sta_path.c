/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a path report of OpenSTA into depth, period and source names. The modules between the
 * path's ends are taken from the longest path between the same ends in the gates before mapping,
 * where the source's names still exist: ABC keeps no name inside the logic. */
#include "estimate/sta_path.h"

#include "base/files.h"
#include "estimate/gates.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 512, LINE = 512, SCOPES = 12 };

struct sta_names {
  const synth_job_t *job;
  gates_t mapped, pre;
};

/* "inst/pin (cell)", or "port (in)", "port (out)". */
typedef struct {
  char inst[STA_NAME], pin[STA_NAME], cell[STA_NAME];
} point_t;

typedef struct {
  point_t point[POINTS];
  unsigned n;
  double slack;
  bool complete;
} report_t;

sta_names_t *sta_names_open(const synth_job_t *job, const char *folder, mrpb_err_t *err) {
  char mapped[FILES_PATH], pre[FILES_PATH];
  sta_names_t *n = calloc(1, sizeof *n);
  if (!n || !files_path(mapped, "%s/mapped.json", folder) ||
      !files_path(pre, "%s/pre.json", folder)) {
    free(n);
    mrpb_fail(err, "out of memory");
    return NULL;
  }
  n->job = job;
  if (gates_open(&n->mapped, mapped, job->source.top, err) == 0 &&
      gates_open(&n->pre, pre, job->source.top, err) == 0) {
    n->mapped.registers = n->pre.registers = job->source.registers;
    n->pre.inputs = job->source.inputs;
    return n;
  }
  sta_names_close(n);
  return NULL;
}

void sta_names_close(sta_names_t *n) {
  if (!n) return;
  gates_close(&n->mapped);
  gates_close(&n->pre);
  free(n);
}

/* "   0.224586    0.224586 v _12994_/Q (DFFPOSX1)" */
static bool read_point(const char *line, point_t *p) {
  double delay, time;
  char edge;
  char what[STA_NAME], cell[STA_NAME];
  if (sscanf(line, "%lf %lf %c %127s (%127[^)])", &delay, &time, &edge, what, cell) != 5)
    return false;
  if (edge != '^' && edge != 'v') return false;
  char *slash = strrchr(what, '/');
  if (slash) *slash = '\0';
  snprintf(p->inst, STA_NAME, "%s", what);
  snprintf(p->pin, STA_NAME, "%s", slash ? slash + 1 : "");
  snprintf(p->cell, STA_NAME, "%s", cell);
  return true;
}

static int read_report(const char *text, report_t *r, mrpb_err_t *err) {
  bool arrived = false;
  char line[LINE];
  *r = (report_t){.n = 0};
  for (const char *at = text; *at && !r->complete; at += strcspn(at, "\n"), at += *at == '\n') {
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    if (strstr(line, "No paths found")) return 0;
    if (strstr(line, "data arrival time")) arrived = true;
    if (!arrived && r->n < POINTS && read_point(line, &r->point[r->n])) r->n++;
    if (arrived && strstr(line, " slack (")) r->complete = sscanf(line, "%lf", &r->slack) == 1;
  }
  if (!r->complete || r->n < 2 || r->n == POINTS)
    return mrpb_fail(err, "sta: a path report that cannot be read: %.100s", text);
  return 0;
}

static bool is_macro(const point_t *p) {
  return strncmp(p->cell, "sram_", 5) == 0;
}

/* ---- ends ---- */

/* The name of a flip-flop's state. With a reset, a library's cell has its outputs in any order. */
static const gates_alias_t *state_name(const sta_names_t *n, const char *inst,
                                       const liberty_cell_t *cell) {
  const gates_alias_t *q = gates_name(&n->mapped, gates_pin(&n->mapped, inst, "Q"));
  return q ? q : gates_name(&n->mapped, gates_pin(&n->mapped, inst, cell->out));
}

/* The bit in the gates before mapping at which a path starts or arrives (-1: several, or none), and
 * the name of that end. */
static int end_bit(const sta_names_t *n, const point_t *p, bool start, char name[STA_NAME]) {
  const liberty_cell_t *cell = liberty_cell(n->job->lib, p->cell);
  const gates_alias_t *alias = NULL;
  snprintf(name, STA_NAME, "%s", p->inst);
  if (is_macro(p)) {
    snprintf(name, STA_NAME, "%.100s (SRAM)", p->inst);
    return gates_pin(&n->pre, p->inst, p->pin);
  }
  if (p->pin[0] == '\0') { /* a port, "out_data_o[3]" */
    char net[STA_NAME];
    snprintf(net, sizeof net, "%.*s", (int)strcspn(p->inst, "["), p->inst);
    const char *index = strchr(p->inst, '[');
    return index ? gates_net_said(&n->pre, net, (int)strtol(index + 1, NULL, 10))
                 : gates_net(&n->pre, net, 0);
  }
  if (cell && cell->flop) alias = state_name(n, p->inst, cell);
  if (!alias) return -1;
  gates_print(alias, name);
  int q = gates_net(&n->pre, alias->name, alias->index);
  if (start || q < 0) return q;
  const char *flop;
  json_t *c;
  json_object_foreach(n->pre.cells, flop, c) {
    if (gates_is_flop(gates_type(&n->pre, flop)) && gates_pin(&n->pre, flop, "Q") == q)
      return gates_pin(&n->pre, flop, "D");
  }
  return -1;
}

/* ---- the modules between ---- */

typedef struct {
  char scope[SCOPES][GATES_NAME], net[SCOPES][GATES_NAME];
  unsigned n;
  bool more;
} through_t;

/* "u_a.u_b.x_o" is a net of the module instance u_a.u_b; an input belongs to the module that drives
 * it. */
static size_t scope_length(const char *name) {
  size_t n = strcspn(name, "[");
  while (n > 0 && name[n] != '.') n--;
  return n;
}

/* The name of a bit in the module that makes it: the deepest module that does not get it as an
 * input. */
static const gates_alias_t *maker(const gates_t *g, int bit) {
  const gates_alias_t *best = NULL;
  for (unsigned i = 0; i < g->n_aliases; i++) {
    const gates_alias_t *a = &g->alias[i];
    if (a->bit != bit || gates_is_input(g, a->name)) continue;
    size_t have = best ? scope_length(best->name) : 0, new = scope_length(a->name);
    if (!best || new > have || (new == have &&strlen(a->name) < strlen(best->name))) best = a;
  }
  return best;
}

/* Keeps the last net of each module along the path. */
static void add_net(through_t *t, const gates_alias_t *a) {
  char scope[GATES_NAME], net[GATES_NAME];
  snprintf(scope, sizeof scope, "%.*s", (int)scope_length(a->name), a->name);
  gates_print(a, net);
  if (t->n == 0 || strcmp(t->scope[t->n - 1], scope) != 0) {
    if (t->n == SCOPES) {
      t->more = true;
      return;
    }
    memcpy(t->scope[t->n++], scope, sizeof scope);
  }
  memcpy(t->net[t->n - 1], net, sizeof net);
}

/* Adds the path from one bit to another, without its ends. Returns false if there is none. */
static bool add_way(through_t *t, const gates_t *g, int from, int to) {
  int *way, n = gates_way(g, from, to, &way);
  for (int i = 1; i + 1 < n; i++) {
    const gates_alias_t *a = maker(g, way[i]);
    if (a) add_net(t, a);
  }
  if (n > 0) free(way);
  return n > 0;
}

/* The bit of a macro's read address to which the path is longest. */
static int address_bit(const gates_t *g, const char *macro, int from) {
  int best = -1, best_length = 0;
  for (unsigned i = 0; i < 32; i++) {
    char pin[16];
    int *way;
    snprintf(pin, sizeof pin, "raddr_%u", i);
    int to = gates_pin(g, macro, pin), n = to < 0 ? 0 : gates_way(g, from, to, &way);
    if (n > 0) free(way);
    if (n > best_length) {
      best_length = n;
      best = to;
    }
  }
  return best;
}

static void print_through(const through_t *t, char text[STA_THROUGH]) {
  text[0] = '\0';
  for (unsigned i = 0; i < t->n; i++) {
    size_t at = strlen(text);
    snprintf(text + at, STA_THROUGH - at, "%s%s", i ? ", " : "", t->net[i]);
  }
  size_t at = strlen(text);
  if (t->more) snprintf(text + at, STA_THROUGH - at, ", ...");
}

static void find_through(const sta_names_t *n, const report_t *r, unsigned first, int from, int to,
                         char text[STA_THROUGH]) {
  through_t *t = calloc(1, sizeof *t);
  text[0] = '\0';
  if (!t) return;
  for (unsigned i = first; i + 1 < r->n; i++) {
    const point_t *p = &r->point[i];
    if (!is_macro(p)) continue;
    add_way(t, &n->pre, from, address_bit(&n->pre, p->inst, from));
    from = gates_pin(&n->pre, p->inst, p->pin);
    if (t->n < SCOPES) {
      snprintf(t->net[t->n], GATES_NAME, "%.100s (SRAM)", p->inst);
      t->scope[t->n++][0] = '(';
    }
  }
  add_way(t, &n->pre, from, to);
  print_through(t, text);
  free(t);
}

int sta_path_read(const char *text, double period, const sta_names_t *names, sta_path_t *p,
                  mrpb_err_t *err) {
  report_t *r = calloc(1, sizeof *r);
  if (!r) return mrpb_fail(err, "out of memory");
  int rc = read_report(text, r, err);
  if (rc == 0 && r->n > 0) {
    p->found = true;
    p->period_ns = period - r->slack;
    /* The first point of a flip-flop is its clock pin, the second its output, where the path
     * starts. */
    unsigned first = r->point[0].pin[0] ? 1 : 0;
    const point_t *start = &r->point[first], *end = &r->point[r->n - 1];
    int from = end_bit(names, start, true, p->start), to = end_bit(names, end, false, p->end);
    p->depth = r->n - 2 - first;
    find_through(names, r, first + 1, from, to, p->through);
  }
  free(r);
  return rc;
}
