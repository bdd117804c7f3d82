/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the netlist of words that Yosys left: registers, arrays, clocks. */
#include "estimate/look_read.h"

#include "base/files.h"
#include "base/names.h"
#include "estimate/gates.h"

#include <stdlib.h>
#include <string.h>

/* The clock of the registers read so far, and one of these for messages. */
typedef struct {
  look_t *l;
  const synth_source_t *s;
  gates_t g;
  const char **owner; /* of a bit: its register's name, or NULL */
  int clock;
  char first[LOOK_NAME * 2 + 8];
  mrpb_err_t *err;
} reader_t;

static json_t *part(const json_t *cell, const char *group, const char *name) {
  return json_object_get(json_object_get(cell, group), name);
}

/* Parameters are texts of zeros and ones, the highest bit first. */
static uint32_t value(const json_t *cell, const char *name) {
  const json_t *v = part(cell, "parameters", name);
  const char *text = json_string_value(v);
  return text ? (uint32_t)strtoul(text, NULL, 2) : (uint32_t)json_integer_value(v);
}

static int bit_at(const json_t *bits, size_t i) {
  const json_t *v = json_array_get(bits, i);
  return json_is_integer(v) ? (int)json_integer_value(v) : -1;
}

/* "top.sv:8.5-8.33|tags.sv:40.1-41.75" becomes "tags.sv:40", the place inside. */
static void place_of(const json_t *cell, char at[LOOK_NAME]) {
  const char *src = json_string_value(part(cell, "attributes", "src"));
  const char *last = src ? strrchr(src, '|') : NULL;
  last = last ? last + 1 : src ? src : "";
  const char *colon = strrchr(last, ':');
  const size_t n = colon ? (size_t)(colon - last) + strcspn(colon, ".") : strlen(last);
  snprintf(at, LOOK_NAME, "%.*s", (int)(n < LOOK_NAME ? n : LOOK_NAME - 1), last);
}

/* ---- names ---- */

static int collect_names(reader_t *r) {
  const char *name;
  json_t *net;
  look_t *l = r->l;
  r->owner = calloc((size_t)r->g.n_bits + 1, sizeof *r->owner);
  l->registers = json_object();
  l->inputs = json_object();
  if (!r->owner || !l->registers || !l->inputs) return mrpb_fail(r->err, "out of memory");
  json_object_foreach(r->g.nets, name, net) {
    json_t *bits = json_object_get(net, "bits");
    if (part(net, "attributes", "mrpb_input")) json_object_set_new(l->inputs, name, json_true());
    if (!part(net, "attributes", "mrpb_register") || name[0] == '$') continue;
    json_object_set_new(l->registers, name, json_true());
    for (size_t i = 0; i < json_array_size(bits); i++)
      if (bit_at(bits, i) >= 0) r->owner[bit_at(bits, i)] = name;
  }
  return 0;
}

static const char *name_of(const reader_t *r, int bit, const char *cell) {
  if (bit < 0) return cell;
  const gates_alias_t *a = gates_name(&r->g, bit);
  return r->owner[bit] ? r->owner[bit] : a ? a->name : cell;
}

static const char *port_of(const reader_t *r, int bit, char text[LOOK_NAME]) {
  const char *name;
  json_t *port;
  json_object_foreach(r->g.ports, name, port) {
    const json_t *bits = json_object_get(port, "bits");
    const size_t n = json_array_size(bits);
    if (strcmp(json_string_value(json_object_get(port, "direction")), "input") != 0) continue;
    for (size_t i = 0; i < n; i++) {
      if (bit < 0 || bit_at(bits, i) != bit) continue;
      const int said = (int)i + (int)json_integer_value(json_object_get(port, "offset"));
      if (n > 1)
        snprintf(text, LOOK_NAME, "%.100s[%d]", name, said);
      else
        snprintf(text, LOOK_NAME, "%.127s", name);
      return text;
    }
  }
  return NULL;
}

/* ---- the clock ---- */

static bool given(const synth_source_t *s, const char *port) {
  for (unsigned i = 0; i < s->n_clocks; i++)
    if (strcmp(s->clock[i], port) == 0) return true;
  return false;
}

/* All registers and arrays must have one clock and one edge of it. */
static int take_clock(reader_t *r, int bit, bool rising, const char *name, const char *at) {
  look_t *l = r->l;
  char port[LOOK_NAME];
  const bool first = !l->clock[0];
  if (!port_of(r, bit, port))
    return mrpb_fail(r->err,
                     "%s: %s: no input clocks `%s`, but logic or a register does; legal: an input "
                     "as its clock, and an enable",
                     r->s->name, at, name);
  if (r->s->n_clocks > 0 && !given(r->s, port))
    return mrpb_fail(r->err, "%s: %s: `%s` clocks `%s`; legal: --clock-port %s", r->s->name, at,
                     port, name, port);
  if (first) {
    snprintf(l->clock, sizeof l->clock, "%s", port);
    snprintf(r->first, sizeof r->first, "`%.127s` (%.120s)", name, at);
    l->falling = !rising;
  }
  if (strcmp(l->clock, port) != 0 && r->s->n_clocks == 0)
    return mrpb_fail(r->err,
                     "%s: two clocks: `%s` of %s, `%s` of `%s` (%s); legal: one, or, if both are "
                     "one clock, --clock-port %s --clock-port %s",
                     r->s->name, l->clock, r->first, port, name, at, l->clock, port);
  if (l->falling == rising)
    return mrpb_fail(r->err, "%s: registers at both edges of `%s`: %s, `%s` (%s); legal: one edge",
                     r->s->name, port, r->first, name, at);
  return 0;
}

/* ---- registers ---- */

static look_reg_t *find(look_t *l, const char *name, size_t n) {
  for (unsigned i = 0; i < l->n_regs; i++)
    if (strncmp(l->reg[i].name, name, n) == 0 && l->reg[i].name[n] == '\0') return &l->reg[i];
  return NULL;
}

/* The elements of an array that Yosys split into registers count as one: "tags[3]". */
static size_t base_of(const reader_t *r, const char *name) {
  const char *element = strrchr(name, '[');
  char base[LOOK_NAME];
  const size_t n = element ? (size_t)(element - name) : strlen(name);
  if (!element || n >= sizeof base || element[strlen(element) - 1] != ']') return strlen(name);
  snprintf(base, sizeof base, "%.*s", (int)n, name);
  return strchr(element, '.') || json_object_get(r->l->registers, base) ? strlen(name) : n;
}

static int add_bit(reader_t *r, const char *name, const char *at, const char **last) {
  look_t *l = r->l;
  size_t n = base_of(r, name);
  if (n >= LOOK_NAME) n = LOOK_NAME - 1;
  look_reg_t *reg = find(l, name, n);
  if (!reg) {
    if (l->n_regs == LOOK_REGS)
      return mrpb_fail(r->err, "%s: more than %d registers", r->s->name, (int)LOOK_REGS);
    reg = &l->reg[l->n_regs++];
    *reg = (look_reg_t){.words = 0};
    snprintf(reg->name, sizeof reg->name, "%.*s", (int)n, name);
    snprintf(reg->at, sizeof reg->at, "%s", at);
  }
  if (*last != name) reg->words += n < strlen(name) || reg->words == 0;
  *last = name;
  reg->bits++;
  reg->width = (uint32_t)(reg->bits / reg->words);
  return 0;
}

static int take_register(reader_t *r, const char *cell_name, const json_t *cell, const char *type) {
  const json_t *q = part(cell, "connections", "Q");
  const char *last = NULL;
  char at[LOOK_NAME];
  place_of(cell, at);
  const char *first = name_of(r, bit_at(q, 0), cell_name);
  if (strstr(type, "latch") || strcmp(type, "$sr") == 0)
    return mrpb_fail(r->err, "%s: %s: `%s` is a latch; legal: registers at a clock's edge",
                     r->s->name, at, first);
  if (strncmp(type, "$aldff", 6) == 0)
    return mrpb_fail(
        r->err,
        "%s: %s: `%s` loads a value without the clock; legal: an asynchronous reset to "
        "a constant",
        r->s->name, at, first);
  r->l->async_resets |= strncmp(type, "$adff", 5) == 0 || strncmp(type, "$dffsr", 6) == 0;
  if (take_clock(r, bit_at(part(cell, "connections", "CLK"), 0), value(cell, "CLK_POLARITY") & 1,
                 first, at) != 0)
    return -1;
  for (size_t i = 0; i < json_array_size(q); i++)
    if (add_bit(r, name_of(r, bit_at(q, i), cell_name), at, &last) != 0) return -1;
  return 0;
}

/* ---- arrays ---- */

static bool constant(const json_t *bits, char c) {
  const char *text = json_string_value(json_array_get(bits, 0));
  return text && text[0] == c;
}

/* Whether the array has the ports of a macro; the register behind its read is in `late`. */
static void judge_shape(look_reg_t *reg, const json_t *cell, const json_t *late) {
  const unsigned reads = value(cell, "RD_PORTS"), writes = value(cell, "WR_PORTS");
  const json_t *enable = part(cell, "connections", "WR_EN");
  bool whole = true;
  for (size_t i = 1; i < json_array_size(enable); i++)
    whole = whole && bit_at(enable, i) == bit_at(enable, 0);
  const bool follows = late && (value(late, "RD_CLK_ENABLE") & 1);
  const bool plain = follows && (value(late, "RD_CLK_POLARITY") & 1) &&
                     value(late, "RD_TRANSPARENCY_MASK") == 0 &&
                     constant(part(late, "connections", "RD_ARST"), '0') &&
                     constant(part(late, "connections", "RD_SRST"), '0');
  reg->clocked = plain;
  reg->kept = follows && !plain;
  if (reads != 1 || writes != 1)
    snprintf(reg->why, sizeof reg->why, "%u read and %u write ports", reads, writes);
  else if (!whole)
    snprintf(reg->why, sizeof reg->why, "parts of a word are written");
  else if (!(value(cell, "WR_CLK_POLARITY") & 1))
    snprintf(reg->why, sizeof reg->why, "written at the falling edge");
  else
    reg->shape = true;
}

static int take_array(reader_t *r, const char *name, const json_t *cell, const gates_t *late) {
  look_t *l = r->l;
  char at[LOOK_NAME];
  if (value(cell, "WR_PORTS") == 0) return 0; /* a table of constants is logic */
  if (l->n_regs == LOOK_REGS)
    return mrpb_fail(r->err, "%s: more than %d registers", r->s->name, (int)LOOK_REGS);
  place_of(cell, at);
  const json_t *clock = part(cell, "connections", "WR_CLK");
  const unsigned writes = value(cell, "WR_PORTS");
  for (unsigned i = 0; i < writes; i++)
    if (take_clock(r, bit_at(clock, i), value(cell, "WR_CLK_POLARITY") >> i & 1, name, at) != 0)
      return -1;
  look_reg_t *reg = &l->reg[l->n_regs++];
  *reg = (look_reg_t){.words = value(cell, "SIZE"), .width = value(cell, "WIDTH"), .array = true};
  reg->bits = (uint64_t)reg->words * reg->width;
  snprintf(reg->name, sizeof reg->name, "%.127s", name);
  snprintf(reg->at, sizeof reg->at, "%s", at);
  judge_shape(reg, cell, json_object_get(late->cells, name));
  json_object_set_new(l->registers, name, json_true());
  return 0;
}

/* ---- all ---- */

static int check_ports(const reader_t *r) {
  const char *name;
  json_t *port;
  json_object_foreach(r->g.ports, name, port) {
    if (strcmp(json_string_value(json_object_get(port, "direction")), "inout") == 0)
      return mrpb_fail(r->err, "%s: `%s` is an inout; legal: inputs and outputs", r->s->name, name);
  }
  for (unsigned i = 0; i < r->s->n_clocks; i++) {
    names_near_t near = names_near(r->s->clock[i]);
    char base[LOOK_NAME];
    snprintf(base, sizeof base, "%.*s", (int)strcspn(r->s->clock[i], "["), r->s->clock[i]);
    const json_t *found = json_object_get(r->g.ports, base);
    const char *way = json_string_value(json_object_get(found, "direction"));
    if (way && strcmp(way, "input") == 0) continue;
    json_object_foreach(r->g.ports, name, port) names_offer(&near, name);
    return mrpb_fail(r->err, "%s: no input '%s'%s", r->s->name, r->s->clock[i], near.text);
  }
  return 0;
}

static int take_cells(reader_t *r, const gates_t *late) {
  const char *name;
  json_t *cell;
  json_object_foreach(r->g.cells, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    int rc = 0;
    if (strncmp(type, "$mem", 4) == 0)
      rc = take_array(r, name, cell, late);
    else if (strstr(type, "dff") || strstr(type, "latch") || strcmp(type, "$sr") == 0)
      rc = take_register(r, name, cell, type);
    if (rc != 0) return rc;
  }
  if (r->s->n_clocks > 0 && !r->l->clock[0])
    return mrpb_fail(r->err, "%s: --clock-port %s: no register in it; legal: without --clock-port",
                     r->s->name, r->s->clock[0]);
  return 0;
}

static int by_name(const void *a, const void *b) {
  const look_reg_t *x = a, *y = b;
  return strcmp(x->name, y->name);
}

int look_read(look_t *l, const synth_source_t *s, const char *folder, mrpb_err_t *err) {
  char words[FILES_PATH], memory[FILES_PATH], init[FILES_PATH];
  reader_t r = {.l = l, .s = s, .err = err};
  gates_t late;
  if (!files_path(words, "%s/look.json", folder) || !files_path(memory, "%s/memory.json", folder) ||
      !files_path(init, "%s/init.txt", folder))
    return mrpb_fail(err, "%s: path too long", folder);
  l->reg = calloc(LOOK_REGS, sizeof *l->reg);
  if (!l->reg) return mrpb_fail(err, "out of memory");
  if (gates_open(&late, memory, s->top, err) != 0) return -1;
  int rc = gates_open(&r.g, words, s->top, err);
  if (rc == 0) {
    rc = collect_names(&r) == 0 && check_ports(&r) == 0 ? take_cells(&r, &late) : -1;
    gates_close(&r.g);
  }
  gates_close(&late);
  free(r.owner);
  qsort(l->reg, l->n_regs, sizeof *l->reg, by_name);
  char *text = files_read(init, NULL);
  l->initial = text && text[0];
  free(text);
  return rc;
}
