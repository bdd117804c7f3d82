/* SPDX-License-Identifier: Apache-2.0 */
/* The cross of programs, configurations and settings, and the file that describes it. */
#include "studies/sweep/sweep.h"

#include "base/grow.h"
#include "base/input.h"
#include "base/split.h"

#include <stdlib.h>
#include <string.h>

enum { ASSIGNMENT = 256 };

/* ---- the cross --------------------------------------------------------------------------------- */

/* Applies assignments that are separated by blanks. */
static int apply(config_t *cfg, const char *settings, mrpb_err_t *err) {
  char text[ASSIGNMENT];
  while (*(settings += strspn(settings, " "))) {
    const size_t n = strcspn(settings, " ");
    if (n >= sizeof text) return mrpb_fail(err, "%.60s...: too long; legal: KEY=VALUE", settings);
    snprintf(text, sizeof text, "%.*s", (int)n, settings);
    if (config_set(cfg, text, err) != 0) return -1;
    settings += n;
  }
  return 0;
}

static int add_everywhere(sweep_list_t *l, const config_t *cfg, const char *name, mrpb_err_t *err) {
  if (config_check(cfg, name, err) != 0) return -1;
  for (unsigned p = 0; p < l->n_programs; p++)
    if (sweep_list_add(l, p, cfg, err) != 0) return -1;
  return 0;
}

/* Makes all choices of values for `vary` number v and those after it. */
static int vary(sweep_list_t *l, const sweep_cross_t *x, unsigned v, const config_t *cfg,
                const char *name, mrpb_err_t *err) {
  char text[ASSIGNMENT];
  if (v == x->n_varies) return add_everywhere(l, cfg, name, err);
  const size_t key = strcspn(x->vary[v], "=");
  for (const char *at = x->vary[v] + key + 1;; at++) {
    const size_t n = strcspn(at, ",");
    config_t with = *cfg;
    snprintf(text, sizeof text, "%.*s=%.*s", (int)key, x->vary[v], (int)n, at);
    if (config_set(&with, text, err) != 0 || vary(l, x, v + 1, &with, name, err) != 0) return -1;
    at += n;
    if (!*at) return 0;
  }
}

static int check_vary(const sweep_cross_t *x, unsigned v, size_t *product, mrpb_err_t *err) {
  const char *text = x->vary[v], *at = strchr(text, '=');
  const size_t key = at ? (size_t)(at - text) : 0;
  size_t values = 0;
  if (key == 0) return mrpb_fail(err, "vary %.80s: legal: KEY=VALUE,VALUE,...", text);
  for (unsigned i = 0; i < v; i++)
    if (strncmp(x->vary[i], text, key + 1) == 0)
      return mrpb_fail(err, "vary %.80s: legal: once for a key", text);
  do {
    const size_t n = strcspn(++at, ",");
    if (n == 0 || key + n + 2 > ASSIGNMENT)
      return mrpb_fail(err, "vary %.80s: an empty or too long value; legal: KEY=VALUE,VALUE,...",
                       text);
    values++;
    at += n;
  } while (*at);
  *product = *product > SWEEP_MOST_POINTS ? *product : *product * values;
  return 0;
}

int sweep_cross(sweep_list_t *l, const sweep_cross_t *x, mrpb_err_t *err) {
  size_t product = l->n_programs * x->n_configs * (x->n_points ? x->n_points : 1);
  if (x->n_configs == 0) return mrpb_fail(err, "no configuration; legal: -c FILE, config FILE");
  if (l->n_programs == 0) return mrpb_fail(err, "no program; legal: program OPTIONS");
  for (unsigned v = 0; v < x->n_varies; v++)
    if (check_vary(x, v, &product, err) != 0) return -1;
  if (product > SWEEP_MOST_POINTS)
    return mrpb_fail(err, "too many points; legal: at most %d", SWEEP_MOST_POINTS);
  for (unsigned c = 0; c < x->n_configs; c++) {
    config_t base;
    if (config_load(&base, x->config[c], err) != 0) return -1;
    for (size_t i = 0; i < x->n_sets; i++)
      if (apply(&base, x->set[i], err) != 0) return -1;
    for (size_t i = 0; i < (x->n_points ? x->n_points : 1); i++) {
      config_t cfg = base;
      if (x->n_points && apply(&cfg, x->point[i], err) != 0) return -1;
      if (vary(l, x, 0, &cfg, x->config[c], err) != 0) return -1;
    }
  }
  return 0;
}

/* ---- the file ---------------------------------------------------------------------------------- */

typedef struct {
  sweep_list_t *list;
  sweep_take_program_t program;
  sweep_cross_t cross;
  char **text; /* owns the texts that the cross points to */
  size_t n_texts, room;
} reader_t;

static const char *copy(reader_t *r, const char *text, mrpb_err_t *err) {
  char **more = grow(r->text, r->n_texts + 1, &r->room, sizeof *more), *own;
  if (more) r->text = more;
  own = more ? strdup(text) : NULL;
  if (!own) return (void)mrpb_fail(err, "out of memory"), NULL;
  return more[r->n_texts++] = own;
}

static int keep(reader_t *r, const char ***list, size_t *n, size_t *room, const char *text,
                mrpb_err_t *err) {
  const char **more = grow((void *)*list, *n + 1, room, sizeof *more);
  if (!more) return mrpb_fail(err, "out of memory");
  *list = more;
  more[*n] = copy(r, text, err);
  return more[(*n)++] ? 0 : -1;
}

/* Each word must be legal for some GPU. It is checked again when it is applied to a configuration. */
static int check_setting(const char *text, mrpb_err_t *err) {
  char name[ASSIGNMENT];
  config_t probe;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
  const int key = keyfile_find(&config_table, name);
  config_defaults(&probe);
  if (key >= 0 && !config_has(&probe, (unsigned)key))
    config_defaults_of(&probe, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  return config_set(&probe, text, err);
}

static int settings(char *const *word, int n, char text[INPUT_LINE + 1], mrpb_err_t *err) {
  size_t at = 0;
  text[0] = '\0';
  if (n < 2) return mrpb_fail(err, "legal: %s KEY=VALUE...", word[0]);
  for (int i = 1; i < n; i++) {
    if (check_setting(word[i], err) != 0) return -1;
    at += (size_t)snprintf(text + at, INPUT_LINE + 1 - at, "%s%s", i > 1 ? " " : "", word[i]);
  }
  return 0;
}

static int choice(reader_t *r, const char **list, unsigned *n, char *const *word, int words,
                  mrpb_err_t *err) {
  if (words != 2) return mrpb_fail(err, "%s: legal: one word after it", word[0]);
  if (*n == SWEEP_MOST_CHOICES)
    return mrpb_fail(err, "%s: legal: at most %d of these lines", word[0], SWEEP_MOST_CHOICES);
  list[*n] = copy(r, word[1], err);
  return list[(*n)++] ? 0 : -1;
}

static int take_line(void *ctx, char *line, mrpb_err_t *err) {
  reader_t *r = ctx;
  sweep_cross_t *x = &r->cross;
  char *word[SWEEP_MOST_WORDS], text[INPUT_LINE + 1];
  const int n = split_words(line, word, SWEEP_MOST_WORDS, err);
  if (n <= 0) return n;
  if (strcmp(word[0], "program") == 0) return r->program(r->list, n, word, err);
  if (strcmp(word[0], "config") == 0) return choice(r, x->config, &x->n_configs, word, n, err);
  if (strcmp(word[0], "vary") == 0) return choice(r, x->vary, &x->n_varies, word, n, err);
  const bool set = strcmp(word[0], "set") == 0;
  if (!set && strcmp(word[0], "point") != 0)
    return mrpb_fail(err, "'%.40s': legal: program config set vary point", word[0]);
  if (settings(word, n, text, err) != 0) return -1;
  return set ? keep(r, &x->set, &x->n_sets, &x->room_sets, text, err)
             : keep(r, &x->point, &x->n_points, &x->room_points, text, err);
}

static void free_reader(reader_t *r) {
  for (size_t i = 0; i < r->n_texts; i++) free(r->text[i]);
  free(r->text);
  free((void *)r->cross.set);
  free((void *)r->cross.point);
}

int sweep_read(sweep_list_t *l, const char *path, sweep_take_program_t program, mrpb_err_t *err) {
  reader_t r = {.list = l, .program = program};
  mrpb_err_t why = {{0}};
  int rc = input_lines(path, take_line, &r, err);
  if (rc == 0 && sweep_cross(l, &r.cross, &why) != 0) rc = mrpb_fail(err, "%s: %s", path, why.text);
  free_reader(&r);
  return rc;
}
