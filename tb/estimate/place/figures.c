/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a placement as JSON and as lines of a report. */
#include "estimate/place/place.h"

#include "base/json_out.h"

static json_t *times_json(const place_times_t *t) {
  json_t *o = json_object();
  json_out_set(&o, "period_ns", json_real(t->all));
  json_out_set(&o, "register_period_ns", json_real(t->registers));
  return o;
}

json_t *place_json(const place_result_t *r) {
  json_t *o = json_object();
  json_out_set(&o, "cells", json_integer(r->cells));
  json_out_set(&o, "pins", json_integer(r->pins));
  json_out_set(&o, "macro_pins", json_integer(r->macro_pins));
  json_out_set(&o, "nets", json_integer(r->nets));
  json_out_set(&o, "sinks", json_integer(r->sinks));
  json_out_set(&o, "cell_um2", json_real(r->cell_um2));
  json_out_set(&o, "placed_um2", json_real(r->placed_um2));
  json_out_set(&o, "wire_um", json_real(r->wire_um));
  json_out_set(&o, "wire_fF", json_real(r->wire_ff));
  json_out_set(&o, "clock_um", json_real(r->clock_um));
  json_out_set(&o, "clock_sinks", json_integer(r->clock_sinks));
  json_out_set(&o, "without_wires", times_json(&r->without));
  json_out_set(&o, "with_wires", times_json(&r->with));
  json_out_set(&o, "place_cpu_s", json_real(r->place_s));
  json_out_set(&o, "route_cpu_s", json_real(r->route_s));
  return o;
}

static unsigned count(const json_t *o, const char *name) {
  return (unsigned)json_integer_value(json_object_get(o, name));
}

static double real(const json_t *o, const char *name) {
  return json_number_value(json_object_get(o, name));
}

static place_times_t times(const json_t *o, const char *name) {
  const json_t *t = json_object_get(o, name);
  return (place_times_t){real(t, "period_ns"), real(t, "register_period_ns")};
}

int place_from_json(const json_t *o, place_result_t *r) {
  *r = (place_result_t){.cells = count(o, "cells"),
                        .pins = count(o, "pins"),
                        .macro_pins = count(o, "macro_pins"),
                        .nets = count(o, "nets"),
                        .sinks = count(o, "sinks"),
                        .cell_um2 = real(o, "cell_um2"),
                        .placed_um2 = real(o, "placed_um2"),
                        .wire_um = real(o, "wire_um"),
                        .wire_ff = real(o, "wire_fF"),
                        .clock_um = real(o, "clock_um"),
                        .clock_sinks = count(o, "clock_sinks"),
                        .without = times(o, "without_wires"),
                        .with = times(o, "with_wires"),
                        .place_s = real(o, "place_cpu_s"),
                        .route_s = real(o, "route_cpu_s")};
  return r->cells > 0 && r->placed_um2 > 0 ? 0 : -1;
}

static void put_period(FILE *md, const char *what, double without, double with) {
  if (without > 0 && with > 0)
    fprintf(md, "| period ns, %s | %.3f | %.3f | %+.1f %% |\n", what, without, with,
            100 * (with / without - 1));
}

void place_print(FILE *md, const place_result_t *r, const logic_result_t *logic) {
  const unsigned sinks = r->sinks ? r->sinks : 1;
  fprintf(md,
          "\nPlaced and routed: graywolf and qrouter, OSU018, six layers of metal; before layout "
          "and after it:\n\n"
          "| | before | placed | |\n| --- | ---: | ---: | ---: |\n"
          "| area mm2 | %.4f | %.4f | utilisation %.0f %% |\n",
          logic->synth.area_um2 / 1e6, r->placed_um2 / 1e6, 100 * r->cell_um2 / r->placed_um2);
  fprintf(md, "| wire a sink, um | 0 | %.1f | %u nets, %u sinks |\n", r->wire_um / sinks, r->nets,
          r->sinks);
  fprintf(md, "| wire a sink, fF | 0 | %.2f | %.3f fF a um |\n", r->wire_ff / sinks,
          r->wire_um > 0 ? r->wire_ff / r->wire_um : 0);
  put_period(md, "with the ports", r->without.all, r->with.all);
  put_period(md, "between registers", r->without.registers, r->with.registers);
  fprintf(md,
          "\n%u cells, %u pins. The clock is ideal in both columns: its net has %u sinks, %.0f um "
          "and no tree.\n",
          r->cells, r->pins, r->clock_sinks, r->clock_um);
  if (r->macro_pins)
    fprintf(md,
            "The SRAM and register file macros are outside: their %u pins are pins of this block, "
            "wires to them end at\nits edge, and their area is not in these figures.\n",
            r->macro_pins);
  fprintf(md, "graywolf %.0f CPU-s, qrouter %.0f CPU-s. DEF, SPEF and Tcl:\n%s\n", r->place_s,
          r->route_s, r->folder);
}
