/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_intervals.h"

#include "base/json_out.h"
#include "base/output.h"
#include "cli/cli.h"
#include "gpu/values.h"

#include <inttypes.h>
#include <string.h>

/* Thread instructions an SM cycle. */
static double ipc(const interval_t *row) {
  for (unsigned i = 0; i < GPU_COUNTS; i++)
    if (strcmp(gpu_count(i)->name, "thread_instructions") == 0)
      return (double)row->count[i] / (double)(row->to - row->from);
  return 0;
}

/* ---- JSON ---------------------------------------------------------------------- */

static json_t *stack_json(const stacks_t *stacks, size_t interval, unsigned sm, bool in_order) {
  const uint64_t *part = stacks_at(stacks, interval, sm);
  json_t *o = json_object();
  json_out_set(&o, "sm", json_integer((json_int_t)sm));
  for (unsigned i = 0; i < stacks_parts(in_order); i++)
    json_out_set(&o, stacks_about(in_order, i)->name, json_integer((json_int_t)part[i]));
  return o;
}

static json_t *stacks_json(const stacks_t *stacks, size_t interval, const gpu_t *gpu) {
  json_t *list = json_array();
  for (unsigned sm = 0; list && sm < stacks_cores(stacks); sm++)
    json_out_append(&list, stack_json(stacks, interval, sm, gpu_shows(gpu).in_order));
  return list;
}

static json_t *row_json(const interval_t *row, const gpu_t *gpu) {
  json_t *o = cli_report_row(gpu, row->count);
  json_out_set(&o, "from", json_integer((json_int_t)row->from));
  json_out_set(&o, "to", json_integer((json_int_t)row->to));
  json_out_set(&o, "ipc", json_real(ipc(row)));
  for (unsigned t = 0; t < INTERVALS_TABLES; t++)
    if (intervals_table_shown((intervals_table_t)t, gpu_shows(gpu)))
      cli_report_value(&o, intervals_table_name((intervals_table_t)t), row->mean[t]);
  return o;
}

json_t *run_intervals_json(const intervals_t *rows, const stacks_t *stacks, const gpu_t *gpu) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < intervals_number(rows); i++) {
    json_t *o = row_json(intervals_at(rows, i), gpu);
    if (stacks) json_out_set(&o, "stacks", stacks_json(stacks, i, gpu));
    json_out_append(&list, o);
  }
  return list;
}

/* ---- CSV ----------------------------------------------------------------------- */

static void put_name(void *ctx, const gpu_value_t *v) {
  fprintf(ctx, ",%s", v->name);
}

static void put_count(void *ctx, const gpu_value_t *v) {
  fprintf(ctx, ",%" PRIu64, v->count);
}

static void put_head(FILE *f, const gpu_t *gpu) {
  const uint64_t none[GPU_COUNTS] = {0};
  fputs("from,to", f);
  gpu_values_of_row(gpu, none, put_name, f);
  fputs(",ipc", f);
  for (unsigned t = 0; t < INTERVALS_TABLES; t++)
    if (intervals_table_shown((intervals_table_t)t, gpu_shows(gpu)))
      fprintf(f, ",%s", intervals_table_name((intervals_table_t)t));
  fputc('\n', f);
}

static void put_row(FILE *f, const gpu_t *gpu, const interval_t *row) {
  fprintf(f, "%" PRIu64 ",%" PRIu64, row->from, row->to);
  gpu_values_of_row(gpu, row->count, put_count, f);
  fprintf(f, ",%.6g", ipc(row));
  for (unsigned t = 0; t < INTERVALS_TABLES; t++)
    if (intervals_table_shown((intervals_table_t)t, gpu_shows(gpu)))
      fprintf(f, ",%.6g", row->mean[t]);
  fputc('\n', f);
}

int run_intervals_write(const char *path, const intervals_t *rows, const gpu_t *gpu,
                        mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  put_head(f, gpu);
  for (size_t i = 0; i < intervals_number(rows); i++) put_row(f, gpu, intervals_at(rows, i));
  return output_close(f, ferror(f), path, temp, err);
}

/* ---- CSV of the stacks ----------------------------------------------------------- */

static void put_stack(FILE *f, const interval_t *row, unsigned sm, const uint64_t *part,
                      unsigned parts) {
  fprintf(f, "%" PRIu64 ",%" PRIu64 ",%u", row->from, row->to, sm);
  for (unsigned i = 0; i < parts; i++) fprintf(f, ",%" PRIu64, part[i]);
  fputc('\n', f);
}

int run_intervals_stacks(const char *path, const intervals_t *rows, const stacks_t *stacks,
                         const gpu_t *gpu, mrpb_err_t *err) {
  const bool in_order = gpu_shows(gpu).in_order;
  const unsigned parts = stacks_parts(in_order);
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  fputs("from,to,sm", f);
  for (unsigned i = 0; i < parts; i++) fprintf(f, ",%s", stacks_about(in_order, i)->name);
  fputc('\n', f);
  for (size_t i = 0; i < intervals_number(rows); i++)
    for (unsigned sm = 0; sm < stacks_cores(stacks); sm++)
      put_stack(f, intervals_at(rows, i), sm, stacks_at(stacks, i, sm), parts);
  return output_close(f, ferror(f), path, temp, err);
}
