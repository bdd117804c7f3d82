/* SPDX-License-Identifier: Apache-2.0 */
/* The section "Storage in CACTI": inputs for every array, and the results of a named binary. */
#include "estimate/report.h"
#include "estimate/sections.h"
#include "base/json_out.h"
#include "base/memory_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- inputs -------------------------------------------------------------------- */

static void input_name(const estimate_t *e, unsigned column, const char *array, cacti_version_t v,
                       char name[ESTIMATE_PATH]) {
  char file[STORAGE_NAME + 16];
  snprintf(file, sizeof file, "%s.%s.cfg", array, cacti_version_name(v));
  estimate_name(e, column, "cacti", file, name);
}

static int write_inputs(estimate_t *e, unsigned column, mrpb_err_t *err) {
  char name[ESTIMATE_PATH], text[CACTI_TEXT];
  estimate_column_t *c = &e->column[column];
  estimate_name(e, column, "cacti", "", name);
  if (estimate_folder(e, name, err) != 0) return -1;
  for (unsigned i = 0; i < c->storage.n; i++) {
    const storage_array_t *a = &c->storage.array[i];
    for (unsigned v = 0; v < CACTI_VERSIONS; v++) {
      const cacti_version_t version = (cacti_version_t)v;
      cacti_input_t in;
      c->cacti[i].written[v] = cacti_input(a, &e->opt.cacti, version, &in, c->cacti[i].note[v]);
      if (!c->cacti[i].written[v]) continue;
      cacti_write(&in, version, text);
      input_name(e, column, a->name, version, name);
      if (estimate_write(e, name, text, err) != 0) return -1;
    }
  }
  return 0;
}

/* ---- runs ---------------------------------------------------------------------- */

static int absolute(const estimate_t *e, const char *name, char path[ESTIMATE_PATH],
                    mrpb_err_t *err) {
  char relative[ESTIMATE_PATH];
  if (estimate_path(e, name, relative, err) != 0) return -1;
  return cacti_absolute(relative, path, err);
}

static int try_binary(estimate_t *e, mrpb_err_t *err) {
  char probe[CACTI_VERSIONS][ESTIMATE_PATH], name[ESTIMATE_PATH];
  const char *const probes[] = {probe[0], probe[1]};
  const cacti_options_t *o = &e->opt.cacti;
  for (unsigned v = 0; v < CACTI_VERSIONS; v++) {
    paper_input_name(CACTI_PAPER_MRPB, (cacti_version_t)v, name);
    if (absolute(e, name, probe[v], err) != 0) return -1;
  }
  if (cacti_open(&e->cacti, o, e->opt.stop, probes, err) != 0) return -1;
  estimate_tool(e, "cacti", e->cacti.named);
  if (e->cacti.version == CACTI_6_5 && o->node < CACTI_LEAST_NODE_6_5)
    return mrpb_fail(err, "--node %u: legal with CACTI %s: %d to %d", o->node, e->cacti.named,
                     CACTI_LEAST_NODE_6_5, CACTI_MOST_NODE);
  return 0;
}

/* Finds the result if the same input has been run for an earlier column. */
static const cacti_result_t *known(const estimate_t *e, unsigned column, const cacti_input_t *in) {
  for (unsigned c = 0; c < column; c++)
    for (unsigned i = 0; i < e->column[c].storage.n; i++) {
      const estimate_cacti_t *old = &e->column[c].cacti[i];
      if (old->good && memcmp(&old->input, in, sizeof *in) == 0) return &old->result;
    }
  return NULL;
}

static bool is_run(const storage_array_t *a, const estimate_cacti_t *x, cacti_version_t v) {
  return x->written[v] && a->kind != STORAGE_REGISTERS;
}

static int run_array(estimate_t *e, unsigned column, unsigned i, mrpb_err_t *err) {
  char name[ESTIMATE_PATH], file[ESTIMATE_PATH], note[CACTI_NOTE];
  estimate_column_t *c = &e->column[column];
  estimate_cacti_t *x = &c->cacti[i];
  const storage_array_t *a = &c->storage.array[i];
  mrpb_err_t why = {""};
  (void)cacti_input(a, &e->opt.cacti, e->cacti.version, &x->input, note);
  const cacti_result_t *old = known(e, column, &x->input);
  if (old) {
    x->result = *old;
    x->good = true;
    return 0;
  }
  /* A binary that hangs is waited for only once. */
  if (e->cacti.late)
    return estimate_missing(e, "%s: not run, as a run before it did not end", a->name), 0;
  input_name(e, column, a->name, e->cacti.version, name);
  if (absolute(e, name, file, err) != 0) return -1;
  x->good = cacti_run(&e->cacti, file, name, &x->result, &why) == 0;
  if (x->good) return 0;
  if (e->cacti.stopped) return mrpb_fail(err, "%s", why.text);
  estimate_missing(e, "%s", why.text);
  mrpb_fail(&e->failed, "%s", why.text);
  return 0;
}

static int run_all(estimate_t *e, mrpb_err_t *err) {
  for (unsigned c = 0; c < e->n_columns; c++)
    for (unsigned i = 0; i < e->column[c].storage.n; i++)
      if (is_run(&e->column[c].storage.array[i], &e->column[c].cacti[i], e->cacti.version) &&
          run_array(e, c, i, err) != 0)
        return -1;
  return 0;
}

static int run_binary(estimate_t *e, mrpb_err_t *err) {
  int rc = try_binary(e, err) == 0 ? run_all(e, err) : -1;
  e->stopped = e->cacti.stopped;
  return rc;
}

/* ---- the report ------------------------------------------------------------------ */

json_t *cacti_result_json(const cacti_result_t *r) {
  json_t *o = json_object();
  json_out_set(&o, "area_mm2", json_real(r->area));
  json_out_set(&o, "height_mm", json_real(r->height));
  json_out_set(&o, "width_mm", json_real(r->width));
  json_out_set(&o, "access_ns", json_real(r->access));
  json_out_set(&o, "cycle_ns", json_real(r->cycle));
  json_out_set(&o, "read_nj", json_real(r->read));
  if (r->write > 0) json_out_set(&o, "write_nj", json_real(r->write));
  if (r->find > 0) json_out_set(&o, "search_nj", json_real(r->find));
  if (r->search > 0) json_out_set(&o, "search_ns", json_real(r->search));
  json_out_set(&o, "leakage_mw", json_real(r->leakage));
  return o;
}

static json_t *column_json(const estimate_t *e, const estimate_column_t *c) {
  json_t *arrays = json_object();
  for (unsigned i = 0; i < c->storage.n; i++) {
    const estimate_cacti_t *x = &c->cacti[i];
    json_t *o = json_object(), *remarks = json_object();
    for (unsigned v = 0; v < CACTI_VERSIONS; v++)
      if (x->note[v][0])
        json_out_set(&remarks, cacti_version_name((cacti_version_t)v), json_string(x->note[v]));
    json_out_set(&o, "remarks", remarks);
    if (x->good) {
      json_out_set(&o, "bus_bits", json_integer(x->input.bus));
      json_out_set(&o, "version", json_string(e->cacti.named));
      json_out_set(&o, "result", cacti_result_json(&x->result));
    }
    json_out_set(&arrays, c->storage.array[i].name, o);
  }
  return arrays;
}

/* A value of 0 was not printed. */
static void csv_value(FILE *f, double value) {
  if (value > 0)
    fprintf(f, ",%.6g", value);
  else
    fputc(',', f);
}

static void csv_row(FILE *f, const estimate_column_t *c, unsigned i) {
  const cacti_input_t *in = &c->cacti[i].input;
  const cacti_result_t *r = &c->cacti[i].result;
  const double value[] = {r->area,  r->height, r->width, r->access, r->search,
                          r->cycle, r->read,   r->write, r->find,   r->leakage};
  fprintf(f, "%s,%s,%u,%u,%u,%u,%u,%u,%u,%u", c->name, c->storage.array[i].name, in->size,
          in->block, in->ways, in->bus, in->rw, in->read, in->write, in->search);
  for (unsigned k = 0; k < sizeof value / sizeof *value; k++) csv_value(f, value[k]);
  fputc('\n', f);
}

static int write_csv(estimate_t *e, mrpb_err_t *err) {
  char *text = NULL;
  size_t size;
  FILE *f = memory_file(&text, &size);
  if (!f) return mrpb_fail(err, "out of memory");
  fprintf(f,
          "alternative,array,size_bytes,word_bytes,ways,bus_bits,rw_ports,read_ports,write_ports,"
          "search_ports,area_mm2,height_mm,width_mm,access_ns,search_ns,cycle_ns,read_nj,write_nj,"
          "search_nj,leakage_mw\n");
  for (unsigned c = 0; c < e->n_columns; c++)
    for (unsigned i = 0; i < e->column[c].storage.n; i++)
      if (e->column[c].cacti[i].good) csv_row(f, &e->column[c], i);
  int rc = !estimate_closed(f) ? mrpb_fail(err, "out of memory")
                               : estimate_write(e, "cacti.csv", text, err);
  free(text);
  return rc;
}

static void energy(FILE *md, double nj) {
  if (nj > 0)
    fprintf(md, " %.3f |", 1000 * nj);
  else
    fprintf(md, " - |");
}

/* The fastest clock at which every port makes its `accesses` per cycle in turn. */
static double clock_ghz(const cacti_result_t *r, unsigned accesses) {
  const double period = r->search > r->cycle ? r->search : r->cycle * accesses;
  return 1 / period;
}

void cacti_result_cells(FILE *md, const cacti_input_t *in, const cacti_result_t *r,
                        unsigned accesses) {
  fprintf(md, " %u B, %u B a word | %u |", in->size, in->block, in->bus);
  if (in->rw) fprintf(md, " %u RW", in->rw);
  if (in->read) fprintf(md, " %u R", in->read);
  if (in->write) fprintf(md, " %u W", in->write);
  if (in->search) fprintf(md, " %u S", in->search);
  fprintf(md, " | %.5f | %.4f x %.4f | %.4f |", r->area, r->height, r->width, r->access);
  if (r->search > 0)
    fprintf(md, " %.4f |", r->search);
  else
    fprintf(md, " - |");
  fprintf(md, " %.4f |", r->cycle);
  fprintf(md, " %.3f |", clock_ghz(r, accesses));
  energy(md, r->read);
  energy(md, r->write);
  energy(md, r->find);
  fprintf(md, " %.3f |", r->leakage);
}

void cacti_result_head(FILE *md, const char *label) {
  fprintf(
      md,
      "| %s | written as | bus, bits | ports | area, mm2 | height x width, mm | access, ns | "
      "search, ns | cycle, ns | clock, GHz | read, pJ | write, pJ | search, pJ | leakage, mW |\n"
      "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | "
      "---: |\n",
      label);
}

/* How many reads and writes of a cycle share a port. */
static unsigned accesses_of(const storage_array_t *a, const cacti_input_t *in) {
  return in->rw ? (a->read + a->write + in->rw - 1) / in->rw : 1;
}

static void result_table(FILE *md, const estimate_t *e, const estimate_column_t *c) {
  double area = 0;
  if (e->n_columns > 1) fprintf(md, "### %s\n\n", c->name);
  cacti_result_head(md, "array");
  for (unsigned i = 0; i < c->storage.n; i++) {
    const storage_array_t *a = &c->storage.array[i];
    const estimate_cacti_t *x = &c->cacti[i];
    if (!x->good) continue;
    fprintf(md, "| `%s` |", a->name);
    cacti_result_cells(md, &x->input, &x->result, accesses_of(a, &x->input));
    fputc('\n', md);
    if (strcmp(a->unit, "l2") != 0) area += x->result.area;
  }
  fprintf(md, "\nOf one SM together: %.5f mm2.\n\n", area);
}

static void area_row(FILE *md, const estimate_t *e, const char *name) {
  fprintf(md, "| `%s` |", name);
  for (unsigned c = 0; c < e->n_columns; c++) {
    const estimate_column_t *o = &e->column[c];
    const storage_array_t *b = storage_find(&o->storage, name);
    const estimate_cacti_t *x = b ? &o->cacti[b - o->storage.array] : NULL;
    if (x && x->good)
      fprintf(md, " %.5f mm2, %.3f ns, bus %u |", x->result.area, x->result.access, x->input.bus);
    else
      fprintf(md, " - |");
  }
  fputc('\n', md);
}

/* Prints arrays side by side, each where its first column is. */
static void area_table(FILE *md, const estimate_t *e) {
  estimate_table(md, e, "area, access time, bus width");
  for (unsigned c = 0; c < e->n_columns; c++)
    for (unsigned i = 0; i < e->column[c].storage.n; i++) {
      const char *name = e->column[c].storage.array[i].name;
      bool before = false;
      for (unsigned d = 0; d < c; d++) before = before || storage_find(&e->column[d].storage, name);
      if (!before && e->column[c].cacti[i].good) area_row(md, e, name);
    }
  fputc('\n', md);
}

/* Prints what was written instead, for the first column with that array; a remark common to all is
 * printed once. */
static void remarks(FILE *md, const estimate_t *e) {
  fprintf(md,
          "CACTI models no single register, no set that is used as a whole, no number of ways but "
          "powers of two, nothing\nbelow %d bytes and 16 words (6.5) or 32 (7.0), no cache below "
          "16 sets, no "
          "parts of bytes. What the inputs say instead%s:\n\n",
          CACTI_LEAST_BYTES, e->n_columns > 1 ? ", for the first alternative" : "");
  fprintf(md, "| array | words x bits | 6.5 | 7.0 |\n| --- | ---: | --- | --- |\n");
  const estimate_column_t *c = &e->column[0];
  for (unsigned i = 0; i < c->storage.n; i++) {
    const storage_array_t *a = &c->storage.array[i];
    const estimate_cacti_t *x = &c->cacti[i];
    if (a->words == 1 || (!x->note[CACTI_6_5][0] && !x->note[CACTI_7_0][0])) continue;
    fprintf(md, "| `%s` | %u x %u | %s | %s |\n", a->name, a->words, a->bits, x->note[CACTI_6_5],
            x->note[CACTI_7_0]);
  }
  fputc('\n', md);
}

int cacti_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err) {
  const cacti_options_t *o = &e->opt.cacti;
  if (paper_inputs(e, err) != 0) return -1;
  for (unsigned c = 0; c < e->n_columns; c++)
    if (write_inputs(e, c, err) != 0) return -1;
  fprintf(
      md,
      "Inputs for 6.5 and 7.0, every line written: `cacti/`. %u nm, %u K, %s cells and periphery, "
      "%s,"
      "\n%s. Single registers have none.\n\n",
      o->node, o->temperature, cacti_cell_name(o->cell),
      o->dual ? "a port for each access of a cycle" : "accesses of a cycle one after the other",
      o->ecc ? "ECC (1 bit in 8 more)" : "no ECC");
  if (!o->binary)
    estimate_missing(e, "areas, times and energies of the SRAMs and CAMs: name a CACTI 6.5 or 7.0 "
                        "binary with --cacti");
  else if (run_binary(e, err) != 0)
    return -1;
  if (o->binary) {
    fprintf(
        md,
        "CACTI %s. A figure means nothing without its bus width. Clock: at most, with the accesses "
        "of a cycle one\nafter the other on their port, each a CACTI cycle; of a CAM the "
        "search if that is longer.\n\n",
        e->cacti.named);
    if (e->n_columns > 1) area_table(md, e);
    for (unsigned c = 0; c < e->n_columns; c++) result_table(md, e, &e->column[c]);
    if (e->cacti.version == CACTI_6_5) fprintf(md, "CACTI 6.5 prints no write energy.\n\n");
  }
  remarks(md, e);
  json_t *columns = json_object();
  for (unsigned c = 0; c < e->n_columns; c++)
    json_out_set(&columns, e->column[c].name, column_json(e, &e->column[c]));
  json_out_set(json, "arrays", columns);
  return o->binary ? write_csv(e, err) : 0;
}
