/* SPDX-License-Identifier: Apache-2.0 */
/* A reader of RTLIL, line by line; a module's nets with a count of drivers for each bit. Yosys' own
 * check does not count a constant as a driver, and loses nets that are joined. */
#include "verilog/lint/drivers.h"

#include "base/files.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PORTS = 4096, WORD = 512, HASH = 1 << 12 };

typedef struct {
  const char *name, *src; /* into the text, ended by a blank */
  unsigned width;
  uint8_t *driven;
  int next; /* in its bucket */
} net_t;

/* An output of a module, for its instances. */
typedef struct {
  const char *module, *port;
} output_t;

typedef struct {
  const char *dir;
  mrpb_err_t *err;
  output_t *output;
  unsigned n_outputs;
  net_t *net;
  unsigned n_nets, room;
  int bucket[HASH];
  const char *src, *cell; /* cell: its type; NULL outside */
  const char *memory;     /* that a write port is of */
  unsigned port, above;   /* its number, and how many ports it goes before */
} drivers_t;

static bool same(const char *a, const char *b) {
  size_t n = strcspn(a, " \n");
  return n == strcspn(b, " \n") && memcmp(a, b, n) == 0;
}

static bool is(const char *a, const char *word) {
  return same(a, word);
}

static const char *after(const char *line, const char *word) {
  size_t n = strlen(word);
  return strncmp(line, word, n) == 0 && line[n] == ' ' ? line + n + 1 : NULL;
}

static unsigned bucket_of(const char *name) {
  return (unsigned)hash_bytes(HASH_START, name, strcspn(name, " \n")) % HASH;
}

static net_t *find(const drivers_t *d, const char *name) {
  for (int i = d->bucket[bucket_of(name)]; i >= 0; i = d->net[i].next)
    if (same(d->net[i].name, name)) return &d->net[i];
  return NULL;
}

static void forget(drivers_t *d) {
  for (unsigned i = 0; i < d->n_nets; i++) free(d->net[i].driven);
  for (unsigned i = 0; i < HASH; i++) d->bucket[i] = -1;
  d->n_nets = 0;
}

/* "dir/x.v:12: " of what the attribute `src` says, as `"/path/x.v:12.3-12.9"`. */
static void place(const drivers_t *d, const char *src, char *text, size_t size) {
  size_t n = src ? strcspn(src + 1, "\"|\n") : 0;
  const char *base = src ? src + 1 : "";
  for (size_t i = 0; i < n; i++)
    if (src[1 + i] == '/') base = src + 2 + i;
  size_t line = strcspn(base, ":\"");
  size_t end = base[line] == ':' ? line + 1 + strspn(base + line + 1, "0123456789") : line;
  snprintf(text, size, "%s/%.*s", d->dir, (int)end, base);
}

static int two_drivers(const drivers_t *d, const net_t *net, unsigned bit) {
  char where[WORD], place_bit[32] = "";
  place(d, net->src, where, sizeof where);
  if (net->width > 1) snprintf(place_bit, sizeof place_bit, "[%u]", bit);
  return mrpb_fail(d->err, "%s: net %.*s%s has two drivers; legal: one", where,
                   (int)strcspn(net->name, " \n") - 1, net->name + 1, place_bit);
}

static int drive(drivers_t *d, net_t *net, unsigned low, unsigned n) {
  for (unsigned i = low; i < low + n && i < net->width; i++)
    if (net->driven[i]++) return two_drivers(d, net, i);
  return 0;
}

/* `\name`, `\name [3:1]`, `\name [3]`, a constant, or `{ ... }` of these; to its end in `*at`. */
static int drive_signal(drivers_t *d, const char **at) {
  const char *s = *at;
  int rc = 0;
  while (*s == ' ') s++;
  if (*s == '{') {
    for (s++; rc == 0 && *s && *s != '}' && *s != '\n';) {
      rc = drive_signal(d, &s);
      while (*s == ' ') s++;
    }
    *at = *s == '}' ? s + 1 : s;
    return rc;
  }
  net_t *net = *s == '\\' || *s == '$' ? find(d, s) : NULL;
  s += strcspn(s, " \n");
  unsigned high = net && net->width ? net->width - 1 : 0, low = 0;
  while (*s == ' ' && s[1] == '[') {
    char *end;
    high = low = (unsigned)strtoul(s + 2, &end, 10);
    if (*end == ':') low = (unsigned)strtoul(end + 1, &end, 10);
    s = end + 1;
  }
  *at = s;
  return net && high >= low ? drive(d, net, low, high - low + 1) : 0;
}

static bool is_output(const drivers_t *d, const char *type, const char *pin) {
  static const char *const pins[] = {"\\Y", "\\Q", "\\RD_DATA", "\\CO", "\\X"};
  if (strncmp(type, "$memrd", 6) == 0) return is(pin, "\\DATA");
  for (unsigned i = 0;
       type[0] == '$' && strncmp(type, "$paramod", 8) != 0 && i < sizeof pins / sizeof *pins; i++)
    if (is(pin, pins[i])) return true;
  for (unsigned i = 0; i < d->n_outputs; i++)
    if (same(d->output[i].module, type) && same(d->output[i].port, pin)) return true;
  return false;
}

static int add_net(drivers_t *d, const char *words) {
  unsigned width = 1;
  bool input = false;
  for (; *words != '\\' && *words != '$'; words += strcspn(words, " \n"), words += *words == ' ') {
    const char *w = after(words, "width");
    if (*words == '\n' || !*words) return 0;
    if (w) width = (unsigned)strtoul(w, NULL, 10);
    if (after(words, "input")) input = true;
  }
  if (d->n_nets == d->room) {
    d->room = 2 * d->room + 256;
    net_t *more = realloc(d->net, d->room * sizeof *more);
    if (!more) return mrpb_fail(d->err, "out of memory");
    d->net = more;
  }
  unsigned b = bucket_of(words);
  net_t *net = &d->net[d->n_nets];
  *net = (net_t){words, d->src, width, calloc(width + 1, 1), d->bucket[b]};
  if (!net->driven) return mrpb_fail(d->err, "out of memory");
  d->bucket[b] = (int)d->n_nets++;
  return input ? drive(d, net, 0, width) : 0;
}

static int check_cell(const drivers_t *d, const char *type) {
  static const struct {
    const char *begins, *what;
  } bad[] = {{"$dlatch", "a latch: not assigned in every branch"},
             {"$adlatch", "a latch"},
             {"$sr", "a latch"},
             {"$dlatchsr", "a latch"},
             {"$tribuf", "a tristate buffer"},
             {"$_TBUF_", "a tristate buffer"},
             {"$adff", "a register with an asynchronous reset"},
             {"$aldff", "a register with an asynchronous reset"},
             {"$dffsr", "a register with an asynchronous reset"}};
  char where[WORD];
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    if (strncmp(type, bad[i].begins, strlen(bad[i].begins)) == 0) {
      place(d, d->src, where, sizeof where);
      return mrpb_fail(d->err, "%s: %s; legal: combinational logic, registers on posedge clk_i",
                       where, bad[i].what);
    }
  return 0;
}

static int module_line(drivers_t *d, const char *line) {
  const char *w;
  if ((w = after(line, "attribute \\src"))) return d->src = w, 0;
  if ((w = after(line, "wire"))) return add_net(d, w);
  if ((w = after(line, "cell"))) return d->cell = w, check_cell(d, w);
  if ((w = after(line, "connect"))) return drive_signal(d, &w);
  return 0;
}

/* Two blocks that write to one array: which is last is up to the tool. The writes of one block have
 * an order. */
static int check_port(const drivers_t *d) {
  char where[WORD];
  if (strncmp(d->cell, "$memwr", 6) != 0 || d->above >= d->port) return 0;
  place(d, d->src, where, sizeof where);
  return mrpb_fail(d->err, "%s: array %.*s is written in two blocks; legal: one", where,
                   (int)strcspn(d->memory, "\"\n"), d->memory);
}

static unsigned ones(const char *bits) {
  unsigned n = 0;
  for (bits += strcspn(bits, "'\n"); *bits && *bits != '\n'; bits++) n += *bits == '1';
  return n;
}

static int cell_line(drivers_t *d, const char *line) {
  const char *w = after(line, "parameter \\MEMID");
  if (w) d->memory = w + strspn(w, "\"\\"); /* "\\name" */
  if ((w = after(line, "parameter \\PORTID"))) d->port = (unsigned)strtoul(w, NULL, 10);
  if ((w = after(line, "parameter \\PRIORITY_MASK"))) d->above = ones(w);
  if (is(line, "end") && check_port(d) != 0) return -1;
  w = after(line, "connect");
  if (w && is_output(d, d->cell, w)) {
    w += strcspn(w, " \n");
    return drive_signal(d, &w);
  }
  w = after(line, "parameter \\CLK_ENABLE");
  if (w && strncmp(d->cell, "$memwr", 6) == 0 && strncmp(w, "1'0", 3) == 0) {
    char where[WORD];
    place(d, d->src, where, sizeof where);
    return mrpb_fail(d->err,
                     "%s: an array is written without a clock; legal: registers on posedge clk_i",
                     where);
  }
  if (is(line, "end")) d->cell = NULL;
  return 0;
}

static const char *next_line(const char *line) {
  line += strcspn(line, "\n");
  if (*line) line++;
  return line + strspn(line, " ");
}

static int find_outputs(drivers_t *d, const char *text) {
  const char *module = "";
  d->output = calloc(MAX_PORTS, sizeof *d->output);
  if (!d->output) return mrpb_fail(d->err, "out of memory");
  for (const char *line = text; *line; line = next_line(line)) {
    const char *w = after(line, "module");
    if (w) module = w;
    if (!(w = after(line, "wire")) || d->n_outputs == MAX_PORTS) continue;
    bool out = false;
    for (; *w != '\\' && *w != '$' && *w != '\n' && *w; w += strcspn(w, " \n"), w += *w == ' ')
      out = out || after(w, "output");
    if (out) d->output[d->n_outputs++] = (output_t){module, w};
  }
  return 0;
}

int drivers_check(const char *path, const char *dir, mrpb_err_t *err) {
  drivers_t d = {.dir = dir, .err = err};
  char *text = files_read(path, NULL);
  if (!text) return mrpb_fail(err, "%s: cannot read what Yosys wrote", path);
  int rc = find_outputs(&d, text);
  forget(&d);
  for (const char *line = text; rc == 0 && *line; line = next_line(line)) {
    const char *w = after(line, "module");
    if (w)
      forget(&d);
    else
      rc = d.cell ? cell_line(&d, line) : module_line(&d, line);
  }
  forget(&d);
  free(d.net);
  free(d.output);
  free(text);
  return rc;
}
