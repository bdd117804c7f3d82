/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a named CACTI binary: finds out its version, and reads what its runs print. */
#define _DEFAULT_SOURCE /* realpath */
#include "estimate/cacti.h"

#include "base/process.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TEXT = 1 << 20, LINE = 160 };

/* ---- what is printed ----------------------------------------------------------- */

/* The number after `label`. Returns false if it is missing or not a finite number. */
static bool number(const char *text, const char *label, double *value) {
  const char *at = strstr(text, label);
  if (!at) return false;
  char *end;
  at += strlen(label);
  *value = strtod(at, &end);
  return end != at && isfinite(*value);
}

bool cacti_parse(const char *text, cacti_result_t *r) {
  static const char size[] = "Cache height x width (mm):";
  double gate = 0;
  *r = (cacti_result_t){.area = 0};
  const char *at = strstr(text, size), *by = at ? strstr(at, " x ") : NULL;
  by = by ? strstr(by + 3, " x ") : NULL; /* the first one belongs to the label */
  if (!by || !number(text, "Access time (ns):", &r->access) || !number(at, size, &r->height) ||
      !number(by, " x ", &r->width))
    return false;
  r->area = r->height * r->width;
  if (!number(text, "Cycle time (ns):", &r->cycle) ||
      !number(text, "Total dynamic read energy per access (nJ):", &r->read))
    return false;
  (void)number(text, "Total dynamic write energy per access (nJ):", &r->write);
  (void)number(text, "Total dynamic associative search energy per access (nJ):", &r->find);
  (void)number(text, "CAM search delay (ns):", &r->search);
  (void)number(text, "Total leakage power of a bank (mW):", &r->leakage);
  if (number(text, "Total gate leakage power of a bank (mW):", &gate)) r->leakage += gate;
  return r->access > 0 && r->cycle > 0 && r->area > 0;
}

/* The last line that contains letters, for a message. */
static void last_line(const char *text, char line[LINE]) {
  snprintf(line, LINE, "nothing");
  while (*text) {
    size_t n = strcspn(text, "\n"), from = 0;
    bool letters = false;
    for (size_t i = 0; i < n; i++) letters = letters || isalpha((unsigned char)text[i]);
    while (from < n && isspace((unsigned char)text[from])) from++;
    if (letters) snprintf(line, LINE, "'%.*s'", (int)(n - from), text + from);
    text += n + (text[n] == '\n');
  }
  for (char *c = line; *c; c++)
    if (!isprint((unsigned char)*c)) *c = ' ';
}

/* ---- runs ----------------------------------------------------------------------- */

/* 7.0 also appends its results to a file beside the input, which is not needed. */
static void remove_trail(const char *file) {
  char trail[4096];
  int n = snprintf(trail, sizeof trail, "%s.out", file);
  if (n > 0 && (size_t)n < sizeof trail) unlink(trail);
}

static int run_text(cacti_t *c, const char *file, process_result_t *r, char how[LINE],
                    mrpb_err_t *err) {
  const char *const argv[] = {c->binary, "-infile", file, NULL};
  const process_t p = {
      .argv = argv, .folder = c->folder, .seconds = c->seconds, .most = MOST_TEXT, .stop = c->stop};
  if (process_run(&p, r, err) != 0) return -1;
  process_describe(&p, r, how, LINE);
  c->late = r->end == PROCESS_LATE;
  c->stopped = r->end == PROCESS_STOPPED;
  remove_trail(file);
  return 0;
}

int cacti_run(cacti_t *c, const char *file, const char *label, cacti_result_t *r, mrpb_err_t *err) {
  char how[LINE], line[LINE];
  process_result_t p;
  mrpb_err_t why = {""};
  if (run_text(c, file, &p, how, &why) != 0) return mrpb_fail(err, "--cacti %s", why.text);
  int rc = 0;
  if (c->late || c->stopped) {
    rc = mrpb_fail(err, "CACTI %s, %s: %s", c->named, label, how);
  } else if (!cacti_parse(p.text, r)) {
    last_line(p.text, line);
    rc = mrpb_fail(err, "CACTI %s, %s: no result (%s); it printed last: %s", c->named, label, how,
                   line);
  }
  free(p.text);
  return rc;
}

/* "CACTI version 6.5, Uniform" or "CACTI (version 7.0.3DD Prerelease": the word after "version". */
static bool version_of(const char *text, char named[32]) {
  const char *at = strstr(text, "CACTI");
  at = at ? strstr(at, "version ") : NULL;
  if (!at) return false;
  at += strlen("version ");
  size_t n = strcspn(at, " ,)\n");
  snprintf(named, 32, "%.*s", (int)(n < 31 ? n : 31), at);
  return n > 0;
}

int cacti_absolute(const char *file, char path[1024], mrpb_err_t *err) {
  char *full = realpath(file, NULL);
  if (!full) return mrpb_fail(err, "%s: %s", file, strerror(errno));
  int n = snprintf(path, 1024, "%s", full);
  free(full);
  return n > 0 && n < 1024 ? 0 : mrpb_fail(err, "%.80s...: too long", file);
}

static int find_binary(cacti_t *c, const char *name, mrpb_err_t *err) {
  struct stat st;
  mrpb_err_t why = {""};
  if (cacti_absolute(name, c->binary, &why) != 0)
    return mrpb_fail(err, "--cacti %s; legal: a CACTI 6.5 or 7.0 binary", why.text);
  if (stat(c->binary, &st) != 0 || !S_ISREG(st.st_mode) || access(c->binary, X_OK) != 0)
    return mrpb_fail(err, "--cacti %s: no program; legal: a CACTI 6.5 or 7.0 binary", name);
  memcpy(c->folder, c->binary, sizeof c->folder);
  char *slash = strrchr(c->folder, '/');
  slash[slash == c->folder] = '\0';
  return 0;
}

int cacti_open(cacti_t *c, const cacti_options_t *o, bool (*stop)(void),
               const char *const probe[CACTI_VERSIONS], mrpb_err_t *err) {
  char how[LINE], line[LINE];
  *c = (cacti_t){.seconds = o->seconds, .stop = stop};
  if (find_binary(c, o->binary, err) != 0) return -1;
  for (unsigned v = 0; v < CACTI_VERSIONS; v++) {
    process_result_t p;
    mrpb_err_t why = {""};
    cacti_result_t r;
    if (run_text(c, probe[v], &p, how, &why) != 0) return mrpb_fail(err, "--cacti %s", why.text);
    const bool named = version_of(p.text, c->named), good = named && cacti_parse(p.text, &r);
    last_line(p.text, line);
    free(p.text);
    c->version = (cacti_version_t)v;
    /* 6.5 accepts 7.0's input too, so 6.5's own input is tried first. */
    if (good && strncmp(c->named, cacti_version_name(c->version), 3) == 0) return 0;
    if (good && v + 1 == CACTI_VERSIONS)
      return mrpb_fail(err, "--cacti %s: version %s; legal: 6.5 or 7.0", o->binary, c->named);
    if (c->late || c->stopped) break;
  }
  return mrpb_fail(err,
                   "--cacti %s: no result for the paper's MRPB (%s); it printed last: %s; legal: a "
                   "CACTI 6.5 or 7.0 binary",
                   o->binary, how, line);
}
