/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an experiment file. Each line has one keyword and its words. */
#include "studies/figures/figures.h"
#include "base/input.h"
#include "base/names.h"
#include "base/split.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 96 };

typedef struct {
  figures_experiment_t *e;
  const char *list;
  figures_setting_t common[FIGURES_MAX_SETTINGS]; /* settings of every point that follows */
  unsigned n_common;
} reader_t;

static int copy(char *to, size_t size, const char *from, const char *what, mrpb_err_t *err) {
  if (strlen(from) >= size)
    return mrpb_fail(err, "%s '%s': legal: at most %zu letters", what, from, size - 1);
  memcpy(to, from, strlen(from) + 1);
  return 0;
}

/* Joins the words from `first` on, with blanks between them. */
static int join(char *to, size_t size, char *const *word, int first, int n, mrpb_err_t *err) {
  size_t at = strlen(to);
  for (int i = first; i < n; i++) {
    size_t len = strlen(word[i]);
    if (at + len + 2 > size)
      return mrpb_fail(err, "legal: a text of at most %zu letters", size - 1);
    if (at) to[at++] = ' ';
    memcpy(to + at, word[i], len + 1);
    at += len;
  }
  return 0;
}

/* ---- programs -------------------------------------------------------------- */

static int add_program(figures_experiment_t *e, char *const *field, int n, char base,
                       mrpb_err_t *err) {
  if (e->n_programs == FIGURES_MAX_PROGRAMS)
    return mrpb_fail(err, "legal: at most %d programs", FIGURES_MAX_PROGRAMS);
  figures_program_t *p = &e->program[e->n_programs++];
  *p = (figures_program_t){.base = base};
  if (copy(p->name, sizeof p->name, field[0], "program", err) != 0 ||
      copy(p->type, sizeof p->type, field[2], "type", err) != 0)
    return -1;
  const char suffix[] = {'-', base, '\0'};
  if (snprintf(p->group, sizeof p->group, "%s%s", field[1], e->one_base ? "" : suffix) >=
      (int)sizeof p->group)
    return mrpb_fail(err, "suite '%s' is too long", field[1]);
  return join(p->quick, sizeof p->quick, field, 3, n, err);
}

typedef struct {
  reader_t *r;
  char name[FIGURES_NAME], base;
  names_near_t near;
  unsigned found;
} search_t;

/* Takes one line of the list of programs, and adds the program if it is asked for. */
static int take_program(void *ctx, char *text, mrpb_err_t *err) {
  search_t *s = ctx;
  char *field[WORDS], type[8] = "";
  int fields = split_words(text, field, WORDS, err);
  if (fields <= 0) return fields;
  if (fields < 3) return mrpb_fail(err, "legal: name suite type options");
  for (unsigned i = 0; field[2][i] && i < sizeof type - 1; i++)
    type[i] = (char)(field[2][i] | 0x20);
  names_offer(&s->near, field[0]);
  if (strcmp(s->name, field[0]) != 0 && strcmp(s->name, field[1]) != 0 &&
      strcmp(s->name, type) != 0)
    return 0;
  s->found++;
  return add_program(s->r->e, field, fields, s->base, err);
}

/* `word` is NAME-s, SUITE-s, or TYPE-s such as iw-s; or the same with -l; or without either. */
static int find_programs(reader_t *r, const char *name, mrpb_err_t *err) {
  char word[FIGURES_NAME + 2];
  search_t s = {.r = r};
  snprintf(word, sizeof word, "%s%s", name, r->e->one_base ? "-s" : "");
  size_t n = strlen(word);
  if (n < 3 || n >= sizeof s.name || word[n - 2] != '-' ||
      (word[n - 1] != 's' && word[n - 1] != 'l'))
    return mrpb_fail(err, "program '%s': legal: a name of %s with -s or -l", word, r->list);
  memcpy(s.name, word, n - 2);
  s.base = word[n - 1];
  s.near = names_near(s.name);
  int rc = input_lines(r->list, take_program, &s, err);
  if (rc == 0 && s.found == 0)
    rc = mrpb_fail(err, "program '%s' is not in %s%s", s.name, r->list, s.near.text);
  return rc;
}

static int add_setting(figures_setting_t *s, unsigned *n, const char *word, mrpb_err_t *err) {
  if (*n == FIGURES_MAX_SETTINGS)
    return mrpb_fail(err, "legal: at most %d settings", FIGURES_MAX_SETTINGS);
  s += (*n)++;
  s->base = '\0';
  if ((word[0] == 's' || word[0] == 'l') && word[1] == ':') {
    s->base = word[0];
    word += 2;
  }
  if (!strchr(word, '=')) return mrpb_fail(err, "'%s': legal: KEY=VALUE, s:KEY=VALUE", word);
  return copy(s->text, sizeof s->text, word, "setting", err);
}

static int read_best(figures_point_t *p, char *word, mrpb_err_t *err) {
  char *save = NULL, *equals = strchr(word, '=');
  if (!equals) return mrpb_fail(err, "best '%s': legal: KEY=VALUE,VALUE,...", word);
  *equals = '\0';
  if (copy(p->best_key, sizeof p->best_key, word, "key", err) != 0) return -1;
  for (char *v = strtok_r(equals + 1, ",", &save); v; v = strtok_r(NULL, ",", &save)) {
    if (p->n_best == FIGURES_MAX_BEST)
      return mrpb_fail(err, "legal: at most %d values of best", FIGURES_MAX_BEST);
    if (copy(p->best[p->n_best++], sizeof p->best[0], v, "value", err) != 0) return -1;
  }
  return 0;
}

static int read_point(reader_t *r, char **word, int n, mrpb_err_t *err) {
  figures_experiment_t *e = r->e;
  if (n < 2) return mrpb_fail(err, "legal: point NAME KEY=VALUE...");
  if (e->n_points == FIGURES_MAX_POINTS)
    return mrpb_fail(err, "legal: at most %d points", FIGURES_MAX_POINTS);
  figures_point_t *p = &e->point[e->n_points++];
  memcpy(p->setting, r->common, sizeof p->setting);
  p->n_settings = r->n_common;
  if (copy(p->name, sizeof p->name, word[1], "point", err) != 0) return -1;
  for (int i = 2; i < n; i++) {
    if (strcmp(word[i], "best") == 0 && i + 1 < n) {
      if (read_best(p, word[++i], err) != 0) return -1;
    } else if (add_setting(p->setting, &p->n_settings, word[i], err) != 0) {
      return -1;
    }
  }
  return 0;
}

/* Finds the point of that name above this line; NULL: none. */
static figures_point_t *find_point(figures_experiment_t *e, const char *name) {
  for (unsigned i = 0; i < e->n_points; i++)
    if (strcmp(e->point[i].name, name) == 0) return &e->point[i];
  return NULL;
}

static int check_point(figures_experiment_t *e, const char *name, mrpb_err_t *err) {
  if (strcmp(name, "base") == 0 || strcmp(name, "shared") == 0 || find_point(e, name)) return 0;
  return mrpb_fail(err, "no point '%s' above this line; legal: base or a point's name", name);
}

/* published VALUE AGGREGATE METRIC POINT OVER GROUP TEXT... */
static int read_published(reader_t *r, char **word, int n, mrpb_err_t *err) {
  static const char *const names[] = {"geomean", "mean", "max", "min"};
  figures_experiment_t *e = r->e;
  if (n < 8)
    return mrpb_fail(err,
                     "legal: published VALUE geomean|mean|max|min METRIC POINT OVER GROUP TEXT");
  if (e->n_published == FIGURES_MAX_PUBLISHED)
    return mrpb_fail(err, "legal: at most %d published numbers", FIGURES_MAX_PUBLISHED);
  figures_published_t *p = &e->published[e->n_published++];
  char *end = NULL;
  unsigned a = 0;
  p->value = strtod(word[1], &end);
  if (*end) return mrpb_fail(err, "'%s': legal: a number", word[1]);
  while (a < 4 && strcmp(names[a], word[2]) != 0) a++;
  if (a == 4) return mrpb_fail(err, "'%s': legal: geomean, mean, max or min", word[2]);
  p->aggregate = (figures_aggregate_t)a;
  if (!figures_metric_known(word[3])) return mrpb_fail(err, "'%s' is not a metric", word[3]);
  if (copy(p->metric, sizeof p->metric, word[3], "metric", err) != 0 ||
      copy(p->point, sizeof p->point, word[4], "point", err) != 0 ||
      copy(p->over, sizeof p->over, word[5], "point", err) != 0 ||
      copy(p->group, sizeof p->group, word[6], "group", err) != 0 ||
      check_point(e, p->point, err) != 0 || check_point(e, p->over, err) != 0)
    return -1;
  return join(p->text, sizeof p->text, word, 7, n, err);
}

/* area MM2 POINT */
static int read_area(figures_experiment_t *e, char **word, int n, mrpb_err_t *err) {
  char *end = NULL;
  if (n != 3) return mrpb_fail(err, "legal: area MM2 POINT");
  double area = strtod(word[1], &end);
  figures_point_t *p = find_point(e, word[2]);
  if (*end || !(area > 0 && area < 1000))
    return mrpb_fail(err, "'%s': legal: square millimetres, more than 0 and below 1000", word[1]);
  if (!p) return mrpb_fail(err, "no point '%s' above this line; legal: a point's name", word[2]);
  p->area = area;
  return 0;
}

/* ---- the file -------------------------------------------------------------- */

static int read_text(reader_t *r, char **word, int n, bool *taken, mrpb_err_t *err) {
  figures_experiment_t *e = r->e;
  *taken = true;
  if (strcmp(word[0], "title") == 0) return join(e->title, sizeof e->title, word, 1, n, err);
  if (strcmp(word[0], "reading") == 0) return join(e->reading, sizeof e->reading, word, 1, n, err);
  if (strcmp(word[0], "ylabel") == 0) return join(e->ylabel, sizeof e->ylabel, word, 1, n, err);
  if (strcmp(word[0], "note") == 0) {
    if (e->n_notes == FIGURES_MAX_NOTES)
      return mrpb_fail(err, "legal: at most %d notes", FIGURES_MAX_NOTES);
    return join(e->note[e->n_notes++], sizeof e->note[0], word, 1, n, err);
  }
  *taken = false;
  return 0;
}

static int read_line(reader_t *r, char **word, int n, mrpb_err_t *err) {
  figures_experiment_t *e = r->e;
  bool taken;
  int rc = read_text(r, word, n, &taken, err);
  if (taken) return rc;
  if (strcmp(word[0], "stacked") == 0) {
    e->stacked = true;
  } else if (strcmp(word[0], "groups-only") == 0) {
    e->groups_only = true;
  } else if (strcmp(word[0], "one-base") == 0) {
    e->one_base = true;
  } else if (strcmp(word[0], "metric") == 0 && n == 2) {
    if (!figures_metric_known(word[1])) return mrpb_fail(err, "'%s' is not a metric", word[1]);
    rc = copy(e->metric, sizeof e->metric, word[1], "metric", err);
  } else if (strcmp(word[0], "normalise") == 0 && n == 2) {
    rc = copy(e->normalise, sizeof e->normalise, word[1], "program", err);
  } else if (strcmp(word[0], "programs") == 0) {
    for (int i = 1; i < n && rc == 0; i++) rc = find_programs(r, word[i], err);
  } else if (strcmp(word[0], "set") == 0) {
    r->n_common = 0;
    for (int i = 1; i < n && rc == 0; i++) rc = add_setting(r->common, &r->n_common, word[i], err);
  } else if (strcmp(word[0], "point") == 0) {
    rc = read_point(r, word, n, err);
  } else if (strcmp(word[0], "published") == 0) {
    rc = read_published(r, word, n, err);
  } else if (strcmp(word[0], "area") == 0) {
    rc = read_area(e, word, n, err);
  } else {
    rc = mrpb_fail(err,
                   "'%s': legal: title reading ylabel note metric normalise stacked groups-only "
                   "one-base programs set point published area",
                   word[0]);
  }
  return rc;
}

static int take_line(void *ctx, char *text, mrpb_err_t *why) {
  char *word[WORDS];
  int n = split_words(text, word, WORDS, why);
  return n > 0 ? read_line(ctx, word, n, why) : n;
}

int figures_read(figures_experiment_t *e, const char *path, const char *list, mrpb_err_t *err) {
  reader_t r = {.e = e, .list = list};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  memset(e, 0, sizeof *e);
  snprintf(e->metric, sizeof e->metric, "speed");
  snprintf(e->id, sizeof e->id, "%.*s", (int)strcspn(name, "."), name);
  int rc = input_lines(path, take_line, &r, err);
  if (rc == 0 && (e->n_programs == 0 || (e->n_points == 0 && !e->stacked) || !e->title[0]))
    rc = mrpb_fail(err, "%s: legal: a title, programs, and points or `stacked`", path);
  return rc;
}

/* ---- a folder of them ---------------------------------------------------------- */

static int is_experiment(const struct dirent *d) {
  const size_t n = strlen(d->d_name);
  return n > 4 && strcmp(d->d_name + n - 4, ".fig") == 0;
}

int figures_files(const char *folder, struct dirent ***names, mrpb_err_t *err) {
  const int n = scandir(folder, names, is_experiment, alphasort);
  return n < 0 ? mrpb_fail(err, "%s: %s", folder, strerror(errno)) : n;
}
