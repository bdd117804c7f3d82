/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/netlist_memory.h"

#include "verify/prove/netlist_priv.h"
#include "bits.h"
#include "verilog/cells.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static int64_t pin(const json_t *pins, const char *name, unsigned i) {
  return netlist_wire(json_array_get(json_object_get(pins, name), i));
}

static int64_t macro_pin(const json_t *pins, const char *bus, unsigned i) {
  char name[32];
  snprintf(name, sizeof name, "%s_%u", bus, i);
  return json_array_size(json_object_get(pins, name)) == 1 ? pin(pins, name, 0) : -3;
}

static int64_t *new_pins(unsigned n) {
  return prove_alloc((n + 1) * sizeof(int64_t));
}

static void allocate(memory_t *m, unsigned enables, unsigned waddr, unsigned raddr) {
  m->n_enable = enables;
  m->n_waddr = waddr;
  m->n_raddr = raddr;
  m->enable = new_pins(enables);
  m->waddr = new_pins(waddr);
  m->raddr = new_pins(raddr);
  m->wdata = new_pins(m->bits);
  m->rdata = new_pins(m->bits);
}

static cell_t *new_cell(netlist_t *n, gate_t type, const char *name, int64_t output) {
  netlist_cells_driven(n, output, name);
  if (output >= 0) n->driver[output] = n->n_cells;
  cell_t *c = &n->cell[n->n_cells++];
  *c = (cell_t){.type = type, .name = name, .a = -3, .b = -3, .s = -3, .q = output};
  return c;
}

/* The register at the output: a word that is read, a multiplexer, and a flip-flop for each bit. */
static void add_register(netlist_t *n, memory_t *m, int64_t clock, int64_t re) {
  m->after = m->rdata;
  m->re = re;
  m->rdata = new_pins(m->bits);
  for (unsigned k = 0; k < m->bits; k++) {
    const int64_t q = m->after[k], word = n->spare++, next = n->spare++;
    m->rdata[k] = word;
    n->driver[word] = m->cell;
    if (q < 0) continue;
    cell_t *mux = new_cell(n, G_MUX, m->name, next);
    mux->a = q;
    mux->b = word;
    mux->s = re;
    cell_t *flop = new_cell(n, G_DFF, m->name, q);
    flop->a = next;
    flop->s = clock;
  }
}

static void read_macro(netlist_t *n, memory_t *m, const json_t *pins, const macro_t *macro) {
  const unsigned address = bits_index_w(m->words), enables = cells_macro_enables(macro);
  const bool sync = macro->sync;
  allocate(m, enables, address, address);
  m->part = macro->part;
  m->clock = pin(pins, "clk", 0);
  for (unsigned i = 0; i < enables; i++)
    m->enable[i] = enables == 1 ? pin(pins, "we", 0) : macro_pin(pins, "we", i);
  for (unsigned i = 0; i < address; i++) {
    m->waddr[i] = macro_pin(pins, "waddr", i);
    m->raddr[i] = macro_pin(pins, "raddr", i);
  }
  for (unsigned i = 0; i < m->bits; i++) {
    m->wdata[i] = macro_pin(pins, "wdata", i);
    m->rdata[i] = macro_pin(pins, "rdata", i);
    if (!sync) netlist_cells_driven(n, m->rdata[i], m->name);
    if (!sync && m->rdata[i] >= 0) n->driver[m->rdata[i]] = m->cell;
  }
  if (sync) add_register(n, m, m->clock, pin(pins, "re", 0));
}

static unsigned parameter(const json_t *cell, const char *name) {
  const json_t *v = json_object_get(json_object_get(cell, "parameters"), name);
  if (json_is_integer(v)) return (unsigned)json_integer_value(v);
  return json_is_string(v) ? (unsigned)strtoul(json_string_value(v), NULL, 2) : 0;
}

/* A memory of the Verilog: one read that follows its address, and one write at the edge. */
static void read_mem(netlist_t *n, memory_t *m, const json_t *cell, const json_t *pins) {
  const unsigned address = parameter(cell, "ABITS");
  if (parameter(cell, "RD_PORTS") != 1 || parameter(cell, "WR_PORTS") != 1 ||
      parameter(cell, "RD_CLK_ENABLE") != 0 || parameter(cell, "WR_CLK_ENABLE") != 1 ||
      parameter(cell, "WR_CLK_POLARITY") != 1 || parameter(cell, "OFFSET") != 0)
    mrpb_fail(&n->trouble, "memory %s of the Verilog has not one read and one write port", m->name);
  allocate(m, m->bits, address, address);
  m->part = 1;
  m->clock = pin(pins, "WR_CLK", 0);
  for (unsigned i = 0; i < address; i++) {
    m->waddr[i] = pin(pins, "WR_ADDR", i);
    m->raddr[i] = pin(pins, "RD_ADDR", i);
  }
  for (unsigned i = 0; i < m->bits; i++) {
    m->enable[i] = pin(pins, "WR_EN", i);
    m->wdata[i] = pin(pins, "WR_DATA", i);
    m->rdata[i] = pin(pins, "RD_DATA", i);
    if (m->rdata[i] >= 0) n->driver[m->rdata[i]] = m->cell;
  }
}

bool netlist_memory_read(netlist_t *n, uint32_t c, const char *name, const json_t *cell) {
  const char *type = json_string_value(json_object_get(cell, "type"));
  const json_t *pins = json_object_get(cell, "connections");
  macro_t macro = {.sync = false};
  const bool mem = !n->cells && type && strcmp(type, "$mem_v2") == 0;
  if (!mem && !(n->cells && type && cells_macro(type, &macro))) return false;
  n->memory = prove_room(n->memory, n->n_memories + 1, &n->room_memories, sizeof *n->memory);
  memory_t *m = &n->memory[n->n_memories++];
  *m = (memory_t){.name = name,
                  .cell = c,
                  .re = -2, /* 1 */
                  .words = mem ? parameter(cell, "SIZE") : macro.words,
                  .bits = mem ? parameter(cell, "WIDTH") : macro.bits};
  n->cell[c] = (cell_t){.type = G_MEMORY, .name = name};
  if (mem)
    read_mem(n, m, cell, pins);
  else
    read_macro(n, m, pins, &macro);
  return true;
}

uint32_t netlist_memory_more(const json_t *cell) {
  const char *type = json_string_value(json_object_get(cell, "type"));
  macro_t macro;
  return type && cells_macro(type, &macro) && macro.sync ? 2 * macro.bits : 0;
}

void netlist_memory_close(netlist_t *n) {
  for (uint32_t i = 0; i < n->n_memories; i++) {
    memory_t *m = &n->memory[i];
    free(m->enable);
    free(m->waddr);
    free(m->raddr);
    free(m->wdata);
    free(m->rdata);
    free(m->after);
  }
  free(n->memory);
}

/* ---- looking ---- */

uint32_t netlist_memories(const netlist_t *n) {
  return n->n_memories;
}

const char *netlist_memory_name(const netlist_t *n, uint32_t memory) {
  return n->memory[memory].name;
}

unsigned netlist_memory_words(const netlist_t *n, uint32_t memory) {
  return n->memory[memory].words;
}

unsigned netlist_memory_bits(const netlist_t *n, uint32_t memory) {
  return n->memory[memory].bits;
}

uint32_t netlist_memory_find(const netlist_t *n, const char *name, unsigned words, unsigned bits,
                             const bool *taken) {
  uint32_t found = MEMORY_NONE;
  for (uint32_t i = n->n_memories; i-- > 0;) {
    const memory_t *m = &n->memory[i];
    if (m->words != words || m->bits != bits || taken[i]) continue;
    if (strcmp(m->name, name) == 0) return i;
    found = i;
  }
  return found;
}

/* ---- evaluation ---- */

static bv_t values(netlist_t *n, bv_ctx_t *x, const int64_t *pins, unsigned bits) {
  bv_t v = bv_new(x, bits);
  for (unsigned i = 0; i < bits; i++) v.b[i] = netlist_evaluate(n, x, pins[i]);
  return v;
}

lit_t netlist_memory_reads(netlist_t *n, bv_ctx_t *x, uint32_t memory) {
  return netlist_evaluate(n, x, n->memory[memory].re);
}

bv_t netlist_memory_raddr(netlist_t *n, bv_ctx_t *x, uint32_t memory) {
  const memory_t *m = &n->memory[memory];
  return values(n, x, m->raddr, m->n_raddr);
}

void netlist_memory_show(netlist_t *n, uint32_t memory, bv_t word) {
  const memory_t *m = &n->memory[memory];
  for (unsigned i = 0; i < m->bits; i++)
    if (m->rdata[i] >= 0) n->state[m->rdata[i]] = word.b[i];
}

memory_write_t netlist_memory_write(netlist_t *n, bv_ctx_t *x, uint32_t memory) {
  const memory_t *m = &n->memory[memory];
  const memory_write_t w = {.enable = values(n, x, m->enable, m->n_enable),
                            .part = m->part,
                            .address = values(n, x, m->waddr, m->n_waddr),
                            .data = values(n, x, m->wdata, m->bits)};
  if (n->cells)
    netlist_cells_clock(n, m->clock, false, m->name);
  else if (m->clock != n->clock)
    mrpb_fail(&n->trouble, "memory %s is not clocked by clk_i", m->name);
  return w;
}

lit_t netlist_memory_value(netlist_t *n, const cell_t *c, int64_t wire) {
  if (n->state[wire] != UNSET) return n->state[wire];
  mrpb_fail(&n->trouble, "the address of memory %s depends on what a memory reads", c->name);
  return AIG_FALSE;
}
