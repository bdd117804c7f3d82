/* SPDX-License-Identifier: Apache-2.0 */
/* Reads text of Accel-Sim's tracer that is grouped by thread blocks (.traceg), and lists of
 * kernels. */
#include "workload/trace/read.h"
#include "workload/trace/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAW = 1, PATH = 4096 };

typedef struct {
  accel_t a;
  bool in_block, in_warp;
  unsigned at[3]; /* the block's position */
  uint64_t left;  /* instructions of the warp still to be read */
  char line[ACCEL_LINE];
} grouped_t;

static int begin_block(grouped_t *g, const char *line, mrpb_err_t *err) {
  unsigned *at = g->at;
  int n = 0;
  if (sscanf(line, "thread block = %9u,%9u,%9u%n", &at[0], &at[1], &at[2], &n) != 3 || line[n])
    return mrpb_fail(err, "'%.60s'; legal: thread block = X,Y,Z inside the grid", line);
  g->in_block = true;
  return accel_block(&g->a, at[0], at[1], at[2], err);
}

/* Accepts the lines "cluster id = X,Y,Z", "cluster cta = X,Y,Z" and "cluster rank = N" of version
 * 6, which are not used. */
static int pass_cluster(const char *line, mrpb_err_t *err) {
  unsigned x, y, z;
  int n = 0;
  if ((sscanf(line, "cluster id = %9u,%9u,%9u%n", &x, &y, &z, &n) == 3 && !line[n]) ||
      (sscanf(line, "cluster cta = %9u,%9u,%9u%n", &x, &y, &z, &n) == 3 && !line[n]) ||
      (sscanf(line, "cluster rank = %9u%n", &x, &n) == 1 && !line[n]))
    return 0;
  return mrpb_fail(err, "'%.60s'; legal: cluster id = X,Y,Z, cluster cta = X,Y,Z, cluster rank = N",
                   line);
}

static int begin_warp(grouped_t *g, const char *line, mrpb_err_t *err) {
  uint64_t warp;
  if (!trace_number(line + 7, 10, 31, &warp))
    return mrpb_fail(err, "'%.60s'; legal: warp = N", line);
  if (!g->in_block) return mrpb_fail(err, "'%s' before its `thread block =`", line);
  if (g->in_warp) return mrpb_fail(err, "'%s' before the `insts =` of the warp before it", line);
  g->in_warp = true;
  g->left = 0;
  accel_begin_warp(&g->a, warp);
  return 0;
}

static int end_warp(grouped_t *g, mrpb_err_t *err) {
  g->in_warp = false;
  return accel_end_warp(&g->a, err);
}

/* Reads an instruction. Before version 3 it begins with the position of its block and its warp. */
static int take_instruction(grouped_t *g, char *line, mrpb_err_t *err) {
  const char *at = line;
  uint64_t v[4];
  const uint64_t want[4] = {g->at[0], g->at[1], g->at[2], g->a.warp};
  if (g->a.version > ACCEL_PLACED) return accel_instruction(&g->a, line, err);
  for (unsigned i = 0; i < 4; i++)
    if (!trace_take_number(&at, &v[i]) || v[i] != want[i])
      return mrpb_fail(err,
                       "'%.40s'; legal: %u %u %u %" PRIu64 " (X Y Z WARP) and an instruction: %s",
                       line, g->at[0], g->at[1], g->at[2], g->a.warp,
                       g->a.version ? "the tracer's version is below 3"
                                    : "without an -accelsim tracer version it is one below 3");
  return accel_instruction(&g->a, line + (at - line), err);
}

/* Reads a line of a thread block that is not an instruction. RAW: it is the first instruction of a
 * trace without groups. */
static int parse_mark(grouped_t *g, const char *line, mrpb_err_t *err) {
  if (strncmp(line, "#BEGIN_TB", 9) == 0) {
    g->in_block = false;
    return g->a.launched ? 0 : accel_launch(&g->a, err);
  }
  if (line[0] == '#') return 0;
  if (!g->a.launched && line[0] >= '0' && line[0] <= '9') return RAW;
  if (!g->a.launched)
    return mrpb_fail(err,
                     "'%.40s' before #BEGIN_TB; legal: -KEY = VALUE, #BEGIN_TB, or an "
                     "instruction of a trace without groups",
                     line);
  if (strncmp(line, "thread block", 12) == 0) return begin_block(g, line, err);
  if (strncmp(line, "cluster ", 8) == 0 && !g->in_warp) return pass_cluster(line, err);
  if (strncmp(line, "warp = ", 7) == 0) return begin_warp(g, line, err);
  if (!g->in_warp) return mrpb_fail(err, "'%.40s' outside a warp", line);
  if (strncmp(line, "insts = ", 8) != 0)
    return mrpb_fail(err, "'%.40s'; legal: insts = N before the warp's instructions", line);
  if (!trace_number(line + 8, 10, UINT64_MAX, &g->left))
    return mrpb_fail(err, "'%.60s'; legal: insts = N", line);
  return g->left == 0 ? end_warp(g, err) : 0;
}

static int parse_line(grouped_t *g, mrpb_err_t *err) {
  char *line = g->line;
  for (size_t n = strlen(line); n > 0 && strchr(" \t\r", line[n - 1]);) line[--n] = '\0';
  if (line[0] == '\0') return 0;
  if (g->left == 0)
    return line[0] == '-' ? accel_header(&g->a, line, err) : parse_mark(g, line, err);
  if (strchr("#tiw", line[0])) /* begins neither a line number nor a hexadecimal number */
    return mrpb_fail(err, "'%.40s' while %" PRIu64 " instructions of warp %" PRIu64 " are missing",
                     line, g->left, g->a.warp);
  if (take_instruction(g, line, err) != 0) return -1;
  return --g->left == 0 ? end_warp(g, err) : 0;
}

void trace_note_unknown(accel_t *a, const char *path, unsigned long number, const char *line,
                        mrpb_err_t *note) {
  if (a->unknown && note)
    (void)mrpb_fail(note, "%s:%lu: '%.80s' is unknown and skipped", path, number, line);
  a->unknown = false;
}

/* Reports what is missing at the end of the file. */
static int missing_at_end(grouped_t *g, mrpb_err_t *why) {
  if (!g->a.launched) return mrpb_fail(why, "no thread block");
  if (g->in_warp)
    return mrpb_fail(why,
                     "the trace is cut off: %" PRIu64 " instructions of block %" PRIu64
                     " warp %" PRIu64 " are missing",
                     g->left, g->a.block_number, g->a.warp);
  return trace_store_check(g->a.s, why);
}

/* Returns RAW if the line in g->line is the first instruction of a trace without groups. */
static int read_grouped(grouped_t *g, lines_t *l, const char *first, const char *path,
                        mrpb_err_t *note, mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  const char *text = first;
  int rc = 1, bad = 0;
  while (bad == 0 && rc > 0) {
    memcpy(g->line, text, strlen(text) + 1);
    bad = parse_line(g, &why);
    if (bad == 0) trace_note_unknown(&g->a, path, lines_number(l), g->line, note);
    if (bad == 0) rc = lines_next(l, &text, err);
  }
  if (rc < 0 || bad == RAW) return rc < 0 ? -1 : RAW;
  if (bad == 0) bad = missing_at_end(g, &why);
  return bad == 0 ? 0 : mrpb_fail(err, "%s:%lu: %s", path, lines_number(l), why.text);
}

int trace_read_accelsim(trace_store_t *s, lines_t *l, const char *first, const char *path,
                        mrpb_err_t *note, mrpb_err_t *err) {
  grouped_t *g = calloc(1, sizeof *g);
  if (!g) return mrpb_fail(err, "%s: out of memory", path);
  g->a.s = s;
  int rc = read_grouped(g, l, first, path, note, err);
  if (rc == RAW) rc = trace_read_raw(&g->a, l, g->line, path, err);
  free(g);
  return rc;
}

/* ---- lists ----------------------------------------------------------------- */

bool trace_is_tracez(const char *path) {
  static const char end[] = ".tracez";
  const size_t n = strlen(path);
  return n >= sizeof end && strcmp(path + n - (sizeof end - 1), end) == 0;
}

static int read_text_kernel(trace_store_t *s, const char *path, mrpb_err_t *note, mrpb_err_t *err) {
  const char *line;
  char head[ACCEL_LINE];
  lines_t *kernel;
  if (lines_open(&kernel, path, err) != 0) return -1;
  int rc = lines_next(kernel, &line, err);
  if (rc > 0) memcpy(head, line, strlen(line) + 1);
  if (rc == 0) rc = mrpb_fail(err, "%s: empty", path);
  if (rc > 0) rc = trace_read_accelsim(s, kernel, head, path, note, err);
  lines_close(kernel);
  return rc;
}

/* Reads one kernel of a list; `file` is relative to the list. */
static int read_kernel(trace_store_t *s, const char *file, const char *list, mrpb_err_t *note,
                       mrpb_err_t *err) {
  const char *slash = strrchr(list, '/');
  char name[PATH];
  const int n =
      snprintf(name, sizeof name, "%.*s%s", slash ? (int)(slash + 1 - list) : 0, list, file);
  if (n < 0 || n >= (int)sizeof name) return mrpb_fail(err, "%.60s...: name too long", file);
  return trace_is_tracez(name) ? trace_read_tracez(s, name, note, err)
                               : read_text_kernel(s, name, note, err);
}

int trace_read_list(trace_store_t *s, lines_t *l, const char *first, const char *path,
                    mrpb_err_t *note, mrpb_err_t *err) {
  const char *text = first;
  int rc = 1;
  while (rc > 0) {
    if (strstr(text, ".trace")) {
      if (read_kernel(s, text, path, note, err) < 0) return -1;
    } else if (text[0] && strncmp(text, "Memcpy", 6) != 0) {
      return mrpb_fail(err, "%s:%lu: '%.40s'; legal: Memcpy..., or the name of a kernel's trace",
                       path, lines_number(l), text);
    }
    rc = lines_next(l, &text, err);
  }
  return rc;
}
