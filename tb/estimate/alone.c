/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/alone.h"

#include "base/files.h"
#include "base/sizes.h"
#include "estimate/placed.h"
#include "estimate/timing.h"

#include <inttypes.h>
#include <stdlib.h>

int alone_storage(const module_class_t *cls, const uint32_t *cfg, FILE *out, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  uint64_t sum = 0;
  void *self = NULL;
  if (cls->create(&self, cfg, err) != 0) return -1;
  cls->regs(self, regs);
  fprintf(out, "\n| register | words | bits of a word | bits |\n| --- | ---: | ---: | ---: |\n");
  for (unsigned i = 0; i < cls->n_regs; i++) {
    const uint64_t bits = (uint64_t)regs[i].words * regs[i].width;
    sum += bits;
    fprintf(out, "| `%s` | %u | %u | %" PRIu64 " |\n", regs[i].name, regs[i].words, regs[i].width,
            bits);
  }
  fprintf(out, "| all | | | %" PRIu64 " |\n\n", sum);
  cls->destroy(self);
  return 0;
}

static void put_path(FILE *out, const char *of, const char *kind, const sta_path_t *p) {
  if (p->found)
    fprintf(out, "- %s%s, %.3f ns: `%s` to `%s`\n", of, kind, p->period_ns, p->start, p->end);
}

/* Copies the table of the ports' arcs. */
static int put_ports(FILE *out, const char *label, const logic_result_t *r, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (r->synth.cells == 0) return 0;
  char *text = files_path(path, "%s/ports.md", r->folder) ? files_read(path, NULL) : NULL;
  if (!text) return mrpb_fail(err, "%s/ports.md: cannot read", r->folder);
  fprintf(out, "\nPorts of %s, corner and clock as above, no wires:\n\n%s", label, text);
  free(text);
  return 0;
}

int alone_rows(const flow_t *f, const char *const *label, const logic_job_t *job, unsigned n,
               FILE *out, mrpb_err_t *err) {
  logic_result_t r[ALONE_ROWS];
  const int rc = logic_estimate_all(job, r, n, flow_jobs(f->opt), f->opt->stop, err);
  if (rc != 0) return rc;
  timing_row_t row[ALONE_ROWS];
  for (unsigned i = 0; i < n; i++)
    row[i] = (timing_row_t){label[i], &job[i], &r[i], f->opt->clock_ghz};
  flow_print(out, f);
  timing_put(out, f, row, n);
  for (unsigned i = 0; i < n; i++)
    if (put_ports(out, label[i], &r[i], err) != 0) return -1;
  fprintf(out, "\n");
  for (unsigned i = 0; i < n; i++) {
    char of[80] = "";
    if (n > 1) snprintf(of, sizeof of, "%.70s: ", label[i]);
    put_path(out, of, "longest path, with the ports", &r[i].sta.all);
    put_path(out, of, "between registers", &r[i].sta.reg);
  }
  int placed = 0;
  for (unsigned i = 0; i < n && placed == 0 && job[i].synth.cls; i++)
    placed = placed_alone(f, &job[i], &r[i], out, err);
  return placed;
}

int alone_estimate(const module_class_t *cls, const uint32_t *cfg, const logic_options_t *opt,
                   FILE *out, mrpb_err_t *err) {
  char sizes[SIZES_TEXT];
  logic_job_t job;
  flow_t f;
  if (cls->check(cfg, err) != 0 || placed_check(opt, err) != 0) return -1;
  sizes_text(cls, cfg, "", sizes, sizeof sizes);
  fprintf(out, "%s %s\n", cls->stem, sizes);
  int rc = alone_storage(cls, cfg, out, err);
  for (unsigned i = 0; rc == 0 && opt->on && i < flow_liberties(opt); i++) {
    rc = flow_open(&f, opt, i, err);
    if (rc != 0) break;
    rc = flow_job(&f, cls, cfg, &job, err);
    if (rc == 0) rc = alone_rows(&f, &cls->stem, &job, 1, out, err);
    flow_close(&f);
  }
  return rc;
}
