/* SPDX-License-Identifier: Apache-2.0 */
/* Reads RTLIL line by line, and counts the drivers of each bit of a module's nets. Yosys' own check
 * does not count a constant as a driver, and loses nets that are joined. */
#include "verilog/lint/drivers.h"

#include "base/grow.h"
#include "base/files.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PORTS = 4096, WORD = 512, HASH = 1 << 12 };

typedef struct {
  const char *name, *src; /* point into the text, end at a blank */
  unsigned width;
  uint32_t *driven; /* by which block; 0: not driven, UINT32_MAX: driven by something else */
  int next;         /* in its bucket */
} net_t;

/* A module's output, for its instances. */
typedef struct {
  const char *module, *port;
} output_t;

/* An array that a block writes. */
typedef struct {
  const char *name;
  uint32_t block;
} written_t;

typedef struct {
  const char *dir;
  mrpb_err_t *err;
  output_t *output;
  unsigned n_outputs;
  net_t *net;
  unsigned n_nets;
  size_t room;
  int bucket[HASH];
  const char *src, *cell; /* cell: its type; NULL outside */
  bool falling;           /* the cell's clock counts its falling edge */
  uint32_t block;         /* the block begun last */
  bool initial;           /* its assignments now are initial values */
  written_t *array;
  size_t n_arrays, room_arrays;
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
  d->n_arrays = 0;
}

/* Turns the attribute `src`, such as `"/path/x.v:12.3-12.9"`, into "dir/x.v:12". */
static void place(const drivers_t *d, const char *src, char *text, size_t size) {
  size_t n = src ? strcspn(src + 1, "\"|\n") : 0;
  const char *base = src ? src + 1 : "";
  for (size_t i = 0; d->dir && i < n; i++)
    if (src[1 + i] == '/') base = src + 2 + i;
  size_t line = strcspn(base, ":\"");
  size_t end = base[line] == ':' ? line + 1 + strspn(base + line + 1, "0123456789") : line;
  snprintf(text, size, "%s%s%.*s", d->dir ? d->dir : "", d->dir ? "/" : "", (int)end, base);
}

static int two_drivers(const drivers_t *d, const net_t *net, unsigned bit) {
  char where[WORD], place_bit[32] = "";
  place(d, net->src, where, sizeof where);
  if (net->width > 1) snprintf(place_bit, sizeof place_bit, "[%u]", bit);
  return mrpb_fail(d->err, "%s: net %.*s%s has two drivers; legal: one", where,
                   (int)strcspn(net->name, " \n") - 1, net->name + 1, place_bit);
}

/* A block may assign a bit any number of times. */
static int drive_by(drivers_t *d, net_t *net, unsigned low, unsigned n, uint32_t by) {
  for (unsigned i = low; i < low + n && i < net->width; i++) {
    if (net->driven[i] && (net->driven[i] != by || by == UINT32_MAX)) return two_drivers(d, net, i);
    net->driven[i] = by;
  }
  return 0;
}

/* Drives `\name`, `\name [3:1]`, `\name [3]`, a constant, or `{ ... }` of these; *at moves to its
 * end. */
static int drive_signal(drivers_t *d, const char **at, uint32_t by) {
  const char *s = *at;
  int rc = 0;
  while (*s == ' ') s++;
  if (*s == '{') {
    for (s++; rc == 0 && *s && *s != '}' && *s != '\n';) {
      rc = drive_signal(d, &s, by);
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
  return net && high >= low ? drive_by(d, net, low, high - low + 1, by) : 0;
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
  net_t *more = grow(d->net, d->n_nets + 1, &d->room, sizeof *more);
  if (!more) return mrpb_fail(d->err, "out of memory");
  d->net = more;
  unsigned b = bucket_of(words);
  net_t *net = &d->net[d->n_nets];
  *net = (net_t){words, d->src, width, calloc(width + 1, sizeof(uint32_t)), d->bucket[b]};
  if (!net->driven) return mrpb_fail(d->err, "out of memory");
  d->bucket[b] = (int)d->n_nets++;
  return input ? drive_by(d, net, 0, width, UINT32_MAX) : 0;
}

/* The name of a cell type that no design may have; NULL for other types. */
static const char *bad_cell(const drivers_t *d, const char *type) {
  static const struct {
    const char *begins, *what;
    bool ours; /* a user's design may have it */
  } bad[] = {{"$dlatch", "a latch: not assigned in every branch", false},
             {"$adlatch", "a latch", false},
             {"$sr", "a latch", false},
             {"$dlatchsr", "a latch", false},
             {"$tribuf", "a tristate buffer", false},
             {"$_TBUF_", "a tristate buffer", false},
             {"$adff", "a register with an asynchronous reset", true},
             {"$aldff", "a register with an asynchronous reset", true},
             {"$dffsr", "a register with an asynchronous reset", true}};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    if (strncmp(type, bad[i].begins, strlen(bad[i].begins)) == 0 && (d->dir || !bad[i].ours))
      return bad[i].what;
  return NULL;
}

/* Yosys places an always_latch in line 0; the location of what it drives is used then. */
static int refuse_cell(const drivers_t *d, const char *what, const char *driven) {
  char where[WORD];
  const net_t *net = find(d, driven);
  place(d, d->src, where, sizeof where);
  const char *colon = strrchr(where, ':');
  if (net && net->src && (!colon || strcmp(colon, ":0") == 0))
    place(d, net->src, where, sizeof where);
  return mrpb_fail(d->err, "%s: %.*s is %s; legal: combinational logic, registers on %s", where,
                   (int)strcspn(driven, " \n") - 1, driven + 1, what,
                   d->dir ? "posedge clk_i" : "the rising edge of the clock");
}

/* Refuses two blocks that write to one array: each tool decides which write is last. The writes of
 * one block have an order. */
static int write_array(drivers_t *d, const char *name) {
  char where[WORD];
  for (size_t i = 0; i < d->n_arrays; i++) {
    if (!same(d->array[i].name, name)) continue;
    if (d->array[i].block == d->block) return 0;
    place(d, d->src, where, sizeof where);
    return mrpb_fail(d->err, "%s: array %.*s is written in two blocks; legal: one", where,
                     (int)strcspn(name, " \n") - 1, name + 1);
  }
  written_t *more = grow(d->array, d->n_arrays + 1, &d->room_arrays, sizeof *more);
  if (!more) return mrpb_fail(d->err, "out of memory");
  d->array = more;
  more[d->n_arrays++] = (written_t){name, d->block};
  return 0;
}

/* A line within a block, before `proc`. */
static int block_line(drivers_t *d, const char *line) {
  const char *w;
  if (after(line, "process")) d->block++, d->initial = false;
  if ((w = after(line, "sync"))) d->initial = is(w, "init");
  if ((w = after(line, "memwr"))) return write_array(d, w);
  if ((w = after(line, "update")) && !d->initial) return drive_signal(d, &w, d->block);
  return 0;
}

static int module_line(drivers_t *d, const char *line) {
  const char *w;
  if ((w = after(line, "attribute \\src"))) return d->src = w, 0;
  if ((w = after(line, "wire"))) return add_net(d, w);
  if ((w = after(line, "cell"))) return d->cell = w, d->falling = false, 0;
  if ((w = after(line, "connect"))) return drive_signal(d, &w, UINT32_MAX);
  return block_line(d, line);
}

/* The output of a register cell follows later, so the register is only noted. A write to an array
 * has no output, and its clock is meaningful only with CLK_ENABLE, which Yosys writes first. */
static int falling(drivers_t *d) {
  char where[WORD];
  d->falling = strncmp(d->cell, "$mem", 4) != 0;
  if (strncmp(d->cell, "$memwr", 6) != 0) return 0;
  place(d, d->src, where, sizeof where);
  return mrpb_fail(
      d->err, "%s: an array is written on the falling edge; legal: the rising edge of the clock",
      where);
}

static int cell_line(drivers_t *d, const char *line) {
  const char *w = after(line, "connect");
  if (w && is_output(d, d->cell, w)) {
    const char *bad = d->falling ? "a register on the falling edge" : bad_cell(d, d->cell);
    w += strcspn(w, " \n");
    if (bad) return refuse_cell(d, bad, w + strspn(w, " {"));
    return drive_signal(d, &w, UINT32_MAX);
  }
  w = after(line, "parameter \\CLK_POLARITY");
  if (w && (is(w, "0") || is(w, "1'0"))) return falling(d);
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
  free(d.array);
  free(d.output);
  free(text);
  return rc;
}
