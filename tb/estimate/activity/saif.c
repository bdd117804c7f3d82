/* SPDX-License-Identifier: Apache-2.0 */
/* Writes backward SAIF 2.0: durations at 0 and 1 and toggle counts of every net, by instance. */
#include "estimate/activity/state.h"

#include <inttypes.h>
#include <string.h>

/* The length of the instance's name in "u_fifo_bank.tail_q"; 0: the module itself. */
static size_t instance_of(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? (size_t)(dot - name) : 0;
}

static bool is_in(const char *name, const char *instance, size_t length) {
  return instance_of(name) == length && strncmp(name, instance, length) == 0;
}

typedef struct {
  FILE *f;
  uint64_t cycles, period; /* picoseconds, even */
} saif_t;

static void put_times(const saif_t *s, uint64_t ones, uint64_t toggles) {
  fprintf(s->f, " (T0 %" PRIu64 ") (T1 %" PRIu64 ") (TX 0) (TC %" PRIu64 ") (IG 0))\n",
          (s->cycles - ones) * s->period, ones * s->period, toggles);
}

static void put_signal(const saif_t *s, const activity_unit_t *u, const activity_signal_t *signal) {
  size_t instance = instance_of(signal->name);
  const char *name = signal->name + instance + (instance > 0);
  for (unsigned w = 0; w < signal->words; w++)
    for (unsigned b = 0; b < signal->width; b++) {
      activity_bit_t v = activity_bit(u, signal, w, b);
      fprintf(s->f, "      (%s", name);
      if (signal->words > 1) fprintf(s->f, "\\[%u\\]", w);
      if (signal->width > 1) fprintf(s->f, "\\[%u\\]", b);
      put_times(s, v.ones, v.toggles);
    }
}

/* Writes the nets of one instance. */
static void put_nets(const saif_t *s, const activity_unit_t *u, const char *instance,
                     size_t length) {
  activity_signal_t signal;
  fprintf(s->f, "    (NET\n");
  if (length == 0) {
    uint64_t half = s->cycles * s->period / 2;
    fprintf(s->f,
            "      (clk_i (T0 %" PRIu64 ") (T1 %" PRIu64 ") (TX 0) (TC %" PRIu64 ") (IG 0))\n",
            half, half, 2 * s->cycles);
  }
  for (unsigned i = 0; activity_signal(u, activity_side(u), i, &signal); i++)
    if (is_in(signal.name, instance, length)) put_signal(s, u, &signal);
  fprintf(s->f, "    )\n");
}

/* The length of the path of the instance directly below `instance`, or 0. */
static size_t below(const char *name, const char *instance, size_t length) {
  if (length && (strncmp(name, instance, length) != 0 || name[length] != '.')) return 0;
  const char *dot = strchr(name + length + (length > 0), '.');
  return dot ? (size_t)(dot - name) : 0;
}

/* Whether no signal before number `i` is in or below the same instance. */
static bool is_first(const activity_unit_t *u, unsigned i, const char *name, size_t length) {
  activity_signal_t other;
  for (unsigned k = 0; k < i && activity_signal(u, activity_side(u), k, &other); k++)
    if (strncmp(other.name, name, length) == 0 && other.name[length] == '.') return false;
  return true;
}

/* Writes the instances, which are at most two deep. */
static void put_below(const saif_t *s, const activity_unit_t *u) {
  activity_signal_t signal, inner;
  for (unsigned i = 0; activity_signal(u, activity_side(u), i, &signal); i++) {
    const size_t n = below(signal.name, "", 0);
    if (n == 0 || !is_first(u, i, signal.name, n)) continue;
    fprintf(s->f, "    (INSTANCE %.*s\n", (int)n, signal.name);
    put_nets(s, u, signal.name, n);
    for (unsigned k = i; activity_signal(u, activity_side(u), k, &inner); k++) {
      const size_t m = below(inner.name, signal.name, n);
      if (m == 0 || !is_first(u, k, inner.name, m)) continue;
      fprintf(s->f, "    (INSTANCE %.*s\n", (int)(m - n - 1), inner.name + n + 1);
      put_nets(s, u, inner.name, m);
      fprintf(s->f, "    )\n");
    }
    fprintf(s->f, "    )\n");
  }
}

void activity_saif(const activity_unit_t *u, unsigned clock_mhz, FILE *f) {
  saif_t s = {f, u->cycles, 2 * ((500000 + clock_mhz / 2) / clock_mhz)};
  fprintf(f,
          "(SAIFILE\n"
          "  (SAIFVERSION \"2.0\")\n"
          "  (DIRECTION \"backward\")\n"
          "  (DESIGN \"%s\")\n"
          "  (VENDOR \"mrpb\")\n"
          "  (PROGRAM_NAME \"mrpb\")\n"
          "  (VERSION \"1\")\n"
          "  (DIVIDER / )\n"
          "  (TIMESCALE 1 ps)\n"
          "  (DURATION %" PRIu64 ")\n"
          "  (INSTANCE %s\n",
          u->cls->stem, s.cycles * s.period, u->cls->stem);
  put_nets(&s, u, "", 0);
  put_below(&s, u);
  fprintf(f, "  )\n)\n");
}
