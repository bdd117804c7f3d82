/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the registers of the modules into arrays, by rules, and adds the caches' arrays. */
#include "estimate/storage.h"

#include "bits.h"
#include "module.h"
#include "config/verilog_params.h"
#include "parts/coalescer.h"

#include <stdio.h>
#include <string.h>

/* How the Verilog uses a register with more than one word. An array that at most one address reads
 * and one writes in a cycle, and that no reset clears, is an SRAM if a register follows the read.
 * Otherwise it is a register file: the address gives the word within the cycle, which no SRAM of a
 * memory compiler does. An array that is searched by its contents is a CAM. Any other is
 * flip-flops. */
typedef struct {
  const char *stem, *name;
  storage_kind_t kind;
  uint8_t read, write, search;
  bool whole;
  const char *use;
} rule_t;

static const rule_t rules[] = {
    {"mrpb", "u_fifo_bank.u_mem.mem_q", STORAGE_SRAM, 1, 1, 0, false,
     "1 read (dequeue), then 1 write (enqueue): split cycle"},
    {"mrpb", "u_fifo_bank.head_q", STORAGE_REGISTERS, 1, 1, 0, false,
     "1 read and 1 write of the dequeued queue; reset"},
    {"mrpb", "u_fifo_bank.tail_q", STORAGE_REGISTERS, 1, 1, 0, false,
     "1 read and 1 write of the enqueued queue; reset"},
    {"mrpb", "u_drain_selector.more_q", STORAGE_REGISTERS, 2, 2, 0, true,
     "all read (drain policy), 2 written; reset"},
    {"mrpb", "line_queue_q", STORAGE_REGISTERS, 1, 1, 0, true, "all move by one stage; reset"},
    {"mrpb", "block_held_q", STORAGE_REGISTERS, 2, 2, 0, false,
     "2 read, 2 written (accepted, left); reset"},
    {"mshr", "addr_q", STORAGE_CAM, 0, 1, 2, false,
     "2 searches (look-up, store), 1 write (allocate)"},
    {"mshr", "data_q", STORAGE_FILE, 1, 1, 0, false,
     "1 read (drain, no clock), 1 write (allocate or merge)"},
    {"mshr", "len_q", STORAGE_REGISTERS, 2, 2, 0, false, "2 read, 2 written (drain, look-up)"},
    {"mshr", "head_q", STORAGE_REGISTERS, 2, 2, 0, false, "2 read, 2 written (drain, look-up)"},
    {"mshr", "order_q", STORAGE_REGISTERS, 1, 1, 0, false, "1 read (drain), 1 write (fill)"},
    {"prt", "left_q", STORAGE_REGISTERS, 2, 2, 0, false,
     "2 read (reply, issue), 2 written (allocate, issue)"},
    {"prt", "pend_q", STORAGE_REGISTERS, 2, 3, 0, false,
     "2 read (reply, issue), 3 written (reply, allocate, issue)"},
    {"prt", "tag_q", STORAGE_FILE, 1, 1, 0, false, "1 read (reply, no clock), 1 write (allocate)"},
    {"prt", "offset_q", STORAGE_FILE, 1, 1, 0, false,
     "1 read (reply, no clock), 1 write (allocate)"},
};
enum { N_RULES = sizeof rules / sizeof *rules };

static const rule_t single = {"", "", STORAGE_REGISTERS, 1, 1, 0, true, "read and written; reset"};
static const rule_t unknown = {"", "", STORAGE_REGISTERS, 1, 1, 0, true, "not known: as a whole"};

static const rule_t *rule_of(const char *stem, const char *name) {
  for (unsigned i = 0; i < N_RULES; i++)
    if (strcmp(rules[i].stem, stem) == 0 && strcmp(rules[i].name, name) == 0) return &rules[i];
  return NULL;
}

bool storage_knows(const char *stem, const char *name) {
  return rule_of(stem, name) != NULL;
}

bool storage_rule(unsigned i, const char **stem, const char **name) {
  if (i >= N_RULES) return false;
  *stem = rules[i].stem;
  *name = rules[i].name;
  return true;
}

static int full(mrpb_err_t *err) {
  return mrpb_fail(err, "storage: more than %d arrays", STORAGE_ARRAYS);
}

static storage_array_t *add(storage_t *s, const char *unit, const char *name, const rule_t *rule) {
  if (s->n == STORAGE_ARRAYS) return NULL;
  storage_array_t *a = &s->array[s->n++];
  *a = (storage_array_t){.use = rule->use,
                         .kind = rule->kind,
                         .read = rule->read,
                         .write = rule->write,
                         .search = rule->search,
                         .whole = rule->whole};
  snprintf(a->unit, sizeof a->unit, "%s", unit);
  snprintf(a->name, sizeof a->name, "%s.%s", unit, name);
  return a;
}

/* "u_fifo_bank.u_mem.mem_q" of mrpb is in rtl/fifo_bank.v. */
static void place(storage_array_t *a, const char *stem, const char *name) {
  const char *dot = strchr(name, '.');
  if (dot && strncmp(name, "u_", 2) == 0)
    snprintf(a->where, sizeof a->where, "rtl/%.*s.v", (int)(dot - name - 2), name + 2);
  else
    snprintf(a->where, sizeof a->where, "rtl/%s.v", stem);
}

static int add_module(storage_t *s, const module_class_t *cls, const uint32_t *params,
                      uint32_t copies, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  void *self;
  if (cls->create(&self, params, err) != 0) return -1;
  cls->regs(self, regs);
  int rc = 0;
  for (unsigned i = 0; i < cls->n_regs && rc == 0; i++) {
    const rule_t *rule = rule_of(cls->stem, regs[i].name);
    if (!rule) rule = regs[i].words == 1 ? &single : &unknown;
    storage_array_t *a = add(s, cls->stem, regs[i].name, rule);
    if (!a) {
      rc = full(err);
      continue;
    }
    a->words = regs[i].words;
    a->bits = regs[i].width;
    a->copies = copies;
    a->rtl = true;
    place(a, cls->stem, regs[i].name);
  }
  cls->destroy(self);
  return rc;
}

/* Without the flush option writes are stored, together with their data: what the buffer holds for
 * each entry beside the header. The Verilog's payload is the header alone. */
static int add_write_data(storage_t *s, const config_t *c, mrpb_err_t *err) {
  static const rule_t rule = {
      "", "", STORAGE_SRAM, 1,
      1,  0,  false,        "1 read (dequeue), then 1 write (enqueue): split cycle"};
  storage_array_t *a = add(s, "mrpb", "write_data", &rule);
  if (!a) return full(err);
  a->words = c->mrpb_queues * c->mrpb_depth;
  a->bits = COALESCER_LINE * 8;
  a->copies = c->sms;
  snprintf(a->where, sizeof a->where, "no Verilog: data do not travel in it");
  return 0;
}

/* A cache with lines of 128 bytes, whose sets share the `lines` of an address space. */
typedef struct {
  const char *unit, *where;
  uint32_t sets, ways, copies;
  uint64_t lines;
  uint32_t order_bits; /* replacement state of a set; 0: nothing is kept */
} cache_t;

/* LRU keeps the age of each way, first in first out the next way. Fermi's choice needs no state in
 * a set. */
static uint32_t order_bits(uint32_t ways, uint32_t replacement) {
  if (ways == 1 || replacement == TAGS_FERMI) return 0;
  return replacement == TAGS_LRU ? ways * bits_index_w(ways) : bits_index_w(ways);
}

static int add_cache(storage_t *s, const cache_t *c, mrpb_err_t *err) {
  enum { STATE_W = 2 };
  static const rule_t tag = {
      "", "", STORAGE_SRAM, 1, 1, 0, false, "1 read (look-up), 1 write (reserve, fill or evict)"};
  static const rule_t cam = {
      "", "", STORAGE_CAM, 0, 1, 1, false, "1 search (look-up), 1 write (reserve, fill or evict)"};
  static const rule_t data = {"", "", STORAGE_SRAM, 1, 1, 0, false, "1 read (hit), 1 write (fill)"};
  static const rule_t order = {
      "", "", STORAGE_REGISTERS, 1, 1, 0, false, "1 set read and written (replacement)"};
  const uint32_t lines = c->sets * c->ways;
  const uint32_t tag_bits = bits_clog2((c->lines + c->sets - 1) / c->sets) + STATE_W;
  storage_array_t *t = add(s, c->unit, "tag", c->sets == 1 && c->ways > 1 ? &cam : &tag);
  storage_array_t *d = add(s, c->unit, "data", &data);
  storage_array_t *o = add(s, c->unit, "order", &order);
  if (!o) return full(err);
  t->words = d->words = lines;
  t->bits = d->tag_bits = tag_bits;
  d->bits = COALESCER_LINE * 8;
  t->ways = d->ways = c->ways;
  o->words = c->sets;
  o->bits = c->order_bits;
  t->copies = d->copies = o->copies = c->copies;
  for (storage_array_t *a = t; a <= o; a++) snprintf(a->where, sizeof a->where, "%s", c->where);
  if (c->order_bits == 0) s->n--;
  return 0;
}

static int add_caches(storage_t *s, const config_t *c, mrpb_err_t *err) {
  const uint64_t lines = UINT64_C(1) << SM_LINE_ADDR_W;
  const cache_t l1d = {.unit = "l1d",
                       .where = "no Verilog: tb/parts/tag_array.c",
                       .sets = c->l1d_sets,
                       .ways = c->l1d_ways,
                       .copies = c->sms,
                       .lines = lines,
                       .order_bits = order_bits(c->l1d_ways, c->l1d_replacement)};
  const cache_t slice = {.unit = "l2",
                         .where = "no Verilog: tb/gpu/l2/l2_cache.c",
                         .sets = c->l2_sets,
                         .ways = c->l2_ways,
                         .copies = c->l2_slices,
                         .lines = (lines + c->l2_slices - 1) / c->l2_slices,
                         .order_bits = order_bits(c->l2_ways, TAGS_LRU)};
  const cache_t whole = {.unit = "l2",
                         .where = "no Verilog: tb/gpu/ports/cache.c",
                         .sets = c->l2_total_sets,
                         .ways = c->l2_ways,
                         .copies = 1,
                         .lines = lines,
                         .order_bits = order_bits(c->l2_ways, c->l2_replacement)};
  const cache_t *l2 = c->memory == CONFIG_MEMORY_PORTS ? &whole : &slice;
  if (l1d.sets && add_cache(s, &l1d, err) != 0) return -1;
  return l2->sets ? add_cache(s, l2, err) : 0;
}

int storage_of(const config_t *cfg, storage_t *s, mrpb_err_t *err) {
  const mrpb_cfg_t mrpb = config_mrpb_params(cfg);
  const mshr_cfg_t mshr = config_mshr_params(cfg);
  const prt_cfg_t prt = config_prt_params(cfg);
  memset(s, 0, sizeof *s);
  if (config_has_mrpb(cfg)) {
    if (add_module(s, &mrpb_class, (const uint32_t *)&mrpb, cfg->sms, err) != 0) return -1;
    if (!cfg->mrpb_flush && add_write_data(s, cfg, err) != 0) return -1;
  }
  if (config_has_mshr(cfg) &&
      add_module(s, &mshr_class, (const uint32_t *)&mshr, cfg->sms, err) != 0)
    return -1;
  if (config_has_prt(cfg) && add_module(s, &prt_class, (const uint32_t *)&prt, cfg->sms, err) != 0)
    return -1;
  return add_caches(s, cfg, err);
}

const storage_array_t *storage_find(const storage_t *s, const char *name) {
  for (unsigned i = 0; i < s->n; i++)
    if (strcmp(s->array[i].name, name) == 0) return &s->array[i];
  return NULL;
}

uint64_t storage_bits(const storage_array_t *a) {
  return (uint64_t)a->words * a->bits;
}

uint64_t storage_sum(const storage_t *s, const char *unit, storage_kind_t kind) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < s->n; i++) {
    const storage_array_t *a = &s->array[i];
    if (kind != STORAGE_KINDS && a->kind != kind) continue;
    if (!unit)
      sum += storage_bits(a) * a->copies;
    else if (strcmp(unit, a->unit) == 0)
      sum += storage_bits(a);
  }
  return sum;
}

const char *storage_kind_name(storage_kind_t kind) {
  static const char *const names[] = {"registers", "register file", "SRAM", "CAM"};
  return kind < STORAGE_KINDS ? names[kind] : "";
}
