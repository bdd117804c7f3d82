/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of tb/estimate/activity. */
#ifndef ACTIVITY_STATE_H
#define ACTIVITY_STATE_H

#include "estimate/activity/activity.h"
#include "estimate/activity/events.h"
#include "estimate/activity/track.h"

#include <stdbool.h>
#include <stdio.h>

enum { ACTIVITY_UNITS = 3, ACTIVITY_LEVELS = 8192 };

/* One witness: the C model or the Verilog. */
typedef struct {
  bool there;
  activity_reg_t reg[MODULE_MAX_REGS];
  track_t in, out, regs[MODULE_MAX_REGS];
  uint64_t events[ACTIVITY_EVENTS];
  uint64_t *level; /* cycles at each occupancy, ACTIVITY_LEVELS of them */
  uint64_t sum;    /* entries of the rings, before the edge */
} activity_side_t;

typedef struct {
  const activity_class_t *events;
  const module_class_t *cls;
  uint32_t params[MODULE_MAX_PARAMS];
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  module_reg_t regs[MODULE_MAX_REGS]; /* shapes only; data is not used */
  unsigned level_word;                /* the word of the output that gives the occupancy */
  int rings[3];                       /* indices of their registers; [0] is -1 without rings */
  uint64_t cycles;
  bool paused; /* cycles are not counted */
  activity_side_t c, rtl;
} activity_unit_t;

struct activity {
  unit_watch_t watch;
  uint64_t config_hash;
  uint32_t clock_mhz;
  activity_unit_t unit[ACTIVITY_UNITS];
  unsigned n_units;
};

typedef enum { ACTIVITY_IN, ACTIVITY_OUT, ACTIVITY_REG, ACTIVITY_MEM } activity_kind_t;

/* One bit, as the files describe it. */
typedef struct {
  activity_kind_t kind;
  const char *name; /* of the port or register */
  unsigned width, words, word, bit;
  uint64_t toggles, ones;
} activity_bit_t;

/* The side whose counts go into the files. */
const activity_side_t *activity_side(const activity_unit_t *u);

typedef struct {
  activity_kind_t kind;
  const char *name;
  unsigned width, words;
  const track_t *track;
  size_t first;       /* its bit 0 in the track */
  unsigned elem_bits; /* distance between words in the track */
} activity_signal_t;

/* Gets signal number `i` of a side: inputs, outputs, then registers. Returns false after the
 * last. */
bool activity_signal(const activity_unit_t *u, const activity_side_t *s, unsigned i,
                     activity_signal_t *signal);
activity_bit_t activity_bit(const activity_unit_t *u, const activity_signal_t *s, unsigned word,
                            unsigned bit);

/* Gets the signal of an array in the events table. Returns false if the module has no such
 * register. */
bool activity_array(const activity_unit_t *u, const activity_access_t *a,
                    activity_signal_t *signal);
/* The toggles and the cycles at 1 of all bits of a signal together. */
uint64_t activity_sum(const activity_unit_t *u, const activity_signal_t *s, uint64_t *ones);
const char *activity_kind_name(activity_kind_t kind); /* in, out, reg, mem */

/* Write the files. Each function writes one text; a failure shows in ferror. */
void activity_access_csv(const activity_t *a, FILE *f);
void activity_bits_csv(const activity_t *a, FILE *f);
void activity_saif(const activity_unit_t *u, unsigned clock_mhz, FILE *f);
void activity_tcl(const activity_unit_t *u, FILE *f);
/* Returns NULL if out of memory. */
json_t *activity_json(const activity_t *a, const json_t *run);

/* Returns the index of the register `name`, or -1. */
int activity_find_reg(const activity_unit_t *u, const char *name);

static inline double activity_rate(uint64_t n, uint64_t cycles) {
  return cycles ? (double)n / (double)cycles : 0;
}

#endif
