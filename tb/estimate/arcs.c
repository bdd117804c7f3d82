/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one Tcl script that asks OpenSTA for the paths of every port, and reads its tables of
 * endpoints. OpenSTA 2.0.17 has no command that writes a timing model. */
#include "estimate/arcs.h"

#include "base/files.h"
#include "base/output.h"
#include "estimate/sta.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEVER (-1e9) /* ns: no such path yet */

static const double period = 1; /* ns; any number would do */

static bool has_clock(const synth_job_t *job) {
  return job->source.n_clocks > 0;
}

/* ---- the script ---- */

/* The groups of ports: `of` is an array of lists by name, `order` the names. */
static void put_groups(FILE *f, bool bits) {
  fprintf(f,
          "proc group {ports} {\n"
          "  global of order\n"
          "  set order {}\n"
          "  foreach port $ports {\n"
          "    set name [get_property $port full_name]\n"
          "    %s\n"
          "    if {[lsearch -exact $order $name] < 0} { lappend order $name; set of($name) {} }\n"
          "    lappend of($name) $port\n"
          "  }\n"
          "}\n",
          bits ? "" : "regsub {\\[[0-9]+\\]$} $name {} name");
}

/* A table of the worst path to each endpoint, of the longest or the shortest paths. */
static void put_tables(FILE *f) {
  /* Memories alone are no registers if their access time is not known. */
  fputs("proc tables {from to from_pins to_pins} {\n"
        "  if {[llength $from_pins] == 0 || [llength $to_pins] == 0} return\n"
        "  foreach side {max min} {\n"
        "    puts \"arcs: $side <$from> <$to>\"\n"
        "    report_checks -path_delay $side -digits 6 -format end -group_count 1000000 \\\n"
        "      -from $from_pins -to $to_pins\n"
        "  }\n"
        "}\n",
        f);
}

static void put_outside(FILE *f, const synth_job_t *job, const arcs_outside_t *o) {
  if (o->slew_ns > 0)
    fprintf(f, "set_input_transition %.9g $inputs\n", o->slew_ns);
  else
    fprintf(f, "set_driving_cell -lib_cell %s $inputs\n", job->lib->buffer->name);
  fprintf(f, "set_load %.9g [all_outputs]\n",
          (o->load_ff > 0 ? o->load_ff : synth_load_ff(job->lib)) / 1000);
}

static void put_script(FILE *f, const synth_job_t *job, const char *liberty,
                       const arcs_outside_t *o) {
  fprintf(f, "read_liberty {%s}\n", liberty);
  for (unsigned i = 0; i < job->n_srams; i++)
    fprintf(f, "read_liberty {../%s.lib}\n", job->sram[i].macro);
  fprintf(f,
          "read_verilog {../net.v}\n"
          "if {[link_design %s] != 1} { puts \"Error: link_design failed\" }\n"
          "set_cmd_units -time ns -capacitance pF\n",
          job->source.top);
  sta_clock(f, &job->source, period);
  /* Loads come first: they are asked for without the load of the outputs, which an input may reach
   * by a wire. */
  fputs("foreach port [all_inputs] {\n"
        "  puts \"arcs: load <[get_property $port full_name]>\"\n"
        "  report_net -connections -verbose -digits 9 [get_property $port full_name]\n"
        "}\n",
        f);
  sta_ideal_ports(f, &job->source);
  put_outside(f, job, o);
  put_groups(f, o->bits);
  put_tables(f);
  fputs("group $inputs\n"
        "foreach name $order {\n",
        f);
  if (has_clock(job)) fputs("  tables $name {} $of($name) [all_registers -data_pins]\n", f);
  fputs("  tables $name * $of($name) [all_outputs]\n}\n", f);
  if (has_clock(job)) fputs("tables {} * [all_registers -clock_pins] [all_outputs]\n", f);
  fprintf(f,
          "set sta_report_default_digits 6\n"
          "foreach port [all_outputs] {\n"
          "  puts \"arcs: slew <[get_property $port full_name]>\"\n"
          "  report_slews $port\n"
          "}\n"
          "puts \"%s\"\n",
          sta_done());
}

/* ---- what OpenSTA prints ---- */

/* "arcs: max <from> <to>", "arcs: load <port>" or "arcs: slew <port>": what follows. */
typedef struct {
  char kind[8], from[ARCS_NAME], to[ARCS_NAME];
} mark_t;

typedef struct {
  arcs_t *arcs;
  bool bits;
  unsigned room, room_loads, room_slews;
  mark_t mark;
} reader_t;

static bool between(const char **at, char name[ARCS_NAME]) {
  const char *open = strchr(*at, '<'), *shut = open ? strchr(open, '>') : NULL;
  if (!shut || shut - open > ARCS_NAME) return false;
  snprintf(name, ARCS_NAME, "%.*s", (int)(shut - open - 1), open + 1);
  *at = shut + 1;
  return true;
}

static int read_mark(reader_t *r, const char *line, mrpb_err_t *err) {
  const char *at = line;
  mark_t *m = &r->mark;
  if (sscanf(line, "arcs: %7s", m->kind) == 1 && between(&at, m->from) &&
      (m->kind[0] != 'm' || between(&at, m->to)))
    return 0;
  return mrpb_fail(err, "sta: a port whose name is not read: %.80s", line);
}

/* "in_warp_i[3]" without its bit, unless bits are wanted. */
static void shorten(const reader_t *r, char *name) {
  if (!r->bits) name[strcspn(name, "[")] = '\0';
}

/* Makes room for one more element; false if out of memory. */
static bool room_for(void **list, unsigned n, unsigned *room, size_t size) {
  if (n < *room) return true;
  unsigned more = *room ? 2 * *room : 64;
  void *new = realloc(*list, more * size);
  if (!new) return false;
  *list = new;
  *room = more;
  return true;
}

static arc_t *arc_of(reader_t *r, const char *from, const char *to) {
  arcs_t *a = r->arcs;
  for (unsigned i = a->n; i-- > 0;) /* the newest are asked for most */
    if (strcmp(a->arc[i].to, to) == 0 && strcmp(a->arc[i].from, from) == 0) return &a->arc[i];
  if (!room_for((void **)&a->arc, a->n, &r->room, sizeof *a->arc)) return NULL;
  arc_t *arc = &a->arc[a->n++];
  *arc = (arc_t){.max_ns = NEVER, .min_ns = -NEVER};
  snprintf(arc->from, ARCS_NAME, "%s", from);
  snprintf(arc->to, ARCS_NAME, "%s", to);
  return arc;
}

/* "in_ready_o (output)   1.000000    1.508661   -0.508661 (VIOLATED)". To a register, the required
 * time has its setup or hold time in it. */
static int read_row(reader_t *r, const char *line, mrpb_err_t *err) {
  const mark_t *m = &r->mark;
  char name[ARCS_NAME];
  double required, actual, slack;
  const char *verdict = strstr(line, " (MET)"), *open = strstr(line, " (");
  if (!verdict) verdict = strstr(line, " (VIOLATED)");
  if (!verdict || m->kind[0] != 'm') return 0;
  const char *numbers = strchr(open, ')');
  if (sscanf(line, "%63s", name) != 1 || open == verdict ||
      sscanf(numbers + 1, "%lf %lf %lf", &required, &actual, &slack) != 3)
    return mrpb_fail(err, "sta: a row that cannot be read: %.100s", line);
  shorten(r, name);
  const bool registers = m->to[0] == '\0', max = strcmp(m->kind, "max") == 0;
  arc_t *arc = arc_of(r, m->from, registers ? "" : name);
  if (!arc) return mrpb_fail(err, "out of memory");
  const double ns = !registers ? actual : max ? period - slack : slack;
  if (max && ns > arc->max_ns) arc->max_ns = ns;
  if (!max && ns < arc->min_ns) arc->min_ns = ns;
  return 0;
}

/* " Total capacitance: r 0.025400 f 0.025176", or one number for both, in pF. If a pin has a range,
 * each number is one: "r 0.0049:0.0066 f 0.0049:0.0066". */
static int read_load(reader_t *r, const char *line, mrpb_err_t *err) {
  arcs_t *a = r->arcs;
  double pf = 0, number;
  unsigned n = 0;
  char name[ARCS_NAME];
  const char *at = strstr(line, " Total capacitance: ");
  if (!at || strcmp(r->mark.kind, "load") != 0) return 0;
  at += strlen(" Total capacitance: ");
  for (int length; *at; n++, at += length) {
    at += strspn(at, " rf:");
    if (sscanf(at, "%lf%n", &number, &length) != 1) break;
    if (number > pf) pf = number;
  }
  if (n == 0) return mrpb_fail(err, "sta: a load that cannot be read: %.100s", line);
  snprintf(name, sizeof name, "%s", r->mark.from);
  shorten(r, name);
  const double ff = 1000 * pf;
  for (unsigned i = 0; i < a->n_loads; i++)
    if (strcmp(a->load[i].port, name) == 0) {
      if (ff > a->load[i].load_ff) a->load[i].load_ff = ff;
      return 0;
    }
  if (!room_for((void **)&a->load, a->n_loads, &r->room_loads, sizeof *a->load))
    return mrpb_fail(err, "out of memory");
  arcs_load_t *load = &a->load[a->n_loads++];
  snprintf(load->port, ARCS_NAME, "%s", name);
  load->load_ff = ff;
  return 0;
}

/* "in_ready_o ^ 0.16:0.16 v 0.10:0.12": of each edge the shortest and the longest, in ns. */
static int read_slew(reader_t *r, const char *line, mrpb_err_t *err) {
  arcs_t *a = r->arcs;
  char name[ARCS_NAME];
  double ns[4];
  if (strcmp(r->mark.kind, "slew") != 0) return 0;
  if (sscanf(line, "%63s ^ %lf:%lf v %lf:%lf", name, &ns[0], &ns[1], &ns[2], &ns[3]) != 5) return 0;
  shorten(r, name);
  const double most = ns[1] > ns[3] ? ns[1] : ns[3];
  for (unsigned i = 0; i < a->n_slews; i++)
    if (strcmp(a->slew[i].port, name) == 0) {
      if (most > a->slew[i].slew_ns) a->slew[i].slew_ns = most;
      return 0;
    }
  if (!room_for((void **)&a->slew, a->n_slews, &r->room_slews, sizeof *a->slew))
    return mrpb_fail(err, "out of memory");
  arcs_slew_t *slew = &a->slew[a->n_slews++];
  snprintf(slew->port, ARCS_NAME, "%s", name);
  slew->slew_ns = most;
  return 0;
}

/* OpenSTA takes a cell that it does not know as a box without arcs, and only says so. */
static int check_cells(const char *text, const char *liberty, mrpb_err_t *err) {
  const char *at = strstr(text, "black box");
  if (!at) return 0;
  while (at > text && at[-1] != '\n') at--;
  return mrpb_fail(err, "%s: not the netlist's cells: %.*s", liberty, (int)strcspn(at, "\r\n"), at);
}

static int read_text(const char *text, bool bits, arcs_t *arcs, mrpb_err_t *err) {
  reader_t r = {.arcs = arcs, .bits = bits};
  char line[512];
  int rc = 0;
  for (const char *at = text; *at && rc == 0; at += strcspn(at, "\n"), at += *at == '\n') {
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    if (strncmp(line, "arcs: ", 6) == 0)
      rc = read_mark(&r, line, err);
    else if (read_row(&r, line, err) != 0 || read_load(&r, line, err) != 0 ||
             read_slew(&r, line, err) != 0)
      rc = -1;
  }
  for (unsigned i = 0; i < arcs->n; i++) {
    arc_t *a = &arcs->arc[i];
    if (a->max_ns == NEVER) a->max_ns = 0;
    a->no_hold = a->min_ns == -NEVER;
    if (a->no_hold) a->min_ns = 0;
  }
  return rc;
}

/* ---- the run ---- */

int arcs_run(const synth_job_t *job, const char *folder, const char *liberty,
             const arcs_outside_t *outside, arcs_t *arcs, mrpb_err_t *err) {
  char temp[FILES_PATH];
  *arcs = (arcs_t){.n = 0};
  if (files_temp_folder(temp, folder, err) != 0) return -1;
  FILE *f = output_into(temp, "arcs.tcl", err);
  char *text = NULL;
  if (f) {
    put_script(f, job, liberty, outside);
    if (output_into_end(f, false, temp, "arcs.tcl", err) == 0)
      text = sta_text(temp, "arcs.tcl", "arcs.log", err);
  }
  files_remove_tree(temp, NULL);
  int rc = text ? check_cells(text, liberty, err) : -1;
  if (rc == 0) rc = read_text(text, outside->bits, arcs, err);
  free(text);
  if (rc != 0) arcs_free(arcs);
  return rc;
}

void arcs_free(arcs_t *arcs) {
  free(arcs->arc);
  free(arcs->load);
  free(arcs->slew);
  *arcs = (arcs_t){.n = 0};
}

const arc_t *arcs_find(const arcs_t *arcs, const char *from, const char *to) {
  for (unsigned i = 0; i < arcs->n; i++)
    if (strcmp(arcs->arc[i].from, from) == 0 && strcmp(arcs->arc[i].to, to) == 0)
      return &arcs->arc[i];
  return NULL;
}

double arcs_load(const arcs_t *arcs, const char *port) {
  for (unsigned i = 0; i < arcs->n_loads; i++)
    if (strcmp(arcs->load[i].port, port) == 0) return arcs->load[i].load_ff;
  return 0;
}

double arcs_slew(const arcs_t *arcs, const char *port) {
  for (unsigned i = 0; i < arcs->n_slews; i++)
    if (strcmp(arcs->slew[i].port, port) == 0) return arcs->slew[i].slew_ns;
  return 0;
}
