/* SPDX-License-Identifier: Apache-2.0 */
/* The wave window of a run: ports and registers of one SM's MRPB, MSHR table and PRT, the state of
 * the SM's memory stage, and the occupancies on the way to DRAM, with a GTKWave save file beside
 * it. A sample shows a cycle just before the edge that ends it, so registers have the values from
 * which the outputs were computed. */
#include "gpu/flits/flits.h"
#include "gpu/gpu_state.h"
#include "gpu/sms.h"
#include "sim/vcd.h"
#include "base/waves/gtkw.h"
#include "base/waves/wave_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { N_UNITS = 3, N_SM = 9, NAME = 160, SLICE_VALUES = 4 };
/* For a long wave: cycles that GTKWave shows at first, and how many of them precede the first
 * event. */
enum { VISIBLE = 100, BEFORE = 10 };

static const char *const stems[N_UNITS] = {"mrpb", "mshr", "prt"};

static const struct {
  const char *name;
  unsigned width;
} sm_signals[N_SM] = {{"stall", 3},        {"mshrs", 8},     {"miss_queue", 7},
                      {"mrpb_held", 13},   {"prt_used", 10}, {"response_fifo", 7},
                      {"cluster_fifo", 7}, {"warps", 7},     {"warp_instructions", 40}};

static const struct {
  const char *name;
  unsigned width;
} slice_signals[SLICE_VALUES] = {
    {"l2_in_flight", 12}, {"l2_to_dram", 9}, {"dram_to_l2", 9}, {"dram_in_flight", 12}};

typedef struct {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  unsigned n_in, n_out;
  module_reg_t regs[MODULE_MAX_REGS];
  char *shown[MODULE_MAX_REGS]; /* each register in the last sample; NULL if there was none */
  unsigned n_regs;
  int first; /* variable of in[0]; out and regs follow */
} unit_wave_t;

struct gpu_wave {
  gpu_t *gpu;
  vcd_t *vcd;
  gtkw_t *gtkw;
  char temp[OUTPUT_NAME], save[OUTPUT_NAME];
  unit_wave_t unit[N_UNITS];
  int clk, cycle, sm_first, slice_first, icnt;
  bool sampled, acted;
  uint64_t first_time, act_time, last_time, half;
  sm_probe_t before; /* of the previous sample */
  mrpb_err_t *err;
  bool bad;
};

/* ---- declaration ----------------------------------------------------------- */

static int declare(gpu_wave_t *w, const char *scope, const char *name, unsigned width,
                   vcd_kind_t kind) {
  char full[NAME];
  snprintf(full, sizeof full, "run.%s%s%s", scope, scope[0] ? "." : "", name);
  int var = vcd_var(w->vcd, full, width, kind, w->err);
  if (var < 0) w->bad = true;
  gtkw_signal(w->gtkw, full, width);
  return var;
}

static void declare_ports(gpu_wave_t *w, const char *scope, const module_port_t *p, unsigned n) {
  for (unsigned i = 0; i < n; i++) (void)declare(w, scope, p[i].name, p[i].width, VCD_WIRE);
}

/* A memory gets a group of its own. */
static void declare_regs(gpu_wave_t *w, const char *scope, const unit_wave_t *u) {
  for (unsigned i = 0; i < u->n_regs; i++) {
    const module_reg_t *r = &u->regs[i];
    if (r->words > 1) gtkw_subgroup(w->gtkw, r->name);
    for (unsigned e = 0; e < r->words; e++) {
      char name[96];
      if (r->words == 1)
        snprintf(name, sizeof name, "%s", r->name);
      else
        snprintf(name, sizeof name, "%s[%u]", r->name, e);
      (void)declare(w, scope, name, r->width, VCD_REG);
    }
    gtkw_subgroup(w->gtkw, NULL);
  }
}

static void declare_unit(gpu_wave_t *w, unsigned k, sm_t *sm) {
  unit_wave_t *u = &w->unit[k];
  sm_unit_view_t view;
  char scope[32];
  if (!sm_unit_view(sm, stems[k], &view)) return;
  snprintf(scope, sizeof scope, "sm%u.%s", w->gpu->setup.vcd_sm, stems[k]);
  gtkw_group(w->gtkw, stems[k], 0);
  view.unit->cls->ports(view.unit->params, u->in, u->out);
  u->n_in = view.unit->cls->n_in;
  u->n_out = view.unit->cls->n_out;
  u->first = declare(w, scope, u->in[0].name, u->in[0].width, VCD_WIRE);
  declare_ports(w, scope, u->in + 1, u->n_in - 1);
  declare_ports(w, scope, u->out, u->n_out);
  if (!view.unit->model) return;
  view.unit->cls->regs(view.unit->model, u->regs);
  u->n_regs = view.unit->cls->n_regs;
  declare_regs(w, scope, u);
}

static void declare_all(gpu_wave_t *w) {
  gpu_t *gpu = w->gpu;
  char scope[32];
  gtkw_group(w->gtkw, "clock", 0);
  snprintf(scope, sizeof scope, "sm%u", gpu->setup.vcd_sm);
  w->clk = declare(w, scope, "clk_i", 1, VCD_WIRE);
  w->cycle = declare(w, scope, "cycle", 48, VCD_WIRE);
  gtkw_group(w->gtkw, "SM", 0);
  w->sm_first = w->cycle + 1;
  for (unsigned i = 0; i < N_SM; i++)
    (void)declare(w, scope, sm_signals[i].name, sm_signals[i].width, VCD_WIRE);
  for (unsigned k = 0; k < N_UNITS; k++) declare_unit(w, k, gpu_sm(gpu, gpu->setup.vcd_sm));
  gtkw_group(w->gtkw, "interconnect, L2, DRAM", 0);
  w->icnt = declare(w, "memory", "icnt_packets", 16, VCD_WIRE);
  w->slice_first = w->icnt + 1;
  for (unsigned i = 0; i < gpu->cfg->l2_slices; i++) {
    snprintf(scope, sizeof scope, "memory.slice%u", i);
    for (unsigned k = 0; k < SLICE_VALUES; k++)
      (void)declare(w, scope, slice_signals[k].name, slice_signals[k].width, VCD_WIRE);
  }
}

static int open_files(gpu_wave_t *w, mrpb_err_t *err) {
  const char *file = w->gpu->setup.vcd, *dump;
  if (wave_file_save(file, w->save, &dump, err) != 0) return -1;
  if (wave_file_temp(file, w->temp, err) != 0 || vcd_open(&w->vcd, w->temp, "1fs", err) != 0)
    return -1;
  if (gtkw_open(&w->gtkw, w->save[0] ? w->save : "/dev/null", dump, NULL, err) != 0) return -1;
  declare_all(w);
  return w->bad ? -1 : 0;
}

/* ---- samples --------------------------------------------------------------- */

static void put_ports(gpu_wave_t *w, int var, const module_port_t *p, unsigned n,
                      const uint64_t *v) {
  for (unsigned i = 0; i < n; i++) vcd_change_words(w->vcd, var + (int)i, v + p[i].word);
}

/* In most cycles most registers do not change: whole arrays are compared before their elements. */
static void put_reg(gpu_wave_t *w, unit_wave_t *u, unsigned i, int var) {
  const module_reg_t *r = &u->regs[i];
  const size_t size = (size_t)r->words * r->elem_bytes;
  const bool first = !u->shown[i];
  if (first) u->shown[i] = malloc(size);
  if (!first && memcmp(u->shown[i], r->data, size) == 0) return;
  for (unsigned e = 0; e < r->words; e++) {
    const char *now = (const char *)r->data + (size_t)e * r->elem_bytes;
    if (first || memcmp(u->shown[i] + (size_t)e * r->elem_bytes, now, r->elem_bytes) != 0)
      vcd_change_bytes(w->vcd, var + (int)e, now);
  }
  if (u->shown[i]) memcpy(u->shown[i], r->data, size);
}

static void put_unit(gpu_wave_t *w, unsigned k, sm_t *sm) {
  unit_wave_t *u = &w->unit[k];
  sm_unit_view_t view;
  if (u->n_in == 0 || !sm_unit_view(sm, stems[k], &view)) return;
  put_ports(w, u->first, u->in, u->n_in, view.in);
  put_ports(w, u->first + (int)u->n_in, u->out, u->n_out, view.out);
  int var = u->first + (int)(u->n_in + u->n_out);
  for (unsigned i = 0; i < u->n_regs; var += (int)u->regs[i++].words) put_reg(w, u, i, var);
}

static void put_memory(gpu_wave_t *w) {
  gpu_t *gpu = w->gpu;
  int var = w->slice_first;
  vcd_change(w->vcd, w->icnt, icnt_in_flight(flits_icnt(flits_of(gpu->memory))));
  for (unsigned i = 0; i < gpu->cfg->l2_slices; i++) {
    l2_t *l2 = flits_slice(flits_of(gpu->memory), i);
    vcd_change(w->vcd, var++, l2_in_flight(l2));
    vcd_change(w->vcd, var++, l2_to_dram(l2)->count);
    vcd_change(w->vcd, var++, l2_from_dram(l2)->count);
    vcd_change(w->vcd, var++, dram_in_flight(flits_channel(flits_of(gpu->memory), i)));
  }
}

static void fall(gpu_wave_t *w) {
  if (!w->sampled) return;
  vcd_time(w->vcd, w->last_time + w->half);
  vcd_change(w->vcd, w->clk, 0);
}

/* Finds the first cycle in which one of the units holds more or less than before. */
static void look(gpu_wave_t *w, const sm_probe_t *p) {
  const sm_probe_t *b = &w->before;
  if (w->sampled && !w->acted &&
      (p->mshrs != b->mshrs || p->mrpb_held != b->mrpb_held || p->prt_used != b->prt_used)) {
    w->acted = true;
    w->act_time = w->last_time;
  }
  w->before = *p;
  w->sampled = true;
}

/* Once a cycle; outside the window it does nothing. */
static void sample(void *ctx, sm_t *sm) {
  gpu_wave_t *w = ctx;
  const gpu_t *gpu = w->gpu;
  if (gpu->now < gpu->setup.vcd_from || gpu->now > gpu->setup.vcd_to) return;
  fall(w);
  w->last_time = sim_now(gpu->sim);
  if (!w->sampled) w->first_time = w->last_time;
  vcd_time(w->vcd, w->last_time);
  vcd_change(w->vcd, w->clk, 1);
  vcd_change(w->vcd, w->cycle, gpu->now);
  sm_probe_t p = sm_probe(sm);
  look(w, &p);
  const uint64_t values[N_SM] = {p.stall,        p.mshrs,    p.miss_queue,
                                 p.mrpb_held,    p.prt_used, p.response_fifo,
                                 p.cluster_fifo, p.warps,    p.warp_insts};
  for (unsigned i = 0; i < N_SM; i++) vcd_change(w->vcd, w->sm_first + (int)i, values[i]);
  for (unsigned k = 0; k < N_UNITS; k++) put_unit(w, k, sm);
  put_memory(w);
}

int gpu_wave_open(gpu_wave_t **out, gpu_t *gpu, mrpb_err_t *err) {
  *out = NULL;
  if (!gpu->setup.vcd) return 0;
  gpu_wave_t *w = calloc(1, sizeof *w);
  if (!w) return mrpb_fail(err, "waves: out of memory");
  w->gpu = gpu;
  w->err = err;
  w->half = UINT64_C(500000000) / gpu->cfg->clock_sm;
  if (open_files(w, err) != 0) {
    (void)gpu_wave_close(w, true, NULL);
    return -1;
  }
  sms_set_hook(gpu->cores, sample, w);
  *out = w;
  return 0;
}

bool gpu_wave_failed(const gpu_wave_t *w) {
  return vcd_failed(w->vcd);
}

/* GTKWave opens on the whole wave, or at the first event of a long one. */
static void choose_view(gpu_wave_t *w) {
  const uint64_t cycle = 2 * w->half, all = w->last_time + cycle - w->first_time;
  gtkw_view_t view = {.start = w->first_time, .visible = all};
  if (all > VISIBLE * cycle) view.visible = VISIBLE * cycle;
  if (w->acted && all > VISIBLE * cycle && w->act_time > w->first_time + BEFORE * cycle)
    view.start = w->act_time - BEFORE * cycle;
  if (view.start + view.visible > w->first_time + all)
    view.start = w->first_time + all - view.visible;
  gtkw_set_view(w->gtkw, &view);
}

int gpu_wave_close(gpu_wave_t *w, bool cut, mrpb_err_t *err) {
  if (!w) return 0;
  if (w->vcd) fall(w);
  int rc = w->vcd ? vcd_close(w->vcd, err) : 0;
  if (rc == 0 && w->gtkw && !w->sampled && w->gpu->ended && !cut)
    rc = mrpb_fail(err,
                   "%s: no cycle from %" PRIu64 " to %" PRIu64 " in it: the run has %" PRIu64
                   " cycles; nothing was written",
                   w->gpu->setup.vcd, w->gpu->setup.vcd_from, w->gpu->setup.vcd_to, w->gpu->now);
  bool whole = w->vcd && w->gtkw && rc == 0 && !w->bad && w->sampled && !cut;
  if (whole) choose_view(w);
  if (whole && gtkw_finish(w->gtkw, err) != 0) whole = false, rc = -1;
  if (whole) rc = wave_file_commit(w->gpu->setup.vcd, w->temp, err);
  if (!whole && w->temp[0]) output_discard(w->gpu->setup.vcd, w->temp);
  if (!whole || rc != 0)
    gtkw_discard(w->gtkw); /* it would show nothing */
  else if (gtkw_close(w->gtkw, err) < 0)
    rc = -1;
  for (unsigned k = 0; k < N_UNITS; k++)
    for (unsigned i = 0; i < MODULE_MAX_REGS; i++) free(w->unit[k].shown[i]);
  free(w);
  return rc;
}
