/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/wave.h"

#include "base/output.h"
#include "base/waves/gtkw.h"
#include "sim/vcd.h"

#include <string.h>

enum { CYCLE = 10 };

/* A port of a side; none that is wider than a variable of a wave. */
static bool shown(const streams_port_t *p) {
  return p->width <= VCD_MAX_WIDTH;
}

static int declare(vcd_t *vcd, const pair_t *b, gtkw_t *g, mrpb_err_t *err) {
  static const char *const scopes[] = {"streams.reference", "streams.design"};
  char name[MAP_NAME + 24];
  if (vcd_var(vcd, "streams.clock", 1, VCD_WIRE, err) < 0 ||
      vcd_var(vcd, "streams.mismatch", 1, VCD_WIRE, err) < 0)
    return -1;
  for (unsigned s = 0; s < 2; s++) {
    gtkw_group(g, b->side[s].called, 0);
    gtkw_signal(g, "streams.clock", 1);
    if (s == 1) gtkw_coloured(g, "streams.mismatch", 1, GTKW_RED);
    for (unsigned i = 0; i < b->side[s].names->n_ports; i++) {
      const streams_port_t *p = &b->side[s].names->port[i];
      snprintf(name, sizeof name, "%s.%s", scopes[s], p->name);
      if (!shown(p)) continue;
      if (vcd_var(vcd, name, p->width, VCD_WIRE, err) < 0) return -1;
      gtkw_signal(g, name, p->width);
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
        words[at / 64] = streams_bits(p->input ? b->side[s].in : b->side[s].out, p->bit + at,
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
  char temp[OUTPUT_NAME], save[OUTPUT_NAME];
  const char *base = strrchr(path, '/'), *dot = strrchr(path, '.');
  const gtkw_view_t view = {.start = 0, .visible = 40 * CYCLE};
  gtkw_t *g = NULL;
  vcd_t *vcd = NULL;
  snprintf(save, sizeof save, "%.*s.gtkw",
           dot && dot > base ? (int)(dot - path) : (int)strlen(path), path);
  if (output_temp(path, temp, err) != 0 || vcd_open(&vcd, temp, "1ns", err) != 0) return -1;
  int rc = gtkw_open(&g, save, base ? base + 1 : path, &view, err);
  if (rc == 0) rc = declare(vcd, b, g, err);
  if (rc == 0) rc = play(vcd, b, script, err);
  if (vcd_close(vcd, err) != 0) rc = -1;
  if (rc == 0) rc = output_commit(path, temp, err);
  if (rc != 0) {
    output_discard(path, temp);
    if (g) gtkw_discard(g);
    return -1;
  }
  return gtkw_close(g, err) < 0 ? -1 : 0;
}
