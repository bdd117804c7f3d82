/* SPDX-License-Identifier: Apache-2.0 */
/* qflow's own scripts, called as its placement.sh and router.sh call them, but one by one: a tool
 * that fails is then named, and qflow's tcsh is not needed. */
#include "estimate/place/steps.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/output.h"
#include "base/process.h"
#include "estimate/place/place.h"
#include "estimate/tools.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SCRIPTS "/usr/lib/qflow/scripts/"

enum { STEPS = 8, WORDS = 8 };

/* The steps as they are run; "@" stands for the module's name, "@." for a file's, "%" for the
 * utilisation. */
static const struct {
  const char *argv[WORDS];
  const char *makes; /* the ending of the file that it leaves; it may exit with 0 without it */
  const char *renamed;
} step[STEPS] = {
    {{"qrouter", "-i", "@.info", "-c", "info.cfg"}, ".info", NULL},
    {{SCRIPTS "blif2cel.tcl", "--blif", "@.blif", "--lef", STEPS_LEF, "--cel", "@.cel"},
     ".cel",
     NULL},
    {{SCRIPTS "decongest.tcl", "@", STEPS_LEF, "FILL", "%"}, ".acel", ".cel"},
    {{"graywolf", "-n", "@"}, ".pin", NULL},
    {{SCRIPTS "place2def.tcl", "@", "FILL"}, ".def", NULL},
    {{SCRIPTS "addspacers.tcl", "-stripe", "2.0", "50.0", "PG", "@", STEPS_LEF, "FILL"},
     "_filled.def",
     ".def"},
    {{SCRIPTS "arrangepins.tcl", "@"}, "_mod.def", ".def"},
    {{"qrouter", "-nog", "-s", "@.cfg"}, "_route.rc", NULL},
};
enum { GRAYWOLF = 3, ROUTE = 7 };

static const struct {
  const char *name, *package;
} tool[] = {{"graywolf", "graywolf"}, {"qrouter", "qrouter"}, {"tclsh", "tcl"}};

static const char *const file[] = {STEPS_LEF,
                                   STEPS_TECH ".par",
                                   SCRIPTS "blif2cel.tcl",
                                   SCRIPTS "decongest.tcl",
                                   SCRIPTS "place2def.tcl",
                                   SCRIPTS "addspacers.tcl",
                                   SCRIPTS "arrangepins.tcl"};

int steps_find(uint64_t *hash, mrpb_err_t *err) {
  char path[FILES_PATH];
  for (unsigned i = 0; i < sizeof tool / sizeof *tool; i++) {
    if (!process_find(tool[i].name, path, sizeof path))
      return mrpb_fail(err, "%s: not found; install the package %s (" PLACE_PACKAGES ")",
                       tool[i].name, tool[i].package);
    if (hash_file(hash, path, err) != 0) return -1;
  }
  for (unsigned i = 0; i < sizeof file / sizeof *file; i++) {
    if (!files_exists(file[i]))
      return mrpb_fail(err, "%s: not there; install the package qflow%s (" PLACE_PACKAGES ")",
                       file[i], i < 2 ? "-tech-osu018" : "");
    if (hash_file(hash, file[i], err) != 0) return -1;
  }
  for (unsigned i = 0; i < STEPS; i++)
    for (unsigned k = 0; k < WORDS && step[i].argv[k]; k++)
      *hash = hash_text(*hash, step[i].argv[k]);
  return 0;
}

/* ---- files for the tools ---- */

static int copy(const char *from, const char *folder, const char *name, mrpb_err_t *err) {
  char *text = files_read(from, NULL);
  FILE *f = text ? output_into(folder, name, err) : NULL;
  if (!text) return mrpb_fail(err, "%s: %s", from, strerror(errno));
  if (f) fputs(text, f);
  free(text);
  return f ? output_into_end(f, false, folder, name, err) : -1;
}

static int write_start(const place_netlist_t *n, const char *folder, mrpb_err_t *err) {
  char name[PLACE_NAME + 8];
  FILE *f = output_into(folder, "info.cfg", err);
  if (!f) return -1;
  fprintf(f, "read_lef %s\n", STEPS_LEF);
  if (output_into_end(f, false, folder, "info.cfg", err) != 0) return -1;
  snprintf(name, sizeof name, "%s.par", n->top);
  if (copy(STEPS_TECH ".par", folder, name, err) != 0) return -1;
  snprintf(name, sizeof name, "%s.blif", n->top);
  if (!(f = output_into(folder, name, err))) return -1;
  const int rc = place_netlist_blif(n, f, err);
  return output_into_end(f, rc != 0, folder, name, err) == 0 ? rc : -1;
}

/* qrouter's script, as qflow writes it. Obstructions keep wires inside the outline. */
static int write_route(const place_netlist_t *n, const char *folder, mrpb_err_t *err) {
  char path[FILES_PATH], name[PLACE_NAME + 8];
  char *fence = files_path(path, "%s/%s.obsx", folder, n->top) ? files_read(path, NULL) : NULL;
  if (!fence && files_path(path, "%s/%s.obs", folder, n->top)) fence = files_read(path, NULL);
  snprintf(name, sizeof name, "%s.cfg", n->top);
  FILE *f = fence ? output_into(folder, name, err) : NULL;
  if (!fence) return mrpb_fail(err, "%s: cannot read: %s", path, strerror(errno));
  if (f)
    fprintf(f,
            "verbose 1\nread_lef %s\ncatch {layers 6}\nvia stack 1\nvdd vdd\ngnd gnd\n%s\n"
            "read_def %s.def\nqrouter::standard_route %s_route.def false\nquit\n",
            STEPS_LEF, fence, n->top, n->top);
  free(fence);
  return f ? output_into_end(f, false, folder, name, err) : -1;
}

/* ---- running ---- */

static double cpu(void) {
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* What a step is called in a message. */
static const char *base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int run_step(const place_netlist_t *n, const char *folder, unsigned i, unsigned seconds,
                    double utilisation, mrpb_err_t *err) {
  char words[WORDS][PLACE_NAME + 16], path[FILES_PATH], to[FILES_PATH], log[16];
  const char *argv[WORDS + 1] = {NULL};
  mrpb_err_t why = {""};
  for (unsigned k = 0; k < WORDS && step[i].argv[k]; k++) {
    argv[k] = step[i].argv[k];
    if (argv[k][0] != '@' && argv[k][0] != '%') continue;
    if (argv[k][0] == '@')
      snprintf(words[k], sizeof words[k], "%s%s", n->top, argv[k] + 1);
    else
      snprintf(words[k], sizeof words[k], "%.3f", utilisation);
    argv[k] = words[k];
  }
  snprintf(log, sizeof log, "step%u.log", i + 1);
  if (tools_run(folder, argv, log, seconds, &why) != 0) {
    const char *said =
        strncmp(why.text, argv[0], strlen(argv[0])) == 0 ? why.text + strlen(argv[0]) : why.text;
    return mrpb_fail(err, "%s%s", base(argv[0]), said);
  }
  if (!files_path(path, "%s/%s%s", folder, n->top, step[i].makes) ||
      !files_path(to, "%s/%s%s", folder, n->top, step[i].renamed ? step[i].renamed : ""))
    return mrpb_fail(err, "%s: path too long", folder);
  if (!files_exists(path))
    return mrpb_fail(err, "%s: ended without an error and without %s%s", base(argv[0]), n->top,
                     step[i].makes);
  if (step[i].renamed && rename(path, to) != 0)
    return mrpb_fail(err, "%s: %s", to, strerror(errno));
  return 0;
}

/* qrouter exits with 0 whatever it left open; its last line says so. */
static int check_routed(const char *folder, mrpb_err_t *err) {
  char line[120], log[16];
  snprintf(log, sizeof log, "step%u.log", ROUTE + 1);
  tools_find_line(folder, log, "Final: ", line, sizeof line);
  if (strcmp(line, "Final: No failed routes!") == 0) return 0;
  return mrpb_fail(err, "qrouter: not all nets are routed: %s",
                   line[0] ? line : "it says nothing about that");
}

int steps_run(const place_netlist_t *n, const char *folder, unsigned seconds, double utilisation,
              steps_cost_t *cost, mrpb_err_t *err) {
  const time_t end = time(NULL) + (time_t)seconds;
  if (write_start(n, folder, err) != 0) return -1;
  unsetenv("DISPLAY"); /* graywolf and qrouter would open windows; this is a process of its own */
  for (unsigned i = 0; i < STEPS; i++) {
    const double before = cpu();
    const time_t now = time(NULL);
    mrpb_err_t why = {""};
    if (i == ROUTE && write_route(n, folder, err) != 0) return -1;
    if (now < end && run_step(n, folder, i, (unsigned)(end - now), utilisation, &why) == 0) {
      if (i == GRAYWOLF) cost->place = cpu() - before;
      if (i == ROUTE) cost->route = cpu() - before;
      continue;
    }
    if (time(NULL) < end) return mrpb_fail(err, "%s", why.text);
    return mrpb_fail(err, "%s: no exit within the %u s of --place-seconds", base(step[i].argv[0]),
                     seconds);
  }
  return check_routed(folder, err);
}
