/* SPDX-License-Identifier: Apache-2.0 */
/* The statistics of a run as JSON and as text. docs/statistics.md explains each of them. */
#include "cli/cli.h"
#include "config/config.h"
#include "base/json_out.h"
#include "config/config_json.h"
#include "gpu/values.h"

#include <inttypes.h>
#include <string.h>

static void put(json_t **o, const char *name, uint64_t v) {
  json_out_set(o, name, json_integer((json_int_t)v));
}

static double ratio(uint64_t a, uint64_t b) {
  return b ? (double)a / (double)b : 0;
}

/* ---- JSON -------------------------------------------------------------------- */

static json_t *as_json(const gpu_value_t *v) {
  switch (v->kind) {
  case GPU_COUNT:
    return json_integer((json_int_t)v->count);
  case GPU_REAL:
    return json_real(v->real);
  case GPU_TEXT:
    return json_string(v->text);
  case GPU_LIST:
    return json_array();
  }
  return NULL;
}

/* Element `part` of `at`, which is an object unless it already exists as a list; NULL if there is
 * no such element yet. */
static json_t *inside(const json_t *at, const char *part) {
  return json_is_array(at) ? json_array_get(at, strtoul(part, NULL, 10))
                           : json_object_get(at, part);
}

static int attach(json_t *at, const char *part, json_t *value) {
  return json_is_array(at) ? json_array_append_new(at, value)
                           : json_object_set_new(at, part, value);
}

/* Puts the value where its name says; objects on the way are made when first needed. If out of
 * memory, the whole report becomes NULL. */
static void add_value(void *ctx, const gpu_value_t *v) {
  json_t **report = ctx, *at = *report;
  char name[GPU_VALUE_NAME], *part = name;
  snprintf(name, sizeof name, "%s", v->name);
  int rc = at ? 0 : -1;
  for (char *dot; rc == 0 && (dot = strchr(part, '.')); part = dot + 1) {
    *dot = '\0';
    json_t *next = inside(at, part);
    if (!next) rc = attach(at, part, next = json_object());
    at = next;
  }
  if (rc == 0) rc = attach(at, part, as_json(v));
  if (rc == 0) return;
  json_decref(*report);
  *report = NULL;
}

json_t *cli_report(const gpu_t *gpu, const config_t *m, const char *kernel,
                   const program_options_t *options) {
  json_t *o = json_object();
  char hash[24];
  snprintf(hash, sizeof hash, "%016" PRIx64, config_hash(m));
  json_out_set(&o, "kernel", json_string(kernel));
  put(&o, "cut", options->cut);
  put(&o, "size", options->size);
  put(&o, "steps", options->steps);
  json_out_set(&o, "model", json_string(program_model_name(options->model)));
  json_out_set(&o, "acc_reload", json_boolean(options->acc_reload));
  json_out_set(&o, "config_hash", json_string(hash));
  gpu_values(gpu, add_value, &o);
  json_out_set(&o, "configuration", config_json(m, NULL));
  return o;
}

json_t *cli_report_row(const gpu_t *gpu, const uint64_t count[GPU_COUNTS]) {
  json_t *o = json_object();
  gpu_values_of_row(gpu, count, add_value, &o);
  return o;
}

void cli_report_value(json_t **row, const char *name, double x) {
  add_value(row, &(gpu_value_t){.name = name, .kind = GPU_REAL, .real = x});
}

static void print_memory(FILE *out, const gpu_t *gpu) {
  const icnt_stats_t q = gpu_icnt_stats(gpu, ICNT_REQUEST), p = gpu_icnt_stats(gpu, ICNT_REPLY);
  l2_stats_t l2 = gpu_l2_stats(gpu);
  dram_stats_t d = gpu_dram_stats(gpu);
  fprintf(out,
          "  interconnect    %" PRIu64 " packets, %" PRIu64 " flits to L2; %" PRIu64
          " packets, %" PRIu64 " flits, %" PRIu64 " bytes back\n",
          q.packets, q.flits, p.packets, p.flits, p.bytes);
  fprintf(out,
          "  L2              reads: %" PRIu64 " hits, %" PRIu64 " misses; writes: %" PRIu64
          " hits, %" PRIu64 " misses\n",
          l2.read_hits, l2.read_misses, l2.write_hits, l2.write_misses);
  fprintf(out,
          "  DRAM            %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64 " activates, %" PRIu64
          " row hits\n",
          d.reads, d.writes, d.activates, d.row_hits);
}

static void print_check(FILE *out, const check_stats_t *s) {
  char atomics[48] = "";
  if (s->atomics) snprintf(atomics, sizeof atomics, ", %" PRIu64 " atomics", s->atomics);
  fprintf(out,
          "  check           %" PRIu64 " loads, %" PRIu64
          " stores%s of threads: no violation; %" PRIu64 " loads stale, %" PRIu64 " bytes raced\n",
          s->loads, s->stores, atomics, s->stale, s->raced);
}

/* Prints a line for each launch: the counts that have a title (gpu/cores/counts.def). */
static void print_launches(FILE *out, const gpu_t *gpu) {
  enum { COLUMN = 10 };
  for (unsigned k = 0; k <= gpu_kernels(gpu); k++) {
    if (k == 0)
      fputs("    launch", out);
    else
      fprintf(out, "%10u", k - 1);
    for (unsigned i = 0; i < GPU_COUNTS; i++) {
      if (!gpu_count(i)->title[0] || !gpu_count_shown(i, gpu_shows(gpu))) continue;
      const int title = (int)strlen(gpu_count(i)->title), width = title > COLUMN ? title : COLUMN;
      if (k == 0)
        fprintf(out, " %*s", width, gpu_count(i)->title);
      else
        fprintf(out, " %*" PRIu64, width, gpu_kernel(gpu, k - 1)->count[i]);
    }
    fprintf(out, "  %s\n", k == 0 ? "kernel" : gpu_kernel(gpu, k - 1)->kernel);
  }
}

/* What the SMs of the paper and its memory count beyond what all do. */
static void print_paper(FILE *out, const gpu_t *gpu, const sm_stats_t *s, const l1d_stats_t *l) {
  fprintf(out,
          "  L1D reads       %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64
          " pending hits, %" PRIu64 " bypasses\n",
          l->hits, l->misses, l->pending_hits, s->bypasses);
  fprintf(out,
          "  L1D evictions   intra-warp %" PRIu64 ", cross-warp %" PRIu64 ", cross-block %" PRIu64
          ", cold %" PRIu64 "\n",
          l->evict_intra_warp, l->evict_cross_warp, l->evict_cross_block, l->evict_none);
  fprintf(out, "  L1D writes      %" PRIu64 "\n", l->writes);
  fprintf(out,
          "  L1D refusals    assoc %" PRIu64 ", missq %" PRIu64 ", mshr %" PRIu64 ", merge %" PRIu64
          "\n",
          l->refused[L1D_ASSOC], l->refused[L1D_MISSQ], l->refused[L1D_MSHR],
          l->refused[L1D_MERGE]);
  fprintf(out,
          "  MSHRs in use    mean %.2f, max %" PRIu32 "; miss queue mean %.2f, max %" PRIu32 "\n",
          gpu_mean(&s->mshr), s->mshr.max, gpu_mean(&s->miss_queue), s->miss_queue.max);
  if (gpu_shows(gpu).mrpb)
    fprintf(out,
            "  MRPB            held mean %.2f, max %" PRIu32 "; PRT mean %.2f, max %" PRIu32 "\n",
            gpu_mean(&s->mrpb), s->mrpb.max, gpu_mean(&s->prt), s->prt.max);
  print_memory(out, gpu);
  if (gpu_check_stats(gpu)) print_check(out, gpu_check_stats(gpu));
}

static void print_in_order(FILE *out, const gpu_t *gpu, const sm_stats_t *s, const l1d_stats_t *l) {
  const l2_stats_t l2 = gpu_l2_stats(gpu);
  fprintf(out,
          "  loads, stores   %" PRIu64 " in %" PRIu64 " transactions, %" PRIu64 " in %" PRIu64
          "; %" PRIu64 " atomics\n",
          s->loads, s->load_lines, s->stores, s->store_lines, s->atomics);
  fprintf(out,
          "  L1D reads       %" PRIu64 " hits, %" PRIu64 " misses, %" PRIu64 " joined a miss\n",
          l->hits, l->misses, l->merges);
  fprintf(out,
          "  L1D refusals    no line %" PRIu64 ", table full %" PRIu64 ", entry full %" PRIu64 "\n",
          l->refused[L1D_ASSOC], l->refused[L1D_MSHR], l->refused[L1D_MERGE]);
  if (gpu_shows(gpu).mrpb)
    fprintf(out,
            "  MRPB            requests %" PRIu64 ", refused in %" PRIu64
            " cycles; bypasses %" PRIu64 "\n",
            s->mrpb_in, s->mrpb_full, s->bypasses);
  fprintf(out,
          "  L2              reads: %" PRIu64 " hits, %" PRIu64 " misses; writes: %" PRIu64
          "; %" PRIu64 " lines written back\n",
          l2.read_hits, l2.read_misses, l2.writes, l2.write_backs);
  if (gpu_check_stats(gpu)) print_check(out, gpu_check_stats(gpu));
}

/* Where the cycles of all schedulers went; what is left is without a warp. */
static void print_stack(FILE *out, const gpu_t *gpu, const config_t *cfg) {
  const double all = (double)gpu_cycles(gpu) * cfg->sms * cfg->schedulers;
  uint64_t count[GPU_COUNTS];
  double rest = 100;
  unsigned n = 0;
  gpu_count_all(gpu, count);
  fprintf(out, "  scheduler cycles");
  for (unsigned i = 0; i < GPU_COUNTS; i++) {
    if (strcmp(gpu_count(i)->part, "stack") != 0) continue;
    const double share = all > 0 ? 100 * (double)count[i] / all : 0;
    rest -= share;
    if (share < 0.05) continue;
    fprintf(out, "%s %s %.1f %%", n++ ? "," : "", gpu_count(i)->name, share);
  }
  fprintf(out, "%s no warp %.1f %%\n", n ? "," : "", rest > 0 ? rest : 0);
}

void cli_print_report(FILE *out, const gpu_t *gpu, const config_t *m, const char *config_name,
                      const char *kernel, const program_options_t *options) {
  sm_stats_t s = gpu_sm_stats(gpu);
  l1d_stats_t l = gpu_l1d_stats(gpu);
  fprintf(out, "%s", kernel);
  if (options->size) fprintf(out, ", size %" PRIu32, options->size);
  if (options->cut) fprintf(out, ", cut to %" PRIu32, options->cut);
  if (options->steps) fprintf(out, ", %" PRIu32 " steps", options->steps);
  if (options->acc_reload) fprintf(out, ", accumulator reloaded");
  fprintf(out, ", %s (%016" PRIx64 ")\n", config_name, config_hash(m));
  fprintf(out, "  cycles          %" PRIu64 "\n", gpu_cycles(gpu));
  if (gpu_kernels(gpu) > 1) print_launches(out, gpu);
  fprintf(out, "  instructions    %" PRIu64 " (threads), IPC %.3f\n", s.thread_insts,
          ratio(s.thread_insts, gpu_cycles(gpu)));
  if (m->core == CONFIG_CORE_IN_ORDER) {
    print_in_order(out, gpu, &s, &l);
    print_stack(out, gpu, m);
  } else {
    print_paper(out, gpu, &s, &l);
  }
}
