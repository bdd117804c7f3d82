/* SPDX-License-Identifier: Apache-2.0 */
/* The wave window of a run: ports and registers of one SM's MRPB, MSHR table and PRT, the state of
 * the SM, and what is on the way to the memory, with a GTKWave save file beside it. A sample shows a cycle just before the edge that ends it, so registers have the values from
 * which the outputs were computed. */
#include "gpu/wave_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* For a long wave: cycles that GTKWave shows at first, and how many of them precede the first
 * event. */
enum { VISIBLE = 100, BEFORE = 10 };
enum { NAME = 160 };

/* ---- declaration ----------------------------------------------------------- */

int wave_declare(gpu_wave_t *w, const char *scope, const char *name, unsigned width,
                 vcd_kind_t kind) {
  char full[NAME];
  snprintf(full, sizeof full, "run.%s%s%s", scope, scope[0] ? "." : "", name);
  int var = vcd_var(w->vcd, full, width, kind, w->err);
  if (var < 0) w->bad = true;
  gtkw_signal(w->gtkw, full, width);
  return var;
}

static void declare_ports(gpu_wave_t *w, const char *scope, const module_port_t *p, unsigned n) {
  for (unsigned i = 0; i < n; i++) (void)wave_declare(w, scope, p[i].name, p[i].width, VCD_WIRE);
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
      (void)wave_declare(w, scope, name, r->width, VCD_REG);
    }
    gtkw_subgroup(w->gtkw, NULL);
  }
}

void wave_declare_unit(gpu_wave_t *w, unsigned k, const char *stem, const wave_view_t *view) {
  unit_wave_t *u = &w->unit[k];
  char scope[32];
  snprintf(scope, sizeof scope, "sm%u.%s", w->gpu->setup.vcd_sm, stem);
  gtkw_group(w->gtkw, stem, 0);
  view->unit->cls->ports(view->unit->params, u->in, u->out);
  u->n_in = view->unit->cls->n_in;
  u->n_out = view->unit->cls->n_out;
  u->first = wave_declare(w, scope, u->in[0].name, u->in[0].width, VCD_WIRE);
  declare_ports(w, scope, u->in + 1, u->n_in - 1);
  declare_ports(w, scope, u->out, u->n_out);
  if (!view->unit->model) return;
  view->unit->cls->regs(view->unit->model, u->regs);
  u->n_regs = view->unit->cls->n_regs;
  declare_regs(w, scope, u);
}

static void declare_all(gpu_wave_t *w) {
  char scope[32];
  gtkw_group(w->gtkw, "clock", 0);
  snprintf(scope, sizeof scope, "sm%u", w->gpu->setup.vcd_sm);
  w->clk = wave_declare(w, scope, "clk_i", 1, VCD_WIRE);
  w->cycle = wave_declare(w, scope, "cycle", 48, VCD_WIRE);
  if (config_in_order(w->gpu->cfg))
    wave_inorder_declare(w);
  else
    wave_pipeline_declare(w);
  wave_memory_declare(w);
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

void wave_put_unit(gpu_wave_t *w, unsigned k, const wave_view_t *view) {
  unit_wave_t *u = &w->unit[k];
  put_ports(w, u->first, u->in, u->n_in, view->in);
  put_ports(w, u->first + (int)u->n_in, u->out, u->n_out, view->out);
  int var = u->first + (int)(u->n_in + u->n_out);
  for (unsigned i = 0; i < u->n_regs; var += (int)u->regs[i++].words) put_reg(w, u, i, var);
}

static void fall(gpu_wave_t *w) {
  if (!w->sampled) return;
  vcd_time(w->vcd, w->last_time + w->half);
  vcd_change(w->vcd, w->clk, 0);
}

void wave_look(gpu_wave_t *w, uint64_t mshrs, uint64_t mrpb_held, uint64_t prt_used) {
  if (w->sampled && !w->acted &&
      (mshrs != w->held || mrpb_held != w->bypassed || prt_used != w->tracked)) {
    w->acted = true;
    w->act_time = w->last_time;
  }
  w->held = mshrs;
  w->bypassed = mrpb_held;
  w->tracked = prt_used;
  w->sampled = true;
}

bool wave_rise(gpu_wave_t *w, uint64_t cycle, uint64_t time) {
  const gpu_setup_t *s = &w->gpu->setup;
  if (cycle < s->vcd_from || cycle > s->vcd_to) return false;
  fall(w);
  w->last_time = time;
  if (!w->sampled) w->first_time = time;
  vcd_time(w->vcd, time);
  vcd_change(w->vcd, w->clk, 1);
  vcd_change(w->vcd, w->cycle, cycle);
  return true;
}

int gpu_wave_open(gpu_wave_t **out, gpu_t *gpu, mrpb_err_t *err) {
  *out = NULL;
  if (!gpu->setup.vcd) return 0;
  gpu_wave_t *w = calloc(1, sizeof *w);
  if (!w) return mrpb_fail(err, "waves: out of memory");
  w->gpu = gpu;
  w->err = err;
  w->half = UINT64_C(500000000) / config_sm_mhz(gpu->cfg);
  if (open_files(w, err) != 0) {
    (void)gpu_wave_close(w, true, NULL);
    return -1;
  }
  if (config_in_order(gpu->cfg))
    wave_inorder_begin(w);
  else
    wave_pipeline_begin(w);
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
  if (w->vcd && config_in_order(w->gpu->cfg)) wave_inorder_end(w);
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
  for (unsigned k = 0; k < WAVE_UNITS; k++)
    for (unsigned i = 0; i < MODULE_MAX_REGS; i++) free(w->unit[k].shown[i]);
  free(w);
  return rc;
}
