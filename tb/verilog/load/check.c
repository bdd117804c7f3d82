/* SPDX-License-Identifier: Apache-2.0 */
/* The ports and registers of a Verilated module against the ports table. Verilator's own generated
 * headers say what the Verilog has: "VL_IN8(&name,msb,lsb)" for a port,
 * "VlUnpacked<SData/\*15:0*\/, 48> path;" for a register. */
#include "base/files.h"
#include "verilog/build.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *where; /* "dir/stem.v" */
  const char *sizes; /* "QUEUES=48 DEPTH=8" */
  const module_class_t *cls;
} place_t;

/* What the Verilog has under a name; width 0 if nothing. */
typedef struct {
  unsigned width, words;
  bool input;
} found_t;

static found_t find_port(const char *header, const char *name) {
  found_t f = {0};
  size_t n = strlen(name);
  for (const char *p = strstr(header, "VL_"); p; p = strstr(p + 3, "VL_")) {
    bool in = strncmp(p, "VL_IN", 5) == 0, out = strncmp(p, "VL_OUT", 6) == 0;
    const char *amp = p + strcspn(p, "&\n");
    if ((!in && !out) || *amp != '&' || strncmp(amp + 1, name, n) != 0 || amp[1 + n] != ',')
      continue;
    char *end;
    unsigned long msb = strtoul(amp + n + 2, &end, 10), lsb = strtoul(end + 1, NULL, 10);
    f = (found_t){(unsigned)(msb - lsb + 1), 1, in && strncmp(p, "VL_INOUT", 8) != 0};
    break;
  }
  return f;
}

static found_t find_reg(const char *header, const char *path) {
  found_t f = {0};
  size_t n = strlen(path);
  for (const char *p = strstr(header, path); p; p = strstr(p + n, path)) {
    if (p[n] != ';' || p == header || p[-1] != ' ') continue;
    const char *line = p;
    while (line > header && line[-1] != '\n') line--;
    while (isspace((unsigned char)*line)) line++;
    const char *range = strstr(line, "/*");
    if (!range || range > p) continue;
    char *end;
    unsigned long msb = strtoul(range + 2, &end, 10), lsb = strtoul(end + 1, &end, 10);
    f.width = (unsigned)(msb - lsb + 1);
    f.words = 1;
    if (strncmp(line, "VlUnpacked<", 11) == 0) {
      const char *comma = strchr(end, ',');
      f.words = comma ? (unsigned)strtoul(comma + 1, NULL, 10) : 0;
    }
    return f;
  }
  return f;
}

static const char *bits_word(unsigned n) {
  return n == 1 ? "bit" : "bits";
}

static int check_port(const place_t *at, const char *header, const char *name, unsigned width,
                      bool input, mrpb_err_t *err) {
  found_t f = find_port(header, name);
  const char *way = input ? "input" : "output";
  if (f.width == 0)
    return mrpb_fail(err,
                     "%s: module %s lacks %s %s of %u %s, which cmodel/ports/%s.ports.h expects",
                     at->where, at->cls->stem, way, name, width, bits_word(width), at->cls->stem);
  if (f.input != input)
    return mrpb_fail(
        err, "%s: module %s: port %s is an %s, cmodel/ports/%s.ports.h expects an %s of %u %s",
        at->where, at->cls->stem, name, f.input ? "input" : "output", at->cls->stem, way, width,
        bits_word(width));
  if (f.width != width)
    return mrpb_fail(err,
                     "%s: module %s: %s %s has %u %s, cmodel/ports/%s.ports.h expects %u with %s",
                     at->where, at->cls->stem, way, name, f.width, bits_word(f.width),
                     at->cls->stem, width, at->sizes);
  return 0;
}

/* Ports that the Verilog has but the table lacks would be left undriven or unseen. */
static int check_surplus(const place_t *at, const char *header, const module_port_t *in,
                         const module_port_t *out, mrpb_err_t *err) {
  for (const char *p = strstr(header, "VL_"); p; p = strstr(p + 3, "VL_")) {
    char name[64];
    const char *amp = p + strcspn(p, "&\n");
    size_t n = 0;
    if ((strncmp(p, "VL_IN", 5) != 0 && strncmp(p, "VL_OUT", 6) != 0) || *amp != '&') continue;
    while (amp[1 + n] && amp[1 + n] != ',' && n + 1 < sizeof name) n++;
    memcpy(name, amp + 1, n);
    name[n] = '\0';
    bool known = at->cls->n_regs > 0 && strcmp(name, "clk_i") == 0;
    for (unsigned i = 0; i < at->cls->n_in && !known; i++) known = strcmp(in[i].name, name) == 0;
    for (unsigned i = 0; i < at->cls->n_out && !known; i++) known = strcmp(out[i].name, name) == 0;
    if (!known)
      return mrpb_fail(err,
                       "%s: module %s has a port %s that cmodel/ports/%s.ports.h does not list",
                       at->where, at->cls->stem, name, at->cls->stem);
  }
  return 0;
}

static int check_ports(const place_t *at, const uint32_t *cfg, const char *header,
                       mrpb_err_t *err) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  at->cls->ports(cfg, in, out);
  if (at->cls->n_regs > 0 && check_port(at, header, "clk_i", 1, true, err) != 0) return -1;
  for (unsigned i = 0; i < at->cls->n_in; i++)
    if (check_port(at, header, in[i].name, in[i].width, true, err) != 0) return -1;
  for (unsigned i = 0; i < at->cls->n_out; i++)
    if (check_port(at, header, out[i].name, out[i].width, false, err) != 0) return -1;
  return check_surplus(at, header, in, out, err);
}

static int check_reg(const place_t *at, const char *header, const module_reg_t *reg,
                     mrpb_err_t *err) {
  char path[256];
  size_t n = (size_t)snprintf(path, sizeof path, "%s", at->cls->stem);
  for (const char *part = reg->name; part && n < sizeof path;) {
    const char *dot = strchr(part, '.');
    n += (size_t)snprintf(path + n, sizeof path - n, "__DOT__%.*s", (int)strcspn(part, "."), part);
    part = dot ? dot + 1 : NULL;
  }
  found_t f = find_reg(header, path);
  if (f.width == 0)
    return mrpb_fail(err, "%s: module %s lacks register %s, which cmodel/ports/%s.ports.h expects",
                     at->where, at->cls->stem, reg->name, at->cls->stem);
  if (f.width != reg->width || f.words != reg->words)
    return mrpb_fail(err,
                     "%s: module %s: register %s has %u x %u %s, cmodel/ports/%s.ports.h expects "
                     "%u x %u with %s",
                     at->where, at->cls->stem, reg->name, f.words, f.width, bits_word(f.width),
                     at->cls->stem, reg->words, reg->width, at->sizes);
  return 0;
}

static int check_regs(const place_t *at, const uint32_t *cfg, const char *header, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  void *self = NULL;
  if (at->cls->n_regs == 0) return 0;
  if (at->cls->create(&self, cfg, err) != 0) return -1;
  at->cls->regs(self, regs);
  int rc = 0;
  for (unsigned i = 0; i < at->cls->n_regs && rc == 0; i++)
    rc = check_reg(at, header, &regs[i], err);
  at->cls->destroy(self);
  return rc;
}

int rtl_check(const char *dir, const char *rtl_dir, const module_class_t *cls, const uint32_t *cfg,
              mrpb_err_t *err) {
  char path[FILES_PATH], where[FILES_PATH], sizes[256];
  size_t n = 0;
  sizes[0] = '\0';
  for (unsigned i = 0; i < cls->n_params && n < sizeof sizes; i++)
    n += (size_t)snprintf(sizes + n, sizeof sizes - n, "%s%s=%u", i ? " " : "", cls->params[i].name,
                          cfg[i]);
  if (!files_path(where, "%s/%s.v", rtl_dir, cls->stem))
    return mrpb_fail(err, "the path is too long");
  place_t at = {where, sizes, cls};
  char *ports = files_path(path, "%s/Vdut.h", dir) ? files_read(path, NULL) : NULL;
  char *root = files_path(path, "%s/Vdut___024root.h", dir) ? files_read(path, NULL) : NULL;
  int rc = -1;
  if (!ports || !root)
    mrpb_fail(err, "%s: Verilator left no headers", where);
  else
    rc = check_ports(&at, cfg, ports, err) != 0 ? -1 : check_regs(&at, cfg, root, err);
  free(ports);
  free(root);
  return rc;
}
