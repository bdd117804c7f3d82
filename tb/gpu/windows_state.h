/* SPDX-License-Identifier: Apache-2.0 */
/* State of a GPU that runs in windows, shared by tb/gpu/windows*.c only: docs/threads.md. */
#ifndef WINDOWS_STATE_H
#define WINDOWS_STATE_H

#include "base/team.h"
#include "gpu/gpu_state.h"
#include "gpu/sms.h"
#include "gpu/windows/share.h"
#include "gpu/windows/ways.h"
#include "gpu/windows/window_port.h"

enum { WINDOWS_EDGES = 1024 }; /* that are known in advance */

/* Cycles, and their edges: from w->edge[edge] on, up to w->edge[end]. */
typedef struct {
  uint64_t from, to;
  unsigned edge, end;
} windows_span_t;

struct gpu_windows {
  gpu_t *gpu;
  flits_t *flits;
  team_t *team;
  window_port_t *port[SET_MEMBERS];
  gpu_memory_t *own[SET_MEMBERS]; /* the same */
  sms_apart_t apart[SET_MEMBERS];
  const touched_t *touched[SET_MEMBERS];
  touched_lines_t written;

  uint8_t edge[WINDOWS_EDGES]; /* that come next: sets of stages */
  unsigned n_edges;
  uint64_t again_at; /* the cycle from which on windows are tried */

  ways_t ways;
  way_t way;
  share_t share;
  double began, ended[TEAM_MOST]; /* the first round, and in it each thread: seconds */

  /* The window, and the next one, whose replies stage runs beside this one's SMs, or has run; `to` 0:
   * there is none. For each edge the slices that accept a request; for each cycle of the window the
   * edges of the interconnect up to the SMs' part of it; where the requests stage is. */
  windows_span_t now, next;
  bool replies_due; /* of the next one */
  bool together;    /* all threads run this window's SMs */
  uint32_t accept[WINDOWS_EDGES];
  uint32_t icnt_edges[WINDOW_CYCLES];
  unsigned request_edge;
  uint64_t request_cycle;
  bool request_half; /* the memory's part of that edge has run */
  bool more;
  unsigned n_ready;
  unsigned ready[SET_MEMBERS]; /* SMs that go on in this round */
  unsigned expected;           /* cycles of SMs run in a window: a running sum of windows_sms.c */
};

static inline bool windows_has(uint32_t edge, unsigned stage) {
  return edge >> stage & 1;
}

/* windows_memory.c. windows_look_ahead: knows edges enough for so many cycles, if there is room; returns the
 * number of whole cycles that are known. windows_drop_edges: the first `n` are over. */
unsigned windows_look_ahead(gpu_windows_t *w, unsigned most);
void windows_drop_edges(gpu_windows_t *w, unsigned n);
/* The replies stage of a window `s`. It may end early: s->to becomes less. */
void windows_run_replies(gpu_windows_t *w, windows_span_t *s);
/* The requests stage of the window, up to the SMs' part of cycle `at`, or, if that is the end of the
 * window, up to there. */
void windows_run_requests(gpu_windows_t *w, uint64_t at);

/* windows_sms.c. The SMs, up to the end of the window, and, if they are due, beside them the replies of the
 * next one; false if the run cannot go on in this way. */
bool windows_run_sms(gpu_windows_t *w);

#endif
