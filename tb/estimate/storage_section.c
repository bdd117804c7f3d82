/* SPDX-License-Identifier: Apache-2.0 */
/* The section "Storage": every array, side by side for the alternatives; and storage.csv. */
#include "estimate/report.h"
#include "estimate/sections.h"
#include "base/json_out.h"
#include "base/memory_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON and CSV ------------------------------------------------------------ */

static json_t *array_json(const storage_array_t *a) {
  json_t *o = json_object();
  json_out_set(&o, "name", json_string(a->name));
  json_out_set(&o, "kind", json_string(storage_kind_name(a->kind)));
  json_out_set(&o, "words", json_integer(a->words));
  json_out_set(&o, "bits", json_integer(a->bits));
  json_out_set(&o, "total_bits", json_integer((json_int_t)storage_bits(a)));
  json_out_set(&o, "copies", json_integer(a->copies));
  json_out_set(&o, "reads_a_cycle", json_integer(a->read));
  json_out_set(&o, "writes_a_cycle", json_integer(a->write));
  json_out_set(&o, "searches_a_cycle", json_integer(a->search));
  json_out_set(&o, "whole", json_boolean(a->whole));
  json_out_set(&o, "where", json_string(a->where));
  return o;
}

static json_t *column_json(const storage_t *s) {
  json_t *list = json_array();
  for (unsigned i = 0; i < s->n; i++) json_out_append(&list, array_json(&s->array[i]));
  return list;
}

static int write_csv(estimate_t *e, mrpb_err_t *err) {
  char *text = NULL;
  size_t size;
  FILE *f = memory_file(&text, &size);
  if (!f) return mrpb_fail(err, "out of memory");
  fprintf(f, "alternative,array,kind,words,bits,total_bits,bytes,reads_a_cycle,writes_a_cycle,"
             "searches_a_cycle,whole,copies,where\n");
  for (unsigned c = 0; c < e->n_columns; c++) {
    const storage_t *s = &e->column[c].storage;
    for (unsigned i = 0; i < s->n; i++) {
      const storage_array_t *a = &s->array[i];
      fprintf(f, "%s,%s,%s,%u,%u,%" PRIu64 ",%.10g,%u,%u,%u,%d,%u,\"%s\"\n", e->column[c].name,
              a->name, storage_kind_name(a->kind), a->words, a->bits, storage_bits(a),
              (double)storage_bits(a) / 8, a->read, a->write, a->search, a->whole, a->copies,
              a->where);
    }
  }
  int rc = !estimate_closed(f) ? mrpb_fail(err, "out of memory")
                               : estimate_write(e, "storage.csv", text, err);
  free(text);
  return rc;
}

/* ---- Markdown ---------------------------------------------------------------- */

/* An array is listed where its first column is. */
static bool listed_before(const estimate_t *e, unsigned column, const char *name) {
  for (unsigned c = 0; c < column; c++)
    if (storage_find(&e->column[c].storage, name)) return true;
  return false;
}

static void array_row(FILE *md, const estimate_t *e, const storage_array_t *a) {
  fprintf(md, "| `%s` | %s | %s | %s |", a->name, storage_kind_name(a->kind), a->use, a->where);
  for (unsigned c = 0; c < e->n_columns; c++) {
    const storage_array_t *b = storage_find(&e->column[c].storage, a->name);
    if (b)
      fprintf(md, " %u x %u |", b->words, b->bits);
    else
      fprintf(md, " - |");
  }
  fputc('\n', md);
}

static void array_table(FILE *md, const estimate_t *e) {
  fprintf(md, "| array | built as | in a cycle, at most | where |");
  for (unsigned c = 0; c < e->n_columns; c++) fprintf(md, " %s |", e->column[c].name);
  fprintf(md, "\n| --- | --- | --- | --- |");
  for (unsigned c = 0; c < e->n_columns; c++) fprintf(md, " ---: |");
  fputc('\n', md);
  for (unsigned c = 0; c < e->n_columns; c++)
    for (unsigned i = 0; i < e->column[c].storage.n; i++)
      if (!listed_before(e, c, e->column[c].storage.array[i].name))
        array_row(md, e, &e->column[c].storage.array[i]);
}

static void sum_row(FILE *md, const estimate_t *e, const char *label, const char *unit,
                    storage_kind_t kind) {
  uint64_t any = 0;
  for (unsigned c = 0; c < e->n_columns; c++) any |= storage_sum(&e->column[c].storage, unit, kind);
  if (!any) return;
  fprintf(md, "| %s |", label);
  for (unsigned c = 0; c < e->n_columns; c++) {
    uint64_t bits = storage_sum(&e->column[c].storage, unit, kind);
    fprintf(md, " %" PRIu64 " b = %.3f KB |", bits, (double)bits / 8192);
  }
  fputc('\n', md);
}

static void sum_table(FILE *md, const estimate_t *e) {
  static const struct {
    const char *unit, *title;
  } units[] = {
      {"mrpb", "MRPB"}, {"mshr", "MSHR table"}, {"prt", "PRT"}, {"l1d", "L1D"}, {"l2", "L2 slice"}};
  fputc('\n', md);
  estimate_table(md, e, "one of each");
  for (unsigned u = 0; u < sizeof units / sizeof *units; u++) {
    for (int kind = STORAGE_KINDS - 1; kind >= 0; kind--) {
      char label[64];
      snprintf(label, sizeof label, "%s, %s", units[u].title,
               storage_kind_name((storage_kind_t)kind));
      sum_row(md, e, label, units[u].unit, (storage_kind_t)kind);
    }
  }
  sum_row(md, e, "the whole GPU, all of it", NULL, STORAGE_KINDS);
}

int storage_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err) {
  fprintf(md,
          "Words x bits of every array and register. KB are 1024 bytes. A *register file* is read "
          "without a clock: the\nVerilog's address gives the word in the same cycle, so it is no "
          "SRAM of a memory compiler but a register file or\nan array of latches, and is counted "
          "as one. The L1D and L2 have no Verilog; their\nrows follow from the configuration. Not "
          "counted: what the testbench "
          "alone has (instruction, constant and\ntexture caches, miss queues, the L2's MSHRs, "
          "interconnect and DRAM queues), register files, shared memory.\n\n");
  array_table(md, e);
  sum_table(md, e);
  json_t *columns = json_object();
  for (unsigned c = 0; c < e->n_columns; c++)
    json_out_set(&columns, e->column[c].name, column_json(&e->column[c].storage));
  json_out_set(json, "arrays", columns);
  return write_csv(e, err);
}
