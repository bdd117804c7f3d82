/* The mismatch report. */
#include "cosim/report.h"

#include "cosim/stim.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN = 12, NAME_TEXT = 96 };

void report_sizes(const module_class_t *cls, const uint32_t *cfg, const char *prefix, char *text,
                  size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < cls->n_params && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, "%s%s%s=%u", i ? " " : "", prefix,
                          cls->params[i].name, cfg[i]);
}

/* "len_q[7][3:0]", "valid_q[127:64]", "full_o". */
static void diff_name(const lockstep_diff_t *d, char *text) {
  size_t n = (size_t)snprintf(text, NAME_TEXT, "%s", d->name);
  if (d->words > 1 && n < NAME_TEXT)
    n += (size_t)snprintf(text + n, NAME_TEXT - n, "[%u]", d->elem);
  unsigned msb = d->width - 1 < d->lsb + 63 ? d->width - 1 : d->lsb + 63;
  if (d->width > 1 && n < NAME_TEXT) snprintf(text + n, NAME_TEXT - n, "[%u:%u]", msb, d->lsb);
}

static void print_diff(FILE *out, const char *title, const lockstep_diff_t *d) {
  char name[NAME_TEXT];
  unsigned left = d->width - d->lsb, digits = ((left < 64 ? left : 64) + 3) / 4;
  diff_name(d, name);
  fprintf(out, "  %-12s%s %-28s C 0x%0*" PRIx64 "  RTL 0x%0*" PRIx64 "  XOR 0x%0*" PRIx64 "\n",
          title, d->reg ? "register" : "output  ", name, (int)digits, d->c, (int)digits, d->rtl,
          (int)digits, d->c ^ d->rtl);
}

static void print_transactions(FILE *out, const lockstep_t *ls, const report_t *report) {
  const stim_class_t *stim = stim_class(lockstep_class(ls)->stem);
  lockstep_record_t r;
  fprintf(out, "  last transactions, as the C model saw them (-> the failing cycle)\n");
  for (unsigned i = 0; stim && lockstep_record(ls, i, &r); i++) {
    char text[STIM_TEXT] = "";
    stim->describe(lockstep_cfg(ls), r.in, r.out, text);
    size_t n = strlen(text);
    if (n > 1 && text[n - 1] == ' ' && text[n - 2] == ';') text[n - 2] = '\0';
    fprintf(out, "  %s %10" PRIu64 "  %s\n", r.cycle == report->cycle ? "->" : "  ",
            r.cycle - report->skip, text[0] ? text : "idle");
  }
}

static unsigned all_diffs(const lockstep_t *ls, const report_t *report, lockstep_diff_t *diffs) {
  return lockstep_diffs(ls, report->regs, diffs, SHOWN);
}

void report_mismatch(FILE *out, const lockstep_t *ls, const report_t *report) {
  const module_class_t *cls = lockstep_class(ls);
  const stim_class_t *stim = stim_class(cls->stem);
  const char *stopped = lockstep_stopped(ls);
  lockstep_diff_t diffs[SHOWN];
  char text[512] = "";
  unsigned n = all_diffs(ls, report, diffs);
  fprintf(out, "MISMATCH %s, cycle %" PRIu64 ", %s, seed %" PRIu64 "\n", report->place,
          report->cycle - report->skip, report->regs ? "after its edge" : "outputs before its edge",
          report->seed);
  report_sizes(cls, lockstep_cfg(ls), "", text, sizeof text);
  fprintf(out, "  %-12s%s %s\n  %-12s%s\n", "module", cls->stem, text, "RTL", report->rtl_dir);
  if (stopped) fprintf(out, "  %-12s%s\n", "RTL check", stopped);
  for (unsigned i = 0; i < n && i < SHOWN; i++) print_diff(out, i ? "also" : "first", &diffs[i]);
  if (n > SHOWN) fprintf(out, "  %-12s%u more\n", "and", n - SHOWN);
  print_transactions(out, ls, report);
  text[0] = '\0';
  if (stim) {
    stim->occupancy(lockstep_cfg(ls), lockstep_model(ls), text);
    fprintf(out, "  %-12s%s\n", "C tables", text);
  }
  if (report->wave) fprintf(out, "  %-12s%s\n", "wave", report->wave);
  if (report->repeat) fprintf(out, "  %-12s%s\n", "repeat", report->repeat);
  fflush(out);
}

void report_line(const lockstep_t *ls, const report_t *report, char *text, size_t size) {
  lockstep_diff_t diffs[SHOWN];
  char name[NAME_TEXT];
  unsigned n = all_diffs(ls, report, diffs);
  if (n == 0) {
    const char *stopped = lockstep_stopped(ls);
    snprintf(text, size, "%s, cycle %" PRIu64 ": RTL check %s", report->place,
             report->cycle - report->skip, stopped ? stopped : "failed");
    return;
  }
  diff_name(&diffs[0], name);
  snprintf(text, size, "%s, cycle %" PRIu64 ": %s %s: C 0x%" PRIx64 ", RTL 0x%" PRIx64 "%s",
           report->place, report->cycle - report->skip, diffs[0].reg ? "register" : "output", name,
           diffs[0].c, diffs[0].rtl, n > 1 ? ", and others" : "");
}
