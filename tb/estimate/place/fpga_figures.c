/* SPDX-License-Identifier: Apache-2.0 */
/* What Yosys and nextpnr say about a module in an iCE40, and the registers around it. */
#include "estimate/place/fpga.h"

#include "base/json_out.h"

#include <stdlib.h>
#include <string.h>

static const json_t *module_of(const json_t *root, const char *top) {
  return json_object_get(json_object_get(root, "modules"), top);
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static bool is_clock(const char *port) {
  return strcmp(port, "clk_i") == 0;
}

static bool is_input(const json_t *port) {
  const char *way = json_string_value(json_object_get(port, "direction"));
  return way && strcmp(way, "input") == 0;
}

int fpga_count(const json_t *root, const char *top, fpga_result_t *r, mrpb_err_t *err) {
  const json_t *module = module_of(root, top);
  json_t *cells = json_object_get(module, "cells"), *ports = json_object_get(module, "ports"), *v;
  const char *name;
  if (!cells || !ports)
    return mrpb_fail(err, "%s: no such module in what Yosys wrote: it failed without saying so",
                     top);
  json_object_foreach(cells, name, v) {
    const char *type = json_string_value(json_object_get(v, "type"));
    if (!type || type[0] == '$') continue; /* a newer Yosys leaves $scopeinfo */
    if (begins(type, "SB_LUT4"))
      r->luts++;
    else if (begins(type, "SB_DFF"))
      r->flops++;
    else if (begins(type, "SB_CARRY"))
      r->carries++;
    else if (begins(type, "SB_RAM40"))
      r->rams++;
    else
      return mrpb_fail(err, "%s: Yosys left a cell %.60s, which is none of an iCE40", top, type);
  }
  json_object_foreach(ports, name, v) {
    const unsigned bits = (unsigned)json_array_size(json_object_get(v, "bits"));
    if (is_clock(name)) continue;
    if (is_input(v))
      r->in_bits += bits;
    else
      r->out_bits += bits;
  }
  return 0;
}

unsigned fpga_around(const fpga_result_t *r) {
  return r->in_bits + 2 * r->out_bits;
}

/* Inputs come from a shift register. An output goes straight into a flip-flop, and from there into
 * a second shift register, so that no logic is in its path. */
void fpga_wrapper(FILE *f, const json_t *root, const char *top) {
  json_t *ports = json_object_get(module_of(root, top), "ports"), *v;
  const char *name, *comma = "";
  fpga_result_t r = {.luts = 0};
  unsigned in = 0, out = 0;
  if (fpga_count(root, top, &r, NULL) != 0) return;
  fprintf(f,
          "module fpga_pins(input clk, input load, input shift_i, output shift_o);\n"
          "  wire [%u:0] in, out, cap, mux, sh;\n  assign in[0] = shift_i;\n"
          "  genvar i;\n  generate\n"
          "    for (i = 0; i < %u; i = i + 1) begin : gen_in\n"
          "      SB_DFF u_q (.C(clk), .D(in[i]), .Q(in[i + 1]));\n    end\n"
          "    for (i = 0; i < %u; i = i + 1) begin : gen_out\n"
          "      SB_DFF u_cap (.C(clk), .D(out[i]), .Q(cap[i]));\n"
          "      SB_LUT4 #(.LUT_INIT(16'hD8D8)) u_mux (.I0(load), .I1(cap[i]), .I2(sh[i]), "
          ".I3(1'b0), .O(mux[i]));\n"
          "      SB_DFF u_sh (.C(clk), .D(mux[i]), .Q(sh[i + 1]));\n    end\n  endgenerate\n"
          "  assign sh[0] = in[%u];\n  assign shift_o = sh[%u];\n  %s u_top (",
          r.in_bits + r.out_bits, r.in_bits, r.out_bits, r.in_bits, r.out_bits, top);
  json_object_foreach(ports, name, v) {
    const unsigned bits = (unsigned)json_array_size(json_object_get(v, "bits"));
    if (is_clock(name))
      fprintf(f, "%s.%s(clk)", comma, name);
    else if (is_input(v))
      fprintf(f, "%s.%s(in[%u:%u])", comma, name, in + bits, in + 1);
    else
      fprintf(f, "%s.%s(out[%u:%u])", comma, name, out + bits - 1, out);
    if (!is_clock(name) && is_input(v)) in += bits;
    if (!is_clock(name) && !is_input(v)) out += bits;
    comma = ", ";
  }
  fputs(");\nendmodule\n", f);
}

/* "Info:   ICESTORM_LC:   412/ 7680     5%" */
static bool used(const char *log, const char *what, unsigned *n) {
  const char *at = strstr(log, what);
  return at && sscanf(at + strlen(what), ": %u/", n) == 1;
}

int fpga_read_cells(const char *log, unsigned *cells, unsigned *rams, mrpb_err_t *err) {
  if (used(log, "ICESTORM_LC", cells) && used(log, "ICESTORM_RAM", rams)) return 0;
  return mrpb_fail(err, "nextpnr-ice40: it does not say how many cells it uses");
}

int fpga_read_clock(const char *log, double *mhz, mrpb_err_t *err) {
  static const char max[] = "Max frequency for clock";
  const char *clock = NULL, *error = strstr(log, "ERROR: ");
  for (const char *at = strstr(log, max); at; at = strstr(at + 1, max)) clock = at;
  *mhz = 0;
  if (error)
    return mrpb_fail(err, "nextpnr-ice40: %.*s", (int)strcspn(error + 7, "\r\n"), error + 7);
  const char *colon = clock ? strstr(clock, "': ") : NULL;
  *mhz = colon ? strtod(colon + 3, NULL) : 0;
  return *mhz > 0 ? 0 : mrpb_fail(err, "nextpnr-ice40: no frequency in what it printed");
}

/* ---- JSON and report ---- */

json_t *fpga_json(const fpga_result_t *r) {
  json_t *o = json_object();
  json_out_set(&o, "luts", json_integer(r->luts));
  json_out_set(&o, "flops", json_integer(r->flops));
  json_out_set(&o, "carries", json_integer(r->carries));
  json_out_set(&o, "rams", json_integer(r->rams));
  json_out_set(&o, "in_bits", json_integer(r->in_bits));
  json_out_set(&o, "out_bits", json_integer(r->out_bits));
  json_out_set(&o, "cells", json_integer(r->cells));
  json_out_set(&o, "fits", json_boolean(r->fits));
  json_out_set(&o, "MHz", r->placed ? json_real(r->mhz) : json_null());
  return o;
}

static unsigned count(const json_t *o, const char *name) {
  return (unsigned)json_integer_value(json_object_get(o, name));
}

int fpga_from_json(const json_t *o, fpga_result_t *r) {
  const json_t *mhz = json_object_get(o, "MHz");
  *r = (fpga_result_t){.luts = count(o, "luts"),
                       .flops = count(o, "flops"),
                       .carries = count(o, "carries"),
                       .rams = count(o, "rams"),
                       .in_bits = count(o, "in_bits"),
                       .out_bits = count(o, "out_bits"),
                       .cells = count(o, "cells"),
                       .fits = json_is_true(json_object_get(o, "fits")),
                       .placed = json_is_number(mhz),
                       .mhz = json_number_value(mhz)};
  return json_is_integer(json_object_get(o, "luts")) && mhz ? 0 : -1;
}

void fpga_print(FILE *md, const fpga_result_t *r) {
  fputs("\niCE40 HX8K, Yosys and nextpnr:\n\n"
        "| LUTs | flip-flops | carry | block RAMs | logic cells of 7680 | fits | MHz |\n"
        "| ---: | ---: | ---: | ---: | ---: | --- | ---: |\n",
        md);
  fprintf(md, "| %u | %u | %u | %u | %u | %s |", r->luts, r->flops, r->carries, r->rams, r->cells,
          r->fits ? "yes" : "no");
  if (r->placed)
    fprintf(md, " %.1f |\n", r->mhz);
  else
    fputs(" - |\n", md);
  fprintf(md,
          "\nThe module has %u bits of ports: they are registered, and shifted through three pins. "
          "Those registers take %u\nlogic cells, which are not counted.\n",
          r->in_bits + r->out_bits, fpga_around(r));
  if (r->fits && !r->placed)
    fputs("With them the device is too small, so there is no frequency.\n", md);
  fprintf(md, "Netlists and logs:\n%s\n", r->folder);
}
