/* SPDX-License-Identifier: Apache-2.0 */
/* Construction of a model: names, signals, clocks, processes and their declarations. No call fails
 * at once; the first error is kept for sim_elaborate. */
#include "sim/sim_priv.h"

#include "bits.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory and names ----------------------------------------------------------------------- */

void *simk_alloc(simk_t *k, size_t n, size_t size) {
  void *p = calloc(n ? n : 1, size);
  if (!p) mrpb_fail(&k->err, "simulation: out of memory");
  return p;
}

/* Returns `array` with room for more than `n` elements, the new ones zeroed. If out of memory, the
 * old array and *room stay as they are and the error is kept. */
static void *make_room(simk_t *k, void *array, uint32_t n, uint32_t *room, size_t size) {
  if (n < *room) return array;
  uint32_t more = *room ? *room * 2 : 16;
  char *p = realloc(array, (size_t)more * size);
  if (!p) {
    mrpb_fail(&k->err, "simulation: out of memory");
    return array;
  }
  memset(p + (size_t)n * size, 0, ((size_t)more - n) * size);
  *room = more;
  return p;
}

/* True if k->array has room for element n, growing it if necessary. */
#define GROW(array, n, room)                                                                       \
  (k->array = make_room(k, k->array, (n), (room), sizeof *k->array), (n) < *(room))

/* These arrays share one `room`: each grows from the old value. */
static bool grow_signals(simk_t *k) {
  uint32_t n = k->n_signals, room = k->room_signals;
#define EACH(array) (room = k->room_signals, GROW(array, n, &room))
  k->pub.slots = make_room(k, k->pub.slots, n, &room, SIMK_BLOCK / 8);
  if (n >= room) return false;
  bool ok = EACH(signal) && EACH(pub.pend) && EACH(selected) && EACH(info);
#undef EACH
  if (ok) k->room_signals = room;
  return ok;
}

static bool grow_procs(simk_t *k) {
  uint32_t n = k->n_procs, room = k->room_procs, room_run = room;
  bool ok = GROW(proc, n, &room) && GROW(run, n, &room_run);
  if (ok) k->room_procs = room;
  return ok;
}

static bool name_ok(const char *s) {
  if (!s || !*s || strlen(s) > 64) return false;
  for (; *s; s++)
    if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') ||
          strchr("_$[]", *s)))
      return false;
  return true;
}

/* Returns false, with the error kept, if construction is over, has failed before, or the name is
 * illegal. */
static bool begin(simk_t *k, const char *what, const char *name, sim_module_t parent) {
  simk_text_t t;
  if (k->elaborated) {
    mrpb_fail(&k->err, "%s \"%s\": the simulation is elaborated already", what, name ? name : "");
    return false;
  }
  if (k->err.text[0]) return false;
  if (parent.id >= k->n_modules) {
    mrpb_fail(&k->err, "%s \"%s\": its parent is not a module of this simulation", what, name);
    return false;
  }
  simk_name_t where = {NULL, parent.id};
  if (!name_ok(name)) {
    mrpb_fail(&k->err,
              "%s \"%.80s\" in \"%s\": a name has 1 to 64 letters, digits, '_', '$', '[' or ']'",
              what, name ? name : "", simk_full_name(k, &where, &t));
    return false;
  }
  return true;
}

static bool set_name(simk_t *k, simk_name_t *n, const char *name, sim_module_t parent) {
  size_t len = strlen(name) + 1;
  n->name = simk_alloc(k, len, 1);
  n->parent = parent.id;
  if (n->name) memcpy(n->name, name, len);
  return n->name;
}

const char *simk_full_name(const simk_t *k, const simk_name_t *name, simk_text_t *buf) {
  char *p = buf->text + sizeof buf->text - 1;
  *p = '\0';
  for (const simk_name_t *n = name;; n = &k->module[n->parent]) {
    if (n->name) {
      size_t len = strlen(n->name), dot = *p != '\0';
      if (len + dot > (size_t)(p - buf->text))
        return p; /* deeper than the buffer: return only the tail */
      if (dot) *--p = '.';
      p -= len;
      memcpy(p, n->name, len);
    }
    if (!n->parent) return p;
  }
}

/* ---- simulation ----------------------------------------------------------------------------- */

sim_t *sim_create(void) {
  simk_t *k = calloc(1, sizeof *k);
  if (!k) return NULL;
  k->delta_limit = 10000;
  bool ok = grow_signals(k) && grow_procs(k) && GROW(module, k->n_modules, &k->room_modules) &&
            GROW(clock, k->n_clocks, &k->room_clocks) &&
            GROW(event, k->n_events, &k->room_events) &&
            GROW(source, k->n_sources, &k->room_sources);
  if (!ok) {
    sim_destroy(&k->pub);
    return NULL;
  }
  k->n_modules = k->n_signals = k->n_clocks = k->n_procs = k->n_events = k->n_sources = 1;
  k->clock[0].next = SIM_NEVER;
  return &k->pub;
}

void sim_destroy(sim_t *sim) {
  if (!sim) return;
  simk_t *k = simk(sim);
  vcd_close(k->vcd, NULL);
  simk_beat_drop(k);
  for (uint32_t i = 0; i < k->n_modules; i++) free(k->module[i].name);
  for (uint32_t i = 0; i < k->n_signals; i++) free(k->signal[i].name.name);
  for (uint32_t i = 0; i < k->n_procs; i++) free(k->proc[i].name.name);
  for (uint32_t i = 0; i < k->n_events; i++) free(k->event[i].name.name);
  for (uint32_t i = 0; i < k->n_sources; i++) simk_source_drop(&k->source[i]);
  void *const all[] = {
      k->pub.slots,   k->pub.pend,      k->info,   k->sub,        k->run,       k->proc_queued,
      k->queue,       k->running_queue, k->dirty,  k->comb,       k->out,       k->range,
      k->group_run,   k->group_proc,    k->heap,   k->delta_list, k->clock,     k->trace_sig,
      k->trace_dirty, k->selected,      k->module, k->signal,     k->proc,      k->event,
      k->decl,        k->due,           k->dense,  k->far,        k->first_far, k->source,
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(k);
}

void sim_set_delta_limit(sim_t *sim, uint32_t limit) {
  simk(sim)->delta_limit = limit ? limit : 1;
}

sim_module_t sim_module(sim_t *sim, sim_module_t parent, const char *name) {
  simk_t *k = simk(sim);
  if (!begin(k, "module", name, parent) || !GROW(module, k->n_modules, &k->room_modules) ||
      !set_name(k, &k->module[k->n_modules], name, parent))
    return (sim_module_t){0};
  return (sim_module_t){k->n_modules++};
}

sim_sig_t sim_signal(sim_t *sim, sim_module_t parent, const char *name, unsigned width,
                     uint64_t init) {
  simk_t *k = simk(sim);
  simk_text_t t;
  if (!begin(k, "signal", name, parent) || !grow_signals(k)) return (sim_sig_t){0};
  uint32_t id = k->n_signals;
  simk_signal_t *s = &k->signal[id];
  if (!set_name(k, &s->name, name, parent)) return (sim_sig_t){0};
  k->n_signals++;
  if (width < 1 || width > 64)
    mrpb_fail(&k->err, "signal \"%s\" has %u bits; legal are 1 to 64",
              simk_full_name(k, &s->name, &t), width);
  s->width = width;
  s->init = bits(init, width);
  sim_slot_t *slot = simk_slot(k, id);
  slot->cur = slot->next = s->init;
  slot->mask = bits_mask(width);
  return (sim_sig_t){simk_id(id)};
}

/* ---- clocks --------------------------------------------------------------------------------- */

/* A clock of period num / den fs. */
static sim_clock_t add_clock(sim_t *sim, sim_module_t parent, const char *name, uint64_t num,
                             uint64_t den, sim_time_t first) {
  simk_t *k = simk(sim);
  sim_sig_t sig = sim_signal(sim, parent, name, 1, 0);
  if (!sig.id || !GROW(clock, k->n_clocks, &k->room_clocks)) return (sim_clock_t){0};
  uint32_t id = k->n_clocks++;
  simk_clock_t *c = &k->clock[id];
  c->sig = simk_index(sig.id);
  c->den2 = 2 * den;
  c->period = num / den;
  c->period_rem = num % den * 2;
  c->next = c->next_rise = first;
  c->half = num / c->den2;
  c->half_rem = num % c->den2;
  k->signal[c->sig].clock = id;
  simk_slot(k, c->sig)->queued = SIMK_PENDING; /* so that writes do nothing: only edges set `cur` */
  return (sim_clock_t){id};
}

sim_clock_t sim_clock(sim_t *sim, sim_module_t parent, const char *name, sim_time_t period,
                      sim_time_t first) {
  if (period < 2)
    mrpb_fail(&simk(sim)->err, "clock \"%s\" has a period of %llu fs; legal are 2 or more", name,
              (unsigned long long)period);
  return add_clock(sim, parent, name, period, 1, first);
}

sim_clock_t sim_clock_hz(sim_t *sim, sim_module_t parent, const char *name, uint64_t hz,
                         sim_time_t first) {
  const uint64_t fs_per_s = UINT64_C(1000000000000000);
  if (hz < 1 || hz > fs_per_s / 2) {
    mrpb_fail(&simk(sim)->err, "clock \"%s\" has %llu Hz; legal are 1 to 5e14", name,
              (unsigned long long)hz);
    hz = 1;
  }
  return add_clock(sim, parent, name, fs_per_s, hz, first);
}

static bool known(simk_t *k, const char *what, uint32_t id, uint32_t n) {
  if (id && id < n) return true;
  mrpb_fail(&k->err, "%s handle %u was not created by this simulation", what, id);
  return false;
}

sim_source_t sim_source(sim_t *sim, sim_edges_fn_t fn, void *ctx) {
  simk_t *k = simk(sim);
  if (k->elaborated) mrpb_fail(&k->err, "clock source: the simulation is elaborated already");
  if (k->err.text[0] || !GROW(source, k->n_sources, &k->room_sources)) return (sim_source_t){0};
  k->source[k->n_sources] = (simk_source_t){.fn = fn, .ctx = ctx};
  return (sim_source_t){k->n_sources++};
}

sim_clock_t sim_source_clock(sim_t *sim, sim_module_t parent, const char *name, sim_source_t source,
                             sim_time_t high) {
  simk_t *k = simk(sim);
  if (!known(k, "clock source", source.id, k->n_sources)) return (sim_clock_t){0};
  simk_source_t *s = &k->source[source.id];
  if (high < 1) mrpb_fail(&k->err, "clock \"%s\" is high for 0 fs; legal are 1 or more", name);
  if (s->n == SIMK_SOURCE_CLOCKS)
    mrpb_fail(&k->err, "clock \"%s\" is one too many; a source has at most %d", name,
              SIMK_SOURCE_CLOCKS);
  sim_clock_t clk = add_clock(sim, parent, name, SIM_NEVER, 1, SIM_NEVER);
  if (!clk.id) return clk;
  k->clock[clk.id].source = source.id;
  k->clock[clk.id].half = high;
  k->clock[clk.id].risen = SIM_NEVER;
  s->all |= UINT32_C(1) << s->n;
  s->clock[s->n++] = clk.id;
  return clk;
}

/* Simulates falling edges from now on. */
void simk_clock_observe(simk_t *k, uint32_t clock) {
  simk_clock_t *c = &k->clock[clock];
  if (c->both || !clock) return;
  simk_source_count(k);
  c->both = true;
  k->in_a_row = false;
  if (!c->cycles) return; /* no edge so far: still low */
  sim_time_t fall = simk_clock_fall(c);
  bool high = fall > k->now;
  simk_slot(k, c->sig)->cur = high;
  c->next = high ? fall : c->next_rise;
  if (c->next < k->next_clock) k->next_clock = c->next;
}

sim_sig_t sim_clock_signal(sim_t *sim, sim_clock_t clk) {
  simk_t *k = simk(sim);
  if (!known(k, "clock", clk.id, k->n_clocks)) return (sim_sig_t){0};
  simk_clock_observe(k, clk.id);
  return (sim_sig_t){simk_id(k->clock[clk.id].sig)};
}

/* ---- processes, events, declarations -------------------------------------------------------- */

sim_proc_t sim_process(sim_t *sim, sim_module_t parent, const char *name, sim_fn_t fn, void *ctx) {
  simk_t *k = simk(sim);
  if (!begin(k, "process", name, parent)) return (sim_proc_t){0};
  if (!grow_procs(k) || !set_name(k, &k->proc[k->n_procs].name, name, parent))
    return (sim_proc_t){0};
  k->run[k->n_procs] = (simk_run_t){fn, ctx};
  return (sim_proc_t){k->n_procs++};
}

sim_event_t sim_event(sim_t *sim, sim_module_t parent, const char *name) {
  simk_t *k = simk(sim);
  if (!begin(k, "event", name, parent) || !GROW(event, k->n_events, &k->room_events) ||
      !set_name(k, &k->event[k->n_events].name, name, parent))
    return (sim_event_t){0};
  return (sim_event_t){k->n_events++};
}

bool simk_add_decl(simk_t *k, simk_decl_t decl) {
  if (!GROW(decl, k->n_decls, &k->room_decls)) return false;
  k->decl[k->n_decls++] = decl;
  return true;
}

static void declare(simk_t *k, sim_proc_t proc, simk_kind_t kind, uint32_t target) {
  simk_text_t t;
  if (!known(k, "process", proc.id, k->n_procs)) return;
  uint32_t n = kind == SIMK_EVENT                       ? k->n_events
               : kind == SIMK_RISE || kind == SIMK_FALL ? k->n_clocks
                                                        : k->n_signals;
  if (k->elaborated || !target || target >= n) {
    mrpb_fail(&k->err, "process \"%s\": %s", simk_full_name(k, &k->proc[proc.id].name, &t),
              k->elaborated ? "sensitivity cannot change after elaboration"
                            : "it is given a handle that this simulation did not create");
    return;
  }
  simk_add_decl(k, (simk_decl_t){kind, target, proc.id});
}

void sim_dont_initialize(sim_t *sim, sim_proc_t proc) {
  simk_t *k = simk(sim);
  if (known(k, "process", proc.id, k->n_procs)) k->proc[proc.id].dont_init = true;
}

void sim_on_rise(sim_t *sim, sim_proc_t proc, sim_clock_t clk) {
  declare(simk(sim), proc, SIMK_RISE, clk.id);
}

void sim_on_fall(sim_t *sim, sim_proc_t proc, sim_clock_t clk) {
  declare(simk(sim), proc, SIMK_FALL, clk.id);
}

void sim_sensitive(sim_t *sim, sim_proc_t proc, const sim_sig_t *sigs, size_t n) {
  for (size_t i = 0; i < n; i++) declare(simk(sim), proc, SIMK_ANY, simk_index(sigs[i].id));
}

void sim_sensitive_pos(sim_t *sim, sim_proc_t proc, sim_sig_t sig) {
  declare(simk(sim), proc, SIMK_POS, simk_index(sig.id));
}

void sim_sensitive_neg(sim_t *sim, sim_proc_t proc, sim_sig_t sig) {
  declare(simk(sim), proc, SIMK_NEG, simk_index(sig.id));
}

void sim_on_event(sim_t *sim, sim_proc_t proc, sim_event_t event) {
  declare(simk(sim), proc, SIMK_EVENT, event.id);
}

void sim_reads(sim_t *sim, sim_proc_t proc, const sim_sig_t *sigs, size_t n) {
  simk_t *k = simk(sim);
  for (size_t i = 0; i < n; i++) declare(k, proc, SIMK_READ, simk_index(sigs[i].id));
  if (known(k, "process", proc.id, k->n_procs)) k->proc[proc.id].has_reads = true;
}

void sim_writes(sim_t *sim, sim_proc_t proc, const sim_sig_t *sigs, size_t n) {
  simk_t *k = simk(sim);
  for (size_t i = 0; i < n; i++) declare(k, proc, SIMK_WRITE, simk_index(sigs[i].id));
  if (known(k, "process", proc.id, k->n_procs)) k->proc[proc.id].has_writes = true;
}
