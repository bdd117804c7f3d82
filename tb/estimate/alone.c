/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/alone.h"

#include "base/sizes.h"
#include "estimate/flow.h"
#include "estimate/placed.h"

#include <inttypes.h>

static int put_storage(const module_class_t *cls, const uint32_t *cfg, FILE *out, mrpb_err_t *err) {
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

static void put_path(FILE *out, const char *kind, const sta_path_t *p) {
  if (p->found) fprintf(out, "- %s, %.3f ns: `%s` to `%s`\n", kind, p->period_ns, p->start, p->end);
}

static int put_logic(const module_class_t *cls, const uint32_t *cfg, const flow_t *f,
                     const char *label, FILE *out, mrpb_err_t *err) {
  logic_job_t job;
  logic_result_t r;
  if (flow_job(f, cls, cfg, &job, err) != 0) return -1;
  const int rc = logic_estimate_all(&job, &r, 1, 1, f->opt->stop, err);
  if (rc != 0) return rc;
  flow_table_head(out, f, "module");
  flow_table_row(out, f, label, &r);
  fprintf(out, "\n");
  put_path(out, "longest path, with the ports", &r.sta.all);
  put_path(out, "between registers", &r.sta.reg);
  return placed_alone(f, &job, &r, out, err);
}

int alone_estimate(const module_class_t *cls, const uint32_t *cfg, const logic_options_t *opt,
                   FILE *out, mrpb_err_t *err) {
  char sizes[256];
  flow_t f;
  if (cls->check(cfg, err) != 0) return -1;
  sizes_text(cls, cfg, "", sizes, sizeof sizes);
  fprintf(out, "%s %s\n", cls->stem, sizes);
  int rc = put_storage(cls, cfg, out, err);
  for (unsigned i = 0; rc == 0 && opt->on && i < flow_liberties(opt); i++) {
    rc = flow_open(&f, opt, i, err);
    if (rc != 0) break;
    rc = put_logic(cls, cfg, &f, cls->stem, out, err);
    flow_close(&f);
  }
  return rc;
}
