/* SPDX-License-Identifier: Apache-2.0 */
/* Reports a violation, in the designer's own names where the map has them. */
#include "verify/conform/report.h"

#include "base/output.h"
#include "base/waves/gtkw.h"
#include "sim/vcd.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 13, LINE = 320, WAVE_CYCLE = 10 };

__attribute__((format(printf, 2, 3))) static void say(char *text, const char *format, ...) {
  const size_t n = strlen(text);
  va_list ap;
  va_start(ap, format);
  vsnprintf(text + n, LINE - n, format, ap);
  va_end(ap);
}

void conform_report_sizes(const conform_cfg_t *cfg, char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < CONFORM_PARAMS && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, "%s%s=%" PRIu32, i ? " " : "", conform_params[i].name,
                          ((const uint32_t *)cfg)[i]);
}

static void say_read(const conform_setup_t *s, const conform_in_t *in, const conform_out_t *out,
                     char *text) {
  static const char *const why[] = {"", " (no entry)", " (no place)", " (busy)"};
  say(text, "; read 0x%" PRIx64 " tag 0x%" PRIx64, in->read_addr_i, in->read_tag_i);
  if (!out->read_ready_o)
    say(text, " refused%s", s->has.refuse ? why[out->read_refuse_o & 3] : "");
  else if (s->has.merge)
    say(text, "%s", out->read_merge_o ? " merges" : " allocates");
  else
    say(text, " accepted");
  if (out->read_ready_o && s->has.ticket) say(text, " e%" PRIu64, out->read_ticket_o);
}

/* Writes what happens in a cycle as one line; empty if nothing happens. */
static void say_cycle(const conform_setup_t *s, const conform_in_t *in, const conform_out_t *out,
                      char *text) {
  text[0] = '\0';
  if (!in->srst_ni) {
    say(text, "; reset");
    return;
  }
  if (in->fill_valid_i) {
    say(text, "; fill 0x%" PRIx64, in->fill_addr_i);
    if (s->has.ticket || s->has.line_ticket) say(text, " e%" PRIu64, in->fill_ticket_i);
    if (s->has.fill_ready && !out->fill_ready_o) say(text, " not taken");
  }
  for (unsigned w = 0; w < s->cfg.WAYS; w++) {
    if (!(out->answer_valid_o >> w & 1)) continue;
    say(text, "; answer tag 0x%" PRIx64, conform_way(out->answer_tag_o, w, s->cfg.TAG_W));
    if (s->has.answer_addr)
      say(text, " of 0x%" PRIx64, conform_way(out->answer_addr_o, w, s->cfg.ADDR_W));
  }
  if (out->answer_valid_o && !in->answer_ready_i) say(text, " not taken");
  if (in->read_valid_i) say_read(s, in, out, text);
  if (s->has.line && out->line_valid_o) {
    say(text, "; asks for");
    if (s->has.line_addr) say(text, " 0x%" PRIx64, out->line_addr_o);
    if (s->has.line_ticket) say(text, " e%" PRIu64, out->line_ticket_o);
    if (!in->line_ready_i) say(text, " not taken");
  }
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

static void signals(FILE *f, const conform_setup_t *s, const conform_out_t *out) {
  module_port_t in[CONFORM_INS], port[CONFORM_OUTS];
  const uint64_t *words = (const uint64_t *)(const void *)out;
  conform_ports(&s->cfg, in, port);
  fprintf(f, "  %-12s", "signals");
  for (unsigned i = 0, n = 0; i < CONFORM_OUTS; i++) {
    const char *expr = bind_said_output(s->bind, port[i].name);
    if (!expr || strlen(expr) > 40) continue;
    fprintf(f, "%s%s = 0x%" PRIx64, n ? (n % 4 ? ", " : ",\n              ") : "", expr,
            words[port[i].word]);
    n++;
  }
  fputc('\n', f);
}

static size_t count_lines(const conform_setup_t *s, const conform_case_t *c) {
  conform_play_t *p = conform_play_open(s, c->seed);
  size_t n = 0;
  for (size_t t = 0; p && t < c->n; t++) {
    char text[LINE];
    (void)conform_play_cycle(p, &c->in[t]);
    say_cycle(s, &c->in[t], conform_play_out(p), text);
    n += (text[0] && t >= 2) || t + 1 == c->n;
  }
  conform_play_close(p);
  return n;
}

int conform_report(FILE *out, const conform_setup_t *s, const conform_case_t *c) {
  table_t table = {.out = out, .lines = count_lines(s, c)};
  conform_play_t *p = conform_play_open(s, c->seed);
  if (!p) return -1;
  for (size_t t = 0; t < c->n; t++) {
    char text[LINE];
    const bool good = conform_play_cycle(p, &c->in[t]);
    say_cycle(s, &c->in[t], conform_play_out(p), text);
    if ((text[0] && t >= 2) || t + 1 == c->n) row(&table, t, !good, text);
  }
  const conform_model_t *m = conform_play_model(p);
  if (m->clause)
    fprintf(out, "  %-12sclause %u (%s): %s\n", "broken", m->clause,
            conform_clause(m->clause)->name, m->text);
  signals(out, s, conform_play_out(p));
  conform_play_close(p);
  return 0;
}

/* ---- the wave ---- */

static int declare(vcd_t *vcd, const conform_setup_t *s, gtkw_t *g, mrpb_err_t *err) {
  module_port_t in[CONFORM_INS], out[CONFORM_OUTS];
  char name[160];
  conform_ports(&s->cfg, in, out);
  if (vcd_var(vcd, "conform.clk_i", 1, VCD_WIRE, err) < 0 ||
      vcd_var(vcd, "conform.clause", 5, VCD_WIRE, err) < 0)
    return -1;
  gtkw_group(g, s->bind->top, 0);
  gtkw_signal(g, "conform.clk_i", 1);
  gtkw_number(g, "conform.clause", 5);
  for (unsigned i = 0; i < CONFORM_INS + CONFORM_OUTS; i++) {
    const module_port_t *p = i < CONFORM_INS ? &in[i] : &out[i - CONFORM_INS];
    snprintf(name, sizeof name, "conform.%s", p->name);
    if (vcd_var(vcd, name, p->width, VCD_WIRE, err) < 0) return -1;
    gtkw_signal(g, name, p->width);
  }
  return 0;
}

static void dump(vcd_t *vcd, const conform_setup_t *s, const conform_case_t *c, conform_play_t *p) {
  module_port_t in[CONFORM_INS], out[CONFORM_OUTS];
  conform_ports(&s->cfg, in, out);
  for (size_t t = 0; t < c->n; t++) {
    (void)conform_play_cycle(p, &c->in[t]);
    vcd_time(vcd, t * WAVE_CYCLE);
    vcd_change(vcd, 0, 1);
    vcd_change(vcd, 1, conform_play_model(p)->clause);
    for (unsigned i = 0; i < CONFORM_INS; i++)
      vcd_change_words(vcd, (int)(2 + i), (const uint64_t *)(const void *)&c->in[t] + in[i].word);
    for (unsigned i = 0; i < CONFORM_OUTS; i++)
      vcd_change_words(vcd, (int)(2 + CONFORM_INS + i),
                       (const uint64_t *)(const void *)conform_play_out(p) + out[i].word);
    vcd_time(vcd, t * WAVE_CYCLE + WAVE_CYCLE / 2);
    vcd_change(vcd, 0, 0);
  }
  vcd_time(vcd, c->n * WAVE_CYCLE);
  vcd_change(vcd, 0, 1);
}

int conform_report_wave(const char *path, const conform_setup_t *s, const conform_case_t *c,
                        mrpb_err_t *err) {
  char temp[OUTPUT_NAME], save[OUTPUT_NAME];
  const char *base = strrchr(path, '/'), *dot = strrchr(path, '.');
  const uint64_t end = (c->n ? c->n - 1 : 0) * WAVE_CYCLE;
  const gtkw_view_t view = {.start = 0,
                            .visible = 40 * WAVE_CYCLE,
                            .marker = end,
                            .a = end,
                            .b = end + WAVE_CYCLE,
                            .marked = true};
  gtkw_t *g = NULL;
  vcd_t *vcd = NULL;
  snprintf(save, sizeof save, "%.*s.gtkw",
           dot && dot > base ? (int)(dot - path) : (int)strlen(path), path);
  if (output_temp(path, temp, err) != 0 || vcd_open(&vcd, temp, "1ns", err) != 0) return -1;
  conform_play_t *p = conform_play_open(s, c->seed);
  int rc =
      p ? gtkw_open(&g, save, base ? base + 1 : path, &view, err) : mrpb_fail(err, "out of memory");
  if (rc == 0) rc = declare(vcd, s, g, err);
  if (rc == 0) dump(vcd, s, c, p);
  conform_play_close(p);
  if (vcd_close(vcd, err) != 0) rc = -1;
  if (rc == 0) rc = output_commit(path, temp, err);
  if (rc != 0) {
    output_discard(path, temp);
    if (g) gtkw_discard(g);
    return -1;
  }
  return gtkw_close(g, err) < 0 ? -1 : 0;
}
