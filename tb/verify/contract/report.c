/* SPDX-License-Identifier: Apache-2.0 */
/* Reports a violation, in the designer's own names where the map has them. */
#include "verify/contract/report.h"

#include "base/waves/saved_wave.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 13, LINE = 320, WAVE_CYCLE = 10 };

void contract_report_say(char *text, size_t size, const char *format, ...) {
  const size_t n = strlen(text);
  va_list ap;
  va_start(ap, format);
  vsnprintf(text + n, size - n, format, ap);
  va_end(ap);
}

void contract_report_sizes(const contract_setup_t *s, char *text, size_t size) {
  const module_class_t *cls = s->of->cls;
  text[0] = '\0';
  for (unsigned i = 0; i < cls->n_params; i++)
    contract_report_say(text, size, "%s%s=%" PRIu32, i ? " " : "", cls->params[i].name, s->cfg[i]);
}

/* Writes what happens in a cycle as one line; empty if nothing happens. */
static void say_cycle(const contract_setup_t *s, const uint64_t *in, const contract_play_t *p,
                      char *text) {
  text[0] = '\0';
  s->of->say(s, in, contract_play_out(p), text, LINE);
}

typedef struct {
  FILE *out;
  size_t printed, lines;
  uint64_t same;
  char last[LINE];
} table_t;

static void row(table_t *t, size_t cycle, bool last, const char *text) {
  const size_t n = t->printed++;
  if (t->lines > MOST_LINES && n >= 4 && n + MOST_LINES - 5 < t->lines) {
    if (n == 4) fprintf(t->out, "                 (%zu cycles more)\n", t->lines - MOST_LINES + 1);
    return;
  }
  fprintf(t->out, "  %s %10zu  %s\n", last ? "->" : "  ", cycle,
          text[0] ? text + 2 : "nothing happens");
}

static void signals(FILE *f, const contract_setup_t *s, const uint64_t *words) {
  const module_class_t *cls = s->of->cls;
  module_port_t in[MODULE_MAX_PORTS], port[MODULE_MAX_PORTS];
  if (!s->bind) return;
  cls->ports(s->cfg, in, port);
  fprintf(f, "  %-12s", "signals");
  for (unsigned i = 0, n = 0; i < cls->n_out; i++) {
    const char *expr = bind_said_output(s->bind, port[i].name);
    if (!expr || strlen(expr) > 40) continue;
    fprintf(f, "%s%s = 0x%" PRIx64, n ? (n % 4 ? ", " : ",\n              ") : "", expr,
            words[port[i].word]);
    n++;
  }
  fputc('\n', f);
}

static size_t count_lines(const contract_setup_t *s, const contract_case_t *c) {
  contract_play_t *p = contract_play_open(s, c->seed);
  size_t n = 0;
  for (size_t t = 0; p && t < c->n; t++) {
    char text[LINE];
    (void)contract_play_cycle(p, contract_row(s->of, c, t));
    say_cycle(s, contract_row(s->of, c, t), p, text);
    n += (text[0] && t >= 2) || t + 1 == c->n;
  }
  contract_play_close(p);
  return n;
}

int contract_report(FILE *out, const contract_setup_t *s, const contract_case_t *c) {
  table_t table = {.out = out, .lines = count_lines(s, c)};
  contract_play_t *p = contract_play_open(s, c->seed);
  if (!p) return -1;
  for (size_t t = 0; t < c->n; t++) {
    char text[LINE];
    const bool good = contract_play_cycle(p, contract_row(s->of, c, t));
    say_cycle(s, contract_row(s->of, c, t), p, text);
    if ((text[0] && t >= 2) || t + 1 == c->n) row(&table, t, !good, text);
  }
  const contract_broken_t *b = contract_play_broken(p);
  if (b->clause)
    fprintf(out, "  %-12sclause %u (%s): %s\n", "broken", b->clause,
            contract_clause(s->of, b->clause)->name, b->text);
  signals(out, s, contract_play_out(p));
  contract_play_close(p);
  return 0;
}

/* ---- the wave ---- */

static int declare(saved_wave_t *w, const contract_setup_t *s, mrpb_err_t *err) {
  const module_class_t *cls = s->of->cls;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  char name[160];
  cls->ports(s->cfg, in, out);
  saved_wave_group(w, s->top);
  snprintf(name, sizeof name, "%s.clk_i", cls->stem);
  if (saved_wave_var(w, name, 1, err) != 0) return -1;
  snprintf(name, sizeof name, "%s.clause", cls->stem);
  if (saved_wave_var(w, name, 5, err) != 0) return -1;
  for (unsigned i = 0; i < cls->n_in + cls->n_out; i++) {
    const module_port_t *p = i < cls->n_in ? &in[i] : &out[i - cls->n_in];
    snprintf(name, sizeof name, "%s.%s", cls->stem, p->name);
    if (saved_wave_var(w, name, p->width, err) != 0) return -1;
  }
  return 0;
}

static void dump(vcd_t *vcd, const contract_setup_t *s, const contract_case_t *c,
                 contract_play_t *p) {
  const module_class_t *cls = s->of->cls;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  cls->ports(s->cfg, in, out);
  for (size_t t = 0; t < c->n; t++) {
    const uint64_t *row = contract_row(s->of, c, t);
    (void)contract_play_cycle(p, row);
    vcd_time(vcd, t * WAVE_CYCLE);
    vcd_change(vcd, 0, 1);
    vcd_change(vcd, 1, contract_play_broken(p)->clause);
    for (unsigned i = 0; i < cls->n_in; i++) vcd_change_words(vcd, (int)(2 + i), row + in[i].word);
    for (unsigned i = 0; i < cls->n_out; i++)
      vcd_change_words(vcd, (int)(2 + cls->n_in + i), contract_play_out(p) + out[i].word);
    vcd_time(vcd, t * WAVE_CYCLE + WAVE_CYCLE / 2);
    vcd_change(vcd, 0, 0);
  }
  vcd_time(vcd, c->n * WAVE_CYCLE);
  vcd_change(vcd, 0, 1);
}

int contract_report_wave(const char *path, const contract_setup_t *s, const contract_case_t *c,
                         mrpb_err_t *err) {
  const uint64_t end = (c->n ? c->n - 1 : 0) * WAVE_CYCLE;
  const gtkw_view_t view = {.start = 0,
                            .visible = 40 * WAVE_CYCLE,
                            .marker = end,
                            .a = end,
                            .b = end + WAVE_CYCLE,
                            .marked = true};
  saved_wave_t w;
  int rc = saved_wave_open(&w, path, &view, err);
  contract_play_t *p = rc == 0 ? contract_play_open(s, c->seed) : NULL;
  if (rc == 0 && !p) rc = mrpb_fail(err, "out of memory");
  if (rc == 0) rc = declare(&w, s, err);
  if (rc == 0) dump(w.vcd, s, c, p);
  contract_play_close(p);
  return saved_wave_close(&w, rc == 0, err);
}
