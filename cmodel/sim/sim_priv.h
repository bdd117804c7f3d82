/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the kernel: the simulation behind sim_t, and what its files call of each other. */
#ifndef SIM_PRIV_H
#define SIM_PRIV_H

#include "sim/sim.h"
#include "sim/vcd.h"

/* What a declaration says about a process and its target. The order is the sorting order:
 * declarations of one list (SIMK_ANY to SIMK_NEG are one list) are contiguous after elaboration. */
typedef enum {
  SIMK_ANY,   /* target: signal */
  SIMK_POS,   /* signal */
  SIMK_NEG,   /* signal */
  SIMK_RISE,  /* clock */
  SIMK_FALL,  /* clock */
  SIMK_EVENT, /* event */
  SIMK_READ,  /* signal */
  SIMK_WRITE  /* signal */
} simk_kind_t;

typedef struct {
  simk_kind_t kind;
  uint32_t target, proc;
} simk_decl_t;

typedef struct {
  char *name;
  uint32_t parent;
} simk_name_t;

typedef struct {
  simk_name_t name;
  uint64_t init;
  uint32_t width, clock; /* clock: 0, or the clock whose signal this is */
} simk_signal_t;

typedef struct {
  sim_fn_t fn;
  void *ctx;
} simk_run_t;

/* Classes of the static scheduler; the last three are not legal there. */
typedef enum { SIMK_CLOCKED, SIMK_COMB, SIMK_EVENTFUL, SIMK_EDGED, SIMK_MIXED } simk_class_t;

typedef struct {
  simk_name_t name;
  uint32_t clock; /* of its edges; 0 if none or several */
  bool dont_init, has_reads, has_writes,
      multi;   /* multi: more triggers than the edges of one clock */
  uint8_t cls; /* simk_class_t */
  uint32_t level_pos;
} simk_proc_t;

/* The processes of one edge of one clock, and what the static scheduler copies behind them. */
typedef struct {
  const simk_run_t *run;
  const uint32_t *proc;
  uint32_t n, first_range, n_ranges;
  bool sole; /* none has another trigger, so they run in place without a queue */
} simk_group_t;

/* Neighbours that are copied together: 1 to 7 signals of one block of slots, or (n = 8) whole
 * blocks, first `wide` ones and then `narrow` ones. */
typedef struct {
  uint32_t id, n, wide, narrow;
} simk_range_t;

/* Times are exact: time + rem / den2, den2 being twice the denominator of the period. A clock of a
 * source has an endless period, its next rise is announced, and it falls `half` after the last. */
typedef struct {
  sim_time_t next, next_rise, period, half, risen; /* risen: the last time */
  uint64_t rem_rise, period_rem, half_rem, den2, cycles;
  simk_group_t group[2]; /* fall, rise */
  uint32_t sig, source;  /* source: 0 if it has a period */
  bool both;             /* falling edges are simulated too */
} simk_clock_t;

/* What runs when some clocks of a source rise together, and how often it has since the last look at
 * their counts. */
typedef struct {
  const simk_run_t *run, *end;
  uint64_t times;
  sim_time_t last;
  uint32_t n, counts; /* counts: 1 if the clock whose edges the run counts is among them */
  uint64_t unused[3]; /* a cache line each */
} simk_row_t;

/* A function that gives the edges of clocks (sim_source.c). */
enum { SIMK_SOURCE_CLOCKS = 32, SIMK_SOURCE_AHEAD = 64, SIMK_SOURCE_ROWS = 6 };
typedef struct {
  sim_edges_fn_t fn;
  void *ctx;
  const sim_edge_t *at, *end; /* of its steps, the first that is not announced, behind the last */
  bool announced;             /* the one before `at` is still to come */
  uint32_t stuck;             /* answers in a row that stay at one time */
  uint32_t n, all, clock[SIMK_SOURCE_CLOCKS]; /* all: the set of its clocks */
  simk_row_t *row;                            /* up to SIMK_SOURCE_ROWS clocks: by set of clocks */
  simk_run_t *row_run;
  sim_stats_t stats; /* of the rows */
  sim_edge_t buffer[SIMK_SOURCE_AHEAD];
} simk_source_t;

/* The recurring pattern of coinciding edges (sim_beat.c). A step has the clocks and processes up to
 * `edges` and `runs`, from where the step before ended. */
typedef struct {
  uint32_t edges, runs;
} simk_beat_t;

typedef struct {
  simk_beat_t *step;
  simk_clock_t **clock;
  simk_run_t *run;
  uint32_t n_steps, n_edges, n_runs;
  uint32_t at, edge, first_run; /* the step that comes next */
} simk_beats_t;

typedef enum { SIMK_IDLE, SIMK_DELTA, SIMK_TIMED } simk_pending_t;

typedef struct {
  simk_name_t name;
  sim_time_t time;
  uint64_t seq; /* order among equal times */
  uint32_t heap_pos, first_sub, n_subs;
  simk_pending_t pending;
  bool in_delta_list;
} simk_event_t;

typedef struct {
  uint32_t proc; /* or position in the levelled order */
  simk_kind_t kind;
} simk_sub_t;

/* Who waits for a signal, and its place in the wave file; by index of the signal. */
typedef struct {
  uint32_t first_sub, n_subs, trace_ix;
} simk_info_t;

/* A signal that a combinational process drives: written through, its readers woken
 * right behind the process. */
typedef struct {
  uint64_t seen; /* the value its readers have seen */
  uint32_t id, first_sub, n_subs;
} simk_out_t;

typedef struct {
  simk_run_t run;
  uint32_t first_out, n_outs, proc;
} simk_comb_t;

/* Flags of a slot. Quiet: nobody waits for the signal and processes of one clock write it, so the
 * static scheduler copies it with its neighbours after each edge. */
enum { SIMK_F_SUBS = 1, SIMK_F_TRACE = 2, SIMK_F_QUIET = 4 };

/* States of a slot (`queued`). Through: one combinational process of the static scheduler writes
 * it, and all its readers run later, so a write goes to `cur` at once. */
enum { SIMK_FREE = 0, SIMK_PENDING = 1, SIMK_THROUGH = 2 };

typedef struct simk {
  struct sim pub; /* first: a sim_t * is a simk_t * */
  /* run time */
  simk_info_t *info; /* by signal */
  simk_sub_t *sub;
  simk_run_t *run; /* by process */
  uint32_t *proc_queued;
  uint32_t *queue, *running_queue; /* swapped at each evaluation */
  uint32_t n_queue, current;       /* current: the process taken from the queue that runs now */
  uint32_t *dense;                 /* static: by word of `dirty`, see simk_static_settle */
  uint64_t *dirty;                 /* static: combinational processes to run, by level position */
  simk_comb_t *comb;               /* in levelled order */
  simk_out_t *out;
  uint32_t *far, *first_far; /* outputs with readers in another word; by word */
  uint32_t n_comb, n_outs;
  simk_run_t *group_run;
  uint32_t *group_proc;
  simk_range_t *range;
  uint32_t n_ranges;
  uint32_t *heap, *delta_list;
  uint32_t n_heap, n_delta_list;
  const simk_group_t **due; /* clock edges of this time step */
  uint32_t n_due;
  simk_beats_t beats;
  bool beats_sought;
  bool in_a_row; /* steps follow each other without a look around; cleared by whoever wants one */
  bool rows_failed; /* no memory for the rows of a source: the general way remains */
  sim_time_t now, next_clock;
  uint64_t seq;
  sim_stats_t stats;
  bool elaborated, started, in_step, broken;
  sim_sched_t sched;
  uint32_t delta_limit;
  mrpb_err_t err; /* of construction, later of a broken run */
  /* wave window */
  vcd_t *vcd;
  uint64_t *trace_dirty;
  uint32_t *trace_sig;
  uint32_t n_trace;
  bool window_new, selective;
  uint8_t *selected; /* by signal */
  /* model; element 0 of each is "none" */
  simk_name_t *module;
  simk_signal_t *signal;
  simk_clock_t *clock;
  simk_proc_t *proc;
  simk_event_t *event;
  simk_decl_t *decl;
  simk_source_t *source;
  uint32_t n_modules, n_signals, n_clocks, n_procs, n_events, n_decls, n_sources;
  uint32_t room_modules, room_signals, room_clocks, room_procs, room_events, room_decls,
      room_sources;
} simk_t;

static inline simk_t *simk(sim_t *sim) {
  return (simk_t *)sim;
}
static inline const simk_t *simk_const(const sim_t *sim) {
  return (const simk_t *)sim;
}

/* sim_build.c */
enum { SIMK_NAME_MAX = 512 };
typedef struct {
  char text[SIMK_NAME_MAX];
} simk_text_t;
const char *simk_full_name(const simk_t *k, const simk_name_t *name, simk_text_t *buf);
void *simk_alloc(simk_t *k, size_t n, size_t size); /* zeroed, n may be 0; error kept if NULL */
void simk_clock_observe(simk_t *k, uint32_t clock); /* falling edges count from now on */
bool simk_add_decl(simk_t *k, simk_decl_t decl);    /* false, the error kept, without memory */

static inline void simk_clock_step(simk_clock_t *c) {
  uint64_t add = c->period;
  c->rem_rise += c->period_rem;
  if (c->rem_rise >= c->den2) {
    c->rem_rise -= c->den2;
    add++;
  }
  c->next_rise = c->next_rise > SIM_NEVER - add ? SIM_NEVER : c->next_rise + add;
}

/* The falling edge before the next rising one; of a source's clock, behind the last. */
static inline sim_time_t simk_clock_fall(const simk_clock_t *c) {
  if (c->source) return c->half > SIM_NEVER - c->risen ? SIM_NEVER : c->risen + c->half;
  return c->next_rise - c->half - (c->rem_rise < c->half_rem);
}

/* sim_elab.c: first declaration of `kind` (any of the three for a signal) for `target`, or behind
 * it. */
uint32_t simk_decl_find(const simk_t *k, simk_kind_t kind, uint32_t target);

/* sim_level.c: what the static scheduler asks of a model (0, or -1 and a message); then its order.
 */
int simk_level_check(const simk_t *k, mrpb_err_t *err);
int simk_level(simk_t *k, mrpb_err_t *err);

/* sim_event.c */
void simk_event_expire(simk_t *k); /* those that are due now become runnable */
void simk_event_deltas(simk_t *k); /* so do the delta notifications */
static inline void simk_queue_proc(simk_t *k, uint32_t proc) {
  if (k->proc_queued[proc]) return;
  k->proc_queued[proc] = 1;
  k->queue[k->n_queue++] = proc;
}

/* Handles and indices of signals: a block of eight slots takes SIMK_BLOCK bytes. */
enum { SIMK_BLOCK = 256 };
static inline uint32_t simk_id(uint32_t index) {
  return index / 8 * SIMK_BLOCK + index % 8 * 8;
}
static inline uint32_t simk_index(uint32_t id) {
  return id / SIMK_BLOCK * 8 + id % SIMK_BLOCK / 8;
}
static inline sim_slot_t *simk_slot(const simk_t *k, uint32_t index) {
  return sim_slot(&k->pub, simk_id(index));
}

static inline void simk_mark_trace(simk_t *k, uint32_t sig) {
  uint32_t ix = k->info[sig].trace_ix;
  k->trace_dirty[ix / 64] |= UINT64_C(1) << ix % 64;
}

/* sim_trace.c: writes what changed in this time step; -1 and a message after a failed write. */
int simk_trace_step(simk_t *k, mrpb_err_t *err);

/* sim_beat.c: true if the coming steps can be run by simk_beat_run. */
bool simk_beat_ready(simk_t *k);
void simk_beat_run(simk_t *k, sim_time_t limit, uint32_t clk, uint64_t cycles);
void simk_beat_drop(simk_t *k);
/* A model of clocks and processes alone, where each edge has its own row of processes. */
bool simk_rows_only(const simk_t *k);

/* sim_source.c: lets the clocks know what the functions say (0, or -1 and k->err). */
int simk_source_announce(simk_t *k);
void simk_source_drop(simk_source_t *s);
/* The steps of a model whose clocks are those of one source, while none is later than `limit` and
 * `clk` has had fewer than `cycles` edges. */
bool simk_source_ready(simk_t *k);
int simk_source_run(simk_t *k, sim_time_t limit, uint32_t clk, uint64_t cycles);
void simk_source_count(const simk_t *k); /* brings the clocks' counts up to date */

/* sim_static.c */
bool simk_static_build(simk_t *k); /* false, the error kept, without memory */
void simk_static_end(simk_t *k);   /* of a run */
void simk_static_start(simk_t *k); /* behind the first activation of all processes */
int simk_static_settle(simk_t *k, mrpb_err_t *err);           /* commit, combinational pass */
void simk_static_copy(simk_t *k, uint32_t first, uint32_t n); /* commits ranges of quiet signals */
void simk_static_wake(simk_t *k, uint32_t sig);               /* its readers are to run */

#endif
