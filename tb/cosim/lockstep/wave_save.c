/* SPDX-License-Identifier: Apache-2.0 */
/* Save files for the waves of lockstep runs, from the tables of ports and registers. */
#include "cosim/lockstep/wave.h"

#include "cosim/lockstep/wave_yours.h"
#include "base/waves/gtkw.h"
#include "base/waves/wave_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* For a window that opens on a difference: the number of cycles shown, and how many of them come
 * before the marker. GTKWave begins at 0 if it would have to show time after the last cycle. */
enum { VISIBLE = 40, BEFORE = 28 };

typedef struct {
  gtkw_t *gtkw;
  const module_class_t *cls;
  const wave_window_t *window;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  module_reg_t regs[MODULE_MAX_REGS];
} save_t;

static void signal(const save_t *s, const char *prefix, const char *name, int elem, unsigned width,
                   gtkw_colour_t colour) {
  char full[WAVE_NAME];
  wave_name(full, s->cls->stem, prefix, name, elem);
  /* Instances of one module have registers of one name. GTKWave cuts a name at its last dot. */
  char shown[WAVE_NAME];
  snprintf(shown, sizeof shown, "%s", full + strlen(s->cls->stem) + 1);
  for (char *c = shown; *c; c++)
    if (*c == '.') *c = '/';
  gtkw_named(s->gtkw, full, strchr(name, '.') ? shown : NULL, width, colour);
}

static void clock_and_cycle(const save_t *s) {
  char full[WAVE_NAME];
  signal(s, "", "clk_i", -1, 1, GTKW_PLAIN);
  wave_name(full, s->cls->stem, "", "cycle", -1);
  gtkw_number(s->gtkw, full, 64);
}

static void inputs(const save_t *s, unsigned from, unsigned to) {
  for (unsigned i = from; i < to; i++) signal(s, "", s->in[i].name, -1, s->in[i].width, GTKW_PLAIN);
}

/* A signal that a map leaves out has only the C model's side. */
static const bind_t *bind_of(const save_t *s, const char *prefix) {
  return s->window && strcmp(prefix, "ref_") != 0 ? s->window->bind : NULL;
}

static void outputs(const save_t *s, const char *prefix) {
  for (unsigned i = 0; i < s->cls->n_out; i++)
    if (wave_yours_has_output(bind_of(s, prefix), i))
      signal(s, prefix, s->out[i].name, -1, s->out[i].width, GTKW_PLAIN);
}

/* Plain registers come first, then each memory as its own group. */
static void regs(const save_t *s, const char *prefix) {
  const bind_t *bind = bind_of(s, prefix);
  for (unsigned i = 0; i < s->cls->n_regs; i++)
    if (s->regs[i].words == 1 && wave_yours_has_reg(bind, i))
      signal(s, prefix, s->regs[i].name, -1, s->regs[i].width, GTKW_PLAIN);
  for (unsigned i = 0; i < s->cls->n_regs; i++) {
    if (s->regs[i].words == 1 || !wave_yours_has_reg(bind, i)) continue;
    gtkw_subgroup(s->gtkw, s->regs[i].name);
    for (unsigned e = 0; e < s->regs[i].words; e++) { /* the group's title names the instance */
      char full[WAVE_NAME];
      wave_name(full, s->cls->stem, prefix, s->regs[i].name, (int)e);
      gtkw_signal(s->gtkw, full, s->regs[i].width);
    }
  }
  gtkw_subgroup(s->gtkw, NULL);
}

/* A wide signal differs in several pieces but is shown once. */
static bool shown_before(const lockstep_diff_t *diffs, unsigned i) {
  return i > 0 && diffs[i - 1].elem == diffs[i].elem &&
         strcmp(diffs[i - 1].name, diffs[i].name) == 0;
}

static void mismatch(const save_t *s) {
  const wave_window_t *w = s->window;
  gtkw_group(s->gtkw, "Mismatch", 0);
  clock_and_cycle(s);
  for (unsigned i = 0; i < w->n_diffs; i++) {
    const lockstep_diff_t *d = &w->diffs[i];
    int elem = d->words > 1 ? (int)d->elem : -1;
    if (shown_before(w->diffs, i)) continue;
    signal(s, "", d->name, elem, d->width, GTKW_PLAIN);
    signal(s, "ref_", d->name, elem, d->width, GTKW_ORANGE);
    signal(s, "diff_", d->name, elem, d->width, GTKW_RED);
  }
}

/* The signals of a user's design. */
static void yours(const save_t *s) {
  unsigned n = 0;
  wave_yours_t *list = s->window && s->window->bind ? wave_yours_list(s->window->bind, &n) : NULL;
  if (list) gtkw_group(s->gtkw, "Yours", 0);
  for (unsigned i = 0; list && i < n; i++) gtkw_signal(s->gtkw, list[i].name, list[i].width);
  free(list);
}

static void groups(const save_t *s) {
  const module_class_t *cls = s->cls;
  bool state = !(s->window && s->window->no_state), differs = s->window && s->window->n_diffs > 0;
  if (differs) mismatch(s);
  gtkw_group(s->gtkw, "Clock and reset", 0);
  clock_and_cycle(s);
  signal(s, "diff_", "any", -1, 1, GTKW_RED);
  bool reset = strcmp(s->in[0].name, "srst_ni") == 0;
  inputs(s, 0, reset);
  gtkw_group(s->gtkw, "Input", 0);
  inputs(s, reset, cls->n_in);
  gtkw_group(s->gtkw, "Output", 0);
  outputs(s, "");
  yours(s);
  if (state && cls->n_regs) {
    gtkw_group(s->gtkw, "State", 1);
    regs(s, "");
  }
  gtkw_group(s->gtkw, "Reference", 1);
  outputs(s, "ref_");
  regs(s, "ref_");
  gtkw_group(s->gtkw, "Difference", 1);
  outputs(s, "diff_");
  if (state) regs(s, "diff_");
}

static gtkw_view_t view_of(const wave_window_t *w) {
  gtkw_view_t v = {.start = WAVE_CYCLE * w->from, .visible = WAVE_CYCLE * VISIBLE};
  if (!w->failed) return v;
  v.a = WAVE_CYCLE * w->cycle;
  v.b = v.a + WAVE_CYCLE;
  v.marked = true;
  v.marker = w->regs ? v.b : v.a;
  if (w->cycle > w->from + BEFORE) v.start = WAVE_CYCLE * (w->cycle - BEFORE);
  return v;
}

/* Writes the complete file under a temporary name. */
static int make(gtkw_t **out, const char *path, const char *dump, const module_class_t *cls,
                const uint32_t *cfg, const wave_window_t *window, mrpb_err_t *err) {
  save_t s = {.cls = cls, .window = window};
  gtkw_view_t view = {0};
  void *self = NULL;
  *out = NULL;
  if (window) view = view_of(window);
  if (cls->check(cfg, err) != 0 || (cls->n_regs > 0 && cls->create(&self, cfg, err) != 0))
    return -1;
  int rc = gtkw_open(&s.gtkw, path, dump, window ? &view : NULL, err);
  if (rc == 0) {
    cls->ports(cfg, s.in, s.out);
    if (self) cls->regs(self, s.regs);
    groups(&s);
    rc = gtkw_finish(s.gtkw, err);
    if (rc != 0) gtkw_discard(s.gtkw);
  }
  if (self) cls->destroy(self);
  if (rc == 0) *out = s.gtkw;
  return rc;
}

int wave_save_file(const char *path, const char *dump, const module_class_t *cls,
                   const uint32_t *cfg, const wave_window_t *window, mrpb_err_t *err) {
  gtkw_t *gtkw;
  return make(&gtkw, path, dump, cls, cfg, window, err) == 0 ? gtkw_close(gtkw, err) : -1;
}

int wave_commit(const char *vcd, const char *temp, const module_class_t *cls, const uint32_t *cfg,
                const wave_window_t *window, FILE *out, mrpb_err_t *err) {
  char save[OUTPUT_NAME];
  const char *dump;
  gtkw_t *gtkw = NULL;
  int rc = wave_file_save(vcd, save, &dump, err);
  if (rc == 0 && save[0]) rc = make(&gtkw, save, dump, cls, cfg, window, err);
  if (rc != 0) {
    output_discard(vcd, temp);
    return -1;
  }
  if (wave_file_commit(vcd, temp, err) != 0) {
    gtkw_discard(gtkw);
    return -1;
  }
  rc = gtkw_close(gtkw, err);
  if (rc == GTKW_KEPT)
    fprintf(out, "%s was saved by GTKWave and is left unchanged; move it away for a new one\n",
            save);
  return rc < 0 ? -1 : 0;
}

int wave_probe(const char *option, const char *path, mrpb_err_t *err) {
  char temp[OUTPUT_NAME], save[OUTPUT_NAME];
  const char *dump;
  if (wave_file_save(path, save, &dump, err) != 0 || wave_file_temp(path, temp, err) != 0)
    return -1;
  FILE *f = fopen(temp, "a");
  if (!f) return mrpb_fail(err, "%s %s: cannot write: %s", option, path, strerror(errno));
  fclose(f);
  output_discard(path, temp);
  return 0;
}

void wave_command(const char *vcd, const char *stem, char *text, size_t size) {
  char save[OUTPUT_NAME];
  const char *dump;
  if (!vcd)
    snprintf(text, size, "add --vcd %s.vcd to the command below, then: gtkwave %s.vcd %s.gtkw",
             stem, stem, stem);
  else if (wave_file_save(vcd, save, &dump, NULL) == 0)
    snprintf(text, size, "gtkwave %s%s%s", vcd, save[0] ? " " : "", save);
}
