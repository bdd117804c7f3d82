/* SPDX-License-Identifier: Apache-2.0 */
/* The mismatch report. */
#include "cosim/lockstep/report.h"

#include "cosim/stim/sources.h"
#include "base/sizes.h"
#include "cosim/stim/stim.h"

#include <inttypes.h>
#include <string.h>

/* A report and the replay lines around it fit on a screen of 24 lines. */
enum { NAMED = 5, RECORDS = 11, TABLES = 160, NAME_TEXT = 96 };

void report_quote(const char *word, char *text, size_t size) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,:+-";
  const char *quote = word[0] && word[strspn(word, plain)] == '\0' ? "" : "'";
  snprintf(text, size, "%s%s%s", quote, word, quote);
}

/* "len_q[7][3:0]", "valid_q[127:64]", "full_o". */
static void diff_name(const lockstep_diff_t *d, char *text) {
  size_t n = (size_t)snprintf(text, NAME_TEXT, "%s", d->name);
  if (d->words > 1 && n < NAME_TEXT)
    n += (size_t)snprintf(text + n, NAME_TEXT - n, "[%u]", d->elem);
  unsigned msb = d->width - 1 < d->lsb + 63 ? d->width - 1 : d->lsb + 63;
  if (d->width > 1 && n < NAME_TEXT) snprintf(text + n, NAME_TEXT - n, "[%u:%u]", msb, d->lsb);
}

/* Prints the name that a user's design has for it, according to its map. */
static void print_theirs(FILE *out, const lockstep_t *ls, const lockstep_diff_t *d) {
  const foreign_t *f = lockstep_foreign(ls);
  const uint64_t differ = d->c ^ d->rtl;
  const unsigned bit = d->lsb + (differ ? (unsigned)__builtin_ctzll(differ) : 0);
  const bind_reg_t *r = f && d->reg ? bind_said_reg(foreign_bind(f), d->name, d->elem, bit) : NULL;
  const char *said = f && !d->reg ? bind_said_output(foreign_bind(f), d->name) : NULL;
  if (r) fprintf(out, "  %-12s%s%s\n", "yours", r->inverted ? "!" : "", r->path);
  if (said) fprintf(out, "  %-12s%s\n", "yours", said);
  if (lockstep_powered(ls))
    fprintf(out,
            "  %-12sit depends on what the design powered up with: the value is of a copy that had "
            "ones\n",
            "not set");
}

static void print_first(FILE *out, const lockstep_diff_t *d) {
  char name[NAME_TEXT];
  unsigned left = d->width - d->lsb, digits = ((left < 64 ? left : 64) + 3) / 4;
  diff_name(d, name);
  fprintf(out, "  %-12s%s %-28s C 0x%0*" PRIx64 "  RTL 0x%0*" PRIx64 "  XOR 0x%0*" PRIx64 "\n",
          "first", d->reg ? "register" : "output  ", name, (int)digits, d->c, (int)digits, d->rtl,
          (int)digits, d->c ^ d->rtl);
}

/* Prints the names of the other differences, as many as fit on a line. */
static void print_others(FILE *out, const lockstep_diff_t *diffs, unsigned n) {
  char name[NAME_TEXT];
  if (n < 2) return;
  fprintf(out, "  %-12s", "also");
  for (unsigned i = 1; i < n && i < NAMED; i++) {
    diff_name(&diffs[i], name);
    fprintf(out, "%s%s", i > 1 ? ", " : "", name);
  }
  if (n > NAMED) fprintf(out, " and %u more", n - NAMED);
  fputc('\n', out);
}

/* Whether `port` belongs to a source that has a strobe, and the strobe is low. */
static bool unstrobed(const sources_t *s, unsigned port, const uint64_t *in) {
  for (unsigned i = 0; i < s->cls->n_in; i++)
    if (s->source[i] == s->source[port] && sources_strobe(s->in[i].name))
      return in[s->in[i].word] == 0;
  return false;
}

static void say_unstrobed(const module_class_t *cls, const uint32_t *cfg, const uint64_t *in,
                          char *text) {
  sources_t s;
  sources_init(&s, cls, cfg);
  for (unsigned i = 0; i < cls->n_in; i++)
    if (!sources_port_idle(&s, i, in) && unstrobed(&s, i, in))
      stim_say(text, "%s%s 0x%" PRIx64, text[0] ? "; " : "", s.in[i].name, in[s.in[i].word]);
}

void report_cycle(const module_class_t *cls, const uint32_t *cfg, const uint64_t *in,
                  const uint64_t *out, bool all, char *text) {
  const stim_class_t *stim = stim_class(cls->stem);
  text[0] = '\0';
  if (stim) stim->describe(cfg, in, out, text);
  size_t n = strlen(text);
  if (n > 1 && text[n - 1] == ' ' && text[n - 2] == ';') text[n - 2] = '\0';
  if (all) say_unstrobed(cls, cfg, in, text);
  if (!text[0]) stim_say(text, "idle");
}

void report_transactions(FILE *out, const lockstep_t *ls, const report_t *report) {
  lockstep_record_t r;
  unsigned n = 0, first = 0;
  while (lockstep_record(ls, n, &r)) n++;
  if (n > RECORDS) first = n - RECORDS;
  fprintf(out, "  last transactions, as the C model saw them (-> the failing cycle)\n");
  for (unsigned i = first; i < n && lockstep_record(ls, i, &r); i++) {
    char text[STIM_TEXT];
    report_cycle(lockstep_class(ls), lockstep_cfg(ls), r.in, r.out, false, text);
    fprintf(out, "  %s %10" PRIu64 "  %s\n", r.cycle == report->cycle ? "->" : "  ",
            r.cycle - report->skip, text);
  }
}

static unsigned all_diffs(const lockstep_t *ls, const report_t *report, lockstep_diff_t *diffs) {
  return lockstep_diffs(ls, report->regs, diffs, NAMED);
}

void report_cut(char *text, size_t n) {
  if (strlen(text) <= n) return;
  while (n > 0 && text[n] != ' ') n--;
  memcpy(text + n, " ...", sizeof " ...");
}

void report_mismatch(FILE *out, const lockstep_t *ls, const report_t *report) {
  const module_class_t *cls = lockstep_class(ls);
  const stim_class_t *stim = stim_class(cls->stem);
  const char *stopped = lockstep_stopped(ls);
  lockstep_diff_t diffs[NAMED];
  char text[SIZES_TEXT] = "";
  unsigned n = all_diffs(ls, report, diffs);
  fprintf(out, "MISMATCH %s, cycle %" PRIu64 ", %s", report->place, report->cycle - report->skip,
          report->regs ? "after its edge" : "outputs before its edge");
  if (!report->recorded) fprintf(out, ", seed %" PRIu64, report->seed);
  fputc('\n', out);
  sizes_text(cls, lockstep_cfg(ls), "", text, sizeof text);
  fprintf(out, "  %-12s%s %s\n  %-12s%s\n", "module", cls->stem, text, "RTL", report->rtl_dir);
  if (stopped) fprintf(out, "  %-12s%s\n", "RTL check", stopped);
  if (lockstep_function(ls))
    fprintf(out, "  %-12s%s, %s\n", "function", lockstep_function(ls),
            lockstep_scribbles(ls) ? "which writes an output that is not its own"
                                   : "where comb and edge are right");
  if (n > 0) print_first(out, &diffs[0]);
  if (n > 0) print_theirs(out, ls, &diffs[0]);
  print_others(out, diffs, n);
  if (!report->brief) report_transactions(out, ls, report);
  text[0] = '\0';
  if (stim) {
    stim->occupancy(lockstep_cfg(ls), lockstep_model(ls), text);
    report_cut(text, TABLES);
    fprintf(out, "  %-12s%s\n", "C tables", text);
  }
  if (report->wave && !report->brief) fprintf(out, "  %-12s%s\n", "wave", report->wave);
  if (report->repeat)
    fprintf(out, "  %-12s%s\n", report->brief ? "whole run" : "repeat", report->repeat);
  fflush(out);
}

void report_line(const lockstep_t *ls, const report_t *report, char *text, size_t size) {
  lockstep_diff_t diffs[NAMED];
  char name[NAME_TEXT];
  unsigned n = all_diffs(ls, report, diffs);
  if (n == 0 && lockstep_scribbles(ls)) {
    snprintf(text, size, "%s, cycle %" PRIu64 ": %s writes an output that is not its own",
             report->place, report->cycle - report->skip, lockstep_function(ls));
    return;
  }
  if (n == 0) {
    const char *stopped = lockstep_stopped(ls);
    snprintf(text, size, "%s, cycle %" PRIu64 ": RTL check %s", report->place,
             report->cycle - report->skip, stopped ? stopped : "failed");
    return;
  }
  diff_name(&diffs[0], name);
  const char *function = lockstep_function(ls);
  snprintf(text, size, "%s, cycle %" PRIu64 ": %s %s: C 0x%" PRIx64 "%s%s, RTL 0x%" PRIx64 "%s",
           report->place, report->cycle - report->skip, diffs[0].reg ? "register" : "output", name,
           diffs[0].c, function ? " by " : "", function ? function : "", diffs[0].rtl,
           n > 1 ? ", and others" : "");
}

int report_verdict(const lockstep_t *ls, verdict_t *v, mrpb_err_t *err) {
  const module_class_t *cls = lockstep_class(ls);
  const foreign_t *f = lockstep_foreign(ls);
  if (verdict_open(v, cls, lockstep_cfg(ls), f ? foreign_bind(f) : NULL, err) != 0) return -1;
  const uint64_t first = cls->n_regs > 0,
                 cycles = lockstep_cycle(ls); /* before any reset: not compared */
  for (unsigned i = 0; i < cls->n_out; i++)
    v->cycles[i] = f ? foreign_compared(f, i) : cycles > first ? cycles - first : 0;
  for (unsigned i = 0; i < cls->n_regs && f; i++)
    v->bits[i] = foreign_bits(f, i, &lockstep_regs_rtl(ls)[i]);
  return 0;
}
