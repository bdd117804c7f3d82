/* SPDX-License-Identifier: Apache-2.0 */
/* The same launch on chip and model, and how far the two are apart: see chips.h. */
#include "studies/chips/chips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32 };

/* What a scheduler does, in the order of the table; `memory`: waits for global memory. */
static const struct {
  const char *name;
  bool memory;
} parts[] = {{"issue", false},     {"scoreboard", false}, {"units", false},   {"fetch", false},
             {"constants", false}, {"shared", false},     {"barrier", false}, {"lsu", true},
             {"table", true},      {"lines", true},       {"l1", true},       {"l2", true},
             {"dram", true}};
enum { N_PARTS = sizeof parts / sizeof *parts };

const char *chips_part(unsigned i) {
  return i < N_PARTS ? parts[i].name : NULL;
}

/* The columns of both tables. */
typedef enum {
  C_NS,
  C_CYCLES,
  C_INSTS,
  C_LOADED,
  C_HIT,
  C_XBAR,
  C_L2,
  C_L2_HIT,
  C_READ,
  C_WRITTEN,
  CHIP_COLUMNS
} chip_column_t;
static const char *const chip_names[CHIP_COLUMNS] = {
    "gpu__time_duration",
    "sm__cycles_elapsed.max",
    "smsp__inst_executed",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit",
    "l1tex__m_xbar2l1tex_read_bytes",
    "lts__t_sectors_srcunit_tex",
    "lts__t_sectors_srcunit_tex_lookup_hit",
    "dram__bytes_read",
    "dram__bytes_write"};

typedef enum {
  M_ALL,
  M_CYCLES,
  M_INSTS,
  M_LOADED,
  M_ASKED,
  M_L2_READ,
  M_L2_HIT,
  M_L2_WRITTEN,
  M_READ,
  M_WRITTEN,
  MODEL_COLUMNS
} model_column_t;
static const char *const model_names[MODEL_COLUMNS] = {
    "scheduler_cycles", "cycles",          "warp_instructions", "sm.load_sectors",
    "l2.asked_bytes",   "l2.read_bytes",   "l2.read_hit_bytes", "l2.write_bytes",
    "dram.read_bytes",  "dram.write_bytes"};

typedef struct {
  const chips_table_t *chip, *model;
  int set, run, state, launch, kernel, chip_at[CHIP_COLUMNS];
  int model_run, model_launch, model_kernel, model_at[MODEL_COLUMNS], part_at[N_PARTS];
} columns_t;

static int find(const chips_table_t *t, const char *const *name, unsigned n, int *at,
                mrpb_err_t *err) {
  for (unsigned i = 0; i < n; i++)
    if ((at[i] = chips_column(t, name[i], err)) < 0) return -1;
  return 0;
}

static int find_columns(columns_t *c, mrpb_err_t *err) {
  static const char *const chip[] = {"set", "run", "state", "launch", "kernel"};
  static const char *const model[] = {"run", "launch", "kernel"};
  int a[5], b[3];
  char name[32];
  if (find(c->chip, chip, 5, a, err) != 0 || find(c->model, model, 3, b, err) != 0 ||
      find(c->chip, chip_names, CHIP_COLUMNS, c->chip_at, err) != 0 ||
      find(c->model, model_names, MODEL_COLUMNS, c->model_at, err) != 0)
    return -1;
  c->set = a[0], c->run = a[1], c->state = a[2], c->launch = a[3], c->kernel = a[4];
  c->model_run = b[0], c->model_launch = b[1], c->model_kernel = b[2];
  for (unsigned i = 0; i < N_PARTS; i++) {
    snprintf(name, sizeof name, "stack.%s", parts[i].name);
    if ((c->part_at[i] = chips_column(c->model, name, err)) < 0) return -1;
  }
  return 0;
}

static double percent(double part, double all) {
  return all > 0 ? 100 * part / all : 0;
}

static void set_chip(chips_pair_t *p, const double v[CHIP_COLUMNS]) {
  p->ns = v[C_NS];
  const double figures[CHIPS_FIGURES] = {v[C_CYCLES],
                                         v[C_INSTS],
                                         percent(v[C_HIT], v[C_LOADED]),
                                         v[C_XBAR] / SECTOR,
                                         percent(v[C_L2_HIT], v[C_L2]),
                                         v[C_L2],
                                         v[C_READ],
                                         v[C_WRITTEN]};
  memcpy(p->chip, figures, sizeof figures);
}

/* A store hits the L2, on the chip, too. A line that a load of the L1 did not ask for was there. */
static void set_model(chips_pair_t *p, const double v[MODEL_COLUMNS]) {
  const double asked = v[M_ASKED] / SECTOR, l2 = v[M_L2_READ] + v[M_L2_WRITTEN];
  const double here = v[M_LOADED] > asked ? v[M_LOADED] - asked : 0;
  const double figures[CHIPS_FIGURES] = {v[M_CYCLES],
                                         v[M_INSTS],
                                         percent(here, v[M_LOADED]),
                                         asked,
                                         percent(v[M_L2_HIT] + v[M_L2_WRITTEN], l2),
                                         l2 / SECTOR,
                                         v[M_READ],
                                         v[M_WRITTEN]};
  memcpy(p->model, figures, sizeof figures);
}

static int set_parts(chips_pair_t *p, const columns_t *c, unsigned row, mrpb_err_t *err) {
  double sum = 0, memory = 0;
  for (unsigned i = 0; i < N_PARTS; i++) {
    if (chips_number(c->model, row, c->part_at[i], &p->part[i], err) != 0) return -1;
    sum += p->part[i];
    if (parts[i].memory) memory += p->part[i];
  }
  for (unsigned i = 0; i < N_PARTS; i++) p->part[i] = sum > 0 ? p->part[i] / sum : 0;
  p->memory_bound = memory > sum / 2;
  return 0;
}

/* The row of the model's table with the same run and launch; -1 and a message if there is none. */
static int row_of(const columns_t *c, unsigned row, mrpb_err_t *err) {
  const char *run = chips_field(c->chip, row, c->run),
             *launch = chips_field(c->chip, row, c->launch);
  for (unsigned i = 0; i < c->model->rows; i++)
    if (strcmp(chips_field(c->model, i, c->model_run), run) == 0 &&
        strcmp(chips_field(c->model, i, c->model_launch), launch) == 0) {
      const char *kernel = chips_field(c->model, i, c->model_kernel);
      if (strcmp(kernel, chips_field(c->chip, row, c->kernel)) == 0) return (int)i;
      return mrpb_fail(err, "%s:%u: launch %s of %s is of %s, but of %s in %s", c->chip->path,
                       row + 2, launch, run, chips_field(c->chip, row, c->kernel), kernel,
                       c->model->path);
    }
  return mrpb_fail(err, "%s:%u: launch %s of %s is not in %s", c->chip->path, row + 2, launch, run,
                   c->model->path);
}

static int set_pair(chips_pair_t *p, const columns_t *c, unsigned row, mrpb_err_t *err) {
  double chip[CHIP_COLUMNS], model[MODEL_COLUMNS], launch;
  const int at = row_of(c, row, err);
  if (at < 0 || chips_number(c->chip, row, c->launch, &launch, err) != 0) return -1;
  *p = (chips_pair_t){.set = chips_field(c->chip, row, c->set),
                      .run = chips_field(c->chip, row, c->run),
                      .kernel = chips_field(c->chip, row, c->kernel),
                      .launch = (unsigned)launch};
  for (unsigned i = 0; i < CHIP_COLUMNS; i++)
    if (chips_number(c->chip, row, c->chip_at[i], &chip[i], err) != 0) return -1;
  for (unsigned i = 0; i < MODEL_COLUMNS; i++)
    if (chips_number(c->model, (unsigned)at, c->model_at[i], &model[i], err) != 0) return -1;
  set_chip(p, chip);
  set_model(p, model);
  return set_parts(p, c, (unsigned)at, err);
}

int chips_pairs(chips_pair_t **out, unsigned *n, const chips_table_t *chip,
                const chips_table_t *model, mrpb_err_t *err) {
  columns_t c = {.chip = chip, .model = model};
  *n = 0;
  *out = calloc(chip->rows + 1, sizeof **out);
  if (!*out) return mrpb_fail(err, "%s: out of memory", chip->path);
  int rc = find_columns(&c, err);
  for (unsigned i = 0; rc == 0 && i < chip->rows; i++)
    if (strcmp(chips_field(chip, i, c.state), "cold") == 0)
      rc = set_pair(&(*out)[(*n)++], &c, i, err);
  if (rc == 0 && *n == 0) rc = mrpb_fail(err, "%s: no launch with cold caches", chip->path);
  if (rc != 0) free(*out);
  if (rc != 0) *out = NULL;
  return rc;
}

static double apart(double model, double chip) {
  if (model == chip) return 0;
  return chip > 0 ? (model - chip) / chip : INFINITY;
}

double chips_error(const chips_pair_t *p, chips_figure_t f) {
  return apart(p->model[f], p->chip[f]);
}

double chips_dram_error(const chips_pair_t *p) {
  return apart(p->model[CHIPS_DRAM_READ] + p->model[CHIPS_DRAM_WRITTEN],
               p->chip[CHIPS_DRAM_READ] + p->chip[CHIPS_DRAM_WRITTEN]);
}
