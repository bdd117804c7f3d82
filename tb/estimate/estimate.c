/* SPDX-License-Identifier: Apache-2.0 */
/* The columns and files of an estimate. */
#include "estimate/estimate.h"

#include "config/verilog_params.h"

#include "base/json_out.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

/* "configs/base-s.conf" -> "base-s". */
static void name_of(const char *path, char name[ESTIMATE_NAME]) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  snprintf(name, ESTIMATE_NAME, "%s", slash ? slash + 1 : path ? path : "defaults");
  char *dot = strrchr(name, '.');
  if (dot && dot != name && strcmp(dot, ".conf") == 0) *dot = '\0';
}

/* Gets value `i` of "KEY=v0,v1,..." as "KEY=vi". Returns false if there are fewer values. */
static bool alternative(const char *vary, unsigned i, char text[ESTIMATE_NAME]) {
  size_t key = strcspn(vary, "=");
  const char *at = vary[key] ? vary + key + 1 : vary + key;
  for (; i > 0 && *at; i--) {
    at += strcspn(at, ",");
    if (*at == '\0') return false;
    at++;
  }
  if (i > 0) return false;
  int n = snprintf(text, ESTIMATE_NAME, "%.*s=%.*s", (int)key, vary, (int)strcspn(at, ","), at);
  return n > 0 && n < ESTIMATE_NAME;
}

static int check_vary(const char *vary, mrpb_err_t *err) {
  char text[ESTIMATE_NAME];
  const char *at = strchr(vary, '=');
  if (!at || at == vary || at[1] == '\0')
    return mrpb_fail(err, "--vary %.80s: legal: KEY=VALUE,VALUE,...", vary);
  unsigned n = 1;
  for (; *at; at++) n += *at == ',';
  for (unsigned i = 0; i < n; i++)
    if (!alternative(vary, i, text) || text[strlen(text) - 1] == '=')
      return mrpb_fail(err, "--vary %.80s: an empty or too long value; legal: KEY=VALUE,VALUE,...",
                       vary);
  return 0;
}

/* Checks limits that hold for hardware but not for a configuration. */
static int check_column(const estimate_column_t *c, mrpb_err_t *err) {
  if (config_check(&c->cfg, c->name, err) != 0) return -1;
  if (config_has_mrpb(&c->cfg) && c->cfg.mrpb_depth == 0)
    return mrpb_fail(err, "%s: MRPB_DEPTH = 0 is unbounded, which no hardware is; legal: 1 to 64",
                     c->name);
  return 0;
}

/* The alternative that becomes a column. */
typedef struct {
  char name[ESTIMATE_NAME];
  config_t cfg;
} alternative_t;

/* Adds the columns of all combinations from --vary number `v` on. */
static int add_columns(estimate_t *e, const alternative_t *base, unsigned v, mrpb_err_t *err) {
  char text[ESTIMATE_NAME];
  if (v == e->opt.n_varies || v == ESTIMATE_VARIES) {
    if (e->n_columns == ESTIMATE_COLUMNS)
      return mrpb_fail(err, "--vary: more than %d alternatives; legal: %d in one report",
                       ESTIMATE_COLUMNS, ESTIMATE_COLUMNS);
    estimate_column_t *c = &e->column[e->n_columns++];
    memcpy(c->name, v == 0 ? e->name : base->name, sizeof c->name);
    c->cfg = base->cfg;
    for (unsigned i = 0; i + 1 < e->n_columns; i++)
      if (strcmp(e->column[i].name, c->name) == 0)
        return mrpb_fail(err, "--vary: %s twice; legal: different alternatives", c->name);
    return check_column(c, err) == 0 ? storage_of(&c->cfg, &c->storage, err) : -1;
  }
  for (unsigned i = 0; alternative(e->opt.vary[v], i, text); i++) {
    alternative_t c = *base;
    mrpb_err_t why = {""};
    if (config_set(&c.cfg, text, &why) != 0) {
      const char *said = strncmp(why.text, "--set", 5) == 0 ? why.text + 5 : why.text;
      return mrpb_fail(err, "--vary%s", said);
    }
    int n = snprintf(c.name, sizeof c.name, "%s%s%s", base->name, v ? " " : "", text);
    if (n < 0 || (size_t)n >= sizeof c.name)
      return mrpb_fail(err, "--vary %.80s: too long", e->opt.vary[v]);
    if (add_columns(e, &c, v + 1, err) != 0) return -1;
  }
  return 0;
}

void estimate_defaults(estimate_options_t *o) {
  memset(o, 0, sizeof *o);
  cacti_defaults(&o->cacti);
}

double estimate_clock(const estimate_t *e, unsigned column) {
  const double asked = e->opt.logic.clock_ghz;
  const config_t *c = &e->column[column].cfg;
  return asked > 0 ? asked : (c->core == CONFIG_CORE_IN_ORDER ? c->clock_mhz : c->clock_sm) / 1e3;
}

int estimate_open(estimate_t *e, mrpb_err_t *err) {
  alternative_t base;
  const estimate_options_t *o = &e->opt;
  memset(&base, 0, sizeof base);
  config_defaults(&base.cfg);
  name_of(o->config, e->name);
  int n = o->out ? snprintf(e->out, sizeof e->out, "%s", o->out)
                 : snprintf(e->out, sizeof e->out, "build/estimate/%s", e->name);
  if (n <= 0 || (size_t)n >= sizeof e->out)
    return mrpb_fail(err, "-o %.80s: legal: the path of a folder", e->out);
  if (o->config && config_load(&base.cfg, o->config, err) != 0) return -1;
  for (unsigned i = 0; i < o->n_sets; i++)
    if (config_set(&base.cfg, o->set[i], err) != 0) return -1;
  for (unsigned i = 0; i < o->n_varies; i++) {
    if (check_vary(o->vary[i], err) != 0) return -1;
    for (unsigned k = 0; k < i; k++)
      if (strncmp(o->vary[i], o->vary[k], strcspn(o->vary[k], "=") + 1) == 0)
        return mrpb_fail(err, "--vary %.80s: legal: one --vary for a key", o->vary[i]);
  }
  e->brief = json_array();
  e->missing = json_array();
  e->files = json_array();
  e->tools = json_object();
  if (!e->brief || !e->missing || !e->files || !e->tools) return mrpb_fail(err, "out of memory");
  return add_columns(e, &base, 0, err);
}

void estimate_close(estimate_t *e) {
  json_decref(e->brief);
  json_decref(e->missing);
  json_decref(e->files);
  json_decref(e->tools);
  e->brief = e->missing = e->files = e->tools = NULL;
}

void estimate_name(const estimate_t *e, unsigned column, const char *kind, const char *file,
                   char name[ESTIMATE_PATH]) {
  const char *slash = file[0] ? "/" : "";
  if (e->n_columns == 1) {
    snprintf(name, ESTIMATE_PATH, "%s%s%s", kind, slash, file);
    return;
  }
  snprintf(name, ESTIMATE_PATH, "%s/%s%s%s", kind, e->column[column].name, slash, file);
  for (char *at = strchr(name, '/'); *at; at++)
    if (*at == ' ') *at = ','; /* several keys: make a name without blanks */
}

void estimate_missing(estimate_t *e, const char *format, ...) {
  char text[512];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  json_out_append(&e->missing, json_string(text));
}

void estimate_tool(estimate_t *e, const char *name, const char *version) {
  json_out_set(&e->tools, name, json_string(version));
}
