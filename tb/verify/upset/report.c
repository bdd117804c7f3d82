/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/upset/report.h"

#include "base/json_out.h"
#include "base/sizes.h"

#include <inttypes.h>

enum { SIZES = 512 };

typedef struct {
  upset_row_t sum;                /* of all injections */
  double any_bit[UPSET_OUTCOMES]; /* in per cent, each bit with the same weight */
} total_t;

static double percent(uint64_t n, uint64_t of) {
  return of ? 100.0 * (double)n / (double)of : 0;
}

static total_t add_up(const upset_table_t *table) {
  total_t t = {.sum = {.name = "all"}};
  for (unsigned i = 0; i < table->n; i++) {
    const upset_row_t *row = &table->row[i];
    if (row->injections == 0) continue;
    t.sum.bits += row->bits;
    t.sum.injections += row->injections;
    for (unsigned k = 0; k < UPSET_OUTCOMES; k++) {
      t.sum.count[k] += row->count[k];
      t.any_bit[k] += (double)row->bits * percent(row->count[k], row->injections);
    }
  }
  for (unsigned k = 0; t.sum.bits && k < UPSET_OUTCOMES; k++) t.any_bit[k] /= (double)t.sum.bits;
  return t;
}

static void print_row(const upset_row_t *row, FILE *out) {
  fprintf(out, "%-27s %6" PRIu64 " %8" PRIu64, row->name, row->bits, row->injections);
  for (unsigned k = 0; k < UPSET_OUTCOMES; k++) {
    if (row->count[k])
      fprintf(out, " %7" PRIu64 " %3.0f%%", row->count[k], percent(row->count[k], row->injections));
    else
      fprintf(out, " %7s     ", "-");
  }
  fputc('\n', out);
}

void upset_print(const upset_table_t *table, const upset_job_t *job, FILE *out) {
  char sizes[SIZES];
  const total_t total = add_up(table);
  sizes_text(job->cls, job->cfg, "", sizes, sizeof sizes);
  fprintf(out,
          "%s %s\n%" PRIu64 " moments, windows of %" PRIu64 " cycles, at most %" PRIu64
          " words of an array at a moment, seed %" PRIu64 "\n",
          job->cls->stem, sizes, table->moments, job->cycles, job->words, job->seed);
  fprintf(out, "%-27s %6s %8s", "register", "bits", "flips");
  for (unsigned k = 0; k < UPSET_OUTCOMES; k++)
    fprintf(out, " %12s", upset_name((upset_outcome_t)k));
  fputc('\n', out);
  for (unsigned i = 0; i < table->n; i++)
    if (table->row[i].injections) print_row(&table->row[i], out);
  print_row(&total.sum, out);
  fprintf(out, "%-43s", "any bit, each with the same weight");
  for (unsigned k = 0; k < UPSET_OUTCOMES; k++) fprintf(out, " %11.1f%%", total.any_bit[k]);
  fputc('\n', out);
}

static void print_share(double share, FILE *out) {
  if (share > 0)
    fprintf(out, " %.1f |", share);
  else
    fputs(" |", out);
}

void upset_markdown(const upset_table_t *table, const upset_job_t *job, FILE *out) {
  const total_t total = add_up(table);
  (void)job;
  fputs("| register | bits | flips |", out);
  for (unsigned k = 0; k < UPSET_OUTCOMES; k++)
    fprintf(out, " %s |", upset_name((upset_outcome_t)k));
  fputs("\n| --- | ---: | ---: |", out);
  for (unsigned k = 0; k < UPSET_OUTCOMES; k++) fputs(" ---: |", out);
  fputc('\n', out);
  for (unsigned i = 0; i < table->n; i++) {
    const upset_row_t *row = &table->row[i];
    if (row->injections == 0) continue;
    fprintf(out, "| `%s` | %" PRIu64 " | %" PRIu64 " |", row->name, row->bits, row->injections);
    for (unsigned k = 0; k < UPSET_OUTCOMES; k++)
      print_share(percent(row->count[k], row->injections), out);
    fputc('\n', out);
  }
  fprintf(out, "| any bit | %" PRIu64 " | %" PRIu64 " |", total.sum.bits, total.sum.injections);
  for (unsigned k = 0; k < UPSET_OUTCOMES; k++) print_share(total.any_bit[k], out);
  fputc('\n', out);
}

static json_t *count(uint64_t n) {
  return json_integer((json_int_t)n);
}

static json_t *row_json(const upset_row_t *row) {
  json_t *o = json_object();
  json_out_set(&o, "register", json_string(row->name));
  json_out_set(&o, "bits", count(row->bits));
  json_out_set(&o, "flips", count(row->injections));
  for (unsigned k = 0; k < UPSET_OUTCOMES; k++)
    json_out_set(&o, upset_name((upset_outcome_t)k), count(row->count[k]));
  return o;
}

json_t *upset_json(const upset_table_t *table, const upset_job_t *job) {
  json_t *o = json_object(), *sizes = json_object(), *rows = json_array();
  for (unsigned i = 0; i < job->cls->n_params; i++)
    json_out_set(&sizes, job->cls->params[i].name, json_integer(job->cfg[i]));
  for (unsigned i = 0; i < table->n; i++)
    if (table->row[i].injections) json_out_append(&rows, row_json(&table->row[i]));
  json_out_set(&o, "module", json_string(job->cls->stem));
  json_out_set(&o, "parameters", sizes);
  json_out_set(&o, "seed", count(job->seed));
  json_out_set(&o, "cycles", count(job->cycles));
  json_out_set(&o, "moments", count(table->moments));
  json_out_set(&o, "words", count(job->words));
  json_out_set(&o, "registers", rows);
  json_out_set(&o, "silent", count(upset_silent(table)));
  return o;
}
