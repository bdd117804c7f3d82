/* SPDX-License-Identifier: Apache-2.0 */
#include "base/waves/saved_wave.h"

#include "base/waves/wave_file.h"

int saved_wave_open(saved_wave_t *w, const char *path, const gtkw_view_t *view, mrpb_err_t *err) {
  char save[OUTPUT_NAME];
  const char *dump;
  *w = (saved_wave_t){.path = path};
  if (wave_file_save(path, save, &dump, err) != 0 || wave_file_temp(path, w->temp, err) != 0 ||
      vcd_open(&w->vcd, w->temp, "1ns", err) != 0)
    return -1;
  return save[0] ? gtkw_open(&w->gtkw, save, dump, view, err) : 0;
}

void saved_wave_group(saved_wave_t *w, const char *title) {
  if (w->gtkw) gtkw_group(w->gtkw, title, 0);
}

int saved_wave_var(saved_wave_t *w, const char *name, unsigned width, mrpb_err_t *err) {
  if (vcd_var(w->vcd, name, width, VCD_WIRE, err) < 0) return -1;
  if (w->gtkw) gtkw_signal(w->gtkw, name, width);
  return 0;
}

int saved_wave_close(saved_wave_t *w, bool good, mrpb_err_t *err) {
  if (!w->vcd) return -1;
  if (vcd_close(w->vcd, err) != 0) good = false;
  if (!good)
    output_discard(w->path, w->temp);
  else if (wave_file_commit(w->path, w->temp, err) == 0)
    return gtkw_close(w->gtkw, err) < 0 ? -1 : 0;
  gtkw_discard(w->gtkw);
  return -1;
}
