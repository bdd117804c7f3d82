/* SPDX-License-Identifier: Apache-2.0 */
/* The wave of an in-order SM. Its hook sees only the cycles in which something may happen. In those
 * between them the clock runs, counts of events are 0, and all else holds. */
#include "gpu/wave_state.h"

/* What holds in cycles without events comes first. */
enum { HOLDS = 13, EVENTS = 13, WARPS = 64 };

static const wave_signal_t signals[HOLDS + EVENTS] = {{"warp_instructions", 40},
                                                      {"blocks", 6},
                                                      {"live", 64},
                                                      {"issuable", 64},
                                                      {"waits_data", 64},
                                                      {"at_barrier", 64},
                                                      {"loads", 13},
                                                      {"front_queues", 10},
                                                      {"shared_queue", 8},
                                                      {"in_service", 8},
                                                      {"blocked", 1},
                                                      {"table_entries", 10},
                                                      {"outstanding", 1},
                                                      {"issued", 3},
                                                      {"l1_hits", 2},
                                                      {"l1_misses", 2},
                                                      {"merges", 2},
                                                      {"no_entry", 2},
                                                      {"entry_full", 2},
                                                      {"no_line", 2},
                                                      {NULL, 6},
                                                      {NULL, 6},
                                                      {NULL, 6},
                                                      {"data", 10},
                                                      {"replies", 1},
                                                      {"lines_filled", 6}};

/* Requests: ports say what they find, packets what they are. */
static const char *name_of(const gpu_wave_t *w, unsigned i) {
  enum { REQUESTS = 20 };
  static const char *const found[] = {"l2_reads", "dram_reads", "writes"};
  static const char *const sent[] = {"reads_sent", "atomics_sent", "writes_sent"};
  if (signals[i].name) return signals[i].name;
  return (config_with_ports(w->gpu->cfg) ? found : sent)[i - REQUESTS];
}

/* The group that begins with a signal. */
static const char *group_of(unsigned i) {
  switch (i) {
  case 0:
    return "SM";
  case 2:
    return "warps, a bit each";
  case 6:
    return "loads: load/store unit and table";
  case 13:
    return "in this cycle: issue and L1D";
  case 20:
    return "in this cycle: memory, and arrivals";
  default:
    return NULL;
  }
}

enum { GONE, ISSUABLE, TIMED, WAITS_DATA, AT_BARRIER }; /* the states of a warp */

static bool view_of(const gpu_wave_t *w, wave_view_t *view) {
  view->unit = inorder_table(w->gpu->cores, &view->in);
  if (!view->unit->comb) return false;
  unit_comb(view->unit, view->in, view->out);
  return true;
}

void wave_inorder_declare(gpu_wave_t *w) {
  wave_view_t view;
  char scope[32], name[16];
  snprintf(scope, sizeof scope, "sm%u", w->gpu->setup.vcd_sm);
  w->sm_first = w->cycle + 1;
  for (unsigned i = 0; i < HOLDS + EVENTS; i++) {
    if (group_of(i)) gtkw_group(w->gtkw, group_of(i), 0);
    (void)wave_declare(w, scope, name_of(w, i), signals[i].width, VCD_WIRE);
  }
  if (view_of(w, &view)) wave_declare_unit(w, 0, view.unit->cls->stem, &view);
  gtkw_group(w->gtkw,
             "warps: 0 none, 1 may issue, 2 waits for its time, 3 for data, 4 at a barrier", 1);
  snprintf(scope, sizeof scope, "sm%u.warp", w->gpu->setup.vcd_sm);
  for (unsigned i = 0; i < WARPS; i++) {
    snprintf(name, sizeof name, "warp%u", i);
    const int var = wave_declare(w, scope, name, 3, VCD_WIRE);
    if (i == 0) w->warp_first = var;
  }
}

static void put_table(gpu_wave_t *w) {
  wave_view_t view;
  if (w->unit[0].n_in > 0 && view_of(w, &view)) wave_put_unit(w, 0, &view);
}

static void put_warps(gpu_wave_t *w, const inorder_probe_t *p) {
  for (unsigned i = 0; i < WARPS; i++) {
    unsigned state = TIMED;
    if (!(p->live >> i & 1))
      state = GONE;
    else if (p->at_barrier >> i & 1)
      state = AT_BARRIER;
    else if (p->waits_data >> i & 1)
      state = WAITS_DATA;
    else if (p->issuable >> i & 1)
      state = ISSUABLE;
    vcd_change(w->vcd, w->warp_first + (int)i, state);
  }
}

/* Without `events` their counts are 0. */
static void put_sm(gpu_wave_t *w, const inorder_probe_t *p, bool events) {
  const uint64_t values[HOLDS + EVENTS] = {
      p->warp_insts, p->blocks,  p->live,        p->issuable,    p->waits_data,  p->at_barrier,
      p->loads,      p->front,   p->shared,      p->service,     p->blocked,     p->entries,
      p->loads > 0,  p->issued,  p->l1_hits,     p->l1_misses,   p->merges,      p->no_entry,
      p->entry_full, p->no_line, p->requests[0], p->requests[1], p->requests[2], p->data,
      p->replies,    p->filled};
  wave_look(w, p->entries, 0, 0);
  for (unsigned i = 0; i < HOLDS + EVENTS; i++)
    vcd_change(w->vcd, w->sm_first + (int)i, i < HOLDS || events ? values[i] : 0);
  put_warps(w, p);
}

/* The cycles up to `to`, in which nothing happens. After the first of them nothing changes but the
 * clock. */
static void rest(gpu_wave_t *w, uint64_t to) {
  const uint64_t period = 2 * w->half;
  if (w->next < w->gpu->setup.vcd_from && to > w->next)
    w->next = to < w->gpu->setup.vcd_from ? to : w->gpu->setup.vcd_from;
  for (; w->next < to; w->next++) {
    if (!wave_rise(w, w->next, w->next * period)) {
      w->next = to;
      return;
    }
    if (w->resting) continue;
    w->resting = true;
    put_table(w);
    put_sm(w, &w->probe, false);
  }
}

/* Before the edge of the table the clock rises, and its ports are shown. With flits every cycle is
 * run, and shown when it ends. */
static void sample(void *ctx, bool edge, const inorder_probe_t *p) {
  gpu_wave_t *w = ctx;
  const uint64_t now = w->gpu->now;
  if (p) w->probe = *p;
  if (edge) {
    rest(w, now);
    w->next = now + 1;
    w->resting = !wave_rise(w, now, now * 2 * w->half) && w->resting;
    if (!w->resting) put_table(w);
  } else if (p && now >= w->gpu->setup.vcd_from && now <= w->gpu->setup.vcd_to) {
    put_sm(w, p, true);
  }
  if (edge || config_with_ports(w->gpu->cfg)) return;
  rest(w, now + 1);
  if (now >= w->gpu->setup.vcd_from && now <= w->gpu->setup.vcd_to) wave_memory_put(w);
}

void wave_inorder_begin(gpu_wave_t *w) {
  inorder_set_hook(w->gpu->cores, sample, w);
}

void wave_inorder_end(gpu_wave_t *w) {
  if (w->gpu->ended) rest(w, w->gpu->now);
}
