/* SPDX-License-Identifier: Apache-2.0 */
/* Random models under both schedulers side by side: the same times, the same state after every run,
 * the same wave files byte for byte. A seed makes a graph of clocked and combinational processes
 * with shared drivers, several triggers, clocks as inputs, writes from outside, and windows that
 * open and close anywhere. */
#include "prng.h"
#include "sim_help.h"
#include "vcd_read.h"

enum { MAX_SIGS = 300, MAX_PROCS = 300, MAX_CLOCKS = 4, MAX_IN = 4, MAX_OUT = 3, SEEDS = 200 };

typedef struct {
  sim_sig_t in[MAX_IN], out[MAX_OUT];
  size_t n_in, n_out;
  uint64_t key, state;
  bool clocked;
} node_t;

/* One of the two simulations; everything in it is built from the same stream of random numbers. */
typedef struct {
  sim_t *sim;
  sim_sig_t sig[MAX_SIGS];
  sim_clock_t clk[MAX_CLOCKS];
  node_t node[MAX_PROCS];
  unsigned n_sigs, n_procs, n_clocks, n_inputs,
      n_regs; /* inputs, then registers, then combinational */
  char path[256];
  bool open, slow,
      regular;      /* regular: long rows of registers of one clock that no process waits for */
  uint64_t open_at; /* cycle of the first clock in which a process opens a window; 0: none */
} side_t;

static uint64_t mix(uint64_t x) {
  return prng_splitmix(&x);
}

/* Combinational: a function of the inputs. Clocked: also of a state, and now and then it writes
 * nothing, or small values that are often equal to the old ones. */
static void eval(sim_t *sim, void *ctx) {
  node_t *n = ctx;
  uint64_t h = n->key;
  for (size_t i = 0; i < n->n_in; i++) h = mix(h ^ sim_read(sim, n->in[i]));
  if (n->clocked) {
    n->state = h = mix(h + n->state);
    if (h % 4 == 0) return;
  }
  for (size_t i = 0; i < n->n_out; i++) {
    uint64_t v = mix(h + i);
    if (n->key % 3 == 0) v &= 1;
    if (n->clocked && h % 16 == 1) sim_write(sim, n->out[i], ~v); /* overwritten */
    sim_write(sim, n->out[i], v);
  }
}

static void make_clocks(side_t *m, prng_t *rng) {
  static const uint64_t hz[MAX_CLOCKS] = {575000000, 1150000000, 575000000, 750000000};
  char name[] = "c0";
  m->n_clocks = 1 + prng_below(rng, MAX_CLOCKS);
  m->slow = prng_chance(rng, 500); /* the domains of a GPU; else periods of a few fs */
  for (unsigned i = 0; i < m->n_clocks; i++, name[1]++)
    m->clk[i] = m->slow
                    ? sim_clock_hz(m->sim, SIM_TOP, name, hz[i], 0)
                    : sim_clock(m->sim, SIM_TOP, name, 2 + prng_below(rng, 9), prng_below(rng, 12));
}

static void make_signals(side_t *m, prng_t *rng) {
  m->regular = prng_chance(rng, 200);
  unsigned size = m->regular || prng_chance(rng, 300) ? MAX_SIGS : 40;
  m->n_sigs = 6 + prng_below(rng, size - 6);
  m->n_inputs = 1 + prng_below(rng, m->n_sigs / 4);
  m->n_regs = 1 + prng_below(rng, m->n_sigs - m->n_inputs);
  unsigned order[MAX_SIGS];
  for (unsigned i = 0; i < m->n_sigs; i++) { /* created in an order of their own */
    unsigned j = m->regular ? i : prng_below(rng, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  sim_module_t mod[4] = {SIM_TOP};
  for (unsigned i = 1; i < 4; i++) {
    char name[] = {'m', (char)('0' + i), 0};
    mod[i] = sim_module(m->sim, mod[prng_below(rng, i)], name);
  }
  for (unsigned i = 0; i < m->n_sigs; i++) {
    char name[16];
    snprintf(name, sizeof name, "s%u", order[i]);
    unsigned width = prng_chance(rng, 300) ? 1 : 1 + prng_below(rng, 64);
    m->sig[order[i]] = sim_signal(m->sim, mod[prng_below(rng, 4)], name, width, prng_next(rng));
  }
}

/* Node `n` drives signals from `first` on and reads signals below `limit` (all for clocked ones).
 */
static unsigned make_node(side_t *m, prng_t *rng, unsigned first, unsigned end, unsigned limit) {
  node_t *n = &m->node[m->n_procs++];
  n->key = prng_next(rng);
  n->clocked = first < m->n_inputs + m->n_regs;
  n->n_in = 1 + prng_below(rng, MAX_IN);
  for (size_t i = 0; i < n->n_in; i++) {
    unsigned near = limit > 6 && prng_chance(rng, 600) ? limit - 6 : 0; /* long chains, too */
    unsigned s = near + prng_below(rng, limit - near);
    if (m->regular && !n->clocked) s = s / 30 * 30 % m->n_regs;
    n->in[i] = m->sig[s];
  }
  if (prng_chance(rng, 100))
    n->in[0] = sim_clock_signal(m->sim, m->clk[prng_below(rng, m->n_clocks)]);
  unsigned n_out = 1 + prng_below(rng, MAX_OUT);
  for (; n->n_out < n_out && first < end; first++) n->out[n->n_out++] = m->sig[first];
  return first;
}

static void add_triggers(side_t *m, prng_t *rng, sim_proc_t p, const node_t *n) {
  if (!n->clocked) {
    sim_sensitive(m->sim, p, n->in, n->n_in);
    return;
  }
  sim_clock_t c = m->clk[m->regular ? 0 : prng_below(rng, m->n_clocks)];
  uint32_t kind = prng_below(rng, m->regular ? 70 : 100);
  if (kind < 75 || kind >= 90) sim_on_rise(m->sim, p, c);
  if (kind >= 75 && kind < 95) sim_on_fall(m->sim, p, c);
  if (kind >= 90) sim_on_rise(m->sim, p, m->clk[prng_below(rng, m->n_clocks)]);
  sim_sig_t sig = sim_clock_signal(m->sim, c);
  if (kind >= 98) sim_sensitive(m->sim, p, &sig, 1);
  if (prng_chance(rng, 500)) sim_dont_initialize(m->sim, p);
}

static void make_processes(side_t *m, prng_t *rng) {
  unsigned regs_end = m->n_inputs + m->n_regs;
  for (unsigned s = m->n_inputs; s < regs_end;) s = make_node(m, rng, s, regs_end, m->n_sigs);
  for (unsigned s = regs_end; s < m->n_sigs;) s = make_node(m, rng, s, m->n_sigs, s);
  unsigned order[MAX_PROCS];
  for (unsigned i = 0; i < m->n_procs; i++) {
    unsigned j = prng_below(rng, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  for (unsigned i = 0; i < m->n_procs; i++) {
    node_t *n = &m->node[order[i]];
    if (n->clocked && n->n_out < MAX_OUT && prng_chance(rng, 200)) /* a second driver */
      n->out[n->n_out++] = m->sig[m->n_inputs + prng_below(rng, m->n_regs)];
    char name[16];
    snprintf(name, sizeof name, "p%u", order[i]);
    sim_proc_t p = sim_process(m->sim, SIM_TOP, name, eval, n);
    sim_reads(m->sim, p, n->in, n->n_in);
    sim_writes(m->sim, p, n->out, n->n_out);
    add_triggers(m, rng, p, n);
  }
}

static void opener(sim_t *sim, void *ctx) {
  side_t *m = ctx;
  if (m->open || !m->open_at || sim_cycles(sim, m->clk[0]) != m->open_at) return;
  ck_assert_int_eq(sim_trace_open(sim, m->path, NULL), 0);
  m->open = true;
}

static void make_side(side_t *m, uint64_t seed, int sched) {
  prng_t rng = prng_seed(seed, 1);
  memset(m, 0, sizeof *m);
  m->sim = sim_create();
  make_clocks(m, &rng);
  make_signals(m, &rng);
  make_processes(m, &rng);
  sim_proc_t p = sim_process(m->sim, SIM_TOP, "opener", opener, m);
  sim_on_rise(m->sim, p, m->clk[0]);
  sim_reads(m->sim, p, SIM_NO_SIGS);
  sim_writes(m->sim, p, SIM_NO_SIGS);
  elaborate(m->sim, sched);
  temp_path(m->path, sizeof m->path);
}

/* One action from outside: writes, a window, a run. */
static void act(side_t *m, prng_t *rng) {
  mrpb_err_t err = {""};
  for (unsigned n = prng_below(rng, 4); n; n--) {
    unsigned s = prng_below(rng, m->n_inputs + m->n_regs);
    sim_write(m->sim, m->sig[s], prng_next(rng));
  }
  if (!m->open && prng_chance(rng, 250)) {
    if (prng_chance(rng, 300)) sim_trace_signal(m->sim, m->sig[prng_below(rng, m->n_sigs)]);
    ck_assert_msg(sim_trace_open(m->sim, m->path, &err) == 0, "%s", err.text);
    m->open = true;
  }
  if (prng_chance(rng, 300)) m->open_at = sim_cycles(m->sim, m->clk[0]) + 1 + prng_below(rng, 120);
  sim_clock_t c = m->clk[prng_below(rng, m->n_clocks)];
  uint64_t n = prng_below(rng, prng_chance(rng, 200) ? 150 : 6);
  sim_status_t status =
      prng_chance(rng, 500)
          ? sim_run_cycles(m->sim, c, n, &err)
          : sim_run_until(m->sim, sim_now(m->sim) + n * (m->slow ? SIM_NS : 7), &err);
  ck_assert_msg(status == SIM_REACHED, "%s", err.text);
}

/* Closes both windows, compares the files, returns their size. */
static size_t compare_waves(side_t m[2]) {
  char *text[2];
  size_t size[2];
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(sim_trace_close(m[i].sim, NULL), 0);
    text[i] = read_file(m[i].path, &size[i]);
    m[i].open = false;
  }
  ck_assert_uint_eq(size[0], size[1]);
  ck_assert_mem_eq(text[0], text[1], size[0]);
  free(text[0]);
  free(text[1]);
  return size[0];
}

START_TEST(schedulers_agree) {
  uint64_t seed = (uint64_t)_i + 1, hash = 0;
  static const int actions = 60;
  size_t bytes = 0;
  int changes = 0;
  side_t *m = calloc(2, sizeof *m);
  ck_assert_ptr_nonnull(m);
  for (int i = 0; i < 2; i++) make_side(&m[i], seed, i ? SIM_STATIC : SIM_EVENT_DRIVEN);
  prng_t rng[2] = {prng_seed(seed, 2), prng_seed(seed, 2)};
  for (int k = 0; k < actions; k++) {
    for (int i = 0; i < 2; i++) act(&m[i], &rng[i]);
    ck_assert_uint_eq(sim_now(m[0].sim), sim_now(m[1].sim));
    ck_assert_uint_eq(sim_stats(m[0].sim).steps, sim_stats(m[1].sim).steps);
    ck_assert_msg(sim_state_hash(m[0].sim) == sim_state_hash(m[1].sim), "seed %d, action %d",
                  _i + 1, k);
    changes += sim_state_hash(m[0].sim) != hash;
    hash = sim_state_hash(m[0].sim);
    bool close = prng_chance(&rng[0], 200);
    ck_assert(close == prng_chance(&rng[1], 200)); /* the two streams are one */
    if (m[0].open && close) bytes += compare_waves(m);
  }
  if (m[0].open) bytes += compare_waves(m);
  ck_assert_uint_gt(bytes, 0);
  ck_assert_int_gt(changes, actions / 3);
  for (int i = 0; i < 2; i++) {
    sim_destroy(m[i].sim);
    unlink(m[i].path);
  }
  free(m);
}
END_TEST

Suite *test_sim_random_suite(void);
Suite *test_sim_random_suite(void) {
  Suite *s = suite_create("sim_random");
  TCase *t = tcase_create("schedulers");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, schedulers_agree, 0, SEEDS);
  tcase_set_tags(t, "heavy"); /* many random cycles: not under valgrind */
  suite_add_tcase(s, t);
  return s;
}
