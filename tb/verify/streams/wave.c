/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/wave.h"

#include "base/waves/saved_wave.h"
#include "bits.h"

#include <string.h>

enum { CYCLE = 10 };

/* A port of a side; none that is wider than a variable of a wave. */
static bool shown(const streams_port_t *p) {
  return p->width <= VCD_MAX_WIDTH;
}

static int declare(saved_wave_t *w, const pair_t *b, mrpb_err_t *err) {
  static const char *const scopes[] = {"streams.reference", "streams.design"};
  char name[MAP_NAME + 24];
  saved_wave_group(w, "streams");
  if (saved_wave_var(w, "streams.clock", 1, err) != 0 ||
      saved_wave_var(w, "streams.mismatch", 1, err) != 0)
    return -1;
  for (unsigned s = 0; s < 2; s++) {
    saved_wave_group(w, b->side[s].called);
    for (unsigned i = 0; i < b->side[s].names->n_ports; i++) {
      const streams_port_t *p = &b->side[s].names->port[i];
      snprintf(name, sizeof name, "%s.%s", scopes[s], p->name);
      if (shown(p) && saved_wave_var(w, name, p->width, err) != 0) return -1;
    }
  }
  return 0;
}

/* The cycle before its clock edge. */
static void look(void *ctx, const pair_t *b) {
  vcd_t *vcd = ctx;
  int id = 0;
  vcd_time(vcd, b->cycle * CYCLE);
  vcd_change(vcd, id++, 1);
  vcd_change(vcd, id++, pair_broken(b));
  for (unsigned s = 0; s < 2; s++)
    for (unsigned i = 0; i < b->side[s].names->n_ports; i++) {
      const streams_port_t *p = &b->side[s].names->port[i];
      uint64_t words[VCD_MAX_WIDTH / 64] = {0};
      if (!shown(p)) continue;
      for (unsigned at = 0; at < p->width; at += 64)
        words[at / 64] = words_get(p->input ? b->side[s].in : b->side[s].out, p->bit + at,
                                   p->width - at < 64 ? p->width - at : 64);
      vcd_change_words(vcd, id++, words);
    }
  vcd_time(vcd, b->cycle * CYCLE + CYCLE / 2);
  vcd_change(vcd, 0, 0);
}

static int play(vcd_t *vcd, pair_t *b, const script_t *script, mrpb_err_t *err) {
  b->look = look;
  b->ctx = vcd;
  const int rc = pair_play(b, script, err);
  b->look = NULL;
  return rc;
}

int streams_wave(const char *path, pair_t *b, const script_t *script, mrpb_err_t *err) {
  const gtkw_view_t view = {.start = 0, .visible = 40 * CYCLE};
  saved_wave_t w;
  int rc = saved_wave_open(&w, path, &view, err);
  if (rc == 0) rc = declare(&w, b, err);
  if (rc == 0) rc = play(w.vcd, b, script, err);
  return saved_wave_close(&w, rc == 0, err);
}
