/* SPDX-License-Identifier: Apache-2.0 */
/* Discrete-event simulation kernel in the style of SystemC: modules, signals with evaluate/update
 * and delta cycles, processes, several clock domains, timed events, VCD tracing. See
 * docs/kernel.md.
 *
 * Timing: time is counted in femtoseconds, 64 bits (5.1 hours). Edge k of a clock of f Hz is at
 * first + floor(k * 10^15 / f) fs: clocks never drift, and edges that coincide in theory (each edge
 * of 575 MHz with every second one of 1150 MHz) coincide exactly. A function may give the edges of
 * clocks that no period describes.
 *
 * Two schedulers, chosen at elaboration, give the same state and byte for byte the same wave file.
 * Not modelled: dynamic sensitivity, processes with their own stack, four-valued signals. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "err.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t sim_time_t; /* femtoseconds */
#define SIM_FS UINT64_C(1)
#define SIM_PS UINT64_C(1000)
#define SIM_NS UINT64_C(1000000)
#define SIM_US UINT64_C(1000000000)
#define SIM_MS UINT64_C(1000000000000)
#define SIM_NEVER UINT64_MAX

/* Handles. A zeroed handle means "none"; as a parent module it means the top. Each handle belongs
 * to one simulation. */
typedef struct {
  uint32_t id;
} sim_module_t;
typedef struct {
  uint32_t id;
} sim_sig_t;
typedef struct {
  uint32_t id;
} sim_clock_t;
typedef struct {
  uint32_t id;
} sim_source_t;
typedef struct {
  uint32_t id;
} sim_event_t;
typedef struct {
  uint32_t id;
} sim_proc_t;

/* SIM_SIGS(a, b): an array of handles and its length, for sim_sensitive, sim_reads and sim_writes;
 * in C++ from C++11 on. */
#ifndef __cplusplus
#define SIM_TOP ((sim_module_t){0})
#define SIM_SIGS(...)                                                                              \
  (const sim_sig_t[]){__VA_ARGS__}, sizeof((const sim_sig_t[]){__VA_ARGS__}) / sizeof(sim_sig_t)
#else
#define SIM_TOP sim_module_t()
#if __cplusplus >= 201103L
#define SIM_SIGS(...)                                                                              \
  std::initializer_list<sim_sig_t>{__VA_ARGS__}.begin(),                                           \
      std::initializer_list<sim_sig_t>{__VA_ARGS__}.size()
#endif
#endif
#define SIM_NO_SIGS NULL, 0

typedef enum {
  SIM_EVENT_DRIVEN, /* the reference: runs every legal model */
  SIM_STATIC /* clocked processes, commit, levelled combinational processes; see sim_elaborate */
} sim_sched_t;

typedef enum {
  SIM_ERROR = -1, /* the message is in `err` */
  SIM_REACHED = 0,
  SIM_STOPPED = 1 /* sim_stop was called */
} sim_status_t;

typedef struct sim sim_t;
typedef void (*sim_fn_t)(sim_t *sim, void *ctx);

/* ---- construction: before sim_elaborate ----------------------------------------------------- */
/* These calls never report an error themselves: the first error (a bad name or width, a foreign
 * handle, out of memory) is kept and reported by sim_elaborate. Names are 1 to 64 letters, digits,
 * '_', '$', '[' and ']', unique within their module. */

/* sim_create returns an empty simulation, or NULL if out of memory. sim_destroy(NULL) does nothing.
 * sim_destroy closes an open wave file but loses its errors: call sim_trace_close first. */
sim_t *sim_create(void);
void sim_destroy(sim_t *sim);

/* A scope for names within `parent`. */
sim_module_t sim_module(sim_t *sim, sim_module_t parent, const char *name);

/* A signal of `width` bits, 1 to 64. Its initial value is the low `width` bits of `init`. */
sim_sig_t sim_signal(sim_t *sim, sim_module_t parent, const char *name, unsigned width,
                     uint64_t init);

/* A clock, low until its first rising edge at `first`; it falls half a period after each rising
 * edge (rounded down to 1 fs). sim_clock: `period` in fs, at least 2. sim_clock_hz: `hz` in Hz, up
 * to 5e14; exact and without drift, even if the period is not a whole number of fs. */
sim_clock_t sim_clock(sim_t *sim, sim_module_t parent, const char *name, sim_time_t period,
                      sim_time_t first);
sim_clock_t sim_clock_hz(sim_t *sim, sim_module_t parent, const char *name, uint64_t hz,
                         sim_time_t first);

/* Clocks whose rising edges a function gives: edges that are computed, stop, start again, or occur
 * when a model has work to do. One function, called a source, gives the edges of 1 to 32 clocks,
 * one time step after the other. Clocks in one step rise together. Those of two steps rise one
 * after the other, even at the same time; edges of other clocks and timed events at that time
 * belong to the first of these steps. */
typedef struct {
  sim_time_t time; /* fs */
  uint32_t rise;   /* bit i: clock i of the source, in order of creation, rises */
} sim_edge_t;
/* Writes at most `n` coming steps to `edge` and returns their number; 0 means none for now. The
 * kernel calls it for the first time when the first run begins, and again when all processes of the
 * last step that it gave have run. After a return of 0, the kernel calls it after every time step
 * and when a run begins. A function that depends on what the processes do must give one step at a
 * time. It must use only its ctx and call nothing of the simulation.
 *
 * These errors end the simulation when it reaches the step: a time before the present one, no clock
 * or one that the source does not have, a time that never advances. */
typedef size_t (*sim_edges_fn_t)(void *ctx, sim_edge_t *edge, size_t n);
sim_source_t sim_source(sim_t *sim, sim_edges_fn_t fn, void *ctx);

/* Discards the steps that the function gave and that have not begun; the function is called again
 * when the present time step is over. May be called at any time, also from a process. */
void sim_source_restart(sim_t *sim, sim_source_t source);

/* The next clock of a source. It falls `high` fs, 1 or more, after its last rising edge: if it
 * rises again before that, it stays high in between. */
sim_clock_t sim_source_clock(sim_t *sim, sim_module_t parent, const char *name, sim_source_t source,
                             sim_time_t high);

/* The clock as a 1-bit signal that can be read, traced or used in sensitivity lists; writing it has
 * no effect. Falling edges are simulated, and cost time, only after this call, or if a process is
 * sensitive to them, or if the clock is traced. */
sim_sig_t sim_clock_signal(sim_t *sim, sim_clock_t clk);

/* A process: fn(sim, ctx) is called whenever something that it is sensitive to happens, and once at
 * the start unless sim_dont_initialize is called. The kernel never looks at ctx. */
sim_proc_t sim_process(sim_t *sim, sim_module_t parent, const char *name, sim_fn_t fn, void *ctx);
void sim_dont_initialize(sim_t *sim, sim_proc_t proc);

/* Static sensitivity to the rising or falling edge of a clock; to any change, a rise (0 to 1) or a
 * fall (1 to 0) of bit 0 of signals; or to an event. */
void sim_on_rise(sim_t *sim, sim_proc_t proc, sim_clock_t clk);
void sim_on_fall(sim_t *sim, sim_proc_t proc, sim_clock_t clk);
void sim_sensitive(sim_t *sim, sim_proc_t proc, const sim_sig_t *sigs, size_t n);
void sim_sensitive_pos(sim_t *sim, sim_proc_t proc, sim_sig_t sig);
void sim_sensitive_neg(sim_t *sim, sim_proc_t proc, sim_sig_t sig);
void sim_on_event(sim_t *sim, sim_proc_t proc, sim_event_t event);

/* Declares what a process may read and write, for the static scheduler (n = 0 declares that there
 * is nothing); several calls add up. Under the event-driven scheduler these declarations are
 * optional. Under both schedulers, declared writes are checked in the first activation. */
void sim_reads(sim_t *sim, sim_proc_t proc, const sim_sig_t *sigs, size_t n);
void sim_writes(sim_t *sim, sim_proc_t proc, const sim_sig_t *sigs, size_t n);

sim_event_t sim_event(sim_t *sim, sim_module_t parent, const char *name);

/* Sets the number of delta cycles allowed within one time step (default 10000). Exceeding it is an
 * error that names the signal. */
void sim_set_delta_limit(sim_t *sim, uint32_t limit);

/* Ends construction. Returns 0, or -1 and a message. SIM_STATIC is refused, with the name of the
 * process or the loop, unless the model meets all of these rules. Every process declares its reads
 * and writes. Every process is either clocked (sensitive to clock edges only) or combinational
 * (sensitive to any change of every signal it reads, run at the start, and without state of its
 * own). Combinational processes form no loop and share no written signal. No process is sensitive
 * to an event or to an edge of a signal that is not a clock. */
int sim_elaborate(sim_t *sim, sim_sched_t sched, mrpb_err_t *err);

/* ---- running -------------------------------------------------------------------------------- */
/* The first run calls every process once (initialisation), in order of creation.
 *
 * In a time step, all clocks whose edge is due change first. Then the processes of these edges run:
 * clocks in order of creation, the processes of one edge in order of creation, followed by those of
 * timed events. Then come the update, delta cycles until nothing changes, and the wave file.
 *
 * Writes and notifications made between two runs take effect at the start of the next run, at the
 * time where the last one ended. Signals driven by a combinational process must not be written from
 * outside. */

/* Executes everything up to and including time `t` and leaves the time there (earlier if
 * stopped). */
sim_status_t sim_run_until(sim_t *sim, sim_time_t t, mrpb_err_t *err);

/* Runs until `n` more rising edges of `clk` have occurred; the time is then that of the last
 * one. */
sim_status_t sim_run_cycles(sim_t *sim, sim_clock_t clk, uint64_t n, mrpb_err_t *err);

/* Ends the run after the current time step; a later run continues. May be called from a process or
 * from a signal handler (Ctrl-C). */
void sim_stop(sim_t *sim);

sim_time_t sim_now(const sim_t *sim);

/* Number of rising edges of `clk` so far. */
uint64_t sim_cycles(const sim_t *sim, sim_clock_t clk);

/* At most one notification of an event is pending; the earliest wins (immediate, then delta, then
 * by time). sim_notify: the event's processes join the current evaluation. sim_notify_delta: they
 * run in the next delta cycle. sim_notify_after: they run after `delay` fs; 0 is a delta
 * notification. */
void sim_notify(sim_t *sim, sim_event_t event);
void sim_notify_delta(sim_t *sim, sim_event_t event);
void sim_notify_after(sim_t *sim, sim_event_t event, sim_time_t delay);
void sim_cancel(sim_t *sim, sim_event_t event);

typedef struct {
  uint64_t steps;       /* time steps in which something happened */
  uint64_t deltas;      /* update phases (the static scheduler has one commit per step) */
  uint64_t activations; /* process calls (the two schedulers differ because of glitches) */
} sim_stats_t;
sim_stats_t sim_stats(const sim_t *sim);

/* FNV-1a hash of all signal values in order of creation, without clocks. */
uint64_t sim_state_hash(const sim_t *sim);

/* Writes the full name ("top.sm0.valid") to buf, cut to n characters including the final 0; returns
 * buf. */
const char *sim_signal_name(const sim_t *sim, sim_sig_t sig, char *buf, size_t n);

/* Width of a signal in bits; 0 for a handle of another simulation. */
unsigned sim_signal_width(const sim_t *sim, sim_sig_t sig);

/* Finds a signal (or clock) by its full name; returns a zeroed handle if there is none. */
sim_sig_t sim_find_signal(sim_t *sim, const char *full_name);

/* ---- wave files ----------------------------------------------------------------------------- */
/* Select signals, then open and close windows at any time after sim_elaborate, also from a process.
 * The selection stays for later windows; without a selection everything is traced. Each time step
 * writes its last values, in order of declaration, so the file does not depend on the scheduler.
 * The timescale is 1 fs. */
void sim_trace_signal(sim_t *sim, sim_sig_t sig);
void sim_trace_scope(sim_t *sim, sim_module_t module); /* everything in the module and below */

/* Return 0, or -1 and a message (not elaborated, already open, file cannot be written, disk full).
 * An error in a later write ends the run with SIM_ERROR; the simulation can go on after
 * sim_trace_close. sim_trace_close without an open window returns 0. The file is readable after
 * each of these calls and, if the program dies, up to its last full line. */
int sim_trace_open(sim_t *sim, const char *path, mrpb_err_t *err);
int sim_trace_flush(sim_t *sim, mrpb_err_t *err);
int sim_trace_close(sim_t *sim, mrpb_err_t *err);

/* ---- signal access: the only functions on the hot path -------------------------------------- */

/* Private; defined here so that the functions below are inline. Slots of eight signals are
 * interleaved: the eight `cur` are adjacent, and so are the eight `next`. The handle of a signal is
 * the byte offset of its slot. */
typedef struct {
  uint64_t cur, gap_cur[7];
  uint64_t next, gap_next[7];
  uint64_t mask, gap_mask[7];
  uint32_t
      queued; /* 1: in `pend`, or committed without it; 2: written through (static scheduler) */
  uint32_t flags;
} sim_slot_t;
struct sim {
  char *slots;
  uint32_t *pend; /* handles of signals that may change in the next update */
  uint32_t n_pend;
  volatile sig_atomic_t stop;
};
static inline sim_slot_t *sim_slot(const sim_t *sim, uint32_t id) {
  return (sim_slot_t *)(void *)(sim->slots + id);
}

/* Returns the value as of the last update. */
static inline uint64_t sim_read(const sim_t *sim, sim_sig_t sig) {
  return sim_slot(sim, sig.id)->cur;
}

/* Writes the low bits of `v`; they become visible after the update phase, that is, in the next
 * delta cycle. The last write of an evaluation phase wins; a write of the current value wakes no
 * process. */
static inline void sim_write(sim_t *sim, sim_sig_t sig, uint64_t v) {
  sim_slot_t *slot = sim_slot(sim, sig.id);
  v &= slot->mask;
  slot->next = v;
  if (slot->queued == 1) return;
  if (slot->queued == 2) {
    slot->cur = v;
    return;
  }
  if (v == slot->cur) return;
  slot->queued = 1;
  sim->pend[sim->n_pend++] = sig.id;
}

#endif
