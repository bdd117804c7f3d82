/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the kernel: the simulation behind sim_t, and the functions that its files call in
 * each other. */
#ifndef SIM_PRIV_H
#define SIM_PRIV_H

#include "sim/sim.h"
#include "sim/vcd.h"

/* What a declaration says about a process and its target. The order of the kinds is the sorting
 * order: after elaboration, the declarations of one list are contiguous (SIMK_ANY to SIMK_NEG form
 * one list). */
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
  uint32_t width, clock; /* clock: the clock whose signal this is, or 0 */
} simk_signal_t;

typedef struct {
  sim_fn_t fn;
  void *ctx;
} simk_run_t;

/* Process classes of the static scheduler, which refuses the last three. */
typedef enum { SIMK_CLOCKED, SIMK_COMB, SIMK_EVENTFUL, SIMK_EDGED, SIMK_MIXED } simk_class_t;

typedef struct {
  simk_name_t name;
  uint32_t clock; /* clock whose edges trigger it; 0 if none or several */
  bool dont_init, has_reads, has_writes,
      multi;   /* multi: has other triggers than the edges of one clock */
  uint8_t cls; /* simk_class_t */
  uint32_t level_pos;
} simk_proc_t;

/* The processes of one edge of one clock, and the ranges that the static scheduler copies after
 * they have run. */
typedef struct {
  const simk_run_t *run;
  const uint32_t *proc;
  uint32_t n, first_range, n_ranges;
  bool sole; /* none has another trigger, so they run in place without a queue */
} simk_group_t;

/* Adjacent signals that are copied together: 1 to 7 signals of one block of slots, or (n = 8) whole
 * blocks, first `wide` ones and then `narrow` ones. */
typedef struct {
  uint32_t id, n, wide, narrow;
} simk_range_t;

/* Times are exact: time + rem / den2, where den2 is twice the denominator of the period. A clock of
 * a source has an infinite period; its next rise is announced, and it falls `half` after the last
 * rise. */
typedef struct {
  sim_time_t next, next_rise, period, half, risen; /* risen: time of the last rise */
  uint64_t rem_rise, period_rem, half_rem, den2, cycles;
  simk_group_t group[2]; /* fall, rise */
  uint32_t sig, source;  /* source: 0 if the clock has a period */
  bool both;             /* falling edges are simulated as well */
} simk_clock_t;

/* The processes that run when a given set of clocks of a source rises together, and how often that
 * has happened since the clocks' counts were last updated. */
typedef struct {
  const simk_run_t *run, *end;
  uint64_t times;
  sim_time_t last;
  uint32_t n, counts; /* counts: 1 if the set contains the clock whose edges limit the run */
  uint64_t unused[3]; /* so that each row fills one cache line */
} simk_row_t;

/* A function that gives the edges of clocks (sim_source.c). */
enum { SIMK_SOURCE_CLOCKS = 32, SIMK_SOURCE_AHEAD = 64, SIMK_SOURCE_ROWS = 6 };
typedef struct {
  sim_edges_fn_t fn;
  void *ctx;
  const sim_edge_t *at, *end; /* of its steps: the first that is not announced, and the end */
  bool announced;             /* the step before `at` is announced and has not happened yet */
  uint32_t stuck;             /* consecutive answers that stayed at one time */
  uint32_t n, all, clock[SIMK_SOURCE_CLOCKS]; /* all: the set of its clocks */
  simk_row_t *row;                            /* by set of up to SIMK_SOURCE_ROWS clocks */
  simk_run_t *row_run;
  sim_stats_t stats; /* of the steps run through rows */
  sim_edge_t buffer[SIMK_SOURCE_AHEAD];
} simk_source_t;

/* The recurring pattern of coinciding edges (sim_beat.c). A step has the clocks up to `edges` and
 * the processes up to `runs`, from where the previous step ended. */
typedef struct {
  uint32_t edges, runs;
} simk_beat_t;

typedef struct {
  simk_beat_t *step;
  simk_clock_t **clock;
  simk_run_t *run;
  uint32_t n_steps, n_edges, n_runs;
  uint32_t at, edge, first_run; /* the next step */
} simk_beats_t;

typedef enum { SIMK_IDLE, SIMK_DELTA, SIMK_TIMED } simk_pending_t;

typedef struct {
  simk_name_t name;
  sim_time_t time;
  uint64_t seq; /* order among events at the same time */
  uint32_t heap_pos, first_sub, n_subs;
  simk_pending_t pending;
  bool in_delta_list;
} simk_event_t;

typedef struct {
  uint32_t proc; /* or its position in the levelled order */
  simk_kind_t kind;
} simk_sub_t;

/* The processes that wait for a signal, and its position in the wave file; indexed by signal. */
typedef struct {
  uint32_t first_sub, n_subs, trace_ix;
} simk_info_t;

/* A signal that a combinational process drives. It is written through, and its readers are woken
 * right after the process. */
typedef struct {
  uint64_t seen; /* the last value that woke its readers */
  uint32_t id, first_sub, n_subs;
} simk_out_t;

typedef struct {
  simk_run_t run;
  uint32_t first_out, n_outs, proc;
} simk_comb_t;

/* Flags of a slot. Quiet: no process waits for the signal, and processes of one clock write it, so
 * the static scheduler copies it together with adjacent signals after each edge. */
enum { SIMK_F_SUBS = 1, SIMK_F_TRACE = 2, SIMK_F_QUIET = 4 };

/* States of a slot (`queued`). Through: one combinational process of the static scheduler writes
 * the signal and all its readers run later, so a write goes to `cur` at once. */
enum { SIMK_FREE = 0, SIMK_PENDING = 1, SIMK_THROUGH = 2 };

typedef struct simk {
  struct sim pub; /* must be first: a sim_t * is a simk_t * */
  /* run time */
  simk_info_t *info; /* indexed by signal */
  simk_sub_t *sub;
  simk_run_t *run; /* indexed by process */
  uint32_t *proc_queued;
  uint32_t *queue, *running_queue; /* swapped at each evaluation */
  uint32_t n_queue, current;       /* current: the running process that was taken from the queue */
  uint32_t *dense;                 /* static: by word of `dirty`; see simk_static_settle */
  uint64_t *dirty;                 /* static: combinational processes to run, by level position */
  simk_comb_t *comb;               /* in levelled order */
  simk_out_t *out;
  uint32_t *far, *first_far; /* outputs with readers in another word, and the first of each word */
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
  bool in_a_row; /* steps follow each other without checks in between; cleared to request a check */
  bool rows_failed; /* out of memory for the rows of a source: the general loop is used */
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
  uint8_t *selected; /* indexed by signal */
  /* the model; element 0 of each array is "none" */
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
void *simk_alloc(simk_t *k, size_t n, size_t size); /* zeroed, n may be 0; NULL: error kept */
void simk_clock_observe(simk_t *k, uint32_t clock); /* simulates falling edges from now on */
bool simk_add_decl(simk_t *k, simk_decl_t decl);    /* false if out of memory; the error is kept */

static inline void simk_clock_step(simk_clock_t *c) {
  uint64_t add = c->period;
  c->rem_rise += c->period_rem;
  if (c->rem_rise >= c->den2) {
    c->rem_rise -= c->den2;
    add++;
  }
  c->next_rise = c->next_rise > SIM_NEVER - add ? SIM_NEVER : c->next_rise + add;
}

/* The time of the falling edge before the next rising edge; for a source's clock, of the one after
 * its last rising edge. */
static inline sim_time_t simk_clock_fall(const simk_clock_t *c) {
  if (c->source) return c->half > SIM_NEVER - c->risen ? SIM_NEVER : c->risen + c->half;
  return c->next_rise - c->half - (c->rem_rise < c->half_rem);
}

/* sim_elab.c: the index of the first declaration of `kind` (for a signal, any of the three) for
 * `target`; if there is none, the index where it would stand. */
uint32_t simk_decl_find(const simk_t *k, simk_kind_t kind, uint32_t target);

/* sim_level.c: simk_level_check checks the rules of the static scheduler (0, or -1 and a message);
 * simk_level then orders the processes. */
int simk_level_check(const simk_t *k, mrpb_err_t *err);
int simk_level(simk_t *k, mrpb_err_t *err);

/* sim_event.c */
void simk_event_expire(simk_t *k); /* makes processes of the events due now runnable */
void simk_event_deltas(simk_t *k); /* makes processes of delta notifications runnable */
static inline void simk_queue_proc(simk_t *k, uint32_t proc) {
  if (k->proc_queued[proc]) return;
  k->proc_queued[proc] = 1;
  k->queue[k->n_queue++] = proc;
}

/* Convert between handles and indices of signals: a block of eight slots takes SIMK_BLOCK bytes. */
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

/* sim_trace.c: writes the changes of this time step; -1 and a message after a failed write. */
int simk_trace_step(simk_t *k, mrpb_err_t *err);

/* sim_beat.c: true if simk_beat_run can run the coming steps. */
bool simk_beat_ready(simk_t *k);
void simk_beat_run(simk_t *k, sim_time_t limit, uint32_t clk, uint64_t cycles);
void simk_beat_drop(simk_t *k);
/* True for a model that has only clocks and processes, where each edge has its own row of
 * processes. */
bool simk_rows_only(const simk_t *k);

/* sim_source.c: announces to the clocks the steps that the functions give (0, or -1 and k->err). */
int simk_source_announce(simk_t *k);
void simk_source_drop(simk_source_t *s);
/* Runs the steps of a model whose clocks all belong to one source, as long as none is later than
 * `limit` and `clk` has had fewer than `cycles` edges. */
bool simk_source_ready(simk_t *k);
int simk_source_run(simk_t *k, sim_time_t limit, uint32_t clk, uint64_t cycles);
void simk_source_count(const simk_t *k); /* brings the clocks' counts up to date */

/* sim_static.c */
bool simk_static_build(simk_t *k); /* false if out of memory; the error is kept */
void simk_static_end(simk_t *k);   /* at the end of a run */
void simk_static_start(simk_t *k); /* after the first activation of all processes */
int simk_static_settle(simk_t *k, mrpb_err_t *err);           /* commit, combinational pass */
void simk_static_copy(simk_t *k, uint32_t first, uint32_t n); /* commits ranges of quiet signals */
void simk_static_wake(simk_t *k, uint32_t sig);               /* marks its readers to be run */

#endif
