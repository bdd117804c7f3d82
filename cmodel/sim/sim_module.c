/* SPDX-License-Identifier: Apache-2.0 */
/* One module as processes. Its registers live in the model itself, which only these processes
 * touch. The clocked process changes them at once and toggles a signal, which wakes the
 * combinational ones in the next delta cycle. This has the same effect as if they read the
 * registers, so they can be levelled. */
#include "sim/sim_module.h"

#include "bits.h"

#include <stdlib.h>
#include <string.h>

enum { DEEP = 4, NAME = 80 };

typedef struct { /* at most 64 bits of a port */
  char name[NAME];
  unsigned word; /* index into the module's inputs or outputs */
  sim_sig_t sig;
  bool early;
} wire_t;

typedef struct { /* at most 64 bits of a register */
  const unsigned char *data;
  unsigned bytes;
  sim_sig_t sig;
} shown_t;

typedef struct {
  char name[NAME];
  sim_module_t module;
} scope_t;

struct sim_unit {
  const module_class_t *cls;
  void *model;
  uint64_t *in, *out, *none, *alone; /* none: all-zero inputs; alone: outputs computed from them */
  wire_t *wire;                      /* first the inputs, then the outputs */
  unsigned n_in, n_wires, n_early, n_shown;
  shown_t *shown;
  sim_sig_t turn;
  mrpb_err_t fault;
};

/* ---- processes ------------------------------------------------------------------------------ */

static void read_inputs(const sim_t *sim, sim_unit_t *u) {
  for (unsigned i = 0; i < u->n_in; i++) u->in[u->wire[i].word] = sim_read(sim, u->wire[i].sig);
}

static void write_outputs(sim_t *sim, const sim_unit_t *u, const uint64_t *out, bool early) {
  for (unsigned i = u->n_in; i < u->n_wires; i++)
    if (u->wire[i].early == early) sim_write(sim, u->wire[i].sig, out[u->wire[i].word]);
}

/* Checks that outputs declared to depend on registers only stay the same with other inputs. */
static void check_early(sim_t *sim, sim_unit_t *u) {
  u->cls->comb(u->model, u->none, u->alone);
  for (unsigned i = u->n_in; i < u->n_wires; i++) {
    const wire_t *w = &u->wire[i];
    if (!w->early || u->out[w->word] == u->alone[w->word]) continue;
    mrpb_fail(&u->fault, "time %llu fs: %s: output \"%s\" depends on inputs; it cannot be early",
              (unsigned long long)sim_now(sim), u->cls->stem, w->name);
    sim_stop(sim);
  }
}

static void comb(sim_t *sim, void *ctx) {
  sim_unit_t *u = ctx;
  read_inputs(sim, u);
  u->cls->comb(u->model, u->in, u->out);
  if (u->n_early) check_early(sim, u);
  write_outputs(sim, u, u->out, false);
}

static void comb_early(sim_t *sim, void *ctx) {
  sim_unit_t *u = ctx;
  u->cls->comb(u->model, u->none, u->alone);
  write_outputs(sim, u, u->alone, true);
}

static uint64_t value(const shown_t *s) {
  uint64_t v = 0;
  for (unsigned i = 0; i < s->bytes; i++) v |= (uint64_t)s->data[i] << 8 * i;
  return v;
}

static void edge(sim_t *sim, void *ctx) {
  sim_unit_t *u = ctx;
  read_inputs(sim, u);
  u->cls->edge(u->model, u->in);
  sim_write(sim, u->turn, !sim_read(sim, u->turn));
  for (unsigned i = 0; i < u->n_shown; i++) sim_write(sim, u->shown[i].sig, value(&u->shown[i]));
}

/* ---- ports ---------------------------------------------------------------------------------- */

static unsigned words_of(unsigned width) {
  return (width + 63) / 64;
}

/* Number of bits of word w of something that is `width` bits wide. */
static unsigned word_bits(unsigned width, unsigned w) {
  return width - 64 * w < 64 ? width - 64 * w : 64;
}

static void word_name(char out[NAME], const char *name, unsigned width, unsigned w) {
  if (width <= 64)
    snprintf(out, NAME, "%s", name);
  else
    snprintf(out, NAME, "%.66s_w%u", name, w);
}

static bool listed(const char *list, const char *name) {
  size_t n = strlen(name);
  for (const char *s = list; s && *s; s += strspn(s, " ")) {
    size_t len = strcspn(s, " ");
    if (len == n && strncmp(s, name, n) == 0) return true;
    s += len;
  }
  return false;
}

static int find_bound(const sim_unit_setup_t *setup, const char *name, const sim_bind_t **found,
                      mrpb_err_t *err) {
  *found = NULL;
  for (size_t i = 0; i < setup->n_bind; i++) {
    if (strcmp(setup->bind[i].port, name) != 0) continue;
    if (*found) return mrpb_fail(err, "%s: port \"%s\" is bound twice", setup->name, name);
    *found = &setup->bind[i];
  }
  return 0;
}

static int add_wire(sim_unit_t *u, sim_t *sim, sim_module_t m, const sim_unit_setup_t *setup,
                    const wire_t *made, unsigned width, mrpb_err_t *err) {
  wire_t *w = &u->wire[u->n_wires++];
  const sim_bind_t *bound;
  *w = *made;
  if (find_bound(setup, w->name, &bound, err)) return -1;
  if (!bound) {
    w->sig = sim_signal(sim, m, w->name, width, 0);
    return 0;
  }
  w->sig = bound->sig;
  unsigned has = sim_signal_width(sim, bound->sig);
  if (has != width)
    return mrpb_fail(err, "%s: port \"%s\" has %u bits, the signal bound to it %u", setup->name,
                     w->name, width, has);
  return 0;
}

static int add_ports(sim_unit_t *u, sim_t *sim, sim_module_t m, const sim_unit_setup_t *setup,
                     const module_port_t *port, unsigned n, bool outputs, mrpb_err_t *err) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < words_of(port[i].width); k++) {
      wire_t w = {.word = port[i].word + k, .early = outputs && listed(setup->early, port[i].name)};
      word_name(w.name, port[i].name, port[i].width, k);
      if (add_wire(u, sim, m, setup, &w, word_bits(port[i].width, k), err)) return -1;
      u->n_early += w.early;
    }
  return 0;
}

/* Checks that every name in the setup is a port. */
static int check_names(const sim_unit_t *u, const sim_unit_setup_t *setup, const module_port_t *out,
                       mrpb_err_t *err) {
  for (size_t i = 0; i < setup->n_bind; i++)
    if (!sim_unit_port(u, setup->bind[i].port).id)
      return mrpb_fail(err, "%s: %s has no port \"%s\"", setup->name, setup->stem,
                       setup->bind[i].port);
  for (const char *s = setup->early; s && *s; s += strspn(s, " ")) {
    size_t len = strcspn(s, " ");
    bool known = false;
    for (unsigned i = 0; i < u->cls->n_out; i++)
      known |= strlen(out[i].name) == len && strncmp(out[i].name, s, len) == 0;
    if (!known)
      return mrpb_fail(err, "%s: %s has no output \"%.*s\"", setup->name, setup->stem, (int)len, s);
    s += len;
  }
  return 0;
}

/* ---- registers ------------------------------------------------------------------------------ */

/* Returns the module that stands for the innermost sub-module of register `*name`, and removes its
 * path from the name. `last` has those of the register before. */
static sim_module_t scope_of(sim_t *sim, sim_module_t m, const char **name, scope_t last[DEEP]) {
  const char *dot;
  for (unsigned k = 0; k < DEEP && (dot = strchr(*name, '.')); k++, *name = dot + 1) {
    char inst[NAME];
    snprintf(inst, sizeof inst, "%.*s", (int)(dot - *name), *name);
    if (strcmp(inst, last[k].name) != 0) { /* registers of one sub-module are adjacent */
      snprintf(last[k].name, sizeof last[k].name, "%s", inst);
      last[k].module = sim_module(sim, m, inst);
      if (k + 1 < DEEP) last[k + 1].name[0] = '\0';
    }
    m = last[k].module;
  }
  return m;
}

static void show(sim_unit_t *u, sim_t *sim, sim_module_t m, const module_reg_t *r,
                 const char *name) {
  for (unsigned e = 0; e < r->words; e++)
    for (unsigned k = 0; k < words_of(r->width); k++) {
      char element[NAME], full[NAME];
      snprintf(element, sizeof element, r->array ? "%.60s[%u]" : "%.60s", name, e);
      word_name(full, element, r->width, k);
      unsigned left = r->elem_bytes - 8 * k;
      shown_t *s = &u->shown[u->n_shown++];
      s->data = (const unsigned char *)r->data + (size_t)e * r->elem_bytes + 8 * k;
      s->bytes = left < 8 ? left : 8;
      s->sig = sim_signal(sim, m, full, word_bits(r->width, k), value(s));
    }
}

static int add_regs(sim_unit_t *u, sim_t *sim, sim_module_t m, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  size_t n = 0;
  scope_t last[DEEP] = {{{0}, {0}}};
  u->cls->regs(u->model, regs);
  for (unsigned i = 0; i < u->cls->n_regs; i++)
    n += (size_t)regs[i].words * words_of(regs[i].width);
  u->shown = calloc(n + 1, sizeof *u->shown);
  if (!u->shown) return mrpb_fail(err, "%s: out of memory", u->cls->stem);
  for (unsigned i = 0; i < u->cls->n_regs; i++) {
    const char *name = regs[i].name;
    sim_module_t scope = scope_of(sim, m, &name, last);
    show(u, sim, scope, &regs[i], name);
  }
  return 0;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void add_comb(sim_unit_t *u, sim_t *sim, sim_module_t m, bool clocked) {
  sim_proc_t late = sim_process(sim, m, "comb", comb, u);
  for (unsigned i = 0; i < u->n_in; i++) {
    sim_sensitive(sim, late, &u->wire[i].sig, 1);
    sim_reads(sim, late, &u->wire[i].sig, 1);
  }
  sim_proc_t early = {0};
  if (u->n_early) {
    early = sim_process(sim, m, "comb_early", comb_early, u);
    sim_reads(sim, early, SIM_NO_SIGS);
  }
  for (unsigned i = u->n_in; i < u->n_wires; i++)
    sim_writes(sim, u->wire[i].early ? early : late, &u->wire[i].sig, 1);
  sim_writes(sim, late, SIM_NO_SIGS);
  for (int k = 0; clocked && k <= (u->n_early > 0); k++) {
    sim_sensitive(sim, k ? early : late, &u->turn, 1);
    sim_reads(sim, k ? early : late, &u->turn, 1);
  }
}

static void add_edge(sim_unit_t *u, sim_t *sim, sim_module_t m, sim_clock_t clk) {
  sim_proc_t p = sim_process(sim, m, "edge", edge, u);
  sim_on_rise(sim, p, clk);
  sim_dont_initialize(sim, p);
  for (unsigned i = 0; i < u->n_in; i++) sim_reads(sim, p, &u->wire[i].sig, 1);
  sim_reads(sim, p, &u->turn, 1);
  sim_writes(sim, p, &u->turn, 1);
  for (unsigned i = 0; i < u->n_shown; i++) sim_writes(sim, p, &u->shown[i].sig, 1);
}

static int make(sim_unit_t *u, sim_t *sim, sim_module_t parent, const sim_unit_setup_t *setup,
                mrpb_err_t *err) {
  const module_class_t *c = u->cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  bool clocked = c->n_regs > 0;
  module_defaults(c, cfg);
  if (setup->cfg) memcpy(cfg, setup->cfg, c->n_params * sizeof *cfg);
  if (c->create(&u->model, cfg, err)) return -1;
  c->ports(cfg, in, out);
  u->in = calloc(2 * ((size_t)c->in_words + c->out_words), sizeof *u->in);
  u->wire = calloc((size_t)c->in_words + c->out_words, sizeof *u->wire);
  if (!u->in || !u->wire) return mrpb_fail(err, "%s: out of memory", setup->name);
  u->none = u->in + c->in_words;
  u->out = u->none + c->in_words;
  u->alone = u->out + c->out_words;
  sim_module_t m = sim_module(sim, parent, setup->name);
  if (add_ports(u, sim, m, setup, in, c->n_in, false, err)) return -1;
  u->n_in = u->n_wires;
  if (add_ports(u, sim, m, setup, out, c->n_out, true, err)) return -1;
  if (check_names(u, setup, out, err)) return -1;
  if (clocked && !setup->hide_regs && add_regs(u, sim, m, err)) return -1;
  if (clocked) u->turn = sim_signal(sim, m, "turn", 1, 0);
  if (clocked) add_edge(u, sim, m, setup->clk);
  add_comb(u, sim, m, clocked);
  return 0;
}

int sim_unit_create(sim_unit_t **out, sim_t *sim, sim_module_t parent,
                    const sim_unit_setup_t *setup, mrpb_err_t *err) {
  *out = NULL;
  const module_class_t *cls = module_class(setup->stem);
  if (!cls) return mrpb_fail(err, "%s: there is no module \"%s\"", setup->name, setup->stem);
  sim_unit_t *u = calloc(1, sizeof *u);
  if (!u) return mrpb_fail(err, "%s: out of memory", setup->name);
  u->cls = cls;
  if (make(u, sim, parent, setup, err)) {
    sim_unit_destroy(u);
    return -1;
  }
  *out = u;
  return 0;
}

void sim_unit_destroy(sim_unit_t *u) {
  if (!u) return;
  if (u->model) u->cls->destroy(u->model);
  free(u->in);
  free(u->wire);
  free(u->shown);
  free(u);
}

sim_sig_t sim_unit_port(const sim_unit_t *u, const char *port) {
  for (unsigned i = 0; i < u->n_wires; i++)
    if (strcmp(u->wire[i].name, port) == 0) return u->wire[i].sig;
  return (sim_sig_t){0};
}

const char *sim_unit_fault(const sim_unit_t *u) {
  return u->fault.text[0] ? u->fault.text : NULL;
}
